//! Keys derived from the salt of a leaf. Each can be revealed without the others.
//!
//! **Source**: RFC 2104; vectors of RFC 4231.

use super::tree::Hash;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The random part of a leaf: 32 bytes.
pub type Salt = [u8; 32];

/// HMAC-SHA256 under one key, which is absorbed once, and not for each message.
#[derive(Clone)]
pub(super) struct Mac(Hmac<Sha256>);

impl Mac {
    /// Takes a key of 32 bytes. It is shorter than a block, so zeros follow it.
    pub(super) fn new(key: &Hash) -> Self {
        let mut block = [0; 64];
        if let Some(start) = block.first_chunk_mut() {
            *start = *key;
        }
        Self(Hmac::new(&block.into()))
    }

    /// The code of a message, given in pieces.
    pub(super) fn of(&self, pieces: &[&[u8]]) -> Hash {
        let mut mac = self.0.clone();
        for piece in pieces {
            mac.update(piece);
        }
        mac.finalize().into_bytes().into()
    }
}

/// The keys derived from the salt of a leaf, one for each use.
pub(super) struct LeafKeys(Mac);

impl LeafKeys {
    pub(super) fn new(salt: &Salt) -> Self {
        Self(Mac::new(salt))
    }

    /// The salt of the field at a JSON Pointer.
    pub(super) fn field(&self, pointer: &str) -> Salt {
        self.0.of(&[b"field:", pointer.as_bytes()])
    }

    /// The keyed digest of the event, over its bytes as stored.
    pub(super) fn event(&self, event: &str) -> Hash {
        Mac::new(&self.0.of(&[b"event"])).of(&[event.as_bytes()])
    }

    /// The keyed digest of the document, over the 64 hexadecimal digits of its SHA-256.
    pub(super) fn document(&self, document: &str) -> Hash {
        Mac::new(&self.0.of(&[b"document"])).of(&[document.as_bytes()])
    }

    /// The salt of the commitment.
    pub(super) fn commitment(&self) -> Salt {
        self.0.of(&[b"commitment"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epcis_edge_text::digits::to_hex;

    #[test]
    fn the_vectors_of_rfc_4231() {
        // Cases 1 and 2. HMAC pads short keys with zeros, so padding them here changes nothing.
        let padded = |key: &[u8]| {
            let mut whole = [0; 32];
            for (byte, of_key) in whole.iter_mut().zip(key) {
                *byte = *of_key;
            }
            whole
        };
        let code = |key: &[u8], pieces: &[&[u8]]| to_hex(&Mac::new(&padded(key)).of(pieces));
        assert_eq!(
            code(&[0x0b; 20], &[b"Hi There"]),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
        assert_eq!(
            code(b"Jefe", &[b"what do ya want ", b"for nothing?"]),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn every_use_has_a_key_of_its_own() {
        let keys = LeafKeys::new(&[1; 32]);
        let text = "event";
        let all = [
            keys.field(""),
            keys.field("/a"),
            keys.event(text),
            keys.document(text),
            keys.commitment(),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all.iter().skip(at + 1).any(|other| other == one));
        }
    }
}
