//! Reads the values of a pack; an error has the place of the unexpected value.

use epcis_edge_text::error::{Error, ErrorKind, excerpt};
use epcis_edge_text::json::{Kind, Text, Value};
use epcis_edge_text::slice::OrEmpty;

/// The error that a value is not the expected one.
pub(super) fn refused(value: Value<'_>, expected: impl Into<String>) -> Error {
    let found = excerpt(value.source());
    let expected = expected.into();
    Error::at(ErrorKind::Pack { found, expected }, value.location())
}

/// Requires an object with no other members than those of `known`, each once, and with those of `required`; both are lists with commas.
///
/// # Errors
/// The error of the first member that is not as it should be.
pub(super) fn require_members(
    value: Value<'_>,
    known: &'static str,
    required: &'static str,
) -> Result<(), Error> {
    if value.kind() != Kind::Object {
        return Err(refused(value, format!("an object with {known}")));
    }
    if let Some(name) = value.repeated_name() {
        return Err(refused(value, format!("the member `{}` once", excerpt(&name))));
    }
    for (name, member) in value.members() {
        let name = name.to_cow();
        if !known.split(", ").any(|known| known == name) {
            let expected = format!("no member `{}` here: there are {known}", excerpt(&name));
            return Err(refused(member, expected));
        }
    }
    let mut required = required.split(", ").filter(|name| !name.is_empty());
    required.try_for_each(|name| member(value, name).map(drop))
}

/// A member that must be there.
pub(super) fn member<'d>(value: Value<'d>, name: &str) -> Result<Value<'d>, Error> {
    value.get(name).ok_or_else(|| refused(value, format!("the member `{name}`")))
}

/// Reads each value of a list of at most `most`, or one value that stands alone.
pub(super) fn several<'d, T>(
    value: Value<'d>,
    most: usize,
    mut read: impl FnMut(Value<'d>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    match value.kind() {
        Kind::Array => list(value, most)?.map(read).collect(),
        _ => Ok(vec![read(value)?]),
    }
}

/// Reads each value of the list of at most `most` in a member, if it is there.
pub(super) fn list_in<'d, T>(
    value: Value<'d>,
    name: &str,
    most: usize,
    read: impl FnMut(Value<'d>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let found = value.get(name).map(|found| list(found, most)).transpose()?;
    found.into_iter().flatten().map(read).collect()
}

/// The members of an object in which each name stands once.
pub(super) fn named_once<'d>(
    value: Value<'d>,
    expected: &str,
) -> Result<impl Iterator<Item = (Text<'d>, Value<'d>)>, Error> {
    match value.kind() == Kind::Object && value.repeated_name().is_none() {
        true => Ok(value.members()),
        false => Err(refused(value, expected)),
    }
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
