//! Where the fields of events stand in XML, in the order of the schemas.
//!
//! Drawn from the content models that the judge of XML has, when the program is built: an element that is a field of the table
//! of fields is its home, and the wrappers `extension` and `baseExtension` are gone into. What EPCIS 1.x has no place for
//! stands where anything may, in the innermost wrapper: not standard, but in use.
//!
//! Source: EPCIS 1.2 and 2.0, chapter 9.

use super::kinds::{EventKind, Family};
use crate::field::{EVENT, number_known};
use epcis_edge_schema::xml::{
    Complex, Content, NAMES, NamespaceId, Particle, SCHEMAS, TYPES, TypeKind, Wanted, Wildcard,
};

/// The place of one field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home {
    /// The number of the field in the table of fields.
    pub(super) field: u8,
    /// The elements around it, outermost first.
    pub(super) wrappers: &'static [&'static str],
    /// Whether the schema requires it.
    pub(super) is_required: bool,
    /// Whether the schema does not name it.
    pub(super) is_later: bool,
}

/// The most fields that an event has.
const MOST: usize = EVENT.len();

/// The places of all fields of an event.
#[derive(Debug)]
pub(super) struct Homes {
    homes: [Home; MOST],
    count: usize,
    /// The fields that have a place, a bit for each.
    pub(super) fields: u32,
}

impl Homes {
    /// The homes of events of a type; none for that of quantity events, which JSON does not have.
    pub(super) fn of(family: Family, kind: EventKind) -> Option<&'static Self> {
        HOMES.get(family as usize)?.get(kind as usize)
    }

    /// In the order in which the schema has them.
    pub(super) fn list(&self) -> &[Home] {
        self.homes.get(..self.count).unwrap_or_default()
    }
}

/// By the number of the family, and by that of the event type.
static HOMES: [[Homes; 5]; 2] = {
    const ONE: NamespaceId = SCHEMAS[0].target;
    const TWO: NamespaceId = SCHEMAS[3].target;
    [
        [
            homes(ONE, "ObjectEventType"),
            homes(ONE, "AggregationEventType"),
            homes(ONE, "TransactionEventType"),
            homes(ONE, "TransformationEventType"),
            // 1.x does not have it: where anything may stand, it stands as in 2.0.
            homes(TWO, "AssociationEventType"),
        ],
        [
            homes(TWO, "ObjectEventType"),
            homes(TWO, "AggregationEventType"),
            homes(TWO, "TransactionEventType"),
            homes(TWO, "TransformationEventType"),
            homes(TWO, "AssociationEventType"),
        ],
    ]
};

/// The wrappers, by how deep they stand, around what all events have, and around what a type of them has.
const BASE: [&[&str]; 3] = [&[], &["baseExtension"], &["baseExtension", "extension"]];
const OWN: [&[&str]; 3] = [&[], &["extension"], &["extension", "extension"]];

/// What is written where anything may stand, in either.
const BASE_LATER: [&str; 1] = ["certificationInfo"];
const OWN_LATER: [&str; 2] = ["sensorElementList", "persistentDisposition"];

const fn homes(namespace: NamespaceId, of: &str) -> Homes {
    let nothing = Home {
        field: u8::MAX,
        wrappers: &[],
        is_required: false,
        is_later: false,
    };
    let mut homes = Homes {
        homes: [nothing; MOST],
        count: 0,
        fields: 0,
    };
    homes.add_all(complex_named(namespace, of), false, 0);
    homes
}

#[expect(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "evaluated when the program is built: what goes wrong does not compile"
)]
impl Homes {
    const fn add_all(&mut self, of: &Complex, is_base: bool, depth: usize) {
        let Content::Elements(particles) = of.content else {
            panic!("events and their wrappers hold elements");
        };
        let mut number = 0;
        while number < particles.len() {
            self.add(&particles[number], is_base, depth);
            number += 1;
        }
    }

    const fn add(&mut self, particle: &Particle, is_base: bool, depth: usize) {
        let wrappers = if is_base { BASE } else { OWN }[depth];
        let element = match &particle.wanted {
            Wanted::Element(element) => element,
            // A wrapper with room for anything: only those of 1.x have any for elements in no namespace.
            Wanted::Wildcard(Wildcard::Local) => {
                let later: &[&str] = if is_base { &BASE_LATER } else { &OWN_LATER };
                let mut number = 0;
                while number < later.len() {
                    self.push(later[number], wrappers, false, true);
                    number += 1;
                }
                return;
            }
            Wanted::Wildcard(_) => return,
        };
        let name = NAMES[element.name as usize];
        let starts_base = is_same(name, "baseExtension");
        if !starts_base && !is_same(name, "extension") {
            return self.push(name, wrappers, particle.required, false);
        }
        match &TYPES[element.of as usize].kind {
            TypeKind::Complex(complex) => self.add_all(complex, is_base || starts_base, depth + 1),
            _ => panic!("wrappers hold elements"),
        }
    }

    const fn push(
        &mut self,
        name: &str,
        wrappers: &'static [&'static str],
        is_required: bool,
        is_later: bool,
    ) {
        let field = number_known(name);
        assert!(
            field != u8::MAX,
            "the table of fields lacks a field of events"
        );
        self.homes[self.count] = Home {
            field,
            wrappers,
            is_required,
            is_later,
        };
        self.count += 1;
        self.fields |= 1 << field;
    }
}

#[expect(clippy::indexing_slicing, clippy::panic, reason = "as above")]
const fn complex_named(namespace: NamespaceId, name: &str) -> &'static Complex {
    let mut number = 0;
    while number < TYPES.len() {
        let known = &TYPES[number];
        if known.namespace == namespace && is_same(known.name, name) {
            match &known.kind {
                TypeKind::Complex(complex) => return complex,
                _ => panic!("events hold elements"),
            }
        }
        number += 1;
    }
    panic!("the content models lack a type of events")
}

#[expect(clippy::indexing_slicing, reason = "as above")]
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut number = 0;
    while number < one.len() && number < other.len() && one[number] == other[number] {
        number += 1;
    }
    number == one.len() && number == other.len()
}
