//! One sort for all lists of a kind.

use std::cmp::Ordering;

/// Sorts a list; equal entries end in any order.
///
/// The library's sort is compiled anew for every comparison that is written beside it, into four to eighteen kilobytes each. Behind
/// `dyn` there is one for each kind of entry, and the comparison costs a call.
pub(crate) fn sort_by<T>(list: &mut [T], compare: &dyn Fn(&T, &T) -> Ordering) {
    list.sort_unstable_by(compare);
}
