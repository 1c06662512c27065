//! Where the elements of a document end, told before they are read: the reader works on whole elements only.
//!
//! The tokens are the reader's own; a fault in one of them lets everything through, so that the reader comes to it and names it.

use crate::error::XmlFault;
use crate::translate::limits::MAX_DEPTH;
use crate::translate::reader::{RawToken, RawTokenKind};
use memchr::memchr;

/// How often a markup is looked at whenever a `>` comes; later only when it has grown by an eighth, so that a comment full of
/// them costs no more than its length.
const FREE_LOOKS: usize = 16;

/// Goes through a text that grows at its end and is cut at its start.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    /// How much of the text was looked at.
    at: usize,
    /// How much of the text has come.
    seen: usize,
    /// How often the markup there was looked at and not found whole.
    vain: usize,
    /// How long the text has to be when it is looked at again in any case.
    wanted: usize,
    /// How many elements are open where the text ends.
    pub(super) depth: usize,
    /// For each depth, where the last element of that depth ends; zero where none does.
    pub(super) ends: Vec<usize>,
    /// Where the last markup ends.
    pub(super) cut: usize,
    /// The least depth of an element of which a tag was seen since this was asked.
    shallowest: Option<usize>,
}

impl Splitter {
    /// The least depth of an element of which a tag was seen since this was last asked.
    pub(super) fn take_shallowest(&mut self) -> Option<usize> {
        self.shallowest.take()
    }

    /// Looks at what was appended to the text.
    pub(super) fn go_on(&mut self, text: &str) {
        let new = text.as_bytes().get(self.seen..).unwrap_or_default();
        self.seen = text.len();
        let may_be_whole = self.vain < FREE_LOOKS && memchr(b'>', new).is_some();
        if self.vain > 0 && !may_be_whole && text.len() < self.wanted {
            return;
        }
        loop {
            let rest = text.get(self.at..).unwrap_or_default();
            match RawToken::of(rest) {
                Ok(token) => {
                    let markup = rest.get(..token.length).unwrap_or_default();
                    self.at += token.length;
                    self.vain = 0;
                    match token.kind {
                        RawTokenKind::Eof => return,
                        RawTokenKind::Text | RawTokenKind::Reference => continue,
                        RawTokenKind::Start if markup.ends_with("/>") => self.end_element(),
                        RawTokenKind::Start => {
                            self.see_tag();
                            self.depth += 1;
                        }
                        RawTokenKind::End => {
                            self.depth = self.depth.saturating_sub(1);
                            self.end_element();
                        }
                        _ => {}
                    }
                    self.cut = self.at;
                }
                Err((XmlFault::Truncated, _)) => {
                    self.vain += 1;
                    self.wanted = text.len() + (rest.len() / 8).max(32);
                    return;
                }
                Err(_) => return self.let_through(text.len()),
            }
        }
    }

    /// Looks at all of the text: no more is to come.
    pub(super) fn finish(&mut self, text: &str) {
        self.vain = 0;
        self.go_on(text);
    }

    /// Has the whole text read, as if everything in it were there to its end.
    fn let_through(&mut self, length: usize) {
        self.cut = length;
        self.shallowest = Some(0);
        self.ends = vec![usize::MAX; MAX_DEPTH + 1];
    }

    fn see_tag(&mut self) {
        let shallowest = self
            .shallowest
            .map_or(self.depth, |least| least.min(self.depth));
        self.shallowest = Some(shallowest);
    }

    fn end_element(&mut self) {
        self.see_tag();
        if self.ends.len() <= self.depth && self.depth <= MAX_DEPTH {
            self.ends.resize(self.depth + 1, 0);
        }
        if let Some(end) = self.ends.get_mut(self.depth) {
            *end = self.at;
        }
    }

    /// Follows a cut of so many bytes at the start of the text.
    pub(super) fn shift(&mut self, length: usize) {
        for place in [
            &mut self.at,
            &mut self.seen,
            &mut self.wanted,
            &mut self.cut,
        ] {
            *place = place.saturating_sub(length);
        }
        for end in &mut self.ends {
            *end = end.saturating_sub(length);
        }
    }
}
