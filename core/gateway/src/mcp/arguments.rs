//! The arguments of a tool, read by name.

use super::message::is_null;
use crate::query::FEED_CURSOR;
use crate::service::Service;
use epcis_edge_text::error::{Error, ErrorKind, excerpt};
use epcis_edge_text::json::{Kind, Value};
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

    /// A text, if it was given.
    pub(super) fn optional_text(
        self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Option<Cow<'a, str>>, Error> {
        self.get(name).map(|_| self.text(name, expected)).transpose()
    }

    /// The texts of a list; none if it was not given.
    pub(super) fn texts(
        self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Vec<String>, Error> {
        let Some(list) = self.get(name) else {
            return Ok(Vec::new());
        };
        let texts = list.elements().map(|text| text.as_str().map(Cow::into_owned));
        let texts: Option<Vec<String>> = texts.collect();
        texts
            .filter(|_| list.kind() == Kind::Array)
            .ok_or_else(|| refused(name, Some(list), expected))
    }

    /// A whole number, if it was given.
    pub(super) fn length(
        self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Option<usize>, Error> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let number = value.as_number().and_then(|number| number.parse().ok());
        number.map(Some).ok_or_else(|| refused(name, Some(value), expected))
    }

    /// A whole number from 1, if it was given.
    pub(super) fn ordinal(self, name: &'static str) -> Result<Option<usize>, Error> {
        const EXPECTED: &str = "a whole number from 1";
        match self.length(name, EXPECTED)? {
            Some(0) => Err(refused(name, self.get(name), EXPECTED)),
            number => Ok(number),
        }
    }

    /// An object or an array, required.
    pub(super) fn document(self, name: &'static str) -> Result<Value<'a>, Error> {
        const EXPECTED: &str = "the document itself as a JSON object or an array of events, not a text with JSON in it";
        match self.get(name) {
            Some(value) if matches!(value.kind(), Kind::Object | Kind::Array) => Ok(value),
            found => Err(refused(name, found, EXPECTED)),
        }
    }

    /// An object, if it was given.
    pub(super) fn object(self, name: &'static str) -> Result<Option<Value<'a>>, Error> {
        match self.get(name) {
            Some(value) if value.kind() != Kind::Object => {
                Err(refused(name, Some(value), "an object"))
            }
            found => Ok(found),
        }
    }

    /// A text, required and not empty.
    pub(super) fn text(
        self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Cow<'a, str>, Error> {
        let value = self.get(name);
        match value.and_then(Value::as_str) {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(refused(name, value, expected)),
        }
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
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        value
            .as_str()
            .map(|text| Some(text.into_owned()))
            .ok_or_else(|| refused(name, Some(value), expected))
    }

    pub(super) fn flag(self, name: &'static str) -> Result<bool, Error> {
        let Some(value) = self.get(name) else {
            return Ok(false);
        };
        value.as_bool().ok_or_else(|| refused(name, Some(value), "true or false"))
    }

    /// One of several words, if it was given.
    pub(super) fn word<T>(
        self,
        name: &'static str,
        named: impl Fn(&str) -> Option<T>,
        expected: &'static str,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let found = value.as_str().and_then(|word| named(&word));
        found.map(Some).ok_or_else(|| refused(name, Some(value), expected))
    }

    pub(super) fn page_size(self) -> Result<Option<u64>, Error> {
        const NAME: &str = "perPage";
        let Some(value) = self.get(NAME) else {
            return Ok(None);
        };
        let number = value.as_number().and_then(|number| number.parse().ok());
        number
            .filter(|number| *number > 0)
            .map(Some)
            .ok_or_else(|| refused(NAME, Some(value), "a whole number from 1, at most 1000"))
    }
}

fn refused(name: &'static str, found: Option<Value<'_>>, expected: &'static str) -> Error {
    Error::new(ErrorKind::Argument {
        name,
        found: found.map(|value| excerpt(value.source())),
        expected,
    })
}

/// Checks that a document inside a message is no longer than the body of a request may be.
pub(super) fn within_limit(service: &Service, document: &str) -> Result<(), Error> {
    let limit = service.configuration().max_body_bytes;
    if document.len() > limit {
        return Err(Error::new(ErrorKind::BodyTooLarge { limit }));
    }
    Ok(())
}
