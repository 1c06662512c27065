//! The words that the standard defines for events, in one index that needs one probe per look-up.

use epcis_edge_text::json::Text;
use epcis_edge_text::slice::Known;
use epcis_edge_text::window;

/// How many of [`WORDS`] can occur in an event hash.
const HASHED: usize = 70;

/// The words by length, then alphabetically. At the end are those of error declarations and master data, which are never hashed.
#[rustfmt::skip]
pub const WORDS: [&str; 76] = [
    "id", "epc", "set", "uom", "ilmd", "sDev", "time", "type", "#text", "unset", "value", "action", "source",
    "bizStep", "comment", "endTime", "epcList", "eventID", "rawData", "bizRules", "deviceID", "epcClass", "maxValue",
    "minValue", "parentID", "percRank", "quantity", "uriValue", "childEPCs", "component", "eventTime", "exception",
    "extension", "meanValue", "percValue", "readPoint", "startTime", "recordTime", "sourceList", "bizLocation",
    "destination", "disposition", "stringValue", "booleanValue", "inputEPCList", "quantityList", "sensorReport",
    "baseExtension", "microorganism", "outputEPCList", "sensorElement", "bizTransaction", "deviceMetadata",
    "hexBinaryValue", "sensorMetadata", "destinationList", "quantityElement", "errorDeclaration", "transformationID",
    "certificationInfo", "chemicalSubstance", "childQuantityList", "inputQuantityList", "sensorElementList",
    "bizTransactionList", "outputQuantityList", "eventTimeZoneOffset", "dataProcessingMethod",
    "persistentDisposition", "coordinateReferenceSystem",
    "reason", "declarationTime", "correctiveEventID", "correctiveEventIDs", "children", "attribute",
];

/// A word of the standard, as its index in [`WORDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word(u8);

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
impl Word {
    /// The word with this name, for constants; an unknown name does not compile.
    pub const fn of(name: &str) -> Self {
        match Self::find_known(name) {
            Some(word) => word,
            None => Self(KEYS[WORDS.len()] as u8),
        }
    }

    /// The word with this name, if there is one, for constants.
    pub(crate) const fn find_known(name: &str) -> Option<Self> {
        let wanted = key(name.as_bytes());
        let mut number = 0;
        while number < WORDS.len() {
            if KEYS[number] == wanted {
                return Some(Self(number as u8));
            }
            number += 1;
        }
        None
    }

    /// The word with this name, if there is one.
    pub fn find(name: &str) -> Option<Self> {
        Self::of_key(key_of(name.as_bytes()), name.as_bytes())
    }

    /// The word that equals a string of a document, if there is one.
    pub fn of_text(name: Text<'_>) -> Option<Self> {
        match name.plain() {
            Some(plain) => Self::of_key(key_with(plain.len(), name.first()), plain),
            None => Self::find(&name.to_cow()),
        }
    }

    fn of_key(wanted: u64, name: &[u8]) -> Option<Self> {
        let number = *SLOTS.get(slot(wanted))?;
        // The key itself contains up to seven bytes of the name.
        let is_same = KEYS.get(usize::from(number)) == Some(&wanted)
            && (name.len() < 8
                || WORDS
                    .get(usize::from(number))
                    .is_some_and(|word| window::are_same(word.as_bytes(), name)));
        is_same.then_some(Self(number))
    }

    /// The word with this index.
    pub(crate) fn at(number: usize) -> Option<Self> {
        (number < WORDS.len()).then_some(Self(number as u8))
    }

    /// The name of the word.
    pub fn name(self) -> &'static str {
        WORDS.get(self.number()).copied().known()
    }

    /// The index of the word.
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// Whether the word can occur in an event hash.
    pub(crate) fn is_hashed(self) -> bool {
        self.number() < HASHED
    }
}

/// The length and the first seven bytes of a name, which together differ between all words.
const fn key(name: &[u8]) -> u64 {
    let mut key = name.len() as u64;
    let mut rest = name;
    let mut count = 0;
    while count < 7 {
        key <<= 8;
        if let Some((byte, tail)) = rest.split_first() {
            key |= *byte as u64;
            rest = tail;
        }
        count += 1;
    }
    key
}

/// As `key`, but fast at run time: reads the bytes at once.
pub fn key_of(name: &[u8]) -> u64 {
    key_with(name.len(), window::first(name))
}

/// The key of a name, from its length and its first eight bytes.
fn key_with(length: usize, first: u64) -> u64 {
    (length as u64) << 56 | first.swap_bytes() >> 8
}

/// The position of a key in [`SLOTS`].
const fn slot(key: u64) -> usize {
    slot_by(FACTOR, key)
}

const fn slot_by(factor: u64, key: u64) -> usize {
    (key.wrapping_mul(factor) >> (u64::BITS - SLOTS_BITS)) as usize
}

/// There are thirteen slots for each word, so that about twenty factors must be tried.
const SLOTS_BITS: u32 = 10;

/// A factor that gives each word a slot of its own: the first such number of a fixed sequence.
const FACTOR: u64 = {
    let mut factor = 0x9e37_79b9_7f4a_7c15_u64;
    let mut tried = 0;
    while !keeps_apart(factor) {
        factor = factor.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(2);
        tried += 1;
        assert!(tried < 1000, "two words are alike in length and in seven letters");
    }
    factor
};

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
const fn keeps_apart(factor: u64) -> bool {
    let mut taken = [false; 1 << SLOTS_BITS];
    let mut number = 0;
    while number < WORDS.len() {
        let at = slot_by(factor, key(WORDS[number].as_bytes()));
        if taken[at] {
            return false;
        }
        taken[at] = true;
        number += 1;
    }
    true
}

/// The keys of the words, in the same order; all are different.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
static KEYS: [u64; WORDS.len()] = {
    let mut keys = [0; WORDS.len()];
    let mut number = 0;
    while number < WORDS.len() {
        keys[number] = key(WORDS[number].as_bytes());
        number += 1;
    }
    keys
};

/// The indices of the words, each in its slot; 255 in empty slots.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
static SLOTS: [u8; 1 << SLOTS_BITS] = {
    let mut slots = [255; 1 << SLOTS_BITS];
    let mut number = 0;
    while number < KEYS.len() {
        slots[slot(KEYS[number])] = number as u8;
        number += 1;
    }
    slots
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_nothing_else() {
        for (number, word) in WORDS.iter().enumerate() {
            assert_eq!(key_of(word.as_bytes()), key(word.as_bytes()));
            assert_eq!(Word::find(word), Some(Word(number as u8)), "{word}");
            assert_eq!(Word::of(word), Word(number as u8), "{word}");
        }
        for other in ["", "bizStepx", "bizSte", "transformationIE", "coordinateReferenceSysteM"] {
            assert_eq!(Word::find(other), None);
        }
    }
}
