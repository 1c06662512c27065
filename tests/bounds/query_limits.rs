//! What expensive queries cost on expensive events: time must be proportional to the length of the event, for every query.
// Invariant: The cost of a query is proportional to the event, whatever its parameters and values.

use epcis_edge_core::json::Document;
use epcis_edge_core::query::Query;
use epcis_edge_tests::time::seconds;
use serde_json::{Map, Value, json};

const SGTIN: &str = "urn:epc:id:sgtin:0614141.112345.";

fn event(members: &str) -> String {
    format!(
        r#"{{"@context":{{"x":"https://ns.example.com/{}/","y":"https://ns.example.com/y/"}},"type":"ObjectEvent","eventTime":"2026-01-01T00:00:00Z"{members}}}"#,
        "9".repeat(2000)
    )
}

/// Enough pieces for this many bytes.
fn pieces(bytes: usize, piece: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for n in 0.. {
        if out.len() >= bytes {
            break;
        }
        out.push(if n == 0 { ' ' } else { ',' });
        out.push_str(&piece(n));
    }
    out
}

/// A query with parameters of these names and 1000 values in total.
fn query(names: &[String], value: impl Fn(usize) -> Value) -> Query {
    let each = 1000 / names.len();
    let mut parameters: Map<String, Value> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let values: Vec<Value> = (0..each).map(|n| value(at * each + n)).collect();
            (name.clone(), values.into())
        })
        .collect();
    parameters.insert(
        "@context".to_owned(),
        json!({"x": format!("https://ns.example.com/{}/", "9".repeat(2000)), "y": "https://ns.example.com/y/"}),
    );
    let text = Value::Object(parameters).to_string();
    Query::read(Document::read(text.as_bytes()).unwrap().root()).unwrap()
}

fn names(start: &str, count: usize) -> Vec<String> {
    (0..count).map(|n| format!("{start}{n}")).collect()
}

type Shape = (&'static str, fn(usize) -> String, fn() -> Query);

const SHAPES: [Shape; 8] = [
    (
        "one name, many values",
        |bytes| event(&format!(r#","y:a":[{}]"#, pieces(bytes, |n| format!("\"{n}-\"")))),
        || query(&["EQ_y:a".to_owned()], |n| json!(format!("{n}+"))),
    ),
    (
        "one name, many numbers and times",
        |bytes| {
            event(&format!(
                r#","y:a":[{}]"#,
                pieces(bytes, |n| format!("{n}.5,\"2026-01-01T00:00:00.{n:06}Z\""))
            ))
        },
        || {
            query(&["EQ_y:a".to_owned()], |n| {
                if n % 2 == 0 {
                    json!(n)
                } else {
                    json!(format!("2026-01-02T00:00:{:02}Z", n % 60))
                }
            })
        },
    ),
    (
        "sixty names of one long prefix",
        |bytes| {
            event(&format!(
                r#","y:a":[{}]"#,
                pieces(bytes, |n| format!(r#"{{"x:{}":{n}}}"#, n % 60))
            ))
        },
        || query(&names("EQ_INNER_x:", 60), |n| json!(format!("{n}+"))),
    ),
    (
        "names of one long prefix that nobody asks for",
        |bytes| {
            event(&format!(
                r#","y:a":[{}]"#,
                pieces(bytes, |n| format!(r#"{{"x:b{}":{n}}}"#, n % 60))
            ))
        },
        || query(&names("EQ_INNER_x:", 60), |n| json!(n)),
    ),
    (
        "deep extensions with contexts",
        |bytes| {
            let deep = format!(
                "{}1{}",
                r#"{"@context":{"z":"urn:z:"},"z:a":"#.repeat(100),
                "}".repeat(100)
            );
            event(&format!(r#","y:a":[{}]"#, pieces(bytes, |_| deep.clone())))
        },
        || query(&["EQ_INNER_urn:z:#b".to_owned()], |n| json!(n)),
    ),
    (
        "quantities",
        |bytes| {
            event(&format!(
                r#","quantityList":[{}]"#,
                pieces(bytes, |n| format!(r#"{{"epcClass":"urn:x:1","quantity":{n}.5}}"#))
            ))
        },
        || query(&["EQ_quantity".to_owned()], |n| json!(n)),
    ),
    (
        "EPCs and patterns",
        |bytes| event(&format!(r#","epcList":[{}]"#, pieces(bytes, |n| format!("\"{SGTIN}{n}\"")))),
        || {
            query(&["MATCH_epc".to_owned()], |n| {
                json!(format!("urn:epc:idpat:sgtin:0614141.{n:06}.*"))
            })
        },
    ),
    (
        "EPCs and patterns of company prefixes",
        |bytes| event(&format!(r#","epcList":[{}]"#, pieces(bytes, |n| format!("\"{SGTIN}{n}\"")))),
        || {
            query(&["MATCH_epc".to_owned()], |n| {
                json!(format!("urn:epc:idpat:sgtin:06142{n:03}.*.*"))
            })
        },
    ),
];

#[test]
#[ignore = "compares times: make bench-growth"]
fn a_query_costs_in_proportion_to_the_event() {
    for (name, event, query) in SHAPES {
        let query = query();
        let cost = |bytes: usize| {
            let text = event(bytes);
            let document = Document::read(text.as_bytes()).unwrap();
            let spent = || {
                seconds(|| {
                    let facts = query.predicate.facts(document.root());
                    assert!(!query.predicate.matches(&facts, ""), "{name}");
                })
            };
            // The faster of two runs: caches are cold in the first one.
            spent().min(spent())
        };
        let [one, two, four] = [250_000, 500_000, 1_000_000].map(cost);
        println!("{name}: {one:.3} {two:.3} {four:.3} s");
        // Time is proportional to the length. The factor 10 for four times the length allows for noise on the machine.
        assert!(four < 10.0 * one.max(0.01), "{name}: {one} {two} {four}");
        assert!(four < 5.0, "{name}: {four} s for a megabyte");
    }
}
