//! The hash URI of an event.

use super::profile::{CbvVersion, Profile};
use epcis_edge_text::digits::{digest_of_hex, to_hex};
use epcis_edge_text::error::{Error, ErrorKind};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

const SCHEME: &str = "ni:///sha-256;";
const VERSION: &str = "?ver=";

/// The hash of an event: a SHA-256 digest and a CBV version.
///
/// **Shape**: printed and parsed as `ni:///sha-256;`, 64 hexadecimal digits (printed in lower case), `?ver=CBV2.0` or
/// `?ver=CBV2.1`.
///
/// # Example
/// ```
/// use epcis_edge_document::hash::EventHash;
/// let uri = "ni:///sha-256;7aa6d15415d4b429d7c4f7b3f1aaebcdbd9a12ad5c6ff4951247b61e621b9659?ver=CBV2.0";
/// let hash: EventHash = uri.parse()?;
/// assert_eq!(hash.digest()[0], 0x7a);
/// assert_eq!(hash.to_string(), uri);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: CBV 2.0, 8.9.2; RFC 6920 for the URI.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventHash {
    digest: [u8; 32],
    version: CbvVersion,
}

impl EventHash {
    pub(super) fn new(digest: [u8; 32], profile: Profile) -> Self {
        Self { digest, version: profile.label() }
    }

    /// The SHA-256 digest of the pre-hash string.
    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The version after `?ver=`.
    #[must_use]
    pub fn version(&self) -> CbvVersion {
        self.version
    }
}

impl fmt::Display for EventHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SCHEME)?;
        f.write_str(&to_hex(&self.digest))?;
        f.write_str(VERSION)?;
        f.write_str(self.version.as_str())
    }
}

/// As its URI.
impl Serialize for EventHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Its `template` is the type in TypeScript.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for EventHash {
    fn schema_name() -> Cow<'static, str> {
        "EventHash".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let about =
            "An event hash: a URI of the form `ni:///sha-256;<64 hexadecimal digits>?ver=CBV2.0`.";
        let versions = CbvVersion::ALL.map(|version| format!("'{}'", version.as_str())).join(" | ");
        let template = format!("{SCHEME}${{string}}{VERSION}${{{versions}}}");
        schemars::json_schema!({"description": about, "type": "string", "template": template})
    }
}

impl fmt::Debug for EventHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventHash({self})")
    }
}

impl FromStr for EventHash {
    type Err = Error;

    /// # Errors
    /// [`ErrorKind::EventHash`] for any other text.
    fn from_str(uri: &str) -> Result<Self, Error> {
        parse(uri).ok_or_else(|| Error::new(ErrorKind::EventHash(uri.to_owned())))
    }
}

fn parse(uri: &str) -> Option<EventHash> {
    let (digits, version) = uri.strip_prefix(SCHEME)?.split_once(VERSION)?;
    let version = match version {
        "CBV2.0" => CbvVersion::V2_0,
        "CBV2.1" => CbvVersion::V2_1,
        _ => return None,
    };
    let digest = digest(digits)?;
    Some(EventHash { digest, version })
}

/// The form in which the names of events are compared, everywhere.
///
/// **Shape**: an event hash with its digits in lower case (CBV 2.0, 8.9), any other URI byte for byte.
pub fn event_name(text: &str) -> Cow<'_, str> {
    let digits = text.strip_prefix(SCHEME).and_then(|rest| rest.get(..64));
    // Only its digits have two cases.
    let has_capitals =
        digits.is_some_and(|digits| digits.bytes().any(|digit| digit.is_ascii_uppercase()));
    match has_capitals.then(|| parse(text)).flatten() {
        Some(hash) => Cow::Owned(hash.to_string()),
        None => Cow::Borrowed(text),
    }
}

/// Whether a text is an event hash as it is printed, which most names that are hashes are: digits in lower case, a version, no more.
pub fn is_printed_hash(text: &str) -> bool {
    let parts = text.strip_prefix(SCHEME).and_then(|rest| rest.split_at_checked(64));
    parts.is_some_and(|(digits, version)| {
        // To the end in any case, so that sixteen digits are compared at once (`check_speed`: 4 % of a check).
        let are_digits = digits.bytes().fold(true, |are, byte| {
            are & ((byte.wrapping_sub(b'0') < 10) | (byte.wrapping_sub(b'a') < 6))
        });
        are_digits && matches!(version, "?ver=CBV2.0" | "?ver=CBV2.1")
    })
}

/// Decodes 64 hexadecimal digits of either case.
pub(super) fn digest(digits: &str) -> Option<[u8; 32]> {
    digest_of_hex(&digits.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_comes_back_as_it_was() {
        let digits = "0123456789abcdef".repeat(4);
        for profile in Profile::ALL {
            let uri = format!("ni:///sha-256;{digits}?ver={}", profile.label().as_str());
            let hash: EventHash = uri.parse().unwrap();
            assert_eq!(hash.to_string(), uri);
            assert_eq!(hash.version(), profile.label());
        }
        let upper = format!("ni:///sha-256;{}?ver=CBV2.0", digits.to_uppercase());
        let hash: EventHash = upper.parse().unwrap();
        assert_eq!(hash.to_string(), format!("ni:///sha-256;{digits}?ver=CBV2.0"));
    }

    #[test]
    fn whatever_else_is_refused() {
        let digits = "0123456789abcdef".repeat(4);
        let short = digits.strip_prefix('0').unwrap();
        for uri in [
            String::new(),
            "urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8".to_owned(),
            format!("ni:///sha-256;{digits}"),
            format!("ni:///sha-256;{digits}?ver=CBV1.2"),
            format!("ni:///sha-256;{digits}?ver=REF2025"),
            format!("ni:///sha-256;{digits}0?ver=CBV2.0"),
            format!("ni:///sha-512;{digits}?ver=CBV2.0"),
            format!("ni:///sha-256;{short}?ver=CBV2.0"),
            format!("ni:///sha-256;{short}é?ver=CBV2.0"),
        ] {
            let error = uri.parse::<EventHash>().unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::EventHash(uri));
        }
    }
}
