//! A verdict that comes together event by event.

use crate::json::{Cursor, Document, Value};
use crate::validate::errors::Errors;
use crate::validate::walk::{Report, accepts, reads};
use crate::validate::{SchemaError, Validator, Verdict, entries_of, event_list};
use epcis_edge_schema::{Id, ROOT};

/// The errors of the events of one list, which are judged one after the other.
#[derive(Debug)]
pub(crate) struct ListVerdict {
    /// Where the list stands in the document.
    path: &'static str,
    /// What the schema says of its entries.
    entries: Id,
    errors: Errors,
    index: usize,
}

impl ListVerdict {
    /// Nothing judged yet, of the list at this JSON Pointer.
    pub(crate) fn new(path: &'static str) -> Self {
        Self {
            path,
            entries: entries_of(path).unwrap_or(ROOT),
            errors: Errors::default(),
            index: 0,
        }
    }

    /// How many events there were.
    pub(crate) fn count(&self) -> usize {
        self.index
    }

    /// Where the list stands.
    pub(crate) fn path(&self) -> &'static str {
        self.path
    }

    /// The errors that are listed so far.
    pub(crate) fn listed(&self) -> &[SchemaError] {
        self.errors.listed()
    }

    /// Counts the next event of the list if the schema accepts it. `levels`: how deep its text stands in the document.
    pub(crate) fn accepts(&mut self, event: &str, levels: usize) -> bool {
        let mut event = Cursor::at(event, 0, levels);
        let is_accepted = reads(self.entries, &mut event, None).is_some() && event.is_at_end();
        self.index += usize::from(is_accepted);
        is_accepted
    }

    /// Judges the next event of the list: whether the schema accepts it. Its errors have no lines.
    pub(crate) fn event(&mut self, _validator: &Validator, event: Value<'_>) -> bool {
        let is_accepted = self.explain(event);
        self.errors.leave_unplaced();
        is_accepted
    }

    /// The same of an event whose text stands somewhere in the document: lines and columns are moved there.
    pub(super) fn event_at(
        &mut self,
        event: &Document<'_>,
        moved: impl Fn((usize, usize)) -> (usize, usize),
    ) {
        self.explain(event.root());
        self.errors.place(event.text(), moved);
    }

    fn explain(&mut self, event: Value<'_>) -> bool {
        let index = self.index;
        self.index += 1;
        if accepts(self.entries, event) {
            return true;
        }
        Report::of_entry(self.path, index, &mut self.errors).walk(self.entries, event);
        false
    }

    /// The verdict on the document, given all of it but its events. What is wrong with that has no lines.
    pub(crate) fn finish(self, _validator: &Validator, frame: &Document<'_>) -> Verdict {
        let mut errors = self.errors_with(frame);
        errors.leave_unplaced();
        errors.into()
    }

    /// The same, with lines and columns moved to where they are in the document.
    pub(super) fn finish_at(
        self,
        frame: &Document<'_>,
        moved: impl Fn((usize, usize)) -> (usize, usize),
    ) -> Verdict {
        let mut errors = self.errors_with(frame);
        errors.place(frame.text(), moved);
        errors.into()
    }

    fn errors_with(self, frame: &Document<'_>) -> Errors {
        let root = frame.root();
        let mut errors = Errors::default();
        let report = Report::of(&mut errors);
        match event_list(root) {
            Some((list, path)) if path == self.path => {
                report.with_entries(list, self.errors).walk(ROOT, root);
            }
            // What looked like a list of events is none: the document is of another type than its members say.
            _ => { report }.walk(ROOT, root),
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::{EVENT_LIST, QUERY_EVENT_LIST};
    use epcis_edge_schema::node;

    #[test]
    fn the_schema_speaks_of_the_entries_of_both_lists() {
        let entries = entries_of(EVENT_LIST);
        assert!(entries.is_some_and(|id| node(id).branch.is_some()));
        assert_eq!(entries, entries_of(QUERY_EVENT_LIST));
    }
}
