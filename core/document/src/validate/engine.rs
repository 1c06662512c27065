//! Another engine that judges, for a second opinion.

use super::errors::Errors;
use super::{MAX_ERRORS, SCHEMA_PIN, SchemaError, SchemaPin, Verdict};
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::{Document, Value};
use std::collections::BTreeSet;

/// The most characters kept of a sentence of another engine, which may name every property of a document.
const MAX_SENTENCE: usize = 400;

/// An engine that is no part of this crate. `epcis-edge-referee` has one.
#[derive(Clone, Copy, Debug)]
pub struct SecondEngine {
    /// Its name, as [`SchemaPin::engine`] has it.
    pub name: &'static str,
    /// The longest document that it judges, in bytes.
    pub max_length: usize,
    /// Reports the rules that a document breaks, in the engine's order. Fails with a message if the engine itself is at fault.
    pub failures: Failures,
}

/// How an engine judges a document: it tells each failure. See [`SecondEngine::failures`].
pub type Failures = fn(&serde_json::Value, tell: &mut dyn FnMut(Failure)) -> Result<(), String>;

/// One rule that a document breaks, as another engine says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// JSON Pointer of the value at fault.
    pub path: String,
    /// The outermost keyword that failed there.
    pub keyword: String,
    /// The engine's own message.
    pub sentence: String,
}

impl SecondEngine {
    /// Judges the text of a document.
    ///
    /// **Shape**: as [`Validator::judge`](super::Validator::judge). The errors are the engine's own: its sentences, in its order, one
    /// for each path and keyword; where `type` is missing, the errors of every branch.
    ///
    /// # Errors
    /// As [`Document::read`]; [`ErrorKind::TooLongForEngine`] beyond [`max_length`](Self::max_length).
    pub fn judge(&self, text: &[u8]) -> Result<Verdict, Error> {
        let document = Document::read(text)?;
        if document.text().len() > self.max_length {
            return Err(Error::new(ErrorKind::TooLongForEngine {
                engine: self.name,
                limit: self.max_length,
            }));
        }
        let mut errors = Errors::default();
        let mut known = BTreeSet::new();
        let told = (self.failures)(&document.root().to_serde(), &mut |failure| {
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
            let offset = value.map(Value::offset);
            let error = SchemaError {
                path: failure.path,
                keyword: failure.keyword,
                message,
                line: None,
                column: None,
            };
            errors.add(error, offset);
        });
        told.map_err(Error::impossible)?;
        errors.place(document.text(), |place| place);
        let verdict = Verdict::from(errors);
        Ok(Verdict { schema: SchemaPin { engine: self.name, ..SCHEMA_PIN }, ..verdict })
    }
}
