//! GS1 Digital Link URIs: taken apart, and written in canonical form.

use super::{HOST, is_digits};

/// The parts of a GS1 Digital Link URI that name a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link<'a> {
    /// The number of the primary key.
    pub(super) key: &'static str,
    /// The value of the primary key as written; a GTIN may have 8, 12, 13 or 14 digits.
    pub(super) value: &'a str,
    /// The finest qualifier: its number and its value.
    pub(super) qualifier: Option<(&'static str, &'a str)>,
}

impl Link<'_> {
    /// Appends the canonical form.
    pub(super) fn push(self, out: &mut Vec<u8>) {
        out.extend_from_slice(HOST);
        out.extend_from_slice(self.key.as_bytes());
        out.push(b'/');
        if self.key == "01" {
            let missing = 14_usize.saturating_sub(self.value.len());
            out.extend(std::iter::repeat_n(b'0', missing));
        }
        out.extend_from_slice(self.value.as_bytes());
        if let Some((number, value)) = self.qualifier {
            out.push(b'/');
            out.extend_from_slice(number.as_bytes());
            out.push(b'/');
            out.extend_from_slice(value.as_bytes());
        }
    }
}

/// Takes a URI apart; `None` where it is no Digital Link.
pub(super) fn parse(uri: &str) -> Option<Link<'_>> {
    let rest = uri
        .strip_prefix("https://")
        .or_else(|| uri.strip_prefix("http://"))?;
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let (rest, _) = rest.split_at_checked(end)?;
    let (_, path) = rest.split_once('/')?;
    let path = path.strip_suffix('/').unwrap_or(path);
    let mut segments = path.split('/');
    while let Some(segment) = segments.next() {
        if let Some(key) = primary_key(segment)
            && let Some(link) = behind_key(key, segments.clone())
        {
            return Some(link);
        }
    }
    None
}

/// The link that starts with a primary key, if its value is plausible and everything behind belongs to it.
fn behind_key<'a>(
    key: &'static str,
    mut segments: impl Iterator<Item = &'a str>,
) -> Option<Link<'a>> {
    let value = segments.next()?;
    if !is_plausible(key, value) {
        return None;
    }
    let mut qualifier: Option<(&'static str, &'a str)> = None;
    let mut seen = 0_u8;
    while let Some(segment) = segments.next() {
        let (number, rank) = qualifier_of(key, segment)?;
        let value = segments.next().filter(|value| !value.is_empty())?;
        // The same rank twice, such as two serials, names nothing.
        if seen & (1 << rank) != 0 {
            return None;
        }
        let finest = rank > 0 && seen >> rank == 0;
        seen |= 1 << rank;
        if finest {
            qualifier = Some((number, value));
        }
    }
    Some(Link {
        key,
        value,
        qualifier,
    })
}

/// The number of a primary key, by its number or its short name.
fn primary_key(segment: &str) -> Option<&'static str> {
    Some(match segment {
        "01" | "gtin" => "01",
        "00" | "sscc" => "00",
        "414" | "gln" => "414",
        "417" | "party" => "417",
        "8003" | "grai" => "8003",
        "8004" | "giai" => "8004",
        "8006" | "itip" => "8006",
        "8010" | "cpid" => "8010",
        "8017" | "gsrnp" => "8017",
        "8018" | "gsrn" => "8018",
        "253" | "gdti" => "253",
        "255" | "gcn" => "255",
        "401" | "ginc" => "401",
        "402" | "gsin" => "402",
        _ => return None,
    })
}

/// The number of a qualifier that a key may have, and its rank: a higher rank is finer, rank 0 is never written.
fn qualifier_of(key: &str, segment: &str) -> Option<(&'static str, u8)> {
    Some(match (key, segment) {
        ("01" | "8006", "22" | "cpv") => ("22", 0),
        ("01" | "8006", "10" | "lot") => ("10", 1),
        ("01" | "8006", "21" | "ser") => ("21", 2),
        ("01", "235") => ("235", 2),
        ("414", "254") => ("254", 1),
        ("8010", "8011") => ("8011", 1),
        _ => return None,
    })
}

fn is_plausible(key: &str, value: &str) -> bool {
    match key {
        "00" | "8006" | "8017" | "8018" => value.len() == 18 && is_digits(value),
        "01" => matches!(value.len(), 8 | 12..=14) && is_digits(value),
        "402" => value.len() == 17 && is_digits(value),
        "414" | "417" => value.len() == 13 && is_digits(value),
        "253" => starts_with_digits(value, 13, 17),
        "8003" => starts_with_digits(value, 14, 16),
        "255" => (13..=25).contains(&value.len()) && is_digits(value),
        _ => (1..=30).contains(&characters(value)),
    }
}

/// So many digits, then at most so many other characters.
fn starts_with_digits(value: &str, digits: usize, others: usize) -> bool {
    value
        .split_at_checked(digits)
        .is_some_and(|(head, tail)| is_digits(head) && characters(tail) <= others)
}

/// The length of a value, an escape being one character.
fn characters(value: &str) -> usize {
    let escapes = value.bytes().filter(|&byte| byte == b'%').count();
    value.chars().count().saturating_sub(2 * escapes)
}
