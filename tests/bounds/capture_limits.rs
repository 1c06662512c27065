//! What expensive captures cost: time must be proportional to the body's length, and memory must fit in an isolate.

use async_trait::async_trait;
use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::capture::MAX_EVENT;
use epcis_edge_core::error::Error;
use epcis_edge_core::log::{Hash, Tile};
use epcis_edge_core::query::Places;
use epcis_edge_core::service::{CaptureOptions, Configuration, Service};
use epcis_edge_core::store::{
    AlreadyStored, AppendResult, Backlog, Batch, DocumentDigest, Documents, ElementSelection,
    ErrorBehaviour, Events, Extension, FoundElements, Halt, Head, HeadCopy, IdentifierSelection,
    JobEvents, Jobs, Key, Keys, Leaf, Listed, Log, Logged, LoggedEvent, MasterData, NamedQuery,
    NewJob, Queries, QueryPut, Receipt, Selected, Selection, StoredEvent, StoredJob, Unlogged,
    ValueSelection, Values,
};
use epcis_edge_core::translate::translate;
use epcis_edge_tests::memory::{in_use, peak, reset_peak};
use epcis_edge_tests::shapes::XML;
use epcis_edge_tests::time::{in_full, worked};
use epcis_edge_tests::variables::{number, part_of};
use pollster::block_on;
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;
use std::time::Duration;

/// A store that keeps nothing, so that only the capture is measured.
struct Nowhere;

#[async_trait(?Send)]
impl Events for Nowhere {
    async fn append(&self, batch: &Batch, _: &NewJob) -> Result<AppendResult, Error> {
        Ok(AppendResult::Done(Receipt { job: 1, record_time: batch.record_time }))
    }

    async fn known(&self, _: &Batch, _: &str) -> Result<AlreadyStored, Error> {
        Ok(AlreadyStored::default())
    }

    async fn numbered(&self, _: &[u64], _: usize) -> Result<Vec<StoredEvent>, Error> {
        Ok(Vec::new())
    }

    async fn select(&self, _: &Selection<'_>) -> Result<Selected, Error> {
        Ok(Selected { events: Vec::new(), newest: Places::default(), is_last: true })
    }

    async fn newest_events(&self) -> Result<Places, Error> {
        Ok(Places::default())
    }
}

#[async_trait(?Send)]
impl Documents for Nowhere {
    async fn keep(&self, _: &DocumentDigest, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    async fn document(&self, _: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        Ok(None)
    }
}

#[async_trait(?Send)]
impl Keys for Nowhere {
    async fn key(&self, _: &str) -> Result<Option<Key>, Error> {
        Ok(None)
    }
}

#[async_trait(?Send)]
impl Jobs for Nowhere {
    async fn jobs(&self, _: &str, _: Option<u64>, _: usize) -> Result<Vec<StoredJob>, Error> {
        Ok(Vec::new())
    }

    async fn job_events(&self, _: &str, _: u64, _: usize) -> Result<JobEvents, Error> {
        Ok(JobEvents::default())
    }
}

#[async_trait(?Send)]
impl Values for Nowhere {
    async fn values(&self, _: &ValueSelection<'_>) -> Result<Listed, Error> {
        Ok(Listed::default())
    }
}

#[async_trait(?Send)]
impl MasterData for Nowhere {
    async fn newest_elements(&self) -> Result<Places, Error> {
        Ok(Places::default())
    }

    async fn identifiers(&self, _: &IdentifierSelection<'_>) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    async fn elements(&self, _: &ElementSelection<'_>) -> Result<FoundElements, Error> {
        Ok(FoundElements::default())
    }
}

#[async_trait(?Send)]
impl Queries for Nowhere {
    async fn put_query(&self, _: &str, _: &NamedQuery, _: usize) -> Result<QueryPut, Error> {
        Ok(QueryPut::Added)
    }

    async fn query_named(&self, _: &str, _: &str) -> Result<Option<NamedQuery>, Error> {
        Ok(None)
    }

    async fn queries(&self, _: &str, _: Option<&str>, _: usize) -> Result<Vec<NamedQuery>, Error> {
        Ok(Vec::new())
    }

    async fn remove_query(&self, _: &str, _: &str) -> Result<bool, Error> {
        Ok(false)
    }
}

#[async_trait(?Send)]
impl Log for Nowhere {
    async fn last_head(&self) -> Result<Option<Head>, Error> {
        Ok(None)
    }

    async fn last_cosigned_head(&self) -> Result<Option<Head>, Error> {
        Ok(None)
    }

    async fn head(&self, _: u64) -> Result<Option<Head>, Error> {
        Ok(None)
    }

    async fn has_head(&self, _: RangeInclusive<u64>) -> Result<bool, Error> {
        Ok(false)
    }

    async fn unlogged(&self, _: usize) -> Result<Vec<Unlogged>, Error> {
        Ok(Vec::new())
    }

    async fn tiles(&self, _: &[Tile]) -> Result<Vec<Vec<Hash>>, Error> {
        Ok(Vec::new())
    }

    async fn commitments(&self, _: Range<u64>) -> Result<Vec<Hash>, Error> {
        Ok(Vec::new())
    }

    async fn extend(&self, _: &Extension) -> Result<bool, Error> {
        Ok(false)
    }

    async fn select_logged(&self, _: &Selection<'_>) -> Result<Logged, Error> {
        Ok(Logged { events: Vec::new(), head: None })
    }

    async fn leaves(&self, _: &[u64]) -> Result<(Vec<(u64, Leaf)>, Option<Head>), Error> {
        Ok((Vec::new(), None))
    }

    async fn keep_cosignatures(&self, _: u64, _: &[(String, String)]) -> Result<(), Error> {
        Ok(())
    }

    async fn last_cosigned_by(&self, _: &str) -> Result<Option<(u64, String)>, Error> {
        Ok(None)
    }

    async fn last_halt(&self) -> Result<Option<Halt>, Error> {
        Ok(None)
    }

    async fn halt(&self, _: &Halt) -> Result<(), Error> {
        Ok(())
    }

    async fn resume(&self, _: &str) -> Result<(), Error> {
        Ok(())
    }

    async fn heads(&self, _: Range<u64>) -> Result<Vec<Head>, Error> {
        Ok(Vec::new())
    }

    async fn logged_events(&self, _: Range<u64>) -> Result<Vec<LoggedEvent>, Error> {
        Ok(Vec::new())
    }

    async fn events_between(&self, _: Range<u64>) -> Result<u64, Error> {
        Ok(0)
    }

    async fn backlog(&self) -> Result<Backlog, Error> {
        Ok(Backlog::default())
    }

    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error> {
        Ok(None)
    }

    async fn copy_head(&self, _: &HeadCopy) -> Result<(), Error> {
        Ok(())
    }
}

const CONTEXT: &str = r#""https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld""#;

fn event(context: &str, more: &str) -> String {
    format!(
        r#"{{{context}"type":"ObjectEvent","action":"OBSERVE","epcList":["urn:x:1"],"eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00"{more}}}"#
    )
}

fn document(context: &str, events: &[String]) -> String {
    format!(
        r#"{{"@context":[{CONTEXT},{{"x":"https://x.example/"}}{context}],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-02-01T00:00:00Z","epcisBody":{{"eventList":[{}]}}}}"#,
        events.join(",")
    )
}

/// A document of one event and many master data elements.
fn with_master_data(context: &str, elements: &[String]) -> String {
    let header = format!(
        r#""epcisHeader":{{"epcisMasterData":{{"vocabularyList":[{{"type":"urn:x:t","vocabularyElementList":[{}]}}]}}}},"epcisBody""#,
        elements.join(",")
    );
    document(context, &[event("", "")]).replacen("\"epcisBody\"", &header, 1)
}

/// Enough pieces for this many bytes.
fn pieces(bytes: usize, piece: impl Fn(usize) -> String) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut length = 0;
    while length < bytes {
        let next = piece(pieces.len());
        length += next.len() + 1;
        pieces.push(next);
    }
    pieces
}

type Shape = (&'static str, fn(usize) -> String);

/// A list nested in objects with long names, which take half of the bytes: at most 50 names of 8 kB.
fn below_long_names(bytes: usize, list: &[String]) -> String {
    let below = format!(r#"{{"x:b":[{}]}}"#, list.join(","));
    let names = (bytes / 2 / 8000).clamp(1, 50);
    let name = "n".repeat(8000);
    format!(r#","x:y":{}{below}{}"#, format!(r#"{{"x:{name}":"#).repeat(names), "}".repeat(names))
}

/// A context of a tenth of the bytes whose terms expand to much more: each is defined by the one before it.
fn growing_terms(bytes: usize) -> String {
    let terms = pieces(bytes / 10, |n| match n {
        0 => r#""a0":"urn:x:""#.to_owned(),
        n => format!(r#""a{n}":"a{}:xxxxxxxxxx:""#, n - 1),
    });
    format!(",{{{}}}", terms.join(","))
}

/// An error declaration whose eventID is the hash of another event.
fn declaration(number: usize) -> String {
    event(
        "",
        &format!(
            r#","eventID":"ni:///sha-256;{number:064x}?ver=CBV2.0","errorDeclaration":{{"declarationTime":"2026-01-01T00:00:00Z"}}"#
        ),
    )
}

const SHAPES: [Shape; 31] = [
    ("small events", |bytes| document("", &pieces(bytes, |_| event("", "")))),
    ("numbers for events", |bytes| document("", &pieces(bytes, |_| "1".to_owned()))),
    ("small events that differ", |bytes| {
        document("", &pieces(bytes, |n| event("", &format!(r#","x:b":{n}"#))))
    }),
    ("small bare events", |bytes| {
        let own = format!(r#""@context":{CONTEXT},"#);
        format!("[{}]", pieces(bytes, |_| event(&own, "")).join(","))
    }),
    ("events with stamps", |bytes| {
        document("", &pieces(bytes, |_| event("", r#","spine:who":"x","recordTime":"y""#)))
    }),
    ("entries of a context", |bytes| {
        let entries = pieces(bytes, |n| format!(r#"{{"a{n}":"urn:a:{n}"}}"#));
        document(&format!(",{}", entries.join(",")), &[event("", "")])
    }),
    ("addresses of contexts", |bytes| {
        let entries = pieces(bytes, |n| format!(r#""https://ref.gs1.org/standards/{n}""#));
        document(&format!(",{}", entries.join(",")), &[event("", "")])
    }),
    ("terms", |bytes| {
        let terms = pieces(bytes, |n| format!(r#""a{n}":"urn:a:{n}""#));
        document(&format!(",{{{}}}", terms.join(",")), &[event("", "")])
    }),
    ("terms that use each other", |bytes| {
        let terms = pieces(bytes, |n| format!(r#""a{n}":"a{}:""#, n + 1));
        document(&format!(",{{{}}}", terms.join(",")), &[event("", "")])
    }),
    ("the gateway's prefixes declared", |bytes| {
        let terms = pieces(bytes, |n| format!(r#""spine{n}":"urn:a:{n}""#));
        document(&format!(",{{\"spine\":\"urn:x:\",{}}}", terms.join(",")), &[event("", "")])
    }),
    ("the gateway's prefixes used", |bytes| {
        // In a comment, prefixes need no declaration.
        let members = pieces(bytes, |n| format!(r#""spine{}:x":1"#, n + 2));
        let comment = format!(r#","rdfs:comment":{{{}}}"#, members.join(","));
        document(",{\"spine\":\"urn:x:\"}", &[event("", &comment)])
    }),
    ("a large context, many events", |bytes| {
        let terms = pieces(bytes / 2, |n| format!(r#""a{n}":"urn:a:{n}""#));
        let terms = &terms[..terms.len().min(9000)];
        document(&format!(",{{{}}}", terms.join(",")), &pieces(bytes / 2, |_| event("", "")))
    }),
    ("contexts in events", |bytes| {
        document("", &pieces(bytes, |n| event(&format!(r#""@context":{{"a":"urn:a:{n}:"}},"#), "")))
    }),
    ("contexts in nested objects, with a long prefix", |bytes| {
        let long = "x".repeat(100_000);
        let nested = pieces(bytes, |_| r#"{"@context":{"z":"a:"}}"#.to_owned());
        document(
            &format!(r#",{{"a":"urn:{long}:"}}"#),
            &[event("", &format!(r#","x:y":[{}]"#, nested.join(",")))],
        )
    }),
    ("names with a long prefix", |bytes| {
        let long = "x".repeat(bytes / 2);
        let members = pieces(bytes / 2, |n| format!(r#""a:n{n}":1"#));
        document(
            &format!(r#",{{"a":"urn:{long}:"}}"#),
            &[event("", &format!(",{}", members.join(",")))],
        )
    }),
    ("words with a long prefix", |bytes| {
        let long = "x".repeat(100_000);
        let words = pieces(bytes, |n| format!(r#""a:{n}""#));
        document(
            &format!(r#",{{"a":"urn:{long}:"}}"#),
            &[event("", &format!(r#","persistentDisposition":{{"set":[{}]}}"#, words.join(",")))],
        )
    }),
    ("stamps at a long path", |bytes| {
        let long = "x".repeat(bytes / 2);
        let stamps = pieces(bytes / 2, |n| format!(r#""spine:{n}":1"#));
        document("", &[event("", &format!(r#","x:{long}":{{{}}}"#, stamps.join(",")))])
    }),
    ("elements of master data", |bytes| {
        with_master_data("", &pieces(bytes, |n| format!(r#"{{"id":"urn:x:{n}"}}"#)))
    }),
    ("one element of master data", |bytes| {
        let same = |_| {
            r#"{"id":"urn:x:1","attributes":[{"id":"a:b","attribute":1}],"children":["urn:x:2"]}"#
                .to_owned()
        };
        with_master_data("", &pieces(bytes, same))
    }),
    ("attributes and children of master data", |bytes| {
        let long = |n| {
            format!(
                r#"{{"id":"urn:x:{n}","attributes":[{}],"children":[{}]}}"#,
                pieces(10_000, |k| format!(r#"{{"id":"a:{k}","attribute":"{k}"}}"#)).join(","),
                pieces(10_000, |k| format!(r#""urn:x:{k}""#)).join(",")
            )
        };
        with_master_data("", &pieces(bytes, long))
    }),
    ("attributes of master data with a long prefix", |bytes| {
        let context = format!(r#",{{"p":"urn:{}:"}}"#, "x".repeat(1000));
        let named =
            |n| format!(r#"{{"id":"urn:x:{n}","attributes":[{{"id":"p:{n}","attribute":1}}]}}"#);
        with_master_data(&context, &pieces(bytes, named))
    }),
    ("repeated names", |bytes| {
        let names = pieces(bytes, |n| format!(r#""x:a{n}":1,"x:a{n}":2"#));
        document("", &[event("", &format!(",{}", names.join(",")))])
    }),
    ("a list under a long name", |bytes| {
        let name = "n".repeat(8000);
        let objects = pieces(bytes, |_| r#"{"@context":{"z":"urn:z:"}}"#.to_owned());
        let list = format!(r#","x:y":{{"x:{name}":[{}]}}"#, objects.join(","));
        document("", &[event("", &list)])
    }),
    ("objects below long names", |bytes| {
        let objects = pieces(bytes / 2, |_| "{}".to_owned());
        let below = below_long_names(bytes, &objects);
        document("", &[event("", &below)])
    }),
    ("contexts below long names", |bytes| {
        let objects = pieces(bytes / 2, |_| r#"{"@context":{"z":"urn:z:"}}"#.to_owned());
        let below = below_long_names(bytes, &objects);
        document("", &[event("", &below)])
    }),
    ("refused contexts below long names", |bytes| {
        let objects = pieces(bytes / 2, |_| r#"{"@context":{"z":null}}"#.to_owned());
        let below = below_long_names(bytes, &objects);
        document("", &[event("", &below)])
    }),
    ("refused keywords below long names", |bytes| {
        let objects = pieces(bytes / 2, |_| r#"{"@foo":1}"#.to_owned());
        let below = below_long_names(bytes, &objects);
        document("", &[event("", &below)])
    }),
    ("repeated names below long names", |bytes| {
        let objects = pieces(bytes / 2, |_| r#"{"a":1,"a":1}"#.to_owned());
        let below = below_long_names(bytes, &objects);
        document("", &[event("", &below)])
    }),
    ("a context in each object, above each other", |bytes| {
        let nested = r#"{"@context":{"z":"urn:z:"},"x:a":"#.repeat(60);
        let lists = pieces(bytes, |_| format!("{nested}1{}", "}".repeat(60)));
        document("", &[event("", &format!(r#","x:y":[{}]"#, lists.join(",")))])
    }),
    ("small events, growing terms", |bytes| {
        document(&growing_terms(bytes), &pieces(bytes, |_| event("", "")))
    }),
    ("repeated contexts in events, growing terms", |bytes| {
        let own = r#""@context":[{"b":"urn:b:"},{"c":"urn:c:"},{"b":"urn:b:"}],"#;
        document(&growing_terms(bytes), &pieces(bytes, |_| event(own, r#","b:x":1"#)))
    }),
];

/// Captures with `proceed`. Each event is prepared on its own, because some are refused.
const PROCEEDING: [Shape; 6] = [
    ("proceed: declarations that name other events", |bytes| {
        document("", &pieces(bytes, declaration))
    }),
    ("proceed: events that are wrong", |bytes| {
        document("", &pieces(bytes, |_| event("", r#","bad":1"#)))
    }),
    ("proceed: events with repeated names", |bytes| {
        document("", &pieces(bytes, |_| event("", r#","x:a":1,"x:a":2"#)))
    }),
    ("proceed: one of small events with repeated names below long names", |bytes| {
        let objects = pieces(bytes / 2, |_| r#"{"a":1,"a":1}"#.to_owned());
        let below = below_long_names(bytes, &objects);
        document("", &[event("", &below), event("", "")])
    }),
    ("proceed: events that are wrong, growing terms", |bytes| {
        document(&growing_terms(bytes), &pieces(bytes, |_| event("", r#","bad":1"#)))
    }),
    ("proceed: events with an undeclared prefix", |bytes| {
        document("", &pieces(bytes, |_| event("", r#","p:a":1"#)))
    }),
];

/// A name, and a function that makes two documents with the same events: one to store, and one that differs only in members that
/// are not hashed.
type Again = (&'static str, fn(usize, bool) -> String);

/// Captures of events that are stored already, so that the capture looks for differences.
const AGAIN: [Again; 2] = [
    ("again: a comment of many members", |bytes, is_again| {
        let members = pieces(bytes, |n| format!(r#""n{n}":{}"#, u8::from(is_again)));
        let comment = format!(r#","rdfs:comment":{{{}}}"#, members.join(","));
        document("", &[event("", &comment)])
    }),
    ("again: comments below long names", |bytes, is_again| {
        let objects =
            pieces(bytes / 2, |n| format!(r#"{{"rdfs:comment":"{}{n}"}}"#, u8::from(is_again)));
        let below = below_long_names(bytes, &objects);
        document("", &[event("", &below)])
    }),
];

/// Shapes that may need more than 96 MiB for a body of 10 MiB, with their limits in MiB. Each is one event with half a million
/// different names or words, and the event hash keeps a copy of each until the event is done.
const LARGER: [(&str, usize); 2] =
    [("the gateway's prefixes used", 128), ("words with a long prefix", 128)];

/// XML documents that consist almost entirely of text that JSON must escape. The stored event is a copy of it, and each hash builds
/// further copies.
const LONG_TEXTS: [&str; 6] = [
    "carriage returns",
    "carriage returns between letters",
    "carriage returns in a CDATA section",
    "references to carriage returns",
    "one text of quotes",
    "tabs",
];

/// Allows 84 MB, body included, for the longest accepted event: `MAX_EVENT` bytes of XML, or fewer if its JSON has that length. The
/// Worker has 96 MB for this and for heap fragmentation, which is not counted here. `make hostile` measures both.
fn copies_of_long_texts(service: &Service, only: &str) -> Vec<String> {
    let size = number("EPCIS_EDGE_LIMITS").unwrap_or(2 << 20);
    let mut found = Vec::new();
    for name in LONG_TEXTS.into_iter().filter(|name| name.contains(only)) {
        let shape = XML.iter().find(|shape| shape.name == name).unwrap();
        let body = shape.body(size).into_bytes();
        let principal =
            Principal::local("https://example.com/accounts/1", "https://example.com/dock");
        let call = Call::new(1_769_904_000_000, principal);
        let before = in_use();
        reset_peak();
        let answer = block_on(service.capture_xml(&body, CaptureOptions::default(), &call));
        let all = peak() - before + body.len();
        println!("XML, {name}: {:.1} MB with the body", all as f64 / 1e6);
        if let Err(error) = answer {
            found.push(format!("XML, {name}: {error}"));
        }
        let json = translate(&body).unwrap().document.len();
        let longest = MAX_EVENT.min(MAX_EVENT * body.len() / json);
        if all > (80 << 20) / 1024 * body.len() / (longest / 1024) + (1 << 20) {
            found.push(format!("XML, {name}: {all} bytes with a body of {size}"));
        }
    }
    found
}

/// The time a capture takes, the bytes it needs in addition to its body, and its result.
fn measure(service: &Service, text: &str, behaviour: ErrorBehaviour) -> (Duration, usize, String) {
    let principal = Principal::local("https://example.com/accounts/1", "https://example.com/dock");
    let call = Call::new(1_769_904_000_000, principal);
    let options = CaptureOptions { behaviour, ..CaptureOptions::default() };
    let before = in_use();
    reset_peak();
    let start = worked();
    let answer = block_on(service.capture_as(text.as_bytes(), options, &call));
    let time = worked().saturating_sub(start);
    let said = match &answer {
        Ok(captured) => format!("{} events", captured.events.len()),
        Err(error) => error.to_string().chars().take(70).collect(),
    };
    (time, peak() - before, said)
}

/// Checks the cost of a shape at doubling sizes. Too much memory is an error, and where times are judged, time that more than doubles.
struct Bounds {
    largest: usize,
    /// Only shapes whose name contains this text are measured.
    only: String,
    wrong: Vec<String>,
}

impl Bounds {
    fn check(
        &mut self,
        name: &str,
        mut measured: impl FnMut(usize) -> (usize, Duration, usize, String),
    ) {
        if !name.contains(&self.only) {
            return;
        }
        let mut last = Duration::ZERO;
        // What these terms stand for grows with the square of their number, up to its limit: at 400 kB they have reached it.
        let is_growing = name.contains("growing terms");
        let largest = if is_growing { self.largest.max(2 << 20) } else { self.largest };
        for bytes in [largest / 4, largest / 2, largest] {
            let (length, mut time, memory, said) = measured(bytes);
            println!(
                "{name}: {:.2} MB, {:.3} s, {:.1} MB with the body: {said}",
                length as f64 / 1e6,
                time.as_secs_f64(),
                (memory + length) as f64 / 1e6
            );
            // Up to a tenth of a second is noise.
            let bound = last.mul_f64(2.5) + Duration::from_millis(100);
            let is_judged = in_full() && last > Duration::ZERO;
            // One slow run may be due to the machine, so it is repeated.
            let mut tries = if is_judged { 3 } else { 0 };
            while time > bound && tries > 0 {
                time = time.min(measured(bytes).1);
                tries -= 1;
            }
            if is_judged && time > bound {
                self.wrong
                    .push(format!("{name}: {time:?} for {bytes} bytes, {last:?} for half of them"));
            }
            let all = memory + length;
            let factor =
                LARGER.iter().find(|(larger, _)| *larger == name).map_or(96, |(_, factor)| *factor);
            // `factor` MiB for a body of 10 MiB. Smaller bodies may use 40 MiB more, because the stored data may take 32 MiB
            // for any body.
            let bound = (bytes / 10 * factor + (40 << 20)).min(factor << 20);
            if all > bound {
                self.wrong.push(format!("{name}: {all} bytes with a body of {bytes}"));
            }
            last = time;
        }
    }
}

/// `EPCIS_EDGE_LIMITS` is the largest body in
/// bytes, `EPCIS_EDGE_SHAPE` a part of the names of the shapes to measure.
#[test]
fn captures_stay_within_their_bounds() {
    epcis_edge_core::translate::compare_as_a_release();
    let names = LONG_TEXTS
        .into_iter()
        .chain(SHAPES.iter().chain(&PROCEEDING).map(|(name, _)| *name))
        .chain(AGAIN.iter().map(|(name, _)| *name));
    let mut bounds = Bounds {
        largest: number("EPCIS_EDGE_LIMITS").unwrap_or(1 << 18),
        only: part_of("EPCIS_EDGE_SHAPE", names),
        wrong: Vec::new(),
    };
    let service =
        Service::with_store(Configuration::at("https://epcis.example.com"), Rc::new(Nowhere));
    let wrong = document("", &[event("", r#","bad":1"#)]);
    // Compiles the schema, which happens once.
    measure(&service, &wrong, ErrorBehaviour::Rollback);
    let found = copies_of_long_texts(&service, &bounds.only);
    bounds.wrong.extend(found);
    for (shapes, behaviour) in [
        (SHAPES.as_slice(), ErrorBehaviour::Rollback),
        (PROCEEDING.as_slice(), ErrorBehaviour::Proceed),
    ] {
        for (name, shape) in shapes {
            bounds.check(name, |bytes| {
                let text = shape(bytes);
                let (time, memory, said) = measure(&service, &text, behaviour);
                (text.len(), time, memory, said)
            });
        }
    }
    for (name, shape) in AGAIN {
        bounds.check(name, |bytes| {
            let service = Service::new(Configuration::at("https://epcis.example.com"));
            measure(&service, &wrong, ErrorBehaviour::Rollback);
            measure(&service, &shape(bytes, false), ErrorBehaviour::Rollback);
            let text = shape(bytes, true);
            let (time, memory, said) = measure(&service, &text, ErrorBehaviour::Rollback);
            (text.len(), time, memory, said)
        });
    }
    assert!(bounds.wrong.is_empty(), "{}", bounds.wrong.join("\n"));
}
