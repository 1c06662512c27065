//! Resolves the master-data conditions of a query before any event is read.
//!
//! Only the master data of accounts whose events are in scope is searched, as it was when the first page was answered: every
//! page uses the same identifiers.
//!
//! Why is the hierarchy of locations not stored with the events?
//! It may be captured after them, and it may change.

use super::Service;
use crate::call::Call;
use crate::query::{Condition, Cursor, Lookup, MasterDataCondition, Places, Predicate, Query};
use crate::store::{IdentifierCondition, IdentifierSelection};
use epcis_edge_text::error::Error;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The most identifiers that master data may give for one parameter, and their most bytes together.
pub(super) const MAX_IDENTIFIERS: usize = 10_000;
const MAX_BYTES: usize = 1 << 20;

/// The most levels of locations that are followed.
const MAX_LEVELS: usize = 64;

/// A predicate whose master-data conditions are resolved.
#[derive(Debug)]
pub(super) struct Resolved<'q> {
    pub(super) predicate: Cow<'q, Predicate>,
    /// The newest master-data elements that were considered, if any were needed.
    pub(super) master: Places,
}

impl Service {
    /// Resolves the master-data conditions of a query, as of the time when the walk began.
    ///
    /// # Errors
    /// [`ErrorKind::QueryTooComplex`](epcis_edge_text::error::ErrorKind::QueryTooComplex) if master data gives too much; a fault of the storage.
    pub(super) async fn resolved<'q>(
        &self,
        query: &'q Query,
        start: Option<&Cursor>,
        call: &Call,
    ) -> Result<Resolved<'q>, Error> {
        if !query.predicate.asks_master_data() {
            return Ok(Resolved {
                predicate: Cow::Borrowed(&query.predicate),
                master: Places::default(),
            });
        }
        let upper = match start {
            Some(cursor) => cursor.master.clone(),
            None => {
                let accounts = call.principal.readable_accounts();
                self.store.newest_elements(accounts.as_deref()).await?
            }
        };
        let mut predicate = query.predicate.clone();
        for condition in &mut predicate.conditions {
            if let Condition::MasterData(lookup) = condition {
                let identifiers = self.looked_up(lookup, &upper, call).await?;
                *condition = lookup.resolved(identifiers);
            }
        }
        Ok(Resolved { predicate: Cow::Owned(predicate), master: upper })
    }

    /// The identifiers that fulfil a condition.
    async fn looked_up(
        &self,
        lookup: &Lookup,
        upper: &Places,
        call: &Call,
    ) -> Result<BTreeSet<String>, Error> {
        let mut found = Identifiers::default();
        match &lookup.asked {
            MasterDataCondition::Within(places) => {
                let mut level = found.add(places.iter().cloned())?;
                for _ in 0..MAX_LEVELS {
                    if level.is_empty() {
                        return Ok(found.all);
                    }
                    // Identifiers found before are not followed again, so a cycle ends here.
                    level = found.add(
                        self.matching_identifiers(
                            IdentifierCondition::ChildOf(&level),
                            upper,
                            call,
                        )
                        .await?,
                    )?;
                }
                if !level.is_empty() {
                    let what = "levels of locations that master data places below another";
                    return Err(Error::query_too_complex(MAX_LEVELS, what));
                }
            }
            MasterDataCondition::HasAttribute(names) => {
                let values = None;
                let condition = IdentifierCondition::Attribute { names, values };
                found.add(self.matching_identifiers(condition, upper, call).await?)?;
            }
            MasterDataCondition::AttributeIs { name, values } => {
                let names = &BTreeSet::from([name.clone()]);
                let values = Some(values);
                let condition = IdentifierCondition::Attribute { names, values };
                found.add(self.matching_identifiers(condition, upper, call).await?)?;
            }
        }
        Ok(found.all)
    }

    /// The matching identifiers of the master data in scope.
    async fn matching_identifiers(
        &self,
        condition: IdentifierCondition<'_>,
        upper: &Places,
        call: &Call,
    ) -> Result<Vec<String>, Error> {
        let accounts = call.principal.readable_accounts();
        let selection = IdentifierSelection {
            sought: condition,
            accounts: accounts.as_deref(),
            upper,
            limit: MAX_IDENTIFIERS + 1,
        };
        self.store.identifiers(&selection).await
    }
}

/// The identifiers that were found, within bounds.
#[derive(Default)]
struct Identifiers {
    all: BTreeSet<String>,
    bytes: usize,
}

impl Identifiers {
    /// Adds identifiers, and returns the new ones.
    ///
    /// # Errors
    /// [`ErrorKind::QueryTooComplex`](epcis_edge_text::error::ErrorKind::QueryTooComplex) if there are too many.
    fn add(
        &mut self,
        identifiers: impl IntoIterator<Item = String>,
    ) -> Result<BTreeSet<String>, Error> {
        let mut added = BTreeSet::new();
        for identifier in identifiers {
            if self.all.insert(identifier.clone()) {
                self.bytes += identifier.len();
                added.insert(identifier);
            }
            if self.all.len() > MAX_IDENTIFIERS || self.bytes > MAX_BYTES {
                let what = "identifiers, or 1 MiB of them, that master data gives for a parameter";
                return Err(Error::query_too_complex(MAX_IDENTIFIERS, what));
            }
        }
        Ok(added)
    }
}
