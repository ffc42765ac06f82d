//! The variables that a grant's names may begin with, as plain data.
//!
//! The list is closed: the environment at large is never consulted, so that a confined program
//! cannot move a grant by a variable its author did not think of. What the values mean in a grant is
//! the grant's affair.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The values of the variables, `None` is unset.
///
/// Plain data: a grant can be expanded for another machine or another user. Values are as the environment
/// gives them: whoever expands them judges them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vars {
    /// `${HOME}`, and `~` at the start of a clause.
    pub home: Option<PathBuf>,
    /// `${CWD}`: the folder the grant is used in.
    pub cwd: Option<PathBuf>,
    /// `${TMPDIR}`.
    pub tmpdir: Option<PathBuf>,
    /// `${XDG_CONFIG_HOME}`.
    pub xdg_config_home: Option<PathBuf>,
    /// `${XDG_DATA_HOME}`.
    pub xdg_data_home: Option<PathBuf>,
    /// `${XDG_CACHE_HOME}`.
    pub xdg_cache_home: Option<PathBuf>,
    /// `${XDG_STATE_HOME}`.
    pub xdg_state_home: Option<PathBuf>,
    /// `${XDG_RUNTIME_DIR}`.
    pub xdg_runtime_dir: Option<PathBuf>,
}

/// A variable's name, and how to read its value.
type Known = (&'static str, fn(&Vars) -> Option<&PathBuf>);

const KNOWN: [Known; 8] = [
    ("HOME", |vars| vars.home.as_ref()),
    ("CWD", |vars| vars.cwd.as_ref()),
    ("TMPDIR", |vars| vars.tmpdir.as_ref()),
    ("XDG_CONFIG_HOME", |vars| vars.xdg_config_home.as_ref()),
    ("XDG_DATA_HOME", |vars| vars.xdg_data_home.as_ref()),
    ("XDG_CACHE_HOME", |vars| vars.xdg_cache_home.as_ref()),
    ("XDG_STATE_HOME", |vars| vars.xdg_state_home.as_ref()),
    ("XDG_RUNTIME_DIR", |vars| vars.xdg_runtime_dir.as_ref()),
];

impl Vars {
    /// The values in this process's environment, and its current folder.
    pub fn ambient() -> Vars {
        Vars::look_up(env::current_dir().ok(), |name| env::var_os(name))
    }

    fn look_up(cwd: Option<PathBuf>, env: impl Fn(&str) -> Option<OsString>) -> Vars {
        let var = |name| env(name).map(PathBuf::from);
        Vars {
            home: var("HOME"),
            cwd,
            tmpdir: var("TMPDIR"),
            xdg_config_home: var("XDG_CONFIG_HOME"),
            xdg_data_home: var("XDG_DATA_HOME"),
            xdg_cache_home: var("XDG_CACHE_HOME"),
            xdg_state_home: var("XDG_STATE_HOME"),
            xdg_runtime_dir: var("XDG_RUNTIME_DIR"),
        }
    }

    /// The names of the variables, without `${` and `}`.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        KNOWN.iter().map(|(name, _)| *name)
    }

    /// The value of one of them; `None` when it is unset or not in the list.
    pub fn get(&self, name: &str) -> Option<&PathBuf> {
        KNOWN
            .iter()
            .find(|(known, _)| *known == name)
            .and_then(|(_, read)| read(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_is_looked_up_under_its_own_name() {
        let env = |name: &str| (name != "CWD").then(|| format!("/env/{name}").into());
        let vars = Vars::look_up(Some("/env/CWD".into()), env);
        for name in Vars::names() {
            assert_eq!(vars.get(name), Some(&format!("/env/{name}").into()));
        }
        assert_eq!(vars.get("PATH"), None);
    }

    #[test]
    fn the_current_folder_is_known() {
        // Tests run in their package's folder.
        let cwd = Vars::ambient().cwd.unwrap();
        assert!(cwd.is_absolute() && cwd.join("src/vars.rs").is_file());
    }
}
