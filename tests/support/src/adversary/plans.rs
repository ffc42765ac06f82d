//! What an adversary plans: a few calls that together would break law 6, if each were admitted.

use objcap_walk::{Kind, Leaf, path};

use super::called::{Attacker, join};
use super::{Draw, List};
use crate::mac::{Call, Fd, How, Mac, Name, New, Process};

/// A place that is wanted, something above it or itself, and the rest of the way.
struct Aim {
    target: Vec<u8>,
    above: Vec<u8>,
    rest: Vec<u8>,
}

fn aim(attacker: &Attacker, draw: &mut impl Draw) -> Aim {
    let target = attacker.target(draw);
    let parts: Vec<&[u8]> = path::components(&target).collect();
    // The root is no place to take; the place itself is, as its nearest parents are.
    let depth = parts.len();
    let at = depth - draw.below(3).min(depth.saturating_sub(1));
    let above = parts[..at.min(depth)].iter().fold(Vec::new(), join_part);
    let rest = parts[at.min(depth)..].iter().fold(Vec::new(), join_part);
    Aim {
        target,
        above,
        rest,
    }
}

fn join_part(mut path: Vec<u8>, part: &&[u8]) -> Vec<u8> {
    path.push(b'/');
    path.extend_from_slice(part);
    path
}

/// Makes a folder at `at` with the rest of a place in it, forged.
fn stage(at: &[u8], rest: &[u8], fd: Fd, what: usize) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut name = at.to_vec();
    let parts: Vec<&[u8]> = path::components(rest).collect();
    for part in &parts {
        calls.push(make(&name, New::Directory));
        name = join(&name, part);
    }
    if what == 0 && !parts.is_empty() {
        calls.push(make(&name, New::Directory));
    } else {
        calls.push(open(&name, How::Create));
        calls.push(Call::Write(fd, b"forged".to_vec()));
    }
    calls
}

fn open(name: &[u8], how: How) -> Call {
    Call::Open {
        name: Name::from(name),
        how,
        leaf: Leaf::Follow,
    }
}

fn make(name: &[u8], what: New) -> Call {
    Call::Make {
        name: Name::from(name),
        what,
    }
}

fn rename(from: &[u8], to: &[u8]) -> Call {
    Call::Rename {
        from: Name::from(from),
        to: Name::from(to),
    }
}

/// What to do next, drawn.
pub(super) fn plan(
    attacker: &Attacker,
    draw: &mut impl Draw,
    mac: &Mac,
    process: &Process,
) -> Vec<Call> {
    let aim = aim(attacker, draw);
    let free = attacker.free(draw, mac);
    let other = attacker.free(draw, mac);
    let above = attacker.spelled(draw, &aim.above);
    let target = attacker.spelled(draw, &aim.target);
    let fd = next_fd(process);
    let staged = |what| stage(&free, &aim.rest, fd, what);
    let above_exists = mac.at(&aim.above).is_some();
    match draw.below(14) {
        // To carry away what holds it, or a copy of that.
        0 => vec![
            rename(&above, &free),
            open(&join(&free, &aim.rest), How::Read),
        ],
        1 => vec![
            Call::Clone {
                from: Name::from(&above),
                to: Name::from(&free),
                leaf: Leaf::AsNamed,
            },
            open(&join(&free, &aim.rest), How::Read),
        ],
        // To give it a second name, and write by that.
        2 => vec![
            Call::Link {
                from: Name::from(&target),
                to: Name::from(&free),
                leaf: Leaf::AsNamed,
            },
            open(&free, draw.of(&[How::Truncate, How::Write, How::Append])),
            Call::Write(fd, b"forged".to_vec()),
        ],
        // To put something of one's own in the place of what holds it.
        3 | 4 => {
            let mut calls = staged(draw.below(3));
            if above_exists && draw.below(2) == 0 {
                calls.push(rename(&above, &other));
            }
            calls.push(rename(&free, &above));
            calls
        }
        5 => {
            let mut calls = staged(1);
            calls.push(Call::Swap {
                one: Name::from(&free),
                other: Name::from(&above),
            });
            calls
        }
        // A link in the place of what holds it.
        6 | 7 => {
            let mut calls = staged(draw.below(3));
            if above_exists {
                calls.push(match draw.below(2) {
                    0 => rename(&above, &other),
                    _ => Call::Unlink(Name::from(&above)),
                });
            }
            let text = draw.of(&[&free, &free, &aim.target]).clone();
            calls.push(make(&above, New::Symlink(text)));
            calls
        }
        8 => vec![
            open(&free, How::Create),
            Call::Write(fd, b"forged".to_vec()),
            Call::Exchange {
                one: Name::from(&free),
                other: Name::from(&target),
            },
        ],
        // What is there, straight away.
        9 | 10 => vec![
            straight(draw, &target, &free),
            open(&target, How::Read),
            Call::Read(fd),
        ],
        // To have a link lead elsewhere.
        11 => retarget(attacker, draw, mac, &free, &other),
        // By a descriptor, or from the current folder.
        12 => {
            let by = match draw.below(2) {
                0 => Name::at(fd, trimmed(&aim.rest)),
                _ => Name::at(
                    fd,
                    join(
                        b"..",
                        path::components(&aim.above).next_back().unwrap_or(b"."),
                    ),
                ),
            };
            let then = match draw.below(4) {
                0 => Call::Rename {
                    from: by,
                    to: Name::from(&free),
                },
                1 => Call::Unlink(by),
                2 => Call::Open {
                    name: by,
                    how: How::ReadWrite,
                    leaf: Leaf::Follow,
                },
                _ => Call::Make {
                    name: by,
                    what: New::Directory,
                },
            };
            vec![open(&above, How::Directory), then, Call::Read(Fd(fd.0 + 1))]
        }
        _ => {
            let rest = trimmed(&aim.rest);
            let then = match draw.below(3) {
                0 => open(rest, How::Truncate),
                1 => rename(rest, &free),
                _ => rename(&free, rest),
            };
            vec![
                Call::ChangeFolder(Name::from(&above)),
                open(&free, How::Create),
                then,
            ]
        }
    }
}

fn trimmed(rest: &[u8]) -> &[u8] {
    match path::trim_start(rest) {
        [] => b".",
        rest => rest,
    }
}

/// One call about the place itself.
fn straight(draw: &mut impl Draw, target: &[u8], free: &[u8]) -> Call {
    let name = || Name::from(target);
    match draw.below(9) {
        0 => Call::Unlink(name()),
        1 => Call::RemoveFolder(name()),
        2 => Call::Truncate(name()),
        3 => rename(free, target),
        4 => rename(target, free),
        5 => make(
            target,
            match draw.below(2) {
                0 => New::Directory,
                _ => New::Fifo,
            },
        ),
        6 => Call::Bind(name()),
        7 => Call::Exec {
            name: name(),
            arguments: Vec::new(),
        },
        _ => open(target, draw.of(&[How::Write, How::Create, How::Append])),
    }
}

/// A link that stands in the world comes to lead elsewhere: into a folder that was made, out of all that
/// is granted, or to what another clause names.
fn retarget(
    attacker: &Attacker,
    draw: &mut impl Draw,
    mac: &Mac,
    free: &[u8],
    other: &[u8],
) -> Vec<Call> {
    let mut links = Vec::new();
    mac.visit(&mut |dir, name, ino| {
        if mac.kind(ino) == Kind::Symlink {
            links.push(mac.real_path_of(dir, name));
        }
    });
    let Some(link) = links.get(draw.below(links.len())) else {
        return Vec::new();
    };
    let text = match draw.below(4) {
        0 => free.to_vec(),
        1 => draw.of(&[&b"/out"[..], b"/out/d", b"/out/s"]).to_vec(),
        2 => attacker.target(draw),
        _ => attacker.place(draw, List::Write),
    };
    vec![
        match draw.below(2) {
            0 => Call::Unlink(Name::from(link)),
            _ => rename(link, other),
        },
        make(link, New::Symlink(text)),
    ]
}

/// The number that the next descriptor will have.
fn next_fd(process: &Process) -> Fd {
    let open: Vec<usize> = process.descriptors().map(|(fd, _)| fd.0).collect();
    Fd((0..).find(|at| !open.contains(at)).unwrap_or(0))
}
