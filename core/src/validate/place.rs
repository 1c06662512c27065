//! From the path of a failure to the value it is about.

use crate::json::{Elements, Kind, Value};
use std::collections::BTreeMap;

/// Follows paths into a document, quickly where they come in document order: a long list is walked once, not once a path.
#[derive(Default)]
pub(super) struct Walker<'d> {
    /// For each list on the way, by its path: the index of the next element, and the rest of the list.
    lists: BTreeMap<String, (usize, Elements<'d>)>,
}

impl<'d> Walker<'d> {
    /// The value that a JSON Pointer names, seen from `base`, with the value that holds it; `key` tells one base from another.
    pub(super) fn follow(
        &mut self,
        key: &str,
        base: Value<'d>,
        pointer: &str,
    ) -> Option<(Value<'d>, Option<Value<'d>>)> {
        let mut at = base;
        let mut parent = None;
        let mut walked = 0;
        for step in pointer.split('/').skip(1) {
            let next = if at.kind() == Kind::Array {
                let list = format!("{key}{}", pointer.get(..walked)?);
                self.element(list, at, step.parse().ok()?)?
            } else {
                at.get(&step.replace("~1", "/").replace("~0", "~"))?
            };
            walked += 1 + step.len();
            parent = Some(at);
            at = next;
        }
        Some((at, parent))
    }

    fn element(&mut self, path: String, list: Value<'d>, index: usize) -> Option<Value<'d>> {
        let (next, rest) = self
            .lists
            .entry(path)
            .or_insert_with(|| (0, list.elements()));
        if index < *next {
            (*next, *rest) = (0, list.elements());
        }
        // The element itself may be asked for again: the rest starts with it.
        rest.by_ref().take(index - *next).for_each(drop);
        *next = index;
        let mut from_here = *rest;
        from_here.next()
    }
}
