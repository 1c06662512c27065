//! Master data in memory.

use super::{MemoryStore, count_up_to};
use crate::query::Places;
use crate::store::master_data::{
    ElementPlace, ElementSelection, FoundElements, IdentifierCondition, IdentifierSelection,
    MAX_LOOKED_AT, MasterData, StoredElement,
};
use crate::store::{Batch, NewElement};
use async_trait::async_trait;
use epcis_edge_text::error::Error;
use epcis_edge_text::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// The elements in the order of their numbers, which begin at 1.
#[derive(Debug, Default)]
pub(super) struct MemoryElements {
    elements: Vec<Element>,
    /// The positions of the elements of an account, a type and an identifier, the newest last.
    by_id: BTreeMap<ElementPlace, Vec<usize>>,
}

#[derive(Debug)]
struct Element {
    stored: StoredElement,
    attributes: BTreeSet<(String, String)>,
    child_ids: Vec<String>,
    digest: String,
}

impl MemoryElements {
    /// Appends the elements of a batch; everything that can fail is done before the first is stored.
    pub(super) fn append(
        &mut self,
        account: &str,
        batch: &Batch,
        record_time: Timestamp,
    ) -> Result<(), Error> {
        let stored = |new: &NewElement| StoredElement {
            place: ElementPlace {
                account: account.to_owned(),
                kind: new.kind.clone(),
                id: new.id.clone(),
            },
            spelling: new.spelling.clone(),
            attributes: new.attributes.clone(),
            children: new.children.clone(),
            record_time,
            document: batch.document.to_string(),
        };
        let read = batch.master_data.iter().map(|new| {
            Ok(Element {
                stored: stored(new),
                attributes: new.attribute_texts()?,
                child_ids: new.child_ids.clone(),
                digest: new.digest()?,
            })
        });
        for element in read.collect::<Result<Vec<_>, Error>>()? {
            let places = self.by_id.entry(element.stored.place.clone()).or_default();
            let newest = places.last().and_then(|at| self.elements.get(*at));
            if newest.is_none_or(|newest| newest.digest != element.digest) {
                places.push(self.elements.len());
                self.elements.push(element);
            }
        }
        Ok(())
    }

    /// Whether this is the newest element of its account, type and identifier among the first `upper` elements.
    fn is_newest(&self, place: usize, element: &Element, upper: usize) -> bool {
        let places = self.by_id.get(&element.stored.place);
        let newest = places.and_then(|places| places.iter().rfind(|at| **at < upper));
        newest == Some(&place)
    }
}

#[async_trait(?Send)]
impl MasterData for MemoryStore {
    async fn newest_elements(&self, _: Option<&[&str]>) -> Result<Places, Error> {
        Ok(Places::at(self.inner.borrow().master_data.elements.len() as u64))
    }

    async fn identifiers(&self, selection: &IdentifierSelection<'_>) -> Result<Vec<String>, Error> {
        let IdentifierSelection { sought, accounts, upper, limit } = *selection;
        let inner = self.inner.borrow();
        let all = &inner.master_data;
        let upper = count_up_to(upper);
        let in_scope = all.elements.iter().enumerate().take(upper);
        let in_scope = in_scope.filter(|(_, element)| {
            accounts
                .is_none_or(|accounts| accounts.contains(&element.stored.place.account.as_str()))
        });
        let mut found: BTreeSet<&String> = BTreeSet::new();
        let mut looked_at = 0;
        for (place, element) in in_scope {
            let id = &element.stored.place.id;
            match sought {
                IdentifierCondition::ChildOf(parents) => {
                    if parents.contains(id) && all.is_newest(place, element, upper) {
                        found.extend(&element.child_ids);
                    }
                }
                IdentifierCondition::Attribute { names, values } => {
                    let of_element = element.attributes.iter();
                    let count = of_element.filter(|(name, value)| {
                        names.contains(name) && values.is_none_or(|values| values.contains(value))
                    });
                    let count = count.count();
                    looked_at += count;
                    if count > 0 && all.is_newest(place, element, upper) {
                        found.insert(id);
                    }
                }
            }
        }
        if looked_at > MAX_LOOKED_AT {
            return Err(Error::query_too_complex(
                MAX_LOOKED_AT,
                "attributes of master data to be looked at",
            ));
        }
        Ok(found.into_iter().take(limit).cloned().collect())
    }

    async fn elements(&self, selection: &ElementSelection<'_>) -> Result<FoundElements, Error> {
        let inner = self.inner.borrow();
        let all = &inner.master_data;
        let upper = count_up_to(selection.upper);
        let is_wanted = |place: &ElementPlace| {
            let accounts = selection.accounts;
            accounts.is_none_or(|accounts| accounts.contains(&place.account.as_str()))
                && selection.kind.is_none_or(|kind| place.kind == kind)
                && selection.ids.is_none_or(|ids| ids.contains(&place.id))
                && selection.after.is_none_or(|after| place > after)
        };
        let mut found = all
            .by_id
            .iter()
            .filter(|(place, _)| is_wanted(place))
            .filter_map(|(_, versions)| {
                let versions = versions.iter().filter(|at| **at < upper);
                let versions = versions.filter_map(|at| all.elements.get(*at));
                let is_old_enough = |element: &&Element| {
                    selection.at.is_none_or(|at| element.stored.record_time <= at)
                };
                versions.rev().find(is_old_enough)
            })
            .peekable();
        let mut page = FoundElements::default();
        let mut bytes = 0;
        while page.elements.len() < selection.limit && (bytes == 0 || bytes < selection.bytes) {
            let Some(element) = found.next() else { break };
            bytes += element.stored.attributes.len() + element.stored.children.len();
            page.elements.push(element.stored.clone());
        }
        page.is_last = found.peek().is_none();
        Ok(page)
    }
}
