//! The values in the paths of the binding, each decoded once.

use epcis_edge_text::error::{BindingFault, Error};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// A value of a path, decoded once.
///
/// # Errors
/// [`BindingFault::PathValue`] for invalid percent-encoding or UTF-8, for control characters, and for an empty value.
pub(crate) fn decoded(raw: &str) -> Result<String, Error> {
    let refused = || {
        Error::from(BindingFault::PathValue {
            found: raw.to_owned(),
            expected: "percent-encoded UTF-8 without control characters",
        })
    };
    let mut escapes = raw.split('%').skip(1).map(|after| after.as_bytes().first_chunk::<2>());
    if !escapes.all(|digits| digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)))
    {
        return Err(refused());
    }
    let text = percent_decode_str(raw).decode_utf8().map_err(|_| refused())?;
    if text.is_empty() || text.contains(char::is_control) {
        return Err(refused());
    }
    Ok(text.into_owned())
}

/// A value as one segment of a path.
pub(crate) fn encoded(value: &str) -> String {
    /// All characters except those that RFC 3986 (2.3) leaves unreserved.
    const RESERVED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(value, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded_once() {
        assert_eq!(decoded("https:%2f%2fa%252F").unwrap(), "https://a%2F");
        for bad in ["%", "%2", "%zz", "%00", "a%0a", "%ff", ""] {
            assert!(decoded(bad).is_err(), "{bad}");
        }
        let value = "ni:///sha-256;é?ver=CBV2.0%";
        assert_eq!(decoded(&encoded(value)).unwrap(), value);
    }
}
