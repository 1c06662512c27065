//! A transparency log over stored events. It proves facts about a gateway's history that anybody can verify.
//!
//! ```rust
//! use epcis_edge_log::{KeyKind, Signer};
//!
//! let seed = std::array::from_fn(|at| at as u8);
//! let signer = Signer::new("epcis.example.com/log", KeyKind::Note, &seed)?;
//! let vkey = "epcis.example.com/log+c23595d5+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
//! assert_eq!(signer.key().to_string(), vkey);
//! # Ok::<(), epcis_edge_text::error::LogFault>(())
//! ```
//!
//! Every stored event has a leaf, a salted commitment, which reveals nothing without its salt. The head of the tree is signed by the
//! gateway and cosigned by witnesses. `docs/log.md` has the formats to the byte.
//!
//! **Source**: C2SP, `tlog-tiles.md`, `tlog-checkpoint.md`, `signed-note.md`, `tlog-cosignature.md`, `tlog-witness.md`, `tlog-proof.md`,
//! `tlog-policy.md`; RFC 6962, 2.1; RFC 9942.

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
