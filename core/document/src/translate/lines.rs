//! Lines and columns.

use epcis_edge_text::error::Location;
use epcis_edge_text::slice::{Known, Part};

/// The place in the document where a text starts: line and column, both counted from 1, the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Default for Start {
    fn default() -> Self {
        Self { line: 1, column: 1 }
    }
}

impl Start {
    /// Returns the place right after this text.
    pub(super) fn after(self, text: &str) -> Self {
        let Location { line, column, .. } = self.location(text, String::new(), text.len());
        Self { line, column }
    }

    /// Returns the location of a byte offset in the text.
    pub(super) fn location(self, text: &str, path: String, offset: usize) -> Location {
        // A fault may be inside a character.
        let before = text.as_bytes().get(..offset.min(text.len()));
        let (line, column) = epcis_edge_text::json::line_and_column(before.known());
        let column = if line == 1 { self.column + column - 1 } else { column };
        let line = self.line + line - 1;
        Location { path, line, column }
    }
}

/// Finds lines and columns in a text; the text is read only once if the places come in ascending order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineCounter {
    /// The place in the document where the text starts.
    pub(super) first: Start,
    /// The number of bytes counted so far, and the place after them.
    passed: (usize, Start),
}

impl LineCounter {
    /// Returns a counter for a text that starts at `first`.
    pub(super) fn from(first: Start) -> Self {
        let passed = (0, first);
        Self { first, passed }
    }

    /// Returns the place of a byte offset in the text.
    pub(super) fn at(&mut self, text: &str, offset: usize) -> Start {
        if offset < self.passed.0 {
            *self = Self::from(self.first);
        }
        let (passed, start) = self.passed;
        let start = start.after(text.part(passed..offset));
        self.passed = (offset, start);
        start
    }
}
