//! The pre-hash string under construction: bytes that go to the digest as soon as their order is known.
//!
//! Members of lists and extensions are sorted by their finished strings.
//! A group collects such pieces at the end of one buffer and remembers where each ends; short groups are sorted in place.
//! A group that outgrows [`RUN_LENGTH`] is sorted in runs, and a run keeps of each piece only what differs from the one before,
//! unless that is nearly all of a long one: a list of millions of identifiers takes a small part of its pre-hash string.
//!
//! How are the pieces of a pre-hash string found?
//! The string has no separators, so its text is not parsed: whoever writes it notes where each field begins
//! (`PreHashed::pieces`).
//! A sorted list keeps the labels of its pieces while they are sorted; one that is too long to be sorted in memory is
//! one piece.

#[cfg(test)]
mod tests;

use crate::json::{escaped_length, push_escaped};
use crate::order::sort_stably_by;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How many bytes of pieces are kept as they are.
const RUN_LENGTH: usize = 1 << 20;

/// From which length on a piece may be written out in a run though it begins as the one before, in bytes.
const WHOLE_LENGTH: usize = 1 << 16;

/// How many bytes whose order is known are kept before they go to the digest.
const FLUSH_LENGTH: usize = 1 << 13;

/// The buffer, and where its bytes go.
#[derive(Debug)]
pub(super) struct PieceBuffer {
    bytes: Vec<u8>,
    /// Where the pieces of the open groups end.
    ends: Vec<usize>,
    /// The sorted runs of the open groups.
    runs: Vec<Vec<u8>>,
    /// How many groups are open.
    depth: usize,
    digest: Sha256,
    /// Everything that went to the digest, if somebody wants it.
    kept: Option<Kept>,
    /// How many bytes went to the digest or into runs.
    gone: usize,
    limit: usize,
    /// How long this string may be, in bytes: no longer than what is kept of it.
    most: usize,
    overflowed: bool,
    /// How long a sorted list may be that stands in something that is sorted as well, in bytes: it is held as a whole.
    held: usize,
    has_held_too_much: bool,
    /// Which field each part of the string is of, if somebody wants it.
    labels: Option<Labels>,
}

/// What the parts of a string are of: the field, and where its part begins, in bytes.
pub(super) type Label = (Cow<'static, str>, usize);

#[derive(Debug, Default)]
struct Labels {
    known: Vec<Label>,
    /// Those of the pieces of the outermost group that is open, and of the one that is being written.
    of_group: Vec<Cow<'static, str>>,
    next: Cow<'static, str>,
}

/// Where a whole pre-hash string goes.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) text: String,
    /// Whether it stands in a JSON string.
    pub(crate) is_json: bool,
    /// How long the text may become, in bytes, with what was in it before; none for as long as the string may be.
    pub(crate) limit: Option<usize>,
}

impl Kept {
    /// How many bytes more it takes.
    fn room(&self) -> Option<usize> {
        let limit = self.limit?;
        Some(limit.saturating_sub(self.text.len()))
    }

    /// Appends; false where that is too much.
    fn push(&mut self, text: &str) -> bool {
        let length = if self.is_json {
            escaped_length(text)
        } else {
            text.len()
        };
        let needed = self.text.len() + length;
        if self.limit.is_some_and(|limit| needed > limit) {
            return false;
        }
        if needed > self.text.capacity() {
            // By a quarter: doubling a long string would waste more than the string.
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

/// Pieces of one level that will be sorted; where it starts among bytes, ends and runs.
#[derive(Debug)]
pub(super) struct Group {
    start: usize,
    first_end: usize,
    first_run: usize,
}

/// The string is longer than the limit.
#[derive(Debug)]
pub(super) struct Overflow {
    /// The limit, where it is that of a list which is held as a whole.
    pub(super) held: Option<usize>,
}

impl PieceBuffer {
    /// An empty string that may grow to the limit, in bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            ends: Vec::new(),
            runs: Vec::new(),
            depth: 0,
            digest: Sha256::new(),
            kept: None,
            gone: 0,
            limit,
            most: limit,
            overflowed: false,
            held: limit / 4,
            has_held_too_much: false,
            labels: None,
        }
    }

    /// Takes note of labels from now on, until the string is finished.
    pub(super) fn keep_labels(&mut self) {
        self.labels = Some(Labels::default());
    }

    /// The labels of the string that was finished; whatever stands before the first has none.
    pub(super) fn take_labels(&mut self) -> Vec<Label> {
        self.labels
            .take()
            .map_or_else(Vec::new, |labels| labels.known)
    }

    /// Says of what the following is: of the string, or of the outermost group the next piece.
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

    /// Starts over; the buffers are kept.
    pub(super) fn start(&mut self, kept: Option<Kept>) {
        self.bytes.clear();
        self.ends.clear();
        self.runs.clear();
        self.depth = 0;
        self.digest.reset();
        let room = kept.as_ref().and_then(Kept::room);
        self.most = room.map_or(self.limit, |room| room.min(self.limit));
        self.kept = kept;
        self.gone = 0;
        self.overflowed = false;
        self.has_held_too_much = false;
    }

    /// The digest of everything written, and the string if it was kept.
    pub(super) fn finish(&mut self) -> Result<([u8; 32], Option<Kept>), Overflow> {
        self.flush();
        if self.overflowed {
            let held = self.has_held_too_much.then_some(self.held);
            return Err(Overflow { held });
        }
        Ok((self.digest.finalize_reset().into(), self.kept.take()))
    }

    /// How long the finished string was, in bytes.
    pub(super) fn length(&self) -> usize {
        self.gone
    }

    /// Whether the string is too long already: what is written now counts for nothing.
    pub(super) fn is_over(&self) -> bool {
        self.overflowed
    }

    /// The end of the string, to write on.
    pub(super) fn out(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Appends to the string; what is too long already does not grow.
    pub(super) fn push(&mut self, text: &str) {
        if self.overflowed {
            return;
        }
        make_room(&mut self.bytes, text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Where the string ends now, for [`truncate`](Self::truncate) and [`is_at`](Self::is_at).
    pub(super) fn mark(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was written since the mark.
    pub(super) fn is_at(&self, mark: usize) -> bool {
        self.bytes.len() == mark
    }

    /// Takes back what was written since the mark.
    pub(super) fn truncate(&mut self, mark: usize) {
        self.bytes.truncate(mark);
    }

    /// Sends on what is long enough and in order.
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

    /// What comes next of the string.
    fn send(&mut self, bytes: &[u8]) {
        self.gone += bytes.len();
        if self.gone > self.most {
            self.overflowed = true;
        } else {
            self.digest.update(bytes);
            if let Some(kept) = &mut self.kept {
                // Only whole texts are put together.
                let text = std::str::from_utf8(bytes);
                self.overflowed |= !text.is_ok_and(|text| kept.push(text));
            }
        }
    }

    /// Starts a group.
    pub(super) fn group(&mut self) -> Group {
        self.depth += 1;
        Group {
            start: self.bytes.len(),
            first_end: self.ends.len(),
            first_run: self.runs.len(),
        }
    }

    /// Ends the piece that was written; nothing written is no piece.
    pub(super) fn end_piece(&mut self, group: &Group) {
        let end = self.bytes.len();
        let before = self.last_end(group);
        if end == before {
            return;
        }
        if self.gone + end > self.most {
            // What is too long is not sorted any more.
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
        let ends = self.ends.get(group.first_end..).unwrap_or_default();
        ends.last().copied().unwrap_or(group.start)
    }

    /// Sorts the pieces of the group and leaves them in order at its start.
    pub(super) fn end_group(&mut self, group: Group) {
        self.depth -= 1;
        if self.runs.len() > group.first_run {
            // So long a list is of one field, or nobody can read it.
            if let Some(labels) = self.labels.as_mut().filter(|_| self.depth == 0) {
                labels.of_group.clear();
            }
            self.spill(&group);
            self.merge(&group);
        } else {
            self.sort(&group);
        }
    }

    /// Sorts in place, by a copy behind the pieces.
    fn sort(&mut self, group: &Group) {
        let ends = self.ends.get(group.first_end..).unwrap_or_default();
        let ranges = sorted_ranges(&self.bytes, group.start, ends);
        if self.depth == 0
            && let Some(labels) = &mut self.labels
        {
            let of_group = std::mem::take(&mut labels.of_group);
            let mut at = self.gone + group.start;
            let mut push = |(from, to): (usize, usize)| {
                let number = ends.partition_point(|end| *end <= from);
                let label = of_group.get(number).cloned().unwrap_or_default();
                // Pieces of the field that was named before the group need no names of their own.
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

    /// Turns the pieces of the group into one more run.
    fn spill(&mut self, group: &Group) {
        let ends = self.ends.get(group.first_end..).unwrap_or_default();
        let ranges = sorted_ranges(&self.bytes, group.start, ends)
            .unwrap_or_else(|| ranges_of(group.start, ends).collect());
        // One piece may be most of the document: there is room for all of them at once, and no more where it matters.
        let length = self.bytes.len() - group.start;
        let mut run = Vec::with_capacity(length + length / 32 + 2 * ranges.len() + 64);
        let mut before: &[u8] = &[];
        for (from, to) in ranges {
            let piece = self.bytes.get(from..to).unwrap_or_default();
            let mut shared = shared_prefix(before, piece);
            // A long piece that is written out as a whole needs no second copy when the runs are read.
            if piece.len() >= WHOLE_LENGTH && shared < piece.len() / 16 {
                shared = 0;
            }
            push_length(&mut run, shared);
            push_length(&mut run, piece.len() - shared);
            run.extend_from_slice(piece.get(shared..).unwrap_or_default());
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

    /// Writes the pieces of all runs of the group in order.
    fn merge(&mut self, group: &Group) {
        let runs = self.runs.split_off(group.first_run);
        let mut heap: BinaryHeap<RunCursor<'_>> = runs
            .iter()
            .filter_map(|run| {
                let mut cursor = RunCursor {
                    rest: run,
                    piece: Cow::Borrowed(&[]),
                };
                cursor.next().then_some(cursor)
            })
            .collect();
        while let Some(mut first) = heap.pop() {
            // Written out now, these bytes are counted again when they go.
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
                heap.push(first);
            }
        }
    }
}

/// Grows by a quarter: doubling a long string would waste more than the string.
fn make_room(bytes: &mut Vec<u8>, length: usize) {
    if bytes.capacity() - bytes.len() < length {
        bytes.reserve_exact(length + bytes.len() / 4);
    }
}

/// A place in a run: the piece there, and what follows.
struct RunCursor<'r> {
    rest: &'r [u8],
    /// A part of the run where it is written out there.
    piece: Cow<'r, [u8]>,
}

impl RunCursor<'_> {
    /// Goes to the next piece; false at the end.
    fn next(&mut self) -> bool {
        let Some(shared) = take_length(&mut self.rest) else {
            return false;
        };
        let length = take_length(&mut self.rest).unwrap_or_default();
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
                let kept = before.get(..shared).unwrap_or_default();
                self.piece = Cow::Owned([kept, tail].concat());
            }
        }
        self.rest = rest;
        true
    }
}

/// The smallest piece is the greatest, for the heap gives the greatest.
impl Ord for RunCursor<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.piece.cmp(&self.piece)
    }
}

impl PartialOrd for RunCursor<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RunCursor<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RunCursor<'_> {}

fn ranges_of(start: usize, ends: &[usize]) -> impl Iterator<Item = (usize, usize)> + Clone {
    let starts = std::iter::once(start).chain(ends.iter().copied());
    starts.zip(ends.iter().copied())
}

/// The pieces in order of their bytes, which is the order of their code points; `None` where they are in order already.
fn sorted_ranges(bytes: &[u8], start: usize, ends: &[usize]) -> Option<Vec<(usize, usize)>> {
    let piece = |&(from, to): &(usize, usize)| bytes.get(from..to).unwrap_or_default();
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

/// Seven bits a byte, the lowest first.
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
