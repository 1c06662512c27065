//! Identifiers of GS1: EPC URNs, their class and pattern forms, and GS1 Digital Link URIs, converted both ways.
//!
//! A thing can have many identifiers; its canonical GS1 Digital Link URI is the one to hash and compare.
//! An identifier of no known form is left unchanged. That is not an error, since EPCIS allows any URI.

mod canonical;
mod characters;
mod described;
mod gs1_prefix;
mod key_digits;
mod link;
pub mod mark;
mod scan;
mod scheme;
#[cfg(test)]
mod tests;
mod thing;
mod urn;
mod wrong_digit;

pub(crate) use canonical::Escapes;
pub use described::{DescribedKey, keys};
pub use scan::{Scanned, of_text, scan};
pub use scheme::Scheme;
pub use thing::{product, thing};
pub use wrong_digit::WrongDigit;

use epcis_edge_text::error::{Error, ErrorKind, IdentifierFault};
use std::borrow::Cow;

/// The canonical GS1 Digital Link URI of an identifier, if there is one.
///
/// **Shape**: accepts the EPC URNs of every GS1 key (`urn:epc:id:sgtin:…` and so on), `urn:epc:class:lgtin:…`, the patterns
/// `urn:epc:idpat:…` whose serial is `*`, and GS1 Digital Link URIs on any host, with key numbers or short names.
/// The result has the host `https://id.gs1.org`, key numbers, GTINs of 14 digits, and only the finest qualifier. A query, a
/// fragment and the consumer product variant (22) are dropped.
/// Percent-escapes are copied as they are.
///
/// **Limits**: there is none for schemes without a GS1 key (GID, USDOD, ADI, BIC, IMOVN), wrong digit counts, unknown qualifiers
/// and compressed Digital Links.
/// Check digits of a Digital Link are not verified.
///
/// # Example
/// ```
/// use epcis_edge_document::identifier::to_digital_link;
/// assert_eq!(
///     to_digital_link("urn:epc:id:sgtin:4012345.011111.9876").as_deref(),
///     Some("https://id.gs1.org/01/04012345111118/21/9876"),
/// );
/// assert_eq!(
///     to_digital_link("https://example.org/gtin/9780345418913?17=271231").as_deref(),
///     Some("https://id.gs1.org/01/09780345418913"),
/// );
/// assert_eq!(to_digital_link("urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8"), None);
/// ```
///
/// **Source**: CBV 2.0, 8.9 (normalisation of identifiers); TDS 2.0 for the URNs; GS1 Digital Link URI syntax 1.3.
#[must_use]
pub fn to_digital_link(identifier: &str) -> Option<Cow<'_, str>> {
    let mut out = Vec::with_capacity(identifier.len() + 16);
    if !push_digital_link(identifier, Escapes::AsWritten, &mut out) {
        return None;
    }
    if out == identifier.as_bytes() {
        return Some(Cow::Borrowed(identifier));
    }
    String::from_utf8(out).ok().map(Cow::Owned)
}

/// The kind of thing that a GS1 Digital Link URI identifies: `sgtin`, `lgtin`, `sscc` and so on, as the schemes of EPC URNs are called;
/// `gtin` for a class.
pub fn kind(digital_link: &str) -> Option<&'static str> {
    let link = link::Link::of(digital_link.as_bytes())?;
    Some(link.key.kind(link.finest.map(|(qualifier, _)| qualifier)))
}

/// The EPC URN of a GS1 Digital Link URI, given how many digits of the key are the company prefix.
///
/// A Digital Link does not show where its company prefix ends, so the caller must know it.
///
/// **Shape**: any GS1 Digital Link URI that [`to_digital_link`] accepts.
/// With a serial the result is `urn:epc:id:…`; a GTIN with a lot is `urn:epc:class:lgtin:…`; a GTIN, GRAI, GDTI, SGCN, CPI or ITIP
/// without its serial is the pattern `urn:epc:idpat:…`; a GLN without extension is the SGLN with the extension 0.
///
/// # Errors
/// [`ErrorKind::Identifier`]: the text is not a Digital Link URI, the company prefix does
/// not have 6 to 12 digits or is longer than the key, the check digit is wrong, or the identifier has no URN (a GRAI that does
/// not start with 0, an ITIP with a lot).
///
/// # Example
/// ```
/// use epcis_edge_document::identifier::to_epc_urn;
/// let urn = to_epc_urn("https://id.gs1.org/01/04012345111118/21/9876", 7)?;
/// assert_eq!(urn, "urn:epc:id:sgtin:4012345.011111.9876");
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: TDS 2.0.
pub fn to_epc_urn(digital_link: &str, company_prefix_length: usize) -> Result<String, Error> {
    let link = link::Link::of(digital_link.as_bytes()).ok_or(IdentifierFault::NotDigitalLink);
    link.and_then(|link| canonical::urn_of(&link, company_prefix_length))
        .map_err(|fault| Error::new(ErrorKind::Identifier(fault)))
}

/// Appends the canonical Digital Link. Returns false, and appends nothing, if there is none.
pub(crate) fn push_digital_link(identifier: &str, escapes: Escapes, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    let text = identifier.as_bytes();
    let pushed = if let Some(urn) = text.strip_prefix(b"urn:epc:") {
        let urn = urn::Urn::read(urn).ok();
        urn.and_then(|urn| canonical::push_urn(&urn, escapes, out))
    } else {
        link::Link::of(text).map(|link| canonical::push_link(&link, out))
    };
    if pushed.is_none() {
        out.truncate(start);
    }
    pushed.is_some()
}

/// The GS1 check digit for these digits, as an ASCII character. The digits are weighted 3, 1, 3, 1 and so on from the right.
///
/// **Limits**: reading stops at the first byte that is not a digit.
///
/// # Example
/// ```
/// use epcis_edge_document::identifier::check_digit;
/// assert_eq!(check_digit(b"952114100001"), b'4');
/// ```
///
/// **Source**: GS1 General Specifications, 7.9.
#[must_use]
pub fn check_digit(digits: &[u8]) -> u8 {
    let (digits, _) = key_digits::Digits::read(digits);
    digits.check_digit()
}
