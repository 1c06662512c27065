//! The transparency log without a store: the vectors of its design, its trees compared with those of third-party crates, and
//! refusals.

use data_encoding::{BASE64, HEXLOWER};
use epcis_edge_core::error::LogFault;
use epcis_edge_core::log::{
    Audit, Checkpoint, CosignedAt, Edge, EntryBundle, GatewayStamps, Hash, KeyKind, Note, Policy,
    Proof, ProofPlan, Signer, Statement, Tile, VerifierKey, WitnessAnswer, cosignature, empty_root,
    entry, known_cosignatures, leaf_of, node_hash, proved_event, root_of, signed, verify,
    verify_consistency, verify_inclusion,
};
use epcis_edge_tests::mutants::rounds;
use epcis_edge_tests::random::Random;
use epcis_edge_tests::variables::is_on;
use epcis_edge_tests::{own_vectors, read_text};
use sha2::{Digest as _, Sha256};
use signed_note::{StandardVerifier, VerifierList};
use tlog_tiles::{
    HashReader, TileHashReader, TileReader, check_record, check_tree, prove_record, prove_tree,
    stored_hash_index, stored_hashes_for_record_hash, tree_hash,
};

const ORIGIN: &str = "epcis.example.com/log";
const WITNESS: &str = "witness.example.com/w1";
const LOG_VKEY: &str =
    "epcis.example.com/log+c23595d5+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
const WITNESS_VKEY: &str =
    "witness.example.com/w1+969980cf+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X";
const SEEN: u64 = 1_795_255_200;
/// One day after `SEEN`, in milliseconds.
const NOW: u64 = (SEEN + 86_400) * 1000;
const CHECKPOINT: &str = "epcis.example.com/log\n3\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\n\n\
    \u{2014} epcis.example.com/log wjWV1SWwU9dfdo9Hzg1BT0GJGeOiJw1SlyElkqso9y0WB7dx3RAqt9bCov+xTajgrPQ2mq+nPHOycOeaD+OhNsek0Qs=\n\
    \u{2014} witness.example.com/w1 lpmAzwAAAABrAWugetQ7dYZ3qSGujfdzb8ppXY3EOiegKYw3E02PBjrovveH/97UlJk2Za7TSzy5yiF9Pequ8uK5BZpCX4mFimEyBg==\n";

fn seed(first: u8) -> [u8; 32] {
    std::array::from_fn(|at| first + at as u8)
}

fn log_key() -> Signer {
    Signer::new(ORIGIN, KeyKind::Note, &seed(0)).unwrap()
}

fn witness_key() -> Signer {
    Signer::new(WITNESS, KeyKind::Cosignature, &seed(32)).unwrap()
}

fn policy() -> String {
    format!("log {LOG_VKEY}\nwitness W1 {WITNESS_VKEY}\nquorum W1\n")
}

fn sha256(text: &str) -> Hash {
    Sha256::digest(text).into()
}

fn statement(number: u8) -> Statement {
    Statement {
        event: sha256(&format!("stored bytes {number}")),
        document: sha256(&format!("document {}", number / 2)),
        fields: 7 + u64::from(number),
        field_root: sha256(&format!("fields {number}")),
        stamps: GatewayStamps {
            captured_by: "https://example.com/accounts/1".to_owned(),
            who: "https://id.gs1.org/417/9521141000009".to_owned(),
            record_time: format!("2026-11-21T10:00:0{number}.000Z"),
        },
    }
}

fn hash(base64: &str) -> Hash {
    BASE64.decode(base64.as_bytes()).unwrap().try_into().unwrap()
}

fn leaves() -> Vec<Hash> {
    let commitments = (0..3).map(|at| statement(at).commitment(&[at + 1; 32]).unwrap());
    commitments.map(|commitment| leaf_of(&commitment)).collect()
}

/// The tiles of a plan, computed from the leaves level by level.
fn tiles_of(plan: &[Tile], leaves: &[Hash]) -> Vec<Vec<Hash>> {
    tiles_by(plan, |level, at| {
        let width = 256_usize.pow(level.into());
        let start = usize::try_from(at).unwrap() * width;
        root_of(&leaves[start..start + width])
    })
}

/// The tiles of a plan. `hash` returns the hash at a level and an index.
fn tiles_by(plan: &[Tile], hash: impl Fn(u8, u64) -> Hash) -> Vec<Vec<Hash>> {
    plan.iter()
        .map(|tile| {
            let first = tile.number * 256;
            let numbers = first..first + u64::from(tile.width);
            numbers.map(|at| hash(tile.level, at)).collect()
        })
        .collect()
}

fn made(plan: &ProofPlan, leaves: &[Hash]) -> Vec<Hash> {
    plan.hashes_from(&tiles_of(&plan.tiles(), leaves)).unwrap()
}

#[test]
fn the_vectors_of_the_design() {
    assert_eq!(
        statement(0).text().unwrap(),
        "epcis-edge/statement/v2\n\
         7388387eb9559f539d6038198f6e630492e676ab5f4be68557645cc593290181\n\
         19e6bd2cd5bf609698c0c4a92280ad54d614eca1576244d9c9916b3721560278\n\
         7 63c31bb74ad2eabb911f0dad7e593a45462cac7220f924db77eb2787c8af2c59\n\
         https://example.com/accounts/1\n\
         https://id.gs1.org/417/9521141000009\n\
         2026-11-21T10:00:00.000Z\n"
    );
    let entries = [
        "65706369732d656467652f6c6561662f76310afc051af27be72340961a143a563197ee4907567351e34d5e3074b4a96f305ddf",
        "65706369732d656467652f6c6561662f76310abd3a1858855d041db8b19bf59254ed0853cc16d3dac6a90a8d2a674426dcea8b",
        "65706369732d656467652f6c6561662f76310a653d1734701eea1b0b456f66e53b14eaff0cfd594918a1a2df4b0c4f4c00eed0",
    ];
    let mut bundle = Vec::new();
    for (at, expected) in (0..).zip(entries) {
        let text = statement(at);
        assert_eq!(Statement::read(&text.text().unwrap()).unwrap(), text);
        let entry = entry(&text.commitment(&[at + 1; 32]).unwrap());
        assert_eq!(HEXLOWER.encode(&entry), expected);
        bundle.extend_from_slice(&(entry.len() as u16).to_be_bytes());
        bundle.extend_from_slice(&entry);
    }
    assert_eq!(bundle.len(), 159);
    assert_eq!(
        HEXLOWER.encode(&Sha256::digest(&bundle)),
        "37395ac24a497f1afba9a5908595d290efab92fa3c077d241fec022febb6ed8b"
    );
    let leaves = leaves();
    let expected = [
        "+A+aEMiSVVfI5ak/KVxH0VRtIAHjdJbtNQuoDiQf5dI=",
        "LHnnZBBTcdJMgyW4EiT8Nqg0TWmEAa8aoM8D2GR5LM4=",
        "AJqqbIo5yVElPO77Uegt7qOQY7LSNHTdvnY/aGPrHjU=",
    ];
    assert_eq!(leaves, expected.map(hash));
    let tile: Vec<u8> = leaves.concat();
    assert_eq!(
        HEXLOWER.encode(&Sha256::digest(&tile)),
        "c3e809715870b0b1a1fcf37dfd35e575f2319fd47ed2efce2bef68d48b70cfab"
    );
    let root_2 = hash("Jrqepgu85sPltk5hzUmZFbT7VA+hV/KyHqUGJeu068U=");
    let root_3 = hash("JUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=");
    assert_eq!(
        [root_of(&leaves[..1]), root_of(&leaves[..2]), root_of(&leaves)],
        [leaves[0], root_2, root_3]
    );
    assert_eq!(made(&ProofPlan::inclusion(1, 3), &leaves), [leaves[0], leaves[2]]);
    assert_eq!(made(&ProofPlan::inclusion(2, 3), &leaves), [root_2]);
    assert_eq!(made(&ProofPlan::consistency(2, 3), &leaves), [leaves[2]]);
    assert_eq!(made(&ProofPlan::consistency(1, 3), &leaves), [leaves[1], leaves[2]]);
    assert_eq!(log_key().key().to_string(), LOG_VKEY);
    assert_eq!(witness_key().key().to_string(), WITNESS_VKEY);
    let checkpoint = Checkpoint { origin: ORIGIN.to_owned(), size: 3, root: root_3 };
    let note = signed(&checkpoint.text(), &[log_key()]);
    let line = cosignature(&checkpoint.text(), SEEN, &witness_key());
    assert_eq!(format!("{note}{line}"), CHECKPOINT);
    let read = Note::read(CHECKPOINT).unwrap();
    assert!(read.is_signed_by(log_key().key()).unwrap());
    let seen = CosignedAt { first: SEEN, last: SEEN };
    assert_eq!(read.cosigned_by(witness_key().key()).unwrap(), Some(seen));
    // Paths of tiles, then paths that are not.
    for (number, path) in
        [(0, "000"), (999, "999"), (1000, "x001/000"), (1_234_067, "x001/x234/067")]
    {
        let tile = Tile { level: 3, number, width: 17 };
        assert_eq!(tile.to_string(), format!("tile/3/{path}.p/17"));
        assert_eq!(Tile::named(&format!("3/{path}.p/17")), Some(tile));
        assert_eq!(EntryBundle::named(path), Some(EntryBundle { number, width: 256 }));
    }
}

#[test]
fn the_note_of_the_specification() {
    let key = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
    let key = VerifierKey::named(key).unwrap();
    assert_eq!(
        key.to_string(),
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
    );
    assert_eq!(key.kind(), KeyKind::Note);
}

/// The hashes of a tree as the other crate stores them.
#[derive(Default)]
struct Theirs(Vec<tlog_tiles::Hash>);

impl HashReader for Theirs {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<tlog_tiles::Hash>, tlog_tiles::Error> {
        Ok(indexes.iter().map(|at| self.0[usize::try_from(*at).unwrap()]).collect())
    }
}

impl Theirs {
    fn push(&mut self, number: u64, leaf: &Hash) {
        let more = stored_hashes_for_record_hash(number, tlog_tiles::Hash(*leaf), self).unwrap();
        self.0.extend(more);
    }
}

/// Our tiles, in the form that the other crate reads.
struct Ours<'l>(&'l [Hash]);

impl TileReader for Ours<'_> {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[tlog_tiles::Tile]) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
        let read = |tile: &tlog_tiles::Tile| {
            // Finds the tile by the path that the other crate requests.
            let path = tile.path();
            let path = path.strip_prefix("tile/8/").or(path.strip_prefix("tile/"));
            let ours = Tile::named(path.unwrap()).unwrap();
            tiles_of(&[ours], self.0).concat().concat()
        };
        Ok(tiles.iter().map(read).collect())
    }

    fn save_tiles(&self, _: &[tlog_tiles::Tile], _: &[Vec<u8>]) {}
}

fn as_hashes(theirs: &[tlog_tiles::Hash]) -> Vec<Hash> {
    theirs.iter().map(|hash| hash.0).collect()
}

#[test]
fn random_trees_beside_another_crate() {
    let mut random = Random::new(1);
    let least = rounds(10_000);
    let mut trees = 0;
    for _ in 0..least.div_ceil(200) {
        let most = 1 + random.below(2000) as u64;
        let leaves: Vec<Hash> =
            (0..most).map(|_| std::array::from_fn(|_| random.below(256) as u8)).collect();
        let mut theirs = Theirs::default();
        let mut edge = Edge::of(0, Vec::new()).unwrap();
        let mut roots = vec![edge.root()];
        for (number, leaf) in (0..).zip(&leaves) {
            theirs.push(number, leaf);
            edge.push(*leaf);
            roots.push(edge.root());
        }
        // The hashes for two levels of tiles: the leaves, and the roots of each 256 leaves.
        let (full, _) = leaves.as_chunks::<256>();
        let above: Vec<Hash> = full.iter().map(|leaves| root_of(leaves)).collect();
        let made = |plan: &ProofPlan| {
            let tiles = tiles_by(&plan.tiles(), |level, at| {
                [&leaves, &above][usize::from(level)][at as usize]
            });
            plan.hashes_from(&tiles).unwrap()
        };
        for _ in 0..least.min(200) {
            let size = 1 + random.below(most as usize) as u64;
            let (index, old) =
                (random.below(size as usize) as u64, 1 + random.below(size as usize) as u64);
            let root = roots[size as usize];
            assert_eq!(tree_hash(size, &theirs).unwrap().0, root);
            let inclusion = made(&ProofPlan::inclusion(index, size));
            assert_eq!(inclusion, as_hashes(&prove_record(size, index, &theirs).unwrap()));
            let leaf = &leaves[index as usize];
            verify_inclusion(leaf, index, size, &root, &inclusion).unwrap();
            let consistency = made(&ProofPlan::consistency(old, size));
            assert_eq!(consistency, as_hashes(&prove_tree(size, old, &theirs).unwrap()));
            let old_root = roots[old as usize];
            verify_consistency(old, &old_root, size, &root, &consistency).unwrap();
            // After any change to a proof, neither crate accepts it.
            let at = random.below(inclusion.len().max(1));
            let bit = random.below(256);
            if let Some(mut broken) = flipped(&inclusion, at, bit) {
                assert_eq!(
                    verify_inclusion(leaf, index, size, &root, &broken),
                    Err(LogFault::Inclusion)
                );
                let proof = broken.iter().map(|hash| tlog_tiles::Hash(*hash)).collect();
                assert!(
                    check_record(
                        &proof,
                        size,
                        tlog_tiles::Hash(root),
                        index,
                        tlog_tiles::Hash(*leaf)
                    )
                    .is_err()
                );
                broken = inclusion.clone();
                broken.pop();
                assert!(verify_inclusion(leaf, index, size, &root, &broken).is_err());
            }
            let mut longer = inclusion.clone();
            longer.push([7; 32]);
            assert_eq!(
                verify_inclusion(leaf, index, size, &root, &longer),
                Err(LogFault::ProofLength)
            );
            let at = random.below(consistency.len().max(1));
            if let Some(broken) = flipped(&consistency, at, bit) {
                assert_eq!(
                    verify_consistency(old, &old_root, size, &root, &broken),
                    Err(LogFault::Consistency)
                );
                let proof = broken.iter().map(|hash| tlog_tiles::Hash(*hash)).collect();
                let (old_root, root) = (tlog_tiles::Hash(old_root), tlog_tiles::Hash(root));
                assert!(check_tree(&proof, size, root, old, old_root).is_err());
            }
            let mut longer = consistency.clone();
            longer.push([7; 32]);
            assert!(verify_consistency(old, &old_root, size, &root, &longer).is_err());
            trees += 1;
        }
        let known = Ours(&leaves);
        let reader = TileHashReader::new(most, tlog_tiles::Hash(roots[most as usize]), &known);
        let wanted: Vec<u64> = (0..most).step_by(37).map(|at| stored_hash_index(0, at)).collect();
        let found = reader.read_hashes(&wanted).unwrap();
        let expected: Vec<Hash> = leaves.iter().step_by(37).copied().collect();
        assert_eq!(as_hashes(&found), expected);
    }
    assert!(trees >= least);
}

fn flipped(proof: &[Hash], at: usize, bit: usize) -> Option<Vec<Hash>> {
    let mut broken = proof.to_vec();
    broken.get_mut(at)?[bit / 8] ^= 1 << (bit % 8);
    Some(broken)
}

#[test]
fn trees_of_sizes_where_tiles_begin_and_end() {
    let leaves: Vec<Hash> =
        (0..70_000_u32).map(|at| Sha256::digest(at.to_be_bytes()).into()).collect();
    let mut edge = Edge::of(0, Vec::new()).unwrap();
    let mut full = Vec::new();
    for (size, leaf) in (1..).zip(&leaves) {
        full.extend(edge.push(*leaf));
        if !matches!(size, 255..=257 | 65_535..=65_537 | 70_000) {
            continue;
        }
        let known = &leaves[..usize::try_from(size).unwrap()];
        assert_eq!(edge.root(), root_of(known), "{size}");
        let tiles = Tile::edge(size);
        for tile in &tiles {
            assert_eq!(u64::from(tile.width), (size >> (8 * tile.level)) % 256);
        }
        // An edge rebuilt from its tiles has the same root.
        let again = Edge::of(size, tiles_of(&tiles, known)).unwrap();
        assert_eq!(again.root(), edge.root());
        for index in [0, size / 2, size - 1] {
            let proof = made(&ProofPlan::inclusion(index, size), known);
            verify_inclusion(
                &known[usize::try_from(index).unwrap()],
                index,
                size,
                &edge.root(),
                &proof,
            )
            .unwrap();
        }
        let olds = [1, 255, 256, size / 2, size - 1, size];
        for old in olds.into_iter().filter(|old| *old <= size) {
            let proof = made(&ProofPlan::consistency(old, size), known);
            verify_consistency(
                old,
                &root_of(&known[..usize::try_from(old).unwrap()]),
                size,
                &edge.root(),
                &proof,
            )
            .unwrap();
        }
    }
    assert_eq!(full.iter().filter(|tile| tile.level == 0).count(), 273);
    assert_eq!(full.iter().filter(|tile| tile.level == 1).count(), 1);
    for tile in &full {
        assert_eq!(tile.root, root_of(&tile.hashes));
        let asked = Tile { level: tile.level, number: tile.number, width: 256 };
        assert_eq!(tiles_of(&[asked], &leaves), std::slice::from_ref(&tile.hashes));
    }
    let widths: Vec<_> = Tile::edge(70_000).iter().map(|tile| (tile.level, tile.width)).collect();
    assert_eq!(widths, [(0, 112), (1, 17), (2, 1)]);
    assert_eq!(Tile { level: 0, number: 273, width: 112 }.sizes(), Some(70_000..=70_000));
}

#[test]
fn paths_that_are_no_tiles() {
    for path in [
        "",
        "0",
        "0/",
        "0/0",
        "0/00",
        "0/0000",
        "0/x000/000",
        "0/x00/000",
        "0/x001/x/000",
        "0/x001/1000",
        "0/001/000",
        "00/000",
        "64/000",
        "-1/000",
        "+0/000",
        "0/000.p/0",
        "0/000.p/00",
        "0/000.p/01",
        "0/000.p/256",
        "0/000.p/",
        "0/000.p",
        "0/000.p/1/",
        "0/000/",
        "0//000",
        "0/000.p/1.p/1",
        "0/\u{661}\u{661}\u{661}",
        "0/x999/x999/x999/x999/x999/x999/x999/999",
        "0/000%20",
        "a/000",
        " 0/000",
    ] {
        assert_eq!(Tile::named(path), None, "{path}");
    }
    assert_eq!(Tile::named("63/000").unwrap().sizes(), None);
    assert_eq!(Tile::named("0/x072/x057/x594/x037/x927/935").unwrap().sizes(), None);
    assert_eq!(Tile::named("0/x999/x999/x999/x999/x999/999").unwrap().sizes(), None);
}

#[test]
fn notes_that_are_refused() {
    let text = &CHECKPOINT[..CHECKPOINT.find("\n\n").unwrap() + 1];
    let line = CHECKPOINT.lines().nth(4).unwrap();
    for (what, note) in [
        ("a carriage return", CHECKPOINT.replace('\n', "\r\n")),
        ("NUL", CHECKPOINT.replacen("log", "l\0og", 1)),
        ("a tab", CHECKPOINT.replacen('3', "3\t", 1)),
        ("no signature", format!("{text}\n")),
        ("no empty line", format!("{text}{line}\n")),
        ("no line feed at the end", CHECKPOINT.trim_end().to_owned()),
        ("a hyphen for the dash", CHECKPOINT.replace('\u{2014}', "-")),
        ("two spaces", format!("{text}\n{}\n", line.replace("log w", "log  w"))),
        ("base64 without padding", format!("{text}\n{}\n", line.trim_end_matches('='))),
        ("a key id alone", format!("{text}\n\u{2014} a AAAAAA==\n")),
        ("a name with a plus", format!("{text}\n{}\n", line.replace("log w", "lo+g w"))),
        ("a hundred and one signatures", format!("{text}\n{}", format!("{line}\n").repeat(101))),
        ("too long", format!("{}{CHECKPOINT}", "a\n".repeat(40_000))),
    ] {
        assert!(matches!(Note::read(&note), Err(LogFault::Note(_))), "{what}");
    }
    // Any number of unknown keys may have signed too. The signature of a known key must be valid.
    let sixteen: String = (0..16).map(|at| format!("\u{2014} other{at} AAAAAAAA\n")).collect();
    let note = format!("{CHECKPOINT}{sixteen}");
    assert!(Note::read(&note).unwrap().is_signed_by(log_key().key()).unwrap());
    // A key may sign twice, but each of its signatures must be valid.
    let twice = format!("{CHECKPOINT}{line}\n");
    assert!(Note::read(&twice).unwrap().is_signed_by(log_key().key()).unwrap());
    let forged = CHECKPOINT.replacen("\n3\n", "\n4\n", 1);
    let found = Note::read(&forged).unwrap().is_signed_by(log_key().key());
    assert_eq!(found, Err(LogFault::Signature(ORIGIN.to_owned())));
    for text in [
        "a\n3\n",
        "a\n3\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\n\n",
        "a\n3\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\n\nmore\n",
        "a\n3\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\nmore",
        "a\n9007199254740992\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\n",
        "\n3\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\n",
        "a\n03\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\n",
        "a\n18446744073709551616\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\n",
        "a\n-3\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\n",
        "a\n3\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbp=\n",
        "a\n0\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=\n",
        "a\n3\nJUL2aBjoaDmHS5oZ6Re8w+LfBUezYuc9/nMfazxEbbo=",
    ] {
        assert!(matches!(Checkpoint::read(text), Err(LogFault::Checkpoint(_))), "{text}");
    }
}

/// A log may add lines after the first three. They are signed and cosigned with the rest.
#[test]
fn checkpoints_with_more_lines() {
    let (event, proof) = proven();
    let plain = Note::read(&proof.checkpoint).unwrap().text().to_owned();
    let text = format!("{plain}more\nand more\n");
    assert_eq!(Checkpoint::read(&text), Checkpoint::read(&plain));
    let note = signed(&text, &[log_key()]) + &cosignature(&text, SEEN, &witness_key());
    let with = |checkpoint: String| {
        let proof = Proof { checkpoint, ..proof.clone() };
        failed(&event, &proof.text(), &policy())
    };
    assert_eq!(with(note.clone()), None);
    assert_eq!(with(note.replace("and more", "or less")), Some("log"));
    assert_eq!(
        with(signed(&text, &[log_key()]) + &cosignature(&plain, SEEN, &witness_key())),
        Some("witnesses")
    );
}

#[test]
fn notes_beside_another_crate() {
    let verifiers = VerifierList::new(vec![Box::new(StandardVerifier::new(LOG_VKEY).unwrap())]);
    let mut random = Random::new(2);
    let mut agreed = [0; 2];
    for _ in 0..3000 {
        let mut note = CHECKPOINT.as_bytes().to_vec();
        let (at, bit) = (random.below(note.len()), random.below(8));
        note[at] ^= 1 << bit;
        let theirs =
            signed_note::Note::from_bytes(&note).is_ok_and(|note| note.verify(&verifiers).is_ok());
        let text = String::from_utf8(note);
        let ours = text.as_ref().is_ok_and(|text| {
            Note::read(text).is_ok_and(|note| note.is_signed_by(log_key().key()) == Ok(true))
        });
        assert_eq!(ours, theirs, "{text:?}");
        agreed[usize::from(ours)] += 1;
    }
    // Both outcomes are common: if only the line of the witness is changed, the log's signature is still valid.
    assert!(agreed[0] > 500 && agreed[1] > 500, "{agreed:?}");
}

/// A stamped event and its proof in the tree of the vectors.
fn proven() -> (String, Proof) {
    let event = r#"{"@context":"https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld","type":"ObjectEvent","action":"OBSERVE","epcList":["urn:epc:id:sscc:9521141.1234567890"],"eventTime":"2026-03-04T11:00:30.000+01:00","eventTimeZoneOffset":"+01:00","eventID":"urn:uuid:1","recordTime":"2026-11-21T10:00:01.000Z","spine:who":"https://id.gs1.org/417/9521141000009","spine:capturedBy":"https://example.com/accounts/1"}"#;
    let document = HEXLOWER.encode(&sha256("document 0"));
    let salt = [2; 32];
    let statement = Statement::of_stored(event, &document, &salt).unwrap();
    let mut leaves = leaves();
    leaves[1] = leaf_of(&statement.commitment(&salt).unwrap());
    let checkpoint = Checkpoint { origin: ORIGIN.to_owned(), size: 3, root: root_of(&leaves) };
    let note = signed(&checkpoint.text(), &[log_key()])
        + &cosignature(&checkpoint.text(), SEEN, &witness_key());
    let proof = Proof {
        extra: Some((salt, statement.text().unwrap())),
        index: 1,
        path: made(&ProofPlan::inclusion(1, 3), &leaves),
        checkpoint: note,
    };
    (event.to_owned(), proof)
}

/// The files for the tests of the package and the page.
#[test]
fn the_files_of_a_proof() {
    let (event, proof) = proven();
    for (name, text) in
        [("event.json", event), ("event.tlog-proof", proof.text()), ("trusted.policy", policy())]
    {
        let path = own_vectors("log").join(name);
        if is_on("EPCIS_EDGE_BLESS") {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(read_text(&path), text, "{name}");
    }
}

#[test]
fn a_proof_holds_and_says_before_when() {
    let (event, proof) = proven();
    assert_eq!(Proof::read(&proof.text()).unwrap(), proof);
    let verdict = verify(event.as_bytes(), &proof.text(), &policy(), NOW).unwrap();
    assert!(verdict.valid, "{verdict:#?}");
    let steps: Vec<_> = verdict.steps.iter().map(|step| step.step).collect();
    assert_eq!(steps, ["proof", "event", "leaf", "log", "witnesses", "inclusion"]);
    // The witness saw it within that second, so it was logged before the next.
    assert_eq!(verdict.logged_before.as_deref(), Some("2026-11-21T10:00:01.000Z"));
    assert_eq!(verdict.logged_before_by, ["W1"]);
    let event_seen = verdict.event.unwrap();
    assert_eq!(event_seen.path, "");
    assert_eq!(event_seen.event_type, "ObjectEvent");
    assert_eq!(event_seen.event_id, "urn:uuid:1");
    assert_eq!(event_seen.epc.as_deref(), Some("urn:epc:id:sscc:9521141.1234567890"));
    assert_eq!(event_seen.error_declaration, None);
    let alone = format!("log {LOG_VKEY}\nquorum none\n");
    let verdict = verify(event.as_bytes(), &proof.text(), &alone, NOW).unwrap();
    assert_eq!((verdict.valid, verdict.logged_before), (true, None));
}

/// A reader of "logged" believes that it covers the whole file, so an event beside the proved one is reported.
#[test]
fn an_event_beside_the_proved_one_is_told() {
    let (event, proof) = proven();
    let document = |events: &[&str]| {
        let events = events.join(", ");
        format!(r#"{{"type":"EPCISDocument","epcisBody":{{"eventList":[{events}]}}}}"#)
    };
    let judged =
        |document: &str| verify(document.as_bytes(), &proof.text(), &policy(), NOW).unwrap();
    let alone = judged(&document(&[&event]));
    assert!(alone.valid, "{alone:#?}");
    assert_eq!(alone.event.unwrap().path, "/epcisBody/eventList/0");
    let forged = event.replace("OBSERVE", "DELETE");
    for (events, path) in [
        (vec![forged.as_str(), &event], "/epcisBody/eventList/0"),
        (vec![&event, &forged], "/epcisBody/eventList/1"),
        // The same event twice would mean that it happened twice.
        (vec![&event, &event], "/epcisBody/eventList/1"),
    ] {
        let document = document(&events);
        let verdict = judged(&document);
        assert!(!verdict.valid && verdict.logged_before.is_none());
        let step = &verdict.steps[1];
        assert_eq!((step.step, step.holds), ("event", false));
        assert!(
            step.detail.contains("1 more event") && step.detail.contains(path),
            "{}",
            step.detail
        );
        assert_eq!(proved_event(document.as_bytes(), &proof.text()).unwrap(), event);
    }
    assert!(proved_event(forged.as_bytes(), &proof.text()).is_err());
    // If a name is repeated, another reader may find the forged event.
    for first in [&forged, &event] {
        let lists = format!(r#""eventList":[{first}],"eventList":[{event}]"#);
        let twice = format!(r#"{{"type":"EPCISDocument","epcisBody":{{{lists}}}}}"#);
        let verdict = judged(&twice);
        assert!(!verdict.valid, "{verdict:#?}");
    }
}

/// One of several witnesses may lie, so the date is the time at which the quorum was reached.
#[test]
fn no_witness_dates_a_proof_back_or_ahead() {
    let (event, proof) = proven();
    let checkpoint = Checkpoint::read(Note::read(&proof.checkpoint).unwrap().text()).unwrap();
    let keys: Vec<Signer> = (0..3)
        .map(|at| {
            let name = format!("w{at}.example.com");
            Signer::new(&name, KeyKind::Cosignature, &seed(64 + at)).unwrap()
        })
        .collect();
    let witnesses: String =
        (0..3).map(|at| format!("witness W{at} {}\n", keys[at].key())).collect();
    let judged = |quorum: &str, times: &[(usize, u64)]| {
        let mut note = signed(&checkpoint.text(), &[log_key()]);
        for (at, time) in times {
            note += &cosignature(&checkpoint.text(), *time, &keys[*at]);
        }
        let proof = Proof { checkpoint: note, ..proof.clone() };
        let policy = format!("log {LOG_VKEY}\n{witnesses}{quorum}\n");
        verify(event.as_bytes(), &proof.text(), &policy, NOW).unwrap()
    };
    let two = "group G 2 W0 W1 W2\nquorum G";
    let nested = "group A any W0 W1\ngroup B all A W2\nquorum B";
    let (t, late) = (SEEN, SEEN + 100);
    let far = i64::MAX as u64;
    let before = |seconds: u64| {
        let second = seconds - SEEN;
        Some(format!("2026-11-21T10:{:02}:{:02}.000Z", second / 60, second % 60))
    };
    for (quorum, times, expected, by) in [
        (two, vec![(0, t), (1, late)], before(late + 1), vec!["W0", "W1"]),
        (two, vec![(0, 0), (1, t), (2, late)], before(t + 1), vec!["W0", "W1"]),
        (two, vec![(2, late), (1, t), (0, 0)], before(t + 1), vec!["W0", "W1"]),
        (two, vec![(0, 0), (1, 0), (2, t)], None, vec![]),
        (two, vec![(0, t), (1, far)], None, vec![]),
        (two, vec![(0, t), (1, t + 5), (2, far)], before(t + 6), vec!["W0", "W1"]),
        // A witness cosigned again later: its first time counts.
        (two, vec![(0, t), (0, late), (1, t)], before(t + 1), vec!["W0", "W1"]),
        (nested, vec![(0, 0), (1, t), (2, late)], before(late + 1), vec!["W0", "W1", "W2"]),
        (nested, vec![(0, late), (2, t)], before(late + 1), vec!["W0", "W2"]),
        ("quorum none", vec![(0, 0), (1, late), (2, t)], before(t + 1), vec!["W2"]),
        ("quorum none", vec![(0, 0), (1, far)], None, vec![]),
        ("quorum none", vec![], None, vec![]),
    ] {
        let verdict = judged(quorum, &times);
        let what = format!("{quorum} {times:?}: {verdict:#?}");
        assert!(verdict.valid, "{what}");
        assert_eq!(verdict.logged_before, expected, "{what}");
        assert_eq!(verdict.logged_before_by, by, "{what}");
        for (at, time) in times {
            let name = format!("W{at}");
            let told = verdict.cosignatures.iter().find(|one| one.name == name);
            let doubt = told.unwrap().doubt;
            match time {
                0 => assert_eq!(doubt, Some("before the recordTime of the event"), "{what}"),
                time if time == far => assert_eq!(doubt, Some("after now"), "{what}"),
                _ => assert_eq!(doubt, None, "{what}"),
            }
        }
    }
    // A time above 2^63 - 1 is invalid.
    for time in [1 << 63, u64::MAX] {
        let verdict = judged(two, &[(0, t), (1, t), (2, time)]);
        assert!(!verdict.valid);
        assert!(!verdict.steps[4].holds, "{verdict:#?}");
    }
    // Too few cosignatures are not enough, whatever their times.
    assert!(!judged(two, &[(0, t)]).valid);
}

/// The first step that fails.
fn failed(event: &str, proof: &str, policy: &str) -> Option<&'static str> {
    let verdict = verify(event.as_bytes(), proof, policy, NOW).unwrap();
    assert_eq!(verdict.valid, verdict.steps.iter().all(|step| step.holds));
    assert!(verdict.valid || verdict.logged_before.is_none());
    verdict.steps.iter().find(|step| !step.holds).map(|step| step.step)
}

#[test]
fn every_flipped_bit_of_a_proof_is_seen() {
    let (event, proof) = proven();
    let text = proof.text();
    // One bit of each byte, where not all are asked for.
    let bits = if rounds(1000) < 1000 { 1 } else { 8 };
    for at in 0..text.len() {
        for bit in (at..at + bits).map(|bit| bit % 8) {
            let mut broken = text.clone().into_bytes();
            broken[at] ^= 1 << bit;
            // Text that is not UTF-8 is rejected earlier.
            let Ok(broken) = String::from_utf8(broken) else {
                continue;
            };
            assert!(failed(&event, &broken, &policy()).is_some(), "byte {at}, bit {bit}: {broken}");
        }
    }
    for at in 0..event.len() {
        let mut broken = event.clone().into_bytes();
        broken[at] ^= 1;
        let verdict = verify(&broken, &text, &policy(), NOW);
        assert!(verdict.is_err() || verdict.is_ok_and(|verdict| !verdict.valid), "byte {at}");
    }
}

#[test]
fn what_is_wrong_with_a_proof_is_told_by_its_step() {
    let (event, proof) = proven();
    let with = |change: &dyn Fn(&mut Proof)| {
        let mut changed = proof.clone();
        change(&mut changed);
        changed.text()
    };
    let policy = policy();
    let cases: [(&str, String, &str); 9] = [
        ("proof", "c2sp.org/tlog-proof@v2\n".to_owned(), "another format"),
        ("proof", with(&|proof| proof.path = vec![[0; 32]; 64]), "64 hashes"),
        (
            "proof",
            with(&|proof| {
                proof.checkpoint = proof.checkpoint.replace("\n3\n", "\n18446744073709551616\n")
            }),
            "a size of 2^64",
        ),
        ("proof", proof.text().replace('\n', "\r\n"), "carriage returns"),
        ("inclusion", with(&|proof| proof.index = 3), "an index beyond the size"),
        ("inclusion", with(&|proof| proof.path.push([0; 32])), "a hash too many"),
        ("inclusion", with(&|proof| proof.path.truncate(1)), "a hash too few"),
        ("event", with(&|proof| proof.extra = None), "no statement"),
        (
            "log",
            with(&|proof| {
                proof.checkpoint = proof.checkpoint.replace(ORIGIN, "other.example.com/log")
            }),
            "another origin",
        ),
    ];
    for (step, text, what) in cases {
        assert_eq!(failed(&event, &text, &policy), Some(step), "{what}");
    }
    let twice = |name: &str| {
        let line = proof
            .checkpoint
            .lines()
            .find(|line| line.starts_with(&format!("\u{2014} {name} ")))
            .unwrap()
            .to_owned();
        with(&|proof| proof.checkpoint.push_str(&format!("{line}\n")))
    };
    // A key may sign twice.
    assert_eq!(failed(&event, &twice(ORIGIN), &policy), None);
    assert_eq!(failed(&event, &twice(WITNESS), &policy), None);
    for index in [(1_u64 << 53) - 1, 1 << 53, u64::MAX] {
        let far = with(&|proof| proof.index = index);
        assert_eq!(failed(&event, &far, &policy), Some("proof"), "{index}");
    }
    let other = event.replace("OBSERVE", "DELETE");
    assert_eq!(failed(&other, &proof.text(), &policy), Some("event"));
    let strict = policy.replace(
        "quorum W1",
        &format!(
            "witness W2 {}\ngroup G all W1 W2\nquorum G",
            Signer::new("w2", KeyKind::Cosignature, &[9; 32]).unwrap().key()
        ),
    );
    assert_eq!(failed(&event, &proof.text(), &strict), Some("witnesses"));
}

#[test]
fn policies_that_are_refused() {
    let policy = policy();
    let w2 = Signer::new("w2", KeyKind::Cosignature, &[9; 32]).unwrap().key().to_string();
    let renamed = Signer::new("w3", KeyKind::Cosignature, &seed(32)).unwrap().key().to_string();
    for (what, text, line) in [
        ("no quorum", policy.replace("quorum W1\n", ""), 3),
        ("two quorums", format!("{policy}quorum none\n"), 4),
        ("an unknown name", policy.replace("quorum W1", "quorum W2"), 3),
        ("a witness for a log", policy.replace(LOG_VKEY, WITNESS_VKEY), 1),
        ("a key twice", format!("{policy}witness W2 {WITNESS_VKEY}\n"), 4),
        ("a key twice under two names", format!("{policy}witness W2 {renamed}\n"), 4),
        ("a name twice", format!("{policy}witness W1 {w2}\n"), 4),
        ("a member that is none", format!("{policy}group G any W1 none\n"), 4),
        ("a group of none", format!("{policy}group G all\n"), 4),
        ("more than there are", format!("{policy}group G 2 W1\n"), 4),
        ("a member of two groups", format!("{policy}group G any W1\ngroup H any W1\n"), 5),
        ("another word", format!("{policy}mirror M\n"), 4),
        ("a carriage return", policy.replace('\n', "\r\n"), 1),
        ("more than one quorum in a line", policy.replace("quorum W1", "quorum W1 now"), 3),
    ] {
        match Policy::read(&text) {
            Err(LogFault::Policy { line: found, .. }) => assert_eq!(found, line, "{what}"),
            other => panic!("{what}: {other:?}"),
        }
    }
    let text = format!(
        "# ours\n\n  log {LOG_VKEY}\thttps://epcis.example.com/log\nwitness A {WITNESS_VKEY}\nwitness B {w2} https://b.example.com/\ngroup G 2 A B\nquorum G\n"
    );
    let read = Policy::read(&text).unwrap();
    assert!(!read.is_met(&[true, false]) && read.is_met(&[true, true]));
    assert_eq!(read.witnesses()[1].url.as_deref(), Some("https://b.example.com"));
    assert_eq!(Policy::read(&read.of_logs(read.logs())).unwrap().logs(), read.logs());
}

#[test]
fn answers_of_witnesses() {
    assert_eq!(WitnessAnswer::of(409, "text/x.tlog.size", "17\n"), WitnessAnswer::AtSize(17));
    for (status, media_type, body) in [
        (409, "text/plain", "17\n"),
        (409, "text/x.tlog.size", "17"),
        (409, "text/x.tlog.size", "x\n"),
        (404, "", ""),
        (500, "text/html", "<p>"),
    ] {
        assert_eq!(WitnessAnswer::of(status, media_type, body), WitnessAnswer::Refused { status });
    }
    let checkpoint = Checkpoint {
        origin: ORIGIN.to_owned(),
        size: 3,
        root: root_of(&[[0; 32], [1; 32], [2; 32]]),
    };
    let line = cosignature(&checkpoint.text(), SEEN, &witness_key());
    let known =
        |lines: &str| known_cosignatures(&checkpoint.text(), lines, &[witness_key().key().clone()]);
    assert_eq!(known(&line).len(), 1);
    for garbage in
        ["", "<p>", "\u{2014} witness.example.com/w1 AAAA\n", &line.replace("lpm", "lqm")]
    {
        assert_eq!(known(garbage), []);
    }
}

#[test]
fn an_auditor_sees_growth_and_nothing_else() {
    let leaves: Vec<Hash> =
        (0..300_u32).map(|at| Sha256::digest(at.to_be_bytes()).into()).collect();
    let note = |size: usize, leaves: &[Hash]| {
        let root = root_of(&leaves[..size]);
        let text = Checkpoint { origin: ORIGIN.to_owned(), size: size as u64, root }.text();
        signed(&text, &[log_key()])
    };
    let policy = format!("log {LOG_VKEY}\nquorum none\n");
    let fetched = |audit: &Audit, leaves: &[Hash]| -> Vec<Vec<u8>> {
        let tiles = tiles_of(&audit.tiles(), leaves);
        tiles.into_iter().map(|hashes| hashes.concat()).collect()
    };
    for (old, new) in [(0, 1), (1, 2), (255, 256), (256, 257), (17, 300), (300, 300)] {
        let before = note(old, &leaves);
        let before = (old > 0).then_some(before.as_str());
        let audit = Audit::of(before, &note(new, &leaves), &policy).unwrap();
        let seen = audit.check(&fetched(&audit, &leaves)).unwrap();
        assert_eq!((seen.size, seen.old_size), (new as u64, before.map(|_| old as u64)));
    }
    assert!(matches!(
        Audit::of(Some(&note(300, &leaves)), &note(17, &leaves), &policy),
        Err(LogFault::Shrunk { .. })
    ));
    let mut other = leaves.clone();
    other[5] = [1; 32];
    let audit = Audit::of(Some(&note(17, &leaves)), &note(300, &other), &policy).unwrap();
    assert_eq!(audit.check(&fetched(&audit, &other)), Err(LogFault::Consistency));
    let audit = Audit::of(None, &note(300, &leaves), &policy).unwrap();
    assert_eq!(audit.check(&fetched(&audit, &other)), Err(LogFault::Inclusion));
    assert!(matches!(audit.check(&[]), Err(LogFault::NoSuchPart { .. })));
    let empty = signed(
        &Checkpoint { origin: ORIGIN.to_owned(), size: 0, root: empty_root() }.text(),
        &[log_key()],
    );
    assert_eq!(Audit::of(None, &empty, &policy).unwrap().check(&[]).unwrap().size, 0);
}

#[test]
fn leaves_of_equal_statements_differ_and_tell_nothing() {
    let statement = statement(0);
    let leaf = |salt: u8| leaf_of(&statement.commitment(&[salt; 32]).unwrap());
    assert_ne!(leaf(1), leaf(2));
    assert_ne!(leaf(1), node_hash(&leaf(1), &leaf(1)));
    let mut broken = statement.clone();
    broken.stamps.who.push('\n');
    assert!(matches!(broken.text(), Err(LogFault::Statement { .. })));
}
