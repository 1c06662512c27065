//! The judge of a document, who is told of each token, and what he finds, each thing with its place.

use super::Place;
use crate::translate::lines::{LineCounter, Start};
use crate::validate::XmlVerdict;
use crate::validate::xml::{Judge, XmlFinding, XmlSchemaError};
use std::fmt::Write as _;

/// How many bytes the paths and sentences of a verdict may have, taken together; what is beyond is counted.
const MAX_TOLD: usize = 1 << 20;

/// The judge of a document, and the errors that it found, as far as they are told.
#[derive(Debug, Default)]
pub(super) struct Judging {
    pub(super) judge: Judge,
    errors: Vec<XmlSchemaError>,
    /// Those whose line and column are still to be worked out, by their numbers, and where they are in the text.
    unplaced: Vec<(usize, usize)>,
    length: usize,
    /// Whether there was one that found no room.
    pub(super) is_full: bool,
}

impl Judging {
    /// Takes up what was found at an element with its path and its place.
    pub(super) fn tell(&mut self, mut path: String, place: Place, finding: XmlFinding) {
        path.push_str(&finding.suffix);
        self.length += path.len() + finding.message.len();
        self.is_full |= self.length > MAX_TOLD && !self.errors.is_empty();
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

    /// Works out the lines and columns of what was found in a text that starts there.
    pub(super) fn place(&mut self, text: &str, first: Start) {
        self.unplaced.sort_unstable();
        let mut lines = LineCounter::from(first);
        for (offset, number) in self.unplaced.drain(..) {
            let Start { line, column } = lines.at(text, offset);
            if let Some(error) = self.errors.get_mut(number) {
                (error.line, error.column) = (line, column);
            }
        }
    }

    /// Takes the errors so far; what comes behind them is told as if they had not been.
    pub(super) fn take_errors(&mut self) -> Vec<XmlSchemaError> {
        self.judge.forget_listed();
        self.length = 0;
        self.is_full = false;
        std::mem::take(&mut self.errors)
    }

    /// The verdict on the document that was read.
    pub(super) fn verdict(self) -> XmlVerdict {
        let found = self.judge.finish();
        let mut errors = self.errors;
        if let Some(more) = found
            .total
            .checked_sub(errors.len())
            .filter(|more| *more > 0)
            && let Some(last) = errors.last_mut()
        {
            // INVARIANT: this one is the first of them.
            let _ = write!(
                last.message,
                "; {} errors from here on; the rest are not listed",
                more + 1
            );
        }
        XmlVerdict {
            valid: found.total == 0,
            schema: found.schema.into(),
            errors,
        }
    }
}
