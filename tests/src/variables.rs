//! What the tests are told by variables. An unknown value is refused: a run that ignored it would look like one that did as it was told.

use std::env::{VarError, var};

fn value(name: &str) -> Option<String> {
    match var(name) {
        Ok(value) => Some(value),
        Err(VarError::NotPresent) => None,
        Err(VarError::NotUnicode(value)) => panic!("{name} is {}", value.display()),
    }
}

/// Whether a variable has its only value; false if it is not set.
///
/// # Panics
/// When it has another value.
///
/// # Example
/// ```
/// assert!(!epcis_edge_tests::variables::is("EPCIS_EDGE_NOT_SET", "1"));
/// ```
#[must_use]
pub fn is(name: &str, expected: &str) -> bool {
    value(name).is_some_and(|value| {
        assert_eq!(value, expected, "{name} is `{expected}` or not set");
        true
    })
}

/// Whether a variable is set to 1.
///
/// # Panics
/// When it has another value.
#[must_use]
pub fn is_on(name: &str) -> bool {
    is(name, "1")
}

/// The number in a variable, if it is set.
///
/// # Panics
/// When it is not a number, or 0.
#[must_use]
pub fn number(name: &str) -> Option<usize> {
    value(name).map(|value| {
        let number = value.parse().ok().filter(|number| *number > 0);
        number.unwrap_or_else(|| panic!("{name} is {value}, expected a number from 1"))
    })
}

/// The text in a variable that chooses among names; empty, which chooses all of them, if it is not set.
///
/// # Panics
/// When no name contains it.
#[must_use]
pub fn part_of<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let part = value(name).unwrap_or_default();
    let names: Vec<&str> = names.into_iter().collect();
    assert!(
        names.iter().any(|one| one.contains(&part)),
        "{name} is {part}, expected a part of one of\n{}",
        names.join("\n")
    );
    part
}
