//! The REST binding of EPCIS 2.0, at the root beside the gateway's own endpoints and again under `/epcis`.
//!
//! Every request needs a key, except `OPTIONS`, and at the root `GET /`, which serves the index, and `GET /events`, which without a
//! key serves the demo.
//!
//! **Source**: EPCIS 2.0, 12 (REST bindings).

mod captures;
mod discovery;
mod elements;
mod events;
mod headers;
mod lists;
mod pages;
mod path;
mod query_string;

pub(super) use discovery::top;

#[cfg(feature = "schema")]
pub(super) use lists::Definition;

use super::answer::Answer;
use super::routes::{MatchedRoute, Mount, Resource};
use super::{Body, media, no_such_method, no_such_resource};
use crate::call::{Call, Incoming};
use crate::query::Collection;
use crate::service::Service;
use crate::store::Bearer;
use epcis_edge_document::context::official_prefix;
use epcis_edge_text::error::{BindingFault, Error, ErrorKind};
use http::header::{CACHE_CONTROL, UPGRADE, VARY};
use http::request::Parts;
use http::{Method, StatusCode};
use path::{decoded, encoded};

/// The header that carries the key if `Authorization` cannot.
const KEY_SECRET: &str = "API-KEY-SECRET";

/// The request headers that an answer depends on, for `Vary`.
pub(super) const VARIES: &str = "Authorization, Accept, API-KEY-SECRET";

/// A request for a resource of the binding.
pub(super) struct BindingRequest<'r> {
    service: &'r Service,
    route: &'r MatchedRoute<'r>,
    head: &'r Parts,
    mount: Mount,
}

/// Whether a request shows a key, right or wrong.
pub(super) fn shows_a_key(head: &Parts) -> bool {
    head.headers.contains_key(http::header::AUTHORIZATION) || head.headers.contains_key(KEY_SECRET)
}

/// Whether `GET /events` at the root is for the demo: it has no key, and no header or parameter that applies only to stored events.
pub(super) fn is_for_the_demo(head: &Parts) -> bool {
    !shows_a_key(head) && !headers::asks_for_binding(head) && !query_string::asks_the_store(head)
}

/// Answers a request. If a capture limit was exceeded, the refusal states the limits.
pub(super) async fn answer(
    service: &Service,
    (route, mount, resource): (&MatchedRoute<'_>, Mount, Resource),
    head: &Parts,
    body: &mut dyn Body,
    visit: &Incoming<'_>,
) -> Answer {
    let request = BindingRequest { service, route, head, mount };
    if head.method == Method::OPTIONS {
        return discovery::options(service, route);
    }
    let answered = request.answer(resource, body, visit).await;
    let answer = answered.unwrap_or_else(|error| captures::refusal(service, &error));
    answer.with(CACHE_CONTROL, "no-store".to_owned()).with(VARY, VARIES.to_owned())
}

/// The owner of the key in the request.
///
/// # Errors
/// [`ErrorKind::NoKey`], [`ErrorKind::KeyNotValid`]; a fault of the storage.
pub(super) async fn principal(
    service: &Service,
    head: &Parts,
) -> Result<crate::call::Principal, Error> {
    let shown =
        Bearer::shown(headers::one(head, "Authorization")?, headers::one(head, KEY_SECRET)?)?;
    service.principal(&shown).await
}

/// The query of a query string, with its page token. A feed cursor is refused.
///
/// # Errors
/// As [`query_string::read`] and as the query language; [`ErrorKind::UnknownParameter`] for a feed cursor.
pub(super) fn query_of(head: &Parts) -> Result<crate::query::Query, Error> {
    let query_string = query_string::read(head)?;
    if query_string.feed_cursor.is_some() {
        let (name, known) = ("feedCursor".to_owned(), "nextPageToken".to_owned());
        return Err(Error::new(ErrorKind::UnknownParameter { name, known }));
    }
    let question = crate::query::Question {
        name: None,
        parts: query_string.parameters.iter().cloned().collect(),
    };
    let query = query_string::sized(question.query()?, query_string.page.per_page);
    query.paged(None, query_string.page.token().map(str::to_owned))
}

impl BindingRequest<'_> {
    async fn answer(
        &self,
        resource: Resource,
        body: &mut dyn Body,
        visit: &Incoming<'_>,
    ) -> Result<Answer, Error> {
        let method = &self.head.method;
        if !self.route.has(method) {
            return Ok(no_such_method(self.route, method));
        }
        visit.admitted().await?;
        let call = &Call::new(visit.now, principal(self.service, self.head).await?);
        match (resource, method) {
            (Resource::Jobs, &Method::POST) => self.capture(body, call, visit).await,
            (Resource::Events, &Method::POST) => self.capture_event(body, call, visit).await,
            (Resource::Queries, &Method::POST) => self.name_query(body, call).await,
            _ => {
                headers::require_versions(self.head, false)?;
                self.get(resource, call).await
            }
        }
    }

    async fn get(&self, resource: Resource, call: &Call) -> Result<Answer, Error> {
        match resource {
            Resource::Top => {
                self.json_alone()?;
                query_string::nothing(self.head)?;
                Answer::json_of(&discovery::collection())
            }
            Resource::Jobs => self.jobs(call).await,
            Resource::Job => {
                self.json_alone()?;
                query_string::nothing(self.head)?;
                let job = self.service.job(&self.decoded("captureID")?, call).await?;
                Answer::json_of(&job)
            }
            Resource::Events => self.events(None, call).await,
            Resource::Event => self.event(&self.decoded("eventID")?, call).await,
            Resource::Values(collection) => self.values(collection, call).await,
            Resource::Value(collection) => {
                let value = self.route.value("value")?;
                if let Some(value) = value.strip_suffix("/events") {
                    if value.is_empty() {
                        return Err(no_such_resource(self.head));
                    }
                    return self.events_of(collection, value, call).await;
                }
                self.json_alone()?;
                pages::one_page(self.head)?;
                call.principal.require_query()?;
                lists::value_of(value)?;
                Answer::json_of(&lists::collection_of(vec!["events".to_owned()], &[]))
            }
            Resource::MasterData => self.elements(None, None, call).await,
            Resource::MasterDataType => {
                self.elements(Some(self.decoded("type")?), None, call).await
            }
            Resource::MasterDataElement => {
                let (kind, id) = (self.decoded("type")?, self.decoded("id")?);
                self.elements(Some(kind), Some(id), call).await
            }
            Resource::Queries => self.queries(call).await,
            Resource::Query => self.query(&self.query_name()?, call).await,
            Resource::QueryEvents => {
                let query = self.service.named_query(&self.query_name()?, call).await?;
                if self.head.headers.contains_key(UPGRADE) {
                    return Err(no_subscriptions());
                }
                self.query_events(&query, call).await
            }
            Resource::Subscriptions => {
                self.json_alone()?;
                self.service.named_query(&self.query_name()?, call).await?;
                if self.head.method == Method::POST {
                    query_string::nothing(self.head)?;
                    return Err(no_subscriptions());
                }
                pages::one_page(self.head)?;
                Answer::json_of::<[&str; 0]>(&[])
            }
            Resource::Subscription => {
                self.json_alone()?;
                query_string::nothing(self.head)?;
                self.service.named_query(&self.query_name()?, call).await?;
                if self.head.method == Method::DELETE {
                    return Err(no_subscriptions());
                }
                let id = self.decoded("subscriptionID")?;
                Err(BindingFault::NoSuchSubscription { id }.into())
            }
            Resource::PageToken => {
                query_string::nothing(self.head)?;
                Err(BindingFault::NotServed {
                    what: "page tokens are not stored, so none can be revoked",
                    instead: "they expire: GS1-Next-Page-Token-Expires says when",
                }
                .into())
            }
        }
    }

    /// The events that have a value of a collection.
    async fn events_of(
        &self,
        collection: Collection,
        value: &str,
        call: &Call,
    ) -> Result<Answer, Error> {
        let value = lists::value_of(value)?;
        let mut parameters = serde_json::Map::new();
        // A listed value such as `ex:a` is queried as it is: its events do not bind `ex` either, so `ex` expands to `ex:` here.
        if let Some((prefix, _)) = value.split_once(':')
            && official_prefix(prefix).is_none()
        {
            let own = serde_json::json!({prefix: format!("{prefix}:")});
            parameters.insert("@context".to_owned(), own);
        }
        parameters.insert(collection.parameter().to_owned(), value.into());
        let part = serde_json::Value::Object(parameters).to_string();
        self.events(Some(part), call).await
    }

    /// A value of the path, decoded.
    fn decoded(&self, name: &str) -> Result<String, Error> {
        decoded(self.route.value(name)?)
    }

    /// The query name in the path. A name that cannot be decoded belongs to no query.
    fn query_name(&self) -> Result<String, Error> {
        let raw = self.route.value("queryName")?;
        decoded(raw).map_err(|_| {
            let name = raw.to_owned();
            BindingFault::NoSuchName { name }.into()
        })
    }

    /// Refuses callers that do not accept JSON.
    fn json_alone(&self) -> Result<(), Error> {
        media::accepted(self.head, false).map(|_| ())
    }

    /// The address of a resource, at the mount of this request.
    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.mount.path())
    }

    /// The address of the resource with this value as its last segment.
    fn address_of(&self, path: &str, value: &str) -> String {
        format!("{}{path}/{}", self.mount.path(), encoded(value))
    }

    /// As [`address_of`](Self::address_of), with the base URL of the gateway before it, if that is known.
    fn absolute(&self, path: &str, value: &str) -> String {
        let base = &self.service.configuration().base_url;
        format!("{base}{}", self.address_of(path, value))
    }

    /// A response with status 201 and the body of `answer`.
    fn created(&self, answer: Answer, location: String) -> Answer {
        answer.status(StatusCode::CREATED).with(http::header::LOCATION, location)
    }
}

fn no_subscriptions() -> Error {
    BindingFault::NotServed {
        what: "standing subscriptions are not served",
        instead: "this deployment answers pull queries only: GET the events of the query in the order of recording, and again with its feedCursor for what was recorded since",
    }
    .into()
}
