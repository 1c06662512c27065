//! Hashing takes at most three times the size of the document, the document included; six times if it declares little but prefixes.

use epcis_edge_core::hash::{self, Profile};
use epcis_edge_core::json::Document;
use epcis_edge_tests::memory::{in_use, peak, reset_peak};
use std::fmt::Write as _;

const SIZE: usize = 10 << 20;

/// A document of one event with one list of `SIZE` bytes.
fn document(list: &str, member: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = format!(
        r#"{{"@context":[{{"ex":"https://ns.example.com/"}}],"type":"EPCISDocument","epcisBody":{{"eventList":[{{"type":"ObjectEvent","action":"ADD","{list}":["#
    );
    for n in 0.. {
        // In scattered order, so that the list is far from sorted.
        write!(text, "{},", member((n * 7919) % 1_000_003)).unwrap();
        if text.len() >= SIZE {
            break;
        }
    }
    text.pop();
    text.push_str("]}]}}");
    text.shrink_to_fit();
    text.into_bytes()
}

/// A document of one small event whose context has `SIZE` bytes of prefixes, which have short names and short namespaces.
fn prefixes() -> Vec<u8> {
    let mut text = r#"{"@context":[{"#.to_owned();
    for n in 0.. {
        write!(text, r#""p{n}":"p{}:x","#, n + 1).unwrap();
        if text.len() >= SIZE {
            break;
        }
    }
    text.pop();
    text.push_str(r#"}],"type":"EPCISDocument","epcisBody":{"eventList":[{"type":"ObjectEvent","action":"ADD"}]}}"#);
    text.shrink_to_fit();
    text.into_bytes()
}

/// A prefix that no name has is an entry of one tree. Its namespace has no number yet.
#[test]
fn a_huge_context_of_unused_prefixes_is_hashed_in_six_times_its_size() {
    let text = prefixes();
    let size = text.len();
    let before = in_use() - size;
    reset_peak();
    let document = Document::read(&text).unwrap();
    assert_eq!(hash::hash_document(&document, Profile::Cbv20).unwrap().len(), 1);
    let peak = peak() - before;
    println!("prefixes: {} % of the document", peak * 100 / size);
    assert!(peak <= 6 * size, "{peak} bytes of {size}");
}

#[test]
fn a_huge_list_is_hashed_in_three_times_its_size() {
    let lists = [
        (
            "SGTIN URNs",
            Profile::Cbv20,
            document("epcList", |n| format!(r#""urn:epc:id:sgtin:4012345.011111.{n:08}""#)),
        ),
        (
            "Digital Links",
            Profile::Ref2025,
            document("epcList", |n| format!(r#""https://id.gs1.org/01/04012345111118/21/{n:08}""#)),
        ),
        (
            "quantities",
            Profile::Cbv20,
            document("quantityList", |n| {
                format!(
                    r#"{{"epcClass":"urn:epc:class:lgtin:4012345.012345.{n:08}","quantity":{n},"uom":"KGM"}}"#
                )
            }),
        ),
        (
            "extensions",
            Profile::Cbv21,
            document("ex:list", |n| format!(r#""some longer text, number {n:08}""#)),
        ),
    ];
    for (name, profile, text) in lists {
        let size = text.len();
        let before = in_use() - size;
        reset_peak();
        let document = Document::read(&text).unwrap();
        assert_eq!(hash::hash_document(&document, profile).unwrap().len(), 1);
        let peak = peak() - before;
        println!("{name}: {} % of the document", peak * 100 / size);
        assert!(peak <= 3 * size, "{name}: {peak} bytes of {size}");
    }
}
