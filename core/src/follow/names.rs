//! The identifiers of things, each as a number.

use crate::identifier;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

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
    by_spelling: Texts,
    by_id: Texts,
    named: Vec<Named>,
}

/// An identifier.
#[derive(Debug)]
pub(super) struct Named {
    /// In normal form.
    pub(super) id: Rc<str>,
    /// As it was first written.
    pub(super) spelling: Rc<str>,
    /// Whether it was ever named in a list of quantities, so that it is a lot or a class.
    pub(super) is_quantity: bool,
}

impl Names {
    /// The thing with this identifier, in any spelling.
    pub(super) fn thing(&mut self, spelling: &str, is_quantity: bool) -> Thing {
        let thing = match self.by_spelling.get(spelling) {
            Some(known) => known,
            None => self.add(spelling),
        };
        if let Some(named) = self.named.get_mut(thing.number()) {
            named.is_quantity |= is_quantity;
        }
        thing
    }

    fn add(&mut self, spelling: &str) -> Thing {
        let written: Rc<str> = Rc::from(spelling);
        let id = match identifier::to_digital_link(spelling) {
            Some(link) if link != spelling => Rc::from(link.as_ref()),
            _ => Rc::clone(&written),
        };
        let thing = self.by_id.get(&id).unwrap_or_else(|| {
            let next = Thing(u32::try_from(self.named.len()).unwrap_or(u32::MAX));
            self.by_id.insert(&id, next);
            self.named.push(Named {
                id,
                spelling: Rc::clone(&written),
                is_quantity: false,
            });
            next
        });
        self.by_spelling.insert(&written, thing);
        thing
    }

    /// The thing with this identifier, if it was met.
    pub(super) fn find(&self, spelling: &str) -> Option<Thing> {
        let id = identifier::to_digital_link(spelling).unwrap_or(Cow::Borrowed(spelling));
        self.by_id.get(id.as_ref())
    }

    /// The things whose identifier begins with a text.
    pub(super) fn beginning_with(&self, start: &str) -> impl Iterator<Item = Thing> {
        let things = self.named.iter().enumerate();
        things
            .filter(move |(_, named)| named.id.starts_with(start))
            .map(|(number, _)| Thing::at(number))
    }

    /// The place of each thing in the order of identifiers.
    pub(super) fn ranks(&self) -> Vec<u32> {
        let mut in_order: Vec<(&str, usize)> = (0..)
            .zip(&self.named)
            .map(|(number, named)| (named.id.as_ref(), number))
            .collect();
        in_order.sort_unstable();
        let mut ranks = vec![0; in_order.len()];
        for (rank, (_, number)) in (0..).zip(in_order) {
            if let Some(place) = ranks.get_mut(number) {
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
        self.get(thing).map_or("", |named| named.id.as_ref())
    }

    /// Whether it is a lot or a class, whose pieces are alike.
    pub(super) fn is_quantity(&self, thing: Thing) -> bool {
        self.get(thing).is_some_and(|named| named.is_quantity)
    }

    pub(super) fn len(&self) -> usize {
        self.named.len()
    }
}

/// Things by texts. Identifiers begin alike and end differently, so they are told apart by their last bytes, and compared as a whole
/// only where these are equal. A hash would be faster still, but somebody could make texts for it that share one.
#[derive(Debug, Default)]
struct Texts(BTreeMap<u64, Ending>);

/// The texts with the same last bytes.
#[derive(Debug)]
enum Ending {
    One(Rc<str>, Thing),
    Several(BTreeMap<Rc<str>, Thing>),
}

impl Texts {
    fn get(&self, text: &str) -> Option<Thing> {
        match self.0.get(&ending(text))? {
            Ending::One(known, thing) => (known.as_ref() == text).then_some(*thing),
            Ending::Several(all) => all.get(text).copied(),
        }
    }

    /// Adds a text that is not there.
    fn insert(&mut self, text: &Rc<str>, thing: Thing) {
        let new = || Ending::One(Rc::clone(text), thing);
        let mut is_new = false;
        let entry = self.0.entry(ending(text)).or_insert_with(|| {
            is_new = true;
            new()
        });
        if is_new {
            return;
        }
        if let Ending::One(known, other) = entry {
            *entry = Ending::Several(BTreeMap::from([(Rc::clone(known), *other)]));
        }
        if let Ending::Several(all) = entry {
            all.insert(Rc::clone(text), thing);
        }
    }
}

/// The last bytes of a text as a number, a shorter one as a whole.
fn ending(text: &str) -> u64 {
    let bytes = text.as_bytes();
    match bytes.last_chunk() {
        Some(last) => u64::from_be_bytes(*last),
        None => bytes
            .iter()
            .fold(0, |number, byte| (number << 8) | u64::from(*byte)),
    }
}
