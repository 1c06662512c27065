#![doc = include_str!("../README.md")]

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
pub use note::{
    Checkpoint, CosignedAt, MAX_NOTE, Note, cosignature, known_cosignatures, last_time, signed,
};
pub use order::{MAX_ORDER, Order};
pub use policy::{Policy, TrustedLog, TrustedWitness};
pub use proof::{MAX_PROOF_TEXT, Proof};
pub use proofs::{FailedProof, PROOFS, ProofsVerdict, verify_proofs};
pub use proved::{ProvedDeclaration, ProvedEvent};
pub use receipt::{MAX_RECEIPT, Receipt};
pub use statement::{ENTRY_LENGTH, GatewayStamps, Statement, entry, leaf_of, salts};
pub use tile::{Edge, EntryBundle, FullTile, ProofPlan, TILE_WIDTH, Tile};
pub use tree::{
    Hash, MAX_PROOF, empty_root, leaf_hash, node_hash, root_of, verify_consistency,
    verify_inclusion,
};
pub use verify::{Step, Verdict, proved_event, verify, verify_receipt};
pub use witness::{SIZE_MEDIA_TYPE, WitnessAnswer, WitnessRequest};
