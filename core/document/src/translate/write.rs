//! Writes JSON text, and on request records the source of each value.

use super::tree::ElementPart;
use epcis_edge_text::grow::{push_text, reserve};
use epcis_edge_text::json::push_string;
use percent_encoding::{CONTROLS, PercentEncode, utf8_percent_encode};

/// The source of a value: the number of the element in its tree, and the part of it.
pub(super) type Origin = (usize, ElementPart);

/// A local name of XML as JSON has it: letters beyond ASCII are percent-encoded, which makes the member name a valid URI.
pub(super) fn encoded(local: &str) -> PercentEncode<'_> {
    utf8_percent_encode(local, CONTROLS)
}

/// JSON text under construction; commas are inserted automatically.
#[derive(Debug)]
pub(super) struct JsonWriter {
    pub(super) text: String,
    /// The length in bytes beyond which nothing more is written: a short name in the source may be a long one in the output.
    pub(super) limit: usize,
    depth: usize,
    /// The deepest nesting so far.
    pub(super) deepest: usize,
    /// The start and the source of each value, if requested.
    pub(super) trace: Option<Vec<(usize, Origin)>>,
}

impl Default for JsonWriter {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl JsonWriter {
    /// Returns a writer that stops after `limit` bytes, once the value in progress is complete.
    pub(super) fn new(limit: usize) -> Self {
        Self { text: String::new(), limit, depth: 0, deepest: 0, trace: None }
    }

    /// Whether the output may be incomplete because the limit was reached.
    pub(super) fn is_beyond_limit(&self) -> bool {
        self.text.len() > self.limit
    }

    fn separate(&mut self) {
        // This is room enough for a name with its prefix, even percent-encoded.
        reserve(&mut self.text, 8 << 10);
        match self.text.as_bytes().last() {
            None | Some(b'{' | b'[' | b':' | b',') => {}
            Some(_) => self.text.push(','),
        }
    }

    /// Begins an object; errors about the object are located at `origin`.
    pub(super) fn begin_object(&mut self, origin: Origin) {
        self.begin('{', origin);
    }

    pub(super) fn begin_array(&mut self, origin: Origin) {
        self.begin('[', origin);
    }

    fn begin(&mut self, bracket: char, origin: Origin) {
        self.separate();
        self.mark(origin);
        self.text.push(bracket);
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }

    pub(super) fn end_object(&mut self) {
        push_text(&mut self.text, "}");
        self.depth -= 1;
    }

    pub(super) fn end_array(&mut self) {
        push_text(&mut self.text, "]");
        self.depth -= 1;
    }

    /// Writes a member name that needs no escapes.
    pub(super) fn key(&mut self, name: &str) {
        self.name(|text| text.push_str(name));
    }

    /// Writes a qualified name as a member name.
    pub(super) fn qualified_key(&mut self, prefix: &str, local: &str) {
        self.name(|text| {
            if !prefix.is_empty() {
                text.push_str(prefix);
                text.push(':');
            }
            text.extend(encoded(local));
        });
    }

    fn name(&mut self, write: impl FnOnce(&mut String)) {
        if self.is_beyond_limit() {
            return;
        }
        self.separate();
        self.text.push('"');
        write(&mut self.text);
        self.text.push_str("\":");
    }

    pub(super) fn string(&mut self, value: &str, origin: Origin) {
        self.value(value, origin, push_string);
    }

    /// Writes a number, `true` or `false` unchanged.
    pub(super) fn raw(&mut self, value: &str, origin: Origin) {
        self.value(value, origin, push_text);
    }

    fn value(&mut self, value: &str, origin: Origin, push: impl FnOnce(&mut String, &str)) {
        if self.is_beyond_limit() {
            return;
        }
        self.separate();
        self.mark(origin);
        push(&mut self.text, value);
    }

    fn mark(&mut self, origin: Origin) {
        if let Some(trace) = &mut self.trace {
            trace.push((self.text.len(), origin));
        }
    }
}
