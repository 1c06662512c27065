//! The variables of a deployment, as `wrangler.toml` or the dashboard sets them.

use epcis_edge_core::service::{Configuration, Family, Origins};
use http::Uri;
use worker::Env;

/// The configuration: what is not set follows from the address of the request.
///
/// # Errors
/// A variable that cannot be read; the message names it, and what it should be.
pub(crate) fn read(env: &Env, address: &Uri) -> worker::Result<Configuration> {
    let text = |name: &str| {
        env.var(name)
            .ok()
            .map(|value| value.to_string())
            .filter(|value| !value.is_empty())
    };
    let fault = |name: &str, should: &str| {
        worker::Error::RustError(format!("the variable {name} must be {should}"))
    };

    let mut configuration = match text("BASE_URL") {
        Some(base_url) => Configuration::at(&base_url),
        None => Configuration {
            // An address that a caller chose is nobody's origin.
            origins: Origins::default(),
            ..Configuration::at(&origin_of(address))
        },
    };
    if let Some(origins) = text("ALLOWED_ORIGINS") {
        let origins = origins
            .split([',', ' '])
            .filter(|origin| !origin.is_empty());
        let allowed = &mut configuration.origins.allowed;
        allowed.extend(origins.map(|origin| origin.trim_end_matches('/').to_owned()));
    }
    if let Some(namespace) = text("EXTENSION_NAMESPACE") {
        configuration.extension_namespace = namespace;
    }
    if let Some(limit) = text("MAX_BODY_BYTES") {
        configuration.max_body_bytes = limit
            .parse()
            .map_err(|_| fault("MAX_BODY_BYTES", "a number of bytes"))?;
    }
    if let Some(family) = text("FAMILY") {
        configuration.family = serde_json::from_str::<Family>(&family).map_err(|error| {
            fault(
                "FAMILY",
                &format!("the JSON that GET /family.json shall answer ({error})"),
            )
        })?;
    } else if let Some(resolver) = text("RESOLVER_URL") {
        configuration.family = configuration.family.with_resolver(&resolver);
    }
    Ok(configuration)
}

/// Whether callers are counted: where `RATE_LIMIT` says nothing, everywhere but in a local service.
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

/// Scheme and authority of an address.
fn origin_of(address: &Uri) -> String {
    let scheme = address.scheme_str().unwrap_or("https");
    let authority = address
        .authority()
        .map_or("localhost", |authority| authority.as_str());
    format!("{scheme}://{authority}")
}
