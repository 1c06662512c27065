//! Asks the witnesses for cosignatures, and whether they know more of the log than its store does.

use super::Service;
use crate::store::{Halt, Head};
use async_trait::async_trait;
use epcis_edge_log::{
    Checkpoint, Note, ProofPlan, TrustedWitness, WitnessAnswer, WitnessRequest, empty_root,
    known_cosignatures, signed,
};
use epcis_edge_text::error::{Error, ErrorKind, LogFault};
use epcis_edge_text::time::Timestamp;
use futures_util::future::join_all;

/// The age in seconds at which a cosignature of a head is renewed, so that verifiers can tell a quiet log from a frozen one.
const AGAIN: u64 = 3600;

/// The client that sends requests to witnesses.
#[async_trait(?Send)]
pub trait Witnesses {
    /// Sends a body to an address by `POST`. Returns status, media type and body of the answer, or `None` if none came in time.
    async fn ask(&self, url: &str, body: String) -> Option<(u16, String, String)>;
}

/// A witness to ask, and the tree size from which it is asked.
struct WitnessToAsk<'s> {
    witness: &'s TrustedWitness,
    url: String,
    old: u64,
}

/// The meaning of a witness's answer.
enum Outcome {
    Cosigned(Vec<(String, String)>),
    /// The witness has another tree size, from which it is asked once more.
    From(u64),
    /// The witness has signed a tree that the store lacks: another signature would fork the log.
    Forked(LogFault),
    /// What went wrong; only the cosignature is missing.
    Trouble(String),
}

impl Service {
    /// Asks the witnesses of the policy for cosignatures of the newest head, all at the same time, except those that cosigned
    /// it within the hour before `now`, in milliseconds since 1970. Stores their cosignatures, and returns the errors for the
    /// log of the service. A witness that does not answer costs nothing but its cosignature.
    ///
    /// If a witness has signed a tree that the store lacks, the log is halted: see [`LogFault::Halted`].
    ///
    /// # Errors
    /// A fault of the storage.
    pub async fn cosign(&self, witnesses: &dyn Witnesses, now: u64) -> Result<Vec<String>, Error> {
        match self.store.last_head().await? {
            Some(head) if head.size > 0 => self.ask_witnesses(witnesses, now, AGAIN).await,
            _ => Ok(Vec::new()),
        }
    }

    /// Asks every witness whether it knows more of the log than the store does, before the first signature of a process:
    /// database and copy may have been set back together. Otherwise as [`cosign`](Self::cosign).
    ///
    /// # Errors
    /// A fault of the storage.
    pub async fn consult(&self, witnesses: &dyn Witnesses, now: u64) -> Result<Vec<String>, Error> {
        self.ask_witnesses(witnesses, now, 0).await
    }

    /// Whether the witnesses must be asked before anything is signed: this process has not asked them yet, or an operator has ended
    /// a halt since it did. `last` is when it asked them last, in milliseconds since 1970.
    ///
    /// # Errors
    /// A fault of the storage.
    pub async fn must_consult(&self, last: Option<u64>) -> Result<bool, Error> {
        let halt = self.store.last_halt().await?;
        let ended = halt.and_then(|halt| halt.ended);
        let last = last.map(|last| Timestamp::from_milliseconds(last).to_string());
        // Both times are written in one form, in which they sort correctly.
        Ok(last.is_none() || ended > last)
    }

    /// Asks the witnesses whose latest cosignature of the newest head is at least `age` seconds old.
    async fn ask_witnesses(
        &self,
        witnesses: &dyn Witnesses,
        now: u64,
        age: u64,
    ) -> Result<Vec<String>, Error> {
        let Some(settings) = &self.configuration.log else {
            return Ok(Vec::new());
        };
        let mut troubles = Vec::new();
        let last = self.store.last_head().await?;
        let may_sign = match self.require_own(last.as_ref()) {
            Ok(()) => self.require_no_halt().await,
            refused => refused,
        };
        match may_sign {
            // An integration reports it.
            Err(error) if matches!(error.kind(), ErrorKind::Log(_)) => return Ok(troubles),
            other => other?,
        }
        let log = self.served_log()?;
        // If the store has no head, one may have been signed and lost. The witnesses are then asked with the head of the empty
        // tree, which is not stored.
        let head = last.unwrap_or_else(|| self.head_of_nothing(settings));
        let fresh = head.fresh();
        let note = Note::read(&fresh)?;
        let is_due = |witness: &TrustedWitness| match note.cosigned_by(&witness.key) {
            Ok(Some(at)) => at.last.saturating_add(age) <= now / 1000,
            _ => true,
        };
        let mut asked = Vec::new();
        for witness in settings.policy.witnesses() {
            if let Some(url) = &witness.url
                && is_due(witness)
            {
                let last = self.store.last_cosigned_by(witness.key.name()).await?;
                asked.push(WitnessToAsk {
                    witness,
                    url: format!("{url}/add-checkpoint"),
                    old: last.map_or(0, |(size, _)| size).min(head.size),
                });
            }
        }
        // The first round begins at the size recorded for each witness, the second at the size that the witness reports.
        for is_last in [false, true] {
            let mut requests = Vec::new();
            for one in &asked {
                let request = WitnessRequest {
                    old: one.old,
                    proof: log.proof(&ProofPlan::consistency(one.old, head.size)).await?,
                    checkpoint: head.note.clone(),
                };
                requests.push(witnesses.ask(&one.url, request.text()));
            }
            let answers = join_all(requests).await;
            let mut again = Vec::new();
            for (one, answer) in asked.into_iter().zip(answers) {
                let name = &one.witness.name;
                match outcome(&one, &head, answer)? {
                    Outcome::Cosigned(lines) if head.size > 0 => {
                        self.store.keep_cosignatures(head.size, &lines).await?;
                    }
                    Outcome::Cosigned(_) => {}
                    Outcome::From(old) if !is_last => again.push(WitnessToAsk { old, ..one }),
                    Outcome::From(_) => {
                        troubles.push(format!(
                            "witness {name}: its size changed between one request and the next"
                        ));
                    }
                    Outcome::Forked(fault) => {
                        let reason = format!("witness {name}: {fault}");
                        let begun = Timestamp::from_milliseconds(now).to_string();
                        self.store
                            .halt(&Halt { begun, reason: reason.clone(), ended: None })
                            .await?;
                        troubles.push(format!("the log is halted: {reason}"));
                    }
                    Outcome::Trouble(trouble) => {
                        troubles.push(format!("witness {name}: {trouble}"));
                    }
                }
            }
            asked = again;
        }
        Ok(troubles)
    }

    fn head_of_nothing(&self, settings: &super::LogSettings) -> Head {
        let checkpoint =
            Checkpoint { origin: settings.origin().to_owned(), size: 0, root: empty_root() };
        Head {
            size: 0,
            root: checkpoint.root,
            note: signed(&checkpoint.text(), &settings.signers),
            cosignatures: Vec::new(),
            latest: Vec::new(),
        }
    }
}

/// Interprets the answer of a witness.
fn outcome(
    asked: &WitnessToAsk<'_>,
    head: &Head,
    answer: Option<(u16, String, String)>,
) -> Result<Outcome, Error> {
    let Some((status, media_type, body)) = answer else {
        return Ok(Outcome::Trouble("no answer".to_owned()));
    };
    let old = asked.old;
    let other = LogFault::OtherTree { size: head.size };
    Ok(match WitnessAnswer::of(status, &media_type, &body) {
        WitnessAnswer::Lines(lines) => {
            let text = Note::read(&head.note)?.text();
            let keys = std::slice::from_ref(&asked.witness.key);
            let known = known_cosignatures(text, &lines, keys);
            if known.is_empty() {
                Outcome::Trouble("its answer holds no cosignature of its key".to_owned())
            } else {
                Outcome::Cosigned(known)
            }
        }
        WitnessAnswer::AtSize(size) if size > head.size => {
            Outcome::Forked(LogFault::Restored { signed: size, found: head.size })
        }
        WitnessAnswer::AtSize(size) if size != old => Outcome::From(size),
        // The request started from this same size, so the witness has another root there.
        WitnessAnswer::AtSize(_) | WitnessAnswer::Refused { status: 409 } if old == head.size => {
            Outcome::Forked(other)
        }
        WitnessAnswer::AtSize(size) => {
            Outcome::Trouble(format!("asked from {size} leaves it says that it stands there"))
        }
        WitnessAnswer::Refused { status: 422 } => {
            Outcome::Forked(LogFault::OtherTree { size: old })
        }
        WitnessAnswer::Refused { status } => Outcome::Trouble(format!("status {status}")),
    })
}
