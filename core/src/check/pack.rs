//! Packs: rules as data, read strictly.

use super::expression::Expression;
use super::fields::kind_named;
use super::path::RuleTarget;
use super::reading::Reading;
use super::values::{list, members, refused, text};
use crate::error::Error;
use crate::field::EventTypes;
use crate::json::{Document, Kind, Value};
use serde::Serialize;

/// How grave a finding is.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The data cannot be right.
    Error,
    /// The data can hardly be right.
    Warning,
    /// The data can be right, and is worth a look.
    Hint,
}

impl Severity {
    const ALL: [(&'static str, Self); 3] = [
        ("error", Self::Error),
        ("warning", Self::Warning),
        ("hint", Self::Hint),
    ];
}

/// Where a rule comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSource {
    /// The document, with its version.
    pub document: String,
    /// The clause of the document, if one is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

/// A pack of rules.
///
/// # Example
/// ```
/// use epcis_edge_core::check::Pack;
/// let pack = Pack::read(br#"{"version": 1, "name": "mine", "rules": [{
///     "id": "no-place", "severity": "warning", "message": "an event without a place",
///     "source": {"document": "our own rules"},
///     "when": {"value": "readPoint", "exists": false}
/// }]}"#)?;
/// assert_eq!(pack.name(), "mine");
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Pack {
    name: String,
    pub(super) rules: Vec<Rule>,
    /// Whether it comes with this crate. Its cost is then known and not counted.
    pub(super) is_built_in: bool,
}

/// A rule: which values it judges, its condition, and the message if the condition holds.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) severity: Severity,
    pub(super) message: String,
    pub(super) source: RuleSource,
    /// The event types it applies to, as bits; 0 if it applies to all.
    pub(super) on: EventTypes,
    /// The values it judges; empty if it judges the event as a whole.
    pub(super) at: Vec<RuleTarget>,
    pub(super) when: Expression,
}

/// The version of the language.
const VERSION: &str = "1";

/// How many rules a pack may have.
const MAX_RULES: usize = 200;

impl Pack {
    /// The packs that come with this crate.
    pub const NAMES: [&'static str; 3] = ["identifiers", "consistency", "cbv"];

    /// Reads a pack.
    ///
    /// **Shape**: JSON as `docs/checks/language.md` and `schemas/check-pack.schema.json` say.
    ///
    /// **Limits**: 200 rules, 32 conditions a rule, 8 levels of them, 4,096 texts.
    ///
    /// # Errors
    /// [`ErrorKind::Json`](crate::error::ErrorKind::Json); [`ErrorKind::Pack`](crate::error::ErrorKind::Pack) with the place of
    /// anything that the language does not have: another version, an unknown member, field or word, a value of the wrong type.
    pub fn read(text: &[u8]) -> Result<Self, Error> {
        let document = Document::read(text)?;
        Self::of(document.root())
    }

    /// Reads a pack from a value of a document that was read.
    pub(crate) fn of(value: Value<'_>) -> Result<Self, Error> {
        if value.kind() != Kind::Object {
            return Err(refused(
                value,
                "a pack: an object with `version`, `name` and `rules`",
            ));
        }
        // The version comes first: of another version, no other member is known.
        match value.get("version") {
            Some(version) if version.as_number() == Some(VERSION) => {}
            Some(version) => return Err(refused(version, "the version 1")),
            None => return Err(refused(value, "the member `version`, which is 1")),
        }
        let [_, _, name, about, sets, rules] = members(
            value,
            ["$schema", "version", "name", "about", "sets", "rules"],
            &["version", "name", "rules"],
        )?;
        if let Some(about) = about {
            text(about, 1000)?;
        }
        let mut reading = Reading::new(sets)?;
        let name = name.map_or(Ok(String::new()), identifier)?;
        let mut pack = Self {
            name,
            rules: Vec::new(),
            is_built_in: false,
        };
        let Some(rules) = rules else { return Ok(pack) };
        for rule in list(rules, MAX_RULES)? {
            let read = pack.rule(rule, &mut reading)?;
            pack.rules.push(read);
        }
        Ok(pack)
    }

    /// The name of the pack.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Keeps only the rules of this severity.
    pub(super) fn keep(&mut self, severity: Severity) {
        self.rules.retain(|rule| rule.severity == severity);
    }

    fn rule(&self, value: Value<'_>, reading: &mut Reading) -> Result<Rule, Error> {
        let [id, severity, message, source, note, on, at, when] = members(
            value,
            [
                "id", "severity", "message", "source", "note", "on", "at", "when",
            ],
            &["id", "severity", "message", "source", "when"],
        )?;
        let missing = || refused(value, "a rule");
        let at_id = id.ok_or_else(missing)?;
        let id = identifier(at_id)?;
        if self.rules.iter().any(|rule| rule.id == id) {
            return Err(refused(at_id, "a name that no rule before has"));
        }
        if let Some(note) = note {
            text(note, 2000)?;
        }
        let at = match at {
            None => Vec::new(),
            Some(at) => reading.places(at)?,
        };
        let on = match on {
            None => 0,
            Some(on) => types(on)?,
        };
        let when = reading.condition(when.ok_or_else(missing)?, &at)?;
        Ok(Rule {
            id,
            severity: severity_of(severity.ok_or_else(missing)?)?,
            message: text(message.ok_or_else(missing)?, 400)?,
            source: source_of(source.ok_or_else(missing)?)?,
            on,
            // A rule without `at` is evaluated once per event anyway.
            when: if at.is_empty() {
                when
            } else {
                when.with_once()
            },
            at,
        })
    }
}

fn severity_of(value: Value<'_>) -> Result<Severity, Error> {
    let known = value.as_text().and_then(|found| {
        let mut all = Severity::ALL.into_iter();
        all.find(|(name, _)| found == *name)
    });
    known
        .map(|(_, severity)| severity)
        .ok_or_else(|| refused(value, "`error`, `warning` or `hint`"))
}

fn source_of(value: Value<'_>) -> Result<RuleSource, Error> {
    let [document, clause] = members(value, ["document", "clause"], &["document"])?;
    Ok(RuleSource {
        document: document.map_or(Ok(String::new()), |value| text(value, 200))?,
        clause: clause.map(|value| text(value, 100)).transpose()?,
    })
}

fn types(value: Value<'_>) -> Result<EventTypes, Error> {
    let mut types = 0;
    for kind in list(value, 5)? {
        let found = kind.as_str().as_deref().and_then(kind_named);
        types |= found.ok_or_else(|| {
            refused(
                kind,
                "an event type: ObjectEvent, AggregationEvent, TransactionEvent, TransformationEvent, AssociationEvent",
            )
        })?;
    }
    Ok(types)
}

/// A name of lower-case letters, digits and hyphens.
pub(super) fn identifier(value: Value<'_>) -> Result<String, Error> {
    let name = value.as_str().unwrap_or_default();
    let is_name = name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    if is_name {
        Ok(name.into_owned())
    } else {
        let expected = "a name: small letters, digits and hyphens, a letter first, at most 64";
        Err(refused(value, expected))
    }
}
