//! What there is to say about one piece of a document, before it is known where in the report that stands.

use super::report::{self, Code};
use super::tree::Spot;
use crate::grow::push;
use crate::order::sort_stably_by;

/// Something to say about a place in the tree that is being mapped.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) element: usize,
    pub(super) place: Spot,
    pub(super) code: Code,
    pub(super) detail: Option<Box<Detail>>,
}

/// What more there is to say than the code does.
#[derive(Clone, Debug)]
pub(super) struct Detail {
    pub(super) value: Option<String>,
    /// Says more than the text of the code.
    pub(super) text: Option<String>,
}

impl Finding {
    pub(super) fn new(element: usize, place: Spot, code: Code) -> Self {
        Self {
            element,
            place,
            code,
            detail: None,
        }
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
/// There may be one for every few bytes of a document, so details are kept only as far as the report has room for them.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    /// How many bytes of details still find room.
    room: usize,
    /// The first finding that had to go without its details: from there on the report only counts.
    bare: Option<usize>,
}

impl Findings {
    /// None yet, for a report with so much room.
    pub(super) fn new(room: usize) -> Self {
        Self {
            list: Vec::new(),
            room,
            bare: None,
        }
    }

    /// Whether details are worth making.
    pub(super) fn has_room(&self) -> bool {
        self.bare.is_none() && self.room > 0
    }

    pub(super) fn push(&mut self, finding: Finding) {
        push(&mut self.list, finding);
    }

    /// Adds a finding with its value, which is made only if there is room for it.
    pub(super) fn push_value(&mut self, finding: Finding, value: impl FnOnce() -> Option<String>) {
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

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.list.iter()
    }

    /// All findings, in document order.
    pub(super) fn in_order(&self) -> impl Iterator<Item = ToldFinding<'_>> {
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
            Some(ToldFinding {
                finding,
                is_whole: self.bare.is_none_or(|bare| (number as usize) < bare),
                is_new_loss: is_lossy && std::mem::replace(&mut newest, here) != here,
            })
        })
    }
}

/// A finding as it is told.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToldFinding<'f> {
    pub(super) finding: &'f Finding,
    /// Whether it has all its details.
    pub(super) is_whole: bool,
    /// Whether it is on a lossy path that was not told of yet.
    pub(super) is_new_loss: bool,
}

/// A finding about the piece as a whole.
pub(super) fn whole(code: Code, text: Option<String>) -> Finding {
    Finding::new(0, Spot::Element, code).with(None, text)
}
