//! The material of a report over a store: the answer of following, the gateway's records of its events, and captured master data.

use super::directory::Directory;
use super::event::Record;
use super::material::{Limits, Material};
use super::text::text_of;
use super::{Report, ReportRequest};
use epcis_edge_document::event::{self, Fields};
use epcis_edge_document::identifier::{product, thing, to_epc_urn};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// The limits of a report over a store: all of it, and the answer that it is made of, are in the memory of one worker.
const LIMITS: Limits = Limits { rows: 10_000, bytes: 8 << 20 };

/// The material of a report over a store.
#[derive(Debug, Default)]
pub struct StoredMaterial {
    records: BTreeMap<u64, Record>,
    directory: Directory,
    gaps: Vec<String>,
    is_logged: bool,
}

impl StoredMaterial {
    /// `records`: by the number of the event, its `index` in the answer.
    pub fn new(records: BTreeMap<u64, Record>, is_logged: bool) -> Self {
        Self { records, is_logged, ..Self::default() }
    }

    /// Adds captured master data. An earlier value of an attribute stays.
    ///
    /// # Errors
    /// None for an element as stores return it.
    pub fn add(&mut self, id: &str, spelling: &str, attributes: &str) -> Result<(), Error> {
        self.directory.add(id, spelling, attributes)
    }

    /// Adds a sentence about data that the report cannot see.
    pub fn note_gap(&mut self, gap: &str) {
        self.gaps.push(gap.to_owned());
    }

    /// The report. `answer` is that of following, in which each event has its number as `index`.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) beyond the limits.
    pub fn report(
        self,
        answer: &Document<'_>,
        request: &ReportRequest,
        made: Timestamp,
    ) -> Result<Report, Error> {
        let directory = &self.directory;
        let mut material =
            Material::of_answer(answer.root(), self.records, directory, self.is_logged, LIMITS)?;
        material.gaps.extend(self.gaps);
        super::report(&material, request, made)
    }
}

/// The identifiers of places, parties and products in the events of an answer of following, in every form that master data may use
/// for them.
///
/// A product may stand in master data as a pattern, `urn:epc:idpat:sgtin:9521141.012345.*`. The digits give the GTIN, but the
/// GTIN does not give the length of the company prefix, so the pattern is looked up for every length.
pub fn identifiers_in(answer: &Document<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut add = |id: String| {
        if !id.is_empty() {
            found.insert(id);
        }
    };
    let mut products = BTreeSet::new();
    let events = answer.root().get("events");
    for event in events.into_iter().flat_map(Value::elements) {
        let Some(event) = event.get("event") else { continue };
        let fields = Fields::of(event);
        for place in [event::READ_POINT, event::BIZ_LOCATION] {
            add(thing(&text_of(fields.id(place))));
        }
        for list in [event::SOURCES, event::DESTINATIONS] {
            fields.typed(list).for_each(|(_, end)| add(thing(&text_of(end))));
        }
        for list in event::LISTS_OF_EPCS.into_iter().chain(event::LISTS_OF_QUANTITIES) {
            for one in fields.elements(list) {
                products.insert(product(&text_of(one.get("epcClass").or(Some(one)))));
            }
        }
    }
    for product in products {
        if product.starts_with("https://id.gs1.org/01/") {
            for length in 6..=12 {
                let lot = to_epc_urn(&format!("{product}/10/0"), length);
                let class = lot.ok().and_then(|lot| {
                    let class = lot.strip_prefix("urn:epc:class:lgtin:")?;
                    Some(class.strip_suffix(".0")?.to_owned())
                });
                if let Some(class) = class {
                    add(format!("urn:epc:idpat:sgtin:{class}.*"));
                }
            }
            add(product);
        }
    }
    found
}
