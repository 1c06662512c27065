//! The three readings of "the CBV hash" that are in use, as sets of switches.
//!
//! Why three hash profiles?
//! Published tools disagree on what `CBV2.0` means; a hash that does not say which reading it follows is worthless as
//! evidence.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};
use crate::vocabulary::MEASUREMENT_TYPE;

/// Which published reading of the algorithm is followed.
///
/// One label, `CBV2.0`, means different digests in different tools; so say which reading was used.
/// Without sensor data, extensions inside standard fields, `certificationInfo` and source or destination lists all three agree
/// (but for unusual numbers and serials).
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// The text of CBV 2.0, the reference implementation since 2026, OpenEPCIS.
    #[default]
    Cbv20,
    /// The draft of CBV 2.1.
    Cbv21,
    /// The reference implementation as it was until 2025, and the tools built after it; its label is `CBV2.0` too.
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

    /// The version that hash URIs of this profile carry behind `?ver=`.
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

impl FromStr for Profile {
    type Err = Error;

    /// # Errors
    /// [`ErrorKind::QueryParameter`] for every other name.
    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::ALL
            .into_iter()
            .find(|profile| profile.as_str() == name);
        known.ok_or_else(|| {
            Error::new(ErrorKind::QueryParameter {
                name: "profile",
                found: name.to_owned(),
                expected: "`CBV2.0`, `CBV2.1` or `REF2025`",
            })
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
    /// The version as the URI writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2_0 => "CBV2.0",
            Self::V2_1 => "CBV2.1",
        }
    }

    /// The version of a name, in any case.
    pub(super) fn named(name: &str) -> Option<Self> {
        let mut versions = [Self::V2_0, Self::V2_1].into_iter();
        versions.find(|version| version.as_str().eq_ignore_ascii_case(name))
    }
}

/// The eight points in which the profiles differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Switches {
    /// The word `sensorElementList` is written.
    pub(super) writes_sensor_element_list: bool,
    /// Extensions inside a standard field stand behind all standard fields, with the field's path, not at the end of the field.
    pub(super) moves_extensions: bool,
    /// The lists of business transactions, sources and destinations stand among the sorted pieces at the end.
    pub(super) sorts_business_lists: bool,
    /// `certificationInfo` counts.
    pub(super) hashes_certification_info: bool,
    /// What `gs1:` stands for.
    pub(super) gs1_vocabulary: &'static str,
    /// Numbers go through a 64-bit float.
    pub(super) rounds_numbers: bool,
    /// Converted URNs get percent-escapes that they did not have.
    pub(super) adds_escapes: bool,
    /// A document may name fields that do not count.
    pub(super) obeys_ignore_fields: bool,
    /// `parentID` stands before `epcList`; a TransactionEvent alone can have both.
    pub(super) puts_parent_first: bool,
}
