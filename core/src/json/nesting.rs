//! Where arrays and objects end, told from their brackets alone.

/// Where the array or object that starts at `start` ends; the text was read before, so it is well formed.
pub(super) fn end_of_container(text: &str, start: usize) -> usize {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    Nesting::default()
        .end(rest)
        .map_or(text.len(), |length| start + length)
}

/// How deep a walk over the bytes of an array or object is in it, told without reading them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nesting {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Nesting {
    /// Goes on over the next bytes, the first of all being the bracket that opens; how many there are up to the one that closes
    /// it, if that is among them.
    pub(crate) fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'[' | b'{' if !self.in_string => self.depth += 1,
                b']' | b'}' if !self.in_string => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}
