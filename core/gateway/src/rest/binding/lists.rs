//! The lists of the binding: values of events, and named queries.

use super::discovery::CONTEXT;
use super::headers::{self, EpcFormat};
use super::query_string::Page;
use super::{BindingRequest, decoded, media, query_string};
use crate::call::Call;
use crate::query::Collection;
use crate::rest::answer::Answer;
use crate::rest::{Body, body};
use crate::service::{MAX_QUERY_DEFINITION, ValuePlace};
use crate::store::NamedQuery;
use epcis_edge_document::identifier::to_digital_link;
use epcis_edge_text::error::{BindingFault, Error, ErrorKind};
use epcis_edge_text::slice::Known;
use http::{Method, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json, json};

/// A page of queries ends once its definitions exceed this many bytes.
const MAX_LIST: usize = 1 << 20;

/// The value named in a path.
///
/// # Errors
/// [`BindingFault::PathValue`] if no event could have the value.
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

/// A Collection with these members. In each, the longest bound namespace is shortened to its prefix.
pub(super) fn collection_of(members: Vec<String>, bound: &[(String, String)]) -> impl Serialize {
    let mut used: Map<String, Json> = Map::new();
    let members: Vec<String> = members
        .into_iter()
        .map(|member| {
            let fits = |(_, namespace): &&(String, String)| {
                member.len() > namespace.len() && member.starts_with(namespace)
            };
            let best = bound.iter().filter(fits).max_by_key(|(_, namespace)| namespace.len());
            let Some((prefix, namespace)) = best else {
                return member;
            };
            used.insert(prefix.clone(), namespace.as_str().into());
            let rest = member.strip_prefix(namespace.as_str()).known();
            format!("{prefix}:{rest}")
        })
        .collect();
    let context = if used.is_empty() { json!(CONTEXT) } else { json!([CONTEXT, used]) };
    json!({"@context": context, "type": "Collection", "member": members})
}

impl BindingRequest<'_> {
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
        headers::require_cbv_xml_format(self.head, false)?;
        // In normal form each thing is listed once, whatever its spellings in events.
        let format = EpcFormat::requested(self.head)?.unwrap_or(EpcFormat::DigitalLink);
        let list = collection.name();
        let (limit, place) = self.place(list, &page, call)?;
        let after = match place.map(|place| ValuePlace::parse(&place)) {
            None => None,
            Some(place) => Some(place.ok_or_else(|| Error::new(ErrorKind::PageToken))?),
        };
        let found = if has_words || format == EpcFormat::DigitalLink {
            let values = self.service.values(collection, after.as_ref(), limit, call);
            values.await?
        } else {
            let service = self.service;
            let values = service.captured_values(collection, after.as_ref(), limit, call);
            values.await?
        };
        let is_link =
            |value: &String| !value.starts_with("urn:") && to_digital_link(value).is_some();
        if format == EpcFormat::Urn && !has_words && found.values.iter().any(is_link) {
            return format.refused(
                "Never_Translates, Always_GS1_Digital_Link, No_Preference: a Digital Link of this answer does not tell its company prefix",
            );
        }
        let mut answer = Answer::json_of(&collection_of(found.values, &bound))?;
        if !has_words {
            let name = http::header::HeaderName::from_static("gs1-epc-format");
            answer = answer.with(name, format.as_str().to_owned());
        }
        let holder = self.holder(call);
        let token = found.next.map(|next| holder.place_token(list, limit, &next.to_text()));
        Ok(self.linked(answer, &self.address(&format!("/{list}")), token, call))
    }

    /// `POST /queries`.
    pub(super) async fn name_query(
        &self,
        body: &mut dyn Body,
        call: &Call,
    ) -> Result<Answer, Error> {
        call.principal.require_query()?;
        query_string::nothing(self.head)?;
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
                Ok(self.created(Answer::json_of(&definition(&query)?)?, location))
            }
            Err(error) => match error.kind() {
                ErrorKind::Binding(BindingFault::QueryExists { name, .. }) => {
                    let instance = self.absolute("/queries", name);
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
        let (limit, after) = self.place(LIST, &page, call)?;
        let found = self.service.named_queries(after.as_deref(), limit + 1, call).await?;
        let mut listed = Vec::new();
        let mut bytes = 0;
        for query in found.iter().take(limit) {
            if bytes > MAX_LIST {
                break;
            }
            bytes += query.query.len();
            listed.push(definition(query)?);
        }
        let answer = Answer::json_of(&listed)?;
        let last = found.get(listed.len().saturating_sub(1));
        let last = last.filter(|_| listed.len() < found.len());
        let holder = self.holder(call);
        let token = last.map(|last| holder.place_token(LIST, limit, &last.name));
        Ok(self.linked(answer, &self.address("/queries"), token, call))
    }

    /// `GET` and `DELETE` of one query.
    pub(super) async fn query(&self, name: &str, call: &Call) -> Result<Answer, Error> {
        query_string::nothing(self.head)?;
        if self.head.method == Method::DELETE {
            self.service.remove_query(name, call).await?;
            return Ok(Answer::empty(StatusCode::NO_CONTENT));
        }
        media::accepted(self.head, false)?;
        let query = self.service.named_query(name, call).await?;
        Answer::json_of(&definition(&query)?)
    }
}

/// A named query, as served.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "NamedQuery"))]
pub(in crate::rest) struct Definition {
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 255)))]
    name: String,
    /// The parameters of SimpleEventQuery, lists as arrays; `@context` binds prefixes.
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    query: Box<RawValue>,
}

fn definition(query: &NamedQuery) -> Result<Definition, Error> {
    let text = RawValue::from_string(query.query.clone());
    Ok(Definition { name: query.name.clone(), query: text.map_err(Error::impossible)? })
}
