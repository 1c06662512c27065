//! Errors for JavaScript: real `Error` objects with a `problem` member, which `wasm/js` turns into its `EpcisError`.

use crate::to_plain;
use epcis_edge_core::error::{Error, Problem};
#[cfg(any(
    feature = "documents",
    feature = "checks",
    feature = "following",
    feature = "reports",
    feature = "agent"
))]
use epcis_edge_core::error::{ErrorKind, JsonFault};
#[cfg(feature = "documents")]
use epcis_edge_core::service::InvalidTranslation;
use js_sys::Reflect;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// An `Error` whose `problem` is the problem document.
pub(crate) fn to_js(error: &Error) -> JsValue {
    with_problem(&error.to_string(), &Problem::from(error))
}

/// An `Error` whose `problem` also has the fidelity report and the schema errors.
#[cfg(feature = "documents")]
pub(crate) fn invalid_translation(invalid: &InvalidTranslation) -> JsValue {
    let problem = invalid.problem();
    with_problem(problem.problem.detail.as_deref().unwrap_or_default(), &problem)
}

pub(crate) fn with_problem<P: Serialize>(message: &str, problem: &P) -> JsValue {
    let thrown = js_sys::Error::new(message);
    thrown.set_name("EpcisError");
    if let Ok(problem) = to_plain(problem) {
        // Setting a member of a fresh object cannot fail.
        let _ = Reflect::set(&thrown, &"problem".into(), &problem);
    }
    thrown.into()
}

#[cfg(any(
    feature = "documents",
    feature = "checks",
    feature = "following",
    feature = "reports",
    feature = "agent"
))]
pub(crate) fn lone_surrogate() -> JsValue {
    to_js(&Error::new(ErrorKind::Json(JsonFault::LoneSurrogate)))
}
