//! A verdict that comes together event by event.

use crate::json::{Document, Value};
use crate::validate::{
    Errors, GROUP, Group, SCHEMA_PIN, SchemaError, Validator, Verdict, enveloped, event_list,
    is_typeless, message, proof,
};

/// The errors of the events of one list, which are judged one after the other.
#[derive(Debug)]
pub(crate) struct Gradual {
    /// Where the list stands in the document.
    path: &'static str,
    errors: Errors,
    index: usize,
    /// How many events of the present group came before the schema engine.
    in_group: usize,
}

impl Gradual {
    /// Nothing judged yet, of the list at this JSON Pointer.
    pub(crate) fn new(path: &'static str) -> Self {
        Self {
            path,
            errors: Errors::default(),
            index: 0,
            in_group: 0,
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
        &self.errors.listed
    }

    /// Judges the next event of the list.
    ///
    /// Whether the schema accepts it; past the number of errors that are counted nothing is accepted, nor judged.
    pub(crate) fn event(&mut self, validator: &Validator, event: Value<'_>) -> bool {
        let index = self.index;
        self.index += 1;
        if proof::is_valid_entry(event) {
            return true;
        }
        // As many together as a document that is judged as a whole takes, so that counting ends at the same event.
        if self.in_group == 0 && self.errors.is_full() {
            return false;
        }
        self.in_group = (self.in_group + 1) % GROUP;
        let events = vec![(index, event)];
        let shown = enveloped(&events);
        let path = self.path;
        let findings = validator.findings(event, &shown, Some(&Group { path, events }));
        let is_valid = findings.is_empty();
        self.errors.add_all(findings);
        is_valid
    }

    /// The verdict on the document, given all of it but its events.
    pub(crate) fn finish(self, validator: &Validator, frame: &Document<'_>) -> Verdict {
        let root = frame.root();
        let mut errors = Errors::default();
        match event_list(root) {
            _ if is_typeless(root) => errors.add(message::missing_type_of_document()),
            Some((list, path)) if path == self.path => {
                let (before, after) = validator.frame(root, list);
                errors.add_all(before);
                errors.append(self.errors);
                errors.add_all(after);
            }
            // What looked like a list of events is none: the document is of another type than its members say.
            _ => validator.collect(root, &mut errors),
        }
        Verdict {
            valid: errors.total == 0,
            schema: SCHEMA_PIN,
            errors: errors.finish(),
        }
    }
}
