//! Properties and faults of an identifier, one bit each, with the word for `is` in packs of checks.

/// Defines one bit for each name.
macro_rules! marks {
    ($($(#[doc = $doc:literal])* $name:ident = $bit:literal, $word:literal;)*) => {
        $($(#[doc = $doc])* #[doc = concat!("In packs: `", $word, "`.")] pub const $name: u64 = 1 << $bit;)*

        /// The word for each bit.
        pub static WORDS: &[(&str, u64)] = &[$(($word, $name)),*];
    };
}

marks! {
    /// An EPC URN of any form.
    URN = 0, "urn";
    /// A GS1 Digital Link.
    DIGITAL_LINK = 1, "digital-link";
    /// Not a URI: it has no colon.
    BARE = 2, "bare";
    /// A single thing.
    INSTANCE = 3, "instance";
    /// A class of things: a GTIN, a lot, a type of asset or document.
    CLASS = 4, "class";
    /// An EPC URN of tags and readers: `tag`, `raw`, `pat`.
    TAG = 5, "tag";
    /// A pattern: `idpat`.
    PATTERN = 6, "pattern";
    GTIN = 8, "gtin";
    LGTIN = 9, "lgtin";
    SGTIN = 10, "sgtin";
    UPUI = 11, "upui";
    ITIP = 12, "itip";
    SSCC = 13, "sscc";
    SGLN = 14, "sgln";
    PGLN = 15, "pgln";
    GRAI = 16, "grai";
    GIAI = 17, "giai";
    GSRN = 18, "gsrn";
    GSRNP = 19, "gsrnp";
    GDTI = 20, "gdti";
    SGCN = 21, "sgcn";
    GINC = 22, "ginc";
    GSIN = 23, "gsin";
    CPI = 24, "cpi";
    /// Characters that only look like those of ASCII, or that cannot be seen.
    LOOK_ALIKE = 25, "look-alike";
    /// The last digit of a key is not the right check digit.
    CHECK_DIGIT = 28, "wrong-check-digit";
    /// A company prefix that does not have 6 to 12 digits.
    PREFIX_LENGTH = 29, "wrong-prefix-length";
    /// A key with the wrong number of digits or characters.
    KEY_LENGTH = 30, "wrong-key-length";
    /// Other characters in a key that must consist of digits.
    NO_DIGITS = 31, "no-digits";
    /// A character that is not allowed in serials, lots or references of this key.
    CHARACTERS = 32, "wrong-characters";
    /// A serial, lot or extension that is too long.
    SERIAL_LENGTH = 33, "serial-too-long";
    /// A missing serial, lot or reference.
    NO_SERIAL = 34, "serial-missing";
    /// A company prefix from a range that is reserved for the future.
    UNASSIGNED_PREFIX = 35, "unassigned-prefix";
    /// A company prefix from a range that is not for companies.
    RESTRICTED_PREFIX = 36, "restricted-prefix";
    /// An EPC URN with a scheme that TDS does not define.
    UNKNOWN_SCHEME = 37, "unknown-scheme";
    /// A piece number of 0, or one that exceeds the total.
    PIECE = 38, "wrong-piece";
    /// A numeric serial with a leading zero.
    LEADING_ZERO = 39, "leading-zero";
}

/// The faults that make a key invalid.
pub(crate) const KEY_FAULTS: u64 =
    CHECK_DIGIT | KEY_LENGTH | NO_DIGITS | CHARACTERS | SERIAL_LENGTH | NO_SERIAL | PIECE;
