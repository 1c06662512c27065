//! A verdict that is built event by event.

use crate::validate::errors::Errors;
use crate::validate::walk::{Report, accepts, reads};
use crate::validate::{SchemaError, Verdict, entries_of, event_list};
use epcis_edge_schema::{Id, ROOT};
use epcis_edge_text::json::{Cursor, Document, Value};

/// The errors of the events of one list, which are judged one after another.
#[derive(Debug)]
pub(crate) struct ListVerdict {
    /// The JSON Pointer to the list in the document.
    path: &'static str,
    /// The schema node for its entries.
    entries: Id,
    errors: Errors,
    index: usize,
}

impl ListVerdict {
    /// Returns a verdict without any events yet, for the list at this JSON Pointer.
    pub(crate) fn new(path: &'static str) -> Self {
        Self {
            path,
            entries: entries_of(path).unwrap_or(ROOT),
            errors: Errors::default(),
            index: 0,
        }
    }

    /// The number of events so far.
    pub(crate) fn count(&self) -> usize {
        self.index
    }

    /// The JSON Pointer to the list.
    pub(crate) fn path(&self) -> &'static str {
        self.path
    }

    /// The errors listed so far.
    pub(crate) fn listed(&self) -> &[SchemaError] {
        self.errors.listed()
    }

    /// Counts the next event of the list if the schema accepts it. `levels` is the depth of its text in the document.
    pub(crate) fn accepts(&mut self, event: &str, levels: usize) -> bool {
        let mut event = Cursor::at(event, 0, levels);
        let is_accepted = reads(self.entries, &mut event, None).is_some() && event.is_at_end();
        self.index += usize::from(is_accepted);
        is_accepted
    }

    /// Judges the next event of the list; returns whether the schema accepts it. Its errors have no lines.
    pub(crate) fn event(&mut self, event: Value<'_>) -> bool {
        let is_accepted = self.explain(event);
        self.errors.leave_unplaced();
        is_accepted
    }

    /// As [`Self::event`], with lines and columns; `moved` converts places in the text of the event to places in the document.
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

    /// The verdict on the document; `frame` is the document without its events. The errors of the frame have no lines.
    pub(crate) fn finish(self, frame: &Document<'_>) -> Verdict {
        let mut errors = self.errors_with(frame);
        errors.leave_unplaced();
        errors.into()
    }

    /// As [`Self::finish`], with lines and columns; `moved` converts places in the frame to places in the document.
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
            // This list does not count: by its `type`, the document has its events elsewhere.
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
