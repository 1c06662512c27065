#![doc = include_str!("../README.md")]

mod answers;
mod asked;
mod collect;
mod compare;
mod conflict;
mod document_index;
mod document_rules;
mod event_list;
mod examine;
mod expression;
mod facts;
mod form;
mod found;
mod fuel;
mod header;
mod inside;
mod mark;
mod names;
mod ndc;
mod needs;
mod nested;
mod once;
mod operand;
mod pack;
mod packing;
mod parameters;
mod path;
mod plan;
mod reading;
mod repeated;
mod report;
mod scope;
mod sort;
mod subject;
#[cfg(test)]
mod tests;
mod text_filter;
mod texts;
mod values;
mod walk;

pub use names::{NameId, NamesAt, PackNames, require_known};
pub use pack::{Pack, RuleSource, Severity};
pub use parameters::Parameters;
pub use report::{CheckFinding, CheckReport, Counts, FollowedRelease, FoundRule, NotApplicable};

use epcis_edge_document::translate::{
    Translation, translate_text_unmeasured, translate_unmeasured,
};
use epcis_edge_text::error::{Error, ErrorKind, XmlFault};
use epcis_edge_text::json::Document;
use plan::Plan;

/// The most findings that a report lists; all are counted.
pub const MAX_FINDINGS: usize = 1000;

/// The longest translation that is checked, in bytes. Quotation marks double in length as JSON, and several copies are in memory.
const MAX_TRANSLATION: usize = 16 << 20;

/// The most steps that a caller's own rules may take on a document. A step is about a nanosecond of the engine in wasm, so that a
/// call ends within five seconds.
///
/// The packs of this crate are not counted: their cost is known, and is proportional to the document.
pub const MAX_STEPS: u64 = 4_000_000_000;

/// The limit for calls without an API key: a tenth of [`MAX_STEPS`].
pub const MAX_STEPS_WITHOUT_KEY: u64 = MAX_STEPS / 10;

/// The packs that every document is checked with: name and JSON text.
pub const PACKS: [(&str, &str); 3] = [
    ("identifiers", include_str!("packs/identifiers.json")),
    ("consistency", include_str!("packs/consistency.json")),
    ("cbv", include_str!("packs/cbv.json")),
];

/// The packs of industries and trading partners, used only when a caller names them: name and JSON text.
pub const PROFILES: [(&str, &str); 5] = [
    ("fsma204", include_str!("packs/fsma204.json")),
    ("walmart", include_str!("packs/walmart.json")),
    ("serialised-medicine", include_str!("packs/serialised-medicine.json")),
    ("dscsa", include_str!("packs/dscsa.json")),
    ("gdst", include_str!("packs/gdst.json")),
];

/// Rules that are ready to check documents.
///
/// # Example
/// ```
/// use epcis_edge_rules::Checks; use epcis_edge_text::json::Document;
/// let document = Document::read(br#"{
///     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
///     "type": "ObjectEvent", "action": "OBSERVE",
///     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00",
///     "epcList": ["https://id.gs1.org/01/04012345111119/21/9876"]
/// }"#)?;
/// let report = Checks::named(&["identifiers"])?.check(&document, None)?;
/// assert_eq!(report.findings[0].rule, "identifiers/check-digit");
/// assert_eq!(report.findings[0].place.path, "/epcList/0");
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Checks {
    plan: Plan,
    max_steps: u64,
}

impl Checks {
    /// The rules of the packs that every document is checked with.
    ///
    /// # Errors
    /// None: the packs are ours.
    pub fn all() -> Result<Self, Error> {
        Self::named(&PACKS.map(|(name, _)| name))
    }

    /// The rules of the packs with these names.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchPack`].
    pub fn named(names: &[&str]) -> Result<Self, Error> {
        Ok(Self::of(ours(names)?))
    }

    /// The rules of the named packs of this crate, followed by those of the caller's own pack.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchPack`].
    pub fn with(names: &[&str], own: Pack) -> Result<Self, Error> {
        let mut packs = ours(names)?;
        for used in &own.uses {
            add_pack(used, Some(own.name()), &mut packs)?;
        }
        packs.push(own);
        Ok(Self::of(packs))
    }

    /// The rules of the built-in packs with these names, separated by commas, and of the caller's own pack, with the caller's
    /// values for their parameters. Without names and without an own pack: the rules of all built-in packs.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchPack`]; [`ErrorKind::Pack`] for an own pack with the name of a built-in one; as [`given`](Self::given).
    pub fn chosen(
        names: Option<&str>,
        own: Option<Pack>,
        parameters: Option<&Parameters>,
    ) -> Result<Self, Error> {
        let names: Vec<&str> = match names {
            Some(names) => names.split(',').collect(),
            None if own.is_some() => Vec::new(),
            None => PACKS.iter().map(|(name, _)| *name).collect(),
        };
        let checks = match own {
            None => Self::named(&names),
            Some(own) if names_of_packs().contains(&own.name()) => {
                Err(Error::new(ErrorKind::Pack {
                    found: own.name().to_owned(),
                    expected: "a name other than those of the built-in packs".to_owned(),
                }))
            }
            Some(own) => Self::with(&names, own),
        };
        match parameters {
            Some(parameters) => checks?.given(parameters),
            None => checks,
        }
    }

    /// The same checks, with only the rules of severity `error`.
    #[must_use]
    pub fn only_errors(self) -> Self {
        self.only(&[Severity::Error])
    }

    /// The same checks, with only the rules of these severities.
    pub fn only(self, severities: &[Severity]) -> Self {
        let mut packs = self.plan.packs;
        for pack in &mut packs {
            pack.keep(severities);
        }
        Self::of(packs).within(self.max_steps)
    }

    /// The same checks, with another limit on the findings that the report lists. The default is [`MAX_FINDINGS`].
    pub fn listing(mut self, max_findings: usize) -> Self {
        self.plan.max_findings = max_findings;
        self
    }

    /// The same checks, with the caller's values for the parameters of their packs. A rule does not run if one of its parameters
    /// has no value.
    ///
    /// # Errors
    /// [`ErrorKind::Parameters`] for a name that none of the packs has, and for a word that its pack does not know.
    pub fn given(self, parameters: &Parameters) -> Result<Self, Error> {
        let max_steps = self.max_steps;
        let mut packs = self.plan.packs;
        let known: Vec<_> = packs.iter().flat_map(|pack| &pack.parameters).collect();
        parameters.require_known(&known)?;
        for pack in &mut packs {
            pack.fill(parameters);
        }
        Ok(Self::of(packs).within(max_steps))
    }

    /// The rules of packs that were read.
    #[must_use]
    pub fn of(packs: Vec<Pack>) -> Self {
        Self { plan: Plan::of(packs), max_steps: MAX_STEPS }
    }

    /// The same checks, with another limit on the steps of the caller's own rules. The default is [`MAX_STEPS`].
    ///
    /// # Example
    /// ```
    /// use epcis_edge_rules::{Checks, Pack}; use epcis_edge_text::json::Document;
    /// let pack = Pack::read(br#"{"version": 1, "name": "mine", "rules": [{
    ///     "id": "ends", "severity": "hint", "message": "ends in 7", "source": {"document": "our own rules"},
    ///     "at": "epcList", "when": {"endsWith": "7"}
    /// }]}"#)?;
    /// let document = Document::read(br#"{"type": "ObjectEvent", "epcList": ["urn:x:7", "urn:x:8"]}"#)?;
    /// let checks = Checks::with(&[], pack)?;
    /// assert!(checks.check(&document, None)?.steps > 0);
    /// assert!(checks.within(1).check(&document, None).is_err());
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    #[must_use]
    pub fn within(self, max_steps: u64) -> Self {
        Self { max_steps, ..self }
    }

    /// Applies the rules to every event of a document.
    ///
    /// **Shape**: an EPCISDocument, an EPCISQueryDocument, an event or an array of events, valid or not. Anything but an object in
    /// the place of an event is skipped. `now` is the time in milliseconds since 1970-01-01T00:00:00Z; without it no time is in the
    /// future.
    ///
    /// **Limits**: the report lists [`MAX_FINDINGS`], in document order, and counts all. The caller's own rules take at most
    /// [`MAX_STEPS`] steps, or the limit that [`within`](Self::within) sets.
    ///
    /// # Errors
    /// [`ErrorKind::NoEvents`] for any other document; [`ErrorKind::PackTooCostly`] when the steps reach the limit;
    /// [`ErrorKind::CaptureTooComplex`], with packs that judge no withdrawn events, for contexts whose prefixes stand for more than is held.
    pub fn check(&self, document: &Document<'_>, now: Option<u64>) -> Result<CheckReport, Error> {
        let found = walk::walk(&self.plan, document, now, self.max_steps)?;
        Ok(report::of(&self.plan, document, found))
    }

    /// Checks an EPCIS XML document; places are those of the XML.
    ///
    /// # Errors
    /// As [`translate_unmeasured`] and [`check`](Self::check).
    pub fn check_xml(&self, xml: &[u8], now: Option<u64>) -> Result<CheckReport, Error> {
        self.check_translation(&translate_unmeasured(xml)?, now)
    }

    /// As [`check_xml`](Self::check_xml), of a document that is text already: see
    /// [`translate_text`](epcis_edge_document::translate::translate_text).
    ///
    /// # Errors
    /// As [`check_xml`](Self::check_xml).
    pub fn check_xml_text(&self, xml: &str, now: Option<u64>) -> Result<CheckReport, Error> {
        self.check_translation(&translate_text_unmeasured(xml)?, now)
    }

    /// Applies the rules to every event of EPCIS XML, using its translation; places are those of the XML.
    ///
    /// # Errors
    /// As [`check`](Self::check), [`XmlFault::Amplified`] for a translation of more than 16 MiB, and [`ErrorKind::Json`] if the
    /// translation is not JSON, which never happens.
    pub fn check_translation(
        &self,
        translation: &Translation<'_>,
        now: Option<u64>,
    ) -> Result<CheckReport, Error> {
        if translation.document.len() > MAX_TRANSLATION {
            return Err(Error::new(ErrorKind::Xml(XmlFault::Amplified(MAX_TRANSLATION))));
        }
        let document = Document::read(translation.document.as_bytes())?;
        let mut report = self.check(&document, now)?;
        report.relocate_to_source(|pointers| translation.locate_all(pointers));
        Ok(report)
    }
}

/// Reads packs of this crate by name, each once.
fn ours(names: &[&str]) -> Result<Vec<Pack>, Error> {
    let mut packs: Vec<Pack> = Vec::new();
    for name in names {
        add_pack(name, None, &mut packs)?;
    }
    Ok(packs)
}

/// Adds a pack and the packs that it uses, unless they are there.
fn add_pack(name: &str, user: Option<&str>, packs: &mut Vec<Pack>) -> Result<(), Error> {
    let known = PACKS.iter().chain(&PROFILES).find(|(known, _)| *known == name);
    let (_, text) = known.ok_or_else(|| no_such_pack(name))?;
    if let Some(known) = packs.iter_mut().find(|pack| pack.name() == name) {
        match user {
            None => known.used_by.clear(),
            Some(user) if !known.used_by.is_empty() => known.used_by.push(user.to_owned()),
            Some(_) => {}
        }
        return Ok(());
    }
    let mut pack = Pack::read(text.as_bytes())?;
    pack.is_built_in = true;
    pack.used_by = user.map(str::to_owned).into_iter().collect();
    let uses = std::mem::take(&mut pack.uses);
    packs.push(pack);
    uses.iter().try_for_each(|used| add_pack(used, Some(name), packs))
}

fn no_such_pack(name: &str) -> Error {
    Error::new(ErrorKind::NoSuchPack { name: name.to_owned(), known: names_of_packs().join(", ") })
}

/// The names of all packs that come with this crate.
pub fn names_of_packs() -> Vec<&'static str> {
    PACKS.iter().chain(&PROFILES).map(|(name, _)| *name).collect()
}
