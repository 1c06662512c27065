//! Proofs as COSE receipts: the hashes from a leaf to a root, and the log's signature of the root, in CBOR.
//!
//! **Source**: RFC 9942, 4.3 and 5.2 (receipts of inclusion); RFC 9052, 3, 4.2 and 4.4 (headers, `COSE_Sign1`, what is signed);
//! RFC 9597 (claims in headers).

use super::cbor::{Label, Major, Malformed, Reader, Writer};
use super::key::{KeyKind, Signer, VerifierKey, is_name};
use super::keyed::Salt;
use super::note::MAX_SIZE;
use super::proof::{Proof, salt_and_statement};
use super::tree::{Hash, MAX_PROOF, inclusion_root};
use epcis_edge_text::error::LogFault;

/// The maximum length of a receipt, in bytes.
pub const MAX_RECEIPT: usize = 256 << 10;

const COSE_SIGN1: u64 = 18;
const ALGORITHM: i64 = 1;
const CRITICAL: i64 = 2;
const KEY_ID: i64 = 4;
const CLAIMS: i64 = 15;
const ISSUER: i64 = 1;
const STRUCTURE: i64 = 395;
const PROOFS: i64 = 396;
const INCLUSION: i64 = -1;
const EDDSA: i64 = -8;
/// The tree of RFC 9162 over SHA-256, which is that of RFC 6962.
const RFC9162_SHA256: i64 = 1;
const EXTRA: &str = "epcis-edge/extra";

/// A parsed COSE receipt, not verified yet.
///
/// To verify it: compute the leaf hash, from [`extra`](Self::extra) or from your own data; compute the [`root`](Self::root) from
/// the leaf hash; check that the log's key has signed this root ([`is_signed_by`](Self::is_signed_by)).
///
/// The signature covers the root, the key id, the origin and the algorithms, but not the size of the tree: RFC 9942 signs only
/// the root. For example, a receipt for leaf 0 of 8 also verifies as one for leaf 0 of 7, because both paths have the same number
/// of hashes, on the same sides. It is still proved that the leaf is under the signed root. The size and the index are right only
/// if the root is known to be that of a tree of this size. A `.tlog-proof` has a signed size.
///
/// Can this signature pass for that of a note, or the reverse? Both are Ed25519 by one key, but over different messages. Here the
/// message is CBOR and begins with the byte 84 (hexadecimal), an array of four. The message of a note is UTF-8 text, which cannot
/// begin with 84, a continuation byte.
///
/// **Shape**: CBOR, `18([protected, unprotected, nil, signature])`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The salt and the text of the statement. They are not signed: recompute the leaf from them.
    pub extra: Option<(Salt, String)>,
    /// The origin of the log.
    pub origin: String,
    /// The id of the key that signed.
    pub key_id: [u8; 4],
    /// The number of leaves in the tree; not signed.
    pub size: u64,
    /// The index of the leaf, counted from 0.
    pub index: u64,
    /// The hashes on the path to the root, the leaf's sibling first.
    pub path: Vec<Hash>,
    /// The signature of the root.
    pub signature: [u8; 64],
    /// The protected header as received, because its bytes are signed.
    protected: Vec<u8>,
    /// The root, if the receipt contains it.
    payload: Option<Hash>,
}

impl Receipt {
    /// Makes the receipt of a proof in a tree with this size and root, signed with the log's key. Equal arguments give equal
    /// bytes.
    ///
    /// Nothing is verified: the proof must belong to this tree, and the key must be of kind [`KeyKind::Note`].
    #[must_use]
    pub fn of(proof: &Proof, size: u64, root: &Hash, signer: &Signer) -> Vec<u8> {
        let mut protected = Writer::default();
        protected.head(Major::Map, 4);
        protected.integer(ALGORITHM).integer(EDDSA);
        protected.integer(KEY_ID).bytes(&signer.key().id());
        protected.integer(CLAIMS).head(Major::Map, 1);
        protected.integer(ISSUER).text(signer.key().name());
        protected.integer(STRUCTURE).integer(RFC9162_SHA256);
        let protected = protected.0;
        let mut inclusion = Writer::default();
        inclusion.head(Major::Array, 3);
        inclusion.head(Major::Unsigned, size).head(Major::Unsigned, proof.index);
        inclusion.head(Major::Array, proof.path.len() as u64);
        for hash in &proof.path {
            inclusion.bytes(hash);
        }
        let mut receipt = Writer::default();
        receipt.head(Major::Tag, COSE_SIGN1).head(Major::Array, 4).bytes(&protected);
        receipt.head(Major::Map, 1 + u64::from(proof.extra.is_some()));
        receipt.integer(PROOFS).head(Major::Map, 1);
        receipt.integer(INCLUSION).head(Major::Array, 1).bytes(&inclusion.0);
        if let Some((salt, statement)) = &proof.extra {
            receipt.text(EXTRA).bytes(&[salt.as_slice(), statement.as_bytes()].concat());
        }
        receipt.null();
        receipt.bytes(&signer.sign(&signed_message(&protected, root)));
        receipt.0
    }

    /// Reads a receipt.
    ///
    /// Unknown headers are ignored, unless the receipt marks them as critical.
    ///
    /// **Limits**: 256 KiB, 63 hashes, 64 entries in a map, 8 nested containers; shortest forms, definite lengths, no repeated
    /// keys.
    ///
    /// # Errors
    /// [`LogFault::Receipt`]; [`LogFault::Index`] if the tree does not have the leaf.
    pub fn read(bytes: &[u8]) -> Result<Self, LogFault> {
        if bytes.len() > MAX_RECEIPT {
            return Err(LogFault::Receipt { at: MAX_RECEIPT, expected: "at most 256 KiB" });
        }
        const SIGN1: &str = "tag 18 and an array of 4, a COSE_Sign1";
        let mut reader = Reader::whole(bytes)?;
        let start = reader.clone();
        if reader.expect(Major::Tag, SIGN1)? != COSE_SIGN1
            || reader.expect(Major::Array, SIGN1)? != 4
        {
            return Err(start.fault(SIGN1).into());
        }
        let header = Protected::read(&mut reader)?;
        let unprotected = Unprotected::read(&mut reader, &header.keys)?;
        let payload = if reader.null() {
            None
        } else {
            Some(reader.array_of("nil or a root of 32 bytes as the payload")?)
        };
        let signature = reader.array_of("a signature of 64 bytes")?;
        let (size, index, path) = unprotected.inclusion;
        if index >= size {
            return Err(LogFault::Index { index, size });
        }
        Ok(Self {
            extra: unprotected.extra,
            origin: header.origin,
            key_id: header.key_id,
            size,
            index,
            path,
            signature,
            protected: header.bytes.to_vec(),
            payload,
        })
    }

    /// The root computed from a leaf hash and the path.
    ///
    /// # Errors
    /// [`LogFault::Index`], [`LogFault::ProofLength`]; [`LogFault::Inclusion`] if the receipt contains another root.
    pub fn root(&self, leaf: &Hash) -> Result<Hash, LogFault> {
        let root = inclusion_root(leaf, self.index, self.size, &self.path)?;
        if self.payload.is_none_or(|payload| payload == root) {
            Ok(root)
        } else {
            Err(LogFault::Inclusion)
        }
    }

    /// Whether the receipt names this log key and the key has signed this root.
    #[must_use]
    pub fn is_signed_by(&self, key: &VerifierKey, root: &Hash) -> bool {
        key.kind() == KeyKind::Note
            && key.id() == self.key_id
            && key.name() == self.origin
            && self.payload.is_none_or(|payload| payload == *root)
            && key.has_signed(&signed_message(&self.protected, root), &self.signature)
    }
}

/// The message that the log signs: the `Sig_structure` of RFC 9052 without external data.
fn signed_message(protected: &[u8], root: &Hash) -> Vec<u8> {
    let mut message = Writer::default();
    message.head(Major::Array, 4).text("Signature1").bytes(protected);
    message.bytes(&[]).bytes(root);
    message.0
}

/// The header that is signed.
struct Protected<'b> {
    bytes: &'b [u8],
    /// The encoded keys of the header.
    keys: Vec<&'b [u8]>,
    origin: String,
    key_id: [u8; 4],
}

impl<'b> Protected<'b> {
    fn read(reader: &mut Reader<'b>) -> Result<Self, Malformed> {
        const EXPECTED: &str = "a protected header, a byte string with a map";
        let start = reader.clone();
        let bytes = reader.clone().bytes(EXPECTED)?;
        let entries = reader.embedded(EXPECTED)?.map(EXPECTED)?;
        let keys = entries.iter().map(|entry| entry.key).collect();
        let (mut algorithm, mut structure, mut key_id, mut origin) = (None, None, None, None);
        for mut entry in entries {
            let value = &mut entry.value;
            match entry.label {
                Label::Number(ALGORITHM) => {
                    algorithm = Some(exactly(value, EDDSA, "the algorithm -8, EdDSA")?);
                }
                Label::Number(STRUCTURE) => {
                    let expected = "the structure 1, RFC9162_SHA256";
                    structure = Some(exactly(value, RFC9162_SHA256, expected)?);
                }
                Label::Number(KEY_ID) => key_id = Some(value.array_of("a key id of 4 bytes")?),
                Label::Number(CLAIMS) => origin = issuer(value)?,
                Label::Number(CRITICAL) => only_known(value)?,
                _ => {}
            }
        }
        match (algorithm, structure, key_id, origin) {
            (Some(_), Some(_), Some(key_id), Some(origin)) => Ok(Self {
                bytes,
                keys,
                origin,
                key_id,
            }),
            _ => Err(start.fault(
                "a protected header with algorithm (1), key id (4), issuer (15, 1) and structure (395)",
            )),
        }
    }
}

fn exactly(value: &mut Reader<'_>, wanted: i64, expected: &'static str) -> Result<(), Malformed> {
    let fault = value.fault(expected);
    if value.integer(expected)? == wanted { Ok(()) } else { Err(fault) }
}

/// The issuer in a map of claims: the origin of a log.
fn issuer(claims: &mut Reader<'_>) -> Result<Option<String>, Malformed> {
    const EXPECTED: &str = "the origin of a log as the issuer";
    for mut entry in claims.map("a map of claims")? {
        if entry.label == Label::Number(ISSUER) {
            let at = entry.value.clone();
            let origin = entry.value.text(EXPECTED)?;
            return if is_name(origin) {
                Ok(Some(origin.to_owned()))
            } else {
                Err(at.fault(EXPECTED))
            };
        }
    }
    Ok(None)
}

/// Refuses unknown critical headers.
fn only_known(critical: &mut Reader<'_>) -> Result<(), Malformed> {
    const EXPECTED: &str = "an array of known labels as critical";
    let start = critical.clone();
    let count = critical.expect(Major::Array, EXPECTED)?;
    for _ in 0..count {
        let at = critical.clone();
        match critical.label()? {
            Label::Number(ALGORITHM | KEY_ID | CLAIMS | STRUCTURE) => {}
            _ => return Err(at.fault(EXPECTED)),
        }
    }
    if count == 0 {
        return Err(start.fault(EXPECTED));
    }
    Ok(())
}

/// The header that is not signed.
struct Unprotected {
    extra: Option<(Salt, String)>,
    inclusion: (u64, u64, Vec<Hash>),
}

impl Unprotected {
    fn read(reader: &mut Reader<'_>, protected: &[&[u8]]) -> Result<Self, Malformed> {
        let start = reader.clone();
        let (mut extra, mut found) = (None, None);
        for mut entry in reader.map("a map as the unprotected header")? {
            if protected.contains(&entry.key) || entry.label == Label::Number(CRITICAL) {
                return Err(entry
                    .value
                    .fault("a header that is in one place, critical in the protected one"));
            }
            match entry.label {
                Label::Number(PROOFS) => found = Some(inclusion(&mut entry.value)?),
                Label::Text(EXTRA) => {
                    const EXPECTED: &str = "a salt of 32 bytes and a statement";
                    let fault = entry.value.fault(EXPECTED);
                    let bytes = entry.value.bytes(EXPECTED)?;
                    extra = salt_and_statement(bytes);
                    if extra.is_none() {
                        return Err(fault);
                    }
                }
                _ => {}
            }
        }
        let inclusion =
            found.ok_or_else(|| start.fault("proofs in the unprotected header (396)"))?;
        Ok(Self { extra, inclusion })
    }
}

/// Reads the only proof of inclusion: size, index and path.
fn inclusion(proofs: &mut Reader<'_>) -> Result<(u64, u64, Vec<Hash>), Malformed> {
    const ONE: &str = "one proof, of inclusion (-1), and no other";
    const PROOF: &str = "a byte string with an array of size, index and path";
    let start = proofs.clone();
    let mut entries = proofs.map(ONE)?.into_iter();
    let mut list = match (entries.next(), entries.next()) {
        (Some(entry), None) if entry.label == Label::Number(INCLUSION) => entry.value,
        _ => return Err(start.fault(ONE)),
    };
    if list.expect(Major::Array, ONE)? != 1 {
        return Err(start.fault(ONE));
    }
    let mut proof = list.embedded(PROOF)?;
    let start = proof.clone();
    if proof.expect(Major::Array, PROOF)? != 3 {
        return Err(start.fault(PROOF));
    }
    let at = proof.clone();
    let size = proof.expect(Major::Unsigned, "the size of a tree")?;
    if size > MAX_SIZE {
        return Err(at.fault("a size below 2^53"));
    }
    let index = proof.expect(Major::Unsigned, "the index of a leaf")?;
    let at = proof.clone();
    let count = proof.expect(Major::Array, "an array of hashes")?;
    let count = usize::try_from(count).ok().filter(|count| *count <= MAX_PROOF);
    let count = count.ok_or_else(|| at.fault("at most 63 hashes"))?;
    let mut path = Vec::with_capacity(count);
    for _ in 0..count {
        path.push(proof.array_of("a hash of 32 bytes")?);
    }
    Ok((size, index, path))
}
