//! The query plans of the store in SQLite: which index is used, and no sorting if an index already has the order.
//!
//! Correct statements that read a million rows to return thirty would pass every other suite.
// Invariant: SQLite finds a page by an index, without sorting the store, and a capture reads its new events for the map of zones, not a
// whole index.

use crate::support::{SqliteStore, empty_sqlite};
use epcis_edge_core::json::Document;
use epcis_edge_core::query::{Cursor, Places, Query};
use epcis_edge_core::store::{
    ElementPlace, ElementSelection, IdentifierCondition, IdentifierSelection, Selection,
};
use epcis_edge_core::time::Timestamp;
use epcis_edge_sql::{self as sql, Dialect, Statement, Survey, SurveyedRow, Value};
use pollster::block_on;
use rusqlite::params_from_iter;
use serde_json::json;
use std::collections::BTreeSet;

const ONE: &[&str] = &["https://example.com/accounts/1"];
const TWO: &[&str] = &["https://example.com/accounts/1", "https://example.com/accounts/2"];

/// The plan of the subquery that finds the candidates, one step per line.
fn plan(query: &str, accounts: Option<&[&str]>, goes_on: bool, widths: u64) -> String {
    let query = Query::read(Document::read(query.as_bytes()).unwrap().root()).unwrap();
    let cursor = Cursor {
        sequence: 100,
        time: Timestamp::parse("2026-01-01T00:00:00Z"),
        since: Places::default(),
        upper: Places::at(1000),
        master: Places::default(),
        answered: 30,
        ..Cursor::default()
    };
    let selection = Selection {
        predicate: &query.predicate,
        accounts,
        order: query.order,
        after: goes_on.then_some(&cursor),
        since: &Places::default(),
        upper: goes_on.then_some(&cursor.upper),
        limit: 31,
        bytes: 8 << 20,
    };
    let mut survey = Survey::of(Dialect::Sqlite, &selection, sql::WIDE);
    let is_asked = survey.statement.take().is_some();
    let row = json!({"widths": json!(vec![widths; 8]).to_string(), "zones": "[0]", "newest": 1000});
    let rows: Vec<SurveyedRow> = vec![serde_json::from_value(row).unwrap()];
    let rows = if is_asked { &rows[..] } else { &[] };
    let (wide, parts) = survey.answered(rows, &selection).unwrap();
    let mut statements = Vec::new();
    let look = parts.look(async |part| {
        statements.push(sql::select(Dialect::Sqlite, &selection, &wide, part));
        sql::selected(&selection, Vec::new())
    });
    block_on(look).unwrap();
    let statement = statements.remove(0);
    let store = empty_sqlite();
    let text = format!("EXPLAIN QUERY PLAN {}", statement.text);
    let mut explained = store.database().connection.prepare(&text).unwrap();
    let values = statement.values.into_iter().map(|value| match value {
        Value::Integer(number) => rusqlite::types::Value::from(number),
        Value::Text(text) => rusqlite::types::Value::from(text),
    });
    let mut rows = explained.query(params_from_iter(values)).unwrap();
    // Only the steps that find the candidates. Later steps sort one page, not the store.
    let mut below = Vec::new();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let (id, parent): (i64, i64) = (row.get(0).unwrap(), row.get(1).unwrap());
        let step: String = row.get(3).unwrap();
        if below.contains(&parent) {
            below.push(id);
            steps.push(step);
        } else if step == "MATERIALIZE candidate" {
            below.push(id);
        }
    }
    assert!(!steps.is_empty());
    steps.join("\n")
}

/// Asserts that the plans of the first page and of a later page have these steps, scan nothing, and sort only if expected.
#[track_caller]
fn expect(query: &str, accounts: Option<&[&str]>, steps: &[&str], sorts: bool) {
    expect_of(query, accounts, steps, sorts, 1000);
}

/// Like [`expect`], if every condition that is surveyed finds `widths` terms.
#[track_caller]
fn expect_of(query: &str, accounts: Option<&[&str]>, steps: &[&str], sorts: bool, widths: u64) {
    for goes_on in [false, true] {
        let plan = plan(query, accounts, goes_on, widths);
        for step in steps {
            assert!(plan.contains(step), "{query}: no {step:?} in\n{plan}");
        }
        for scan in plan.lines().filter(|line| line.starts_with("SCAN")) {
            let is_whole = scan.starts_with("SCAN e USING INDEX") && accounts.is_none();
            let is_list = scan.contains("VIRTUAL TABLE") || scan.contains("SCAN candidate");
            assert!(is_whole || is_list, "{query}: {scan:?} in\n{plan}");
        }
        let found = plan.contains("USE TEMP B-TREE FOR ORDER BY");
        assert_eq!(found, sorts, "{query}: sorts?\n{plan}");
    }
}

#[test]
fn an_epc_is_found_by_its_terms() {
    for query in [
        r#"{"MATCH_anyEPC": "urn:epc:id:sscc:9521141.1234567890"}"#,
        r#"{"MATCH_epc": ["urn:x:1", "urn:x:2"], "EQ_bizStep": "shipping", "GE_eventTime": "2026-01-01T00:00:00Z"}"#,
        r#"{"EQ_bizLocation": "urn:x:1"}"#,
    ] {
        for accounts in [Some(ONE), Some(TWO), None] {
            let steps = [
                "SEARCH e USING INTEGER PRIMARY KEY (rowid=?)",
                "SEARCH t USING PRIMARY KEY (value=? AND field=?)",
            ];
            expect(query, accounts, &steps, false);
        }
    }
}

#[test]
fn a_pattern_is_found_by_a_range_of_terms() {
    let query = r#"{"MATCH_anyEPC": "urn:epc:idpat:sgtin:9521141.012345.*"}"#;
    let steps = [
        "SEARCH e USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH t USING PRIMARY KEY (value>? AND value<?)",
    ];
    expect(query, Some(ONE), &steps, false);
}

#[test]
fn a_name_is_found_by_its_number() {
    let query = r#"{"EQ_eventID": ["urn:x:1", "urn:x:2"]}"#;
    expect(
        query,
        Some(ONE),
        &["INDEX events_by_key (event_key=?", "SEARCH a USING PRIMARY KEY (event_key=?"],
        false,
    );
}

#[test]
fn an_account_has_an_index_for_every_order() {
    for (query, index) in [
        ("{}", "events_by_account (captured_by=?"),
        (r#"{"EQ_bizStep": "shipping"}"#, "events_by_account (captured_by=?"),
        (r#"{"orderBy": "eventTime"}"#, "events_by_account_and_event_time (captured_by=?"),
        (
            r#"{"orderBy": "eventTime", "orderDirection": "ASC", "GE_eventTime": "2026-01-01T00:00:00Z", "LT_recordTime": "2026-01-01T00:00:00Z"}"#,
            "events_by_account_and_event_time (captured_by=? AND event_time>?",
        ),
        (r#"{"orderBy": "recordTime"}"#, "events_by_account_and_record_time (captured_by=?"),
    ] {
        expect(query, Some(ONE), &[index], false);
        // Each of several accounts gives at most one page, and only those are sorted.
        expect(query, Some(TWO), &[index], true);
    }
}

#[test]
fn a_span_of_time_is_looked_up_in_its_index_alone() {
    let query =
        r#"{"GE_recordTime": "2026-01-01T00:00:00Z", "LT_eventTime": "2026-02-01T00:00:00Z"}"#;
    let steps = [
        "SEARCH e USING INDEX events_by_account (captured_by=? AND sequence>? AND sequence<?)",
        "SEARCH events USING COVERING INDEX events_by_account_and_record_time (captured_by=? AND record_time>?)",
        "SEARCH events USING COVERING INDEX events_by_account_and_event_time (captured_by=? AND event_time<?)",
    ];
    expect(query, Some(ONE), &steps, false);
    let steps = [
        "SEARCH e USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
        "SEARCH events USING COVERING INDEX events_by_record_time (record_time>?)",
        "SEARCH events USING COVERING INDEX events_by_event_time (event_time<?)",
    ];
    expect(query, None, &steps, false);
}

#[test]
fn whoever_reads_all_has_the_order_of_the_table_and_of_times() {
    expect(r#"{"orderBy": "eventTime"}"#, None, &["events_by_event_time"], false);
    expect(r#"{"orderBy": "recordTime"}"#, None, &["events_by_record_time"], false);
}

#[test]
fn what_finds_most_of_the_store_is_left_to_the_predicate() {
    let by_account = ["SEARCH e USING INDEX events_by_account (captured_by=?"];
    for query in [
        r#"{"MATCH_anyEPC": "urn:epc:idpat:sgtin:9521141.*.*"}"#,
        r#"{"EQ_bizLocation": "urn:x:1", "EQ_readPoint": "urn:x:2"}"#,
    ] {
        let plan = plan(query, Some(ONE), false, sql::WIDE);
        assert!(!plan.contains("SEARCH t"), "{plan}");
        expect_of(query, Some(ONE), &by_account, false, sql::WIDE);
    }
    // If there is an EPC, they are not even surveyed.
    let query = r#"{"MATCH_anyEPC": "urn:x:1", "EQ_bizLocation": "urn:x:1"}"#;
    let plan = plan(query, Some(ONE), false, 0);
    assert_eq!(plan.matches("SEARCH t").count(), 1, "{plan}");
}

/// Conditions without any zone in the map are not looked up, and those in few zones are looked up only there.
#[test]
fn the_map_says_where_to_look() {
    let zones = |query: &str, zones: &str| -> Vec<String> {
        let query = Query::read(Document::read(query.as_bytes()).unwrap().root()).unwrap();
        let selection = Selection {
            predicate: &query.predicate,
            accounts: Some(ONE),
            order: query.order,
            after: None,
            since: &Places::default(),
            upper: None,
            limit: 31,
            bytes: 8 << 20,
        };
        let survey = Survey::of(Dialect::Sqlite, &selection, sql::WIDE);
        let row = json!({"widths": "[]", "zones": zones, "newest": 123_456});
        let rows = [serde_json::from_value(row).unwrap()];
        let (wide, parts) = survey.answered(&rows, &selection).unwrap();
        let mut asked = Vec::new();
        let look = parts.look(async |part| {
            let statement = sql::select(Dialect::Sqlite, &selection, &wide, part);
            let bounds = statement.values.into_iter().filter_map(|value| match value {
                Value::Integer(number) if (10_000..1 << 20).contains(&number) => {
                    Some(number.to_string())
                }
                _ => None,
            });
            asked.push(bounds.collect::<Vec<_>>().join(" to "));
            sql::selected(&selection, Vec::new())
        });
        assert!(block_on(look).unwrap().is_last);
        asked
    };
    for query in [
        r#"{"EQ_disposition": "recalled"}"#,
        r#"{"GE_recordTime": "2026-01-01T00:00:00Z"}"#,
        r#"{"EXISTS_errorDeclaration": null, "orderBy": "eventTime"}"#,
    ] {
        assert!(zones(query, "[]").is_empty(), "{query}");
    }
    let step = r#"{"EQ_bizStep": "shipping", "LT_eventTime": "2026-01-01T00:00:00Z"}"#;
    assert_eq!(zones(step, "[1,2,3]"), ["10000 to 39999"]);
    assert_eq!(zones(step, "[1,3,12]"), ["10000 to 19999", "30000 to 39999", "120000 to 123456"]);
    // After several parts, all that is left is one part.
    assert_eq!(
        zones(step, "[1,3,5,7,9,11]"),
        ["10000 to 19999", "30000 to 39999", "50000 to 59999", "70000 to 79999", "90000 to 119999"]
    );
    // If sorted by time, an index leads through the zones.
    let by_time = r#"{"EQ_bizStep": "shipping", "orderBy": "eventTime"}"#;
    assert_eq!(zones(by_time, "[1,3]"), ["123456"]);
    // The map is not used for an EPC.
    let epc = r#"{"MATCH_epc": "urn:x:1", "EQ_bizStep": "shipping"}"#;
    assert_eq!(zones(epc, "[]"), [""]);
}

/// Lists of master data read the newest elements of each account in the order of an index, and sort only a page of them.
#[test]
fn master_data_is_listed_by_an_index() {
    let ids = BTreeSet::from(["urn:x:1".to_owned()]);
    let after = ElementPlace {
        account: "urn:x:account".to_owned(),
        kind: "Location".to_owned(),
        id: "urn:x:0".to_owned(),
    };
    let by_kind =
        |columns: &str| format!("SEARCH l USING COVERING INDEX master_data_by_kind ({columns}");
    let store = empty_sqlite();
    for accounts in [Some(ONE), None] {
        for (kind, ids, after, expected) in [
            (None, None, None, by_kind("account=?")),
            (Some("Location"), None, None, by_kind("account=? AND kind=?")),
            (None, None, Some(&after), by_kind("account=?")),
            (Some("Location"), Some(&ids), None, by_kind("account=? AND kind=? AND id_key=?")),
            (
                None,
                Some(&ids),
                None,
                "SEARCH l USING COVERING INDEX master_data_by_id (id_key=? AND account=?"
                    .to_owned(),
            ),
        ] {
            let selection = ElementSelection {
                kind,
                ids,
                accounts,
                at: None,
                after,
                upper: &Places::at(7),
                limit: 10,
                bytes: 1000,
            };
            let steps = explained(&store, sql::elements(Dialect::Sqlite, &selection));
            assert!(steps.iter().any(|step| step.starts_with(&expected)), "{expected}: {steps:#?}");
            let is_scan = |step: &String| {
                ["SCAN m", "SCAN n", "SCAN l", "SCAN j"]
                    .iter()
                    .any(|scan| step == scan || step.starts_with(&format!("{scan} ")))
            };
            assert!(!steps.iter().any(is_scan), "{steps:#?}");
        }
    }
}

/// The steps of the plan for a statement.
fn explained(store: &SqliteStore, statement: Statement) -> Vec<String> {
    let text = format!("EXPLAIN QUERY PLAN {}", statement.text);
    let mut explained = store.database().connection.prepare(&text).unwrap();
    let values = statement.values.into_iter().map(|value| match value {
        Value::Integer(number) => rusqlite::types::Value::from(number),
        Value::Text(text) => rusqlite::types::Value::from(text),
    });
    let rows = explained.query_map(params_from_iter(values), |row| row.get(3));
    rows.unwrap().map(Result::unwrap).collect()
}

/// Queries for master data use an index, for one account and for all.
#[test]
fn master_data_is_found_by_an_index() {
    let texts = BTreeSet::from(["urn:x:1".to_owned()]);
    let attribute = |values| IdentifierCondition::Attribute { names: &texts, values };
    let by_id = "SEARCH m USING COVERING INDEX master_data_by_id (id_key=?";
    let is_newest = "SEARCH n USING COVERING INDEX master_data_by_kind (account=? AND kind=? AND id_key=? AND number>? AND number<?)";
    let store = empty_sqlite();
    for accounts in [Some(ONE), None] {
        for (sought, expected) in [
            (
                IdentifierCondition::ChildOf(&texts),
                [by_id, "SEARCH c USING PRIMARY KEY (number=?)"],
            ),
            (
                attribute(None),
                [
                    "SEARCH t USING PRIMARY KEY (account=? AND name=?",
                    "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)",
                ],
            ),
            (
                attribute(Some(&texts)),
                [
                    "SEARCH t USING PRIMARY KEY (account=? AND name=? AND value=?",
                    "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)",
                ],
            ),
        ] {
            let statement = sql::identifiers(
                Dialect::Sqlite,
                &IdentifierSelection { sought, accounts, upper: &Places::at(7), limit: 10 },
            );
            let steps = explained(&store, statement);
            for step in expected.iter().chain([&is_newest]) {
                assert!(steps.iter().any(|found| found.starts_with(step)), "{step}: {steps:#?}");
            }
            for scanned in ["SCAN m", "SCAN n", "SCAN t", "SCAN c"] {
                assert!(
                    !steps.iter().any(|found| {
                        found == scanned || found.starts_with(&format!("{scanned} "))
                    }),
                    "{steps:#?}"
                );
            }
        }
    }
}

#[test]
fn the_map_of_zones_reads_the_new_events_alone() {
    let store = empty_sqlite();
    let connection = &store.database().connection;
    let trigger: String = connection
        .query_row("SELECT sql FROM sqlite_master WHERE name = 'captures_draw_zones'", [], |row| {
            row.get(0)
        })
        .unwrap();
    let (_, body) = trigger.split_once("BEGIN").unwrap();
    let mut found = 0;
    for statement in body.split(';').filter(|text| text.contains("INSERT")) {
        let mut explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
        let steps = explained.query_map([], |row| row.get::<_, String>(3)).unwrap();
        let steps: Vec<String> = steps.map(Result::unwrap).collect();
        let of_events: Vec<&String> =
            steps.iter().filter(|step| step.contains(" events")).collect();
        assert_eq!(of_events, ["SEARCH events USING INTEGER PRIMARY KEY (rowid>?)"], "{steps:?}");
        found += 1;
    }
    assert_eq!(found, 2);
}
