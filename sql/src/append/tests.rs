use super::*;
use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::capture::{self, Policy};
use epcis_edge_core::validate::Validator;

/// Every part is written once, in order, and at most one portion at a time.
#[test]
#[expect(clippy::unwrap_used, reason = "a test fails by it")]
fn a_long_event_is_written_portion_by_portion() {
    let long = "x\\n".repeat(PORTION * PART);
    let text = format!(
        r#"{{"@context":["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",{{"x":"https://x.example/"}}],"type":"ObjectEvent","action":"OBSERVE","epcList":["urn:x:1"],"eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00","x:a":"{long}"}}"#
    );
    let principal = Principal::local("https://example.com/accounts/1", "https://example.com/dock");
    let call = Call::new(1_769_904_000_000, principal);
    let policy = Policy::new("https://example.com/ns/spine/");
    let validator = Validator::new().unwrap();
    let prepared = capture::prepare(text.as_bytes(), &validator, &policy, &call).unwrap();
    let event = prepared.batch.events.first().unwrap();
    let range = Range {
        events: vec![Placed {
            position: 0,
            event,
            key: 1,
            identity: String::new(),
            is_alias: false,
            facts: event.facts().unwrap(),
        }],
    };
    let mut numbers = Vec::new();
    let mut length = 0;
    assert!(range.portions() > 2);
    for portion in 0..range.portions() {
        let lists = range.rows(Step::Parts(portion)).unwrap();
        let bytes: usize = lists.iter().map(|list| list.rows.len()).sum();
        assert!(bytes < 2 * PORTION * PART, "{bytes}");
        for list in lists {
            let rows: Vec<Vec<serde_json::Value>> = serde_json::from_str(&list.rows).unwrap();
            for row in rows {
                numbers.push(row.get(2).unwrap().as_u64().unwrap());
                let texts = [3, 6].iter().filter_map(|at| row.get(*at)?.as_str());
                length += texts.map(str::len).sum::<usize>();
                length += row.get(5).map_or(0, |time| time.as_u64().unwrap() as usize);
            }
        }
    }
    assert!(numbers.iter().copied().eq(0..numbers.len() as u64));
    assert_eq!(length, event.event.len());
}

#[test]
fn what_is_cut_for_the_index_is_in_no_list() {
    let long = "ä".repeat(MAX_LISTED);
    assert!(index_key(&long).len() > MAX_LISTED);
    assert!((MAX_LISTED + 1..600).all(|length| index_key(&"x".repeat(length)).len() > MAX_LISTED));
}
