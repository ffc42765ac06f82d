//! The loop of a coding agent: each tool that touches a file asks the guard and works on what the guard hands out,
//! and each shell command runs confined.
//!
//! ```sh
//! printf '%s\n' '{"tool":"read","path":"Cargo.toml"}' '{"tool":"read","path":".ENV"}' \
//!     '{"tool":"shell","command":"cargo --version"}' | cargo run --example agent_loop -- examples/agent.toml arguments
//! ```
//!
//! What a model asks for comes as lines of JSON, and so does what it is answered.

use std::error::Error;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::path::PathBuf;
use std::{env, fs};

use objcap::capability::{Grant, Guard, Read, Stack, Write};
use objcap::object::{Host, Machine, NewMode};
use objcap::sandbox::{LimitationKind, Sandbox};
use serde_json::{Value, json};

/// The most bytes that a tool answers with.
const ANSWER_MAX: u64 = 64 << 10;

fn main() -> Result<(), Box<dyn Error>> {
    // Before anything else: this process may have been started to become a confined child.
    objcap::sandbox::launcher();

    let file = env::args_os()
        .nth(1)
        .ok_or("usage: agent_loop GRANT.toml [LIMITATION…]")?;
    let host = Host::ambient()?;
    let name = PathBuf::from(&file);
    let grant = Grant::parse(&name.to_string_lossy(), &fs::read(&name)?, &host.vars)?;
    // The agent may not rewrite what binds it.
    let grant = grant.protect_self(std::path::absolute(&name)?);
    let stack = Stack::freeze(&[grant], &host)?;
    let mut sandbox = Sandbox::new(&stack, &host)?;
    // What no system can hold of a grant, somebody has to accept by its name.
    for name in env::args().skip(2) {
        let kind = LimitationKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name);
        sandbox = sandbox.accept(kind.ok_or(format!("there is no limitation `{name}`"))?);
    }
    for limitation in sandbox.limitations() {
        writeln!(io::stderr(), "not held: {limitation}")?;
    }

    let agent = Agent {
        guard: Guard::new(&host, &stack),
        sandbox,
    };
    let mut answers = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = match agent.answer(&line?) {
            Ok(text) => json!({ "ok": text }),
            // What the model reads is what a person would: which clause of which line refused.
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(answers, "{answer}")?;
    }
    Ok(())
}

struct Agent<'a> {
    guard: Guard<'a, Machine>,
    sandbox: Sandbox<'a, Machine>,
}

impl Agent<'_> {
    fn answer(&self, line: &str) -> Result<String, Box<dyn Error>> {
        let call: Value = serde_json::from_str(line)?;
        let text = |key: &str| {
            let value = call.get(key).and_then(Value::as_str);
            value.ok_or_else(|| format!("`{key}` is missing"))
        };
        match text("tool")? {
            "read" => self.read(text("path")?),
            "write" => self.write(text("path")?, text("contents")?),
            "shell" => self.shell(text("command")?),
            tool => Err(format!("there is no tool `{tool}`").into()),
        }
    }

    /// One walk, one verdict, and the file that was judged: nobody can put another in its place.
    fn read(&self, path: &str) -> Result<String, Box<dyn Error>> {
        let held = self.guard.locate::<Read>(path)?;
        let mut contents = Vec::new();
        held.open()?.take(ANSWER_MAX).read_to_end(&mut contents)?;
        Ok(String::from_utf8_lossy(&contents).into_owned())
    }

    fn write(&self, path: &str, contents: &str) -> Result<String, Box<dyn Error>> {
        let held = self.guard.locate::<Write>(path)?;
        held.replace(contents.as_bytes(), NewMode::Kept)?;
        Ok(format!("{} bytes", contents.len()))
    }

    /// The shell's own children are judged by the kernel.
    fn shell(&self, command: &str) -> Result<String, Box<dyn Error>> {
        let shell = self.sandbox.command("/bin/sh").args(["-c", command]);
        let output = shell
            .envs(env::vars_os().filter(|(name, _)| name == "PATH" || name == "HOME"))
            .stdin(std::process::Stdio::null())
            .output()?;
        let said = [output.stdout, output.stderr].concat();
        Ok(format!(
            "{}\n{}",
            output.status,
            String::from_utf8_lossy(&said)
        ))
    }
}
