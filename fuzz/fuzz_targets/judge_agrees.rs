//! The compiled judge answers as the naive one does. The input is a profile, a byte 0xff, and
//! requests between further ones: an operation by its number, what it is about, and its name.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sbpl::ast::{Subject, Target, VnodeType};
use sbpl::judge::{Socket, Transport, naive};
use sbpl::{Judge, Operation, Reading, Request};

fuzz_target!(|input: &[u8]| {
    let mut parts = input.split(|&byte| byte == 0xff);
    let parser = sbpl::Parser::new().fuel(20_000);
    let parsed = parser.parse(parts.next().unwrap_or_default());
    let (compiled, naive) = (
        Judge::new(parsed.profile()),
        naive::Judge::new(parsed.profile()),
    );
    for request in parts.take(16).filter_map(request) {
        for reading in Reading::ALL {
            assert_eq!(
                compiled.decide(&request, reading),
                naive.decide(&request, reading)
            );
        }
        assert_eq!(compiled.settle(&request), naive.settle(&request));
    }
});

fn request(bytes: &[u8]) -> Option<Request> {
    let [operation, kind, name @ ..] = bytes else {
        return None;
    };
    let request = Request::new(Operation::ALL.get(usize::from(*operation))?.clone());
    let address = |last| ([127, 0, 0, last], 80).into();
    Some(match kind % 8 {
        0..=2 => request.path(name),
        3 => request
            .path(name)
            .vnode_type(VnodeType::RegularFile)
            .file_mode(0o644),
        4 => request.name(Subject::GlobalName, name),
        5 => request.remote(Socket::Unix(name.to_vec())),
        6 => request.remote(Socket::Inet(Transport::Tcp, address(kind / 64))),
        _ => request.target(Target::Itself),
    })
}
