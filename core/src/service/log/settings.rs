//! What a deployment sets for its log, and to be a witness of others.

use crate::error::LogFault;
use crate::log::{KeyKind, Policy, Signer, TrustedLog, VerifierKey};
use serde::Serialize;

/// What a deployment sets for its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSettings {
    pub(super) signers: Vec<Signer>,
    pub(super) url: String,
    /// Its own keys, its witnesses and their quorum.
    pub(super) policy: Policy,
}

impl LogSettings {
    /// A log that these keys sign, at an address, and that these witnesses are asked to cosign.
    ///
    /// # Errors
    /// [`LogFault::Key`] where there is no key, or they are not all of one origin, or one is for cosignatures.
    pub fn new(signers: Vec<Signer>, url: &str, witnesses: Policy) -> Result<Self, LogFault> {
        let origin = signers.first().map(|signer| signer.key().name().to_owned());
        let is_of_log = |signer: &Signer| {
            signer.key().kind() == KeyKind::Note && Some(signer.key().name()) == origin.as_deref()
        };
        if origin.is_none() || !signers.iter().all(is_of_log) {
            return Err(LogFault::Key {
                found: origin.unwrap_or_default(),
                expected: "at least one key of type 1, and all of one name",
            });
        }
        let url = url.trim_end_matches('/').to_owned();
        let logs = signers.iter().map(|signer| TrustedLog {
            key: signer.key().clone(),
            // The log of a process is nowhere.
            url: (!url.is_empty()).then(|| url.clone()),
        });
        let policy = Policy::read(&witnesses.of_logs(&logs.collect::<Vec<_>>()))?;
        Ok(Self {
            signers,
            url,
            policy,
        })
    }

    /// The origin: what the log is called wherever it is, for ever.
    #[must_use]
    pub fn origin(&self) -> &str {
        self.signers
            .first()
            .map_or("", |signer| signer.key().name())
    }

    /// The keys that verify its heads.
    pub fn keys(&self) -> impl Iterator<Item = &VerifierKey> {
        self.signers.iter().map(Signer::key)
    }

    /// What a verifier may believe: the log's keys, its witnesses, and their quorum.
    #[must_use]
    pub fn policy_text(&self) -> String {
        self.policy.of_logs(self.policy.logs())
    }
}

/// What a deployment sets to be a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessSettings {
    pub(super) signer: Signer,
    pub(super) logs: Policy,
    pub(super) url: String,
}

impl WitnessSettings {
    /// A witness with a key, of these logs, at an address.
    ///
    /// # Errors
    /// [`LogFault::Key`] where the key is not one for cosignatures.
    pub fn new(signer: Signer, logs: Policy, url: &str) -> Result<Self, LogFault> {
        if signer.key().kind() != KeyKind::Cosignature {
            return Err(LogFault::Key {
                found: signer.key().name().to_owned(),
                expected: "a key for cosignatures, of type 4",
            });
        }
        Ok(Self {
            signer,
            logs,
            url: url.trim_end_matches('/').to_owned(),
        })
    }

    /// The key that verifies its cosignatures.
    #[must_use]
    pub fn key(&self) -> &VerifierKey {
        self.signer.key()
    }
}

/// The log as the registry of the family shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownLog {
    /// Its origin.
    pub origin: String,
    /// Where it is.
    pub url: String,
    /// The keys that verify its heads.
    pub vkeys: Vec<String>,
}

/// The witness as the registry of the family shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownWitness {
    /// Where it is asked.
    pub url: String,
    /// The key that verifies its cosignatures.
    pub vkey: String,
}
