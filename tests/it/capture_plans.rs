//! The query plans of a capture in SQLite: stored events must be looked up by a selective index. A capture must not read all events
//! of its account for each of its own events.

use crate::support::empty_sqlite;
use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::capture::{self, Policy};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::store::NewJob;
use epcis_edge_core::validate::Validator;
use epcis_edge_sql::{self as sql, Dialect, Statement, Value};
use pollster::block_on;
use rusqlite::params_from_iter;
use std::cell::RefCell;

const ACCOUNT: &str = "https://example.com/accounts/1";

/// All statements of a capture, including those that look up what is stored already.
fn statements() -> Vec<Statement> {
    let text = br#"{"@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", "type": "ObjectEvent",
        "action": "OBSERVE", "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00",
        "epcList": ["urn:epc:id:sscc:9521141.1234567890"], "eventID": "urn:uuid:1"}"#;
    let principal = Principal::local(ACCOUNT, "https://example.com/dock");
    let call = Call::new(1_769_904_000_000, principal);
    let policy = Policy::new("https://example.com/ns/spine/");
    let prepared = capture::prepare(text, &Validator::new().unwrap(), &policy, &call).unwrap();
    let seen = RefCell::new(sql::look_up(Dialect::Sqlite, &prepared.batch, ACCOUNT));
    let mut job = NewJob::of(ACCOUNT);
    job.aliases.push(0);
    let appended =
        sql::append(Dialect::Sqlite, &prepared.batch, &job, sql::AT_ONCE, async |statements| {
            seen.borrow_mut().extend(statements);
            let detail = "enough was seen".to_owned();
            Err(Error::new(ErrorKind::Internal { detail }))
        });
    assert!(block_on(appended).is_err());
    seen.into_inner()
}

#[test]
fn what_is_stored_of_a_capture_is_found_by_short_keys() {
    let store = empty_sqlite();
    let mut steps = Vec::new();
    for statement in statements() {
        let text = format!("EXPLAIN QUERY PLAN {}", statement.text);
        let mut explained = store.database().connection.prepare(&text).unwrap();
        let values = statement.values.iter().map(|value| match value {
            Value::Integer(number) => rusqlite::types::Value::from(*number),
            Value::Text(text) => rusqlite::types::Value::from(text.clone()),
        });
        let mut rows = explained.query(params_from_iter(values)).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let step: String = row.get(3).unwrap();
            let is_list = step.contains("VIRTUAL TABLE");
            // The statement's own values, or one row of a table.
            let is_own = ["SCAN n", "SCAN newest", "SCAN CONSTANT ROW"].contains(&step.as_str());
            assert!(!step.starts_with("SCAN") || is_list || is_own, "{step} in {}", statement.text);
            assert!(!step.contains("events_by_account"), "{step} in {}", statement.text);
            steps.push(step);
        }
    }
    for step in [
        "SEARCH f USING INDEX events_by_key (event_key=?)",
        "SEARCH e USING INDEX events_by_identity (identity_key=?)",
        "SEARCH a USING PRIMARY KEY (event_key=?)",
    ] {
        assert!(steps.iter().any(|found| found.starts_with(step)), "{step} in {steps:#?}");
    }
}
