//! Extension fields in the names of parameters: the part of the event that they are in, and their expanded names.
//!
//! `prefix:local` needs a prefix that is bound, in the `@context` of the query or by the official context. A whole URI and
//! `namespace#local` are full names, and `#local` is the name of an inner field without a namespace.
//!
//! Why is an unbound prefix refused?
//! No field of any event could have this name, so a misspelt prefix would give an empty answer.

use crate::query::order_field::OrderField;
use crate::query::{Condition, EventPart, ValueTest};
use epcis_edge_document::context::{ActiveContext, official_prefix};
use epcis_edge_document::normal;
use epcis_edge_text::error::{Error, ErrorKind};
use std::borrow::Cow;

/// The parts of an event that have extension fields of their own, by the start of the parameter's field name.
const PARTS: [(&str, EventPart); 5] = [
    ("ILMD_", EventPart::Ilmd),
    ("ERROR_DECLARATION_", EventPart::ErrorDeclaration),
    ("SENSORELEMENT_", EventPart::SensorElement),
    ("SENSORMETADATA_", EventPart::SensorMetadata),
    ("SENSORREPORT_", EventPart::SensorReport),
];

/// The parts that only `EQ_` can name.
const PLACES: [(&str, EventPart); 2] =
    [("readPoint_", EventPart::ReadPoint), ("bizLocation_", EventPart::BizLocation)];

/// An extension field that a parameter names.
#[derive(Debug)]
pub(super) struct ExtensionField {
    pub(super) place: EventPart,
    /// Whether the field is nested deeper in that part, not directly in it.
    pub(super) is_inner: bool,
    /// The expanded name.
    pub(super) name: String,
}

impl ExtensionField {
    /// The condition that the field is present, or that its value passes a test.
    pub(super) fn condition(self, test: Option<ValueTest>) -> Condition {
        let Self { place, is_inner, name } = self;
        Condition::Extension { place, is_inner, name, test }
    }
}

/// The extension field that a parameter names after its operator; none if it names something else.
///
/// # Errors
/// [`ErrorKind::PrefixNotBound`].
pub(super) fn extension_field(
    parameter: &str,
    field: &str,
    context: &ActiveContext<'_>,
) -> Result<Option<ExtensionField>, Error> {
    let (is_inner, rest) = match field.strip_prefix("INNER_") {
        Some(rest) => (true, rest),
        None => (false, field),
    };
    let part = |parts: &[(&str, EventPart)]| {
        let mut parts = parts.iter();
        parts.find_map(|(start, place)| Some((*place, rest.strip_prefix(start)?)))
    };
    let (place, name) = match (part(&PARTS), part(&PLACES)) {
        (Some(part), _) => part,
        (None, Some(place)) if parameter.starts_with("EQ_") => place,
        (None, Some(_)) => return Ok(None),
        (None, None) => (EventPart::Event, rest),
    };
    let name = named(parameter, name, is_inner, context)?;
    Ok(name.map(|name| ExtensionField { place, is_inner, name }))
}

/// The extension field of the event that a value of `orderBy` names; none if it is not such a name.
///
/// # Errors
/// [`ErrorKind::PrefixNotBound`].
pub(super) fn order_field(
    parameter: &str,
    name: &str,
    context: &ActiveContext<'_>,
) -> Result<Option<OrderField>, Error> {
    let name = named(parameter, name, false, context)?;
    Ok(name.map(|name| OrderField { name }))
}

/// The full name of an extension field.
///
/// # Errors
/// [`ErrorKind::PrefixNotBound`].
fn named(
    parameter: &str,
    name: &str,
    is_inner: bool,
    context: &ActiveContext<'_>,
) -> Result<Option<String>, Error> {
    let name = match name.rsplit_once('#') {
        Some(("", local)) if is_inner => Some(Cow::Borrowed(local)),
        Some((namespace, local)) if namespace.contains(':') => {
            Some(Cow::Owned(format!("{namespace}{local}")))
        }
        Some(_) => None,
        None if name.contains(':') => Some(expanded(parameter, name, context)?),
        None => None,
    };
    Ok(name.map(|name| normal::whole_name(&name)))
}

/// Refuses a word whose prefix is not bound. Accepts a text with the form of another URI, such as `did:web:a.example`.
///
/// # Errors
/// [`ErrorKind::PrefixNotBound`].
pub(super) fn require_bound(
    parameter: &str,
    word: &str,
    context: &ActiveContext<'_>,
) -> Result<(), Error> {
    let is_plain = |local: &str| {
        let mut bytes = local.bytes();
        !local.is_empty()
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    };
    match word.split_once(':') {
        Some((_, local)) if is_plain(local) => expanded(parameter, word, context).map(drop),
        _ => Ok(()),
    }
}

/// Expands `prefix:local`; returns a whole URI unchanged.
///
/// # Errors
/// [`ErrorKind::PrefixNotBound`], with the name of the parameter.
pub(super) fn expanded<'n>(
    parameter: &str,
    name: &'n str,
    context: &ActiveContext<'_>,
) -> Result<Cow<'n, str>, Error> {
    let (prefix, local) = name.split_once(':').unwrap_or((name, ""));
    // A name that expands has a bound prefix. In `https://…` and `urn:…` the part before the colon is a scheme, not a prefix.
    match context.expand(name) {
        Cow::Owned(name) => Ok(Cow::Owned(name)),
        Cow::Borrowed(name) if local.starts_with("//") || prefix.eq_ignore_ascii_case("urn") => {
            Ok(Cow::Borrowed(name))
        }
        Cow::Borrowed(_) => match official_prefix(prefix) {
            Some(namespace) => Ok(Cow::Owned(format!("{namespace}{local}"))),
            None => Err(Error::new(ErrorKind::PrefixNotBound {
                name: parameter.to_owned(),
                prefix: prefix.to_owned(),
            })),
        },
    }
}
