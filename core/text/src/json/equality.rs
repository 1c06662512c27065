//! Equality of values, whatever their spelling. As in JSON Schema, `1` equals `1.0`, and members have no order.
//!
//! Why are repeated entries found by sorting?
//! `uniqueItems` over a list of ten million bytes must take neither quadratic time nor a multiple of the list's size in memory.
//! So eight bytes per entry, hash and position, are sorted, a short head of the list first.
//! Values with equal hashes are then neighbours and are compared. If they are not all equal, they are hashed again with another
//! seed: an attacker who wants many comparisons must find values that collide under all seeds.
//! A list that is validated while it is read has no nodes and needs none here: each entry is read again by itself.

use super::{Cursor, Document, Kind, MAX_LENGTH, Tag, Text, Value};
use crate::order::{sort_numbers, sort_stably_by};
use crate::slice::Known;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// How many entries of a long array are checked first: repeated entries mostly occur early.
const FIRST: usize = 1024;

/// The lower bits of a key, which hold the index of a node or the offset of an entry; the upper bits hold the hash. A document
/// has fewer nodes than bytes, and at most 2^28 bytes.
const PLACE_BITS: u32 = 28;

const _: () = assert!(MAX_LENGTH <= 1 << PLACE_BITS, "a place in every document");

/// How many more hashes are tried for values that collide, of 36 bits each.
const ROUNDS: u64 = 4;

/// A number, compared by its value.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Number {
    Whole(i128),
    /// The bits of a float that is not whole, or that is very large.
    Float(u64),
}

impl Number {
    /// Reads a number as `serde_json` does: 64-bit integers exactly, all others as floats.
    fn of(written: &str) -> Self {
        if let Ok(whole) = written.parse::<u64>() {
            return Self::Whole(whole.into());
        }
        if let Ok(whole) = written.parse::<i64>() {
            return Self::Whole(whole.into());
        }
        // INVARIANT: the reader accepts only finite floats.
        let float = written.parse::<f64>().ok().known();
        if float.fract() == 0.0 && float.abs() < 1e38 {
            Self::Whole(float as i128)
        } else {
            Self::Float(float.to_bits())
        }
    }
}

impl<'d> Value<'d> {
    /// The positions of the first entry that equals an earlier one: the earlier position, then its own.
    ///
    /// Time: that of sorting, whatever the entries. Memory: eight bytes per entry.
    pub fn repeated_entry(self) -> Option<(usize, usize)> {
        let count = self.elements().count();
        let mut limit = FIRST;
        loop {
            let taken = limit.min(count);
            let mut keys: Vec<u64> = Vec::with_capacity(taken);
            keys.extend(self.elements().take(taken).map(|entry| key(entry.hash(0), entry.index)));
            if let Some((earlier, later)) = repeated(&mut keys, self.document) {
                let place = |node| self.elements().take_while(|entry| entry.index < node).count();
                return Some((place(earlier), place(later)));
            }
            if taken == count {
                return None;
            }
            limit *= 4;
        }
    }

    /// A hash, equal for equal values. To find collisions, an attacker must try many values.
    fn hash(self, round: u64) -> u64 {
        let mut hasher = hasher(round);
        self.hash_into(&mut hasher, round);
        hasher.finish()
    }

    fn hash_into(self, hasher: &mut DefaultHasher, round: u64) {
        let tag = self.tag();
        match tag {
            Tag::Null | Tag::False | Tag::True => (tag as u8).hash(hasher),
            Tag::Number => Number::of(self.source()).hash(hasher),
            Tag::String | Tag::EscapedString => {
                self.as_str().known().hash(hasher);
            }
            Tag::Array => {
                (tag as u8).hash(hasher);
                self.elements().for_each(|entry| entry.hash_into(hasher, round));
                (tag as u8).hash(hasher);
            }
            Tag::Object => {
                // A sum, since members have no order.
                let members = self.members().map(|(name, member)| {
                    let mut hasher = self::hasher(round);
                    name.to_cow().hash(&mut hasher);
                    member.hash_into(&mut hasher, round);
                    hasher.finish()
                });
                members.fold(0_u64, u64::wrapping_add).hash(hasher);
            }
        }
    }

    /// A total order of all values. Equal values compare as equal.
    fn compare(self, other: Self) -> Ordering {
        let kind = |value: Self| value.kind() as u8;
        match (self.tag(), other.tag()) {
            (Tag::Number, Tag::Number) => {
                Number::of(self.source()).cmp(&Number::of(other.source()))
            }
            (Tag::Array, Tag::Array) => {
                let pairs = self.elements().zip(other.elements());
                let differing =
                    pairs.map(|(ours, theirs)| ours.compare(theirs)).find(|order| order.is_ne());
                let lengths = || self.elements().count().cmp(&other.elements().count());
                differing.unwrap_or_else(lengths)
            }
            (Tag::Object, Tag::Object) => compare_objects(self, other),
            (Tag::False, Tag::True) => Ordering::Less,
            (Tag::True, Tag::False) => Ordering::Greater,
            _ => match (self.as_str(), other.as_str()) {
                (Some(ours), Some(theirs)) => ours.cmp(&theirs),
                _ => kind(self).cmp(&kind(other)),
            },
        }
    }
}

fn compare_objects<'d>(ours: Value<'d>, theirs: Value<'d>) -> Ordering {
    let text = |object: Value<'d>, name: u32| {
        let text = object.document.text_of(name as usize);
        text.known().to_cow()
    };
    let names = |object: Value<'d>| {
        let mut names = Vec::with_capacity(object.members().count());
        // The node of a member's name precedes that of its value.
        names.extend(object.members().map(|(_, member)| member.index as u32 - 1));
        sort_numbers(&mut names, &|&one, &other| text(object, one).cmp(&text(object, other)));
        names
    };
    let (our_names, their_names) = (names(ours), names(theirs));
    let value = |object: Value<'d>, name: u32| Value {
        document: object.document,
        index: name as usize + 1,
    };
    let pairs = our_names.iter().zip(&their_names);
    let orders = pairs.map(|(&one, &other)| {
        text(ours, one)
            .cmp(&text(theirs, other))
            .then_with(|| value(ours, one).compare(value(theirs, other)))
    });
    let differing = { orders }.find(|order| order.is_ne());
    differing.unwrap_or_else(|| our_names.len().cmp(&their_names.len()))
}

impl Cursor<'_> {
    /// Whether all entries of the next array differ. Returns `None` if it cannot be read.
    ///
    /// Time and memory: as [`Value::repeated_entry`], with one entry in memory at a time.
    pub fn is_unique(self) -> Option<bool> {
        let few = self.are_few_and_unique();
        few.or_else(|| self.are_many_and_unique())
    }

    fn are_many_and_unique(self) -> Option<bool> {
        let count = self.count()?;
        let mut limit = FIRST;
        loop {
            let mut keys: Vec<u64> = Vec::with_capacity(limit.min(count));
            let mut entries = self;
            let mut is_first = entries.open()?;
            while keys.len() < limit && entries.entry(&mut is_first)? {
                // `kind` skips the white space before the entry, so that its offset is exact.
                entries.kind()?;
                let place = entries.place();
                keys.push(key(entries.hash(0)?, place));
            }
            if repeated(&mut keys, &Entries(self)).is_some() {
                return Some(false);
            }
            if limit >= count {
                return Some(true);
            }
            limit *= 4;
        }
    }

    /// The number of entries in the next array.
    fn count(mut self) -> Option<usize> {
        let mut count = 0;
        let mut is_first = self.open()?;
        while self.entry(&mut is_first)? {
            self.pass()?;
            count += 1;
        }
        Some(count)
    }

    /// Like [`Value::hash`], for the next value; moves past it.
    fn hash(&mut self, round: u64) -> Option<u64> {
        if self.kind()? == Kind::String {
            return Some(hash_of_text(self.string()?, round));
        }
        let (document, behind) = self.read()?;
        *self = behind;
        Some(document.root().hash(round))
    }
}

/// Items at positions in a text or document that can be hashed and compared.
pub(super) trait Hashed {
    /// A hash, equal for equal items; each round uses another seed.
    fn hash(&self, place: usize, round: u64) -> u64;
    /// An order in which equal items are neighbours.
    fn compare(&self, one: usize, other: usize) -> Ordering;
}

/// The values of a document, by node index.
impl Hashed for Document<'_> {
    fn hash(&self, place: usize, round: u64) -> u64 {
        self.value_of(place as u32).hash(round)
    }

    fn compare(&self, one: usize, other: usize) -> Ordering {
        self.value_of(one as u32).compare(self.value_of(other as u32))
    }
}

/// The entries of an array that is validated while it is read, by byte offset.
struct Entries<'t>(Cursor<'t>);

impl<'t> Entries<'t> {
    fn at(&self, place: usize) -> Cursor<'t> {
        Cursor::at(self.0.base(), place, self.0.depth() + 1)
    }
}

// The entries were read before, so nothing fails here.
impl Hashed for Entries<'_> {
    fn hash(&self, place: usize, round: u64) -> u64 {
        self.at(place).hash(round).known()
    }

    fn compare(&self, one: usize, other: usize) -> Ordering {
        let entries = self.at(one).read().zip(self.at(other).read());
        entries.map_or(Ordering::Equal, |((one, _), (other, _))| one.root().compare(other.root()))
    }
}

fn hasher(round: u64) -> DefaultHasher {
    let mut hasher = DefaultHasher::new();
    round.hash(&mut hasher);
    hasher
}

/// A hash, equal for equal texts; each round uses another seed.
pub(super) fn hash_of_text(text: Text<'_>, round: u64) -> u64 {
    let mut hasher = hasher(round);
    text.to_cow().hash(&mut hasher);
    hasher.finish()
}

/// A sort key: the hash, then the position.
pub(super) fn key(hash: u64, place: usize) -> u64 {
    (hash << PLACE_BITS) | place as u64
}

/// The position in a key.
fn place(key: u64) -> usize {
    (key & ((1 << PLACE_BITS) - 1)) as usize
}

/// The positions of two equal values; the later one comes as early as possible.
fn repeated(keys: &mut [u64], values: &dyn Hashed) -> Option<(usize, usize)> {
    let mut first: Option<(usize, usize)> = None;
    for_each_repeated(keys, values, 0, &mut |earlier, later| {
        if first.is_none_or(|(_, known)| later < known) {
            first = Some((earlier, later));
        }
    });
    first
}

/// Calls `tell` for each repeated value, with its position and that of the next equal one; `keys` are those of this round.
///
/// Time: that of sorting numbers. Each value is compared only a few times, even if an attacker chose the values.
pub(super) fn for_each_repeated(
    keys: &mut [u64],
    values: &dyn Hashed,
    round: u64,
    tell: &mut dyn FnMut(usize, usize),
) {
    keys.sort_unstable();
    let is_equal = |pair: &&[u64]| matches!(**pair, [one, other] if values.compare(place(one), place(other)) == Ordering::Equal);
    for same in keys.chunk_by_mut(|one, other| one >> PLACE_BITS == other >> PLACE_BITS) {
        // Each value is in at most two pairs, so this is linear.
        if same.windows(2).all(|pair| is_equal(&pair)) {
            report_pairs(same.windows(2), tell);
        } else if round < ROUNDS {
            for key in &mut *same {
                let place = place(*key);
                *key = self::key(values.hash(place, round + 1), place);
            }
            for_each_repeated(same, values, round + 1, tell);
        } else {
            sort_stably_by(same, &|&one, &other| {
                let order = values.compare(place(one), place(other));
                order.then(one.cmp(&other))
            });
            report_pairs(same.windows(2).filter(is_equal), tell);
        }
    }
}

fn report_pairs<'k>(pairs: impl Iterator<Item = &'k [u64]>, tell: &mut dyn FnMut(usize, usize)) {
    for pair in pairs {
        if let [one, other] = *pair {
            tell(place(one), place(other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes give the first repeated entry; a cursor says only whether there is one. Both must agree.
    fn first(text: &str) -> Option<(usize, usize)> {
        let document = Document::read(text.as_bytes()).unwrap();
        let first = document.root().repeated_entry();
        let cursor = Cursor::decode(text.as_bytes()).unwrap();
        assert_eq!(cursor.is_unique(), Some(first.is_none()), "{text}");
        first
    }

    #[test]
    fn equal_values_are_found_whatever_their_spelling() {
        for (text, expected) in [
            ("[]", None),
            ("[1]", None),
            ("[1, 1.0]", Some((0, 1))),
            ("[0, -0.0]", Some((0, 1))),
            ("[-1, 2, -1e0]", Some((0, 2))),
            ("[9007199254740993, 9007199254740992]", None),
            ("[9007199254740992, 9007199254740992.0]", Some((0, 1))),
            ("[18446744073709551616, 18446744073709551617]", Some((0, 1))),
            ("[0.1, 0.10]", Some((0, 1))),
            ("[null, false, true, 0, \"\", [], {}]", None),
            (r#"["a", "b", "\u0061"]"#, Some((0, 2))),
            (r#"[{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}]"#, Some((0, 1))),
            (r#"[{"a": 1, "b": 2}, {"a": 2, "b": 1}]"#, None),
            (r#"[{"a": 1}, {"a": 0, "a": 1}]"#, Some((0, 1))),
            ("[[1, 2], [2, 1], [[1, 2]], [1, 2]]", Some((0, 3))),
            ("[[], [[]], {}, [{}]]", None),
        ] {
            assert_eq!(first(text), expected, "{text}");
            // Also when placed after many others.
            let others: Vec<String> = (100..1500).map(|n| n.to_string()).collect();
            let rest = text.strip_prefix('[').unwrap();
            let long = format!("[{},{rest}", others.join(",")).replace(",]", "]");
            let shifted = expected.map(|(one, other)| (one + 1400, other + 1400));
            assert_eq!(first(&long), shifted, "{text}");
        }
    }

    #[test]
    fn the_first_repeated_entry_of_many_is_told() {
        let mut entries: Vec<String> = (0..5000).map(|n| format!("\"entry {n}\"")).collect();
        entries[4000] = entries[7].clone();
        entries[3000] = entries[2999].clone();
        assert_eq!(first(&format!("[{}]", entries.join(","))), Some((2999, 3000)));
    }

    #[test]
    fn values_whose_hashes_collide_are_told_apart() {
        let mut known = std::collections::BTreeMap::new();
        let (one, other) = (0_u32..)
            .find_map(|number| {
                let text = number.to_string();
                let document = Document::read(text.as_bytes()).unwrap();
                let other = known.insert(key(document.root().hash(0), 0), number)?;
                Some((other, number))
            })
            .unwrap();
        let pairs = vec![format!("{one},{other}"); 2000].join(",");
        assert_eq!(first(&format!("[{pairs}]")), Some((0, 2)));
        let others: Vec<String> = (0..5000).map(|n| format!("\"{n}\"")).collect();
        let others = others.join(",");
        assert_eq!(first(&format!("[{others},{one},{other}]")), None);
        assert_eq!(first(&format!("[{others},{one},{other},{one}]")), Some((5000, 5002)));
    }

    #[test]
    fn equal_hashes_are_no_proof() {
        let text = r#"[1, 2, {"a": 1}, {"a": 2}, "x", "y", "x"]"#;
        let document = Document::read(text.as_bytes()).unwrap();
        let mut keys: Vec<u64> =
            document.root().elements().map(|entry| entry.index as u64).collect();
        let (earlier, later) = repeated(&mut keys, &document).unwrap();
        assert_eq!((earlier, later), (9, 11));
        keys = document.root().elements().map(|entry| entry.index as u64).collect();
        keys.pop();
        keys.retain(|key| *key != 11);
        assert_eq!(repeated(&mut keys, &document), None);
    }
}
