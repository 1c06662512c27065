//! Paths of the binding: which resource they name, under which mount.
//!
//! A path is taken apart before anything in it is decoded, and each value is decoded once.

use crate::error::{BindingFault, Error};
use crate::query::Collection;
use http::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The prefix under which the binding stands once more, always with a key.
const PREFIX: &str = "/epcis";

/// Under which path the binding was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mount {
    /// Beside the other doors.
    Root,
    /// Under `/epcis`.
    Prefix,
}

impl Mount {
    /// What stands before the path of a resource.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Root => "",
            Self::Prefix => PREFIX,
        }
    }
}

/// A resource of the binding; values are as they stand in the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource<'p> {
    Top,
    Jobs,
    Job(&'p str),
    Events,
    Event(&'p str),
    Values(Collection),
    Value(Collection, &'p str),
    ValueEvents(Collection, &'p str),
    Queries,
    Query(&'p str),
    QueryEvents(&'p str),
    Subscriptions(&'p str),
    Subscription(&'p str, &'p str),
    PageToken(&'p str),
}

/// The resource of a path, if it is one of the binding.
pub(crate) fn find(path: &str) -> Option<(Mount, Resource<'_>)> {
    let (mount, rest) = match path.strip_prefix(PREFIX) {
        Some("") => (Mount::Prefix, "/"),
        Some(rest) if rest.starts_with('/') => (Mount::Prefix, rest),
        _ => (Mount::Root, path),
    };
    let rest = rest.strip_prefix('/')?;
    if rest.is_empty() {
        return Some((mount, Resource::Top));
    }
    let (name, value) = match rest.split_once('/') {
        Some((name, value)) => (name, Some(value)),
        None => (rest, None),
    };
    if value == Some("") {
        return None;
    }
    let one = |value: &str| !value.contains('/');
    let resource = match (name, value) {
        ("capture", None) => Resource::Jobs,
        ("capture", Some(id)) if one(id) => Resource::Job(id),
        ("events", None) => Resource::Events,
        ("events", Some(id)) => Resource::Event(id),
        ("queries", None) => Resource::Queries,
        ("queries", Some(value)) => {
            let steps: Vec<&str> = value.split('/').collect();
            match steps.as_slice() {
                [name] => Resource::Query(name),
                [name, "events"] => Resource::QueryEvents(name),
                [name, "subscriptions"] => Resource::Subscriptions(name),
                [name, "subscriptions", id] if !id.is_empty() => Resource::Subscription(name, id),
                _ => return None,
            }
        }
        ("nextPageToken", Some(token)) if one(token) => Resource::PageToken(token),
        _ => {
            let collection = Collection::ALL
                .into_iter()
                .find(|collection| collection.name() == name)?;
            match value {
                None => Resource::Values(collection),
                Some(value) => match value.strip_suffix("/events") {
                    Some("") => return None,
                    Some(value) => Resource::ValueEvents(collection, value),
                    None => Resource::Value(collection, value),
                },
            }
        }
    };
    Some((mount, resource))
}

impl Resource<'_> {
    /// The methods that are worked for, `OPTIONS` aside.
    fn methods(self) -> &'static [Method] {
        const GET: &[Method] = &[Method::GET];
        const GET_POST: &[Method] = &[Method::GET, Method::POST];
        const GET_DELETE: &[Method] = &[Method::GET, Method::DELETE];
        match self {
            Self::Jobs | Self::Events | Self::Queries => GET_POST,
            Self::Query(_) => GET_DELETE,
            Self::PageToken(_) => &[],
            _ => GET,
        }
    }

    /// The `Allow` header.
    pub(crate) fn allow(self) -> String {
        let mut allow = String::new();
        for method in self.methods() {
            allow.push_str(method.as_str());
            allow.push_str(", ");
            if *method == Method::GET {
                allow.push_str("HEAD, ");
            }
        }
        allow + "OPTIONS"
    }

    /// Whether a method is worked for, or is refused as what the standard has and this service does not.
    pub(crate) fn has(self, method: &Method) -> bool {
        let is_refused = matches!(
            (self, method),
            (Self::Subscriptions(_), &Method::POST)
                | (Self::Subscription(..) | Self::PageToken(_), &Method::DELETE)
        );
        is_refused
            || self.methods().contains(method)
            || *method == Method::HEAD && self.methods().contains(&Method::GET)
    }
}

/// A value of a path, decoded once.
///
/// # Errors
/// [`BindingFault::PathValue`] for what is no percent-encoded UTF-8, and for control characters.
pub(crate) fn decoded(raw: &str) -> Result<String, Error> {
    let refused = || {
        Error::from(BindingFault::PathValue {
            found: raw.to_owned(),
            expected: "percent-encoded UTF-8 without control characters",
        })
    };
    let mut escapes = raw
        .split('%')
        .skip(1)
        .map(|after| after.as_bytes().first_chunk::<2>());
    if !escapes.all(|digits| digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)))
    {
        return Err(refused());
    }
    let text = percent_decode_str(raw)
        .decode_utf8()
        .map_err(|_| refused())?;
    if text.is_empty() || text.contains(char::is_control) {
        return Err(refused());
    }
    Ok(text.into_owned())
}

/// A value as one segment of a path.
pub(crate) fn encoded(value: &str) -> String {
    /// All but what RFC 3986 (2.3) leaves unreserved.
    const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    utf8_percent_encode(value, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<(Mount, Resource<'_>)>) {
        assert_eq!(find(path), expected, "{path}");
    }

    #[test]
    fn a_path_names_its_resource() {
        use Mount::{Prefix, Root};
        check("/", Some((Root, Resource::Top)));
        check("/epcis", Some((Prefix, Resource::Top)));
        check("/epcis/", Some((Prefix, Resource::Top)));
        check("/epcs", Some((Root, Resource::Values(Collection::Epcs))));
        check("/epcisx", None);
        check("/capture", Some((Root, Resource::Jobs)));
        check("/epcis/capture/c-1", Some((Prefix, Resource::Job("c-1"))));
        for none in [
            "",
            "/nothing",
            "/capture/",
            "/capture/a/b",
            "/epcs/",
            "/epcs//events",
            "/queries/a/b",
            "/queries/a/subscriptions/",
            "/nextPageToken",
        ] {
            check(none, None);
        }
        check(
            "/events/ni:///sha-256;ab",
            Some((Root, Resource::Event("ni:///sha-256;ab"))),
        );
        check(
            "/epcs/https://id.gs1.org/01/1/21/events/events",
            Some((
                Root,
                Resource::ValueEvents(Collection::Epcs, "https://id.gs1.org/01/1/21/events"),
            )),
        );
        check(
            "/bizSteps/shipping",
            Some((Root, Resource::Value(Collection::BizSteps, "shipping"))),
        );
        check(
            "/queries/a%2Fb/subscriptions/c",
            Some((Root, Resource::Subscription("a%2Fb", "c"))),
        );
    }

    #[test]
    fn values_are_decoded_once() {
        assert_eq!(decoded("https:%2f%2fa%252F").unwrap(), "https://a%2F");
        for bad in ["%", "%2", "%zz", "%00", "a%0a", "%ff", ""] {
            assert!(decoded(bad).is_err(), "{bad}");
        }
        let value = "ni:///sha-256;é?ver=CBV2.0%";
        assert_eq!(decoded(&encoded(value)).unwrap(), value);
    }

    #[test]
    fn what_is_allowed_is_derived() {
        assert_eq!(Resource::Jobs.allow(), "GET, HEAD, POST, OPTIONS");
        assert_eq!(Resource::Query("q").allow(), "GET, HEAD, DELETE, OPTIONS");
        assert_eq!(Resource::Subscriptions("q").allow(), "GET, HEAD, OPTIONS");
        assert!(Resource::Subscriptions("q").has(&Method::POST));
        assert!(!Resource::Top.has(&Method::POST));
    }
}
