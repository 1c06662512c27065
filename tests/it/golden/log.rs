//! Leaves, tiles, notes, proofs, receipts and disclosures, and what a verifier says of broken ones.

use super::mutations::random_of;
use super::recorder::Recorder;
use super::values::{json, or_refusal, refusal, text_of};
use data_encoding::HEXLOWER;
use epcis_edge_core::error::Error;
use epcis_edge_core::log::{
    Checkpoint, Edge, Hash, KeyKind, Order, Proof, ProofPlan, Receipt, Signer, Statement, Tile,
    WitnessRequest, cosignature, disclosable, disclose, entry, leaf_of, root_of, signed, verify,
    verify_disclosure, verify_receipt,
};
use epcis_edge_tests::log::tiles;
use epcis_edge_tests::mutants::change_text;
use epcis_edge_tests::witness::Witness;
use epcis_edge_tests::{own_vectors, read_json, read_text};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const ORIGIN: &str = "epcis.example.com/log";
/// The time of the witness in the vectors, in seconds.
const SEEN: u64 = 1_795_255_200;
/// A day later, in milliseconds.
const NOW: u64 = (SEEN + 86_400) * 1000;

fn log_key() -> Signer {
    let seed = std::array::from_fn(|at| at as u8);
    Signer::new(ORIGIN, KeyKind::Note, &seed).unwrap()
}

fn witness_key() -> Signer {
    let seed = std::array::from_fn(|at| 32 + at as u8);
    Signer::new("witness.example.com/w1", KeyKind::Cosignature, &seed).unwrap()
}

fn file(name: &str) -> String {
    read_text(&own_vectors("log").join(name))
}

#[test]
fn the_log() {
    let mut recorder = Recorder::new("log", &["value"]);
    statements(&mut recorder);
    trees(&mut recorder);
    notes(&mut recorder);
    verdicts(&mut recorder);
    assert!(recorder.count() > 150, "{}", recorder.count());
    recorder.finish();
}

fn statements(recorder: &mut Recorder) {
    let vectors = read_json(&own_vectors("log").join("fields.json"));
    let cases = vectors["cases"].as_array().unwrap();
    for (at, case) in cases.iter().enumerate() {
        recorder.case(&format!("statement/{at}"), || {
            let text = |name: &str| case[name].as_str().unwrap();
            let salt: Hash = HEXLOWER.decode(text("salt").as_bytes()).unwrap().try_into().unwrap();
            let of = |statement: Result<Statement, Error>| {
                let statement = match statement {
                    Ok(statement) => statement,
                    Err(error) => return refusal(&error),
                };
                let commitment = statement.commitment(&salt).unwrap();
                format!(
                    "{}\n{}\n{}\n{}\n",
                    statement.text().unwrap(),
                    HEXLOWER.encode(&commitment),
                    HEXLOWER.encode(&entry(&commitment)),
                    HEXLOWER.encode(&leaf_of(&commitment))
                )
            };
            let (event, document) = (text("event"), text("document"));
            vec![of(Statement::of_stored(event, document, &salt))]
        });
    }
}

/// The leaf with a number.
fn leaf(number: usize) -> Hash {
    Sha256::digest(number.to_string()).into()
}

fn trees(recorder: &mut Recorder) {
    let leaves: Vec<Hash> = (0..700).map(leaf).collect();
    for size in [1, 2, 3, 7, 8, 255, 256, 257, 511, 513, 700] {
        let known = &leaves[..size];
        let all = tiles(known);
        let hashes = |wanted: Vec<Tile>| -> Vec<Vec<Hash>> {
            let tile = |tile: Tile| {
                let bytes = &all[&(tile.level, tile.number)];
                bytes.as_chunks::<32>().0[..usize::from(tile.width)].to_vec()
            };
            wanted.into_iter().map(tile).collect()
        };
        recorder.case(&format!("tree/{size}"), || {
            let mut edge = Edge::of(0, Vec::new()).unwrap();
            let mut out = String::new();
            for leaf in known {
                for full in edge.push(*leaf) {
                    let _ = writeln!(
                        out,
                        "{} {} {}",
                        full.level,
                        full.number,
                        HEXLOWER.encode(&full.root)
                    );
                }
            }
            let _ = writeln!(
                out,
                "{}\n{}",
                HEXLOWER.encode(&edge.root()),
                HEXLOWER.encode(&root_of(known))
            );
            for tile in Tile::edge(size as u64) {
                let _ = writeln!(out, "{tile}");
            }
            vec![out]
        });
        let path = |plan: &ProofPlan| -> String {
            let mut out = String::new();
            for tile in plan.tiles() {
                let _ = writeln!(out, "{tile}");
            }
            for hash in plan.hashes_from(&hashes(plan.tiles())).unwrap() {
                let _ = writeln!(out, "{}", HEXLOWER.encode(&hash));
            }
            out
        };
        let places: BTreeSet<usize> = [0, size / 3, size / 2, size - 1].into();
        for at in places {
            let name = |kind: &str| format!("{kind}/{at} of {size}");
            let plan = ProofPlan::inclusion(at as u64, size as u64);
            recorder.case(&name("inclusion"), || vec![path(&plan)]);
            if at > 0 {
                let plan = ProofPlan::consistency(at as u64, size as u64);
                recorder.case(&name("consistency"), || vec![path(&plan)]);
            }
        }
    }
}

fn notes(recorder: &mut Recorder) {
    let leaves: Vec<Hash> = (0..300).map(leaf).collect();
    for size in [1_usize, 2, 3, 8, 300] {
        recorder.case(&format!("note/{size}"), || {
            let root = root_of(&leaves[..size]);
            let checkpoint = Checkpoint { origin: ORIGIN.to_owned(), size: size as u64, root };
            let text = checkpoint.text();
            let note = signed(&text, &[log_key()]) + &cosignature(&text, SEEN, &witness_key());
            let request = WitnessRequest {
                old: 0,
                proof: Vec::new(),
                checkpoint: signed(&text, &[log_key()]),
            };
            let witness = Witness::new(witness_key(), log_key().key().clone());
            let (_, _, cosigned) = witness.answer(&request.text(), SEEN);
            let index = size as u64 / 2;
            let proof = Proof {
                extra: None,
                index,
                path: vec![leaf(1), leaf(2)],
                checkpoint: note.clone(),
            };
            let receipt = Receipt::of(&proof, size as u64, &root, &log_key());
            vec![
                [note, request.text(), cosigned, proof.text(), HEXLOWER.encode(&receipt)]
                    .join("\n"),
            ]
        });
    }
    for word in ["restart", "check 0"] {
        let order = Order::named(word).unwrap();
        recorder.case(&format!("order/{word}"), || vec![order.signed(&log_key(), NOW)]);
    }
}

fn verdicts(recorder: &mut Recorder) {
    let (event, proof, policy) =
        (file("event.json"), file("event.tlog-proof"), file("trusted.policy"));
    let (keyed, of_keyed) = (file("keyed.json"), file("keyed.tlog-proof"));
    let disclosure = file("keyed.disclosure.json");
    let alone = format!("{}\nquorum none\n", policy.lines().next().unwrap());
    let vectors = read_json(&own_vectors("log").join("receipt.json"));
    let receipt = vectors["receipts"][0]["receipt"].as_str().unwrap();
    let receipt = HEXLOWER.decode(receipt.as_bytes()).unwrap();
    let verified =
        |event: &str, proof: &str| text_of(verify(event.as_bytes(), proof, &policy, NOW));
    let of_receipt = |bytes: &[u8]| text_of(verify_receipt(event.as_bytes(), bytes, &alone));
    let of_disclosure = |text: &str| text_of(verify_disclosure(text.as_bytes(), &policy, NOW));
    recorder.case("verdict/event", || vec![verified(&event, &proof)]);
    recorder.case("verdict/keyed", || vec![verified(&keyed, &of_keyed)]);
    recorder.case("verdict/another event", || vec![verified(&keyed, &proof)]);
    recorder.case("verdict/receipt", || vec![of_receipt(&receipt)]);
    recorder.case("verdict/disclosure", || vec![of_disclosure(&disclosure)]);
    let fields = disclosable(keyed.as_bytes(), &of_keyed).unwrap();
    recorder.case("disclosable", || vec![json(&fields)]);
    for field in &fields {
        recorder.case(&format!("disclosure/{}", field.pointer), || {
            let shown = disclose(keyed.as_bytes(), &of_keyed, std::slice::from_ref(&field.pointer));
            vec![or_refusal(shown)]
        });
    }
    for number in 0..40 {
        let broken = |kind: &str, text: &str| {
            let name = format!("{kind}~{number}");
            let mut text = text.to_owned();
            change_text(&mut text, &mut random_of(&name));
            (name, text)
        };
        let (name, text) = broken("verdict/proof", &proof);
        recorder.case(&name, || vec![verified(&event, &text)]);
        let (name, text) = broken("verdict/event", &event);
        recorder.case(&name, || vec![verified(&text, &proof)]);
        let (name, text) = broken("verdict/disclosure", &disclosure);
        recorder.case(&name, || vec![of_disclosure(&text)]);
        let name = format!("verdict/receipt~{number}");
        recorder.case(&name, || {
            let mut bytes = receipt.clone();
            let mut random = random_of(&name);
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
            vec![of_receipt(&bytes)]
        });
    }
}
