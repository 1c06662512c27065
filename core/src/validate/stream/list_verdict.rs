//! A verdict that comes together event by event.

use crate::json::{Document, Value};
use crate::validate::errors::Errors;
use crate::validate::walk::{Report, accepts};
use crate::validate::{QUERY_EVENT_LIST, SchemaError, Validator, Verdict, event_list};
use epcis_edge_schema::{Id, ROOT, node};

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

    /// Judges the next event of the list: whether the schema accepts it.
    pub(crate) fn event(&mut self, _validator: &Validator, event: Value<'_>) -> bool {
        let index = self.index;
        self.index += 1;
        if accepts(self.entries, event) {
            return true;
        }
        Report::of_entry(self.path, index, &mut self.errors).walk(self.entries, event);
        false
    }

    /// The verdict on the document, given all of it but its events.
    pub(crate) fn finish(self, _validator: &Validator, frame: &Document<'_>) -> Verdict {
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
        errors.into()
    }
}

/// What the schema says of the entries of the event list at this place.
fn entries_of(path: &str) -> Option<Id> {
    let document = if path == QUERY_EVENT_LIST {
        "EPCISQueryDocument"
    } else {
        "EPCISDocument"
    };
    let branch = node(ROOT).branch?;
    let case = branch.cases.find(document.as_bytes())?;
    let mut id = *branch.nodes.get(case)?;
    for name in path.split('/').skip(1) {
        let object = node(id).object?;
        id = *object.nodes.get(object.names.find(name.as_bytes())?)?;
    }
    node(id).items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::EVENT_LIST;

    #[test]
    fn the_schema_speaks_of_the_entries_of_both_lists() {
        let entries = entries_of(EVENT_LIST);
        assert!(entries.is_some_and(|id| node(id).branch.is_some()));
        assert_eq!(entries, entries_of(QUERY_EVENT_LIST));
    }
}
