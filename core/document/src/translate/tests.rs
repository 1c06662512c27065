//! Rules that no test vector covers.

use super::{characters, value};
use crate::vocabulary;

#[test]
fn numbers_keep_their_digits_and_only_those() {
    let check = |written: &str, expected: Result<Option<&str>, ()>| {
        let found = value::number(written);
        assert_eq!(
            found.as_ref().map(|found| found.as_deref()),
            expected.as_ref().map(|e| *e),
            "{written}"
        );
    };
    check("5.50", Ok(Some("5.50")));
    check("+05.50", Ok(Some("5.50")));
    check("-.5", Ok(Some("-0.5")));
    check("5.", Ok(Some("5")));
    check("000", Ok(Some("0")));
    check("1E3", Ok(Some("1E3")));
    check("+1E+3", Ok(Some("1e+3")));
    check("1e999", Ok(None));
    check("INF", Ok(None));
    for nonsense in ["", ".", "-", "1e", "e5", "1.2.3", "0x1", "1 2", "--1", "1e+-5"] {
        check(nonsense, Err(()));
    }
}

#[test]
fn values_are_the_same_across_their_spellings() {
    use crate::field::ValueKind;
    use value::same;
    assert!(same(ValueKind::Number, "1.50", "+1.5"));
    assert!(same(ValueKind::Number, "1e3", "1000.0"));
    assert!(same(ValueKind::Number, "-0", "0"));
    assert!(!same(ValueKind::Number, "123456789012345678901", "123456789012345678902"));
    assert!(same(ValueKind::Boolean, "1", "true"));
    let steps = ValueKind::Word(&vocabulary::BIZ_STEP);
    assert!(same(steps, "urn:epcglobal:cbv:bizstep:packing", "cbv:BizStep-packing"));
    assert!(!same(steps, "urn:epcglobal:cbv:bizstep:packing", "packing"));
    assert!(!same(steps, "urn:epcglobal:cbv:bizstep:odd", "https://ref.gs1.org/cbv/BizStep-odd"));
    assert!(same(ValueKind::Plain, " a  b\n", "a b"));
    assert!(!same(ValueKind::Verbatim, " a", "a"));
}

#[test]
fn names_are_those_of_xml() {
    for name in ["a", "_a", "a-b.c1", "gr\u{fc}n", "\u{e9}t\u{e9}", "a\u{b7}"] {
        assert!(characters::is_ncname(name), "{name}");
    }
    for name in ["", "1a", "-a", "a:b", "a b", "\u{b7}a", "a\u{d7}", "a/b", "a\u{2028}"] {
        assert!(!characters::is_ncname(name), "{name}");
    }
}

/// A field without a place in the XML of its version would be lost on the way back.
#[test]
fn every_field_has_a_place_in_its_content_model() {
    use super::kinds::{EventKind, Family, Homes};
    let mut count = 0;
    for name in vocabulary::EVENT_TYPES {
        let kind = EventKind::of(name).unwrap();
        for family in [Family::One, Family::Two] {
            let homes = Homes::of(family, kind).unwrap();
            for (number, field) in crate::field::EVENT.iter().enumerate() {
                let is_own = field.of & kind.bit() != 0;
                assert_eq!(
                    homes.fields >> number & 1 == 1,
                    is_own,
                    "{name} {family:?} {}",
                    field.name
                );
                count += usize::from(is_own);
            }
        }
    }
    assert!(count > 150, "{count}");
}

/// XML 1.0, 2.11: a carriage return, alone or with a line feed, becomes one line feed; the result is allocated with its exact length.
#[test]
fn line_ends_are_line_feeds() {
    for (written, read) in [
        ("", ""),
        ("a\nb", "a\nb"),
        ("\r", "\n"),
        ("\r\n", "\n"),
        ("\r\r\n\n\r", "\n\n\n\n"),
        ("a\r\u{e9}\r\n\rb", "a\n\u{e9}\n\nb"),
    ] {
        let found = characters::line_ends(written);
        assert_eq!(found, read, "{written:?}");
        if let std::borrow::Cow::Owned(found) = found {
            assert_eq!(found.capacity(), read.len(), "{written:?}");
        }
    }
}

/// The room for the escapes of a long text is reserved at once.
#[test]
fn a_long_text_is_written_with_its_escapes_in_little_more_room() {
    let value = "\r\n\t\"\\x\u{e9}".repeat(20_000);
    let mut text = String::from("[");
    epcis_edge_text::json::push_string(&mut text, &value);
    let read: String = serde_json::from_str(text.strip_prefix('[').unwrap()).unwrap();
    assert!(read == value);
    assert!(text.capacity() < text.len() + (9 << 10), "{} for {}", text.capacity(), text.len());
}
