//! Numbers of events over several homes.
//!
//! A home is a database that has all events of some accounts, in an order of its own. The home follows from the number of an event.

use serde::{Deserialize, Serialize};

/// How many numbers a home has: the events of home 2 are numbered from 2,000,000,000,001.
pub const NUMBERS_OF_A_HOME: u64 = 1_000_000_000_000;

/// The most homes of a gateway.
pub const MAX_HOMES: u64 = 64;

/// The home of an event, by its number.
///
/// # Example
/// ```
/// use epcis_edge_gateway::query::home_of;
/// assert_eq!([home_of(7), home_of(2_000_000_000_007)], [0, 2]);
/// ```
#[must_use]
pub const fn home_of(number: u64) -> u64 {
    number / NUMBERS_OF_A_HOME
}

/// A place in each home: the number of an event there. A home without a number is at its beginning.
///
/// # Example
/// ```
/// use epcis_edge_gateway::query::Places;
/// let mut places = Places::at(7);
/// places.put(2_000_000_000_007);
/// places.put(9);
/// assert_eq!([0, 1, 2].map(|home| places.in_home(home)), [9, 1_000_000_000_000, 2_000_000_000_007]);
/// ```
///
/// As JSON: an array of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u64>", into = "Vec<u64>")]
pub struct Places {
    /// In ascending order, at most one of each home.
    numbers: Vec<u64>,
}

impl Places {
    /// The place of one event; at the beginning of all homes if the number is 0.
    #[must_use]
    pub fn at(number: u64) -> Self {
        let mut places = Self::default();
        places.put(number);
        places
    }

    /// Moves a home to the place of an event. The number 0 changes nothing.
    pub fn put(&mut self, number: u64) {
        if number == 0 {
            return;
        }
        let home = home_of(number);
        let found = self.numbers.binary_search_by_key(&home, |known| home_of(*known));
        match found {
            Ok(at) => {
                if let Some(known) = self.numbers.get_mut(at) {
                    *known = number;
                }
            }
            Err(at) => self.numbers.insert(at, number),
        }
    }

    /// The place in a home: events with greater numbers are behind it.
    #[must_use]
    pub fn in_home(&self, home: u64) -> u64 {
        let found = self.numbers.binary_search_by_key(&home, |known| home_of(*known));
        let found = found.ok().and_then(|at| self.numbers.get(at)).copied();
        found.unwrap_or(home * NUMBERS_OF_A_HOME)
    }

    /// The place in a single home, in the form that a store with one home needs; 0 at the beginning of the first home.
    #[must_use]
    pub fn single(&self) -> u64 {
        self.numbers.last().copied().unwrap_or(0)
    }

    /// The place in one home only; at its beginning if it has no place.
    #[must_use]
    pub fn only(&self, home: u64) -> Self {
        Self::at(self.in_home(home))
    }

    /// Whether all homes are at their beginning.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The places in other homes than the first.
    #[must_use]
    pub fn others(&self) -> Self {
        let others = self.numbers().filter(|number| home_of(*number) > 0);
        others.collect()
    }

    /// The numbers, in ascending order.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.numbers.iter().copied()
    }

    /// The bytes of the places: how many there are, then eight for each.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::try_from(self.numbers.len()).unwrap_or(u8::MAX));
        for number in &self.numbers {
            out.extend_from_slice(&number.to_be_bytes());
        }
    }

    /// Reads places that [`write`](Self::write) wrote. Returns them with the rest of the bytes.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (count, rest) = bytes.split_first()?;
        let (numbers, rest) = rest.split_at_checked(usize::from(*count) * 8)?;
        let (numbers, _) = numbers.as_chunks::<8>();
        let numbers = numbers.iter().map(|number| u64::from_be_bytes(*number));
        Some((numbers.collect(), rest))
    }
}

impl From<Vec<u64>> for Places {
    fn from(numbers: Vec<u64>) -> Self {
        numbers.into_iter().collect()
    }
}

impl From<Places> for Vec<u64> {
    fn from(places: Places) -> Self {
        places.numbers
    }
}

impl FromIterator<u64> for Places {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        let mut places = Self::default();
        numbers.into_iter().for_each(|number| places.put(number));
        places
    }
}
