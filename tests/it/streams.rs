//! A stream gives the same result as the whole document, for any chunk size.
// Invariant: A stream gives the answer of the whole document, with the verdict of the XML schema, wherever it is cut.

use epcis_edge_core::error::{Error, ErrorKind, JsonFault, XmlFault};
use epcis_edge_core::hash::{Profile, hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::service::{Configuration, InvalidTranslation, Service, Translated};
use epcis_edge_core::translate::{self, StreamedEvent, StreamedTranslation, TranslationStream};
use epcis_edge_core::validate::{self, Validator, Verdict, VerdictStream};
use epcis_edge_tests::mutants::rounds;
use epcis_edge_tests::random::Random;
use epcis_edge_tests::translate::files;
use epcis_edge_tests::{outside_vectors, own_vectors, read};

const CHUNKS: [usize; 3] = [1, 7, 64 << 10];

fn documents(areas: &[&str], end: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for area in areas {
        let folders = [Some(own_vectors(area)), outside_vectors(area)];
        for path in folders.iter().flatten().flat_map(|folder| files(folder, end)) {
            found.push((path.display().to_string(), read(&path)));
        }
    }
    found
}

fn judged(body: &[u8], chunk: usize, validator: &Validator) -> Result<Verdict, Error> {
    let mut stream = VerdictStream::new();
    for part in body.chunks(chunk) {
        stream.push(part, validator)?;
    }
    stream.finish(validator)
}

fn translated(
    xml: &[u8],
    chunk: usize,
    validator: &Validator,
) -> Result<(StreamedTranslation, Vec<StreamedEvent>), Error> {
    let mut stream = TranslationStream::new();
    let mut events = Vec::new();
    for part in xml.chunks(chunk) {
        stream.push(part, validator, &mut events)?;
    }
    let end = stream.finish(validator, &mut events)?;
    Ok((end, events))
}

/// The result of a translation as a text that can be compared, or the error.
fn whole(service: &Service, xml: &[u8]) -> Result<String, Error> {
    Ok(match service.translate(xml)? {
        Translated::Valid(translation) => format!(
            "{}\n{}\n{}\n{}\n{}",
            translation.document,
            serde_json::to_string(&translation.fidelity_report).unwrap(),
            serde_json::to_string(translation.source_verdict.as_ref().unwrap()).unwrap(),
            translation.metered_events,
            translation.source_schema_version
        ),
        Translated::Invalid(invalid) => serde_json::to_string(&invalid).unwrap(),
    })
}

fn put_together(service: &Service, xml: &[u8], chunk: usize) -> Result<String, Error> {
    let (end, events) = translated(xml, chunk, service.validator())?;
    if let Some(invalid) = InvalidTranslation::of_stream(&end) {
        return Ok(serde_json::to_string(&invalid).unwrap());
    }
    let document = match &end.document {
        None => events[0].line().to_owned(),
        Some(frame) => {
            let members: Vec<String> =
                events.iter().map(|event| format!("{{{}", event.members())).collect();
            // The last occurrence, because a user's member may hold the same text.
            let list = "\"eventList\":[]";
            let at = frame.rfind(list).unwrap() + list.len() - 1;
            format!("{}{}{}", &frame[..at], members.join(","), &frame[at..])
        }
    };
    Ok(format!(
        "{document}\n{}\n{}\n{}\n{}",
        serde_json::to_string(&end.fidelity_report).unwrap(),
        serde_json::to_string(&end.source_verdict).unwrap(),
        end.metered_events,
        end.source_schema_version
    ))
}

#[test]
fn translated_in_chunks_every_vector_is_what_it_is_as_a_whole() {
    let service = Service::new(Configuration::at(""));
    let (mut taken, mut refused) = (0, 0);
    for (name, xml) in documents(&["translate", "hash"], ".xml") {
        let expected = whole(&service, &xml);
        for chunk in CHUNKS {
            assert_eq!(put_together(&service, &xml, chunk), expected, "{name} by {chunk}");
        }
        *(if expected.is_ok() { &mut taken } else { &mut refused }) += 1;
    }
    assert!(taken >= 12, "{taken} and {refused}");
}

#[test]
fn every_line_stands_alone_with_the_hash_that_it_has_in_its_document() {
    let service = Service::new(Configuration::at(""));
    let mut compared = 0;
    for (name, xml) in documents(&["translate"], ".xml") {
        let Ok(Translated::Valid(translation)) = service.translate(&xml) else {
            continue;
        };
        let document = Document::read(translation.document.as_bytes()).unwrap();
        let Ok(hashes) = hash_document(&document, Profile::Cbv20) else {
            continue;
        };
        let validator = service.validator();
        let (_, events) = translated(&xml, 7, validator).unwrap();
        assert_eq!(events.len(), hashes.len(), "{name}");
        for (event, hash) in events.iter().zip(hashes) {
            let line = Document::read(event.line().as_bytes()).unwrap();
            assert_eq!(hash_document(&line, Profile::Cbv20).unwrap(), [hash], "{name}");
            assert!(validator.validate(&line).valid, "{name}: {}", event.line());
            assert!(!event.line().contains('\n'));
            compared += 1;
        }
    }
    let has_outside = outside_vectors("translate").is_some();
    assert!(compared >= if has_outside { 20 } else { 5 }, "{compared}");
}

#[test]
fn judged_in_chunks_every_vector_has_the_verdict_that_it_has_as_a_whole() {
    let validator = Validator::new().unwrap();
    let (mut taken, mut refused) = (0, 0);
    for (name, body) in documents(&["validate", "hash", "translate"], ".json") {
        let expected = Document::read(&body).map(|document| validator.validate(&document));
        for chunk in CHUNKS {
            assert_eq!(judged(&body, chunk, &validator), expected, "{name} by {chunk}");
        }
        *(if expected.is_ok() { &mut taken } else { &mut refused }) += 1;
    }
    assert!(taken >= 40, "{taken} and {refused}");
}

/// Documents that could confuse the splitter.
#[test]
fn odd_documents_have_the_verdict_that_they_have_as_a_whole() {
    let event = r#"{"type":"ObjectEvent","action":"ADD","eventTime":"2026-01-01T00:00:00Z","eventTimeZoneOffset":"+00:00","epcList":["urn:epc:id:sscc:9521141.1234567890"]}"#;
    let with = |body: &str| {
        format!(
            r#"{{"@context":[],"type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z",{body}}}"#
        )
    };
    let mut texts = vec![
        String::new(),
        " \n ".into(),
        "\u{feff}{}".into(),
        "[]".into(),
        "[{\"epcisBody\":{\"eventList\":[1]}}]".into(),
        "{} {}".into(),
        "{\"epcisBody\":{\"eventList\":[1]}} x".into(),
        "{\"epcisBody\":{\"eventList\":[1]}}\n{\"epcisBody\":{\"eventList\":[,]}}".into(),
        event.to_owned(),
        with("\"epcisBody\":5"),
        with("\"epcisBody\":{\"eventList\":{}}"),
        with("\"note\":\"\\\"epcisBody\\\":{\",\"epcisBody\":{\"eventList\":[]}"),
        with("\"a\":{\"epcisBody\":{\"eventList\":[7]}},\"epcisBody\":{\"eventList\":[]}"),
        with("\"a\":\"epcisBody\",\"epcisBody\":{\"b\":\"eventList\",\"eventList\":[]}"),
    ];
    for list in [
        "",
        " ",
        "1",
        "-",
        "1.",
        "1 2",
        "1,",
        ",1",
        "tru",
        "true false",
        "nul,1",
        "\"a",
        "\"\\u12\"",
        "{\"a\":\"\\u1\"}",
        "{\"a\":1],{}",
        "[1}",
        "{\"a\" 1}",
        "{\"a\":{\"b\":[1,{\"c\":\"\u{7}\"}]}}",
        "{},\n {\"x\":\n 1e999}",
        "[\"]\",\"\\\\\"]",
        "x",
        "{} x",
    ] {
        texts.push(with(&format!("\"epcisBody\":{{\"eventList\":[{list}]}}")));
        texts.push(with(&format!("\"epcisBody\":{{\"event\\u004cist\":[{event},{list}]}}")));
        texts.push(
            with(&format!(
                "\"epcisBody\":{{\"queryResults\":{{\"queryName\":\"q\",\"resultsBody\":{{\"eventList\":[\n{list}]}}}}}}"
            ))
            .replace("EPCISDocument", "EPCISQueryDocument"),
        );
        // The last of repeated members counts, and its type decides.
        texts.push(with(&format!(
            "\"epcisBody\":{{\"eventList\":[{list}]}},\"epcisBody\":{{\"eventList\":[{event}]}}"
        )));
        texts.push(with(&format!(
            "\"epcisBody\":{{\"eventList\":[{list}],\"eventList\":7}},\"type\":\"EPCISQueryDocument\""
        )));
        texts.push(format!("{{\"epcisBody\":{{\"eventList\":[{list}]}}}}"));
        texts.push(format!("{{\"epcisBody\":{{\"eventList\":[{list}\n"));
    }
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for levels in [124, 125, 126] {
        texts.push(with(&format!("\"epcisBody\":{{\"eventList\":[{}]}}", deep(levels))));
    }
    let validator = Validator::new().unwrap();
    let mut refused = 0;
    for text in texts {
        let expected =
            Document::read(text.as_bytes()).map(|document| validator.validate(&document));
        refused += usize::from(expected.is_err());
        for chunk in CHUNKS {
            assert_eq!(judged(text.as_bytes(), chunk, &validator), expected, "{text} by {chunk}");
        }
    }
    assert!(refused > 20, "{refused}");
}

/// A broken document is refused by both or by neither. If accepted, the results are equal.
#[test]
fn broken_documents_are_refused_alike() {
    let service = Service::new(Configuration::at(""));
    let validator = service.validator();
    let mut random = Random::new(20_261_121);
    let (mut same, mut other, mut taken) = (0, 0, 0);
    let mut compare = |name: &str, one: Result<String, Error>, two: Result<String, Error>| {
        match (&one, &two) {
            (Ok(one), Ok(two)) => {
                assert_eq!(one, two, "{name}");
                taken += 1;
            }
            (Err(one), Err(two)) if one == two => same += 1,
            // The whole document is searched for some faults before it is parsed, so a stream may find another fault first.
            (Err(_), Err(_)) => other += 1,
            _ => panic!("{name}: {one:?} and {two:?}"),
        }
    };
    let mut mutate = |body: &[u8]| {
        let mut mutant = body.to_vec();
        let at = random.below(mutant.len());
        match random.below(4) {
            0 => mutant.truncate(at),
            1 => drop(mutant.remove(at)),
            2 => mutant.insert(at, b"<>\"'&[]{},:-!?/x\\ \xc3"[random.below(19)]),
            _ => {
                let end = (at + random.below(30)).min(mutant.len());
                drop(mutant.drain(at..end));
            }
        }
        mutant
    };
    let json = documents(&["validate", "hash"], ".json");
    let xml = documents(&["translate"], ".xml");
    let number = json.len() + xml.len();
    let each = rounds(8 * number).div_ceil(number);
    for (name, body) in json {
        if body.len() > 100_000 || body.is_empty() {
            continue;
        }
        for _ in 0..each {
            let mutant = mutate(&body);
            let text = |verdict: Verdict| serde_json::to_string(&verdict).unwrap();
            let whole = Document::read(&mutant).map(|document| text(validator.validate(&document)));
            compare(&name, whole, judged(&mutant, 5, validator).map(text));
        }
    }
    for (name, body) in xml {
        if body.len() > 100_000 {
            continue;
        }
        for _ in 0..each {
            let mutant = mutate(&body);
            compare(&name, whole(&service, &mutant), put_together(&service, &mutant, 5));
        }
    }
    eprintln!("{same} refused for the same reason, {other} for another, {taken} taken");
    assert!(same > 6 * each && taken > 6 * each, "{same} {other} {taken}");
    assert!(other * 10 < same, "{same} {other} {taken}");
}

/// Characters that only look right are named by number, with their place, however a stream is cut.
#[test]
fn what_only_looks_right_is_named() {
    let validator = Validator::new().unwrap();
    let good = r#"{"@context":"https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld","type":"EPCISDocument","schemaVersion":"2.0","creationDate":"2026-01-01T00:00:00Z","epcisBody":{"eventList":[{"type":"ObjectEvent","action":"OBSERVE","eventTime":"2026-03-04T11:00:30Z","eventTimeZoneOffset":"+01:00","epcList":[]}, {"type":"ObjectEvent","action":"OBSERVE","eventTime":"2026-03-04T11:00:30Z","eventTimeZoneOffset":"+01:00","epcList":[]}]}}"#;
    assert!(judged(good.as_bytes(), 7, &validator).unwrap().valid);
    let first = "\"epcList\":[]}, {";
    for (from, to, words) in [
        (
            "{\"@context\"",
            "\u{feff}\u{feff}{\"@context\"",
            "expected a value, found U+FEFF, which cannot be seen",
        ),
        ("\"@context\"", "“@context”", ", found U+201C, which looks like `\"`"),
        (
            "\"type\":\"EPCISDocument\"",
            "\u{a0}\"type\":\"EPCISDocument\"",
            ", found U+00A0, which looks like a blank",
        ),
        (
            first,
            "\"epcList\":[]}\u{2003}, {",
            "expected `,` or `]`, found U+2003, which looks like a blank",
        ),
        (first, "\"epcList\":[]}，{", "expected `,` or `]`, found U+FF0C, which looks like `,`"),
        (
            first,
            "\"epcList\":[]},\u{200b}{",
            "expected a value, found U+200B, which cannot be seen",
        ),
        (first, "\"epcList\":[]}𝟙, {", "expected `,` or `]`, found U+1D7D9, which looks like `1`"),
        (
            first,
            "\"epcList\"：[]}, {",
            "expected `:` after a member name, found U+FF1A, which looks like `:`",
        ),
        (
            "]}}",
            "]}}\u{2029}",
            "expected the end of the document, found U+2029, which looks like a blank",
        ),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good);
        let whole = Document::read(text.as_bytes()).unwrap_err();
        assert!(whole.to_string().contains(words), "{whole}");
        for chunk in 1..9 {
            assert_eq!(judged(text.as_bytes(), chunk, &validator), Err(whole.clone()), "{chunk}");
        }
    }
    // A byte order mark takes no column, however it is cut.
    for text in [
        good.replacen("{\"@context\"", "{x\"@context\"", 1),
        good.replacen(first, "\"epcList\":[]} x, {", 1),
        good.replacen("\"OBSERVE\"", "OBSERVE", 1),
        good.replacen("]}}", "]}}x", 1),
        good.replacen("{\"@context\"", "\n{x\"@context\"", 1),
    ] {
        let whole = Document::read(text.as_bytes()).unwrap_err();
        let marked = format!("\u{feff}{text}");
        assert_eq!(Document::read(marked.as_bytes()).unwrap_err(), whole);
        for chunk in [1, 2, 3, 4, 7, 4000] {
            let found = judged(marked.as_bytes(), chunk, &validator);
            assert_eq!(found, Err(whole.clone()), "{chunk}: {text}");
        }
    }
    let invalid = good.replace("\"OBSERVE\"", "\"LOOK\"");
    let whole = judged(invalid.as_bytes(), 7, &validator).unwrap();
    assert!(!whole.valid);
    let marked = format!("\u{feff}{invalid}");
    for chunk in [1, 2, 3, 4, 7, 4000] {
        assert_eq!(judged(marked.as_bytes(), chunk, &validator).unwrap(), whole);
    }
    // What looks like nothing of ASCII is no such character.
    let other = good.replacen(first, "\"epcList\":[]}é, {", 1);
    let whole = Document::read(other.as_bytes()).unwrap_err();
    assert!(!whole.to_string().contains("U+"), "{whole}");
    for chunk in 1..9 {
        assert_eq!(judged(other.as_bytes(), chunk, &validator), Err(whole.clone()), "{chunk}");
    }
    let service = Service::new(Configuration::at(""));
    let good = read(&own_vectors("translate").join("v12-error-declaration/input.xml"));
    let good = String::from_utf8(good).unwrap();
    for (from, to, words) in [
        (
            "encoding=\"UTF-8\"",
            "encoding=\"UTF\u{2010}8\"",
            "the encoding `UTFU+20108` is not supported, use UTF-8; U+2010 looks like `-` (character 4)",
        ),
        ("schemaVersion=\"1.2\"", "schemaVersion=”1.2”", ", found U+201D, which looks like `\"`"),
        (
            "schemaVersion=\"1.2\"",
            "\u{a0}schemaVersion=\"1.2\"",
            ", found U+00A0, which looks like a blank",
        ),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let one = whole_error(&service, &text);
        assert!(one.to_string().contains(words), "{one}");
        for chunk in 1..9 {
            let two = put_together(&service, text.as_bytes(), chunk);
            assert_eq!(two, Err(one.clone()), "{chunk}");
        }
    }
}

fn whole_error(service: &Service, xml: &str) -> Error {
    whole(service, xml.as_bytes()).unwrap_err()
}

#[test]
fn encodings_are_read_across_chunks() {
    let service = Service::new(Configuration::at(""));
    let text = "<?xml version=\"1.0\"?>\r\n<ObjectEvent xmlns:ex=\"urn:x:\">\r\n<eventTime>2026-01-01T00:00:00Z</eventTime>\
        <eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList/><action>ADD</action><ex:note>caf\u{e9} \u{1f600}</ex:note></ObjectEvent>";
    let utf16 = |to: fn(u16) -> [u8; 2], mark: u16| -> Vec<u8> {
        std::iter::once(mark).chain(text.encode_utf16()).flat_map(to).collect()
    };
    let latin = text.replace('\u{1f600}', "").replace("\"1.0\"", "\"1.0\" encoding=\"ISO-8859-1\"");
    let latin: Vec<u8> = latin.chars().map(|character| character as u8).collect();
    let mut bodies = vec![
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        utf16(u16::to_le_bytes, 0xfeff),
        utf16(u16::to_be_bytes, 0xfeff),
        latin,
    ];
    for body in bodies.clone() {
        assert!(whole(&service, &body).is_ok());
        // A cut inside a character, and invalid UTF-8.
        bodies.push(body[..body.len() - 1].to_vec());
        let at = body.len() - 20;
        bodies.push([&body[..at], b"\xd8\xff", &body[at..]].concat());
    }
    for (number, body) in bodies.iter().enumerate() {
        for chunk in [1, 2, 3, 7, 600] {
            let (one, two) = (whole(&service, body), put_together(&service, body, chunk));
            assert_eq!(one.is_ok(), two.is_ok(), "{number} by {chunk}: {one:?} {two:?}");
            if one.is_ok() || number < 8 {
                assert_eq!(one, two, "{number} by {chunk}");
            }
        }
    }
}

#[test]
fn what_is_too_long_for_a_stream_is_a_typed_problem() {
    let validator = Validator::new().unwrap();
    let fill = "x".repeat(1 << 20);
    let push_all = |head: &str, fill: &str| -> Error {
        let mut stream = VerdictStream::new();
        stream.push(head.as_bytes(), &validator).unwrap();
        (0..64).find_map(|_| stream.push(fill.as_bytes(), &validator).err()).unwrap()
    };
    let event = push_all("{\"epcisBody\":{\"eventList\":[1,\n {\"a\":\"", &fill);
    assert_eq!(*event.kind(), ErrorKind::Json(JsonFault::EventTooLong(validate::MAX_EVENT_LENGTH)));
    assert_eq!(event.location().unwrap().line, 2);
    let frame = push_all("{\"a\":\"", &fill);
    assert_eq!(*frame.kind(), ErrorKind::Json(JsonFault::FrameTooLong(validate::MAX_FRAME_LENGTH)));

    let push_all = |head: &str, fill: &str| -> Error {
        let mut stream = TranslationStream::new();
        stream.push(head.as_bytes(), &validator, &mut Vec::new()).unwrap();
        (0..64)
            .find_map(|_| stream.push(fill.as_bytes(), &validator, &mut Vec::new()).err())
            .unwrap()
    };
    let head = "<EPCISDocument><EPCISBody><EventList>\n<ObjectEvent><action>";
    let event = push_all(head, &fill);
    assert_eq!(*event.kind(), ErrorKind::Xml(XmlFault::EventTooLong(translate::MAX_EVENT_LENGTH)));
    assert_eq!(event.location().unwrap().line, 2);
    let head = "<EPCISDocument xmlns:x=\"urn:x:\"><EPCISBody>";
    let member = format!("<x:note>{fill}</x:note>");
    let frame = push_all(head, &member);
    assert_eq!(*frame.kind(), ErrorKind::Xml(XmlFault::FrameTooLong(translate::MAX_FRAME_LENGTH)));
}

/// If a document ends too early, the complete events are returned before the error.
#[test]
fn what_is_whole_is_given_before_a_fault() {
    let event = |n: usize| {
        format!(
            "<ObjectEvent><eventTime>2026-10-05T09:30:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:x:{n}</epc></epcList><action>ADD</action></ObjectEvent>"
        )
    };
    let events: String = (0..4).map(event).collect();
    let whole = format!(
        "<e:EPCISDocument xmlns:e=\"urn:epcglobal:epcis:xsd:2\" schemaVersion=\"2.0\" creationDate=\"2026-10-05T09:30:00Z\"><EPCISBody><EventList>{events}</EventList></EPCISBody></e:EPCISDocument>"
    );
    let validator = Validator::new().unwrap();
    for cut in 0..whole.len() {
        let head = &whole.as_bytes()[..cut];
        let expected = whole[..cut].matches("</ObjectEvent>").count();
        for (end, size) in [
            (b"".as_slice(), 7),
            (b"".as_slice(), 65_536),
            // Invalid UTF-8, an incomplete character, an invalid tag, a wrong end tag.
            (b"\xff".as_slice(), 65_536),
            (b"\xc3".as_slice(), 65_536),
            (b"<1/>".as_slice(), 65_536),
            (b"</x>".as_slice(), 65_536),
        ] {
            let text = [head, end].concat();
            let mut given = Vec::new();
            let mut stream = TranslationStream::new();
            let mut pushed = Ok(());
            for chunk in text.chunks(size) {
                pushed = stream.push(chunk, &validator, &mut given);
                if pushed.is_err() {
                    break;
                }
            }
            if pushed.is_ok() {
                assert!(stream.finish(&validator, &mut given).is_err());
            }
            assert_eq!(given.len(), expected, "{cut} {end:?} {size}");
        }
    }
}

/// A stream reports a fault before the document ends, and returns an event as soon as the event ends.
#[test]
fn what_is_told_does_not_wait_for_what_follows() {
    let validator = Validator::new().unwrap();
    let open = "<e:EPCISDocument xmlns:e=\"urn:epcglobal:epcis:xsd:2\"><EPCISBody><EventList>";
    let comment = format!("<!-- {} -->", "- > ".repeat(9));
    let event = format!(
        "<ObjectEvent>{comment}<eventTime>2026-01-01T00:00:00Z</eventTime>\
        <eventTimeZoneOffset>+00:00</eventTimeZoneOffset><epcList><epc>urn:x:1</epc></epcList>\
        <action>ADD</action></ObjectEvent>"
    );
    for (broken, at) in [("<!-- a -- ", 8), ("<!a", 1), ("a & b<", 3)] {
        let (mut stream, mut events) = (TranslationStream::new(), Vec::new());
        for (number, byte) in format!("{open}{event}").bytes().enumerate() {
            assert_eq!(events.len(), 0, "{number}");
            stream.push(&[byte], &validator, &mut events).unwrap();
        }
        assert_eq!(events.len(), 1);
        let text = format!("<ObjectEvent><bizStep>{broken}");
        let error = stream.push(text.as_bytes(), &validator, &mut events).unwrap_err();
        let ErrorKind::Xml(XmlFault::Syntax(..)) = error.kind() else {
            panic!("{error}");
        };
        let place = error.location().unwrap();
        let column = open.len() + event.len() + "<ObjectEvent><bizStep>".len() + at;
        assert_eq!((place.line, place.column), (1, column), "{broken}");
    }
}
