//! What the events of a document say, one after the other, of what is inside of what: for a picture of all of them.

use super::containment::Reader;
use super::history;
use super::names::{NameNumbers, Thing};
use super::repeated;
use super::request::Ties;
use crate::withdrawn::{self, Standing, standings};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, push_string};
use std::fmt::Write as _;

/// The events of a document in order, and what each puts into containers and takes out of them.
///
/// **Shape**, one JSON object: `things`, identifiers in normal form, and `events`. Each event has its place in the document (`index`);
/// `withdrawn` if it counts for nothing, and then `by`, the place of the declaration that withdraws it; and `changes`, as
/// `[child, parent, isAssociation, state]` with the places of the two among the things. The state is 1 for what is inside, 0 for what was
/// taken out, and -1 for what is no longer inside though nothing says that it was taken out. A lot that is inside has its amount and
/// unit behind that, if the amount is known. A repeated event changes nothing.
///
/// # Errors
/// As [`hash::events`](epcis_edge_document::hash::events) for a document without events.
///
/// # Example
/// ```
/// use epcis_edge_core::{follow::course, json::Document};
/// let events = Document::read(br#"[
///     {"type": "AggregationEvent", "action": "ADD", "parentID": "urn:x:pallet", "childEPCs": ["urn:x:item"]}
/// ]"#)?;
/// let expected = r#"{"things":["urn:x:item","urn:x:pallet"],"events":[{"index":0,"changes":[[0,1,0,1]]}]}"#;
/// assert_eq!(course(&events)?, expected);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
pub fn course(document: &Document<'_>) -> Result<String, Error> {
    let (names, values, mut events) = super::read_all(document)?;
    // An event that cannot be hashed is declared wrong by no content.
    drop(withdrawn::name_by_content(document, &values, &mut events));
    let repeated = repeated::places(document, &values, &events);
    history::sort(&mut events);
    let mut reader = Reader::new(&names, Ties { association: true, ..Ties::default() });
    let mut things =
        Things { names: &names, places: vec![None; names.len()], list: String::new(), count: 0 };
    let mut list = String::new();
    for (at, (event, standing)) in events.iter().zip(standings(&events)).enumerate() {
        let separator = if at == 0 { "" } else { "," };
        let _ = write!(list, r#"{separator}{{"index":{}"#, event.place);
        if standing.is_void() {
            list.push_str(r#","withdrawn":true"#);
        } else if !repeated.contains(&event.place) {
            reader.take(at, event, &names);
            list.push_str(r#","changes":["#);
            for (number, (stay, rest)) in reader.changed().enumerate() {
                let separator = if number == 0 { "" } else { "," };
                let (child, parent) = (things.place(stay.child), things.place(stay.parent));
                let kind = u8::from(stay.is_association);
                let state = match stay.to {
                    None => 1,
                    Some(_) => -i8::from(stay.is_implied),
                };
                let _ = write!(list, "{separator}[{child},{parent},{kind},{state}");
                if let Some((digits, unit)) = rest.filter(|_| state == 1).map(|rest| rest.texts()) {
                    let _ = write!(list, ",{digits},");
                    push_string(&mut list, unit);
                }
                list.push(']');
            }
            list.push(']');
        }
        let by = match standing {
            Standing::Withdrawn(by) => events.get(by),
            _ => None,
        };
        if let Some(by) = by {
            let _ = write!(list, r#","by":{}"#, by.place);
        }
        list.push('}');
    }
    Ok(format!(r#"{{"things":[{}],"events":[{list}]}}"#, things.list))
}

/// The things that changes name.
struct Things<'n> {
    names: &'n NameNumbers,
    places: Vec<Option<usize>>,
    /// Their identifiers, as JSON.
    list: String,
    count: usize,
}

impl Things<'_> {
    /// The place of a thing among them.
    fn place(&mut self, thing: Thing) -> usize {
        let next = self.count;
        let place = self.places.get_mut(thing.number());
        let place = place.map_or(next, |place| *place.get_or_insert(next));
        if place == next {
            if next > 0 {
                self.list.push(',');
            }
            push_string(&mut self.list, self.names.id(thing));
            self.count += 1;
        }
        place
    }
}
