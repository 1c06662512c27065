//! The arguments of a tool, read by name.

use super::message::is_null;
use crate::query::FEED_CURSOR;
use crate::service::Service;
use epcis_edge_text::error::{Error, ErrorKind, excerpt};
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::slice::OrEmpty;
use std::borrow::Cow;

/// The arguments of one call; `null` counts as not given.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    object: Option<Value<'a>>,
}

impl<'a> Arguments<'a> {
    /// # Errors
    /// As [`Value::require_arguments`].
    pub(super) fn read(object: Option<Value<'a>>, known: &[&str]) -> Result<Self, Error> {
        if let Some(object) = object {
            object.require_arguments(known)?;
        }
        Ok(Self { object })
    }

    fn get(self, name: &str) -> Option<Value<'a>> {
        let value = self.object?.get(name)?;
        (!is_null(value)).then_some(value)
    }

    /// Whether the argument was given.
    pub(super) fn has(self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of any type, if the argument was given.
    pub(super) fn value(self, name: &str) -> Option<Value<'a>> {
        self.get(name)
    }

    /// What `read` makes of an argument, if it was given.
    fn optional<T>(
        self,
        name: &'static str,
        expected: &'static str,
        read: impl FnOnce(Value<'a>) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| refused(name, Some(value), expected))
    }

    /// A text that is not empty, if it was given.
    pub(super) fn optional_text(
        self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Option<Cow<'a, str>>, Error> {
        let text = |value: Value<'a>| value.as_str().filter(|text| !text.is_empty());
        self.optional(name, expected, text)
    }

    /// A text, required and not empty.
    pub(super) fn text(
        self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Cow<'a, str>, Error> {
        let text = self.optional_text(name, expected)?;
        text.ok_or_else(|| refused(name, None, expected))
    }

    /// The texts of a list; none if it was not given.
    pub(super) fn texts(
        self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Vec<String>, Error> {
        let text = |text: Value<'a>| text.as_str().map(Cow::into_owned);
        let texts = |list: Value<'a>| -> Option<Vec<String>> {
            let list = Some(list).filter(|list| list.kind() == Kind::Array)?;
            list.elements().map(text).collect()
        };
        Ok(self.optional(name, expected, texts)?.or_empty())
    }

    /// A whole number, if it was given.
    pub(super) fn length(
        self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Option<usize>, Error> {
        self.optional(name, expected, |value| value.as_number()?.parse().ok())
    }

    /// A whole number from 1, if it was given.
    pub(super) fn ordinal(self, name: &'static str) -> Result<Option<usize>, Error> {
        let ordinal = |value: Value<'a>| value.as_number()?.parse().ok().filter(|one| *one > 0);
        self.optional(name, "a whole number from 1", ordinal)
    }

    pub(super) fn page_size(self) -> Result<Option<u64>, Error> {
        let size = |value: Value<'a>| value.as_number()?.parse().ok().filter(|size| *size > 0);
        self.optional("perPage", "a whole number from 1, at most 1000", size)
    }

    /// A document, required.
    pub(super) fn document(self, name: &'static str) -> Result<Value<'a>, Error> {
        const EXPECTED: &str = "the document itself as a JSON object or an array of events, not a text with JSON in it";
        let is_document = |value: &Value<'_>| matches!(value.kind(), Kind::Object | Kind::Array);
        let document = self.optional(name, EXPECTED, |value| Some(value).filter(is_document))?;
        document.ok_or_else(|| refused(name, None, EXPECTED))
    }

    /// An object, if it was given.
    pub(super) fn object(self, name: &'static str) -> Result<Option<Value<'a>>, Error> {
        let is_object = |value: &Value<'_>| value.kind() == Kind::Object;
        self.optional(name, "an object", |value| Some(value).filter(is_object))
    }

    pub(super) fn token(self) -> Result<Option<String>, Error> {
        self.handed_back("nextPageToken", "the `nextPageToken` of the page before")
    }

    pub(super) fn feed_cursor(self) -> Result<Option<String>, Error> {
        self.handed_back(FEED_CURSOR, "the `feedCursor` of an answer to the same query")
    }

    /// A token or cursor from an earlier answer.
    fn handed_back(
        self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Option<String>, Error> {
        self.optional(name, expected, |value| value.as_str().map(Cow::into_owned))
    }

    pub(super) fn flag(self, name: &'static str) -> Result<bool, Error> {
        Ok(self.optional(name, "true or false", Value::as_bool)?.or_empty())
    }

    /// One of several words, if it was given.
    pub(super) fn word<T>(
        self,
        name: &'static str,
        named: impl Fn(&str) -> Option<T>,
        expected: &'static str,
    ) -> Result<Option<T>, Error> {
        self.optional(name, expected, |value| named(&value.as_str()?))
    }
}

fn refused(name: &'static str, found: Option<Value<'_>>, expected: &'static str) -> Error {
    Error::argument(name, found.map(|value| excerpt(value.source())), expected)
}

/// Checks that a document inside a message is no longer than the body of a request may be.
pub(super) fn within_limit(service: &Service, document: &str) -> Result<(), Error> {
    let limit = service.configuration().max_body_bytes;
    if document.len() > limit {
        return Err(Error::new(ErrorKind::BodyTooLarge { limit }));
    }
    Ok(())
}
