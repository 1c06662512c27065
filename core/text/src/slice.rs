//! What is there for sure, and what may be missing: parts of texts and lists, and values.

use std::fmt::Debug;
use std::slice::SliceIndex;

/// A text or a list, of which a part is taken.
pub trait Part {
    /// The part in this range, which the caller knows to be there: `"urn:epc".part(4..)` is `epc`. A debug build stops where it is
    /// not; any other gives an empty part. Where the caller returns a result, `Error::impossible` is due.
    fn part<I>(&self, range: I) -> &Self
    where
        I: SliceIndex<Self, Output = Self> + Clone + Debug;
}

impl Part for str {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn part<I>(&self, range: I) -> &Self
    where
        I: SliceIndex<Self, Output = Self> + Clone + Debug,
    {
        debug_assert!(
            self.get(range.clone()).is_some(),
            "{range:?} is no part of a text of {} bytes",
            self.len()
        );
        self.get(range).or_empty()
    }
}

impl<T> Part for [T] {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn part<I>(&self, range: I) -> &Self
    where
        I: SliceIndex<Self, Output = Self> + Clone + Debug,
    {
        debug_assert!(
            self.get(range.clone()).is_some(),
            "{range:?} is no part of a list of {}",
            self.len()
        );
        self.get(range).or_empty()
    }
}

/// A value that the code around has made sure of.
pub trait Known<T> {
    /// The value, which the caller knows to be there: `value.as_str()` of a value that was seen to be a string. A debug build stops where
    /// it is not; any other gives an empty value. Where the caller returns a result, `Error::impossible` is due.
    fn known(self) -> T;
}

impl<T: Default> Known<T> for Option<T> {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn known(self) -> T {
        debug_assert!(self.is_some(), "a value that was made sure of is missing");
        self.or_empty()
    }
}

/// A value that may be missing.
pub trait OrEmpty<T> {
    /// The value; an empty one where there is none, which is no fault: the `type` of an event that has none.
    fn or_empty(self) -> T;
}

impl<T: Default> OrEmpty<T> for Option<T> {
    #[inline]
    #[expect(clippy::disallowed_methods, reason = "the one place")]
    fn or_empty(self) -> T {
        self.unwrap_or_default()
    }
}
