//! Files of many proofs under one head, verified together.

use super::dating::Cosigned;
use super::keyed::{LeafKeys, Salt};
use super::note::{Checkpoint, Note, hash_of};
use super::policy::Policy;
use super::statement::{Statement, commitment, leaf_of};
use super::tree::{Hash, MAX_PROOF, verify_inclusion};
use super::verify::{Step, Verdict, judge_signatures, says_the_same};
use epcis_edge_text::digits::{digest_of_hex, to_hex};
use epcis_edge_text::error::{Error, LogFault};
use epcis_edge_text::json::{Document, Kind, Value};
use serde::Serialize;

/// The `type` of a file of proofs.
pub const PROOFS: &str = "epcis-edge/proofs/v1";

/// The maximum number of failed proofs that are reported.
const MAX_TOLD: usize = 100;

/// The verdict on a file of proofs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProofsVerdict {
    /// Whether the head and every proof under it are valid.
    pub valid: bool,
    /// The steps for the head: `proofs` (the file can be read), `log` and `witnesses`, as for one proof.
    pub steps: Vec<Step>,
    /// The number of proofs.
    pub count: u64,
    /// The number of valid proofs; 0 if a step for the head fails.
    pub proved: u64,
    /// The first 100 proofs that fail.
    pub failed: Vec<FailedProof>,
    /// The number of events in the file without a proof: not logged yet, or with an erased salt.
    pub unproved: u64,
    /// The origin of the log that the checkpoint is for.
    pub origin: Option<String>,
    /// The number of leaves under the checkpoint.
    pub size: Option<u64>,
    /// The moment before which all events were recorded, as for one proof.
    pub logged_before: Option<String>,
    /// The witnesses that vouch for that time.
    pub logged_before_by: Vec<String>,
    /// The trusted witnesses that have cosigned.
    pub cosignatures: Vec<Cosigned>,
}

/// A proof that fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FailedProof {
    /// The location of the proof in the file: a JSON Pointer.
    pub path: String,
    /// The `eventID` of the event.
    #[serde(rename = "eventID", skip_serializing_if = "Option::is_none")]
    pub event_id: Option<String>,
    /// The step that fails: `proof`, `event` or `inclusion`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["proof", "event", "inclusion"])))]
    pub step: &'static str,
    /// What was found and what was expected.
    pub detail: String,
}

/// Verifies a file of proofs, such as a page of `GET /log/proofs`. The policy names the trusted logs and witnesses; `now` is in
/// milliseconds since 1970-01-01T00:00:00Z.
///
/// # Errors
/// [`LogFault::Policy`], and the errors of a file that is not JSON. Faults of the proofs are reported in the verdict.
pub fn verify_proofs(file: &[u8], policy: &str, now: u64) -> Result<ProofsVerdict, Error> {
    let policy = Policy::read(policy)?;
    let document = Document::read(file)?;
    let mut verdict = ProofsVerdict::default();
    let mut head = Verdict::default();
    let read = head_of(document.root());
    let read = match &read {
        Ok((text, proofs)) => Note::read(text).and_then(|note| {
            let checkpoint = Checkpoint::read(note.text())?;
            Ok((note, checkpoint, *proofs))
        }),
        Err(fault) => Err(fault.clone()),
    };
    let (note, checkpoint, proofs) = match read {
        Ok(read) => read,
        Err(fault) => {
            head.step("proofs", Err(fault));
            return Ok(verdict.under(head));
        }
    };
    // Stamped times have one form, so they sort as texts.
    let mut latest: Option<String> = None;
    for (at, proof) in proofs.elements().enumerate() {
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
    let unproved = document.root().get("unproved").into_iter();
    verdict.unproved = unproved.flat_map(Value::elements).count() as u64;
    let seen = format!("{} proofs under a head of {} leaves", verdict.count, checkpoint.size);
    head.step("proofs", Ok(seen));
    let under = (&note, &checkpoint);
    judge_signatures(&mut head, under, latest.as_deref(), (&policy, now));
    head.origin = Some(checkpoint.origin);
    head.size = Some(checkpoint.size);
    Ok(verdict.under(head))
}

impl ProofsVerdict {
    /// Adds the results for the head: if it is not valid, nothing is proved.
    fn under(self, mut head: Verdict) -> Self {
        let holds = head.steps.iter().all(|step| step.holds);
        let valid = holds && self.proved == self.count;
        if !valid {
            head.forget_date();
        }
        Self {
            valid,
            proved: if holds { self.proved } else { 0 },
            steps: head.steps,
            origin: head.origin,
            size: head.size,
            logged_before: head.logged_before,
            logged_before_by: head.logged_before_by,
            cosignatures: head.cosignatures,
            ..self
        }
    }
}

fn malformed(expected: &'static str) -> LogFault {
    LogFault::Proofs(expected)
}

/// The signed checkpoint of a file of proofs, and the list of its proofs.
fn head_of(root: Value<'_>) -> Result<(String, Value<'_>), LogFault> {
    // JSON readers differ in which of two members with one name counts: an unproved event could hide behind a proved one.
    if root.has_repeated_names() {
        return Err(LogFault::RepeatedName);
    }
    let kind = root.get("type").and_then(Value::as_str);
    if kind.as_deref() != Some(PROOFS) {
        return Err(malformed("an object of the type epcis-edge/proofs/v1"));
    }
    let text = root.get("checkpoint").and_then(Value::as_str);
    let text = text.ok_or_else(|| malformed("a signed note as `checkpoint`"))?;
    let proofs = root.get("proofs");
    let proofs = proofs.filter(|proofs| proofs.kind() == Kind::Array);
    let proofs = proofs.ok_or_else(|| malformed("a list of `proofs`"))?;
    Ok((text.into_owned(), proofs))
}

/// The hashes of a path, at most as many as any proof has.
pub(super) fn hashes_in(path: Value<'_>) -> Option<Vec<Hash>> {
    let hashes = path.elements().take(MAX_PROOF + 1);
    let hashes: Vec<Hash> = hashes.map(|hash| hash_of(&hash.as_str()?)).collect::<Option<_>>()?;
    (hashes.len() <= MAX_PROOF).then_some(hashes)
}

/// The parts of one proof.
struct ProofParts<'d> {
    event: Value<'d>,
    index: u64,
    salt: Salt,
    statement: String,
    path: Vec<Hash>,
}

fn parts(proof: Value<'_>) -> Result<ProofParts<'_>, LogFault> {
    let text = |name: &str| proof.get(name).and_then(Value::as_str);
    let index = proof.get("index").map(Value::source).and_then(super::tile::decimal);
    let salt = text("salt").and_then(|salt| digest_of_hex(&salt));
    let path = proof.get("path").and_then(hashes_in);
    Ok(ProofParts {
        event: proof.get("event").ok_or_else(|| malformed("an event as `event`"))?,
        index: index.ok_or_else(|| malformed("the number of a leaf as `index`"))?,
        salt: salt.ok_or_else(|| malformed("64 hexadecimal digits as `salt`"))?,
        statement: text("statement")
            .ok_or_else(|| malformed("a text as `statement`"))?
            .into_owned(),
        path: path.ok_or_else(|| malformed("at most 63 hashes in base64 as `path`"))?,
    })
}

/// Verifies one proof under a head. Returns the time at which the event was recorded; otherwise the step that fails, and why.
fn proved(proof: Value<'_>, checkpoint: &Checkpoint) -> Result<String, (&'static str, LogFault)> {
    let ProofParts { event, index, salt, statement: text, path } =
        parts(proof).map_err(|fault| ("proof", fault))?;
    let statement = Statement::read(&text).map_err(|fault| ("event", fault))?;
    let found = LeafKeys::new(&salt).event(event.source());
    if found != statement.event {
        let fault = LogFault::Event {
            field: "keyed digest",
            stated: to_hex(&statement.event),
            found: to_hex(&found),
        };
        return Err(("event", fault));
    }
    says_the_same(&statement, &salt, event).map_err(|fault| ("event", fault))?;
    let leaf = leaf_of(&commitment(&salt, &text));
    verify_inclusion(&leaf, index, checkpoint.size, &checkpoint.root, &path)
        .map_err(|fault| ("inclusion", fault))?;
    Ok(statement.stamps.record_time)
}
