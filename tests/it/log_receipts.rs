//! COSE receipts: their bytes, what verifies and what does not, and hostile CBOR.
//!
//! Go's `go-cose` reads the same vectors in `tests/clients/receipt.test.js`.

use data_encoding::HEXLOWER;
use ed25519_dalek::{Signer as _, SigningKey};
use epcis_edge_core::error::LogFault;
use epcis_edge_core::log::{
    GatewayStamps, Hash, KeyKind, MAX_RECEIPT, Proof, Receipt, Signer, Statement, VerifierKey,
    leaf_of, root_of, signed, verify_receipt,
};
use epcis_edge_tests::random::Random;
use epcis_edge_tests::time::seconds;
use epcis_edge_tests::variables::is_on;
use epcis_edge_tests::{own_vectors, read_text};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

const ORIGIN: &str = "epcis.example.com/log";

fn seed() -> [u8; 32] {
    std::array::from_fn(|at| at as u8)
}

fn log_key() -> Signer {
    Signer::new(ORIGIN, KeyKind::Note, &seed()).unwrap()
}

fn number_hash(number: u64) -> Hash {
    Sha256::digest(number.to_be_bytes()).into()
}

fn statement(number: u64) -> Statement {
    Statement {
        event: number_hash(number),
        document: number_hash(number / 2),
        fields: 11,
        field_root: number_hash(number + 1000),
        stamps: GatewayStamps {
            captured_by: "https://example.com/accounts/1".to_owned(),
            who: "https://id.gs1.org/417/9521141000009".to_owned(),
            record_time: "2026-11-21T10:00:01.000Z".to_owned(),
        },
    }
}

fn salt(number: u64) -> [u8; 32] {
    Sha256::digest(format!("salt {number}")).into()
}

/// The leaf of a salt and a statement, as a verifier computes it.
fn leaf_by(salt: &[u8; 32], statement: &str) -> Result<Hash, LogFault> {
    Ok(leaf_of(&Statement::read(statement)?.commitment(salt)?))
}

fn leaves(count: u64) -> Vec<Hash> {
    (0..count).map(|at| leaf_by(&salt(at), &statement(at).text().unwrap()).unwrap()).collect()
}

/// The inclusion path, directly from its definition in RFC 6962, 2.1.1.
fn path(leaves: &[Hash], index: usize) -> Vec<Hash> {
    if leaves.len() < 2 {
        return Vec::new();
    }
    let half = leaves.len().next_power_of_two() / 2;
    let (left, right) = leaves.split_at(half);
    let (mut path_below, other) =
        if index < half { (path(left, index), right) } else { (path(right, index - half), left) };
    path_below.push(root_of(other));
    path_below
}

/// A proof with its salt and statement, and the root.
fn proof(leaves: &[Hash], index: u64) -> (Proof, Hash) {
    let proof = Proof {
        extra: Some((salt(index), statement(index).text().unwrap())),
        index,
        path: path(leaves, index as usize),
        checkpoint: String::new(),
    };
    (proof, root_of(leaves))
}

fn receipt(size: u64, index: u64) -> Vec<u8> {
    let (proof, root) = proof(&leaves(size), index);
    Receipt::of(&proof, size, &root, &log_key())
}

/// Verifies with nothing but the receipt and the key.
fn verified(bytes: &[u8], key: &VerifierKey) -> Result<Receipt, LogFault> {
    let receipt = Receipt::read(bytes)?;
    let (salt, statement) = receipt.extra.as_ref().ok_or(LogFault::NoStatement)?;
    let root = receipt.root(&leaf_by(salt, statement)?)?;
    if receipt.is_signed_by(key, &root) { Ok(receipt) } else { Err(LogFault::Inclusion) }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    about: String,
    size: u64,
    index: u64,
    leaf: String,
    root: String,
    receipt: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vectors {
    key: String,
    public_key: String,
    receipts: Vec<Vector>,
}

fn vectors() -> Vectors {
    let signer = log_key();
    let vector = |about: &str, size, leaf: &Hash, root: &Hash, proof: &Proof| Vector {
        about: about.to_owned(),
        size,
        index: proof.index,
        leaf: HEXLOWER.encode(leaf),
        root: HEXLOWER.encode(root),
        receipt: HEXLOWER.encode(&Receipt::of(proof, size, root, &signer)),
    };
    // The event stored beside the vectors.
    let event = Proof::read(&read_text(&own_vectors("log").join("event.tlog-proof"))).unwrap();
    let (salt, statement) = event.extra.as_ref().unwrap();
    let leaf = leaf_by(salt, statement).unwrap();
    let [first, last] = event.path.as_slice() else {
        panic!("leaf 1 of 3 has a path of two hashes");
    };
    let root = root_of(&[*first, leaf, *last]);
    let mut receipts = vec![vector("event.json", 3, &leaf, &root, &event)];
    for (about, size, index) in [
        ("a tree of one leaf", 1, 0),
        ("the last leaf of 300", 300, 299),
        ("a leaf of 300", 300, 170),
    ] {
        let leaves: Vec<Hash> = (0..size).map(number_hash).collect();
        let (mut proof, root) = proof(&leaves, index);
        proof.extra = None;
        let leaf = &leaves[index as usize];
        receipts.push(vector(about, size, leaf, &root, &proof));
    }
    Vectors {
        key: signer.key().to_string(),
        public_key: HEXLOWER.encode(SigningKey::from_bytes(&seed()).verifying_key().as_bytes()),
        receipts,
    }
}

#[test]
fn the_bytes_of_receipts() {
    let path = own_vectors("log").join("receipt.json");
    let made = vectors();
    if is_on("EPCIS_EDGE_BLESS") {
        let text = serde_json::to_string_pretty(&made).unwrap() + "\n";
        std::fs::write(&path, text).unwrap();
    }
    let known = read_text(&path);
    assert_eq!(
        serde_json::from_str::<Vectors>(&known).unwrap(),
        made,
        "{}",
        serde_json::to_string_pretty(&made).unwrap()
    );
    assert_eq!(vectors(), made);
    let key = VerifierKey::named(&made.key).unwrap();
    for vector in &made.receipts {
        let bytes = HEXLOWER.decode(vector.receipt.as_bytes()).unwrap();
        let receipt = Receipt::read(&bytes).unwrap();
        let hash = |hex: &str| Hash::try_from(HEXLOWER.decode(hex.as_bytes()).unwrap()).unwrap();
        let root = receipt.root(&hash(&vector.leaf)).unwrap();
        assert_eq!(root, hash(&vector.root), "{}", vector.about);
        assert!(receipt.is_signed_by(&key, &root));
        assert_eq!(receipt.origin, ORIGIN);
        assert_eq!(receipt.key_id, [0xc2, 0x35, 0x95, 0xd5]);
        assert_eq!((receipt.size, receipt.index), (vector.size, vector.index));
    }
}

/// Every item written out by hand, and signed by a different implementation.
#[test]
fn the_format_to_the_byte() {
    let leaves = leaves(2);
    let (proof, root) = proof(&leaves, 1);
    let protected = protected();
    let mut expected = vec![0xd2, 0x84];
    expected.extend(bytes(&protected));
    expected.extend([0xa2, 0x19, 0x01, 0x8c, 0xa1, 0x20, 0x81]);
    expected.extend([0x58, 38, 0x83, 0x02, 0x01, 0x81, 0x58, 32]);
    expected.extend(leaves[0]);
    expected.extend(b"\x70epcis-edge/extra");
    let text = statement(1).text().unwrap();
    expected.extend(bytes(&[&salt(1), text.as_bytes()].concat()));
    expected.push(0xf6);
    expected.extend(bytes(&signature(&protected, &root)));
    assert_eq!(Receipt::of(&proof, 2, &root, &log_key()), expected);
}

#[test]
fn every_leaf_of_random_trees() {
    let mut random = Random::new(9942);
    let signer = log_key();
    let mut sizes = vec![1, 2, 3, 255, 256, 257, 300];
    sizes.extend((0..12).map(|_| 1 + random.below(300)));
    let all = leaves(300);
    let mut count = 0;
    for size in sizes {
        let leaves = &all[..size];
        for index in 0..size as u64 {
            let (proof, root) = proof(leaves, index);
            let bytes = Receipt::of(&proof, size as u64, &root, &signer);
            let receipt = verified(&bytes, signer.key()).unwrap();
            assert_eq!((receipt.size, receipt.index), (size as u64, index));
            assert_eq!((&receipt.path, &receipt.extra), (&proof.path, &proof.extra));
            assert_eq!(receipt.root(&leaves[index as usize]), Ok(root));
            // Another leaf gives another root, which is not signed.
            let other = receipt.root(&[7; 32]).unwrap();
            assert_ne!(other, root);
            assert!(!receipt.is_signed_by(signer.key(), &other));
            count += 1;
        }
    }
    assert!(count > 2000, "{count}");
}

/// RFC 9942 signs only the root. So a size with the same steps to the same root is also accepted. No other change is.
#[test]
fn every_flipped_bit_fails_but_for_the_size() {
    let key = log_key();
    let mut sizes_that_hold = Vec::new();
    for (size, index) in [(1, 0), (2, 1), (3, 1), (5, 0), (8, 5), (13, 12), (300, 170)] {
        let bytes = receipt(size, index);
        let honest = verified(&bytes, key.key()).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Ok(mut other) = verified(&flipped, key.key()) {
                sizes_that_hold.push((size, other.size));
                other.size = size;
                assert_eq!(other, honest, "bit {bit}");
            }
        }
    }
    assert_eq!(
        sizes_that_hold,
        [
            // Leaf 0 has three left steps in each of these trees.
            (5, 7),
            // For leaf 170, these bits of the size do not change the sides of its nine steps.
            (300, 301),
            (300, 302),
            (300, 296),
            (300, 292),
            (300, 316),
            (300, 268),
            (300, 364),
            (300, 428)
        ]
    );
}

#[test]
fn other_keys_have_not_signed() {
    let bytes = receipt(8, 5);
    let receipt = Receipt::read(&bytes).unwrap();
    let root = root_of(&leaves(8));
    assert!(receipt.is_signed_by(log_key().key(), &root));
    for (name, kind, seed) in [
        ("other.example.com/log", KeyKind::Note, seed()),
        (ORIGIN, KeyKind::Cosignature, seed()),
        (ORIGIN, KeyKind::Note, [7; 32]),
    ] {
        let other = Signer::new(name, kind, &seed).unwrap();
        assert!(!receipt.is_signed_by(other.key(), &root), "{name}");
    }
    // The same signature with another log name.
    let mut other = bytes.clone();
    let at = bytes.windows(ORIGIN.len()).position(|window| window == ORIGIN.as_bytes()).unwrap();
    other[at] = b'E';
    let other = Receipt::read(&other).unwrap();
    assert_eq!(other.origin, "Epcis.example.com/log");
    assert!(!other.is_signed_by(log_key().key(), &root));
}

/// A note's signature is never a receipt's, because the signed bytes begin differently.
#[test]
fn a_note_is_no_receipt() {
    let root = root_of(&leaves(8));
    let message = signed_message(&protected(), &root);
    assert_eq!(message[0], 0x84);
    assert!(std::str::from_utf8(&message).is_err());
    // No UTF-8 text begins with this byte.
    for next in 0..=255 {
        assert!(std::str::from_utf8(&[0x84, next]).is_err());
    }
    let note = signed("epcis.example.com/log\n8\nroot\n", &[log_key()]);
    assert!(Receipt::read(note.as_bytes()).is_err());
}

// Hand-made receipts.

fn head(major: u8, number: u64) -> Vec<u8> {
    let first = major << 5;
    let bytes = number.to_be_bytes();
    match number {
        0..24 => vec![first | number as u8],
        24..0x100 => [&[first | 24], &bytes[7..]].concat(),
        0x100..0x1_0000 => [&[first | 25], &bytes[6..]].concat(),
        0x1_0000..0x1_0000_0000 => [&[first | 26], &bytes[4..]].concat(),
        _ => [&[first | 27], &bytes[..]].concat(),
    }
}

fn bytes(bytes: &[u8]) -> Vec<u8> {
    [head(2, bytes.len() as u64), bytes.to_vec()].concat()
}

fn text(text: &str) -> Vec<u8> {
    [head(3, text.len() as u64), text.as_bytes().to_vec()].concat()
}

fn map(entries: &[Vec<u8>]) -> Vec<u8> {
    [head(5, entries.len() as u64), entries.concat()].concat()
}

fn entry(label: u64, value: &[u8]) -> Vec<u8> {
    [head(0, label), value.to_vec()].concat()
}

fn named(label: &str, value: &[u8]) -> Vec<u8> {
    [text(label), value.to_vec()].concat()
}

fn headers() -> Vec<Vec<u8>> {
    vec![
        entry(1, &[0x27]),
        entry(4, &bytes(&[0xc2, 0x35, 0x95, 0xd5])),
        entry(15, &map(&[entry(1, &text(ORIGIN))])),
        entry(395, &[1]),
    ]
}

fn protected() -> Vec<u8> {
    map(&headers())
}

fn signed_message(protected: &[u8], root: &Hash) -> Vec<u8> {
    let parts = [vec![0x84], text("Signature1"), bytes(protected), bytes(&[]), bytes(root)];
    parts.concat()
}

fn signature(protected: &[u8], root: &Hash) -> [u8; 64] {
    let key = SigningKey::from_bytes(&seed());
    key.sign(&signed_message(protected, root)).to_bytes()
}

/// The inclusion proof of leaf 1 in a tree of 2.
fn inclusion() -> Vec<u8> {
    proof_of(&head(0, 2), &head(0, 1), &[bytes(&leaves(2)[0])])
}

fn proof_of(size: &[u8], index: &[u8], path: &[Vec<u8>]) -> Vec<u8> {
    let count = head(4, path.len() as u64);
    [&[0x83], size, index, &count, &path.concat()].concat()
}

fn proofs(inclusion: &[u8]) -> Vec<u8> {
    entry(396, &[&[0xa1, 0x20, 0x81], &bytes(inclusion)[..]].concat())
}

fn extra() -> Vec<u8> {
    let statement = statement(1).text().unwrap();
    named("epcis-edge/extra", &bytes(&[&salt(1), statement.as_bytes()].concat()))
}

/// A receipt of these parts with a valid signature.
fn of_parts(protected: &[u8], unprotected: &[Vec<u8>], payload: &[u8]) -> Vec<u8> {
    let signature = signature(protected, &root_of(&leaves(2)));
    let parts =
        [vec![0xd2, 0x84], bytes(protected), map(unprotected), payload.to_vec(), bytes(&signature)];
    parts.concat()
}

const NIL: &[u8] = &[0xf6];

fn with_headers(headers: &[Vec<u8>]) -> Vec<u8> {
    of_parts(&map(headers), &[proofs(&inclusion()), extra()], NIL)
}

fn with_unprotected(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut all = vec![proofs(&inclusion()), extra()];
    all.extend_from_slice(entries);
    of_parts(&protected(), &all, NIL)
}

fn with_proof(inclusion: &[u8]) -> Vec<u8> {
    of_parts(&protected(), &[proofs(inclusion), extra()], NIL)
}

fn nested(arrays: usize) -> Vec<u8> {
    let mut nested = vec![0x81; arrays];
    nested.push(0);
    nested
}

#[test]
fn what_is_not_known_is_ignored() {
    let signer = log_key();
    let with = |header: Vec<u8>| [headers(), vec![header]].concat();
    let root = root_of(&leaves(2));
    for (what, bytes) in [
        ("none", with_headers(&headers())),
        ("a protected number", with_headers(&with(entry(1000, &[0])))),
        ("a protected text", with_headers(&with(named("x", &[0xf9, 0x3c, 0x00])))),
        (
            "more claims",
            with_headers(&[
                entry(1, &[0x27]),
                entry(4, &bytes(&[0xc2, 0x35, 0x95, 0xd5])),
                entry(15, &map(&[entry(1, &text(ORIGIN)), entry(2, &text("subject"))])),
                entry(395, &[1]),
            ]),
        ),
        (
            "known headers that are critical",
            with_headers(&with(entry(2, &[0x82, 0x0f, 0x19, 0x01, 0x8b]))),
        ),
        (
            "headers in another order",
            with_headers(&headers().into_iter().rev().collect::<Vec<_>>()),
        ),
        ("an unprotected number", with_unprotected(&[entry(1000, &nested(3))])),
        (
            "an unprotected float",
            with_unprotected(&[named("x", &[0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0])]),
        ),
        ("an unprotected tag", with_unprotected(&[named("x", &[0xc1, 0x00])])),
        ("five arrays in one another", with_unprotected(&[named("x", &nested(5))])),
        ("the root along", of_parts(&protected(), &[proofs(&inclusion()), extra()], &bytes(&root))),
    ] {
        let receipt = verified(&bytes, signer.key()).unwrap_or_else(|fault| {
            panic!("{what}: {fault}");
        });
        assert_eq!((receipt.size, receipt.index), (2, 1), "{what}");
    }
    let none = of_parts(&protected(), &[proofs(&inclusion())], NIL);
    assert_eq!(Receipt::read(&none).unwrap().extra, None);
}

#[test]
fn another_root_along_is_refused() {
    let other = of_parts(&protected(), &[proofs(&inclusion()), extra()], &bytes(&[7; 32]));
    let receipt = Receipt::read(&other).unwrap();
    let leaves = leaves(2);
    assert_eq!(receipt.root(&leaves[1]), Err(LogFault::Inclusion));
    assert!(!receipt.is_signed_by(log_key().key(), &root_of(&leaves)));
}

#[test]
fn hostile_bytes_are_refused_with_their_place() {
    let with = |header: Vec<u8>| with_headers(&[headers(), vec![header]].concat());
    let instead = |at: usize, header: Vec<u8>| {
        let mut all = headers();
        all[at] = header;
        with_headers(&all)
    };
    let without = |at: usize| {
        let mut all = headers();
        all.remove(at);
        with_headers(&all)
    };
    let good = with_headers(&headers());
    let behind = |from: usize, first: &[u8]| [first, &good[from..]].concat();
    let hash = [bytes(&[7; 32])];
    let one = head(0, 1);
    let two = head(0, 2);
    let least = |number: u64| proof_of(&head(0, number), &head(0, 0), &[]);
    let signature = good[good.len() - 64..].to_vec();
    let unsigned = &good[..good.len() - 66];
    let unprotected =
        |entries: &[Vec<u8>], payload: &[u8]| of_parts(&protected(), entries, payload);
    let (proofs_of_it, extra) = (proofs(&inclusion()), extra());
    let two_proofs = [&[0xa1, 0x20, 0x82], &bytes(&inclusion())[..], &bytes(&inclusion())].concat();
    let consistency = [&[0xa2, 0x20, 0x81], &bytes(&inclusion())[..], &[0x21, 0x80]].concat();
    let under = |protected: &[u8]| of_parts(protected, std::slice::from_ref(&proofs_of_it), NIL);
    let behind_protected = [&protected()[..], &[0]].concat();
    let claimed = |value: &[u8]| instead(2, entry(15, &map(&[entry(1, value)])));
    let alone = |entry: Vec<u8>| unprotected(&[entry], NIL);
    let with_extra =
        |value: &[u8]| unprotected(&[proofs_of_it.clone(), named("epcis-edge/extra", value)], NIL);
    let x = |value: &[u8]| with_unprotected(&[named("x", value)]);
    let entries: Vec<_> = (0..63).map(|at| entry(1000 + at, &[0])).collect();
    let sized = |size: &[u8]| with_proof(&proof_of(size, &one, &hash));
    let path = |hash: Vec<u8>| with_proof(&proof_of(&two, &one, &[hash]));
    let long_path = [&[0x83, 2, 1, 0x9b, 0x40, 0, 0, 0, 0, 0, 0, 0][..], &hash[0]].concat();
    let paid = |payload: &[u8]| unprotected(&[proofs_of_it.clone(), extra.clone()], payload);
    let signed_by = |head: &[u8]| [unsigned, head, &signature].concat();
    let mut others = Vec::new();
    for (what, bytes, expected) in [
        ("nothing", Vec::new(), "another item"),
        ("text", b"receipt".to_vec(), "as announced"),
        ("more behind", [&good[..], &[0]].concat(), "nothing behind"),
        ("no tag", good[1..].to_vec(), "tag 18"),
        ("tag 17", behind(1, &[0xd1]), "tag 18"),
        ("a long tag", behind(1, &[0xd8, 18]), "shortest"),
        ("tag 98", behind(1, &[0xd8, 98]), "tag 18"),
        ("two tags", behind(0, &[0xd2]), "tag 18"),
        ("an array of 5", [&behind(2, &[0xd2, 0x85])[..], &[0]].concat(), "tag 18"),
        ("an open array", [&behind(2, &[0xd2, 0x9f])[..], &[0xff]].concat(), "definite"),
        ("an open string", behind(2, &[0xd2, 0x84, 0x5f]), "definite"),
        ("a long head", behind(2, &[0xd2, 0x98, 4]), "shortest"),
        ("a reserved head", behind(2, &[0xd2, 0x9c]), "item of CBOR"),
        // The protected header.
        ("an empty header", under(&[]), "another item"),
        ("no map", under(&[0x80]), "protected header"),
        ("more in it", under(&behind_protected), "nothing behind"),
        ("no algorithm", without(0), "algorithm (1)"),
        ("no key id", without(1), "algorithm (1)"),
        ("no issuer", without(2), "algorithm (1)"),
        ("no structure", without(3), "algorithm (1)"),
        ("ES256", instead(0, entry(1, &[0x26])), "EdDSA"),
        ("another name", instead(0, entry(1, &text("EdDSA"))), "EdDSA"),
        ("a float", instead(0, entry(1, &[0xf9, 0xc8, 0x00])), "EdDSA"),
        ("a long -8", instead(0, entry(1, &[0x38, 7])), "shortest"),
        ("5 bytes", instead(1, entry(4, &bytes(&[0; 5]))), "key id"),
        ("an empty origin", claimed(&text("")), "origin"),
        ("an origin of two words", claimed(&text("a b")), "origin"),
        ("no UTF-8", claimed(&[0x61, 0xff]), "UTF-8"),
        ("a number", claimed(&[1]), "origin"),
        ("no claims", instead(2, entry(15, &[0x80])), "claims"),
        ("structure 2", instead(3, entry(395, &[2])), "RFC9162_SHA256"),
        ("twice", with(entry(395, &[1])), "every key once"),
        ("a long key, twice", with([&[0x1a, 0, 0, 1, 0x8b, 1][..]].concat()), "shortest"),
        ("a key of bytes", with([&[0x40, 0][..]].concat()), "label"),
        ("a key of floats", with([&[0xf9, 0, 0, 0][..]].concat()), "label"),
        ("critical", with(entry(2, &[0x81, 0x19, 0x03, 0xe8])), "critical"),
        ("critical text", with(entry(2, &[&[0x81], &text("x")[..]].concat())), "critical"),
        ("critical proofs", with(entry(2, &[0x81, 0x19, 0x01, 0x8c])), "critical"),
        ("none is critical", with(entry(2, &[0x80])), "critical"),
        ("critical, no list", with(entry(2, &[1])), "critical"),
        // The unprotected header.
        ("critical outside", with_unprotected(&[entry(2, &[0x81, 1])]), "in one place"),
        ("in both places", with_unprotected(&[entry(4, &[0x40])]), "in one place"),
        ("no proofs", alone(extra.clone()), "(396)"),
        ("proofs twice", with_unprotected(std::slice::from_ref(&proofs_of_it)), "every key once"),
        ("no map of proofs", alone(entry(396, &[0x80])), "one proof"),
        ("an empty map", alone(entry(396, &[0xa0])), "one proof"),
        ("an empty list", alone(entry(396, &[0xa1, 0x20, 0x80])), "one proof"),
        ("two proofs", alone(entry(396, &two_proofs)), "one proof"),
        ("consistency beside", alone(entry(396, &consistency)), "one proof"),
        ("consistency", alone(entry(396, &[0xa1, 0x21, 0x81, 0x41, 0])), "one proof"),
        ("no bytes", alone(entry(396, &[0xa1, 0x20, 0x81, 0x80])), "byte string"),
        ("a short salt", with_extra(&bytes(&[1; 31])), "salt"),
        ("a text as extra", with_extra(&text("x")), "salt"),
        ("extra in no UTF-8", with_extra(&bytes(&[0xff; 40])), "salt"),
        ("six arrays", x(&nested(6)), "at most 8"),
        ("a hundred arrays", x(&nested(100)), "at most 8"),
        ("a hundred tags", x(&[vec![0xc1; 100], vec![0]].concat()), "at most 8"),
        ("a hundred maps", x(&[vec![0xa1; 100], vec![0, 0]].concat()), "at most 8"),
        ("65 entries", with_unprotected(&entries), "at most 64 entries"),
        ("keys twice, deep", x(&[0xa2, 1, 1, 1, 1]), "every key once"),
        ("an open map", x(&[0xbf, 0xff]), "definite"),
        ("a break", x(&[0xff]), "definite"),
        ("a long false", x(&[0xf8, 20]), "shortest"),
        // The proof.
        ("more in the proof", with_proof(&[&inclusion()[..], &[0]].concat()), "nothing behind"),
        ("a proof of two", with_proof(&[0x82, 2, 1]), "size, index and path"),
        ("a hundred arrays in it", with_proof(&nested(100)), "at most 8"),
        ("size 0", with_proof(&least(0)), "the tree has 0 leaves"),
        ("a size of 2^53", with_proof(&least(1 << 53)), "2^53"),
        ("the largest size", with_proof(&least(u64::MAX)), "2^53"),
        ("a negative size", sized(&[0x21]), "size"),
        ("a float as size", sized(&[0xf9, 0x40, 0]), "size"),
        ("a bignum as size", sized(&[0xc2, 0x41, 2]), "size"),
        ("a long size", sized(&[0x18, 2]), "shortest"),
        ("a longer size", sized(&[0x1b, 0, 0, 0, 0, 0, 0, 0, 2]), "shortest"),
        ("index 2 of 2", with_proof(&proof_of(&two, &two, &hash)), "the tree has 2 leaves"),
        ("a text as index", with_proof(&proof_of(&two, &text("1"), &hash)), "index"),
        ("a short hash", path(bytes(&[7; 31])), "32 bytes"),
        ("a long hash", path(bytes(&[7; 33])), "32 bytes"),
        ("64 hashes", with_proof(&proof_of(&two, &one, &vec![hash[0].clone(); 64])), "63 hashes"),
        ("a path of 2^62", with_proof(&long_path), "another item"),
        // Payload and signature.
        ("no payload", paid(&[0xf7]), "nil or a root"),
        ("31 bytes", paid(&bytes(&[7; 31])), "nil or a root"),
        ("false", paid(&[0xf4]), "nil or a root"),
        ("63 bytes", [unsigned, &bytes(&signature[..63])].concat(), "signature"),
        ("65 bytes", [unsigned, &bytes(&[&signature[..], &[0]].concat())].concat(), "signature"),
        ("2^63 bytes", signed_by(&[0x5b, 0x80, 0, 0, 0, 0, 0, 0, 0]), "as announced"),
        ("2^64 - 1 bytes", signed_by(&[&[0x5b], &[0xff; 8][..]].concat()), "as announced"),
        ("4 GiB", signed_by(&[&[0x5a], &[0xff; 4][..]].concat()), "as announced"),
        ("2^64 - 1 entries", [&[0xbb][..], &[0xff; 8], &[1; 8]].concat(), "at most 64 entries"),
        ("2^64 - 1 items", [&[0x9b][..], &[0xff; 8], &[1; 8]].concat(), "another item"),
        ("too long", vec![0; MAX_RECEIPT + 1], "256 KiB"),
    ] {
        let fault = Receipt::read(&bytes).expect_err(what).to_string();
        if !fault.contains(expected) {
            others.push(format!("{what}: {fault}"));
        }
    }
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn a_fault_names_the_byte() {
    let bytes = receipt(3, 1);
    let place = |bytes: &[u8]| match Receipt::read(bytes) {
        Err(LogFault::Receipt { at, .. }) => at,
        other => panic!("{other:?}"),
    };
    // The algorithm follows the tag, the array, the head of the string, the map and its key. The offset is right inside the string
    // too.
    let mut other = bytes.clone();
    assert_eq!(other[6], 0x27);
    other[6] = 0x26;
    assert_eq!(place(&other), 6);
    other.push(0);
    assert_eq!(place(&other), bytes.len());
}

#[test]
fn cut_off_anywhere_is_refused() {
    for bytes in [receipt(1, 0), receipt(300, 170)] {
        for end in 0..bytes.len() {
            assert!(Receipt::read(&bytes[..end]).is_err(), "{end}");
        }
    }
}

#[test]
fn nothing_panics() {
    let mut random = Random::new(18);
    let honest = receipt(8, 5);
    for _ in 0..60_000 {
        let mut bytes = honest.clone();
        for _ in 0..=random.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes.insert(at, random.below(256) as u8),
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
        }
        if let Ok(receipt) = Receipt::read(&bytes) {
            let _ = receipt.root(&[7; 32]);
        }
    }
    for _ in 0..60_000 {
        let bytes: Vec<u8> = (0..random.below(40)).map(|_| random.below(256) as u8).collect();
        assert!(Receipt::read(&bytes).is_err());
    }
}

/// The longest receipts with the most expensive content.
#[test]
#[ignore = "compares times: make bench-growth"]
fn time_is_linear() {
    let many = |length: usize| {
        let arrays = [head(4, length as u64), vec![0x80; length]].concat();
        // 60 long keys that differ only at their ends, and maps of 60 short keys.
        let long_keys: Vec<Vec<u8>> = (0..60)
            .map(|at: u64| {
                let key = [vec![7; length / 60], at.to_be_bytes().to_vec()].concat();
                [bytes(&key), vec![0]].concat()
            })
            .collect();
        let keys: Vec<Vec<u8>> = (0..60).map(|at| entry(1000 + at, &[0])).collect();
        let count = length / 250;
        let maps = [head(4, count as u64), map(&keys).repeat(count)].concat();
        [
            with_unprotected(&[named("x", &arrays)]),
            with_unprotected(&[named("x", &map(&long_keys))]),
            with_unprotected(&long_keys_as_labels(length)),
            with_unprotected(&[named("x", &maps)]),
            with_unprotected(&[named("x", &bytes(&vec![7; length]))]),
        ]
    };
    for (short, long) in many(30 << 10).iter().zip(&many(240 << 10)) {
        assert!(long.len() < MAX_RECEIPT);
        let read = |bytes: &[u8]| {
            let times = (0..5).map(|_| seconds(|| Receipt::read(bytes).unwrap()));
            times.fold(f64::MAX, f64::min)
        };
        let (short, long) = (read(short), read(long));
        // Eight times as many bytes.
        assert!(long < 24.0 * short + 0.01, "{short} s, {long} s");
    }
}

/// Headers labelled with long texts that differ only at their ends.
fn long_keys_as_labels(length: usize) -> Vec<Vec<u8>> {
    let start = "x".repeat(length / 60);
    (0..60).map(|at| named(&format!("{start}{at}"), &[0])).collect()
}

/// The steps are those of any proof. A receipt has no date, and meets no quorum.
#[test]
fn an_event_is_verified_by_its_receipt() {
    let file = |name: &str| read_text(&own_vectors("log").join(name));
    let (event, policy) = (file("event.json"), file("trusted.policy"));
    let vectors: serde_json::Value = serde_json::from_str(&file("receipt.json")).unwrap();
    let receipts = vectors["receipts"].as_array().unwrap();
    let receipt = HEXLOWER.decode(receipts[0]["receipt"].as_str().unwrap().as_bytes()).unwrap();
    let alone = policy.lines().next().unwrap().to_owned() + "\nquorum none\n";
    let verdict = verify_receipt(event.as_bytes(), &receipt, &alone).unwrap();
    assert!(verdict.valid, "{verdict:#?}");
    let steps: Vec<_> = verdict.steps.iter().map(|step| step.step).collect();
    assert_eq!(steps, ["proof", "event", "leaf", "log", "witnesses", "inclusion"]);
    assert_eq!((verdict.logged_before, verdict.index, verdict.size), (None, None, None));
    assert_eq!(verdict.event.unwrap().event_id, "urn:uuid:1");
    let failed = |event: &str, receipt: &[u8], policy: &str| {
        let verdict = verify_receipt(event.as_bytes(), receipt, policy).unwrap();
        let step = verdict.steps.iter().find(|step| !step.holds);
        step.map(|step| step.step)
    };
    assert_eq!(failed(&event, &receipt, &policy), Some("witnesses"));
    assert_eq!(failed(&event.replace("OBSERVE", "DELETE"), &receipt, &alone), Some("event"));
    assert_eq!(failed(&event, &receipt[1..], &alone), Some("proof"));
    assert_eq!(failed(&event, &receipt, "quorum none\n"), Some("log"));
}
