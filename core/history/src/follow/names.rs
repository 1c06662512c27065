//! The identifiers of things, each as a number.

use epcis_edge_document::identifier;
use epcis_edge_text::slice::Part;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// A thing, as its number in [`NameNumbers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Thing(u32);

impl Thing {
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
pub(super) struct NameNumbers {
    /// All identifiers and spellings, one after the other.
    text: String,
    by_spelling: Texts,
    by_id: Texts,
    named: Vec<Named>,
}

/// An identifier.
#[derive(Debug)]
struct Named {
    /// In normal form, as a part of the text.
    id: Range<usize>,
    /// As it was first written.
    spelling: Range<usize>,
    /// Whether it was ever named in a list of quantities, so that it is a lot or a class.
    is_quantity: bool,
}

impl NameNumbers {
    /// The thing with this identifier, in any spelling.
    pub(super) fn thing(&mut self, spelling: &str, is_quantity: bool) -> Thing {
        let hash = hash_of(spelling);
        let known = self.by_spelling.get(spelling, hash, &self.text);
        let thing = known.unwrap_or_else(|| self.add(spelling, hash));
        if let Some(named) = self.named.get_mut(thing.number()) {
            named.is_quantity |= is_quantity;
        }
        thing
    }

    fn add(&mut self, spelling: &str, hash: u64) -> Thing {
        let written = self.write(spelling);
        let link = identifier::to_digital_link(spelling);
        let link = link.filter(|link| link != spelling);
        let id = link.as_deref().map(|link| (link, hash_of(link)));
        let (id, hash_of_id) = id.unwrap_or((spelling, hash));
        let thing = self.by_id.get(id, hash_of_id, &self.text).unwrap_or_else(|| {
            let next = Thing(u32::try_from(self.named.len()).unwrap_or(u32::MAX));
            let id = link.as_deref().map_or_else(|| written.clone(), |link| self.write(link));
            self.by_id.insert(id.clone(), hash_of_id, next, &self.text);
            self.named.push(Named { id, spelling: written.clone(), is_quantity: false });
            next
        });
        self.by_spelling.insert(written, hash, thing, &self.text);
        thing
    }

    /// Appends to the text, and returns the place.
    fn write(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    /// The thing with this identifier, if it was met.
    pub(super) fn find(&self, spelling: &str) -> Option<Thing> {
        let id = identifier::to_digital_link(spelling).unwrap_or(Cow::Borrowed(spelling));
        self.by_id.get(&id, hash_of(&id), &self.text)
    }

    /// The things whose identifier begins with a text.
    pub(super) fn beginning_with(&self, start: &str) -> impl Iterator<Item = Thing> {
        let things = (0..self.named.len()).map(Thing::at);
        things.filter(move |thing| self.id(*thing).starts_with(start))
    }

    fn get(&self, thing: Thing) -> Option<&Named> {
        self.named.get(thing.number())
    }

    /// The identifier in normal form.
    pub(super) fn id(&self, thing: Thing) -> &str {
        let place = self.get(thing).map(|named| named.id.clone());
        place.map_or("", |place| self.text.part(place))
    }

    /// The identifier as it was first written.
    pub(super) fn spelling(&self, thing: Thing) -> &str {
        let place = self.get(thing).map(|named| named.spelling.clone());
        place.map_or("", |place| self.text.part(place))
    }

    /// Whether it is a lot or a class, whose pieces are alike.
    pub(super) fn is_quantity(&self, thing: Thing) -> bool {
        self.get(thing).is_some_and(|named| named.is_quantity)
    }

    pub(super) fn len(&self) -> usize {
        self.named.len()
    }
}

/// The most texts that are compared in a bucket.
const CROWDED: usize = 16;

/// Things by texts, which are parts of one text: a hash table.
///
/// An attacker could make texts that all go into the same bucket. Such a bucket is full after a few, and further ones go into a tree.
#[derive(Debug, Default)]
struct Texts {
    /// The first entry of each bucket, as its number from 1; 0 if there is none.
    buckets: Vec<u32>,
    entries: Vec<Entry>,
    /// The texts that found their bucket full.
    others: BTreeMap<Box<str>, Thing>,
}

#[derive(Debug)]
struct Entry {
    place: Range<usize>,
    thing: Thing,
    hash: u64,
    /// The next entry of the bucket, as its number from 1; 0 if there is none.
    next: u32,
}

impl Texts {
    fn get(&self, text: &str, hash: u64, whole: &str) -> Option<Thing> {
        let mut entries = self.bucket(hash);
        let found = entries
            .find(|entry| entry.hash == hash && whole.part(entry.place.clone()) == text)
            .map(|entry| entry.thing);
        match found {
            None if !self.others.is_empty() => self.others.get(text).copied(),
            found => found,
        }
    }

    /// The entries of the bucket of a hash.
    fn bucket(&self, hash: u64) -> impl Iterator<Item = &Entry> {
        let first = self.buckets.get(self.place(hash)).copied();
        let entry = |number: u32| self.entries.get((number as usize).checked_sub(1)?);
        let first = first.and_then(entry);
        std::iter::successors(first, move |last| entry(last.next))
    }

    /// The bucket of a hash: there are a power of two.
    fn place(&self, hash: u64) -> usize {
        hash as usize & self.buckets.len().wrapping_sub(1)
    }

    /// Adds a text that is not there.
    fn insert(&mut self, place: Range<usize>, hash: u64, thing: Thing, whole: &str) {
        if 2 * self.entries.len() >= self.buckets.len() {
            self.grow();
        }
        if self.bucket(hash).count() >= CROWDED {
            self.others.insert(whole.part(place).into(), thing);
            return;
        }
        self.entries.push(Entry { place, thing, hash, next: 0 });
        self.link(self.entries.len() - 1);
    }

    /// Puts an entry into its bucket.
    fn link(&mut self, at: usize) {
        let Some(hash) = self.entries.get(at).map(|entry| entry.hash) else { return };
        let bucket = self.place(hash);
        if let (Some(first), Some(entry)) = (self.buckets.get_mut(bucket), self.entries.get_mut(at))
        {
            entry.next = *first;
            *first = u32::try_from(at + 1).unwrap_or(u32::MAX);
        }
    }

    fn grow(&mut self) {
        self.buckets = vec![0; (2 * self.buckets.len()).max(16)];
        for at in 0..self.entries.len() {
            self.link(at);
        }
    }
}

/// A hash that is quick to compute, not hard to guess.
fn hash_of(text: &str) -> u64 {
    let (words, rest) = text.as_bytes().as_chunks();
    let last = rest.iter().fold(1, |word, byte| word << 8 | u64::from(*byte));
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let hash = words.chain([last]).fold(0, |hash: u64, word| {
        (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::NameNumbers;
    use std::collections::BTreeMap;

    #[test]
    fn each_text_is_one_thing() {
        let mut names = NameNumbers::default();
        let mut expected = BTreeMap::new();
        for round in 0..2 {
            for number in 0..5000 {
                let spelling = format!("urn:x:{}", number % 3001);
                let thing = names.thing(&spelling, false);
                let known = *expected.entry(spelling.clone()).or_insert(thing);
                assert_eq!(thing, known, "{round} {spelling}");
                assert_eq!(names.id(thing), spelling);
            }
        }
        assert_eq!(names.len(), 3001);
        let urn = names.thing("urn:epc:id:sscc:9521141.1234567890", false);
        let link = names.id(urn).to_owned();
        assert!(link.starts_with("https://id.gs1.org/00/1952114123456789"), "{link}");
        assert_eq!(names.find(&link), Some(urn));
        assert_eq!(names.thing(&link, true), urn);
        assert!(names.is_quantity(urn));
        assert_eq!(names.spelling(urn), "urn:epc:id:sscc:9521141.1234567890");
    }

    #[test]
    fn a_full_bucket_has_room_elsewhere() {
        let mut names = NameNumbers::default();
        // Texts that share the last bits of their hashes, and so the bucket until there are more buckets than texts.
        let texts: Vec<String> = (0..)
            .map(|number| format!("urn:x:{number}"))
            .filter(|text| super::hash_of(text).is_multiple_of(512))
            .take(200)
            .collect();
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(names.thing(text, false).number(), number);
        }
        assert!(!names.by_spelling.others.is_empty());
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(names.find(text).map(super::Thing::number), Some(number));
        }
    }
}
