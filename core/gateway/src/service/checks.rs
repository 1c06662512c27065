//! The checks, as the doors call them.

use super::Service;
use bytes::Bytes;
use epcis_edge_rules::{CheckReport, Checks, MAX_STEPS_WITHOUT_KEY, Pack, Parameters};
use epcis_edge_text::error::{DocumentError, Error, ErrorKind, Quoted};
use epcis_edge_text::json::{Document, Kind, MAX_VALUES, Value};
use epcis_edge_text::slice::Part;
use std::ops::Range;

/// The members of the object around the document, if the caller sends a pack of rules or parameters with it.
const DOCUMENT: &str = "document";
const PACK: &str = "pack";
const PARAMETERS: &str = "parameters";

impl Service {
    /// Checks a JSON document by rules: see [`Checks::check`].
    ///
    /// **Shape**: the document itself, or `{document, pack, parameters}`. There `document` may be a string of EPCIS XML, `pack` is
    /// the caller's own pack, and `parameters` has values for the parameters of packs; the last two are optional. `packs` are names
    /// of built-in packs, separated by commas. Without them and without an own pack, all built-in packs are used. Places are those
    /// of the document.
    ///
    /// **Limits**: 1,500,000 values and names; an own pack may take [`MAX_STEPS_WITHOUT_KEY`] steps.
    ///
    /// # Errors
    /// As [`Checks::check`], [`Checks::given`], [`Pack::read`]; [`ErrorKind::NoSuchPack`], [`ErrorKind::TooManyValues`]; for text
    /// that is no JSON.
    pub fn check(
        &self,
        text: Bytes,
        packs: Option<&str>,
        now: Option<u64>,
    ) -> Result<CheckReport, Error> {
        let document = Document::read_within(&text, MAX_VALUES)?;
        let root = document.root();
        if !is_wrapper(root) {
            return Checks::chosen(packs, None, None)?.check(&document, now);
        }
        let pack = root.get(PACK).map(Pack::of).transpose()?;
        let parameters = root.get(PARAMETERS).map(Parameters::read).transpose()?;
        let checks =
            Checks::chosen(packs, pack, parameters.as_ref())?.within(MAX_STEPS_WITHOUT_KEY);
        let inner = root.get(DOCUMENT).unwrap_or(root);
        if let Some(xml) = inner.as_str() {
            let xml = xml.into_owned();
            // There is no memory for a long document in three forms at once.
            drop(document);
            drop(text);
            return checks.check_xml_text(&xml, now);
        }
        let place = place_of(inner);
        drop(document);
        checks.check(&Document::read(text.part(place))?, now)
    }

    /// Refuses a document in which a pack required by the deployment finds an error; warnings and hints are no errors.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with an entry for each finding, whose `keyword` is the name of the rule; at most as many as a
    /// report lists.
    pub(super) fn require_checks(&self, document: &[u8], now: u64) -> Result<(), Error> {
        let names = &self.configuration.required_checks;
        if names.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let checks = Checks::named(&names)?.only_errors();
        let report = match checks.check(&Document::read(document)?, Some(now)) {
            // A document without events has nothing to check.
            Err(error) if *error.kind() == ErrorKind::NoEvents => return Ok(()),
            other => other?,
        };
        let errors: Vec<DocumentError> = report
            .findings
            .into_iter()
            .map(|found| DocumentError {
                path: found.place.path,
                message: match &found.found {
                    Some(text) => format!("{}: {}", Quoted(text), found.message),
                    None => found.message,
                },
                keyword: found.rule,
            })
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(Error::invalid(errors)) }
    }

    /// Checks an EPCIS XML document by rules; places are those of the XML.
    ///
    /// # Errors
    /// As [`translate`](Self::translate) and [`check`](Self::check).
    pub fn check_xml(
        &self,
        xml: &[u8],
        packs: Option<&str>,
        now: Option<u64>,
    ) -> Result<CheckReport, Error> {
        Checks::chosen(packs, None, None)?.check_xml(xml, now)
    }
}

/// Whether the text is a wrapper: an object with only these members, so without the `type` of every document.
fn is_wrapper(root: Value<'_>) -> bool {
    root.kind() == Kind::Object
        && root.get(DOCUMENT).is_some()
        && root.members().all(|(name, _)| [DOCUMENT, PACK, PARAMETERS].contains(&&*name.to_cow()))
}

/// The byte range of a value in its text.
fn place_of(value: Value<'_>) -> Range<usize> {
    let start = value.offset();
    start..start + value.source().len()
}
