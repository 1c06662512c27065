//! The standard's own door: the REST binding of EPCIS 2.0, beside the other doors and once more under `/epcis`.
//!
//! Every request needs a key but `OPTIONS`, and `GET /events` at the root, which is the demo for whoever shows none.
//!
//! **Source**: EPCIS 2.0, 12 (REST bindings).

mod ask;
mod captures;
mod discovery;
mod events;
mod headers;
mod lists;
mod pages;
mod resource;

pub(super) use discovery::top;
pub(super) use resource::{Mount, Resource, find};

use super::answer::Answer;
use super::{Body, media};
use crate::call::{Call, Incoming};
use crate::context::official_prefix;
use crate::error::{BindingFault, Error, ErrorKind};
use crate::service::Service;
use crate::store::{Bearer, Store};
use http::header::{CACHE_CONTROL, UPGRADE, VARY};
use http::request::Parts;
use http::{Method, StatusCode};
use resource::{decoded, encoded};

/// The header that holds the key where `Authorization` cannot.
const KEY_SECRET: &str = "API-KEY-SECRET";

/// What an answer depends on beside its address.
pub(super) const VARIES: &str = "Authorization, Accept, API-KEY-SECRET";

/// A request for a resource of the binding.
pub(super) struct Asking<'r, S> {
    service: &'r Service<S>,
    head: &'r Parts,
    mount: Mount,
}

/// Whether a request shows a key, right or wrong.
pub(super) fn shows_a_key(head: &Parts) -> bool {
    head.headers.contains_key(http::header::AUTHORIZATION) || head.headers.contains_key(KEY_SECRET)
}

/// Whether `GET /events` at the root is the demo's: without a key, and nothing in it asks for stored events.
pub(super) fn is_for_the_demo(head: &Parts) -> bool {
    !shows_a_key(head) && !headers::asks_for_binding(head) && !ask::asks_the_store(head)
}

/// The answer to a request; what is refused here says so with the limits of captures where they were passed.
pub(super) async fn answer<S: Store, B: Body, A: AsyncFn() -> bool>(
    service: &Service<S>,
    (mount, resource): (Mount, Resource<'_>),
    head: &Parts,
    body: &mut B,
    visit: &Incoming<A>,
) -> Answer {
    let asking = Asking {
        service,
        head,
        mount,
    };
    if head.method == Method::OPTIONS {
        return discovery::options(service, resource);
    }
    let answered = asking.answer(resource, body, visit).await;
    let answer = answered.unwrap_or_else(|error| captures::refusal(service, &error));
    answer
        .with(CACHE_CONTROL, "no-store".to_owned())
        .with(VARY, VARIES.to_owned())
}

/// Who asks.
///
/// # Errors
/// [`ErrorKind::NoKey`], [`ErrorKind::KeyNotValid`]; a fault of the storage.
pub(super) async fn principal<S: Store>(
    service: &Service<S>,
    head: &Parts,
) -> Result<crate::call::Principal, Error> {
    let shown = Bearer::shown(
        headers::one(head, "Authorization")?,
        headers::one(head, KEY_SECRET)?,
    )?;
    service.principal(&shown).await
}

impl<S: Store> Asking<'_, S> {
    async fn answer<B: Body, A: AsyncFn() -> bool>(
        &self,
        resource: Resource<'_>,
        body: &mut B,
        visit: &Incoming<A>,
    ) -> Result<Answer, Error> {
        let method = &self.head.method;
        if !resource.has(method) {
            let kind = ErrorKind::Method {
                found: method.to_string(),
                allowed: resource.allow(),
            };
            return Ok(Answer::problem(&Error::new(kind)).allowing(resource.allow()));
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

    async fn get(&self, resource: Resource<'_>, call: &Call) -> Result<Answer, Error> {
        match resource {
            Resource::Top => {
                self.json_alone()?;
                ask::nothing(self.head)?;
                Answer::made(&discovery::collection())
            }
            Resource::Jobs => self.jobs(call).await,
            Resource::Job(id) => {
                self.json_alone()?;
                ask::nothing(self.head)?;
                let job = self.service.job(&decoded(id)?, call).await?;
                Answer::made(&job)
            }
            Resource::Events => self.events(None, call).await,
            Resource::Event(id) => self.event(&decoded(id)?, call).await,
            Resource::Values(collection) => self.values(collection, call).await,
            Resource::Value(_, value) => {
                self.json_alone()?;
                pages::one_page(self.head)?;
                call.principal.require_query()?;
                lists::value_of(value)?;
                Answer::made(&lists::collection_of(vec!["events".to_owned()], &[]))
            }
            Resource::ValueEvents(collection, value) => {
                let value = lists::value_of(value)?;
                let mut parameters = serde_json::Map::new();
                // A value is asked for as it is listed: its prefix is one that its events do not bind either.
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
            Resource::Queries => self.queries(call).await,
            Resource::Query(name) => self.query(&query_name(name)?, call).await,
            Resource::QueryEvents(name) => {
                let query = self.service.named_query(&query_name(name)?, call).await?;
                if self.head.headers.contains_key(UPGRADE) {
                    return Err(no_subscriptions());
                }
                self.query_events(&query, call).await
            }
            Resource::Subscriptions(name) => {
                self.json_alone()?;
                let name = query_name(name)?;
                self.service.named_query(&name, call).await?;
                if self.head.method == Method::POST {
                    ask::nothing(self.head)?;
                    return Err(no_subscriptions());
                }
                pages::one_page(self.head)?;
                Answer::made::<[&str; 0]>(&[])
            }
            Resource::Subscription(name, id) => {
                self.json_alone()?;
                ask::nothing(self.head)?;
                self.service.named_query(&query_name(name)?, call).await?;
                if self.head.method == Method::DELETE {
                    return Err(no_subscriptions());
                }
                let id = decoded(id)?;
                Err(BindingFault::NoSuchSubscription { id }.into())
            }
            Resource::PageToken(_) => {
                ask::nothing(self.head)?;
                Err(BindingFault::NotServed {
                    what: "page tokens hold all they need and are kept nowhere",
                    instead: "there is none to be released: GS1-Next-Page-Token-Expires says until when one is served",
                }
                .into())
            }
        }
    }

    /// Refuses callers that take no JSON.
    fn json_alone(&self) -> Result<(), Error> {
        media::accepted(self.head, false).map(|_| ())
    }

    /// The address of a resource at the mount that was asked.
    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.mount.prefix())
    }

    /// The address of a resource that a value names.
    fn address_of(&self, path: &str, value: &str) -> String {
        format!("{}{path}/{}", self.mount.prefix(), encoded(value))
    }

    /// The same with the address of the gateway before it, where that is known.
    fn absolute(&self, path: &str, value: &str) -> String {
        let base = &self.service.configuration().base_url;
        format!("{base}{}", self.address_of(path, value))
    }

    /// A 201 whose body is there.
    fn created(&self, answer: Answer, location: String) -> Answer {
        answer
            .status(StatusCode::CREATED)
            .with(http::header::LOCATION, location)
    }
}

/// The name of a query in a path; what does not decode is no query's name.
fn query_name(raw: &str) -> Result<String, Error> {
    decoded(raw).map_err(|_| {
        let name = raw.to_owned();
        BindingFault::NoSuchName { name }.into()
    })
}

fn no_subscriptions() -> Error {
    BindingFault::NotServed {
        what: "standing subscriptions are not served",
        instead: "this deployment answers pull queries only: GET the events of the query, with GE_recordTime for what was recorded since",
    }
    .into()
}
