//! Following: what happened to things, what they were made of, what was inside of them, and what was made of them.
//!
//! The engine works on events in order, without a store: it reads each event once (`event`), decides which of them count
//! (`withdrawn`), who was inside of what from when to when (`containment`), and then goes from the items of a request to everything
//! that is tied to them (`walk`). The cost is bounded: at most a fixed number of steps after the events are read.
//!
//! **Order**: `eventTime` as an instant, then `recordTime`, then the order of capture, which in a document is the order of its events.
//!
//! **Source**: EPCIS 2.0, 7.4, for what events say of things.

mod amount;
mod answer;
mod by_thing;
mod containment;
mod coverage;
mod event;
mod history;
mod names;
mod packing;
mod request;
mod seek;
mod spans;
#[cfg(test)]
mod tests;
mod walk;
mod withdrawn;

pub(crate) use amount::Amount;
pub(crate) use packing::{Inside, Packing, Search};
pub use request::{
    ContentsRule, Direction, MAX_DEPTH, MAX_EVENTS, MAX_ITEM, MAX_ITEMS, Request, Ties,
};
pub use seek::{FoundEvent, LookUp, Seeker};

use crate::error::Error;
use crate::hash::{self, Hasher, Hashing};
use crate::json::{Document, Value};
use event::{Event, Source};
use history::History;
use names::Names;
use std::borrow::Cow;
use std::rc::Rc;

/// Follows items through the events of a document, an array of events, or one event.
///
/// **Shape** of the answer, one JSON object: `type` (`OK`, or `EMPTY` if nothing names the items), `items` (as canonical Digital
/// Links), `direction`, `events` in order, each with its place in the document (`index`) and its `presences`, `contents`, `ties`, `things`, and `incomplete` with each bound
/// that was met.
///
/// **Limits**: those of the request; 100,000 presences, ties, things in rows of contents, and things followed each (over a store 30,000); four million steps.
///
/// # Errors
/// As [`hash::events`] for what holds no events.
///
/// # Example
/// ```
/// use epcis_edge_core::{follow::{Request, follow_document}, json::Document};
/// let events = Document::read(br#"[
///     {"type": "AggregationEvent", "eventTime": "2026-03-04T10:00:00Z", "action": "ADD", "parentID": "urn:x:pallet", "childEPCs": ["urn:x:item"]},
///     {"type": "ObjectEvent", "eventTime": "2026-03-04T11:00:00Z", "action": "OBSERVE", "epcList": ["urn:x:pallet"]}
/// ]"#)?;
/// let answer = follow_document(&events, &Request::of(vec!["urn:x:item".to_owned()]))?;
/// assert!(answer.contains(r#"{"item":"urn:x:item","how":"inside","role":"epcList","through":["urn:x:pallet"],"certain":true}"#));
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
pub fn follow_document(document: &Document<'_>, request: &Request) -> Result<String, Error> {
    let (names, events) = read(document)?;
    Ok(answer(&names, &events, request))
}

/// The places of the events of a document that count, in order of time: error declarations and what they withdraw are left out.
///
/// # Errors
/// As [`hash::events`] for what holds no events.
pub(crate) fn effective_events(document: &Document<'_>) -> Result<Vec<usize>, Error> {
    let (_, events) = read(document)?;
    let standings = withdrawn::standings(&events);
    let effective = events.iter().zip(standings);
    let effective = effective.filter(|(_, standing)| !standing.is_void());
    Ok(effective.map(|(event, _)| event.place as usize).collect())
}

/// The events of a document, kept for several requests: they are read once.
///
/// # Example
/// ```
/// use epcis_edge_core::{follow::{Follower, Request}, json::Document};
/// let follower = Follower::read(&Document::read(br#"[
///     {"type": "ObjectEvent", "eventTime": "2026-03-04T11:00:00Z", "action": "OBSERVE", "epcList": ["urn:x:1", "urn:x:2"]}
/// ]"#)?)?;
/// for item in ["urn:x:1", "urn:x:2"] {
///     assert!(follower.follow(&Request::of(vec![item.to_owned()])).contains(r#""type":"OK""#));
/// }
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Follower {
    names: Names,
    events: Vec<Event<'static>>,
}

impl Follower {
    /// Reads the events of a document, an array of events, or one event. Memory: a copy of their texts.
    ///
    /// # Errors
    /// As [`hash::events`] for what holds no events.
    pub fn read(document: &Document<'_>) -> Result<Self, Error> {
        let (names, events) = read(document)?;
        let events = events.into_iter().map(|event| {
            let text = event.source.text().to_owned();
            Event {
                source: Source::Text(text),
                ..event.without_text()
            }
        });
        Ok(Self {
            names,
            events: events.collect(),
        })
    }

    /// Follows items: the answer is that of [`follow_document`].
    #[must_use]
    pub fn follow(&self, request: &Request) -> String {
        answer(&self.names, &self.events, request)
    }
}

/// The events of a document in order, and what they name.
fn read<'d>(document: &'d Document<'d>) -> Result<(Names, Vec<Event<'d>>), Error> {
    let mut names = Names::default();
    let account = Rc::from("");
    let (mut values, mut events) = (Vec::new(), Vec::new());
    for (place, event) in (0..).zip(hash::events(document)?) {
        let event = event?;
        values.push(event);
        let origin = (place, Rc::clone(&account));
        events.push(Event::read(event, origin, &mut names));
    }
    name_by_content(document, &values, &mut events)?;
    history::sort(&mut events);
    Ok((names, events))
}

fn answer(names: &Names, events: &[Event<'_>], request: &Request) -> String {
    let history = History::new(events, names, request);
    let walk = walk::Walk::through(&history, request);
    answer::write(&history, request, &walk, answer::Origin::Document)
}

/// Names events without `eventID` by their content, if an error declaration without one is among them, which is matched by content.
fn name_by_content<'d>(
    document: &'d Document<'d>,
    values: &[Value<'d>],
    events: &mut [Event<'d>],
) -> Result<(), Error> {
    let is_unnamed_declaration =
        |event: &Event<'_>| event.declaration.is_some() && event.name.is_none();
    if !events.iter().any(is_unnamed_declaration) {
        return Ok(());
    }
    let mut hasher = Hasher::new(document, Hashing::default());
    for (value, event) in values.iter().zip(events) {
        if event.name.is_none() {
            event.name = Some(Cow::Owned(hasher.hash(*value)?.to_string()));
        }
    }
    Ok(())
}
