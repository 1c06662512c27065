//! The settings of a deployment: the variables and secrets that `wrangler.toml` or the dashboard sets.

use epcis_edge_core::service::{Configuration, SettingFault};
use http::Uri;
use worker::Env;

/// The configuration, and whether callers are rate-limited: see [`Configuration::read`].
///
/// # Errors
/// A missing or invalid variable; the message names it and says what it should be.
pub(crate) fn read(env: &Env, address: &Uri) -> worker::Result<(Configuration, bool)> {
    let setting = |name: &str| env.var(name).ok().map(|value| value.to_string());
    let read = || {
        let configuration = Configuration::read(&setting, address)?;
        let limits = configuration.limits_callers(&setting)?;
        Ok((configuration, limits))
    };
    read().map_err(|fault: SettingFault| worker::Error::RustError(fault.to_string()))
}
