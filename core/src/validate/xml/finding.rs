//! What a judge found, before its places are known.

use super::super::MAX_ERRORS;

/// One thing that the schema does not accept.
#[derive(Debug)]
pub(crate) struct XmlFinding {
    /// Where the start tags of the element and of those around it begin, outermost first.
    pub(crate) elements: Vec<u32>,
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

    /// How much was found so far.
    pub(super) fn so_far(&self) -> (usize, usize) {
        (self.listed.len(), self.total)
    }

    /// Forgets what was found since.
    pub(super) fn go_back(&mut self, (listed, total): (usize, usize)) {
        self.listed.truncate(listed);
        self.total = total;
    }

    pub(super) fn into_parts(self) -> (Vec<XmlFinding>, usize) {
        (self.listed, self.total)
    }
}
