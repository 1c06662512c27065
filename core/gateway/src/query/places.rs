//! Numbers of events over several accounts.
//!
//! Where each account has a store of its own, the number of an event tells its account. Where all accounts are in one store, its
//! numbers are those of account 0, which stands for all.

use serde::{Deserialize, Serialize};

/// How many numbers an account has: the events of account 2 are numbered from 2,000,000,001.
pub const NUMBERS_OF_AN_ACCOUNT: u64 = 1_000_000_000;

/// The most accounts that a question reads, if each has a store of its own.
pub const MAX_ACCOUNTS: usize = 64;

/// The account of an event, by its number.
///
/// # Example
/// ```
/// use epcis_edge_gateway::query::account_of;
/// assert_eq!([account_of(7), account_of(2_000_000_007)], [0, 2]);
/// ```
#[must_use]
pub const fn account_of(number: u64) -> u64 {
    number / NUMBERS_OF_AN_ACCOUNT
}

/// A place in each account: the number of an event there. The place of account 0 is that of every account without one of its own:
/// so a place in one store for all accounts stays valid when each gets its own store.
///
/// # Example
/// ```
/// use epcis_edge_gateway::query::Places;
/// let mut places = Places::at(7);
/// places.put(2_000_000_007);
/// places.put(9);
/// assert_eq!([1, 2].map(|account| places.in_account(account)), [1_000_000_009, 2_000_000_007]);
/// ```
///
/// As JSON: an array of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<u64>", into = "Vec<u64>")]
pub struct Places {
    /// In ascending order, at most one of each account.
    numbers: Vec<u64>,
}

impl Places {
    /// The place of one event; at the beginning of all accounts if the number is 0.
    #[must_use]
    pub fn at(number: u64) -> Self {
        let mut places = Self::default();
        places.put(number);
        places
    }

    /// Moves an account to the place of an event. The number 0 changes nothing.
    pub fn put(&mut self, number: u64) {
        if number == 0 {
            return;
        }
        let account = account_of(number);
        let found = self.numbers.binary_search_by_key(&account, |known| account_of(*known));
        match found {
            Ok(at) => {
                if let Some(known) = self.numbers.get_mut(at) {
                    *known = number;
                }
            }
            Err(at) => self.numbers.insert(at, number),
        }
    }

    /// The place in an account: events with greater numbers are behind it.
    #[must_use]
    pub fn in_account(&self, account: u64) -> u64 {
        let place = |account: u64| {
            let found = self.numbers.binary_search_by_key(&account, |known| account_of(*known));
            found.ok().and_then(|at| self.numbers.get(at)).copied()
        };
        let of_all = || account * NUMBERS_OF_AN_ACCOUNT + place(0).unwrap_or(0);
        place(account).unwrap_or_else(of_all)
    }

    /// The place in a single store; 0 at its beginning.
    #[must_use]
    pub fn single(&self) -> u64 {
        self.numbers.last().copied().unwrap_or(0)
    }

    /// The place in one account only.
    #[must_use]
    pub fn only(&self, account: u64) -> Self {
        Self::at(self.in_account(account))
    }

    /// Whether all accounts are at their beginning.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The accounts that have a place of their own, in the order of their numbers.
    pub fn accounts(&self) -> impl Iterator<Item = u64> {
        self.numbers().map(account_of).filter(|account| *account > 0)
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
