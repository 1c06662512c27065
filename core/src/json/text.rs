//! Strings of a document, as they stand there.

use std::borrow::Cow;

/// A string of a [`Document`](super::Document): as written, with its escapes, until somebody needs it without.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text<'d> {
    /// The text that it is part of.
    pub(super) whole: &'d str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) escaped: bool,
}

/// An escape is at most so many times as long as what it stands for: `\u0061`.
const LONGEST_ESCAPE: usize = 6;

impl<'d> Text<'d> {
    /// Where its quote stands in the document, in bytes.
    pub(crate) fn offset(self) -> usize {
        self.start.saturating_sub(1)
    }

    /// The string without its escapes; borrowed where it has none.
    #[must_use]
    pub fn to_cow(self) -> Cow<'d, str> {
        if self.escaped {
            Cow::Owned(super::reader::unescape(self.raw()))
        } else {
            Cow::Borrowed(self.raw())
        }
    }

    /// Appends the string without its escapes; `make_room` is told how many bytes it has then, at most.
    pub(crate) fn push_to(self, out: &mut String, make_room: impl FnOnce(&mut String, usize)) {
        if self.escaped {
            make_room(out, super::reader::plain_length(self.raw()));
            super::reader::unescape_into(self.raw(), out);
        } else {
            make_room(out, self.raw().len());
            out.push_str(self.raw());
        }
    }

    /// As written.
    fn raw(self) -> &'d str {
        self.whole.get(self.start..self.end).unwrap_or_default()
    }

    /// The text as written, where no escape is in it.
    #[inline]
    pub(crate) fn plain_text(self) -> Option<&'d str> {
        (!self.escaped).then(|| self.raw())
    }

    /// How many bytes it has without its escapes, at least; as many as that where it has none.
    #[inline]
    pub(crate) fn least_length(self) -> usize {
        let written = self.end - self.start;
        if self.escaped {
            written / LONGEST_ESCAPE
        } else {
            written
        }
    }

    /// The bytes as written, where no escape is among them.
    #[inline]
    pub(crate) fn plain(self) -> Option<&'d [u8]> {
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
            // Names are compared often: one that is surely longer is not freed from its escapes each time.
            None => self.least_length() <= other.len() && self.to_cow() == other,
        }
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

/// A string as it stands between its quotes, without its escapes.
pub(crate) fn plain_string(raw: &str) -> Cow<'_, str> {
    let escaped = raw.contains('\\');
    Text {
        whole: raw,
        start: 0,
        end: raw.len(),
        escaped,
    }
    .to_cow()
}
