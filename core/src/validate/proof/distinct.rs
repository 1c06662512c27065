//! Whether the entries of a list surely differ.

use super::proven;
use crate::json::{Kinds, Walk, digest};

/// Lists up to this length are compared pair by pair, where a pair may be equal at all; longer ones are sorted.
const FEW: usize = 32;

/// Whether the entries from here to the end are strings that differ.
pub(super) fn texts(entries: Walk<'_>, end: usize) -> Option<()> {
    // A string takes one place of the tape.
    let count = end - entries.at();
    if count < 2 {
        return Some(());
    }
    if count > FEW {
        return sorted(entries, end, count);
    }
    // One bit a string, by its digest: strings on different bits differ.
    let mut known = 0_u64;
    let mut rest = entries;
    while rest.at() < end {
        let at = rest.at();
        let text = rest.plain_text()?;
        let bit = 1_u64 << (digest(text) >> 26);
        if known & bit != 0 {
            let mut earlier = entries;
            while earlier.at() < at {
                proven(earlier.plain_text()? != text)?;
            }
        }
        known |= bit;
    }
    Some(())
}

fn sorted(mut entries: Walk<'_>, end: usize, count: usize) -> Option<()> {
    let mut texts = Vec::with_capacity(count);
    while entries.at() < end {
        texts.push(entries.plain_text()?);
    }
    texts.sort_unstable();
    proven(texts.windows(2).all(|pair| match pair {
        [one, other] => one != other,
        _ => false,
    }))
}

/// Whether the entries from here to the end, strings and objects, surely differ.
pub(super) fn contexts(entries: Walk<'_>, end: usize) -> Option<()> {
    let mut one = entries;
    let mut pairs = 0;
    while one.at() < end {
        let start = one;
        proven(one.pass(Kinds::ANY))?;
        let mut other = one;
        while other.at() < end {
            pairs += 1;
            proven(pairs <= FEW * FEW && differ(start, other) && other.pass(Kinds::ANY))?;
        }
    }
    Some(())
}

/// Whether the two values that come next, strings or objects, surely differ.
fn differ(mut one: Walk<'_>, mut other: Walk<'_>) -> bool {
    match (one.enter_object(), other.enter_object()) {
        (None, None) => match (one.plain_text(), other.plain_text()) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        },
        (Some(one_end), Some(other_end)) => {
            let exceeds = |(one, one_end), (other, other_end)| {
                exceeds(one, one_end, other, other_end) == Some(true)
            };
            exceeds((one, one_end), (other, other_end))
                || exceeds((other, other_end), (one, one_end))
        }
        _ => true,
    }
}

/// Whether the first object has a member that the second has not, or has with another text.
fn exceeds(mut one: Walk<'_>, one_end: usize, other: Walk<'_>, other_end: usize) -> Option<bool> {
    // All members of one are looked for among all of the other.
    proven(one_end - one.at() <= 8 * FEW && other_end - other.at() <= 8 * FEW)?;
    while one.at() < one_end {
        let name = one.plain_text()?;
        let value = one;
        proven(one.pass(Kinds::ANY))?;
        let Some(found) = member(other, other_end, name)? else {
            return Some(true);
        };
        let texts = ({ value }.plain_text(), { found }.plain_text());
        if let (Some(one), Some(other)) = texts
            && one != other
        {
            return Some(true);
        }
    }
    Some(false)
}

/// The value of the member of this name, if there is one; nothing at all if the names have escapes.
fn member<'d>(mut members: Walk<'d>, end: usize, name: &[u8]) -> Option<Option<Walk<'d>>> {
    let mut found = None;
    while members.at() < end {
        if members.plain_text()? == name {
            found = Some(members);
        }
        proven(members.pass(Kinds::ANY))?;
    }
    Some(found)
}
