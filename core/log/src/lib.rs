//! A transparency log over stored events. It proves facts about a gateway's history that anybody can verify.
//!
//! Every stored event has a leaf, a salted commitment to the event. A leaf reveals nothing without its salt, and it cannot be
//! changed later.
//! The head of the log, a checkpoint, is signed by the gateway and cosigned by witnesses. A witness signs a new head only if its
//! tree begins with the one that it signed before.
//! All functions are pure: callers pass in the time, random bytes and keys.
//!
//! **Source**: C2SP, `tlog-tiles.md`, `tlog-checkpoint.md`, `signed-note.md`, `tlog-cosignature.md`, `tlog-witness.md`,
//! `tlog-proof.md`, `tlog-policy.md`; RFC 6962, 2.1; RFC 9942.

mod audit;
mod cbor;
mod dating;
mod disclosure;
mod fields;
mod key;
mod keyed;
mod note;
mod order;
mod policy;
mod proof;
mod proofs;
mod proved;
mod receipt;
mod statement;
mod tile;
mod tree;
mod verify;
mod witness;

pub use audit::{Audit, AuditResult, Contradiction, LastCosigned};
pub use dating::Cosigned;
pub use disclosure::{
    DisclosableField, DisclosureVerdict, MAX_DISCLOSURE, ShownField, disclosable, disclose,
    verify_disclosure,
};
pub use key::{KeyKind, Signer, VerifierKey};
pub use keyed::Salt;
pub use note::last_time;
pub use note::{Checkpoint, CosignedAt, MAX_NOTE, Note, cosignature, known_cosignatures, signed};
pub use order::{MAX_ORDER, Order};
pub use policy::{Policy, TrustedLog, TrustedWitness};
pub use proof::{MAX_PROOF_TEXT, Proof};
pub use proofs::{FailedProof, PROOFS, ProofsVerdict, verify_proofs};
pub use proved::{ProvedDeclaration, ProvedEvent};
pub use receipt::{MAX_RECEIPT, Receipt};
pub use statement::{ENTRY_LENGTH, GatewayStamps, Salts, Statement, entry, leaf_of};
pub use tile::{Edge, EntryBundle, FullTile, ProofPlan, TILE_WIDTH, Tile};
pub use tree::{
    Hash, MAX_PROOF, empty_root, leaf_hash, node_hash, root_of, verify_consistency,
    verify_inclusion,
};
pub use verify::{Step, Verdict, proved_event, verify, verify_receipt};
pub use witness::{SIZE_MEDIA_TYPE, WitnessAnswer, WitnessRequest};
