//! The work done after the answers: events get their leaves in the log, heads get their cosignatures.

use async_trait::async_trait;
use epcis_edge_core::error::Error;
use epcis_edge_core::service::{Integrated, LogState, Service, Witnesses};
use http_body_util::{BodyExt as _, Limited};
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;
use worker::js_sys::Uint8Array;
use worker::wasm_bindgen::JsValue;
use worker::wasm_bindgen::prelude::wasm_bindgen;
use worker::{
    AbortController, Date, Delay, Fetch, Headers, HttpResponse, Method, Request, RequestInit,
    RequestRedirect, console_error,
};

/// The most integrations in one run; the next run continues.
const ROUNDS: usize = 60;

/// The time in milliseconds after which a run that has not ended counts as aborted.
const GIVEN_UP: u64 = 30_000;

/// The least time between the starts of two runs, in milliseconds, so that not every capture makes a head.
const REST: u64 = 1000;

/// The polling interval while waiting for another run to end, in milliseconds.
const STEP: u64 = 50;

/// After how many milliseconds without having logged all events the log is behind, and captures wait for it.
const BEHIND: u64 = 2000;

/// The longest time in milliseconds that the answer to a capture waits for a log that is behind.
const PACE: u64 = 3000;

/// After how many milliseconds without growth captures no longer wait for the log.
const STALLED: u64 = 5000;

/// The time limit for the answer of a witness.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest answer of a witness that is accepted, in bytes.
const MAX_ANSWER: usize = 64 << 10;

#[wasm_bindgen(wasm_bindgen = worker::wasm_bindgen)]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues, catch)]
    fn get_random_values(array: &Uint8Array) -> Result<Uint8Array, JsValue>;
}

/// 32 bytes from the cryptographic random generator of the runtime.
fn entropy() -> Result<[u8; 32], JsValue> {
    let bytes = get_random_values(&Uint8Array::new_with_length(32))?;
    let mut entropy = [0; 32];
    bytes.copy_to(&mut entropy);
    Ok(entropy)
}

/// Work that has one run at a time in an isolate, and starts at most once per [`REST`].
///
/// A call made while another one is waiting is dropped: the waiting one has not begun yet, so it covers both.
#[derive(Debug, Default)]
struct Task {
    /// When the waiting call was made, in milliseconds since 1970; 0 if none is waiting.
    asked: Cell<u64>,
    /// When the current run began; 0 if there is none.
    begun: Cell<u64>,
    /// When the last run began.
    last: Cell<u64>,
}

impl Task {
    /// Waits until the run may begin. Returns false at once if another call is waiting already.
    async fn is_mine(&self) -> bool {
        let asked = now();
        if self.asked.get() + GIVEN_UP > asked {
            return false;
        }
        self.asked.set(asked);
        loop {
            let now = now();
            let is_under_way = self.begun.get() + GIVEN_UP > now;
            let rest = (self.last.get() + REST).saturating_sub(now);
            if rest == 0 && !is_under_way {
                break;
            }
            Delay::from(Duration::from_millis(rest.clamp(STEP, REST))).await;
        }
        let now = now();
        self.asked.set(0);
        self.begun.set(now);
        self.last.set(now);
        true
    }

    fn is_done(&self) {
        self.begun.set(0);
    }
}

fn now() -> u64 {
    Date::now().as_millis()
}

/// The background work of this isolate on the log.
#[derive(Debug, Default)]
pub(crate) struct Background {
    integrating: Task,
    /// Since when the log grows without having reached the newest event, in milliseconds since 1970; 0 if it does not grow now.
    growing_since: Cell<u64>,
    /// When it grew last.
    grown: Cell<u64>,
    /// A task of its own, so that no leaf waits for a slow witness.
    cosigning: Task,
    /// When the witnesses were last asked whether they know more of the log than the store, in milliseconds since 1970.
    consulted: Cell<Option<u64>>,
}

impl Background {
    /// Gives leaves to all events without one, then asks the witnesses. Returns false if another call is waiting to do so.
    pub(crate) async fn work(&self, service: &Service) -> bool {
        tell_fault(service);
        if !is_log_on(service) {
            return true;
        }
        if !self.integrating.is_mine().await {
            return false;
        }
        if self.may_sign(service).await {
            self.growing_since.set(now());
            self.integrate(service).await;
            self.growing_since.set(0);
        }
        self.integrating.is_done();
        self.cosign(service).await;
        true
    }

    /// Gives leaves to all events without one, for the object of the log, which does this once at a time. Returns whether it could.
    pub(crate) async fn grow(&self, service: &Service) -> bool {
        tell_fault(service);
        let work = async {
            is_log_on(service) && self.may_sign(service).await && self.integrate(service).await
        };
        within(Duration::from_millis(GIVEN_UP), work).await.unwrap_or_else(|| {
            console_error!("the log did not grow in time");
            false
        })
    }

    /// Asks the witnesses, unless another call is waiting to do so.
    pub(crate) async fn cosign(&self, service: &Service) {
        if is_log_on(service) && self.cosigning.is_mine().await {
            told(service.cosign(&Web, now()).await);
            self.cosigning.is_done();
        }
    }

    /// Waits while the log is behind, at most [`PACE`]: captures slow down to what the log can take, so that no event waits long for its
    /// leaf.
    pub(crate) async fn keep_pace(&self) {
        for _ in 0..PACE / STEP {
            if !self.is_behind() {
                return;
            }
            Delay::from(Duration::from_millis(STEP)).await;
        }
    }

    fn is_behind(&self) -> bool {
        let (now, since) = (now(), self.growing_since.get());
        since > 0 && now > since + BEHIND && now < self.grown.get() + STALLED
    }

    /// As [`work`](Self::work), for the cron trigger: while another call is waiting, tries again, for at most [`GIVEN_UP`].
    pub(crate) async fn catch_up(&self, service: &Service) {
        for _ in 0..GIVEN_UP / STEP {
            if self.work(service).await {
                return;
            }
            Delay::from(Duration::from_millis(STEP)).await;
        }
    }

    /// Whether anything may be signed. Before its first signature, and after each halt, an isolate asks the witnesses what they know.
    async fn may_sign(&self, service: &Service) -> bool {
        let now = Date::now().as_millis();
        match service.must_consult(self.consulted.get()).await {
            Ok(false) => true,
            Ok(true) => {
                let is_done = told(service.consult(&Web, now).await);
                if is_done {
                    self.consulted.set(Some(now));
                }
                is_done
            }
            Err(error) => {
                console_error!("cannot find out whether the log may sign: {error:?}");
                false
            }
        }
    }

    /// Returns false if it failed.
    async fn integrate(&self, service: &Service) -> bool {
        for _ in 0..ROUNDS {
            let entropy = match entropy() {
                Ok(entropy) => entropy,
                Err(error) => {
                    console_error!("the log cannot grow without random bytes: {error:?}");
                    return false;
                }
            };
            match service.integrate(entropy).await {
                Ok(Integrated::NoLog | Integrated::Complete { .. }) => return true,
                Ok(Integrated::Grown { copy, .. }) => {
                    self.grown.set(now());
                    if let Some(error) = copy {
                        console_error!("cannot store the copy of the head: {error:?}");
                    }
                }
                Ok(Integrated::Overtaken) => {}
                Err(error) => {
                    console_error!("the log cannot grow: {error} ({error:?})");
                    return false;
                }
            }
        }
        true
    }
}

/// Whether the log may grow.
fn is_log_on(service: &Service) -> bool {
    let configuration = service.configuration();
    configuration.log.is_some() && !configuration.read_only
}

/// Reports on the console a fault of the log's settings.
fn tell_fault(service: &Service) {
    if let Some(fault) = &service.configuration().log_fault {
        console_error!("the log is off: {fault}");
    }
}

/// Reports on the console that events have waited too long for their leaves. A halt is reported where it is found.
pub(crate) async fn tell_lag(service: &Service) {
    if service.configuration().log.is_none() {
        return;
    }
    match service.log_status(Date::now().as_millis()).await {
        Ok(status) if status.state == LogState::Lagging => {
            console_error!("the log lags: {}", status.reason.unwrap_or_default());
        }
        Ok(_) => {}
        Err(error) => console_error!("cannot read the state of the log: {error:?}"),
    }
}

/// Writes the errors of witnesses to the console. Returns false if the store failed.
fn told(troubles: Result<Vec<String>, Error>) -> bool {
    match troubles {
        Ok(troubles) => {
            for trouble in troubles {
                console_error!("{trouble}");
            }
            true
        }
        Err(error) => {
            console_error!("the store failed while cosignatures were collected: {error:?}");
            false
        }
    }
}

/// Witnesses that are reached over HTTP.
struct Web;

#[async_trait(?Send)]
impl Witnesses for Web {
    async fn ask(&self, url: &str, body: String) -> Option<(u16, String, String)> {
        let controller = AbortController::default();
        let signal = controller.signal();
        let answer = async {
            let headers = Headers::new();
            headers.set("content-type", "text/plain; charset=utf-8").ok()?;
            let mut init = RequestInit::new();
            init.with_method(Method::Post)
                .with_headers(headers)
                .with_body(Some(JsValue::from_str(&body)))
                .with_redirect(RequestRedirect::Manual);
            let request = Request::new_with_init(url, &init).ok()?;
            let response = Fetch::Request(request).send_with_signal(&signal).await.ok()?;
            let response = HttpResponse::try_from(response).ok()?;
            let media_type = response.headers().get("content-type");
            let media_type = media_type.and_then(|value| value.to_str().ok());
            let media_type = media_type.unwrap_or_default().to_owned();
            let status = response.status().as_u16();
            let body = Limited::new(response.into_body(), MAX_ANSWER);
            let body = body.collect().await.ok()?.to_bytes();
            Some((status, media_type, String::from_utf8(body.to_vec()).ok()?))
        };
        let answer = within(PATIENCE, answer).await;
        controller.abort();
        answer.flatten()
    }
}

/// The output of a future; `None` if it takes longer than the limit.
async fn within<F: Future>(limit: Duration, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut delay = pin!(Delay::from(limit));
    poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        delay.as_mut().poll(context).map(|()| None)
    })
    .await
}
