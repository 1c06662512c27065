//! Media types: what an endpoint accepts, and what a caller prefers to receive.
//!
//! Why does a body without `Content-Type` get 415?
//! JSON and XML are read differently, often by different endpoints; a guess could go wrong silently.

use epcis_edge_text::error::{BindingFault, Error, ErrorKind};
use epcis_edge_text::slice::Known;
use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};
use http::request::Parts;
use mediatype::names::{CHARSET, Q};
use mediatype::{MediaType, MediaTypeList, ReadParams};

/// Refuses every `Content-Type` except JSON in UTF-8.
pub(super) fn require_json(head: &Parts) -> Result<(), Error> {
    const EXPECTED: &str = "this door takes `application/json` or `application/ld+json` in UTF-8; XML belongs to /translate, which \
                            judges it by the XML schema, too: `sourceVerdict` of its answer";
    require(head, &["application/json", "application/ld+json"], &["utf-8"], EXPECTED)
}

/// Refuses every `Content-Type` except XML. The document itself states its encoding.
pub(super) fn require_xml(head: &Parts) -> Result<(), Error> {
    const EXPECTED: &str = "this door takes `application/xml` or `text/xml`, an encoding other than UTF-8 or UTF-16 named in \
                            the XML declaration alone; JSON belongs to /validate or /hash";
    require(head, &["application/xml", "text/xml"], &["utf-8", "utf-16"], EXPECTED)
}

/// Refuses every `Content-Type` except that of a JSON-RPC message.
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
        let charset =
            media_type.get_param(CHARSET).map(|charset| charset.unquoted_str().into_owned());
        let is_one_of =
            |name: &str, names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        is_one_of(&essence, essences) && charset.is_none_or(|charset| is_one_of(&charset, charsets))
    });
    if is_served { Ok(()) } else { refusal(Some(found.into_owned())) }
}

/// Whether `Accept` names HTML before JSON, as browsers do.
pub(super) fn prefers_html(head: &Parts) -> bool {
    let accept = head.headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    let first = MediaTypeList::new(accept)
        .flatten()
        .map(|media_type| media_type.essence().to_string())
        .find(|essence| {
            ["text/html", "application/xhtml+xml", "application/json", "application/*"]
                .contains(&essence.as_str())
        });
    first.is_some_and(|essence| essence.ends_with("html") || essence.ends_with("xhtml+xml"))
}

/// The format of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyFormat {
    Json,
    Xml,
}

/// Whether the body is JSON or XML. A compressed body is refused.
pub(super) fn body_format(head: &Parts) -> Result<BodyFormat, Error> {
    require_plain(head)?;
    const EXPECTED: &str = "this door takes `application/json` or `application/ld+json` in UTF-8, or `application/xml` or \
                            `text/xml`";
    let charsets = ["utf-8", "utf-16"];
    match require(head, &["application/xml", "text/xml"], &charsets, EXPECTED) {
        Ok(()) => Ok(BodyFormat::Xml),
        Err(_) => require(head, &["application/json", "application/ld+json"], &["utf-8"], EXPECTED)
            .map(|()| BodyFormat::Json),
    }
}

/// Refuses compressed bodies: their real length is unknown until they are read.
pub(super) fn require_plain(head: &Parts) -> Result<(), Error> {
    match head.headers.get(CONTENT_ENCODING) {
        None => Ok(()),
        Some(found) if found.as_bytes().eq_ignore_ascii_case(b"identity") => Ok(()),
        Some(found) => {
            let found = String::from_utf8_lossy(found.as_bytes()).into_owned();
            Err(BindingFault::ContentEncoding { found }.into())
        }
    }
}

/// The formats of an answer of the binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerForm {
    Json,
    JsonLd,
    Xml,
}

/// The format that the caller prefers; JSON if there is no preference.
///
/// # Errors
/// [`BindingFault::NotAcceptable`] if no available format is acceptable.
///
/// **Source**: RFC 9110, 12.5.1.
pub(super) fn accepted(head: &Parts, has_xml: bool) -> Result<AnswerForm, Error> {
    let forms = [
        (AnswerForm::Json, &["application/json"][..]),
        (AnswerForm::JsonLd, &["application/ld+json"]),
        (AnswerForm::Xml, &["application/xml", "text/xml"]),
    ];
    let (forms, expected) = match has_xml {
        true => (&forms[..], "application/json, application/ld+json, application/xml"),
        false => (&forms[..2], "application/json, application/ld+json"),
    };
    preferred(head, forms, expected)
}

/// The formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReportForm {
    Json,
    Csv,
    Html,
}

/// The format of a report that the caller prefers; JSON if there is no preference.
///
/// # Errors
/// [`BindingFault::NotAcceptable`] if no available format is acceptable.
pub(super) fn report_form(head: &Parts) -> Result<ReportForm, Error> {
    let forms = [
        (ReportForm::Json, &["application/json"][..]),
        (ReportForm::Csv, &["text/csv"]),
        (ReportForm::Html, &["text/html"]),
    ];
    let expected =
        "application/json, text/csv, text/html; of the JSON, the package epcis-edge makes XLSX";
    preferred(head, &forms, expected)
}

/// The form that the caller prefers, from a list of forms with their media types. If several are equally preferred, the first of
/// them.
///
/// # Errors
/// [`BindingFault::NotAcceptable`] if none is acceptable.
fn preferred<F: Copy>(
    head: &Parts,
    forms: &[(F, &[&str])],
    expected: &'static str,
) -> Result<F, Error> {
    let lines = head.headers.get_all(ACCEPT).iter();
    let lines: Vec<_> = lines.map(|line| String::from_utf8_lossy(line.as_bytes())).collect();
    let accept = lines.join(",");
    let ranges: Vec<(String, f32)> = MediaTypeList::new(&accept)
        .flatten()
        .map(|range| {
            let weight = range
                .get_param(Q)
                .map_or(1.0, |weight| weight.unquoted_str().parse().unwrap_or(0.0));
            (range.essence().to_string().to_ascii_lowercase(), weight)
        })
        .collect();
    // The most specific range that matches a type decides.
    let weight = |essence: &str| {
        let start = essence.split('/').next().known();
        [essence, &format!("{start}/*"), "*/*"]
            .iter()
            .find_map(|wanted| {
                let mut found = ranges.iter().filter(|(range, _)| range == wanted);
                found.next().map(|(_, weight)| *weight)
            })
            .unwrap_or(0.0)
    };
    let mut best: Option<(F, f32)> = None;
    for (form, essences) in forms {
        let wanted = essences.iter().map(|essence| weight(essence));
        // Without a header, everything is wanted alike.
        let wanted = if accept.trim().is_empty() { 1.0 } else { wanted.fold(0.0, f32::max) };
        if wanted > best.map_or(0.0, |(_, weight)| weight) {
            best = Some((*form, wanted));
        }
    }
    best.map(|(form, _)| form).ok_or_else(|| {
        BindingFault::NotAcceptable { header: "Accept", found: accept, expected }.into()
    })
}

/// Whether a caller with this `Accept-Encoding` takes answers compressed with gzip (RFC 9110, 12.5.3).
#[must_use]
pub fn takes_gzip(accepted: &str) -> bool {
    accepted.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f64>().ok());
        is_gzip && weight != Some(0.0)
    })
}
