//! Events: the fields of all event types in all their homes, whatever version the document claims.
//!
//! Source: EPCIS 1.2, 9.5 and EPCIS 2.0, 9.5 (XML), EPCIS 2.0, 10 (JSON).

use super::Mapper;
use super::extension::Member;
use crate::translate::namespace::Namespace;
use crate::translate::report;
use crate::translate::tree::{Element, push_sparingly};
use crate::translate::value::kind_of_element;
use crate::translate::write::Place;

/// The event types of XML, the one that is gone in 2.0 included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::translate) enum EventKind {
    Object,
    Aggregation,
    Transaction,
    Transformation,
    Association,
    Quantity,
}

impl EventKind {
    pub(in crate::translate) fn of(local: &str) -> Option<Self> {
        Some(match local {
            "ObjectEvent" => Self::Object,
            "AggregationEvent" => Self::Aggregation,
            "TransactionEvent" => Self::Transaction,
            "TransformationEvent" => Self::Transformation,
            "AssociationEvent" => Self::Association,
            "QuantityEvent" => Self::Quantity,
            _ => return None,
        })
    }

    /// The type in JSON: EPCIS 1.1 itself names the object event as what replaces the quantity event.
    fn name(self) -> &'static str {
        match self {
            Self::Object | Self::Quantity => "ObjectEvent",
            Self::Aggregation => "AggregationEvent",
            Self::Transaction => "TransactionEvent",
            Self::Transformation => "TransformationEvent",
            Self::Association => "AssociationEvent",
        }
    }

    fn bit(self) -> u8 {
        1 << (self as u8)
    }
}

const OBJECT: u8 = 1;
const AGGREGATION: u8 = 2;
const TRANSACTION: u8 = 4;
const TRANSFORMATION: u8 = 8;
const ASSOCIATION: u8 = 16;
const QUANTITY: u8 = 32;
const ALL: u8 = 63;

/// How a field of an event is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::translate) enum Shape {
    Leaf,
    /// Certificates: one is a string, several are an array.
    Leaves,
    /// A list of strings, each in an element of this name.
    Strings(&'static str),
    Quantities,
    Place,
    Transactions,
    Endpoints(&'static str),
    Sensors,
    PersistentDisposition,
    ErrorDeclaration,
    Ilmd,
    /// What only the quantity event has; it is written with the list that replaces it.
    OfQuantityEvent,
}

/// The fields of events: name, which event types have it, shape. The place in this table is the number of the field.
const FIELDS: [(&str, u8, Shape); 29] = [
    ("eventTime", ALL, Shape::Leaf),
    ("recordTime", ALL, Shape::Leaf),
    ("eventTimeZoneOffset", ALL, Shape::Leaf),
    ("eventID", ALL, Shape::Leaf),
    ("errorDeclaration", ALL, Shape::ErrorDeclaration),
    ("certificationInfo", ALL, Shape::Leaves),
    (
        "parentID",
        AGGREGATION | TRANSACTION | ASSOCIATION,
        Shape::Leaf,
    ),
    ("epcList", OBJECT | TRANSACTION, Shape::Strings("epc")),
    (
        "childEPCs",
        AGGREGATION | ASSOCIATION,
        Shape::Strings("epc"),
    ),
    ("inputEPCList", TRANSFORMATION, Shape::Strings("epc")),
    ("outputEPCList", TRANSFORMATION, Shape::Strings("epc")),
    ("quantityList", OBJECT | TRANSACTION, Shape::Quantities),
    (
        "childQuantityList",
        AGGREGATION | ASSOCIATION,
        Shape::Quantities,
    ),
    ("inputQuantityList", TRANSFORMATION, Shape::Quantities),
    ("outputQuantityList", TRANSFORMATION, Shape::Quantities),
    ("action", ALL & !TRANSFORMATION & !QUANTITY, Shape::Leaf),
    ("transformationID", TRANSFORMATION, Shape::Leaf),
    ("bizStep", ALL, Shape::Leaf),
    ("disposition", ALL, Shape::Leaf),
    ("persistentDisposition", ALL, Shape::PersistentDisposition),
    ("readPoint", ALL, Shape::Place),
    ("bizLocation", ALL, Shape::Place),
    ("bizTransactionList", ALL, Shape::Transactions),
    ("sourceList", ALL, Shape::Endpoints("source")),
    ("destinationList", ALL, Shape::Endpoints("destination")),
    ("sensorElementList", ALL, Shape::Sensors),
    ("ilmd", OBJECT | TRANSFORMATION, Shape::Ilmd),
    ("epcClass", QUANTITY, Shape::OfQuantityEvent),
    ("quantity", QUANTITY, Shape::OfQuantityEvent),
];

/// Where a field of this length, first and last letter stands in [`SLOTS`]; no two fields share a place.
const fn slot(name: &[u8]) -> usize {
    match name {
        [first, .., last] => (name.len() * 8 + *first as usize * 3 + *last as usize * 25) % 64,
        _ => 0,
    }
}

/// The number of the field that may be meant, by its [`slot`]; `FIELDS.len()` where there is none.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
const SLOTS: [u8; 64] = {
    let mut slots = [FIELDS.len() as u8; 64];
    let mut number = 0;
    while number < FIELDS.len() {
        let at = slot(FIELDS[number].0.as_bytes());
        assert!(slots[at] == FIELDS.len() as u8);
        slots[at] = number as u8;
        number += 1;
    }
    slots
};

/// A field: its number, which event types have it, its shape.
pub(in crate::translate) fn field(local: &str) -> Option<(u8, u8, Shape)> {
    let &number = SLOTS.get(slot(local.as_bytes()))?;
    let &(name, kinds, shape) = FIELDS.get(usize::from(number))?;
    (name == local).then_some((number, kinds, shape))
}

/// The number of a field that is known when the program is built; 255 for what is no field.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated when the program is built: an index out of bounds does not compile"
)]
pub(in crate::translate) const fn number_of(name: &str) -> u8 {
    let name = name.as_bytes();
    let mut number = 0;
    while number < FIELDS.len() {
        let field = FIELDS[number].0.as_bytes();
        let mut at = 0;
        while at < field.len() && at < name.len() && field[at] == name[at] {
            at += 1;
        }
        if at == field.len() && at == name.len() {
            return number as u8;
        }
        number += 1;
    }
    255
}

/// The number of a field of events, below 29.
pub(in crate::translate) fn field_number(local: &str) -> Option<usize> {
    field(local).map(|(number, ..)| usize::from(number))
}

/// Whether the standard has an element of this name in an event or in master data, wherever that is.
pub(in crate::translate) fn is_field(local: &str) -> bool {
    field(local).is_some()
        || matches!(
            local,
            "declarationTime"
                | "reason"
                | "correctiveEventID"
                | "id"
                | "sensorMetadata"
                | "sensorReport"
                | "attribute"
                | "children"
        )
}

/// What an event was found to have while its children are gone through.
#[derive(Default)]
struct Found<'t, 'x> {
    seen: u32,
    certificates: Vec<Element<'t, 'x>>,
    extensions: Vec<Member<'t, 'x>>,
    epc_class: Option<Element<'t, 'x>>,
    quantity: Option<Element<'t, 'x>>,
}

impl Mapper<'_> {
    /// Writes an event as an object.
    ///
    /// A bare event may have attributes of a document; the names in `known` were taken care of.
    pub(in crate::translate) fn event(
        &mut self,
        event: Element<'_, '_>,
        kind: EventKind,
        known: &[&str],
    ) {
        let origin = (event.index(), Place::Element);
        self.out.begin_object(origin);
        self.out.key("type");
        self.out.string(kind.name(), origin);
        if kind == EventKind::Quantity {
            self.find(event, report::QUANTITY_EVENT);
        }
        let mut found = Found::default();
        self.extension_attributes(event, known, &mut found.extensions);
        self.fields(event, kind, false, &mut found);
        self.certificates(&found.certificates);
        if kind == EventKind::Quantity {
            self.quantity_event(event, &found);
        }
        let members = std::mem::take(&mut found.extensions);
        self.members(&members, event);
        self.out.end_object();
    }

    /// Attributes in a namespace become members; the others have no home.
    pub(super) fn extension_attributes<'t, 'x>(
        &mut self,
        element: Element<'t, 'x>,
        known: &[&str],
        members: &mut Vec<Member<'t, 'x>>,
    ) {
        for (number, attribute) in element.attributes().iter().enumerate() {
            let namespace = attribute.name.namespace;
            if namespace.is_foreign() || namespace == Namespace::XML {
                members.push(Member::attribute(element, number));
            } else if !known.contains(&attribute.name.local)
                && !self.check_instance_attribute(element, number, attribute)
            {
                let (place, value) = (Place::Attribute(number), Some(&*attribute.value));
                self.find_at(element, place, report::ATTRIBUTE_NO_HOME, value);
            }
        }
    }

    fn fields<'t, 'x>(
        &mut self,
        holder: Element<'t, 'x>,
        kind: EventKind,
        in_wrapper: bool,
        found: &mut Found<'t, 'x>,
    ) {
        self.check_no_text(holder);
        for child in holder.children() {
            if !child.is_standard() {
                push_sparingly(&mut found.extensions, Member::element(child));
                continue;
            }
            let local = child.local();
            if matches!(local, "extension" | "baseExtension") {
                self.check_name(child);
                self.extension_attributes(child, &[], &mut found.extensions);
                self.fields(child, kind, true, found);
                continue;
            }
            let Some((number, kinds, shape)) = field(local) else {
                self.leave_out_unknown(child, in_wrapper);
                continue;
            };
            if kinds & kind.bit() == 0 {
                self.leave_out_unknown(child, in_wrapper);
                continue;
            }
            self.check_name(child);
            let bit = 1_u32 << number;
            if found.seen & bit != 0 && shape != Shape::Leaves {
                self.leave_out(child, report::REPEATED_ELEMENT);
                continue;
            }
            found.seen |= bit;
            self.field(child, shape, found);
        }
    }

    fn field<'t, 'x>(&mut self, element: Element<'t, 'x>, shape: Shape, found: &mut Found<'t, 'x>) {
        let local = element.local();
        match shape {
            Shape::Leaf => {
                self.leaf(Some(local), kind_of_element(local), element);
            }
            Shape::Leaves => found.certificates.push(element),
            Shape::Strings(item) => self.strings(local, item, element),
            Shape::Quantities => self.quantities(element),
            Shape::Place => self.place(element),
            Shape::Transactions => self.typed_list(element, "bizTransaction"),
            Shape::Endpoints(item) => self.typed_list(element, item),
            Shape::Sensors => self.sensors(element),
            Shape::PersistentDisposition => self.persistent_disposition(element),
            Shape::ErrorDeclaration => self.error_declaration(element),
            Shape::Ilmd => self.ilmd(element),
            Shape::OfQuantityEvent if local == "epcClass" => found.epc_class = Some(element),
            Shape::OfQuantityEvent => found.quantity = Some(element),
        }
    }

    fn certificates(&mut self, certificates: &[Element<'_, '_>]) {
        match certificates {
            [] => {}
            [one] => {
                self.leaf(Some("certificationInfo"), kind_of_element(""), *one);
            }
            [first, ..] => {
                self.out.key("certificationInfo");
                self.out.begin_array((first.index(), Place::Element));
                for &certificate in certificates {
                    self.leaf(None, kind_of_element(""), certificate);
                }
                self.out.end_array();
            }
        }
    }

    /// The quantity event as EPCIS 1.1 (7.2.11) words its replacement.
    fn quantity_event(&mut self, event: Element<'_, '_>, found: &Found<'_, '_>) {
        let origin = (event.index(), Place::Element);
        self.out.key("epcList");
        self.out.begin_array(origin);
        self.out.end_array();
        self.out.key("action");
        self.out.string("OBSERVE", origin);
        self.out.key("quantityList");
        self.out.begin_array(origin);
        self.out.begin_object(origin);
        for element in [found.epc_class, found.quantity].into_iter().flatten() {
            let local = element.local();
            self.leaf(Some(local), kind_of_element(local), element);
        }
        self.out.end_object();
        self.out.end_array();
    }
}
