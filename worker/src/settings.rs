//! The variables of a deployment, as `wrangler.toml` or the dashboard sets them.

use epcis_edge_core::capture::HashEventIds;
use epcis_edge_core::check::names_of_packs;
use epcis_edge_core::error::LogFault;
use epcis_edge_core::log::{Policy, Signer};
use epcis_edge_core::service::{Configuration, DefaultEpcFormat, Family, LogSettings, Origins};
use http::Uri;
use worker::Env;

/// The configuration. Settings that are missing derive from `BASE_URL`; if that is missing, a local service takes the address of the
/// request instead.
///
/// Elsewhere, the address of the first request would determine the namespace of the stored data.
///
/// # Errors
/// A missing or invalid variable; the message names it and says what it should be.
pub(crate) fn read(env: &Env, address: &Uri) -> worker::Result<Configuration> {
    let text = |name: &str| {
        env.var(name).ok().map(|value| value.to_string()).filter(|value| !value.is_empty())
    };
    let fault = |name: &str, should: &str| {
        worker::Error::RustError(format!("the variable {name} must be {should}"))
    };

    let mut configuration = match text("BASE_URL") {
        Some(base_url) if is_address(&base_url) => Configuration::at(&base_url),
        None if Origins::of(&origin_of(address)).local => Configuration::at(&origin_of(address)),
        _ => {
            let should = "the address of the gateway, such as https://epcis.example.com";
            return Err(fault("BASE_URL", should));
        }
    };
    if let Some(origins) = text("ALLOWED_ORIGINS") {
        let origins = origins.split([',', ' ']);
        for origin in origins.filter(|origin| !origin.is_empty()) {
            let origin = origin.trim_end_matches('/');
            if Origins::of(origin).allowed != [origin] {
                let should =
                    "a list of origins separated by spaces, such as https://app.example.com";
                return Err(fault("ALLOWED_ORIGINS", should));
            }
            configuration.origins.allowed.push(origin.to_owned());
        }
    }
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
    if let Some(contexts) = text("ALLOWED_CONTEXTS") {
        let contexts = contexts.split([',', ' ']).filter(|start| !start.is_empty());
        for start in contexts {
            if !is_address(start) {
                let should = "a list of context addresses separated by spaces; a shorter address allows all that begin with it";
                return Err(fault("ALLOWED_CONTEXTS", should));
            }
            configuration.allowed_contexts.push(start.to_owned());
        }
    }
    if let Some(word) = text("HASH_EVENT_IDS") {
        configuration.hash_event_ids = HashEventIds::named(&word)
            .ok_or_else(|| fault("HASH_EVENT_IDS", "report, refuse or empty"))?;
    }
    if let Some(packs) = text("REQUIRED_CHECKS") {
        let packs = packs.split([',', ' ']).filter(|name| !name.is_empty());
        for name in packs {
            if !names_of_packs().contains(&name) {
                let should = format!(
                    "a list of packs of checks separated by spaces, out of {}",
                    names_of_packs().join(" ")
                );
                return Err(fault("REQUIRED_CHECKS", &should));
            }
            configuration.required_checks.push(name.to_owned());
        }
    }
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
    if let Err(fault) = log(env, &text, &mut configuration) {
        configuration.log = None;
        configuration.log_fault = Some(fault);
    }
    if let Some(family) = text("FAMILY") {
        configuration.family = serde_json::from_str::<Family>(&family).map_err(|error| {
            fault("FAMILY", &format!("the JSON document that GET /family.json returns: {error}"))
        })?;
    } else if let Some(resolver) = text("RESOLVER_URL") {
        configuration.family = configuration.family.with_resolver(&resolver);
    }
    Ok(configuration)
}

/// Reads the settings of the log, if its key is set.
///
/// # Errors
/// The faulty setting and its fault; the message contains nothing of a key.
fn log(
    env: &Env,
    text: &impl Fn(&str) -> Option<String>,
    configuration: &mut Configuration,
) -> Result<(), String> {
    let fault = |name: &str, error: &LogFault| format!("the setting {name}: {error}");
    let keys = env.secret("LOG_KEY").ok().map(|secret| secret.to_string());
    if let Some(keys) = keys.filter(|keys| !keys.is_empty()) {
        let signers = keys.split_whitespace().map(Signer::named).collect::<Result<Vec<_>, _>>();
        let signers = signers.map_err(|error| fault("LOG_KEY", &error))?;
        let witnesses = match text("LOG_POLICY") {
            // In a variable, semicolons may separate the lines.
            Some(lines) => Policy::read(&lines.replace(';', "\n")),
            None => Ok(Policy::without_witnesses()),
        };
        let witnesses = witnesses.map_err(|error| fault("LOG_POLICY", &error))?;
        let settings =
            LogSettings::new(signers, &format!("{}/log", configuration.base_url), witnesses);
        configuration.log = Some(settings.map_err(|error| fault("LOG_KEY", &error))?);
    }
    Ok(())
}

/// Whether callers are rate-limited. Without `RATE_LIMIT` they are, except in a local service.
///
/// # Errors
/// As [`read`].
pub(crate) fn is_rate_limited(env: &Env, configuration: &Configuration) -> worker::Result<bool> {
    let setting = env.var("RATE_LIMIT").map(|value| value.to_string());
    match setting.as_deref() {
        Err(_) | Ok("") => Ok(!configuration.origins.local),
        Ok("on") => Ok(true),
        Ok("off") => Ok(false),
        Ok(_) => Err(worker::Error::RustError(
            "the variable RATE_LIMIT must be on, off or empty".to_owned(),
        )),
    }
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
