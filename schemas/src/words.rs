//! Words that are known at build time, found with one probe of a small hash table.

use crate::digest::{are_same, digest};

/// A closed list of words with a hash table without collisions.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The words, in the order of the schema.
    pub words: &'static [&'static str],
    /// Positions in the list, counted from 1; 0 is a free slot. The number of slots is a power of two.
    pub slots: &'static [u8],
    /// The factor by which the digest of a word is multiplied to find its slot.
    pub seed: u32,
}

impl Words {
    /// The position of a word in the list.
    #[must_use]
    #[inline(never)]
    pub fn find(&self, word: &[u8]) -> Option<usize> {
        self.find_here(word)
    }

    /// As [`find`](Self::find), but inlined, for the most frequent look-ups.
    #[must_use]
    #[inline(always)]
    pub fn find_here(&self, word: &[u8]) -> Option<usize> {
        let slot = slot_of(word, self.seed, self.slots.len());
        let position = usize::from(*self.slots.get(slot)?).checked_sub(1)?;
        are_same(self.words.get(position)?.as_bytes(), word).then_some(position)
    }

    /// Whether a word is in the list.
    #[must_use]
    pub fn contains(&self, word: &[u8]) -> bool {
        self.find(word).is_some()
    }
}

/// The slot of a word, if the list has it; `slots` is a power of two.
pub(crate) fn slot_of(word: &[u8], seed: u32, slots: usize) -> usize {
    (digest(word).wrapping_mul(seed) >> 16) as usize & (slots.wrapping_sub(1))
}
