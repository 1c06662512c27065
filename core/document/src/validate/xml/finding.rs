//! The findings of a judge, before their places are known.

use super::super::MAX_ERRORS;

/// One thing that the schema does not accept.
#[derive(Debug)]
pub(crate) struct XmlFinding {
    /// The number of open elements, the one at fault included.
    pub(crate) depth: usize,
    /// The rest of the path after the element: an attribute, or the text.
    pub(crate) suffix: String,
    pub(crate) keyword: &'static str,
    pub(crate) message: String,
}

/// The findings so far, and their total number.
#[derive(Debug, Default)]
pub(crate) struct XmlFindings {
    listed: Vec<XmlFinding>,
    /// The number of findings that were taken.
    taken: usize,
    pub(crate) total: usize,
}

impl XmlFindings {
    /// Whether one more finding would be kept.
    pub(crate) fn is_listing(&self) -> bool {
        self.taken + self.listed.len() < MAX_ERRORS
    }

    /// Counts one more finding that is not kept.
    pub(crate) fn count(&mut self) {
        self.total += 1;
    }

    /// Counts one more finding, and keeps it if there is room.
    pub(crate) fn add(&mut self, finding: impl FnOnce() -> XmlFinding) {
        self.total += 1;
        if self.is_listing() {
            self.listed.push(finding());
        }
    }

    /// Whether there are listed findings that were not taken.
    pub(crate) fn has_listed(&self) -> bool {
        !self.listed.is_empty()
    }

    /// Takes the listed findings.
    pub(crate) fn take_listed(&mut self) -> Vec<XmlFinding> {
        self.taken += self.listed.len();
        std::mem::take(&mut self.listed)
    }
}
