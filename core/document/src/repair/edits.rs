//! The changes of one document, as they are found.

use super::{Change, MAX_CHANGES, Reason, Repair};
use epcis_edge_text::error::excerpt;
use epcis_edge_text::lookalike::{Look, Shown, look};
use epcis_edge_text::order::sort_stably_by;
use epcis_edge_text::slice::Part;
use std::ops::Range;

/// Twenty bytes, since a document may consist of nothing else: a place in the document, and one in the new texts.
struct Edit {
    from: u32,
    to: u32,
    written_from: u32,
    written_to: u32,
    reason: Reason,
}

/// The changes so far.
pub(super) struct Edits<'t> {
    text: &'t str,
    edits: Vec<Edit>,
    /// The new texts, one after the other.
    written: String,
}

impl<'t> Edits<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, edits: Vec::new(), written: String::new() }
    }

    /// Replaces a range of the document. A range that begins where the last one ended becomes part of it.
    pub(super) fn replace(&mut self, range: Range<usize>, with: &str, reason: Reason) {
        let written_from = self.written.len() as u32;
        self.written.push_str(with);
        let (from, to) = (range.start as u32, range.end as u32);
        let written_to = self.written.len() as u32;
        match self.edits.last_mut() {
            Some(last)
                if last.to == from && last.written_to == written_from && last.reason == reason =>
            {
                (last.to, last.written_to) = (to, written_to);
            }
            _ => self.edits.push(Edit { from, to, written_from, written_to, reason }),
        }
    }

    /// Replaces what looks like ASCII, and removes what cannot be seen, in a part of the document that begins at `start`.
    pub(super) fn replace_all(&mut self, part: &str, start: usize) {
        if part.is_ascii() {
            return;
        }
        for (at, character) in part.char_indices() {
            let mut room = [0; 4];
            let with = match look(character) {
                None => continue,
                Some(Look::Nothing) => "",
                Some(Look::Like(like)) => like.encode_utf8(&mut room),
            };
            let at = start + at;
            self.replace(at..at + character.len_utf8(), with, Reason::LookAlike);
        }
    }

    /// The repaired document.
    pub(super) fn finish(mut self) -> Repair {
        // Zones are known only at the end of their event.
        sort_stably_by(&mut self.edits, &|one, other| one.from.cmp(&other.from));
        let mut repair = Repair {
            text: String::with_capacity(self.text.len()),
            count: self.edits.len(),
            changes: Vec::new(),
        };
        let mut done = 0;
        let mut place = Place::default();
        for edit in &self.edits {
            let (from, to) = (edit.from as usize, edit.to as usize);
            let written = self.written.get(edit.written_from as usize..edit.written_to as usize);
            let parts = (self.text.get(done..from), self.text.get(from..to), written);
            let (Some(before), Some(found), Some(written)) = parts else {
                debug_assert!(false, "edits overlap");
                continue;
            };
            repair.text.push_str(before);
            repair.text.push_str(written);
            done = to;
            if repair.changes.len() < MAX_CHANGES {
                place.pass(before);
                let (line, column, from) = (place.line + 1, place.column + 1, place.offset);
                place.pass(found);
                repair.changes.push(Change {
                    line,
                    column,
                    from,
                    to: place.offset,
                    found: Shown(&excerpt(found)).to_string(),
                    written: written.to_owned(),
                    reason: edit.reason,
                });
            }
        }
        repair.text.push_str(self.text.part(done..));
        repair
    }
}

/// A place, counted from 0: columns and offset in UTF-16 code units.
#[derive(Default)]
struct Place {
    line: usize,
    column: usize,
    offset: usize,
}

impl Place {
    fn pass(&mut self, text: &str) {
        for character in text.chars() {
            self.offset += character.len_utf16();
            if character == '\n' {
                (self.line, self.column) = (self.line + 1, 0);
            } else {
                self.column += character.len_utf16();
            }
        }
    }
}
