//! The `jsonschema` crate as a second opinion on every verdict.

use epcis_edge_core::json::Document;
use epcis_edge_core::validate::{Validator, Verdict};
use serde_json::Value;
use std::collections::BTreeSet;

/// Schema errors as pairs of path and keyword.
pub type Pairs = BTreeSet<(String, String)>;

/// The official schema, compiled by an independent validator.
#[derive(Debug)]
pub struct Referee(epcis_edge_referee::Referee);

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
        Self(epcis_edge_referee::Referee::compile().unwrap())
    }

    /// The errors that the independent validator reports.
    #[must_use]
    pub fn pairs(&self, document: &Value) -> Pairs {
        let mut pairs = Pairs::new();
        self.0.failures(document, &mut |failure| {
            pairs.insert((failure.path, failure.keyword));
        });
        pairs
    }

    /// Validates a text with both validators. Returns whether it is valid, or `None` if it is not JSON.
    ///
    /// # Panics
    /// When the two disagree after [`one_cause`] is applied, or when `judge` on the text and `validate` on the parsed document
    /// disagree.
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

/// The errors of a verdict as pairs.
///
/// # Panics
/// When a pair occurs twice.
#[must_use]
pub fn pairs(verdict: &Verdict) -> Pairs {
    let pair = |error: &epcis_edge_core::validate::SchemaError| {
        (error.path.clone(), error.keyword.clone())
    };
    let pairs: Pairs = verdict.errors.iter().map(pair).collect();
    let errors = &verdict.errors;
    assert_eq!(pairs.len(), errors.len(), "one entry per path and keyword: {errors:?}");
    pairs
}

/// The one-cause rule, implemented independently: of the errors in a document or event without `type`, only `required` remains.
#[must_use]
pub fn one_cause(document: &Value, pairs: &Pairs) -> Pairs {
    let typeless = |path: &str| {
        document.pointer(path).is_some_and(|at| at.is_object() && at.get("type").is_none())
    };
    let mut result = Pairs::new();
    for (path, keyword) in pairs {
        let event = ["/epcisBody/eventList/", "/epcisBody/queryResults/resultsBody/eventList/"]
            .iter()
            .find_map(|list| {
                let index = path.strip_prefix(list)?.split('/').next()?;
                Some(format!("{list}{index}"))
            });
        let owner =
            if typeless("") { Some(String::new()) } else { event.filter(|event| typeless(event)) };
        result.insert(owner.map_or_else(
            || (path.clone(), keyword.clone()),
            |owner| (owner, "required".to_owned()),
        ));
    }
    result
}
