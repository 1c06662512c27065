//! What can go wrong about the transparency log: notes, proofs, policies and witnesses.

use super::{ExceptionType, Quoted};
use std::fmt;

/// Why something about a log does not hold.
///
/// Open: later versions add variants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogFault {
    /// A text is no signed note.
    Note {
        /// What was expected.
        expected: &'static str,
    },
    /// A text is no checkpoint.
    Checkpoint {
        /// What was expected.
        expected: &'static str,
    },
    /// A text is no key that verifies.
    Key {
        /// The text as given.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A text is no key that signs; nothing is told of it.
    PrivateKey,
    /// A text is no policy.
    Policy {
        /// The line, counted from 1.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// A text is no proof.
    Proof {
        /// The line, counted from 1.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// A text is no statement about an event.
    Statement {
        /// What was expected.
        expected: &'static str,
    },
    /// A text is no request to a witness.
    WitnessRequest {
        /// What was expected.
        expected: &'static str,
    },
    /// A signature of a known key does not hold.
    Signature {
        /// The name of the key.
        name: String,
    },
    /// A known key has signed more than once.
    RepeatedSignature {
        /// The name of the key.
        name: String,
    },
    /// No key that is trusted has signed.
    NotSigned {
        /// The origin of the checkpoint.
        origin: String,
    },
    /// The checkpoint is of another log.
    Origin {
        /// The origin of the checkpoint.
        found: String,
        /// The origins that are trusted.
        expected: String,
    },
    /// Fewer witnesses have cosigned than the policy asks for.
    Quorum {
        /// How many have.
        signed: usize,
    },
    /// A leaf is named that the tree does not have.
    Index {
        /// The index.
        index: u64,
        /// How many leaves the tree has.
        size: u64,
    },
    /// A proof has more or fewer hashes than its tree asks for.
    ProofLength,
    /// The leaf and the hashes of the proof do not give the root.
    Inclusion,
    /// The later tree does not begin with the earlier one.
    Consistency,
    /// The later tree is smaller.
    Shrunk {
        /// How large it was.
        old: u64,
        /// How large it is.
        new: u64,
    },
    /// The event is not the one that the statement is about.
    Event {
        /// In what they differ.
        field: &'static str,
        /// What the statement says.
        stated: String,
        /// What the event has.
        found: String,
    },
    /// Nothing is known of the event that would tell what was logged.
    NoStatement,
    /// This deployment keeps no log, or is no witness.
    NotKept {
        /// What it does not do.
        what: &'static str,
    },
    /// The event has no leaf yet.
    NotYetLogged {
        /// The name as sent.
        event_id: String,
    },
    /// The salt of the leaf was removed: what the leaf says can be proved no more.
    Muted {
        /// The name as sent.
        event_id: String,
    },
    /// There is no such head, tile or bundle of entries.
    NoSuchPart {
        /// The path as sent.
        path: String,
    },
    /// The witness does not know the log.
    UnknownOrigin {
        /// The origin of the checkpoint.
        origin: String,
    },
    /// The witness last signed a tree of another size, or another tree of this size.
    WitnessConflict {
        /// The size that it last signed.
        size: u64,
    },
    /// The witness was asked to go on from a size above that of the checkpoint.
    OldAboveNew {
        /// The size to go on from.
        old: u64,
        /// The size of the checkpoint.
        new: u64,
    },
    /// The database has not the head that was signed last: it is not as new as it was. Nothing is signed.
    Restored {
        /// The size that was signed.
        signed: u64,
        /// The size that the database has.
        found: u64,
    },
}

impl LogFault {
    /// Exception, status and title.
    pub(super) fn row(&self) -> (ExceptionType, u16, &'static str) {
        use ExceptionType as E;
        match self {
            Self::NotKept { .. }
            | Self::NotYetLogged { .. }
            | Self::Muted { .. }
            | Self::NoSuchPart { .. }
            | Self::UnknownOrigin { .. } => (E::NoSuchResource, 404, "Resource not found"),
            Self::NotSigned { .. } | Self::Signature { .. } | Self::RepeatedSignature { .. } => {
                (E::Security, 403, "Signature refused")
            }
            Self::WitnessConflict { .. } => {
                (E::ResourceAlreadyExists, 409, "Another tree was signed")
            }
            Self::Consistency | Self::ProofLength => (E::Validation, 422, "Proof refused"),
            Self::Restored { .. } => (E::Implementation, 500, "Nothing is signed"),
            _ => (E::Validation, 400, "Proof refused"),
        }
    }
}

impl fmt::Display for LogFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Note { expected } => write!(f, "this is no signed note, expected {expected}"),
            Self::Checkpoint { expected } => {
                write!(f, "this is no checkpoint, expected {expected}")
            }
            Self::Key { found, expected } => {
                write!(f, "{} is no key of a note, expected {expected}", Quoted(found))
            }
            Self::PrivateKey => f.write_str(
                "this is no key that signs, expected PRIVATE+KEY+, a name, a key id and base64, joined by `+`",
            ),
            Self::Policy { line, expected } => {
                write!(f, "this is no policy, expected {expected}, at line {line}")
            }
            Self::Proof { line, expected } => {
                write!(f, "this is no proof, expected {expected}, at line {line}")
            }
            Self::Statement { expected } => {
                write!(f, "this is no statement about an event, expected {expected}")
            }
            Self::WitnessRequest { expected } => {
                write!(f, "this is no request to a witness, expected {expected}")
            }
            Self::Signature { name } => {
                write!(f, "the signature of {} does not hold", Quoted(name))
            }
            Self::RepeatedSignature { name } => {
                write!(f, "{} has signed twice, expected one signature of a key", Quoted(name))
            }
            Self::NotSigned { origin } => write!(
                f,
                "no key that is trusted for {} has signed the checkpoint",
                Quoted(origin)
            ),
            Self::Origin { found, expected } => write!(
                f,
                "the checkpoint is of the log {}, expected {}",
                Quoted(found),
                Quoted(expected)
            ),
            Self::Quorum { signed } => write!(
                f,
                "{signed} of the witnesses that are trusted have cosigned, which is no quorum"
            ),
            Self::Index { index, size } => {
                write!(f, "the index is {index}, the tree has {size} leaves")
            }
            Self::ProofLength => f.write_str(
                "the proof has more or fewer hashes than a tree of this size asks for",
            ),
            Self::Inclusion => {
                f.write_str("the leaf and the hashes of the proof do not give the root that is signed")
            }
            Self::Consistency => f.write_str("the later tree does not begin with the earlier one"),
            Self::Shrunk { old, new } => {
                write!(f, "the log had {old} leaves and has {new}, it never shrinks")
            }
            Self::Event {
                field,
                stated,
                found,
            } => write!(
                f,
                "the {field} of the event is {}, logged was {}",
                Quoted(found),
                Quoted(stated)
            ),
            Self::NoStatement => f.write_str(
                "the proof has no salt and no statement, expected a line with `extra`",
            ),
            Self::NotKept { what } => write!(f, "this deployment {what}"),
            Self::NotYetLogged { event_id } => write!(
                f,
                "the event {} is stored and has no leaf in the log yet, ask again in a few seconds",
                Quoted(event_id)
            ),
            Self::Muted { event_id } => write!(
                f,
                "the salt of the leaf of {} was removed, nothing can be proved of it any more",
                Quoted(event_id)
            ),
            Self::NoSuchPart { path } => write!(f, "the log has no {}", Quoted(path)),
            Self::UnknownOrigin { origin } => write!(
                f,
                "this witness does not know the log {}, its operator registers origins and keys",
                Quoted(origin)
            ),
            Self::WitnessConflict { size } => {
                write!(f, "this witness last signed a tree of {size} leaves")
            }
            Self::OldAboveNew { old, new } => write!(
                f,
                "the checkpoint has {new} leaves, expected at least the {old} that it shall go on from"
            ),
            Self::Restored { signed, found } => write!(
                f,
                "a head of {signed} leaves was signed and the database does not have it, its last has {found}: it was set back, \
                 and nothing is signed"
            ),
        }
    }
}

impl std::error::Error for LogFault {}
