//! The exception report by which a buyer of medicines tells the seller what is wrong with a document: JSON after the schema of the
//! Partnership for DSCSA Governance.
//!
//! Findings of the packs `dscsa` and `serialised-medicine` go to their places in the schema; all others become sentences in
//! `other_errors`. Faults that a document cannot show, such as a wrong content of the box, are not in the report.

use super::directory::{key_of, lot_of, serial_of};
use super::event::ReportedEvent;
use super::text::text_of;
use epcis_edge_rules::{CheckFinding, Checks, Severity};
use epcis_edge_text::error::{Error, ErrorKind, excerpt};
use epcis_edge_text::json::{Document, Value, to_text};
use epcis_edge_text::slice::OrEmpty;
use epcis_edge_text::time::Timestamp;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The rules that find a product with wrong or missing master data.
const ABOUT_PRODUCTS: [&str; 4] = [
    "serialised-medicine/product-unknown",
    "dscsa/product-incomplete",
    "dscsa/ndc-form",
    "dscsa/ndc-other",
];
/// The rules that find a place or party with wrong or missing master data.
const ABOUT_PLACES: [&str; 4] = [
    "serialised-medicine/place-unknown",
    "serialised-medicine/destination-unknown",
    "serialised-medicine/place-incomplete",
    "dscsa/address-incomplete",
];
/// The rule that finds items that only a shipment names.
const ABOUT_ITEMS: &str = "serialised-medicine/shipped-unknown";

/// The request that the report makes: the schema has no other word for it.
const SEND_DATA: &str = "Send new data";

/// The most findings that are used. A list of 10,000 items without data is not longer than the document.
const MAX_LISTED: usize = 20_000;

/// The most objects around a finding that are searched for an identifier.
const LEVELS: usize = 4;

/// The sender of an exception report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reporter {
    /// The address that the seller answers to.
    pub email: String,
    /// A telephone number.
    pub phone: Option<String>,
    /// The GLN of the buyer; without one, that of the receiver of the document.
    pub gln: Option<String>,
    /// The number of the order; without one, that in the document, if it is one.
    pub po_number: Option<String>,
}

impl Reporter {
    /// Reads the sender of a report.
    ///
    /// **Shape**: an object with `email`, and optional `phone`, `gln` (13 digits), `poNumber`, all texts of 1 to 200 characters.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] for a missing or wrong member, [`ErrorKind::UnknownArgument`] for an unknown one.
    pub fn read(given: Value<'_>) -> Result<Self, Error> {
        given.require_arguments(&["email", "phone", "gln", "poNumber"])?;
        let text = |name: &'static str, expected: &'static str, is_right: fn(&str) -> bool| {
            let Some(value) = given.get(name) else { return Ok(None) };
            let text = value.as_str().map(|text| text.trim().to_owned());
            let text = text.filter(|text| (1..=200).contains(&text.chars().count()));
            let text = text.filter(|text| !text.contains(char::is_control) && is_right(text));
            text.map(Some)
                .ok_or_else(|| Error::argument(name, Some(excerpt(value.source())), expected))
        };
        let is_email = |text: &str| {
            text.split_once('@').is_some_and(|(to, at)| !to.is_empty() && !at.is_empty())
        };
        const EMAIL: &str = "the e-mail address that the seller answers to";
        let email = text("email", EMAIL, is_email)?;
        Ok(Self {
            email: email.ok_or_else(|| Error::argument("email", None, EMAIL))?,
            phone: text("phone", "a telephone number", |_| true)?,
            gln: text("gln", "a GLN of 13 digits", is_gln)?,
            po_number: text("poNumber", "the number of an order", |_| true)?,
        })
    }
}

/// The exception report about a document, as JSON.
///
/// The same document, reporter and time make the same report: its UUIDs are made of a SHA-256 of them (RFC 9562,
/// version 8). The UUID of the case depends on the document alone.
///
/// # Errors
/// As [`Checks::check`]; [`ErrorKind::NothingToReport`]; [`ErrorKind::Argument`] if the number of the
/// order is neither given nor one in the document.
///
/// # Example
/// ```
/// use epcis_edge_text::json::Document;
/// use epcis_edge_reports::{Reporter, exception_report};
/// use epcis_edge_text::time::Timestamp;
/// let reporter = Reporter { email: "quality@buyer.example".to_owned(), ..Reporter::default() };
/// let fine = Document::read(b"[]")?;
/// assert!(exception_report(&fine, &reporter, Timestamp::default()).is_err());
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
pub fn exception_report(
    document: &Document<'_>,
    reporter: &Reporter,
    made: Timestamp,
) -> Result<String, Error> {
    let checks = Checks::named(&["dscsa", "serialised-medicine"])?;
    let checks = checks.only(&[Severity::Error, Severity::Warning]).listing(MAX_LISTED);
    let now = u64::try_from(made.seconds()).unwrap_or(0).saturating_mul(1000);
    let found = checks.check(document, Some(now))?;
    if found.findings.is_empty() {
        let other = found.not_applicable.into_iter().next();
        let reason = match other {
            Some(pack) => pack.message,
            None => "the packs dscsa and serialised-medicine find no error and no warning in the document".to_owned(),
        };
        return Err(Error::new(ErrorKind::NothingToReport { reason }));
    }
    let root = document.root();
    let case = uuid(&[b"case", root.source().as_bytes()]);
    let made_text = made.to_string();
    let email = reporter.email.as_bytes();
    let mut writer = Writer::default();
    for finding in &found.findings {
        writer.take(document, &case, finding);
    }
    // All findings of a rule are counted, also those that are not listed.
    let times = |rule: &str| {
        let mut rules = found.rules.iter();
        let known = rules.find(|known| known.rule == rule);
        known.map_or(1, |known| known.count)
    };
    let others = writer.others.into_iter();
    let others = others.map(|(rule, first)| match times(&rule) {
        1 => format!("{rule}: {first}"),
        count => format!("{rule}: {first} ({count} times)"),
    });
    let mut others: Vec<String> = others.collect();
    let unlisted = found.counts.total().saturating_sub(found.findings.len());
    if unlisted > 0 {
        others.push(format!(
            "{unlisted} more findings are not in this report, which lists {MAX_LISTED}"
        ));
    }
    let receiver = Some(key_of(&text_of(root.get("receiver")))).filter(|key| is_gln(key));
    to_text(&ExceptionReport {
        message_uuid: uuid(&[b"message", case.as_bytes(), made_text.as_bytes(), email]),
        timestamp: made.seconds(),
        po_number: match &reporter.po_number {
            Some(number) => number.clone(),
            None => order_in(document)?,
        },
        sender_information: SenderInformation {
            gln: reporter.gln.clone().or(receiver),
            email: &reporter.email,
            phone: reporter.phone.as_deref(),
        },
        exceptions: writer.exceptions,
        other_errors: others,
        case_resolved: false,
        exception_case_uuid: case,
    })
}

fn is_gln(text: &str) -> bool {
    text.len() == 13 && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// The number of the order, if shipments in a document name one, and only one.
fn order_in(document: &Document<'_>) -> Result<String, Error> {
    let mut orders = BTreeSet::new();
    for event in epcis_edge_document::hash::events(document)? {
        let event = ReportedEvent::without_names(event?, String::new());
        if event.step == "shipping" {
            let numbers =
                event.documents.split("; ").filter_map(|document| document.strip_prefix("po "));
            orders.extend(numbers.map(str::to_owned));
        }
    }
    let found = match orders.len() {
        0 => "the shipments in the document name no order".to_owned(),
        1 => return Ok(orders.pop_first().or_empty()),
        count => format!("the shipments in the document name {count} orders"),
    };
    Err(Error::argument(
        "poNumber",
        Some(found),
        "the number of the order that the report is about",
    ))
}

#[derive(Default)]
struct Writer {
    exceptions: Exceptions,
    /// The first finding of each rule that has no place in the schema.
    others: BTreeMap<String, String>,
}

impl Writer {
    fn take(&mut self, document: &Document<'_>, case: &str, finding: &CheckFinding) {
        let rule = finding.rule.as_str();
        let id = identifier_at(document, &finding.place.path);
        let (gtin, _) = id.as_deref().map(lot_of_pattern).or_empty();
        let gln = id.as_deref().map(key_of).or_empty();
        let has_gln = gln.bytes().take(13).filter(u8::is_ascii_digit).count() == 13;
        let id_of = |parts: &[&str]| {
            let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
            uuid(&parts)
        };
        let master_data = &mut self.exceptions.master_data_errors;
        if ABOUT_PRODUCTS.contains(&rule) && !gtin.is_empty() {
            add(
                &mut master_data.gtin_errors,
                GtinError {
                    exception_item_uuid: id_of(&[case, "gtin", &gtin]),
                    invalid_gtin: gtin,
                    resolution_request: SEND_DATA,
                },
            );
        } else if ABOUT_PLACES.contains(&rule) && has_gln {
            add(
                &mut master_data.gln_errors,
                GlnError {
                    exception_item_uuid: id_of(&[case, "gln", &gln]),
                    invalid_gln: gln,
                    resolution_request: SEND_DATA,
                },
            );
        } else if rule == ABOUT_ITEMS && !gtin.is_empty() {
            let serial = id.as_deref().map(serial_of).or_empty();
            self.exceptions.missing_product_data.push(MissingProduct {
                exception_item_uuid: id_of(&[case, "item", &gtin, &serial]),
                product_gtin: gtin,
                observation_source: "Other",
                resolution_request: SEND_DATA,
                product_serial: serial,
            });
        } else {
            let place = match &*finding.place.path {
                "" => "the document",
                path => path,
            };
            let first = match &finding.found {
                Some(found) => format!("{}; found {found} at {place}", finding.message),
                None => format!("{}; at {place}", finding.message),
            };
            self.others.entry(rule.to_owned()).or_insert(first);
        }
    }
}

/// Adds an error, once.
fn add<E: PartialEq>(errors: &mut Vec<E>, error: E) {
    if !errors.contains(&error) {
        errors.push(error);
    }
}

/// The GTIN and the lot of an item, a lot, a class or a pattern of items.
fn lot_of_pattern(id: &str) -> (String, String) {
    let found = lot_of(id);
    if found.0.is_empty() {
        return lot_of(&epcis_edge_document::identifier::product(id));
    }
    found
}

/// The identifier at a place in a document, or in an object around it.
fn identifier_at(document: &Document<'_>, path: &str) -> Option<String> {
    let mut path = path;
    for _ in 0..LEVELS {
        let value = document.root().pointer(path)?;
        if let Some(text) = value.as_str()
            && text.contains(':')
        {
            return Some(text.into_owned());
        }
        let mut members = ["id", "source", "destination"].into_iter();
        if let Some(id) = members.find_map(|name| value.get(name)?.as_str()) {
            return Some(id.into_owned());
        }
        path = path.rsplit_once('/')?.0;
    }
    None
}

/// A UUID made of a SHA-256 (RFC 9562, version 8).
fn uuid(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let bytes = hash.finalize().into_iter().take(16);
    let number = bytes.fold(0, |number, byte| number << 8 | u128::from(byte));
    // Version and variant have fixed places.
    let number = number & !(0xf << 76) & !(0x3 << 62) | 0x8 << 76 | 0x2 << 62;
    let part = |from: u32, digits: u32| number >> from & ((1 << (4 * digits)) - 1);
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        part(96, 8),
        part(80, 4),
        part(64, 4),
        part(48, 4),
        part(0, 12)
    )
}

/// An exception report, in the words of its schema.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExceptionReport<'r> {
    message_uuid: String,
    /// The same for each report about this document.
    exception_case_uuid: String,
    /// When it was made, in seconds since 1970.
    timestamp: i64,
    po_number: String,
    sender_information: SenderInformation<'r>,
    exceptions: Exceptions,
    /// What the schema has no place for, a sentence for each rule.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_errors: Vec<String>,
    case_resolved: bool,
}

/// Who sends an exception report.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SenderInformation<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    gln: Option<String>,
    email: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<&'r str>,
}

/// What is wrong, by the places of the schema.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Exceptions {
    /// Items that were shipped, and of which the document tells nothing else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_product_data: Vec<MissingProduct>,
    /// Products, places and parties whose master data are missing or wrong.
    #[serde(skip_serializing_if = "MasterDataErrors::is_empty")]
    master_data_errors: MasterDataErrors,
}

/// An item without data.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MissingProduct {
    exception_item_uuid: String,
    product_gtin: String,
    observation_source: &'static str,
    resolution_request: &'static str,
    product_serial: String,
}

/// Wrong or missing master data.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MasterDataErrors {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gln_errors: Vec<GlnError>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gtin_errors: Vec<GtinError>,
}

/// A place or party with wrong or missing master data.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GlnError {
    exception_item_uuid: String,
    invalid_gln: String,
    resolution_request: &'static str,
}

/// A product with wrong or missing master data.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct GtinError {
    exception_item_uuid: String,
    invalid_gtin: String,
    resolution_request: &'static str,
}

impl MasterDataErrors {
    fn is_empty(&self) -> bool {
        self.gln_errors.is_empty() && self.gtin_errors.is_empty()
    }
}
