//! The verdict of the XML schemas: one entry per cause, with its location, bounded for any document.

use epcis_edge_core::error::ErrorKind;
use epcis_edge_core::translate::{TranslationStream, translate, validate_xml, validate_xml_text};
use epcis_edge_core::validate::{MAX_ERRORS, Validator, XmlVerdict};
use epcis_edge_tests::time::worked;
use std::fmt::Write as _;

/// A document of one object event of version 2.0 with these children.
fn event(children: &str) -> String {
    format!(
        "<e:EPCISDocument xmlns:e='urn:epcglobal:epcis:xsd:2' xmlns:x='https://x.example/' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:xs='http://www.w3.org/2001/XMLSchema' schemaVersion='2.0' creationDate='2026-11-20T08:00:00Z'><EPCISBody><EventList><ObjectEvent>{children}</ObjectEvent></EventList></EPCISBody></e:EPCISDocument>"
    )
}

const HEAD: &str =
    "<eventTime>2026-11-20T07:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>";
const EVENT: &str = "/e:EPCISDocument/EPCISBody[1]/EventList[1]/ObjectEvent[1]";

fn verdict(xml: &str) -> XmlVerdict {
    let verdict = validate_xml(xml.as_bytes()).unwrap();
    assert_eq!(validate_xml_text(xml).unwrap(), verdict);
    if let Ok(translation) = translate(xml.as_bytes()) {
        assert_eq!(translation.source_verdict.as_ref(), Some(&verdict), "{xml}");
        for chunk in [1, 13, 4096] {
            if chunk > 1 || xml.len() < 100_000 {
                assert_eq!(streamed(xml, chunk), verdict, "{xml} by {chunk}");
            }
        }
    }
    verdict
}

/// The verdict at the end of a stream.
fn streamed(xml: &str, chunk: usize) -> XmlVerdict {
    let validator = Validator::new().unwrap();
    let (mut stream, mut events) = (TranslationStream::new(), Vec::new());
    for part in xml.as_bytes().chunks(chunk) {
        stream.push(part, &validator, &mut events).unwrap();
    }
    stream.finish(&validator, &mut events).unwrap().source_verdict
}

/// The paths relative to the event, and the messages.
fn told(children: &str) -> Vec<(String, String)> {
    let errors = verdict(&event(children)).errors.into_iter();
    errors.map(|error| (error.path.replacen(EVENT, "", 1), error.message)).collect()
}

fn check(children: &str, expected: &[(&str, &str)]) {
    let told = told(children);
    let told: Vec<(&str, &str)> =
        told.iter().map(|(path, message)| (path.as_str(), message.as_str())).collect();
    assert_eq!(told, expected, "{children}");
}

#[test]
fn one_cause_is_one_entry() {
    check(&format!("{HEAD}<action>ADD</action>"), &[]);
    // A misspelt name counts as the intended one: that one is not reported as missing, and its value is checked.
    check(
        &format!("{HEAD}<acton>ADDED</acton><bizStep>a</bizStep>"),
        &[
            (
                "/acton[1]",
                "found `acton`, expected `eventID`, `errorDeclaration`, `certificationInfo`, `baseExtension`, `epcList` or `action`; did you mean `action`?",
            ),
            ("/acton[1]", "found `ADDED`, expected `ADD`, `OBSERVE` or `DELETE`"),
        ],
    );
    // An element that is too early is reported once, without follow-up errors.
    check(
        &format!("<action>ADD</action>{HEAD}<bizStep>a</bizStep>"),
        &[("/action[1]", "found `action`, expected `eventTime` before it")],
    );
    check(
        &format!(
            "{HEAD}<action>ADD</action><disposition>a</disposition><bizStep>a</bizStep><epcList/>"
        ),
        &[("/bizStep[1]", "`bizStep` comes too late: it belongs before `disposition`")],
    );
    check(
        &format!("{HEAD}<action>ADD</action><action>ADD</action>"),
        &[("/action[2]", "found `action` again, expected it at most once")],
    );
    check(HEAD, &[("", "`action` is missing")]);
    // Two causes give two entries.
    check(
        &format!("{HEAD}<x:early/><action>ADD</action><foo/><bizStep>%</bizStep>"),
        &[
            ("/x:early[1]", "found `x:early`, expected `action` before it"),
            ("/foo[1]", "found `foo`, expected an element of another namespace"),
            // Its order after the element that came too early has the same cause, so only its value is reported.
            ("/bizStep[1]", "found `%`, expected a URI"),
        ],
    );
    check(
        "<eventTimeZoneOffset>+00:00</eventTimeZoneOffset><eventTime>2026-11-20T07:00:00Z</eventTime><action>ADD</action>",
        &[(
            "/eventTimeZoneOffset[1]",
            "found `eventTimeZoneOffset`, expected `eventTime` before it",
        )],
    );
    // If another element is in the place of a required one, the required one is not reported as missing as well.
    check(
        &format!("{HEAD}<other>ADD</other><bizStep>a</bizStep>"),
        &[(
            "/other[1]",
            "found `other`, expected `eventID`, `errorDeclaration`, `certificationInfo`, `baseExtension`, `epcList` or `action`",
        )],
    );
}

#[test]
fn a_default_namespace_is_one_entry() {
    let xml = event(&format!("{HEAD}<action>ADD</action>"))
        .replace("e:EPCISDocument", "EPCISDocument")
        .replace("xmlns:e=", "xmlns=");
    let errors = verdict(&xml).errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(
        (errors[0].path.as_str(), errors[0].message.as_str()),
        (
            "/EPCISDocument/EPCISBody[1]",
            "found `EPCISBody` in the namespace `urn:epcglobal:epcis:xsd:2`, expected it in no namespace"
        )
    );
}

#[test]
fn places_are_those_of_the_elements() {
    let xml = event(&format!(
        "{HEAD}\n<epcList>\r\n  <epc>a</epc>\n  <epc x=\"1\"\n>b</epc> c</epcList><action>ADD</action>"
    ));
    let errors = verdict(&xml).errors;
    let places: Vec<_> = errors
        .iter()
        .map(|error| (error.path.replacen(EVENT, "", 1), error.line, error.column, error.keyword))
        .collect();
    assert_eq!(
        places,
        [
            ("/epcList[1]/epc[2]/@x".to_owned(), 4, 3, "cvc-complex-type.3.2.2"),
            ("/epcList[1]/text()".to_owned(), 2, 1, "cvc-complex-type.2.3"),
        ]
    );
    // Indices count names with their namespaces, whatever the prefix.
    let xml = event(&format!(
        "{HEAD}<action>ADD</action><x:a/><y:a xmlns:y='https://x.example/'/><a xmlns='https://y.example/'/><x:a xsi:type='xs:int'>1.5</x:a>"
    ));
    assert_eq!(verdict(&xml).errors[0].path, format!("{EVENT}/x:a[3]"));
}

#[test]
fn values_and_attributes_say_what_they_should_be() {
    check(
        "<eventTime>2026-11-20T07:00:00</eventTime><eventTimeZoneOffset/><action>observe</action>",
        &[
            (
                "/eventTime[1]",
                "found `2026-11-20T07:00:00`, expected a date and time with its zone such as `2026-11-20T08:00:00.000+01:00`; the time zone is missing",
            ),
            (
                "/action[1]",
                "found `observe`, expected `ADD`, `OBSERVE` or `DELETE`; did you mean `OBSERVE`?",
            ),
        ],
    );
    check(
        &format!("{HEAD}<action>ADD</action><sourceList><source tpe='a'>b</source></sourceList>"),
        &[
            (
                "/sourceList[1]/source[1]/@tpe",
                "`source` must not have the attribute `tpe` (did you mean `type`?); it has `type` and no other",
            ),
            (
                "/sourceList[1]/source[1]",
                "`source` lacks the attribute `type` (did you mean that by `tpe`?)",
            ),
        ],
    );
    check(
        &format!("{HEAD}<action xsi:nil='true'>ADD</action>"),
        &[("/action[1]/@xsi:nil", "`action` must not have `xsi:nil`")],
    );
    check(
        &format!("{HEAD}<action xsi:type='xs:string'>ADD</action><x:a xsi:type='xs:no'/>"),
        &[
            (
                "/action[1]/@xsi:type",
                "found `xs:string`, expected `ActionType` or what is derived from it",
            ),
            ("/x:a[1]/@xsi:type", "`xs:no` names no type of the schema"),
        ],
    );
}

#[test]
fn the_schema_is_that_of_the_document() {
    for (root, namespace, version, artefact) in [
        ("EPCISDocument", "urn:epcglobal:epcis:xsd:1", "1.0", "EPCglobal-epcis-1_2.xsd"),
        ("EPCISDocument", "urn:epcglobal:epcis:xsd:1", "2.0", "EPCglobal-epcis-1_2.xsd"),
        ("EPCISDocument", "urn:epcglobal:epcis:xsd:2", "1.2", "EPCglobal-epcis-2_0.xsd"),
        (
            "EPCISQueryDocument",
            "urn:epcglobal:epcis-query:xsd:1",
            "1",
            "EPCglobal-epcis-query-1_2.xsd",
        ),
        ("QueryResults", "urn:epcglobal:epcis-query:xsd:2", "", "EPCglobal-epcis-query-2_0.xsd"),
        (
            "EPCISMasterDataDocument",
            "urn:epcglobal:epcis-masterdata:xsd:2",
            "2.0",
            "EPCglobal-epcis-masterdata-2_0.xsd",
        ),
        ("EPCISDocument", "", "1.1", "EPCglobal-epcis-1_2.xsd"),
        ("ObjectEvent", "", "", "EPCglobal-epcis-2_0.xsd"),
        ("html", "http://www.w3.org/1999/xhtml", "", "EPCglobal-epcis-2_0.xsd"),
    ] {
        let xml = format!("<{root} xmlns='{namespace}' schemaVersion='{version}'/>");
        let verdict = verdict(&xml);
        assert_eq!(verdict.schema.artefact, artefact, "{xml}");
        assert!(!verdict.valid);
    }
    assert_eq!(
        verdict("<html/>").errors[0].message,
        "found `html` in no namespace, expected `EPCISDocument` in the namespace `urn:epcglobal:epcis:xsd:2`"
    );
    let error = validate_xml(b"<a>\n<b></a>").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Xml(_)));
    assert!(error.to_string().contains("line 2 column 4"), "{error}");
}

/// The list of errors is cut, the count is not.
#[test]
fn errors_are_bounded_and_counted() {
    let many = "<foo/>".repeat(5000);
    let errors = verdict(&event(&format!("{HEAD}<action>ADD</action>{many}"))).errors;
    assert_eq!(errors.len(), MAX_ERRORS);
    assert!(
        errors[MAX_ERRORS - 1]
            .message
            .ends_with("; 4001 errors from here on; the rest are not listed")
    );
    // Long names make paths of a hundred kilobytes, so fewer errors are listed.
    let name = "n".repeat(1000);
    let deep = format!("<x:{name}>").repeat(90);
    let wrong = "<x:a xsi:type='xs:int'/>".repeat(2000);
    let xml = event(&format!(
        "{HEAD}<action>ADD</action>{deep}{wrong}{}",
        format!("</x:{name}>").repeat(90)
    ));
    let errors = verdict(&xml).errors;
    assert!((5..20).contains(&errors.len()), "{}", errors.len());
    assert!(
        errors
            .last()
            .unwrap()
            .message
            .contains(&format!("; {} errors from here on", 2001 - errors.len()))
    );
}

/// Shapes that are expensive if something is quadratic: many of everything, at doubling sizes.
#[test]
#[ignore = "compares times: make bench-growth"]
fn the_time_is_in_proportion_to_the_document() {
    type Made = fn(usize) -> String;
    let shapes: [(&str, Made); 5] = [
        ("unknown names", |count| {
            (0..count).fold(String::new(), |mut all, number| {
                let _ = write!(all, "<n{number}/>");
                all
            })
        }),
        ("errors all over", |count| "<x:a xsi:type='xs:int'>x</x:a>".repeat(count)),
        ("text in pieces", |count| {
            format!("<x:a xsi:type='xs:int'>{}</x:a>", "1&#49;".repeat(count))
        }),
        ("attributes", |count| "<x:a a='1' b='2' c='3' d='4' x:e='5'/>".repeat(count)),
        ("repeated elements", |count| "<action>ADD</action>".repeat(count)),
    ];
    for (name, shape) in shapes {
        let time = |count: usize| {
            let xml = event(&format!("{HEAD}<action>ADD</action>{}", shape(count)));
            let fastest = (0..3)
                .map(|_| {
                    let before = worked();
                    let _ = validate_xml(xml.as_bytes()).unwrap();
                    worked() - before
                })
                .min();
            fastest.unwrap().as_secs_f64()
        };
        let (short, long) = (time(20_000), time(80_000));
        println!("{name}: {:.1} ms, four times as much {:.1} ms", short * 1e3, long * 1e3);
        assert!(long < short * 12.0 + 0.01, "{name}: {short} s, four times as much {long} s");
    }
}
