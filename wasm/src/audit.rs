//! A log audited by its tiles, for the command line: no page does so.

use crate::{error, to_plain};
use epcis_edge_core::error::Error;
use epcis_edge_core::log::{Audit, Order, Signer, Tile, proved_event};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

fn audit(old: Option<&str>, new: &str, policy: &str) -> Result<Audit, JsValue> {
    Audit::of(old, new, policy).map_err(|fault| error::to_js(&Error::from(fault)))
}

/// The tiles that an auditor needs to hold a head against the one that was kept, if one was.
///
/// **Shape**: `[{path, length}]`: from `tile/` on, and how many bytes it has.
///
/// # Errors
/// Throws a head that is not signed as the policy wants, of another log, or smaller, as an `Error` with a `problem` member.
#[wasm_bindgen(js_name = auditTiles, skip_typescript)]
pub fn audit_tiles(old: Option<String>, new: &str, policy: &str) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Wanted {
        path: String,
        length: u32,
    }
    let audit = audit(old.as_deref(), new, policy)?;
    let wanted = audit.tiles().into_iter().map(|tile| Wanted {
        path: tile.to_string(),
        length: length_of(&tile),
    });
    to_plain(&wanted.collect::<Vec<_>>())
}

fn length_of(tile: &Tile) -> u32 {
    32 * u32::from(tile.width)
}

/// Checks the tiles of [`audit_tiles`], one behind the other: `{origin, oldSize, size, witnesses}`.
///
/// # Errors
/// As [`audit_tiles`]; throws tiles that are not those of the head, and a head that has not grown from the one that was kept.
#[wasm_bindgen(js_name = auditCheck, skip_typescript)]
pub fn audit_check(
    old: Option<String>,
    new: &str,
    policy: &str,
    tiles: &[u8],
) -> Result<JsValue, JsValue> {
    let audit = audit(old.as_deref(), new, policy)?;
    let mut rest = tiles;
    let mut each = Vec::new();
    for tile in audit.tiles() {
        let length = (length_of(&tile) as usize).min(rest.len());
        let (one, behind) = rest.split_at(length);
        each.push(one.to_vec());
        rest = behind;
    }
    let audited = audit.check(&each);
    let audited = audited.map_err(|fault| error::to_js(&Error::from(fault)))?;
    to_plain(&audited)
}

/// The event of a document that a proof is about, byte for byte.
///
/// # Errors
/// Throws what [`proved_event`] refuses, as an `Error` with a `problem` member.
#[wasm_bindgen(js_name = provedEvent, skip_typescript)]
pub fn event_of_proof(document: &[u8], proof: &str) -> Result<String, JsValue> {
    proved_event(document, proof).map_err(|error| error::to_js(&error))
}

/// An order to a log as a note, signed with a key of the log at a time in milliseconds since 1970.
///
/// # Errors
/// Throws a key that is none and an unknown order, as an `Error` with a `problem` member; nothing is told of the key.
#[wasm_bindgen(js_name = signOrder, skip_typescript)]
pub fn sign_order(key: &str, order: &str, now: f64) -> Result<String, JsValue> {
    let fault = |fault| error::to_js(&Error::from(fault));
    let signer = Signer::named(key).map_err(fault)?;
    let order = Order::named(order).map_err(fault)?;
    Ok(order.signed(&signer, now as u64))
}
