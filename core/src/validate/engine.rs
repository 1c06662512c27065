//! The engines that judge: our own validator, and the referee.

use super::{Validator, Verdict};
use crate::error::{Error, ErrorKind};
use crate::json::Document;
use std::str::FromStr;

/// The longest document that the referee judges, in bytes: 64 KiB. For hostile lists it takes five hundred times their length in
/// memory.
pub const MAX_REFEREE_LENGTH: usize = 64 << 10;

/// An engine that knows the official schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The validator that is compiled from the schema when this crate is built.
    #[default]
    Compiled,
    /// The `jsonschema` crate, for a second opinion; in builds with the feature `referee`.
    JsonSchema,
}

impl Engine {
    /// Its name, as [`SchemaPin::engine`](crate::validate::SchemaPin) has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compiled => "compiled",
            Self::JsonSchema => "jsonschema",
        }
    }

    /// The longest document that it judges, in bytes; `None` if it has no limit of its own.
    #[must_use]
    pub const fn max_length(self) -> Option<usize> {
        match self {
            Self::Compiled => None,
            Self::JsonSchema => Some(MAX_REFEREE_LENGTH),
        }
    }

    /// Judges the text of a document.
    ///
    /// **Shape**: as [`Validator::validate`]. The errors of the referee are its own: its sentences, in the order of the schema,
    /// one for each path and keyword; where `type` is missing, the errors of every branch.
    ///
    /// # Errors
    /// As [`Document::read`]; [`ErrorKind::QueryParameter`] if this build lacks the engine; [`ErrorKind::TooLongForEngine`] beyond
    /// [`max_length`](Self::max_length).
    pub fn judge(self, text: &[u8]) -> Result<Verdict, Error> {
        match self {
            Self::Compiled => Validator::default().judge(text),
            Self::JsonSchema => by_referee(&Document::read(text)?),
        }
    }
}

impl FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let engines = [
            Self::Compiled,
            #[cfg(feature = "referee")]
            Self::JsonSchema,
        ];
        let engine = engines.into_iter().find(|engine| engine.name() == name);
        engine.ok_or_else(|| no_engine(name))
    }
}

fn no_engine(name: &str) -> Error {
    Error::new(ErrorKind::QueryParameter {
        name: "engine",
        found: name.to_owned(),
        expected: if cfg!(feature = "referee") {
            "`compiled` or `jsonschema`"
        } else {
            "`compiled`: this build has no other"
        },
    })
}

#[cfg(feature = "referee")]
fn by_referee(document: &Document<'_>) -> Result<Verdict, Error> {
    use super::errors::Errors;
    use super::{MAX_ERRORS, SCHEMA_PIN, SchemaError, SchemaPin};
    use epcis_edge_schema::referee::Referee;
    use std::collections::BTreeSet;

    /// The most characters kept of a sentence of the referee, which may name every property of a document.
    const MAX_SENTENCE: usize = 400;

    if document.text().len() > MAX_REFEREE_LENGTH {
        return Err(Error::new(ErrorKind::TooLongForEngine {
            engine: Engine::JsonSchema.name(),
            limit: MAX_REFEREE_LENGTH,
        }));
    }
    let referee =
        Referee::compile().map_err(|detail| Error::new(ErrorKind::Internal { detail }))?;
    let mut errors = Errors::default();
    let mut known = BTreeSet::new();
    referee.failures(&document.root().to_serde(), |failure| {
        if !known.insert((failure.path.clone(), failure.keyword.clone())) {
            return;
        }
        if errors.total() >= MAX_ERRORS {
            errors.count(1);
            return;
        }
        let mut message: String = failure.sentence.chars().take(MAX_SENTENCE).collect();
        if message.len() < failure.sentence.len() {
            message.push('…');
        }
        let value = document.root().pointer(&failure.path);
        let offset = value.map(crate::json::Value::offset);
        let error = SchemaError {
            path: failure.path,
            keyword: failure.keyword,
            message,
            line: None,
            column: None,
        };
        errors.add(error, offset);
    });
    errors.place(document.text(), |place| place);
    let verdict = Verdict::from(errors);
    Ok(Verdict {
        schema: SchemaPin {
            engine: Engine::JsonSchema.name(),
            ..SCHEMA_PIN
        },
        ..verdict
    })
}

#[cfg(not(feature = "referee"))]
fn by_referee(_document: &Document<'_>) -> Result<Verdict, Error> {
    Err(no_engine(Engine::JsonSchema.name()))
}
