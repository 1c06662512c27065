//! Reports take a time in proportion to the document, whatever it says, or are refused at a bound.
//!
//! `EPCIS_EDGE_BOUNDS=full` goes up to 10 MiB.

use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::json::Document;
use epcis_edge_core::report::{Report, ReportName, ReportRequest, report_document};
use epcis_edge_core::time::Timestamp;
use epcis_edge_tests::time::{in_full, seconds};
use serde_json::{Value, json};

/// A document, by the number of its parts.
type Shape = (&'static str, fn(usize) -> Vec<Value>);

const LOT: &str = "urn:epc:class:lgtin:9521141.012345.A";

fn pallet(number: usize) -> String {
    format!("urn:epc:id:sscc:9521141.{:010}", number % 10_000_000_000)
}

fn item(number: usize) -> String {
    format!("urn:epc:id:sgtin:9521141.012345.{number}")
}

fn event(number: usize, kind: &str, step: &str, more: &Value) -> Value {
    let minute = number / 1000;
    let time =
        format!("2026-03-{:02}T{:02}:{:02}:00Z", 1 + minute / 1440, minute / 60 % 24, minute % 60);
    let mut event = json!({"type": kind, "action": "OBSERVE", "bizStep": step, "eventTime": time, "eventTimeZoneOffset": "+00:00"});
    if let (Value::Object(event), Value::Object(more)) = (&mut event, more.clone()) {
        event.extend(more);
    }
    event
}

fn packed(number: usize, parent: &str, more: Value) -> Value {
    let mut more = more;
    more["action"] = json!("ADD");
    more["parentID"] = json!(parent);
    event(number, "AggregationEvent", "packing", &more)
}

const SHAPES: [Shape; 12] = [
    ("one lot in each pallet, and none of them arrives", |parts| {
        let lot = json!([{"epcClass": LOT, "quantity": 1}]);
        let packed = (0..parts).map(|n| packed(n, &pallet(n), json!({"childQuantityList": lot})));
        let sent = (0..parts)
            .map(|n| event(parts + n, "ObjectEvent", "shipping", &json!({"epcList": [pallet(n)]})));
        packed.chain(sent).collect()
    }),
    ("all pallets in one shipment, over and over", |parts| {
        let lot = json!([{"epcClass": LOT, "quantity": 1}]);
        let mut events: Vec<Value> =
            (0..parts).map(|n| packed(n, &pallet(n), json!({"childQuantityList": lot}))).collect();
        let all: Vec<String> = (0..parts).map(pallet).collect();
        events.extend(
            (0..4).map(|n| event(parts + n, "ObjectEvent", "shipping", &json!({"epcList": all}))),
        );
        events
    }),
    ("a pallet of all items, sent and received", |parts| {
        let items: Vec<String> = (0..parts).map(item).collect();
        let made = event(
            0,
            "ObjectEvent",
            "commissioning",
            &json!({"action": "ADD", "epcList": items, "ilmd": {"cbvmda:lotNumber": "A"}}),
        );
        let moved = |n, step| event(n, "ObjectEvent", step, &json!({"epcList": [pallet(0)]}));
        vec![
            made,
            packed(1, &pallet(0), json!({"childEPCs": items})),
            moved(2, "shipping"),
            moved(3, "receiving"),
        ]
    }),
    ("a lot sent to and fro", |parts| {
        let lot = json!({"quantityList": [{"epcClass": LOT, "quantity": 1}]});
        (0..parts)
            .map(|n| {
                event(n, "ObjectEvent", if n % 2 == 0 { "shipping" } else { "receiving" }, &lot)
            })
            .collect()
    }),
    ("lots made of lots", |parts| {
        let lot = |n: usize| json!([{"epcClass": format!("{LOT}{n}"), "quantity": 1}]);
        let made = |n| {
            event(
                n,
                "TransformationEvent",
                "commissioning",
                &json!({"inputQuantityList": lot(n), "outputQuantityList": lot(n + 1)}),
            )
        };
        let first = event(
            0,
            "ObjectEvent",
            "creating_class_instance",
            &json!({"action": "ADD", "quantityList": [{"epcClass": format!("{LOT}0")}, {"epcClass": LOT}]}),
        );
        std::iter::once(first).chain((0..parts).map(made)).collect()
    }),
    ("many inputs and many outputs", |parts| {
        let lots = |start: usize| -> Vec<Value> {
            (start..start + parts).map(|n| json!({"epcClass": format!("{LOT}{n}")})).collect()
        };
        vec![event(
            0,
            "TransformationEvent",
            "commissioning",
            &json!({"inputQuantityList": lots(0), "outputQuantityList": lots(parts)}),
        )]
    }),
    ("pallets in pallets, each of them sent", |parts| {
        let lot = json!([{"epcClass": LOT, "quantity": 1}]);
        let first = packed(0, &pallet(0), json!({"childQuantityList": lot}));
        let nested =
            (1..parts).map(|n| packed(n, &pallet(n), json!({"childEPCs": [pallet(n - 1)]})));
        let sent = (0..parts)
            .map(|n| event(parts + n, "ObjectEvent", "shipping", &json!({"epcList": [pallet(n)]})));
        std::iter::once(first).chain(nested).chain(sent).collect()
    }),
    ("a loose lot sent to one place and received at others", |parts| {
        let lot = json!([{"epcClass": LOT, "quantity": 1}]);
        let place =
            |n: usize| json!({"id": format!("urn:epc:id:sgln:9521141.{:05}.0", n % 100_000)});
        let sent = (0..parts).map(|n| {
            let to = json!([{"type": "location", "destination": place(0)["id"]}]);
            let more =
                json!({"quantityList": lot, "destinationList": to, "readPoint": place(n + 1)});
            event(n, "ObjectEvent", "shipping", &more)
        });
        let received = (0..parts).map(|n| {
            let more = json!({"quantityList": lot, "readPoint": place(n + 1)});
            event(parts + n, "ObjectEvent", "receiving", &more)
        });
        sent.chain(received).collect()
    }),
    ("a loose lot sent to nobody, and received and sold everywhere", |parts| {
        let lot = json!({"quantityList": [{"epcClass": LOT, "quantity": 2}]});
        let step =
            |n| ["shipping", "shipping", "receiving", "retail_selling", "void_shipping"][n % 5];
        (0..parts)
            .map(|n| {
                let mut more = lot.clone();
                more["readPoint"] =
                    json!({"id": format!("urn:epc:id:sgln:9521141.{:05}.0", n % 3)});
                event(n, "ObjectEvent", step(n), &more)
            })
            .collect()
    }),
    ("one pallet named over and over", |parts| {
        let lots: Vec<Value> = (0..parts)
            .map(|n| json!({"epcClass": format!("{LOT}{n}"), "quantity": 1}))
            .chain([json!({"epcClass": LOT, "quantity": 1})])
            .collect();
        let named: Vec<String> = (0..parts).map(|_| pallet(0)).collect();
        let moved = |n, step| event(n, "ObjectEvent", step, &json!({"epcList": named}));
        let received = event(
            3,
            "AggregationEvent",
            "receiving",
            &json!({"parentID": pallet(0), "childQuantityList": lots}),
        );
        vec![
            packed(1, &pallet(0), json!({"childQuantityList": lots})),
            moved(2, "shipping"),
            received,
        ]
    }),
    ("a crate used again and again", |parts| {
        let put = |n: usize| {
            packed(
                3 * n,
                &pallet(0),
                json!({"childEPCs": [item(n)], "childQuantityList": [{"epcClass": LOT, "quantity": 1}]}),
            )
        };
        let sent = |n: usize| {
            event(3 * n + 1, "ObjectEvent", "shipping", &json!({"epcList": [pallet(0)]}))
        };
        let taken = |n: usize| {
            event(
                3 * n + 2,
                "AggregationEvent",
                "unpacking",
                &json!({"action": "DELETE", "parentID": pallet(0)}),
            )
        };
        (0..parts).flat_map(|n| [put(n), sent(n), taken(n)]).collect()
    }),
    ("one event with many members makes all inputs", |parts| {
        let lots: Vec<Value> =
            (0..parts).map(|n| json!({"epcClass": format!("{LOT}{n}")})).collect();
        let more = json!({"action": "ADD", "quantityList": lots});
        let mut made = event(0, "ObjectEvent", "creating_class_instance", &more);
        for n in 0..parts {
            made[format!("https://example.com/{n}")] = json!(n);
        }
        let used = json!({"inputQuantityList": lots, "outputQuantityList": [{"epcClass": LOT}]});
        vec![made, event(1, "TransformationEvent", "commissioning", &used)]
    }),
];

/// The time of a report about a document of about this many bytes.
fn cost(name: ReportName, shape: &Shape, bytes: usize) -> f64 {
    let of_100 = Value::from(shape.1(100)).to_string().len();
    let text = Value::from(shape.1((100 * bytes / of_100).max(1))).to_string();
    let document = Document::read(text.as_bytes()).unwrap();
    let asked = match shape.0 {
        "a pallet of all items, sent and received" => json!({"items": pallet(0)}),
        _ => json!({"items": LOT}),
    };
    let asked = asked.to_string();
    let request =
        ReportRequest::read(name, Document::read(asked.as_bytes()).unwrap().root()).unwrap();
    seconds(|| match report_document(&request, &document, Timestamp::default()) {
        Ok(report) => drop(report.to_flat_csv() + &report.to_html()),
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::CaptureTooComplex { .. }), "{error}")
        }
    })
}

#[test]
#[ignore = "compares times: make bench-growth"]
fn reports_take_a_time_in_proportion_to_the_document() {
    let is_full = in_full();
    let (least, most) = if is_full { (2 << 20, 10 << 20) } else { (64 << 10, 512 << 10) };
    for shape in &SHAPES {
        for name in ReportName::ALL {
            let (few, many) = (cost(name, shape, least), cost(name, shape, most));
            if is_full {
                println!("{:40} {:9} {few:.3} s, {many:.3} s", shape.0, name.text());
            }
            let growth = (most / least) as f64;
            assert!(
                many < few.max(0.05) * growth * 3.0,
                "{} of {}: {few} s, {many} s",
                name.text(),
                shape.0
            );
        }
    }
}

fn shipped(events: Vec<Value>) -> Result<Report, Error> {
    let text = Value::from(events).to_string();
    let request =
        ReportRequest::read(ReportName::Fsma204, Document::read(b"{}").unwrap().root()).unwrap();
    report_document(&request, &Document::read_text(&text).unwrap(), Timestamp::default())
}

fn refused(events: Vec<Value>) -> String {
    shipped(events).unwrap_err().to_string()
}

/// A pallet with many units, shipped again and again: the work is bounded, not only the rows.
#[test]
fn a_pallet_that_is_shipped_over_and_over_is_refused_at_a_bound() {
    let units: Vec<String> = (0..3000).map(item).collect();
    let events = |shipments: usize| {
        let sent = |n| {
            event(
                n,
                "ObjectEvent",
                "shipping",
                &json!({"epcList": [pallet(0)], "eventID": format!("urn:x:{n}")}),
            )
        };
        let packed = packed(0, &pallet(0), json!({"childEPCs": units}));
        std::iter::once(packed).chain((1..=shipments).map(sent)).collect::<Vec<_>>()
    };
    assert!(shipped(events(500)).is_ok());
    let error = refused(events(1000));
    assert!(error.contains("more than 2000000 units and lots"), "{error}");
}

/// Each input of a transformation with each output, and a long text in every row.
#[test]
fn rows_and_their_bytes_have_bounds() {
    let lots = |count: usize| -> Vec<Value> {
        (0..count).map(|n| json!({"epcClass": format!("{LOT}{n}")})).collect()
    };
    let pairs = json!({"inputQuantityList": lots(400), "outputQuantityList": lots(400)});
    let error = refused(vec![event(0, "TransformationEvent", "commissioning", &pairs)]);
    assert!(error.contains("more than 100000 rows"), "{error}");
    let order = json!([{"type": "po", "bizTransaction": "9".repeat(40_000)}]);
    let long = json!({"action": "ADD", "quantityList": lots(1000), "bizTransactionList": order});
    let error = refused(vec![event(0, "ObjectEvent", "creating_class_instance", &long)]);
    assert!(error.contains("bytes in the rows"), "{error}");
}
