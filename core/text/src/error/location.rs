//! The place of a failure in a document.

use super::Quoted;
use serde::Serialize;
use std::fmt;

/// A place in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Place"))]
pub struct Location {
    /// In JSON, the JSON Pointer (RFC 6901) of the innermost value that was being read; in XML, the path of the innermost open
    /// element. `""` is the root.
    pub path: String,
    /// Line, counted from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: usize,
    /// Column in bytes of UTF-8, counted from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)?;
        if self.path.is_empty() {
            return Ok(());
        }
        write!(f, ", in {}", Quoted(&self.path))
    }
}
