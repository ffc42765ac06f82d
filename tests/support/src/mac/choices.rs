//! What the evidence leaves open about what a call asks, and how a name is shown: each a choice
//! between two or three ways, to be run all. The first way of each is what docs/seatbelt.md, section 3, says; a
//! row that it marks as measured has no choice.

macro_rules! choices {
    ($(
        $(#[$about:meta])*
        $field:ident: $Choice:ident { $($(#[$doc:meta])* $Way:ident,)+ }
    )*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub enum $Choice {
                #[default]
                $($(#[$doc])* $Way,)+
            }

            impl $Choice {
                /// All ways, that of docs/seatbelt.md first.
                pub const ALL: &'static [Self] = &[$(Self::$Way,)+];
            }
        )*

        /// How the kernel is taken to behave where the evidence leaves it open. The default is
        /// what docs/seatbelt.md says.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct Choices {
            $($(#[$about])* pub $field: $Choice,)*
        }

        impl Choices {
            /// How many there are.
            pub const COUNT: usize = 1 $(* $Choice::ALL.len())*;

            /// The one with this number, below [`Choices::COUNT`] and counted on from there again; the
            /// default is the first.
            pub fn nth(number: usize) -> Self {
                let mut left = number;
                let mut choices = Choices::default();
                $(
                    choices.$field = $Choice::ALL[left % $Choice::ALL.len()];
                    left /= $Choice::ALL.len();
                )*
                let _ = left;
                choices
            }

            /// The default, and each that differs from it in one choice.
            pub fn flips() -> Vec<Self> {
                let mut flips = vec![Choices::default()];
                $(
                    for &way in &$Choice::ALL[1..] {
                        flips.push(Choices { $field: way, ..Choices::default() });
                    }
                )*
                flips
            }
        }
    };
}

choices! {
    /// Under which spelling an object's name is shown to a filter: section 4. An absent name is shown
    /// as it was typed, under its folder's real path, either way.
    presentation: Presentation {
        /// Under its resolved path `[M]`.
        Real,
        /// Under the twin of its resolved path, where it has one: the spelling that a process used
        /// through a root alias `[S]`.
        Twin,
    }
    /// Passing an ordinary folder in a lookup, and chdir.
    passing: Passing {
        /// Asks nothing: 14.4 `[M]`.
        Nothing,
        /// Asks `file-read-metadata` on the folder `[S]`.
        Metadata,
    }
    /// access(2) for reading, writing or running.
    access: AccessAsks {
        /// What the deed itself asks: `file-read-data`, `file-write-data`, `process-exec*` `[R]`.
        Deed,
        /// `file-read-metadata`, as stat does.
        Metadata,
    }
    /// access(2) with F_OK.
    existence: ExistenceAsks {
        /// `file-test-existence` `[I]`.
        TestExistence,
        /// `file-read-metadata`.
        Metadata,
        /// Nothing but what its lookup asks.
        Nothing,
    }
    /// rename(2), beside `file-write-unlink` on the old name, which is `[C]`.
    rename: RenameAsks {
        /// `file-write-unlink` on a target that is replaced, `file-write-create` on the new name `[R]`.
        ReplaceAndCreate,
        /// `file-write-create` on the new name alone.
        Create,
        /// Nothing more.
        Nothing,
    }
    /// renamex_np(2) with RENAME_SWAP, on both names.
    swap: SwapAsks {
        /// `file-write-unlink` and `file-write-create` `[R]`.
        UnlinkAndCreate,
        /// `file-write-unlink` alone.
        Unlink,
    }
    /// link(2).
    link: LinkAsks {
        /// `file-link` on the source, `file-write-create` on the new name `[R]`.
        LinkAndCreate,
        /// `file-write-data` on the source as well `[C]`, of one project.
        WriteToo,
        /// `file-write-create` on the new name alone.
        Create,
    }
    /// clonefile(2) of a file: it asks about the source and for the new name, where it asks
    /// `file-write-create` in any case.
    clone: CloneAsks {
        /// `file-clone` and `file-read-data` on the source `[R]`.
        CloneAndRead,
        /// `file-read-data` on the source.
        Read,
        /// `file-clone` on the source.
        Clone,
    }
    /// clonefile(2) of a folder. Whatever it asks, it asks once, and nothing of what lies below `[R]`.
    folder_clone: FolderCloneAsks {
        /// As of a file.
        AsFile,
        /// `file-clone` on the folder, and no read.
        Clone,
    }
    /// exchangedata(2), on both files.
    exchange: ExchangeAsks {
        /// `file-read-data` and `file-write-data` `[R]`.
        ReadAndWrite,
        /// `file-write-data` alone.
        Write,
    }
    /// chown(2), chflags(2), utimes(2), acl_set_file(3).
    attributes: AttributeAsks {
        /// `file-write-owner`, `-flags`, `-times`, `-acl` `[R]`.
        Own,
        /// `file-write-mode`, as chmod does.
        Mode,
    }
    /// The interpreter of a `#!` script. The script itself asks `process-exec*`.
    interpreter: InterpreterAsks {
        /// `process-exec*` on it `[S]`.
        Exec,
        /// `process-exec-interpreter` on it.
        Interpreter,
    }
    /// mmap(2) with PROT_EXEC.
    map: MapAsks {
        /// `file-map-executable` `[R]`.
        MapExecutable,
        /// Nothing: the descriptor was asked for when it was opened.
        Nothing,
    }
    /// bind(2) of an AF_UNIX socket.
    bind: BindAsks {
        /// `file-write-create` and `network-bind` on the new name `[R]`.
        CreateAndBind,
        /// `network-bind` alone.
        Bind,
        /// `file-write-create` alone.
        Create,
    }
    /// ioctl(2) with TIOCSTI.
    type_ahead: TypeAheadAsks {
        /// `hid-control` `[S]`.
        HidControl,
        /// `hid-control`, then `file-ioctl` with the command.
        Both,
        /// `file-ioctl` with the command, as if the gate had moved.
        Ioctl,
    }
}
