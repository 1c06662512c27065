//! Failures of the transparency log: of notes, proofs, policies and witnesses.

use super::{ExceptionType, Quoted};

/// The reason why something about a log is not valid.
///
/// Open: later versions add variants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogFault {
    /// The text is not a signed note.
    #[error("this is not a signed note, expected {0}")]
    Note(&'static str),
    /// The text is not a checkpoint.
    #[error("this is not a checkpoint, expected {0}")]
    Checkpoint(&'static str),
    /// The text is not a public key.
    #[error("{} is not a note key, expected {expected}", Quoted(.found))]
    Key {
        /// The text as given.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The text is not a signing key. The error does not contain the text.
    #[error(
        "this is not a signing key, expected PRIVATE+KEY+, a name, a key id and base64, joined by `+`"
    )]
    PrivateKey,
    /// The text is not a policy.
    #[error("this is not a policy, expected {expected}, at line {line}")]
    Policy {
        /// The line, counted from 1.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// The text is not a proof.
    #[error("this is not a proof, expected {expected}, at line {line}")]
    Proof {
        /// The line, counted from 1.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// The bytes are not a COSE receipt.
    #[error("this is not a COSE receipt, expected {expected}, at byte {at}")]
    Receipt {
        /// The offset in bytes, counted from 0.
        at: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// The text is not a statement about an event.
    #[error("this is not a statement about an event, expected {expected}")]
    Statement {
        /// What was expected.
        expected: &'static str,
    },
    /// An object has two members with the same name. No gateway writes that, and readers differ in which of them counts.
    #[error("a name is repeated in an object, expected each name once")]
    RepeatedName,
    /// The text is not a disclosure, or discloses nothing.
    #[error("this is not a disclosure, expected {0}")]
    Disclosure(&'static str),
    /// The event has no field with this name.
    #[error("the event has no field {}, expected some of {fields}", Quoted(.found))]
    NoSuchField {
        /// The name or pointer as given.
        found: String,
        /// The names of the event's fields, or the first of them.
        fields: String,
    },
    /// A field that may contain a hash of the whole event, which must not be disclosed.
    #[error(
        "{} holds a hash, perhaps of this event: anyone could use it to test guesses about the withheld fields", Quoted(.0)
    )]
    HashShown(String),
    /// A disclosed field is not one of the event that the statement is about, or is disclosed twice.
    #[error("the event has no field {} with this value at this place", Quoted(.0))]
    Field(String),
    /// A signature by a known key is not valid.
    #[error("the signature of {} is not valid", Quoted(.0))]
    Signature(String),
    /// No trusted key has signed.
    #[error("no key that is trusted for {} has signed the checkpoint", Quoted(.0))]
    NotSigned(String),
    /// The checkpoint is of another log.
    #[error("the checkpoint is of the log {}, expected {}", Quoted(.found), Quoted(.expected))]
    Origin {
        /// The origin of the checkpoint.
        found: String,
        /// The origins that are trusted.
        expected: String,
    },
    /// Fewer witnesses have cosigned than the policy requires.
    #[error("{0} of the trusted witnesses cosigned, too few for the quorum")]
    Quorum(usize),
    /// The tree has no leaf with this index.
    #[error("the index is {index}, the tree has {size} leaves")]
    Index {
        /// The index.
        index: u64,
        /// How many leaves the tree has.
        size: u64,
    },
    /// A proof has more or fewer hashes than its tree requires.
    #[error("the proof has too many or too few hashes for a tree of this size")]
    ProofLength,
    /// The leaf and the hashes of the proof do not give the root.
    #[error("the leaf and the hashes of the proof do not lead to the signed root")]
    Inclusion,
    /// The later tree does not begin with the earlier one.
    #[error("the later tree does not begin with the earlier one")]
    Consistency,
    /// The later tree is smaller.
    #[error("the log had {old} leaves and now has {new}, but a log must not shrink")]
    Shrunk {
        /// The earlier size.
        old: u64,
        /// The later size.
        new: u64,
    },
    /// Two heads of the same size have different roots.
    #[error("the log has signed two different heads of {0} leaves")]
    Forked(u64),
    /// The event is not the one that the statement is about.
    #[error("the {field} of the event is {}, but {} was logged", Quoted(.found), Quoted(.stated))]
    Event {
        /// The property in which they differ.
        field: &'static str,
        /// The value in the statement.
        stated: String,
        /// The value in the event.
        found: String,
    },
    /// The file has events besides the one that the proof is about.
    #[error(
        "the file has {count} more {} that the proof does not cover, the first at {}; expected only the event of the proof",
        if *.count == 1 { "event" } else { "events" },
        Quoted(.path)
    )]
    Uncovered {
        /// How many more events there are.
        count: usize,
        /// The JSON Pointer of the first of them.
        path: String,
    },
    /// The proof has neither the salt nor the statement from which the leaf could be computed.
    #[error("the proof has no salt and no statement, expected a line with `extra`")]
    NoStatement,
    /// This deployment keeps no log.
    #[error("this deployment keeps no log")]
    NotKept,
    /// The settings of the log of this deployment cannot be read. Nothing is logged; everything else works.
    #[error("the log of this deployment is off: {fault}")]
    Misconfigured {
        /// The setting, and what is wrong with it.
        fault: String,
    },
    /// The event has no leaf yet.
    #[error("the event {} is stored and has no leaf in the log yet, ask again in a few seconds", Quoted(.event_id))]
    NotYetLogged {
        /// The name as sent.
        event_id: String,
    },
    /// The salt of the leaf was removed, so nothing about its event can be proved any more.
    #[error("the salt of the leaf of {} was removed, so this event can no longer be proved", Quoted(.event_id))]
    Muted {
        /// The name as sent.
        event_id: String,
    },
    /// There is no such head, tile or bundle of entries.
    #[error("the log has no {}", Quoted(.path))]
    NoSuchPart {
        /// The path as sent.
        path: String,
    },
    /// A witness has cosigned another tree of the log than the database has.
    #[error(
        "it has cosigned another tree of {size} leaves: the log was signed from another database than this one"
    )]
    OtherTree {
        /// The size at which they differ.
        size: u64,
    },
    /// Nothing is signed and nothing is proved until an operator acts.
    #[error(
        "the log is halted since {begun}: {reason}; restore the newer state of the database, then `epcis-edge log restart`"
    )]
    Halted {
        /// The time at which the halt began.
        begun: String,
        /// The reason: what was observed.
        reason: String,
    },
    /// The store has the log of another key. Nothing is signed and nothing is proved under this key's name.
    #[error(
        "the store has the log {}, and LOG_KEY is a key of {}: nothing is signed or proved; set LOG_KEY to a key of the log that is stored",
        Quoted(.found),
        Quoted(.expected)
    )]
    OtherLog {
        /// The origin of the log in the store.
        found: String,
        /// The origin that the key names.
        expected: String,
    },
    /// The file is not a file of proofs, or a proof in it is not valid.
    #[error("this is not a file of proofs, expected {0}")]
    Proofs(&'static str),
    /// The text is not an order of an operator.
    #[error("this is not an order to a log, expected {expected}")]
    Order {
        /// What was expected.
        expected: &'static str,
    },
    /// An order was signed too long ago, or in the future: it may be a replay.
    #[error(
        "the order was signed at {found} and it is now {now}, expected an order signed within the last five minutes"
    )]
    Stale {
        /// The time when it was signed.
        found: String,
        /// The time when it arrived.
        now: String,
    },
    /// The database does not have the head that was signed last, so it was set back to an older state. Nothing is signed.
    #[error(
        "a head of {signed} leaves was signed, but the last head in the database has {found}: the database was set back, and nothing is signed"
    )]
    Restored {
        /// The size that was signed.
        signed: u64,
        /// The size that the database has.
        found: u64,
    },
}

impl LogFault {
    /// The exception type, HTTP status and title.
    pub(super) fn row(&self) -> (ExceptionType, u16, &'static str) {
        use ExceptionType as E;
        match self {
            Self::NotKept
            | Self::NotYetLogged { .. }
            | Self::Muted { .. }
            | Self::NoSuchPart { .. } => (E::NoSuchResource, 404, "Resource not found"),
            Self::NotSigned(_) | Self::Signature(_) | Self::Stale { .. } => {
                (E::Security, 403, "Signature refused")
            }
            Self::Consistency | Self::Forked(_) | Self::ProofLength => {
                (E::Validation, 422, "Proof refused")
            }
            Self::NoSuchField { .. } => (E::Validation, 400, "No such field"),
            Self::HashShown(_) => (E::Validation, 400, "Field not disclosable"),
            Self::Disclosure(_) => (E::Validation, 400, "Disclosure refused"),
            Self::Restored { .. } | Self::OtherTree { .. } => {
                (E::Implementation, 500, "Nothing is signed")
            }
            Self::Misconfigured { .. } => (E::Implementation, 503, "The log is off"),
            Self::OtherLog { .. } => (E::Implementation, 503, "Nothing is signed"),
            Self::Halted { .. } => (E::Implementation, 503, "The log is halted"),
            Self::Order { .. } => (E::Validation, 400, "Order refused"),
            Self::Policy { .. } => (E::Validation, 400, "Policy refused"),
            Self::Key { .. } | Self::PrivateKey => (E::Validation, 400, "Key refused"),
            _ => (E::Validation, 400, "Proof refused"),
        }
    }
}
