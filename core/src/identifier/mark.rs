//! What is said of an identifier, as bits, and the word of `is` in packs of checks for each.

/// One bit each.
macro_rules! marks {
    ($($(#[doc = $doc:literal])* $name:ident = $bit:literal, $word:literal;)*) => {
        $($(#[doc = $doc])* pub(crate) const $name: u64 = 1 << $bit;)*

        /// The word for each bit.
        pub(crate) static WORDS: &[(&str, u64)] = &[$(($word, $name)),*];
    };
}

marks! {
    /// An EPC URN, of whatever form.
    URN = 0, "urn";
    /// A GS1 Digital Link.
    DIGITAL_LINK = 1, "digital-link";
    /// No URI at all: it has no colon.
    BARE = 2, "bare";
    /// One thing of its own.
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
    /// The last digit of a key is not its check digit.
    CHECK_DIGIT = 28, "wrong-check-digit";
    /// A company prefix of other than 6 to 12 digits.
    PREFIX_LENGTH = 29, "wrong-prefix-length";
    /// A key of another number of digits, or characters, than it has.
    KEY_LENGTH = 30, "wrong-key-length";
    /// Something else where a key has digits.
    NO_DIGITS = 31, "no-digits";
    /// A character that no serial, lot or reference of this key has.
    CHARACTERS = 32, "wrong-characters";
    /// A serial, lot or extension that is too long.
    SERIAL_LENGTH = 33, "serial-too-long";
    /// Nothing where a serial, lot or reference must be.
    NO_SERIAL = 34, "serial-missing";
    /// A company prefix from a range that is kept for the future.
    UNASSIGNED_PREFIX = 35, "unassigned-prefix";
    /// A company prefix from a range that no company has.
    RESTRICTED_PREFIX = 36, "restricted-prefix";
    /// An EPC URN of a scheme that TDS does not have.
    UNKNOWN_SCHEME = 37, "unknown-scheme";
    /// A piece with the number 0, beyond their total, or of 0 pieces.
    PIECE = 38, "wrong-piece";
    /// A serial that is a number, with a zero before it.
    LEADING_ZERO = 39, "leading-zero";
}

/// What makes a key none.
pub(crate) const KEY_FAULTS: u64 =
    CHECK_DIGIT | KEY_LENGTH | NO_DIGITS | CHARACTERS | SERIAL_LENGTH | NO_SERIAL | PIECE;
