//! Packs: rules as data, read strictly.

use super::expression::Expression;
use super::names::PackNames;
use super::needs::Needs;
use super::operand::types;
use super::parameters::{self, Parameter, Parameters};
use super::path::RuleTarget;
use super::reading::Reading;
use super::values::{flag, identifier, list_in, member, refused, require_members, text};
use epcis_edge_document::field::EventTypes;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Kind, Value};
use epcis_edge_text::slice::OrEmpty;
use serde::Serialize;

/// How serious a finding is.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
        const MEMBERS: &str = "$schema, version, name, about, sets, rules, namespaces, applies, judgesWithdrawn, releases, \
                               parameters, uses";
        require_members(value, MEMBERS, "version, name, rules")?;
        if let Some(about) = value.get("about") {
            text(about, 1000)?;
        }
        let parameters = parameters::read(value)?;
        let mut reading = Reading::new(PackNames::read(value.get("namespaces"))?);
        reading.read_sets(value.get("sets"))?;
        let mut pack = Self {
            name: identifier(member(value, "name")?)?,
            rules: Vec::new(),
            is_built_in: false,
            judges_withdrawn: value.get("judgesWithdrawn").map_or(Ok(false), flag)?,
            names: PackNames::default(),
            needs: Needs::default(),
            applies: value.get("applies").map(|one| applies_of(one, &mut reading)).transpose()?,
            releases: list_in(value, "releases", MAX_RELEASES, |one| {
                release_of(one, &mut reading)
            })?,
            parameters: Vec::new(),
            uses: list_in(value, "uses", MAX_RELEASES, identifier)?,
            used_by: Vec::new(),
        };
        // Only rules may use parameters: whether a pack applies depends on the document alone.
        reading.parameters = parameters;
        for rule in list_in(value, "rules", MAX_RULES, Ok)? {
            let read = pack.rule(rule, &mut reading)?;
            pack.rules.push(read);
        }
        (pack.names, pack.needs) = (reading.asked.names, reading.asked.needs);
        pack.parameters = reading.parameters;
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
        const MEMBERS: &str =
            "id, severity, message, source, note, on, at, when, releases, parameters";
        require_members(value, MEMBERS, "id, severity, message, source, when")?;
        let at_id = member(value, "id")?;
        let id = identifier(at_id)?;
        if self.rules.iter().any(|rule| rule.id == id) {
            return Err(refused(at_id, "a name that no rule before has"));
        }
        if let Some(note) = value.get("note") {
            text(note, 2000)?;
        }
        let on = value.get("on");
        let is_of_document = on.is_some_and(|on| on.as_str().as_deref() == Some("document"));
        reading.asked.is_of_document = is_of_document;
        let at = value.get("at").map(|at| reading.places(at)).transpose()?.or_empty();
        let on = on.filter(|_| !is_of_document).map(types).transpose()?.or_empty();
        let releases = list_in(value, "releases", MAX_RELEASES, |name| {
            let known = |release: &Release| name.as_str().as_deref() == Some(&release.name);
            let place = self.releases.iter().position(known);
            place.ok_or_else(|| refused(name, "the name of one of the `releases` of the pack"))
        })?;
        let parameters = parameters::of_rule(value.get("parameters"), &reading.parameters)?;
        let mut when = reading.condition(member(value, "when")?, &at)?;
        let is_filled = parameters.is_empty() && when.fill(&Parameters::default());
        Ok(Rule {
            parameters,
            is_filled,
            id,
            severity: severity_of(member(value, "severity")?)?,
            message: text(member(value, "message")?, 400)?,
            source: source_of(member(value, "source")?)?,
            on,
            is_of_document,
            releases,
            // A rule without `at` is evaluated once per event anyway.
            when: if at.is_empty() { when } else { when.with_once() },
            at,
        })
    }
}

fn applies_of(value: Value<'_>, reading: &mut Reading) -> Result<Applies, Error> {
    require_members(value, "when, otherwise", "when, otherwise")?;
    reading.asked.is_of_document = true;
    Ok(Applies {
        when: reading.condition(member(value, "when")?, &[])?,
        otherwise: text(member(value, "otherwise")?, 400)?,
    })
}

fn release_of(value: Value<'_>, reading: &mut Reading) -> Result<Release, Error> {
    require_members(value, "name, when", "name, when")?;
    reading.asked.is_of_document = true;
    Ok(Release {
        name: text(member(value, "name")?, 64)?,
        when: reading.condition(member(value, "when")?, &[])?,
    })
}

fn severity_of(value: Value<'_>) -> Result<Severity, Error> {
    let named = |(name, _): &(&str, Severity)| value.as_str().as_deref() == Some(*name);
    let found = Severity::ALL.into_iter().find(named);
    found
        .map_or_else(|| Err(refused(value, "`error`, `warning` or `hint`")), |(_, found)| Ok(found))
}

fn source_of(value: Value<'_>) -> Result<RuleSource, Error> {
    require_members(value, "document, clause", "document")?;
    Ok(RuleSource {
        document: text(member(value, "document")?, 200)?,
        clause: value.get("clause").map(|value| text(value, 100)).transpose()?,
    })
}
