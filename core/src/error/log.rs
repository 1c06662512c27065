//! What can go wrong about the transparency log: notes, proofs, policies and witnesses.

use super::{ExceptionType, Quoted};

/// Why something about a log does not hold.
///
/// Open: later versions add variants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogFault {
    /// A text is no signed note.
    #[error("this is not a signed note, expected {expected}")]
    Note {
        /// What was expected.
        expected: &'static str,
    },
    /// A text is no checkpoint.
    #[error("this is not a checkpoint, expected {expected}")]
    Checkpoint {
        /// What was expected.
        expected: &'static str,
    },
    /// A text is no key that verifies.
    #[error("{} is not a note key, expected {expected}", Quoted(.found))]
    Key {
        /// The text as given.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A text is no key that signs; nothing is told of it.
    #[error(
        "this is not a signing key, expected PRIVATE+KEY+, a name, a key id and base64, joined by `+`"
    )]
    PrivateKey,
    /// A text is no policy.
    #[error("this is not a policy, expected {expected}, at line {line}")]
    Policy {
        /// The line, counted from 1.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// A text is no proof.
    #[error("this is not a proof, expected {expected}, at line {line}")]
    Proof {
        /// The line, counted from 1.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// Bytes are no COSE receipt.
    #[error("this is not a COSE receipt, expected {expected}, at byte {at}")]
    Receipt {
        /// The place, counted from 0.
        at: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// A text is no statement about an event.
    #[error("this is not a statement about an event, expected {expected}")]
    Statement {
        /// What was expected.
        expected: &'static str,
    },
    /// An object has two members of one name, which none has that a gateway wrote: readers differ in which of them counts.
    #[error("a name is repeated in an object, expected each name once")]
    RepeatedName,
    /// A text is no disclosure, or nothing is disclosed.
    #[error("this is not a disclosure, expected {expected}")]
    Disclosure {
        /// What was expected.
        expected: &'static str,
    },
    /// The leaf is of a version whose fields cannot be shown one by one.
    #[error(
        "the leaf was made with version 1 of the statement, which knows no fields: the event can only be shown as a whole"
    )]
    NotDisclosable,
    /// An event has no field of this name.
    #[error("the event has no field {}, expected some of {fields}", Quoted(.found))]
    NoSuchField {
        /// The name or pointer as given.
        found: String,
        /// The names of those that it has, the first of them at least.
        fields: String,
    },
    /// A field is, or holds, what may be a hash of the whole event.
    #[error(
        "{} holds a hash, perhaps of this event: with it anybody could test guesses at the fields that are withheld", Quoted(.pointer)
    )]
    HashShown {
        /// The field.
        pointer: String,
    },
    /// A field that is shown is none of the event that the statement is about, or is shown twice.
    #[error("the field {} is not among those of the event, at this place and with this value", Quoted(.pointer))]
    Field {
        /// The field.
        pointer: String,
    },
    /// A text is no request to a witness.
    #[error("this is not a request to a witness, expected {expected}")]
    WitnessRequest {
        /// What was expected.
        expected: &'static str,
    },
    /// A signature of a known key does not hold.
    #[error("the signature of {} is not valid", Quoted(.name))]
    Signature {
        /// The name of the key.
        name: String,
    },
    /// No key that is trusted has signed.
    #[error("no key that is trusted for {} has signed the checkpoint", Quoted(.origin))]
    NotSigned {
        /// The origin of the checkpoint.
        origin: String,
    },
    /// The checkpoint is of another log.
    #[error("the checkpoint is of the log {}, expected {}", Quoted(.found), Quoted(.expected))]
    Origin {
        /// The origin of the checkpoint.
        found: String,
        /// The origins that are trusted.
        expected: String,
    },
    /// Fewer witnesses have cosigned than the policy asks for.
    #[error("{signed} of the witnesses that are trusted have cosigned, which is not a quorum")]
    Quorum {
        /// How many have.
        signed: usize,
    },
    /// A leaf is named that the tree does not have.
    #[error("the index is {index}, the tree has {size} leaves")]
    Index {
        /// The index.
        index: u64,
        /// How many leaves the tree has.
        size: u64,
    },
    /// A proof has more or fewer hashes than its tree asks for.
    #[error("the proof has more or fewer hashes than a tree of this size asks for")]
    ProofLength,
    /// The leaf and the hashes of the proof do not give the root.
    #[error("the leaf and the hashes of the proof do not give the root that is signed")]
    Inclusion,
    /// The later tree does not begin with the earlier one.
    #[error("the later tree does not begin with the earlier one")]
    Consistency,
    /// The later tree is smaller.
    #[error("the log had {old} leaves and has {new}, it never shrinks")]
    Shrunk {
        /// How large it was.
        old: u64,
        /// How large it is.
        new: u64,
    },
    /// Two heads of one size have two roots.
    #[error("the log has signed two different heads of {size} leaves")]
    Forked {
        /// How many leaves both have.
        size: u64,
    },
    /// A part of a log is not what the parts above it say.
    #[error("{} is not that of the log, expected {expected}", Quoted(.path))]
    NotOfTheLog {
        /// Its path.
        path: String,
        /// What was expected of it.
        expected: &'static str,
    },
    /// The event is not the one that the statement is about.
    #[error("the {field} of the event is {}, logged was {}", Quoted(.found), Quoted(.stated))]
    Event {
        /// In what they differ.
        field: &'static str,
        /// What the statement says.
        stated: String,
        /// What the event has.
        found: String,
    },
    /// The file has events beside the one that is proved.
    #[error(
        "the file has {count} more {} that the proof does not cover, the first at {}; expected the one event that it is about",
        if *.count == 1 { "event" } else { "events" },
        Quoted(.path)
    )]
    Uncovered {
        /// How many.
        count: usize,
        /// The JSON Pointer of the first of them.
        path: String,
    },
    /// Nothing is known of the event that would tell what was logged.
    #[error("the proof has no salt and no statement, expected a line with `extra`")]
    NoStatement,
    /// This deployment keeps no log, or is no witness.
    #[error("this deployment {what}")]
    NotKept {
        /// What it does not do.
        what: &'static str,
    },
    /// What the deployment set for its log or witness cannot be read: nothing is logged or cosigned, and all else is served.
    #[error("the log and the witness of this deployment are off: {fault}")]
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
    /// The salt of the leaf was removed: what the leaf says can be proved no more.
    #[error("the salt of the leaf of {} was removed, nothing can be proved of it any more", Quoted(.event_id))]
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
    /// The witness does not know the log.
    #[error("this witness does not know the log {}, its operator registers origins and keys", Quoted(.origin))]
    UnknownOrigin {
        /// The origin of the checkpoint.
        origin: String,
    },
    /// The witness last signed a tree of another size, or another tree of this size.
    #[error("this witness last signed a tree of {size} leaves")]
    WitnessConflict {
        /// The size that it last signed.
        size: u64,
    },
    /// The witness was asked to go on from a size above that of the checkpoint.
    #[error(
        "the checkpoint has {new} leaves, expected at least the {old} that it shall go on from"
    )]
    OldAboveNew {
        /// The size to go on from.
        old: u64,
        /// The size of the checkpoint.
        new: u64,
    },
    /// This witness has signed two trees of one size, by its database and by the copy beside it: one of them was changed.
    #[error(
        "this witness has signed two trees of {size} leaves of the log {}, by its database and by the copy beside it; its operator must look",
        Quoted(.origin)
    )]
    WitnessForked {
        /// The log.
        origin: String,
        /// How many leaves both have.
        size: u64,
    },
    /// A witness has cosigned another tree of the log than the database has.
    #[error(
        "it has cosigned another tree of {size} leaves: the database is not the one that was signed from"
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
        /// Since when.
        begun: String,
        /// What was seen.
        reason: String,
    },
    /// Nothing is signed, for a reason that no restart takes away.
    #[error("nothing is signed: {reason}")]
    Stopped {
        /// Why, and what to do.
        reason: String,
    },
    /// A receipt is asked for where nothing signs any more.
    #[error("the log {} has ended and signs no receipts, ask for the proof without `format`", Quoted(.origin))]
    NoReceipt {
        /// The log.
        origin: String,
    },
    /// A file of proofs is none, or one of them.
    #[error("this is not a file of proofs, expected {expected}")]
    Proofs {
        /// What was expected.
        expected: &'static str,
    },
    /// A text is no order of an operator.
    #[error("this is not an order to a log, expected {expected}")]
    Order {
        /// What was expected.
        expected: &'static str,
    },
    /// An order was signed too long ago, or ahead of time: somebody may send it again.
    #[error(
        "the order is of {found}, it is {now} here; expected one that was signed within five minutes"
    )]
    Stale {
        /// When it was signed.
        found: String,
        /// When it came.
        now: String,
    },
    /// The database has not the head that was signed last: it is not as new as it was. Nothing is signed.
    #[error(
        "a head of {signed} leaves was signed and the database does not have it, its last has {found}: it was set back, and nothing is signed"
    )]
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
            Self::NotSigned { .. } | Self::Signature { .. } | Self::Stale { .. } => {
                (E::Security, 403, "Signature refused")
            }
            Self::WitnessConflict { .. } => {
                (E::ResourceAlreadyExists, 409, "Another tree was signed")
            }
            Self::NotOfTheLog { .. } => (E::Validation, 422, "Not a part of the log"),
            Self::Consistency | Self::Forked { .. } | Self::ProofLength => {
                (E::Validation, 422, "Proof refused")
            }
            Self::NoSuchField { .. } => (E::Validation, 400, "No such field"),
            Self::HashShown { .. } => (E::Validation, 400, "Field not disclosable"),
            Self::NotDisclosable => (E::Validation, 400, "Not disclosable"),
            Self::Disclosure { .. } => (E::Validation, 400, "Disclosure refused"),
            Self::Restored { .. } | Self::OtherTree { .. } => {
                (E::Implementation, 500, "Nothing is signed")
            }
            Self::Misconfigured { .. } => (E::Implementation, 503, "The log is off"),
            Self::NoReceipt { .. } => (E::NoSuchResource, 404, "Resource not found"),
            Self::Stopped { .. } => (E::Implementation, 503, "Nothing is signed"),
            Self::Halted { .. } => (E::Implementation, 503, "The log is halted"),
            Self::WitnessForked { .. } => (E::Implementation, 503, "Nothing is cosigned"),
            _ => (E::Validation, 400, "Proof refused"),
        }
    }
}
