//! How much of a store in PostgreSQL each question reads: 100,000 events of an account, before PostgreSQL has statistics of them and after;
//! with plans for the values of a question, and with the one that a connection keeps.
//!
//! Counted are the pages of 8 kB that the answer needed, all tables and indexes together. The tables have some ten thousand.
// Invariant: Over PostgreSQL a page is found by an index, whatever the statistics say: no question reads all events of its account.

use crate::support::postgres::{AccountStore, empty_accounts};
use epcis_edge_core::json::Document;
use epcis_edge_core::query::{Collection, Cursor, NUMBERS_OF_AN_ACCOUNT, Places, Query};
use epcis_edge_core::store::{
    ElementPlace, ElementSelection, IdentifierCondition, IdentifierSelection, Selection,
    ValueSelection,
};
use epcis_edge_core::time::Timestamp;
use epcis_edge_sql::store::Database as _;
use epcis_edge_sql::{self as sql, Dialect, Statement, Survey, SurveyedRow, Value, log};
use pollster::block_on;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const ACCOUNT: &str = "https://example.com/accounts/1";
const OF: Dialect = Dialect::Postgres(1);
const ALL: Dialect = Dialect::Postgres(0);

/// A store of two accounts. The first has 100,000 events in documents of five; each has an item of its own, a class that 100 share, and one
/// of five places.
const FILLED: &[&str] = &[
    "INSERT INTO accounts (number, account) VALUES (1, 'https://example.com/accounts/1'), (2, 'https://example.com/accounts/2')",
    "INSERT INTO events (owner, sequence, identity_key, event_key, content_key, position, bytes, declares_error, identity, captured_by, event_id,
       content_hash, event_type, action, biz_step, event_time, record_time, document, who)
     SELECT o, o * 1000000000 + n, n * 7919 % 1000003, n * 7907 % 1000003, n * 7901 % 1000003, n % 5, 700, 0, md5(n::text), 'https://example.com/accounts/' || o,
       'urn:x:event:' || n, md5(n::text), 'ObjectEvent', 'OBSERVE', 'https://ref.gs1.org/cbv/BizStep-' || CASE WHEN n % 1000 = 7 THEN 'shipping' ELSE 'commissioning' END,
       to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD\"T\"HH24:MI:SS') || '.000000000Z',
       to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD\"T\"HH24:MI:SS') || '.000000000Z', md5((n / 5)::text), 'observer'
     FROM (VALUES (1, 100000), (2, 1000)) AS a (o, many) CROSS JOIN LATERAL generate_series(1, many) AS n",
    "INSERT INTO event_parts (owner, piece, text) SELECT e.owner, e.sequence * 1000, repeat(e.identity, 22) FROM events AS e",
    "INSERT INTO terms (owner, value, field, sequence) SELECT e.owner, t.value, t.field, e.sequence FROM events AS e CROSS JOIN LATERAL (
       VALUES ('urn:x:item:' || e.sequence % 1000000000, 1), ('urn:x:class:' || e.sequence % 1000, 6), ('urn:x:place:' || e.sequence % 5, 14)
     ) AS t (value, field)",
    "INSERT INTO capture_jobs (owner, sequence, account, number, time, proceeds, success, document, events, before, report)
     SELECT 1, n, 'https://example.com/accounts/1', n, n, 0, 1, md5(n::text), 5, 1000000000 + (n - 1) * 5, '{}' FROM generate_series(1, 20000) AS n",
    "INSERT INTO capture_duplicates (owner, job, position, event_id) SELECT 1, n * 10, 0, 'urn:x:event:' || n FROM generate_series(1, 2000) AS n",
    "INSERT INTO aliases (owner, event_key, sequence, job, event_id) SELECT 1, n * 31, 1000000000 + n * 50, n, 'urn:x:alias:' || n FROM generate_series(1, 2000) AS n",
    "INSERT INTO listed (account, collection, value) SELECT 1, 2, 'urn:x:item:' || n FROM generate_series(1, 100000) AS n",
    "INSERT INTO master_data (account, number, job, position, kind, id_key, id, spelling, attributes, children, digest)
     SELECT 1, n, n, 1, 'kind ' || n % 5, 'urn:x:place:' || n % 5000, 'urn:x:place:' || n % 5000, '', '[]', '[]', md5(n::text) FROM generate_series(1, 20000) AS n",
    "INSERT INTO master_data_attributes (account, name, value, number) SELECT 1, 'urn:x:name', 'place ' || n % 5000, n FROM generate_series(1, 20000) AS n",
    "INSERT INTO master_data_children (owner, number, child) SELECT 1, n, 'urn:x:place:' || n % 5000 || ':child' FROM generate_series(1, 20000) AS n",
    "INSERT INTO zones (owner, captured_by, zone, first_event_time, last_event_time, first_record_time, last_record_time)
     SELECT owner, captured_by, sequence / 10000, min(event_time), max(event_time), min(record_time), max(record_time) FROM events GROUP BY 1, 2, 3",
    "INSERT INTO zone_words (owner, captured_by, field, value, zone)
     SELECT DISTINCT e.owner, e.captured_by, w.field, w.value, e.sequence / 10000 FROM events AS e
     CROSS JOIN LATERAL (VALUES (1, e.event_type), (2, e.action), (3, e.biz_step)) AS w (field, value)",
    "INSERT INTO log_leaves (leaf, sequence, salt, commitment)
     SELECT n - 1, 1000000000 + n, decode(repeat(md5(n::text), 2), 'hex'), decode(repeat(md5(n::text), 2), 'hex') FROM generate_series(1, 99000) AS n",
    "INSERT INTO log_heads (size, root, note, previous) SELECT 99000, decode(repeat(md5('1'), 2), 'hex'), 'note', -1",
    "INSERT INTO grown (account, newest) VALUES (1, 1000100000), (2, 2000001000)",
];

fn places(number: u64) -> Places {
    Places::at(NUMBERS_OF_AN_ACCOUNT + number)
}

/// The statements of a query, with the survey before it if there is one: of its first page, and of one in the middle.
fn of_query(store: &AccountStore, text: &str) -> Vec<Statement> {
    let query = Query::read(Document::read(text.as_bytes()).unwrap().root()).unwrap();
    let cursor = Cursor {
        sequence: NUMBERS_OF_AN_ACCOUNT + 50_000,
        time: Timestamp::parse("2026-02-04T17:20:00Z"),
        upper: places(90_000),
        ..Cursor::default()
    };
    let mut statements = Vec::new();
    for goes_on in [false, true] {
        let upper = places(if goes_on { 90_000 } else { 100_000 });
        let selection = Selection {
            predicate: &query.predicate,
            accounts: None,
            order: query.order,
            after: goes_on.then_some(&cursor),
            since: &Places::default(),
            upper: Some(&upper),
            limit: 31,
            bytes: 8 << 20,
        };
        let mut survey = Survey::of(OF, &selection, sql::WIDE);
        let asked = survey.statement.take();
        statements.extend(asked.clone());
        let rows: Vec<SurveyedRow> = match asked {
            Some(asked) => block_on(store.database().rows(asked)).unwrap(),
            None => Vec::new(),
        };
        let (wide, parts) = survey.answered(&rows, &selection).unwrap();
        let look = parts.look(async |part| {
            statements.push(sql::select(OF, &selection, &wide, part));
            sql::selected(&selection, Vec::new())
        });
        block_on(look).unwrap();
    }
    statements
}

/// What is asked, each with the most pages that the answer may need.
fn questions(store: &AccountStore) -> Vec<(String, Dialect, Statement, u64)> {
    let mut all = Vec::new();
    for (query, most) in [
        ("{}", 400),
        (r#"{"orderBy": "eventTime"}"#, 400),
        (r#"{"orderBy": "recordTime", "orderDirection": "ASC"}"#, 400),
        (r#"{"MATCH_epc": "urn:x:item:777"}"#, 400),
        (r#"{"MATCH_anyEPCClass": "urn:x:class:7"}"#, 1000),
        // A survey counts up to so many terms.
        (r#"{"EQ_bizLocation": "urn:x:place:3"}"#, 3500),
        (r#"{"EQ_bizLocation": "urn:x:place:3", "orderBy": "eventTime"}"#, 3500),
        (r#"{"EQ_bizStep": "shipping"}"#, 2500),
        (r#"{"EQ_bizStep": "receiving"}"#, 400),
        (r#"{"EQ_eventID": ["urn:x:event:1", "urn:x:alias:7"]}"#, 400),
        (
            r#"{"GE_recordTime": "2026-03-01T00:00:00Z", "LT_recordTime": "2026-03-01T10:00:00Z"}"#,
            1000,
        ),
        (
            r#"{"GE_eventTime": "2026-02-01T00:00:00Z", "orderBy": "eventTime", "orderDirection": "ASC"}"#,
            400,
        ),
    ] {
        for statement in of_query(store, query) {
            all.push((query.to_owned(), OF, statement, most));
        }
    }
    let numbers: Vec<u64> = (1..=30).map(|n| NUMBERS_OF_AN_ACCOUNT + n * 3000).collect();
    let from = NUMBERS_OF_AN_ACCOUNT + 60_000;
    let ids = BTreeSet::from(["urn:x:place:7".to_owned()]);
    let names = BTreeSet::from(["urn:x:name".to_owned()]);
    let named = BTreeSet::from(["place 7".to_owned()]);
    let after = ElementPlace {
        account: ACCOUNT.to_owned(),
        kind: "kind 1".to_owned(),
        id: "urn:x:place:2".to_owned(),
    };
    let upper = Places::at(20_000);
    let elements = |kind, ids, after| ElementSelection {
        kind,
        ids,
        accounts: None,
        at: None,
        after,
        upper: &upper,
        limit: 30,
        bytes: 1 << 20,
    };
    let identifiers = |sought| {
        let upper = Places::at(20_000);
        sql::identifiers(
            OF,
            &IdentifierSelection { sought, accounts: None, upper: &upper, limit: 30 },
        )
    };
    let values = |after| {
        let collection = Collection::Epcs;
        sql::values(OF, &ValueSelection { collection, accounts: None, after, limit: 31 })
    };
    let attribute = |values| IdentifierCondition::Attribute { names: &names, values };
    for (what, dialect, statement) in [
        ("events by number", OF, sql::numbered(OF, &numbers, 8 << 20)),
        ("events after one", OF, log::events_after(OF, from, 30, 8 << 20)),
        ("texts by number", OF, log::events_at(OF, &numbers, 8 << 20)),
        ("documents by number", OF, log::documents_at(OF, &numbers)),
        ("events between two", OF, log::count_between(from, from + 100)),
        ("the newest event", OF, sql::newest_events()),
        ("the newest element", OF, sql::newest_elements()),
        ("jobs", OF, sql::jobs(ACCOUNT, Some(10_000), 30)),
        ("events of a job", OF, sql::job_events(ACCOUNT, 10_000, 100)),
        ("values", OF, values(None)),
        ("values after one", OF, values(Some("urn:x:item:5"))),
        ("elements", OF, sql::elements(OF, &elements(None, None, None))),
        ("elements after one", OF, sql::elements(OF, &elements(None, None, Some(&after)))),
        ("elements of a kind", OF, sql::elements(OF, &elements(Some("kind 2"), None, None))),
        ("an element", OF, sql::elements(OF, &elements(None, Some(&ids), None))),
        ("children", OF, identifiers(IdentifierCondition::ChildOf(&ids))),
        ("elements by an attribute", OF, identifiers(attribute(Some(&named)))),
        ("accounts", ALL, sql::accounts(0, 65)),
        ("where accounts begin", ALL, sql::begins_of(ALL, &[ACCOUNT])),
        ("the last head", ALL, log::last_head()),
        ("accounts without leaves", ALL, log::grown(100)),
        ("leaves by event", ALL, log::bare_leaves(&numbers)),
        ("leaves by index", ALL, log::bare_leaves_in(&(50_000..50_100))),
        ("events of leaves", ALL, log::logged_spans(&(50_000..50_100))),
        ("commitments", ALL, log::commitments(&(50_000..50_100))),
    ] {
        // Of an element there are four, of which the newest is told.
        let most = if what.starts_with("elements") { 1000 } else { 400 };
        all.push((what.to_owned(), dialect, statement, most));
    }
    all
}

/// Asks a database that has accounts, without values.
fn ask(shared: &AccountStore, text: &str) -> Vec<BTreeMap<String, Option<String>>> {
    let statement = Statement { text: text.to_owned(), values: Vec::new() };
    block_on(shared.database().rows(statement)).unwrap()
}

#[test]
#[ignore = "needs PostgreSQL"]
fn no_question_reads_an_account() {
    let Some(stores) = empty_accounts() else { return };
    let (shared, store): (Rc<AccountStore>, Rc<AccountStore>) = (stores(0), stores(1));
    let address = shared.documents().address();
    let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
    // The settings with which the server reads.
    for row in ask(
        &shared,
        "SELECT name, quote_literal(setting) AS setting FROM pg_settings WHERE source = 'client'",
    ) {
        let [name, setting] = ["name", "setting"].map(|column| row[column].clone().unwrap());
        if name != "application_name" {
            client.batch_execute(&format!("SET {name} = {setting}")).unwrap();
        }
    }
    let tables = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'";
    for table in client.query(tables, &[]).unwrap() {
        let table: &str = table.get(0);
        client
            .batch_execute(&format!("ALTER TABLE {table} SET (autovacuum_enabled = off)"))
            .unwrap();
    }
    for statement in FILLED {
        client.batch_execute(statement).unwrap();
    }
    let mut faults = Vec::new();
    for statistics in ["without statistics", "with statistics"] {
        for (what, dialect, statement, most) in questions(&store) {
            let Statement { text, values } = dialect.with_placeholders(statement);
            let literals: Vec<String> = values.iter().map(literal).collect();
            client.batch_execute(&format!("PREPARE question AS {text}")).unwrap();
            let given = match literals.is_empty() {
                true => String::new(),
                false => format!("({})", literals.join(", ")),
            };
            let explain = format!(
                "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) EXECUTE question{given}"
            );
            // After five times, PostgreSQL weighs a plan for any values against those that it made.
            for time in 1..=7 {
                let rows = client.query(&explain, &[]).unwrap();
                let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
                let pages = pages(&plan);
                if pages > most {
                    let plan = plan.join("\n");
                    faults.push(format!(
                        "{what}, {statistics}: {pages} pages at time {time}\n{text}\n{plan}"
                    ));
                    break;
                }
            }
            client.batch_execute("DEALLOCATE question").unwrap();
        }
        client.batch_execute("ANALYZE").unwrap();
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// A value as a constant.
fn literal(value: &Value) -> String {
    match value {
        Value::Integer(number) => format!("{number}::bigint"),
        Value::Text(text) => format!("'{}'::text", text.replace('\'', "''")),
    }
}

/// How many pages a plan has read, in memory or from the disk.
fn pages(plan: &[String]) -> u64 {
    let of = |line: &str| {
        line.split([' ', ','])
            .filter_map(|word| word.split_once('='))
            .filter(|(what, _)| matches!(*what, "hit" | "read"))
            .map(|(_, n)| n.parse::<u64>().unwrap())
            .sum()
    };
    // That of the first step is the sum of all.
    plan.iter()
        .find(|line| line.trim_start().starts_with("Buffers: shared"))
        .map_or(0, |line| of(line))
}
