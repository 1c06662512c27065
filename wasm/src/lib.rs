//! The core for JavaScript: bytes in, plain objects out.
//!
//! The package's entry points in `wasm/js` load this module; they differ in nothing but how. What callers pass is looked at
//! there, in one place.

#[cfg(feature = "agent")]
pub mod audit;
#[cfg(feature = "agent")]
pub mod checks;
#[cfg(feature = "documents")]
pub mod documents;
mod error;
#[cfg(feature = "documents")]
pub mod identifiers;
#[cfg(feature = "documents")]
pub mod input;
#[cfg(feature = "agent")]
pub mod mcp;
#[cfg(feature = "proofs")]
pub mod proofs;
#[cfg(feature = "agent")]
pub mod referee;
#[cfg(feature = "documents")]
pub mod stream;
#[cfg(feature = "documents")]
pub mod translate;

use serde::Serialize;
use wasm_bindgen::{JsCast as _, JsValue};

/// As plain objects and arrays, never as `Map`s.
fn to_plain<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    value
        .serialize(&serde_wasm_bindgen::Serializer::json_compatible())
        .map_err(|error| JsValue::from(error).unchecked_into())
}
