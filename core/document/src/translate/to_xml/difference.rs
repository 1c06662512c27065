//! Compares the JSON translated back from XML with the JSON that was sent, value by value, and collects the notes.
//!
//! These differences are ignored: the order of members, the prefix of a namespace, the form of a CBV word, a value and an array
//! with only this value, as in JSON-LD, and empty lists that EPCIS 1.2 requires.

use crate::field::ValueKind;
use crate::translate::json_to_xml::{Loss, XmlPrefixes};
use crate::translate::report::{Code, FidelityReport, MEASURED_DIFFERENCE, Note};
use crate::translate::value::{same, word_for_xml};
use crate::vocabulary;
use epcis_edge_text::json::{Kind, Value, push_step};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a member of the object at a pointer is compared elsewhere, or not at all.
type IsLeftOut = fn(pointer: &str, member: &str) -> bool;

/// The most differences listed for one value; one is enough to show that it is not the same.
const MAX_FOUND: usize = 1000;

/// Compares two values, each with the prefixes of its document.
pub(super) struct Comparison<'c> {
    pub(super) ours: &'c XmlPrefixes,
    pub(super) theirs: &'c XmlPrefixes,
    pub(super) is_left_out: IsLeftOut,
    /// JSON Pointers to the differences, relative to the value.
    pub(super) found: Vec<String>,
}

impl Comparison<'_> {
    pub(super) fn compare(&mut self, ours: Value<'_>, theirs: Value<'_>, pointer: &mut String) {
        if self.found.len() >= MAX_FOUND {
            return;
        }
        let (ours, theirs) = match (ours.kind(), theirs.kind()) {
            (Kind::Array, Kind::Array) => {
                let (mut one, mut other) = (ours.elements(), theirs.elements());
                for number in 0_usize.. {
                    match (one.next(), other.next()) {
                        (Some(one), Some(other)) => {
                            self.step(&number.to_string(), pointer, |all, pointer| {
                                all.compare(one, other, pointer);
                            })
                        }
                        (None, None) => return,
                        _ => return self.found.push(pointer.clone()),
                    }
                }
                return;
            }
            (Kind::Array, _) => (alone(ours), Some(theirs)),
            (_, Kind::Array) => (Some(ours), alone(theirs)),
            _ => (Some(ours), Some(theirs)),
        };
        let (Some(ours), Some(theirs)) = (ours, theirs) else {
            return self.found.push(pointer.clone());
        };
        let is_same = match (ours.kind(), theirs.kind()) {
            (Kind::Object, Kind::Object) => return self.members(ours, theirs, pointer),
            (Kind::String, Kind::String) => is_same_text(ours, theirs),
            (Kind::Number, Kind::Number) => same(ValueKind::Number, ours.source(), theirs.source()),
            (one, other) => one == other && ours.source() == theirs.source(),
        };
        if !is_same {
            self.found.push(pointer.clone());
        }
    }

    fn members(&mut self, ours: Value<'_>, theirs: Value<'_>, pointer: &mut String) {
        let mut others = BTreeMap::new();
        for (name, value) in theirs.members() {
            let name = name.to_cow();
            if !(self.is_left_out)(pointer, &name) {
                others.insert(self.theirs.expanded(&name).into_owned(), Some(value));
            }
        }
        for (name, value) in ours.members() {
            let name = name.to_cow();
            if (self.is_left_out)(pointer, &name) {
                continue;
            }
            // Emptied, not removed: removing an entry from the map would add five kilobytes of code.
            let other = others.get_mut(&*self.ours.expanded(&name)).and_then(Option::take);
            if self.found.len() >= MAX_FOUND {
                return;
            }
            self.step(&name, pointer, |all, pointer| match other {
                Some(other) => all.compare(value, other, pointer),
                None if is_required(&name, value) => {}
                None => all.found.push(pointer.clone()),
            });
        }
        if others
            .into_iter()
            .any(|(name, value)| value.is_some_and(|value| !is_required(&name, value)))
        {
            self.found.push(pointer.clone());
        }
    }

    fn step(
        &mut self,
        step: &str,
        pointer: &mut String,
        work: impl FnOnce(&mut Self, &mut String),
    ) {
        let length = pointer.len();
        push_step(pointer, step);
        work(self, pointer);
        pointer.truncate(length);
    }
}

/// Returns the only entry of an array.
fn alone(array: Value<'_>) -> Option<Value<'_>> {
    let mut elements = array.elements();
    elements.next().filter(|_| elements.next().is_none())
}

/// Whether this is an empty list that EPCIS 1.2 requires.
fn is_required(name: &str, value: Value<'_>) -> bool {
    matches!(name, "epcList" | "childEPCs")
        && value.kind() == Kind::Array
        && value.elements().next().is_none()
}

fn is_same_text(ours: Value<'_>, theirs: Value<'_>) -> bool {
    let (Some(ours), Some(theirs)) = (ours.as_str(), theirs.as_str()) else {
        return false;
    };
    // A word may come back in another form; the event hash shows whether it counts as a word in this place.
    let may_be_words = || !ours.contains(char::is_whitespace);
    ours == theirs
        || may_be_words()
            && vocabulary::ALL.into_iter().any(|vocabulary| {
                let (ours, theirs) =
                    (word_for_xml(vocabulary, &ours), word_for_xml(vocabulary, &theirs));
                ours.len() != theirs.len() && same(ValueKind::Word(vocabulary), &ours, &theirs)
            })
}

/// The notes on one event: losses by rule, as far as a report has room for them, and measured losses.
#[derive(Debug, Default)]
pub(super) struct Notes {
    list: Vec<Note>,
    /// The codes of further losses by rule.
    cut: Vec<Code>,
    /// The lossy places, collected when the first measured note is added.
    reported: Option<ReportedPlaces>,
}

impl Notes {
    pub(super) fn push(&mut self, code: Code, pointer: String) {
        self.list.push(Note::of(code, pointer, None, None));
    }

    /// Adds the losses by rule in the value at this pointer.
    pub(super) fn extend(&mut self, pointer: &str, losses: Vec<Loss>, cut: Vec<Code>) {
        for loss in losses {
            self.push(loss.code, format!("{pointer}{}", loss.pointer));
        }
        self.cut.extend(cut);
    }

    pub(super) fn is_lossy(&self) -> bool {
        self.cut.iter().any(|code| code.is_lossy()) || self.list.iter().any(Note::is_lossy)
    }

    /// Whether there are more losses than a report has room for, so that no further note would be seen.
    pub(super) fn is_full(&self) -> bool {
        !self.cut.is_empty()
    }

    /// Adds a measured loss, unless an earlier note explains it.
    pub(super) fn add(&mut self, note: Note) {
        let list = &self.list;
        let reported = self.reported.get_or_insert_with(|| ReportedPlaces::of(list));
        if !self.cut.is_empty() || reported.explains(&note) {
            return;
        }
        reported.add(&note);
        self.list.push(note);
    }

    /// Adds all notes to the report.
    pub(super) fn add_to_report(self, report: &mut FidelityReport) {
        for note in self.list {
            report.push(note);
        }
        for code in self.cut {
            report.count(code, code.is_lossy());
        }
    }
}

/// The reported lossy places, as JSON Pointers.
#[derive(Debug, Default)]
pub(super) struct ReportedPlaces(BTreeSet<String>);

impl ReportedPlaces {
    pub(super) fn of(notes: &[Note]) -> Self {
        let mut places = Self::default();
        for note in notes.iter().filter(|note| note.is_lossy()) {
            places.add(note);
        }
        places
    }

    pub(super) fn add(&mut self, note: &Note) {
        self.0.insert(note.path.clone());
    }

    /// Whether a loss was reported at the place of a note or around it. A value that differs is explained by a loss inside it,
    /// too.
    pub(super) fn explains(&self, note: &Note) -> bool {
        let path = note.path.as_str();
        let ends = path.match_indices('/').map(|(at, _)| at);
        let mut around = ends.chain([path.len()]);
        if around.any(|end| path.get(..end).is_some_and(|outer| self.0.contains(outer))) {
            return true;
        }
        let inside = format!("{path}/");
        note.code == MEASURED_DIFFERENCE.word
            && self.0.range(inside.clone()..).next().is_some_and(|next| next.starts_with(&inside))
    }
}
