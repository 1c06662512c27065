//! Reports over the store: events that following finds, the names that master data gives them, and their places in the log.

use super::Service;
use crate::call::Call;
use crate::store::ElementSelection;
use epcis_edge_reports::{Record, Report, ReportRequest, Scope, StoredMaterial, identifiers_in};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// How many leaves are read at once.
const LEAVES: usize = 200;

/// How many identifiers are looked up in master data at once, and for one report.
const IDS: usize = 100;
const MAX_IDS: usize = 2000;

/// The most bytes of master data for one report.
const MAX_MASTER_DATA: usize = 4 << 20;

impl Service {
    /// A report about the events in scope, as of the moment of the first look-up. On a gateway with a log each row has the entry of
    /// its event, and the address of the proof.
    ///
    /// **Limits**: as of [`follow`](Self::follow); 10,000 rows, 8 MiB in cells, 2,000 identifiers looked up in master data.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`](epcis_edge_text::error::ErrorKind::Argument) without items; as [`follow`](Self::follow); [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) beyond the limits; a
    /// fault of the storage.
    pub async fn report(&self, request: &ReportRequest, call: &Call) -> Result<Report, Error> {
        call.principal.require_query()?;
        let Scope::Items(asked) = &request.scope else {
            return Err(Error::argument(
                "items",
                None,
                "1 to 100 identifiers: a gateway makes no report about all of its events",
            ));
        };
        let (answer, hashes) = self.follow_numbered(asked, call).await?;
        let answer = Document::read_text(&answer)?;
        let (records, is_logged) = self.records(&answer, hashes).await?;
        let mut material = StoredMaterial::new(records, is_logged);
        if asked.from.is_some() {
            material.note_gap(
                "Events before `from` were not read: what was packed, made or received before is not known.",
            );
        }
        self.add_names(&answer, &mut material, call).await?;
        material.report(&answer, request, Timestamp::from_milliseconds(call.now))
    }

    /// The record of each event of an answer, by its number, and whether the gateway keeps a log. A record has the content hash
    /// and, with a log, the entry and the address of the proof.
    async fn records(
        &self,
        answer: &Document<'_>,
        hashes: BTreeMap<u64, String>,
    ) -> Result<(BTreeMap<u64, Record>, bool), Error> {
        let events = answer.root().get("events").into_iter().flat_map(Value::elements);
        let numbers = events.filter_map(|event| event.get("index")?.as_number()?.parse().ok());
        let numbers: BTreeSet<u64> = numbers.collect();
        let records: Result<BTreeMap<u64, Record>, Error> = numbers
            .iter()
            .map(|number| {
                let content_hash = hashes.get(number).cloned();
                let content_hash = content_hash.ok_or_else(|| {
                    Error::impossible(format!("event {number} was followed without its hash"))
                })?;
                let record = Record { content_hash, ..Record::default() };
                Ok((*number, record))
            })
            .collect();
        let mut records = records?;
        let Ok(log) = self.log_settings() else {
            return Ok((records, false));
        };
        let numbers: Vec<u64> = numbers.into_iter().collect();
        for numbers in numbers.chunks(LEAVES) {
            let (leaves, _) = self.store.leaves(numbers).await?;
            for (number, leaf) in leaves {
                if let Some(record) = records.get_mut(&number) {
                    record.entry = Some(leaf.index);
                    record.proof = log.proof_of(&record.content_hash);
                }
            }
        }
        Ok((records, true))
    }

    /// Adds the captured master data about the identifiers in an answer.
    async fn add_names(
        &self,
        answer: &Document<'_>,
        material: &mut StoredMaterial,
        call: &Call,
    ) -> Result<(), Error> {
        let ids: Vec<String> = identifiers_in(answer).into_iter().collect();
        let accounts = call.principal.readable_accounts();
        let upper = self.store.newest_elements(accounts.as_deref()).await?;
        if ids.len() > MAX_IDS {
            material.note_gap(
                "There are too many places and products: some of their names were not looked up.",
            );
        }
        let mut left = MAX_MASTER_DATA;
        for ids in ids.chunks(IDS).take(MAX_IDS / IDS) {
            let ids: BTreeSet<String> = ids.iter().cloned().collect();
            let mut after = None;
            loop {
                let selection = ElementSelection {
                    kind: None,
                    ids: Some(&ids),
                    accounts: accounts.as_deref(),
                    at: None,
                    after: after.as_ref(),
                    upper: &upper,
                    limit: 2 * IDS,
                    bytes: left,
                };
                let found = self.store.elements(&selection).await?;
                for element in &found.elements {
                    left = left.saturating_sub(element.attributes.len());
                    material.add(&element.place.id, &element.spelling, &element.attributes)?;
                }
                after = found.elements.last().map(|element| element.place.clone());
                if found.is_last || after.is_none() {
                    break;
                }
                if left == 0 {
                    material.note_gap("There is too much master data about these places and products: some names are missing.");
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
