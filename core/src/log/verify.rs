//! What whoever holds an event and its proof can see, with nothing but a policy.

use super::dating::{Cosigned, Dated, dated};
use super::keyed::Salt;
use super::note::{Checkpoint, Note};
use super::policy::Policy;
use super::proof::Proof;
use super::proved::ProvedEvent;
use super::receipt::Receipt;
use super::statement::{Statement, commitment, leaf_of};
use super::tree::{Hash, verify_inclusion};
use super::witness::require_signed;
use crate::digits::to_hex;
use crate::error::{Error, LogFault};
use crate::hash::{self, Declared, Reading, Undeclared, Verification};
use crate::json::{Document, Value};
use serde::Serialize;

/// What became of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Whether every step holds.
    pub valid: bool,
    /// The steps, in the order in which they were taken.
    pub steps: Vec<Step>,
    /// The log that the checkpoint is of.
    pub origin: Option<String>,
    /// The event that the proof is about, where the file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<ProvedEvent>,
    /// The leaf of the event, counted from 0.
    pub index: Option<u64>,
    /// How many leaves the checkpoint is over.
    pub size: Option<u64>,
    /// The moment before which the event was recorded: the earliest second at which a quorum of trusted witnesses had cosigned,
    /// rounded up. Where the policy asks for no quorum it is the word of one witness. None where nobody cosigned, where what they
    /// say cannot be right, or where a step does not hold.
    pub logged_before: Option<String>,
    /// The witnesses whose word that is.
    pub logged_before_by: Vec<String>,
    /// The trusted witnesses that have cosigned.
    pub cosignatures: Vec<Cosigned>,
}

/// One step of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its name: `proof`, `event`, `leaf`, `log`, `witnesses` or `inclusion`.
    pub step: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// What was seen, or what was found and expected.
    pub detail: String,
}

/// Verifies that an event was logged: event and proof are texts, and so is the policy that says whom to believe; `now` is the time
/// in milliseconds since 1970-01-01T00:00:00Z, so that a witness who dates ahead is told.
///
/// **Shape**: the event as the gateway stores it, alone or alone in a document: its bytes count, and an event beside it would pass
/// for proved. The steps are `proof` (it reads), `event` (the statement is about this event), `leaf` (the statement with its salt
/// is what was logged), `log` (the log that the policy trusts has signed the checkpoint), `witnesses` (enough of them have
/// cosigned) and `inclusion` (the leaf is under the root).
///
/// # Errors
/// [`LogFault::Policy`], and what is no JSON document with events; what is wrong with the proof is told in the verdict.
pub fn verify(event: &[u8], proof: &str, policy: &str, now: u64) -> Result<Verdict, Error> {
    let policy = Policy::read(policy)?;
    let document = Document::read(event)?;
    let mut verdict = Verdict::new();
    let read = match read(proof) {
        Ok(read) => read,
        Err(fault) => {
            verdict.step("proof", Err(fault));
            return Ok(verdict);
        }
    };
    verdict.step("proof", Ok(read.seen()));
    verdict.is_of(&read);
    let about = about(&mut verdict, read.statement.as_ref(), &document)?;
    verdict.step("event", about);
    let leaf = leaf_step(&mut verdict, read.statement.as_ref()).ok();
    let statement = read.statement.as_ref();
    let statement = statement.and_then(|(_, text)| Statement::read(text).ok());
    let record_time = statement.as_ref().map(Statement::record_time);
    judge_head(&mut verdict, &read, leaf, record_time, (&policy, now));
    Ok(verdict)
}

/// Verifies that an event was logged by a COSE receipt: as [`verify`], with the same steps. A receipt has no cosignatures, so that it
/// dates nothing and no policy with a quorum accepts it; its size and index are not signed, and not said.
///
/// # Errors
/// As [`verify`].
///
/// **Source**: RFC 9942.
pub fn verify_receipt(event: &[u8], receipt: &[u8], policy: &str) -> Result<Verdict, Error> {
    let policy = Policy::read(policy)?;
    let document = Document::read(event)?;
    let mut verdict = Verdict::new();
    let receipt = match Receipt::read(receipt) {
        Ok(receipt) => receipt,
        Err(fault) => {
            verdict.step("proof", Err(fault));
            return Ok(verdict);
        }
    };
    let hashes = receipt.path.len();
    verdict.step("proof", Ok(format!("a COSE receipt with {hashes} hashes")));
    verdict.origin = Some(receipt.origin.clone());
    let about = about(&mut verdict, receipt.extra.as_ref(), &document)?;
    verdict.step("event", about);
    let leaf = leaf_step(&mut verdict, receipt.extra.as_ref());
    let root = leaf.and_then(|leaf| receipt.root(&leaf));
    let of_origin = policy.logs().iter().map(|log| &log.key);
    let mut keys = of_origin.filter(|key| key.name() == receipt.origin);
    let signed = match &root {
        Ok(root) if keys.any(|key| receipt.is_signed_by(key, root)) => {
            Ok(format!("its root is signed by {}", receipt.origin))
        }
        Ok(_) => Err(LogFault::NotSigned {
            origin: receipt.origin.clone(),
        }),
        Err(fault) => Err(fault.clone()),
    };
    verdict.step("log", signed);
    let witnesses = if policy.has_quorum() {
        Err(LogFault::Quorum { signed: 0 })
    } else {
        Ok("the policy asks for none, and a receipt has none: it dates nothing".to_owned())
    };
    verdict.step("witnesses", witnesses);
    let included = root.map(|root| format!("the leaf is under the root {}", to_hex(&root)));
    verdict.step("inclusion", included);
    verdict.valid = verdict.steps.iter().all(|step| step.holds);
    Ok(verdict)
}

/// Whether the statement of a proof is about the event of a document, which the verdict then names: what was seen.
///
/// # Errors
/// What is no document with events.
fn about(
    verdict: &mut Verdict,
    extra: Option<&(Salt, String)>,
    document: &Document<'_>,
) -> Result<Result<String, LogFault>, Error> {
    let Some((salt, text)) = extra else {
        return Ok(Err(LogFault::NoStatement));
    };
    let statement = match Statement::read(text) {
        Ok(statement) => statement,
        Err(fault) => return Ok(Err(fault)),
    };
    Ok(match found(&statement, salt, document)? {
        Ok((event, others)) => {
            verdict.event = Some(ProvedEvent::of(event));
            says_the_same(&statement, salt, event).and_then(|said| match others {
                Some(fault) => Err(fault),
                // Readers differ in which of two members of one name counts: another event could hide behind it.
                None if document.root().has_repeated_names() => Err(LogFault::RepeatedName),
                None => Ok(said),
            })
        }
        Err(fault) => Err(fault),
    })
}

/// Takes the step `leaf`: the hash that salt and statement give.
fn leaf_step(verdict: &mut Verdict, extra: Option<&(Salt, String)>) -> Result<Hash, LogFault> {
    let leaf = extra.map(|(salt, text)| leaf_of(&commitment(salt, text)));
    let leaf = leaf.ok_or(LogFault::NoStatement);
    let seen = leaf
        .clone()
        .map(|leaf| format!("salt and statement give the leaf hash {}", to_hex(&leaf)));
    verdict.step("leaf", seen);
    leaf
}

/// Takes the steps from a leaf to the policy: `log`, `witnesses` and `inclusion`; then the verdict is complete. The event was
/// stamped with a `recordTime`, and it is now so many milliseconds after 1970-01-01T00:00:00Z.
pub(super) fn judge_head(
    verdict: &mut Verdict,
    read: &Read<'_>,
    leaf: Option<Hash>,
    record_time: Option<&str>,
    (policy, now): (&Policy, u64),
) {
    let size = read.checkpoint.size;
    judge_signatures(
        verdict,
        (&read.note, &read.checkpoint),
        record_time,
        (policy, now),
    );
    let root = &read.checkpoint.root;
    let included = match leaf {
        Some(leaf) => verify_inclusion(&leaf, read.index, size, root, &read.path),
        None => Err(LogFault::NoStatement),
    };
    verdict.step(
        "inclusion",
        included.map(|()| {
            format!(
                "the leaf at index {} is under the root over {size} leaves",
                read.index
            )
        }),
    );
    verdict.valid = verdict.steps.iter().all(|step| step.holds);
    if !verdict.valid {
        verdict.forget_date();
    }
}

/// Takes the steps `log` and `witnesses`, and dates what is under the head: its latest event was stamped with this `recordTime`, and
/// it is now so many milliseconds after 1970-01-01T00:00:00Z.
pub(super) fn judge_signatures(
    verdict: &mut Verdict,
    (note, checkpoint): (&Note<'_>, &Checkpoint),
    record_time: Option<&str>,
    (policy, now): (&Policy, u64),
) {
    verdict.step("log", is_signed(note, checkpoint, policy));
    match dated(note, policy, record_time, now / 1000) {
        Ok(Dated {
            cosigned,
            before,
            by,
            detail,
        }) => {
            verdict.step("witnesses", Ok(detail));
            verdict.logged_before = before;
            verdict.logged_before_by = by;
            verdict.cosignatures = cosigned;
        }
        Err(fault) => verdict.step("witnesses", Err(fault)),
    }
}

impl Verdict {
    /// The verdict before the first step.
    pub(super) fn new() -> Self {
        Self {
            valid: false,
            steps: Vec::new(),
            origin: None,
            event: None,
            index: None,
            size: None,
            logged_before: None,
            logged_before_by: Vec::new(),
            cosignatures: Vec::new(),
        }
    }

    /// Takes over which leaf of which log a proof is of.
    pub(super) fn is_of(&mut self, read: &Read<'_>) {
        self.index = Some(read.index);
        self.size = Some(read.checkpoint.size);
        self.origin = Some(read.checkpoint.origin.clone());
    }

    /// What is not proved has no date.
    pub(super) fn forget_date(&mut self) {
        self.logged_before = None;
        self.logged_before_by = Vec::new();
    }

    /// Writes a step down.
    #[inline(never)]
    pub(super) fn step(&mut self, step: &'static str, result: Result<String, LogFault>) {
        let holds = result.is_ok();
        let detail = result.unwrap_or_else(|fault| fault.to_string());
        self.steps.push(Step {
            step,
            holds,
            detail,
        });
    }
}

/// Whether a log that the policy trusts has signed: what was seen.
fn is_signed(
    note: &Note<'_>,
    checkpoint: &Checkpoint,
    policy: &Policy,
) -> Result<String, LogFault> {
    match require_signed(note, checkpoint, policy) {
        Ok(()) => Ok(format!("signed by {}", checkpoint.origin)),
        // Who verifies has no registration to ask for.
        Err(LogFault::UnknownOrigin { origin }) => Err(LogFault::Origin {
            found: origin,
            expected: origins(policy),
        }),
        Err(fault) => Err(fault),
    }
}

/// A proof whose parts were read.
pub(super) struct Read<'p> {
    pub(super) statement: Option<(Hash, String)>,
    pub(super) index: u64,
    pub(super) path: Vec<Hash>,
    note: Note<'p>,
    pub(super) checkpoint: Checkpoint,
}

impl Read<'_> {
    /// What is to be seen of it at once.
    pub(super) fn seen(&self) -> String {
        let (size, hashes) = (self.checkpoint.size, self.path.len());
        format!("index {} of {size} leaves, {hashes} hashes", self.index)
    }
}

pub(super) fn read(text: &str) -> Result<Read<'_>, LogFault> {
    let proof = Proof::read(text)?;
    // The note stands at the end, byte for byte.
    let start = text.len() - proof.checkpoint.len();
    let note = Note::read(text.get(start..).unwrap_or_default())?;
    let checkpoint = Checkpoint::read(note.text())?;
    Ok(Read {
        statement: proof.extra,
        index: proof.index,
        path: proof.path,
        note,
        checkpoint,
    })
}

/// The names of the logs of a policy, for a sentence.
fn origins(policy: &Policy) -> String {
    let names: Vec<_> = policy.logs().iter().map(|log| log.key.name()).collect();
    if names.is_empty() {
        "a log that the policy names".to_owned()
    } else {
        names.join(" or ")
    }
}

/// The event of a document that a proof is about, byte for byte: a gateway answers an event with its error declarations.
///
/// # Errors
/// [`LogFault::Proof`], [`LogFault::NoStatement`], [`LogFault::Statement`]; [`LogFault::Event`] where it is none of them; what is no
/// document with events.
pub fn proved_event(document: &[u8], proof: &str) -> Result<String, Error> {
    let (salt, text) = Proof::read(proof)?.extra.ok_or(LogFault::NoStatement)?;
    let document = Document::read(document)?;
    let (event, _) = found(&Statement::read(&text)?, &salt, &document)??;
    Ok(event.source().to_owned())
}

/// The event of a statement, and the fault that others stand beside it.
type Found<'d> = (Value<'d>, Option<LogFault>);

/// The event of a document that a statement is about.
///
/// # Errors
/// What is no document with events; inside, [`LogFault::Event`] where the statement is about none of them.
pub(super) fn found<'d>(
    statement: &Statement,
    salt: &Salt,
    document: &'d Document<'d>,
) -> Result<Result<Found<'d>, LogFault>, Error> {
    let mut found = None;
    let mut other: Option<(Value<'d>, Hash)> = None;
    let mut count = 0_usize;
    for event in hash::events(document)? {
        let event = event?;
        count += 1;
        let digest = statement.digest_of(event.source(), salt);
        if found.is_none() && digest == statement.digest() {
            found = Some(event);
        } else {
            other.get_or_insert((event, digest));
        }
    }
    Ok(match (found, other) {
        (Some(event), None) => Ok((event, None)),
        (Some(event), Some((other, _))) => {
            let fault = LogFault::Uncovered {
                count: count - 1,
                path: other.location().path,
            };
            Ok((event, Some(fault)))
        }
        (None, other) => Err(LogFault::Event {
            field: statement.digest_name(),
            stated: to_hex(&statement.digest()),
            found: match other {
                Some((_, digest)) if count == 1 => to_hex(&digest),
                _ => format!("that of none of {count} events"),
            },
        }),
    })
}

/// Whether the event says of itself what the statement says of it.
pub(super) fn says_the_same(
    statement: &Statement,
    salt: &Salt,
    event: Value<'_>,
) -> Result<String, LogFault> {
    let bytes = event.source().len();
    // A member that is repeated elsewhere in the document is no matter of this event.
    let alone = Document::read(event.source().as_bytes()).map_err(|_| LogFault::Statement {
        expected: "an event that can be read alone",
    })?;
    let own = statement.again(alone.root(), salt)?;
    for ((field, stated), (_, found)) in statement.said().into_iter().zip(own.said()) {
        if stated != found {
            return Err(LogFault::Event {
                field,
                stated,
                found,
            });
        }
    }
    let verified = hash::verify_with(&alone, Declared::default().with(Undeclared::Keep));
    let named = match verified.as_deref() {
        Ok(
            [
                Verification::Matches {
                    reading: Reading::AsItStands,
                    ..
                },
            ],
        ) => "; its eventID is its hash",
        Ok([Verification::Matches { .. }]) => {
            "; its eventID is its hash without the stamps of a gateway"
        }
        Ok([Verification::MatchesNone]) => "; its eventID is the hash of something else",
        _ => "",
    };
    let compared = match statement {
        Statement::Plain(_) => "SHA-256, eventID".to_owned(),
        Statement::Keyed(keyed) => format!("keyed digest, the tree of {} fields", keyed.fields),
    };
    Ok(format!(
        "{compared}, recordTime, who and capturedBy of its {bytes} bytes are those that were logged{named}; the digest of \
         the document that it came in is the proof's own word"
    ))
}
