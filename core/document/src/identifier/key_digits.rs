//! The digits of keys, read eight at a time, with the sums for their check digit and the range of their prefix.

use super::gs1_prefix::{PrefixAssignment, assignment_of};
use super::mark;
use epcis_edge_text::window;

/// A sequence of digits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Digits {
    pub value: u64,
    pub count: usize,
    /// Two sums, each of every other digit. The second one includes the last digit.
    sums: (u32, u32),
}

impl Digits {
    /// Reads the digits at the start of a text. Returns them and the rest.
    pub(super) fn read(text: &[u8]) -> (Self, &[u8]) {
        Self::go_over::<true>(text)
    }

    /// As [`read`](Self::read), for digits without a check digit: computes no sums.
    pub(super) fn read_unchecked(text: &[u8]) -> (Self, &[u8]) {
        Self::go_over::<false>(text)
    }

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
                // After an odd number of further digits, the two sums swap roles.
                let (one, other) = digits.sums;
                let (one, other) =
                    if count.is_multiple_of(2) { (one, other) } else { (other, one) };
                digits.sums = (one.wrapping_add(next.weighed), other.wrapping_add(next.plain));
            }
            digits.count += count;
            if count < 8 {
                break;
            }
        }
        (digits, rest)
    }

    /// The check digit to append to these digits. They are weighted 3, 1, 3, 1 and so on from the right.
    pub(super) fn check_digit(&self) -> u8 {
        let (weighed, plain) = self.sums;
        let sum = plain.wrapping_mul(3).wrapping_add(weighed);
        b'0' + ((10 - sum % 10) % 10) as u8
    }

    /// Whether the last digit is the check digit of those before it.
    pub(super) fn are_checked(&self) -> bool {
        let (weighed, plain) = self.sums;
        weighed.wrapping_mul(3).wrapping_add(plain) % 10 == 0
    }
}

/// Ten to this power; wraps on overflow.
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

/// The faults of a company prefix range, given at least six digits that begin with the prefix.
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
    match assignment_of(first_three) {
        PrefixAssignment::Assigned => 0,
        PrefixAssignment::Restricted => mark::RESTRICTED_PREFIX,
        PrefixAssignment::Reserved => mark::UNASSIGNED_PREFIX,
    }
}

/// The faults of a company prefix range, given a number of `count` digits that begins with the prefix.
pub(super) fn marks_of_prefix(digits: u64, count: usize) -> u64 {
    // Five leading zeros mean a key of eight digits, or a number for internal use only: neither has a company prefix.
    if count < 6 || digits < power(count - 5) {
        return 0;
    }
    marks_of_given(digits / power(count - 3))
}

/// The faults of a piece number and total, two digits each.
///
/// **Source**: GS1 Barcode Syntax Dictionary, 8006: `pieceoftotal`.
pub(super) fn marks_of_pieces(pieces: u64) -> u64 {
    let (piece, total) = (pieces / 100, pieces % 100);
    if piece == 0 || piece > total { mark::PIECE } else { 0 }
}

/// The text before the first such byte, and the text after it.
pub(super) fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let found = window::position(text, at)?;
    let (before, rest) = text.split_at_checked(found)?;
    Some((before, rest.get(1..)?))
}
