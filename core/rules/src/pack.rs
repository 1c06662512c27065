//! Packs: rules as data, read strictly.

use super::expression::Expression;
use super::names::PackNames;
use super::needs::Needs;
use super::operand::types;
use super::parameters::{self, Parameter, Parameters};
use super::path::RuleTarget;
use super::reading::Reading;
use super::values::{flag, identifier, list, members, refused, text};
use epcis_edge_document::field::EventTypes;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Kind, Value};
use epcis_edge_text::slice::OrEmpty;
use serde::Serialize;

/// How serious a finding is.
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
    const ALL: [(&'static str, Self); 3] =
        [("error", Self::Error), ("warning", Self::Warning), ("hint", Self::Hint)];
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
/// use epcis_edge_rules::Pack;
/// let pack = Pack::read(br#"{"version": 1, "name": "mine", "rules": [{
///     "id": "no-place", "severity": "warning", "message": "an event without a place",
///     "source": {"document": "our own rules"},
///     "when": {"value": "readPoint", "exists": false}
/// }]}"#)?;
/// assert_eq!(pack.name(), "mine");
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Pack {
    name: String,
    pub(super) rules: Vec<Rule>,
    /// Whether it comes with this crate. Its cost is then known and not counted.
    pub(super) is_built_in: bool,
    /// Whether its rules also judge events that declare an error, or are declared wrong.
    pub(super) judges_withdrawn: bool,
    /// The names outside of the standard that its rules ask for.
    pub(super) names: PackNames,
    /// The facts about the whole document that its rules need.
    pub(super) needs: Needs,
    /// The documents that the pack is for; `None` if it is for all.
    pub(super) applies: Option<Applies>,
    /// The releases of the source that the pack is made from; a document follows the first release whose condition holds.
    pub(super) releases: Vec<Release>,
    /// The values that callers may give about themselves.
    pub(super) parameters: Vec<Parameter>,
    /// The packs of this crate that are applied with it.
    pub(super) uses: Vec<String>,
    /// The packs that use it, if the caller did not name it.
    pub(super) used_by: Vec<String>,
}

/// The documents that a pack is for.
#[derive(Debug)]
pub(super) struct Applies {
    pub(super) when: Expression,
    /// The message about any other document.
    pub(super) otherwise: String,
}

/// A release of the source that a pack is made from.
#[derive(Debug)]
pub(super) struct Release {
    pub(super) name: String,
    pub(super) when: Expression,
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
    /// Whether it applies once to the document, not to each event.
    pub(super) is_of_document: bool,
    /// The releases it belongs to, as indices among those of the pack; empty if it belongs to all.
    pub(super) releases: Vec<usize>,
    /// The parameters that must have certain values: for each the words, of which one is enough.
    parameters: Vec<(String, Vec<String>)>,
    /// Whether all parameters that it needs have values.
    pub(super) is_filled: bool,
    /// The values it judges; empty if it judges the event as a whole.
    pub(super) at: Vec<RuleTarget>,
    pub(super) when: Expression,
}

/// The most releases of a pack, and the most packs that it may use.
const MAX_RELEASES: usize = 16;

/// The most rules of a pack.
const MAX_RULES: usize = 200;

impl Pack {
    /// Reads a pack.
    ///
    /// **Shape**: JSON as `docs/checks/language.md` and `schemas/check-pack.schema.json` say.
    ///
    /// **Limits**: 200 rules, 32 conditions a rule, 8 levels of them, 4,096 texts.
    ///
    /// # Errors
    /// [`ErrorKind::Json`](epcis_edge_text::error::ErrorKind::Json); [`ErrorKind::Pack`](epcis_edge_text::error::ErrorKind::Pack) with the place of
    /// anything that the language does not have: another version, an unknown member, field or word, a value of the wrong type.
    pub fn read(text: &[u8]) -> Result<Self, Error> {
        let document = Document::read(text)?;
        Self::of(document.root())
    }

    /// Reads a pack from a value of a document that was read.
    pub fn of(value: Value<'_>) -> Result<Self, Error> {
        if value.kind() != Kind::Object {
            return Err(refused(value, "a pack: an object with `version`, `name` and `rules`"));
        }
        // The version is read first: in a pack of another version, no other member is known.
        match value.get("version") {
            Some(version) if version.as_number() == Some("1") => {}
            Some(version) => return Err(refused(version, "the version 1")),
            None => return Err(refused(value, "the member `version`, which is 1")),
        }
        let [
            _,
            _,
            name,
            about,
            sets,
            rules,
            namespaces,
            applies,
            judges_withdrawn,
            releases,
            parameters,
            uses,
        ] = members(
            value,
            [
                "$schema",
                "version",
                "name",
                "about",
                "sets",
                "rules",
                "namespaces",
                "applies",
                "judgesWithdrawn",
                "releases",
                "parameters",
                "uses",
            ],
            &["version", "name", "rules"],
        )?;
        if let Some(about) = about {
            text(about, 1000)?;
        }
        let parameters = parameters::read(parameters)?;
        let mut reading = Reading::new(PackNames::read(namespaces)?);
        reading.read_sets(sets)?;
        let mut pack = Self {
            name: name.map_or(Ok(String::new()), identifier)?,
            rules: Vec::new(),
            is_built_in: false,
            judges_withdrawn: judges_withdrawn.map_or(Ok(false), flag)?,
            names: PackNames::default(),
            needs: Needs::default(),
            applies: applies.map(|applies| applies_of(applies, &mut reading)).transpose()?,
            releases: Vec::new(),
            parameters: Vec::new(),
            uses: Vec::new(),
            used_by: Vec::new(),
        };
        if let Some(releases) = releases {
            for release in list(releases, MAX_RELEASES)? {
                let read = release_of(release, &mut reading)?;
                pack.releases.push(read);
            }
        }
        if let Some(uses) = uses {
            for used in list(uses, MAX_RELEASES)? {
                pack.uses.push(identifier(used)?);
            }
        }
        // Only rules may use parameters: whether a pack applies depends on the document alone.
        reading.take_parameters(parameters);
        for rule in rules.map(|rules| list(rules, MAX_RULES)).transpose()?.into_iter().flatten() {
            let read = pack.rule(rule, &mut reading)?;
            pack.rules.push(read);
        }
        (pack.names, pack.needs, pack.parameters) = reading.finished();
        Ok(pack)
    }

    /// Inserts the caller's values for parameters.
    pub(super) fn fill(&mut self, given: &Parameters) {
        for rule in &mut self.rules {
            let is_given = |(name, words): &(String, Vec<String>)| {
                let texts = given.get(name).or_empty();
                texts.iter().any(|text| words.contains(text))
            };
            let is_asked = rule.parameters.iter().all(is_given);
            rule.is_filled = rule.when.fill(given) && is_asked;
        }
    }

    /// Whether it needs facts about the whole document before its rules run.
    pub(super) fn asks_facts(&self) -> bool {
        !self.judges_withdrawn
            || self.needs.asks()
            || self.applies.is_some()
            || !self.releases.is_empty()
    }

    /// The name of the pack.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Keeps only the rules of these severities.
    pub(super) fn keep(&mut self, severities: &[Severity]) {
        self.rules.retain(|rule| severities.contains(&rule.severity));
    }

    fn rule(&self, value: Value<'_>, reading: &mut Reading) -> Result<Rule, Error> {
        let [id, severity, message, source, note, on, at, when, releases, parameters] = members(
            value,
            [
                "id",
                "severity",
                "message",
                "source",
                "note",
                "on",
                "at",
                "when",
                "releases",
                "parameters",
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
        let is_of_document = on.is_some_and(|on| on.as_str().as_deref() == Some("document"));
        reading.begin(is_of_document);
        let at = match at {
            None => Vec::new(),
            Some(at) => reading.places(at)?,
        };
        let on = match on {
            Some(on) if !is_of_document => types(on)?,
            _ => 0,
        };
        let releases = match releases {
            None => Vec::new(),
            Some(found) => self.releases_of(found)?,
        };
        let parameters = parameters::of_rule(parameters, reading.parameters())?;
        let mut when = reading.condition(when.ok_or_else(missing)?, &at)?;
        let is_filled = parameters.is_empty() && when.fill(&Parameters::default());
        Ok(Rule {
            parameters,
            is_filled,
            id,
            severity: severity_of(severity.ok_or_else(missing)?)?,
            message: text(message.ok_or_else(missing)?, 400)?,
            source: source_of(source.ok_or_else(missing)?)?,
            on,
            is_of_document,
            releases,
            // A rule without `at` is evaluated once per event anyway.
            when: if at.is_empty() { when } else { when.with_once() },
            at,
        })
    }
}

impl Pack {
    /// The releases with these names, as indices among those of the pack.
    fn releases_of(&self, names: Value<'_>) -> Result<Vec<usize>, Error> {
        let mut found = Vec::new();
        for name in list(names, MAX_RELEASES)? {
            let known = |release: &Release| name.as_str().as_deref() == Some(release.name.as_str());
            let place = self.releases.iter().position(known);
            found.push(
                place.ok_or_else(|| {
                    refused(name, "the name of one of the `releases` of the pack")
                })?,
            );
        }
        Ok(found)
    }
}

fn applies_of(value: Value<'_>, reading: &mut Reading) -> Result<Applies, Error> {
    let [when, otherwise] = members(value, ["when", "otherwise"], &["when", "otherwise"])?;
    let missing = || refused(value, "`when` and `otherwise`");
    reading.begin(true);
    Ok(Applies {
        when: reading.condition(when.ok_or_else(missing)?, &[])?,
        otherwise: text(otherwise.ok_or_else(missing)?, 400)?,
    })
}

fn release_of(value: Value<'_>, reading: &mut Reading) -> Result<Release, Error> {
    let [name, when] = members(value, ["name", "when"], &["name", "when"])?;
    let missing = || refused(value, "`name` and `when`");
    reading.begin(true);
    Ok(Release {
        name: text(name.ok_or_else(missing)?, 64)?,
        when: reading.condition(when.ok_or_else(missing)?, &[])?,
    })
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
