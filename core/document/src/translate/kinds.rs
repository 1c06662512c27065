//! The kinds of documents, events and schemas, and the places of event fields in XML, in the order of the schemas.
//!
//! The places are collected once from the content models of the XML schemas: an element that is in the table of fields gives
//! the home of that field, and the wrappers `extension` and `baseExtension` are entered. A field that EPCIS 1.x does not have
//! is placed at the wildcard of the innermost wrapper: this is not standard, but common practice.
//!
//! Source: EPCIS 1.2 and 2.0, chapter 9.

use crate::field::{EventTypes, FieldSet, OBJECT, number_of};
use crate::vocabulary::EVENT_TYPES;
use epcis_edge_schema::xml::{
    Complex, Content, SCHEMAS, TypeId, TypeKind, Wanted, Wildcard, type_named, type_of,
};
use std::sync::LazyLock;

/// The two families of schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Family {
    /// EPCIS 1.0 to 1.2.
    One,
    /// EPCIS 2.0.
    #[default]
    Two,
}

/// An event type of XML: its number in [`EVENT_TYPES`], or behind them `QuantityEvent`, which 2.0 no longer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventKind(usize);

impl EventKind {
    pub(super) const QUANTITY: Self = Self(EVENT_TYPES.len());

    pub(super) fn of(local: &str) -> Option<Self> {
        let number = EVENT_TYPES.iter().position(|known| *known == local);
        number.map(Self).or((local == "QuantityEvent").then_some(Self::QUANTITY))
    }

    /// The event type in JSON. A quantity event becomes an object event, which EPCIS 1.1 itself names as its replacement.
    pub(super) fn name(self) -> &'static str {
        let [object, ..] = EVENT_TYPES;
        EVENT_TYPES.get(self.0).copied().unwrap_or(object)
    }

    /// The bit of this type in the table of fields.
    pub(super) fn bit(self) -> EventTypes {
        OBJECT << self.0
    }
}

/// The kind of the document element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Root {
    #[default]
    Document,
    Query,
    MasterData,
    Event(EventKind),
}

impl Root {
    /// The kind of the document in JSON, which has no master data documents.
    pub(super) fn in_json(self) -> Self {
        match self {
            Self::MasterData => Self::Document,
            other => other,
        }
    }
}

/// The place of one field in XML.
#[derive(Clone, Debug)]
pub(super) struct Home {
    /// The number of the field in the table of fields.
    pub(super) field: u8,
    /// The elements around it, outermost first.
    pub(super) wrappers: Vec<&'static str>,
    /// Whether the schema requires it.
    pub(super) is_required: bool,
    /// Whether the field is newer than the schema, which does not name it.
    pub(super) is_later: bool,
}

/// The places of all fields of an event type, in the order of the schema.
#[derive(Debug, Default)]
pub(super) struct Homes {
    pub(super) list: Vec<Home>,
    /// The fields that have a place, a bit for each.
    pub(super) fields: FieldSet,
}

/// The homes by [`Family`] and [`EventKind`].
static HOMES: LazyLock<[[Homes; 5]; 2]> = LazyLock::new(|| {
    let [one, _, _, two, ..] = SCHEMAS.each_ref().map(|schema| schema.target);
    let in_two = |name: &str| Homes::within(type_named(two, name), &Later::default());
    let in_one = |name: &str| {
        let found = type_named(one, name);
        if found.is_none() {
            // 1.x has no associations, so they are written as in 2.0.
            return in_two(name);
        }
        let known = Homes::within(found, &Later::default());
        let later = in_two(name).list.into_iter().map(|home| home.field);
        let later = Later {
            fields: later.filter(|field| !known.has(*field)).collect(),
            of_all_events: in_two("EPCISEventType").fields,
        };
        Homes::within(found, &later)
    };
    let types = EVENT_TYPES.map(|name| format!("{name}Type"));
    [types.each_ref().map(|name| in_one(name)), types.each_ref().map(|name| in_two(name))]
});

/// The fields that 2.0 has and 1.x has not.
#[derive(Default)]
struct Later {
    /// Their numbers, in the order of 2.0.
    fields: Vec<u8>,
    /// The fields of 2.0 that all events have.
    of_all_events: FieldSet,
}

impl Homes {
    /// The homes of an event type; `None` for quantity events, which JSON does not have.
    pub(super) fn of(family: Family, kind: EventKind) -> Option<&'static Self> {
        HOMES.get(family as usize)?.get(kind.0)
    }

    /// The homes in a schema type; empty if there is no such type.
    fn within(found: Option<TypeId>, later: &Later) -> Self {
        let mut homes = Self::default();
        if let Some(TypeKind::Complex(complex)) = found.map(|found| &type_of(found).kind) {
            homes.add(complex, false, &mut Vec::new(), later);
        }
        homes
    }

    /// Whether a field has a place.
    pub(super) fn has(&self, field: u8) -> bool {
        self.fields >> field & 1 == 1
    }

    /// Adds the elements of a schema type that is inside of these wrappers.
    fn add(
        &mut self,
        of: &Complex,
        is_base: bool,
        wrappers: &mut Vec<&'static str>,
        later: &Later,
    ) {
        let Content::Elements(particles) = of.content else {
            return;
        };
        for particle in particles {
            let element = match &particle.wanted {
                Wanted::Element(element) => element,
                // The wildcard of a wrapper for elements in no namespace, which only 1.x has.
                Wanted::Wildcard(Wildcard::Local) => {
                    for field in &later.fields {
                        if (later.of_all_events >> field & 1 == 1) == is_base {
                            self.push(*field, wrappers, false, true);
                        }
                    }
                    continue;
                }
                Wanted::Wildcard(_) => continue,
            };
            let name = element.name();
            match &type_of(element.of).kind {
                TypeKind::Complex(inner) if matches!(name, "extension" | "baseExtension") => {
                    wrappers.push(name);
                    self.add(inner, is_base || name == "baseExtension", wrappers, later);
                    wrappers.pop();
                }
                _ => {
                    if let Some(field) = number_of(name) {
                        self.push(field, wrappers, particle.required, false);
                    }
                }
            }
        }
    }

    fn push(&mut self, field: u8, wrappers: &[&'static str], is_required: bool, is_later: bool) {
        self.list.push(Home { field, wrappers: wrappers.to_vec(), is_required, is_later });
        self.fields |= 1 << field;
    }
}
