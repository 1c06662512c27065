//! The calculators as tools of the local process. On a gateway, `validate`, `check` and `hash` have endpoints of their own; the
//! others have none.

use super::arguments::{Arguments, within_limit};
use super::rpc_result::{Content, shorten};
use crate::service::{Calculation, Envelope, Service};
use epcis_edge_document::hash::Verification;
use epcis_edge_document::identifier;
use epcis_edge_document::translate::{XmlVersion, to_xml, validate_xml};
use epcis_edge_rules::{Checks, Pack, Parameters};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Value};
use serde::Serialize;

/// A tool that only the local process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    Validate,
    Check,
    Hash,
    Verify,
    ToXml,
    Identifier,
}

impl Local {
    /// # Errors
    /// Those of the calculator, and those of arguments that it does not accept.
    pub(super) fn done(
        self,
        service: &Service,
        arguments: Option<Value<'_>>,
        now: u64,
    ) -> Result<Content, Error> {
        match self {
            Self::Check => check(service, arguments, now),
            Self::Validate => validate(service, arguments),
            Self::Hash => hash(service, arguments),
            Self::Verify => verify(service, arguments),
            Self::ToXml => xml_from(service, arguments),
            Self::Identifier => convert(arguments),
        }
    }
}

fn validate(service: &Service, arguments: Option<Value<'_>>) -> Result<Content, Error> {
    let arguments = Arguments::read(arguments, &["document", "xml"])?;
    if let Some(xml) = xml_of(service, arguments)? {
        let mut verdict = validate_xml(&xml)?;
        shorten(&mut verdict.errors, |error| &mut error.message);
        return Ok(Content::of(Envelope::Ok(verdict)));
    }
    let text = text_of(service, arguments)?;
    let verdict = service.validate(text.as_bytes())?;
    Ok(Content::of(Envelope::Ok(verdict)))
}

fn check(service: &Service, arguments: Option<Value<'_>>, now: u64) -> Result<Content, Error> {
    const KNOWN: [&str; 5] = ["document", "xml", "packs", "pack", "parameters"];
    let arguments = Arguments::read(arguments, &KNOWN)?;
    let packs = arguments.optional_text("packs", "names of packs with commas between them")?;
    let own = arguments.value("pack").map(Pack::of).transpose()?;
    let parameters = arguments.value("parameters").map(Parameters::read);
    let checks = Checks::chosen(packs.as_deref(), own, parameters.transpose()?.as_ref())?;
    let report = match xml_of(service, arguments)? {
        Some(xml) => checks.check_xml(&xml, Some(now))?,
        None => {
            let text = text_of(service, arguments)?;
            checks.check(&Document::read(text.as_bytes())?, Some(now))?
        }
    };
    Ok(Content::of(Envelope::Ok(report)))
}

fn hash(service: &Service, arguments: Option<Value<'_>>) -> Result<Content, Error> {
    const KNOWN: [&str; 6] = ["document", "xml", "profile", "prehash", "context", "undeclared"];
    let arguments = Arguments::read(arguments, &KNOWN)?;
    let with_pre_hash = arguments.flag("prehash")?;
    let hashes = calculated(service, arguments, |asked| asked.answer(with_pre_hash))?;
    Ok(Content::of(Envelope::Ok(hashes)))
}

fn verify(service: &Service, arguments: Option<Value<'_>>) -> Result<Content, Error> {
    #[derive(Serialize)]
    struct Verified {
        events: Vec<Verification>,
    }
    let arguments = Arguments::read(arguments, &["document", "xml", "context", "undeclared"])?;
    let events = calculated(service, arguments, |asked| asked.verifications())?;
    Ok(Content::of(Envelope::Ok(Verified { events })))
}

/// Runs a calculation on the document or the XML, with the options that were given.
fn calculated<T>(
    service: &Service,
    arguments: Arguments<'_>,
    work: impl FnOnce(Calculation<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let profile = arguments.optional_text("profile", "the name of a profile")?;
    let undeclared = arguments.optional_text("undeclared", "refuse or keep, as a text")?;
    let xml = xml_of(service, arguments)?;
    let text = match &xml {
        Some(xml) => xml,
        None => text_of(service, arguments)?.as_bytes(),
    };
    work(Calculation {
        text,
        is_xml: xml.is_some(),
        max_values: None,
        profile: profile.as_deref(),
        context: arguments.value("context").map(Value::source),
        undeclared: undeclared.as_deref(),
    })
}

fn xml_from(service: &Service, arguments: Option<Value<'_>>) -> Result<Content, Error> {
    const VERSION: &str = "version";
    const EXPECTED: &str = "2.0 or 1.2, as a text";
    let arguments = Arguments::read(arguments, &["document", VERSION])?;
    let version = XmlVersion::named(arguments.optional_text(VERSION, EXPECTED)?.as_deref())?;
    let text = text_of(service, arguments)?;
    let translation = to_xml(&Document::read(text.as_bytes())?, version)?;
    Ok(Content::of(Envelope::Ok(translation)))
}

fn convert(arguments: Option<Value<'_>>) -> Result<Content, Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum ConvertedIdentifier {
        #[serde(rename_all = "camelCase")]
        Link { digital_link: String },
        #[serde(rename_all = "camelCase")]
        Urn {
            #[serde(rename = "epcURN")]
            epc_urn: String,
        },
    }
    const IDENTIFIER: &str = "identifier";
    const LENGTH: &str = "companyPrefixLength";
    const EXPECTED: &str = "an EPC URN or a GS1 Digital Link";
    let arguments = Arguments::read(arguments, &[IDENTIFIER, LENGTH])?;
    let given = arguments.text(IDENTIFIER, EXPECTED)?;
    let answer = match arguments.length(LENGTH, "a whole number from 6 to 12")? {
        Some(length) => {
            ConvertedIdentifier::Urn { epc_urn: identifier::to_epc_urn(given.trim(), length)? }
        }
        None => {
            let link = identifier::to_digital_link(given.trim()).ok_or_else(|| {
                Error::argument(IDENTIFIER, Some(epcis_edge_text::error::excerpt(&given)), EXPECTED)
            })?;
            ConvertedIdentifier::Link { digital_link: link.into_owned() }
        }
    };
    Ok(Content::of(Envelope::Ok(answer)))
}

/// The document as it was sent.
fn text_of<'a>(service: &Service, arguments: Arguments<'a>) -> Result<&'a str, Error> {
    let text = arguments.document("document")?.source();
    within_limit(service, text)?;
    Ok(text)
}

/// The XML, if it was given instead of a document. It is marked as UTF-8, which it is, whatever encoding its declaration names.
fn xml_of(service: &Service, arguments: Arguments<'_>) -> Result<Option<Vec<u8>>, Error> {
    const XML: &str = "xml";
    const BYTE_ORDER_MARK: &str = "\u{feff}";
    if !arguments.has(XML) {
        return Ok(None);
    }
    if arguments.has("document") {
        return Err(Error::argument(
            XML,
            Some("given beside `document`".to_owned()),
            "one of the two",
        ));
    }
    let xml = arguments.text(XML, "an EPCIS XML document, as a text")?;
    within_limit(service, &xml)?;
    let text = xml.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&xml);
    Ok(Some([BYTE_ORDER_MARK, text].concat().into_bytes()))
}
