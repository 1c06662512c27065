//! What captures cost that are made to cost much: time grows with the length of the body, memory stays below what an isolate has.

use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::error::Error;
use epcis_edge_core::log::{Hash, Tile, Witnessed};
use epcis_edge_core::service::{Configuration, Service};
use epcis_edge_core::store::{
    Appended, Batch, DocumentDigest, Documents, Events, Extension, Head, HeadCopy,
    IdentifierSelection, JobEvents, Jobs, Key, Keys, Log, Logged, MasterData, NamedQuery, NewJob,
    Queries, QueryPut, Receipt, Selected, Selection, StoredJob, Unlogged, ValueSelection, Values,
};
use epcis_edge_tests::memory::{Counting, IN_USE, PEAK};
use epcis_edge_tests::time::worked;
use pollster::block_on;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A store that forgets, so that what is measured is the capture.
struct Nowhere;

impl Events for Nowhere {
    async fn append(&self, batch: &Batch, _: &NewJob) -> Result<Receipt, Error> {
        let appended = Appended {
            duplicate: false,
            event_id: None,
        };
        Ok(Receipt {
            job: 1,
            events: vec![appended; batch.events.len()],
        })
    }

    async fn select(&self, _: &Selection<'_>) -> Result<Selected, Error> {
        Ok(Selected {
            events: Vec::new(),
            newest: 0,
            is_last: true,
        })
    }
}

impl Documents for Nowhere {
    async fn keep(&self, _: &DocumentDigest, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    async fn document(&self, _: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        Ok(None)
    }
}

impl Keys for Nowhere {
    async fn key(&self, _: &str) -> Result<Option<Key>, Error> {
        Ok(None)
    }
}

impl Jobs for Nowhere {
    async fn jobs(&self, _: &str, _: Option<u64>, _: usize) -> Result<Vec<StoredJob>, Error> {
        Ok(Vec::new())
    }

    async fn job_events(&self, _: &str, _: u64, _: usize) -> Result<JobEvents, Error> {
        Ok(JobEvents::default())
    }
}

impl Values for Nowhere {
    async fn values(&self, _: &ValueSelection<'_>) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
}

impl MasterData for Nowhere {
    async fn newest_element(&self) -> Result<u64, Error> {
        Ok(0)
    }

    async fn identifiers(&self, _: &IdentifierSelection<'_>) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
}

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
        Ok(Logged {
            events: Vec::new(),
            head: None,
        })
    }

    async fn keep_cosignatures(&self, _: u64, _: &[(String, String)]) -> Result<(), Error> {
        Ok(())
    }

    async fn last_cosigned_by(&self, _: &str) -> Result<Option<u64>, Error> {
        Ok(None)
    }

    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error> {
        Ok(None)
    }

    async fn copy_head(&self, _: &HeadCopy) -> Result<(), Error> {
        Ok(())
    }

    async fn witnessed(&self, _: &str) -> Result<Option<Witnessed>, Error> {
        Ok(None)
    }

    async fn keep_witnessed(
        &self,
        _: &str,
        _: Option<&Witnessed>,
        _: &Witnessed,
    ) -> Result<bool, Error> {
        Ok(false)
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
        r#"{{"@context":[{CONTEXT}{context}],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-02-01T00:00:00Z","epcisBody":{{"eventList":[{}]}}}}"#,
        events.join(",")
    )
}

/// A document of one event and many elements of master data.
fn with_master_data(context: &str, elements: &[String]) -> String {
    let header = format!(
        r#""epcisHeader":{{"epcisMasterData":{{"vocabularyList":[{{"type":"urn:x:t","vocabularyElementList":[{}]}}]}}}},"epcisBody""#,
        elements.join(",")
    );
    document(context, &[event("", "")]).replacen("\"epcisBody\"", &header, 1)
}

/// As many pieces as make so many bytes.
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

const SHAPES: [Shape; 22] = [
    ("small events", |bytes| {
        document("", &pieces(bytes, |_| event("", "")))
    }),
    ("numbers for events", |bytes| {
        document("", &pieces(bytes, |_| "1".to_owned()))
    }),
    ("small events that differ", |bytes| {
        document("", &pieces(bytes, |n| event("", &format!(r#","a:b":{n}"#))))
    }),
    ("small bare events", |bytes| {
        let own = format!(r#""@context":{CONTEXT},"#);
        format!("[{}]", pieces(bytes, |_| event(&own, "")).join(","))
    }),
    ("events with stamps", |bytes| {
        document(
            "",
            &pieces(bytes, |_| event("", r#","spine:who":"x","recordTime":"y""#)),
        )
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
        document(
            &format!(",{{\"spine\":\"urn:x:\",{}}}", terms.join(",")),
            &[event("", "")],
        )
    }),
    ("the gateway's prefixes used", |bytes| {
        let members = pieces(bytes, |n| format!(r#""spine{}:x":1"#, n + 2));
        document(
            ",{\"spine\":\"urn:x:\"}",
            &[event("", &format!(",{}", members.join(",")))],
        )
    }),
    ("a large context, many events", |bytes| {
        let terms = pieces(bytes / 2, |n| format!(r#""a{n}":"urn:a:{n}""#));
        let terms = &terms[..terms.len().min(9000)];
        document(
            &format!(",{{{}}}", terms.join(",")),
            &pieces(bytes / 2, |_| event("", "")),
        )
    }),
    ("contexts in events", |bytes| {
        document(
            "",
            &pieces(bytes, |n| {
                event(&format!(r#""@context":{{"a":"urn:a:{n}:"}},"#), "")
            }),
        )
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
            &[event(
                "",
                &format!(
                    r#","persistentDisposition":{{"set":[{}]}}"#,
                    words.join(",")
                ),
            )],
        )
    }),
    ("stamps at a long path", |bytes| {
        let long = "x".repeat(bytes / 2);
        let stamps = pieces(bytes / 2, |n| format!(r#""spine:{n}":1"#));
        document(
            "",
            &[event(
                "",
                &format!(r#","x:{long}":{{{}}}"#, stamps.join(",")),
            )],
        )
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
];

/// Shapes that need more mebibytes than 96 for ten of a body: one event with half a million different names or words, of each of
/// which the event hash keeps a copy until the event is done.
const LARGER: [(&str, usize); 2] = [
    ("the gateway's prefixes used", 128),
    ("words with a long prefix", 128),
];

/// How long a capture takes and what it needs besides its body, in bytes; and what it says.
fn measure(service: &Service<Nowhere>, text: &str) -> (Duration, usize, String) {
    let principal = Principal::local("https://example.com/accounts/1", "https://example.com/dock");
    let call = Call::new(1_769_904_000_000, principal);
    let before = IN_USE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let start = worked();
    let answer = block_on(service.capture(text.as_bytes(), false, &call));
    let time = worked().saturating_sub(start);
    let said = match &answer {
        Ok(captured) => format!("{} events", captured.events.len()),
        Err(error) => error.to_string().chars().take(70).collect(),
    };
    (time, PEAK.load(Relaxed) - before, said)
}

/// One test, for a count knows no threads. `EPCIS_EDGE_LIMITS` is the largest body in bytes.
#[test]
fn captures_stay_within_their_bounds() {
    let largest =
        std::env::var("EPCIS_EDGE_LIMITS").map_or(1 << 18, |bytes| bytes.parse().unwrap());
    let service = Service::with_store(Configuration::at("https://epcis.example.com"), Nowhere);
    // The schema is compiled once for all.
    measure(&service, &document("", &[event("", r#","bad":1"#)]));
    let mut wrong = Vec::new();
    for (name, shape) in SHAPES {
        let mut last = Duration::ZERO;
        for bytes in [largest / 4, largest / 2, largest] {
            let text = shape(bytes);
            let (time, memory, said) = measure(&service, &text);
            println!(
                "{name}: {:.2} MB, {:.3} s, {:.1} MB with the body: {said}",
                text.len() as f64 / 1e6,
                time.as_secs_f64(),
                (memory + text.len()) as f64 / 1e6
            );
            // A tenth of a second is noise on a busy machine.
            let bound = last.mul_f64(2.5) + Duration::from_millis(100);
            if last > Duration::ZERO && time > bound {
                wrong.push(format!(
                    "{name}: {time:?} for {bytes} bytes, {last:?} for half of them"
                ));
            }
            let all = memory + text.len();
            let factor = LARGER
                .iter()
                .find(|(larger, _)| *larger == name)
                .map_or(96, |(_, factor)| *factor);
            // So many mebibytes at ten; what is stored may have 32 whatever the body.
            let bound = (bytes / 10 * factor + (40 << 20)).min(factor << 20);
            if all > bound {
                wrong.push(format!("{name}: {all} bytes with a body of {bytes}"));
            }
            last = time;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
