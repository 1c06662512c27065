//! Round trips: XML to JSON to XML to JSON, and JSON to XML to JSON.

use epcis_edge_core::json::{Document, Kind, Value};
use epcis_edge_core::translate::{SBDH_MEMBER, XmlReport, XmlVersion, to_xml, translate};
use epcis_edge_tests::loose::loose_difference;
use epcis_edge_tests::translate::{difference, documents, files};
use epcis_edge_tests::{outside_vectors, own_vectors, read};
use std::collections::{BTreeMap, BTreeSet};

/// Vectors whose second translation may differ from the first although the XML is equivalent, each with its reason.
const DIFFER_AGAIN: [(&str, &str); 0] = [];

#[test]
fn what_is_clean_comes_back_as_text_and_translates_alike() {
    let mut failures = Vec::new();
    let mut count = 0;
    let (documents, has_outside) = documents();
    for (name, path) in documents {
        let xml = read(&path);
        let Ok(translation) = translate(&xml) else {
            continue;
        };
        let report = &translation.fidelity_report;
        let document = Document::read(translation.document.as_bytes()).unwrap();
        let version = match translation.source_schema_version {
            "2.0" => XmlVersion::V2_0,
            _ => XmlVersion::V1_2,
        };
        for version in [version, XmlVersion::V1_2, XmlVersion::V2_0] {
            count += 1;
            let xml = to_xml(&document, version).unwrap();
            let again = match translate(xml.document.as_bytes()) {
                Ok(again) => again,
                Err(error) => {
                    failures.push(format!("{} {version:?}: {error}", name));
                    continue;
                }
            };
            let read = Document::read(again.document.as_bytes()).unwrap();
            let known = DIFFER_AGAIN.iter().any(|(listed, _)| *listed == name);
            if let Some(found) = difference_but_context(read.root(), document.root(), version)
                && report.is_round_trip_clean()
                && !known
            {
                failures.push(format!("{} {version:?}: {found}", name));
            }
            if report.is_round_trip_clean() != again.fidelity_report.is_round_trip_clean()
                && report.is_round_trip_clean()
            {
                let lossy: Vec<_> = again.fidelity_report.lossy_paths().collect();
                failures.push(format!("{} {version:?}: lossy now, {lossy:?}", name));
            }
        }
    }
    assert_eq!(count, if has_outside { 390 } else { 39 }, "round trips");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The first difference, ignoring the order of the context and required lists that 1.2 writes empty.
fn difference_but_context(
    ours: Value<'_>,
    theirs: Value<'_>,
    version: XmlVersion,
) -> Option<String> {
    let entries = |value: Value<'_>| -> BTreeSet<String> {
        value
            .get("@context")
            .into_iter()
            .flat_map(Value::elements)
            .map(|entry| entry.source().to_owned())
            .collect()
    };
    if entries(ours) != entries(theirs) {
        return Some(format!("/@context: {:?} against {:?}", entries(ours), entries(theirs)));
    }
    let (ours, theirs) = (normal(ours, version), normal(theirs, version));
    let ours = Document::read(ours.as_bytes()).unwrap();
    let theirs = Document::read(theirs.as_bytes()).unwrap();
    difference("", ours.root(), theirs.root())
}

/// The value without contexts, without empty lists that 1.2 must write, and without a kept header.
fn normal(value: Value<'_>, version: XmlVersion) -> String {
    match value.kind() {
        Kind::Object => {
            let members: Vec<String> = value
                .members()
                .filter(|(name, member)| {
                    let name = name.to_cow();
                    let empty = member.kind() == Kind::Array && member.elements().next().is_none();
                    let written = version == XmlVersion::V1_2
                        && empty
                        && matches!(&*name, "epcList" | "childEPCs");
                    name != "@context" && name != SBDH_MEMBER && !written
                })
                .map(|(name, member)| {
                    let name = serde_json::to_string(&name.to_cow()).unwrap();
                    format!("{name}:{}", normal(member, version))
                })
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Kind::Array => {
            let elements: Vec<String> = value.elements().map(|e| normal(e, version)).collect();
            format!("[{}]", elements.join(","))
        }
        _ => value.source().to_owned(),
    }
}

#[test]
fn what_is_written_has_its_elements_in_the_order_of_the_xml_schemas() {
    let event = serde_json::json!({
        "type": "ObjectEvent", "eventID": "urn:uuid:0e5e4ba3-4f6c-4c1b-8b7d-4a2f0c1d2e3f",
        "eventTime": "2026-01-02T03:04:05Z", "eventTimeZoneOffset": "+00:00", "action": "ADD",
        "errorDeclaration": {
            "correctiveEventIDs": ["urn:uuid:1e5e4ba3-4f6c-4c1b-8b7d-4a2f0c1d2e3f"],
            "reason": "incorrect_data", "declarationTime": "2026-01-03T03:04:05Z",
        },
        "epcList": ["https://id.gs1.org/01/09521234543213/21/1"],
        "persistentDisposition": { "set": ["completeness_verified", "owner"], "unset": ["completeness_inferred"] },
        "quantityList": [{ "uom": "KGM", "quantity": 3.5, "epcClass": "https://id.gs1.org/01/09521234543213/10/L" }],
        "destinationList": [{ "destination": "https://id.gs1.org/414/9521321000010", "type": "location" }],
        "sourceList": [{ "source": "https://id.gs1.org/414/9521321000010", "type": "location" }],
        "bizTransactionList": [{ "bizTransaction": "urn:epcglobal:cbv:bt:0614141073467:1152", "type": "po" }],
        "bizLocation": { "id": "https://id.gs1.org/414/9521321000010" },
        "readPoint": { "id": "https://id.gs1.org/414/9521321000010" },
        "disposition": "in_transit", "bizStep": "shipping",
        "sensorElementList": [{
            "sensorReport": [{ "type": "Temperature", "value": 26.0, "uom": "CEL" }],
            "sensorMetadata": { "time": "2026-01-02T03:04:05Z" },
        }],
        "ilmd": { "ex:lot": "A" },
        "ex:last": "x",
    });
    let text = serde_json::json!({
        "@context": [
            "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
            { "ex": "https://example.com/" },
        ],
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-01-02T03:04:05Z",
        "epcisBody": { "eventList": [event] },
    })
    .to_string();
    let document = Document::read(text.as_bytes()).unwrap();
    for version in [XmlVersion::V1_2, XmlVersion::V2_0] {
        let xml = to_xml(&document, version).unwrap();
        let again = translate(xml.document.as_bytes()).unwrap();
        let verdict = again.source_verdict.unwrap();
        assert!(verdict.valid, "{version:?}: {:?}\n{}", verdict.errors, xml.document);
        assert!(again.fidelity_report.is_round_trip_clean(), "{version:?}");
    }
}

#[test]
fn valid_json_documents_go_to_xml_and_back() {
    let mut failures = Vec::new();
    let mut count = (0, 0);
    let mut codes = BTreeMap::new();
    let folders = [("validate", "v-"), ("hash", "")]
        .into_iter()
        .filter_map(|(area, start)| Some((area, start, outside_vectors(area)?)))
        .chain(["hash", "translate"].map(|area| (area, "", own_vectors(area))));
    for (area, start, folder) in folders {
        let found = files(&folder, ".json").into_iter().chain(files(&folder, ".jsonld"));
        for path in found {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read(&path).unwrap();
            let Ok(document) = Document::read(&text) else {
                continue;
            };
            if !name.starts_with(start) || document.root().kind() != Kind::Object {
                continue;
            }
            let Ok(xml) = to_xml(&document, XmlVersion::V2_0) else {
                continue;
            };
            count.0 += 1;
            count.1 += usize::from(xml.report.is_clean());
            for note in xml.report.notes() {
                *codes.entry(note.code).or_insert(0_usize) += 1;
            }
            match translate(xml.document.as_bytes()) {
                Ok(back) => {
                    let back = Document::read(back.document.as_bytes()).unwrap();
                    let found = loose_difference(back.root(), document.root());
                    if let Some(found) = found
                        && xml.report.is_clean()
                    {
                        failures.push(format!("{area}/{name}: {found}"));
                    }
                }
                Err(error) => failures.push(format!("{area}/{name}: {error}")),
            }
            // Moving the context into the events makes no difference.
            let moved = with_contexts_in_events(document.root());
            let moved = Document::read(moved.as_bytes()).unwrap();
            let xml_of_moved = to_xml(&moved, XmlVersion::V2_0).unwrap();
            let is_clean = xml_of_moved.report.is_clean();
            if is_clean != xml.report.is_clean() {
                let lossy = |report: &XmlReport| format!("{:?}", report.notes());
                let (one, other) = (lossy(&xml.report), lossy(&xml_of_moved.report));
                failures.push(format!("{area}/{name}, moved: {one}, {other}"));
            }
            let back = translate(xml_of_moved.document.as_bytes()).unwrap();
            let back = Document::read(back.document.as_bytes()).unwrap();
            if is_clean && let Some(found) = loose_difference(back.root(), moved.root()) {
                failures.push(format!("{area}/{name}, moved: {found}"));
            }
        }
    }
    println!("{} documents, {} clean, {codes:?}", count.0, count.1);
    assert!(count.1 >= 20, "{count:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Asserts which parts of a context XML cannot express, by path. `context` is the event's own, `more` has further members of the
/// event.
#[track_caller]
fn check_context(context: &serde_json::Value, more: &serde_json::Value, lost: &[&str]) {
    let mut event = serde_json::json!({
        "@context": context, "type": "ObjectEvent", "action": "OBSERVE", "epcList": ["urn:x:1"],
        "eventTime": "2026-01-01T00:00:00Z", "eventTimeZoneOffset": "+00:00",
    });
    for (name, value) in more.as_object().unwrap() {
        event[name] = value.clone();
    }
    let document = serde_json::json!({
        "@context": [EPCIS], "type": "EPCISDocument", "schemaVersion": "2.0",
        "creationDate": "2026-01-01T00:00:00Z", "epcisBody": {"eventList": [event]},
    });
    let mut outside = document.clone();
    outside["@context"] = document["epcisBody"]["eventList"][0]["@context"].clone();
    outside["epcisBody"]["eventList"][0].as_object_mut().unwrap().remove("@context");
    let bare = document["epcisBody"]["eventList"][0].clone();
    // The context of an event in a document, of a bare event, and of a document.
    for (base, document) in [("/epcisBody/eventList/0", &document), ("", &bare), ("", &outside)] {
        let text = document.to_string();
        let document = Document::read(text.as_bytes()).unwrap();
        for version in [XmlVersion::V2_0, XmlVersion::V1_2] {
            let xml = to_xml(&document, version).unwrap();
            let found: Vec<_> = xml.report.fidelity().lossy_paths().collect();
            let expected: Vec<_> =
                lost.iter().map(|lost| format!("{base}/@context{lost}")).collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(xml.report.fidelity().lossy_path_count(), expected.len());
            // The XML can be read back.
            let read = document
                .root()
                .get("epcisBody")
                .map(|_| translate(xml.document.as_bytes()).unwrap());
            if let Some(back) = read.filter(|_| lost.is_empty() || lost.len() > 100) {
                let back = Document::read(back.document.as_bytes()).unwrap();
                assert_eq!(
                    loose_difference(back.root(), document.root()),
                    None,
                    "{}",
                    xml.document
                );
            }
        }
    }
}

const EPCIS: &str = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld";

#[test]
fn of_a_context_xml_has_the_prefixes_and_tells_of_all_else() {
    use serde_json::json;
    let nothing = json!({});
    let ex = json!({"ex:a": "1", "ex:o": {"ex:b": ["2", {"ex:c": "3"}]}});
    check_context(&json!(EPCIS), &nothing, &[]);
    check_context(&json!([EPCIS, {}]), &nothing, &[]);
    check_context(&json!([EPCIS, {"ex": "https://ex.example/"}]), &ex, &[]);
    check_context(&json!({"ex": "https://ex.example/", "@version": 1.1}), &ex, &[]);
    let stamps = json!([EPCIS, {"spine": {"@id": "https://g.example/ns/spine/", "@prefix": true}}]);
    check_context(&stamps, &json!({"spine:who": "https://a.example/"}), &[]);
    // A prefix used only in a value, or not at all.
    let step = json!([EPCIS, {"st": "https://steps.example/"}]);
    check_context(&step, &json!({"bizStep": "st:weighing"}), &[]);
    check_context(&step, &nothing, &[]);
    check_context(
        &json!([EPCIS, {"gs1": "https://gs1.org/voc/", "cbvmda": "urn:epcglobal:cbv:mda:"}]),
        &nothing,
        &[],
    );
    // The last definition counts, and replaces an earlier one.
    let twice = json!([{"ex": "https://old.example/"}, EPCIS, {"ex": "https://ex.example/"}]);
    check_context(&twice, &ex, &[]);
    // Context entries that are not prefixes.
    check_context(&json!([EPCIS, "https://other.example/context.jsonld"]), &nothing, &["/1"]);
    check_context(&json!([EPCIS, null]), &nothing, &["/1"]);
    check_context(&json!([EPCIS, {"@vocab": "https://v.example/"}]), &nothing, &["/1/@vocab"]);
    check_context(
        &json!({"@base": "https://b.example/", "@language": "de", "ex": "https://ex.example/"}),
        &ex,
        &["/@base", "/@language"],
    );
    let typed = json!([EPCIS, {"ex": "https://ex.example/", "ex:a": {"@id": "https://ex.example/a", "@type": "xsd:date"}}]);
    check_context(&typed, &ex, &["/1/ex:a"]);
    check_context(
        &json!([EPCIS, {"none": null, "of/it": "https://x.example/"}]),
        &nothing,
        &["/1/none", "/1/of~1it"],
    );
    check_context(
        &json!([{"ex": {"@id": "https://ex.example/", "@prefix": false}}]),
        &nothing,
        &["/0/ex"],
    );
    // A term, used without a prefix.
    let term = json!([EPCIS, {"ex": "https://ex.example/", "batch": "https://ex.example/batch"}]);
    check_context(&term, &json!({"ex:o": {"batch": "1"}}), &["/1/batch"]);
    check_context(&term, &json!({"ex:o": {"ex:batch": "1"}}), &[]);
    // A prefix defined by another prefix, which XML does not expand.
    let nested = json!([EPCIS, {"ex": "https://ex.example/", "sub": "ex:sub/", "own": "gs1:own/"}]);
    check_context(&nested, &json!({"sub:a": "1"}), &["/1/sub", "/1/own"]);
    // Prefixes reserved by XML, and characters that XML does not have.
    let taken = json!({"xmlx": "https://x.example/", "sbdh": "https://s.example/", "x": "http://www.w3.org/2000/xmlns/"});
    check_context(&taken, &nothing, &["/xmlx", "/sbdh", "/x"]);
    check_context(&json!({"ex": "https://ex.example/\u{1}"}), &nothing, &["/ex"]);
    // Readers limit the number of attributes per element. Element names declare their own prefixes.
    let many = |count: usize| -> serde_json::Value {
        let entry = |number| {
            let uri = json!(format!("https://p{number}.example/"));
            (format!("p{number:03}"), uri)
        };
        (0..count).map(entry).collect::<serde_json::Map<_, _>>().into()
    };
    let used = |count: usize| -> serde_json::Value {
        let member = |number| (format!("p{number:03}:a"), json!("1"));
        (0..count).map(member).collect::<serde_json::Map<_, _>>().into()
    };
    check_context(&many(100), &used(100), &[]);
    check_context(&many(102), &nothing, &["/p100", "/p101"]);
    let beyond: Vec<String> = (100..300).map(|number| format!("/p{number}")).collect();
    let beyond: Vec<&str> = beyond.iter().map(String::as_str).collect();
    check_context(&many(300), &used(300), &beyond);
}

/// The document with its context moved into each event, as gateways return it.
fn with_contexts_in_events(document: Value<'_>) -> String {
    let mut document = document.to_serde();
    let context = document["@context"].clone();
    for list in ["/epcisBody/eventList", "/epcisBody/queryResults/resultsBody/eventList"] {
        let events = document.pointer_mut(list).and_then(|list| list.as_array_mut());
        for event in events.into_iter().flatten() {
            let own = event["@context"].take();
            event["@context"] = match (&context, own) {
                (serde_json::Value::Null, own) => own,
                (context, serde_json::Value::Null) => context.clone(),
                (context, own) => serde_json::json!([context, own]),
            };
            if event["@context"].is_null() {
                event.as_object_mut().unwrap().remove("@context");
            }
        }
    }
    document.to_string()
}

/// The losses of an event with this content in its error declaration: paths from there on, with their codes.
fn losses_of(body: &str) -> Vec<(String, &'static str)> {
    let xml = format!(
        "<epcis:EPCISDocument xmlns:epcis=\"urn:epcglobal:epcis:xsd:2\" xmlns:ex=\"https://ns.example.com/\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" schemaVersion=\"2.0\" creationDate=\"2026-01-05T10:00:00Z\">\
         <EPCISBody><EventList><ObjectEvent><eventTime>2026-01-05T10:00:00Z</eventTime>\
         <eventTimeZoneOffset>+00:00</eventTimeZoneOffset><errorDeclaration><declarationTime>2026-01-05T10:00:00Z</declarationTime>\
         {body}</errorDeclaration><action>OBSERVE</action></ObjectEvent></EventList></EPCISBody></epcis:EPCISDocument>"
    );
    let translation = translate(xml.as_bytes()).unwrap();
    let report = &translation.fidelity_report;
    let lossy = report.notes().iter().filter(|note| note.is_lossy());
    let lossy: Vec<_> = lossy
        .map(|note| {
            let (_, place) = note.path.split_once("/errorDeclaration[1]").unwrap();
            (place.to_owned(), note.code)
        })
        .collect();
    assert_eq!(report.is_round_trip_clean(), lossy.is_empty());
    lossy
}

#[test]
fn what_json_has_no_place_for_is_told() {
    let ids = |number: u32| {
        format!(
            "<correctiveEventIDs><correctiveEventID>urn:example:{number}</correctiveEventID></correctiveEventIDs>"
        )
    };
    for (body, expected) in [
        ("<ex:a/>".to_owned(), vec![]),
        // Characters that are white space in Unicode but not in XML are text.
        (
            "<extension>\u{2028}</extension>".to_owned(),
            vec![("/extension[1]/text()", "text-no-home")],
        ),
        ("<ex:o><ex:p/>\u{85}</ex:o>".to_owned(), vec![("/ex:o[1]/text()", "mixed-content")]),
        ("<ex:o>\u{2028}</ex:o>".to_owned(), vec![]),
        // `xsi:nil` is a boolean.
        ("<ex:a xsi:nil=' false '/><ex:b xsi:nil='0'/>".to_owned(), vec![]),
        ("<ex:a xsi:nil='true'/>".to_owned(), vec![("/ex:a[1]/@xsi:nil", "xsi-nil")]),
        (
            "<ex:a xsi:nil='maybe'>x</ex:a><ex:b xsi:nil='TRUE'/>".to_owned(),
            vec![
                ("/ex:a[1]/@xsi:nil", "attribute-no-home"),
                ("/ex:b[1]/@xsi:nil", "attribute-no-home"),
            ],
        ),
        // A list may occur once.
        (ids(1), vec![]),
        (format!("{}{}", ids(1), ids(2)), vec![("/correctiveEventIDs[2]", "repeated-container")]),
        // Names are compared with their namespaces, EPCIS's included.
        ("<ex:o><a/><a/></ex:o>".to_owned(), vec![]),
        (
            "<ex:o><epcis:a/><a/></ex:o>".to_owned(),
            vec![("/ex:o[1]/epcis:a[1]", "epcis-name-in-extension")],
        ),
        (
            "<ex:o><ex:p><epcis:a>1</epcis:a></ex:p></ex:o>".to_owned(),
            vec![("/ex:o[1]/ex:p[1]/epcis:a[1]", "epcis-name-in-extension")],
        ),
        ("<ex:o epcis:b='1'/>".to_owned(), vec![("/ex:o[1]/@epcis:b", "epcis-name-in-extension")]),
    ] {
        let found = losses_of(&body);
        let found: Vec<_> = found.iter().map(|(path, code)| (path.as_str(), *code)).collect();
        assert_eq!(found, expected, "{body}");
    }
}

#[test]
fn digits_that_a_float_loses_are_told_and_lost_to_javascript() {
    let xml = |quantity: &str| {
        format!(
            "<ObjectEvent><eventTime>2026-01-05T10:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>\
             <epcList/><action>OBSERVE</action><extension><quantityList><quantityElement><epcClass>urn:epc:idpat:sgtin:9521321.012345.*</epcClass>\
             <quantity>{quantity}</quantity></quantityElement></quantityList></extension></ObjectEvent>"
        )
    };
    for (quantity, survives) in [
        ("7", true),
        ("007.50", true),
        ("0.12345678901234567890", false),
        ("12345678901234567890", false),
        ("9007199254740993", false),
    ] {
        let xml = xml(quantity);
        let translation = translate(xml.as_bytes()).unwrap();
        let report = translation.fidelity_report;
        assert!(report.is_round_trip_clean(), "{quantity}");
        let told = report.notes().iter().filter(|note| note.code == "number-beyond-float");
        assert_eq!(told.count(), usize::from(!survives), "{quantity}");
        let report = report.with_numbers_as_floats();
        let lossy: Vec<_> = report.lossy_paths().collect();
        let place = "/ObjectEvent/extension[1]/quantityList[1]/quantityElement[1]/quantity[1]";
        assert_eq!(lossy, if survives { vec![] } else { vec![place] }, "{quantity}");
    }
    // A truncated report counts also what it does not list.
    let many = "<quantityElement><epcClass>urn:epc:idpat:sgtin:9521321.012345.*</epcClass><quantity>0.12345678901234567890</quantity></quantityElement>";
    let xml = xml("7")
        .replace("</quantityElement>", &format!("</quantityElement>{}", many.repeat(20_000)));
    let translation = translate(xml.as_bytes()).unwrap();
    let report = translation.fidelity_report.with_numbers_as_floats();
    assert_eq!(report.lossy_path_count(), 20_000);
    assert!(report.lossy_paths().count() < 20_000);
}
