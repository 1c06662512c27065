//! Media types of requests: what a door takes, and what a caller would rather read.

use crate::error::{Error, ErrorKind};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::request::Parts;
use mediatype::names::CHARSET;
use mediatype::{MediaType, MediaTypeList, ReadParams};

/// Refuses every `Content-Type` but JSON in UTF-8.
pub(super) fn require_json(head: &Parts) -> Result<(), Error> {
    const EXPECTED: &str = "this door takes `application/json` or `application/ld+json` in UTF-8; XML belongs to /translate";
    let refusal = |found| {
        Err(Error::new(ErrorKind::MediaType {
            found,
            expected: EXPECTED,
        }))
    };
    let Some(header) = head.headers.get(CONTENT_TYPE) else {
        return refusal(None);
    };
    let found = String::from_utf8_lossy(header.as_bytes());
    let is_json = MediaType::parse(&found).is_ok_and(|media_type| {
        let essence = media_type.essence().to_string();
        let is_utf8 = media_type
            .get_param(CHARSET)
            .is_none_or(|charset| charset.unquoted_str().eq_ignore_ascii_case("utf-8"));
        ["application/json", "application/ld+json"]
            .iter()
            .any(|json| essence.eq_ignore_ascii_case(json))
            && is_utf8
    });
    if is_json {
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
