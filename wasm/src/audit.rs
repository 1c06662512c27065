//! Auditing a log by its tiles, for the command line only.

use crate::error::{self, Thrown};
use crate::to_plain;
use epcis_edge_core::error::{Error, LogFault, Problem};
use epcis_edge_core::log::{Audit, Contradiction, Order, Signer, Tile, proved_event};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A tile to be fetched.
#[derive(Serialize)]
struct Wanted {
    path: String,
    length: u32,
}

impl Wanted {
    fn of(tile: &Tile) -> Self {
        Self { path: tile.to_string(), length: length_of(tile) }
    }
}

fn length_of(tile: &Tile) -> u32 {
    32 * u32::from(tile.width)
}

/// An `Error` with a `problem`. For a contradiction, the problem also has `finding`: `fork`, `smaller` or `tiles`.
fn thrown(fault: LogFault) -> Thrown {
    #[derive(Serialize)]
    struct Found {
        #[serde(flatten)]
        problem: Problem,
        #[serde(skip_serializing_if = "Option::is_none")]
        finding: Option<Contradiction>,
    }
    let finding = Contradiction::of(&fault);
    let error = Error::from(fault);
    let problem = Problem::from(&error);
    error::with_problem(&error.to_string(), &Found { problem, finding })
}

fn audit(old: Option<&str>, new: &str, policy: &str) -> Result<Audit, Thrown> {
    Audit::of(old, new, policy).map_err(thrown)
}

/// Splits concatenated bytes into tiles. The last tiles are shorter if there are too few bytes.
fn divided(tiles: &[Tile], mut bytes: &[u8]) -> Vec<Vec<u8>> {
    tiles
        .iter()
        .map(|tile| {
            let length = (length_of(tile) as usize).min(bytes.len());
            let (one, behind) = bytes.split_at(length);
            bytes = behind;
            one.to_vec()
        })
        .collect()
}

/// The tiles that an auditor needs to compare a head with the one kept earlier, if there is one.
///
/// **Shape**: `[{path, length}]`: the path from `tile/` on, and the length in bytes.
///
/// # Errors
/// Throws an `Error` with a `problem` member if the log has not signed the head, or if the head is of another log, is smaller, or
/// has the same size but another root.
#[wasm_bindgen(js_name = auditTiles, skip_typescript)]
pub fn audit_tiles(old: Option<String>, new: &str, policy: &str) -> Result<JsValue, Thrown> {
    let tiles = audit(old.as_deref(), new, policy)?.tiles();
    to_plain(&tiles.iter().map(Wanted::of).collect::<Vec<_>>())
}

/// Checks the tiles of [`audit_tiles`], given concatenated: `{origin, oldSize, size, witnesses, cosignatures}`.
///
/// # Errors
/// As [`audit_tiles`]. Also throws if the tiles do not belong to the head, if the head does not extend the kept one, or if too
/// few witnesses have cosigned it.
#[wasm_bindgen(js_name = auditCheck, skip_typescript)]
pub fn audit_check(
    old: Option<String>,
    new: &str,
    policy: &str,
    tiles: &[u8],
) -> Result<JsValue, Thrown> {
    let audit = audit(old.as_deref(), new, policy)?;
    let audited = audit.check(&divided(&audit.tiles(), tiles));
    to_plain(&audited.map_err(thrown)?)
}

/// The event in a document that a proof is for, byte for byte.
///
/// # Errors
/// Throws an `Error` with a `problem` member whenever [`proved_event`] fails.
#[wasm_bindgen(js_name = provedEvent, skip_typescript)]
pub fn event_of_proof(document: &[u8], proof: &str) -> Result<String, Thrown> {
    Ok(proved_event(document, proof)?)
}

/// An order to a log, as a note signed with a key of the log at a time in milliseconds since 1970.
///
/// # Errors
/// Throws an `Error` with a `problem` member for an invalid key and an unknown order. The error reveals nothing of the key.
#[wasm_bindgen(js_name = signOrder, skip_typescript)]
pub fn sign_order(key: &str, order: &str, now: f64) -> Result<String, Thrown> {
    let signer = Signer::named(key).map_err(Error::from)?;
    let order = Order::named(order).map_err(Error::from)?;
    Ok(order.signed(&signer, now as u64))
}
