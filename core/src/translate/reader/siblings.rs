//! Which number an element has among the siblings of its name.

use crate::translate::namespace::Name;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many different names are counted at once, those in all open elements together; a step of a path with a name beyond
/// that says that its number is not known.
const MAX_COUNTED: usize = 1 << 18;

/// How many names a plain list holds.
const FEW: usize = 16;

/// The names that stand in each open element, as digests of them, and how often.
#[derive(Debug, Default)]
pub(super) struct Siblings {
    /// By how many elements are open around them.
    levels: Vec<Level>,
    /// How many names there are in all levels.
    counted: usize,
}

#[derive(Debug, Default)]
struct Level {
    few: Vec<(u64, u32)>,
    more: BTreeMap<u64, u32>,
    /// Where the name stands that came last.
    last: usize,
}

impl Siblings {
    /// Takes an element that stands in so many others; its number among the siblings of its name, zero where that is not known.
    pub(super) fn count(&mut self, depth: usize, name: &Name<'_>) -> u32 {
        // What stands in this one is still to come.
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

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        32 * self.counted
    }
}
