//! Collects what the conditions of a pack need, while the pack is read.

use super::names::PackNames;
use super::needs::Needs;

/// The needs of the conditions read so far, and the kind of condition that is read now.
pub(super) struct Asked {
    /// Whether the pack is of version 2 of the language.
    pub(super) is_second: bool,
    /// Whether the condition that is read now judges the document, not an event.
    pub(super) is_of_document: bool,
    pub(super) names: PackNames,
    pub(super) needs: Needs,
}

impl Asked {
    pub(super) fn new(is_second: bool, names: PackNames) -> Self {
        Self {
            is_second,
            is_of_document: false,
            names,
            needs: Needs::default(),
        }
    }

    /// The names of the pack; `None` if it may have none, in version 1 without `namespaces`.
    pub(super) fn names_of_pack(&mut self) -> Option<&mut PackNames> {
        (self.is_second || self.names.has_prefixes()).then_some(&mut self.names)
    }
}
