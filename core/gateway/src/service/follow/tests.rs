//! Following over a store, in several rounds, gives the same answer as following over a document.
// Invariant: Within the bounds of a store, following over it gives the answer of a document with all events.

use super::{FoundEvent, OrderBy, Request, Seeker, TimeField, question};
use crate::query::Facts;
use epcis_edge_history::follow::{ContentsRule, follow_document};
use epcis_edge_text::json::Document;
use serde_json::{Value, json};

/// Random numbers that are the same on every run.
struct Random(u32);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 12) as usize % limit
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Some names of things.
    fn things(&mut self) -> Vec<String> {
        let count = self.below(3);
        (0..count).map(|_| format!("urn:x:{}", self.below(9))).collect()
    }

    fn lots(&mut self) -> Value {
        let count = self.below(3);
        let lots = (0..count).map(|_| {
            let lot = format!("urn:x:lot{}", self.below(3));
            match self.below(3) {
                0 => json!({"epcClass": lot}),
                _ => json!({"epcClass": lot, "quantity": self.below(4), "uom": "KGM"}),
            }
        });
        lots.collect()
    }

    fn event(&mut self, number: usize) -> Value {
        let kind = self.one(&[
            "ObjectEvent",
            "AggregationEvent",
            "AggregationEvent",
            "AggregationEvent",
            "TransformationEvent",
            "AssociationEvent",
        ]);
        let mut event = json!({
            "type": kind,
            "eventID": format!("urn:uuid:{number}"),
            "eventTime": format!("2026-03-04T10:{:02}:00Z", self.below(8)),
        });
        match kind {
            "ObjectEvent" => {
                event["action"] = self.one(&["ADD", "OBSERVE", "DELETE"]).into();
                event["epcList"] = self.things().into();
                event["quantityList"] = self.lots();
            }
            "TransformationEvent" => {
                event["inputEPCList"] = self.things().into();
                event["inputQuantityList"] = self.lots();
                event["outputEPCList"] = self.things().into();
                event["outputQuantityList"] = self.lots();
                if self.below(3) == 0 {
                    event["transformationID"] = self.one(&["urn:x:t1", "urn:x:t2"]).into();
                }
            }
            _ => {
                event["action"] = self.one(&["ADD", "ADD", "OBSERVE", "DELETE"]).into();
                event["parentID"] = format!("urn:x:{}", self.below(9)).into();
                event["childEPCs"] = self.things().into();
                event["childQuantityList"] = self.lots();
            }
        }
        event
    }

    fn events(&mut self) -> Vec<Value> {
        let count = 1 + self.below(24);
        let mut events: Vec<Value> = (0..count).map(|number| self.event(number)).collect();
        for _ in 0..self.below(3) {
            let mut declaration = events[self.below(count)].clone();
            declaration["errorDeclaration"] = json!({"declarationTime": "2026-03-05T10:00:00Z"});
            let place = self.below(events.len());
            events.insert(place, declaration);
        }
        events
    }

    fn request(&mut self) -> Value {
        let mut request = json!({"items": [self.one(&["urn:x:0", "urn:x:1", "urn:x:lot0"])]});
        match self.below(4) {
            0 => request["kin"] = true.into(),
            1 => request["direction"] = self.one(&["back", "forth"]).into(),
            _ => {}
        }
        request["contents"] = self.one(&["listed", "followed", "none"]).into();
        if self.below(4) == 0 {
            request["depth"] = (1 + self.below(4)).into();
        }
        if self.below(4) == 0 {
            request["from"] = "2026-03-04T10:02:00Z".into();
            request["to"] = "2026-03-04T10:06:00Z".into();
        }
        if self.below(4) == 0 {
            request["through"] = json!(["packing", "transformation", "association"]);
        }
        request
    }
}

/// The answer over a store that holds these events, and how many of them were read.
fn over_a_store(events: &[String], request: &Request) -> (String, usize) {
    let documents: Vec<Document<'_>> =
        events.iter().map(|event| Document::read_text(event).unwrap()).collect();
    let facts: Vec<Facts> = documents.iter().map(|document| Facts::of(document.root())).collect();
    let mut seeker = Seeker::new(request);
    let mut read = 0;
    loop {
        let round = seeker.next_round();
        if round.is_empty() {
            return (seeker.answer(), read);
        }
        for asked in round {
            let (predicate, order) = question(&asked);
            let mut found: Vec<usize> =
                (0..events.len()).filter(|number| predicate.matches(&facts[*number], "")).collect();
            if order.by == OrderBy::EventTime {
                found.sort_by_key(|number| (facts[*number].time(TimeField::EventTime), *number));
            }
            if order.descending {
                found.reverse();
            }
            let is_last = found.len() <= asked.limit;
            found.truncate(asked.limit);
            read += found.len();
            let found = found.into_iter().map(|number| FoundEvent {
                sequence: number as u64,
                captured_by: String::new(),
                event: events[number].clone(),
            });
            seeker.add(&asked, found.collect(), is_last).unwrap();
            if seeker.is_over() {
                break;
            }
        }
    }
}

#[test]
fn a_store_gives_the_answer_of_the_document() {
    for seed in 0..1000 {
        let mut random = Random(seed);
        let events = random.events();
        let asked = random.request().to_string();
        let request = Request::read(Document::read_text(&asked).unwrap().root()).unwrap();
        let document = Value::from(events.clone()).to_string();
        let expected = follow_document(&Document::read_text(&document).unwrap(), &request).unwrap();
        // Only a document has places for its events.
        let expected = (0..events.len())
            .fold(expected, |text, place| text.replace(&format!(r#"{{"index":{place},"#), "{"));
        let stored: Vec<String> = events.iter().map(Value::to_string).collect();
        let (answer, _) = over_a_store(&stored, &request);
        assert_eq!(answer, expected, "seed {seed}: {asked} over {document}");
    }
}

#[test]
fn of_a_container_that_is_used_often_only_one_use_is_read() {
    let mut events = Vec::new();
    for use_of_it in 0..2000 {
        let time = format!(
            "2026-03-{:02}T{:02}:{:02}:00Z",
            1 + use_of_it / 500,
            use_of_it % 500 / 60,
            use_of_it % 60
        );
        let item = format!("urn:x:item{use_of_it}");
        for (action, child, parent) in [
            ("ADD", item.as_str(), "urn:x:crate"),
            ("ADD", "urn:x:crate", "urn:x:lorry"),
            ("DELETE", "urn:x:crate", "urn:x:lorry"),
            ("DELETE", item.as_str(), "urn:x:crate"),
        ] {
            events.push(json!({
                "type": "AggregationEvent", "eventID": format!("urn:uuid:{}", events.len()), "eventTime": time,
                "action": action, "parentID": parent, "childEPCs": [child],
            }));
        }
    }
    let stored: Vec<String> = events.iter().map(Value::to_string).collect();
    let request = Request::of(vec!["urn:x:item1000".to_owned()]);
    let (answer, read) = over_a_store(&stored, &request);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["events"].as_array().map(Vec::len), Some(4));
    // Of the crate and the lorry together.
    assert!(read <= 60, "{read} events were read");
}

/// In a knot every event names everything, and every look-up would find all events.
#[test]
fn the_events_of_a_knot_are_read_a_few_times() {
    let all: Vec<String> = (0..20).map(|number| format!("urn:x:{number}")).collect();
    let event = |number: usize| {
        json!({
            "type": "AggregationEvent", "eventID": format!("urn:uuid:{number}"), "action": if number.is_multiple_of(3) { "DELETE" } else { "ADD" },
            "eventTime": format!("2026-03-{:02}T{:02}:{:02}:00Z", 1 + number / 1440, number / 60 % 24, number % 60),
            "parentID": format!("urn:x:{}", number % 20), "childEPCs": all,
        })
    };
    let events: Vec<String> = (0..600).map(|number| event(number).to_string()).collect();
    let mut request = Request::of(vec!["urn:x:0".to_owned(), "urn:x:7".to_owned()]);
    request.depth = 64;
    request.max_events = 10_000;
    request.contents = ContentsRule::Followed;
    let (answer, read) = over_a_store(&events, &request);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert!(read < 6000, "{read} events were read");
    assert_eq!(answer["incomplete"], json!([]));
    assert_eq!(answer["events"].as_array().map(Vec::len), Some(600));
}

/// Containers that are used once are looked up a hundred at a time.
#[test]
fn many_containers_are_looked_up_together() {
    let packed = |number: usize| {
        json!({
            "type": "AggregationEvent", "eventID": format!("urn:uuid:{number}"), "action": "ADD",
            "eventTime": format!("2026-03-04T{:02}:{:02}:00Z", number / 60, number % 60),
            "parentID": format!("urn:x:case{number}"), "childQuantityList": [{"epcClass": "urn:x:lot", "quantity": 1}],
        })
    };
    let shipped = |number: usize| {
        json!({
            "type": "ObjectEvent", "eventID": format!("urn:uuid:s{number}"), "action": "OBSERVE",
            "eventTime": format!("2026-03-05T{:02}:{:02}:00Z", number / 60, number % 60),
            "epcList": [format!("urn:x:case{number}")],
        })
    };
    let events: Vec<String> = (0..400)
        .flat_map(|number| [packed(number), shipped(number)])
        .map(|event| event.to_string())
        .collect();
    let (answer, read) = over_a_store(&events, &Request::of(vec!["urn:x:lot".to_owned()]));
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["events"].as_array().map(Vec::len), Some(800));
    assert_eq!(answer["incomplete"], json!([]));
    assert!(read < 3000, "{read} events were read");
}
