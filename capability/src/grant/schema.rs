//! A JSON Schema of grant files (draft 2020-12), for editors: made of the rows that the parser goes by.
//!
//! It is coarser than the parser, which alone knows whether a variable is set.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Grant;
use super::keys::{GRANT, Naming, Row, Takes};
use crate::Vars;

/// A JSON Schema; serialised, it is the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema(Json);

/// The keys of one table, each with what it takes.
pub(super) type Properties = Vec<(&'static str, Json)>;

/// As much of JSON as a schema is made of. Keys keep their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Json {
    No,
    Text(String),
    List(Vec<Json>),
    Map(Properties),
}

impl Grant {
    /// The schema of grant files.
    pub fn schema() -> Schema {
        let mut all = vec![
            (
                "$schema",
                text("https://json-schema.org/draft/2020-12/schema"),
            ),
            ("title", text("An objcap grant")),
        ];
        all.extend(table(properties(GRANT)));
        Schema(Json::Map(all))
    }
}

/// What a schema says of the keys in these rows.
pub(super) fn properties<T>(rows: &[Row<T>]) -> Properties {
    let property = |row: &Row<T>| {
        let mut all = vec![("description", text(row.about))];
        all.extend(match &row.takes {
            Takes::Table(keys) => table(keys()),
            Takes::Names(naming) => list(name(naming)),
            Takes::Words => vec![
                ("type", text("object")),
                ("propertyNames", Json::Map(name(&Naming::Program))),
                ("additionalProperties", Json::Map(list(Vec::new()))),
            ],
            Takes::Choice(words) => {
                let words = words().into_iter().map(text).collect();
                vec![("enum", Json::List(words))]
            }
        });
        (row.key, Json::Map(all))
    };
    rows.iter().map(property).collect()
}

fn table(keys: Properties) -> Properties {
    vec![
        ("type", text("object")),
        ("properties", Json::Map(keys)),
        ("additionalProperties", Json::No),
    ]
}

fn list(mut of: Properties) -> Properties {
    of.insert(0, ("type", text("string")));
    vec![("type", text("array")), ("items", Json::Map(of))]
}

/// What a name has to look like: it begins at the root, with `~` or with a variable, or is bare.
fn name(naming: &Naming) -> Properties {
    let variables: Vec<_> = Vars::names().collect();
    let place = format!(r"(/|~(/|$)|\$\{{({})\}}(/|$))", variables.join("|"));
    let bare = r"[^/~][^/]*$";
    let pattern = match naming {
        Naming::Place => format!("^{place}"),
        Naming::Program => format!("^({place}|{bare})"),
        Naming::Bare => format!("^{bare}"),
    };
    vec![("pattern", Json::Text(pattern))]
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::No => serializer.serialize_bool(false),
            Json::Text(text) => serializer.serialize_str(text),
            Json::List(items) => serializer.collect_seq(items),
            Json::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}
