//! Converts the identifiers of a stored event to another spelling.
//!
//! Nothing else in the event changes. Its hash stays the same, too: it is made of the canonical spelling.
//!
//! **Source**: EPCIS 2.0, 12 (`GS1-EPC-Format`).

use epcis_edge_document::identifier::to_digital_link;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Kind, Value, push_string};
use epcis_edge_text::slice::Part;
use std::borrow::Cow;

/// The spelling of identifiers. Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// GS1 Digital Link: every EPC URN of a GS1 key has one.
    DigitalLink,
    /// EPC URN. A Digital Link does not show where its company prefix ends, so it cannot be converted to one.
    EpcUrn,
}

/// The event with its identifiers in this spelling; `None` if one of them cannot be converted.
///
/// **Shape**: the lists of EPCs and quantities, `parentID`, the `id` of `readPoint` and `bizLocation`, sources and destinations.
/// What is no GS1 identifier stays as it is. In [`Spelling::DigitalLink`], so does a Digital Link at any domain.
///
/// # Errors
/// [`ErrorKind::Json`](epcis_edge_text::error::ErrorKind::Json) if the text is not a stored event.
///
/// # Example
/// ```
/// use epcis_edge_gateway::service::{Spelling, respelt};
/// let event = r#"{"type":"ObjectEvent","epcList":["urn:epc:id:sscc:9521141.1234567890"]}"#;
/// let found = respelt(event, Spelling::DigitalLink)?;
/// assert_eq!(
///     found.as_deref(),
///     Some(r#"{"type":"ObjectEvent","epcList":["https://id.gs1.org/00/195211412345678900"]}"#),
/// );
/// assert_eq!(respelt(found.as_deref().unwrap(), Spelling::EpcUrn)?, None);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
pub fn respelt(event: &str, spelling: Spelling) -> Result<Option<String>, Error> {
    let document = Document::read_text(event)?;
    let mut found = Vec::new();
    for (name, value) in document.root().members() {
        match &*name.to_cow() {
            "epcList" | "childEPCs" | "inputEPCList" | "outputEPCList" => {
                found.extend(value.elements());
            }
            "parentID" => found.push(value),
            "quantityList" | "childQuantityList" | "inputQuantityList" | "outputQuantityList" => {
                found.extend(each(value, "epcClass"));
            }
            "readPoint" | "bizLocation" => found.extend(value.get("id")),
            "sourceList" => found.extend(each(value, "source")),
            "destinationList" => found.extend(each(value, "destination")),
            _ => {}
        }
    }
    let mut out = String::with_capacity(event.len());
    let mut copied = 0;
    for value in found {
        let Some(text) = value.as_str().filter(|_| value.kind() == Kind::String) else {
            continue;
        };
        let is_urn = text.starts_with("urn:");
        match (to_digital_link(&text), spelling) {
            (Some(link), Spelling::DigitalLink) if is_urn => {
                let link = Cow::into_owned(link);
                out.push_str(event.part(copied..value.offset()));
                push_string(&mut out, &link);
                copied = value.offset() + value.source().len();
            }
            (Some(_), Spelling::EpcUrn) if !is_urn => return Ok(None),
            _ => {}
        }
    }
    out.push_str(event.part(copied..));
    Ok(Some(out))
}

fn each<'d>(list: Value<'d>, name: &'static str) -> impl Iterator<Item = Value<'d>> {
    list.elements().filter_map(move |element| element.get(name))
}
