//! The errors of a document: a list of limited length, and their total number.

use super::{MAX_ERRORS, SchemaError};
use epcis_edge_text::json::Lines;
use epcis_edge_text::order::sort_stably_by;

/// The errors found so far.
#[derive(Debug, Default)]
pub(super) struct Errors {
    listed: Vec<SchemaError>,
    /// The listed errors that still need a line: the index of each, and the byte offset of its value in the text.
    unplaced: Vec<(usize, usize)>,
    total: usize,
    is_counting: bool,
}

impl Errors {
    /// Returns a collection that counts errors and lists none.
    pub(super) fn counted() -> Self {
        Self { is_counting: true, ..Self::default() }
    }

    /// The listed errors.
    pub(super) fn listed(&self) -> &[SchemaError] {
        &self.listed
    }

    /// The total number of errors.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Whether one more error would be listed after `ahead` others are added.
    pub(super) fn is_listing(&self, ahead: usize) -> bool {
        !self.is_counting && self.listed.len() + ahead < MAX_ERRORS
    }

    /// Adds an error; `offset` is where its value begins in the text that [`Self::place`] will be given.
    pub(super) fn add(&mut self, error: SchemaError, offset: Option<usize>) {
        self.total += 1;
        if self.listed.len() < MAX_ERRORS {
            let number = self.listed.len();
            self.unplaced.extend(offset.map(|offset| (number, offset)));
            self.listed.push(error);
        }
    }

    /// Computes the missing lines and columns, both counted from 1; `moved` converts a place in the text to one in the document.
    pub(super) fn place(&mut self, text: &str, moved: impl Fn((usize, usize)) -> (usize, usize)) {
        let mut unplaced = std::mem::take(&mut self.unplaced);
        sort_stably_by(&mut unplaced, &|one, other| one.1.cmp(&other.1));
        let mut lines = Lines::new(text);
        for (number, offset) in unplaced {
            if let Some(error) = self.listed.get_mut(number) {
                let (line, column) = moved(lines.at(offset));
                (error.line, error.column) = (Some(line), Some(column));
            }
        }
    }

    /// Gives up the missing lines: these errors stay without one.
    pub(super) fn leave_unplaced(&mut self) {
        self.unplaced.clear();
    }

    /// Counts errors that are not listed.
    pub(super) fn count(&mut self, errors: usize) {
        self.total += errors;
    }

    /// Adds errors that were collected separately; they keep the lines that they have.
    pub(super) fn append(&mut self, others: Self) {
        self.total += others.total;
        let room = MAX_ERRORS.saturating_sub(self.listed.len());
        self.listed.extend(others.listed.into_iter().take(room));
    }

    pub(super) fn finish(mut self) -> Vec<SchemaError> {
        if self.total > self.listed.len() {
            let more = self.total - self.listed.len() + 1;
            if let Some(last) = self.listed.last_mut() {
                last.message = format!(
                    "{}; {more} errors from here on; the rest are not listed",
                    last.message
                );
            }
        }
        self.listed
    }
}
