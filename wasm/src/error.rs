//! Errors as JavaScript knows them: real `Error` objects with a `problem` member.

use crate::to_plain;
use epcis_edge_core::error::{Error, ErrorKind, JsonFault, Problem};
use js_sys::{Reflect, TypeError};
use wasm_bindgen::JsValue;

/// An `Error` whose `problem` is the problem document.
pub(crate) fn to_js(error: &Error) -> JsValue {
    let thrown = js_sys::Error::new(&error.to_string());
    thrown.set_name("EpcisError");
    if let Ok(problem) = to_plain(&Problem::from(error)) {
        // Setting a member of a fresh object cannot fail.
        let _ = Reflect::set(&thrown, &"problem".into(), &problem);
    }
    thrown.into()
}

pub(crate) fn type_error(message: &str) -> JsValue {
    TypeError::new(message).into()
}

pub(crate) fn lone_surrogate() -> JsValue {
    to_js(&Error::new(ErrorKind::Json(JsonFault::LoneSurrogate)))
}
