//! EPC URNs: what they are and what is wrong with them.

use super::characters::{self, Tail};
use super::key_digits::{Digits, marks_of_pieces, marks_of_prefix_digits, power, split};
use super::mark;
use super::scanned::{Scanned, of_text};
use super::scheme::{self, Key, Shape, UrnScheme};

/// An EPC URN; `urn` is what follows `urn:epc:`.
pub(super) fn scan_urn(text: &[u8], urn: &[u8]) -> Scanned {
    let other = |marks| Scanned {
        marks: mark::URN | marks,
        identity: of_text(text),
    };
    let Some((form, rest)) = split(urn, b':') else {
        return other(mark::UNKNOWN_SCHEME);
    };
    let is_pattern = match form {
        b"id" | b"class" => false,
        b"idpat" => true,
        b"tag" | b"raw" | b"pat" => return other(mark::TAG),
        _ => return other(mark::UNKNOWN_SCHEME),
    };
    // A scheme and nothing behind it is a key that is too short.
    let (name, body) = split(rest, b':').unwrap_or((rest, b""));
    let Some(scheme) = scheme::of_urn(name) else {
        let known = scheme::WITHOUT_KEY.contains(&name);
        return other(if known { 0 } else { mark::UNKNOWN_SCHEME });
    };
    if (scheme.mark == mark::LGTIN) != (form == b"class") {
        return other(mark::UNKNOWN_SCHEME);
    }
    if !is_pattern {
        let mut scanned = of_scheme(scheme, body);
        scanned.marks |= mark::URN | scheme.level();
        if scanned.identity == 0 {
            scanned.identity = of_text(text);
        }
        return scanned;
    }
    // Whatever stars leave open, a pattern of everything names a class.
    let serial = body.strip_suffix(b".*");
    match serial.filter(|body| memchr::memchr(b'*', body).is_none()) {
        Some(body) => {
            let mut faults = of_scheme(scheme, body).marks & !mark::NO_SERIAL;
            // A key without a serial: the star stands for its reference, and behind it nothing is left to count.
            if scheme.tail == Tail::None && memchr::memchr(b'.', body).is_none() {
                faults &= !mark::KEY_LENGTH;
            }
            other(faults | mark::PATTERN | mark::CLASS)
        }
        None => other(mark::PATTERN | mark::CLASS),
    }
}

/// The parts of a URN behind its scheme; no identity where something is wrong with them.
fn of_scheme(scheme: &UrnScheme, body: &[u8]) -> Scanned {
    let mut marks = scheme.mark;
    let (prefix, rest) = Digits::read_unchecked(body);
    let Some((b'.', rest)) = rest.split_first() else {
        marks |= if rest.is_empty() {
            mark::KEY_LENGTH
        } else {
            mark::NO_DIGITS
        };
        return Scanned { marks, identity: 0 };
    };
    if !(6..=12).contains(&prefix.count) {
        marks |= mark::PREFIX_LENGTH;
    } else {
        marks |= marks_of_prefix_digits(body);
    }
    let (number, tail) = match scheme.shape {
        Shape::Digits { leading, count } => {
            let first = rest.first().map_or(0, |byte| byte.wrapping_sub(b'0'));
            let (reference, rest) = Digits::read_unchecked(rest);
            let tail = match rest.split_first() {
                None => None,
                Some((b'.', tail)) => Some(tail),
                Some(_) => {
                    marks |= mark::NO_DIGITS;
                    return Scanned { marks, identity: 0 };
                }
            };
            if prefix.count + reference.count != count || leading && reference.count == 0 {
                marks |= mark::KEY_LENGTH;
            }
            let number = if leading {
                let behind = power(reference.count.saturating_sub(1));
                let first = if reference.count > 0 { first.into() } else { 0 };
                let rest = reference.value.wrapping_sub(behind.wrapping_mul(first));
                first
                    .wrapping_mul(power(count - 1))
                    .wrapping_add(prefix.value.wrapping_mul(behind))
                    .wrapping_add(rest)
            } else {
                let above = prefix.value.wrapping_mul(power(reference.count));
                above.wrapping_add(reference.value)
            };
            (number, tail)
        }
        Shape::Free { most, .. } => return free(scheme, marks, body, prefix.count, rest, most),
    };
    let (tail, number) = match (scheme.key, tail) {
        // A piece and a total stand before the serial.
        (Key::ItipSerial, Some(tail)) => match pieces(tail) {
            Some((pieces, tail)) => {
                marks |= marks_of_pieces(pieces);
                (tail, number.wrapping_mul(10_000).wrapping_add(pieces))
            }
            None => {
                marks |= mark::KEY_LENGTH;
                return Scanned { marks, identity: 0 };
            }
        },
        (_, tail) => (tail, number),
    };
    let serial = match tail {
        // An extension of 0 says that there is none.
        Some(b"0") if scheme.key == Key::Sgln => b"",
        Some(tail) => {
            marks |= characters::marks(tail, scheme.tail) | raw_ampersand(tail);
            tail
        }
        None => {
            if scheme.tail != Tail::None {
                marks |= mark::NO_SERIAL;
            }
            b""
        }
    };
    Scanned {
        marks,
        identity: characters::finished(scheme.key as u64, number, characters::hash(serial)),
    }
}

/// A key that is the company prefix and free text.
fn free(
    scheme: &UrnScheme,
    mut marks: u64,
    body: &[u8],
    prefix: usize,
    rest: &[u8],
    most: usize,
) -> Scanned {
    let (reference, serial): (&[u8], Option<&[u8]>) = match scheme.tail {
        Tail::None => (rest, None),
        _ => match memchr::memrchr(b'.', rest).and_then(|at| rest.split_at_checked(at)) {
            Some((reference, serial)) => (reference, serial.get(1..)),
            None => {
                marks |= mark::NO_SERIAL;
                (rest, None)
            }
        },
    };
    marks |= characters::marks(reference, scheme.reference()) | raw_ampersand(reference);
    if prefix + characters::count(reference) > most {
        marks |= mark::KEY_LENGTH;
    }
    if let Some(serial) = serial {
        marks |= characters::marks(serial, scheme.tail);
    }
    let prefix = body.get(..prefix).unwrap_or_default();
    let joined = characters::hash_of_two(prefix, reference);
    let serial = characters::hash(serial.unwrap_or_default());
    Scanned {
        marks,
        identity: characters::finished(scheme.key as u64, joined, serial),
    }
}

/// A raw ampersand, which a path may hold and a URN escapes.
fn raw_ampersand(text: &[u8]) -> u64 {
    memchr::memchr(b'&', text).map_or(0, |_| mark::CHARACTERS)
}

/// Piece and total, two digits each, and the serial behind them, if there is one.
fn pieces(text: &[u8]) -> Option<(u64, Option<&[u8]>)> {
    let (piece, rest) = Digits::read(text);
    let (total, rest) = Digits::read(rest.strip_prefix(b".")?);
    if piece.count != 2 || total.count != 2 {
        return None;
    }
    let serial = match rest.split_first() {
        None => None,
        Some((b'.', serial)) => Some(serial),
        Some(_) => return None,
    };
    Some((piece.value * 100 + total.value, serial))
}
