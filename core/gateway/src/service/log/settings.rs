//! The settings of a log.

use epcis_edge_log::{KeyKind, Policy, Signer, TrustedLog, VerifierKey};
use epcis_edge_text::error::LogFault;
use epcis_edge_text::slice::OrEmpty;
use serde::Serialize;

/// The settings of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSettings {
    pub(super) signers: Vec<Signer>,
    pub(super) url: String,
    /// The log's own keys, its witnesses and their quorum.
    pub(super) policy: Policy,
}

impl LogSettings {
    /// The settings of a log at an address, signed by these keys, with witnesses that are asked for cosignatures.
    ///
    /// # Errors
    /// [`LogFault::Key`] if there is no key, if the keys have different origins, or if one is for cosignatures.
    pub fn new(signers: Vec<Signer>, url: &str, witnesses: Policy) -> Result<Self, LogFault> {
        let origin = signers.first().map(|signer| signer.key().name().to_owned());
        let is_of_log = |signer: &Signer| {
            signer.key().kind() == KeyKind::Note && Some(signer.key().name()) == origin.as_deref()
        };
        if origin.is_none() || !signers.iter().all(is_of_log) {
            return Err(LogFault::Key {
                found: origin.or_empty(),
                expected: "at least one key of type 1, and all of one name",
            });
        }
        let url = url.trim_end_matches('/').to_owned();
        let logs = signers.iter().map(|signer| TrustedLog {
            key: signer.key().clone(),
            // A log within a process has no address.
            url: (!url.is_empty()).then(|| url.clone()),
        });
        let policy = Policy::read(&witnesses.of_logs(&logs.collect::<Vec<_>>()))?;
        Ok(Self { signers, url, policy })
    }

    /// The address of the proof of the event with a name, or with a content hash.
    pub(in crate::service) fn proof_of(&self, event: &str) -> String {
        let event: String = form_urlencoded::byte_serialize(event.as_bytes()).collect();
        format!("{}/proof?event={event}", self.url)
    }

    /// The origin: the permanent name of the log, wherever it is served.
    #[must_use]
    pub fn origin(&self) -> &str {
        self.signers.first().map_or("", |signer| signer.key().name())
    }

    /// The keys that verify its heads.
    pub fn keys(&self) -> impl Iterator<Item = &VerifierKey> {
        self.signers.iter().map(Signer::key)
    }

    /// The policy for verifiers: the log's keys, its witnesses, and their quorum.
    #[must_use]
    pub fn policy_text(&self) -> String {
        self.policy.of_logs(self.policy.logs())
    }
}

/// The log as the family registry shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownLog {
    /// Its origin.
    pub origin: String,
    /// The address at which it is served.
    pub url: String,
    /// The keys that verify its heads.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub vkeys: Vec<String>,
}
