//! What no schema says: rules that are data, asked of every event in one walk.
//!
//! A [`Pack`] is a JSON file of rules: what each is called, how grave it is, where it comes from, which values it judges and when
//! it holds. Packs become [`Checks`] once; then a document costs one pass over its values, and what only the document as a whole
//! tells one sort.
//!
//! The language has no loops, no variables and no code: `docs/checks/language.md`. Every condition costs a bounded time for each
//! value that is judged, so the whole is linear in the document; how much that is, is counted before rules of one's own are asked.

mod answers;
mod cost;
mod expression;
mod fields;
mod found;
mod looking;
mod mark;
mod nested;
mod once;
mod pack;
mod path;
mod plan;
mod reading;
mod repeated;
mod report;
mod sort;
mod subject;
mod telling;
#[cfg(test)]
mod tests;
mod values;
mod walk;
mod whole;

pub use pack::{Pack, RuleSource, Severity};
pub use report::{CheckReport, Counts, Finding, FoundRule};

use crate::error::{Error, ErrorKind};
use crate::json::Document;
use crate::translate::Translation;
use cost::Cost;
use plan::Plan;

/// How many findings a report lists at most; all are counted.
pub const MAX_FINDINGS: usize = 1000;

/// How many steps the rules of one's own may take on a document: a step is about a nanosecond of the engine in wasm, so that a call
/// ends within five seconds.
///
/// The packs of this crate are not counted: what they may take is known, and in proportion to the document.
pub const MAX_STEPS: u64 = 4_000_000_000;

/// The same where nobody shows a key: a tenth.
pub const MAX_STEPS_WITHOUT_KEY: u64 = MAX_STEPS / 10;

/// The packs that come with this crate, as they are written.
pub const PACKS: [(&str, &str); 3] = [
    ("identifiers", include_str!("check/packs/identifiers.json")),
    ("consistency", include_str!("check/packs/consistency.json")),
    ("cbv", include_str!("check/packs/cbv.json")),
];

/// Rules that are ready to be asked.
///
/// # Example
/// ```
/// use epcis_edge_core::{check::Checks, json::Document};
/// let document = Document::read(br#"{
///     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
///     "type": "ObjectEvent", "action": "OBSERVE",
///     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00",
///     "epcList": ["https://id.gs1.org/01/04012345111119/21/9876"]
/// }"#)?;
/// let report = Checks::named(&["identifiers"])?.check(&document, None)?;
/// assert_eq!(report.findings[0].rule, "identifiers/check-digit");
/// assert_eq!(report.findings[0].place.path, "/epcList/0");
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Checks {
    plan: Plan,
    max_steps: u64,
}

impl Checks {
    /// The rules of all packs that come with this crate.
    ///
    /// # Errors
    /// None: the packs are ours.
    pub fn all() -> Result<Self, Error> {
        Self::named(&PACKS.map(|(name, _)| name))
    }

    /// The rules of the packs of these names.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchPack`].
    pub fn named(names: &[&str]) -> Result<Self, Error> {
        Ok(Self::of(ours(names)?))
    }

    /// The rules of packs of ours, and of one's own behind them.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchPack`].
    pub fn with(names: &[&str], own: Pack) -> Result<Self, Error> {
        let mut packs = ours(names)?;
        packs.push(own);
        Ok(Self::of(packs))
    }

    /// Of these rules those of severity `error`.
    #[must_use]
    pub fn only_errors(self) -> Self {
        let mut packs = self.plan.packs;
        for pack in &mut packs {
            pack.keep(Severity::Error);
        }
        Self::of(packs).within(self.max_steps)
    }

    /// The rules of packs that were read.
    #[must_use]
    pub fn of(packs: Vec<Pack>) -> Self {
        Self {
            plan: Plan::of(packs),
            max_steps: MAX_STEPS,
        }
    }

    /// The same, the rules of one's own taking at most so many steps on a document; [`MAX_STEPS`] where nothing is said.
    #[must_use]
    pub fn within(self, max_steps: u64) -> Self {
        Self { max_steps, ..self }
    }

    /// How many steps the rules of one's own would take on a document at most, counted before any of them is asked.
    ///
    /// **Unit**: about a nanosecond of the engine in wasm. 0 where all packs are those of this crate.
    ///
    /// # Errors
    /// [`ErrorKind::PackTooCostly`] beyond what they may take.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_core::{check::{Checks, Pack}, json::Document};
    /// let pack = Pack::read(br#"{"version": 1, "name": "mine", "rules": [{
    ///     "id": "ends", "severity": "hint", "message": "ends in 7", "source": {"document": "our own rules"},
    ///     "at": "epcList", "when": {"endsWith": "7"}
    /// }]}"#)?;
    /// let document = Document::read(br#"{"type": "ObjectEvent", "epcList": ["urn:x:7", "urn:x:8"]}"#)?;
    /// let checks = Checks::with(&[], pack)?;
    /// assert!(checks.steps(&document)? > 0);
    /// assert!(checks.within(1).check(&document, None).is_err());
    /// # Ok::<(), epcis_edge_core::error::Error>(())
    /// ```
    pub fn steps(&self, document: &Document<'_>) -> Result<u64, Error> {
        let Cost { steps, most } = Cost::of(&self.plan.packs, document);
        match most {
            Some((rule, of_rule)) if steps > self.max_steps => {
                Err(Error::new(ErrorKind::PackTooCostly {
                    steps,
                    limit: self.max_steps,
                    rule,
                    of_rule,
                }))
            }
            _ => Ok(steps),
        }
    }

    /// Asks the rules of every event of a document.
    ///
    /// **Shape**: an EPCISDocument, an EPCISQueryDocument, an event, an array of events, valid or not; what stands where an event
    /// must and is no object is passed over. `now` is the time in milliseconds since 1970-01-01T00:00:00Z; without it nothing is
    /// in the future.
    ///
    /// **Limits**: [`MAX_FINDINGS`] are listed, in document order, and all are counted. The rules of one's own take [`MAX_STEPS`] at
    /// most, or what [`within`](Self::within) says.
    ///
    /// # Errors
    /// [`ErrorKind::NoEvents`] for what is none of these documents; [`ErrorKind::PackTooCostly`] before any rule is asked.
    pub fn check(&self, document: &Document<'_>, now: Option<u64>) -> Result<CheckReport, Error> {
        self.steps(document)?;
        let found = walk::walk(&self.plan, document, now)?;
        Ok(report::of(&self.plan, document, found))
    }

    /// Asks the rules of every event of EPCIS XML, by way of its translation; places are those of the XML.
    ///
    /// # Errors
    /// As [`check`](Self::check), and [`ErrorKind::Json`] where the translation is none, which cannot be.
    pub fn check_translation(
        &self,
        translation: &Translation<'_>,
        now: Option<u64>,
    ) -> Result<CheckReport, Error> {
        let document = Document::read(translation.document.as_bytes())?;
        let mut report = self.check(&document, now)?;
        report.lay_to_source(|pointers| translation.locate_all(pointers));
        Ok(report)
    }
}

/// Packs of ours, each once.
fn ours(names: &[&str]) -> Result<Vec<Pack>, Error> {
    let mut packs: Vec<Pack> = Vec::new();
    for name in names {
        let known = PACKS.iter().find(|(known, _)| known == name);
        let (_, text) = known.ok_or_else(|| no_such_pack(name))?;
        if !packs.iter().any(|pack| pack.name() == *name) {
            let mut pack = Pack::read(text.as_bytes())?;
            pack.is_ours = true;
            packs.push(pack);
        }
    }
    Ok(packs)
}

fn no_such_pack(name: &str) -> Error {
    Error::new(ErrorKind::NoSuchPack {
        name: name.to_owned(),
        known: PACKS.map(|(name, _)| name).join(", "),
    })
}
