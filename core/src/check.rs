//! What no schema says: rules that are data, asked of every event in one walk.
//!
//! A [`Pack`] is a JSON file of rules: what each is called, how grave it is, where it comes from, which values it judges and when
//! it holds. Packs become [`Checks`] once; then a document costs one pass over its values, and what only the document as a whole
//! tells one sort.
//!
//! The language has no loops, no variables and no code: `docs/checks/language.md`. Every condition costs a bounded time for each
//! value that is judged, so the whole is linear in the document.

mod expression;
mod fields;
mod found;
mod looking;
mod mark;
mod pack;
mod path;
mod plan;
mod reading;
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
use plan::Plan;

/// How many findings a report lists at most; all are counted.
pub const MAX_FINDINGS: usize = 1000;

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
        Self::of(packs)
    }

    /// The rules of packs that were read.
    #[must_use]
    pub fn of(packs: Vec<Pack>) -> Self {
        Self {
            plan: Plan::of(packs),
        }
    }

    /// Asks the rules of every event of a document.
    ///
    /// **Shape**: an EPCISDocument, an EPCISQueryDocument, an event, an array of events, valid or not; what stands where an event
    /// must and is no object is passed over. `now` is the time in milliseconds since 1970-01-01T00:00:00Z; without it nothing is
    /// in the future.
    ///
    /// **Limits**: [`MAX_FINDINGS`] are listed, in document order, and all are counted.
    ///
    /// # Errors
    /// [`ErrorKind::NoEvents`] for what is none of these documents.
    pub fn check(&self, document: &Document<'_>, now: Option<u64>) -> Result<CheckReport, Error> {
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
            packs.push(Pack::read(text.as_bytes())?);
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
