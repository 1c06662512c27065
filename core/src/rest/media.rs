//! Media types of requests: what a door takes, and what a caller would rather read.

use crate::error::{Error, ErrorKind};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::request::Parts;
use mediatype::names::CHARSET;
use mediatype::{MediaType, MediaTypeList, ReadParams};

/// Refuses every `Content-Type` but JSON in UTF-8.
pub(super) fn require_json(head: &Parts) -> Result<(), Error> {
    const EXPECTED: &str = "this door takes `application/json` or `application/ld+json` in UTF-8; XML belongs to /translate";
    require(
        head,
        &["application/json", "application/ld+json"],
        &["utf-8"],
        EXPECTED,
    )
}

/// Refuses every `Content-Type` but XML; which encoding it is, the document itself says.
pub(super) fn require_xml(head: &Parts) -> Result<(), Error> {
    const EXPECTED: &str = "this door takes `application/xml` or `text/xml`, an encoding other than UTF-8 or UTF-16 named in \
                            the XML declaration alone; JSON belongs to /validate or /hash";
    require(
        head,
        &["application/xml", "text/xml"],
        &["utf-8", "utf-16"],
        EXPECTED,
    )
}

/// Refuses every `Content-Type` but that of a JSON-RPC message.
pub(super) fn require_message(head: &Parts) -> Result<(), Error> {
    const EXPECTED: &str = "this door takes JSON-RPC messages as `application/json` in UTF-8";
    require(head, &["application/json"], &["utf-8"], EXPECTED)
}

fn require(
    head: &Parts,
    essences: &[&str],
    charsets: &[&str],
    expected: &'static str,
) -> Result<(), Error> {
    let refusal = |found| Err(Error::new(ErrorKind::MediaType { found, expected }));
    let Some(header) = head.headers.get(CONTENT_TYPE) else {
        return refusal(None);
    };
    let found = String::from_utf8_lossy(header.as_bytes());
    let is_served = MediaType::parse(&found).is_ok_and(|media_type| {
        let essence = media_type.essence().to_string();
        let charset = media_type
            .get_param(CHARSET)
            .map(|charset| charset.unquoted_str().into_owned());
        let is_one_of =
            |name: &str, names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        is_one_of(&essence, essences) && charset.is_none_or(|charset| is_one_of(&charset, charsets))
    });
    if is_served {
        Ok(())
    } else {
        refusal(Some(found.into_owned()))
    }
}

/// Whether the caller names HTML before JSON, as browsers do.
pub(super) fn prefers_html(head: &Parts) -> bool {
    let accept = head
        .headers
        .get(ACCEPT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let first = MediaTypeList::new(accept)
        .flatten()
        .map(|media_type| media_type.essence().to_string())
        .find(|essence| {
            [
                "text/html",
                "application/xhtml+xml",
                "application/json",
                "application/*",
            ]
            .contains(&essence.as_str())
        });
    first.is_some_and(|essence| essence.ends_with("html") || essence.ends_with("xhtml+xml"))
}
