//! The text of a sandbox profile, as the verbs about profiles are given it.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use objcap::sbpl::diagnostic::Severity;
use objcap::sbpl::span::Origin;
use objcap::sbpl::{Parsed, Parser};

use crate::json::Text;
use crate::output::{Failure, Output};

/// A profile, and what it may ask for.
#[derive(Debug, clap::Args)]
pub(crate) struct Given {
    /// The profile; `-` is stdin.
    #[arg(value_name = "PROFILE.sb")]
    pub(crate) profile: PathBuf,

    #[command(flatten)]
    pub(crate) means: Means,
}

/// What a profile may ask for.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Means {
    /// Defines what `(param "KEY")` stands for.
    #[arg(short = 'D', value_name = "KEY=VALUE", value_parser = definition)]
    define: Vec<(String, OsString)>,

    /// The folder that `(import "NAME")` finds its profiles in. Without one, a profile that
    /// imports is not judged.
    #[arg(long, value_name = "DIR")]
    import_dir: Option<PathBuf>,
}

fn definition(text: &str) -> Result<(String, OsString), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.into())),
        _ => Err("it takes the form KEY=VALUE".to_owned()),
    }
}

impl Given {
    /// What the profile is called in messages.
    pub(crate) fn name(&self) -> String {
        match self.profile.as_os_str().as_encoded_bytes() {
            b"-" => "stdin".to_owned(),
            name => Text(name).to_string(),
        }
    }

    /// Reads and evaluates the profile, and tells what is remarkable about it.
    pub(crate) fn read(&self, output: &mut Output) -> Result<Parsed, Failure> {
        let text = read(&self.profile)?;
        let parser = self
            .means
            .define
            .iter()
            .fold(Parser::new(), |parser, (key, value)| {
                parser.parameter(key.as_str(), value.as_encoded_bytes())
            });
        let parsed = match self.means.import_dir.clone() {
            Some(folder) => parser
                .loader(move |name| import(&folder, name))
                .parse(&text),
            None => parser.parse(&text),
        };
        for diagnostic in parsed.diagnostics() {
            let shown = parsed.render(diagnostic, &self.name());
            output.note(shown.trim_end());
        }
        if parsed.worst() == Some(Severity::Error) {
            return Err(Failure::new(format_args!(
                "`{}` does not compile",
                self.name()
            )));
        }
        Ok(parsed)
    }

    /// The file, line and column of a place.
    pub(crate) fn place(&self, parsed: &Parsed, origin: Origin) -> Option<Place> {
        let text = parsed.texts().nth(origin.text)?;
        let position = text.source().position(origin.span.start);
        let file = match text.name() {
            b"" => self.name(),
            imported => String::from_utf8_lossy(imported).into_owned(),
        };
        Some(Place {
            file,
            line: position.line,
            column: position.column,
        })
    }
}

/// A place that people can go to.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The bytes of a file, or of stdin.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = if path.as_os_str() == "-" {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        std::fs::read(path)
    };
    read.map_err(|error| {
        Failure::new(format_args!(
            "cannot read `{}`: {error}",
            Text(path.as_os_str().as_encoded_bytes())
        ))
    })
}

/// A profile in that folder, and nowhere else.
fn import(folder: &Path, name: &[u8]) -> io::Result<Vec<u8>> {
    let outside = || io::Error::other("it names no profile of the folder for imports");
    let name = std::str::from_utf8(name).map_err(|_| outside())?;
    let is_within = |component| matches!(component, Component::Normal(_));
    if name.is_empty() || !Path::new(name).components().all(is_within) {
        return Err(outside());
    }
    std::fs::read(folder.join(name))
}
