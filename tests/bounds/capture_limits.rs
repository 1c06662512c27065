//! What expensive captures cost: time must be proportional to the body's length, and memory must fit in an isolate.
// Invariant: A capture takes time proportional to its body, and no more memory than an isolate has, whatever its contexts.

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
use epcis_edge_tests::template::Template;
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

    async fn newest_events(&self, _: Option<&[&str]>) -> Result<Places, Error> {
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
    async fn newest_elements(&self, _: Option<&[&str]>) -> Result<Places, Error> {
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

/// What the templates name. A piece may have those behind it.
const PIECES: &[(&str, &str)] = &[
    ("{growing}", r#",{"a0":"urn:x:",«10,"a{n+1}":"a{n}:xxxxxxxxxx:"»}"#),
    (
        "{elements}",
        r#"],{head}"epcisHeader":{"epcisMasterData":{"vocabularyList":[{"type":"urn:x:t","vocabularyElementList":["#,
    ),
    ("{/elements}", r#"]}]}},"epcisBody":{"eventList":["#),
    ("{events}", r#"],{head}"epcisBody":{"eventList":["#),
    (
        "{head}",
        r#""type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-02-01T00:00:00Z","#,
    ),
    ("{doc}", r#"{"@context":[{context},{"x":"https://x.example/"}"#),
    ("{/doc}", "]}}"),
    ("{small}", "{event}}"),
    ("{event}", "{{members}"),
    (
        "{members}",
        r#""type":"ObjectEvent","action":"OBSERVE","epcList":["urn:x:1"],"eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00""#,
    ),
    ("{context}", r#""https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld""#),
    // A list in objects with long names, which take half of the bytes: at most 50 names of 8 kB.
    ("{below}", r#"{size/16000<50:{"x:{8000:n:}"::}{"x:b":["#),
    ("{/below}", "]}{size/16000<50: }:}"),
];

/// The names of the shapes, and their templates.
fn shapes() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("capture.txt").lines().filter_map(|line| line.split_once(" = "))
}

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
    let names = LONG_TEXTS.into_iter().chain(shapes().map(|(name, _)| name));
    let mut bounds = Bounds {
        largest: number("EPCIS_EDGE_LIMITS").unwrap_or(1 << 18),
        only: part_of("EPCIS_EDGE_SHAPE", names),
        wrong: Vec::new(),
    };
    let service =
        Service::with_store(Configuration::at("https://epcis.example.com"), Rc::new(Nowhere));
    let made = |text: &str, size| Template::new(text, PIECES).body(size).0;
    let wrong = made(r#"{doc}{events}{event},"bad":1}{/doc}"#, 0);
    // Compiles the schema, which happens once.
    measure(&service, &wrong, ErrorBehaviour::Rollback);
    let found = copies_of_long_texts(&service, &bounds.only);
    bounds.wrong.extend(found);
    for (name, template) in shapes() {
        bounds.check(name, |bytes| {
            let text = made(&template.replace("{again}", "1"), bytes);
            let (behaviour, again) = match name.split_once(": ") {
                Some(("proceed", _)) => (ErrorBehaviour::Proceed, None),
                Some(_) => {
                    (ErrorBehaviour::Rollback, Some(Service::new(service.configuration().clone())))
                }
                None => (ErrorBehaviour::Rollback, None),
            };
            let (time, memory, said) = match again {
                Some(service) => {
                    measure(&service, &wrong, behaviour);
                    measure(&service, &made(&template.replace("{again}", "0"), bytes), behaviour);
                    measure(&service, &text, behaviour)
                }
                None => measure(&service, &text, behaviour),
            };
            (text.len(), time, memory, said)
        });
    }
    assert!(bounds.wrong.is_empty(), "{}", bounds.wrong.join("\n"));
}
