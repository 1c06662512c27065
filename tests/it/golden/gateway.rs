//! A gateway over memory whose every answer is recorded.

use super::masks::{masked, sorted};
use super::recorder::Recorder;
use super::values::NOW;
use crate::support::description::{Description, OPENAPI, file};
use async_trait::async_trait;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use epcis_edge_core::call::{Incoming, Readable, Rights};
use epcis_edge_core::log::{KeyKind, Policy, Signer};
use epcis_edge_core::rest;
use epcis_edge_core::service::{Configuration, Integrated, LogSettings, Service, Witnesses};
use epcis_edge_core::store::{Bearer, Key, MemoryStore};
use epcis_edge_tests::witness::Witness;
use http::{Request, Response};
use pollster::block_on;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::future::ready;
use std::rc::Rc;

pub(super) const ORIGIN: &str = "epcis.example.com/log";

/// The key of the log of the gateway.
pub(super) fn log_key() -> Signer {
    signer(ORIGIN, KeyKind::Note)
}

fn signer(name: &str, kind: KeyKind) -> Signer {
    // A seed for each name, the same in every run.
    let seed = std::array::from_fn(|at| name.as_bytes()[at % name.len()]);
    Signer::new(name, kind, &seed).unwrap()
}

/// The witness of the log.
pub(super) struct Partner(Witness);

impl Partner {
    const URL: &str = "https://partner.example.com/witness";

    pub(super) fn new() -> Self {
        let key = signer("partner.example.com/witness", KeyKind::Cosignature);
        Self(Witness::new(key, log_key().key().clone()))
    }
}

#[async_trait(?Send)]
impl Witnesses for Partner {
    async fn ask(&self, url: &str, body: String) -> Option<(u16, String, String)> {
        assert_eq!(url, format!("{}/add-checkpoint", Self::URL));
        Some(self.0.answer(&body, NOW / 1000))
    }
}

/// A gateway that keeps a log, which the partner witnesses.
fn configuration() -> Configuration {
    let mut configuration = Configuration::at("https://epcis.example.com");
    configuration.family = configuration.family.with_resolver("https://resolver.example/");
    let witness = Partner::new().0.line(Partner::URL);
    let policy = Policy::read(&format!("{witness}quorum none\n")).unwrap();
    let settings = LogSettings::new(vec![log_key()], "https://epcis.example.com/log", policy);
    configuration.log = Some(settings.unwrap());
    configuration
}

/// The keys by their letters: `a` and `b` have all rights, each for an account of its own, and `e` reads both accounts. For the
/// account of `a`, `c` may only capture, `d` may only query, and `f` is revoked.
pub(super) fn key_of(letter: char) -> String {
    format!("epcis_00000000000{letter}_{}", letter.to_string().repeat(43))
}

fn keys() -> Vec<Key> {
    let account = |name: char| format!("https://example.com/accounts/{name}");
    let key = |letter: char| {
        let bearer = Bearer::read(Some(&format!("Bearer {}", key_of(letter)))).unwrap();
        let own = account(if letter == 'b' { 'b' } else { 'a' });
        let readable = match letter {
            'e' => ['a', 'b'].map(account).into(),
            _ => [own.clone()].into(),
        };
        Key {
            id: bearer.id().to_owned(),
            digest: bearer.digest(),
            account: own,
            observer: "https://id.gs1.org/417/9521141000009".to_owned(),
            rights: Rights { capture: letter != 'd', query: letter != 'c' },
            readable: Readable::Accounts(readable),
            revoked: letter == 'f',
        }
    };
    "abcdef".chars().map(key).collect()
}

/// A request.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked<'r> {
    pub(super) method: &'r str,
    pub(super) target: &'r str,
    pub(super) headers: Vec<(&'r str, &'r str)>,
    pub(super) body: &'r [u8],
}

pub(super) type Answer = Response<Bytes>;

/// The value of a header, or an empty text.
pub(super) fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    let value = answer.headers().get(name);
    value.map_or("", |value| value.to_str().unwrap())
}

pub(super) fn body(answer: &Answer) -> String {
    String::from_utf8(answer.body().to_vec()).unwrap()
}

/// An answer as a text: status, headers in their order, body.
pub(super) fn shown(target: &str, answer: &Answer) -> String {
    let mut head = format!("{}\n", answer.status().as_u16());
    for (name, value) in answer.headers() {
        let _ = writeln!(head, "{name}: {}", String::from_utf8_lossy(value.as_bytes()));
    }
    let body = match std::str::from_utf8(answer.body()) {
        // The order of members in the description may change.
        Ok(text) if target.ends_with("/openapi.json") && !text.is_empty() => {
            sorted(&serde_json::from_str(text).unwrap()).to_string()
        }
        Ok(text) => text.to_owned(),
        Err(_) => HEXLOWER.encode(answer.body()),
    };
    masked(&format!("{head}\n{body}"))
}

/// A gateway, and what was asked of it.
pub(super) struct Gateway {
    pub(super) service: Service,
    recorder: RefCell<Recorder>,
    description: Description,
    /// The described paths and methods that were asked.
    asked: RefCell<BTreeSet<(String, String)>>,
    now: Cell<u64>,
    turn: Cell<u8>,
}

impl Gateway {
    /// A gateway with an empty store.
    pub(super) fn new(recorder: Recorder) -> Self {
        Self {
            service: service(),
            recorder: RefCell::new(recorder),
            description: Description::read(OPENAPI),
            asked: RefCell::default(),
            now: Cell::new(NOW),
            turn: Cell::new(0),
        }
    }

    /// Moves the clock forward.
    pub(super) fn later(&self, seconds: u64) {
        self.now.set(self.now.get() + seconds * 1000);
    }

    pub(super) fn now(&self) -> u64 {
        self.now.get()
    }

    /// Sends a request, and records the answer under this name.
    pub(super) fn send(&self, name: &str, asked: &Asked<'_>) -> Answer {
        self.send_as(name, asked, true)
    }

    /// As [`send`](Self::send), but the rate limit refuses the call unless `admits`.
    pub(super) fn send_as(&self, name: &str, asked: &Asked<'_>, admits: bool) -> Answer {
        let answer = answer_of(&self.service, asked, self.now.get(), admits);
        let path = asked.target.split('?').next().unwrap_or_default();
        if let Some(template) = self.description.path_of(path) {
            let method = asked.method.to_lowercase();
            self.asked.borrow_mut().insert((template.to_owned(), method));
        }
        let value = shown(asked.target, &answer);
        self.recorder.borrow_mut().case(name, || vec![value]);
        answer
    }

    /// Sends a request with a key; its name is the method and the target, after a prefix.
    pub(super) fn keyed(
        &self,
        prefix: &str,
        (letter, method): (char, &str),
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let authorization = format!("Bearer {}", key_of(letter));
        let mut all = vec![("authorization", authorization.as_str())];
        all.extend(headers);
        let name = masked(&format!("{prefix} {method} {target}"));
        let asked = Asked { method, target, headers: all, body };
        self.send(&name, &asked)
    }

    /// Sends a GET request with the key `a`.
    pub(super) fn get(&self, prefix: &str, target: &str) -> Answer {
        self.keyed(prefix, ('a', "GET"), target, &[], b"")
    }

    /// Records a value that is no answer.
    pub(super) fn note(&self, name: &str, value: String) {
        self.recorder.borrow_mut().case(name, || vec![value]);
    }

    /// Makes leaves of all events, and signs the head.
    pub(super) fn integrate(&self) {
        loop {
            self.turn.set(self.turn.get() + 1);
            match block_on(self.service.integrate([self.turn.get(); 32])).unwrap() {
                Integrated::Grown { copy: None, .. } => {}
                Integrated::Complete { .. } => return,
                other => panic!("{other:?}"),
            }
        }
    }

    /// Asserts that every operation of the description was asked, and ends the record.
    pub(super) fn finish(self) {
        let asked = self.asked.into_inner();
        let operations = self.description.operations();
        let missing: Vec<_> = operations
            .filter(|(path, method, _)| {
                !asked.contains(&((*path).to_owned(), (*method).to_owned()))
            })
            .map(|(path, method, _)| format!("{method} {path}"))
            .collect();
        assert!(missing.is_empty(), "never asked: {missing:?}");
        let recorder = self.recorder.into_inner();
        assert!(recorder.count() > 300, "{}", recorder.count());
        recorder.finish();
    }
}

/// A gateway with an empty store and the keys.
fn service() -> Service {
    let store = MemoryStore::new();
    for key in keys() {
        store.put_key(key);
    }
    Service::with_store(configuration(), Rc::new(store))
}

/// The answer of a service at a time.
pub(super) fn answer_of(service: &Service, asked: &Asked<'_>, now: u64, admits: bool) -> Answer {
    let mut request = Request::builder().method(asked.method).uri(asked.target);
    for (name, value) in &asked.headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Bytes::from(asked.body.to_vec())).unwrap();
    let visit = Incoming { now, admit: &|| Box::pin(ready(admits)), description: &file };
    block_on(rest::respond(service, request, &visit))
}
