//! The first bytes of strings, by which they are told apart.

use super::Text;
use crate::window;

impl Text<'_> {
    /// The first eight bytes as written, as [`window::first`] has them.
    #[inline]
    pub(crate) fn first(self) -> u64 {
        // What stands behind the text is read with it, and cut off: no branch depends on how long the text is.
        let behind = self.whole.as_bytes().get(self.start..);
        let Some(bytes) = behind.and_then(<[u8]>::first_chunk) else {
            let raw = self.whole.as_bytes().get(self.start..self.end);
            return window::first(raw.unwrap_or_default());
        };
        let length = (self.end - self.start).min(8) as u32;
        u64::from_le_bytes(*bytes) & u64::MAX.checked_shr(64 - 8 * length).unwrap_or_default()
    }
}
