//! What whoever holds an event and its proof can see, with nothing but a policy.

use super::dating::{Cosigned, Dated, dated};
use super::note::{Checkpoint, Note};
use super::policy::Policy;
use super::proof::Proof;
use super::proved::ProvedEvent;
use super::statement::{Statement, commitment, leaf_of};
use super::tree::{Hash, sha256, verify_inclusion};
use super::witness::require_signed;
use crate::digits::to_hex;
use crate::error::{Error, LogFault};
use crate::hash::{self, Declared, Undeclared, Verification};
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
    let mut verdict = Verdict {
        valid: false,
        steps: Vec::new(),
        origin: None,
        event: None,
        index: None,
        size: None,
        logged_before: None,
        logged_before_by: Vec::new(),
        cosignatures: Vec::new(),
    };
    let read = match read(proof) {
        Ok(read) => read,
        Err(fault) => {
            verdict.step("proof", Err(fault));
            return Ok(verdict);
        }
    };
    let size = read.checkpoint.size;
    let seen = format!(
        "index {} of {size} leaves, {} hashes",
        read.index,
        read.path.len()
    );
    verdict.step("proof", Ok(seen));
    verdict.index = Some(read.index);
    verdict.size = Some(size);
    verdict.origin = Some(read.checkpoint.origin.clone());
    let statement = match &read.statement {
        Some((_, text)) => Statement::read(text),
        None => Err(LogFault::NoStatement),
    };
    let about = match &statement {
        Ok(statement) => match found(statement, &document)? {
            Ok((event, others)) => {
                verdict.event = Some(ProvedEvent::of(event));
                says_the_same(statement, event).and_then(|said| match others {
                    None => Ok(said),
                    Some(fault) => Err(fault),
                })
            }
            Err(fault) => Err(fault),
        },
        Err(fault) => Err(fault.clone()),
    };
    verdict.step("event", about);
    let leaf = read
        .statement
        .as_ref()
        .map(|(salt, text)| leaf_of(&commitment(salt, text)));
    let found = leaf.ok_or(LogFault::NoStatement);
    verdict.step(
        "leaf",
        found.map(|leaf| format!("salt and statement give the leaf hash {}", to_hex(&leaf))),
    );
    verdict.step("log", is_signed(&read.note, &read.checkpoint, &policy));
    let record_time = statement
        .as_ref()
        .ok()
        .map(|said| said.record_time.as_str());
    match dated(&read.note, &policy, record_time, now / 1000) {
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
        verdict.logged_before = None;
        verdict.logged_before_by = Vec::new();
    }
    Ok(verdict)
}

impl Verdict {
    /// Writes a step down.
    #[inline(never)]
    fn step(&mut self, step: &'static str, result: Result<String, LogFault>) {
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
pub(super) fn is_signed(
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
struct Read<'p> {
    statement: Option<(Hash, String)>,
    index: u64,
    path: Vec<Hash>,
    note: Note<'p>,
    checkpoint: Checkpoint,
}

fn read(text: &str) -> Result<Read<'_>, LogFault> {
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
    let (_, text) = Proof::read(proof)?.extra.ok_or(LogFault::NoStatement)?;
    let document = Document::read(document)?;
    let (event, _) = found(&Statement::read(&text)?, &document)??;
    Ok(event.source().to_owned())
}

/// The event of a statement, and the fault that others stand beside it.
type Found<'d> = (Value<'d>, Option<LogFault>);

/// The event of a document that a statement is about.
///
/// # Errors
/// What is no document with events; inside, [`LogFault::Event`] where the statement is about none of them.
fn found<'d>(
    statement: &Statement,
    document: &'d Document<'d>,
) -> Result<Result<Found<'d>, LogFault>, Error> {
    let mut found = None;
    let mut other: Option<Value<'d>> = None;
    let mut count = 0_usize;
    for event in hash::events(document)? {
        let event = event?;
        count += 1;
        if found.is_none() && sha256(&[event.source().as_bytes()]) == statement.event {
            found = Some(event);
        } else {
            other.get_or_insert(event);
        }
    }
    Ok(match (found, other) {
        (Some(event), None) => Ok((event, None)),
        (Some(event), Some(other)) => {
            let fault = LogFault::Uncovered {
                count: count - 1,
                path: other.location().path,
            };
            Ok((event, Some(fault)))
        }
        (None, other) => Err(LogFault::Event {
            field: "SHA-256",
            stated: to_hex(&statement.event),
            found: match other {
                Some(event) if count == 1 => to_hex(&sha256(&[event.source().as_bytes()])),
                _ => format!("that of none of {count} events"),
            },
        }),
    })
}

/// Whether the event says of itself what the statement says of it.
pub(super) fn says_the_same(statement: &Statement, event: Value<'_>) -> Result<String, LogFault> {
    // The stamps share a prefix, whichever it is, and stand behind the rest.
    let own = Statement::of_stored(event.source(), &statement.document);
    let own = own.map_err(|_| LogFault::Statement {
        expected: "an event with the stamps of a gateway",
    })?;
    for (field, stated, found) in [
        ("eventID", &statement.event_id, own.event_id),
        ("recordTime", &statement.record_time, own.record_time),
        ("who", &statement.who, own.who),
        ("capturedBy", &statement.captured_by, own.captured_by),
    ] {
        if *stated != found {
            return Err(LogFault::Event {
                field,
                stated: stated.clone(),
                found,
            });
        }
    }
    let bytes = event.source().len();
    let alone = Document::read(event.source().as_bytes());
    let verified = alone
        .and_then(|alone| hash::verify_with(&alone, Declared::default().with(Undeclared::Keep)));
    let named = match verified.as_deref() {
        Ok([Verification::Matches(_)]) => "; its eventID is its hash",
        Ok([Verification::MatchesNone]) => "; its eventID is the hash of something else",
        _ => "",
    };
    Ok(format!(
        "SHA-256, eventID, recordTime, who and capturedBy of its {bytes} bytes are those that were logged{named}; the digest of \
         the document that it came in is the proof's own word"
    ))
}
