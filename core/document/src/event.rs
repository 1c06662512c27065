//! The one view of an event: its fields by the names of the standard, found in one pass over its members.
//!
//! A field is given as the value that is written, of whatever kind: what a text in the place of a list says is for each reader to know.
//! Names are taken as they are written: one with a prefix, `epcis:bizStep` too, is an extension.

use crate::field::{
    Count, EVENT, EventTypes, FieldSet, OBJECT, Word, number_known, number_of_word,
};
use crate::vocabulary::{BIZ_STEP, EVENT_TYPES};
use epcis_edge_text::json::{Text, Value};
use epcis_edge_text::slice::{OrEmpty, Part};
use std::borrow::Cow;

/// The number of fields that events have.
const COUNT: usize = EVENT.len();

const TYPE: Word = Word::of("type");

/// Used as the number of a field: the event itself.
pub const WHOLE: u8 = COUNT as u8;

/// Names the numbers of fields.
macro_rules! numbers {
    ($($name:ident = $field:literal,)*) => {
        $(#[doc = concat!("The number of `", $field, "`.")] pub const $name: u8 = number_known($field);)*
    };
}

numbers! {
    EVENT_TIME = "eventTime",
    OFFSET = "eventTimeZoneOffset",
    RECORD_TIME = "recordTime",
    EVENT_ID = "eventID",
    ERROR_DECLARATION = "errorDeclaration",
    ACTION = "action",
    STEP = "bizStep",
    DISPOSITION = "disposition",
    READ_POINT = "readPoint",
    BIZ_LOCATION = "bizLocation",
    TRANSACTIONS = "bizTransactionList",
    SOURCES = "sourceList",
    DESTINATIONS = "destinationList",
    SENSORS = "sensorElementList",
    TRANSFORMATION_ID = "transformationID",
    EPC_LIST = "epcList",
    QUANTITIES = "quantityList",
    PARENT = "parentID",
    CHILDREN = "childEPCs",
    CHILD_QUANTITIES = "childQuantityList",
    INPUTS = "inputEPCList",
    INPUT_QUANTITIES = "inputQuantityList",
    OUTPUTS = "outputEPCList",
    OUTPUT_QUANTITIES = "outputQuantityList",
}

/// The lists of instances.
pub const LISTS_OF_EPCS: [u8; 4] = [EPC_LIST, INPUTS, CHILDREN, OUTPUTS];

/// The lists of quantities of lots and classes.
pub const LISTS_OF_QUANTITIES: [u8; 4] =
    [QUANTITIES, CHILD_QUANTITIES, INPUT_QUANTITIES, OUTPUT_QUANTITIES];

/// The fields of an event.
#[derive(Clone, Debug)]
pub struct Fields<'d> {
    /// The numbers of the fields' values; the last is that of the event.
    values: [u32; COUNT + 1],
    /// The fields in the order of the document.
    order: [u8; COUNT],
    count: u8,
    /// The event's `type`.
    pub of_type: Option<Value<'d>>,
    /// The event type; no bit is set if it is not one of the standard.
    pub kind: EventTypes,
    /// The event's own `@context`.
    pub context: Option<Value<'d>>,
    /// Which fields are present, as bits; that of [`WHOLE`] is always set.
    pub present: FieldSet,
    /// The event itself.
    pub whole: Value<'d>,
}

impl<'d> Fields<'d> {
    /// The fields of an event.
    pub fn of(event: Value<'d>) -> Self {
        let mut fields = Self {
            values: [event.number(); COUNT + 1],
            order: [0; COUNT],
            count: 0,
            of_type: None,
            kind: 0,
            context: None,
            present: 1 << WHOLE,
            whole: event,
        };
        for (name, value) in event.members() {
            let Some(word) = Word::of_text(name) else {
                if name == "@context" {
                    fields.context = Some(value);
                }
                continue;
            };
            if let Some(number) = number_of_word(word) {
                if let Some(place) = fields.values.get_mut(usize::from(number)) {
                    *place = value.number();
                }
                // Each name occurs once here: a member that is overridden by a later one is not listed.
                if let Some(place) = fields.order.get_mut(usize::from(fields.count)) {
                    *place = number;
                    fields.count += 1;
                }
                fields.present |= 1 << number;
            } else if word == TYPE {
                fields.kind = value.as_str().as_deref().and_then(kind_named).or_empty();
                fields.of_type = Some(value);
            }
        }
        fields
    }

    /// Whether the `bizStep` is `shipping`, in any spelling.
    pub fn is_shipment(&self) -> bool {
        BIZ_STEP.bare(&self.text(STEP).or_empty()) == "shipping"
    }

    /// The `action`; empty if there is none.
    pub fn action(&self) -> Cow<'d, str> {
        self.text(ACTION).or_empty()
    }

    /// A field, if the event has it; for [`WHOLE`] the event itself.
    pub fn get(&self, number: u8) -> Option<Value<'d>> {
        if self.present & 1 << number == 0 {
            return None;
        }
        let value = self.values.get(usize::from(number))?;
        Some(self.whole.numbered(*value))
    }

    /// The text of a field; none if the event does not have it, or has something else there.
    pub fn text(&self, number: u8) -> Option<Cow<'d, str>> {
        self.get(number)?.as_str()
    }

    /// The `id` in a field: the `readPoint`, the `bizLocation`.
    pub fn id(&self, number: u8) -> Option<Value<'d>> {
        self.get(number)?.get("id")
    }

    /// The elements of a list.
    pub fn elements(&self, list: u8) -> impl Iterator<Item = Value<'d>> + use<'d> {
        self.get(list).into_iter().flat_map(Value::elements)
    }

    /// The `type` and the text of each element in a list of business transactions, sources or destinations.
    pub fn typed(
        &self,
        list: u8,
    ) -> impl Iterator<Item = (Option<Value<'d>>, Option<Value<'d>>)> + use<'d> {
        let text = match EVENT.get(usize::from(list)).map(|field| field.count) {
            Some(Count::List(item)) => item.name,
            _ => "",
        };
        self.elements(list).map(move |element| (element.get("type"), element.get(text)))
    }

    /// The present fields, each with its number, in document order.
    pub fn each(&self) -> impl Iterator<Item = (u8, Value<'d>)> {
        let order = self.order.part(..usize::from(self.count)).iter();
        order.filter_map(|number| Some((*number, self.get(*number)?)))
    }

    /// The members that are no fields, without the `type` and the `@context`, in document order.
    pub fn others(&self) -> impl Iterator<Item = (Text<'d>, Value<'d>)> + use<'d> {
        self.whole.members().filter(|(name, _)| match Word::of_text(*name) {
            Some(word) => word != TYPE && number_of_word(word).is_none(),
            None => *name != "@context",
        })
    }
}

/// The name of a field.
pub fn name(number: u8) -> &'static str {
    EVENT.get(usize::from(number)).map_or("", |field| field.name)
}

/// The event type with this name.
pub fn kind_named(name: &str) -> Option<EventTypes> {
    EVENT_TYPES.iter().position(|known| *known == name).map(|number| OBJECT << number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use epcis_edge_text::json::Document;

    #[test]
    fn a_field_is_the_last_of_its_name_however_that_is_written() {
        let document = Document::read(
            br#"{"type": "Object\u0045vent", "bizStep": 1, "sourceList": [{"type": "t", "source": "s"}], "a:b": 1,
                "biz\u0053tep": "urn:epcglobal:cbv:bizstep:shipping", "epcis:action": "ADD", "other": 2, "@context": {}}"#,
        );
        let document = document.unwrap();
        let fields = Fields::of(document.root());
        assert!(fields.is_shipment() && fields.kind == OBJECT && fields.context.is_some());
        assert!(fields.get(ACTION).is_none() && fields.get(WHOLE).is_some_and(Value::is_root));
        let each: Vec<u8> = fields.each().map(|(number, _)| number).collect();
        assert_eq!(each, [SOURCES, STEP]);
        let others: Vec<_> = fields.others().map(|(name, _)| name.to_cow()).collect();
        assert_eq!(others, ["a:b", "epcis:action", "other"]);
        let typed: Vec<_> = fields.typed(SOURCES).map(|(_, text)| text.unwrap().as_str()).collect();
        assert_eq!(typed, [Some("s".into())]);
    }
}
