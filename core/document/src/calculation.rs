//! Hashes, verifications and translations of a document as callers send it, shared by REST, MCP and the package.

mod hashes;
mod translated;

pub use hashes::Hashes;
pub use translated::into_envelope;
pub use translated::{
    FailedTranslation, InvalidTranslation, Translated, TranslationError, TranslationFacts,
};

use crate::hash::{
    self, EventHash, Hashing, OuterPrefixes, PreHashed, Profile, UndeclaredPrefixRule, Verification,
};
use crate::translate::{hash_xml, pre_hash_xml, verify_xml};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Document;

/// A request to the hash calculator: the document and the caller's options.
///
/// **Shape**: as for [`hash::hash_document`], or as for [`hash_xml`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Calculation<'a> {
    /// The document.
    pub text: &'a [u8],
    /// Whether it is XML.
    pub is_xml: bool,
    /// The most values that JSON may have; without it, the limit of any document.
    pub max_values: Option<usize>,
    /// The name of a profile; the default is `CBV2.0`.
    pub profile: Option<&'a str>,
    /// A context to apply to the JSON, itself JSON: see [`OuterPrefixes::by`].
    pub context: Option<&'a str>,
    /// How undeclared prefixes are treated: `refuse` (the default) or `keep`.
    pub undeclared: Option<&'a str>,
}

impl Calculation<'_> {
    /// The hashes of all events.
    ///
    /// # Errors
    /// As [`hash::hash_document`], [`hash_xml`], [`OuterPrefixes::by`]; for an unknown name of a profile or rule, and for
    /// declarations given with XML.
    pub fn hashes(self) -> Result<Vec<EventHash>, Error> {
        self.run(hash_xml, |document, hashing| hash::hash_document(document, hashing))
    }

    /// The hashes of all events, with their pre-hash strings.
    ///
    /// # Errors
    /// As [`Self::hashes`].
    pub fn pre_hashes(self) -> Result<Vec<PreHashed>, Error> {
        self.run(pre_hash_xml, |document, hashing| hash::pre_hash_document(document, hashing))
    }

    /// The answer of the hash calculator.
    ///
    /// # Errors
    /// As [`Self::hashes`]; for an answer that is too long.
    pub fn answer(self, with_pre_hash: bool) -> Result<Hashes, Error> {
        self.run(
            |xml, profile| Hashes::of_xml(xml, profile, with_pre_hash),
            |document, hashing| Hashes::of(document, hashing, with_pre_hash),
        )
    }

    /// Recomputes every `eventID` that is an event hash, under every profile, and returns the results.
    ///
    /// # Errors
    /// As [`Self::hashes`].
    pub fn verifications(self) -> Result<Vec<Verification>, Error> {
        self.run(
            |xml, _| verify_xml(xml),
            |document, hashing| hash::verify_with(document, hashing.declared),
        )
    }

    /// Reads the document and runs the calculation for its format. The parsed JSON is freed on return: the answer may be as
    /// large.
    fn run<T>(
        self,
        of_xml: impl FnOnce(&[u8], Profile) -> Result<T, Error>,
        of_json: impl for<'d> FnOnce(&'d Document<'d>, Hashing<'d>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let profile = self.profile.map_or(Ok(Profile::default()), str::parse)?;
        let undeclared = UndeclaredPrefixRule::named(self.undeclared)?;
        if self.is_xml {
            OuterPrefixes::require_none(self.context.is_some(), self.undeclared.is_some())?;
            return of_xml(self.text, profile);
        }
        let context = self.context.map(Document::read_text).transpose()?;
        let declared = match &context {
            Some(context) => OuterPrefixes::by(context.root())?,
            None => OuterPrefixes::default(),
        };
        let document = match self.max_values {
            Some(limit) => Document::read_within(self.text, limit)?,
            None => Document::read(self.text)?,
        };
        let declared = declared.with(undeclared);
        of_json(&document, Hashing { profile, declared })
    }
}
