//! The exception report by which a buyer of medicines tells the seller what is wrong with a document: JSON after the schema of the
//! Partnership for DSCSA Governance.
//!
//! Findings of the packs `dscsa` and `serialised-medicine` go to their places in the schema; all others become sentences in
//! `other_errors`. Faults that a document cannot show, such as a wrong content of the box, are not in the report.

use super::directory::{key_of, lot_of, serial_of};
use super::event::Told;
use super::text::text_of;
use crate::check::{CheckFinding, Checks, Severity};
use crate::error::{Error, ErrorKind, excerpt};
use crate::json::{Document, Value, to_text};
use crate::time::Timestamp;
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
            let Some(value) = given.get(name) else {
                return Ok(None);
            };
            let text = value.as_str().map(|text| text.trim().to_owned());
            let text = text.filter(|text| (1..=200).contains(&text.chars().count()));
            let text = text.filter(|text| !text.contains(char::is_control) && is_right(text));
            text.map(Some)
                .ok_or_else(|| refused(name, Some(excerpt(value.source())), expected))
        };
        let is_email = |text: &str| {
            text.split_once('@')
                .is_some_and(|(to, at)| !to.is_empty() && !at.is_empty())
        };
        let is_gln =
            |text: &str| text.len() == 13 && text.bytes().all(|digit| digit.is_ascii_digit());
        const EMAIL: &str = "the e-mail address that the seller answers to";
        let email = text("email", EMAIL, is_email)?;
        Ok(Self {
            email: email.ok_or_else(|| refused("email", None, EMAIL))?,
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
/// use epcis_edge_core::json::Document;
/// use epcis_edge_core::report::{Reporter, exception_report};
/// use epcis_edge_core::time::Timestamp;
/// let reporter = Reporter { email: "quality@buyer.example".to_owned(), ..Reporter::default() };
/// let fine = Document::read(b"[]")?;
/// assert!(exception_report(&fine, &reporter, Timestamp::default()).is_err());
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
pub fn exception_report(
    document: &Document<'_>,
    reporter: &Reporter,
    made: Timestamp,
) -> Result<String, Error> {
    let checks = Checks::named(&["dscsa", "serialised-medicine"])?;
    let checks = checks
        .only(&[Severity::Error, Severity::Warning])
        .listing(MAX_LISTED);
    let now = u64::try_from(made.seconds())
        .unwrap_or(0)
        .saturating_mul(1000);
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
    let mut report = Writer {
        document,
        case: &case,
        exceptions: Exceptions::default(),
        others: BTreeMap::new(),
    };
    for finding in &found.findings {
        report.take(finding);
    }
    // All findings of a rule are counted, also those that are not listed.
    let times = |rule: &str| {
        let mut rules = found.rules.iter();
        let known = rules.find(|known| known.rule == rule);
        known.map_or(1, |known| known.count)
    };
    let others = report
        .others
        .into_iter()
        .map(|(rule, first)| match times(&rule) {
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
    let receiver = key_of(&text_of(root.get("receiver")));
    let is_gln = receiver.len() == 13 && receiver.bytes().all(|digit| digit.is_ascii_digit());
    to_text(&ExceptionReport {
        message_uuid: uuid(&[
            b"message",
            case.as_bytes(),
            made_text.as_bytes(),
            reporter.email.as_bytes(),
        ]),
        timestamp: made.seconds(),
        po_number: match &reporter.po_number {
            Some(number) => number.clone(),
            None => order_in(document)?,
        },
        sender_information: SenderInformation {
            gln: reporter.gln.clone().or(Some(receiver).filter(|_| is_gln)),
            email: &reporter.email,
            phone: reporter.phone.as_deref(),
        },
        exceptions: report.exceptions,
        other_errors: Some(others).filter(|others| !others.is_empty()),
        case_resolved: false,
        exception_case_uuid: case.clone(),
    })
}

/// The number of the order, if shipments in a document name one, and only one.
fn order_in(document: &Document<'_>) -> Result<String, Error> {
    let mut orders = BTreeSet::new();
    for event in crate::hash::events(document)? {
        let event = Told::without_names(event?, String::new());
        if event.step == "shipping" {
            let numbers = event
                .documents
                .split("; ")
                .filter_map(|document| document.strip_prefix("po "));
            orders.extend(numbers.map(str::to_owned));
        }
    }
    let found = match orders.len() {
        0 => "the shipments in the document name no order".to_owned(),
        1 => return Ok(orders.pop_first().unwrap_or_default()),
        count => format!("the shipments in the document name {count} orders"),
    };
    Err(refused(
        "poNumber",
        Some(found),
        "the number of the order that the report is about",
    ))
}

struct Writer<'d> {
    document: &'d Document<'d>,
    case: &'d str,
    exceptions: Exceptions,
    /// The first finding of each rule that has no place in the schema.
    others: BTreeMap<String, String>,
}

impl Writer<'_> {
    fn take(&mut self, finding: &CheckFinding) {
        let rule = finding.rule.as_str();
        let id = identifier_at(self.document, &finding.place.path);
        let (gtin, _) = id.as_deref().map(lot_of_pattern).unwrap_or_default();
        if ABOUT_PRODUCTS.contains(&rule) && !gtin.is_empty() {
            let uuid = uuid(&[self.case.as_bytes(), b"gtin", gtin.as_bytes()]);
            let errors = self
                .exceptions
                .master_data()
                .gtin_errors
                .get_or_insert_default();
            if !errors.iter().any(|known| known.invalid_gtin == gtin) {
                errors.push(GtinError {
                    exception_item_uuid: uuid,
                    invalid_gtin: gtin,
                    resolution_request: SEND_DATA,
                });
            }
            return;
        }
        let gln = id.as_deref().map(key_of).unwrap_or_default();
        if ABOUT_PLACES.contains(&rule)
            && gln.bytes().take(13).filter(u8::is_ascii_digit).count() == 13
        {
            let uuid = uuid(&[self.case.as_bytes(), b"gln", gln.as_bytes()]);
            let errors = self
                .exceptions
                .master_data()
                .gln_errors
                .get_or_insert_default();
            if !errors.iter().any(|known| known.invalid_gln == gln) {
                errors.push(GlnError {
                    exception_item_uuid: uuid,
                    invalid_gln: gln,
                    resolution_request: SEND_DATA,
                });
            }
            return;
        }
        if rule == ABOUT_ITEMS && !gtin.is_empty() {
            let serial = id.as_deref().map(serial_of).unwrap_or_default();
            let items = self.exceptions.missing_product_data.get_or_insert_default();
            items.push(MissingData {
                exception_item_uuid: uuid(&[
                    self.case.as_bytes(),
                    b"item",
                    gtin.as_bytes(),
                    serial.as_bytes(),
                ]),
                product_gtin: gtin,
                observation_source: "Other",
                resolution_request: SEND_DATA,
                product_serial: serial,
            });
            return;
        }
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

/// The GTIN and the lot of an item, a lot, a class or a pattern of items.
fn lot_of_pattern(id: &str) -> (String, String) {
    let found = lot_of(id);
    if found.0.is_empty() {
        return lot_of(&crate::identifier::product(id));
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
    let mut bytes = [0; 16];
    for (byte, hashed) in bytes.iter_mut().zip(hash.finalize()) {
        *byte = hashed;
    }
    let number = u128::from_be_bytes(bytes);
    // Version and variant have fixed places.
    let number = number & !(0xf << 76) & !(0x3 << 62) | 0x8 << 76 | 0x2 << 62;
    let digits = format!("{number:032x}");
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default().to_owned();
    [
        part(0, 8),
        part(8, 12),
        part(12, 16),
        part(16, 20),
        part(20, 32),
    ]
    .join("-")
}

fn refused(name: &'static str, found: Option<String>, expected: &'static str) -> Error {
    Error::new(ErrorKind::Argument {
        name,
        found,
        expected,
    })
}

/// The report in the words of its schema.
#[derive(Serialize)]
struct ExceptionReport<'r> {
    message_uuid: String,
    exception_case_uuid: String,
    timestamp: i64,
    po_number: String,
    sender_information: SenderInformation<'r>,
    exceptions: Exceptions,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_errors: Option<Vec<String>>,
    case_resolved: bool,
}

#[derive(Serialize)]
struct SenderInformation<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    gln: Option<String>,
    email: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<&'r str>,
}

#[derive(Default, Serialize)]
struct Exceptions {
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_product_data: Option<Vec<MissingData>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    master_data_errors: Option<MasterDataErrors>,
}

impl Exceptions {
    fn master_data(&mut self) -> &mut MasterDataErrors {
        self.master_data_errors.get_or_insert_default()
    }
}

#[derive(Serialize)]
struct MissingData {
    exception_item_uuid: String,
    product_gtin: String,
    observation_source: &'static str,
    resolution_request: &'static str,
    product_serial: String,
}

#[derive(Default, Serialize)]
struct MasterDataErrors {
    #[serde(skip_serializing_if = "Option::is_none")]
    gln_errors: Option<Vec<GlnError>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gtin_errors: Option<Vec<GtinError>>,
}

#[derive(Serialize)]
struct GlnError {
    exception_item_uuid: String,
    invalid_gln: String,
    resolution_request: &'static str,
}

#[derive(Serialize)]
struct GtinError {
    exception_item_uuid: String,
    invalid_gtin: String,
    resolution_request: &'static str,
}
