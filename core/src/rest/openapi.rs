//! The description of the doors.

/// The OpenAPI 3.1 description of what [`respond`](super::respond) serves, as `GET /openapi.json` answers it.
///
/// The tests hold every answer against it.
pub const OPENAPI: &str = include_str!("openapi.json");
