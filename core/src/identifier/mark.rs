//! What is said of an identifier, as bits.

/// An EPC URN, of whatever form.
pub(crate) const URN: u64 = 1;
/// A GS1 Digital Link.
pub(crate) const DIGITAL_LINK: u64 = 1 << 1;
/// No URI at all: it has no colon.
pub(crate) const BARE: u64 = 1 << 2;
/// One thing of its own.
pub(crate) const INSTANCE: u64 = 1 << 3;
/// A class of things: a GTIN, a lot, a type of asset or document.
pub(crate) const CLASS: u64 = 1 << 4;
/// An EPC URN of tags and readers: `tag`, `raw`, `pat`.
pub(crate) const TAG: u64 = 1 << 5;
/// A pattern: `idpat`.
pub(crate) const PATTERN: u64 = 1 << 6;
pub(crate) const GTIN: u64 = 1 << 8;
pub(crate) const LGTIN: u64 = 1 << 9;
pub(crate) const SGTIN: u64 = 1 << 10;
pub(crate) const UPUI: u64 = 1 << 11;
pub(crate) const ITIP: u64 = 1 << 12;
pub(crate) const SSCC: u64 = 1 << 13;
pub(crate) const SGLN: u64 = 1 << 14;
pub(crate) const PGLN: u64 = 1 << 15;
pub(crate) const GRAI: u64 = 1 << 16;
pub(crate) const GIAI: u64 = 1 << 17;
pub(crate) const GSRN: u64 = 1 << 18;
pub(crate) const GSRNP: u64 = 1 << 19;
pub(crate) const GDTI: u64 = 1 << 20;
pub(crate) const SGCN: u64 = 1 << 21;
pub(crate) const GINC: u64 = 1 << 22;
pub(crate) const GSIN: u64 = 1 << 23;
pub(crate) const CPI: u64 = 1 << 24;
/// The last digit of a key is not its check digit.
pub(crate) const CHECK_DIGIT: u64 = 1 << 28;
/// A company prefix of other than 6 to 12 digits.
pub(crate) const PREFIX_LENGTH: u64 = 1 << 29;
/// A key of another number of digits, or characters, than it has.
pub(crate) const KEY_LENGTH: u64 = 1 << 30;
/// Something else where a key has digits.
pub(crate) const NO_DIGITS: u64 = 1 << 31;
/// A character that no serial, lot or reference of this key has.
pub(crate) const CHARACTERS: u64 = 1 << 32;
/// A serial, lot or extension that is too long.
pub(crate) const SERIAL_LENGTH: u64 = 1 << 33;
/// Nothing where a serial, lot or reference must be.
pub(crate) const NO_SERIAL: u64 = 1 << 34;
/// What makes a key none.
pub(crate) const KEY_FAULTS: u64 =
    CHECK_DIGIT | KEY_LENGTH | NO_DIGITS | CHARACTERS | SERIAL_LENGTH | NO_SERIAL | PIECE;
/// A company prefix from a range that is kept for the future.
pub(crate) const UNASSIGNED_PREFIX: u64 = 1 << 35;
/// A company prefix from a range that no company has.
pub(crate) const RESTRICTED_PREFIX: u64 = 1 << 36;
/// An EPC URN of a scheme that TDS does not have.
pub(crate) const UNKNOWN_SCHEME: u64 = 1 << 37;
/// A piece with the number 0, beyond their total, or of 0 pieces.
pub(crate) const PIECE: u64 = 1 << 38;
/// A serial that is a number, with a zero before it.
pub(crate) const LEADING_ZERO: u64 = 1 << 39;
