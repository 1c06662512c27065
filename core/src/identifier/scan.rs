//! What an identifier is, and what is wrong with it: one look at its bytes, nothing is built.
//!
//! **Source**: TDS 2.0 for the URNs; GS1 Digital Link URI syntax 1.3; GS1 General Specifications for the lengths of keys, check
//! digits and the characters of serials.

use super::characters;
use super::gs1_prefix::{Given, given};
use super::scan_link::scan_link;
use super::scan_urn::scan_urn;
use crate::window;

/// What one look tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scanned {
    /// Bits of [`mark`].
    pub(crate) marks: u64,
    /// Of two spellings of one thing the same; of two things seldom the same: whoever must know compares them.
    pub(crate) identity: u64,
}

/// What is said of an identifier, as bits.
pub(crate) mod mark {
    /// An EPC URN, of whatever form.
    pub(crate) const URN: u64 = 1;
    /// A GS1 Digital Link.
    pub(crate) const DIGITAL_LINK: u64 = 1 << 1;
    /// No URI at all: it has no colon.
    pub(crate) const BARE: u64 = 1 << 2;
    /// One thing of its own.
    pub(crate) const INSTANCE: u64 = 1 << 3;
    /// A class of things: a GTIN, a lot, a type of asset or document.
    pub(crate) const CLASS: u64 = 1 << 4;
    /// An EPC URN of tags and readers: `tag`, `raw`, `pat`.
    pub(crate) const TAG: u64 = 1 << 5;
    /// A pattern: `idpat`.
    pub(crate) const PATTERN: u64 = 1 << 6;
    pub(crate) const GTIN: u64 = 1 << 8;
    pub(crate) const LGTIN: u64 = 1 << 9;
    pub(crate) const SGTIN: u64 = 1 << 10;
    pub(crate) const UPUI: u64 = 1 << 11;
    pub(crate) const ITIP: u64 = 1 << 12;
    pub(crate) const SSCC: u64 = 1 << 13;
    pub(crate) const SGLN: u64 = 1 << 14;
    pub(crate) const PGLN: u64 = 1 << 15;
    pub(crate) const GRAI: u64 = 1 << 16;
    pub(crate) const GIAI: u64 = 1 << 17;
    pub(crate) const GSRN: u64 = 1 << 18;
    pub(crate) const GSRNP: u64 = 1 << 19;
    pub(crate) const GDTI: u64 = 1 << 20;
    pub(crate) const SGCN: u64 = 1 << 21;
    pub(crate) const GINC: u64 = 1 << 22;
    pub(crate) const GSIN: u64 = 1 << 23;
    pub(crate) const CPI: u64 = 1 << 24;
    /// The last digit of a key is not its check digit.
    pub(crate) const CHECK_DIGIT: u64 = 1 << 28;
    /// A company prefix of other than 6 to 12 digits.
    pub(crate) const PREFIX_LENGTH: u64 = 1 << 29;
    /// A key of another number of digits, or characters, than it has.
    pub(crate) const KEY_LENGTH: u64 = 1 << 30;
    /// Something else where a key has digits.
    pub(crate) const NO_DIGITS: u64 = 1 << 31;
    /// A character that no serial, lot or reference of this key has.
    pub(crate) const CHARACTERS: u64 = 1 << 32;
    /// A serial, lot or extension that is too long.
    pub(crate) const SERIAL_LENGTH: u64 = 1 << 33;
    /// Nothing where a serial, lot or reference must be.
    pub(crate) const NO_SERIAL: u64 = 1 << 34;
    /// A company prefix from a range that is kept for the future.
    pub(crate) const UNASSIGNED_PREFIX: u64 = 1 << 35;
    /// A company prefix from a range that no company has.
    pub(crate) const RESTRICTED_PREFIX: u64 = 1 << 36;
    /// An EPC URN of a scheme that TDS does not have.
    pub(crate) const UNKNOWN_SCHEME: u64 = 1 << 37;
}

/// Looks at an identifier.
pub(crate) fn scan(text: &[u8]) -> Scanned {
    if let Some(urn) = text.strip_prefix(b"urn:epc:") {
        return scan_urn(text, urn);
    }
    if text.starts_with(b"http")
        && let Some(link) = scan_link(text)
    {
        return link;
    }
    let marks = if memchr::memchr(b':', text).is_none() {
        mark::BARE
    } else {
        0
    };
    Scanned {
        marks,
        identity: of_text(text),
    }
}

/// The identity of what is only a text.
pub(crate) fn of_text(text: &[u8]) -> u64 {
    characters::finished(1, 0, characters::hash(text))
}

/// Digits in a row.
#[derive(Clone, Copy, Default)]
pub(super) struct Digits {
    pub(super) value: u64,
    pub(super) count: usize,
    /// The sums of every other digit: the last digit is in the second.
    sums: (u32, u32),
}

impl Digits {
    /// The digits at the start of a text, and what follows them.
    #[inline]
    pub(super) fn read(text: &[u8]) -> (Self, &[u8]) {
        Self::go_over::<true>(text)
    }

    /// The same of digits of which none is a check digit.
    #[inline]
    pub(super) fn read_unchecked(text: &[u8]) -> (Self, &[u8]) {
        Self::go_over::<false>(text)
    }

    #[inline]
    fn go_over<const IS_WEIGHED: bool>(text: &[u8]) -> (Self, &[u8]) {
        let mut digits = Self::default();
        let mut rest = text;
        loop {
            let next = window::digits(rest);
            let count = next.count as usize;
            let Some((_, after)) = rest.split_at_checked(count) else {
                break;
            };
            rest = after;
            let above = digits.value.wrapping_mul(power(count));
            digits.value = above.wrapping_add(next.value);
            if IS_WEIGHED {
                // What was every other digit from the last one still is if an even number follows.
                let (one, other) = digits.sums;
                let (one, other) = if count.is_multiple_of(2) {
                    (one, other)
                } else {
                    (other, one)
                };
                digits.sums = (
                    one.wrapping_add(next.weighed),
                    other.wrapping_add(next.plain),
                );
            }
            digits.count += count;
            if count < 8 {
                break;
            }
        }
        (digits, rest)
    }

    /// Whether the last one is the check digit of those before it.
    pub(super) fn are_checked(&self) -> bool {
        let (weighed, plain) = self.sums;
        weighed.wrapping_mul(3).wrapping_add(plain) % 10 == 0
    }
}

/// Ten to the power of so much.
pub(super) fn power(exponent: usize) -> u64 {
    static POWERS: [u64; 20] = {
        let mut powers = [1; 20];
        let mut rest: &mut [u64] = &mut powers;
        let mut power = 1;
        while let Some((first, behind)) = rest.split_first_mut() {
            *first = power;
            power = power.wrapping_mul(10);
            rest = behind;
        }
        powers
    };
    match POWERS.get(exponent) {
        Some(power) => *power,
        None => 10_u64.wrapping_pow(exponent as u32),
    }
}

/// What the range of a company prefix says, given six digits or more that begin with it.
pub(super) fn marks_of_prefix_digits(prefix: &[u8]) -> u64 {
    let Some(first @ [a, b, c, ..]) = prefix.first_chunk::<5>() else {
        return 0;
    };
    if first == b"00000" {
        return 0;
    }
    let digit = |byte: &u8| u64::from(byte.wrapping_sub(b'0'));
    marks_of_given(digit(a) * 100 + digit(b) * 10 + digit(c))
}

fn marks_of_given(first_three: u64) -> u64 {
    match given(first_three) {
        Given::Out => 0,
        Given::Restricted => mark::RESTRICTED_PREFIX,
        Given::No => mark::UNASSIGNED_PREFIX,
    }
}

/// What the range of a company prefix says, given so many digits that begin with it.
pub(super) fn marks_of_prefix(digits: u64, count: usize) -> u64 {
    // The first five are zeros in keys of eight digits, and in numbers that a company uses inside alone.
    if count < 6 || digits < power(count - 5) {
        return 0;
    }
    marks_of_given(digits / power(count - 3))
}

/// What stands before a byte, and behind it.
#[inline]
pub(super) fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let found = window::position(text, at)?;
    let (before, rest) = text.split_at_checked(found)?;
    Some((before, rest.get(1..)?))
}
