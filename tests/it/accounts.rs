//! A store made of one store for each account answers as one store for all does.

use crate::support::postgres::{AccountStore, empty_accounts};
use crate::support::{SqliteStore, empty_sqlite};
use epcis_edge_core::call::{Call, Principal, Readable};
use epcis_edge_core::error::ErrorKind;
use epcis_edge_core::follow::Request;
use epcis_edge_core::json::Document;
use epcis_edge_core::log::{KeyKind, Order, Policy, Signer, verify};
use epcis_edge_core::query::{Collection, MAX_ACCOUNTS, NUMBERS_OF_AN_ACCOUNT, Query, account_of};
use epcis_edge_core::service::{
    AcceptedDocuments, CaptureOptions, Configuration, ElementQuestion, Envelope, Found, Integrated,
    LogSettings, MAX_LEAVES, Ordered, Service,
};
use epcis_edge_core::store::{
    Account, Accounts, AccountsLog, Directory, Documents, LOGGED_BYTES, Store, StoredJob,
};
use epcis_edge_tests::random::Random;
use pollster::block_on;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const ACCOUNTS: usize = 5;
const MANY: usize = 70;
const QUERIES: [&str; 8] = [
    "{}",
    r#"{"orderBy": "eventTime", "orderDirection": "ASC"}"#,
    r#"{"orderBy": "eventTime", "orderDirection": "DESC"}"#,
    r#"{"orderBy": "recordTime", "orderDirection": "ASC"}"#,
    r#"{"EQ_bizStep": ["shipping"]}"#,
    r#"{"MATCH_epc": ["https://id.gs1.org/01/09521141000007/21/1"], "orderBy": "eventTime", "orderDirection": "DESC"}"#,
    r#"{"HASATTR_readPoint": ["urn:epcglobal:cbv:mda#name"]}"#,
    r#"{"EQ_bizStep": ["packing"], "orderBy": "eventTime", "orderDirection": "ASC", "eventCountLimit": 11}"#,
];
const FEED: &str = r#"{"orderBy": "recordTime", "orderDirection": "ASC"}"#;
const NOW: u64 = 1_790_000_000_000;

const ORIGIN: &str = "epcis.example.com/log";

fn log_key() -> Signer {
    Signer::new(ORIGIN, KeyKind::Note, &[1; 32]).unwrap()
}

/// The settings of a gateway that has a log.
fn with_log() -> Configuration {
    let mut configuration = Configuration::at("https://epcis.example.com");
    let policy = Policy::read("quorum none\n").unwrap();
    let url = format!("https://{ORIGIN}");
    configuration.log = Some(LogSettings::new(vec![log_key()], &url, policy).unwrap());
    configuration
}

/// A document of these events, with master data of these places.
fn document_of(events: &[Value], places: &[Value]) -> Vec<u8> {
    let document = json!({
        "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-01-01T00:00:00Z",
        "epcisHeader": {"epcisMasterData": {"vocabularyList": [
            {"type": "urn:epcglobal:epcis:vtype:Location", "vocabularyElementList": places},
        ]}},
        "epcisBody": {"eventList": events},
    });
    document.to_string().into_bytes()
}

fn account(number: usize) -> String {
    format!("https://example.com/accounts/{number}")
}

fn principal(number: usize) -> Principal {
    Principal::local(&account(number), "https://id.gs1.org/417/9521141000009")
}

/// A reader of these accounts, or of all.
fn reader(accounts: Option<&[usize]>) -> Principal {
    let readable = match accounts {
        None => Readable::All,
        Some(accounts) => {
            Readable::Accounts(accounts.iter().map(|number| account(*number)).collect())
        }
    };
    Principal { readable, ..principal(0) }
}

/// A store that can be any part of [`Accounts`].
trait Part: Directory + AccountsLog + Account + Documents + Store + 'static {}
impl<S: Directory + AccountsLog + Account + Documents + Store + 'static> Part for S {}

/// A store for each account, and one each for the directory and the log.
struct Split<S> {
    directory: Rc<S>,
    log: Rc<S>,
    opened: Rc<RefCell<BTreeMap<u64, Rc<S>>>>,
    accounts: Rc<Accounts>,
}

/// Makes the store of an account; with 0 one for the directory or for the log.
type Make<S> = Box<dyn Fn(u64) -> Rc<S>>;

impl<S: Part> Split<S> {
    fn of(make: Make<S>) -> Self {
        let (directory, log, opened) = (make(0), make(0), Rc::<RefCell<BTreeMap<_, _>>>::default());
        let stores = Rc::clone(&opened);
        let accounts = Accounts {
            directory: directory.clone(),
            log: log.clone(),
            documents: directory.clone(),
            open: Box::new(move |number| {
                let mut stores = stores.borrow_mut();
                let store: &Rc<S> = stores.entry(number).or_insert_with(|| make(number));
                Ok(Rc::clone(store) as Rc<dyn Account>)
            }),
            memory: Rc::default(),
        };
        Self { directory, log, opened, accounts: Rc::new(accounts) }
    }

    /// Tells the log of all events, and integrates them.
    fn integrate(&self, service: &Service) {
        let numbers: Vec<u64> = self.opened.borrow().keys().copied().collect();
        for number in numbers {
            block_on(self.accounts.tell_log(number)).unwrap();
        }
        integrate(service);
    }
}

/// The same captures in one store and in a store for each account.
struct Both<S> {
    one: Service,
    many: Service,
    split: Split<S>,
    accounts: usize,
    random: RefCell<Random>,
    captured: Cell<u64>,
}

impl<S: Part> Both<S> {
    fn new(seed: u64, accounts: usize, one: Rc<dyn Store>, make: Make<S>) -> Self {
        let split = Split::of(make);
        Self {
            one: Service::with_store(Configuration::at("https://epcis.example.com"), one),
            many: Service::with_store(with_log(), split.accounts.clone()),
            split,
            accounts,
            random: RefCell::new(Random::new(seed)),
            captured: Cell::new(0),
        }
    }

    fn below(&self, limit: usize) -> usize {
        self.random.borrow_mut().below(limit)
    }

    /// Captures events of any account in both. Some of them are stored already.
    fn capture(&self) {
        self.capture_by(self.below(self.accounts));
    }

    fn capture_by(&self, by: usize) {
        let events: Vec<Value> = (0..1 + self.below(4)).map(|_| self.event()).collect();
        let places: Vec<Value> = (0..self.below(2)).map(|_| self.place()).collect();
        let document = document_of(&events, &places);
        self.captured.set(self.captured.get() + 1);
        let call = Call::new(1_780_000_000_000 + self.captured.get(), principal(by));
        let [one, many] = [&self.one, &self.many].map(|service| {
            let options =
                CaptureOptions { accepted: AcceptedDocuments::All, ..CaptureOptions::default() };
            let captured = block_on(service.capture_as(&document, options, &call)).unwrap();
            let events = captured.events.into_iter().map(|event| (event.event_id, event.duplicate));
            events.collect::<Vec<_>>()
        });
        assert_eq!(one, many);
    }

    fn place(&self) -> Value {
        let id = format!("https://id.gs1.org/414/952114100000{}", self.below(4));
        let name = format!("name {}", self.below(3));
        json!({"id": id, "attributes": [{"id": "cbvmda:name", "attribute": name}]})
    }

    fn event(&self) -> Value {
        let steps = ["shipping", "receiving", "packing"];
        json!({
            "type": "ObjectEvent", "action": "OBSERVE", "eventTimeZoneOffset": "+00:00",
            "eventTime": format!("2026-01-01T00:{:02}:00Z", self.below(20)),
            "epcList": [format!("https://id.gs1.org/01/09521141000007/21/{}", self.below(3))],
            "bizStep": steps[self.below(3)],
            "readPoint": {"id": format!("https://id.gs1.org/414/952114100000{}", self.below(4))},
        })
    }
}

fn query(text: &str) -> Query {
    Query::read(Document::read(text.as_bytes()).unwrap().root()).unwrap()
}

/// A page: the names of its events with their times, the token of the next page, and the feed cursor.
#[derive(Default)]
struct Page {
    events: Vec<(String, String)>,
    next: Option<String>,
    feed: Option<String>,
}

fn page(service: &Service, query: &Query, call: &Call) -> Page {
    match block_on(service.query(query, call)).unwrap() {
        Found::Empty { feed_cursor, .. } => Page { feed: feed_cursor, ..Page::default() },
        Found::Page(document) => {
            let of = |event: &str| {
                let event: Value = serde_json::from_str(event).unwrap();
                let text = |name: &str| event[name].as_str().unwrap().to_owned();
                (text("eventTime"), text("eventID"))
            };
            let events = document.events.iter().map(|event| of(event.get()));
            Page {
                events: events.collect(),
                next: document.next_page_token,
                feed: document.feed_cursor,
            }
        }
    }
}

/// All pages of a query, and the last feed cursor; `between` runs after each page.
fn walk(
    service: &Service,
    first: &Query,
    call: &Call,
    between: impl Fn(),
) -> (Vec<(String, String)>, Option<String>) {
    let mut all = Vec::new();
    let mut asked = first.clone();
    loop {
        let found = page(service, &asked, call);
        all.extend(found.events);
        let Some(next) = found.next else {
            return (all, found.feed);
        };
        asked.next_page_token = Some(next);
        between();
    }
}

/// The names of events, sorted; no event may have come twice.
fn once(mut events: Vec<(String, String)>) -> Vec<(String, String)> {
    events.sort();
    let count = events.len();
    events.dedup();
    assert_eq!(events.len(), count, "an event came twice");
    events
}

/// What both answer to a reader, whatever is not a page of events.
fn other_answers(service: &Service, call: &Call) -> String {
    let mut all = Vec::new();
    for collection in [Collection::Epcs, Collection::BizSteps, Collection::ReadPoints] {
        let mut after = None;
        loop {
            let page = block_on(service.values(collection, after.as_ref(), 3, call)).unwrap();
            all.extend(page.values);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
    }
    for number in 0..ACCOUNTS {
        let account = account(number);
        // A store may number the jobs of all accounts together.
        for job in block_on(service.store().jobs(&account, None, 9)).unwrap() {
            let events = block_on(service.store().job_events(&account, job.number, 3)).unwrap();
            all.push(format!("{:?} {events:?}", StoredJob { number: 0, ..job }));
        }
    }
    let question = ElementQuestion::new(None, ("EQ_name", Vec::new()), None).unwrap();
    let mut token: Option<String> = None;
    let mut elements = Vec::new();
    while let Envelope::Ok(page) =
        block_on(service.elements(&question, Some(4), token.as_deref(), call)).unwrap()
    {
        elements.extend(page.elements.iter().map(|one| serde_json::to_string(one).unwrap()));
        token = page.next_page_token;
        if token.is_none() {
            break;
        }
    }
    // Accounts follow each other in any order.
    elements.sort();
    all.extend(elements);
    all.join("\n")
}

fn answer_as_one_store_does<S: Part>(both: &Both<S>) {
    for accounts in [None, Some(&[1][..]), Some(&[0, 2, 3]), Some(&[77])] {
        let call = Call::new(NOW, reader(accounts));
        for text in QUERIES {
            (0..3).for_each(|_| both.capture());
            let mut asked = query(text);
            asked.per_page = 2 + both.below(9);
            let (one, _) = walk(&both.one, &asked, &call, || ());
            // What is captured between pages is not in the answer.
            let between = || (0..both.below(8) / 7).for_each(|_| both.capture());
            let (many, _) = walk(&both.many, &asked, &call, between);
            if text.contains("eventTime") {
                let times = |events: &[(String, String)]| -> Vec<String> {
                    events.iter().map(|(time, _)| time.clone()).collect()
                };
                assert_eq!(times(&one), times(&many), "{text}");
            }
            // Of events of one time, others may come first.
            if !text.contains("eventCountLimit") {
                assert_eq!(once(one), once(many), "{text} {accounts:?}");
            }
        }
        assert_eq!(other_answers(&both.one, &call), other_answers(&both.many, &call));
    }
    assert_eq!(both.split.opened.borrow().len(), ACCOUNTS);
}

/// Whoever follows a feed, page by page or to the end of each walk, misses nothing that is captured meanwhile.
fn have_each_event_once_in_a_feed<S: Part>(both: &Both<S>) {
    let call = Call::new(NOW, reader(None));
    let capture = |count: usize| {
        (0..count).for_each(|_| both.capture());
        // Only the feed over many accounts goes by the log.
        if both.accounts == MANY {
            both.split.integrate(&both.many);
        }
    };
    capture(12);
    let mut asked = query(FEED);
    let mut all: Vec<(String, String)> = Vec::new();
    let mut quiet = 0;
    for round in 0.. {
        asked.per_page = 1 + both.below(5);
        let mut found = page(&both.many, &asked, &call);
        if round < 40 && both.below(2) == 0 {
            // Pages of the same walk, for a while.
            while let Some(next) = found.next.take().filter(|_| both.below(3) > 0) {
                all.append(&mut found.events);
                let mut next_page = asked.clone();
                next_page.next_page_token = Some(next);
                found = page(&both.many, &next_page, &call);
                capture(both.below(3) / 2);
            }
            capture(both.below(4));
        }
        quiet = if found.events.is_empty() && found.next.is_none() { quiet + 1 } else { 0 };
        all.append(&mut found.events);
        asked.feed_cursor = found.feed;
        assert!(asked.feed_cursor.is_some());
        if round >= 40 && quiet >= 2 {
            break;
        }
    }
    let (stored, _) = walk(&both.one, &query("{}"), &call, || ());
    assert_eq!(once(all), once(stored));
}

/// One log has each event of all accounts once, and proves it.
fn have_one_log<S: Part>(both: &Both<S>) {
    let store = both.many.store();
    for _ in 0..5 {
        (0..4).for_each(|_| both.capture());
        both.split.integrate(&both.many);
        assert_eq!(block_on(store.backlog()).unwrap().events, 0);
        // What is told again changes nothing.
        both.split.integrate(&both.many);
        both.capture_by(0);
        block_on(both.split.accounts.tell_log(1)).unwrap();
    }
    both.split.integrate(&both.many);
    let call = Call::new(NOW, reader(None));
    let (events, _) = walk(&both.many, &query("{}"), &call, || ());
    let head = block_on(store.last_head()).unwrap().unwrap();
    assert_eq!(head.size, events.len() as u64);
    let logged = block_on(store.logged_events(0..head.size)).unwrap();
    let distinct: BTreeSet<u64> = logged.iter().map(|event| event.sequence).collect();
    assert_eq!(distinct.len() as u64, head.size);
    let accounts: BTreeSet<u64> = distinct.iter().map(|sequence| account_of(*sequence)).collect();
    assert_eq!(accounts.len(), ACCOUNTS);
    // An audit counts the events of each part of the log.
    for first in 0..head.size {
        for last in [first + 1, first + 3, head.size].into_iter().filter(|last| *last <= head.size)
        {
            let count = block_on(store.events_between(first..last)).unwrap();
            assert_eq!(count, last - first, "{first} to {last}");
        }
    }
    let policy = format!("log {}\nquorum none\n", log_key().key());
    for event in logged {
        let read: Value = serde_json::from_str(&event.event).unwrap();
        let name = read["eventID"].as_str().unwrap();
        let proven = block_on(both.many.prove(name, None, &call)).unwrap();
        assert_eq!(proven.index, event.leaf);
        let verdict = verify(event.event.as_bytes(), &proven.proof, &policy, call.now).unwrap();
        assert!(verdict.valid, "{:?}", verdict.steps);
    }
}

/// The length of a long event: a few fill what is read of the log at once.
const LONG: usize = 3 << 20;

/// Captures nine long events in three accounts, each with its own store.
fn capture_long(service: &Service) {
    for number in 0..9 {
        let document = document_of(
            &[json!({
                    "type": "ObjectEvent", "action": "OBSERVE", "eventTimeZoneOffset": "+00:00",
                    "eventTime": "2026-01-01T00:00:00Z", "epcList": [format!("urn:x:{number}")],
                    "https://example.com/note": "x".repeat(LONG),
            })],
            &[],
        );
        let call = Call::new(1_780_000_000_000, principal(number % 3));
        block_on(service.capture(&document, false, &call)).unwrap();
    }
}

/// Integrates all events into the log.
fn integrate(service: &Service) {
    let mut entropy = [0; 32];
    while !matches!(block_on(service.integrate(entropy)).unwrap(), Integrated::Complete { .. }) {
        entropy[0] += 1;
    }
}

/// Whoever compares database and log is told of the events that are not stored any more, and of no others.
fn report_lost_events() {
    const NOW: u64 = 1_780_000_000_000;
    let split = Split::of(sqlites());
    let service = Service::with_store(with_log(), split.accounts.clone());
    capture_long(&service);
    split.integrate(&service);
    let in_each = |sql: &str| {
        for store in split.opened.borrow().values() {
            run(store, sql);
        }
    };
    in_each("DROP TRIGGER events_never_go; CREATE TABLE lost AS SELECT * FROM events WHERE false");
    let leaves = split.log.bare_leaves_in(0..9);
    let leaves: Vec<u64> = block_on(leaves).unwrap().iter().map(|leaf| leaf.sequence).collect();
    let check = Order::named("check 0").unwrap().signed(&log_key(), NOW);
    let singly = (0..9).map(|leaf| vec![leaf]);
    let firsts = (1..9).map(|count| (0..count).collect());
    let lasts = (1..9).map(|first| (first..9).collect());
    for lost in singly.chain(firsts).chain(lasts) {
        let numbers: Vec<String> =
            lost.iter().map(|leaf: &usize| leaves[*leaf].to_string()).collect();
        let numbers = numbers.join(", ");
        in_each(&format!(
            "INSERT INTO lost SELECT * FROM events WHERE sequence IN ({numbers}); DELETE FROM events WHERE sequence IN ({numbers})"
        ));
        let Ordered::Checked(checked) = block_on(service.order(&check, NOW)).unwrap() else {
            panic!("not checked")
        };
        in_each("INSERT INTO events SELECT * FROM lost; DELETE FROM lost");
        let told = checked.faults.iter();
        let told = told.filter(|fault| fault.found == "the event of this leaf is not there");
        let told: Vec<usize> = told.map(|fault| fault.leaf as usize).collect();
        assert_eq!(told, lost);
    }
}

/// What is read at once to make and to check leaves does not grow with the number of accounts.
fn read_no_more_than_one_store<S: Part>(split: &Split<S>) {
    let service = Service::with_store(with_log(), split.accounts.clone());
    capture_long(&service);
    for number in 1..4 {
        block_on(split.accounts.tell_log(number)).unwrap();
    }
    let bounded = |bytes: usize| assert!(bytes < LOGGED_BYTES + LONG + 10_000, "{bytes}");
    let unlogged = block_on(service.store().unlogged(MAX_LEAVES)).unwrap();
    bounded(unlogged.iter().map(|event| event.event.len()).sum());
    integrate(&service);
    let mut seen = BTreeSet::new();
    let mut first = 0;
    while first < 9 {
        let logged = service.store().logged_events(first..9);
        let logged = block_on(logged).unwrap();
        bounded(logged.iter().map(|event| event.event.len()).sum());
        for event in logged {
            assert_eq!(event.leaf, first);
            assert!(seen.insert(event.sequence));
            first += 1;
        }
    }
}

/// Over more accounts than a question reads at once there are two ways: naming some, and the order of recording.
fn read_many_accounts<S: Part>(both: &Both<S>) {
    (0..MANY).for_each(|by| both.capture_by(by));
    let all = Call::new(NOW, reader(None));
    for text in ["{}", r#"{"EQ_bizStep": ["shipping"]}"#] {
        let mut asked = query(text);
        asked.per_page = 20 + both.below(30);
        let (one, _) = walk(&both.one, &asked, &all, || ());
        let (many, _) = walk(&both.many, &asked, &all, || ());
        assert_eq!(once(one), once(many), "{text}");
    }
    let named: Vec<String> = [1, 5, 66].map(account).into();
    for text in [QUERIES[1], QUERIES[6]] {
        let refused = block_on(both.many.query(&query(text), &all)).unwrap_err().to_string();
        assert!(refused.contains("more than 64 accounts"), "{refused}");
        assert!(refused.contains("`spine_account`") && refused.contains("order of recording"));
        let mut parts: Value = serde_json::from_str(text).unwrap();
        parts["spine_account"] = json!(named);
        let narrow = query(&parts.to_string());
        let (one, _) =
            walk(&both.one, &query(text), &Call::new(NOW, reader(Some(&[1, 5, 66]))), || ());
        for service in [&both.one, &both.many] {
            assert_eq!(once(walk(service, &narrow, &all, || ()).0), once(one.clone()), "{text}");
            let other = Call::new(NOW, reader(Some(&[1, 5])));
            let refused = block_on(service.query(&narrow, &other)).unwrap_err();
            assert!(matches!(refused.kind(), ErrorKind::Forbidden { .. }));
        }
    }
    let values = block_on(both.many.values(Collection::Epcs, None, 9, &all)).unwrap_err();
    assert!(values.to_string().contains("more than 64 accounts"));
}

/// A feed that began over few accounts goes on over many.
fn follow_into_many_accounts<S: Part>(both: &Both<S>) {
    (0..60).for_each(|by| both.capture_by(by));
    both.split.integrate(&both.many);
    let call = Call::new(NOW, reader(None));
    let mut asked = query(FEED);
    asked.per_page = 40;
    let first = page(&both.many, &asked, &call);
    let mut all = first.events;
    asked.feed_cursor = first.feed;
    (0..MANY).rev().for_each(|by| both.capture_by(by));
    both.split.integrate(&both.many);
    let (more, feed) = walk(&both.many, &asked, &call, || ());
    all.extend(more);
    (0..9).for_each(|_| both.capture());
    both.split.integrate(&both.many);
    asked.feed_cursor = feed;
    all.extend(walk(&both.many, &asked, &call, || ()).0);
    let (stored, _) = walk(&both.one, &query("{}"), &call, || ());
    assert_eq!(once(all), once(stored));
}

/// Tokens and feed cursors of one store for all go on after each account got its store.
fn go_on_after_a_move() {
    let both = Both::new(3, ACCOUNTS, empty_sqlite(), sqlites());
    let newest = || block_on(both.one.store().newest_events(None)).unwrap().single();
    // The move gives event 7 of account 2 the number 2,000,000,007.
    let capture = || {
        let by = both.below(ACCOUNTS);
        let number = account_of(block_on(both.split.directory.begin(&account(by))).unwrap());
        let mut opened = both.split.opened.borrow_mut();
        let store = Rc::clone(opened.entry(number).or_insert_with(empty_sqlite));
        drop(opened);
        let before = number * NUMBERS_OF_AN_ACCOUNT + newest();
        run(
            &store,
            &format!(
                "DELETE FROM sqlite_sequence WHERE name = 'events'; INSERT INTO sqlite_sequence (name, seq) VALUES ('events', {before})"
            ),
        );
        both.capture_by(by);
    };
    (0..30).for_each(|_| capture());
    let call = Call::new(NOW, reader(None));
    for text in QUERIES.iter().filter(|text| !text.contains("eventCountLimit")) {
        for pages in 1..6 {
            let mut asked = query(text);
            asked.per_page = 3 + both.below(8);
            let (expected, _) = walk(&both.one, &asked, &call, || ());
            let mut all = Vec::new();
            let mut feed = None;
            for at in 0.. {
                let service = if at < pages { &both.one } else { &both.many };
                let found = page(service, &asked, &call);
                all.extend(found.events);
                feed = found.feed;
                asked.next_page_token = found.next;
                if asked.next_page_token.is_none() {
                    break;
                }
                // Each capture makes the next walks longer.
                if at % 8 == 0 {
                    capture();
                }
            }
            assert_eq!(once(all.clone()), once(expected), "{text} {pages}");
            if feed.is_some() {
                asked.feed_cursor = feed;
                capture();
                all.extend(walk(&both.many, &asked, &call, || ()).0);
                let (stored, _) = walk(&both.one, &query("{}"), &call, || ());
                assert_eq!(once(all), once(stored));
            }
        }
    }
    // A new account begins behind all places of the store that was moved.
    run(&both.split.directory, &format!("UPDATE accounts SET begins = {}", newest()));
    let mut asked = query(FEED);
    asked.feed_cursor = page(&both.one, &query(FEED), &call).feed;
    let (_, feed) = walk(&both.one, &asked, &call, || ());
    asked.feed_cursor = feed;
    both.capture_by(ACCOUNTS + 1);
    assert!(!walk(&both.many, &asked, &call, || ()).0.is_empty());
}

fn run(store: &SqliteStore, sql: &str) {
    store.database().connection.execute_batch(sql).unwrap();
}

/// A page asks each account once for few events, in whatever order; who has more of the page is asked again.
fn read_few_events_of_each_account() {
    let both = Both::new(8, MAX_ACCOUNTS, empty_sqlite(), sqlites());
    (0..8 * MAX_ACCOUNTS).for_each(|at| both.capture_by(at % MAX_ACCOUNTS));
    let call = Call::new(NOW, reader(None));
    for (text, most) in
        [(QUERIES[0], MAX_ACCOUNTS + 8), (QUERIES[2], MAX_ACCOUNTS + 8), (FEED, MAX_ACCOUNTS + 8)]
    {
        let answered = || {
            let opened = both.split.opened.borrow();
            let answered = opened.values().map(|store| store.database().answered.get());
            answered.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
        };
        let before = answered();
        assert_eq!(page(&both.many, &query(text), &call).events.len(), 30);
        let after = answered();
        assert!(after.0 - before.0 <= most, "{text}: {} statements", after.0 - before.0);
        // Three of each, and once more as many of those that have more than that.
        let rows = after.1 - before.1;
        assert!(rows <= 5 * MAX_ACCOUNTS, "{text}: {rows} rows");
    }
}

/// Things are followed from account to account, into those where the first look-up finds nothing.
fn follow_from_account_to_account<S: Part>(both: &Both<S>) {
    let parents: Vec<String> =
        (0..4).map(|at| format!("https://id.gs1.org/00/09521141123456789{at}")).collect();
    let at = |minute| json!({"eventTime": format!("2026-01-01T00:0{minute}:00Z"), "eventTimeZoneOffset": "+00:00"});
    for (by, pair) in parents.windows(2).enumerate().rev() {
        let mut packed = at(by);
        packed.as_object_mut().unwrap().extend(
            json!({"type": "AggregationEvent", "action": "ADD", "parentID": pair[1], "childEPCs": [pair[0]]})
                .as_object()
                .unwrap()
                .clone(),
        );
        let call = Call::new(1_780_000_000_000, principal(by));
        for service in [&both.one, &both.many] {
            block_on(service.capture(&document_of(&[packed.clone()], &[]), false, &call)).unwrap();
        }
    }
    let asked = json!({"items": [parents[0]]}).to_string();
    let asked = Request::read(Document::read(asked.as_bytes()).unwrap().root()).unwrap();
    let call = Call::new(NOW, reader(None));
    for service in [&both.one, &both.many] {
        let answer: Value =
            serde_json::from_str(&block_on(service.follow(&asked, &call)).unwrap()).unwrap();
        assert_eq!(answer["events"].as_array().unwrap().len(), 3, "{answer}");
    }
}

/// A part that is away is missed by those who need it, and by no others.
fn miss_only_what_is_away() {
    let both = Both::new(5, ACCOUNTS, empty_sqlite(), sqlites());
    (0..ACCOUNTS).for_each(|by| both.capture_by(by));
    let is_away = |result: Result<Found, epcis_edge_core::error::Error>| match result {
        Ok(_) => false,
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Unavailable { .. }), "{error:?}");
            true
        }
    };
    let asked = |accounts| {
        let call = Call::new(NOW, reader(accounts));
        is_away(block_on(both.many.query(&query(QUERIES[1]), &call)))
    };
    let second = Rc::clone(&both.split.opened.borrow()[&2]);
    second.database().is_down.set(true);
    assert!(asked(Some(&[1])) && asked(Some(&[0, 1])) && asked(None));
    assert!(!asked(Some(&[0, 2])));
    second.database().is_down.set(false);
    both.split.directory.database().is_down.set(true);
    // Numbers of accounts never change, and are remembered.
    assert!(asked(None) && !asked(Some(&[1])));
    both.split.accounts.memory.borrow_mut().clear();
    assert!(asked(Some(&[1])));
    both.split.directory.database().is_down.set(false);
    both.split.log.database().is_down.set(true);
    (0..9).for_each(|_| both.capture());
    assert!(!asked(None) && block_on(both.many.integrate([0; 32])).is_err());
    both.split.log.database().is_down.set(false);
    both.split.integrate(&both.many);
    let size = block_on(both.many.store().last_head()).unwrap().unwrap().size;
    let (stored, _) = walk(&both.one, &query("{}"), &Call::new(NOW, reader(None)), || ());
    assert_eq!(size, stored.len() as u64);
}

fn sqlites() -> Make<SqliteStore> {
    Box::new(|_| empty_sqlite())
}

fn postgres() -> Make<AccountStore> {
    Box::new(empty_accounts().unwrap())
}

fn answer_alike<S: Part>(seed: u64, one: fn() -> Rc<dyn Store>, make: fn() -> Make<S>) {
    answer_as_one_store_does(&Both::new(seed, ACCOUNTS, one(), make()));
    have_each_event_once_in_a_feed(&Both::new(seed, ACCOUNTS, one(), make()));
    have_one_log(&Both::new(seed, ACCOUNTS, one(), make()));
}

#[test]
fn accounts_over_sqlite() {
    read_no_more_than_one_store(&Split::of(sqlites()));
    answer_alike(7, || empty_sqlite(), sqlites);
}

#[test]
fn many_accounts_over_sqlite() {
    let both = |seed| Both::new(seed, MANY, empty_sqlite(), sqlites());
    read_many_accounts(&both(1));
    have_each_event_once_in_a_feed(&both(2));
    follow_into_many_accounts(&both(3));
}

#[test]
fn lost_events_of_accounts_are_reported() {
    report_lost_events();
}

#[test]
fn tokens_outlive_a_move() {
    go_on_after_a_move();
}

#[test]
fn a_page_reads_few_events_of_each_account() {
    read_few_events_of_each_account();
}

#[test]
fn things_are_followed_from_account_to_account() {
    follow_from_account_to_account(&Both::new(9, ACCOUNTS, empty_sqlite(), sqlites()));
}

#[test]
fn faults_of_accounts() {
    miss_only_what_is_away();
}

#[test]
#[ignore = "again, other seeds: make test-all"]
fn accounts_over_sqlite_with_more_seeds() {
    (0..4).for_each(|seed| answer_alike(seed, || empty_sqlite(), sqlites));
}

#[test]
#[ignore = "needs PostgreSQL"]
fn accounts_over_postgres() {
    if empty_accounts().is_some() {
        read_no_more_than_one_store(&Split::of(postgres()));
        answer_alike(11, || empty_sqlite(), postgres);
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn many_accounts_over_postgres() {
    if empty_accounts().is_some() {
        read_many_accounts(&Both::new(1, MANY, empty_sqlite(), postgres()));
        follow_into_many_accounts(&Both::new(3, MANY, empty_sqlite(), postgres()));
    }
}
