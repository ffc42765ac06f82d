//! What a confined child does: one system call, and the name of the error that came of it. And the few questions
//! about itself that only a child can answer.

use std::fs::{self, File, Permissions};
use std::io;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Stdio};

use objcap::object::{Existing, Leaf, Machine, Object, Options, errno_name};
use objcap::sandbox::Confinement;

/// The first argument of a child that is to act.
pub(crate) const ACT: &str = "act";

/// Makes the call that the words say, and returns what a parent reads: `ok`, an answer, or an error's name.
pub(crate) fn act(words: &[String]) -> String {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match call(&words) {
        Ok(answer) => answer,
        Err(error) => match error.raw_os_error() {
            Some(number) => errno_name(number).map_or(format!("errno {number}"), str::to_owned),
            None => format!("error: {error}"),
        },
    }
}

fn call(words: &[&str]) -> io::Result<String> {
    let done = |result: io::Result<()>| result.map(|()| "ok".to_owned());
    match *words {
        ["read", path] => done(File::open(path).map(drop)),
        ["list", path] => done(fs::read_dir(path).map(drop)),
        ["write", path] => done(File::options().write(true).open(path).map(drop)),
        ["create", path] => done(
            File::options()
                .write(true)
                .create_new(true)
                .open(path)
                .map(drop),
        ),
        ["truncate", path] => done(
            File::options()
                .write(true)
                .truncate(true)
                .open(path)
                .map(drop),
        ),
        ["mkdir", path] => done(fs::create_dir(path)),
        ["symlink", text, path] => done(symlink(text, path)),
        ["stat", path] => done(fs::metadata(path).map(drop)),
        ["lstat", path] => done(fs::symlink_metadata(path).map(drop)),
        ["readlink", path] => done(fs::read_link(path).map(drop)),
        ["unlink", path] => done(fs::remove_file(path)),
        ["rmdir", path] => done(fs::remove_dir(path)),
        ["chmod", path] => done(fs::set_permissions(path, Permissions::from_mode(0o700))),
        ["rename", from, to] => done(fs::rename(from, to)),
        ["link", from, to] => done(fs::hard_link(from, to)),
        ["swap", one, other] => two(one, other, Object::swap),
        ["clone", from, to] => two(from, to, Object::clone_to),
        ["replace", from, to] => two(from, to, |from, to| from.rename(to, Existing::Replace)),
        ["chdir", path] => done(std::env::set_current_dir(path)),
        ["access", path] => done(match Path::new(path).try_exists()? {
            true => Ok(()),
            false => Err(io::ErrorKind::NotFound.into()),
        }),
        ["exec", program, ..] => {
            let mut command = Command::new(program);
            let quiet = command
                .args(&words[2..])
                .stdin(Stdio::null())
                .stdout(Stdio::null());
            done(quiet.stderr(Stdio::null()).status().map(drop))
        }
        ["bind", path] => done(UnixListener::bind(path).map(drop)),
        ["connect", path] => done(UnixStream::connect(path).map(drop)),
        ["tcp", address] => done(TcpStream::connect(address).map(drop)),
        ["resolve", name] => done((name, 80).to_socket_addrs().map(drop)),
        ["signal", process] => {
            let process = process
                .parse()
                .ok()
                .and_then(rustix::process::Pid::from_raw);
            let process = process.ok_or(io::ErrorKind::InvalidInput)?;
            done(Ok(rustix::process::test_kill_process(process)?))
        }
        ["variable", name] => Ok(std::env::var(name).unwrap_or_else(|_| "unset".to_owned())),
        ["session"] => Ok(
            match rustix::process::getsid(None)? == rustix::process::getpid() {
                true => "own".to_owned(),
                false => "another's".to_owned(),
            },
        ),
        ["confinement"] => Ok(format!("{:?}", Confinement::current())),
        ["descriptors"] => descriptors(),
        _ => Err(io::Error::other(format!("no call is {words:?}"))),
    }
}

/// Two ends of an operation of the library, which follows nothing and goes by handles.
fn two(
    one: &str,
    other: &str,
    operation: fn(&Object, &Object) -> Result<(), objcap::object::error::Error>,
) -> io::Result<String> {
    let machine = Machine::ambient_root().map_err(io::Error::other)?;
    let options = Options {
        leaf: Leaf::AsNamed,
        ..Options::default()
    };
    let walk = |path: &str| Object::walk(&machine, path, &options).map_err(io::Error::other);
    match operation(&walk(one)?, &walk(other)?) {
        Ok(()) => Ok("ok".to_owned()),
        Err(error) => match error.io_error().and_then(io::Error::raw_os_error) {
            Some(number) => Err(io::Error::from_raw_os_error(number)),
            None => Err(io::Error::other(error.to_string())),
        },
    }
}

/// The open descriptors above 2, but for that of the listing itself, which is the highest.
fn descriptors() -> io::Result<String> {
    let mut open = Vec::new();
    for entry in fs::read_dir("/dev/fd")? {
        let name = entry?.file_name();
        open.extend(name.to_str().and_then(|name| name.parse::<u32>().ok()));
    }
    open.sort_unstable();
    open.pop();
    let above: Vec<String> = open
        .iter()
        .filter(|fd| **fd > 2)
        .map(u32::to_string)
        .collect();
    Ok(above.join(" "))
}
