//! Calls that leave the file system: programs, sockets, terminals.

use objcap_walk::{Kind, Leaf, path};
use sbpl::Operation;

use super::Planner;
use crate::mac::act::{Act, Made};
use crate::mac::answer::{Effect, Errno, Program};
use crate::mac::choices::{BindAsks, InterpreterAsks, MapAsks, TypeAheadAsks};
use crate::mac::node::{Body, SET_UID, Wish};
use crate::mac::process::Terminal;
use crate::mac::{About, Fd, Ino, Name};

impl<'a> Planner<'a> {
    pub(super) fn exec(&mut self, name: &Name, arguments: &[Vec<u8>]) -> Result<Act, Errno> {
        let landing = self.look_up(name, Leaf::Follow)?;
        let image = landing.object()?;
        self.ask(Operation::ProcessExec, &landing);
        let contents = self.runnable(image)?;
        let arguments = arguments.iter().cloned();
        let Some(line) = contents.strip_prefix(b"#!") else {
            let arguments = std::iter::once(name.path.clone()).chain(arguments);
            return Ok(Act::Run(Program {
                image,
                script: None,
                arguments: arguments.collect(),
            }));
        };
        let (interpreter, argument) = interpreter(line).ok_or(Errno::NOEXEC)?;
        let landing = self.look_up(&Name::from(interpreter), Leaf::Follow)?;
        let operation = match self.asking.choices().interpreter {
            InterpreterAsks::Exec => Operation::ProcessExec,
            InterpreterAsks::Interpreter => Operation::ProcessExecInterpreter,
        };
        let script = image;
        let image = landing.object()?;
        self.ask(operation, &landing);
        if self.runnable(image)?.starts_with(b"#!") {
            // An interpreter is no script itself.
            return Err(Errno::NOEXEC);
        }
        let own = [interpreter.to_vec()].into_iter();
        let own = own.chain(argument.map(<[u8]>::to_vec));
        let own = own.chain([name.path.clone()]);
        Ok(Act::Run(Program {
            image,
            script: Some(script),
            arguments: own.chain(arguments).collect(),
        }))
    }

    /// What a program holds, if it may be run.
    fn runnable(&self, ino: Ino) -> Result<&'a [u8], Errno> {
        let node = self.mac.node(ino);
        let Body::File(contents) = &node.body else {
            return Err(Errno::ACCESS);
        };
        self.permit(ino, Wish::Execute)?;
        if node.mode & SET_UID != 0 && self.process.sandbox.is_some() {
            // `forbidden-exec-sugid` (docs/seatbelt.md, section 6).
            return Err(Errno::PERM);
        }
        Ok(contents)
    }

    pub(super) fn map(&mut self, fd: Fd) -> Result<Act, Errno> {
        let open = self.process.descriptor(fd)?;
        if !open.rights.reads() || self.mac.kind(open.ino) != Kind::File {
            return Err(Errno::ACCESS);
        }
        if self.asking.choices().map == MapAsks::MapExecutable {
            self.asking.ask(Operation::FileMapExecutable, |choices| {
                let real = self.mac.name_now(open.ino, &open.opened);
                super::file(self.mac, choices, real, open.ino)
            });
        }
        Ok(Act::Nothing(Effect::Reached(open.ino)))
    }

    pub(super) fn bind(&mut self, name: &Name) -> Result<Act, Errno> {
        let landing = self.look_up(name, Leaf::AsNamed)?;
        let spot = match self.new_spot(&landing, Kind::Socket) {
            Err(Errno::EXIST) => return Err(Errno::ADDRINUSE),
            spot => spot?,
        };
        let asks = self.asking.choices().bind;
        if asks != BindAsks::Bind {
            self.asking
                .create(self.mac, spot.folder, &spot.name, Kind::Socket);
        }
        if asks != BindAsks::Create {
            self.asking.ask(Operation::NetworkBind, |choices| {
                let real = self.mac.real_path_of(spot.folder, &spot.name);
                About::Local(self.mac.shown(real, choices.presentation))
            });
        }
        self.permit_entry(spot.folder)?;
        Ok(Act::Make {
            spot,
            made: Made::Other(Kind::Socket),
            open: None,
        })
    }

    pub(super) fn connect(&mut self, name: &Name) -> Result<Act, Errno> {
        let landing = self.look_up(name, Leaf::Follow)?;
        let ino = landing.object()?;
        self.asking.ask(Operation::NetworkOutbound, |choices| {
            About::Remote(
                self.mac
                    .shown(landing.real_path(self.mac), choices.presentation),
            )
        });
        self.permit(ino, Wish::Write)?;
        if self.mac.kind(ino) != Kind::Socket {
            return Err(Errno::NOTSOCK);
        }
        Ok(Act::Nothing(Effect::Reached(ino)))
    }

    pub(super) fn tcp(&mut self, operation: Operation, about: About) -> Result<Act, Errno> {
        self.asking.ask(operation, |_| about);
        Ok(Act::Nothing(Effect::None))
    }

    pub(super) fn type_ahead(&mut self, fd: Fd) -> Result<Act, Errno> {
        let ino = self.terminal(fd)?;
        let asks = self.asking.choices().type_ahead;
        if asks != TypeAheadAsks::Ioctl {
            self.asking.ask(Operation::HidControl, |_| About::Nothing);
        }
        if asks != TypeAheadAsks::HidControl {
            self.ioctl(fd, "TIOCSTI")?;
        }
        if self.process.terminal == Terminal::None {
            return Err(Errno::ACCESS);
        }
        Ok(Act::Nothing(Effect::Reached(ino)))
    }

    pub(super) fn set_terminal(&mut self, fd: Fd) -> Result<Act, Errno> {
        let ino = self.terminal(fd)?;
        self.ioctl(fd, "TIOCSETA")?;
        Ok(Act::Nothing(Effect::Reached(ino)))
    }

    fn ioctl(&mut self, fd: Fd, command: &'static str) -> Result<(), Errno> {
        let open = self.process.descriptor(fd)?;
        self.asking.ask(Operation::FileIoctl, |choices| {
            let real = self.mac.name_now(open.ino, &open.opened);
            About::Terminal(self.mac.shown(real, choices.presentation), command)
        });
        Ok(())
    }

    /// The model tells no terminal from another character device, but by its name.
    fn terminal(&self, fd: Fd) -> Result<Ino, Errno> {
        let open = self.process.descriptor(fd)?;
        let is_terminal = self.mac.kind(open.ino) == Kind::CharDevice
            && open.opened.1.to_ascii_lowercase().starts_with(b"tty");
        is_terminal.then_some(open.ino).ok_or(Errno::NOTTY)
    }
}

/// The interpreter of a script and its one argument, from the line behind `#!` (execve(2)).
fn interpreter(text: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let line = text.split(|&byte| byte == b'\n').next()?.trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace);
    let (name, argument) = line.split_at(end.unwrap_or(line.len()));
    let argument = Some(argument.trim_ascii_start()).filter(|text| !text.is_empty());
    path::components(name).next()?;
    Some((name, argument))
}
