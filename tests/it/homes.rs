//! A store made of several homes answers as one store does.

use crate::support::postgres::empty_postgres;
use crate::support::{Engine, TestStore};
use epcis_edge_core::call::{Call, Principal, Readable};
use epcis_edge_core::json::Document;
use epcis_edge_core::log::{KeyKind, Order, Policy, Signer, verify};
use epcis_edge_core::query::{Query, home_of};
use epcis_edge_core::service::{
    Configuration, Found, Integrated, LogSettings, MAX_LEAVES, Ordered, Service,
};
use epcis_edge_core::store::{Home, Homes, LOGGED_BYTES, LogParts as _, MemoryStore};
use epcis_edge_sql::{Statement, Value as Bound};
use epcis_edge_tests::random::Random;
use pollster::block_on;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

const ACCOUNTS: usize = 5;
const HOMES: u64 = 3;
const QUERIES: [&str; 7] = [
    "{}",
    r#"{"orderBy": "eventTime", "orderDirection": "ASC"}"#,
    r#"{"orderBy": "eventTime", "orderDirection": "DESC"}"#,
    r#"{"orderBy": "recordTime", "orderDirection": "ASC"}"#,
    r#"{"EQ_bizStep": ["shipping"]}"#,
    r#"{"MATCH_epc": ["https://id.gs1.org/01/09521141000007/21/1"], "orderBy": "eventTime", "orderDirection": "DESC"}"#,
    r#"{"EQ_bizStep": ["packing"], "orderBy": "eventTime", "orderDirection": "ASC", "eventCountLimit": 11}"#,
];

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

/// A document of these events.
fn document_of(events: &[Value]) -> Vec<u8> {
    let document = json!({
        "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-01-01T00:00:00Z",
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

/// The same captures in one store and in one of several homes.
struct Both {
    one: Service,
    homes: Service,
    stores: Vec<Rc<dyn Home>>,
    random: RefCell<Random>,
    captured: Cell<u64>,
}

impl Both {
    fn new(seed: u64, stores: Vec<Rc<dyn Home>>) -> Self {
        let configuration = || Configuration::at("https://epcis.example.com");
        Self {
            one: Service::new(configuration()),
            homes: over(configuration(), &stores),
            stores,
            random: RefCell::new(Random::new(seed)),
            captured: Cell::new(0),
        }
    }

    fn below(&self, limit: usize) -> usize {
        self.random.borrow_mut().below(limit)
    }

    /// Captures events of one account in both. Some of them are stored already.
    fn capture(&self) {
        let by = self.below(ACCOUNTS);
        let events: Vec<Value> = (0..1 + self.below(4)).map(|_| self.event()).collect();
        let document = document_of(&events);
        self.captured.set(self.captured.get() + 1);
        let call = Call::new(1_780_000_000_000 + self.captured.get(), principal(by));
        let one = block_on(self.one.capture(&document, false, &call)).unwrap();
        let homes = block_on(self.homes.capture(&document, false, &call)).unwrap();
        let [one, homes] = [one.events, homes.events].map(|events| {
            let events = events.into_iter().map(|event| (event.event_id, event.duplicate));
            events.collect::<Vec<_>>()
        });
        assert_eq!(one, homes);
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

/// A gateway over these homes.
fn over(configuration: Configuration, stores: &[Rc<dyn Home>]) -> Service {
    Service::with_store(configuration, Rc::new(Homes::new(stores.to_vec())))
}

/// The homes as stores in memory.
fn in_memory() -> Vec<Rc<dyn Home>> {
    (0..HOMES).map(|home| Rc::new(MemoryStore::in_home(home)) as Rc<dyn Home>).collect()
}

/// Stores as homes.
fn as_homes<S: Home + 'static>(stores: &[Rc<S>]) -> Vec<Rc<dyn Home>> {
    stores.iter().map(|store| Rc::clone(store) as Rc<dyn Home>).collect()
}

/// Runs a statement in the database of a home.
fn run<E: Engine>(store: &TestStore<E>, text: String, values: Vec<Bound>) {
    let statement = Statement { text, values };
    store.database().connection.rows(&statement).unwrap();
}

/// The homes as databases, which `open` makes.
fn databases<E: Engine>(open: impl Fn() -> Rc<TestStore<E>>) -> Vec<Rc<TestStore<E>>> {
    let home = |home: u64| {
        let store = open();
        if home > 0 {
            run(&store, "SELECT begin_home(?1)".to_owned(), vec![home.into()]);
        }
        store
    };
    (0..HOMES).map(home).collect()
}

fn answer_as_one_store_does(seed: u64, stores: Vec<Rc<dyn Home>>) {
    let both = Both::new(seed, stores);
    for accounts in [None, Some(&[1][..]), Some(&[0, 2, 3]), Some(&[77])] {
        let call = Call::new(1_790_000_000_000, reader(accounts));
        for text in QUERIES {
            (0..3).for_each(|_| both.capture());
            let mut asked = query(text);
            asked.per_page = 1 + both.below(6);
            let (mut one, _) = walk(&both.one, &asked, &call, || ());
            // What is captured between pages is not in the answer.
            let between = || (0..both.below(4) / 3).for_each(|_| both.capture());
            let (mut homes, _) = walk(&both.homes, &asked, &call, between);
            if text.contains("eventTime") {
                let times = |events: &[(String, String)]| -> Vec<String> {
                    events.iter().map(|(time, _)| time.clone()).collect()
                };
                assert_eq!(times(&one), times(&homes), "{seed} {text}");
            }
            // Of events of one time, others may come first.
            if text.contains("eventCountLimit") {
                continue;
            }
            one.sort();
            homes.sort();
            assert_eq!(one, homes, "{seed} {text} {accounts:?}");
        }
    }
    for home in &both.stores {
        assert!(!block_on(home.newest_events()).unwrap().is_empty());
    }
}

fn have_each_event_once_in_a_feed(seed: u64, stores: Vec<Rc<dyn Home>>) {
    let both = Both::new(seed, stores);
    let call = Call::new(1_790_000_000_000, reader(None));
    let mut asked = query(r#"{"orderBy": "recordTime", "orderDirection": "ASC"}"#);
    asked.per_page = 3;
    let mut all: Vec<(String, String)> = Vec::new();
    for round in 0..12 {
        let (events, feed) = walk(&both.homes, &asked, &call, || both.capture());
        all.extend(events);
        asked.feed_cursor = feed;
        assert!(asked.feed_cursor.is_some());
        if round % 3 != 2 {
            both.capture();
        }
    }
    let (rest, _) = walk(&both.homes, &asked, &call, || ());
    all.extend(rest);
    let distinct: BTreeSet<_> = all.iter().cloned().collect();
    assert_eq!(distinct.len(), all.len(), "{seed}: an event came twice");
    let (mut stored, _) = walk(&both.one, &query("{}"), &call, || ());
    stored.sort();
    all.sort();
    assert_eq!(all, stored, "{seed}");
}

/// Whoever follows a feed page by page, with the cursor of each page, misses nothing that is captured meanwhile.
fn have_each_event_once_page_by_page(seed: u64, stores: Vec<Rc<dyn Home>>) {
    let both = Both::new(seed, stores);
    let call = Call::new(1_790_000_000_000, reader(None));
    (0..12).for_each(|_| both.capture());
    let mut asked = query(r#"{"orderBy": "recordTime", "orderDirection": "ASC"}"#);
    let mut all: Vec<(String, String)> = Vec::new();
    let mut is_last = false;
    for round in 0.. {
        asked.per_page = 1 + both.below(5);
        let mut found = page(&both.homes, &asked, &call);
        if round < 60 && both.below(2) == 0 {
            // Pages of the same walk, for a while.
            while let Some(next) = found.next.take().filter(|_| both.below(3) > 0) {
                all.append(&mut found.events);
                let mut next_page = asked.clone();
                next_page.next_page_token = Some(next);
                found = page(&both.homes, &next_page, &call);
            }
            (0..both.below(4)).for_each(|_| both.capture());
        }
        let is_empty = found.events.is_empty() && found.next.is_none();
        all.append(&mut found.events);
        asked.feed_cursor = found.feed;
        assert!(asked.feed_cursor.is_some());
        if round >= 60 && is_empty && is_last {
            break;
        }
        is_last = is_empty;
    }
    let distinct: BTreeSet<_> = all.iter().cloned().collect();
    assert_eq!(distinct.len(), all.len(), "{seed}: an event came twice");
    let (mut stored, _) = walk(&both.one, &query("{}"), &call, || ());
    stored.sort();
    all.sort();
    assert_eq!(all, stored, "{seed}");
}

/// One log has each event of all homes once, and proves it.
fn have_one_log(seed: u64, stores: Vec<Rc<dyn Home>>) {
    let both = Both::new(seed, stores);
    let both = Both { homes: over(with_log(), &both.stores), ..both };
    for _ in 0..5 {
        (0..4).for_each(|_| both.capture());
        let before = block_on(both.homes.store().backlog()).unwrap();
        assert!(before.events > 0 && before.oldest.is_some());
        integrate(&both.homes);
        assert_eq!(block_on(both.homes.store().backlog()).unwrap().events, 0);
    }
    let call = Call::new(1_790_000_000_000, reader(None));
    let (events, _) = walk(&both.homes, &query("{}"), &call, || ());
    let store = both.homes.store();
    let head = block_on(store.last_head()).unwrap().unwrap();
    assert_eq!(head.size, events.len() as u64);
    let logged = block_on(store.logged_events(0..head.size)).unwrap();
    let distinct: BTreeSet<u64> = logged.iter().map(|event| event.sequence).collect();
    assert_eq!(distinct.len() as u64, head.size);
    let homes: BTreeSet<u64> = distinct.iter().map(|sequence| home_of(*sequence)).collect();
    assert_eq!(homes.len() as u64, HOMES);
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
        let proven = block_on(both.homes.prove(name, None, &call)).unwrap();
        assert_eq!(proven.index, event.leaf);
        let verdict = verify(event.event.as_bytes(), &proven.proof, &policy, call.now).unwrap();
        assert!(verdict.valid, "{:?}", verdict.steps);
    }
}

/// What is read at once to make and to check leaves does not grow with the number of homes.
/// The length of a long event: a few fill what is read of the log at once.
const LONG: usize = 3 << 20;

/// Captures nine long events in three accounts, each of another home.
fn capture_long(homes: &Service) {
    for number in 0..9 {
        let document = document_of(&[json!({
                "type": "ObjectEvent", "action": "OBSERVE", "eventTimeZoneOffset": "+00:00",
                "eventTime": "2026-01-01T00:00:00Z", "epcList": [format!("urn:x:{number}")],
                "https://example.com/note": "x".repeat(LONG),
        })]);
        let call = Call::new(1_780_000_000_000, principal(number % 3));
        block_on(homes.capture(&document, false, &call)).unwrap();
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
fn report_lost_events<E: Engine + 'static>(stores: &[Rc<TestStore<E>>]) {
    const NOW: u64 = 1_780_000_000_000;
    let homes = over(with_log(), &as_homes(stores));
    capture_long(&homes);
    integrate(&homes);
    let in_each = |sql: &str| {
        for store in stores {
            run(store, sql.to_owned(), Vec::new());
        }
    };
    in_each("ALTER TABLE events DISABLE TRIGGER USER");
    in_each("CREATE TABLE lost (LIKE events)");
    let leaves = stores[0].bare_leaves_in(0..9);
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
            "WITH gone AS (DELETE FROM events WHERE sequence IN ({numbers}) RETURNING *) INSERT INTO lost SELECT * FROM gone"
        ));
        let Ordered::Checked(checked) = block_on(homes.order(&check, NOW)).unwrap() else {
            panic!("not checked")
        };
        in_each(
            "WITH back AS (DELETE FROM lost RETURNING *) INSERT INTO events SELECT * FROM back",
        );
        let told = checked.faults.iter();
        let told = told.filter(|fault| fault.found == "the event of this leaf is not there");
        let told: Vec<usize> = told.map(|fault| fault.leaf as usize).collect();
        assert_eq!(told, lost);
    }
}

fn read_no_more_than_one_store(stores: &[Rc<dyn Home>]) {
    let homes = over(with_log(), stores);
    capture_long(&homes);
    let bounded = |bytes: usize| assert!(bytes < LOGGED_BYTES + LONG + 10_000, "{bytes}");
    let unlogged = block_on(homes.store().unlogged(MAX_LEAVES)).unwrap();
    bounded(unlogged.iter().map(|event| event.event.len()).sum());
    integrate(&homes);
    let mut seen = BTreeSet::new();
    let mut first = 0;
    while first < 9 {
        let logged = homes.store().logged_events(first..9);
        let logged = block_on(logged).unwrap();
        bounded(logged.iter().map(|event| event.event.len()).sum());
        for event in logged {
            assert_eq!(event.leaf, first);
            assert!(seen.insert(event.sequence));
            first += 1;
        }
    }
}

/// Accounts that captured while there was one home stay in the first, and are counted when new ones are given homes.
fn count_older_accounts(stores: &[Rc<dyn Home>]) {
    fn capture(service: &Service, number: usize) {
        let document = document_of(&[json!({
                "type": "ObjectEvent", "action": "OBSERVE", "eventTimeZoneOffset": "+00:00",
                "eventTime": "2026-01-01T00:00:00Z", "epcList": ["https://id.gs1.org/01/09521141000007/21/1"],
        })]);
        let call = Call::new(1_780_000_000_000, principal(number));
        block_on(service.capture(&document, false, &call)).unwrap();
    }
    let configuration = || Configuration::at("https://epcis.example.com");
    let older = Service::with_store(configuration(), stores[0].clone());
    (0..3).for_each(|number| capture(&older, number));
    let homes = over(configuration(), stores);
    (0..9).for_each(|number| capture(&homes, number));
    let accounts: Vec<String> = (0..9).map(account).collect();
    let accounts: Vec<&str> = accounts.iter().map(String::as_str).collect();
    let found = block_on(stores[0].homes_of(&accounts)).unwrap();
    let found: Vec<u64> = accounts.iter().map(|account| found[*account]).collect();
    assert_eq!(found, [0, 0, 0, 1, 2, 1, 2, 1, 2]);
}

#[test]
fn homes_in_memory() {
    count_older_accounts(&in_memory());
    read_no_more_than_one_store(&in_memory());
    answer_alike(0);
}

#[test]
#[ignore = "again, other seeds: make test-all"]
fn homes_in_memory_with_more_seeds() {
    (1..4).for_each(answer_alike);
}

fn answer_alike(seed: u64) {
    answer_as_one_store_does(seed, in_memory());
    have_each_event_once_in_a_feed(seed, in_memory());
    have_each_event_once_page_by_page(seed, in_memory());
    have_one_log(seed, in_memory());
}

#[test]
#[ignore = "needs PostgreSQL"]
fn homes_over_postgres() {
    if empty_postgres().is_none() {
        return;
    }
    let open = || as_homes(&databases(|| empty_postgres().unwrap()));
    count_older_accounts(&open());
    read_no_more_than_one_store(&open());
    report_lost_events(&databases(|| empty_postgres().unwrap()));
    answer_as_one_store_does(7, open());
    have_each_event_once_in_a_feed(7, open());
    have_each_event_once_page_by_page(7, open());
    have_one_log(7, open());
}
