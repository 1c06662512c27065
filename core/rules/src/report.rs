//! The report: the findings with their places.

use super::found::Findings;
use super::mark::Marks;
use super::pack::{Pack, Rule, RuleSource, Severity};
use super::plan::Plan;
use epcis_edge_document::identifier::{WrongDigit, mark};
use epcis_edge_text::error::{Location, excerpt};
use epcis_edge_text::json::{Document, Kind, Value};
use epcis_edge_text::lookalike::{Shown, advice};
use serde::Serialize;

/// The result of checking a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// The names of the packs that were applied: those for other documents are not among them.
    pub packs: Vec<String>,
    /// How many events were checked.
    pub events: usize,
    /// How many findings there are of each severity.
    pub counts: Counts,
    /// The rules that found something, in the order of their packs.
    pub rules: Vec<FoundRule>,
    /// The findings in document order, at most 1,000.
    #[cfg_attr(feature = "schema", schemars(length(max = super::MAX_FINDINGS)))]
    pub findings: Vec<CheckFinding>,
    /// The packs that are for other documents than this one; none of their rules was applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_applicable: Vec<NotApplicable>,
    /// The releases that the document follows, one for each pack that has releases.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub releases: Vec<FollowedRelease>,
    /// The steps that the caller's own rules took. **Unit**: about a nanosecond of the engine in wasm; 0 if all packs are those of
    /// this crate.
    #[serde(skip)]
    pub steps: u64,
}

/// A pack that is for other documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotApplicable {
    /// The name of the pack.
    pub pack: String,
    /// The message of the pack about such documents.
    pub message: String,
}

/// The release that a document follows, of the source that a pack is made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FollowedRelease {
    /// The name of the pack.
    pub pack: String,
    /// The name of the release.
    pub release: String,
}

/// How many findings there are, listed or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts {
    /// Of severity `error`.
    pub error: usize,
    /// Of severity `warning`.
    pub warning: usize,
    /// Of severity `hint`.
    pub hint: usize,
}

impl Counts {
    /// How many there are in all.
    #[must_use]
    pub fn total(self) -> usize {
        self.error + self.warning + self.hint
    }
}

/// A rule that found something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundRule {
    /// The name of its pack, `/`, and its own.
    pub rule: String,
    /// How serious its findings are.
    pub severity: Severity,
    /// The message of the rule.
    pub message: String,
    /// Where the rule comes from.
    pub source: RuleSource,
    /// How many findings it has, listed or not.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub count: usize,
}

/// One finding of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckFinding {
    /// The name of the pack, `/`, and the name of the rule.
    pub rule: String,
    /// How serious it is.
    pub severity: Severity,
    /// The message of the rule. For a wrong check digit it says which key has it, and which digit it should be.
    pub message: String,
    /// The value at fault as it is written, cut to 100 characters, with numbers such as `U+2010` for those that only look like ASCII or
    /// cannot be seen; none for an object or a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Its place in the document that was sent: a JSON Pointer or the path of an XML element, with line and column.
    #[serde(flatten)]
    pub place: Location,
    /// For XML, the JSON Pointer into the translation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// A related place, such as the earlier event that has the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related: Option<Location>,
}

pub(super) fn of(plan: &Plan, document: &Document<'_>, found: Findings) -> CheckReport {
    let mut counts = Counts::default();
    let mut rules = Vec::new();
    for (number, count) in found.counts.iter().enumerate() {
        let Some((pack, rule)) = plan.rule(number as u16).filter(|_| *count > 0) else { continue };
        match rule.severity {
            Severity::Error => counts.error += count,
            Severity::Warning => counts.warning += count,
            Severity::Hint => counts.hint += count,
        }
        rules.push(FoundRule {
            rule: format!("{}/{}", pack.name(), rule.id),
            severity: rule.severity,
            message: rule.message.clone(),
            source: rule.source.clone(),
            count: *count,
        });
    }
    let values: Vec<u32> = found.hits.iter().map(|hit| hit.value).collect();
    let places = document.places(&values);
    let related = related(document, &found);
    let findings = found.hits.iter().zip(places).zip(related);
    let findings = findings.filter_map(|((hit, place), related)| {
        let (pack, rule) = plan.rule(hit.rule)?;
        let value = document.value_of(hit.value);
        let found = match value.kind() {
            Kind::Array | Kind::Object => None,
            Kind::String => value.as_str().map(|text| Shown(&excerpt(&text)).to_string()),
            _ => Some(excerpt(value.source())),
        };
        Some(CheckFinding {
            rule: format!("{}/{}", pack.name(), rule.id),
            severity: rule.severity,
            message: message(pack, rule, value),
            found,
            place,
            pointer: None,
            related,
        })
    });
    let (foreign, followed): (Vec<_>, Vec<_>) = plan
        .packs
        .iter()
        .enumerate()
        .partition(|(number, _)| found.foreign.get(*number) == Some(&true));
    // A pack that another one uses has no message of its own.
    let not_applicable = foreign.into_iter().filter(|(_, pack)| pack.used_by.is_empty());
    let not_applicable = not_applicable.filter_map(|(_, pack)| {
        let message = pack.applies.as_ref()?.otherwise.clone();
        Some(NotApplicable { pack: pack.name().to_owned(), message })
    });
    let releases = followed.iter().filter_map(|(number, pack)| {
        let release = found.releases.get(*number).copied().flatten()?;
        let release = pack.releases.get(release)?.name.clone();
        Some(FollowedRelease { pack: pack.name().to_owned(), release })
    });
    CheckReport {
        packs: followed.iter().map(|(_, pack)| pack.name().to_owned()).collect(),
        events: found.events,
        counts,
        rules,
        findings: findings.collect(),
        not_applicable: not_applicable.collect(),
        releases: releases.collect(),
        steps: found.steps,
    }
}

/// The message for a value. Only rules of this crate have a message made for the value.
fn message(pack: &Pack, rule: &Rule, value: Value<'_>) -> String {
    const CHECK_DIGIT: Marks = mark::CHECK_DIGIT as Marks;
    const LOOK_ALIKE: Marks = mark::LOOK_ALIKE as Marks;
    let text = value.as_str().filter(|_| pack.is_built_in);
    let own = text.and_then(|text| match rule.when.needed() {
        CHECK_DIGIT => WrongDigit::of(&text).map(|wrong| wrong.to_string()),
        LOOK_ALIKE => Some(format!("{}{}", rule.message, advice(&text, |_| true))),
        _ => None,
    });
    own.unwrap_or_else(|| rule.message.clone())
}

/// The related place of each finding.
fn related(document: &Document<'_>, found: &Findings) -> Vec<Option<Location>> {
    let mut numbers: Vec<u32> = found.hits.iter().map(|hit| hit.related).collect();
    epcis_edge_text::order::sort_numbers(&mut numbers, &|one, other| one.cmp(other));
    numbers.dedup();
    let places = document.places(&numbers);
    let place = |hit: &super::found::Hit| {
        let at = numbers.binary_search(&hit.related).ok()?;
        (hit.related != 0).then(|| places.get(at).cloned()).flatten()
    };
    found.hits.iter().map(place).collect()
}

impl CheckReport {
    /// Replaces each place by that in the XML source; `places` looks up JSON Pointers.
    pub(super) fn relocate_to_source(&mut self, places: impl Fn(Vec<&str>) -> Vec<Location>) {
        let pointers = self.findings.iter().map(|finding| finding.place.path.as_str());
        let found = places(pointers.collect());
        let related = self.findings.iter().filter_map(|finding| finding.related.as_ref());
        let mut related = places(related.map(|place| place.path.as_str()).collect()).into_iter();
        for (finding, place) in self.findings.iter_mut().zip(found) {
            let pointer = std::mem::replace(&mut finding.place, place).path;
            finding.pointer = Some(pointer);
            if finding.related.is_some() {
                finding.related = related.next();
            }
        }
    }
}
