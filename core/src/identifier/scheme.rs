//! The keys of GS1, one row each: what a key is made of, how it stands in a Digital Link and in an EPC URN, what may follow it.
//!
//! Readers, writers, the marks of `check`, the patterns of `query`, the builders of the package and the page ask this table.
//!
//! **Source**: TDS 2.0; GS1 Digital Link URI syntax 1.3; GS1 General Specifications for the lengths.

use super::characters::Tail;
use super::mark;

/// A key of GS1: a company prefix, a reference and their check digit, or a company prefix and free text.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its application identifier: `01`.
    pub(crate) ai: &'static str,
    /// Its short name in a Digital Link: `gtin`.
    pub(super) word: &'static str,
    /// What GS1 calls it: `GTIN`.
    pub(super) name: &'static str,
    /// What sets it apart from another key of that name: `of a provider`.
    pub(super) whose: &'static str,
    /// How many digits it has in a Digital Link, with the check digit; 0 where it is free text.
    pub(crate) digits: usize,
    /// With how many digits it is written as well; zeros before them fill it up.
    pub(super) shorter: &'static [usize],
    /// A zero at its beginning that only fills a place: a GRAI has 13 digits, its element string 14.
    pub(crate) filler: &'static str,
    /// Whether one digit, the indicator or the extension digit, stands before the company prefix; URNs have it behind.
    pub(crate) leads: bool,
    /// Whether the number of a piece and their total stand behind its digits, two digits each.
    pub(crate) has_pieces: bool,
    /// The characters of free text, company prefix and reference together.
    pub(super) text: Tail,
    /// The serial right behind it.
    pub(super) tail: Tail,
    /// What it names without a qualifier.
    pub(super) marks: u64,
    /// The scheme of EPC URNs that has this key and no qualifier; empty where there is none.
    urn: &'static str,
    pub(super) qualifiers: &'static [Qualifier],
}

/// What may follow a key in a Digital Link.
#[derive(Debug)]
pub(crate) struct Qualifier {
    /// Its application identifier between slashes, as it stands in a path: `/21/`.
    pub(crate) step: &'static str,
    /// Its short name: `ser`; empty where it has none.
    word: &'static str,
    pub(super) name: &'static str,
    /// A higher rank is finer; rank 0 names nothing.
    pub(super) rank: u8,
    /// What key and qualifier name together.
    pub(super) marks: u64,
    pub(super) tail: Tail,
    /// The scheme of EPC URNs that has the key and this; empty where there is none.
    urn: &'static str,
    /// What a URN has in its place to say that there is none.
    pub(crate) absent: Option<&'static str>,
}

const THING: u64 = mark::INSTANCE;
const CLASS: u64 = mark::CLASS;

const KEY: Key = Key {
    ai: "",
    word: "",
    name: "",
    whose: "",
    digits: 0,
    shorter: &[],
    filler: "",
    leads: false,
    has_pieces: false,
    text: Tail::None,
    tail: Tail::None,
    marks: 0,
    urn: "",
    qualifiers: &[],
};

const QUALIFIER: Qualifier = Qualifier {
    step: "",
    word: "",
    name: "",
    rank: 1,
    marks: 0,
    tail: Tail::Any(20),
    urn: "",
    absent: None,
};

/// Every key. What is first here is what an element string with several keys is about.
#[rustfmt::skip]
pub(super) static KEYS: [Key; 14] = [
    Key { ai: "01", word: "gtin", name: "GTIN", digits: 14, shorter: &[8, 12, 13], leads: true, marks: mark::GTIN | CLASS, qualifiers: &[
        Qualifier { step: "/22/", word: "cpv", name: "consumer product variant", rank: 0, marks: mark::GTIN | CLASS, ..QUALIFIER },
        Qualifier { step: "/10/", word: "lot", name: "batch or lot", marks: mark::LGTIN | CLASS, urn: "lgtin", ..QUALIFIER },
        Qualifier { step: "/21/", word: "ser", name: "serial number", rank: 2, marks: mark::SGTIN | THING, urn: "sgtin", ..QUALIFIER },
        Qualifier { step: "/235/", name: "third-party serial", rank: 2, marks: mark::UPUI | THING, tail: Tail::Any(28), urn: "upui", ..QUALIFIER },
    ], ..KEY },
    Key { ai: "8006", word: "itip", name: "ITIP", digits: 14, leads: true, has_pieces: true, marks: mark::ITIP | CLASS, qualifiers: &[
        Qualifier { step: "/22/", word: "cpv", name: "consumer product variant", rank: 0, marks: mark::ITIP | CLASS, ..QUALIFIER },
        Qualifier { step: "/10/", word: "lot", name: "batch or lot", marks: mark::ITIP | CLASS, ..QUALIFIER },
        Qualifier { step: "/21/", word: "ser", name: "serial number", rank: 2, marks: mark::ITIP | THING, urn: "itip", ..QUALIFIER },
    ], ..KEY },
    Key { ai: "8003", word: "grai", name: "GRAI", digits: 14, filler: "0", tail: Tail::Any(16), marks: mark::GRAI | CLASS, urn: "grai", ..KEY },
    Key { ai: "00", word: "sscc", name: "SSCC", digits: 18, leads: true, marks: mark::SSCC | THING, urn: "sscc", ..KEY },
    Key { ai: "8004", word: "giai", name: "GIAI", text: Tail::Any(30), marks: mark::GIAI | THING, urn: "giai", ..KEY },
    Key { ai: "8010", word: "cpid", name: "CPI", text: Tail::Part(30), marks: mark::CPI | CLASS, qualifiers: &[
        Qualifier { step: "/8011/", name: "serial number", marks: mark::CPI | THING, tail: Tail::Number(12), urn: "cpi", ..QUALIFIER },
    ], ..KEY },
    Key { ai: "8017", word: "gsrnp", name: "GSRN", whose: "of a provider", digits: 18, marks: mark::GSRNP | THING, urn: "gsrnp", ..KEY },
    Key { ai: "8018", word: "gsrn", name: "GSRN", whose: "of a recipient", digits: 18, marks: mark::GSRN | THING, urn: "gsrn", ..KEY },
    Key { ai: "253", word: "gdti", name: "GDTI", digits: 13, tail: Tail::Any(17), marks: mark::GDTI | CLASS, urn: "gdti", ..KEY },
    Key { ai: "255", word: "gcn", name: "GCN", digits: 13, tail: Tail::Digits(12), marks: mark::SGCN | CLASS, urn: "sgcn", ..KEY },
    Key { ai: "402", word: "gsin", name: "GSIN", digits: 17, marks: mark::GSIN | THING, urn: "gsin", ..KEY },
    Key { ai: "401", word: "ginc", name: "GINC", text: Tail::Any(30), marks: mark::GINC | THING, urn: "ginc", ..KEY },
    Key { ai: "414", word: "gln", name: "GLN", digits: 13, marks: mark::SGLN | THING, qualifiers: &[
        Qualifier { step: "/254/", name: "extension", marks: mark::SGLN | THING, urn: "sgln", absent: Some("0"), ..QUALIFIER },
    ], ..KEY },
    Key { ai: "417", word: "party", name: "GLN", whose: "of a party", digits: 13, marks: mark::PGLN | THING, urn: "pgln", ..KEY },
];

/// Schemes that TDS has and that are of no GS1 key.
pub(super) const WITHOUT_KEY: [&[u8]; 5] = [b"gid", b"usdod", b"adi", b"bic", b"imovn"];

/// The key of a segment of a path, by its number or its short name.
pub(super) fn of_link(segment: &[u8]) -> Option<&'static Key> {
    KEYS.iter()
        .find(|key| key.ai.as_bytes() == segment || key.word.as_bytes() == segment)
}

impl Key {
    /// The qualifier of a segment of a path.
    pub(super) fn qualifier(&self, segment: &[u8]) -> Option<&'static Qualifier> {
        let named = |name: &str| !name.is_empty() && name.as_bytes() == segment;
        let mut qualifiers = self.qualifiers.iter();
        qualifiers.find(|one| named(one.ai()) || named(one.word))
    }

    /// Whether its value is a company prefix and free text.
    pub(crate) fn is_text(&self) -> bool {
        self.digits == 0
    }

    /// How many digits of it come from a URN: neither the check digit nor a zero that fills a place.
    pub(crate) fn digits_of_urn(&self) -> usize {
        self.digits.saturating_sub(1 + self.filler.len())
    }

    /// How many digits stand before the company prefix in a Digital Link.
    pub(super) fn before_prefix(&self) -> usize {
        self.filler.len() + usize::from(self.leads)
    }

    /// Whether a value has as many digits as this key may be written with.
    pub(super) fn may_have(&self, digits: usize) -> bool {
        digits == self.digits || self.shorter.contains(&digits)
    }

    /// The scheme of URNs for the key with this qualifier, or without one.
    ///
    /// A key that is always written with a qualifier in URNs has the finest one: its pattern names the key.
    pub(super) fn scheme(&'static self, qualifier: Option<&'static Qualifier>) -> Option<Scheme> {
        let qualifier = match qualifier {
            None if self.urn.is_empty() => self.qualifiers.iter().find(|one| one.names_things()),
            qualifier => qualifier,
        };
        let scheme = Scheme {
            key: self,
            qualifier,
        };
        (!scheme.name().is_empty()).then_some(scheme)
    }
}

impl Qualifier {
    /// Its application identifier.
    pub(super) fn ai(&self) -> &'static str {
        self.step.trim_matches('/')
    }

    fn names_things(&self) -> bool {
        self.marks & THING != 0 && !self.urn.is_empty()
    }
}

/// A scheme of EPC URNs: a key, and what of its qualifiers stands behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scheme {
    pub(crate) key: &'static Key,
    pub(crate) qualifier: Option<&'static Qualifier>,
}

impl Scheme {
    /// The scheme of this name.
    pub(crate) fn named(name: &[u8]) -> Option<Self> {
        let mut keys = KEYS.iter().filter(|_| !name.is_empty());
        keys.find_map(|key| {
            let of = |qualifier| Self { key, qualifier };
            if key.urn.as_bytes() == name {
                return Some(of(None));
            }
            let mut qualifiers = key.qualifiers.iter();
            let found = qualifiers.find(|one| one.urn.as_bytes() == name)?;
            Some(of(Some(found)))
        })
    }

    /// Its name: `sgtin`.
    pub(super) fn name(&self) -> &'static str {
        self.qualifier.map_or(self.key.urn, |one| one.urn)
    }

    /// What stands behind the key.
    pub(super) fn tail(&self) -> Tail {
        self.qualifier.map_or(self.key.tail, |one| one.tail)
    }

    /// Whether a serial, a lot or an extension stands behind the key.
    pub(crate) fn has_serial(&self) -> bool {
        self.tail() != Tail::None
    }

    /// What a URN of it names.
    pub(super) fn marks(&self) -> u64 {
        match self.qualifier {
            Some(qualifier) => qualifier.marks,
            None => self.key.marks & !CLASS | THING,
        }
    }

    /// Whether it names classes, which have a form of URN of their own.
    pub(crate) fn is_of_classes(&self) -> bool {
        self.marks() & CLASS != 0
    }

    /// What stands in a URN where there is no serial.
    pub(crate) fn absent(&self) -> Option<&'static str> {
        self.qualifier.and_then(|one| one.absent)
    }
}
