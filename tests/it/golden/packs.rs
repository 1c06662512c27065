//! What packs of a caller cost and find: the most expensive ones, and one that asks about limits.

use super::recorder::Recorder;
use super::values::{NOW, text_of};
use epcis_edge_core::check::{Checks, Pack};
use epcis_edge_core::json::Document;
use epcis_edge_core::time::Timestamp;
use epcis_edge_tests::packs::{COSTLY, pack};
use serde_json::{Value, json};

/// The length of the documents: the packs are the most expensive that we know.
const LENGTH: usize = 2000;

#[test]
fn every_costly_pack() {
    let mut recorder = Recorder::new("packs", &["steps", "findings"]);
    for costly in COSTLY.iter() {
        recorder.case(costly.name, || {
            let pack = costly.pack().to_string();
            let checks = Checks::of(vec![Pack::read(pack.as_bytes()).unwrap()]);
            let text = costly.document(LENGTH);
            let document = Document::read(text.as_bytes()).unwrap();
            checked(&checks, &document)
        });
    }
    for beyond in [-1, 0, 1] {
        recorder.case(&format!("{beyond} beyond each limit"), || at_limits(beyond));
    }
    assert!(recorder.count() > 10, "{}", recorder.count());
    recorder.finish();
}

/// A pack whose rules have limits, on an event whose values differ from each limit by this much.
fn at_limits(beyond: i64) -> Vec<String> {
    let minute = json!({"minutes": 1});
    let rules = [
        json!({"at": "eventTime", "when": {"after": "recordTime"}}),
        json!({"at": "eventTime", "when": {"after": "recordTime", "byMoreThan": minute}}),
        json!({"at": "recordTime", "when": {"before": "eventTime"}}),
        json!({"at": "recordTime", "when": {"before": "eventTime", "byMoreThan": minute}}),
        json!({"at": "ilmd.ex:ends", "when": {"aheadOfNow": 60}}),
        json!({"at": "epcList", "when": {"longerThan": 10}}),
        json!({"at": "quantityList", "when": {"value": ".quantity", "above": 10}}),
        json!({"at": "quantityList", "when": {"value": ".quantity", "below": 10}}),
        json!({"when": {"value": "epcList", "count": {"least": 3}}}),
        json!({"when": {"value": "epcList", "count": {"most": 2}}}),
    ];
    let mut pack = pack(rules.len(), |number| rules[number].clone());
    pack["namespaces"] = json!({"ex": ["https://ex.example/"]});
    let checks = Checks::of(vec![Pack::read(pack.to_string().as_bytes()).unwrap()]);
    let time = |seconds: i64| {
        let milliseconds = NOW.strict_add_signed((seconds + beyond) * 1000);
        Timestamp::from_milliseconds(milliseconds).to_string()
    };
    let number = |limit: i64| usize::try_from(limit + beyond).unwrap();
    let epcs: Vec<String> = (0..number(2)).map(|_| "x".repeat(number(10))).collect();
    let event = |ahead: i64| -> Value {
        json!({
            "@context": {"ex": "https://ex.example/"}, "type": "ObjectEvent", "epcList": epcs,
            "eventTime": time(ahead), "recordTime": Timestamp::from_milliseconds(NOW).to_string(),
            "ilmd": {"ex:ends": time(60)}, "quantityList": [{"quantity": 10 + beyond}],
        })
    };
    let text = json!([event(0), event(60)]).to_string();
    let document = Document::read(text.as_bytes()).unwrap();
    checked(&checks, &document)
}

/// The steps of the packs, and their findings.
fn checked(checks: &Checks, document: &Document<'_>) -> Vec<String> {
    let report = checks.check(document, Some(NOW));
    let steps = report.as_ref().map_or(0, |report| report.steps);
    vec![steps.to_string(), text_of(report)]
}
