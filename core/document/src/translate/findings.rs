//! Findings about one piece of a document, before they are placed in the report.

use super::report::{self, Code};
use super::tree::ElementPart;
use epcis_edge_text::grow::push;
use epcis_edge_text::order::sort_stably_by;

/// A remark on an element, attribute or text of the tree that is being mapped.
#[derive(Clone, Debug)]
pub(super) struct PieceFinding {
    pub(super) element: usize,
    pub(super) place: ElementPart,
    pub(super) code: Code,
    pub(super) detail: Option<Box<Detail>>,
}

/// The details of a finding beyond its code.
#[derive(Clone, Debug)]
pub(super) struct Detail {
    pub(super) value: Option<String>,
    /// A sentence that is more specific than the text of the code.
    pub(super) text: Option<String>,
}

impl PieceFinding {
    pub(super) fn new(element: usize, place: ElementPart, code: Code) -> Self {
        Self { element, place, code, detail: None }
    }

    pub(super) fn with(mut self, value: Option<String>, text: Option<String>) -> Self {
        if value.is_some() || text.is_some() {
            self.detail = Some(Box::new(Detail { value, text }));
        }
        self
    }
}

/// Findings in the order in which they were made.
///
/// There may be one for every few bytes of a document, so details are kept only while the report has room for them.
#[derive(Debug, Default)]
pub(super) struct PieceFindings {
    list: Vec<PieceFinding>,
    /// The number of bytes still available for details.
    room: usize,
    /// The index of the first finding without its details: from there on the report only counts.
    bare: Option<usize>,
}

impl PieceFindings {
    /// Returns an empty list for a report with this much room, in bytes.
    pub(super) fn new(room: usize) -> Self {
        Self { list: Vec::new(), room, bare: None }
    }

    /// Whether details still fit, so that making them is worthwhile.
    pub(super) fn has_room(&self) -> bool {
        self.bare.is_none() && self.room > 0
    }

    pub(super) fn push(&mut self, finding: PieceFinding) {
        push(&mut self.list, finding);
    }

    /// Adds a finding with its value, which is computed only if there is room for it.
    pub(super) fn push_value(
        &mut self,
        finding: PieceFinding,
        value: impl FnOnce() -> Option<String>,
    ) {
        let mut finding = finding;
        if self.has_room() {
            let value = value().map(report::cut);
            let size = value.as_ref().map_or(0, String::len);
            self.room = self.room.saturating_sub(size + 32);
            finding = finding.with(value, None);
        } else {
            self.bare.get_or_insert(self.list.len());
        }
        self.push(finding);
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, PieceFinding> {
        self.list.iter()
    }

    /// All findings, in document order.
    pub(super) fn in_order(&self) -> impl Iterator<Item = ReportFinding<'_>> {
        let mut order: Vec<u32> = (0..self.list.len() as u32).collect();
        if !self.list.is_sorted_by_key(|finding| finding.element) {
            let element = |&number: &u32| self.list.get(number as usize).map(|found| found.element);
            sort_stably_by(&mut order, &|one, other| element(one).cmp(&element(other)));
        }
        let mut newest = None;
        order.into_iter().filter_map(move |number| {
            let finding = self.list.get(number as usize)?;
            let here = Some((finding.element, finding.place));
            let is_lossy = finding.code.is_lossy();
            Some(ReportFinding {
                finding,
                is_whole: self.bare.is_none_or(|bare| (number as usize) < bare),
                is_new_loss: is_lossy && std::mem::replace(&mut newest, here) != here,
            })
        })
    }
}

/// A finding in the form that the report needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportFinding<'f> {
    pub(super) finding: &'f PieceFinding,
    /// Whether the finding has all its details.
    pub(super) is_whole: bool,
    /// Whether its path is lossy and was not counted yet.
    pub(super) is_new_loss: bool,
}

/// Returns a finding about the piece as a whole.
pub(super) fn whole(code: Code, text: Option<String>) -> PieceFinding {
    PieceFinding::new(0, ElementPart::Element, code).with(None, text)
}
