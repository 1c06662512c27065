//! The values that events in scope have: event types, EPCs, business steps, places, dispositions.

use super::Service;
use crate::call::Call;
use crate::query::{Collection, Question, Start};
use crate::store::ValueSelection;
use epcis_edge_document::identifier::to_digital_link;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Document;
use std::collections::BTreeMap;

/// The most values on a page whose spelling is looked up in events.
pub const MAX_LOOKED_UP: usize = 30;

/// A page of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePage {
    /// The values: first the words of the standard, as they are written in events, then the other values of events in scope, in
    /// normal form and in the order of their bytes.
    pub values: Vec<String>,
    /// The place after which the next page begins; `None` on the last page. A page may be short or even empty and still have a
    /// next one, if the store has scanned much.
    pub next: Option<ValuePlace>,
}

/// A place in the list of values.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValuePlace {
    /// After this many words of the standard.
    Word(usize),
    /// After this value of an event.
    Value(String),
}

impl ValuePlace {
    /// The place as text, which [`parse`](Self::parse) reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Word(count) => format!("w{count}"),
            Self::Value(value) => format!("v{value}"),
        }
    }

    /// Reads a place from its text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_at_checked(1)? {
            ("w", count) => count.parse().ok().map(Self::Word),
            ("v", value) => Some(Self::Value(value.to_owned())),
            _ => None,
        }
    }
}

impl Service {
    /// The values of a collection: the standard's own words, and those that events in scope have.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`](epcis_edge_text::error::ErrorKind::Forbidden) without the right to query; a fault of the storage.
    ///
    /// **Source**: EPCIS 2.0, 12 (top-level resources).
    pub async fn values(
        &self,
        collection: Collection,
        after: Option<&ValuePlace>,
        limit: usize,
        call: &Call,
    ) -> Result<ValuePage, Error> {
        call.principal.require_query()?;
        let words = collection.standard_words();
        let told = match after {
            None => 0,
            Some(ValuePlace::Word(count)) => *count,
            Some(ValuePlace::Value(_)) => words.len(),
        };
        let some = words.iter().skip(told).take(limit);
        let mut values: Vec<String> = some.map(|word| (*word).to_owned()).collect();
        let told = told + values.len();
        let mut next = Some(ValuePlace::Word(told));
        let accounts = call.principal.readable_accounts();
        let mut after = match after {
            Some(ValuePlace::Value(value)) => Some(value.clone()),
            _ => None,
        };
        // Batches with only standard words, which are skipped, are few: the loop repeats a few times at most.
        while told >= words.len() && values.len() < limit {
            // One value more shows whether there is a next page.
            let wanted = limit - values.len() + 1;
            let found = self
                .store
                .values(&ValueSelection {
                    collection,
                    accounts: accounts.as_deref(),
                    after: after.as_deref(),
                    limit: wanted,
                })
                .await?;
            let is_whole = found.values.len() == wanted;
            // The next page begins after the last value of this one, or after what the store has scanned.
            let mut behind = found.next;
            for value in found.values {
                if values.len() == limit {
                    break;
                }
                if is_whole {
                    behind = Some(value.clone());
                }
                if !collection.is_standard(&value) {
                    values.push(value);
                }
            }
            next = behind.clone().map(ValuePlace::Value);
            after = behind;
            if !is_whole {
                break;
            }
        }
        Ok(ValuePage { values, next })
    }

    /// The values of a collection as they were captured: each once, in the spelling of an event in scope.
    ///
    /// An event that is read for one value also gives the spellings of others on the page: it may contain all of them.
    ///
    /// **Limits**: [`MAX_LOOKED_UP`] values a page, since an event may have to be read for each; fewer if the events are long.
    ///
    /// # Errors
    /// As [`values`](Self::values).
    pub async fn captured_values(
        &self,
        collection: Collection,
        after: Option<&ValuePlace>,
        limit: usize,
        call: &Call,
    ) -> Result<ValuePage, Error> {
        let limit = limit.min(MAX_LOOKED_UP);
        let found = self.values(collection, after, limit, call).await?;
        let mut spellings: BTreeMap<&str, String> = BTreeMap::new();
        let mut page = ValuePage { values: Vec::new(), next: found.next };
        let mut bytes = 0;
        let mut last: Option<&String> = None;
        for value in &found.values {
            // Only GS1 identifiers have several spellings.
            if to_digital_link(value).is_none() {
                page.values.push(value.clone());
            } else {
                if !spellings.contains_key(value.as_str()) {
                    if bytes > call.limits.page_bytes {
                        page.next = last.cloned().map(ValuePlace::Value);
                        break;
                    }
                    let event = self.first_event(collection, value, call).await?;
                    bytes += event.len();
                    let event = Document::read_text(&event)?;
                    for captured in collection.captured(event.root()) {
                        let normal = Collection::normal_form(&captured);
                        if let Some(wanted) = found.values.iter().find(|value| **value == normal) {
                            let spelling = || captured.into_owned();
                            spellings.entry(wanted).or_insert_with(spelling);
                        }
                    }
                }
                let spelling = spellings.get(value.as_str()).ok_or_else(|| nowhere(value))?;
                page.values.push(spelling.clone());
            }
            last = Some(value);
        }
        Ok(page)
    }

    /// The first event in scope that has a value.
    async fn first_event(
        &self,
        collection: Collection,
        value: &str,
        call: &Call,
    ) -> Result<String, Error> {
        let part = serde_json::json!({collection.parameter(): value}).to_string();
        let question = Question { name: None, parts: vec![part] };
        let mut query = question.query()?;
        query.per_page = 1;
        let (page, _) = self.page_from(&query, Start::First, call).await?;
        let event = page.events.first().ok_or_else(|| nowhere(value))?;
        Ok(event.get().to_owned())
    }
}

fn nowhere(value: &str) -> Error {
    Error::impossible(format!("`{value}` is listed, and no event in scope has it"))
}
