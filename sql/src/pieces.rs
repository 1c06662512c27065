//! The text of an event in pieces that fit into a row.

use epcis_edge_core::store::RECORD_TIME;

/// The longest piece of an event, in bytes; as a JSON string it is at most twice as long.
pub(super) const PART: usize = 400_000;

/// The most pieces of an event: more than all events of a capture together can have.
pub(super) const PIECES: u64 = 1000;

/// A piece of the text of an event.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece<'e> {
    pub(super) before: &'e str,
    /// The part of the `recordTime` in this piece: its first character, counted from 1, and its length. The transaction writes it.
    pub(super) time: Option<(usize, usize)>,
    pub(super) after: &'e str,
}

/// The pieces of the text of an event whose `recordTime` begins at the byte `time_at`.
pub(super) fn parts(text: &str, time_at: usize) -> impl Iterator<Item = Piece<'_>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let mut length = PART.min(rest.len());
        while !rest.is_char_boundary(length) {
            length -= 1;
        }
        let end = start + length;
        // The part of the time in this piece; empty unless `from < until`.
        let (from, until) = (time_at.max(start), (time_at + RECORD_TIME).min(end));
        let piece = if from < until {
            Piece {
                before: text.get(start..from)?,
                time: Some((from - time_at + 1, until - from)),
                after: text.get(until..end)?,
            }
        } else {
            Piece { before: text.get(start..end)?, time: None, after: "" }
        };
        start = end;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_cut_out_of_the_pieces_that_it_stands_in() {
        let time = "2026-03-04T10:00:30.000Z";
        for at in [0, 1, PART - 25, PART - 24, PART - 23, PART - 1, PART, PART + 1, 2 * PART - 3] {
            let text = ["ü".repeat(at / 2), "x".repeat(at % 2)].concat();
            let text = [text.as_str(), time, &"y".repeat(2 * PART + 7)].concat();
            let mut whole = String::new();
            for piece in parts(&text, at) {
                let time = piece.time.map_or("", |(from, length)| {
                    time.get(from - 1..from - 1 + length).unwrap_or_default()
                });
                whole.extend([piece.before, time, piece.after]);
                let cut = piece.before.len() + time.len() + piece.after.len();
                assert!(cut <= PART);
            }
            assert!(whole == text, "{at}");
            let written: String =
                parts(&text, at).map(|piece| [piece.before, piece.after].concat()).collect();
            assert_eq!(written.len() + time.len(), text.len(), "{at}");
        }
    }
}
