//! Mutants of the vectors: any bytes are either refused with a location or become JSON that translates back to XML.

use epcis_edge_core::hash::Profile;
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{XmlVersion, to_xml, translate};
use epcis_edge_tests::mutants::rounds;
use epcis_edge_tests::read;
use epcis_edge_tests::translate::{documents, hash_changes};

/// Pseudorandom numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

const PIECES: [&str; 14] = [
    "<",
    ">",
    "/>",
    "&",
    "]]>",
    "<![CDATA[",
    "<!--",
    "\"",
    "=",
    " xmlns='u:'",
    "<extension>",
    "</extension>",
    "\u{fc}",
    "&#13;",
];

fn mutate(xml: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut mutant = xml.to_vec();
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(mutant.len());
        let length = numbers.below(40).min(mutant.len() - at);
        match numbers.below(5) {
            0 => drop(mutant.drain(at..at + length)),
            1 => {
                let copy = mutant.get(at..at + length).unwrap_or_default().to_vec();
                let to = numbers.below(mutant.len());
                mutant.splice(to..to, copy);
            }
            2 => {
                let piece = PIECES.get(numbers.below(PIECES.len())).unwrap();
                mutant.splice(at..at, piece.bytes());
            }
            3 => mutant.truncate(at),
            _ => {
                if let Some(byte) = mutant.get_mut(at) {
                    *byte = numbers.below(256) as u8;
                }
            }
        }
    }
    mutant
}

#[test]
fn mutants_are_refused_or_translated() {
    let mut numbers = Numbers(1);
    let (documents, _) = documents();
    assert!(documents.len() > 12);
    let rounds = rounds(10 * documents.len()).div_ceil(documents.len());
    for (name, path) in documents {
        let xml = read(&path);
        for _ in 0..rounds {
            let mutant = mutate(&xml, &mut numbers);
            match translate(&mutant) {
                Err(error) => assert!(error.location().is_some(), "{error}"),
                Ok(translation) => {
                    let document = Document::read(translation.document.as_bytes());
                    let document = document.unwrap_or_else(|error| {
                        let text = String::from_utf8_lossy(&mutant);
                        unreadable(&name, &error.to_string(), &text)
                    });
                    // Every change of a hash is reported as a loss.
                    for profile in [Profile::Cbv20, Profile::Cbv21] {
                        for change in hash_changes(&mutant, &translation, profile) {
                            let said = !change.lossy.is_empty()
                                || translation
                                    .fidelity_report
                                    .notes()
                                    .iter()
                                    .any(|note| note.code == "report-cut");
                            let text = String::from_utf8_lossy(&mutant);
                            assert!(said, "{} {change:#?}\n{text}", name);
                        }
                    }
                    let _ = translation.locate("/epcisBody/eventList/0/eventTime");
                    for version in [XmlVersion::V1_2, XmlVersion::V2_0] {
                        let xml = to_xml(&document, version).unwrap();
                        let back = translate(xml.document.as_bytes());
                        if let Err(error) = back {
                            unreadable::<()>(&name, &error.to_string(), &xml.document);
                        }
                    }
                }
            }
        }
    }
}

fn unreadable<T>(name: &str, error: &str, text: &str) -> T {
    panic!("{name}: {error}\n{text}")
}
