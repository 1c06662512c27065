//! The material of a report: events in order of time, and the answer of following.

use super::directory::{Directory, lot_of};
use super::event::{Presence, Record, ReportedEvent};
use super::named::Namer;
use super::request::{ReportRequest, Scope};
use super::text::text_of;
use epcis_edge_document::hash::{self, Hasher, Profile};
use epcis_edge_history::follow;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::slice::OrEmpty;
use epcis_edge_text::time::Timestamp;
use std::collections::BTreeMap;

/// The most rows of a report, and the most bytes of all cells together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
}

/// The material of a report.
#[derive(Debug)]
pub(super) struct Material<'d> {
    /// The events that count, in order of time.
    pub(super) events: Vec<ReportedEvent<'d>>,
    /// The events that were declared wrong, each with the reason.
    pub(super) withdrawn: Vec<(ReportedEvent<'d>, String)>,
    /// The last known place of each thing that was followed, by its identifier in normal form.
    pub(super) things: BTreeMap<String, LastSeen>,
    /// The contents of the items, as the answer has them.
    pub(super) contents: Vec<Value<'d>>,
    pub(super) directory: &'d Directory,
    /// The header of the document, if it has one; `None` for events of a gateway.
    pub(super) header: Option<Value<'d>>,
    pub(super) namer: Namer<'d>,
    /// The number of events that were left out because the same event is there already.
    pub(super) repeated: usize,
    /// Whether the events come from a gateway.
    pub(super) is_stored: bool,
    /// The data that following could not see, a sentence each.
    pub(super) gaps: Vec<String>,
    /// Whether the events come from a gateway with a log.
    pub(super) is_logged: bool,
    pub(super) limits: Limits,
}

/// The last known place of a thing.
#[derive(Clone, Debug)]
pub(super) struct LastSeen {
    /// Whether it is an instance: a lot or a class may be in several places.
    pub(super) is_instance: bool,
    pub(super) place: String,
    pub(super) inside: String,
    pub(super) is_certain: bool,
}

impl<'d> Material<'d> {
    fn empty(directory: &'d Directory, namer: Namer<'d>, limits: Limits) -> Self {
        Self {
            namer,
            repeated: 0,
            is_stored: false,
            events: Vec::new(),
            withdrawn: Vec::new(),
            things: BTreeMap::new(),
            contents: Vec::new(),
            directory,
            header: None,
            gaps: Vec::new(),
            is_logged: false,
            limits,
        }
    }

    /// The material in a document, with the answer of following if the request has items.
    ///
    /// # Errors
    /// As [`hash::events`].
    pub(super) fn of_document(
        document: &'d Document<'d>,
        directory: &'d Directory,
        (request, answer): (&ReportRequest, Option<Value<'d>>),
        limits: Limits,
    ) -> Result<Self, Error> {
        let header = document.root().get("epcisHeader");
        let root = Some(document.root());
        let within: Vec<Value<'d>> = root.into_iter().chain(header).collect();
        let mut material = Self { header, ..Self::empty(directory, Namer::new(&within)?, limits) };
        let mut hasher = Hasher::new(document, Profile::Cbv20);
        let values: Vec<Value<'d>> = hash::events(document)?.collect::<Result<_, _>>()?;
        let mut events = BTreeMap::new();
        let effective = follow::effective_events(document)?;
        material.repeated = effective.repeated;
        for at in &effective.places {
            let Some(value) = values.get(*at) else { continue };
            let hash = hash_of(&mut hasher, *value);
            let mut event = ReportedEvent::read(*value, hash, &mut material.namer)?;
            event.is_asked = match &request.scope {
                Scope::Events { from, to } => is_within(&event.time, *from, *to),
                Scope::Items(_) => false,
            };
            events.insert(*at, event);
        }
        let found = answer.and_then(|answer| answer.get("events"));
        for found in found.into_iter().flat_map(Value::elements) {
            let Some(at) = index_of(found).and_then(|at| usize::try_from(at).ok()) else {
                continue;
            };
            if let Some(event) = events.get_mut(&at) {
                event.is_asked = true;
                event.presences = presences(found);
            } else if let Some(value) = values.get(at) {
                // A listed event that does not count was withdrawn.
                let hash = hash_of(&mut hasher, *value);
                let event = ReportedEvent::read(*value, hash, &mut material.namer)?;
                material.withdrawn.push((event, reason(found)));
            }
        }
        answer.into_iter().for_each(|answer| material.take(answer));
        let in_order = effective.places.iter().filter_map(|at| events.remove(at));
        material.events = in_order.collect();
        Ok(material)
    }

    /// The material in an answer of following over a store; `index` in the answer is the number of an event in `records`.
    ///
    /// # Errors
    /// As [`ReportedEvent::read`].
    pub(super) fn of_answer(
        answer: Value<'d>,
        mut records: BTreeMap<u64, Record>,
        directory: &'d Directory,
        is_logged: bool,
        limits: Limits,
    ) -> Result<Self, Error> {
        let mut material =
            Self { is_logged, is_stored: true, ..Self::empty(directory, Namer::new(&[])?, limits) };
        for found in answer.get("events").into_iter().flat_map(Value::elements) {
            let Some(value) = found.get("event") else { continue };
            let record = index_of(found).and_then(|at| records.remove(&at)).or_empty();
            let hash = record.content_hash.clone();
            let mut event = ReportedEvent::read(value, hash, &mut material.namer)?;
            event.record = Some(record);
            event.presences = presences(found);
            if found.get("withdrawn").and_then(Value::as_bool) == Some(true) {
                material.withdrawn.push((event, reason(found)));
            } else {
                material.events.push(event);
            }
        }
        material.take(answer);
        Ok(material)
    }

    /// Whether a thing, by its identifier in normal form, is an instance: a lot or a class may be in several places.
    pub(super) fn is_instance(&self, thing: &str) -> bool {
        let seen = self.things.get(thing);
        seen.is_none_or(|seen| seen.is_instance)
    }

    /// Takes the things, contents and gaps of an answer.
    fn take(&mut self, answer: Value<'d>) {
        let list = |name: &str| answer.get(name).into_iter().flat_map(Value::elements);
        for thing in list("things") {
            let at = |name: &str| text_of(thing.get("at").and_then(|at| at.get(name)));
            let is_certain = thing.pointer("/at/certain").and_then(Value::as_bool);
            let id = text_of(thing.get("id"));
            let is_class = text_of(thing.get("kind")) == "class" || !lot_of(&id).0.is_empty();
            let seen = LastSeen {
                is_instance: !is_class || id.contains("/21/"),
                place: at("place"),
                inside: at("inside"),
                is_certain: is_certain.unwrap_or(true),
            };
            self.things.insert(id, seen);
        }
        self.contents.extend(list("contents"));
        for gap in list("incomplete") {
            let at: Vec<String> = gap
                .get("at")
                .into_iter()
                .flat_map(Value::elements)
                .take(3)
                .map(|id| text_of(Some(id)))
                .collect();
            let total = text_of(gap.get("total"));
            let at = at.join(", ");
            self.gaps.push(match text_of(gap.get("reason")).as_str() {
                "maxEvents" => format!("There are more events than `maxEvents`: those of {total} things are not complete, such as {at}."),
                "depth" => format!("What is tied to {total} things is farther than `depth`, such as {at}."),
                "time" => format!("{total} things went into or came out of transformations outside of the time asked for, such as {at}."),
                _ => format!("The answer would be too large: what is tied to {total} things is not followed, such as {at}."),
            });
        }
    }
}

/// The content hash of an event; empty if it cannot be hashed, for example because of an undeclared prefix.
fn hash_of<'d>(hasher: &mut Hasher<'d>, event: Value<'d>) -> String {
    let hash = hasher.hash(event);
    hash.map_or_else(|_| String::new(), |hash| hash.to_string())
}

fn index_of(found: Value<'_>) -> Option<u64> {
    found.get("index")?.as_number()?.parse().ok()
}

fn presences(found: Value<'_>) -> Vec<Presence<'_>> {
    let presences = found.get("presences").into_iter().flat_map(Value::elements);
    let mut presences: Vec<Presence<'_>> = presences
        .map(|presence| {
            let text = |name| presence.get(name).and_then(Value::as_str).or_empty();
            Presence {
                item: text("item"),
                how: text("how"),
                through: presence.get("through"),
                is_certain: presence.get("certain").and_then(Value::as_bool) != Some(false),
            }
        })
        .collect();
    presences.sort_by(|one, other| one.item.cmp(&other.item));
    presences
}

/// When and why an event was declared wrong.
fn reason(found: Value<'_>) -> String {
    let text = |name: &str| text_of(found.get("declaration").and_then(|said| said.get(name)));
    [text("at"), text("reason")].join(" ").trim().to_owned()
}

/// Whether a time is within the bounds. A time that is not readable is so only if there are no bounds.
fn is_within(time: &str, from: Option<Timestamp>, to: Option<Timestamp>) -> bool {
    if from.is_none() && to.is_none() {
        return true;
    }
    let time = Timestamp::parse(time);
    time.is_some_and(|time| from.is_none_or(|from| from <= time) && to.is_none_or(|to| time < to))
}
