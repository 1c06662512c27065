//! The three versions of "the CBV hash" in use, as sets of switches.
//!
//! Why three hash profiles?
//! Published tools disagree on what `CBV2.0` means. A hash is worthless as evidence if its version is unknown.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

use crate::vocabulary::MEASUREMENT_TYPE;
use epcis_edge_text::error::Error;

/// The published version of the algorithm to follow.
///
/// Different tools compute different digests under the same label, `CBV2.0`, so always state the profile.
/// The three agree for events without sensor data, extensions inside standard fields, `certificationInfo`, and source or
/// destination lists. Rare exceptions are unusual numbers and serials, names and values with the prefix `gs1`, a TransactionEvent
/// with both `parentID` and `epcList`, and documents that name fields to ignore.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// The text of CBV 2.0, as in the reference implementation since 2026 and in OpenEPCIS.
    #[default]
    Cbv20,
    /// The draft of CBV 2.1.
    Cbv21,
    /// The reference implementation until 2025, and tools built after it. Its label is also `CBV2.0`.
    Ref2025,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Cbv20, Self::Cbv21, Self::Ref2025];

    /// The name: `CBV2.0`, `CBV2.1` or `REF2025`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cbv20 => "CBV2.0",
            Self::Cbv21 => "CBV2.1",
            Self::Ref2025 => "REF2025",
        }
    }

    /// The version after `?ver=` in hash URIs of this profile.
    #[must_use]
    pub fn label(self) -> CbvVersion {
        match self {
            Self::Cbv20 | Self::Ref2025 => CbvVersion::V2_0,
            Self::Cbv21 => CbvVersion::V2_1,
        }
    }

    pub(super) const fn switches(self) -> Switches {
        let until_2025 = matches!(self, Self::Ref2025);
        Switches {
            writes_sensor_element_list: !matches!(self, Self::Cbv20),
            moves_extensions: matches!(self, Self::Cbv20),
            sorts_business_lists: until_2025,
            hashes_certification_info: until_2025,
            gs1_vocabulary: if until_2025 {
                MEASUREMENT_TYPE.web
            } else {
                MEASUREMENT_TYPE.hashed_web
            },
            rounds_numbers: until_2025,
            adds_escapes: until_2025,
            obeys_ignore_fields: until_2025,
            puts_parent_first: until_2025,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// As its name.
impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Profile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Profile".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let about = "A version of the event hash algorithm. Published tools disagree, so there are three.\n\n\
            `CBV2.0`, the default, follows the ratified standard. `CBV2.1` follows the draft of its successor. `REF2025` computes \
            what the reference implementation of 2025 does, and the tools based on it.";
        schemars::json_schema!({"description": about, "enum": Self::ALL.map(Self::as_str)})
    }
}

impl FromStr for Profile {
    type Err = Error;

    /// # Errors
    /// [`ErrorKind::QueryParameter`](epcis_edge_text::error::ErrorKind::QueryParameter) for every other name.
    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|profile| profile.as_str() == name);
        known.ok_or_else(|| {
            Error::query_parameter("profile", name, "`CBV2.0`, `CBV2.1` or `REF2025`")
        })
    }
}

/// The version of the CBV that a hash URI names.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CbvVersion {
    /// `CBV2.0`
    V2_0,
    /// `CBV2.1`
    V2_1,
}

impl CbvVersion {
    /// Every version.
    pub(super) const ALL: [Self; 2] = [Self::V2_0, Self::V2_1];

    /// The version as the URI writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2_0 => "CBV2.0",
            Self::V2_1 => "CBV2.1",
        }
    }

    /// The version with this name, in any case.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.as_str().eq_ignore_ascii_case(name))
    }
}

/// The nine points in which the profiles differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Switches {
    /// Whether the word `sensorElementList` is written.
    pub(super) writes_sensor_element_list: bool,
    /// Whether extensions inside a standard field are written after all standard fields, with the field's path in front, and not
    /// at the end of their field.
    pub(super) moves_extensions: bool,
    /// Whether the lists of business transactions, sources and destinations are among the sorted pieces at the end.
    pub(super) sorts_business_lists: bool,
    /// Whether `certificationInfo` is hashed.
    pub(super) hashes_certification_info: bool,
    /// The namespace that `gs1:` stands for.
    pub(super) gs1_vocabulary: &'static str,
    /// Whether numbers are rounded to a 64-bit float.
    pub(super) rounds_numbers: bool,
    /// Whether converted URNs get percent-escapes that the URN did not have.
    pub(super) adds_escapes: bool,
    /// Whether a document may name fields to leave out of the hash.
    pub(super) obeys_ignore_fields: bool,
    /// Whether `parentID` is written before `epcList`. Only a TransactionEvent can have both.
    pub(super) puts_parent_first: bool,
}
