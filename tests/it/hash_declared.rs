//! Undeclared prefixes: where they are refused, and the ways to supply them.

use epcis_edge_core::error::{ErrorKind, Problem};
use epcis_edge_core::hash::{
    HashScope, Hasher, Hashing, OuterPrefixes, Profile, UndeclaredPrefixRule, Verification,
    hash_document, pre_hash_document, verify, verify_with,
};
use epcis_edge_core::json::Document;
use epcis_edge_core::validate::Validator;
use epcis_edge_core::{call, capture};
use epcis_edge_tests::time::worked;

/// The pre-hash strings under the default profile, or the refused name and its path.
fn strings(text: &str, declared: OuterPrefixes<'_>) -> Result<Vec<String>, (String, String)> {
    let document = Document::read(text.as_bytes()).unwrap();
    let hashing = Hashing { profile: Profile::Cbv20, declared };
    match pre_hash_document(&document, hashing) {
        Ok(events) => Ok(events.into_iter().map(|event| event.pre_hash).collect()),
        Err(error) => {
            let ErrorKind::UndeclaredPrefix { name, .. } = error.kind() else { panic!("{error}") };
            assert_eq!(Problem::from(&error).status, 400);
            Err((name.clone(), error.location().unwrap().path.clone()))
        }
    }
}

fn refused(text: &str) -> Option<(String, String)> {
    strings(text, OuterPrefixes::default()).err()
}

fn event(members: &str) -> String {
    format!(r#"{{"type": "ObjectEvent", {members}}}"#)
}

#[test]
fn a_prefix_that_nobody_declares_is_refused_with_its_name_and_place() {
    for (members, name, path) in [
        (r#""ex:lot": "A""#, "ex:lot", "/ex:lot"),
        (r#""ilmd": {"ex:lot": "A"}"#, "ex:lot", "/ilmd/ex:lot"),
        (
            r#""ilmd": {"plain": [1, {"x:y": null, "x:z": []}, {"ex:lot": {}}]}"#,
            "ex:lot",
            "/ilmd/plain/2/ex:lot",
        ),
        (r#""readPoint": {"id": "urn:x", "ex:a": {"ex:b": 1}}"#, "ex:a", "/readPoint/ex:a"),
        (
            r#""sourceList": [{"type": "x", "source": "y", "ex:a": 1}]"#,
            "ex:a",
            "/sourceList/0/ex:a",
        ),
        (
            r#""sensorElementList": [{"sensorReport": [{"ex:a": false}]}]"#,
            "ex:a",
            "/sensorElementList/0/sensorReport/0/ex:a",
        ),
        // A declaration applies inside the object that contains it, not beside it.
        (r#""ilmd": {"@context": {"ex": "urn:x:"}, "ex:a": 1}, "ex:b": 2"#, "ex:b", "/ex:b"),
        (r#""urn:lot": 1"#, "urn:lot", "/urn:lot"),
    ] {
        let expected = Some((name.to_owned(), path.to_owned()));
        assert_eq!(refused(&event(members)), expected, "{members}");
        let second = format!("[{}, {}]", event(r#""action": "ADD""#), event(members));
        let expected = Some((name.to_owned(), format!("/1{path}")));
        assert_eq!(refused(&second), expected, "{members}");
        assert!(strings(&event(members), UndeclaredPrefixRule::Keep.into()).is_ok());
    }
}

#[test]
fn what_is_known_or_does_not_count_is_not_refused() {
    for members in [
        r#""gs1:a": 1, "cbv:a": 1, "epcis:a": 1, "cbvmda:a": 1, "xml:a": 1, "rdfs:comment": "x""#,
        r#""dcterms:title": 1, "rdfs:label": 2, "owl:sameAs": 3, "xsd:x": 4"#,
        r#""https://full.example/lot": 1, "urn:example:lot": 1, "did:web:x": 1, "tag:x.example,2026:lot": 1"#,
        r#""errorDeclaration": {"ex:note": 1}, "recordTime": {"ex:a": 1}, "eventID": {"ex:a": 1}"#,
        r#""certificationInfo": {"ex:a": 1}"#,
        r#""comment": {"ex:a": 1}, "ilmd": {"rdfs:comment": {"ex:a": 1}}"#,
        r#""ex:a": null, "ex:b": [], "ex:c": [null, []]"#,
        r#""@context": {"ex": "urn:x:"}, "ex:a": {"ex:b": 1}"#,
        r#""@xmlns:ex": "urn:x:", "ex:a": {"ex:b": 1}"#,
        r#""bizStep": "ex:packing", "ilmd": {"a": "ex:value"}"#,
    ] {
        assert_eq!(refused(&event(members)), None, "{members}");
    }
    // REF2025 is the only profile that hashes this member, so it refuses the prefix.
    let text = event(r#""certificationInfo": {"ex:a": 1}"#);
    let document = Document::read(text.as_bytes()).unwrap();
    assert!(hash_document(&document, Profile::Ref2025).is_err());
}

#[test]
fn a_given_context_stands_around_the_document() {
    let cut = event(r#""ex:lot": "A", "own:x": 1, "@context": {"own": "urn:own:"}"#);
    for context in [
        r#"{"ex": "https://ex.example/", "own": "urn:another:"}"#,
        r#"{"ex": {"@id": "https://ex.example/"}}"#,
        r#"["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", {"ex": "https://ex.example/"}]"#,
    ] {
        let whole = format!(r#"{{"@context": {context}, "epcisBody": {{"eventList": [{cut}]}}}}"#);
        let context = Document::read(context.as_bytes()).unwrap();
        let given = OuterPrefixes::by(context.root()).unwrap();
        let found = strings(&cut, given).unwrap();
        assert_eq!(found, ["eventType=ObjectEvent{https://ex.example/}lot=A{urn:own:}x=1"]);
        assert_eq!(found, strings(&whole, OuterPrefixes::default()).unwrap());
        let array = format!("[{cut}, {cut}]");
        assert_eq!(strings(&array, given).unwrap(), [&*found[0], &*found[0]]);
    }
    let address = Document::read(br#""https://foreign.example/context.jsonld""#).unwrap();
    let given = OuterPrefixes::by(address.root()).unwrap();
    assert!(strings(&cut, given).is_err(), "an address alone declares nothing here");
    for wrong in ["5", "true", "[5]", r#"[["x"]]"#] {
        let wrong = Document::read(wrong.as_bytes()).unwrap();
        let error = OuterPrefixes::by(wrong.root()).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::NotAContext);
    }
}

#[test]
fn a_context_that_is_not_read_is_named() {
    let text = event(r#""@context": ["https://foreign.example/c.jsonld"], "ex:lot": 1"#);
    let document = Document::read(text.as_bytes()).unwrap();
    let error = hash_document(&document, Hashing::default()).unwrap_err();
    let said = error.to_string();
    for part in ["`ex`", "`ex:lot`", "`https://foreign.example/c.jsonld` is not fetched"] {
        assert!(said.contains(part), "{said}");
    }
    // The foreign context applies only inside `ilmd`, so the error does not mention it.
    let text = event(r#""ilmd": {"@context": "https://foreign.example/", "@id": 1}, "ex:lot": 1"#);
    let document = Document::read(text.as_bytes()).unwrap();
    let error = hash_document(&document, Hashing::default()).unwrap_err();
    assert!(!error.to_string().contains("not fetched"), "{error}");
}

fn hashing(undeclared: UndeclaredPrefixRule) -> Hashing<'static> {
    Hashing { profile: Profile::Cbv20, declared: undeclared.into() }
}

#[test]
fn verify_needs_prefixes_only_where_it_hashes() {
    let plain = event(r#""eventID": "urn:uuid:1", "ex:lot": "A""#);
    let document = Document::read(plain.as_bytes()).unwrap();
    assert_eq!(verify(&document).unwrap(), [Verification::NotHashForm]);

    let alone = event(r#""ex:lot": "A""#);
    let document = Document::read(alone.as_bytes()).unwrap();
    let context = Document::read(br#"{"ex": "https://ex.example/"}"#).unwrap();
    let declared = OuterPrefixes::by(context.root()).unwrap();
    let profile = Profile::Cbv20;
    let event_id =
        Hasher::new(&document, Hashing { profile, declared }).hash(document.root()).unwrap();
    let named = event(&format!(r#""ex:lot": "A", "eventID": "{event_id}""#));
    let named = Document::read(named.as_bytes()).unwrap();
    let matches = [Verification::Matches {
        profiles: vec![Profile::Cbv20, Profile::Ref2025],
        reading: HashScope::AsItStands,
    }];
    assert_eq!(verify_with(&named, declared).unwrap(), matches);
    let kept = verify_with(&named, UndeclaredPrefixRule::Keep).unwrap();
    assert_eq!(kept, [Verification::MatchesNone]);
    let error = verify(&named).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UndeclaredPrefix { .. }));
}

#[test]
fn capture_keeps_names_as_they_are_written_where_a_context_is_not_read() {
    let event = |context: &str| {
        format!(
            r#"{{"@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", {context}], "type": "ObjectEvent",
            "action": "ADD", "eventTime": "2026-01-01T00:00:00Z", "eventTimeZoneOffset": "+00:00",
            "epcList": ["urn:epc:id:sscc:9521141.1234567890"], "ex:lot": "A"}}"#
        )
    };
    let principal = call::Principal::local("https://a.example/1", "https://a.example/2");
    let call = call::Call::new(0, principal);
    let allowed = ["https://c.example/".to_owned()];
    let policy = capture::Policy {
        allowed_contexts: &allowed,
        ..capture::Policy::new("https://a.example/ns/spine/")
    };
    let validator = Validator::new().unwrap();
    let text = event(r#""https://c.example/one.jsonld""#);
    let prepared = capture::prepare(text.as_bytes(), &validator, &policy, &call).unwrap();
    let document = Document::read(text.as_bytes()).unwrap();
    let expected = hash_document(&document, hashing(UndeclaredPrefixRule::Keep)).unwrap();
    assert_eq!(prepared.batch.events[0].content_hash, expected[0]);
    let text = event(r#"{"other": "https://c.example/"}"#);
    let error = capture::prepare(text.as_bytes(), &validator, &policy, &call).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }));
}

#[test]
#[ignore = "compares times: make bench-growth"]
fn many_undeclared_names_cost_what_they_are_long() {
    let members = |count: usize| {
        let members: Vec<String> = (0..count).map(|n| format!(r#""p{n}:x": 1"#)).collect();
        event(&members.join(","))
    };
    let time = |text: &str| {
        let document = Document::read(text.as_bytes()).unwrap();
        let before = worked();
        assert!(hash_document(&document, Hashing::default()).is_err());
        assert!(hash_document(&document, hashing(UndeclaredPrefixRule::Keep)).is_ok());
        worked() - before
    };
    let (short, long) = (members(20_000), members(40_000));
    let best = |text: &str| (0..3).map(|_| time(text)).min().unwrap();
    let (one, two) = (best(&short), best(&long));
    assert!(two < one * 4, "{one:?}, then {two:?} for twice as much");
}
