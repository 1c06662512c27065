//! Errors for JavaScript: real `Error` objects with a `problem` member, which `wasm/js` turns into its `EpcisError`.

use crate::to_plain;
use epcis_edge_core::error::{Error, Problem};
#[cfg(feature = "input")]
use epcis_edge_core::error::{ErrorKind, JsonFault};
#[cfg(feature = "documents")]
use epcis_edge_core::service::InvalidTranslation;
use js_sys::Reflect;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// What an exported function throws.
#[derive(Debug)]
pub struct Thrown(JsValue);

/// An `Error` whose `problem` is the problem document.
impl From<Error> for Thrown {
    #[inline(never)]
    fn from(error: Error) -> Self {
        with_problem(&error.to_string(), &Problem::from(&error))
    }
}

impl From<JsValue> for Thrown {
    fn from(thrown: JsValue) -> Self {
        Self(thrown)
    }
}

impl From<&str> for Thrown {
    fn from(thrown: &str) -> Self {
        Self(JsValue::from_str(thrown))
    }
}

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> Self {
        thrown.0
    }
}

/// An `Error` whose `problem` also has the fidelity report and the schema errors.
#[cfg(feature = "documents")]
pub(crate) fn invalid_translation(invalid: &InvalidTranslation) -> Thrown {
    let problem = invalid.problem();
    with_problem(problem.problem.detail.as_deref().unwrap_or_default(), &problem)
}

pub(crate) fn with_problem<P: Serialize>(message: &str, problem: &P) -> Thrown {
    let thrown = js_sys::Error::new(message);
    thrown.set_name("EpcisError");
    if let Ok(problem) = to_plain(problem) {
        // Setting a member of a fresh object cannot fail.
        let _ = Reflect::set(&thrown, &"problem".into(), &problem);
    }
    Thrown(thrown.into())
}

#[cfg(feature = "input")]
pub(crate) fn lone_surrogate() -> Thrown {
    Error::new(ErrorKind::Json(JsonFault::LoneSurrogate)).into()
}
