//! Lines and columns.

use crate::error::Location;

/// Where in its document a text starts: line and column, both counted from 1, the column in bytes.
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
    /// Where what follows this text starts.
    pub(super) fn after(self, text: &str) -> Self {
        let Location { line, column, .. } = self.location(text, String::new(), text.len());
        Self { line, column }
    }

    /// A place so many bytes into the text.
    pub(super) fn location(self, text: &str, path: String, offset: usize) -> Location {
        // A fault may lie inside of a character.
        let before = text.as_bytes().get(..offset.min(text.len()));
        let (line, column) = crate::json::line_and_column(before.unwrap_or_default());
        let column = if line == 1 {
            self.column + column - 1
        } else {
            column
        };
        let line = self.line + line - 1;
        Location { path, line, column }
    }
}

/// Counts the lines of a text, once as long as places come in its order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineCounter {
    /// Where the text starts in its document.
    pub(super) first: Start,
    /// How many bytes were gone through, and where that is.
    passed: (usize, Start),
}

impl LineCounter {
    /// A counter for a text that starts there.
    pub(super) fn from(first: Start) -> Self {
        let passed = (0, first);
        Self { first, passed }
    }

    /// Where the text goes on behind so many bytes.
    pub(super) fn at(&mut self, text: &str, offset: usize) -> Start {
        if offset < self.passed.0 {
            *self = Self::from(self.first);
        }
        let (passed, start) = self.passed;
        let start = start.after(text.get(passed..offset).unwrap_or_default());
        self.passed = (offset, start);
        start
    }
}
