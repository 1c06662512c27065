//! Named queries: stored for an account, run by name.

use super::Service;
use crate::call::Call;
use crate::query::{Query, Question, SIMPLE_EVENT_QUERY};
use crate::store::{NamedQuery, QueryPut};
use epcis_edge_text::error::{BindingFault, Error};
use epcis_edge_text::json::{Document, Kind, Value};

/// The longest name of a query, in bytes.
pub const MAX_QUERY_NAME: usize = 255;

/// The longest definition of a query, in bytes.
pub const MAX_QUERY_DEFINITION: usize = 64 << 10;

/// The most queries of an account, besides the predefined one.
pub const MAX_NAMED_QUERIES: usize = 1000;

impl Service {
    /// Stores a query under a name, and returns the name.
    ///
    /// **Shape**: an object with the members `name` and `query`, the latter as [`Query::read`] reads it.
    ///
    /// # Errors
    /// [`ErrorKind::Json`](epcis_edge_text::error::ErrorKind::Json); [`BindingFault::QueryDefinition`], [`BindingFault::QueryName`], those of [`Query::read`];
    /// [`BindingFault::QueryExists`], whose instance is the name; [`BindingFault::QueryTooLong`],
    /// [`BindingFault::TooManyQueries`]; [`ErrorKind::Forbidden`](epcis_edge_text::error::ErrorKind::Forbidden) without the right to query; a fault of the storage.
    ///
    /// **Source**: EPCIS 2.0, 12 (`POST /queries`).
    pub async fn name_query(&self, text: &[u8], call: &Call) -> Result<String, Error> {
        call.principal.require_query()?;
        self.require_writable()?;
        let document = Document::read(text)?;
        let root = document.root();
        let is_known = |name: &str| matches!(name, "name" | "query");
        if root.kind() != Kind::Object
            || root.repeated_name().is_some()
            || root.members().any(|(name, _)| !is_known(&name.to_cow()))
        {
            return Err(BindingFault::QueryDefinition.into());
        }
        let named = root.get("name").filter(|name| name.kind() == Kind::String);
        let name = named.and_then(Value::as_str).map(|name| name.into_owned());
        let name = name.ok_or(BindingFault::QueryName { found: None })?;
        let is_name = (1..=MAX_QUERY_NAME).contains(&name.len())
            && !name.contains(|found: char| found.is_control() || found == '/')
            && !matches!(name.as_str(), "." | "..");
        if !is_name {
            return Err(BindingFault::QueryName { found: Some(name) }.into());
        }
        let definition = root.get("query").ok_or(BindingFault::QueryDefinition)?;
        if definition.source().len() > MAX_QUERY_DEFINITION {
            let limit = MAX_QUERY_DEFINITION;
            return Err(BindingFault::QueryTooLong { limit }.into());
        }
        let query = Query::read(definition)?;
        if let Some(found) = query.next_page_token {
            return Err(Error::query_value(
                "nextPageToken",
                found,
                "none in a definition: a page is asked for when the query is run",
            ));
        }
        let exists = |name: String| {
            let instance = name.clone();
            Err(BindingFault::QueryExists { name, instance }.into())
        };
        if name == SIMPLE_EVENT_QUERY {
            return exists(name);
        }
        let account = &call.principal.account;
        let kept = NamedQuery { name, query: definition.source().to_owned() };
        match self.store.put_query(account, &kept, MAX_NAMED_QUERIES).await? {
            QueryPut::Added => Ok(kept.name),
            QueryPut::Exists => exists(kept.name),
            QueryPut::Full => {
                let limit = MAX_NAMED_QUERIES;
                Err(BindingFault::TooManyQueries { limit }.into())
            }
        }
    }

    /// The queries of the caller's account that follow a name, in the order of their names, the predefined one first.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`](epcis_edge_text::error::ErrorKind::Forbidden) without the right to query; a fault of the storage.
    pub async fn named_queries(
        &self,
        after: Option<&str>,
        limit: usize,
        call: &Call,
    ) -> Result<Vec<NamedQuery>, Error> {
        call.principal.require_query()?;
        let mut queries = Vec::new();
        if after.is_none() {
            queries.push(simple());
        }
        let rest = limit.saturating_sub(queries.len());
        let account = &call.principal.account;
        // The predefined query comes first, and no other has its name: the queries after it begin at the first name.
        let after = after.filter(|after| *after != SIMPLE_EVENT_QUERY);
        queries.extend(self.store.queries(account, after, rest).await?);
        Ok(queries)
    }

    /// The query of the caller's account with this name.
    ///
    /// # Errors
    /// [`BindingFault::NoSuchName`]; [`ErrorKind::Forbidden`](epcis_edge_text::error::ErrorKind::Forbidden) without the right to query; a fault of the storage.
    pub async fn named_query(&self, name: &str, call: &Call) -> Result<NamedQuery, Error> {
        call.principal.require_query()?;
        if name == SIMPLE_EVENT_QUERY {
            return Ok(simple());
        }
        let found = self.store.query_named(&call.principal.account, name).await?;
        let found = found.ok_or_else(|| no_such(name))?;
        let read = Document::read_text(&found.query).and_then(|text| Query::read(text.root()));
        read.map_err(|fault| {
            Error::impossible(format!("the stored query `{name}` cannot be read: {fault}"))
        })?;
        Ok(found)
    }

    /// Removes a query of the caller's account.
    ///
    /// # Errors
    /// [`BindingFault::NoSuchName`]; [`BindingFault::Predefined`]; [`ErrorKind::Forbidden`](epcis_edge_text::error::ErrorKind::Forbidden) without the right to query; a fault
    /// of the storage.
    pub async fn remove_query(&self, name: &str, call: &Call) -> Result<(), Error> {
        call.principal.require_query()?;
        self.require_writable()?;
        if name == SIMPLE_EVENT_QUERY {
            return Err(BindingFault::Predefined.into());
        }
        let account = &call.principal.account;
        if self.store.remove_query(account, name).await? { Ok(()) } else { Err(no_such(name)) }
    }
}

impl NamedQuery {
    /// The question that is asked when the query is run.
    #[must_use]
    pub fn question(&self) -> Question {
        Question {
            name: Some(self.name.clone()),
            parts: if self.name == SIMPLE_EVENT_QUERY {
                Vec::new()
            } else {
                vec![self.query.clone()]
            },
        }
    }
}

fn simple() -> NamedQuery {
    NamedQuery { name: SIMPLE_EVENT_QUERY.to_owned(), query: "{}".to_owned() }
}

fn no_such(name: &str) -> Error {
    let name = name.to_owned();
    BindingFault::NoSuchName { name }.into()
}
