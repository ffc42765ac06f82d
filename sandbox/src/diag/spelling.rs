//! A path as a grant's file would write it.

use objcap_capability::{Access, Stack, spellings};
use objcap_object::{Host, RealPath, World};
use sbpl::Text;

use super::Cause;

/// The variables that a spelling may begin with. A shorter text is preferred, and, of those alike, the first.
const VARIABLES: [(&str, &str); 3] = [("HOME", "~"), ("TMPDIR", "${TMPDIR}"), ("CWD", "${CWD}")];

/// The shortest way to write a path: in full, or from a variable whose folder it lies in.
pub(super) fn surface<W: World>(
    real: &RealPath,
    stack: &Stack<W>,
    host: &Host<W>,
) -> Result<String, Cause> {
    let names = spellings(real, host);
    // A profile writes each of them.
    if names
        .iter()
        .any(|name| Text::path(name.as_bytes()).is_err())
    {
        return Err(Cause::Unwritable);
    }
    let full = std::str::from_utf8(real.as_bytes()).map_err(|_| Cause::Unwritable)?;
    // What the log puts for what it cannot print stands for some other name.
    if full.contains(char::REPLACEMENT_CHARACTER) {
        return Err(Cause::Unwritable);
    }
    // Where the program may replace an alias, no clause may pass it.
    let passes =
        |alias: &RealPath| stack.restricts_files() && stack.allows(alias, Access::WRITE, host);
    let fixed = !host.aliases.iter().any(|alias| passes(&alias.name));
    let usable = names.iter().filter(|name| fixed || *name == real);
    let mut shortest: Option<String> = None;
    for name in usable {
        for (variable, word) in VARIABLES {
            let folder = host.vars.get(variable);
            let folder = folder.and_then(|folder| folder_of(folder.as_os_str().as_encoded_bytes()));
            let Some(rest) = folder.and_then(|folder| below(name, &folder)) else {
                continue;
            };
            let spelled = format!("{word}{rest}");
            if shortest
                .as_ref()
                .is_none_or(|known| spelled.len() < known.len())
            {
                shortest = Some(spelled);
            }
        }
    }
    let surface = match shortest {
        Some(short) if short.len() < full.len() => short,
        _ => full.to_owned(),
    };
    // A grant's names may hold a variable at their beginning alone, and there is no other way to write it.
    let after = surface.strip_prefix("${").unwrap_or(&surface);
    match after.contains("${") {
        true => Err(Cause::Unwritable),
        false => Ok(surface),
    }
}

/// A variable's value as a folder; the root has no shorter name.
fn folder_of(value: &[u8]) -> Option<RealPath> {
    let value = value.strip_suffix(b"/").unwrap_or(value);
    RealPath::new(value).filter(|folder| folder.depth() > 0)
}

/// The rest of a path behind a folder, with its slash, as text.
fn below<'p>(path: &'p RealPath, folder: &RealPath) -> Option<&'p str> {
    path.below(folder)?;
    let rest = path.as_bytes().get(folder.as_bytes().len()..)?;
    std::str::from_utf8(rest).ok()
}
