//! What one look at an identifier tells.

use super::characters;

/// What one look tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scanned {
    /// Bits of [`mark`](super::mark).
    pub(crate) marks: u64,
    /// Of two spellings of one thing the same; of two things seldom the same: whoever must know compares them.
    pub(crate) identity: u64,
}

/// The identity of what is only a text.
pub(crate) fn of_text(text: &[u8]) -> u64 {
    characters::finished(1, 0, characters::hash(text))
}
