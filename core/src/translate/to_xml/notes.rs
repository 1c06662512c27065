//! What is to be said of a part of a document before it is its turn in the report.

use crate::translate::json_to_xml::Loss;
use crate::translate::report::{Code, FidelityReport, MEASURED_DIFFERENCE, Note};
use std::collections::BTreeSet;

/// The notes about one event: what rules lost, as far as a report has room for it, and what was measured.
#[derive(Debug, Default)]
pub(super) struct Notes {
    list: Vec<Note>,
    /// What rules lost beyond that.
    cut: Vec<Code>,
    /// The lossy places, once something was measured.
    told: Option<Told>,
}

impl Notes {
    pub(super) fn push(&mut self, code: Code, pointer: String) {
        self.list.push(Note::of(code, pointer, None, None));
    }

    /// Adds what rules lost of what stands at this pointer.
    pub(super) fn extend(&mut self, pointer: &str, losses: Vec<Loss>, cut: Vec<Code>) {
        for loss in losses {
            self.push(loss.code, format!("{pointer}{}", loss.pointer));
        }
        self.cut.extend(cut);
    }

    pub(super) fn is_lossy(&self) -> bool {
        !self.cut.is_empty() || self.list.iter().any(Note::is_lossy)
    }

    /// Whether there is more than a report has room for: nothing that is added would be seen.
    pub(super) fn is_full(&self) -> bool {
        !self.cut.is_empty()
    }

    /// Adds what was measured, unless it was told before.
    pub(super) fn add(&mut self, note: Note) {
        let list = &self.list;
        let told = self.told.get_or_insert_with(|| Told::of(list));
        if !self.cut.is_empty() || told.explains(&note) {
            return;
        }
        told.add(&note);
        self.list.push(note);
    }

    /// Tells all of it.
    pub(super) fn tell(self, report: &mut FidelityReport) {
        for note in self.list {
            report.push(note);
        }
        for code in self.cut {
            report.count(code, code.is_lossy());
        }
    }
}

/// The places of which a loss was told, as JSON Pointers.
#[derive(Debug, Default)]
pub(super) struct Told(BTreeSet<String>);

impl Told {
    pub(super) fn of(notes: &[Note]) -> Self {
        let lossy = notes.iter().filter(|note| note.is_lossy());
        Self(lossy.map(|note| note.path.clone()).collect())
    }

    pub(super) fn add(&mut self, note: &Note) {
        self.0.insert(note.path.clone());
    }

    /// Whether a loss was told of the place of a note, or of one around it; for a value that differs, of one inside of it too,
    /// which is why it differs.
    pub(super) fn explains(&self, note: &Note) -> bool {
        let path = note.path.as_str();
        let ends = path.match_indices('/').map(|(at, _)| at);
        let mut around = ends.chain([path.len()]);
        if around.any(|end| path.get(..end).is_some_and(|outer| self.0.contains(outer))) {
            return true;
        }
        let inside = format!("{path}/");
        note.code == MEASURED_DIFFERENCE.word
            && self
                .0
                .range(inside.clone()..)
                .next()
                .is_some_and(|next| next.starts_with(&inside))
    }
}
