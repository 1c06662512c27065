//! Expensive packs that look beyond the fields of one event: at names outside of the standard, other events and the header.

use super::{Costly, epc, events, list, pack, texts};
use serde_json::{Value, json};

/// A pack with this number of rules, and further members.
fn wide(rules: usize, more: Value, rule: impl Fn(usize) -> Value) -> Value {
    let mut pack = pack(rules, rule);
    if let (Value::Object(pack), Value::Object(more)) = (&mut pack, more) {
        pack.extend(more);
    }
    pack
}

fn namespaces() -> Value {
    json!({"namespaces": {"x": ["https://x.example", "https://x.example/old"], "mda": ["urn:epcglobal:cbv:mda"]}})
}

/// A list of one event, with a header that describes as many places.
fn with_header(size: usize, attribute: &str) -> String {
    let elements = events(size / 2, |n| {
        format!(
            r#"{{"id":"urn:epc:id:sgln:9521141.{:05}.{n}","attributes":[{attribute}]}}"#,
            n % 100_000
        )
    });
    let epcs = events(size / 2, |n| format!("\"urn:epc:id:sgln:9521141.{:05}.{n}\"", n % 100_000));
    format!(
        r#"{{"type":"EPCISDocument","epcisHeader":{{"epcisMasterData":{{"vocabularyList":[{{"type":"urn:epcglobal:epcis:vtype:Location","vocabularyElementList":{elements}}}]}}}},"epcisBody":{{"eventList":[{{"type":"ObjectEvent","action":"ADD","epcList":{epcs}}}]}}}}"#
    )
}

/// All these expensive pairs.
pub const BEYOND: &[Costly] = &[
    Costly {
        name: "names outside of the standard, among many",
        pack: || {
            wide(
                200,
                namespaces(),
                |rule| json!({"when": {"any": (0..30).map(|one| json!({"value": format!("x:n{}", (rule + one) % 200), "exists": true})).collect::<Vec<_>>()}}),
            )
        },
        document: |size| {
            let members = events(size, |n| format!("\"x:m{n}n199\":1"));
            let members = members.trim_matches(['[', ']']);
            format!(r#"{{"@context":{{"x":"https://x.example/"}},"type":"ObjectEvent",{members}}}"#)
        },
    },
    Costly {
        name: "names that end alike, in many events",
        pack: || {
            wide(
                200,
                namespaces(),
                |_| json!({"at": "x:name", "when": {"any": vec![json!({"endsWith": texts(2, 400)}); 8]}}),
            )
        },
        document: |size| {
            let text = "a".repeat(400);
            let inner = events(size, |_| {
                format!(r#"{{"type":"ObjectEvent","https://x.example/name":"{text}","y:name":1}}"#)
            });
            format!(
                r#"{{"@context":{{"y":"https://y.example/"}},"type":"EPCISDocument","epcisBody":{{"eventList":{inner}}}}}"#
            )
        },
    },
    Costly {
        name: "prefixes declared anew by every event",
        pack: || wide(100, namespaces(), |_| json!({"at": "x:name", "when": {"longerThan": 1}})),
        document: |size| {
            events(size, |n| {
                format!(
                    r#"{{"@context":{{"p{n}":"https://x.example/","q{n}":"p{n}:"}},"type":"ObjectEvent","p{n}:name":"a"}}"#
                )
            })
        },
    },
    Costly {
        name: "what the event that made a thing tells",
        pack: || {
            wide(
                100,
                namespaces(),
                |_| json!({"at": "epcList", "when": {"any": vec![json!({"value": "made.ilmd.x:name", "endsWith": "b"}); 4]}}),
            )
        },
        document: |size| {
            let ilmd = format!(r#""ilmd":{{"x:name":"{}"}},"#, "a".repeat(2000));
            list(size, &ilmd, "epcList", epc)
        },
    },
    Costly {
        name: "units inside of units",
        pack: || {
            wide(
                100,
                json!({}),
                |_| json!({"at": "childEPCs", "when": {"any": vec![json!({"value": "shipped", "exists": true}); 8]}}),
            )
        },
        document: |size| {
            events(size, |n| {
                format!(
                    r#"{{"type":"AggregationEvent","action":"ADD","parentID":"urn:x:{}","childEPCs":["urn:x:{n}"]}}"#,
                    n + 1
                )
            })
        },
    },
    Costly {
        name: "what the header tells of each place",
        pack: || {
            wide(
                100,
                namespaces(),
                |_| json!({"at": "epcList", "when": {"any": vec![json!({"value": "masterData.Location.mda:name", "exists": false}); 4]}}),
            )
        },
        document: |size| {
            with_header(size, r#"{"id":"urn:epcglobal:cbv:mda#name","attribute":"a"}"#)
        },
    },
    Costly {
        name: "elements of the header",
        pack: || {
            wide(
                100,
                namespaces(),
                |_| json!({"on": "document", "at": "masterData.Location", "when": {"any": vec![json!({"value": ".attributes.attribute", "endsWith": "b"}); 16]}}),
            )
        },
        document: |size| {
            with_header(size, r#"{"id":"x:1","attribute":"a"},{"id":"x:2","attribute":"a"}"#)
        },
    },
    Costly {
        name: "ten thousand descriptions of one place",
        pack: || {
            wide(
                50,
                namespaces(),
                |rule| json!({"on": "document", "when": {"value": format!("masterData.Location.mda:a{rule}"), "of": "sender", "exists": true}}),
            )
        },
        document: |size| {
            let elements = events(size, |n| {
                format!(
                    r#"{{"id":"urn:epc:id:sgln:9521141.00001.0","attributes":[{{"id":"urn:epcglobal:cbv:mda#x{n}","attribute":"a"}}]}}"#
                )
            });
            format!(
                r#"{{"type":"EPCISDocument","sender":"urn:epc:id:sgln:9521141.00001.0","epcisHeader":{{"epcisMasterData":{{"vocabularyList":[{{"type":"urn:epcglobal:epcis:vtype:Location","vocabularyElementList":{elements}}}]}}}},"epcisBody":{{"eventList":[]}}}}"#
            )
        },
    },
    Costly {
        name: "conditions about all events",
        pack: || {
            wide(
                8,
                json!({}),
                |rule| json!({"when": {"all": (0..8).map(|one| json!({"some": {"value": "epcList", "endsWith": texts(16, 40 + rule + one)}})).collect::<Vec<_>>()}}),
            )
        },
        document: |size| {
            events(size, |n| {
                format!(r#"{{"type":"ObjectEvent","epcList":[{},{}]}}"#, epc(n), epc(n + 1))
            })
        },
    },
    Costly {
        name: "one list looked for in another",
        pack: || {
            wide(
                100,
                json!({}),
                |_| json!({"at": "inputEPCList", "when": {"all": vec![json!({"amongst": "outputEPCList"}); 4]}}),
            )
        },
        document: |size| {
            let half = |from: usize| events(size / 2, |n| epc(from + n));
            format!(
                r#"[{{"type":"TransformationEvent","inputEPCList":{},"outputEPCList":{}}}]"#,
                half(0),
                half(0)
            )
        },
    },
    Costly {
        name: "lots with two dates",
        pack: || {
            wide(
                16,
                namespaces(),
                |rule| json!({"when": {"value": format!("ilmd.x:date{rule}"), "otherThanFor": {"class": "epcList", "value": "ilmd.x:lot"}}}),
            )
        },
        document: |size| {
            let dates: Vec<_> = (0..16).map(|n| format!(r#""x:date{n}":"d""#)).collect();
            let dates = dates.join(",");
            events(size, |n| {
                format!(
                    r#"{{"type":"ObjectEvent","epcList":["urn:epc:class:lgtin:9521141.{:06}.a"],"ilmd":{{"x:lot":"l",{dates}}}}}"#,
                    n % 1_000_000
                )
            })
        },
    },
    Costly {
        name: "forms and words of long texts",
        pack: || {
            wide(
                100,
                json!({}),
                |_| json!({"at": "bizTransactionList.bizTransaction", "when": {"any": [{"form": ["date", "date-time", "digits:1-9", "ndc-hyphenated", "imo", "business-transaction", "uuid"]}, {"word": texts(16, 400)}]}}),
            )
        },
        document: |size| {
            let entry = format!(r#"{{"bizTransaction":"{}"}}"#, "1".repeat(400));
            list(size, "", "bizTransactionList", |_| entry.clone())
        },
    },
    Costly {
        name: "counts of a list",
        pack: || {
            wide(
                200,
                json!({}),
                |_| json!({"when": {"all": vec![json!({"value": "epcList", "count": {"least": 0, "most": 1_000_000}}); 31]}}),
            )
        },
        document: |size| list(size, "", "epcList", epc),
    },
    Costly {
        name: "codes compared with identifiers",
        pack: || {
            wide(
                100,
                json!({}),
                |_| json!({"at": "quantityList", "when": {"any": vec![json!({"value": ".uom", "otherNdcThan": ".epcClass"}); 8]}}),
            )
        },
        document: |size| {
            list(size, "", "quantityList", |n| {
                format!(
                    r#"{{"epcClass":"urn:epc:class:lgtin:030001.0012345.{n}","quantity":1,"uom":"00001012345"}}"#
                )
            })
        },
    },
];
