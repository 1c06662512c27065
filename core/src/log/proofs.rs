//! Many proofs under one head, verified together.

use super::dating::{Cosigned, Dated, dated};
use super::keyed::Salt;
use super::note::{Checkpoint, Note, hash_of};
use super::policy::Policy;
use super::statement::{Statement, commitment, leaf_of};
use super::tree::{Hash, MAX_PROOF, verify_inclusion};
use super::verify::{Step, is_signed, says_the_same};
use crate::digits::{digest_of_hex, to_hex};
use crate::error::{Error, LogFault};
use crate::json::{Document, Value};
use serde::Serialize;

/// The `type` of a file of proofs.
pub const PROOFS: &str = "epcis-edge/proofs/v1";

/// How many proofs that do not hold are told.
const MAX_TOLD: usize = 100;

/// What became of a file of proofs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProofsVerdict {
    /// Whether the head holds, and every proof under it.
    pub valid: bool,
    /// What holds of the head: `proofs` (the file reads), `log` and `witnesses`, as for one proof.
    pub steps: Vec<Step>,
    /// How many proofs there are.
    pub count: u64,
    /// How many of them hold.
    pub proved: u64,
    /// Those that do not, the first 100.
    pub failed: Vec<FailedProof>,
    /// The events of the file that have no proof: not logged yet, or made mute.
    pub unproved: u64,
    /// The log that the checkpoint is of.
    pub origin: Option<String>,
    /// How many leaves the checkpoint is over.
    pub size: Option<u64>,
    /// The moment before which all of them were recorded: as for one proof.
    pub logged_before: Option<String>,
    /// The witnesses whose word that is.
    pub logged_before_by: Vec<String>,
    /// The trusted witnesses that have cosigned.
    pub cosignatures: Vec<Cosigned>,
}

/// A proof that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailedProof {
    /// Where it stands in the file: a JSON Pointer.
    pub path: String,
    /// The `eventID`, as the event has it.
    #[serde(rename = "eventID", skip_serializing_if = "Option::is_none")]
    pub event_id: Option<String>,
    /// The step that does not hold: `proof`, `event` or `inclusion`.
    pub step: &'static str,
    /// What was found and expected.
    pub detail: String,
}

/// Verifies a file of proofs, as `GET /log/proofs` answers a page: whom to believe the policy says; `now` is the time in milliseconds
/// since 1970-01-01T00:00:00Z.
///
/// # Errors
/// [`LogFault::Policy`]; what is no JSON; what is wrong with the proofs is told in the verdict.
pub fn verify_proofs(file: &[u8], policy: &str, now: u64) -> Result<ProofsVerdict, Error> {
    let policy = Policy::read(policy)?;
    let document = Document::read(file)?;
    let root = document.root();
    let mut verdict = ProofsVerdict::default();
    let text = match checkpoint_of(root) {
        Ok(text) => text,
        Err(fault) => {
            verdict.step("proofs", Err(fault));
            return Ok(verdict);
        }
    };
    let read = Note::read(&text).and_then(|note| {
        let checkpoint = Checkpoint::read(note.text())?;
        Ok((note, checkpoint))
    });
    let (note, checkpoint) = match read {
        Ok(read) => read,
        Err(fault) => {
            verdict.step("proofs", Err(fault));
            return Ok(verdict);
        }
    };
    let proofs = root.get("proofs").into_iter().flat_map(Value::elements);
    // Texts of one form sort as the instants do.
    let mut latest: Option<String> = None;
    for (at, proof) in proofs.enumerate() {
        verdict.count += 1;
        match proved(proof, &checkpoint) {
            Ok(record_time) => {
                verdict.proved += 1;
                latest = latest.max(Some(record_time));
            }
            Err((step, fault)) => {
                if verdict.failed.len() < MAX_TOLD {
                    let event_id = proof.get("event").and_then(|event| event.get("eventID"));
                    let event_id = event_id.and_then(Value::as_str);
                    verdict.failed.push(FailedProof {
                        path: format!("/proofs/{at}"),
                        event_id: event_id.map(|name| name.into_owned()),
                        step,
                        detail: fault.to_string(),
                    });
                }
            }
        }
    }
    let unproved = root.get("unproved").into_iter().flat_map(Value::elements);
    verdict.unproved = unproved.count() as u64;
    let seen = format!(
        "{} proofs under a head of {} leaves",
        verdict.count, checkpoint.size
    );
    verdict.step("proofs", Ok(seen));
    verdict.step("log", is_signed(&note, &checkpoint, &policy));
    match dated(&note, &policy, latest.as_deref(), now / 1000) {
        Ok(Dated {
            cosigned,
            before,
            by,
            detail,
        }) => {
            verdict.step("witnesses", Ok(detail));
            verdict.cosignatures = cosigned;
            verdict.logged_before = before;
            verdict.logged_before_by = by;
        }
        Err(fault) => verdict.step("witnesses", Err(fault)),
    }
    verdict.origin = Some(checkpoint.origin);
    verdict.size = Some(checkpoint.size);
    let holds = verdict.steps.iter().all(|step| step.holds);
    verdict.valid = holds && verdict.proved == verdict.count;
    if !holds {
        verdict.proved = 0;
    }
    if !verdict.valid {
        verdict.logged_before = None;
        verdict.logged_before_by = Vec::new();
    }
    Ok(verdict)
}

impl ProofsVerdict {
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

fn malformed(expected: &'static str) -> LogFault {
    LogFault::Proofs { expected }
}

/// The signed checkpoint of a file of proofs.
fn checkpoint_of(root: Value<'_>) -> Result<String, LogFault> {
    let kind = root.get("type").and_then(Value::as_str);
    if kind.as_deref() != Some(PROOFS) {
        return Err(malformed("an object of the type epcis-edge/proofs/v1"));
    }
    let text = root.get("checkpoint").and_then(Value::as_str);
    let text = text.ok_or_else(|| malformed("a signed note as `checkpoint`"))?;
    Ok(text.into_owned())
}

/// The parts of one proof.
struct Parts<'d> {
    event: Value<'d>,
    index: u64,
    salt: Salt,
    statement: String,
    path: Vec<Hash>,
}

fn parts(proof: Value<'_>) -> Result<Parts<'_>, LogFault> {
    let text = |name: &str| proof.get(name).and_then(Value::as_str);
    let index = proof.get("index").map(Value::source);
    let index = index.and_then(super::tile::decimal);
    let salt = text("salt").and_then(|salt| digest_of_hex(&salt));
    let path: Option<Vec<Hash>> = proof.get("path").and_then(|path| {
        let hashes = path.elements().take(MAX_PROOF + 1);
        hashes.map(|hash| hash_of(&hash.as_str()?)).collect()
    });
    Ok(Parts {
        event: proof
            .get("event")
            .ok_or_else(|| malformed("an event as `event`"))?,
        index: index.ok_or_else(|| malformed("the number of a leaf as `index`"))?,
        salt: salt.ok_or_else(|| malformed("64 hexadecimal digits as `salt`"))?,
        statement: text("statement")
            .ok_or_else(|| malformed("a text as `statement`"))?
            .into_owned(),
        path: path
            .filter(|path| path.len() <= MAX_PROOF)
            .ok_or_else(|| malformed("at most 63 hashes in base64 as `path`"))?,
    })
}

/// When an event was recorded that is proved under a head; otherwise the step that does not hold.
fn proved(proof: Value<'_>, checkpoint: &Checkpoint) -> Result<String, (&'static str, LogFault)> {
    let Parts {
        event,
        index,
        salt,
        statement: text,
        path,
    } = parts(proof).map_err(|fault| ("proof", fault))?;
    let statement = Statement::read(&text).map_err(|fault| ("event", fault))?;
    let found = statement.digest_of(event.source(), &salt);
    if found != statement.digest() {
        let fault = LogFault::Event {
            field: statement.digest_name(),
            stated: to_hex(&statement.digest()),
            found: to_hex(&found),
        };
        return Err(("event", fault));
    }
    says_the_same(&statement, &salt, event).map_err(|fault| ("event", fault))?;
    let leaf = leaf_of(&commitment(&salt, &text));
    verify_inclusion(&leaf, index, checkpoint.size, &checkpoint.root, &path)
        .map_err(|fault| ("inclusion", fault))?;
    Ok(statement.record_time().to_owned())
}
