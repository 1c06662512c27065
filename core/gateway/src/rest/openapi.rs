//! The OpenAPI description of the gateway.

/// The OpenAPI 3.1 description of everything that [`respond`](super::respond) serves, as returned by `GET /openapi.json`.
///
/// The tests check every answer against it.
pub const OPENAPI: &str = include_str!("openapi.json");
