//! The facts about the whole document that the rules of a pack need.

use super::expression::Expression;
use super::facts::Conflict;
use super::names::NameId;
use super::path::Path;
use epcis_edge_document::field::EventTypes;

/// The facts about the whole document that a pack needs.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Whether some rule asks which event made a thing.
    pub(super) made: bool,
    /// The values in that event that rules need.
    pub(super) in_made: Vec<Path>,
    /// The values in the shipment of a thing that rules need.
    pub(super) in_shipped: Vec<Path>,
    /// Whether some rule asks which event packed something into a thing, put it into another one, or shipped it.
    pub(super) packed: bool,
    pub(super) put: bool,
    pub(super) shipped: bool,
    /// The vocabularies of the header that rules need, by their types.
    pub(super) vocabularies: Vec<String>,
    /// The attributes in them that rules need.
    pub(super) attributes: Vec<NameId>,
    /// The vocabularies in which rules look for repeated elements, by their types.
    pub(super) repeated: Vec<String>,
    /// The conditions that some, all or no events must fulfil.
    pub(super) events: Vec<OnEvents>,
    pub(super) conflicts: Vec<Conflict>,
}

/// A condition on all events.
#[derive(Debug)]
pub(super) struct OnEvents {
    /// The event types; 0 for all.
    pub(super) on: EventTypes,
    pub(super) when: Expression,
}

impl Needs {
    /// Notes that a rule looks for repeated elements of a vocabulary.
    pub(super) fn note_repeated(&mut self, kind: &str) {
        if !self.repeated.iter().any(|known| known == kind) {
            self.repeated.push(kind.to_owned());
        }
    }

    /// Whether it has any of these facts.
    pub(super) fn asks(&self) -> bool {
        self.asks_identifiers() || !self.repeated.is_empty() || !self.events.is_empty()
    }

    /// Whether some rule needs data from another place of the document, found by an identifier.
    pub(super) fn asks_identifiers(&self) -> bool {
        let has_lists = !self.vocabularies.is_empty() || !self.conflicts.is_empty();
        self.made || self.packed || self.put || self.shipped || has_lists
    }
}
