//! Documents that are not EPCIS XML: each gets a typed refusal with its location, without using much memory.
// Invariant: Reading is bounded: 128 levels of JSON, 100 of XML, 256 MiB, no recursion over the input.

use epcis_edge_core::error::{Error, ErrorKind, Problem, XmlFault};
use epcis_edge_core::hash::Profile;
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{
    MAX_ATTRIBUTES, MAX_DEPTH, Translation, XmlVersion, hash_xml, to_xml, translate,
    translate_text, translate_unmeasured, validate_xml_text,
};

const OPEN: &str = "<epcis:EPCISDocument xmlns:epcis=\"urn:epcglobal:epcis:xsd:2\" schemaVersion=\"2.0\" creationDate=\"2026-10-05T09:30:00Z\">\n<EPCISBody><EventList>\n<ObjectEvent>";
const CLOSE: &str = "</ObjectEvent></EventList></EPCISBody></epcis:EPCISDocument>";

fn refused(xml: &[u8]) -> (XmlFault, Error) {
    let error = translate(xml).expect_err("a refusal");
    let ErrorKind::Xml(fault) = error.kind() else { panic!("{error}") };
    (fault.clone(), error.clone())
}

/// Asserts the fault, and its line, column and path.
fn check(xml: &str, fault: &XmlFault, line: usize, column: usize, path: &str) {
    let (found, error) = refused(xml.as_bytes());
    assert_eq!(&found, fault, "{xml}");
    let location = error.location().unwrap();
    assert_eq!((location.line, location.column), (line, column), "{xml}");
    assert_eq!(location.path, path, "{xml}");
    let problem = Problem::from(&error);
    assert_eq!(problem.status, 400);
    assert_eq!(problem.location.as_ref(), Some(location));
}

fn inside(body: &str) -> String {
    format!("{OPEN}{body}{CLOSE}")
}

const EVENT: &str = "/epcis:EPCISDocument/EPCISBody[1]/EventList[1]/ObjectEvent[1]";

fn syntax(expected: &'static str) -> XmlFault {
    XmlFault::Syntax(expected)
}

#[test]
fn what_is_not_well_formed_is_refused_with_its_place() {
    let end = |expected: &str, found: &str| XmlFault::EndTag {
        expected: expected.to_owned(),
        found: found.to_owned(),
    };
    check(&inside("<a><b></a></b>"), &end("b", "a"), 3, 20, &format!("{EVENT}/a[1]/b[1]"));
    check("</a>", &end("", "a"), 1, 1, "");
    check(&format!("{OPEN}<a>"), &XmlFault::Truncated, 3, 17, &format!("{EVENT}/a[1]"));
    check(&inside("<a b='1' b='2'/>"), &XmlFault::RepeatedAttribute("b".into()), 3, 23, EVENT);
    check(
        &inside("<a xmlns:p='u:x' xmlns:q='u:x' p:b='1' q:b='2'/>"),
        &XmlFault::RepeatedAttribute("q:b".into()),
        3,
        53,
        EVENT,
    );
    check(&inside("<x:a/>"), &XmlFault::Prefix("x".into()), 3, 15, EVENT);
    check(&inside("<a b=1/>"), &syntax("an attribute value in quotes"), 3, 19, EVENT);
    check(&inside("<a b='1'c='2'/>"), &syntax("white space before an attribute"), 3, 22, EVENT);
    check(
        &inside("<a b='<'/>"),
        &syntax("`&lt;` where an attribute value has this character"),
        3,
        20,
        EVENT,
    );
    check(&inside("<1a/>"), &syntax("a name"), 3, 15, EVENT);
    check(&inside("<a:b:c/>"), &syntax("a name"), 3, 15, EVENT);
    check(&inside("a ]]> b"), &syntax("`]]&gt;` where a text has these characters"), 3, 16, EVENT);
    check(&inside("<!-- a -- b -->"), &syntax("no `--` inside of a comment"), 3, 21, EVENT);
    check(&inside("&euro;"), &XmlFault::Entity("euro".into()), 3, 14, EVENT);
    check(
        &inside("&#0;"),
        &syntax("a character reference to a character that XML allows"),
        3,
        14,
        EVENT,
    );
    check(
        &inside("<?xml version='1.0'?>"),
        &syntax("the XML declaration at the very start, or not at all"),
        3,
        14,
        EVENT,
    );
    check(&inside("\u{1}"), &XmlFault::Character, 3, 14, "");
    check(&inside("\u{ffff}"), &XmlFault::Character, 3, 14, "");
    check(&format!("{}<b/>", inside("")), &XmlFault::OutsideRoot, 3, 74, "");
    check(&format!("{} text", inside("")), &XmlFault::OutsideRoot, 3, 74, "");
}

#[test]
fn an_xml_declaration_says_what_xml_allows() {
    let document = |declaration: &str| format!("<?xml {declaration}?>{}", inside(""));
    for (declaration, expected) in [
        ("version='1.1'", "XML version 1.0"),
        ("version='1.0' standalone='maybe'", "`yes` or `no` for `standalone`"),
        (
            "version='1.0' encoding='UTF-8>'",
            "the name of an encoding: a letter, then letters, digits, `.`, `_` and `-`",
        ),
        ("version='1.0'encoding='UTF-8'", "white space between the parts of the XML declaration"),
    ] {
        let xml = document(declaration);
        let refused = [
            translate_text(&xml).map(drop),
            validate_xml_text(&xml).map(drop),
            hash_xml(xml.as_bytes(), Profile::Cbv20).map(drop),
        ];
        for (door, refused) in refused.into_iter().enumerate() {
            let error = refused.expect_err(declaration);
            // Bytes are decoded before they are parsed, so a malformed encoding name is reported as an unknown encoding.
            let is_encoding = matches!(error.kind(), ErrorKind::Xml(XmlFault::Encoding(..)));
            let is_syntax = *error.kind() == ErrorKind::Xml(syntax(expected));
            assert!(is_syntax || door == 2 && is_encoding, "{declaration}: {error}");
        }
    }
    let hyphen = document("version='1.0' encoding='UTF\u{2010}8'");
    for refused in [translate_text(&hyphen).map(drop), validate_xml_text(&hyphen).map(drop)] {
        let error = refused.expect_err(&hyphen);
        assert!(error.to_string().contains("; U+2010 looks like `-` (character 4)"), "{error}");
    }
    for declaration in
        ["version='1.0' standalone='yes'", "version=\"1.0\" encoding=\"utf-8\" standalone=\"no\" "]
    {
        assert!(translate_text(&document(declaration)).is_ok(), "{declaration}");
    }
}

#[test]
fn document_types_that_declare_something_are_refused() {
    for declaration in [
        "<!DOCTYPE a [<!ENTITY b 'c'>]>",
        "<!DOCTYPE a SYSTEM 'http://example.com/a.dtd'>",
        "<!DOCTYPE a PUBLIC 'a' 'b'>",
        "<!DOCTYPE a []>",
    ] {
        let xml = format!("{declaration}\n{}", inside("&b;"));
        check(&xml, &XmlFault::Doctype, 1, 1, "");
    }
    let mut bomb = String::from("<!DOCTYPE a [<!ENTITY l0 'ha'>");
    for level in 1..64 {
        let below = level - 1;
        bomb.push_str(&format!("<!ENTITY l{level} '&l{below};&l{below};'>"));
    }
    assert_eq!(refused(format!("{bomb}]>{}", inside("&l63;")).as_bytes()).0, XmlFault::Doctype);
    assert!(translate(format!("<!DOCTYPE a>{}", inside("")).as_bytes()).is_ok());
}

#[test]
fn limits_are_refusals() {
    let deep = inside(&"<a>".repeat(100_000));
    assert_eq!(refused(deep.as_bytes()).0, XmlFault::Depth(MAX_DEPTH));
    let attributes: String = (0..1_000_000).map(|n| format!(" a{n}=''")).collect();
    let wide = inside(&format!("<a{attributes}/>"));
    assert_eq!(refused(wide.as_bytes()).0, XmlFault::Attributes(MAX_ATTRIBUTES));
    let long = "n".repeat(2000);
    assert!(matches!(
        refused(inside(&format!("<{long}/>")).as_bytes()).0,
        XmlFault::NameLength(..)
    ));
    let mut declarations = String::new();
    for level in 0..90 {
        let of_level: String =
            (0..9).map(|n| format!(" xmlns:p{level}-{n}='u:{level}:{n}'")).collect();
        declarations.push_str(&format!("<a{of_level}>"));
    }
    assert!(matches!(refused(inside(&declarations).as_bytes()).0, XmlFault::Namespaces(..)));
    // Nested JSON arrays are deeper than the elements they come from.
    let nested =
        format!("{}{}", "<x:a xmlns:x='u:x'><x:b/><x:b>".repeat(48), "</x:b></x:a>".repeat(48));
    assert!(matches!(refused(inside(&nested).as_bytes()).0, XmlFault::Depth(..)));
}

#[test]
fn what_is_no_epcis_is_refused() {
    check("", &XmlFault::Empty, 1, 1, "");
    check(" \n ", &XmlFault::Empty, 1, 1, "");
    check("{\"type\": \"EPCISDocument\"}", &XmlFault::NotXml, 1, 1, "");
    check("\n[]", &XmlFault::NotXml, 2, 1, "");
    let soap =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body/></s:Envelope>";
    check(soap, &XmlFault::ForeignRoot("s:Envelope".to_owned()), 1, 1, "/s:Envelope");
    check("<html/>", &XmlFault::ForeignRoot("html".to_owned()), 1, 1, "/html");
    let query = "<q:EPCISQueryDocument xmlns:q='urn:epcglobal:epcis-query:xsd:2'><EPCISBody>\n<q:Poll/></EPCISBody></q:EPCISQueryDocument>";
    let found = "Poll".to_owned();
    check(
        query,
        &XmlFault::UnsupportedBody(found),
        2,
        1,
        "/q:EPCISQueryDocument/EPCISBody[1]/q:Poll[1]",
    );
    let json = Document::read(br#"{"type": "Other"}"#).unwrap();
    assert!(to_xml(&json, XmlVersion::V2_0).is_err());
    assert!(to_xml(&Document::read(b"[]").unwrap(), XmlVersion::V1_2).is_err());
}

#[test]
fn encodings_are_read_or_refused() {
    let event = |declaration: &str| {
        format!("{declaration}{}", inside("<m:a xmlns:m='urn:m:'>gr\u{fc}n \u{20ac}</m:a>"))
    };
    let utf16 = |mark: &[u8], unit: fn(u16) -> [u8; 2]| {
        let mut bytes = mark.to_vec();
        bytes.extend(event("").encode_utf16().flat_map(unit));
        bytes
    };
    let windows = {
        let text = event("<?xml version='1.0' encoding='windows-1252'?>");
        text.chars()
            .map(|c| match c {
                '\u{20ac}' => 0x80,
                c => u8::try_from(u32::from(c)).unwrap(),
            })
            .collect::<Vec<u8>>()
    };
    let with_mark =
        [b"\xef\xbb\xbf".as_slice(), event("<?xml version='1.0' encoding='x-odd'?>").as_bytes()]
            .concat();
    for bytes in [
        utf16(b"\xff\xfe", u16::to_le_bytes),
        utf16(b"\xfe\xff", u16::to_be_bytes),
        windows,
        with_mark,
    ] {
        let translation = translate(&bytes).unwrap();
        assert!(translation.document.contains("\"m:a\":\"gr\u{fc}n \u{20ac}\""));
    }
    // The mark takes no column: what is wrong is in the fourth.
    for bytes in [
        b"<a>\xff</a>".as_slice(),
        b"\xef\xbb\xbf<a>\xff</a>",
        b"\xff\xfe<\0a\0>\0\x00\xd8<\0",
        b"\xfe\xff\0<\0a\0>\xd8\x00\0<",
    ] {
        let error = translate(bytes).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Xml(XmlFault::NotInEncoding(..))));
        let place = error.location().unwrap();
        assert_eq!((place.line, place.column), (1, 4), "{bytes:?}");
    }
    let odd = event("<?xml version='1.0' encoding='x-odd'?>");
    assert_eq!(refused(odd.as_bytes()).0, XmlFault::Encoding("x-odd".into()));
    assert!(matches!(refused(b"<a>\xff</a>").0, XmlFault::NotInEncoding("UTF-8")));
    assert!(matches!(refused(b"\xff\xfe\x00\xd8<\x00").0, XmlFault::NotInEncoding("UTF-16")));
    assert!(matches!(refused(b"<\x00a\x00").0, XmlFault::NotXml));
    let ascii = b"<?xml version='1.0' encoding='US-ASCII'?>\n<a>\xe4</a>";
    let (fault, error) = refused(ascii);
    assert!(matches!(fault, XmlFault::NotInEncoding("US-ASCII")));
    let location = error.location().unwrap();
    assert_eq!((location.line, location.column), (2, 4));
}

#[test]
fn reports_stay_in_proportion() {
    let many = inside(&"<m:a xmlns:m='urn:m:' b=''/>".repeat(100_000));
    let translation = translate(many.as_bytes()).unwrap();
    let report = &translation.fidelity_report;
    assert_eq!(report.lossy_path_count(), 100_000);
    assert_eq!(report.notes().last().unwrap().code, "report-cut");
    let size: usize = report.notes().iter().map(|note| note.path.len() + note.text.len()).sum();
    assert!(size < many.len() + (2 << 20), "{size}");
}

#[test]
fn places_in_the_output_lead_to_the_source() {
    let xml = inside(
        "\n<eventTime>x</eventTime>\n<epcList>\n<epc>1</epc><epc>2</epc></epcList>\n<sensorElementList><sensorElement>\n<sensorReport type='t' value='one'/></sensorElement></sensorElementList>\n<m:a xmlns:m='urn:m:'/><m:a xmlns:m='urn:m:'>7</m:a>",
    );
    let translation = translate(xml.as_bytes()).unwrap();
    for (pointer, path, line) in [
        ("/epcisBody/eventList/0", "", 3),
        ("/epcisBody/eventList/0/eventTime", "/eventTime[1]", 4),
        ("/epcisBody/eventList/0/epcList", "/epcList[1]", 5),
        ("/epcisBody/eventList/0/epcList/1", "/epcList[1]/epc[2]", 6),
        (
            "/epcisBody/eventList/0/sensorElementList/0/sensorReport/0/value",
            "/sensorElementList[1]/sensorElement[1]/sensorReport[1]/@value",
            8,
        ),
        ("/epcisBody/eventList/0/m:a/1", "/m:a[2]", 9),
        ("/epcisBody/eventList/0/action", "", 3),
    ] {
        let place = translation.locate(pointer);
        assert_eq!((place.path, place.line), (format!("{EVENT}{path}"), line), "{pointer}");
    }
    let root = translation.locate("/creationDate");
    assert_eq!(root.path, "/epcis:EPCISDocument/@creationDate");
    assert_eq!(translation.locate("/epcisBody").path, "/epcis:EPCISDocument");
}

#[test]
fn what_stands_twice_in_the_envelope_is_told() {
    let query = |inside: &str| {
        format!(
            "<q:EPCISQueryDocument xmlns:q='urn:epcglobal:epcis-query:xsd:2' schemaVersion='2.0'><EPCISBody><q:QueryResults>{inside}<resultsBody><EventList/></resultsBody></q:QueryResults></EPCISBody></q:EPCISQueryDocument>"
        )
    };
    let codes = |xml: &str| -> Vec<&'static str> {
        let translation = translate(xml.as_bytes()).unwrap();
        let notes = translation.fidelity_report.notes().iter();
        notes.filter(|note| note.is_lossy()).map(|note| note.code).collect()
    };
    assert!(codes(&query("<queryName>a</queryName>")).is_empty());
    assert_eq!(
        codes(&query("<queryName>a</queryName><queryName>b</queryName>")),
        ["repeated-element"]
    );
    assert_eq!(
        codes(&query("<queryName b='1'>a<c/></queryName>")),
        ["attribute-no-home", "unknown-element"]
    );
    let header = "<s:StandardBusinessDocumentHeader xmlns:s='http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader'/>";
    let headers = inside("").replacen(
        "<EPCISBody>",
        &format!("<EPCISHeader>{header}{header}</EPCISHeader><EPCISBody>"),
        1,
    );
    assert_eq!(codes(&headers), ["repeated-element"]);
    let twice = inside("").replace("</EventList>", "</EventList><EventList/>");
    assert_eq!(codes(&twice), ["repeated-container"]);
}

/// If there are many losses, the listed locations are still right, and the count is exact although the list is cut.
#[test]
fn what_is_cut_is_counted() {
    let lost = 200_000;
    let body = inside("").replace("<ObjectEvent></ObjectEvent>", &"<x/>".repeat(lost));
    let translation = translate(body.as_bytes()).unwrap();
    let report = &translation.fidelity_report;
    assert_eq!(report.lossy_path_count(), lost);
    let listed = report.lossy_paths().count();
    assert!(listed > 1000 && listed < lost);
    let value = serde_json::to_value(report).unwrap();
    let paths = value["lossyPaths"].as_array().unwrap();
    assert_eq!(paths.len(), listed + 1);
    assert_eq!(paths[listed], format!("and {} more", lost - listed));
    let place = format!("/epcis:EPCISDocument/EPCISBody[1]/EventList[1]/x[{listed}]");
    assert_eq!(paths[listed - 1], place);
    assert_eq!(report.notes().last().unwrap().code, "report-cut");
}

#[test]
fn versions_that_are_no_numbers_are_refused() {
    for version in ["", "x", "2.0.0", "2,0", ".", "+"] {
        let found = version.to_owned();
        check(
            &inside("").replace("schemaVersion=\"2.0\"", &format!("schemaVersion=\"{version}\"")),
            &XmlFault::SchemaVersion(found),
            1,
            1,
            "/epcis:EPCISDocument/@schemaVersion",
        );
    }
    // Any spelling of a decimal of XML Schema. A note has its place if the version does not match the namespace.
    for (version, agrees) in [
        (" 2.0 ", true),
        ("+02.00", true),
        ("2", true),
        ("1.2", false),
        ("0", false),
        ("3.0", false),
        ("1.3", false),
        ("-2.0", false),
        (".5", false),
    ] {
        let xml =
            inside("").replace("schemaVersion=\"2.0\"", &format!("schemaVersion=\"{version}\""));
        let translation = translate(xml.as_bytes()).unwrap();
        let notes = translation.fidelity_report.notes().iter();
        let noted: Vec<_> = notes
            .filter(|note| note.code == "schema-version-contradiction")
            .map(|note| (note.path.as_str(), note.value.as_deref()))
            .collect();
        let place = ("/epcis:EPCISDocument/@schemaVersion", Some(version.trim()));
        assert_eq!(noted, if agrees { vec![] } else { vec![place] }, "{version}");
    }
}

#[test]
fn what_is_too_much_is_refused_and_what_cannot_be_measured_is_not_claimed() {
    use epcis_edge_core::translate::{MAX_DOCUMENT_NAMESPACES, MAX_ELEMENTS};
    let many = inside(&"<epc/>".repeat(MAX_ELEMENTS));
    assert_eq!(refused(many.as_bytes()).0, XmlFault::Elements(MAX_ELEMENTS));
    let long = "l".repeat(900);
    let amplified = format!(
        "<a xmlns:{long}='u:l:' xmlns:s='u:l:'><{long}:a/>{}</a>",
        (0..20_000).map(|n| format!("<s:b{n}/>")).collect::<String>()
    );
    let amplified = inside(&format!("<m:a xmlns:m='u:m:'>{amplified}</m:a>"));
    assert!(matches!(refused(amplified.as_bytes()).0, XmlFault::Amplified(..)));
    let spaces: String =
        (0..MAX_DOCUMENT_NAMESPACES + 1).map(|n| format!("<p:a xmlns:p='u:{n}:'/>")).collect();
    assert_eq!(
        refused(inside(&spaces).as_bytes()).0,
        XmlFault::DocumentNamespaces(MAX_DOCUMENT_NAMESPACES)
    );
    let names: String = (0..MAX_ELEMENTS - 100).map(|n| format!("<m:a{n}/>")).collect();
    let unmeasured = inside(&format!("<m:m xmlns:m='u:m:'>{names}</m:m>"));
    let translation = translate(unmeasured.as_bytes()).unwrap();
    let report = &translation.fidelity_report;
    assert_eq!(report.lossy_paths().collect::<Vec<_>>(), [EVENT]);
    assert!(report.notes().iter().any(|note| note.code == "not-measured"));
    // Nor what nobody wants to know.
    let body = inside("<m:m xmlns:m='u:m:'>a\\b</m:m>");
    let (measured, unmeasured) =
        (translate(body.as_bytes()).unwrap(), translate_unmeasured(body.as_bytes()).unwrap());
    assert_eq!(measured.document, unmeasured.document);
    let is_clean =
        |translation: &Translation<'_>| translation.fidelity_report.is_round_trip_clean();
    assert_eq!((is_clean(&measured), is_clean(&unmeasured)), (true, false));
}

/// Texts that JSON must escape are copied, and those outside the events all at once. So their total length is limited.
#[test]
fn long_texts_with_escapes_are_refused_beside_the_events() {
    use epcis_edge_core::translate::MAX_FRAME_TEXT;
    let limit = MAX_FRAME_TEXT;
    let beside = |text: &str| {
        let member = format!("<m:a xmlns:m='u:m:'>{text}</m:a>");
        OPEN.replace(
            "<EPCISBody>",
            &format!("<EPCISHeader>{member}{member}</EPCISHeader><EPCISBody>"),
        ) + "<eventTime>2026-10-05T09:30:00Z</eventTime>"
            + CLOSE
    };
    let half = limit / 2;
    let (fault, error) = refused(beside(&"\r".repeat(half + 1)).as_bytes());
    assert_eq!(fault, XmlFault::FrameTextTooLong(limit));
    assert_eq!(Problem::from(&error).status, 413);
    assert_eq!(error.location().unwrap().path, "/epcis:EPCISDocument/EPCISHeader[1]/m:a[2]");
    let master_data = format!(
        "<EPCISHeader><extension><EPCISMasterData><VocabularyList><Vocabulary type='urn:t'><VocabularyElementList><VocabularyElement id='urn:1'><attribute id='urn:a'>{}</attribute></VocabularyElement></VocabularyElementList></Vocabulary></VocabularyList></EPCISMasterData></extension></EPCISHeader><EPCISBody>",
        "\r".repeat(limit + 1)
    );
    let master_data = OPEN.replace("<EPCISBody>", &master_data) + CLOSE;
    assert_eq!(refused(master_data.as_bytes()).0, XmlFault::FrameTextTooLong(limit));
    // Characters that JSON must escape count too.
    for special in ["\"", "\\", "\n", "\t"] {
        let fault = refused(beside(&special.repeat(half + 1)).as_bytes()).0;
        assert_eq!(fault, XmlFault::FrameTextTooLong(limit), "{special:?}");
    }
    // A text that needs no escaping is not copied.
    assert!(translate(beside(&"x".repeat(half + 1)).as_bytes()).is_ok());
    assert!(translate(beside(&"\r".repeat(1000)).as_bytes()).is_ok());
}
