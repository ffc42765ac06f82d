//! The expansion of the variable that a clause may start with.

use std::ffi::OsString;
use std::path::PathBuf;

use objcap_object::Vars;

use crate::error::{ErrorKind, Fault, listed, quoted};

/// The text with its leading `~` or variable replaced.
///
/// Such a part must be the whole of the text before a slash. `~user` would need the user database, and
/// `${TMPDIR}x` would mean a child or a sibling depending on whether the value ends with a slash.
pub(crate) fn expand(vars: &Vars, text: &str) -> Result<OsString, Fault> {
    let rest = match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            refuse_variables(rest)?;
            return Ok(joined(value(vars, "HOME")?, rest));
        }
        Some(_) => {
            let user = quoted(text.split('/').next().unwrap_or(text));
            let message = format!(
                "{user} is another user's home, which is not looked up: write its path in full"
            );
            return Err(Fault::new(ErrorKind::UserHome, message));
        }
        None => text,
    };
    let Some(rest) = rest.strip_prefix("${") else {
        refuse_variables(rest)?;
        return Ok(rest.into());
    };
    let (name, rest) = split_name(rest)?;
    let value = value(vars, name)?;
    refuse_variables(rest)?;
    if !rest.is_empty() && !rest.starts_with('/') {
        let variable = quoted(&format!("${{{name}}}"));
        let message = format!("{variable} must be followed by `/` or end the clause");
        return Err(Fault::new(ErrorKind::MisplacedVariable, message));
    }
    Ok(joined(value, rest))
}

fn value<'v>(vars: &'v Vars, name: &str) -> Result<&'v PathBuf, Fault> {
    let variable = quoted(&format!("${{{name}}}"));
    if !is_known(name) {
        return Err(unknown(name));
    }
    let fault = |kind, what: &str| Err(Fault::new(kind, format!("{variable} {what}")));
    let Some(value) = vars.get(name) else {
        return fault(ErrorKind::UnsetVariable, "is unset");
    };
    let bytes = value.as_os_str().as_encoded_bytes();
    let shown = quoted(&value.to_string_lossy());
    match bytes.first() {
        None => fault(ErrorKind::UnsetVariable, "is set, but empty"),
        Some(_) if bytes.contains(&0) => fault(
            ErrorKind::NulInClause,
            &format!("is {shown}, which contains a NUL"),
        ),
        Some(b'/') => Ok(value),
        Some(_) => fault(
            ErrorKind::RelativeVariable,
            &format!("is {shown}, which is not absolute"),
        ),
    }
}

fn is_known(name: &str) -> bool {
    Vars::names().any(|known| known == name)
}

/// The name of the variable in the list that the text would start with, had it braces: `$HOME/x`.
pub(crate) fn lacking_braces(text: &str) -> Option<&'static str> {
    let start = text.strip_prefix('$')?.split('/').next()?;
    Vars::names().find(|name| *name == start)
}

fn joined(value: &PathBuf, rest: &str) -> OsString {
    let mut path = OsString::from(value);
    path.push(rest);
    path
}

/// What follows `${`, parted at the brace that closes it.
fn split_name(text: &str) -> Result<(&str, &str), Fault> {
    text.split_once('}').ok_or_else(|| {
        let message = format!("{} lacks its `}}`", quoted(&format!("${{{text}")));
        Fault::new(ErrorKind::UnclosedVariable, message)
    })
}

/// Refuses any `${` in the text: a value is absolute, so it has no meaning after other text.
fn refuse_variables(text: &str) -> Result<(), Fault> {
    let Some((_, rest)) = text.split_once("${") else {
        return Ok(());
    };
    let (name, _) = split_name(rest)?;
    if !is_known(name) {
        return Err(unknown(name));
    }
    let message = format!(
        "{} may stand only at the start of a clause",
        quoted(&format!("${{{name}}}"))
    );
    Err(Fault::new(ErrorKind::MisplacedVariable, message))
}

fn unknown(name: &str) -> Fault {
    let known: Vec<String> = Vars::names().map(|name| format!("${{{name}}}")).collect();
    let message = format!(
        "unknown variable {}; known are {}",
        quoted(&format!("${{{name}}}")),
        listed(known.iter().map(String::as_str)),
    );
    Fault::new(ErrorKind::UnknownVariable, message)
}
