//! What is listed of the errors of a document, and how many there are.

use super::{MAX_ERRORS, SchemaError};

/// The errors so far, and how many there were.
#[derive(Debug, Default)]
pub(super) struct Errors {
    listed: Vec<SchemaError>,
    total: usize,
    is_counting: bool,
}

impl Errors {
    /// Errors that are counted, and not listed.
    pub(super) fn counted() -> Self {
        Self {
            is_counting: true,
            ..Self::default()
        }
    }

    /// The errors that are listed.
    pub(super) fn listed(&self) -> &[SchemaError] {
        &self.listed
    }

    /// How many errors there were.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Whether one more would be listed, when so many are about to be added.
    pub(super) fn is_listing(&self, ahead: usize) -> bool {
        !self.is_counting && self.listed.len() + ahead < MAX_ERRORS
    }

    pub(super) fn add(&mut self, error: SchemaError) {
        self.total += 1;
        if self.listed.len() < MAX_ERRORS {
            self.listed.push(error);
        }
    }

    /// Counts errors that are not listed.
    pub(super) fn count(&mut self, errors: usize) {
        self.total += errors;
    }

    /// Adds errors that were found apart.
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
