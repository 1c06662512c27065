//! Strings of a document, as written.

use crate::slice::Part;
use std::borrow::Cow;

/// A string of a [`Document`](super::Document), kept as written; its escapes are resolved on demand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text<'d> {
    /// The text that contains the string.
    pub(super) whole: &'d str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) escaped: bool,
}

/// The most bytes that an escape takes for one byte of the string: `\u0061` for `a`.
const LONGEST_ESCAPE: usize = 6;

impl<'d> Text<'d> {
    /// The byte offset of the opening quote in the document.
    pub fn offset(self) -> usize {
        self.start.saturating_sub(1)
    }

    /// The string without its escapes; borrowed if it has none.
    #[must_use]
    pub fn to_cow(self) -> Cow<'d, str> {
        if self.escaped {
            Cow::Owned(super::reader::unescape(self.raw()))
        } else {
            Cow::Borrowed(self.raw())
        }
    }

    /// Appends the string without its escapes. Before that, `make_room` receives its maximum length in bytes.
    pub fn push_to(self, out: &mut String, make_room: impl FnOnce(&mut String, usize)) {
        if self.escaped {
            make_room(out, super::reader::plain_length(self.raw()));
            super::reader::unescape_into(self.raw(), out);
        } else {
            make_room(out, self.raw().len());
            out.push_str(self.raw());
        }
    }

    /// The string as written.
    fn raw(self) -> &'d str {
        self.whole.part(self.start..self.end)
    }

    /// The string as written, if it has no escapes.
    pub fn plain_text(self) -> Option<&'d str> {
        (!self.escaped).then(|| self.raw())
    }

    /// The length as written, in bytes.
    pub fn written_length(self) -> usize {
        self.end - self.start
    }

    /// A lower bound of the length without escapes, in bytes; exact if there are none.
    pub fn least_length(self) -> usize {
        let written = self.written_length();
        if self.escaped { written / LONGEST_ESCAPE } else { written }
    }

    /// The bytes as written, if they contain no escapes.
    pub fn plain(self) -> Option<&'d [u8]> {
        if self.escaped {
            return None;
        }
        self.whole.as_bytes().get(self.start..self.end)
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        match self.plain() {
            Some(plain) => plain == other.as_bytes(),
            // Names are compared often: one that is certainly longer is not unescaped each time.
            None => self.least_length() <= other.len() && self.to_cow() == other,
        }
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

/// The content of a JSON string, given without its quotes, with its escapes resolved.
pub fn plain_string(raw: &str) -> Cow<'_, str> {
    let escaped = raw.contains('\\');
    Text { whole: raw, start: 0, end: raw.len(), escaped }.to_cow()
}
