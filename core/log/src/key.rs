//! Keys of notes: making and verifying signatures.
//!
//! Why is Ed25519 in the core, and not taken from the runtime?
//! One synchronous function verifies in the page, in Node, in workerd and in tests, with the same result everywhere. Some
//! browsers of the last three years lack Ed25519 in WebCrypto.
//! The crate is `ed25519-dalek`. It shares SHA-2 with the rest and, without tables, adds some 14 kB (gzip) to the page's file. It
//! also signs: Ed25519 is deterministic, so the core stays pure, and the shell passes in keys and the random bytes of salts.
//!
//! **Source**: C2SP, `signed-note.md` and `tlog-cosignature.md`; RFC 8032.

use super::tree::sha256;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use epcis_edge_text::digits::{from_base64, to_base64, to_hex};
use epcis_edge_text::error::LogFault;
use std::fmt;

/// The prefix of a private key.
const PRIVATE: &str = "PRIVATE+KEY+";

/// The kind of message that a key signs.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyKind {
    /// The text of a note: Ed25519, type 1.
    Note = 1,
    /// A checkpoint and the time at which it was seen: Ed25519, type 4.
    Cosignature = 4,
}

impl KeyKind {
    fn of(byte: u8) -> Option<Self> {
        [Self::Note, Self::Cosignature].into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// Whether a text is a valid key name: not empty, no white space, no `+`.
pub(super) fn is_name(name: &str) -> bool {
    let is_odd = |character: char| character.is_whitespace() || character == '+';
    !name.is_empty() && !name.contains(is_odd)
}

/// A public key, which verifies signatures.
///
/// **Shape**: printed and parsed as `name+<8 hexadecimal digits>+<base64>`, a vkey.
///
/// # Example
/// ```
/// use epcis_edge_log::VerifierKey;
/// let text = "epcis.example.com/log+c23595d5+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
/// let key = VerifierKey::named(text)?;
/// assert_eq!(key.name(), "epcis.example.com/log");
/// assert_eq!(key.to_string(), text);
/// # Ok::<(), epcis_edge_text::error::LogFault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    kind: KeyKind,
    public: [u8; 32],
    id: [u8; 4],
}

impl VerifierKey {
    /// Parses a vkey.
    ///
    /// # Errors
    /// [`LogFault::Key`].
    pub fn named(text: &str) -> Result<Self, LogFault> {
        let fault = |expected| LogFault::Key { found: text.to_owned(), expected };
        let mut parts = text.splitn(3, '+');
        let (name, id, rest) = match (parts.next(), parts.next(), parts.next()) {
            (Some(name), Some(id), Some(rest)) if is_name(name) => (name, id, rest),
            _ => {
                return Err(fault("a name, 8 hexadecimal digits and base64, joined by `+`"));
            }
        };
        let bytes = from_base64(rest).ok_or_else(|| fault("base64 behind the second `+`"))?;
        let (kind, public) = match bytes.split_first() {
            Some((byte, public)) => (KeyKind::of(*byte), <[u8; 32]>::try_from(public).ok()),
            None => (None, None),
        };
        let (Some(kind), Some(public)) = (kind, public) else {
            return Err(fault("an Ed25519 key: type 1, or 4 for cosignatures, and 32 bytes"));
        };
        let key = Self::of(name, kind, public);
        if to_hex(&key.id) == id {
            Ok(key)
        } else {
            Err(fault("the key id that name and key give, in lower case"))
        }
    }

    fn of(name: &str, kind: KeyKind, public: [u8; 32]) -> Self {
        let digest = sha256(&[name.as_bytes(), &[b'\n', kind as u8], &public]);
        let [a, b, c, d, ..] = digest;
        Self { name: name.to_owned(), kind, public, id: [a, b, c, d] }
    }

    /// The name of the key; for a log, its origin.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of message that the key signs.
    #[must_use]
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// The key id that signatures carry.
    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        self.id
    }

    /// Whether another key is the same key pair, even under another name or kind.
    pub(super) fn is_pair_of(&self, other: &Self) -> bool {
        self.public == other.public
    }

    /// Whether these 64 bytes are the key's signature of a message.
    #[must_use]
    pub(super) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let Ok(key) = VerifyingKey::from_bytes(&self.public) else { return false };
        Signature::from_slice(signature)
            .is_ok_and(|signature| key.verify_strict(message, &signature).is_ok())
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = vec![self.kind as u8];
        bytes.extend_from_slice(&self.public);
        let id = to_hex(&self.id);
        write!(f, "{}+{id}+{}", self.name, to_base64(&bytes))
    }
}

/// A private key, which signs. Its secret is never printed.
///
/// **Shape**: parsed from `PRIVATE+KEY+name+<8 hexadecimal digits>+<base64 of the type and 32 bytes of seed>`.
#[derive(Clone, PartialEq, Eq)]
pub struct Signer {
    key: VerifierKey,
    secret: SigningKey,
}

impl Signer {
    /// Makes a key from a name, a kind and a seed of 32 random bytes.
    ///
    /// # Errors
    /// [`LogFault::Key`] if the name is not valid.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_log::{KeyKind, Signer};
    /// let seed = std::array::from_fn(|at| at as u8);
    /// let signer = Signer::new("epcis.example.com/log", KeyKind::Note, &seed)?;
    /// let vkey = "epcis.example.com/log+c23595d5+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4";
    /// assert_eq!(signer.key().to_string(), vkey);
    /// let text = Signer::text_of("epcis.example.com/log", KeyKind::Note, &seed)?;
    /// assert_eq!(Signer::named(&text)?, signer);
    /// # Ok::<(), epcis_edge_text::error::LogFault>(())
    /// ```
    pub fn new(name: &str, kind: KeyKind, seed: &[u8; 32]) -> Result<Self, LogFault> {
        if !is_name(name) {
            return Err(LogFault::Key {
                found: name.to_owned(),
                expected: "a name without white space and `+`",
            });
        }
        let secret = SigningKey::from_bytes(seed);
        let public = secret.verifying_key().to_bytes();
        Ok(Self { key: VerifierKey::of(name, kind, public), secret })
    }

    /// Parses a private key.
    ///
    /// # Errors
    /// [`LogFault::PrivateKey`], which does not quote the text.
    pub fn named(text: &str) -> Result<Self, LogFault> {
        let read = || {
            let mut parts = text.strip_prefix(PRIVATE)?.splitn(3, '+');
            let (name, id, rest) = (parts.next()?, parts.next()?, parts.next()?);
            let bytes = from_base64(rest)?;
            let (byte, seed) = bytes.split_first()?;
            let seed: [u8; 32] = seed.try_into().ok()?;
            let signer = Self::new(name, KeyKind::of(*byte)?, &seed).ok()?;
            (to_hex(&signer.key.id) == id).then_some(signer)
        };
        read().ok_or(LogFault::PrivateKey)
    }

    /// The text of the private key that [`new`](Self::new) makes of this name, kind and seed: what [`named`](Self::named) parses.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn text_of(name: &str, kind: KeyKind, seed: &[u8; 32]) -> Result<String, LogFault> {
        let id = to_hex(&Self::new(name, kind, seed)?.key.id);
        let mut secret = vec![kind as u8];
        secret.extend_from_slice(seed);
        Ok(format!("{PRIVATE}{name}+{id}+{}", to_base64(&secret)))
    }

    /// The public key that verifies its signatures.
    #[must_use]
    pub fn key(&self) -> &VerifierKey {
        &self.key
    }

    pub(super) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.secret.sign(message).to_bytes()
    }
}

/// Prints the public key only.
impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.key)
    }
}
