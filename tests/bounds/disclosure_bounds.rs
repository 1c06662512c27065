//! What a holder does to show fields of an event allocates in proportion to the event.

use epcis_edge_core::log::{
    Checkpoint, KeyKind, Proof, Salt, Signer, Statement, disclosable, disclose, leaf_of, signed,
};
use epcis_edge_tests::memory::total;
use std::fmt::Write as _;

const SALT: Salt = [7; 32];

/// A stored event whose names have a long namespace: in the strings that are hashed, each of them is written out.
fn event(length: usize) -> String {
    let mut event = format!(
        r#"{{"@context":[{{"ex":"https://ns.example/{}/","spine":"https://epcis.example.com/ns/spine/"}}],"type":"ObjectEvent""#,
        "x".repeat(2000)
    );
    for number in 0.. {
        write!(event, r#","ex:n{number}":1"#).unwrap();
        if event.len() > length {
            break;
        }
    }
    event
        + r#","recordTime":"2026-11-21T10:00:01.000Z","spine:who":"https://id.gs1.org/417/9521141000009","spine:capturedBy":"https://example.com/accounts/1"}"#
}

/// The proof of an event that is the only leaf of its log.
fn proven(event: &str) -> String {
    let statement = Statement::of_stored(event, "document", &SALT).unwrap();
    let head = Checkpoint {
        origin: "epcis.example.com/log".to_owned(),
        size: 1,
        root: leaf_of(&statement.commitment(&SALT).unwrap()),
    };
    let signer = Signer::new(&head.origin, KeyKind::Note, &[1; 32]).unwrap();
    Proof {
        extra: Some((SALT, statement.text().unwrap())),
        index: 0,
        path: Vec::new(),
        checkpoint: signed(&head.text(), &[signer]),
    }
    .text()
}

#[test]
fn disclosing_allocates_in_proportion_to_the_event() {
    for length in [1 << 16, 1 << 17, 1 << 18] {
        let event = event(length);
        let proof = proven(&event);
        let before = total();
        disclosable(event.as_bytes(), &proof).unwrap();
        let found = total() - before;
        println!("{length} bytes: {found} to find the fields");
        assert!(found < 64 * length, "{length} bytes: {found} to find the fields");
        let before = total();
        disclose(event.as_bytes(), &proof, &["ex:n7".to_owned()]).unwrap();
        let shown = total() - before;
        println!("{length} bytes: {shown} to show one");
        assert!(shown < 64 * length, "{length} bytes: {shown} to show one");
    }
}
