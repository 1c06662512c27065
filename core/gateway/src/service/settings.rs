//! The settings of a deployment, from the texts that a shell finds under their names: variables of a Worker, flags and environment of a
//! server.

use super::{Configuration, DefaultEpcFormat, Family, LogSettings, Origins};
use crate::capture::HashEventIds;
use epcis_edge_log::{Policy, Signer};
use epcis_edge_rules::names_of_packs;
use epcis_edge_text::error::LogFault;
use epcis_edge_text::slice::OrEmpty;
use http::Uri;
use std::fmt;

/// The names of all settings that [`Configuration::read`] and [`Configuration::limits_callers`] take, each with what it says.
pub const SETTINGS: [(&str, &str); 15] = [
    (
        "ALLOWED_CONTEXTS",
        "Addresses of JSON-LD contexts, or their beginnings, that captured events may name besides the official ones, separated by spaces",
    ),
    (
        "ALLOWED_ORIGINS",
        "Origins of pages that may ask POST /mcp, besides the gateway's own, separated by spaces",
    ),
    (
        "BASE_URL",
        "Base address of the gateway, such as https://epcis.example.com; needed everywhere but at a loopback address",
    ),
    (
        "EPC_FORMAT",
        "How answers of the REST binding spell identifiers if the caller does not say: Never_Translates, the default, or Always_GS1_Digital_Link, as the standard words it",
    ),
    (
        "EXTENSION_NAMESPACE",
        "Namespace of the gateway's extension members; default <base>/ns/spine/",
    ),
    ("FAMILY", "The registry that GET /family.json answers, as JSON; default: this service alone"),
    (
        "HASH_EVENT_IDS",
        "report, refuse, or empty (report): what happens to an eventID in hash form that is not the hash of its event",
    ),
    (
        "LOG_KEY",
        "The secret key of the log, or several of one name, separated by spaces; without one a Worker keeps no log, and a server makes one in its folder",
    ),
    (
        "LOG_POLICY",
        "Which witnesses cosign the log, and how many must: lines witness, group and quorum of a policy, separated by semicolons; default: none",
    ),
    ("MAX_BODY_BYTES", "Largest request body in bytes; default 10 MiB"),
    ("MAX_CAPTURE_EVENTS", "Largest number of events in one capture; default 30,000"),
    ("RATE_LIMIT", "on, off, or empty: on, except in a local gateway"),
    (
        "READ_ONLY",
        "on: nothing is stored, and queries are answered, for example while the store is moved; otherwise off or empty",
    ),
    (
        "REQUIRED_CHECKS",
        "Packs of checks whose errors refuse a capture, by name, separated by spaces (docs/checks/README.md has the names); default: none",
    ),
    ("RESOLVER_URL", "The identity resolver that GET /family.json and the tool resolve name"),
];

/// A setting with a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingFault {
    /// Its name.
    pub name: &'static str,
    /// What it must be, to follow `must be`.
    pub should: String,
}

impl fmt::Display for SettingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the variable {} must be {}", self.name, self.should)
    }
}

impl std::error::Error for SettingFault {}

impl Configuration {
    /// The configuration of a deployment. `setting` finds the text of a setting by its name.
    ///
    /// Settings that are missing derive from `BASE_URL`; if that is missing, a local service takes `address`, that of the request, instead.
    ///
    /// Elsewhere, the address of the first request would determine the namespace of the stored data.
    ///
    /// # Errors
    /// A missing or invalid variable; the message names it and says what it should be.
    pub fn read(
        setting: &dyn Fn(&str) -> Option<String>,
        address: &Uri,
    ) -> Result<Self, SettingFault> {
        let text = |name: &str| setting(name).filter(|value| !value.is_empty());
        let fault = |name, should: &str| SettingFault { name, should: should.to_owned() };
        // The entries of a list; `read` returns what is kept of one, if it may be there.
        let list = |name, should: &str, read: fn(&str) -> Option<&str>| {
            let text = text(name).or_empty();
            let entries = text.split([',', ' ']).filter(|entry| !entry.is_empty());
            let entries = entries.map(|entry| read(entry).map(str::to_owned));
            entries.collect::<Option<Vec<String>>>().ok_or_else(|| fault(name, should))
        };

        let mut configuration = match text("BASE_URL") {
            Some(base_url) if is_address(&base_url) => Configuration::at(&base_url),
            None if Origins::of(&origin_of(address)).local => {
                Configuration::at(&origin_of(address))
            }
            _ => {
                let should = "the address of the gateway, such as https://epcis.example.com";
                return Err(fault("BASE_URL", should));
            }
        };
        let should = "a list of origins separated by spaces, such as https://app.example.com";
        let origins = list("ALLOWED_ORIGINS", should, |origin| {
            let origin = origin.trim_end_matches('/');
            (Origins::of(origin).allowed == [origin]).then_some(origin)
        });
        configuration.origins.allowed.extend(origins?);
        if let Some(namespace) = text("EXTENSION_NAMESPACE") {
            // JSON-LD expands a prefix only if its namespace ends in one of these characters.
            let is_one = namespace.ends_with(['/', '#', ':'])
                && namespace
                    .split_once(':')
                    .is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty())
                && !namespace.contains(char::is_whitespace);
            if !is_one {
                let should = "an absolute URI that ends in /, # or :";
                return Err(fault("EXTENSION_NAMESPACE", should));
            }
            configuration.extension_namespace = namespace;
        }
        let should = "a list of context addresses separated by spaces; a shorter address allows all that begin with it";
        configuration.allowed_contexts =
            list("ALLOWED_CONTEXTS", should, |start| is_address(start).then_some(start))?;
        if let Some(word) = text("HASH_EVENT_IDS") {
            configuration.hash_event_ids = HashEventIds::named(&word)
                .ok_or_else(|| fault("HASH_EVENT_IDS", "report, refuse or empty"))?;
        }
        let packs = names_of_packs().join(" ");
        let should = format!("a list of packs of checks separated by spaces, out of {packs}");
        configuration.required_checks = list("REQUIRED_CHECKS", &should, |name| {
            names_of_packs().contains(&name).then_some(name)
        })?;
        configuration.read_only = match text("READ_ONLY").as_deref() {
            None | Some("off") => false,
            Some("on") => true,
            Some(_) => return Err(fault("READ_ONLY", "on, off or empty")),
        };
        if let Some(limit) = text("MAX_BODY_BYTES") {
            configuration.max_body_bytes =
                limit.parse().map_err(|_| fault("MAX_BODY_BYTES", "a number of bytes"))?;
        }
        if let Some(limit) = text("MAX_CAPTURE_EVENTS") {
            configuration.max_capture_events =
                limit.parse().map_err(|_| fault("MAX_CAPTURE_EVENTS", "a number of events"))?;
        }
        if let Some(word) = text("EPC_FORMAT") {
            configuration.epc_format = DefaultEpcFormat::named(&word).ok_or_else(|| {
                fault("EPC_FORMAT", "Never_Translates, Always_GS1_Digital_Link or empty")
            })?;
        }
        // A faulty setting of the log is no reason to refuse captures: only the log is off.
        match log(&text, &configuration.base_url) {
            Ok(log) => configuration.log = log,
            Err(fault) => configuration.log_fault = Some(fault),
        }
        if let Some(family) = text("FAMILY") {
            configuration.family = serde_json::from_str::<Family>(&family).map_err(|error| {
                fault(
                    "FAMILY",
                    &format!("the JSON document that GET /family.json returns: {error}"),
                )
            })?;
        } else if let Some(resolver) = text("RESOLVER_URL") {
            configuration.family = configuration.family.with_resolver(&resolver);
        }
        Ok(configuration)
    }

    /// Whether callers are rate-limited. Without `RATE_LIMIT` they are, except in a local service.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn limits_callers(
        &self,
        setting: &dyn Fn(&str) -> Option<String>,
    ) -> Result<bool, SettingFault> {
        match setting("RATE_LIMIT").as_deref() {
            None | Some("") => Ok(!self.origins.local),
            Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(_) => {
                Err(SettingFault { name: "RATE_LIMIT", should: "on, off or empty".to_owned() })
            }
        }
    }
}

/// The settings of the log; `None` without a key.
///
/// # Errors
/// The faulty setting and its fault; the message contains nothing of a key.
fn log(
    text: &dyn Fn(&str) -> Option<String>,
    base_url: &str,
) -> Result<Option<LogSettings>, String> {
    let fault = |name: &str, error: &LogFault| format!("the setting {name}: {error}");
    let Some(keys) = text("LOG_KEY") else {
        return Ok(None);
    };
    let signers = keys.split_whitespace().map(Signer::named).collect::<Result<Vec<_>, _>>();
    let signers = signers.map_err(|error| fault("LOG_KEY", &error))?;
    let witnesses = match text("LOG_POLICY") {
        // In a variable, semicolons may separate the lines.
        Some(lines) => Policy::read(&lines.replace(';', "\n")),
        None => Ok(Policy::without_witnesses()),
    };
    let witnesses = witnesses.map_err(|error| fault("LOG_POLICY", &error))?;
    let settings = LogSettings::new(signers, &format!("{base_url}/log"), witnesses);
    settings.map(Some).map_err(|error| fault("LOG_KEY", &error))
}

/// Whether a text is an `http` or `https` address.
fn is_address(text: &str) -> bool {
    text.parse::<Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.authority().is_some()
    })
}

/// The scheme and authority of an address.
fn origin_of(address: &Uri) -> String {
    let scheme = address.scheme_str().unwrap_or("https");
    let authority = address.authority().map_or("localhost", |authority| authority.as_str());
    format!("{scheme}://{authority}")
}
