//! Headers of the binding: what the caller requests, and whether it is available.
//!
//! **Source**: EPCIS 2.0, 12 (custom headers).

use crate::service::DefaultEpcFormat;
use crate::store::ErrorBehaviour;
use epcis_edge_text::error::{BindingFault, Error, ErrorKind};
use http::request::Parts;

/// The value of a header that may occur once.
///
/// # Errors
/// [`BindingFault::HeaderValue`] if the header is repeated or is not visible ASCII.
pub(crate) fn one<'h>(head: &'h Parts, header: &'static str) -> Result<Option<&'h str>, Error> {
    let mut values = head.headers.get_all(header).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let refused = |expected| {
        Error::from(BindingFault::HeaderValue {
            header,
            found: String::from_utf8_lossy(value.as_bytes()).into_owned(),
            expected,
        })
    };
    if values.next().is_some() {
        return Err(refused("the header once"));
    }
    let text = value.to_str().map_err(|_| refused("visible ASCII"))?;
    Ok(Some(text.trim()))
}

/// The first two numbers of a dotted version; patch versions are compatible.
type Version = (u64, u64);

/// The value of a negotiation header. A malformed value is refused like one that is not available.
///
/// # Errors
/// [`BindingFault::NotAcceptable`] if the header is repeated or is not visible ASCII.
fn negotiated<'h>(
    head: &'h Parts,
    header: &'static str,
    expected: &'static str,
) -> Result<Option<&'h str>, Error> {
    one(head, header).map_err(|error| match error.kind() {
        ErrorKind::Binding(BindingFault::HeaderValue { found, .. }) => {
            not_acceptable(header, found, expected)
        }
        _ => error,
    })
}

/// # Errors
/// [`BindingFault::NotAcceptable`] if the text is not a version.
fn version(header: &'static str, found: &str) -> Result<Version, Error> {
    let numbers = found.split('.').map(|number| {
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| number.parse().unwrap_or(u64::MAX))
    });
    let numbers: Option<Vec<u64>> = numbers.collect();
    let numbers = numbers.ok_or_else(|| not_acceptable(header, found, VERSION))?;
    let at = |place: usize| numbers.get(place).copied().unwrap_or(0);
    Ok((at(0), at(1)))
}

const VERSION: &str = "once a version of numbers with dots, such as 2.0.0";

/// The version of all answers.
const SERVED: Version = (2, 0);

/// Refuses versions that are not served, whether of a captured document or of the answer.
///
/// # Errors
/// [`BindingFault::NotAcceptable`].
pub(crate) fn require_versions(head: &Parts, is_xml: bool) -> Result<(), Error> {
    for header in ["GS1-EPCIS-Version", "GS1-CBV-Version"] {
        if let Some(found) = negotiated(head, header, VERSION)? {
            let asked = version(header, found)?;
            if asked != SERVED && !(is_xml && asked.0 == 1) {
                let expected = if is_xml { "1.0 to 2.0" } else { "2.0" };
                return Err(not_acceptable(header, found, expected));
            }
        }
    }
    for [min, max] in [["GS1-EPCIS-Min", "GS1-EPCIS-Max"], ["GS1-CBV-Min", "GS1-CBV-Max"]] {
        let found = [negotiated(head, min, VERSION)?, negotiated(head, max, VERSION)?];
        let from = found[0].map(|found| version(min, found)).transpose()?;
        let to = found[1].map(|found| version(max, found)).transpose()?;
        if let (Some(from), Some(found)) = (from, found[0])
            && from > SERVED
        {
            return Err(not_acceptable(min, found, "a range that includes 2.0"));
        }
        if let (Some(to), Some(found)) = (to, found[1])
            && to < SERVED
        {
            return Err(not_acceptable(max, found, "a range that includes 2.0"));
        }
    }
    Ok(())
}

fn not_acceptable(header: &'static str, found: &str, expected: &'static str) -> Error {
    let found = found.to_owned();
    BindingFault::NotAcceptable { header, found, expected }.into()
}

/// How identifiers are spelt in an answer.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EpcFormat {
    /// As they were captured.
    AsStored,
    DigitalLink,
    Urn,
}

impl From<DefaultEpcFormat> for EpcFormat {
    fn from(format: DefaultEpcFormat) -> Self {
        match format {
            DefaultEpcFormat::AsStored => Self::AsStored,
            DefaultEpcFormat::DigitalLink => Self::DigitalLink,
        }
    }
}

impl EpcFormat {
    /// # Errors
    /// [`BindingFault::NotAcceptable`] for a word that the standard does not define.
    pub(crate) fn requested(head: &Parts) -> Result<Option<Self>, Error> {
        const HEADER: &str = "GS1-EPC-Format";
        const WORDS: &str =
            "one of No_Preference, Always_GS1_Digital_Link, Always_EPC_URN, Never_Translates";
        Ok(match negotiated(head, HEADER, WORDS)? {
            None | Some("No_Preference") => None,
            Some("Never_Translates") => Some(Self::AsStored),
            Some("Always_GS1_Digital_Link") => Some(Self::DigitalLink),
            Some("Always_EPC_URN") => Some(Self::Urn),
            Some(found) => return Err(not_acceptable(HEADER, found, WORDS)),
        })
    }

    /// The word of the standard.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::AsStored => "Never_Translates",
            Self::DigitalLink => "Always_GS1_Digital_Link",
            Self::Urn => "Always_EPC_URN",
        }
    }

    /// # Errors
    /// [`BindingFault::NotAcceptable`] always: the caller requires a format that this answer cannot have.
    pub(crate) fn refused<T>(self, expected: &'static str) -> Result<T, Error> {
        Err(not_acceptable("GS1-EPC-Format", self.as_str(), expected))
    }
}

/// Refuses a format of vocabulary terms in XML that is not served.
///
/// # Errors
/// [`BindingFault::NotAcceptable`].
pub(crate) fn require_cbv_xml_format(head: &Parts, is_xml: bool) -> Result<(), Error> {
    const HEADER: &str = "GS1-CBV-XML-Format";
    const WORDS: &str = "one of No_Preference, Always_URN";
    match negotiated(head, HEADER, WORDS)? {
        None | Some("No_Preference" | "Always_URN") => Ok(()),
        Some("Always_Web_URI" | "Never_Translates") if !is_xml => Ok(()),
        Some(found) => Err(not_acceptable(HEADER, found, WORDS)),
    }
}

/// Whether a capture with faulty events is rolled back or stores the others.
///
/// # Errors
/// [`BindingFault::NotAcceptable`].
pub(crate) fn error_behaviour(head: &Parts) -> Result<ErrorBehaviour, Error> {
    const HEADER: &str = "GS1-Capture-Error-Behaviour";
    const WORDS: &str = "one of rollback, proceed";
    let Some(found) = negotiated(head, HEADER, WORDS)? else {
        return Ok(ErrorBehaviour::default());
    };
    ErrorBehaviour::named(found).ok_or_else(|| not_acceptable(HEADER, found, WORDS))
}

/// The prefixes that the caller binds, each with its namespace.
///
/// # Errors
/// [`BindingFault::HeaderValue`].
pub(crate) fn extensions(head: &Parts) -> Result<Vec<(String, String)>, Error> {
    const HEADER: &str = "GS1-Extensions";
    const EXPECTED: &str = "pairs such as ext=https://example.com/ns/ with commas between, each prefix once, at most 100";
    let mut pairs: Vec<(String, String)> = Vec::new();
    for line in head.headers.get_all(HEADER) {
        let found = String::from_utf8_lossy(line.as_bytes());
        let refused = || {
            Error::from(BindingFault::HeaderValue {
                header: HEADER,
                found: found.clone().into_owned(),
                expected: EXPECTED,
            })
        };
        for pair in found.split(',').map(str::trim) {
            if pair.is_empty() {
                continue;
            }
            let (prefix, namespace) = pair.split_once('=').ok_or_else(refused)?;
            let (prefix, namespace) = (prefix.trim(), namespace.trim());
            let is_prefix = !prefix.is_empty()
                && prefix
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
            let known = pairs.iter().find(|(known, _)| known == prefix);
            let is_other = known.is_some_and(|(_, known)| known != namespace);
            if !is_prefix || !namespace.contains(':') || is_other || pairs.len() == 100 {
                return Err(refused());
            }
            if known.is_none() {
                pairs.push((prefix.to_owned(), namespace.to_owned()));
            }
        }
    }
    Ok(pairs)
}

/// Whether a request without a key is meant for the binding, because it has a header that the demo does not have.
pub(crate) fn asks_for_binding(head: &Parts) -> bool {
    ["GS1-EPC-Format", "GS1-CBV-XML-Format", "GS1-Extensions", "GS1-Capture-Error-Behaviour"]
        .iter()
        .any(|header| head.headers.contains_key(*header))
}

/// The longest time that an empty answer of a feed is held back, in seconds.
const MAX_WAIT: u64 = 20;

/// How many seconds the caller is willing to wait for an event, from `Prefer: wait=20`; at most [`MAX_WAIT`].
///
/// A value that cannot be parsed counts as no preference.
///
/// **Source**: RFC 7240, 4.3.
pub(crate) fn wait(head: &Parts) -> Option<u64> {
    let values = head.headers.get_all("prefer").iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    let mut preferences = texts.flat_map(|text| text.split(','));
    let seconds = preferences.find_map(|preference| {
        let (name, value) = preference.split(';').next()?.split_once('=')?;
        let is_wait = name.trim().eq_ignore_ascii_case("wait");
        is_wait.then(|| value.trim().trim_matches('"').parse::<u64>().ok())
    });
    let seconds = seconds.flatten().filter(|seconds| *seconds > 0);
    seconds.map(|seconds| seconds.min(MAX_WAIT))
}
