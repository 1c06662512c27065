//! What whoever holds an event and its proof can see, with nothing but a policy.

use super::keyed::Salt;
use super::note::{Checkpoint, Note};
use super::policy::Policy;
use super::proof::Proof;
use super::statement::{Statement, commitment, leaf_of};
use super::tree::{Hash, verify_inclusion};
use super::witness::require_signed;
use crate::digits::to_hex;
use crate::error::{Error, LogFault};
use crate::hash::{self, Declared, Undeclared, Verification};
use crate::json::{Document, Value};
use crate::time::Timestamp;
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
    /// The leaf of the event, counted from 0.
    pub index: Option<u64>,
    /// How many leaves the checkpoint is over.
    pub size: Option<u64>,
    /// The moment before which the event was recorded: the earliest time at which a trusted witness had seen the checkpoint.
    /// None where nobody cosigned, or a step does not hold.
    pub logged_before: Option<String>,
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

/// A witness that has cosigned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cosigned {
    /// What the policy calls it.
    pub name: String,
    /// When it says that it saw the checkpoint.
    pub time: String,
}

/// Verifies that an event was logged: event and proof are texts, and so is the policy that says whom to believe.
///
/// **Shape**: the event as the gateway stores it, alone or in a document: its bytes count. The steps are `proof` (it reads), `event`
/// (the statement is about this event), `leaf` (the statement with its salt is what was logged), `log` (the log that the policy
/// trusts has signed the checkpoint), `witnesses` (enough of them have cosigned) and `inclusion` (the leaf is under the root).
///
/// # Errors
/// [`LogFault::Policy`], and what is no JSON document with events; what is wrong with the proof is told in the verdict.
pub fn verify(event: &[u8], proof: &str, policy: &str) -> Result<Verdict, Error> {
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
    verdict.step("event", about(&read, &document)?);
    let leaf = read
        .statement
        .as_ref()
        .map(|(salt, text)| leaf_of(&commitment(salt, text)));
    let found = leaf.ok_or(LogFault::NoStatement);
    verdict.step(
        "leaf",
        found.map(|leaf| format!("salt and statement give the leaf hash {}", to_hex(&leaf))),
    );
    judge_head(&mut verdict, &read, leaf, &policy);
    Ok(verdict)
}

/// Takes the steps from a leaf to the policy: `log`, `witnesses` and `inclusion`; then the verdict is complete.
pub(super) fn judge_head(
    verdict: &mut Verdict,
    read: &Read<'_>,
    leaf: Option<Hash>,
    policy: &Policy,
) {
    let size = read.checkpoint.size;
    verdict.step("log", is_signed(read, policy));
    match cosigned(&read.note, policy) {
        Ok(all) => {
            verdict.step("witnesses", Ok(seen_by(all.len(), policy.has_quorum())));
            let times = all.iter().map(|(_, seconds)| *seconds);
            verdict.logged_before = times.min().map(time_of);
            for (name, seconds) in all {
                let time = time_of(seconds);
                verdict.cosignatures.push(Cosigned { name, time });
            }
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
    }
}

impl Verdict {
    /// The verdict before the first step.
    pub(super) fn new() -> Self {
        Self {
            valid: false,
            steps: Vec::new(),
            origin: None,
            index: None,
            size: None,
            logged_before: None,
            cosignatures: Vec::new(),
        }
    }

    /// Takes over which leaf of which log a proof is of.
    pub(super) fn is_of(&mut self, read: &Read<'_>) {
        self.index = Some(read.index);
        self.size = Some(read.checkpoint.size);
        self.origin = Some(read.checkpoint.origin.clone());
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

/// What there is to say of witnesses that are enough.
fn seen_by(count: usize, has_quorum: bool) -> String {
    match (count, has_quorum) {
        (0, _) => "the policy asks for none, and none has cosigned".to_owned(),
        (count, true) => format!("{count} trusted witnesses have cosigned, a quorum"),
        (count, false) => format!("{count} trusted witnesses have cosigned, none was asked for"),
    }
}

/// Whether a log that the policy trusts has signed: what was seen.
fn is_signed(read: &Read<'_>, policy: &Policy) -> Result<String, LogFault> {
    match require_signed(&read.note, &read.checkpoint, policy) {
        Ok(()) => Ok(format!("signed by {}", read.checkpoint.origin)),
        // Who verifies has no registration to ask for.
        Err(LogFault::UnknownOrigin { origin }) => Err(LogFault::Origin {
            found: origin,
            expected: origins(policy),
        }),
        Err(fault) => Err(fault),
    }
}

/// Whether the statement is about the event of the document: what was seen.
///
/// # Errors
/// What is no document with events.
fn about(read: &Read<'_>, document: &Document<'_>) -> Result<Result<String, LogFault>, Error> {
    let Some((salt, text)) = &read.statement else {
        return Ok(Err(LogFault::NoStatement));
    };
    match Statement::read(text) {
        Ok(statement) => Ok(is_about(&statement, salt, document)?.map(|(_, seen)| seen)),
        Err(fault) => Ok(Err(fault)),
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

/// Who has cosigned and when, in seconds since 1970, if they are enough.
pub(super) fn cosigned(note: &Note<'_>, policy: &Policy) -> Result<Vec<(String, u64)>, LogFault> {
    let mut signed = Vec::new();
    let mut all = Vec::new();
    for witness in policy.witnesses() {
        let time = note.is_cosigned_by(&witness.key)?;
        signed.push(time.is_some());
        all.extend(time.map(|time| (witness.name.clone(), time)));
    }
    if policy.is_met(&signed) {
        Ok(all)
    } else {
        Err(LogFault::Quorum { signed: all.len() })
    }
}

fn time_of(seconds: u64) -> String {
    Timestamp::from_milliseconds(seconds.saturating_mul(1000)).to_string()
}

/// Whether a statement is about the event of a document, which may have several: that event, and what was seen.
///
/// # Errors
/// What is no document with events.
pub(super) fn is_about<'d>(
    statement: &Statement,
    salt: &Salt,
    document: &'d Document<'d>,
) -> Result<Result<(Value<'d>, String), LogFault>, Error> {
    let mut first = None;
    let mut count = 0_usize;
    for event in hash::events(document)? {
        let event = event?;
        let digest = statement.digest_of(event.source(), salt);
        if digest == statement.digest() {
            return Ok(says_the_same(statement, salt, event).map(|seen| (event, seen)));
        }
        first.get_or_insert(digest);
        count += 1;
    }
    let found = match first {
        Some(first) if count == 1 => to_hex(&first),
        _ => format!("that of none of {count} events"),
    };
    Ok(Err(LogFault::Event {
        field: statement.digest_name(),
        stated: to_hex(&statement.digest()),
        found,
    }))
}

/// Whether the event says of itself what the statement says of it.
fn says_the_same(statement: &Statement, salt: &Salt, event: Value<'_>) -> Result<String, LogFault> {
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
        Ok([Verification::Matches(_)]) => "; its eventID is its hash",
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
