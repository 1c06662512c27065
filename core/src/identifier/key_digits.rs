//! The digits of keys: read eight at a time, with the sums of their check digit and the range of their prefix.

use super::gs1_prefix::{Given, given};
use super::mark;
use crate::window;

/// Digits in a row.
#[derive(Clone, Copy, Debug, Default)]
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

    /// The digit that makes them right as one more at the end: from the right, digits weigh 3, 1, 3, 1 and so on.
    pub(super) fn check_digit(&self) -> u8 {
        let (weighed, plain) = self.sums;
        let sum = plain.wrapping_mul(3).wrapping_add(weighed);
        b'0' + ((10 - sum % 10) % 10) as u8
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

/// What is wrong with a piece and its total, two digits each.
///
/// **Source**: GS1 Barcode Syntax Dictionary, 8006: `pieceoftotal`.
pub(super) fn marks_of_pieces(pieces: u64) -> u64 {
    let (piece, total) = (pieces / 100, pieces % 100);
    if piece == 0 || piece > total {
        mark::PIECE
    } else {
        0
    }
}

/// What stands before a byte, and behind it.
#[inline]
pub(super) fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let found = window::position(text, at)?;
    let (before, rest) = text.split_at_checked(found)?;
    Some((before, rest.get(1..)?))
}
