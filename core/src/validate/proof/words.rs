//! Words and member names that are known when we build: one probe of a small table finds them.

use crate::json::{digest, same};

/// A table from words to their positions in a list; the list itself is kept by the owner.
#[derive(Debug)]
pub(super) struct Index {
    /// Positions from 1; 0 is a free slot.
    slots: [u8; SLOTS],
}

/// Several times the size of the longest list, so that most probes hit at once.
const SLOTS: usize = 256;

impl Index {
    pub(super) const EMPTY: Self = Self { slots: [0; SLOTS] };

    /// The table with one more word. The caller counts positions from 0 and stays below 128.
    #[expect(
        clippy::indexing_slicing,
        reason = "runs when we build, where a wrong index is a build error"
    )]
    pub(super) const fn with(mut self, word: &str, position: usize) -> Self {
        assert!(position < SLOTS / 2);
        let mut slot = slot_of(word.as_bytes());
        while self.slots[slot as usize] != 0 {
            slot = slot.wrapping_add(1);
        }
        self.slots[slot as usize] = position as u8 + 1;
        self
    }

    /// The position of a word, where `word_at` gives the word at a position.
    #[inline]
    pub(super) fn find(
        &self,
        word: &[u8],
        word_at: impl Fn(usize) -> Option<&'static str>,
    ) -> Option<usize> {
        let mut slot = slot_of(word);
        // INVARIANT: at least half of the slots are free, so the search ends.
        loop {
            let position = usize::from(*self.slots.get(usize::from(slot))?).checked_sub(1)?;
            if same(word_at(position)?.as_bytes(), word) {
                return Some(position);
            }
            slot = slot.wrapping_add(1);
        }
    }
}

/// Where the search for a word starts.
#[inline]
const fn slot_of(word: &[u8]) -> u8 {
    (digest(word) >> 24) as u8
}

/// A closed list of words, and which URIs may stand in their place.
#[derive(Debug)]
pub(super) struct Words {
    words: &'static [&'static str],
    index: Index,
    pub(super) uris: Uris,
}

/// Which URIs a field takes beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uris {
    /// None.
    None,
    /// All but those that start like a CBV word in its long spellings.
    ExceptCbv,
    /// All but those that start like a word of the GS1 Web Vocabulary.
    ExceptWebVocabulary,
}

impl Words {
    #[expect(
        clippy::indexing_slicing,
        reason = "runs when we build, where a wrong index is a build error"
    )]
    pub(super) const fn new(words: &'static [&'static str], uris: Uris) -> Self {
        let mut index = Index::EMPTY;
        let mut position = 0;
        while position < words.len() {
            index = index.with(words[position], position);
            position += 1;
        }
        Self { words, index, uris }
    }

    #[inline]
    pub(super) fn contains(&self, word: &[u8]) -> bool {
        self.index
            .find(word, |position| self.words.get(position).copied())
            .is_some()
    }
}
