//! The claim that the name of an event makes: that it is the event's hash.

use super::EventHash;
use super::profile::{CbvVersion, Profile};

/// The claim that the name of an event makes.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The name is not a hash name.
    None,
    /// The name begins like a hash name (`ni:`, in any case) but cannot be checked: another algorithm, missing digits, or a
    /// version that was never published.
    Malformed,
    /// The name claims to be the hash of the event.
    Hash {
        /// The SHA-256 in the name.
        digest: [u8; 32],
        /// The version after `ver=`, if given.
        version: Option<CbvVersion>,
    },
}

impl Claim {
    /// Reads the claim of a name. Parameters other than `ver` are ignored.
    pub fn of(name: &str) -> Self {
        let name = name.trim();
        let Some((scheme, rest)) = name.split_once(':') else {
            return Self::None;
        };
        if !scheme.eq_ignore_ascii_case("ni") {
            return Self::None;
        }
        hash(rest).unwrap_or(Self::Malformed)
    }

    /// Whether the name claims to be the hash of the event.
    pub fn is_hash(self) -> bool {
        matches!(self, Self::Hash { .. })
    }

    /// Whether the claim is true, given the hash of the event under one profile.
    pub fn is_met_by(self, hash: &EventHash) -> bool {
        match self {
            Self::Hash { digest, version } => {
                digest == *hash.digest() && version.is_none_or(|version| version == hash.version())
            }
            Self::None | Self::Malformed => false,
        }
    }

    /// The profiles under which this may be the hash of an event: those of the claimed version, or all.
    pub fn profiles(self) -> impl Iterator<Item = Profile> {
        let fits = move |profile: &Profile| match self {
            Self::Hash { version, .. } => version.is_none_or(|version| version == profile.label()),
            Self::None | Self::Malformed => false,
        };
        Profile::ALL.into_iter().filter(fits)
    }
}

fn hash(rest: &str) -> Option<Claim> {
    const START: &str = "///sha-256;";
    let start = rest.get(..START.len())?;
    if !start.eq_ignore_ascii_case(START) {
        return None;
    }
    let rest = rest.get(START.len()..)?;
    let (digits, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let mut version = None;
    for parameter in parameters.split('&') {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        if name.eq_ignore_ascii_case("ver") {
            let found = CbvVersion::named(value)?;
            // Two `ver` parameters are ambiguous.
            if version.replace(found).is_some() {
                return None;
            }
        }
    }
    let digest = super::event_hash::digest(digits)?;
    Some(Claim::Hash { digest, version })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_as_a_hash_name_counts_as_one() {
        let digits = "0123456789abcdef".repeat(4);
        let version = |name: &str| match Claim::of(name) {
            Claim::Hash { version, .. } => Some(version),
            _ => None,
        };
        for (name, expected) in [
            (format!("ni:///sha-256;{digits}?ver=CBV2.0"), Some(CbvVersion::V2_0)),
            (format!("NI:///SHA-256;{}?VER=cbv2.1", digits.to_uppercase()), Some(CbvVersion::V2_1)),
            (format!("Ni:///sha-256;{digits}"), None),
            (format!("ni:///sha-256;{digits}?"), None),
            (format!("ni:///sha-256;{digits}?x&ver=CBV2.0&y=1"), Some(CbvVersion::V2_0)),
        ] {
            assert_eq!(version(&name), Some(expected), "{name}");
        }
        for name in [
            "ni:".to_owned(),
            "NI:whatever".to_owned(),
            format!("ni://a.example/sha-256;{digits}?ver=CBV2.0"),
            format!("ni:///sha-512;{digits}?ver=CBV2.0"),
            format!("ni:///sha-256;{digits}0?ver=CBV2.0"),
            format!("ni:///sha-256;{digits}?ver=CBV3.0"),
            format!("ni:///sha-256;{digits}?ver="),
            format!("ni:///sha-256;{digits}?ver=CBV2.0&ver=CBV2.0"),
            format!("ni:///sha-256;{digits}#x"),
            format!("ni:///sha-256;é{digits}"),
        ] {
            assert_eq!(Claim::of(&name), Claim::Malformed, "{name}");
        }
        for name in ["", "nih:sha-256;0", "urn:uuid:1", "https://a.example/ni:"] {
            assert_eq!(Claim::of(name), Claim::None, "{name}");
        }
    }
}
