//! Checks a document against its XML schema while it is read, and gives each finding its place.

use super::Place;
use crate::translate::lines::{LineCounter, Start};
use crate::validate::XmlVerdict;
use crate::validate::xml::{Judge, XmlFinding, XmlFindings, XmlSchemaError};
use epcis_edge_text::order::sort_stably_by;
use std::fmt::Write as _;

/// The total length of paths and sentences in a verdict, in bytes; errors beyond it are only counted.
const MAX_LISTED: usize = 1 << 20;

/// The judge of a document, and the errors listed so far.
#[derive(Debug, Default)]
pub(super) struct SchemaCheck {
    pub(super) judge: Judge,
    errors: Vec<XmlSchemaError>,
    /// The errors without line and column yet: the byte offset in the text, and the number of the error.
    unplaced: Vec<(usize, usize)>,
    length: usize,
    /// Whether an error was left out for lack of room.
    pub(super) is_full: bool,
}

impl SchemaCheck {
    /// Lists a finding at an element with this path and place.
    pub(super) fn list(&mut self, mut path: String, place: Place, finding: XmlFinding) {
        path.push_str(&finding.suffix);
        self.length += path.len() + finding.message.len();
        self.is_full |= self.length > MAX_LISTED && !self.errors.is_empty();
        if self.is_full {
            return;
        }
        let Start { line, column } = match place {
            Place::Before(start) => start,
            Place::Here(offset) => {
                self.unplaced.push((offset, self.errors.len()));
                Start::default()
            }
        };
        self.errors.push(XmlSchemaError {
            path,
            line,
            column,
            keyword: finding.keyword,
            message: finding.message,
        });
    }

    /// Computes the lines and columns of the errors in a text; `first` is its start in the document.
    pub(super) fn place(&mut self, text: &str, first: Start) {
        sort_stably_by(&mut self.unplaced, &|one, other| one.0.cmp(&other.0));
        let mut lines = LineCounter::from(first);
        for (offset, number) in self.unplaced.drain(..) {
            let Start { line, column } = lines.at(text, offset);
            if let Some(error) = self.errors.get_mut(number) {
                (error.line, error.column) = (line, column);
            }
        }
    }

    /// Takes the errors so far; later errors are listed as if these had not been found.
    pub(super) fn take_errors(&mut self) -> Vec<XmlSchemaError> {
        self.judge.findings = XmlFindings::default();
        self.length = 0;
        self.is_full = false;
        std::mem::take(&mut self.errors)
    }

    /// Returns the verdict on the document that was read.
    pub(super) fn verdict(self) -> XmlVerdict {
        let (schema, total) = (self.judge.schema, self.judge.findings.total);
        let mut errors = self.errors;
        if let Some(more) = total.checked_sub(errors.len()).filter(|more| *more > 0)
            && let Some(last) = errors.last_mut()
        {
            // INVARIANT: `last` is the first of the errors that the sentence counts.
            let _ =
                write!(last.message, "; {} errors from here on; the rest are not listed", more + 1);
        }
        XmlVerdict { valid: total == 0, schema: schema.into(), errors }
    }
}
