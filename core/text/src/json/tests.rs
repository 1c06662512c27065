use super::*;
use crate::error::{ErrorKind, JsonFault};

fn fault(text: &[u8]) -> (JsonFault, String, usize, usize) {
    let error = Document::read(text).unwrap_err();
    let ErrorKind::Json(fault) = *error.kind() else { panic!("{error}") };
    let location = error.location().unwrap().clone();
    (fault, location.path, location.line, location.column)
}

/// Asserts that our reader and `serde_json` accept the same texts and read the same values.
fn same_as_serde(text: &str) {
    let ours = Document::read(text.as_bytes());
    let theirs = serde_json::from_str::<serde_json::Value>(text);
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours.root().to_serde(), *theirs, "{text}"),
        (Err(_), Err(_)) => {}
        _ => panic!("{text:?}: ours {ours:?}, serde_json {theirs:?}"),
    }
}

#[test]
fn agrees_with_serde_json_on_small_texts() {
    for text in [
        "null",
        " true ",
        "false",
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1e5",
        "1E+2",
        "-12.50e-3",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "1e400",
        "-1e400",
        "1e-400",
        "01",
        "-",
        "1.",
        ".5",
        "+1",
        "1e",
        "1e+",
        "0x1",
        "NaN",
        "\"\"",
        "\"a\\u0041\\n\\/\\\\\\\"\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\u{1}\"",
        "\"\u{7f}\u{80}\u{2028}\"",
        "\"abc",
        "[]",
        "[ ]",
        "[1]",
        "[1,2 , 3]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[",
        "{}",
        "{ }",
        "{\"a\":1}",
        "{\"a\":1,\"b\":[{}]}",
        "{\"a\":1,}",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1]",
        "[1}",
        "tru",
        "nul",
        "truex",
        "1 2",
        "{}{}",
        "",
        "  ",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":{\"b\":2}}",
        "\"12345678\\\"90123456789\"",
        "{\"\":{\"\":[]}}",
    ] {
        same_as_serde(text);
    }
}

#[test]
fn places_are_named() {
    assert_eq!(fault(b""), (JsonFault::Empty, String::new(), 1, 1));
    assert_eq!(
        fault(b"{\n  \"a\": [1, {\"b/c\": tru}]}"),
        (JsonFault::Unexpected("a value"), "/a/1/b~1c".to_owned(), 2, 20)
    );
    assert_eq!(fault(b"{\"a\": [1, 1e400]}"), (JsonFault::NumberRange, "/a".to_owned(), 1, 11));
    assert_eq!(fault(b"{\"x\": 1, \"y\": \"\\ud800\"}").1, "/y");
    assert_eq!(fault(b"{\"x\": {\"y\": 1}").0, JsonFault::Truncated);
    assert_eq!(fault(b"\"\xff\"").0, JsonFault::NotUtf8);
    assert_eq!(
        fault("{}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice()).0,
        JsonFault::OtherUnicodeEncoding
    );
    assert_eq!(fault(b"{} x").0, JsonFault::TrailingText);
}

#[test]
fn depth_is_bounded_and_costs_nothing() {
    let nested = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
    assert!(Document::read(&nested(MAX_DEPTH)).is_ok());
    assert_eq!(fault(&nested(MAX_DEPTH + 1)).0, JsonFault::Depth(MAX_DEPTH));
    assert_eq!(fault(&nested(100_000)).0, JsonFault::Depth(MAX_DEPTH));
    let objects = "{\"a\":".repeat(100_000);
    assert_eq!(fault(objects.as_bytes()).0, JsonFault::Depth(MAX_DEPTH));
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let document = Document::read("\u{feff}{\"a\": 1}".as_bytes()).unwrap();
    assert_eq!(document.root().get("a").unwrap().as_number(), Some("1"));
}

/// No editor shows a column for it.
#[test]
fn a_byte_order_mark_takes_no_column() {
    let marked = |text: &[u8]| [b"\xef\xbb\xbf", text].concat();
    for text in [b"{\"a\": x}".as_slice(), b"{\"a\": ", b"{\"a\":\"\xff\"}", b" \n[x]", b""] {
        assert_eq!(fault(&marked(text)), fault(text), "{text:?}");
    }
    let (_, _, line, column) = fault(&marked(&marked(b"[]")));
    assert_eq!((line, column), (1, 1));
    let text = "\u{feff}{\"a\": [1]}";
    let document = Document::read(text.as_bytes()).unwrap();
    let one = document.root().get("a").unwrap().elements().next().unwrap();
    let place = (one.location().line, one.location().column);
    assert_eq!(place, (1, 8));
}

#[test]
fn numbers_keep_their_digits() {
    let text = b"[123456789012345678901.000001, 5.50, 1E+2, -0]";
    let document = Document::read(text).unwrap();
    let numbers: Vec<_> = document.root().elements().filter_map(Value::as_number).collect();
    assert_eq!(numbers, ["123456789012345678901.000001", "5.50", "1E+2", "-0"]);
}

#[test]
fn the_last_of_repeated_names_counts_and_the_others_are_reported() {
    let document = Document::read(br#"{"a": 1, "b": {"c": 1, "\u0063": 2}, "a": 3}"#).unwrap();
    assert_eq!(document.root().get("a").unwrap().as_number(), Some("3"));
    assert_eq!(document.root().members().count(), 2);
    let places: Vec<_> =
        document.repeated_names().map(|place| (place.path, place.column)).collect();
    assert_eq!(places, [("/a".to_owned(), 7), ("/b/c".to_owned(), 21)]);
}

#[test]
fn many_names_are_compared_by_sorting() {
    let mut text = "{".to_owned();
    for n in 0..1000 {
        write!(text, "\"key{}\": {n},", n % 900).unwrap();
    }
    text.push_str("\"end\": 0}");
    let document = Document::read(text.as_bytes()).unwrap();
    assert_eq!(document.repeated_names().count(), 100);
    assert_eq!(document.root().get("key5").unwrap().as_number(), Some("905"));
    same_as_serde(&text);
}

#[test]
fn pointers_lead_there_and_back() {
    let document =
        Document::read(br#"{"a~/b": [{"x": [true, {"y": null}]}], "z": "s\"]"}"#).unwrap();
    let value = document.root().pointer("/a~0~1b/0/x/1").unwrap();
    assert_eq!(value.source(), r#"{"y": null}"#);
    assert_eq!(value.location().path, "/a~0~1b/0/x/1");
    assert_eq!(document.root().pointer("").unwrap().offset(), 0);
    assert!(document.root().pointer("/a").is_none());
    assert!(document.root().pointer("/z/0").is_none());
}

/// The memory reserved depends on the number of escapes, which differ in length.
#[test]
fn long_strings_lose_all_of_their_escapes() {
    let written = r#"a\n\\\"\u0061\ud83d\ude00\/é"#.repeat(10_000);
    let text = format!("\"{written}\"");
    same_as_serde(&text);
    let document = Document::read(text.as_bytes()).unwrap();
    let plain = document.root().as_str().unwrap().into_owned();
    assert!(plain.capacity() >= plain.len() && plain.capacity() < written.len() * 4 / 5);
}

/// A name with escapes equals the name without them, and the length check for short names must not hide that.
#[test]
fn names_with_escapes_are_found() {
    let text = format!(r#"{{"{}": 0, "\u0074\u0079\u0070\u0065": 1}}"#, r"\u0074".repeat(1000));
    let document = Document::read(text.as_bytes()).unwrap();
    assert_eq!(document.root().get("type").unwrap().as_number(), Some("1"));
    assert_eq!(document.root().get(&"t".repeat(1000)).unwrap().as_number(), Some("0"));
    assert!(document.root().get("t").is_none());
}
