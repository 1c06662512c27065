//! Following: what happened to things, what they were made of, what was inside of them, and what was made of them.
//!
//! The engine works on events in order, without a store: it reads each event once (`event`), decides which of them count
//! (`crate::withdrawn`), finds which thing was inside of which from when to when (`containment`), and then goes from the items of a
//! request to everything that is tied to them (`walk`). The cost is bounded: at most a fixed number of steps after the events are
//! read.
//!
//! **Order**: `eventTime` as an instant, then `recordTime`, then the order of capture, which in a document is the order of its events.
//!
//! **Source**: EPCIS 2.0, 7.4, for what events say about things.

mod amount;
mod answer;
mod by_thing;
mod containment;
mod course;
mod coverage;
mod event;
mod history;
mod names;
mod packing;
mod repeated;
mod request;
mod seek;
mod spans;
mod walk;
mod written;

pub use amount::Amount;
pub use answer::Followed;
pub use course::course;
pub use packing::{Inside, Packing, Search};
pub use request::{
    ContentsRule, Direction, MAX_DEPTH, MAX_EVENTS, MAX_ITEM, MAX_ITEMS, Request, Ties,
};
pub use seek::{FoundEvent, LookUp, Seeker, Wanted};
pub use walk::Roles;

use crate::withdrawn;
use epcis_edge_document::hash;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Value};
use event::{Event, Source};
use history::History;
use names::NameNumbers;
use std::rc::Rc;

/// Follows items through the events of a document, an array of events, or one event.
///
/// **Shape** of the answer: [`Followed`] as JSON. An event that the document has more than once counts once.
///
/// **Limits**: those of the request; 100,000 presences, ties, things in rows of contents, and things followed each (over a store 30,000); four million steps.
///
/// # Errors
/// As [`hash::events`] for a document without events.
///
/// # Example
/// ```
/// use epcis_edge_history::follow::{Request, follow_document}; use epcis_edge_text::json::Document;
/// let events = Document::read(br#"[
///     {"type": "AggregationEvent", "eventTime": "2026-03-04T10:00:00Z", "action": "ADD", "parentID": "urn:x:pallet", "childEPCs": ["urn:x:item"]},
///     {"type": "ObjectEvent", "eventTime": "2026-03-04T11:00:00Z", "action": "OBSERVE", "epcList": ["urn:x:pallet"]}
/// ]"#)?;
/// let answer = follow_document(&events, &Request::of(vec!["urn:x:item".to_owned()]))?;
/// assert!(answer.contains(r#"{"item":"urn:x:item","how":"inside","role":"epcList","through":["urn:x:pallet"],"certain":true}"#));
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
pub fn follow_document(document: &Document<'_>, request: &Request) -> Result<String, Error> {
    Ok(read(document)?.answer(request))
}

/// The events of a document that count.
pub struct Effective {
    /// Their places, in order of time: error declarations, what they withdraw, and repeated events are left out.
    pub places: Vec<usize>,
    /// The number of events that the document repeats.
    pub repeated: usize,
}

/// The events of a document that count.
///
/// # Errors
/// As [`hash::events`] for a document without events.
pub fn effective_events(document: &Document<'_>) -> Result<Effective, Error> {
    let read = read(document)?;
    let standings = withdrawn::standings(read.events.iter().map(|event| &event.named));
    let effective = read.events.iter().zip(standings).filter(|(_, standing)| !standing.is_void());
    Ok(Effective {
        places: effective.map(|(event, _)| event.place as usize).collect(),
        repeated: read.repeated.len(),
    })
}

/// The events of a document, kept for several requests: they are read once.
///
/// # Example
/// ```
/// use epcis_edge_history::follow::{Follower, Request}; use epcis_edge_text::json::Document;
/// let follower = Follower::read(&Document::read(br#"[
///     {"type": "ObjectEvent", "eventTime": "2026-03-04T11:00:00Z", "action": "OBSERVE", "epcList": ["urn:x:1", "urn:x:2"]}
/// ]"#)?)?;
/// for item in ["urn:x:1", "urn:x:2"] {
///     assert!(follower.follow(&Request::of(vec![item.to_owned()])).contains(r#""type":"OK""#));
/// }
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Follower {
    events: Events<'static>,
}

impl Follower {
    /// Reads the events of a document, an array of events, or one event. Memory: a copy of their texts.
    ///
    /// # Errors
    /// As [`hash::events`] for a document without events.
    pub fn read(document: &Document<'_>) -> Result<Self, Error> {
        let read = read(document)?;
        let events = read.events.into_iter().map(|event| {
            let text = event.source.text().to_owned();
            Event { source: Source::Text(text), ..event.without_text() }
        });
        Ok(Self {
            events: Events { events: events.collect(), names: read.names, repeated: read.repeated },
        })
    }

    /// Follows items: the answer is that of [`follow_document`].
    #[must_use]
    pub fn follow(&self, request: &Request) -> String {
        self.events.answer(request)
    }
}

/// The events of a document in order, each once, and the identifiers in them.
#[derive(Debug)]
struct Events<'d> {
    names: NameNumbers,
    events: Vec<Event<'d>>,
    /// The places of the events that are left out, because the document has them already.
    repeated: Vec<u64>,
}

impl Events<'_> {
    fn answer(&self, request: &Request) -> String {
        let history = History::new(&self.events, &self.names, request);
        let walk = walk::Walk::new(&history, request, None);
        let origin = answer::Origin::Document { repeated: &self.repeated };
        answer::write(&history, request, &walk, origin)
    }
}

/// The identifiers in a document, its events, and what following needs of each.
type Read<'d> = (NameNumbers, Vec<Value<'d>>, Vec<Event<'d>>);

/// Reads all events of a document.
fn read_all<'d>(document: &'d Document<'d>) -> Result<Read<'d>, Error> {
    let mut names = NameNumbers::default();
    let account = Rc::from("");
    let (mut values, mut events) = (Vec::new(), Vec::new());
    for (place, event) in (0..).zip(hash::events(document)?) {
        let event = event?;
        values.push(event);
        let origin = (place, Rc::clone(&account));
        events.push(Event::read(event, origin, &mut names));
    }
    Ok((names, values, events))
}

/// Reads the events of a document that are in it once.
fn read<'d>(document: &'d Document<'d>) -> Result<Events<'d>, Error> {
    let (names, values, mut events) = read_all(document)?;
    let named = events.iter_mut().map(|event| &mut event.named);
    withdrawn::name_by_content(document, &values, named)?;
    let is_repeated = repeated::are_repeated(document, &values, &events);
    let mut places = is_repeated.iter();
    events.retain(|_| places.next() != Some(&true));
    history::sort(&mut events);
    let repeated = (0..).zip(is_repeated).filter(|(_, is_repeated)| *is_repeated);
    Ok(Events { names, events, repeated: repeated.map(|(place, _)| place).collect() })
}
