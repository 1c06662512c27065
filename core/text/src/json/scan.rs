//! Scans of JSON bytes that do not parse them.

use crate::slice::Part;

/// How many bytes of a string are scanned at once.
#[cfg(target_feature = "simd128")]
pub(super) const STRIDE: usize = 16;
#[cfg(not(target_feature = "simd128"))]
pub(super) const STRIDE: usize = 8;

/// A chunk as a vector, for comparing its bytes in parallel.
#[cfg(target_feature = "simd128")]
fn vector(chunk: &[u8; STRIDE]) -> std::arch::wasm32::v128 {
    let half = |half: Option<&[u8; 8]>| half.map_or(0, |half| u64::from_le_bytes(*half));
    std::arch::wasm32::u64x2(half(chunk.first_chunk()), half(chunk.last_chunk()))
}

/// The number of bytes before the first quote, backslash or control character.
#[cfg(target_feature = "simd128")]
pub(super) fn plain_length(chunk: &[u8; STRIDE]) -> usize {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_lt, u8x16_splat, v128_or};

    let bytes = vector(chunk);
    let marks = v128_or(u8x16_eq(bytes, u8x16_splat(b'"')), u8x16_eq(bytes, u8x16_splat(b'\\')));
    let found = u8x16_bitmask(v128_or(marks, u8x16_lt(bytes, u8x16_splat(0x20))));
    (found.trailing_zeros() as usize).min(STRIDE)
}

/// The number of bytes before the first quote, backslash or control character.
#[cfg(not(target_feature = "simd128"))]
pub(super) fn plain_length(chunk: &[u8; STRIDE]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    // A byte of `x ^ pattern` is zero if the byte of `x` equals that of the pattern.
    let zero = |x: u64| x.wrapping_sub(ONES) & !x & HIGHS;
    let word = u64::from_le_bytes(*chunk);
    let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
    let found =
        zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) | control;
    found.trailing_zeros() as usize / 8
}

/// The number of leading white space bytes.
#[cfg(target_feature = "simd128")]
pub(super) fn white_length(chunk: &[u8; STRIDE]) -> usize {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_splat, v128_or};

    let bytes = vector(chunk);
    let is = |byte| u8x16_eq(bytes, u8x16_splat(byte));
    let white = v128_or(v128_or(is(b' '), is(b'\n')), v128_or(is(b'\r'), is(b'\t')));
    (u8x16_bitmask(white).trailing_ones() as usize).min(STRIDE)
}

/// The number of leading white space bytes.
#[cfg(not(target_feature = "simd128"))]
pub(super) fn white_length(chunk: &[u8; STRIDE]) -> usize {
    let is_white = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    chunk.iter().take_while(is_white).count()
}

/// The number of values and names in the rest of a text that begins at one; a guess if it is not JSON.
pub(super) fn count_values(text: &[u8]) -> usize {
    let mut count = 0;
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => {
                count += 1;
                while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
                    let is_end = rest.get(at) == Some(&b'"');
                    // The text is not read yet: it may end in a backslash.
                    rest = rest.get(at + if is_end { 1 } else { 2 }..).unwrap_or(&[]);
                    if is_end {
                        break;
                    }
                }
            }
            b'{' | b'[' => count += 1,
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                count += 1;
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                let length = rest.iter().take_while(|byte| is_part(byte)).count();
                rest = rest.part(length..);
            }
            _ => {}
        }
    }
    count
}

/// The end of the array or object that starts at `start`. The text was read before, so it is well formed.
pub(super) fn end_of_container(text: &str, start: usize) -> usize {
    let rest = text.as_bytes().part(start..);
    Nesting::default().end(rest).map_or(text.len(), |length| start + length)
}

/// The nesting depth of a byte scan inside an array or object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nesting {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Nesting {
    /// Scans the next bytes; the very first byte must be the opening bracket. Returns the number of bytes up to and including the
    /// closing bracket, if it is among them.
    pub fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'[' | b'{' if !self.in_string => self.depth += 1,
                b']' | b'}' if !self.in_string => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}
