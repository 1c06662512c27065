//! The GS1 keys that identifiers are made of, as URNs and as Digital Links have them: two tables.
//!
//! **Source**: TDS 2.0; GS1 Digital Link URI syntax 1.3; GS1 General Specifications for the lengths.

use super::characters::Tail;
use super::mark;

/// What names a thing, as the number of its application identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Key {
    Sscc = 2,
    Gtin = 3,
    Lot = 10,
    Serial = 21,
    Upui = 235,
    Gdti = 253,
    Sgln = 254,
    Sgcn = 255,
    Ginc = 401,
    Gsin = 402,
    Pgln = 417,
    Grai = 8003,
    Giai = 8004,
    Itip = 8006,
    ItipSerial = 8007,
    Cpi = 8010,
    CpiSerial = 8011,
    Gsrnp = 8017,
    Gsrn = 8018,
}

/// What stands between the scheme of a URN and its serial.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A company prefix and a reference, so many digits together; the first of them may stand before the reference.
    Digits { leading: bool, count: usize },
    /// A company prefix and free text, at most so many characters together.
    Free { most: usize, reference: Tail },
}

/// A scheme of EPC URNs.
#[derive(Debug)]
pub(super) struct UrnScheme {
    /// What it names together with its serial.
    pub(super) key: Key,
    pub(super) mark: u64,
    pub(super) shape: Shape,
    pub(super) tail: Tail,
}

impl UrnScheme {
    /// The characters of the reference, where it is free text.
    pub(super) fn reference(&self) -> Tail {
        match self.shape {
            Shape::Free { reference, .. } => reference,
            Shape::Digits { .. } => Tail::None,
        }
    }

    /// Whether it names classes or things.
    pub(super) fn level(&self) -> u64 {
        if self.mark == mark::LGTIN {
            mark::CLASS
        } else {
            mark::INSTANCE
        }
    }
}

const fn digits(key: Key, mark: u64, (leading, count): (bool, usize), tail: Tail) -> UrnScheme {
    UrnScheme {
        key,
        mark,
        shape: Shape::Digits { leading, count },
        tail,
    }
}

const fn free(key: Key, mark: u64, reference: Tail, tail: Tail) -> UrnScheme {
    UrnScheme {
        key,
        mark,
        shape: Shape::Free {
            most: 30,
            reference,
        },
        tail,
    }
}

/// In the order of [`of_urn`].
#[rustfmt::skip]
const URNS: [UrnScheme; 16] = [
    digits(Key::Serial, mark::SGTIN, (true, 13), Tail::Any(20)),
    digits(Key::Sscc, mark::SSCC, (true, 17), Tail::None),
    digits(Key::Sgln, mark::SGLN, (false, 12), Tail::Any(20)),
    digits(Key::Lot, mark::LGTIN, (true, 13), Tail::Any(20)),
    digits(Key::Pgln, mark::PGLN, (false, 12), Tail::None),
    digits(Key::Grai, mark::GRAI, (false, 12), Tail::Any(16)),
    free(Key::Giai, mark::GIAI, Tail::Any(30), Tail::None),
    digits(Key::Gdti, mark::GDTI, (false, 12), Tail::Any(17)),
    digits(Key::Gsrn, mark::GSRN, (false, 17), Tail::None),
    digits(Key::Gsrnp, mark::GSRNP, (false, 17), Tail::None),
    digits(Key::Gsin, mark::GSIN, (false, 16), Tail::None),
    free(Key::Ginc, mark::GINC, Tail::Any(30), Tail::None),
    digits(Key::Sgcn, mark::SGCN, (false, 12), Tail::Digits(12)),
    free(Key::CpiSerial, mark::CPI, Tail::Part(30), Tail::Number(12)),
    digits(Key::ItipSerial, mark::ITIP, (true, 13), Tail::Any(20)),
    digits(Key::Upui, mark::UPUI, (true, 13), Tail::Any(28)),
];

/// Schemes that TDS has and that are of no GS1 key.
pub(super) const WITHOUT_KEY: [&[u8]; 5] = [b"gid", b"usdod", b"adi", b"bic", b"imovn"];

/// The scheme of this name.
#[inline]
pub(super) fn of_urn(name: &[u8]) -> Option<&'static UrnScheme> {
    static TABLE: [UrnScheme; 16] = URNS;
    // A match compares numbers, a search through the table calls for each name.
    let place = match name {
        b"sgtin" => 0,
        b"sscc" => 1,
        b"sgln" => 2,
        b"lgtin" => 3,
        b"pgln" => 4,
        b"grai" => 5,
        b"giai" => 6,
        b"gdti" => 7,
        b"gsrn" => 8,
        b"gsrnp" => 9,
        b"gsin" => 10,
        b"ginc" => 11,
        b"sgcn" => 12,
        b"cpi" => 13,
        b"itip" => 14,
        b"upui" => 15,
        _ => return None,
    };
    TABLE.get(place)
}

/// The value of a primary key in a Digital Link.
#[derive(Clone, Copy, Debug)]
pub(super) enum LinkValue {
    /// Digits, as many as one of these numbers; the last is a check digit. So many stand before the company prefix.
    Digits {
        counts: &'static [usize],
        before: usize,
    },
    /// A GTIN, a piece and a total.
    Pieces,
    /// So many digits, the last a check digit, and a serial right behind them.
    Headed {
        count: usize,
        before: usize,
        tail: Tail,
    },
    /// The company prefix and free text.
    Free { most: usize, reference: Tail },
}

/// A primary key of Digital Links.
#[derive(Debug)]
pub(super) struct LinkKey {
    pub(super) key: Key,
    pub(super) mark: u64,
    pub(super) value: LinkValue,
    /// What it names without a qualifier.
    pub(super) level: u64,
}

const fn link(key: Key, (mark, level): (u64, u64), value: LinkValue) -> LinkKey {
    LinkKey {
        key,
        mark,
        value,
        level,
    }
}

const fn whole(counts: &'static [usize], before: usize) -> LinkValue {
    LinkValue::Digits { counts, before }
}

const fn headed(count: usize, before: usize, tail: Tail) -> LinkValue {
    LinkValue::Headed {
        count,
        before,
        tail,
    }
}

const fn text(reference: Tail) -> LinkValue {
    LinkValue::Free {
        most: 30,
        reference,
    }
}

const THING: u64 = mark::INSTANCE;

/// In the order of [`of_link`].
#[rustfmt::skip]
const LINKS: [LinkKey; 14] = [
    link(Key::Gtin, (mark::GTIN, mark::CLASS), whole(&[8, 12, 13, 14], 1)),
    link(Key::Sscc, (mark::SSCC, THING), whole(&[18], 1)),
    link(Key::Sgln, (mark::SGLN, THING), whole(&[13], 0)),
    link(Key::Pgln, (mark::PGLN, THING), whole(&[13], 0)),
    link(Key::Grai, (mark::GRAI, mark::CLASS), headed(14, 1, Tail::Any(16))),
    link(Key::Giai, (mark::GIAI, THING), text(Tail::Any(30))),
    link(Key::Itip, (mark::ITIP, mark::CLASS), LinkValue::Pieces),
    link(Key::Cpi, (mark::CPI, mark::CLASS), text(Tail::Part(30))),
    link(Key::Gsrnp, (mark::GSRNP, THING), whole(&[18], 0)),
    link(Key::Gsrn, (mark::GSRN, THING), whole(&[18], 0)),
    link(Key::Gdti, (mark::GDTI, mark::CLASS), headed(13, 0, Tail::Any(17))),
    link(Key::Sgcn, (mark::SGCN, mark::CLASS), headed(13, 0, Tail::Digits(12))),
    link(Key::Ginc, (mark::GINC, THING), text(Tail::Any(30))),
    link(Key::Gsin, (mark::GSIN, THING), whole(&[17], 0)),
];

/// The primary key of a segment of a path, by its number or its short name.
#[inline]
pub(super) fn of_link(segment: &[u8]) -> Option<&'static LinkKey> {
    static TABLE: [LinkKey; 14] = LINKS;
    let place = match segment {
        b"01" | b"gtin" => 0,
        b"00" | b"sscc" => 1,
        b"414" | b"gln" => 2,
        b"417" | b"party" => 3,
        b"8003" | b"grai" => 4,
        b"8004" | b"giai" => 5,
        b"8006" | b"itip" => 6,
        b"8010" | b"cpid" => 7,
        b"8017" | b"gsrnp" => 8,
        b"8018" | b"gsrn" => 9,
        b"253" | b"gdti" => 10,
        b"255" | b"gcn" => 11,
        b"401" | b"ginc" => 12,
        b"402" | b"gsin" => 13,
        _ => return None,
    };
    TABLE.get(place)
}

/// What may follow a primary key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Qualifier {
    /// A higher rank is finer; rank 0 names nothing.
    pub(super) rank: u8,
    /// What key and qualifier name together.
    pub(super) key: Key,
    pub(super) mark: u64,
    pub(super) level: u64,
    pub(super) tail: Tail,
}

/// The qualifier of a segment of a path, as this key has it.
pub(super) fn qualifier(of: Key, segment: &[u8]) -> Option<Qualifier> {
    let made = |rank, key, mark, level, tail| Qualifier {
        rank,
        key,
        mark,
        level,
        tail,
    };
    let twenty = Tail::Any(20);
    Some(match (of, segment) {
        (Key::Gtin, b"22" | b"cpv") => made(0, Key::Gtin, mark::GTIN, mark::CLASS, twenty),
        (Key::Gtin, b"10" | b"lot") => made(1, Key::Lot, mark::LGTIN, mark::CLASS, twenty),
        (Key::Gtin, b"21" | b"ser") => made(2, Key::Serial, mark::SGTIN, THING, twenty),
        (Key::Gtin, b"235") => made(2, Key::Upui, mark::UPUI, THING, Tail::Any(28)),
        (Key::Itip, b"22" | b"cpv") => made(0, Key::Itip, mark::ITIP, mark::CLASS, twenty),
        (Key::Itip, b"10" | b"lot") => made(1, Key::Lot, mark::ITIP, mark::CLASS, twenty),
        (Key::Itip, b"21" | b"ser") => made(2, Key::ItipSerial, mark::ITIP, THING, twenty),
        (Key::Sgln, b"254") => made(1, Key::Sgln, mark::SGLN, THING, twenty),
        (Key::Cpi, b"8011") => made(1, Key::CpiSerial, mark::CPI, THING, Tail::Number(12)),
        _ => return None,
    })
}
