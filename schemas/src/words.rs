//! Words that are known when we build: one probe of a small table finds them.

use crate::digest::{are_same, digest};

/// A closed list of words with a table that leads to them without a collision.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The words, in the order of the schema.
    pub words: &'static [&'static str],
    /// Positions in the list, from 1; 0 is a free slot. As many slots as a power of two.
    pub slots: &'static [u8],
    /// What the digest of a word is multiplied by to find its slot.
    pub seed: u32,
}

impl Words {
    /// The position of a word in the list.
    #[must_use]
    #[inline(never)]
    pub fn find(&self, word: &[u8]) -> Option<usize> {
        self.find_here(word)
    }

    /// The same, where it is asked the most.
    #[must_use]
    #[inline(always)]
    pub fn find_here(&self, word: &[u8]) -> Option<usize> {
        let slot = slot_of(word, self.seed, self.slots.len());
        let position = usize::from(*self.slots.get(slot)?).checked_sub(1)?;
        are_same(self.words.get(position)?.as_bytes(), word).then_some(position)
    }

    /// Whether a word is in the list.
    #[must_use]
    #[inline]
    pub fn contains(&self, word: &[u8]) -> bool {
        self.find(word).is_some()
    }
}

/// Where a word stands, if it is one; `slots` is a power of two.
#[inline]
pub(crate) fn slot_of(word: &[u8], seed: u32, slots: usize) -> usize {
    (digest(word).wrapping_mul(seed) >> 16) as usize & (slots.wrapping_sub(1))
}
