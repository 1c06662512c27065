//! The result of auditing two heads: growth or a contradiction, and who cosigned and when.

use epcis_edge_core::error::LogFault;
use epcis_edge_core::log::{
    Audit, Checkpoint, Contradiction, Hash, KeyKind, LastCosigned, Signer, cosignature, root_of,
    signed,
};
use epcis_edge_tests::log::tiles;
use sha2::{Digest as _, Sha256};

const ORIGIN: &str = "epcis.example.com/log";

fn log_key() -> Signer {
    Signer::new(ORIGIN, KeyKind::Note, &[1; 32]).unwrap()
}

fn witness_key() -> Signer {
    Signer::new("w.example.com/w", KeyKind::Cosignature, &[2; 32]).unwrap()
}

fn policy(quorum: &str) -> String {
    let (log, witness) = (log_key(), witness_key());
    format!("log {}\nwitness W {}\nquorum {quorum}\n", log.key(), witness.key())
}

fn leaves(size: usize, seed: u8) -> Vec<Hash> {
    let digest = |at: usize| Sha256::digest([&at.to_be_bytes()[..], &[seed]].concat()).into();
    (0..size).map(digest).collect()
}

fn text(leaves: &[Hash]) -> String {
    let (origin, size) = (ORIGIN.to_owned(), leaves.len() as u64);
    let root = root_of(leaves);
    Checkpoint { origin, size, root }.text()
}

fn head(leaves: &[Hash]) -> String {
    signed(&text(leaves), &[log_key()])
}

fn fetched(audit: &Audit, leaves: &[Hash]) -> Vec<Vec<u8>> {
    let all = tiles(leaves);
    let wanted = audit.tiles().into_iter();
    wanted.map(|tile| all[&(tile.level, tile.number)].clone()).collect()
}

#[test]
fn what_two_heads_show() {
    let policy = policy("none");
    let ours = leaves(300, 0);
    let theirs = leaves(300, 1);
    let found = |old: &[Hash], new: &[Hash], served: &[Hash]| {
        let fault = match Audit::of(Some(&head(old)), &head(new), &policy) {
            Err(fault) => fault,
            Ok(audit) => audit.check(&fetched(&audit, served)).err()?,
        };
        Some(Contradiction::of(&fault).expect("a contradiction"))
    };
    assert_eq!(found(&ours[..200], &ours, &ours), None);
    assert_eq!(found(&ours, &ours, &ours), None);
    // Two heads of one size need no tiles, so the tiles of the other history change nothing.
    let fork = Some(Contradiction::Fork);
    assert_eq!(found(&ours, &theirs, &theirs), fork);
    assert_eq!(found(&ours, &theirs, &ours), fork);
    assert_eq!(found(&ours[..200], &theirs, &theirs), fork);
    assert_eq!(found(&ours, &ours[..200], &ours), Some(Contradiction::Smaller));
    assert_eq!(found(&ours[..200], &ours, &theirs), Some(Contradiction::Tiles));
    // The smaller head is compared with the kept one through the tiles of the kept one.
    assert_eq!(found(&theirs[..200], &ours, &ours), fork);
    assert!(
        Audit::of(Some(&head(&ours)), &head(&theirs), &policy)
            .is_err_and(|fault| fault == LogFault::Forked(300))
    );
}

#[test]
fn a_head_that_is_not_signed_contradicts_nothing() {
    let ours = leaves(30, 0);
    let stranger = Signer::new(ORIGIN, KeyKind::Note, &[3; 32]).unwrap();
    let elsewhere = Signer::new("elsewhere.example.com/log", KeyKind::Note, &[1; 32]).unwrap();
    let other = Checkpoint {
        origin: "elsewhere.example.com/log".to_owned(),
        size: 30,
        root: root_of(&ours),
    };
    for (new, expected) in [
        (signed(&text(&leaves(30, 1)), &[stranger]), LogFault::NotSigned(ORIGIN.to_owned())),
        (head(&ours).replace("\n30\n", "\n31\n"), LogFault::Signature(ORIGIN.to_owned())),
        (
            signed(&other.text(), &[elsewhere]),
            LogFault::Origin {
                found: "elsewhere.example.com/log".to_owned(),
                expected: ORIGIN.to_owned(),
            },
        ),
    ] {
        let fault = Audit::of(Some(&head(&ours)), &new, &policy("none")).unwrap_err();
        assert_eq!(Contradiction::of(&fault), None);
        assert_eq!(fault, expected);
    }
}

#[test]
fn cosignatures_are_told_with_their_times_and_a_missing_quorum_hides_no_fork() {
    let ours = leaves(30, 0);
    let cosigned = |time| head(&ours) + &cosignature(&text(&ours), time, &witness_key());
    for (time, expected) in [
        (1_795_255_200, "2026-11-21T10:00:00.000Z"),
        (0, "1970-01-01T00:00:00.000Z"),
        (253_402_300_799, "9999-12-31T23:59:59.000Z"),
        (253_402_300_800, "9999-12-31T23:59:59.999Z"),
        (i64::MAX as u64 / 1000 + 1, "9999-12-31T23:59:59.999Z"),
        (i64::MAX as u64, "9999-12-31T23:59:59.999Z"),
    ] {
        let audit = Audit::of(None, &cosigned(time), &policy("W")).unwrap();
        let audited = audit.check(&fetched(&audit, &ours)).unwrap();
        let (name, time) = ("W".to_owned(), expected.to_owned());
        assert_eq!(audited.cosignatures, [LastCosigned { name, time }]);
        assert_eq!(audited.witnesses, 1);
    }
    // If a witness cosigned more than once, the latest time counts, in any order.
    let twice = cosigned(1_795_255_200) + &cosignature(&text(&ours), 5, &witness_key());
    let audit = Audit::of(None, &twice, &policy("W")).unwrap();
    let audited = audit.check(&fetched(&audit, &ours)).unwrap();
    assert_eq!(audited.cosignatures[0].time, "2026-11-21T10:00:00.000Z");
    // Without the quorum, an honest head is refused, but a fork is still reported as a fork.
    let check = |old: &[Hash], new: &[Hash]| {
        let audit = Audit::of(Some(&head(old)), &head(new), &policy("W"))?;
        audit.check(&fetched(&audit, new))
    };
    assert_eq!(check(&ours[..20], &ours), Err(LogFault::Quorum(0)));
    assert_eq!(check(&ours[..20], &leaves(30, 1)), Err(LogFault::Consistency));
    assert_eq!(check(&ours, &leaves(30, 1)), Err(LogFault::Forked(30)));
    // An invalid cosignature makes the note invalid, even after everything that the log itself signed.
    let broken = head(&ours) + &cosignature(&text(&ours[..20]), 1, &witness_key());
    for broken in [broken, cosigned(1 << 63), cosigned(u64::MAX)] {
        let audit = Audit::of(None, &broken, &policy("none")).unwrap();
        assert!(matches!(audit.check(&fetched(&audit, &ours)), Err(LogFault::Signature(_))));
    }
}
