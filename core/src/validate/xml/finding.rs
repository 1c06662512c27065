//! What a judge found, before its places are known.

use super::super::MAX_ERRORS;

/// One thing that the schema does not accept.
#[derive(Debug)]
pub(crate) struct XmlFinding {
    /// How many elements were open with the one that it is about.
    pub(crate) depth: usize,
    /// What follows the path of the element: an attribute, or that it is about its text.
    pub(crate) suffix: String,
    pub(crate) keyword: &'static str,
    pub(crate) message: String,
}

/// What was found so far, and how much it was.
#[derive(Debug, Default)]
pub(super) struct XmlFindings {
    listed: Vec<XmlFinding>,
    /// How many were listed and handed on.
    taken: usize,
    total: usize,
}

impl XmlFindings {
    /// Whether one more would be kept.
    pub(super) fn is_listing(&self) -> bool {
        self.taken + self.listed.len() < MAX_ERRORS
    }

    /// Counts one more that is not kept.
    pub(super) fn count(&mut self) {
        self.total += 1;
    }

    /// Counts one more, and keeps it where there is room.
    pub(super) fn add(&mut self, finding: impl FnOnce() -> XmlFinding) {
        self.total += 1;
        if self.is_listing() {
            self.listed.push(finding());
        }
    }

    /// Whether some are listed that were not handed on.
    pub(super) fn has_listed(&self) -> bool {
        !self.listed.is_empty()
    }

    /// Hands on what is listed.
    pub(super) fn take_listed(&mut self) -> Vec<XmlFinding> {
        self.taken += self.listed.len();
        std::mem::take(&mut self.listed)
    }

    /// How many there are in all.
    pub(super) fn total(&self) -> usize {
        self.total
    }
}
