//! The values that events in scope have: event types, EPCs, business steps, places, dispositions.

use super::Service;
use crate::call::Call;
use crate::error::{Error, ErrorKind};
use crate::identifier::to_digital_link;
use crate::json::Document;
use crate::query::{Collection, Question, Start};
use crate::store::{Store, ValueSelection};
use std::collections::BTreeMap;

/// How many values a page has at most whose spelling is looked up in events.
pub const MAX_LOOKED_UP: usize = 30;

/// A page of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePage {
    /// The values: first the words of the standard, as they are written in events, then others that events in scope have, in
    /// normal form and in the order of their bytes.
    pub values: Vec<String>,
    /// Behind which place the next page begins; none where this is the last one. A page may be short, even empty, and have a next
    /// one, where a store has looked at much.
    pub next: Option<ValuePlace>,
}

/// A place in the list of values.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValuePlace {
    /// Behind so many words of the standard.
    Word(usize),
    /// Behind a value that an event has.
    Value(String),
}

impl ValuePlace {
    /// As a text: see [`parse`](Self::parse).
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Word(count) => format!("w{count}"),
            Self::Value(value) => format!("v{value}"),
        }
    }

    /// The place that a text is.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_at_checked(1)? {
            ("w", count) => count.parse().ok().map(Self::Word),
            ("v", value) => Some(Self::Value(value.to_owned())),
            _ => None,
        }
    }
}

impl<S: Store> Service<S> {
    /// The values of a collection that events in scope have, and the standard's own words.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] without the right to query; a fault of the storage.
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
        // Where only the standard's own words are seen, they are passed over a few times at most.
        while told >= words.len() && values.len() < limit {
            // One more tells whether this page is the last.
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
            // The page goes on behind what it has, or behind what the store has looked at.
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

    /// The same values as they were captured: each once, in the spelling of an event in scope.
    ///
    /// What an event that is looked up for one value says of others of the page is taken from it, too: it may have all of them.
    ///
    /// **Limits**: [`MAX_LOOKED_UP`] a page, for each may be an event that is looked up; fewer where these are long.
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
        let mut page = ValuePage {
            values: Vec::new(),
            next: found.next,
        };
        let mut bytes = 0;
        let mut last: Option<&String> = None;
        for value in &found.values {
            // What is no GS1 identifier has one spelling.
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
                let spelling = spellings.get(value.as_str());
                let spelling = spelling.ok_or_else(|| nowhere(value))?;
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
        let question = Question {
            name: None,
            parts: vec![part],
        };
        let mut query = question.query()?;
        query.per_page = 1;
        let (page, _) = self.page_from(&query, Start::First, call).await?;
        let event = page.events.first().ok_or_else(|| nowhere(value))?;
        Ok(event.get().to_owned())
    }
}

fn nowhere(value: &str) -> Error {
    let detail = format!("`{value}` is listed, and no event in scope has it");
    Error::new(ErrorKind::Internal { detail })
}
