//! The core for JavaScript: bytes in, plain objects out.
//!
//! The package's entry points in `wasm/js` load this module and differ only in how they load it. They check the arguments of
//! callers, in one place.
//!
//! Why several files of WebAssembly, and two packages?
//! Most users who validate never verify proofs, and pages never serve agents. So each use is a file of its own, built from this crate by
//! a feature, and loaded on demand. One file of checks, following and reports would be smaller than the three, but a page that only
//! checks would load half as much again. The file for agents is six times the others: it is a package of its own, an optional peer.

#[cfg(feature = "agent")]
pub mod audit;
#[cfg(feature = "checks")]
pub mod checks;
#[cfg(feature = "documents")]
pub mod documents;
pub mod error;
#[cfg(feature = "following")]
pub mod follow;
#[cfg(feature = "documents")]
pub mod identifiers;
#[cfg(feature = "input")]
pub mod input;
#[cfg(feature = "agent")]
pub mod mcp;
#[cfg(feature = "pictures")]
pub mod pictures;
#[cfg(feature = "proofs")]
pub mod proofs;
#[cfg(feature = "agent")]
pub mod referee;
#[cfg(feature = "reports")]
pub mod report;
#[cfg(feature = "spreadsheets")]
pub mod spreadsheet;
#[cfg(feature = "streams")]
pub mod stream;
#[cfg(feature = "documents")]
pub mod translate;

#[cfg(feature = "documents")]
use epcis_edge_core::validate::Validator;
use error::Thrown;
use serde::Serialize;
#[cfg(feature = "documents")]
use std::cell::OnceCell;
use wasm_bindgen::JsValue;

#[cfg(feature = "documents")]
thread_local! {
    /// Created by the first call, never at start-up, and never dropped: the code to drop it is nine kilobytes.
    static VALIDATOR: OnceCell<&'static Validator> = const { OnceCell::new() };
}

#[cfg(feature = "documents")]
fn validator() -> &'static Validator {
    VALIDATOR.with(|kept| *kept.get_or_init(|| Box::leak(Box::default())))
}

/// Converts to plain objects and arrays, never to `Map`s.
fn to_plain<T: Serialize>(value: &T) -> Result<JsValue, Thrown> {
    let plain = value.serialize(&serde_wasm_bindgen::Serializer::json_compatible());
    plain.map_err(|error| Thrown::from(JsValue::from(error)))
}

/// An object with these members.
#[cfg(feature = "documents")]
fn object<'m>(members: impl IntoIterator<Item = (&'m str, JsValue)>) -> js_sys::Object {
    let object = js_sys::Object::new();
    for (name, member) in members {
        // Setting a member of a fresh object cannot fail.
        let _ = js_sys::Reflect::set(&object, &name.into(), &member);
    }
    object
}
