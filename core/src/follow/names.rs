//! The identifiers of things, each as a number.

use crate::identifier;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

/// A thing, as its number in [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Thing(u32);

impl Thing {
    pub(super) const FIRST: Self = Self(0);
    pub(super) const LAST: Self = Self(u32::MAX);

    /// The thing with this number.
    pub(super) fn at(number: usize) -> Self {
        Self(u32::try_from(number).unwrap_or(u32::MAX))
    }

    pub(super) fn number(self) -> usize {
        self.0 as usize
    }
}

/// All identifiers that were met, in normal form: GS1 identifiers as canonical Digital Links, any other as written.
#[derive(Debug, Default)]
pub(super) struct Names {
    by_spelling: BTreeMap<String, Thing>,
    by_id: BTreeMap<String, Thing>,
    named: Vec<Named>,
}

/// An identifier.
#[derive(Debug)]
pub(super) struct Named {
    /// In normal form.
    pub(super) id: String,
    /// As it was first written.
    pub(super) spelling: String,
    /// Whether it was ever named in a list of quantities, so that it is a lot or a class.
    pub(super) is_quantity: bool,
}

impl Names {
    /// The thing with this identifier, in any spelling.
    pub(super) fn thing(&mut self, spelling: &str, is_quantity: bool) -> Thing {
        let thing = match self.by_spelling.get(spelling) {
            Some(known) => *known,
            None => self.add(spelling),
        };
        if let Some(named) = self.named.get_mut(thing.number()) {
            named.is_quantity |= is_quantity;
        }
        thing
    }

    fn add(&mut self, spelling: &str) -> Thing {
        let id = identifier::to_digital_link(spelling).unwrap_or(Cow::Borrowed(spelling));
        let next = Thing(u32::try_from(self.named.len()).unwrap_or(u32::MAX));
        let thing = *self.by_id.entry(id.clone().into_owned()).or_insert(next);
        if thing == next {
            self.named.push(Named {
                id: id.into_owned(),
                spelling: spelling.to_owned(),
                is_quantity: false,
            });
        }
        self.by_spelling.insert(spelling.to_owned(), thing);
        thing
    }

    /// The thing with this identifier, if it was met.
    pub(super) fn find(&self, spelling: &str) -> Option<Thing> {
        let id = identifier::to_digital_link(spelling).unwrap_or(Cow::Borrowed(spelling));
        self.by_id.get(id.as_ref()).copied()
    }

    /// The things whose identifier begins with a text, in the order of their identifiers.
    pub(super) fn beginning_with<'n>(
        &'n self,
        start: &'n str,
    ) -> impl Iterator<Item = (&'n str, Thing)> {
        let from = self
            .by_id
            .range::<str, _>((Bound::Included(start), Bound::Unbounded));
        from.map(|(id, thing)| (id.as_str(), *thing))
            .take_while(move |(id, _)| id.starts_with(start))
    }

    /// The place of each thing in the order of identifiers.
    pub(super) fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.named.len()];
        for (rank, thing) in (0..).zip(self.by_id.values()) {
            if let Some(place) = ranks.get_mut(thing.number()) {
                *place = rank;
            }
        }
        ranks
    }

    pub(super) fn get(&self, thing: Thing) -> Option<&Named> {
        self.named.get(thing.number())
    }

    /// The identifier in normal form.
    pub(super) fn id(&self, thing: Thing) -> &str {
        self.get(thing).map_or("", |named| named.id.as_str())
    }

    /// Whether it is a lot or a class, whose pieces are alike.
    pub(super) fn is_quantity(&self, thing: Thing) -> bool {
        self.get(thing).is_some_and(|named| named.is_quantity)
    }

    pub(super) fn len(&self) -> usize {
        self.named.len()
    }
}
