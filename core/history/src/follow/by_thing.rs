//! Lists of entries, one for each thing.

use super::names::Thing;
use epcis_edge_text::slice::Part;

/// The lists, in one piece of memory: most of them are short.
#[derive(Debug, Default)]
pub(super) struct ByThing<T> {
    /// Where the list of each thing starts; at the end, where that of the last one ends.
    starts: Vec<usize>,
    entries: Vec<T>,
}

impl<T: Clone + Default> ByThing<T> {
    /// Groups entries by their things; those of one thing keep their order. The entries are read twice.
    pub(super) fn of(things: usize, entries: impl Iterator<Item = (Thing, T)> + Clone) -> Self {
        let mut starts = vec![0; things + 1];
        for (thing, _) in entries.clone() {
            if let Some(count) = starts.get_mut(thing.number() + 1) {
                *count += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut ends = starts.clone();
        let mut all = vec![T::default(); total];
        for (thing, entry) in entries {
            if let Some(end) = ends.get_mut(thing.number())
                && let Some(place) = all.get_mut(*end)
            {
                *place = entry;
                *end += 1;
            }
        }
        Self { starts, entries: all }
    }

    /// The entries of a thing.
    pub(super) fn get(&self, thing: Thing) -> &[T] {
        let mut bounds = self.starts.iter().skip(thing.number()).copied();
        let (Some(start), Some(end)) = (bounds.next(), bounds.next()) else { return &[] };
        self.entries.part(start..end)
    }

    /// Changes each list.
    pub(super) fn each(&mut self, change: impl Fn(&mut [T])) {
        let mut rest = self.entries.as_mut_slice();
        for bounds in self.starts.windows(2) {
            let [start, end] = *bounds else { continue };
            let Some((list, others)) = rest.split_at_mut_checked(end - start) else { return };
            change(list);
            rest = others;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ByThing, Thing};

    #[test]
    fn entries_keep_their_order() {
        let entries = [(2, 'a'), (0, 'b'), (2, 'c'), (2, 'd'), (0, 'e')];
        let entries = entries.map(|(number, entry)| (Thing::at(number), entry));
        let mut lists = ByThing::of(4, entries.into_iter());
        let all = |lists: &ByThing<char>| {
            [0, 1, 2, 3, 4].map(|number| lists.get(Thing::at(number)).iter().collect::<String>())
        };
        assert_eq!(all(&lists), ["be", "", "acd", "", ""]);
        lists.each(|list| list.reverse());
        assert_eq!(all(&lists), ["eb", "", "dca", "", ""]);
    }
}
