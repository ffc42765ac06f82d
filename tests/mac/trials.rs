//! The trials: each law that speaks of a profile, and each section of one. What is admitted comes first, under the same
//! grant.

use crate::trial::Step::{May, MayNot};
use crate::trial::Trial;

/// What every grant here needs for the child itself.
macro_rules! with_own {
    ($fs:literal) => {
        concat!(
            "[fs]\nread = ['{own}']\n",
            $fs,
            "\n[exec]\nallow = ['{own}', '/bin', '/usr/bin']\n[net]\n"
        )
    };
}

pub(crate) const TRIALS: &[Trial] = &[
    Trial {
        name: "law_1_a_link_that_was_aimed_elsewhere_reaches_nothing",
        grant: with_own!("write = ['{}/w']\nexclude = ['{}/out']"),
        made: &["w/f", "out/secret", "w/l -> {}/out/secret"],
        steps: &[
            May("read {}/w/f"),
            MayNot("read {}/w/l"),
            MayNot("read {}/out/secret"),
        ],
    },
    Trial {
        name: "law_3_an_exclusion_holds_under_every_spelling",
        grant: with_own!("write = ['{}/w']\nexclude = ['{}/w/.env', '{}/w/Straße']"),
        made: &["w/f", "w/.env"],
        steps: &[
            May("read {}/w/f"),
            MayNot("read {}/w/.env"),
            MayNot("read {}/w/.ENV"),
            MayNot("create {}/w/STRASSE"),
            MayNot("create {}/w/straße"),
            May("create {}/w/other"),
        ],
    },
    Trial {
        name: "law_4_depth_is_nothing",
        grant: with_own!("write = ['{}/w', '{}/w/a/b/c']\nexclude = ['{}/w/a']"),
        made: &["w/f", "w/a/b/c/f"],
        steps: &[
            May("write {}/w/f"),
            MayNot("read {}/w/a/b/c/f"),
            MayNot("create {}/w/a/b/c/new"),
        ],
    },
    Trial {
        name: "law_6_what_is_excluded_is_not_carried_away",
        grant: with_own!("write = ['{}/w']\nexclude = ['{}/w/a/key']"),
        made: &["w/f", "w/a/key", "w/a/other", "w/b/"],
        steps: &[
            May("rename {}/w/f {}/w/g"),
            MayNot("rename {}/w/a/key {}/w/k"),
            MayNot("link {}/w/a/key {}/w/k"),
            MayNot("clone {}/w/a/key {}/w/k"),
            MayNot("rename {}/w/a {}/w/c"),
            MayNot("clone {}/w/a {}/w/c"),
            MayNot("swap {}/w/a {}/w/b"),
            May("clone {}/w/a/other {}/w/h"),
        ],
    },
    Trial {
        name: "law_6_what_is_protected_is_read_and_never_forged",
        grant: with_own!("write = ['{}/w']\nprotect = ['{}/w/hooks']"),
        made: &["w/f", "w/hooks/one"],
        steps: &[
            May("write {}/w/f"),
            May("read {}/w/hooks/one"),
            MayNot("write {}/w/hooks/one"),
            MayNot("truncate {}/w/hooks/one"),
            MayNot("create {}/w/hooks/two"),
            MayNot("unlink {}/w/hooks/one"),
            MayNot("chmod {}/w/hooks/one"),
            MayNot("link {}/w/hooks/one {}/w/mine"),
            MayNot("rename {}/w/hooks {}/w/old"),
        ],
    },
    Trial {
        name: "law_6_the_confiner_is_not_swapped",
        grant: with_own!("write = ['{}/w']"),
        made: &["w/f"],
        steps: &[
            May("write {}/w/f"),
            May("read {own}"),
            MayNot("write {own}"),
            MayNot("unlink {own}"),
            MayNot("link {own} {}/w/own"),
        ],
    },
    Trial {
        name: "law_9_a_link_that_a_program_aims_reaches_nothing_new",
        grant: "[fs]\nread = ['{own}', '{}/in']\nwrite = ['{}/w']\n[exec]\nallow = ['{own}']\n[net]\n",
        made: &["w/f", "in/f", "out/f", "w/l -> {}/out"],
        steps: &[
            May("read {}/in/f"),
            MayNot("read {}/w/l/f"),
            MayNot("list {}/out"),
            May("unlink {}/w/f"),
            May("symlink {}/out/f {}/w/f"),
        ],
    },
    Trial {
        name: "waypoints_are_looked_at_and_not_listed",
        grant: with_own!("write = ['{}/a/b/c']"),
        made: &["a/b/c/f", "a/b/other"],
        steps: &[
            May("read {}/a/b/c/f"),
            May("stat {}/a/b"),
            MayNot("list {}/a/b"),
            MayNot("stat {}/a/b/other"),
            MayNot("read {}/a/b/other"),
        ],
    },
    Trial {
        name: "reads_are_not_written",
        grant: "[fs]\nread = ['{own}', '{}/r']\nwrite = ['{}/w']\n[exec]\nallow = ['{own}']\n[net]\n",
        made: &["r/f", "w/f"],
        steps: &[
            May("read {}/r/f"),
            May("list {}/r"),
            MayNot("write {}/r/f"),
            MayNot("create {}/r/new"),
            MayNot("unlink {}/r/f"),
            MayNot("rename {}/r/f {}/w/mine"),
            MayNot("link {}/r/f {}/w/mine"),
            May("clone {}/r/f {}/w/copy"),
        ],
    },
    Trial {
        name: "writes_are_whole",
        grant: with_own!("write = ['{}/w']"),
        made: &["w/f", "w/d/g"],
        steps: &[
            May("truncate {}/w/f"),
            May("create {}/w/new"),
            May("mkdir {}/w/folder"),
            May("symlink f {}/w/link"),
            May("readlink {}/w/link"),
            May("chmod {}/w/f"),
            May("link {}/w/f {}/w/second"),
            May("rename {}/w/d {}/w/e"),
            May("clone {}/w/e {}/w/copy"),
            May("swap {}/w/e {}/w/folder"),
            May("unlink {}/w/f"),
            MayNot("create {}/beside"),
        ],
    },
    Trial {
        name: "an_absent_exclusion_cannot_be_made_nor_can_what_would_hold_it",
        grant: with_own!("write = ['{}/w']\nexclude = ['{}/w/new/deep/key']"),
        made: &["w/f", "w/d/deep/key"],
        steps: &[
            May("create {}/w/other"),
            MayNot("mkdir {}/w/new"),
            MayNot("symlink d {}/w/new"),
            MayNot("rename {}/w/d {}/w/new"),
        ],
    },
    Trial {
        name: "runs_are_those_that_are_read",
        grant: with_own!("write = ['{}/w']"),
        made: &["w/f"],
        steps: &[
            May("exec /usr/bin/true"),
            MayNot("exec /usr/sbin/sysctl -n hw.ncpu"),
        ],
    },
    Trial {
        name: "what_is_not_read_is_not_run",
        grant: "[fs]\nread = ['{own}']\nexclude = ['/usr/bin/true']\n[exec]\nallow = ['every']\n[net]\n",
        made: &[],
        steps: &[
            May("exec /bin/echo"),
            MayNot("exec /usr/bin/true"),
            MayNot("read /usr/bin/true"),
        ],
    },
    Trial {
        name: "a_vetoed_name_is_read_and_not_run",
        grant: "[fs]\nread = ['{own}']\n[exec]\nallow = ['every']\nveto = ['true']\n[net]\n",
        made: &[],
        steps: &[
            May("exec /bin/echo"),
            May("read /usr/bin/true"),
            MayNot("exec /usr/bin/true"),
        ],
    },
    Trial {
        name: "offline_there_is_no_address",
        grant: with_own!("write = ['{}/w']"),
        made: &["w/f"],
        steps: &[
            May("read {}/w/f"),
            MayNot("tcp 127.0.0.1:9"),
            MayNot("bind {}/w/s"),
        ],
    },
    Trial {
        name: "online_a_socket_is_bound_where_files_are_made",
        grant: "[fs]\nread = ['{own}']\nwrite = ['{}/w']\nprotect = ['{}/w/p']\n[net]\naccess = 'open'\n",
        made: &["w/f", "r/f"],
        steps: &[
            May("bind {}/w/s"),
            MayNot("bind {}/w/p"),
            MayNot("bind {}/r/s"),
            MayNot("connect {}/w/s"),
        ],
    },
    Trial {
        name: "nothing_outside_is_signalled",
        grant: with_own!("write = ['{}/w']"),
        made: &["w/f"],
        steps: &[May("read {}/w/f"), MayNot("signal {process}")],
    },
    Trial {
        name: "a_twin_of_a_root_alias_is_the_same_place",
        grant: with_own!("write = ['{}/w']\nexclude = ['{}/w/k']"),
        made: &["w/f", "w/k"],
        steps: &[
            May("read {}/w/f"),
            MayNot("read /System/Volumes/Data{}/w/k"),
        ],
    },
];
