//! The data kept for rules that need the whole document: each instance and each name in twenty bytes.

use super::sort::DigestedPlace;
pub(super) use epcis_edge_document::event::{CHILDREN, EPC_LIST, PARENT};
use epcis_edge_document::event::{
    ERROR_DECLARATION, EVENT_ID, EVENT_TIME, Fields, INPUTS, OUTPUTS, TRANSFORMATION_ID,
};
use epcis_edge_document::field::{AGGREGATION, EventTypes, FieldSet, OBJECT, TRANSFORMATION};
use epcis_edge_document::identifier::{of_text, scan};
use epcis_edge_history::withdrawn;
use epcis_edge_text::json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The history of packing, for all things of a document.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Parents that something was put into.
    pub(super) filled: BTreeSet<u64>,
    /// For each thing, by time: true when it was packed or shipped itself, false when it was unpacked or used in another way.
    pub(super) closed: BTreeMap<u64, Vec<(i64, bool)>>,
    /// Each time that something was taken out of a parent: the parent, and the time.
    pub(super) opened: Vec<(u64, i64)>,
    /// Each time that something was put into a parent: the parent, the time, and the child.
    pub(super) put: Vec<(u64, i64, Occurrence)>,
    /// The children that were taken out of a parent without having been put into it: the parent, and the child.
    pub(super) taken: Vec<(u64, Occurrence)>,
}

/// The roles of a value in its event, as bits.
pub(super) mod role {
    /// It comes into being.
    pub(crate) const ADDED: u8 = 1;
    /// It ceases to exist.
    pub(crate) const DELETED: u8 = 1 << 1;
    /// It is packed into the parent of its event.
    pub(crate) const PACKED: u8 = 1 << 2;
    /// It is taken out of that parent.
    pub(crate) const UNPACKED: u8 = 1 << 3;
    /// It is the parent.
    pub(crate) const PARENT: u8 = 1 << 4;
    /// It is the name of the event.
    pub(crate) const NAME: u8 = 1 << 5;
    /// It is the name of a corrective event.
    pub(crate) const CORRECTIVE: u8 = 1 << 6;
    /// It goes into a transformation.
    pub(crate) const INPUT: u8 = 1 << 7;
    /// Any kind of name.
    pub(crate) const NAMES: u8 = NAME | CORRECTIVE;
}

/// The fields whose values are compared across the document.
pub(super) const FIELDS: [u8; 7] =
    [EPC_LIST, PARENT, CHILDREN, INPUTS, OUTPUTS, EVENT_ID, ERROR_DECLARATION];

/// One use of an instance or a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) value: u32,
    pub(super) event: u32,
    pub(super) role: u8,
    pub(super) field: u8,
}

/// The data kept of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) number: u32,
    /// The number of its time; 0 if it has none.
    pub(super) time: u32,
    /// The digest of its parent, or in a TransformationEvent of its `transformationID`; 0 if it has none.
    pub(super) container: u64,
    /// Whether it does not count because of an error declaration: the history of its instances ignores it.
    pub(super) is_void: bool,
    pub(super) declares_error: bool,
    /// Whether it is a shipment: its `bizStep` is `shipping`.
    pub(super) is_shipment: bool,
    pub(super) is_aggregation: bool,
}

/// One finding: the value, its mark, and the related value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DocumentFinding {
    pub(super) value: u32,
    pub(super) event: u32,
    /// 0 if there is none.
    pub(super) related: u32,
    /// The number of the mark's bit.
    pub(super) mark: u8,
    pub(super) field: u8,
}

/// The instances and names read so far.
#[derive(Debug)]
pub(super) struct DocumentIndex {
    pub(super) occurrences: Vec<Occurrence>,
    /// The digests of the instances.
    pub(super) instances: Vec<DigestedPlace>,
    /// The digests of event names, those of corrective events included.
    pub(super) names: Vec<DigestedPlace>,
    pub(super) events: Vec<Event>,
    /// Parents from which all children were taken out, each with the event that did it.
    pub(super) emptied: Vec<(u64, u32)>,
    /// The events without names; none if no rule looks for repeated events.
    pub(super) unnamed: Option<Unnamed>,
    /// The history of containment; `None` if no rule needs it.
    pub(super) history: Option<History>,
}

/// The events without names.
#[derive(Debug, Default)]
pub(super) struct Unnamed {
    /// Digests of type, time as written, and instances. They are equal for events with the same content.
    pub(super) entries: Vec<DigestedPlace>,
    /// The numbers of the events.
    pub(super) events: Vec<u32>,
    /// The sum of the digests of the current event's instances, so their order does not matter.
    instances: u64,
}

/// What decides the roles of an event's instances: its type and action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roles {
    kind: EventTypes,
    adds: bool,
    deletes: bool,
}

impl Roles {
    pub(super) fn of(fields: &Fields<'_>) -> Self {
        let action = fields.action();
        Self { kind: fields.kind, adds: action == "ADD", deletes: action == "DELETE" }
    }

    fn of_field(self, field: u8) -> u8 {
        match (field, self.kind) {
            (EPC_LIST, OBJECT) if self.adds => role::ADDED,
            (EPC_LIST, OBJECT) if self.deletes => role::DELETED,
            (CHILDREN, AGGREGATION) if self.adds => role::PACKED,
            (CHILDREN, AGGREGATION) if self.deletes => role::UNPACKED,
            (OUTPUTS, _) => role::ADDED,
            (INPUTS, TRANSFORMATION) => role::INPUT,
            (PARENT, _) => role::PARENT,
            (EVENT_ID, _) => role::NAME,
            (ERROR_DECLARATION, _) => role::CORRECTIVE,
            _ => 0,
        }
    }
}

impl DocumentIndex {
    /// `length` is the size of the document in bytes. `tells_repeated`: whether some rule looks for repeated events without names.
    /// `tells_history`: whether some rule needs the history of containment.
    pub(super) fn of(length: usize, tells_repeated: bool, tells_history: bool) -> Self {
        // Typical events have an instance in some hundred bytes; a document with more makes the lists grow.
        Self {
            occurrences: Vec::with_capacity(length / 128),
            instances: Vec::with_capacity(length / 128),
            names: Vec::new(),
            events: Vec::new(),
            emptied: Vec::new(),
            unnamed: tells_repeated.then(Unnamed::default),
            history: tells_history.then(History::default),
        }
    }

    /// Begins an event.
    pub(super) fn begin(&mut self, event: Value<'_>, fields: &Fields<'_>) {
        let declares_error = fields.present & 1 << ERROR_DECLARATION != 0
            && withdrawn::declaration_of(event).is_some();
        let transformation =
            fields.get(TRANSFORMATION_ID).filter(|_| fields.kind == TRANSFORMATION);
        self.events.push(Event {
            number: event.number(),
            time: fields.get(EVENT_TIME).map_or(0, Value::number),
            container: transformation.map_or(0, identity),
            is_void: false,
            declares_error,
            is_shipment: self.history.is_some() && fields.is_shipment(),
            is_aggregation: fields.kind == AGGREGATION,
        });
    }

    /// Adds an instance or a name in a field of the current event.
    pub(super) fn take(&mut self, value: Value<'_>, identity: u64, field: u8, roles: Roles) {
        let role = roles.of_field(field);
        if role == role::PARENT
            && roles.kind != TRANSFORMATION
            && let Some(event) = self.events.last_mut()
        {
            event.container = identity;
        }
        if role & role::NAMES == 0
            && let Some(unnamed) = &mut self.unnamed
        {
            unnamed.instances = unnamed.instances.wrapping_add(identity);
        }
        // A name and an instance are never the same thing.
        let entries = if role & role::NAMES != 0 { &mut self.names } else { &mut self.instances };
        entries.push(DigestedPlace::new(identity, self.occurrences.len()));
        self.occurrences.push(Occurrence {
            value: value.number(),
            event: self.events.len().saturating_sub(1) as u32,
            role,
            field,
        });
    }

    /// Ends the current event.
    pub(super) fn end(&mut self, fields: &Fields<'_>, roles: Roles) {
        if let (Some(unnamed), Some(event)) = (&mut self.unnamed, self.events.last()) {
            unnamed.end(event.number, fields);
        }
        let number = self.events.len().saturating_sub(1) as u32;
        // An event without instances and names is of no use here, and a document may be full of them.
        if self.occurrences.last().is_none_or(|last| last.event != number) {
            self.events.pop();
            return;
        }
        let Some(event) = self.events.last() else { return };
        // A disaggregation without children takes out all of them.
        let is_of_all = roles.kind == AGGREGATION
            && roles.deletes
            && event.container != 0
            && fields.get(CHILDREN).is_none_or(|children| children.elements().next().is_none());
        if is_of_all {
            self.emptied.push((event.container, number));
        }
    }
}

impl Unnamed {
    /// Adds the event if it has no name and declares no error.
    fn end(&mut self, event: u32, fields: &Fields<'_>) {
        let instances = std::mem::take(&mut self.instances);
        const NAMED: FieldSet = 1 << EVENT_ID | 1 << ERROR_DECLARATION;
        if fields.present & NAMED != 0 || fields.kind == 0 {
            return;
        }
        let Some(time) = fields.get(EVENT_TIME).and_then(Value::as_str) else { return };
        let kind = u64::from(fields.kind).rotate_right(8);
        let digest = of_text(time.as_bytes()).wrapping_add(instances) ^ kind;
        self.entries.push(DigestedPlace::new(digest, self.events.len()));
        self.events.push(event);
    }
}

/// The digest of an identifier; 0 if it is not a text.
pub(super) fn identity(value: Value<'_>) -> u64 {
    let text = value.as_str();
    text.map_or(0, |text| scan(text.as_bytes()).identity)
}
