//! The calculators as tools of the local process; a gateway has a door for each of them.

use super::answered::Content;
use super::arguments::Arguments;
use super::calls::within_limit;
use super::tools::{one_of, problem};
use crate::error::{Error, ErrorKind};
use crate::hash::{self, Declared, Hashing, Profile, Undeclared, Verification};
use crate::identifier;
use crate::json::{Document, Value};
use crate::service::{Envelope, Hashes, Service};
use crate::translate::{XmlReport, XmlVersion, to_xml, verify_xml};
use serde::Serialize;
use serde_json::{Value as Json, json};

/// A tool that the local process alone has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    Validate,
    Hash,
    Verify,
    ToXml,
    Identifier,
}

impl Local {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Validate => "validate",
            Self::Hash => "hash",
            Self::Verify => "verify",
            Self::ToXml => "to_xml",
            Self::Identifier => "identifier",
        }
    }

    /// Title, description, schema of the arguments, schema of the answer.
    pub(super) fn described(self) -> (&'static str, String, Json, Json) {
        let (title, description, input, output) = match self {
            Self::Validate => (
                "Validate a document",
                "Judges EPCIS 2.0 JSON-LD against the official schema; stores nothing. A document that is not valid is an answer: \
                 `valid` is false and `errors` [{path, keyword, message}] say what was found and what was expected.",
                input(&["document"], json!({"document": document()})),
                ok(
                    json!({"valid": {"type": "boolean"}, "schema": {"type": "object"}, "errors": objects()}),
                    &["valid", "schema", "errors"],
                ),
            ),
            Self::Hash => (
                "Hash events",
                "The CBV event hash of every event, in the order of the document; stores nothing. Takes `document`, or EPCIS XML as \
                 `xml`. Nothing is validated. An event whose members have a prefix that nobody declares is refused: give the \
                 @context that stood around it as `context`.",
                input(
                    &[],
                    json!({
                        "document": document(), "xml": xml(), "context": context(), "undeclared": undeclared(),
                        "profile": {"enum": Profile::ALL.map(Profile::as_str), "description": "The reading of the algorithm; CBV2.0 where nothing is said."},
                        "prehash": {"type": "boolean", "description": "Whether the strings that the hashes are digests of are answered, too."},
                    }),
                ),
                ok(
                    json!({
                        "algorithm": {"type": "string"}, "profile": {"type": "string"}, "count": {"type": "integer"},
                        "hashes": strings(), "preHashStrings": strings(),
                    }),
                    &["algorithm", "profile", "count", "hashes"],
                ),
            ),
            Self::Verify => (
                "Verify event hashes",
                "Recomputes every eventID that is an event hash, under every profile; stores nothing. Takes `document`, or EPCIS XML \
                 as `xml`. One entry an event: `result` is matches, matches-none or not-hash-form, `profiles` names those under \
                 which it matches.",
                input(
                    &[],
                    json!({"document": document(), "xml": xml(), "context": context(), "undeclared": undeclared()}),
                ),
                ok(json!({"events": objects()}), &["events"]),
            ),
            Self::ToXml => (
                "Translate to EPCIS XML",
                "Translates EPCIS 2.0 JSON-LD to XML of version 2.0 or 1.2; stores nothing. `report.clean` says whether everything \
                 comes back, `report.lossyPointers` names what does not.",
                input(
                    &["document"],
                    json!({"document": document(), "version": {"enum": ["2.0", "1.2"], "description": "2.0 where nothing is said."}}),
                ),
                ok(
                    json!({"document": {"type": "string", "description": "the XML"}, "report": {"type": "object"}, "meteredEvents": {"type": "integer"}}),
                    &["document", "report", "meteredEvents"],
                ),
            ),
            Self::Identifier => (
                "Convert an identifier",
                "EPC URN to canonical GS1 Digital Link, or with `companyPrefixLength` from Digital Link to EPC URN: how many digits \
                 the company prefix has, 6 to 12, no Digital Link tells.",
                input(
                    &["identifier"],
                    json!({
                        "identifier": {"type": "string", "description": "An EPC, class or pattern as URN, or a GS1 Digital Link."},
                        "companyPrefixLength": {"type": "integer", "minimum": 6, "maximum": 12},
                    }),
                ),
                one_of(vec![
                    answered(json!({"digitalLink": {"type": "string"}}), &["digitalLink"]),
                    answered(json!({"epcURN": {"type": "string"}}), &["epcURN"]),
                    problem(),
                ]),
            ),
        };
        (title, description.to_owned(), input, output)
    }

    /// # Errors
    /// What the calculator refuses, and arguments that it does not take.
    pub(super) fn done<S>(
        self,
        service: &Service<S>,
        arguments: Option<Value<'_>>,
    ) -> Result<Content, Error> {
        match self {
            Self::Validate => {
                let arguments = Arguments::read(arguments, &["document"])?;
                let text = text_of(service, arguments)?;
                let document = Document::read(text.as_bytes())?;
                Ok(Content::of(Envelope::Ok(service.validate(&document))))
            }
            Self::Hash => hash(service, arguments),
            Self::Verify => verify(service, arguments),
            Self::ToXml => translate(service, arguments),
            Self::Identifier => convert(arguments),
        }
    }
}

fn hash<S>(service: &Service<S>, arguments: Option<Value<'_>>) -> Result<Content, Error> {
    const KNOWN: [&str; 6] = [
        "document",
        "xml",
        "profile",
        "prehash",
        "context",
        "undeclared",
    ];
    let arguments = Arguments::read(arguments, &KNOWN)?;
    let profile = match arguments.optional_text("profile", "the name of a profile")? {
        Some(name) => name.parse()?,
        None => Profile::default(),
    };
    let with_pre_hash = arguments.flag("prehash")?;
    let declared = declared(arguments)?;
    let hashes = match xml_of(service, arguments)? {
        Some(xml) => Hashes::of_xml(&xml, profile, with_pre_hash)?,
        None => {
            let text = text_of(service, arguments)?;
            let document = Document::read(text.as_bytes())?;
            service.hash(&document, Hashing { profile, declared }, with_pre_hash)?
        }
    };
    Ok(Content::of(Envelope::Ok(hashes)))
}

fn verify<S>(service: &Service<S>, arguments: Option<Value<'_>>) -> Result<Content, Error> {
    #[derive(Serialize)]
    struct Verified {
        result: &'static str,
        profiles: Vec<Profile>,
    }
    #[derive(Serialize)]
    struct Answer {
        events: Vec<Verified>,
    }
    let arguments = Arguments::read(arguments, &["document", "xml", "context", "undeclared"])?;
    let declared = declared(arguments)?;
    let verified = match xml_of(service, arguments)? {
        Some(xml) => verify_xml(&xml)?,
        None => {
            let text = text_of(service, arguments)?;
            let document = Document::read(text.as_bytes())?;
            hash::verify_with(&document, declared)?
        }
    };
    let events = verified.into_iter().map(|verification| {
        let result = verification.as_str();
        let profiles = match verification {
            Verification::Matches(profiles) => profiles,
            Verification::MatchesNone | Verification::NotHashForm => Vec::new(),
        };
        Verified { result, profiles }
    });
    Ok(Content::of(Envelope::Ok(Answer {
        events: events.collect(),
    })))
}

fn translate<S>(service: &Service<S>, arguments: Option<Value<'_>>) -> Result<Content, Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        document: String,
        report: XmlReport,
        metered_events: usize,
    }
    const VERSION: &str = "version";
    const EXPECTED: &str = "2.0 or 1.2, as a text";
    let arguments = Arguments::read(arguments, &["document", VERSION])?;
    let version = match arguments.optional_text(VERSION, EXPECTED)?.as_deref() {
        None | Some("2.0") => XmlVersion::V2_0,
        Some("1.2") => XmlVersion::V1_2,
        Some(found) => {
            return Err(Error::new(ErrorKind::Argument {
                name: VERSION,
                found: Some(crate::error::excerpt(found)),
                expected: EXPECTED,
            }));
        }
    };
    let text = text_of(service, arguments)?;
    let translation = to_xml(&Document::read(text.as_bytes())?, version)?;
    Ok(Content::of(Envelope::Ok(Answer {
        document: translation.document,
        report: translation.report,
        metered_events: translation.metered_events,
    })))
}

fn convert(arguments: Option<Value<'_>>) -> Result<Content, Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Answer {
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
        Some(length) => Answer::Urn {
            epc_urn: identifier::to_epc_urn(given.trim(), length)?,
        },
        None => {
            let link = identifier::to_digital_link(given.trim()).ok_or_else(|| {
                Error::new(ErrorKind::Argument {
                    name: IDENTIFIER,
                    found: Some(crate::error::excerpt(&given)),
                    expected: EXPECTED,
                })
            })?;
            Answer::Link {
                digital_link: link.into_owned(),
            }
        }
    };
    Ok(Content::of(Envelope::Ok(answer)))
}

/// The document as it was sent.
fn text_of<'a, S>(service: &Service<S>, arguments: Arguments<'a>) -> Result<&'a str, Error> {
    let text = arguments.document("document")?.source();
    within_limit(service, text)?;
    Ok(text)
}

/// The XML, if that was sent instead of a document; marked as the UTF-8 that it is, whatever its declaration says.
fn xml_of<S>(service: &Service<S>, arguments: Arguments<'_>) -> Result<Option<Vec<u8>>, Error> {
    const XML: &str = "xml";
    const BYTE_ORDER_MARK: &str = "\u{feff}";
    if !arguments.has(XML) {
        return Ok(None);
    }
    if arguments.has("document") {
        return Err(Error::new(ErrorKind::Argument {
            name: XML,
            found: Some("given beside `document`".to_owned()),
            expected: "one of the two",
        }));
    }
    let xml = arguments.text(XML, "an EPCIS XML document, as a text")?;
    within_limit(service, &xml)?;
    let text = xml.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&xml);
    Ok(Some([BYTE_ORDER_MARK, text].concat().into_bytes()))
}

fn declared(arguments: Arguments<'_>) -> Result<Declared<'_>, Error> {
    let undeclared = arguments.optional_text("undeclared", "refuse or keep, as a text")?;
    let undeclared = Undeclared::named(undeclared.as_deref())?;
    let declared = match arguments.value("context") {
        Some(context) => Declared::by(context)?,
        None => Declared::default(),
    };
    Ok(declared.with(undeclared))
}

fn input(required: &[&str], properties: Json) -> Json {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn ok(properties: Json, required: &[&str]) -> Json {
    one_of(vec![answered(properties, required), problem()])
}

fn answered(mut properties: Json, required: &[&str]) -> Json {
    if let Some(properties) = properties.as_object_mut() {
        properties.insert("type".to_owned(), json!({"const": "OK"}));
    }
    let required: Vec<_> = ["type"].iter().chain(required).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn document() -> Json {
    json!({
        "description": "An EPCISDocument, an EPCISQueryDocument, one bare event or an array of bare events: as JSON, not as a text with JSON in it.",
        "anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "object"}}],
    })
}

fn xml() -> Json {
    json!({"type": "string", "description": "Instead of a document: EPCIS XML, as a text."})
}

fn context() -> Json {
    json!({
        "description": "The @context of the document that the events were cut out of; addresses in it are not fetched.",
        "anyOf": [{"type": "string"}, {"type": "object"}, {"type": "array"}],
    })
}

fn undeclared() -> Json {
    json!({"enum": ["refuse", "keep"], "description": "What becomes of a prefix that nobody declares: refuse where nothing is said, or keep the name as it is written."})
}

fn objects() -> Json {
    json!({"type": "array", "items": {"type": "object"}})
}

fn strings() -> Json {
    json!({"type": "array", "items": {"type": "string"}})
}
