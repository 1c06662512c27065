//! The parts of a mirror, each checked before it is stored: all correct parts pass, and a part with a wrong byte does not.

use epcis_edge_core::error::LogFault;
use epcis_edge_core::log::{
    Checkpoint, EntryBundle, Hash, KeyKind, Mirror, Signer, Tile, leaf_hash, root_of, signed,
};
use epcis_edge_tests::log::tiles;
use epcis_edge_tests::random::Random;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

const ORIGIN: &str = "epcis.example.com/log";

fn log_key() -> Signer {
    Signer::new(ORIGIN, KeyKind::Note, &[1; 32]).unwrap()
}

fn policy() -> String {
    format!("log {}\nquorum none\n", log_key().key())
}

fn entries(size: usize, seed: u8) -> Vec<Vec<u8>> {
    let lengths = [51, 0, 1, 300];
    (0..size)
        .map(|at| {
            let digest = Sha256::digest([&at.to_be_bytes()[..], &[seed]].concat());
            let length = lengths[usize::from(digest[0]) % 4];
            digest.iter().copied().cycle().take(length).collect()
        })
        .collect()
}

fn leaves(size: usize, seed: u8) -> Vec<Hash> {
    let entries = entries(size, seed);
    entries.iter().map(|entry| leaf_hash(entry)).collect()
}

fn head(leaves: &[Hash]) -> String {
    let (origin, size) = (ORIGIN.to_owned(), leaves.len() as u64);
    let root = root_of(leaves);
    signed(&Checkpoint { origin, size, root }.text(), &[log_key()])
}

/// Walks all parts of a mirror, parents before children. `part` returns the bytes of a path. Returns the paths.
fn walked(
    mirror: &Mirror,
    part: &mut impl FnMut(&str) -> Vec<u8>,
) -> Result<Vec<String>, LogFault> {
    let mut seen = Vec::new();
    let edge = mirror.edge();
    let bytes: Vec<Vec<u8>> = edge.iter().map(|tile| part(&tile.to_string())).collect();
    mirror.check_edge(&bytes)?;
    seen.extend(edge.iter().map(Tile::to_string));
    let mut open: Vec<(Tile, Vec<u8>)> = edge.into_iter().zip(bytes).collect();
    while let Some((tile, bytes)) = open.pop() {
        if let Some(bundle) = tile.entries() {
            bundle.check(&part(&bundle.to_string()), &bytes)?;
            seen.push(bundle.to_string());
        }
        for below in tile.below() {
            let own = part(&below.to_string());
            below.check_below(&own, &bytes)?;
            seen.push(below.to_string());
            open.push((below, own));
        }
    }
    seen.sort();
    Ok(seen)
}

fn bundle_of(entries: &[Vec<u8>]) -> Vec<u8> {
    let parts = entries
        .iter()
        .flat_map(|entry| [(entry.len() as u16).to_be_bytes().to_vec(), entry.clone()]);
    parts.collect::<Vec<_>>().concat()
}

/// The leaf hashes and all parts of a log, by path.
fn parts(size: usize) -> (Vec<Hash>, BTreeMap<String, Vec<u8>>) {
    let (entries, leaves) = (entries(size, 0), leaves(size, 0));
    let mut parts = BTreeMap::new();
    for ((level, number), bytes) in tiles(&leaves) {
        let width = (bytes.len() / 32) as u16;
        let tile = Tile {
            level,
            number,
            width,
        };
        parts.insert(tile.to_string(), bytes);
    }
    for (number, entries) in (0..).zip(entries.chunks(256)) {
        let width = entries.len() as u16;
        parts.insert(
            EntryBundle { number, width }.to_string(),
            bundle_of(entries),
        );
    }
    (leaves, parts)
}

#[test]
fn a_mirror_has_every_part_of_a_log_once_and_no_other() {
    for size in [
        0, 1, 255, 256, 257, 511, 512, 700, 65_535, 65_536, 65_537, 66_049,
    ] {
        let (leaves, parts) = parts(size);
        let mirror = Mirror::of(&head(&leaves), &policy()).unwrap();
        let seen = walked(&mirror, &mut |path| parts[path].clone()).unwrap();
        let all: Vec<String> = parts.keys().cloned().collect();
        assert_eq!(seen, all, "{size} leaves");
    }
}

#[test]
fn a_part_that_is_changed_in_any_byte_is_not_of_the_log() {
    let (leaves, parts) = parts(66_000);
    let mirror = Mirror::of(&head(&leaves), &policy()).unwrap();
    let mut random = Random::new(5);
    let paths: Vec<&String> = parts.keys().collect();
    let mut kinds = BTreeMap::new();
    for turn in 0..600 {
        let path = match turn {
            // Parts above the leaves are few, so they are chosen explicitly.
            0..200 => "tile/2/000.p/1",
            200..300 => "tile/1/000",
            300..400 => "tile/1/001.p/1",
            400..450 => "tile/entries/257.p/208",
            _ => paths[random.below(paths.len())],
        };
        let mut wrong = parts[path].clone();
        match turn % 4 {
            0 => {
                wrong.pop();
            }
            1 => wrong.push(0),
            2 => {
                let at = random.below(wrong.len());
                wrong[at] ^= 1 << random.below(8);
            }
            _ => {
                let half = wrong.len() / 2;
                wrong.rotate_left(half);
            }
        }
        if wrong == parts[path] {
            continue;
        }
        // Only the part under test is wrong. The tiles on the way to it are correct.
        let mut serve = |asked: &str| {
            if asked == path {
                wrong.clone()
            } else {
                parts[asked].clone()
            }
        };
        let fault = walked_to(&mirror, path, &mut serve).unwrap_err();
        assert!(
            matches!(&fault, LogFault::NotOfTheLog { path: told, .. } if told == path)
                || fault == LogFault::Inclusion,
            "{path}: {fault}"
        );
        *kinds.entry(turn % 4).or_insert(0) += 1;
    }
    assert!(kinds.len() == 4 && kinds.values().all(|count| *count > 50));
}

/// Checks a part, and the parts on the way to it.
fn walked_to(
    mirror: &Mirror,
    path: &str,
    part: &mut impl FnMut(&str) -> Vec<u8>,
) -> Result<(), LogFault> {
    let edge = mirror.edge();
    let bytes: Vec<Vec<u8>> = edge.iter().map(|tile| part(&tile.to_string())).collect();
    mirror.check_edge(&bytes)?;
    let mut open: Vec<(Tile, Vec<u8>)> = edge.into_iter().zip(bytes).collect();
    while let Some((tile, bytes)) = open.pop() {
        if let Some(bundle) = tile.entries()
            && bundle.to_string() == path
        {
            return bundle.check(&part(path), &bytes);
        }
        for below in tile.below() {
            let name = below.to_string();
            if name == path {
                return below.check_below(&part(&name), &bytes);
            }
            // Entries are checked with their level 0 tile.
            let bundle = below.entries().map(|bundle| bundle.to_string());
            if below.level > 0 || bundle.as_deref() == Some(path) {
                open.push((below, part(&name)));
            }
        }
    }
    panic!("{path} is on no way")
}

#[test]
fn tiles_of_the_largest_numbers_have_no_parts_below_that_numbers_cannot_name() {
    for level in 1..=7 {
        let tile = Tile {
            level,
            number: u64::MAX,
            width: 256,
        };
        assert_eq!(tile.below(), []);
        assert_eq!(tile.entries(), None);
    }
    let tile = Tile {
        level: 0,
        number: u64::MAX,
        width: 256,
    };
    assert!(tile.check_below(&[0; 8192], &[0; 32]).is_err());
    assert!(tile.check_below(&[], &[]).is_err());
    let bundle = EntryBundle {
        number: 0,
        width: 256,
    };
    assert!(bundle.check(&[0xff; 70_000], &[0; 8192]).is_err());
    assert!(bundle.check(&[0; 512], &[]).is_err());
}
