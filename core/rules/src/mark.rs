//! The words of `is`: properties of a value, found by looking at it or at the whole document.

use epcis_edge_document::field::ValueKind;
use epcis_edge_document::identifier::mark;

/// Words of `is`, one bit each. The lower half is for marks that are found in the value alone: the first 40 bits for those of
/// [`mark`], the others for those here. The upper half is for marks that are known only after the whole document was read.
pub(super) type Marks = u128;

/// An event hash, by its first letters: `ni:`.
pub(super) const HASH: u64 = 1 << 40;
/// An event hash in a form that no published profile makes.
pub(super) const MALFORMED_HASH: u64 = 1 << 41;
/// A bare word of the vocabulary.
pub(super) const KNOWN_WORD: u64 = 1 << 42;
/// A bare word that is not in the vocabulary.
pub(super) const UNKNOWN_WORD: u64 = 1 << 43;
/// A word of the vocabulary as a URN, a web URI or a CURIE.
pub(super) const KNOWN_LONG_FORM: u64 = 1 << 44;
/// A URN, web URI or CURIE with a prefix of the vocabulary, but none of its words.
pub(super) const UNKNOWN_LONG_FORM: u64 = 1 << 45;
/// A number with a fraction.
pub(super) const FRACTION: u64 = 1 << 46;
/// A number below zero.
pub(super) const NEGATIVE: u64 = 1 << 47;

/// The identity occurs a second time in the same list.
pub(super) const REPEATED: Marks = 1 << 64;
/// The child is its own parent.
pub(super) const OWN_PARENT: Marks = 1 << 65;
/// The child was packed into another parent and was not taken out.
pub(super) const IN_TWO_PARENTS: Marks = 1 << 66;
/// The instance was deleted before.
pub(super) const AFTER_DELETE: Marks = 1 << 67;
/// The instance is added only later.
pub(super) const BEFORE_ADD: Marks = 1 << 68;
/// The instance is written in another form elsewhere.
pub(super) const TWO_FORMS: Marks = 1 << 69;
/// An earlier event has the same name.
pub(super) const REPEATED_ID: Marks = 1 << 70;
/// The error declaration refers to no event of this document.
pub(super) const DECLARES_ABSENT: Marks = 1 << 71;
/// The corrective event is not in this document.
pub(super) const CORRECTIVE_ABSENT: Marks = 1 << 72;

/// The instance went into a transformation before.
pub(super) const AFTER_INPUT: Marks = 1 << 73;
/// The child is packed into something that it contains.
pub(super) const IN_EACH_OTHER: Marks = 1 << 74;
/// An earlier event has the same content, and neither has a name.
pub(super) const REPEATED_EVENT: Marks = 1 << 75;

/// The instance was added by an earlier event, too.
pub(super) const ADDED_TWICE: Marks = 1 << 76;
/// The child is put into a parent that was itself packed or shipped before, and not opened, unpacked or used in another way since.
pub(super) const PACKED_LATE: Marks = 1 << 77;
/// The child is taken out of a parent into which only other children were put.
pub(super) const UNPACKED_ONLY: Marks = 1 << 78;
/// The instance is shipped by itself while it is in a parent.
pub(super) const SHIPPED_INSIDE: Marks = 1 << 79;

/// The marks for which the whole history of containment is needed.
pub(super) const OF_HISTORY: Marks = ADDED_TWICE | PACKED_LATE | UNPACKED_ONLY | SHIPPED_INSIDE;

/// All marks that are known only after the whole document was read.
pub(super) const OF_DOCUMENT: Marks = !(u64::MAX as Marks);

/// The values that a word of `is` applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordTarget {
    Identifier,
    EventId,
    Number,
    Word,
    /// These fields alone.
    Fields(&'static [&'static str]),
    /// The event as a whole.
    Event,
}

/// Fields that hold single instances.
const INSTANCE: WordTarget =
    WordTarget::Fields(&["epcList", "parentID", "childEPCs", "inputEPCList", "outputEPCList"]);
const CHILD: WordTarget = WordTarget::Fields(&["childEPCs"]);
/// `eventID` as the name of the event.
const NAME: WordTarget = WordTarget::Fields(&["eventID"]);
const CORRECTIVE: WordTarget = WordTarget::Fields(&["errorDeclaration.correctiveEventIDs"]);

impl WordTarget {
    pub(super) fn described(self) -> String {
        let described = match self {
            Self::Identifier => "identifiers",
            Self::EventId => "`eventID`, `errorDeclaration.correctiveEventIDs`",
            Self::Number => "numbers",
            Self::Word => "words of the CBV",
            Self::Fields(names) => return format!("`{}`", names.join("`, `")),
            Self::Event => "the event as a whole, in a rule without `at`",
        };
        described.to_owned()
    }
}

/// A word of `is`, its bit, and what it applies to; `schemas/check-pack.schema.json` describes each.
pub(super) type Word = (&'static str, Marks, WordTarget);

/// Every word of `is`.
pub(super) fn words() -> impl Iterator<Item = Word> {
    let of_identifiers = mark::WORDS.iter();
    of_identifiers
        .map(|(name, bit)| (*name, Marks::from(*bit), WordTarget::Identifier))
        .chain(OTHERS)
}

/// The words of `is` that do not apply to identifiers.
#[rustfmt::skip]
static OTHERS: [Word; 24] = [
    ("hash", HASH as Marks, WordTarget::EventId),
    ("malformed-hash", MALFORMED_HASH as Marks, WordTarget::EventId),
    ("known-word", KNOWN_WORD as Marks, WordTarget::Word),
    ("unknown-word", UNKNOWN_WORD as Marks, WordTarget::Word),
    ("known-long-form", KNOWN_LONG_FORM as Marks, WordTarget::Word),
    ("unknown-long-form", UNKNOWN_LONG_FORM as Marks, WordTarget::Word),
    ("fraction", FRACTION as Marks, WordTarget::Number),
    ("negative", NEGATIVE as Marks, WordTarget::Number),
    ("repeated", REPEATED, INSTANCE),
    ("own-parent", OWN_PARENT, CHILD),
    ("in-two-parents", IN_TWO_PARENTS, CHILD),
    ("after-delete", AFTER_DELETE, INSTANCE),
    ("before-add", BEFORE_ADD, INSTANCE),
    ("two-forms", TWO_FORMS, INSTANCE),
    ("repeated-id", REPEATED_ID, NAME),
    ("declares-absent", DECLARES_ABSENT, NAME),
    ("absent", CORRECTIVE_ABSENT, CORRECTIVE),
    ("after-input", AFTER_INPUT, INSTANCE),
    ("packed-in-each-other", IN_EACH_OTHER, CHILD),
    ("repeated-event", REPEATED_EVENT, WordTarget::Event),
    ("added-twice", ADDED_TWICE, INSTANCE),
    ("packed-late", PACKED_LATE, CHILD),
    ("unpacked-only", UNPACKED_ONLY, CHILD),
    ("shipped-inside", SHIPPED_INSIDE, INSTANCE),
];

/// The word with this name.
pub(super) fn named(name: &str) -> Option<Word> {
    words().find(|(known, ..)| *known == name)
}

/// How a value is examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExaminedAs {
    Nothing,
    Identifier,
    EventId,
    Number,
    /// The number of a vocabulary in [`epcis_edge_document::vocabulary::ALL`].
    Word(usize),
    /// A value outside of the standard, of any kind; its text may be an identifier.
    Open,
}

impl ExaminedAs {
    /// How values of a kind are examined.
    pub(super) fn of(kind: ValueKind) -> Self {
        match kind {
            ValueKind::Identifier => Self::Identifier,
            ValueKind::EventId => Self::EventId,
            ValueKind::Number => Self::Number,
            ValueKind::Word(vocabulary) => {
                let all = epcis_edge_document::vocabulary::ALL.iter();
                all.enumerate()
                    .find(|(_, known)| **known == vocabulary)
                    .map_or(Self::Nothing, |(number, _)| Self::Word(number))
            }
            _ => Self::Nothing,
        }
    }
}
