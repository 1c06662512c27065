//! Events as reports read them.

use crate::field::{EVENT, Field};
use crate::identifier::thing;
use crate::json::Value;
use crate::time::Timestamp;
use crate::vocabulary::{
    BIZ_STEP, BIZ_TRANSACTION_TYPE, DISPOSITION, SOURCE_DESTINATION_TYPE, Vocabulary,
};
use std::borrow::Cow;

/// How much of a class.
#[derive(Clone, Debug, Default)]
pub(super) struct Quantity {
    pub(super) class: String,
    pub(super) amount: String,
    pub(super) unit: String,
}

/// How a thing that was asked about is present in an event. There may be very many, so nothing of the answer of following is copied.
#[derive(Clone, Debug)]
pub(super) struct Presence<'d> {
    /// The thing, in normal form.
    pub(super) item: Cow<'d, str>,
    /// `named`, `inside`, `input` or `output`.
    pub(super) how: Cow<'d, str>,
    /// The containers around it, from the outermost to the innermost.
    pub(super) through: Option<Value<'d>>,
    /// False where the way to it leads through a lot that was divided.
    pub(super) is_certain: bool,
}

/// What a gateway knows of an event that it stores.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// The hash of the event as it was sent.
    pub(crate) content_hash: String,
    /// The number of its entry in the log, counted from 0; `None` if it has none yet.
    pub(crate) entry: Option<u64>,
    /// The address of its proof; empty without an entry.
    pub(crate) proof: String,
}

/// An event.
#[derive(Clone, Debug)]
pub(super) struct Told<'d> {
    pub(super) value: Value<'d>,
    pub(super) kind: String,
    pub(super) action: String,
    /// The business step as a bare word.
    pub(super) step: String,
    pub(super) disposition: String,
    /// The time, as it is written.
    pub(super) time: String,
    /// The day, in the offset of the event: `YYYY-MM-DD`.
    pub(super) date: String,
    pub(super) offset: String,
    pub(super) read_point: String,
    pub(super) biz_location: String,
    pub(super) parent: String,
    /// The reference documents: type and number each.
    pub(super) documents: String,
    /// The `eventID`; without one, the content hash.
    pub(super) name: String,
    pub(super) hash: String,
    /// Whether the report is about the event. Others only say what was packed into what, and where lots come from.
    pub(super) is_asked: bool,
    /// The things asked about that are present in it, in order; empty if the report is about all events.
    pub(super) presences: Vec<Presence<'d>>,
    /// What the gateway knows of it.
    pub(super) record: Option<Record>,
}

impl<'d> Told<'d> {
    /// Reads an event with this content hash.
    pub(super) fn read(value: Value<'d>, hash: String) -> Self {
        let text = |name: &str| text_of(value.get(name));
        let (time, offset) = (text("eventTime"), text("eventTimeZoneOffset"));
        let id = text("eventID");
        Self {
            kind: text("type"),
            action: text("action"),
            step: bare(&BIZ_STEP, text("bizStep")),
            disposition: bare(&DISPOSITION, text("disposition")),
            date: local_date(&time, &offset),
            read_point: text_of(value.pointer("/readPoint/id")),
            biz_location: text_of(value.pointer("/bizLocation/id")),
            parent: text("parentID"),
            documents: documents(value),
            name: if id.is_empty() { hash.clone() } else { id },
            time,
            offset,
            hash,
            value,
            is_asked: true,
            presences: Vec::new(),
            record: None,
        }
    }

    /// Whether the report asks about a thing in this event: one of the items is it, or leads to it. True if it is about all events.
    pub(super) fn is_about(&self, id: &str) -> bool {
        self.presences.is_empty() || self.is_about_key(&thing(id))
    }

    /// As [`is_about`](Self::is_about), for an identifier in normal form.
    pub(super) fn is_about_key(&self, id: &str) -> bool {
        if self.presences.is_empty() {
            return true;
        }
        // They are in order of their identifiers.
        let found = self
            .presences
            .binary_search_by(|presence| (*presence.item).cmp(id));
        found.is_ok()
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
    pub(super) fn ids(&self, list: &str) -> Vec<String> {
        let list = self.value.get(list);
        let ids = list.into_iter().flat_map(Value::elements);
        ids.filter_map(Value::as_str)
            .map(|id| id.into_owned())
            .collect()
    }

    /// The quantities in a list of the event.
    pub(super) fn quantities(&self, list: &str) -> Vec<Quantity> {
        let list = self.value.get(list);
        let elements = list.into_iter().flat_map(Value::elements);
        let quantity = |element: Value<'_>| Quantity {
            class: text_of(element.get("epcClass")),
            amount: text_of(element.get("quantity")),
            unit: text_of(element.get("uom")),
        };
        elements.map(quantity).collect()
    }

    /// The source, or the destination, of a type.
    pub(super) fn end(&self, field: &str, kind: &str) -> String {
        let (list, member) = match field {
            "source" => ("sourceList", "source"),
            _ => ("destinationList", "destination"),
        };
        let list = self.value.get(list);
        let mut ends = list.into_iter().flat_map(Value::elements);
        let end = ends.find(|end| bare(&SOURCE_DESTINATION_TYPE, text_of(end.get("type"))) == kind);
        end.map(|end| text_of(end.get(member))).unwrap_or_default()
    }

    /// The place at an end of a transfer, `source` or `destination`; without one, the owner.
    pub(super) fn partner(&self, end: &str) -> String {
        match self.end(end, "location") {
            location if !location.is_empty() => location,
            _ => self.end(end, "owning_party"),
        }
    }

    /// The texts of a member that is outside of the standard, by its local name, in the event or in its `ilmd`.
    pub(super) fn named(&self, local: &str) -> String {
        let inside = [self.value.get("ilmd"), Some(self.value)];
        let members = inside.into_iter().flatten().flat_map(Value::members);
        let mut found = members.filter(|(name, _)| {
            let name = name.to_cow();
            let is_standard = EVENT.iter().any(|field: &Field| field.name == name);
            !is_standard && name.rsplit([':', '/', '#']).next() == Some(local)
        });
        found.next().map_or_else(String::new, |(_, value)| {
            let several: Vec<String> = value.elements().map(|one| text_of(Some(one))).collect();
            match several.is_empty() {
                true => text_of(Some(value)),
                false => several.join(", "),
            }
        })
    }

    /// Whether the event may be taken as cooling: its step is `other`, and a sensor reports a temperature.
    pub(super) fn is_cooling(&self) -> bool {
        self.step == "other" && self.has_temperature()
    }

    fn has_temperature(&self) -> bool {
        let elements = self.value.get("sensorElementList");
        let elements = elements.into_iter().flat_map(Value::elements);
        let mut reports = elements
            .filter_map(|element| element.get("sensorReport"))
            .flat_map(Value::elements);
        reports.any(|report| text_of(report.get("type")).ends_with("Temperature"))
    }
}

/// The text of a value as a cell shows it: of a number as it is written; of an object that of `#text` or `@value`.
pub(super) fn text_of(value: Option<Value<'_>>) -> String {
    let Some(value) = value else {
        return String::new();
    };
    if let Some(text) = value.as_str() {
        return text.into_owned();
    }
    if let Some(inner) = value.get("#text").or_else(|| value.get("@value")) {
        return text_of(Some(inner));
    }
    if let Some(flag) = value.as_bool() {
        return flag.to_string();
    }
    value.as_number().map(str::to_owned).unwrap_or_default()
}

/// The types and numbers in the `bizTransactionList` of an event.
fn documents(event: Value<'_>) -> String {
    let list = event.get("bizTransactionList");
    let elements = list.into_iter().flat_map(Value::elements);
    let documents = elements.map(|element| {
        let kind = bare(&BIZ_TRANSACTION_TYPE, text_of(element.get("type")));
        let number = text_of(element.get("bizTransaction"));
        let number = match number.strip_prefix("urn:epcglobal:cbv:bt:") {
            Some(rest) => rest.split_once(':').map_or(rest, |(_, number)| number),
            None => &number,
        };
        format!("{kind} {number}").trim().to_owned()
    });
    documents.collect::<Vec<_>>().join("; ")
}

fn bare(vocabulary: &Vocabulary, word: String) -> String {
    match vocabulary.bare_part(&word) {
        Some(bare) => bare.to_owned(),
        None => word,
    }
}

/// The day of a time in an offset; empty if either is not readable.
fn local_date(text: &str, offset: &str) -> String {
    let Some(time) = Timestamp::parse(text) else {
        return String::new();
    };
    let minutes = match offset.as_bytes() {
        [sign @ (b'+' | b'-'), ..] if offset.len() == "+hh:mm".len() => {
            let hours: i64 = offset
                .get(1..3)
                .and_then(|text| text.parse().ok())
                .unwrap_or(0);
            let minutes: i64 = offset
                .get(4..6)
                .and_then(|text| text.parse().ok())
                .unwrap_or(0);
            let minutes = hours * 60 + minutes;
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => 0,
    };
    let written = || {
        text.get(.."YYYY-MM-DD".len())
            .unwrap_or_default()
            .to_owned()
    };
    // Before 1970 the day is that of the time as it is written.
    let Ok(seconds) = u64::try_from(time.seconds() + minutes * 60) else {
        return written();
    };
    let mut day = Timestamp::from_milliseconds(seconds.saturating_mul(1000)).to_string();
    day.truncate("YYYY-MM-DD".len());
    day
}
