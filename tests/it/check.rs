//! The vectors of the checks: documents that break a rule, and documents that almost do.

use epcis_edge_core::check::{
    CheckReport, Checks, MAX_FINDINGS, PACKS, PROFILES, Pack, Parameters,
};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::translate;
use epcis_edge_tests::{entries, own_vectors, read_json};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// 2026-06-01T12:00:00Z.
const NOW: u64 = 1_780_315_200_000;

fn check(document: &Value) -> CheckReport {
    let text = document.to_string();
    let document = Document::read(text.as_bytes()).unwrap();
    Checks::all().unwrap().check(&document, Some(NOW)).unwrap()
}

/// What the packs that are always asked, and one more, find in the document of a case.
fn check_with(pack: &str, case: &Value) -> CheckReport {
    let names: Vec<&str> = PACKS.iter().map(|(name, _)| *name).chain([pack]).collect();
    let mut checks = Checks::named(&names).unwrap();
    if case["parameters"].is_object() {
        let text = case["parameters"].to_string();
        let given = Document::read(text.as_bytes()).unwrap();
        checks = checks.given(&Parameters::read(given.root()).unwrap()).unwrap();
    }
    let text = document_of(case).to_string();
    let document = Document::read(text.as_bytes()).unwrap();
    checks.check(&document, Some(NOW)).unwrap()
}

/// The document of a case: its own, or a base of several vectors with changes (RFC 6902).
fn document_of(case: &Value) -> Value {
    let Some(base) = case["base"].as_str() else {
        return case["document"].clone();
    };
    let mut document = read_json(&own_vectors("check/bases").join(format!("{base}.json")));
    let patch: json_patch::Patch = serde_json::from_value(case["patch"].clone()).unwrap();
    json_patch::patch(&mut document, &patch).unwrap();
    document
}

fn rules() -> BTreeSet<String> {
    let of_pack = |(name, text): (&str, &str)| {
        let pack: Value = serde_json::from_str(text).unwrap();
        assert_eq!(pack["name"], name);
        let rules = pack["rules"].as_array().unwrap().clone();
        rules.into_iter().map(move |rule| {
            format!("{}/{}", pack["name"].as_str().unwrap(), rule["id"].as_str().unwrap())
        })
    };
    PACKS.into_iter().chain(PROFILES).flat_map(of_pack).collect()
}

#[test]
fn every_rule_finds_what_breaks_it_and_lets_pass_what_nearly_does() {
    let mut seen = BTreeSet::new();
    for folder in entries(&own_vectors("check"))
        .into_iter()
        .filter(|path| path.is_dir() && !path.ends_with("bases"))
    {
        for file in entries(&folder) {
            let vector = read_json(&file);
            let rule = vector["rule"].as_str().unwrap();
            let place = format!("{}.json", rule);
            assert!(file.ends_with(&place), "{}: {rule}", file.display());
            let (pack, _) = rule.split_once('/').unwrap();
            for case in vector["breaks"].as_array().unwrap() {
                let report = check_with(pack, case);
                let found: Vec<_> =
                    report.findings.iter().filter(|found| found.rule == rule).collect();
                let paths: Vec<_> = found.iter().map(|found| found.place.path.as_str()).collect();
                assert_eq!(json!(paths), case["at"], "{rule}: {}", case["note"]);
                // One cause gives one finding, unless the vector lists another under `also`.
                let also = case["also"].as_array().cloned().unwrap_or_default();
                for other in &report.findings {
                    let is_known = other.rule == rule || also.contains(&json!(other.rule));
                    assert!(is_known, "{rule}: {}: {other:?}", case["note"]);
                }
            }
            for case in vector["nearly"].as_array().unwrap() {
                let report = check_with(pack, case);
                assert_eq!(report.findings, [], "{rule}: {}", case["note"]);
            }
            for list in ["breaks", "nearly"] {
                assert!(!vector[list].as_array().unwrap().is_empty(), "{rule}: {list}");
            }
            seen.insert(rule.to_owned());
        }
    }
    assert_eq!(seen, rules(), "every rule has a vector, and every vector a rule");
}

#[test]
fn places_are_those_of_the_document() {
    let text = "{\"@context\": [],\n \"type\": \"ObjectEvent\",\n  \"eventID\": \"x:1\", \"epcList\": [\"urn:epc:id:sscc:1.2\",\n\"\\u0041\"]}";
    let document = Document::read(text.as_bytes()).unwrap();
    let report = Checks::all().unwrap().check(&document, None).unwrap();
    let last = report.findings.last().unwrap();
    assert_eq!(last.rule, "cbv/bare-identifier");
    assert_eq!(
        (last.place.path.as_str(), last.place.line, last.place.column),
        ("/epcList/1", 4, 1)
    );
    assert_eq!(last.found.as_deref(), Some("A"));
}

/// Only the built-in rule names the key and the right digit. A custom rule's message is used as written.
#[test]
fn a_wrong_check_digit_is_told_with_its_key_and_the_right_one() {
    let own = json!({"version": 1, "name": "own", "rules": [{
        "id": "digit", "severity": "error", "message": "not ours", "source": {"document": "d"}, "at": "epcList", "when": {"is": "wrong-check-digit"}
    }]});
    let own = Pack::read(own.to_string().as_bytes()).unwrap();
    let text =
        r#"{"type": "ObjectEvent", "epcList": ["https:\/\/id.gs1.org/8003/03001345000771A"]}"#;
    let document = Document::read(text.as_bytes()).unwrap();
    let checks = Checks::with(&["identifiers"], own).unwrap();
    let report = checks.check(&document, None).unwrap();
    let messages: Vec<_> =
        report.findings.iter().map(|found| (found.rule.as_str(), found.message.as_str())).collect();
    assert_eq!(
        messages,
        [
            ("identifiers/check-digit", "wrong check digit in GRAI 3001345000771: 1, should be 6"),
            ("own/digit", "not ours")
        ]
    );
    assert_eq!(report.rules[0].message, "the last digit of this key is not its check digit");
}

/// Events that declare an error, and those that are declared wrong, are judged only by packs that say so.
#[test]
fn withdrawn_events_are_judged_by_packs_that_say_so() {
    let event = |id: &str| json!({"type": "ObjectEvent", "eventID": id, "epcList": ["urn:x:1"]});
    let mut declaring = event("urn:x:wrong");
    declaring["errorDeclaration"] = json!({"declarationTime": "2026-03-04T10:00:00Z"});
    let text = json!([event("urn:x:wrong"), event("urn:x:right"), declaring]).to_string();
    let document = Document::read(text.as_bytes()).unwrap();
    // Without an `eventID`, a declaration withdraws the event of its content.
    let unnamed = text.replace(r#""eventID":"urn:x:wrong","#, "");
    let unnamed = Document::read(unnamed.as_bytes()).unwrap();
    for (judges_withdrawn, expected) in [
        (None, vec!["/1/epcList/0"]),
        (Some(false), vec!["/1/epcList/0"]),
        (Some(true), vec!["/0/epcList/0", "/1/epcList/0", "/2/epcList/0"]),
    ] {
        let mut pack = json!({"version": 1, "name": "own", "rules": [{
            "id": "bare", "severity": "hint", "message": "m", "source": {"document": "d"}, "at": "epcList", "when": {"startsWith": "urn:x:"}
        }]});
        if let Some(judges) = judges_withdrawn {
            pack["judgesWithdrawn"] = judges.into();
        }
        let pack = Pack::read(pack.to_string().as_bytes()).unwrap();
        let checks = Checks::with(&[], pack).unwrap();
        for document in [&document, &unnamed] {
            let report = checks.check(document, None).unwrap();
            let found = report.findings.iter().map(|found| found.place.path.as_str());
            assert_eq!(found.collect::<Vec<_>>(), expected, "{judges_withdrawn:?}");
        }
    }
}

#[test]
fn an_event_that_is_there_twice_leads_to_the_first() {
    let event =
        json!({"type": "ObjectEvent", "eventTime": "2026-03-04T10:00:00Z", "epcList": ["urn:x:1"]});
    let report = check(&json!([event, {"type": "ObjectEvent"}, event, event]));
    let found: Vec<_> = report
        .findings
        .iter()
        .filter(|found| found.rule == "consistency/event-twice")
        .map(|found| {
            (found.place.path.as_str(), &found.found, found.related.as_ref().unwrap().path.as_str())
        })
        .collect();
    assert_eq!(found, [("/2", &None, "/0"), ("/3", &None, "/0")]);
}

#[test]
fn findings_of_xml_have_its_places() {
    let xml = br#"<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2" creationDate="2026-03-04T10:00:00Z">
<EPCISBody><EventList>
<ObjectEvent><eventTime>2026-03-04T10:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
<epcList><epc>urn:epc:id:sgtin:9521141.012345.1</epc>
  <epc>urn:epc:id:sgtin:9521141.12345.1</epc></epcList><action>OBSERVE</action></ObjectEvent>
</EventList></EPCISBody></epcis:EPCISDocument>"#;
    let translation = translate(xml).unwrap();
    let report = Checks::all().unwrap().check_translation(&translation, None).unwrap();
    let [finding] = report.findings.as_slice() else { panic!("{report:?}") };
    assert_eq!(finding.rule, "identifiers/key-length");
    assert_eq!(finding.pointer.as_deref(), Some("/epcisBody/eventList/0/epcList/1"));
    assert_eq!((finding.place.line, finding.place.column), (5, 3), "{}", finding.place);
    assert!(finding.place.path.ends_with("/epcList[1]/epc[2]"), "{}", finding.place);
}

#[test]
fn six_hundred_thousand_findings_are_counted_and_the_first_are_listed() {
    let events: Vec<Value> = (0..600)
        .map(|event| {
            let epcs: Vec<String> = (0..1000).map(|epc| format!("{event}-{epc}")).collect();
            json!({"type": "ObjectEvent", "epcList": epcs})
        })
        .collect();
    let report = check(&Value::Array(events));
    assert_eq!(report.counts.error, 600_000);
    assert_eq!(report.counts.total(), 600_000);
    assert_eq!(report.events, 600);
    assert_eq!(report.findings.len(), MAX_FINDINGS);
    assert_eq!(report.findings[0].place.path, "/0/epcList/0");
    assert_eq!(report.findings[999].place.path, "/0/epcList/999");
    assert_eq!(report.rules[0].count, 600_000);
}

/// The listed findings are the first in the document, whichever part of the engine finds them.
#[test]
fn the_first_findings_are_those_of_the_document() {
    let event = |number: usize| {
        json!({"type": "AggregationEvent", "eventID": "x:same", "parentID": format!("bare{number}"),
               "childEPCs": ["urn:x:1", "urn:x:1"], "errorDeclaration": null})
    };
    let all: Vec<Value> = (0..400).map(event).collect();
    let report = check(&Value::Array(all));
    assert!(report.counts.total() > MAX_FINDINGS);
    let events: Vec<usize> = report
        .findings
        .iter()
        .map(|found| found.place.path.split('/').nth(1).unwrap().parse().unwrap())
        .collect();
    assert!(events.is_sorted());
    let per_event = report.counts.total() / 400;
    assert!(*events.last().unwrap() <= MAX_FINDINGS / per_event + 1);
}

#[test]
fn documents_without_events_have_no_findings_and_others_are_refused() {
    let empty = json!({"type": "EPCISDocument", "epcisBody": {"eventList": []}});
    assert_eq!(check(&empty).events, 0);
    for text in ["7", "{}", "\"x\"", "null"] {
        let document = Document::read(text.as_bytes()).unwrap();
        assert!(Checks::all().unwrap().check(&document, None).is_err(), "{text}");
    }
    // Elements that are not events are skipped.
    assert_eq!(check(&json!([1, null, {"type": "ObjectEvent"}])).events, 1);
}

/// A custom pack with every operator of the language.
#[test]
fn a_pack_of_ones_own_is_asked_like_ours() {
    let rule = |id: &str, at: Value, when: Value| {
        let mut rule = json!({"id": id, "severity": "hint", "message": "m", "source": {"document": "d"}, "when": when});
        if !at.is_null() {
            rule["at"] = at;
        }
        rule
    };
    let pack = json!({"version": 1, "name": "own", "sets": {"all": ["epcList", "readPoint.id"]}, "rules": [
        rule("ends", json!("$all"), json!({"endsWith": ["7", "8"]})),
        rule("contains", json!(["epcList"]), json!({"all": [{"contains": "abc"}, {"not": {"value": "bizStep", "in": ["packing", "loading"]}}]})),
        rule("long", json!("epcList"), json!({"longerThan": 12})),
        rule("many", Value::Null, json!({"value": "quantityList.quantity", "above": 10})),
        rule("less", json!("quantityList"), json!({"any": [{"value": ".quantity", "below": 1}, {"value": ".epcClass", "startsWith": "urn:b"}]})),
        rule("typed", json!("bizTransactionList"), json!({"all": [{"value": ".type", "in": "po"}, {"value": ".bizTransaction", "endsWith": "!"}]})),
        rule("same", json!("epcList"), json!({"value": ".", "startsWith": "urn:z"})),
        rule("sensor", json!("sensorElementList.sensorReport"), json!({"value": ".value", "above": ".maxValue"})),
        rule("late", json!("recordTime"), json!({"after": "eventTime"})),
    ]});
    let pack = Pack::read(pack.to_string().as_bytes()).unwrap();
    let checks = Checks::of(vec![pack]);
    let event = json!({
        "type": "ObjectEvent", "eventTime": "2026-01-01T00:00:00Z", "recordTime": "2026-01-01T00:00:01Z", "bizStep": "shipping",
        "epcList": ["urn:x:7", "urn:x:abc", "urn:x:12345678901", "urn:z:1"], "readPoint": {"id": "x:8"},
        "quantityList": [{"epcClass": "urn:a", "quantity": 11}, {"epcClass": "urn:b", "quantity": 2}, {"epcClass": "urn:c", "quantity": 0.5}],
        "bizTransactionList": [{"type": "po", "bizTransaction": "x:1!"}, {"type": "inv", "bizTransaction": "x:1!"}],
        "sensorElementList": [{"sensorReport": [{"value": 3, "maxValue": 2}, {"value": 3, "maxValue": 3}]}],
    });
    let text = event.to_string();
    let report = checks.check(&Document::read(text.as_bytes()).unwrap(), None).unwrap();
    let found: BTreeSet<_> = report
        .findings
        .iter()
        .map(|found| format!("{} {}", found.rule.strip_prefix("own/").unwrap(), found.place.path))
        .collect();
    let expected = [
        "ends /epcList/0",
        "ends /readPoint/id",
        "contains /epcList/1",
        "long /epcList/2",
        "many ",
        "less /quantityList/1",
        "less /quantityList/2",
        "typed /bizTransactionList/0",
        "same /epcList/3",
        "sensor /sensorElementList/0/sensorReport/0",
        "late /recordTime",
    ];
    assert_eq!(found, expected.map(str::to_owned).into());
}

/// Malformed packs, each with the reported place.
#[test]
fn packs_are_refused_with_their_place() {
    let rule = |member: &str, value: Value| {
        let mut rule = json!({"id": "a", "severity": "hint", "message": "m", "source": {"document": "d"}, "at": "epcList", "when": {"is": "urn"}});
        rule[member] = value;
        json!({"version": 1, "name": "own", "rules": [rule]})
    };
    let of_event = |when: Value| json!({"version": 1, "name": "own", "rules": [{"id": "a", "severity": "hint", "message": "m", "source": {"document": "d"}, "when": when}]});
    let asking = |parameters: Value, more: Value| {
        let mut rule = json!({"id": "a", "severity": "hint", "message": "m", "source": {"document": "d"}, "at": "epcList", "when": {"given": "own"}});
        if let (Value::Object(rule), Value::Object(more)) = (&mut rule, more) {
            rule.extend(more);
        }
        json!({"version": 1, "name": "own", "parameters": parameters, "rules": [rule]})
    };
    let own = || json!([{"name": "own", "about": "GLNs"}, {"name": "way", "about": "which", "oneOf": ["in", "out"]}]);
    let deep = (0..9).fold(json!({"is": "urn"}), |inner, _| json!({"not": inner}));
    let wide = json!({"all": vec![json!({"is": "urn"}); 33]});
    for (pack, path) in [
        (json!([]), ""),
        (asking(json!([{"name": "own"}]), json!({})), "/parameters/0"),
        (
            asking(
                json!([{"name": "own", "about": "a"}, {"name": "own", "about": "b"}]),
                json!({}),
            ),
            "/parameters/1/name",
        ),
        (asking(own(), json!({"when": {"given": "other"}})), "/rules/0/when/given"),
        (asking(own(), json!({"when": {"given": "way"}})), "/rules/0/when/given"),
        (
            asking(own(), json!({"when": {"some": {"value": "bizStep", "given": "own"}}})),
            "/rules/0/when/some/given",
        ),
        (asking(own(), json!({"parameters": {"own": "in"}})), "/rules/0/parameters/own"),
        (asking(own(), json!({"parameters": {"way": ["in", "up"]}})), "/rules/0/parameters/way/1"),
        (asking(own(), json!({"when": {"unlikeBefore": true}})), "/rules/0/when/unlikeBefore"),
        (json!({"name": "own", "rules": []}), ""),
        (json!({"version": 2, "name": "own", "rules": []}), "/version"),
        (json!({"version": "1", "name": "own", "rules": []}), "/version"),
        (json!({"version": 1, "rules": []}), ""),
        (json!({"version": 1, "name": "Own", "rules": []}), "/name"),
        (json!({"version": 1, "name": "own", "rules": [], "more": 1}), "/more"),
        (json!({"version": 1, "name": "own", "rules": []}), "/rules"),
        (
            json!({"version": 1, "name": "own", "judgesWithdrawn": 1, "rules": []}),
            "/judgesWithdrawn",
        ),
        (
            json!({"version": 1, "name": "own", "sets": {"a": ["nothing"]}, "rules": []}),
            "/sets/a/0",
        ),
        (rule("id", json!("a b")), "/rules/0/id"),
        (rule("severity", json!("fatal")), "/rules/0/severity"),
        (rule("message", json!("")), "/rules/0/message"),
        (rule("source", json!({})), "/rules/0/source"),
        (rule("on", json!(["QuantityEvent"])), "/rules/0/on/0"),
        (rule("at", json!("epcs")), "/rules/0/at"),
        (rule("at", json!("$none")), "/rules/0/at"),
        (rule("at", json!(["epcList", "epcList"])), "/rules/0/at/1"),
        (rule("then", json!(1)), "/rules/0/then"),
        (rule("when", json!({})), "/rules/0/when"),
        (rule("when", json!({"is": "urn", "in": "x"})), "/rules/0/when/in"),
        (rule("when", json!({"is": "urns"})), "/rules/0/when/is"),
        (rule("when", json!({"matches": "x"})), "/rules/0/when/matches"),
        (rule("when", json!({"is": "known-word"})), "/rules/0/when/is"),
        (rule("when", json!({"above": 1})), "/rules/0/when"),
        (rule("when", json!({"value": "bizSteps", "exists": true})), "/rules/0/when/value"),
        (rule("when", json!({"value": ".x", "exists": true})), "/rules/0/when/value"),
        (rule("when", json!({"value": "childEPCs", "in": "x"})), "/rules/0/when/value"),
        (rule("when", json!({"value": "eventTime", "after": "bizStep"})), "/rules/0/when/after"),
        (rule("when", json!({"not": {"is": "repeated"}})), "/rules/0/when/not/is"),
        (rule("when", json!({"is": ["repeated", "urn"]})), "/rules/0/when/is"),
        (rule("when", json!({"is": "repeated-id"})), "/rules/0/when/is"),
        (rule("when", json!({"is": "repeated-event"})), "/rules/0/when/is"),
        (rule("when", json!({"value": "eventTime", "is": "repeated-event"})), "/rules/0/when/is"),
        (of_event(json!({"is": "urn"})), "/rules/0/when/is"),
        (of_event(json!({"longerThan": 3})), "/rules/0/when"),
        (of_event(json!({"any": [{"is": "repeated-event"}]})), "/rules/0/when/any/0/is"),
        (rule("when", json!({"longerThan": -1})), "/rules/0/when/longerThan"),
        (rule("when", json!({"value": ".", "all": [{"is": "urn"}]})), "/rules/0/when/value"),
        (rule("when", deep), "/rules/0/when/not/not/not/not/not/not/not/not"),
        (rule("when", wide), "/rules/0/when/all"),
    ] {
        let text = pack.to_string();
        let error = Pack::read(text.as_bytes()).expect_err(&text);
        assert_eq!(
            error.location().map(|place| place.path.as_str()),
            Some(path),
            "{text}: {error}"
        );
    }
    assert!(Pack::read(b"{").is_err());
    assert!(Checks::named(&["identifier"]).is_err());
}
