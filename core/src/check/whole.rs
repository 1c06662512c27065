//! What is kept of a document to tell what only the whole of it tells: each instance and each name in twenty bytes.

use super::fields::Fields;
use super::sort::Entry;
use crate::field::{self, AGGREGATION, OBJECT};
use crate::json::{Text, Value};

/// What a value stands for in its event, as bits.
pub(super) mod role {
    /// It is brought into being.
    pub(crate) const ADDED: u8 = 1;
    /// It ends.
    pub(crate) const DELETED: u8 = 1 << 1;
    /// It is put into the parent of its event.
    pub(crate) const PACKED: u8 = 1 << 2;
    /// It is taken out of it.
    pub(crate) const UNPACKED: u8 = 1 << 3;
    /// It is the parent.
    pub(crate) const PARENT: u8 = 1 << 4;
    /// It is the name of the event.
    pub(crate) const NAME: u8 = 1 << 5;
    /// It is the name of a corrective event.
    pub(crate) const CORRECTIVE: u8 = 1 << 6;
    /// A name, of one kind or the other.
    pub(crate) const NAMES: u8 = NAME | CORRECTIVE;
}

const EPC_LIST: u8 = field::number_known("epcList");
pub(super) const PARENT: u8 = field::number_known("parentID");
pub(super) const CHILDREN: u8 = field::number_known("childEPCs");
const INPUTS: u8 = field::number_known("inputEPCList");
const OUTPUTS: u8 = field::number_known("outputEPCList");
const EVENT_ID: u8 = field::number_known("eventID");
const ERROR_DECLARATION: u8 = field::number_known("errorDeclaration");
const ACTION: u8 = field::number_known("action");
const EVENT_TIME: u8 = field::number_known("eventTime");

/// The fields whose values are looked at together.
pub(super) const FIELDS: [u8; 7] = [
    EPC_LIST,
    PARENT,
    CHILDREN,
    INPUTS,
    OUTPUTS,
    EVENT_ID,
    ERROR_DECLARATION,
];

/// An instance or a name somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) value: u32,
    pub(super) event: u32,
    pub(super) role: u8,
    pub(super) field: u8,
}

/// What is kept of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) number: u32,
    /// The number of its time; 0 where it has none.
    pub(super) time: u32,
    /// The digest of its parent; 0 where it has none.
    pub(super) parent: u64,
    /// Whether it declares an error, or one is declared about it: then it tells nothing of its instances.
    pub(super) is_void: bool,
    pub(super) declares_error: bool,
}

/// The instances and names of a document so far.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) occurrences: Vec<Occurrence>,
    /// Of the instances.
    pub(super) instances: Vec<Entry>,
    /// Of the names of events.
    pub(super) names: Vec<Entry>,
    pub(super) events: Vec<Event>,
    /// Parents whose children were all taken out, and the events in which that was.
    pub(super) emptied: Vec<(u64, u32)>,
}

/// The roles of the instances of an event, by its fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roles {
    deletes: bool,
    adds: bool,
    is_object: bool,
    is_aggregation: bool,
}

impl Roles {
    pub(super) fn of(fields: &Fields<'_>) -> Self {
        let action = fields.get(ACTION).and_then(Value::as_text);
        let action = action.and_then(Text::plain).unwrap_or_default();
        Self {
            deletes: action == b"DELETE",
            adds: action == b"ADD",
            is_object: fields.kind == OBJECT,
            is_aggregation: fields.kind == AGGREGATION,
        }
    }

    fn of_field(self, field: u8) -> u8 {
        match field {
            EPC_LIST if self.is_object && self.adds => role::ADDED,
            EPC_LIST if self.is_object && self.deletes => role::DELETED,
            CHILDREN if self.is_aggregation && self.adds => role::PACKED,
            CHILDREN if self.is_aggregation && self.deletes => role::UNPACKED,
            OUTPUTS => role::ADDED,
            PARENT => role::PARENT,
            EVENT_ID => role::NAME,
            ERROR_DECLARATION => role::CORRECTIVE,
            _ => 0,
        }
    }
}

impl Whole {
    /// For a document of so many bytes.
    pub(super) fn of(length: usize) -> Self {
        // Typical events have an instance in some hundred bytes; growing is for those that have more.
        Self {
            occurrences: Vec::with_capacity(length / 128),
            instances: Vec::with_capacity(length / 128),
            names: Vec::new(),
            events: Vec::new(),
            emptied: Vec::new(),
        }
    }

    /// Begins an event.
    pub(super) fn begin(&mut self, event: Value<'_>, fields: &Fields<'_>) {
        let declares_error = fields.present & 1 << ERROR_DECLARATION != 0;
        self.events.push(Event {
            number: event.number(),
            time: fields.get(EVENT_TIME).map_or(0, Value::number),
            parent: 0,
            is_void: declares_error,
            declares_error,
        });
    }

    /// Takes up an instance or a name in a field of the event that was begun last.
    pub(super) fn take(&mut self, value: Value<'_>, identity: u64, field: u8, roles: Roles) {
        let role = roles.of_field(field);
        if role == role::PARENT
            && let Some(event) = self.events.last_mut()
        {
            event.parent = identity;
        }
        // Names and instances are never the same thing.
        let entries = if role & role::NAMES != 0 {
            &mut self.names
        } else {
            &mut self.instances
        };
        entries.push(Entry::new(identity, self.occurrences.len()));
        self.occurrences.push(Occurrence {
            value: value.number(),
            event: self.events.len().saturating_sub(1) as u32,
            role,
            field,
        });
    }

    /// Ends the event that was begun last.
    pub(super) fn end(&mut self, fields: &Fields<'_>, roles: Roles) {
        let number = self.events.len().saturating_sub(1) as u32;
        // One that nothing was taken from tells nothing; a document may be full of them.
        if self
            .occurrences
            .last()
            .is_none_or(|last| last.event != number)
        {
            self.events.pop();
            return;
        }
        let Some(event) = self.events.last() else {
            return;
        };
        // A disaggregation that names no children is of all of them.
        let is_of_all = roles.is_aggregation
            && roles.deletes
            && event.parent != 0
            && fields
                .get(CHILDREN)
                .is_none_or(|children| children.elements().next().is_none());
        if is_of_all {
            self.emptied.push((event.parent, number));
        }
    }
}
