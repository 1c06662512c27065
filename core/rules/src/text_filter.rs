//! Cheap filters on texts, before a condition is evaluated.

use super::scope::Now;
use epcis_edge_text::window;

/// A cheap filter on texts: it rejects most texts that cannot satisfy a test, by their length and first bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextFilter {
    /// The first bytes that all the texts of the test share.
    start: u64,
    mask: u64,
    /// The allowed lengths: for each the bit of its remainder by 64.
    lengths: u64,
    /// Times in UTC do not fit.
    is_local: bool,
    /// Times that are certainly past do not fit.
    is_recent: bool,
}

impl Default for TextFilter {
    /// A filter that every text passes.
    fn default() -> Self {
        Self { start: 0, mask: 0, lengths: u64::MAX, is_local: false, is_recent: false }
    }
}

impl TextFilter {
    /// Accepts times with an offset of their own.
    pub(super) fn local() -> Self {
        Self { is_local: true, ..Self::default() }
    }

    /// Accepts times that may be later than now.
    pub(super) fn recent() -> Self {
        Self { is_recent: true, ..Self::default() }
    }

    pub(super) fn starting(texts: &[String]) -> Self {
        let mut starts = texts.iter().map(|text| window::first(text.as_bytes()));
        let shortest = texts.iter().map(String::len).min().unwrap_or(0);
        let Some(start) = starts.next() else { return Self::default() };
        let differing = starts.fold(0, |differing, other| differing | (start ^ other));
        // The first byte is the lowest. Bytes from the first difference on are ignored.
        let shared = (differing.trailing_zeros() / 8).min(shortest.min(8) as u32);
        let mask = if shared >= 8 { u64::MAX } else { (1 << (8 * shared)) - 1 };
        Self { start: start & mask, mask, ..Self::default() }
    }

    pub(super) fn among<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let lengths = texts.fold(0, |lengths, text| lengths | 1 << (text.len() % 64));
        Self { lengths, ..Self::default() }
    }

    /// Whether a text, given with its first bytes, may satisfy the test.
    pub(super) fn fits(&self, (text, first): (&[u8], u64), now: Option<&Now>) -> bool {
        self.lengths & 1 << (text.len() % 64) != 0
            && first & self.mask == self.start
            && !(self.is_local && text.last() == Some(&b'Z'))
            && !(self.is_recent && now.is_none_or(|now| text <= now.past.as_bytes()))
    }
}
