//! The table of GS1 keys, one row each: its parts, its form in a Digital Link and in an EPC URN, and what may follow it.
//!
//! Used by readers, writers, the marks of `check`, the patterns of `query`, and the identifier builders of the package and the page.
//!
//! **Source**: TDS 2.0; GS1 Digital Link URI syntax 1.3; GS1 General Specifications for the lengths.

use super::characters::Tail;
use super::mark;

/// A GS1 key: a company prefix, a reference and their check digit, or a company prefix and free text.
#[derive(Debug)]
pub struct Key {
    /// The application identifier: `01`.
    pub ai: &'static str,
    /// The short name in a Digital Link: `gtin`.
    pub(super) word: &'static str,
    /// The name at GS1: `GTIN`.
    pub(super) name: &'static str,
    /// What distinguishes it from another key of that name: `of a provider`.
    pub(super) whose: &'static str,
    /// The number of digits in a Digital Link, check digit included; 0 for free text.
    pub digits: usize,
    /// Shorter forms that are also allowed, by their number of digits; they are filled up with leading zeros.
    pub(super) shorter: &'static [usize],
    /// A leading zero that only fills a place: a GRAI has 13 digits, its element string 14.
    pub filler: &'static str,
    /// Whether one digit, the indicator or the extension digit, precedes the company prefix. In URNs it follows the prefix.
    pub leads: bool,
    /// Whether a piece number and the total of pieces follow the digits, two digits each.
    pub has_pieces: bool,
    /// The characters of free text, company prefix and reference together.
    pub(super) text: Tail,
    /// The serial directly after the key.
    pub(super) tail: Tail,
    /// The marks of the key without a qualifier.
    pub(super) marks: u64,
    /// The scheme of EPC URNs for this key without a qualifier; empty if there is none.
    urn: &'static str,
    pub(super) qualifiers: &'static [Qualifier],
}

/// A qualifier, which may follow a key in a Digital Link.
#[derive(Debug)]
pub struct Qualifier {
    /// The application identifier between slashes, as in a path: `/21/`.
    pub step: &'static str,
    /// The short name: `ser`; empty if there is none.
    word: &'static str,
    pub(super) name: &'static str,
    /// The level: a higher rank is finer, and rank 0 does not count as a level.
    pub(super) rank: u8,
    /// The marks of the key with this qualifier.
    pub(super) marks: u64,
    pub(super) tail: Tail,
    /// The scheme of EPC URNs for the key with this qualifier; empty if there is none.
    urn: &'static str,
    /// The value that a URN has in place of a missing qualifier.
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

/// All keys. If an element string has several, the first in this table is its primary key.
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

/// Schemes of TDS that belong to no GS1 key.
pub(super) const WITHOUT_KEY: [&[u8]; 5] = [b"gid", b"usdod", b"adi", b"bic", b"imovn"];

/// The key that a path segment names, by number or short name.
pub(super) fn of_link(segment: &[u8]) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.ai.as_bytes() == segment || key.word.as_bytes() == segment)
}

impl Key {
    /// The qualifier that a path segment names.
    pub(super) fn qualifier(&self, segment: &[u8]) -> Option<&'static Qualifier> {
        let named = |name: &str| !name.is_empty() && name.as_bytes() == segment;
        let mut qualifiers = self.qualifiers.iter();
        qualifiers.find(|one| named(one.ai()) || named(one.word))
    }

    /// Whether the value is a company prefix with free text.
    pub fn is_text(&self) -> bool {
        self.digits == 0
    }

    /// How many digits of the key a URN contains: all but the check digit and the filler.
    pub(crate) fn digits_of_urn(&self) -> usize {
        self.digits.saturating_sub(1 + self.filler.len())
    }

    /// How many digits precede the company prefix in a Digital Link.
    pub(super) fn before_prefix(&self) -> usize {
        self.filler.len() + usize::from(self.leads)
    }

    /// Whether the key may be written with this number of digits.
    pub(super) fn may_have(&self, digits: usize) -> bool {
        digits == self.digits || self.shorter.contains(&digits)
    }

    /// The kind of thing that the key with this qualifier identifies: the name of its scheme, such as `lgtin`; without a scheme,
    /// the short name of the key, such as `gtin`.
    pub(super) fn kind(&self, qualifier: Option<&Qualifier>) -> &'static str {
        match qualifier.map_or(self.urn, |one| one.urn) {
            "" => self.word,
            name => name,
        }
    }

    /// The scheme of URNs for the key with this qualifier, or without one.
    ///
    /// If URNs of a key always have a qualifier, the key alone gets the scheme of its instances: a pattern in that scheme names the key.
    pub(super) fn scheme(&'static self, qualifier: Option<&'static Qualifier>) -> Option<Scheme> {
        let qualifier = match qualifier {
            None if self.urn.is_empty() => self.qualifiers.iter().find(|one| one.names_things()),
            qualifier => qualifier,
        };
        let scheme = Scheme { key: self, qualifier };
        (!scheme.name().is_empty()).then_some(scheme)
    }
}

impl Qualifier {
    /// The application identifier.
    pub(super) fn ai(&self) -> &'static str {
        self.step.trim_matches('/')
    }

    fn names_things(&self) -> bool {
        self.marks & THING != 0 && !self.urn.is_empty()
    }
}

/// A scheme of EPC URNs: a key, and the qualifier that its URNs contain, if any.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// The key.
    pub key: &'static Key,
    /// The qualifier in its URNs.
    pub qualifier: Option<&'static Qualifier>,
}

impl Scheme {
    /// The scheme with this name.
    pub fn named(name: &[u8]) -> Option<Self> {
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

    /// The name: `sgtin`.
    pub(super) fn name(&self) -> &'static str {
        self.qualifier.map_or(self.key.urn, |one| one.urn)
    }

    /// The characters of the serial, lot or extension.
    pub(super) fn tail(&self) -> Tail {
        self.qualifier.map_or(self.key.tail, |one| one.tail)
    }

    /// Whether a serial, a lot or an extension follows the key.
    pub fn has_serial(&self) -> bool {
        self.tail() != Tail::None
    }

    /// The marks of a URN in this scheme.
    pub(super) fn marks(&self) -> u64 {
        match self.qualifier {
            Some(qualifier) => qualifier.marks,
            None => self.key.marks & !CLASS | THING,
        }
    }

    /// Whether the scheme is for classes, whose URNs have a form of their own.
    pub fn is_of_classes(&self) -> bool {
        self.marks() & CLASS != 0
    }

    /// The value that stands in a URN for a missing serial.
    pub fn absent(&self) -> Option<&'static str> {
        self.qualifier.and_then(|one| one.absent)
    }
}
