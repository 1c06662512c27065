//! Query strings of the binding: the parameters of SimpleEventQuery, and those of paging.

use super::headers;
use crate::query::{FEED_CURSOR, MAX_PER_PAGE, Query};
use epcis_edge_text::error::{BindingFault, Error, ErrorKind};
use http::request::Parts;
use serde_json::{Map, Value as Json, json};

/// The longest accepted query string, in bytes.
pub(crate) const MAX_QUERY_STRING: usize = 8 << 10;

/// A parsed query string.
#[derive(Debug, Default)]
pub(crate) struct QueryString {
    /// The query parameters as the text of a JSON object; `None` if there are none.
    pub(crate) parameters: Option<String>,
    /// The name of the first query parameter.
    first: Option<String>,
    pub(crate) page: Page,
    /// The cursor of a feed: asks for events recorded since it was issued.
    pub(crate) feed_cursor: Option<String>,
}

impl QueryString {
    /// The cursor of a feed, with `true` to tell it from a page token.
    pub(crate) fn feed(&self) -> Option<(&str, bool)> {
        self.feed_cursor.as_deref().map(|cursor| (cursor, true))
    }

    /// Refuses every parameter except those of paging and feeds.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownParameter`].
    pub(crate) fn only_pages(&self) -> Result<(), Error> {
        match &self.first {
            None => Ok(()),
            Some(name) => Err(Error::new(ErrorKind::UnknownParameter {
                name: name.clone(),
                known: format!("perPage, nextPageToken, {FEED_CURSOR}"),
            })),
        }
    }
}

/// The paging parameters.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) per_page: Option<usize>,
    pub(crate) token: Option<String>,
}

impl Page {
    /// The paging parameters of a list that has no other parameters.
    ///
    /// # Errors
    /// As [`query_string`], and [`ErrorKind::UnknownParameter`].
    pub(crate) fn of(head: &Parts) -> Result<Self, Error> {
        let mut page = Self::default();
        for (name, value) in pairs(head)? {
            if !page.take(&name, &value)? {
                let known = "perPage, nextPageToken".to_owned();
                return Err(Error::new(ErrorKind::UnknownParameter { name, known }));
            }
        }
        Ok(page)
    }

    /// Stores a paging parameter; false if it is another one.
    pub(super) fn take(&mut self, name: &str, value: &str) -> Result<bool, Error> {
        let repeated = || {
            let name = name.to_owned();
            Error::new(ErrorKind::RepeatedParameter { name })
        };
        match name {
            "perPage" if self.per_page.is_some() => Err(repeated()),
            "perPage" => {
                let number = value.parse::<u64>().ok().filter(|number| *number > 0);
                let number = number
                    .ok_or_else(|| Error::query_value(name, value, "a whole number from 1"))?;
                let number = usize::try_from(number).unwrap_or(MAX_PER_PAGE);
                self.per_page = Some(number.min(MAX_PER_PAGE));
                Ok(true)
            }
            "nextPageToken" if self.token.is_some() => Err(repeated()),
            "nextPageToken" => {
                self.token = Some(value.to_owned());
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// The page token. HTML forms send an empty one for none.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref().filter(|token| !token.is_empty())
    }
}

/// The parameters, decoded, in their order.
///
/// # Errors
/// [`BindingFault::UriTooLong`].
pub(super) fn pairs(head: &Parts) -> Result<impl Iterator<Item = (String, String)>, Error> {
    let text = head.uri.query().unwrap_or("");
    let limit = MAX_QUERY_STRING;
    if text.len() > limit {
        return Err(BindingFault::UriTooLong { limit }.into());
    }
    let pairs = form_urlencoded::parse(text.as_bytes());
    Ok(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())))
}

/// Refuses every parameter.
///
/// # Errors
/// [`ErrorKind::UnknownParameter`].
pub(crate) fn nothing(head: &Parts) -> Result<(), Error> {
    match pairs(head)?.next() {
        None => Ok(()),
        Some((name, _)) => {
            let known = "none here".to_owned();
            Err(Error::new(ErrorKind::UnknownParameter { name, known }))
        }
    }
}

/// The parameters of a query string.
///
/// **Shape**: the values of a list are separated by `|`, or the parameter is repeated; prefixes are those bound by the header
/// `GS1-Extensions`.
///
/// **Limits**: [`MAX_QUERY_STRING`].
///
/// # Errors
/// [`BindingFault::UriTooLong`]; an error with the name of the parameter if it is unknown, empty or a repeated paging parameter;
/// [`BindingFault::HeaderValue`].
pub(crate) fn read(head: &Parts) -> Result<QueryString, Error> {
    let mut page = Page::default();
    let mut members: Map<String, Json> = Map::new();
    let mut feed_cursor = None;
    for (name, value) in pairs(head)? {
        if page.take(&name, &value)? {
            continue;
        }
        if name == FEED_CURSOR {
            if feed_cursor.replace(value).is_some() {
                return Err(Error::new(ErrorKind::RepeatedParameter { name }));
            }
            continue;
        }
        if name.is_empty() || name.starts_with('@') {
            return Err(Error::new(ErrorKind::NoSuchParameter { name }));
        }
        let is_flag = name.starts_with("EXISTS_");
        let may_be_empty = is_flag || name == "EQ_stringValue" || name.contains([':', '#']);
        for value in value.split('|') {
            if value.is_empty() && !may_be_empty {
                return Err(Error::query_value(
                    name,
                    value,
                    "a value, or several with `|` between them",
                ));
            }
            let value = Json::from(value);
            match members.get_mut(&name) {
                None => {
                    members.insert(name.clone(), value);
                }
                Some(Json::Array(values)) => values.push(value),
                Some(other) => *other = json!([other.take(), value]),
            }
        }
    }
    if page.token().is_some() && feed_cursor.is_some() {
        return Err(Error::new(ErrorKind::ParametersExclude {
            name: "nextPageToken",
            other: FEED_CURSOR,
        }));
    }
    let extensions = headers::extensions(head)?;
    let first = members.keys().next().cloned();
    if first.is_none() {
        return Ok(QueryString { parameters: None, first, page, feed_cursor });
    }
    if !extensions.is_empty() {
        let bound = extensions.into_iter().map(|(prefix, namespace)| {
            // `@prefix` makes it a prefix whatever its namespace ends in.
            (prefix, json!({"@id": namespace, "@prefix": true}))
        });
        let context: Map<String, Json> = bound.collect();
        members.insert("@context".to_owned(), context.into());
    }
    Ok(QueryString {
        parameters: Some(Json::Object(members).to_string()),
        first,
        page,
        feed_cursor,
    })
}

/// Whether a query string without a key is meant for the store, not for the demo, judged by its parameter names.
pub(crate) fn asks_the_store(head: &Parts) -> bool {
    let Ok(mut pairs) = pairs(head) else {
        return true;
    };
    pairs.any(|(name, _)| {
        let is_of_query = matches!(
            name.as_str(),
            "eventType"
                | "orderBy"
                | "orderDirection"
                | "eventCountLimit"
                | "maxEventCount"
                | "perPage"
                | "nextPageToken"
                | FEED_CURSOR
        );
        let operator = name.split_once('_').map(|(operator, _)| operator);
        let is_family = operator.is_some_and(|operator| {
            ["EQ", "GT", "GE", "LT", "LE", "MATCH", "EXISTS", "WD", "HASATTR", "EQATTR"]
                .contains(&operator)
        });
        is_of_query || is_family
    })
}

/// The query string without its page token, ready for another parameter.
pub(crate) fn without_token(head: &Parts) -> String {
    let text = head.uri.query().unwrap_or("");
    let kept = text.split('&').filter(|pair| {
        let name = form_urlencoded::parse(pair.as_bytes()).next();
        !pair.is_empty() && name.is_none_or(|(name, _)| name != "nextPageToken")
    });
    let mut out = String::new();
    for pair in kept {
        out.push_str(pair);
        out.push('&');
    }
    out
}

/// Sets the requested page size, if any.
pub(crate) fn sized(mut query: Query, per_page: Option<usize>) -> Query {
    if let Some(per_page) = per_page {
        query.per_page = per_page;
    }
    query
}
