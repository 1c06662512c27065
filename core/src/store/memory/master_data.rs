//! Master data in memory.

use super::MemoryStore;
use crate::error::{Error, ErrorKind};
use crate::store::master_data::{
    IdentifierCondition, IdentifierSelection, MAX_LOOKED_AT, MasterData, NewElement,
};
use std::collections::{BTreeMap, BTreeSet};

/// The elements in the order of their numbers, which begin at 1.
#[derive(Debug, Default)]
pub(super) struct MemoryElements {
    elements: Vec<Element>,
    /// The positions of the elements of an identifier, an account and a type, the newest last.
    by_id: BTreeMap<(String, String, String), Vec<usize>>,
}

#[derive(Debug)]
struct Element {
    key: (String, String, String),
    attributes: BTreeSet<(String, String)>,
    child_ids: Vec<String>,
    digest: String,
}

impl MemoryElements {
    /// Appends elements; everything that can fail is done before the first is stored.
    pub(super) fn append(&mut self, account: &str, elements: &[NewElement]) -> Result<(), Error> {
        let read = elements.iter().map(|new| {
            Ok(Element {
                key: (new.id.clone(), account.to_owned(), new.kind.clone()),
                attributes: new.attribute_texts()?,
                child_ids: new.child_ids.clone(),
                digest: new.digest()?,
            })
        });
        for element in read.collect::<Result<Vec<_>, Error>>()? {
            let places = self.by_id.entry(element.key.clone()).or_default();
            let newest = places.last().and_then(|at| self.elements.get(*at));
            if newest.is_none_or(|newest| newest.digest != element.digest) {
                places.push(self.elements.len());
                self.elements.push(element);
            }
        }
        Ok(())
    }

    /// Whether this element is the newest of its key, among the elements up to a number.
    fn is_newest(&self, place: usize, element: &Element, upper: usize) -> bool {
        let places = self.by_id.get(&element.key);
        let newest = places.and_then(|places| places.iter().rfind(|at| **at < upper));
        newest == Some(&place)
    }
}

impl MasterData for MemoryStore {
    async fn newest_element(&self) -> Result<u64, Error> {
        Ok(self.inner.borrow().master_data.elements.len() as u64)
    }

    async fn identifiers(&self, selection: &IdentifierSelection<'_>) -> Result<Vec<String>, Error> {
        let IdentifierSelection {
            sought,
            accounts,
            upper,
            limit,
        } = *selection;
        let inner = self.inner.borrow();
        let all = &inner.master_data;
        let upper = usize::try_from(upper).unwrap_or(usize::MAX);
        let in_scope = all.elements.iter().enumerate().take(upper);
        let in_scope = in_scope.filter(|(_, element)| {
            accounts.is_none_or(|accounts| accounts.contains(&element.key.1.as_str()))
        });
        let mut found: BTreeSet<&String> = BTreeSet::new();
        let mut looked_at = 0;
        for (place, element) in in_scope {
            let (id, ..) = &element.key;
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
            return Err(Error::new(ErrorKind::QueryTooComplex {
                limit: MAX_LOOKED_AT,
                what: "attributes of master data to be looked at",
            }));
        }
        Ok(found.into_iter().take(limit).cloned().collect())
    }
}
