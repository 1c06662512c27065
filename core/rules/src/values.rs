//! Reads the values of a pack; an error has the place of the unexpected value.

use epcis_edge_text::error::{Error, ErrorKind, excerpt};
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::slice::OrEmpty;

/// The error that a value is not the expected one.
pub(super) fn refused(value: Value<'_>, expected: impl Into<String>) -> Error {
    let found = excerpt(value.source());
    let expected = expected.into();
    Error::at(ErrorKind::Pack { found, expected }, value.location())
}

/// The members of an object, in the order of `known`.
///
/// # Errors
/// If the value is not an object; if a member is unknown or repeated; if a required member is missing.
pub(super) fn members<'d, const N: usize>(
    value: Value<'d>,
    known: [&'static str; N],
    required: &[&'static str],
) -> Result<[Option<Value<'d>>; N], Error> {
    if value.kind() != Kind::Object {
        return Err(refused(value, format!("an object with {}", known.join(", "))));
    }
    if let Some(name) = value.repeated_name() {
        return Err(refused(value, format!("the member `{}` once", excerpt(&name))));
    }
    let mut found = [const { None }; N];
    for (name, member) in value.members() {
        let name = name.to_cow();
        let place = known.iter().zip(found.iter_mut());
        match place.into_iter().find(|(known, _)| **known == name) {
            Some((_, place)) => *place = Some(member),
            None => {
                let known = known.join(", ");
                return Err(refused(
                    member,
                    format!("no member `{}` here: there are {known}", excerpt(&name)),
                ));
            }
        }
    }
    for name in required {
        if value.get(name).is_none() {
            return Err(refused(value, format!("the member `{name}`")));
        }
    }
    Ok(found)
}

/// A text of 1 to `most` bytes, without control characters.
pub(super) fn text(value: Value<'_>, most: usize) -> Result<String, Error> {
    let found = value.as_str().filter(|found| {
        let is_plain = found.chars().all(|character| !character.is_control());
        !found.is_empty() && found.len() <= most && is_plain
    });
    found.map(|found| found.into_owned()).ok_or_else(|| {
        refused(value, format!("a text of 1 to {most} bytes, without control characters"))
    })
}

/// The elements of an array of 1 to `most`.
pub(super) fn list(
    value: Value<'_>,
    most: usize,
) -> Result<impl Iterator<Item = Value<'_>>, Error> {
    let is_list = value.kind() == Kind::Array
        && value.elements().next().is_some()
        && value.elements().nth(most).is_none();
    if is_list {
        Ok(value.elements())
    } else {
        Err(refused(value, format!("an array of 1 to {most}")))
    }
}

/// A boolean.
pub(super) fn flag(value: Value<'_>) -> Result<bool, Error> {
    value.as_bool().ok_or_else(|| refused(value, "true or false"))
}

/// A whole number from 0 to `most`.
pub(super) fn count(value: Value<'_>, most: u32) -> Result<u32, Error> {
    let found = value.as_number().and_then(|found| found.parse().ok());
    found
        .filter(|found| *found <= most)
        .ok_or_else(|| refused(value, format!("a whole number from 0 to {most}")))
}

/// A name of lower-case letters, digits and hyphens.
pub(super) fn identifier(value: Value<'_>) -> Result<String, Error> {
    let name = value.as_str().or_empty();
    let is_name = name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    if is_name {
        Ok(name.into_owned())
    } else {
        let expected = "a name: small letters, digits and hyphens, a letter first, at most 64";
        Err(refused(value, expected))
    }
}
