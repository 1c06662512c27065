//! The first bytes of strings, which tell most strings apart.

use super::Text;
use crate::slice::Part;
use crate::window;

impl Text<'_> {
    /// The first eight bytes as written, in the form of [`window::first`].
    pub fn first(self) -> u64 {
        // Reads eight bytes even if the text is shorter, then masks the excess: no branch depends on the length of the text.
        let behind = self.whole.as_bytes().get(self.start..);
        let Some(bytes) = behind.and_then(<[u8]>::first_chunk) else {
            return window::first(self.whole.as_bytes().part(self.start..self.end));
        };
        let length = (self.end - self.start).min(8) as u32;
        u64::from_le_bytes(*bytes) & u64::MAX.checked_shr(64 - 8 * length).unwrap_or(0)
    }
}
