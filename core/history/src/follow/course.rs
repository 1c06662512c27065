//! What the events of a document say, one after the other, of what is inside of what: for a picture of all of them.

use super::containment::Reader;
use super::names::Thing;
use super::request::Ties;
use super::{history, repeated};
use crate::withdrawn::{self, Standing, standings};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, push_string};
use std::fmt::Write as _;

/// The events of a document in order, and what each puts into containers and takes out of them.
///
/// **Shape**, one JSON object: `things`, identifiers in normal form, and `events`. Each event has its place in the document (`index`). One
/// that counts for nothing has `by`: the place of the declaration that withdraws it, `null` for a declaration. Any other has `changes`, as
/// `[child, parent, isAssociation, state]` with the places of the two among the things. The state is 1 for what is inside, 0 for what was
/// taken out, and -1 for what is no longer inside though nothing says that it was taken out. A lot that is inside has its amount and
/// unit behind that, if the amount is known. A repeated event changes nothing.
///
/// # Errors
/// As [`hash::events`](epcis_edge_document::hash::events) for a document without events.
///
/// # Example
/// ```
/// use epcis_edge_history::follow::course;
/// use epcis_edge_text::json::Document;
/// let events = Document::read(br#"[
///     {"type": "AggregationEvent", "action": "ADD", "parentID": "urn:x:pallet", "childEPCs": ["urn:x:item"]}
/// ]"#)?;
/// let expected = r#"{"things":["urn:x:pallet","urn:x:item"],"events":[{"index":0,"changes":[[1,0,0,1]]}]}"#;
/// assert_eq!(course(&events)?, expected);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
pub fn course(document: &Document<'_>) -> Result<String, Error> {
    let (names, values, mut events) = super::read_all(document)?;
    // An event that cannot be hashed is declared wrong by no content.
    let named = events.iter_mut().map(|event| &mut event.named);
    drop(withdrawn::name_by_content(document, &values, named));
    let repeated = repeated::are_repeated(document, &values, &events);
    history::sort(&mut events);
    let mut reader = Reader::new(&names, Ties { association: true, ..Ties::default() });
    let mut out = r#"{"things":["#.to_owned();
    each(&mut out, (0..names.len()).map(Thing::at), |out, thing| push_string(out, names.id(thing)));
    out.push_str(r#"],"events":["#);
    let standings = standings(events.iter().map(|event| &event.named));
    each(&mut out, events.iter().zip(standings).enumerate(), |out, (at, (event, standing))| {
        let _ = write!(out, r#"{{"index":{}"#, event.place);
        if standing.is_void() {
            let by = match standing {
                Standing::Withdrawn(by) => events.get(by).map(|by| by.place.to_string()),
                _ => None,
            };
            let _ = write!(out, r#","by":{}}}"#, by.as_deref().unwrap_or("null"));
            return;
        }
        out.push_str(r#","changes":["#);
        if repeated.get(event.place as usize) == Some(&false) {
            reader.take(at, event, &names);
            each(out, reader.changed(), |out, (stay, rest)| {
                let [child, parent] = [stay.child, stay.parent].map(Thing::number);
                let kind = u8::from(stay.is_association);
                let state = stay.to.map_or(1, |_| -i8::from(stay.is_implied));
                let _ = write!(out, "[{child},{parent},{kind},{state}");
                if let Some((digits, unit)) = rest.filter(|_| state == 1).map(|rest| rest.texts()) {
                    let _ = write!(out, ",{digits},");
                    push_string(out, unit);
                }
                out.push(']');
            });
        }
        out.push_str("]}");
    });
    out.push_str("]}");
    Ok(out)
}

/// Writes items with commas between.
fn each<T>(
    out: &mut String,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    for (number, item) in items.enumerate() {
        if number > 0 {
            out.push(',');
        }
        write(out, item);
    }
}
