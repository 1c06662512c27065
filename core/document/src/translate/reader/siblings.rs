//! Counts the number of an element among siblings of the same name.

use crate::translate::namespace::Name;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most names counted at once, in all open elements together; an element with a further name has an unknown number in
/// paths.
const MAX_COUNTED: usize = 1 << 18;

/// The most names in a plain list.
const FEW: usize = 16;

/// The names of the children of each open element, as digests, with the number of each.
#[derive(Debug, Default)]
pub(super) struct Siblings {
    /// By depth, the number of open elements around.
    levels: Vec<Level>,
    /// The number of names in all levels.
    counted: usize,
}

#[derive(Debug, Default)]
struct Level {
    few: Vec<(u64, u32)>,
    more: BTreeMap<u64, u32>,
    /// The index in `few` of the name that came last.
    last: usize,
}

impl Siblings {
    /// Counts an element at this depth, and returns its number among siblings of the same name; zero if unknown.
    pub(super) fn count(&mut self, depth: usize, name: &Name<'_>) -> u32 {
        // The children of this element are still to come, so their level is cleared.
        while self.levels.len() < depth + 2 {
            self.levels.push(Level::default());
        }
        if let Some(inner) = self.levels.get_mut(depth + 1) {
            self.counted -= inner.few.len() + inner.more.len();
            inner.few.clear();
            inner.more.clear();
        }
        let Some(level) = self.levels.get_mut(depth) else {
            return 0;
        };
        let mut hasher = DefaultHasher::new();
        (name.namespace.number(), name.local).hash(&mut hasher);
        let digest = hasher.finish();
        let is_same = |known: &(u64, u32)| known.0 == digest;
        if !level.few.get(level.last).is_some_and(is_same)
            && let Some(at) = level.few.iter().position(is_same)
        {
            level.last = at;
        }
        if let Some(known) = level.few.get_mut(level.last)
            && known.0 == digest
        {
            known.1 += 1;
            return known.1;
        }
        if let Some(count) = level.more.get_mut(&digest) {
            *count += 1;
            return *count;
        }
        if self.counted == MAX_COUNTED {
            return 0;
        }
        self.counted += 1;
        if level.few.len() < FEW {
            level.last = level.few.len();
            level.few.push((digest, 1));
        } else {
            level.more.insert(digest, 1);
        }
        1
    }

    /// The approximate size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        32 * self.counted
    }
}
