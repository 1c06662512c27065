//! A strict CBOR reader and writer for a signed format: every item has one encoding, and no other is accepted.
//!
//! Why is no crate used? CBOR crates accept integers and lengths of any width, and repeated keys. Checks for these would have to
//! be written anyway, and they are most of this file.
//!
//! **Source**: RFC 8949, 3 (heads), 4.2.1 (shortest forms), 5.6 (repeated keys).

use epcis_edge_text::error::LogFault;
use epcis_edge_text::slice::{Known, Part};

/// The maximum nesting of arrays, maps and tags.
const MAX_NESTING: usize = 8;

/// The maximum number of entries in a map: small enough to compare each key with all others.
const MAX_ENTRIES: u64 = 64;

/// What was expected at which byte. Kept small, so that the code that propagates it is small too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Malformed {
    at: usize,
    expected: &'static str,
}

impl From<Malformed> for LogFault {
    fn from(Malformed { at, expected }: Malformed) -> Self {
        Self::Receipt { at, expected }
    }
}

/// The kinds of items, numbered as in CBOR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Major {
    Unsigned,
    Negative,
    Bytes,
    Text,
    Array,
    Map,
    Tag,
    /// `false`, `true`, `null` and the like, and floats.
    Simple,
}

const NULL: u64 = 22;

impl Major {
    fn of(byte: u8) -> Self {
        match byte >> 5 {
            0 => Self::Unsigned,
            1 => Self::Negative,
            2 => Self::Bytes,
            3 => Self::Text,
            4 => Self::Array,
            5 => Self::Map,
            6 => Self::Tag,
            _ => Self::Simple,
        }
    }
}

/// The key of an entry in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label<'b> {
    Number(i64),
    Text(&'b str),
}

/// An entry of a map: the key, its encoded bytes, and a reader positioned at its value.
pub(super) struct MapEntry<'b> {
    pub(super) label: Label<'b>,
    pub(super) key: &'b [u8],
    pub(super) value: Reader<'b>,
}

/// Reads items one after the other.
///
/// It borrows the document from the first byte to the end of its own part, so that positions are always counted from the first
/// byte.
#[derive(Clone, Debug)]
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    /// A reader for bytes that are exactly one item.
    ///
    /// The whole item is checked here once: heads have their shortest form, lengths are definite and within the bytes, text is
    /// UTF-8, no map has a repeated key or more than 64 entries, and at most eight containers are nested.
    ///
    /// # Errors
    /// What was expected, and at which byte.
    pub(super) fn whole(bytes: &'b [u8]) -> Result<Self, Malformed> {
        Self { bytes, at: 0 }.checked()
    }

    #[inline(never)]
    fn checked(self) -> Result<Self, Malformed> {
        let mut walk = self.clone();
        walk.skip(0)?;
        if walk.at == walk.bytes.len() {
            Ok(self)
        } else {
            Err(walk.fault("nothing behind the item"))
        }
    }

    /// The error for the current position.
    #[inline(never)]
    pub(super) fn fault(&self, expected: &'static str) -> Malformed {
        Malformed { at: self.at, expected }
    }

    #[inline(never)]
    fn take(&mut self, length: u64, expected: &'static str) -> Result<&'b [u8], Malformed> {
        let taken = usize::try_from(length)
            .ok()
            .and_then(|length| self.at.checked_add(length))
            .and_then(|end| Some((end, self.bytes.get(self.at..end)?)));
        let (end, taken) = taken.ok_or_else(|| self.fault(expected))?;
        self.at = end;
        Ok(taken)
    }

    /// Reads the head of the next item: its kind, and its number, which is a value, a length or a count of items.
    #[inline(never)]
    fn head(&mut self) -> Result<(Major, u64), Malformed> {
        let start = self.clone();
        let first = self.take(1, "another item")?.first().copied().known();
        let (major, short) = (Major::of(first), first & 31);
        let (width, least) = match short {
            0..=23 => return Ok((major, short.into())),
            // Simple values below 32 have no second byte.
            24 if major == Major::Simple => (1, 32),
            24 => (1, 24),
            25 => (2, 1 << 8),
            26 => (4, 1 << 16),
            27 => (8, 1 << 32),
            31 => return Err(start.fault("a definite length")),
            _ => return Err(start.fault("an item of CBOR")),
        };
        let bytes = self.take(width, "the rest of a number")?;
        let number = bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let is_float = major == Major::Simple && width > 1;
        if number < least && !is_float {
            return Err(start.fault("the shortest form of a number"));
        }
        // A float gets a number that no simple value has: those end at 255.
        let number = if is_float { u64::MAX } else { number };
        Ok((major, number))
    }

    /// Checks and skips the next item.
    fn skip(&mut self, open: usize) -> Result<(), Malformed> {
        let start = self.clone();
        let (major, number) = self.head()?;
        if matches!(major, Major::Array | Major::Map | Major::Tag) && open == MAX_NESTING {
            return Err(start.fault("at most 8 arrays, maps and tags in one another"));
        }
        match major {
            Major::Unsigned | Major::Negative | Major::Simple => {}
            Major::Bytes => {
                self.take(number, "as many bytes as announced")?;
            }
            Major::Text => {
                let text = self.take(number, "as many bytes as announced")?;
                std::str::from_utf8(text).map_err(|_| start.fault("text in UTF-8"))?;
            }
            Major::Tag => self.skip(open + 1)?,
            // The announced count may be wrong, but each item takes a byte, so the loop ends with the input.
            Major::Array => {
                for _ in 0..number {
                    self.skip(open + 1)?;
                }
            }
            Major::Map => {
                if number > MAX_ENTRIES {
                    return Err(start.fault("at most 64 entries in a map"));
                }
                let mut keys = Vec::new();
                for _ in 0..number {
                    let key = self.clone();
                    self.skip(open + 1)?;
                    // Every value has one form, so equal keys have equal bytes.
                    let written = key.until(self);
                    if keys.contains(&written) {
                        return Err(key.fault("every key once"));
                    }
                    keys.push(written);
                    self.skip(open + 1)?;
                }
            }
        }
        Ok(())
    }

    /// The bytes from here to the position of another reader of the same bytes.
    fn until(&self, end: &Self) -> &'b [u8] {
        self.bytes.part(self.at..end.at)
    }

    /// Reads the head of an item of this type: the integer, the number of a tag, or how many bytes or items follow.
    #[inline(never)]
    pub(super) fn expect(
        &mut self,
        wanted: Major,
        expected: &'static str,
    ) -> Result<u64, Malformed> {
        let start = self.clone();
        match self.head()? {
            (major, number) if major == wanted => Ok(number),
            _ => Err(start.fault(expected)),
        }
    }

    /// Reads an integer.
    pub(super) fn integer(&mut self, expected: &'static str) -> Result<i64, Malformed> {
        let start = self.clone();
        let (major, number) = self.head()?;
        let number = i64::try_from(number).ok();
        let integer = match major {
            Major::Unsigned => number,
            Major::Negative => number.map(|number| -1 - number),
            _ => None,
        };
        integer.ok_or_else(|| start.fault(expected))
    }

    /// Reads a byte string.
    pub(super) fn bytes(&mut self, expected: &'static str) -> Result<&'b [u8], Malformed> {
        let length = self.expect(Major::Bytes, expected)?;
        self.take(length, expected)
    }

    /// Reads a byte string of `N` bytes.
    pub(super) fn array_of<const N: usize>(
        &mut self,
        expected: &'static str,
    ) -> Result<[u8; N], Malformed> {
        let start = self.clone();
        let bytes = self.bytes(expected)?;
        bytes.try_into().map_err(|_| start.fault(expected))
    }

    /// Reads a text.
    pub(super) fn text(&mut self, expected: &'static str) -> Result<&'b str, Malformed> {
        let start = self.clone();
        let length = self.expect(Major::Text, expected)?;
        let text = self.take(length, expected)?;
        std::str::from_utf8(text).map_err(|_| start.fault(expected))
    }

    /// Reads the next item if it is `null`; otherwise returns false.
    pub(super) fn null(&mut self) -> bool {
        let mut next = self.clone();
        let is_null = matches!(next.head(), Ok((Major::Simple, NULL)));
        if is_null {
            *self = next;
        }
        is_null
    }

    /// Reads a byte string, and returns a reader of the item encoded in it.
    pub(super) fn embedded(&mut self, expected: &'static str) -> Result<Self, Malformed> {
        let length = self.bytes(expected)?.len();
        let bytes = self.bytes.part(..self.at);
        let at = self.at - length;
        Self { bytes, at }.checked()
    }

    /// Reads a map; its keys must be integers and texts.
    #[inline(never)]
    pub(super) fn map(&mut self, expected: &'static str) -> Result<Vec<MapEntry<'b>>, Malformed> {
        let count = self.expect(Major::Map, expected)?;
        let mut entries = Vec::new();
        for _ in 0..count {
            let start = self.clone();
            let label = self.label()?;
            let key = start.until(self);
            let value = self.clone();
            self.skip(0)?;
            entries.push(MapEntry { label, key, value });
        }
        Ok(entries)
    }

    /// Reads an integer or a text.
    pub(super) fn label(&mut self) -> Result<Label<'b>, Malformed> {
        const EXPECTED: &str = "an integer or a text as a label";
        let start = self.clone();
        let is_text = self.head()?.0 == Major::Text;
        *self = start;
        match is_text {
            true => self.text(EXPECTED).map(Label::Text),
            false => self.integer(EXPECTED).map(Label::Number),
        }
    }
}

/// Writes items in their shortest forms. The caller writes the entries of a map in the order of their keys.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    /// Writes the head of an item.
    #[inline(never)]
    pub(super) fn head(&mut self, major: Major, number: u64) -> &mut Self {
        let first = (major as u8) << 5;
        let bytes = number.to_be_bytes();
        let [.., e, f, g, h] = bytes;
        match number {
            0..24 => self.0.push(first | h),
            24..0x100 => self.0.extend([first | 24, h]),
            0x100..0x1_0000 => self.0.extend([first | 25, g, h]),
            0x1_0000..0x1_0000_0000 => self.0.extend([first | 26, e, f, g, h]),
            _ => {
                self.0.push(first | 27);
                self.0.extend(bytes);
            }
        }
        self
    }

    pub(super) fn integer(&mut self, number: i64) -> &mut Self {
        match u64::try_from(number) {
            Ok(number) => self.head(Major::Unsigned, number),
            Err(_) => self.head(Major::Negative, number.unsigned_abs() - 1),
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.head(Major::Bytes, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.head(Major::Text, text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    pub(super) fn null(&mut self) -> &mut Self {
        self.head(Major::Simple, NULL)
    }
}
