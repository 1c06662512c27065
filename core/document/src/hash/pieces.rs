//! The buffer in which the pre-hash string is built. Bytes go to the digest as soon as their order is known.
//!
//! Members of lists and extensions are sorted by their finished strings.
//! A group collects such pieces at the end of one buffer and records where each piece ends. Short groups are sorted in place.
//! A group that outgrows [`RUN_LENGTH`] is sorted in runs. A run stores only the part of a piece that differs from the piece
//! before, except for long pieces that share little. A list of millions of identifiers takes a small part of the size of its
//! pre-hash string.
//!
//! How are the pieces of a pre-hash string found?
//! The string has no separators, so it is not parsed: the writer records where each field begins (`PreHashed::pieces`).
//! The labels of a list are sorted with its pieces. A list that is too long to be sorted in memory is one piece.

#[cfg(test)]
mod tests;

use epcis_edge_text::json::{escaped_length, push_escaped};
use epcis_edge_text::order::sort_stably_by;
use epcis_edge_text::slice::{Known, Part};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The size from which the pieces of a group are packed into a run, in bytes.
const RUN_LENGTH: usize = 1 << 20;

/// The length from which a piece may be stored whole in a run, even if it shares a prefix with the piece before; in bytes.
const WHOLE_LENGTH: usize = 1 << 16;

/// The number of bytes in final order that are collected before they go to the digest.
const FLUSH_LENGTH: usize = 1 << 13;

/// A pre-hash string under construction, with the digest and the text that its bytes go to.
#[derive(Debug, Default)]
pub(super) struct PieceBuffer {
    bytes: Vec<u8>,
    /// The ends of the pieces in the open groups.
    ends: Vec<usize>,
    /// The sorted runs of the open groups.
    runs: Vec<Vec<u8>>,
    /// The number of open groups.
    depth: usize,
    digest: Sha256,
    /// The text of everything that went to the digest, if requested.
    sink: Option<StringSink>,
    /// The number of bytes that went to the digest or into runs.
    gone: usize,
    limit: usize,
    /// The limit of the current string, in bytes: `limit`, or less if `sink` has less room.
    most: usize,
    overflowed: bool,
    /// The limit of a sorted list inside another sorted list, in bytes. It is held in memory as a whole.
    held: usize,
    has_held_too_much: bool,
    /// The field of each part of the string, if requested.
    labels: Option<Labels>,
}

/// A part of a string: its field, and the offset where it begins, in bytes.
pub(super) type Label = (Cow<'static, str>, usize);

#[derive(Debug, Default)]
struct Labels {
    known: Vec<Label>,
    /// The labels of the finished pieces in the outermost open group; `next` is that of the piece being written.
    of_group: Vec<Cow<'static, str>>,
    next: Cow<'static, str>,
}

/// A text that whole pre-hash strings are appended to.
#[derive(Debug, Default)]
pub(crate) struct StringSink {
    pub(crate) text: String,
    /// Whether the text is inside a JSON string, so that appended strings are escaped.
    pub(crate) is_json: bool,
    /// The limit of the whole text in bytes, including its content before the string; `None` if only the limit of the string
    /// applies.
    pub(crate) limit: Option<usize>,
}

impl StringSink {
    /// The number of bytes that may still be appended.
    fn room(&self) -> Option<usize> {
        let limit = self.limit?;
        Some(limit.saturating_sub(self.text.len()))
    }

    /// Appends a text; false if it would exceed the limit.
    fn push(&mut self, text: &str) -> bool {
        let length = if self.is_json { escaped_length(text) } else { text.len() };
        let needed = self.text.len() + length;
        if self.limit.is_some_and(|limit| needed > limit) {
            return false;
        }
        if needed > self.text.capacity() {
            // Grows by a quarter, because doubling a long string would waste memory.
            self.text.reserve_exact(length + self.text.len() / 4);
        }
        if self.is_json {
            push_escaped(&mut self.text, text);
        } else {
            self.text.push_str(text);
        }
        true
    }
}

/// A group of pieces to be sorted: its start in `bytes`, `ends` and `runs`.
#[derive(Debug)]
pub(crate) struct Group {
    start: usize,
    first_end: usize,
    first_run: usize,
}

/// The error that the string is longer than its limit.
#[derive(Debug)]
pub(super) struct Overflow {
    /// The exceeded limit, if it was that of a nested list, which is held as a whole.
    pub(super) held: Option<usize>,
}

impl PieceBuffer {
    /// An empty string with a limit in bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, most: limit, held: limit / 4, ..Self::default() }
    }

    /// Records labels until the string is finished.
    pub(super) fn keep_labels(&mut self) {
        self.labels = Some(Labels::default());
    }

    /// The labels of the finished string. Text before the first label has none.
    pub(super) fn take_labels(&mut self) -> Vec<Label> {
        self.labels.take().map_or_else(Vec::new, |labels| labels.known)
    }

    /// Labels what is written next: at the top level the next part of the string, in the outermost group the next piece. Deeper
    /// groups are not labelled.
    pub(super) fn label(&mut self, label: impl FnOnce() -> Cow<'static, str>) {
        let at = self.gone + self.bytes.len();
        if let Some(labels) = &mut self.labels {
            match self.depth {
                0 => labels.known.push((label(), at)),
                1 => labels.next = label(),
                _ => {}
            }
        }
    }

    /// Starts a new string and reuses the buffers.
    pub(super) fn start(&mut self, sink: Option<StringSink>) {
        self.bytes.clear();
        self.ends.clear();
        self.runs.clear();
        self.depth = 0;
        self.digest.reset();
        let room = sink.as_ref().and_then(StringSink::room);
        self.most = room.map_or(self.limit, |room| room.min(self.limit));
        self.sink = sink;
        self.gone = 0;
        self.overflowed = false;
        self.has_held_too_much = false;
    }

    /// The digest of the string, and its text if requested.
    pub(super) fn finish(&mut self) -> Result<([u8; 32], Option<StringSink>), Overflow> {
        self.flush();
        if self.overflowed {
            let held = self.has_held_too_much.then_some(self.held);
            return Err(Overflow { held });
        }
        Ok((self.digest.finalize_reset().into(), self.sink.take()))
    }

    /// The length of the finished string, in bytes.
    pub(super) fn length(&self) -> usize {
        self.gone
    }

    /// Whether the string is too long already. Anything written now is ignored.
    pub(super) fn is_over(&self) -> bool {
        self.overflowed
    }

    /// The buffer, for appending to the string.
    pub(super) fn out(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Appends to the string, unless it is too long already.
    pub(super) fn push(&mut self, text: &str) {
        if self.overflowed {
            return;
        }
        make_room(&mut self.bytes, text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// The current end of the string, for [`truncate`](Self::truncate) and [`is_at`](Self::is_at).
    pub(super) fn mark(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was written since the mark.
    pub(super) fn is_at(&self, mark: usize) -> bool {
        self.bytes.len() == mark
    }

    /// Removes what was written since the mark.
    pub(super) fn truncate(&mut self, mark: usize) {
        self.bytes.truncate(mark);
    }

    /// Sends the buffer to the digest if it is long enough and no group is open.
    pub(super) fn flush_some(&mut self) {
        if self.depth == 0 && self.bytes.len() >= FLUSH_LENGTH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        self.send(&bytes);
        bytes.clear();
        self.bytes = bytes;
    }

    /// Sends the next bytes of the string to the digest and to the sink.
    fn send(&mut self, bytes: &[u8]) {
        self.gone += bytes.len();
        if self.gone > self.most {
            self.overflowed = true;
        } else {
            self.digest.update(bytes);
            if let Some(sink) = &mut self.sink {
                // The string consists of whole texts, so this is always valid UTF-8.
                let text = std::str::from_utf8(bytes);
                self.overflowed |= !text.is_ok_and(|text| sink.push(text));
            }
        }
    }

    /// Starts a group.
    pub(super) fn group(&mut self) -> Group {
        self.depth += 1;
        Group { start: self.bytes.len(), first_end: self.ends.len(), first_run: self.runs.len() }
    }

    /// Ends the current piece of the group. An empty piece is dropped.
    pub(super) fn end_piece(&mut self, group: &Group) {
        let end = self.bytes.len();
        let before = self.last_end(group);
        if end == before {
            return;
        }
        if self.gone + end > self.most {
            // The string is too long, so its pieces need not be sorted.
            self.overflowed = true;
            self.bytes.truncate(group.start);
            self.ends.truncate(group.first_end);
            return;
        }
        if self.ends.len() == self.ends.capacity() {
            self.ends.reserve_exact(self.ends.len() / 4 + 64);
        }
        self.ends.push(end);
        if self.depth == 1
            && let Some(labels) = &mut self.labels
        {
            labels.of_group.push(labels.next.clone());
        }
        if end - group.start > RUN_LENGTH && self.ends.len() > group.first_end + 1 {
            self.spill(group);
        }
    }

    fn last_end(&self, group: &Group) -> usize {
        let ends = self.ends.part(group.first_end..);
        ends.last().copied().unwrap_or(group.start)
    }

    /// Sorts the pieces of the group and writes them in order from its start on.
    pub(super) fn end_group(&mut self, group: Group) {
        self.depth -= 1;
        if self.runs.len() > group.first_run {
            // A list that needs runs is one labelled part: it belongs to a single field, or is too long to read.
            if let Some(labels) = self.labels.as_mut().filter(|_| self.depth == 0) {
                labels.of_group.clear();
            }
            self.spill(&group);
            self.merge(&group);
        } else {
            self.sort(&group);
        }
    }

    /// Sorts the pieces in place, through a sorted copy appended to the buffer.
    fn sort(&mut self, group: &Group) {
        let ends = self.ends.part(group.first_end..);
        let ranges = sorted_ranges(&self.bytes, group.start, ends);
        if self.depth == 0
            && let Some(labels) = &mut self.labels
        {
            let of_group = std::mem::take(&mut labels.of_group);
            let mut at = self.gone + group.start;
            let mut push = |(from, to): (usize, usize)| {
                let number = ends.partition_point(|end| *end <= from);
                let label = of_group.get(number).cloned().known();
                // No label: the piece belongs to the field that was labelled before the group.
                if !label.is_empty() {
                    labels.known.push((label, at));
                }
                at += to - from;
            };
            match &ranges {
                Some(ranges) => ranges.iter().copied().for_each(&mut push),
                None => ranges_of(group.start, ends).for_each(&mut push),
            }
            labels.next = Cow::default();
        }
        if let Some(ranges) = ranges {
            let end = self.bytes.len();
            self.bytes.reserve(end - group.start);
            for (from, to) in ranges {
                self.bytes.extend_from_within(from..to);
            }
            self.bytes.drain(group.start..end);
        }
        self.ends.truncate(group.first_end);
    }

    /// Packs the pieces of the group into one more sorted run.
    fn spill(&mut self, group: &Group) {
        let ends = self.ends.part(group.first_end..);
        let ranges = sorted_ranges(&self.bytes, group.start, ends)
            .unwrap_or_else(|| ranges_of(group.start, ends).collect());
        // One piece may be most of the document, so space for all pieces is allocated at once, with little to spare.
        let length = self.bytes.len() - group.start;
        let mut run = Vec::with_capacity(length + length / 32 + 2 * ranges.len() + 64);
        let mut before: &[u8] = &[];
        for (from, to) in ranges {
            let piece = self.bytes.part(from..to);
            let mut shared = shared_prefix(before, piece);
            // A long piece that is stored whole can be borrowed when the runs are merged, without a second copy.
            if piece.len() >= WHOLE_LENGTH && shared < piece.len() / 16 {
                shared = 0;
            }
            push_length(&mut run, shared);
            push_length(&mut run, piece.len() - shared);
            run.extend_from_slice(piece.part(shared..));
            before = piece;
        }
        if run.capacity() - run.len() > run.len() / 8 {
            run.shrink_to_fit();
        }
        self.gone += self.bytes.len() - group.start;
        self.runs.push(run);
        self.bytes.truncate(group.start);
        if self.bytes.capacity() > 2 * RUN_LENGTH {
            self.bytes.shrink_to(2 * RUN_LENGTH);
        }
        self.ends.truncate(group.first_end);
    }

    /// Merges the runs of the group and writes their pieces in order.
    fn merge(&mut self, group: &Group) {
        let runs = self.runs.split_off(group.first_run);
        let mut heap: BinaryHeap<Reverse<RunCursor<'_>>> = runs
            .iter()
            .enumerate()
            .filter_map(|(number, run)| {
                let mut cursor = RunCursor { piece: Cow::Borrowed(&[]), number, rest: run };
                cursor.next().then_some(Reverse(cursor))
            })
            .collect();
        while let Some(Reverse(mut first)) = heap.pop() {
            // `gone` has counted these bytes as part of a run; they will be counted again when they are sent.
            self.gone = self.gone.saturating_sub(first.piece.len());
            if self.depth == 0 && first.piece.len() >= FLUSH_LENGTH {
                self.flush();
                self.send(&first.piece);
            } else {
                make_room(&mut self.bytes, first.piece.len());
                self.bytes.extend_from_slice(&first.piece);
                self.flush_some();
            }
            if self.depth > 0 && self.bytes.len() - group.start > self.held {
                self.overflowed = true;
                self.has_held_too_much = true;
                self.bytes.truncate(group.start);
                return;
            }
            if first.next() {
                heap.push(Reverse(first));
            }
        }
    }
}

/// Makes room for `length` more bytes, plus a quarter: doubling a long string would waste memory.
fn make_room(bytes: &mut Vec<u8>, length: usize) {
    if bytes.capacity() - bytes.len() < length {
        bytes.reserve_exact(length + bytes.len() / 4);
    }
}

/// A position in a run: the current piece, and the rest of the run. The order is that of the pieces.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RunCursor<'r> {
    /// Borrowed if the run stores the piece whole.
    piece: Cow<'r, [u8]>,
    /// The number of the run: without it, cursors with equal pieces would be compared by the whole rest.
    number: usize,
    rest: &'r [u8],
}

impl RunCursor<'_> {
    /// Advances to the next piece; false at the end.
    fn next(&mut self) -> bool {
        let Some(shared) = take_length(&mut self.rest) else {
            return false;
        };
        let length = take_length(&mut self.rest).known();
        let Some((tail, rest)) = self.rest.split_at_checked(length) else {
            return false;
        };
        match &mut self.piece {
            piece if shared == 0 => *piece = Cow::Borrowed(tail),
            Cow::Owned(piece) => {
                piece.truncate(shared);
                piece.extend_from_slice(tail);
            }
            Cow::Borrowed(before) => {
                let kept = before.part(..shared);
                self.piece = Cow::Owned([kept, tail].concat());
            }
        }
        self.rest = rest;
        true
    }
}

fn ranges_of(start: usize, ends: &[usize]) -> impl Iterator<Item = (usize, usize)> + Clone {
    let starts = std::iter::once(start).chain(ends.iter().copied());
    starts.zip(ends.iter().copied())
}

/// The ranges of the pieces, sorted by their bytes, which is the order of code points; `None` if they are sorted already.
fn sorted_ranges(bytes: &[u8], start: usize, ends: &[usize]) -> Option<Vec<(usize, usize)>> {
    let piece = |&(from, to): &(usize, usize)| bytes.part(from..to);
    let ranges = ranges_of(start, ends);
    if ranges.clone().is_sorted_by_key(|range| piece(&range)) {
        return None;
    }
    let mut ranges: Vec<_> = ranges.collect();
    sort_stably_by(&mut ranges, &|one, other| piece(one).cmp(piece(other)));
    Some(ranges)
}

fn shared_prefix(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// Appends a length, seven bits in each byte, the lowest first.
fn push_length(out: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
}

fn take_length(rest: &mut &[u8]) -> Option<usize> {
    let mut length = 0;
    let mut shift = 0;
    loop {
        let (byte, tail) = rest.split_first()?;
        *rest = tail;
        length |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(length);
        }
        shift += 7;
    }
}
