//! One sort function for all lists.
//!
//! The library's sort is compiled separately for each comparison closure, into four to eighteen kilobytes. Behind `dyn` there is
//! one copy, and each comparison costs a call.

use std::cmp::Ordering;

/// Sorts numbers that represent other things; equal ones end in any order.
pub fn sort_numbers(list: &mut [u32], compare: &dyn Fn(&u32, &u32) -> Ordering) {
    list.sort_unstable_by(compare);
}

/// Sorts a list of at most `u32::MAX` entries; equal ones keep their order.
///
/// No sort is compiled per entry type: indices are sorted, and the entries are moved accordingly. Memory: four bytes per entry.
pub fn sort_stably_by<T>(list: &mut [T], compare: &dyn Fn(&T, &T) -> Ordering) {
    let mut sources: Vec<u32> = (0..list.len() as u32).collect();
    sort_numbers(&mut sources, &|one, other| {
        let entry = |number: &u32| list.get(*number as usize);
        let order = entry(one).zip(entry(other));
        order.map_or(Ordering::Equal, |(one, other)| compare(one, other)).then(one.cmp(other))
    });
    // Applies the permutation cycle by cycle, so that every entry moves once.
    for start in 0..list.len() {
        let mut place = start;
        while let Some(source) = sources.get_mut(place) {
            let from = std::mem::replace(source, place as u32) as usize;
            if from == start || from == place {
                break;
            }
            list.swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sort_stably_by;

    #[test]
    fn a_stable_sort_is_that_of_the_library() {
        let mut seed = 1_u32;
        for length in (0..40).chain([1000]) {
            let mut list: Vec<(u32, usize)> = (0..length)
                .map(|at| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ((seed >> 16) % (length as u32 / 2 + 1), at)
                })
                .collect();
            let mut expected = list.clone();
            expected.sort_by_key(|entry| entry.0);
            sort_stably_by(&mut list, &|one, other| one.0.cmp(&other.0));
            assert_eq!(list, expected);
        }
    }
}
