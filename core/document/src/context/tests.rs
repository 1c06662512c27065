use super::*;
use epcis_edge_text::json::Document;

const NAMESPACE: &str = "https://g.example/ns/spine/";

#[test]
fn a_name_is_within_a_namespace_however_it_is_put_together() {
    let text = br#"{"@context": [
        "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
        {"a": "https://g.example/ns/", "b": {"@id": "a:spine/"}, "who": "a:spine/who", "c": "https://other.example/"},
        {"@vocab": "https://g.example/ns/spine/"}
    ]}"#;
    let document = Document::read(text).unwrap();
    let mut context = ActiveContext::default();
    let outer = context.enter(document.root());
    let within = |name: &str| context.is_within(name, NAMESPACE);
    for name in ["a:spine/who", "b:who", "who", "capturedBy", "https://g.example/ns/spine/who"] {
        assert!(within(name), "{name}");
    }
    for name in ["a:who", "c:who", "id", "type", "@id", "spine:who", "a://spine/who"] {
        assert!(!within(name), "{name}");
    }
    context.leave(outer);
    assert_eq!(context.expand("a:x"), "a:x");
    assert_eq!(context.expand("cbv:BizStep-shipping"), "https://ref.gs1.org/cbv/BizStep-shipping");
}

#[track_caller]
fn within(context: &str, names: &[&str]) {
    let text = format!(r#"{{"@context":{context}}}"#);
    let document = Document::read(text.as_bytes()).unwrap();
    let mut found = ActiveContext::default();
    let addresses = Addresses::default();
    let mut judge = Judge::new(&addresses);
    found.enter_judged(document.root(), &mut judge);
    assert_eq!(judge.into_refusals(), [], "{context}");
    for name in names {
        assert!(found.is_within(name, NAMESPACE), "{context}: {name}");
    }
}

#[test]
fn definitions_are_resolved_whatever_their_order() {
    within(r#"{"a":"b:","b":"https://g.example/ns/spine/"}"#, &["a:who"]);
    within(
        r#"{"a":"b:who","b":{"@id":"c:","@prefix":true},"c":"d:spine/","d":"https://g.example/ns/"}"#,
        &["a", "b:who", "c:who", "d:spine/who"],
    );
    // A term that is its own name, a term with the vocabulary, a term with a prefix.
    within(
        r#"[{"@vocab":"https://g.example/ns/spine/","who":"who","w":{"@id":"capturedBy"},"x:y":{"@type":"@id"},"x":"w"}]"#,
        &["who", "w", "x:y", "other"],
    );
    within(r#"{"@base":"https://g.example/ns/spine/here","@vocab":""}"#, &[]);
    within(r#"{"@base":"https://g.example/ns/spine/","@vocab":""}"#, &["who"]);
    within(
        r#"[{"@base":"https://g.example/x/y#z"},{"@base":"/ns/"},{"@vocab":"spine/"}]"#,
        &["who", ":who", "9:who"],
    );
    within(r#"[{"@vocab":"https://g.example/"},{"@vocab":"ns/"},{"@vocab":"spine/"}]"#, &["who"]);
    // These are prefixes for XML and for hashes, though not for JSON-LD 1.1.
    within(
        r#"{"s":{"@id":"https://g.example/ns/spine/"},"t":{"@id":"https://g.example/ns/spine/","@prefix":false}}"#,
        &["s:who", "t:who"],
    );
    within(
        r#"{"@version":1.1,"@protected":true,"p":{"@id":"https://g.example/ns/spine/","@protected":false}}"#,
        &["p:who"],
    );
}

#[test]
fn record_time_is_known_under_any_name() {
    let text = br#"{"@context":{"rt":"epcis:recordTime","e":"https://ref.gs1.org/epc","@vocab":"https://ref.gs1.org/epcis/record"}}"#;
    let document = Document::read(text).unwrap();
    let mut context = ActiveContext::default();
    context.enter(document.root());
    for name in [
        "recordTime",
        "rt",
        "epcis:recordTime",
        "https://ref.gs1.org/epcis/recordTime",
        "e:is/recordTime",
        "Time",
    ] {
        assert!(context.is_record_time(name), "{name}");
    }
    for name in ["epcis:eventTime", "epcis:recordTimes", "recordtime", "time", "x:recordTime"] {
        assert!(!context.is_record_time(name), "{name}");
    }
}

#[track_caller]
fn refused(context: &str, place: &str) {
    let text = format!(r#"{{"@context":{context}}}"#);
    let document = Document::read(text.as_bytes()).unwrap();
    let addresses = Addresses::new(&["https://allowed.example/".to_owned()]);
    let mut judge = Judge::new(&addresses);
    ActiveContext::default().enter_judged(document.root(), &mut judge);
    let refusals = judge.into_refusals();
    let paths: Vec<_> = refusals.iter().map(|refusal| refusal.path.as_str()).collect();
    assert!(paths.contains(&place), "{context}: {refusals:?}");
}

#[test]
fn what_would_leave_a_name_open_is_refused_with_its_place() {
    refused("null", "/@context");
    refused("5", "/@context");
    refused("[[]]", "/@context/0");
    refused(r#""https://evil.example/context""#, "/@context");
    refused(r#"["https://allowed.example/x","epcis-context.jsonld"]"#, "/@context/1");
    refused(r#"{"@import":"https://allowed.example/x"}"#, "/@context/@import");
    refused(r#"{"@propagate":false}"#, "/@context/@propagate");
    refused(r#"{"@version":1.0}"#, "/@context/@version");
    refused(r#"{"@version":"1.1"}"#, "/@context/@version");
    refused(r#"{"@context":{"a":"urn:a:"}}"#, "/@context/@context");
    refused(r#"{"@vocab":""}"#, "/@context/@vocab");
    refused(r#"{"@vocab":"ns/spine/"}"#, "/@context/@vocab");
    refused(r#"{"@base":"x/","@vocab":"y/"}"#, "/@context/@vocab");
    refused(r#"{"@base":"https://g.example/a/","@vocab":"../ns/spine/"}"#, "/@context/@vocab");
    refused(r#"{"@base":null,"@vocab":"y/"}"#, "/@context/@vocab");
    refused(r#"{"@vocab":"@type"}"#, "/@context/@vocab");
    refused(r#"{"a":null}"#, "/@context/a");
    refused(r#"{"a":{"@id":null}}"#, "/@context/a/@id");
    refused(r#"{"a":5}"#, "/@context/a");
    refused(r#"{"":"urn:a:"}"#, "/@context/");
    refused(r#"{"a":{"@id":"urn:a:","@context":{}}}"#, "/@context/a/@context");
    refused(r#"{"a":{"@reverse":"urn:a:"}}"#, "/@context/a/@reverse");
    refused(
        r#"{"a":{"@id":"urn:a:","@container":"@index","@index":"urn:b"}}"#,
        "/@context/a/@index",
    );
    refused(r#"{"a":"@id"}"#, "/@context/a");
    refused(r#"{"a":"@nest"}"#, "/@context/a");
    refused(r#"{"a":"@reserved"}"#, "/@context/a");
    refused(r#"{"id":{"@id":"@id"}}"#, "/@context/id");
    refused(r#"{"type":"urn:type"}"#, "/@context/type");
    refused(r#"{"recordTime":"epcis:recordTime"}"#, "/@context/recordTime");
    refused(r#"{"urn":"https://evil.example/"}"#, "/@context/urn");
    refused(r#"{"epcis":"https://evil.example/"}"#, "/@context/epcis");
    refused(r#"{"epcis":{"@id":"https://ref.gs1.org/epcis/"}}"#, "/@context/epcis");
    refused(r#"{"a":"b:","b":"a:"}"#, "/@context/b");
    refused(r#"{"a":"a:x"}"#, "/@context/a");
    refused(r#"{"a":"relative"}"#, "/@context/a");
    refused(r#"{"a":"urn:with blank"}"#, "/@context/a");
    refused(r#"{"a":{"@id":"urn:a:","@type":"relative"}}"#, "/@context/a/@type");
    refused(r#"{"a":{"@id":"urn:a:","@container":["@set","@id"]}}"#, "/@context/a/@container");
    refused(r#"{"a":{"@id":"urn:a:","@container":"@foo"}}"#, "/@context/a/@container");
    refused(r#"{"a":"urn:x:","a:b":"urn:y:b"}"#, "/@context/a:b");
    refused(
        r#"{"https":"urn:x:","https://a.example/b":{"@type":"@id"}}"#,
        "/@context/https:~1~1a.example~1b",
    );
    refused(r#"[{"@protected":true,"a":"urn:x:"},{"a":"urn:y:"}]"#, "/@context/1/a");
    refused(r#"[{"a":{"@id":"urn:x:","@protected":true}},{"a":"urn:x:"}]"#, "/@context/1/a");
}

#[test]
fn what_json_ld_takes_is_taken() {
    within(
        r#"["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", {"id":"@id","type":"@type","eventID":"@id"}]"#,
        &[],
    );
    within(
        r#"{"cbv":"https://ref.gs1.org/cbv/","cbvmda":"urn:epcglobal:cbv:mda:","rdfs":"http://www.w3.org/2000/01/rdf-schema#",
            "comment":"rdfs:comment","value":"https://schema.org/value","x":{"@id":"urn:x:","@type":"xs:date","@container":["@set"]},
            "xs":"http://www.w3.org/2001/XMLSchema#","@language":"en","@direction":null,"xs:y":"http://www.w3.org/2001/XMLSchema#y"}"#,
        &[],
    );
    within(
        r#"[{"@protected":true,"a":"urn:x:"},{"a":"urn:x:"},{"b":{"@id":"a:b","@type":"@json","@protected":true}},
            {"b":{"@id":"a:b","@type":"@json","@protected":true}}]"#,
        &[],
    );
}

#[test]
fn more_than_is_held_is_told() {
    // Each IRI is longer than the one before, and together they exceed the limit.
    let mut text = r#"{"@context":{"a0":"urn:0123456789:""#.to_owned();
    for number in 1..4000 {
        text.push_str(&format!(r#","a{number}":"a{}:0123456789:""#, number - 1));
    }
    text.push_str("}}");
    let document = Document::read(text.as_bytes()).unwrap();
    let mut context = ActiveContext::default();
    context.enter(document.root());
    assert_eq!(context.excess(), Some(Excess::Bytes));

    // Such a long chain must not overflow the stack.
    let mut text = r#"{"@context":{"a09999":"urn:""#.to_owned();
    for number in 0..9990 {
        text.push_str(&format!(r#","a{number:05}":"a{:05}:""#, number + 1));
    }
    text.push_str("}}");
    let document = Document::read(text.as_bytes()).unwrap();
    ActiveContext::default().enter(document.root());
}
