//! The fields of one event, found in one pass over its members.

use super::path::WHOLE;
use epcis_edge_document::field::{
    AGGREGATION, ASSOCIATION, EVENT, EventTypes, FieldSet, OBJECT, TRANSACTION, TRANSFORMATION,
    Word, number_known, number_of_word,
};
use epcis_edge_document::vocabulary::BIZ_STEP;
use epcis_edge_text::json::{Document, Text, Value};
use epcis_edge_text::slice::{OrEmpty, Part};

/// The number of fields that events have.
pub(super) const COUNT: usize = EVENT.len();

/// The fields of an event.
#[derive(Debug)]
pub(super) struct Fields<'d> {
    document: &'d Document<'d>,
    /// The numbers of the fields' values.
    values: [u32; COUNT],
    /// The fields in the order of the document.
    order: [u8; COUNT],
    count: usize,
    /// Which fields are present, as bits.
    pub(super) present: FieldSet,
    /// The number of the event's `@context`; 0 if it has none.
    context: u32,
    /// The event type; no bit is set if it is not one of the standard.
    pub(super) kind: EventTypes,
    /// The event itself.
    whole: Value<'d>,
}

impl<'d> Fields<'d> {
    /// The fields of an event.
    pub(super) fn of(document: &'d Document<'d>, event: Value<'d>) -> Self {
        let mut fields = Self {
            document,
            values: [0; COUNT],
            order: [0; COUNT],
            count: 0,
            present: 0,
            context: 0,
            kind: 0,
            whole: event,
        };
        const TYPE: Word = Word::of("type");
        for (name, value) in event.members() {
            let Some(word) = Word::of_text(name) else {
                if name == "@context" {
                    fields.context = value.number();
                }
                continue;
            };
            if let Some(number) = number_of_word(word) {
                fields.add(number, value);
            } else if word == TYPE {
                fields.kind = value.as_text().map_or(0, kind_of);
            }
        }
        fields
    }

    fn add(&mut self, number: u8, value: Value<'d>) {
        if let Some(place) = self.values.get_mut(usize::from(number)) {
            *place = value.number();
        }
        // Each name occurs once here: a member that is overridden by a later one is not listed.
        if let Some(place) = self.order.get_mut(self.count) {
            *place = number;
            self.count += 1;
        }
        self.present |= 1 << number;
    }

    /// Whether the `bizStep` is `shipping`, in any spelling.
    pub(super) fn is_shipment(&self) -> bool {
        const STEP: u8 = number_known("bizStep");
        let step = self.get(STEP).and_then(Value::as_str).or_empty();
        BIZ_STEP.bare_part(&step).unwrap_or(&step) == "shipping"
    }

    /// The event itself.
    pub(super) fn whole(&self) -> Value<'d> {
        self.whole
    }

    /// The event's own `@context`, if it has one.
    pub(super) fn context(&self) -> Option<Value<'d>> {
        (self.context != 0).then(|| self.document.value_of(self.context))
    }

    /// The `action`; empty if there is none.
    pub(super) fn action(&self) -> &'d [u8] {
        const ACTION: u8 = number_known("action");
        let action = self.get(ACTION).and_then(Value::as_text);
        action.and_then(Text::plain).or_empty()
    }

    /// A field, if the event has it; for [`WHOLE`] the event itself.
    pub(super) fn get(&self, number: u8) -> Option<Value<'d>> {
        if number == WHOLE {
            return Some(self.whole);
        }
        if self.present & 1 << number == 0 {
            return None;
        }
        let value = self.values.get(usize::from(number))?;
        Some(self.document.value_of(*value))
    }

    /// The numbers of the present fields, in document order.
    pub(super) fn order(&self) -> &[u8] {
        self.order.part(..self.count)
    }
}

fn kind_of(name: Text<'_>) -> EventTypes {
    match name.plain() {
        Some(b"ObjectEvent") => OBJECT,
        Some(b"AggregationEvent") => AGGREGATION,
        Some(b"TransactionEvent") => TRANSACTION,
        Some(b"TransformationEvent") => TRANSFORMATION,
        Some(b"AssociationEvent") => ASSOCIATION,
        _ => 0,
    }
}

/// The event type with this name.
pub(super) fn kind_named(name: &str) -> Option<EventTypes> {
    Some(match name {
        "ObjectEvent" => OBJECT,
        "AggregationEvent" => AGGREGATION,
        "TransactionEvent" => TRANSACTION,
        "TransformationEvent" => TRANSFORMATION,
        "AssociationEvent" => ASSOCIATION,
        _ => return None,
    })
}
