//! The findings: all are counted, the first ones kept.

use std::rc::Rc;

/// One finding: a value for which a rule holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// The number of the value.
    pub(super) value: u32,
    pub(super) rule: u16,
    /// The number of a related value; 0 if there is none.
    pub(super) related: u32,
}

/// The findings so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) hits: Vec<Hit>,
    /// How many are kept.
    most: usize,
    /// How often each rule holds.
    pub(super) counts: Vec<usize>,
    /// How many events were checked.
    pub(super) events: usize,
    /// For each rule: whether it is off for this document, because its pack is for others or it belongs to another release.
    pub(super) silent: Rc<[bool]>,
    /// The steps that the caller's own rules took.
    pub(super) steps: u64,
    /// For each pack: whether it is for other documents.
    pub(super) foreign: Vec<bool>,
    /// For each pack: the release that the document follows.
    pub(super) releases: Vec<Option<usize>>,
}

impl Findings {
    /// `silent`: for each rule, whether it is off for this document. `most`: the number of findings to keep.
    pub(super) fn new(silent: Rc<[bool]>, most: usize) -> Self {
        Self { most, counts: vec![0; silent.len()], silent, ..Self::default() }
    }

    /// Adds a finding; they must come in document order.
    pub(super) fn add(&mut self, hit: Hit) {
        if self.silent.get(usize::from(hit.rule)) == Some(&true) {
            return;
        }
        if let Some(count) = self.counts.get_mut(usize::from(hit.rule)) {
            *count += 1;
        }
        if self.hits.len() < self.most {
            self.hits.push(hit);
        }
    }

    /// Adds the findings of another walk over the same document, at any place.
    pub(super) fn merge(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.hits.extend(other.hits);
        epcis_edge_text::order::sort_stably_by(&mut self.hits, &|one, other| {
            (one.value, one.rule).cmp(&(other.value, other.rule))
        });
        self.hits.truncate(self.most);
    }
}
