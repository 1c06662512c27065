//! Events as reports read them.

use super::named::Namer;
use super::text::text_of;
use epcis_edge_document::event::{self, Fields};
use epcis_edge_document::identifier::thing;
use epcis_edge_document::vocabulary::{
    BIZ_STEP, BIZ_TRANSACTION_TYPE, DISPOSITION, SOURCE_DESTINATION_TYPE, Vocabulary,
};
use epcis_edge_history::follow::Amount;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Value;
use epcis_edge_text::slice::OrEmpty;
use epcis_edge_text::time::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An amount of a class.
#[derive(Clone, Debug, Default)]
pub(super) struct Quantity {
    pub(super) class: String,
    pub(super) amount: String,
    pub(super) unit: String,
}

impl Quantity {
    /// The unit; without one things are counted (EPCIS 2.0, 7.3.3.3).
    pub(super) fn counted_in(&self) -> &str {
        match self.unit.as_str() {
            "" if !self.amount.is_empty() => "each",
            unit => unit,
        }
    }

    /// The amount; `None` if it is not given, or not as a number that can be added up.
    pub(super) fn amount(&self) -> Option<Rc<Amount>> {
        let unit = Some(&*self.unit).filter(|unit| !unit.is_empty());
        Amount::read(&self.amount, unit).map(Rc::new)
    }
}

/// The presence of a requested thing in an event. There may be very many, so they borrow from the answer of following.
#[derive(Clone, Debug)]
pub(super) struct Presence<'d> {
    /// The thing, in normal form.
    pub(super) item: Cow<'d, str>,
    /// `named`, `inside`, `input` or `output`.
    pub(super) how: Cow<'d, str>,
    /// The containers around it, from the outermost to the innermost.
    pub(super) through: Option<Value<'d>>,
    /// False if the way to it leads through a lot that was divided.
    pub(super) is_certain: bool,
}

/// A gateway's record of an event that it stores.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The hash of the event as it was sent.
    pub content_hash: String,
    /// The number of its entry in the log, counted from 0; `None` if it has none yet.
    pub entry: Option<u64>,
    /// The address of its proof; empty without an entry.
    pub proof: String,
}

/// An event.
#[derive(Clone, Debug)]
pub(super) struct ReportedEvent<'d> {
    pub(super) fields: Fields<'d>,
    pub(super) kind: String,
    pub(super) action: String,
    /// The business step as a bare word.
    pub(super) step: String,
    pub(super) disposition: String,
    /// The time, as it is written.
    pub(super) time: String,
    /// The day, `YYYY-MM-DD`, in the offset of the event; without an offset as in `time`.
    pub(super) date: String,
    /// The offset as written; empty if it is not readable.
    pub(super) offset: String,
    pub(super) read_point: String,
    pub(super) biz_location: String,
    pub(super) parent: String,
    /// The `transformationID`.
    pub(super) transformation: String,
    /// The reference documents: type and number each.
    pub(super) documents: String,
    /// The `eventID`; without one, the content hash.
    pub(super) name: String,
    pub(super) hash: String,
    /// Whether the report is about the event. The other events only show what was packed into what, and where lots come from.
    pub(super) is_asked: bool,
    /// The requested things that are present in it, in order; empty if the report is about all events.
    pub(super) presences: Vec<Presence<'d>>,
    /// The gateway's record of it.
    pub(super) record: Option<Record>,
    /// The texts of its names outside of the standard, by local name.
    named: BTreeMap<&'static str, String>,
}

/// The types of sources and destinations; places first.
pub(super) const END_TYPES: [&str; 3] = ["location", "possessing_party", "owning_party"];

/// The role of a business step in a transfer of things from one partner to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    /// `shipping`.
    Sent,
    /// A part of the way: the goods may have been shipped by an event before.
    OnTheWay,
    Received,
    /// The shipment did not take place.
    Void,
}

/// A moment: the place of an event in their order, and the event.
pub(super) type Moment<'e> = (usize, &'e ReportedEvent<'e>);

impl<'d> ReportedEvent<'d> {
    /// Reads an event with this content hash.
    ///
    /// # Errors
    /// As [`Namer::texts`].
    pub(super) fn read(
        value: Value<'d>,
        hash: String,
        namer: &mut Namer<'d>,
    ) -> Result<Self, Error> {
        let mut told = Self::without_names(value, hash);
        told.named = namer.texts(value)?;
        Ok(told)
    }

    /// As [`read`](Self::read), but without the texts of names outside of the standard.
    pub(super) fn without_names(value: Value<'d>, hash: String) -> Self {
        let fields = Fields::of(value);
        let text = |field| text_of(fields.get(field));
        let (time, mut offset) = (text(event::EVENT_TIME), text(event::OFFSET));
        let minutes = minutes_of(&offset);
        if minutes.is_none() {
            offset.clear();
        }
        let id = text(event::EVENT_ID);
        Self {
            kind: text_of(fields.of_type),
            action: text(event::ACTION),
            step: BIZ_STEP.bare(&text(event::STEP)).to_owned(),
            disposition: DISPOSITION.bare(&text(event::DISPOSITION)).to_owned(),
            date: local_date(&time, minutes),
            read_point: text_of(fields.id(event::READ_POINT)),
            biz_location: text_of(fields.id(event::BIZ_LOCATION)),
            parent: text(event::PARENT),
            transformation: text(event::TRANSFORMATION_ID),
            documents: documents(&fields),
            name: if id.is_empty() { hash.clone() } else { id },
            time,
            offset,
            hash,
            fields,
            is_asked: true,
            presences: Vec::new(),
            record: None,
            named: BTreeMap::new(),
        }
    }

    /// Whether the report is about a thing in this event: an item is the thing, or leads to it. True if it is about all events.
    pub(super) fn is_about(&self, id: &str) -> bool {
        self.presences.is_empty() || self.is_about_key(&thing(id))
    }

    /// As [`is_about`](Self::is_about), for an identifier in normal form.
    pub(super) fn is_about_key(&self, id: &str) -> bool {
        if self.presences.is_empty() {
            return true;
        }
        // They are in order of their identifiers.
        let found = self.presences.binary_search_by(|presence| (*presence.item).cmp(id));
        found.is_ok()
    }

    /// Whether it is certain that a thing, by its identifier in normal form, was there.
    pub(super) fn is_certain(&self, thing: &str) -> bool {
        let found = self.presences.binary_search_by(|presence| (*presence.item).cmp(thing));
        let found = found.ok().and_then(|at| self.presences.get(at));
        found.is_none_or(|presence| presence.is_certain)
    }

    pub(super) fn is_object(&self) -> bool {
        self.kind == "ObjectEvent"
    }

    /// The place of the event: where it was read, else where the things are after it.
    pub(super) fn place(&self) -> &str {
        match self.read_point.as_str() {
            "" => &self.biz_location,
            read_point => read_point,
        }
    }

    /// The identifiers in a list of the event.
    pub(super) fn ids(&self, list: u8) -> Vec<String> {
        let ids = self.fields.elements(list).filter_map(Value::as_str);
        ids.map(Cow::into_owned).collect()
    }

    /// The quantities in a list of the event.
    pub(super) fn quantities(&self, list: u8) -> Vec<Quantity> {
        let quantity = |element: Value<'_>| Quantity {
            class: text_of(element.get("epcClass")),
            amount: text_of(element.get("quantity")),
            unit: text_of(element.get("uom")),
        };
        self.fields.elements(list).map(quantity).collect()
    }

    /// The identifiers of the items and lots that the event brings into being.
    pub(super) fn made(&self) -> Vec<String> {
        let (items, lots) = match self.kind.as_str() {
            "ObjectEvent" if self.action == "ADD" => (event::EPC_LIST, event::QUANTITIES),
            "TransformationEvent" => (event::OUTPUTS, event::OUTPUT_QUANTITIES),
            _ => return Vec::new(),
        };
        let lots = self.quantities(lots).into_iter().map(|lot| lot.class);
        self.ids(items).into_iter().chain(lots).collect()
    }

    /// The sources, or the destinations, of a type.
    pub(super) fn ends(&self, list: u8, kind: &str) -> Vec<String> {
        let ends = typed(&self.fields, list, &SOURCE_DESTINATION_TYPE);
        let ends = ends.filter(|(of, _)| of == kind).map(|(_, end)| text_of(end));
        ends.filter(|end| !end.is_empty()).collect()
    }

    /// The first source, or destination, of a type; empty if there is none.
    pub(super) fn end(&self, list: u8, kind: &str) -> String {
        self.ends(list, kind).into_iter().next().or_empty()
    }

    /// The partners at an end of a transfer, the sources or the destinations: its places, else the parties that possess the things,
    /// else the owners.
    pub(super) fn partners(&self, list: u8) -> Vec<String> {
        let mut ends = END_TYPES.iter().map(|kind| self.ends(list, kind));
        ends.find(|ends| !ends.is_empty()).or_empty()
    }

    /// The despatch advices in the `bizTransactionList`, as they are written.
    pub(super) fn advices(&self) -> Vec<String> {
        let advices = typed(&self.fields, event::TRANSACTIONS, &BIZ_TRANSACTION_TYPE);
        advices.filter(|(kind, _)| kind == "desadv").map(|(_, number)| text_of(number)).collect()
    }

    /// The role of the event in a transfer of things from one partner to another.
    pub(super) fn transfer(&self) -> Option<Transfer> {
        Some(match self.step.as_str() {
            "shipping" => Transfer::Sent,
            "departing" | "transporting" | "consigning" => Transfer::OnTheWay,
            "receiving" | "accepting" => Transfer::Received,
            "void_shipping" => Transfer::Void,
            _ => return None,
        })
    }

    /// The text of a name outside of the standard, by its local name, in the event or in its `ilmd`; empty if there is none.
    pub(super) fn named(&self, local: &str) -> &str {
        self.named.get(local).map_or("", String::as_str)
    }

    /// The day of the event for a row about another one: with its offset, if the row has another offset.
    pub(super) fn date_beside(&self, other: &Self) -> String {
        match self.offset == other.offset || self.date.is_empty() {
            true => self.date.clone(),
            false if self.offset.is_empty() => format!("{} (no time zone)", self.date),
            false => format!("{} (UTC{})", self.date, self.offset),
        }
    }

    /// Whether the event may be taken as cooling: its step is `other`, and a sensor reports a temperature.
    pub(super) fn is_cooling(&self) -> bool {
        let elements = self.fields.elements(event::SENSORS);
        let mut reports =
            elements.filter_map(|element| element.get("sensorReport")).flat_map(Value::elements);
        let is_temperature =
            |report: Value<'_>| text_of(report.get("type")).ends_with("Temperature");
        self.step == "other" && reports.any(is_temperature)
    }
}

/// The bare types and the texts in a list of texts with types.
fn typed<'d>(
    fields: &Fields<'d>,
    list: u8,
    types: &'static Vocabulary,
) -> impl Iterator<Item = (String, Option<Value<'d>>)> {
    fields.typed(list).map(|(kind, text)| (types.bare(&text_of(kind)).to_owned(), text))
}

/// The types and numbers in the `bizTransactionList` of an event.
fn documents(fields: &Fields<'_>) -> String {
    let documents =
        typed(fields, event::TRANSACTIONS, &BIZ_TRANSACTION_TYPE).map(|(kind, number)| {
            let number = text_of(number);
            let number = match number.strip_prefix("urn:epcglobal:cbv:bt:") {
                Some(rest) => rest.split_once(':').map_or(rest, |(_, number)| number),
                None => &number,
            };
            format!("{kind} {number}").trim().to_owned()
        });
    documents.collect::<Vec<_>>().join("; ")
}

/// The minutes of an offset, `+hh:mm` or `-hh:mm`.
fn minutes_of(offset: &str) -> Option<i64> {
    let (sign, rest) = match offset.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let number = |text: &str| {
        let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<i64>().ok())?
    };
    Some(sign * (number(hours)? * 60 + number(minutes)?))
}

/// The day of a time in an offset; without one, or before 1970, as the time is written. Empty for a time that is not readable.
fn local_date(text: &str, minutes: Option<i64>) -> String {
    let Some(time) = Timestamp::parse(text) else { return String::new() };
    let seconds = minutes.and_then(|minutes| u64::try_from(time.seconds() + minutes * 60).ok());
    let mut day = match seconds {
        Some(seconds) => Timestamp::from_milliseconds(seconds.saturating_mul(1000)).to_string(),
        None => text.to_owned(),
    };
    day.truncate("YYYY-MM-DD".len());
    day
}
