//! The `jsonschema` crate as the second opinion on every verdict.

use epcis_edge_core::json::Document;
use epcis_edge_core::validate::{Validator, Verdict};
use serde_json::Value;
use std::collections::BTreeSet;

/// Errors by path and keyword.
pub type Pairs = BTreeSet<(String, String)>;

/// The official schema, as somebody else's validator reads it.
#[derive(Debug)]
pub struct Referee(epcis_edge_schema::referee::Referee);

impl Default for Referee {
    fn default() -> Self {
        Self::new()
    }
}

impl Referee {
    /// Compiles the official schema.
    ///
    /// # Panics
    /// When it does not compile.
    #[must_use]
    pub fn new() -> Self {
        Self(epcis_edge_schema::referee::Referee::compile().unwrap())
    }

    /// What it does not accept.
    #[must_use]
    pub fn pairs(&self, document: &Value) -> Pairs {
        let mut pairs = Pairs::new();
        self.0.failures(document, |failure| {
            pairs.insert((failure.path, failure.keyword));
        });
        pairs
    }

    /// Judges a text by both: whether it is valid, or nothing where it is no document.
    ///
    /// # Panics
    /// When they differ, the rule of one cause aside; when the text alone is judged otherwise than the document read from it.
    #[must_use]
    pub fn agree(&self, text: &[u8]) -> Option<bool> {
        let ours = Document::read(text).map(|document| Validator::default().validate(&document));
        let judged = Validator::default().judge(text);
        assert_eq!(ours, judged, "{}", String::from_utf8_lossy(text));
        let ours = ours.ok()?;
        let value = serde_json::from_slice(text).ok()?;
        let theirs = self.pairs(&value);
        let text = || String::from_utf8_lossy(text).into_owned();
        assert_eq!(ours.valid, theirs.is_empty(), "{}", text());
        assert_eq!(pairs(&ours), one_cause(&value, &theirs), "{}", text());
        Some(ours.valid)
    }
}

/// What a verdict says.
///
/// # Panics
/// When a pair of path and keyword stands there twice.
#[must_use]
pub fn pairs(verdict: &Verdict) -> Pairs {
    let pair = |error: &epcis_edge_core::validate::SchemaError| {
        (error.path.clone(), error.keyword.clone())
    };
    let pairs: Pairs = verdict.errors.iter().map(pair).collect();
    let errors = &verdict.errors;
    assert_eq!(
        pairs.len(),
        errors.len(),
        "one entry per path and keyword: {errors:?}"
    );
    pairs
}

/// The one-cause rule, stated on its own: below a document or event without `type` only `required` is left.
#[must_use]
pub fn one_cause(document: &Value, pairs: &Pairs) -> Pairs {
    let typeless = |path: &str| {
        document
            .pointer(path)
            .is_some_and(|at| at.is_object() && at.get("type").is_none())
    };
    let mut result = Pairs::new();
    for (path, keyword) in pairs {
        let event = [
            "/epcisBody/eventList/",
            "/epcisBody/queryResults/resultsBody/eventList/",
        ]
        .iter()
        .find_map(|list| {
            let index = path.strip_prefix(list)?.split('/').next()?;
            Some(format!("{list}{index}"))
        });
        let owner = if typeless("") {
            Some(String::new())
        } else {
            event.filter(|event| typeless(event))
        };
        result.insert(owner.map_or_else(
            || (path.clone(), keyword.clone()),
            |owner| (owner, "required".to_owned()),
        ));
    }
    result
}
