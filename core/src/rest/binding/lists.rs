//! The lists of the binding: values of events, and named queries.

use super::ask::Page;
use super::discovery::CONTEXT;
use super::headers::{self, EpcFormat};
use super::{Asking, ask, decoded, media};
use crate::call::Call;
use crate::error::{BindingFault, Error, ErrorKind};
use crate::query::Collection;
use crate::rest::answer::Answer;
use crate::rest::{Body, body};
use crate::service::{MAX_QUERY_DEFINITION, ValuePlace};
use crate::store::{NamedQuery, Store};
use http::{Method, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json, json};

/// How many bytes of definitions a list of queries has, but for its last one.
const MAX_LIST: usize = 1 << 20;

/// A value that a path names.
///
/// # Errors
/// [`BindingFault::PathValue`] for what no event could have.
pub(super) fn value_of(raw: &str) -> Result<String, Error> {
    let value = decoded(raw)?;
    if Collection::could_be_value(&value) {
        return Ok(value);
    }
    Err(BindingFault::PathValue {
        found: value,
        expected: "a URI, percent-encoded once, or a word",
    }
    .into())
}

/// A Collection with these members, the longest namespace that is bound shortened to its prefix.
pub(super) fn collection_of(members: Vec<String>, bound: &[(String, String)]) -> impl Serialize {
    let mut used: Map<String, Json> = Map::new();
    let members: Vec<String> = members
        .into_iter()
        .map(|member| {
            let fits = |(_, namespace): &&(String, String)| {
                member.len() > namespace.len() && member.starts_with(namespace)
            };
            let best = bound
                .iter()
                .filter(fits)
                .max_by_key(|(_, namespace)| namespace.len());
            let Some((prefix, namespace)) = best else {
                return member;
            };
            used.insert(prefix.clone(), namespace.as_str().into());
            let rest = member.strip_prefix(namespace.as_str()).unwrap_or_default();
            format!("{prefix}:{rest}")
        })
        .collect();
    let context = if used.is_empty() {
        json!(CONTEXT)
    } else {
        json!([CONTEXT, used])
    };
    json!({"@context": context, "type": "Collection", "member": members})
}

impl<S: Store> Asking<'_, S> {
    /// The values of a collection.
    pub(super) async fn values(
        &self,
        collection: Collection,
        call: &Call,
    ) -> Result<Answer, Error> {
        media::accepted(self.head, false)?;
        let page = Page::of(self.head)?;
        let bound = headers::extensions(self.head)?;
        let has_words = !collection.standard_words().is_empty();
        match EpcFormat::asked(self.head)? {
            Some(format) if !has_words && format != EpcFormat::DigitalLink => {
                return format.refused("Always_GS1_Digital_Link, No_Preference: each thing is listed once, however it was spelt");
            }
            _ => {}
        }
        let holder = self.holder(call);
        let list = collection.name();
        let after = match page.token() {
            None => None,
            Some(token) => {
                let place = ValuePlace::parse(&holder.place(list, token)?);
                Some(place.ok_or_else(|| Error::new(ErrorKind::PageToken))?)
            }
        };
        let found = self
            .service
            .values(collection, after.as_ref(), page.limit(), call)
            .await?;
        let mut answer = Answer::made(&collection_of(found.values, &bound))?;
        if !has_words {
            let name = http::header::HeaderName::from_static("gs1-epc-format");
            answer = answer.with(name, EpcFormat::DigitalLink.as_str().to_owned());
        }
        Ok(match found.next {
            None => answer,
            Some(next) => {
                let token = holder.place_token(list, &next.to_text());
                let address = self.address(&format!("/{list}"));
                self.linked(answer, &address, &token, call)
            }
        })
    }

    /// `POST /queries`.
    pub(super) async fn name_query<B: Body>(
        &self,
        body: &mut B,
        call: &Call,
    ) -> Result<Answer, Error> {
        call.principal.require_query()?;
        ask::nothing(self.head)?;
        media::require_plain(self.head)?;
        media::require_json(self.head)?;
        headers::require_versions(self.head, false)?;
        media::accepted(self.head, false)?;
        let most = MAX_QUERY_DEFINITION + 8192;
        let limit = self.service.configuration().max_body_bytes.min(most);
        let text = body::read(self.head, body, limit).await?;
        match self.service.name_query(&text, call).await {
            Ok(name) => {
                let location = self.address_of("/queries", &name);
                let query = self.service.named_query(&name, call).await?;
                Ok(self.created(Answer::made(&definition(&query)?)?, location))
            }
            Err(error) => match error.kind() {
                ErrorKind::Binding(BindingFault::QueryExists { name, .. }) => {
                    let instance = self.address_of("/queries", name);
                    let name = name.clone();
                    Err(BindingFault::QueryExists { name, instance }.into())
                }
                _ => Err(error),
            },
        }
    }

    /// `GET /queries`.
    pub(super) async fn queries(&self, call: &Call) -> Result<Answer, Error> {
        const LIST: &str = "queries";
        media::accepted(self.head, false)?;
        let page = Page::of(self.head)?;
        let holder = self.holder(call);
        let after = page
            .token()
            .map(|token| holder.place(LIST, token))
            .transpose()?;
        let limit = page.limit();
        let found = self
            .service
            .named_queries(after.as_deref(), limit + 1, call)
            .await?;
        let mut listed = Vec::new();
        let mut bytes = 0;
        for query in found.iter().take(limit) {
            if bytes > MAX_LIST {
                break;
            }
            bytes += query.query.len();
            listed.push(definition(query)?);
        }
        let answer = Answer::made(&listed)?;
        let last = found.get(listed.len().saturating_sub(1));
        Ok(match last.filter(|_| listed.len() < found.len()) {
            None => answer,
            Some(last) => {
                let token = holder.place_token(LIST, &last.name);
                self.linked(answer, &self.address("/queries"), &token, call)
            }
        })
    }

    /// `GET` and `DELETE` of one query.
    pub(super) async fn query(&self, name: &str, call: &Call) -> Result<Answer, Error> {
        ask::nothing(self.head)?;
        if self.head.method == Method::DELETE {
            self.service.remove_query(name, call).await?;
            return Ok(Answer::empty(StatusCode::NO_CONTENT));
        }
        media::accepted(self.head, false)?;
        let query = self.service.named_query(name, call).await?;
        Answer::made(&definition(&query)?)
    }
}

/// A named query as it is answered.
#[derive(Serialize)]
struct Definition {
    name: String,
    query: Box<RawValue>,
}

fn definition(query: &NamedQuery) -> Result<Definition, Error> {
    let text = RawValue::from_string(query.query.clone());
    Ok(Definition {
        name: query.name.clone(),
        query: text.map_err(|error| {
            Error::new(ErrorKind::Internal {
                detail: error.to_string(),
            })
        })?,
    })
}
