//! What a confined child does: one system call, and the name of the error that came of it. And the few questions
//! about itself that only a child can answer.

use std::fs::{self, File, Permissions};
use std::io;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};

use objcap::object::{Host, errno_name};
use objcap::sandbox::{Confinement, Entry};
use rustix::fs::{Access, CWD, RenameFlags, renameat_with};

use crate::machine::{plan, stack};

/// The first argument of a child that is to act.
pub(crate) const ACT: &str = "act";

/// Makes the call that the words say, and returns what a parent reads: `ok`, an answer, or an error's name.
pub(crate) fn act(words: &[String]) -> String {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match call(&words) {
        Ok(answer) => answer,
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => "ECONNREFUSED".to_owned(),
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
        ["swap", one, other] => done(Ok(renameat_with(
            CWD,
            one,
            CWD,
            other,
            RenameFlags::EXCHANGE,
        )?)),
        // By name, as clonefile(2) has it: by a handle, opening would be asked about first.
        ["clone", from, to] => done(reflink_copy::reflink(from, to)),
        ["chdir", path] => done(std::env::set_current_dir(path)),
        ["access", path] => done(Ok(rustix::fs::access(path, Access::EXISTS)?)),
        ["exec", program, ref arguments @ ..] => exec(program, arguments),
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
        ["enter-twice", grant] => Ok(enter_twice(grant).unwrap_or_else(|error| error)),
        ["descriptors"] => descriptors(),
        _ => Err(io::Error::other(format!("no call is {words:?}"))),
    }
}

/// Runs a program to its end, and says how that was when it was not a good one.
fn exec(program: &str, arguments: &[&str]) -> io::Result<String> {
    let mut command = Command::new(program);
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
    let status = quiet.stderr(Stdio::null()).args(arguments).status()?;
    Ok(match status.success() {
        true => "ok".to_owned(),
        false => status.to_string(),
    })
}

/// What comes of entering a profile, and of entering the very same again.
fn enter_twice(grant: &str) -> Result<String, String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let host = Host::ambient().map_err(|error| text(&error))?;
    let stack = stack(&host, grant)?;
    let plan = plan(&stack, &host, Entry::Launcher)?;
    let entered = || match plan.enter() {
        Ok(_) => "entered".to_owned(),
        Err(error) => format!("{:?}", error.kind()),
    };
    Ok(format!("{}, {}", entered(), entered()))
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
