//! Verifies an event with its proof, given only a policy.

use super::dating::{Cosigned, Dating, date_checkpoint};
use super::keyed::{LeafKeys, Salt};
use super::note::{Checkpoint, Note};
use super::policy::Policy;
use super::proof::Proof;
use super::proved::ProvedEvent;
use super::receipt::Receipt;
use super::statement::{Statement, commitment, leaf_of};
use super::tree::{Hash, verify_inclusion};
use epcis_edge_document::hash::{
    self, HashScope, OuterPrefixes, UndeclaredPrefixRule, Verification,
};
use epcis_edge_text::digits::to_hex;
use epcis_edge_text::error::{Error, LogFault};
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::slice::Part;
use serde::Serialize;

/// The verdict on a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ProofVerdict"))]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Whether every step holds.
    pub valid: bool,
    /// The steps, in the order in which they were checked.
    pub steps: Vec<Step>,
    /// The origin of the log that the checkpoint is for.
    pub origin: Option<String>,
    /// The event that the proof is about, if the file contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<ProvedEvent>,
    /// The index of the event's leaf, counted from 0.
    pub index: Option<u64>,
    /// The number of leaves under the checkpoint.
    pub size: Option<u64>,
    /// The moment before which the event was recorded: the earliest second by which a quorum of trusted witnesses had cosigned,
    /// rounded up. If the policy requires no quorum, it is the time of one witness. `None` if no trusted witness cosigned, if the
    /// times cannot be right, or if a step fails.
    pub logged_before: Option<String>,
    /// The witnesses that vouch for that time.
    pub logged_before_by: Vec<String>,
    /// The trusted witnesses that have cosigned.
    pub cosignatures: Vec<Cosigned>,
}

/// One step of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ProofStep"))]
pub struct Step {
    /// Its name: `proof`, `event`, `leaf`, `log`, `witnesses` or `inclusion`. A disclosure has `disclosure` and `fields` in place
    /// of the first two, a file of proofs has `proofs`, `log` and `witnesses`.
    pub step: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// The result in words, or what was found and what was expected.
    pub detail: String,
}

/// Verifies that an event was logged. `event`, `proof` and `policy` are the contents of files; the policy names the trusted logs
/// and witnesses. `now` is in milliseconds since 1970-01-01T00:00:00Z and serves to report witnesses with a time in the future.
///
/// **Shape**: the event as the gateway stores it, byte for byte, alone or as the only event of a document: any other event beside
/// it could pass for proved. The steps are `proof` (it can be read), `event` (the statement is about this event), `leaf` (the
/// statement with its salt is what was logged), `log` (a log that the policy trusts has signed the checkpoint), `witnesses`
/// (enough of them have cosigned) and `inclusion` (the leaf is under the root).
///
/// # Errors
/// [`LogFault::Policy`], and the errors of a file that is not a JSON document with events. Faults of the proof are reported in
/// the verdict.
pub fn verify(event: &[u8], proof: &str, policy: &str, now: u64) -> Result<Verdict, Error> {
    let policy = Policy::read(policy)?;
    let document = Document::read(event)?;
    let mut verdict = Verdict::default();
    let read = match read(proof) {
        Ok(read) => read,
        Err(fault) => {
            verdict.step("proof", Err(fault));
            return Ok(verdict);
        }
    };
    verdict.step("proof", Ok(read.seen()));
    verdict.set_position(&read);
    let about = about(&mut verdict, read.statement.as_ref(), &document)?;
    verdict.step("event", about);
    let leaf = leaf_step(&mut verdict, read.statement.as_ref()).ok();
    let statement = read.statement.as_ref().and_then(|(_, text)| Statement::read(text).ok());
    let record_time = statement.as_ref();
    let record_time = record_time.map(|stated| stated.stamps.record_time.as_str());
    judge_head(&mut verdict, &read, leaf, record_time, (&policy, now));
    Ok(verdict)
}

/// Verifies by a COSE receipt that an event was logged; as [`verify`], with the same steps. A receipt has no cosignatures, so it
/// gives no date, and no policy with a quorum accepts it. Its size and index are not signed and not reported.
///
/// # Errors
/// As [`verify`].
///
/// **Source**: RFC 9942.
pub fn verify_receipt(event: &[u8], receipt: &[u8], policy: &str) -> Result<Verdict, Error> {
    let policy = Policy::read(policy)?;
    let document = Document::read(event)?;
    let mut verdict = Verdict::default();
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
        Ok(_) => Err(LogFault::NotSigned(receipt.origin.clone())),
        Err(fault) => Err(fault.clone()),
    };
    verdict.step("log", signed);
    let witnesses = if policy.has_quorum() {
        Err(LogFault::Quorum(0))
    } else {
        Ok("the policy asks for none, and a receipt has none: it dates nothing".to_owned())
    };
    verdict.step("witnesses", witnesses);
    let included = root.map(|root| format!("the leaf is under the root {}", to_hex(&root)));
    verdict.step("inclusion", included);
    verdict.valid = verdict.steps.iter().all(|step| step.holds);
    Ok(verdict)
}

/// Checks that the statement of a proof is about the event of a document. Returns the result of the step `event`, and sets the
/// event of the verdict.
///
/// # Errors
/// The errors of a file that is not a document with events.
fn about(
    verdict: &mut Verdict,
    extra: Option<&(Salt, String)>,
    document: &Document<'_>,
) -> Result<Result<String, LogFault>, Error> {
    let Some((salt, text)) = extra else { return Ok(Err(LogFault::NoStatement)) };
    let statement = match Statement::read(text) {
        Ok(statement) => statement,
        Err(fault) => return Ok(Err(fault)),
    };
    Ok(match found(&statement, salt, document)? {
        Ok((event, others)) => {
            verdict.event = Some(ProvedEvent::of(event));
            detail_of_event(&statement, salt, event).and_then(|said| match others {
                Some(fault) => Err(fault),
                // JSON readers differ in which of two members with one name counts: another event could hide behind the proved
                // one.
                None if document.root().has_repeated_names() => Err(LogFault::RepeatedName),
                None => Ok(said),
            })
        }
        Err(fault) => Err(fault),
    })
}

/// Performs the step `leaf`: computes the leaf hash from salt and statement.
fn leaf_step(verdict: &mut Verdict, extra: Option<&(Salt, String)>) -> Result<Hash, LogFault> {
    let leaf = extra.map(|(salt, text)| leaf_of(&commitment(salt, text)));
    let leaf = leaf.ok_or(LogFault::NoStatement);
    let seen =
        leaf.clone().map(|leaf| format!("salt and statement give the leaf hash {}", to_hex(&leaf)));
    verdict.step("leaf", seen);
    leaf
}

/// Performs the steps `log`, `witnesses` and `inclusion`, which complete the verdict. `record_time` is the time stamped on the
/// event; `now` is in milliseconds since 1970-01-01T00:00:00Z.
pub(super) fn judge_head(
    verdict: &mut Verdict,
    read: &ParsedProof<'_>,
    leaf: Option<Hash>,
    record_time: Option<&str>,
    (policy, now): (&Policy, u64),
) {
    let size = read.checkpoint.size;
    judge_signatures(verdict, (&read.note, &read.checkpoint), record_time, (policy, now));
    let root = &read.checkpoint.root;
    let index = read.index;
    let included = leaf.ok_or(LogFault::NoStatement);
    let included = included.and_then(|leaf| verify_inclusion(&leaf, index, size, root, &read.path));
    let seen = |()| format!("the leaf at index {index} is under the root over {size} leaves");
    verdict.step("inclusion", included.map(seen));
    verdict.valid = verdict.steps.iter().all(|step| step.holds);
    if !verdict.valid {
        verdict.forget_date();
    }
}

/// Performs the steps `log` and `witnesses`, and dates the checkpoint. `record_time` is the latest time stamped on a proved
/// event; `now` is in milliseconds since 1970-01-01T00:00:00Z.
pub(super) fn judge_signatures(
    verdict: &mut Verdict,
    (note, checkpoint): (&Note<'_>, &Checkpoint),
    record_time: Option<&str>,
    (policy, now): (&Policy, u64),
) {
    let signed = policy.require_signed(note, checkpoint);
    verdict.step("log", signed.map(|()| format!("signed by {}", checkpoint.origin)));
    match date_checkpoint(note, policy, record_time, now / 1000) {
        Ok(Dating { cosigned, before, by, detail }) => {
            verdict.step("witnesses", Ok(detail));
            verdict.logged_before = before;
            verdict.logged_before_by = by;
            verdict.cosignatures = cosigned;
        }
        Err(fault) => verdict.step("witnesses", Err(fault)),
    }
}

impl Verdict {
    /// Copies the log, the size and the index of a proof.
    pub(super) fn set_position(&mut self, read: &ParsedProof<'_>) {
        self.index = Some(read.index);
        self.size = Some(read.checkpoint.size);
        self.origin = Some(read.checkpoint.origin.clone());
    }

    /// Removes the date: a proof that fails has none.
    pub(super) fn forget_date(&mut self) {
        self.logged_before = None;
        self.logged_before_by = Vec::new();
    }

    /// Records the result of a step.
    #[inline(never)]
    pub(super) fn step(&mut self, step: &'static str, result: Result<String, LogFault>) {
        let holds = result.is_ok();
        let detail = result.unwrap_or_else(|fault| fault.to_string());
        self.steps.push(Step { step, holds, detail });
    }
}

/// A proof with all its parts parsed.
pub(super) struct ParsedProof<'p> {
    pub(super) statement: Option<(Hash, String)>,
    pub(super) index: u64,
    pub(super) path: Vec<Hash>,
    note: Note<'p>,
    pub(super) checkpoint: Checkpoint,
}

impl ParsedProof<'_> {
    /// A summary: the index, the size and the number of hashes.
    pub(super) fn seen(&self) -> String {
        let (size, hashes) = (self.checkpoint.size, self.path.len());
        format!("index {} of {size} leaves, {hashes} hashes", self.index)
    }
}

pub(super) fn read(text: &str) -> Result<ParsedProof<'_>, LogFault> {
    let proof = Proof::read(text)?;
    // The note is the end of the proof, byte for byte.
    let start = text.len() - proof.checkpoint.len();
    let note = Note::read(text.part(start..))?;
    let checkpoint = Checkpoint::read(note.text())?;
    Ok(ParsedProof {
        statement: proof.extra,
        index: proof.index,
        path: proof.path,
        note,
        checkpoint,
    })
}

/// The names of the logs in a policy, for an error message.
/// The event that a proof is about, byte for byte. A gateway returns an event together with its error declarations.
///
/// # Errors
/// [`LogFault::Proof`], [`LogFault::NoStatement`], [`LogFault::Statement`]; [`LogFault::Event`] if no event of the document is
/// that of the proof; the errors of a file that is not a document with events.
pub fn proved_event(document: &[u8], proof: &str) -> Result<String, Error> {
    let (salt, text) = Proof::read(proof)?.extra.ok_or(LogFault::NoStatement)?;
    let document = Document::read(document)?;
    let (event, _) = found(&Statement::read(&text)?, &salt, &document)??;
    Ok(event.source().to_owned())
}

/// The event of a statement, and a fault if the document has other events too.
type StatedEvent<'d> = (Value<'d>, Option<LogFault>);

/// Finds the event of a document that a statement is about.
///
/// # Errors
/// The errors of a file that is not a document with events. The inner result is [`LogFault::Event`] if the statement is about
/// none of them.
pub(super) fn found<'d>(
    statement: &Statement,
    salt: &Salt,
    document: &'d Document<'d>,
) -> Result<Result<StatedEvent<'d>, LogFault>, Error> {
    let mut found = None;
    let mut other: Option<(Value<'d>, Hash)> = None;
    let mut count = 0_usize;
    let keys = LeafKeys::new(salt);
    for event in hash::events(document)? {
        let event = event?;
        count += 1;
        let digest = keys.event(event.source());
        if found.is_none() && digest == statement.event {
            found = Some(event);
        } else {
            other.get_or_insert((event, digest));
        }
    }
    Ok(match (found, other) {
        (Some(event), None) => Ok((event, None)),
        (Some(event), Some((other, _))) => {
            let fault = LogFault::Uncovered { count: count - 1, path: other.location().path };
            Ok((event, Some(fault)))
        }
        (None, other) => Err(LogFault::Event {
            field: "keyed digest",
            stated: to_hex(&statement.event),
            found: match other {
                Some((_, digest)) if count == 1 => to_hex(&digest),
                _ => format!("other digests in all {count} events"),
            },
        }),
    })
}

/// Checks that the event has the values that the statement has. Returns the event, read alone.
pub(super) fn says_the_same<'d>(
    statement: &Statement,
    salt: &Salt,
    event: Value<'d>,
) -> Result<Document<'d>, LogFault> {
    // Read alone, so that members repeated elsewhere in the document do not matter.
    let alone = Document::read(event.source().as_bytes())
        .map_err(|_| LogFault::Statement { expected: "an event that can be read alone" })?;
    let own = statement.recomputed(alone.root(), salt)?;
    for ((field, stated), (_, found)) in statement.said().into_iter().zip(own.said()) {
        if stated != found {
            return Err(LogFault::Event { field, stated, found });
        }
    }
    Ok(alone)
}

/// As [`says_the_same`]. Returns the detail of the step `event`, for which the event is hashed under every profile.
fn detail_of_event(
    statement: &Statement,
    salt: &Salt,
    event: Value<'_>,
) -> Result<String, LogFault> {
    let bytes = event.source().len();
    let alone = says_the_same(statement, salt, event)?;
    let verified =
        hash::verify_with(&alone, OuterPrefixes::default().with(UndeclaredPrefixRule::Keep));
    let named = match verified.as_deref() {
        Ok([Verification::Matches { reading: HashScope::AsItStands, .. }]) => {
            "; its eventID is its hash"
        }
        Ok([Verification::Matches { .. }]) => {
            "; its eventID is its hash without the stamps of a gateway"
        }
        Ok([Verification::MatchesNone]) => "; its eventID is the hash of something else",
        _ => "",
    };
    let fields = statement.fields;
    Ok(format!(
        "keyed digest, the tree of {fields} fields, recordTime, who and capturedBy of its {bytes} bytes are those that were logged{named}; the digest of \
         the document that it came in is the proof's own word"
    ))
}
