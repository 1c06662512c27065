//! The memory a large capture needs. A Worker has 128 MB, and JavaScript needs about 30 of them.

use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::capture::{self, Policy};
use epcis_edge_core::store::NewJob;
use epcis_edge_core::validate::Validator;
use epcis_edge_sql::{self as sql, AppendedRow, Dialect, Statement, Value};
use epcis_edge_tests::memory::{in_use, peak, reset_peak};
use pollster::block_on;
use serde_json::json;
use std::cell::Cell;

/// A document of this many packed cases, 600 to 700 bytes each.
fn document(count: usize) -> String {
    let case = |n: usize| {
        let items: Vec<_> =
            (0..8).map(|k| format!("urn:epc:id:sgtin:9521141.012345.{}", n * 8 + k)).collect();
        json!({
            "type": "AggregationEvent", "action": "ADD", "bizStep": "packing", "disposition": "in_progress",
            "eventTime": "2026-01-01T00:00:00.000Z", "eventTimeZoneOffset": "+00:00",
            "parentID": format!("urn:epc:id:sscc:9521141.{n:010}"), "childEPCs": items,
            "readPoint": {"id": "urn:epc:id:sgln:9521141.00011.1"}, "bizLocation": {"id": "urn:epc:id:sgln:9521141.00011.0"},
        })
    };
    json!({
        "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"], "type": "EPCISDocument",
        "schemaVersion": "2.0", "creationDate": "2026-02-01T00:00:00Z",
        "epcisBody": {"eventList": (0..count).map(case).collect::<Vec<_>>()},
    })
    .to_string()
}

#[test]
fn a_capture_of_ten_thousand_events_leaves_room_in_a_worker() {
    let principal = Principal::local("https://example.com/accounts/1", "https://example.com/dock");
    let call = Call::new(1_769_904_000_000, principal);
    let validator = Validator::new().unwrap();
    let text = document(10_000);
    let before = in_use() - text.len();
    reset_peak();
    let prepared = capture::prepare(
        text.as_bytes(),
        &validator,
        &Policy::new("https://example.com/ns/spine/"),
        &call,
    )
    .unwrap();
    let prepared_peak = peak() - before;
    reset_peak();

    // A database that stores nothing. The largest batch it gets is what JavaScript must hold.
    let longest = Cell::new(0);
    let count = prepared.batch.events.len();
    let appended = block_on(sql::append(
        Dialect::Sqlite,
        &prepared.batch,
        &NewJob::of(&call.principal.account),
        sql::AT_ONCE,
        async |statements: Vec<Statement>| {
            let texts = statements.iter().flat_map(|statement| &statement.values);
            let bytes = texts.map(|value| match value {
                Value::Text(text) => text.len(),
                Value::Integer(_) => 8,
            });
            longest.set(longest.get().max(bytes.sum()));
            let begins = statements.iter().any(|statement| statement.text.contains("AS capture"));
            let is_last = statements.len() > 3;
            let rows = match begins {
                true => vec![json!({"capture": 1})],
                false if is_last => vec![json!({"job": 1, "time": 1}), json!({"stored": count})],
                false => Vec::new(),
            };
            let rows =
                rows.into_iter().map(|row| serde_json::from_value::<AppendedRow>(row).unwrap());
            Ok(rows.collect())
        },
    ));
    assert_eq!(appended.unwrap().job, 1);
    let appended_peak = peak() - before;
    let megabytes = |bytes: usize| bytes as f64 / 1e6;
    println!(
        "a document of {:.1} MB: {:.1} MB to prepare it, {:.1} MB to append it, {:.2} MB sent at a time",
        megabytes(text.len()),
        megabytes(prepared_peak),
        megabytes(appended_peak),
        megabytes(longest.get()),
    );
    assert!(prepared_peak.max(appended_peak) < 80_000_000);
    assert!(longest.get() < 2_000_000);
}
