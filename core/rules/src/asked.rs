//! Collects what the conditions of a pack need, while the pack is read.

use super::names::PackNames;
use super::needs::Needs;

/// The needs of the conditions read so far, and the kind of condition that is read now.
#[derive(Default)]
pub(super) struct Asked {
    /// Whether the condition that is read now judges the document, not an event.
    pub(super) is_of_document: bool,
    pub(super) names: PackNames,
    pub(super) needs: Needs,
}
