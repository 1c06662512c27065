//! The gateway as a Cloudflare Worker: reads a request, calls the core and returns its answer.
//!
//! It contains no EPCIS rules.

mod background;
mod database;
mod documents;
mod opened;
mod page;
mod request;
mod settings;

use background::Background;
use bytes::Bytes;
use epcis_edge_core::call::Incoming;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::rest::{self, Compressible, Detail, LongPoll};
use epcis_edge_core::service::{Configuration, Service};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::{HeaderValue, Request, Uri};
use opened::Opened;
use std::cell::OnceCell;
use std::net::IpAddr;
use std::rc::Rc;
use std::time::Duration;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::{
    Context, Date, Delay, Env, RateLimiter, Response, ResponseBody, ScheduleContext,
    ScheduledEvent, console_error, event, web_sys,
};

thread_local! {
    /// The gateway of this isolate. Its settings cannot change while the isolate lives.
    static GATEWAY: OnceCell<Rc<Gateway>> = const { OnceCell::new() };
}

/// What an isolate makes from its settings, once.
struct Gateway {
    opened: Opened,
    /// The rate limiter for the work of callers; `None` if they are not limited.
    limiter: Option<RateLimiter>,
    background: Background,
}

impl Gateway {
    fn new(env: &Env, address: &Uri) -> worker::Result<Self> {
        let (configuration, is_limited) = settings::read(env, address)?;
        let limiter = is_limited.then(|| env.rate_limiter("LIMITER")).transpose()?;
        Ok(Self {
            opened: opened::open(env, configuration)?,
            limiter,
            background: Background::default(),
        })
    }

    /// Whether a caller may have one more unit of work. True if the rate limiter fails.
    ///
    /// The binding counts its own calls, so it is called once for each unit until it refuses. These calls do not leave the machine.
    async fn admits(&self, caller: &str) -> bool {
        let Some(limiter) = &self.limiter else {
            return true;
        };
        match limiter.limit(caller.to_owned()).await {
            Ok(outcome) => outcome.success,
            Err(error) => {
                console_error!("the rate limiter failed, so the call is allowed: {error}");
                true
            }
        }
    }
}

/// The rate-limit key: the IPv4 address, or the /64 prefix of an IPv6 address, since a network assigns the other bits itself.
fn caller<B>(request: &Request<B>) -> String {
    let header = request.headers().get("cf-connecting-ip");
    let address = header.and_then(|address| address.to_str().ok()?.parse::<IpAddr>().ok());
    match address {
        None => "unknown".to_owned(),
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// The gateway of this isolate. The detail of an error goes to the log, not to the caller.
fn gateway(env: &Env, address: &Uri) -> Result<Rc<Gateway>, Error> {
    GATEWAY
        .with(|kept| {
            if let Some(gateway) = kept.get() {
                return Ok(Rc::clone(gateway));
            }
            let gateway = Gateway::new(env, address)?;
            Ok(Rc::clone(kept.get_or_init(|| Rc::new(gateway))))
        })
        .map_err(|error: worker::Error| {
            Error::new(ErrorKind::Internal { detail: error.to_string() })
        })
}

/// Repeats a long poll once a second until it has a result or the time is over.
async fn wait(
    service: &Service,
    head: &Request<()>,
    mut answer: http::Response<Bytes>,
    seconds: u64,
) -> http::Response<Bytes> {
    for _ in 0..seconds {
        Delay::from(Duration::from_secs(1)).await;
        let request = head.clone().map(|()| Bytes::new());
        let again = Incoming::at(Date::now().as_millis());
        answer = rest::respond(service, request, &again).await;
        if answer.extensions().get::<LongPoll>().is_none() {
            break;
        }
    }
    answer
}

/// The gateway of this isolate, for work without a request. No address can replace `BASE_URL` then: if that is not set, only an error is
/// logged.
fn gateway_at_work(env: &Env) -> Option<Rc<Gateway>> {
    gateway(env, &Uri::from_static("https://cron.invalid"))
        .inspect_err(|error| console_error!("{error:?}"))
        .ok()
}

/// The cron trigger: logs the events that captures left without a leaf, and asks witnesses that did not answer before.
#[event(scheduled)]
async fn scheduled(_event: ScheduledEvent, env: Env, _context: ScheduleContext) {
    let Some(gateway) = gateway_at_work(&env) else { return };
    let service = &gateway.opened.service;
    match gateway.opened.objects() {
        None => gateway.background.catch_up(service).await,
        Some(objects) => {
            if let Err(error) = objects.wake_log().await {
                console_error!("the log cannot be woken: {error:?}");
            }
        }
    }
    background::tell_lag(service).await;
}

/// Gives leaves to all events without one, for the alarm of the object of the log: see worker/js/account.ts. Returns whether it could.
#[wasm_bindgen(
    wasm_bindgen = worker::wasm_bindgen,
    wasm_bindgen_futures = worker::wasm_bindgen_futures,
    js_sys = worker::js_sys
)]
pub async fn grow(env: Env) -> bool {
    match gateway_at_work(&env) {
        Some(gateway) => gateway.background.grow(&gateway.opened.service).await,
        None => false,
    }
}

/// Asks the witnesses to cosign the newest head, for the same alarm.
#[wasm_bindgen(
    wasm_bindgen = worker::wasm_bindgen,
    wasm_bindgen_futures = worker::wasm_bindgen_futures,
    js_sys = worker::js_sys
)]
pub async fn cosign(env: Env) {
    if let Some(gateway) = gateway_at_work(&env) {
        gateway.background.cosign(&gateway.opened.service).await;
    }
}

#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, context: Context) -> worker::Result<Response> {
    let read = request::read(&request);
    let page_request = read.as_ref().ok().and_then(page::PageRequest::of);
    let address = read.as_ref().map(|request| request.uri().clone());
    let answer = match gateway(&env, &address.unwrap_or_default()) {
        Ok(gateway) => match read {
            Ok(request) => {
                let caller = caller(&request);
                let service = &gateway.opened.service;
                let incoming = Incoming {
                    now: Date::now().as_millis(),
                    admit: &|| Box::pin(gateway.admits(&caller)),
                    description: &|| Box::pin(page::description(&env)),
                };
                let head = request::without_body(&request);
                let mut answer = rest::respond(service, request, &incoming).await;
                // A long poll is counted once, however often it is repeated.
                if let Some(LongPoll { seconds }) = answer.extensions().get().copied() {
                    answer = wait(service, &head, answer, seconds).await;
                }
                if gateway.opened.take_growth() {
                    context.wait_until({
                        let gateway = Rc::clone(&gateway);
                        async move {
                            gateway.background.work(&gateway.opened.service).await;
                        }
                    });
                    gateway.background.keep_pace().await;
                }
                answer
            }
            Err(error) => rest::refuse(gateway.opened.service.configuration(), &error),
        },
        Err(error) => rest::refuse(&Configuration::at(""), &error),
    };
    let (mut head, mut body) = answer.into_parts();
    if let Some(page_request) = page_request {
        match page_request.page(&env, &head).await {
            Ok(Some(page)) => (head.status, head.headers, body) = page,
            Ok(None) => {}
            Err(error) => console_error!("the HTML page cannot be served: {error}"),
        }
    }
    if head.extensions.get::<Compressible>().is_some() && request::takes_gzip(&request) {
        // The runtime compresses a body that declares this encoding, which changes its length.
        head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        head.headers.remove(CONTENT_LENGTH);
    }
    if let Some(Detail(detail)) = head.extensions.get() {
        console_error!("{detail}");
    }
    // The body is one piece, so that the runtime announces its length.
    let body = if body.is_empty() { ResponseBody::Empty } else { ResponseBody::Body(body.into()) };
    Ok(Response::from_body(body)?
        .with_status(head.status.as_u16())
        .with_headers(head.headers.into()))
}
