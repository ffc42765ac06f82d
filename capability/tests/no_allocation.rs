//! A verdict about an object with an ASCII name allocates nothing, whatever it says and however many clauses
//! there are. The walk before it is not counted. A program of its own, because it counts what the allocator
//! is asked for.

use std::hint::black_box;

use allocation_counter::measure;
use objcap_capability::{Act, Grant, Guard, Stack};
use objcap_object::{Host, Memory, Names, Object, Options};

/// How often the allocator is asked.
fn asked(what: impl FnOnce()) -> u64 {
    measure(what).count_total
}

fn hosts() -> [Host<Memory>; 2] {
    let worlds = [Names::Caseless, Names::Exact];
    worlds.map(|names| {
        let mut host = Host::stock_mac();
        host.names = names;
        host.tree.file("/w/App/Main.rs");
        host.tree.file("/w/App/.env");
        host.tree.file("/w/caf\u{e9}");
        assert!(host.tree.link_hard("/w/App/.env", "/w/second"));
        host
    })
}

#[test]
fn a_verdict_on_ascii_allocates_nothing() {
    for host in hosts() {
        for clauses in [10, 3_000] {
            let mut builder = Grant::builder()
                .write("/w")
                .exclude("/w/App/.env")
                .protect("/w/App/.git")
                .allow("/w/App");
            for number in 0..clauses {
                builder = builder.exclude(format!("/w/App/Deeper/{number}/.ENV"));
            }
            let grants = [builder, Grant::builder().read("/w").read("/tmp")];
            let grants = grants.map(|one| one.build(&host.vars).unwrap());
            let stack = Stack::freeze(&grants, &host).unwrap();
            let guard = Guard::new(&host, &stack);
            let (mut admitted, mut refused) = (0, 0);
            for path in [
                "/",
                "/w/App/Main.rs",
                "/w/APP/.env",
                "/w/App/.git/hooks/new",
                "/w/App",
                "/w/second",
                "/w/none/at/all",
                "/Library",
                "/usr/local/bin/objcap",
            ] {
                for act in Act::ALL {
                    let end = act.ends()[0];
                    let options = Options {
                        leaf: end.leaf,
                        ..Options::default()
                    };
                    let object = Object::walk(&host.tree, path, &options).unwrap();
                    // The walk's own: a real path is made when it is first asked for.
                    black_box(object.real());
                    let count = asked(|| {
                        let verdict = black_box(guard.verdict(&object, end));
                        let admits = matches!(verdict, objcap_capability::Verdict::Admitted(_));
                        *(if admits { &mut admitted } else { &mut refused }) += 1;
                    });
                    assert_eq!(count, 0, "{act:?} {path}");
                }
            }
            assert!(admitted > 10 && refused > 10, "{admitted} {refused}");
        }
    }
}

#[test]
fn what_is_not_ascii_is_seen_to_allocate() {
    let [host, _] = hosts();
    let grant = Grant::builder().read("/w").build(&host.vars).unwrap();
    let stack = Stack::freeze(&[grant], &host).unwrap();
    let guard = Guard::new(&host, &stack);
    let object = Object::walk(&host.tree, "/w/caf\u{e9}", &Options::default()).unwrap();
    black_box(object.real());
    let end = Act::Read.ends()[0];
    assert!(asked(|| drop(black_box(guard.verdict(&object, end)))) > 0);
}
