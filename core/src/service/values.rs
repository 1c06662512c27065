//! The values that events in scope have: event types, EPCs, business steps, places, dispositions.

use super::Service;
use crate::call::Call;
use crate::error::Error;
use crate::query::Collection;
use crate::store::{Store, ValueSelection};

/// A page of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePage {
    /// The values: first the words of the standard, as they are written in events, then others that events in scope have, in
    /// normal form and in the order of their bytes.
    pub values: Vec<String>,
    /// Behind which place the next page begins; none where this is the last one.
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
    /// [`ErrorKind::Forbidden`](crate::error::ErrorKind::Forbidden) without the right to query; a fault of the storage.
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
            let is_last = found.len() < wanted;
            for value in found {
                if values.len() == limit {
                    break;
                }
                after = Some(value.clone());
                next = Some(ValuePlace::Value(value.clone()));
                if !collection.is_standard(&value) {
                    values.push(value);
                }
            }
            if is_last {
                next = None;
                break;
            }
        }
        Ok(ValuePage { values, next })
    }
}
