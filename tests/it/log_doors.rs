//! The log of a gateway, over the store in memory and over SQLite with the Worker's statements: it grows, is served, gives proofs,
//! is cosigned, and never forks.
// Invariant: A head of the log is stored before it is shown, and continues the previous one; after a database was set back, or with the
// key of another log, nothing is signed.

use crate::support::description::{Description, Given, OPENAPI, Promise, file};
use crate::support::{SqliteStore, empty_sqlite};
use async_trait::async_trait;
use bytes::Bytes;
use epcis_edge_core::call::{Call, Incoming, Readable, Rights};
use epcis_edge_core::error::{Error, ErrorKind, LogFault};
use epcis_edge_core::log::{
    Checkpoint, KeyKind, Note, Order, Policy, Proof, ProofPlan, Signer, Statement, Tile,
    cosignature, disclose, leaf_hash, leaf_of, proved_event, root_of, signed, verify,
    verify_consistency, verify_disclosure, verify_proofs, verify_receipt,
};
use epcis_edge_core::mcp::{self, Transport};
use epcis_edge_core::rest;
use epcis_edge_core::service::{Configuration, Integrated, LogSettings, Service, Witnesses};
use epcis_edge_core::store::{Bearer, Extension, Head, HeadCopy, Key, MemoryStore, NewLeaf, Store};
use epcis_edge_tests::witness::Witness;
use http::Request;
use pollster::block_on;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::future::ready;
use std::rc::Rc;

const NOW: u64 = 1_795_255_200_000;
const ORIGIN: &str = "epcis.example.com/log";
const ACCOUNT: &str = "https://example.com/accounts/a";
const KEY: &str = "epcis_00000000000a_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const CAPTURE_ONLY: &str = "epcis_00000000000c_ccccccccccccccccccccccccccccccccccccccccccc";

fn signer(name: &str, kind: KeyKind, byte: u8) -> Signer {
    Signer::new(name, kind, &[byte; 32]).unwrap()
}

/// A gateway with a log that these witnesses cosign.
fn configuration(origin: &str, byte: u8, witnesses: &str) -> Configuration {
    let base_url = format!("https://{}", origin.trim_end_matches("/log"));
    let mut configuration = Configuration::at(&base_url);
    let policy = Policy::read(&format!("{witnesses}quorum none\n")).unwrap();
    let keys = vec![signer(origin, KeyKind::Note, byte)];
    configuration.log = Some(LogSettings::new(keys, &format!("{base_url}/log"), policy).unwrap());
    configuration
}

fn key(text: &str, query: bool) -> Key {
    let bearer = Bearer::read(Some(&format!("Bearer {text}"))).unwrap();
    Key {
        id: bearer.id().to_owned(),
        digest: bearer.digest(),
        account: ACCOUNT.to_owned(),
        observer: "https://id.gs1.org/417/9521141000009".to_owned(),
        rights: Rights { capture: true, query },
        readable: Readable::Accounts([ACCOUNT.to_owned()].into()),
        revoked: false,
    }
}

fn memory() -> Rc<MemoryStore> {
    let store = Rc::new(MemoryStore::new());
    store.put_key(key(KEY, true));
    store.put_key(key(CAPTURE_ONLY, false));
    store
}

fn sqlite() -> Rc<SqliteStore> {
    let store = empty_sqlite();
    for (text, query) in [(KEY, true), (CAPTURE_ONLY, false)] {
        let key = key(text, query);
        let digest: String = key.digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let insert = "INSERT INTO keys (id, digest, account, observer, can_capture, can_query, readable, note, created_at) \
                      VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, '', '2026-01-01T00:00:00Z')";
        let readable = json!([key.account]).to_string();
        let values = rusqlite::params![
            key.id,
            digest,
            key.account,
            key.observer,
            key.rights.query,
            readable
        ];
        store.database().connection.execute(insert, values).unwrap();
    }
    store
}

fn call() -> Call {
    let bearer = Bearer::read(Some(&format!("Bearer {KEY}"))).unwrap();
    Call::new(NOW, key(KEY, true).principal(&bearer).unwrap())
}

fn event(number: usize) -> String {
    format!(
        r#"{{"@context":"https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld","type":"ObjectEvent","action":"OBSERVE","epcList":["urn:epc:id:sgtin:9521141.012345.{number}"],"eventTime":"2026-03-04T11:00:30.000+01:00","eventTimeZoneOffset":"+01:00"}}"#
    )
}

/// Captures events in one document. Returns their eventIDs.
fn capture(service: &Service, numbers: std::ops::Range<usize>) -> Vec<String> {
    let events: Vec<String> = numbers.map(event).collect();
    let document = format!("[{}]", events.join(","));
    let captured = block_on(service.capture(document.as_bytes(), false, &call())).unwrap();
    captured.events.into_iter().map(|event| event.event_id).collect()
}

thread_local! {
    static TURN: Cell<u8> = const { Cell::new(1) };
    static DESCRIPTION: Description = Description::read(OPENAPI);
    static KEPT: RefCell<BTreeSet<Promise>> = const { RefCell::new(BTreeSet::new()) };
}

/// Random bytes, different for each integration of a test.
fn entropy() -> [u8; 32] {
    TURN.set(TURN.get() + 1);
    [TURN.get(); 32]
}

fn integrate(service: &Service) -> u64 {
    loop {
        match block_on(service.integrate(entropy())).unwrap() {
            Integrated::Grown { copy: None, .. } => {}
            Integrated::Complete { size } => return size,
            other => panic!("{other:?}"),
        }
    }
}

/// The text of an event as the REST binding returns it.
fn stored(service: &Service, event_id: &str) -> String {
    let document = block_on(service.get_event(event_id, None, &call())).unwrap();
    serde_json::to_string(&document).unwrap()
}

/// The status, media type, headers and body of an answer that has been checked against the OpenAPI description.
struct Answer {
    status: u16,
    media_type: Option<String>,
    headers: http::HeaderMap,
    body: Bytes,
}

impl Answer {
    fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

fn send(service: &Service, method: &str, target: &str, key: Option<&str>, body: &str) -> Answer {
    send_as(service, method, target, key, body, true)
}

fn send_as(
    service: &Service,
    method: &str,
    target: &str,
    key: Option<&str>,
    body: &str,
    admits: bool,
) -> Answer {
    let visit = Incoming { now: NOW, admit: &|| Box::pin(ready(admits)), description: &file };
    answered(service, method, target, key, body, &visit)
}

/// The answer to a request, held against the description.
fn answered(
    service: &Service,
    method: &str,
    target: &str,
    key: Option<&str>,
    body: &str,
    visit: &Incoming<'_>,
) -> Answer {
    let mut request = Request::builder().method(method).uri(target);
    if let Some(key) = key {
        request = request.header("authorization", format!("Bearer {key}"));
    }
    let request = request.body(Bytes::from(body.to_owned())).unwrap();
    let (head, body) = block_on(rest::respond(service, request, visit)).into_parts();
    let media_type =
        head.headers.get("content-type").map(|value| value.to_str().unwrap().to_owned());
    let is_json = media_type.as_ref().is_some_and(|media_type| media_type.contains("json"));
    let json: Option<Value> =
        (is_json && method != "HEAD").then(|| serde_json::from_slice(&body).unwrap());
    let given = Given {
        method,
        target,
        status: head.status.as_u16(),
        content_type: media_type.as_deref(),
        headers: head.headers.keys().map(|name| name.as_str().to_owned()).collect(),
        body: json.as_ref(),
    };
    let kept = DESCRIPTION.with(|known| known.check(&given)).unwrap();
    KEPT.with_borrow_mut(|all| all.extend(kept));
    Answer { status: head.status.as_u16(), media_type, headers: head.headers, body }
}

fn get(service: &Service, target: &str) -> Answer {
    send(service, "GET", target, None, "")
}

/// Sends a GET request with the key that may query.
fn ask(service: &Service, target: &str) -> Answer {
    send(service, "GET", target, Some(KEY), "")
}

fn policy_of(service: &Service) -> String {
    get(service, "/log/policy").text()
}

fn every_event_has_its_leaf(store: Rc<dyn Store>) {
    let service = Service::with_store(configuration(ORIGIN, 1, ""), store);
    assert_eq!(get(&service, "/log/checkpoint").status, 404);
    assert_eq!(integrate(&service), 0);
    let empty = get(&service, "/log/checkpoint").text();
    assert!(
        empty.starts_with(
            "epcis.example.com/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n"
        )
    );
    let mut names = Vec::new();
    let mut heads = Vec::new();
    for end in [1, 3, 255, 256, 257, 600] {
        names.extend(capture(&service, names.len()..end));
        let first = send(
            &service,
            "GET",
            &format!("/log/proof?event={}", names[end - 1].replace('?', "%3F").replace('=', "%3D")),
            Some(KEY),
            "",
        );
        assert_eq!((first.status, first.header("retry-after")), (404, "2"));
        assert_eq!(integrate(&service), end as u64);
        heads.push(get(&service, "/log/checkpoint").text());
    }
    // Events captured again are duplicates and keep their leaf.
    capture(&service, 0..5);
    assert_eq!(integrate(&service), 600);
    let policy = policy_of(&service);
    for (index, name) in names.iter().enumerate().step_by(41) {
        let target = format!("/log/proof?event={}", name.replace('?', "%3F").replace('=', "%3D"));
        let answer = send(&service, "GET", &target, Some(KEY), "");
        assert_eq!(
            (answer.status, answer.header("cache-control")),
            (200, "no-store"),
            "{}",
            answer.text()
        );
        let verdict =
            verify(stored(&service, name).as_bytes(), &answer.text(), &policy, NOW).unwrap();
        assert!(verdict.valid, "{verdict:#?}");
        assert_eq!((verdict.index, verdict.size), (Some(index as u64), Some(600)));
        assert!(verdict.steps[1].detail.contains("its eventID is its hash"), "{verdict:#?}");
    }
    tiles_give_the_heads(&service, &heads);
}

/// Checks the served tiles and entries at each size that was signed.
fn tiles_give_the_heads(service: &Service, heads: &[String]) {
    let read = |note: &String| Checkpoint::read(Note::read(note).unwrap().text()).unwrap();
    for head in heads {
        let head = read(head);
        let mut leaves = Vec::new();
        for number in 0..head.size.div_ceil(256) {
            let tile = Tile::of(0, number, head.size).unwrap();
            let answer = get(service, &format!("/log/{tile}"));
            assert_eq!(
                (answer.status, answer.media_type.as_deref()),
                (200, Some("application/octet-stream")),
                "{tile}"
            );
            assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
            let hashes = answer.body.as_chunks::<32>().0.to_vec();
            let path = tile.to_string().replace("tile/0/", "tile/entries/");
            let entries = get(service, &format!("/log/{path}"));
            assert_eq!(entries.status, 200);
            let of_entries: Vec<_> = entries
                .body
                .chunks(53)
                .map(|entry| {
                    assert_eq!(entry[..2], [0, 51]);
                    leaf_hash(&entry[2..])
                })
                .collect();
            assert_eq!(of_entries, hashes);
            leaves.extend(hashes);
        }
        assert_eq!(root_of(&leaves), head.root);
        for tile in Tile::edge(head.size).into_iter().filter(|tile| tile.level == 1) {
            let answer = get(service, &format!("/log/{tile}"));
            assert_eq!(answer.body.as_chunks::<32>().0[0], root_of(&leaves[..256]), "{tile}");
        }
    }
    for (old, new) in heads.iter().zip(heads.iter().skip(1)) {
        let (old, new) = (read(old), read(new));
        let plan = ProofPlan::consistency(old.size, new.size);
        let tiles: Vec<_> = plan
            .tiles()
            .iter()
            .map(|tile| get(service, &format!("/log/{tile}")).body.as_chunks::<32>().0.to_vec())
            .collect();
        verify_consistency(
            old.size,
            &old.root,
            new.size,
            &new.root,
            &plan.hashes_from(&tiles).unwrap(),
        )
        .unwrap();
    }
    // No signed tree has these tiles.
    for path in [
        "0/000.p/2",
        "0/000.p/254",
        "0/001.p/2",
        "0/002.p/89",
        "0/002",
        "1/000.p/3",
        "1/000",
        "2/000.p/1",
        "0/0",
        "64/000",
        "0/x999/999",
    ] {
        let answer = get(service, &format!("/log/tile/{path}"));
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(get(service, &format!("/log/tile/entries/{path}")).status, 404, "{path}");
    }
}

#[test]
fn every_event_has_its_leaf_in_memory() {
    every_event_has_its_leaf(memory());
}

#[test]
fn every_event_has_its_leaf_in_sqlite() {
    every_event_has_its_leaf(sqlite());
}

#[test]
fn both_stores_make_the_same_log() {
    let log = |text: &str| -> String { text.to_owned() };
    let made = |turn: u8, checkpoint: &dyn Fn() -> String| {
        TURN.set(turn);
        log(&checkpoint())
    };
    let (one, other) = (
        Service::with_store(configuration(ORIGIN, 1, ""), memory()),
        Service::with_store(configuration(ORIGIN, 1, ""), sqlite()),
    );
    let one = made(9, &|| {
        capture(&one, 0..300);
        integrate(&one);
        get(&one, "/log/checkpoint").text()
    });
    let other = made(9, &|| {
        capture(&other, 0..300);
        integrate(&other);
        get(&other, "/log/checkpoint").text()
    });
    assert_eq!(one, other);
}

fn of_two_integrations_one_is_stored(store: &dyn Store, service: &Service) {
    // Heads of another gateway with the same key, which would fork this log.
    let extension = |previous: Option<u64>, byte: u8| {
        let commitment = [byte; 32];
        let text =
            Checkpoint { origin: ORIGIN.to_owned(), size: 1, root: leaf_of(&commitment) }.text();
        Extension {
            previous,
            leaves: vec![NewLeaf { sequence: 1, salt: [byte; 32], commitment }],
            tiles: Vec::new(),
            head: Head {
                size: 1,
                root: leaf_of(&commitment),
                note: signed(&text, &[signer(ORIGIN, KeyKind::Note, 1)]),
                cosignatures: Vec::new(),
                latest: Vec::new(),
            },
        }
    };
    assert!(block_on(store.extend(&extension(None, 1))).unwrap());
    assert!(!block_on(store.extend(&extension(None, 2))).unwrap());
    assert!(!block_on(store.extend(&extension(Some(0), 2))).unwrap());
    let head = block_on(store.last_head()).unwrap().unwrap();
    assert_eq!(head.root, leaf_of(&[1; 32]));
    assert_eq!(block_on(store.commitments(0..9)).unwrap(), [[1; 32]]);
    assert_eq!(
        block_on(service.integrate([0; 32])).unwrap(),
        Integrated::Grown { size: 0, copy: None }
    );
}

#[test]
fn of_two_integrations_one_is_stored_in_both_stores() {
    let service = Service::with_store(configuration(ORIGIN, 1, ""), memory());
    of_two_integrations_one_is_stored(&*memory(), &service);
    let service = Service::with_store(configuration(ORIGIN, 1, ""), memory());
    of_two_integrations_one_is_stored(&*sqlite(), &service);
}

#[test]
fn a_store_that_was_set_back_is_not_signed() {
    let store = sqlite();
    let service = Service::with_store(configuration(ORIGIN, 1, ""), store.clone());
    capture(&service, 0..10);
    integrate(&service);
    let copy = block_on(service.store().head_copy()).unwrap().unwrap();
    assert_eq!(copy.size, 10);
    let before = get(&service, "/log/checkpoint").text();
    capture(&service, 10..20);
    for copy in [
        HeadCopy { size: 12, ..copy.clone() },
        HeadCopy { size: 4, ..copy.clone() },
        HeadCopy { root: [0; 32], ..copy.clone() },
    ] {
        block_on(service.store().copy_head(&copy)).unwrap();
        let refused = block_on(service.integrate(entropy())).unwrap_err();
        assert_eq!(
            *refused.kind(),
            ErrorKind::Log(LogFault::Restored { signed: copy.size, found: 10 })
        );
        assert_eq!(get(&service, "/log/checkpoint").text(), before);
    }
    // A copy that is only late does no harm.
    block_on(service.store().copy_head(&copy)).unwrap();
    assert_eq!(integrate(&service), 20);
    block_on(service.store().copy_head(&copy)).unwrap();
    capture(&service, 20..21);
    assert_eq!(integrate(&service), 21);
    // Nothing is signed if the tiles do not match the head.
    let connection = &store.database().connection;
    connection.execute_batch("DROP TRIGGER log_leaves_never_change; UPDATE log_leaves SET commitment = zeroblob(32) WHERE leaf = 3").unwrap();
    capture(&service, 21..22);
    assert!(matches!(
        block_on(service.integrate(entropy())).unwrap_err().kind(),
        ErrorKind::Internal { .. }
    ));
}

#[test]
fn the_log_cannot_be_rewritten_but_a_salt_can_go() {
    let store = sqlite();
    let service = Service::with_store(configuration(ORIGIN, 1, ""), store.clone());
    let names = capture(&service, 0..300);
    integrate(&service);
    block_on(
        service
            .store()
            .keep_cosignatures(300, &[("w".to_owned(), "\u{2014} w AAAAAAAA\n".to_owned())]),
    )
    .unwrap();
    let connection = &store.database().connection;
    for sql in [
        "DELETE FROM log_leaves",
        "UPDATE log_leaves SET sequence = 999 WHERE leaf = 1",
        "UPDATE log_leaves SET salt = zeroblob(32)",
        "UPDATE log_leaves SET commitment = zeroblob(32)",
        "INSERT INTO log_leaves VALUES (301, 999, zeroblob(32), zeroblob(32))",
        "INSERT INTO log_leaves VALUES (300, 5, zeroblob(32), zeroblob(32))",
        "INSERT OR REPLACE INTO log_leaves VALUES (3, 999, zeroblob(32), zeroblob(32))",
        "DELETE FROM log_tiles",
        "UPDATE log_tiles SET root = zeroblob(32)",
        "INSERT OR REPLACE INTO log_tiles VALUES (0, 0, zeroblob(32), zeroblob(8192))",
        "DELETE FROM log_heads",
        "UPDATE log_heads SET note = ''",
        "INSERT OR REPLACE INTO log_heads VALUES (300, zeroblob(32), '', -1)",
        "INSERT INTO log_heads VALUES (299, zeroblob(32), '', 298)",
        "DELETE FROM log_cosignatures",
        "UPDATE log_cosignatures SET line = ''",
    ] {
        let refused = connection.execute_batch(sql).unwrap_err().to_string();
        assert!(refused.contains("the log"), "{sql}: {refused}");
    }
    connection.execute_batch("UPDATE log_leaves SET salt = NULL WHERE leaf = 7").unwrap();
    let muted = block_on(service.prove(&names[7], None, &call())).unwrap_err();
    assert!(matches!(muted.kind(), ErrorKind::Log(LogFault::Muted { .. })));
    let verdict = |name: &str| {
        let proof = block_on(service.prove(name, None, &call())).unwrap().proof;
        verify(stored(&service, name).as_bytes(), &proof, &policy_of(&service), NOW).unwrap().valid
    };
    assert!(verdict(&names[8]));
}

#[test]
fn equal_events_have_leaves_that_differ() {
    let leaves = |byte: u8| {
        let service = Service::with_store(configuration(ORIGIN, 1, ""), memory());
        capture(&service, 0..3);
        block_on(service.integrate([byte; 32])).unwrap();
        get(&service, "/log/tile/0/000.p/3").body
    };
    let (one, other) = (leaves(1), leaves(2));
    assert!(
        one.as_chunks::<32>()
            .0
            .iter()
            .zip(other.as_chunks::<32>().0)
            .all(|(one, other)| one != other)
    );
}

#[test]
fn an_error_declaration_is_proved_by_its_number() {
    let service = Service::with_store(configuration(ORIGIN, 1, ""), memory());
    let names = capture(&service, 0..1);
    let declared = event(0).replace(
        r#""type""#,
        r#""errorDeclaration":{"declarationTime":"2026-03-05T11:00:30.000+01:00"},"type""#,
    );
    block_on(service.capture(declared.as_bytes(), false, &call())).unwrap();
    integrate(&service);
    let index = |declaration| {
        block_on(service.prove(&names[0], declaration, &call())).map(|proven| proven.index)
    };
    assert_eq!((index(None).unwrap(), index(Some(1)).unwrap()), (0, 1));
    assert!(matches!(index(Some(2)).unwrap_err().kind(), ErrorKind::NoSuchEvent { .. }));
    let proof = block_on(service.prove(&names[0], Some(1), &call())).unwrap().proof;
    let both = stored(&service, &names[0]);
    let policy = policy_of(&service);
    let beside = verify(both.as_bytes(), &proof, &policy, NOW).unwrap();
    assert!(!beside.valid, "the event beside it is not what is proved");
    let alone = proved_event(both.as_bytes(), &proof).unwrap();
    let verdict = verify(alone.as_bytes(), &proof, &policy, NOW).unwrap();
    assert!(verdict.valid, "{verdict:#?}");
    let declaration = verdict.event.unwrap().error_declaration.unwrap();
    assert_eq!(declaration.reason, None);
    assert_eq!(declaration.declaration_time.as_deref(), Some("2026-03-05T11:00:30.000+01:00"));
}

/// The second of two leaves commits to something else than its event.
fn a_foreign_commitment_is_told(service: &Service) {
    let store = service.store();
    let names = capture(service, 0..2);
    let leaves: Vec<NewLeaf> = block_on(store.unlogged(10))
        .unwrap()
        .iter()
        .zip(1..)
        .map(|(event, number)| {
            let salt = [number; 32];
            let stated = Statement::of_stored(&event.event, &event.document, &salt).unwrap();
            NewLeaf {
                sequence: event.sequence,
                salt,
                commitment: match number {
                    2 => [0; 32],
                    _ => stated.commitment(&salt).unwrap(),
                },
            }
        })
        .collect();
    let hashes: Vec<_> = leaves.iter().map(|leaf| leaf_of(&leaf.commitment)).collect();
    let text = Checkpoint { origin: ORIGIN.to_owned(), size: 2, root: root_of(&hashes) }.text();
    let extension = Extension {
        previous: None,
        leaves,
        tiles: Vec::new(),
        head: Head {
            size: 2,
            root: root_of(&hashes),
            note: signed(&text, &[signer(ORIGIN, KeyKind::Note, 1)]),
            cosignatures: Vec::new(),
            latest: Vec::new(),
        },
    };
    assert!(block_on(store.extend(&extension)).unwrap());
    let proven = block_on(service.prove(&names[0], None, &call())).unwrap();
    assert_eq!(proven.event_id, names[0]);
    let event = stored(service, &names[0]);
    let verdict = verify(event.as_bytes(), &proven.proof, &policy_of(service), NOW).unwrap();
    assert!(verdict.valid, "{verdict:#?}");
    let shown = disclose(event.as_bytes(), &proven.proof, &["epcList".to_owned()]).unwrap();
    let verdict = verify_disclosure(shown.as_bytes(), &policy_of(service), NOW).unwrap();
    assert!(verdict.proof.valid, "{verdict:#?}");
    assert_eq!((verdict.fields.len(), verdict.withheld), (1, Some(10)));
    let broken = block_on(service.prove(&names[1], None, &call())).unwrap_err();
    let ErrorKind::Internal { detail } = broken.kind() else { panic!("{broken:?}") };
    assert!(detail.starts_with("the step `leaf`: "), "{detail}");
}

#[test]
fn a_foreign_commitment_is_told_in_both_stores() {
    let service = Service::with_store(configuration(ORIGIN, 1, ""), memory());
    a_foreign_commitment_is_told(&service);
    let service = Service::with_store(configuration(ORIGIN, 1, ""), sqlite());
    a_foreign_commitment_is_told(&service);
}

/// The address of the witness.
const WITNESS: &str = "https://partner.example.com/witness";

fn witness_key() -> Signer {
    signer("partner.example.com/witness", KeyKind::Cosignature, 6)
}

/// A witness that is asked in this process, always at the time `NOW`.
struct Partner {
    witness: Witness,
    asked: Cell<usize>,
    /// An answer returned in place of the witness's own.
    instead: RefCell<Option<(u16, String, String)>>,
}

#[async_trait(?Send)]
impl Witnesses for Partner {
    async fn ask(&self, url: &str, body: String) -> Option<(u16, String, String)> {
        assert_eq!(url, format!("{WITNESS}/add-checkpoint"));
        self.asked.set(self.asked.get() + 1);
        match self.instead.borrow().clone() {
            Some(instead) => (instead.0 > 0).then_some(instead),
            None => Some(self.witness.answer(&body, NOW / 1000)),
        }
    }
}

/// A gateway's configuration, and the witness of its log.
fn witnessed() -> (Configuration, Partner) {
    let log = signer(ORIGIN, KeyKind::Note, 1);
    let witness = Witness::new(witness_key(), log.key().clone());
    let configuration = configuration(ORIGIN, 1, &witness.line(WITNESS));
    let partner = Partner { witness, asked: Cell::new(0), instead: RefCell::new(None) };
    (configuration, partner)
}

#[test]
fn a_witness_cosigns_the_log_as_it_grows() {
    let (configuration, partner) = witnessed();
    let one = Service::with_store(configuration, memory());
    let none: Vec<String> = Vec::new();
    let turn = TURN.get();
    assert_eq!(block_on(one.cosign(&partner, NOW)).unwrap(), none);
    let names = capture(&one, 0..3);
    integrate(&one);
    assert_eq!(block_on(one.cosign(&partner, NOW)).unwrap(), none);
    // A witness that has cosigned a head is not asked again for it.
    assert_eq!(block_on(one.cosign(&partner, NOW)).unwrap(), none);
    assert_eq!(partner.asked.get(), 1);
    capture(&one, 3..300);
    integrate(&one);
    assert_eq!(block_on(one.cosign(&partner, NOW)).unwrap(), none);
    // The gateway's policy, with the quorum that the verifier requires.
    let policy = policy_of(&one).replace("quorum none", "quorum W");
    let proof = block_on(one.prove(&names[1], None, &call())).unwrap().proof;
    let verdict = verify(stored(&one, &names[1]).as_bytes(), &proof, &policy, NOW).unwrap();
    assert!(verdict.valid, "{verdict:#?}");
    assert_eq!(verdict.logged_before.as_deref(), Some("2026-11-21T10:00:01.000Z"));
    // A witness that is unreachable, refuses or answers nonsense costs only its cosignature.
    capture(&one, 300..301);
    assert_eq!(integrate(&one), 301);
    for (status, media_type, body) in [
        (0, "", ""),
        (404, "application/problem+json", "{}"),
        (403, "", ""),
        (500, "text/html", "<p>"),
        (200, "text/plain", "<p>"),
        (200, "text/plain", ""),
        (409, "text/x.tlog.size", "0\n"),
        (409, "text/plain", "300\n"),
    ] {
        *partner.instead.borrow_mut() = Some((status, media_type.to_owned(), body.to_owned()));
        let troubles = block_on(one.cosign(&partner, NOW)).unwrap();
        assert_eq!(troubles.len(), 1, "{status} {body}");
        assert!(block_on(one.store().head(301)).unwrap().unwrap().cosignatures.is_empty());
        // A proof uses the newest cosigned head if a quorum is required, and the newest head otherwise.
        assert!(block_on(one.prove(&names[1], None, &call())).is_ok());
    }
    // If the log has forgotten its witness's last size, the witness's answer says from where to continue.
    *partner.instead.borrow_mut() = None;
    partner.asked.set(0);
    let again = Service::with_store(one.configuration().clone(), memory());
    TURN.set(turn);
    for numbers in [0..3, 3..300, 300..301] {
        capture(&again, numbers);
        integrate(&again);
    }
    assert_eq!(block_on(again.cosign(&partner, NOW)).unwrap(), none);
    assert_eq!(partner.asked.get(), 2);
    let head = block_on(again.store().head(301)).unwrap().unwrap();
    assert_eq!(head.cosignatures.len(), 1);
}

fn status(service: &Service, now: u64) -> Value {
    let at = &Incoming::at(now);
    let answer = answered(service, "GET", "/log/status", None, "", at);
    assert_eq!(answer.status, 200);
    answer.json()
}

/// Sends an order, signed with the log key made from this byte.
fn order(service: &Service, word: &str, byte: u8, at: u64) -> Answer {
    let note = Order::named(word).unwrap().signed(&signer(ORIGIN, KeyKind::Note, byte), at);
    send(service, "POST", "/log/order", None, &note)
}

/// Database and copy were restored together from a backup, so only a witness can notice.
#[test]
fn a_log_whose_witness_has_seen_more_is_halted_until_an_operator_acts() {
    let (configuration, partner) = witnessed();
    let none: Vec<String> = Vec::new();
    let one = Service::with_store(configuration.clone(), memory());
    capture(&one, 0..300);
    integrate(&one);
    assert_eq!(block_on(one.cosign(&partner, NOW)).unwrap(), none);
    assert_eq!(status(&one, NOW)["state"], "ok");
    assert_eq!(
        status(&one, NOW)["witnesses"],
        json!([{"name": "W", "size": 300, "lastCosigned": "2026-11-21T10:00:00.000Z"}])
    );
    // The restored log is empty, is shorter, or has the same size and other leaves.
    for count in [0, 200, 300] {
        let again = Service::with_store(configuration.clone(), sqlite());
        if count > 0 {
            capture(&again, 0..count);
            integrate(&again);
        }
        assert!(block_on(again.must_consult(None)).unwrap());
        let troubles = block_on(again.consult(&partner, NOW)).unwrap();
        assert!(troubles[0].starts_with("the log is halted: witness W: "), "{troubles:?}");
        let size = block_on(again.store().last_head()).unwrap();
        let names = capture(&again, 500..501);
        let refused = block_on(again.integrate(entropy())).unwrap_err();
        assert!(matches!(refused.kind(), ErrorKind::Log(LogFault::Halted { .. })));
        assert_eq!(block_on(again.store().last_head()).unwrap(), size);
        let seen = status(&again, NOW);
        assert_eq!(
            (&seen["state"], &seen["eventsWithoutLeaf"]),
            (&json!("halted"), &json!(1)),
            "{seen}"
        );
        assert_eq!(seen["since"], "2026-11-21T10:00:00.000Z");
        assert_eq!(get(&again, "/family.json").json()["log"]["status"], seen);
        let proof = block_on(again.prove(&names[0], None, &call())).unwrap_err();
        assert!(matches!(proof.kind(), ErrorKind::Log(LogFault::Halted { .. })));
        // The holder of the log's key may order a restart. The witnesses are then consulted again first.
        assert_eq!(order(&again, "restart", 2, NOW).status, 403);
        assert_eq!(order(&again, "restart", 1, NOW - 301_000).status, 403);
        assert_eq!(order(&again, "restart", 1, NOW + 301_000).status, 403);
        let restarted = order(&again, "restart", 1, NOW);
        assert_eq!(restarted.status, 200, "{}", restarted.text());
        assert_eq!(restarted.json()["state"], "ok");
        assert!(block_on(again.must_consult(Some(NOW - 1))).unwrap());
        assert!(!block_on(again.must_consult(Some(NOW + 1))).unwrap());
        let troubles = block_on(again.consult(&partner, NOW + 1)).unwrap();
        assert!(troubles[0].starts_with("the log is halted"), "{troubles:?}");
        assert_eq!(status(&again, NOW)["state"], "halted");
    }
    // The store that the witness has seen continues.
    assert_eq!(block_on(one.consult(&partner, NOW)).unwrap(), none);
    capture(&one, 300..301);
    assert_eq!(integrate(&one), 301);
}

/// A witness's 409 or 422 can mean that the log would fork, and then halts it. Other answers do not.
#[test]
fn answers_of_a_witness_that_halt_the_log() {
    for (status, media_type, body, is_halted) in [
        (409, "text/x.tlog.size", "301\n", true),
        (409, "text/x.tlog.size", "300\n", true),
        (409, "text/plain", "no", true),
        (422, "", "", true),
        (409, "text/x.tlog.size", "299\n", false),
        (400, "", "", false),
        (403, "", "", false),
        (404, "", "", false),
        (503, "", "", false),
        (0, "", "", false),
    ] {
        let (configuration, partner) = witnessed();
        let one = Service::with_store(configuration, memory());
        capture(&one, 0..300);
        integrate(&one);
        assert!(block_on(one.cosign(&partner, NOW)).unwrap().is_empty());
        *partner.instead.borrow_mut() = Some((status, media_type.to_owned(), body.to_owned()));
        let troubles = block_on(one.consult(&partner, NOW)).unwrap();
        assert_eq!(troubles.len(), 1, "{status} {body}: {troubles:?}");
        let halt = block_on(one.store().last_halt()).unwrap();
        assert_eq!(halt.is_some(), is_halted, "{status} {body}: {troubles:?}");
    }
}

/// Recent cosignatures distinguish a quiet log from a frozen one.
#[test]
fn a_head_is_cosigned_again_each_hour() {
    for store in [memory() as Rc<dyn Store>, sqlite()] {
        let (configuration, partner) = witnessed();
        cosigned_again(&Service::with_store(configuration, store), &partner);
    }
}

fn cosigned_again(one: &Service, partner: &Partner) {
    const HOUR: u64 = 3_600_000;
    let names = capture(one, 0..3);
    integrate(one);
    let cosign = |now: u64| {
        partner.asked.set(0);
        assert!(block_on(one.cosign(partner, now)).unwrap().is_empty());
        partner.asked.get()
    };
    assert_eq!([cosign(NOW), cosign(NOW), cosign(NOW + HOUR - 1000)], [1, 0, 0]);
    let first = get(one, "/log/checkpoint").text();
    let head = block_on(one.store().last_head()).unwrap().unwrap();
    assert_eq!(first, head.published());
    // With another time, the line is different.
    let text = Note::read(&head.note).unwrap().text().to_owned();
    let later = cosignature(&text, NOW / 1000 + 3600, &witness_key());
    *partner.instead.borrow_mut() = Some((200, "text/plain".to_owned(), later.clone()));
    assert_eq!([cosign(NOW + HOUR), cosign(NOW + HOUR + 1000)], [1, 0]);
    assert_eq!(get(one, "/log/checkpoint").text(), format!("{}{later}", head.note));
    // A proof has the first cosignature, so it has the earliest date.
    let proof = block_on(one.prove(&names[1], None, &call())).unwrap().proof;
    assert!(proof.ends_with(&first));
    let seen = status(one, NOW + HOUR);
    assert_eq!(
        seen["witnesses"],
        json!([{"name": "W", "size": 3, "lastCosigned": "2026-11-21T11:00:00.000Z"}])
    );
}

#[test]
fn a_log_that_lags_says_so() {
    let service = Service::with_store(configuration(ORIGIN, 1, ""), sqlite());
    let fresh = status(&service, NOW);
    assert_eq!((&fresh["state"], &fresh["size"]), (&json!("ok"), &json!(0)));
    capture(&service, 0..3);
    let soon = status(&service, NOW + 60_000);
    assert_eq!(
        (&soon["state"], &soon["eventsWithoutLeaf"], &soon["oldestWaitsSeconds"]),
        (&json!("ok"), &json!(3), &json!(60))
    );
    let late = status(&service, NOW + 181_000);
    assert_eq!((&late["state"], &late["oldestWaitsSeconds"]), (&json!("lagging"), &json!(181)));
    integrate(&service);
    let done = status(&service, NOW + 181_000);
    assert_eq!((&done["state"], &done["eventsWithoutLeaf"]), (&json!("ok"), &json!(0)));
    assert!(done.get("oldestWaitsSeconds").is_none());
    // A copy that is newer than the database halts the log too.
    let copy = block_on(service.store().head_copy()).unwrap().unwrap();
    block_on(service.store().copy_head(&HeadCopy { size: 9, ..copy })).unwrap();
    assert_eq!(status(&service, NOW)["state"], "halted");
}

/// The pages that the command `fsck` requests.
#[test]
fn database_and_log_are_compared() {
    let store = sqlite();
    let service = Service::with_store(configuration(ORIGIN, 1, ""), store.clone());
    let page = |from: u64| {
        let answer = order(&service, &format!("check {from}"), 1, NOW);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    assert_eq!(
        page(0),
        json!({"from": 0, "to": 0, "size": 0, "muted": 0, "heads": 0, "faults": []})
    );
    let mut first_names = Vec::new();
    for first in (0..2300).step_by(460) {
        first_names.extend(capture(&service, first..first + 460));
        integrate(&service);
    }
    let whole = page(0);
    assert_eq!(
        whole,
        json!({"from": 0, "to": 2048, "size": 2300, "muted": 0, "heads": 4, "faults": [], "next": 2048})
    );
    assert_eq!(page(2048)["faults"], json!([]));
    assert_eq!(page(2048)["heads"], 1);
    assert!(page(2048).get("next").is_none());
    let connection = &store.database().connection;
    let triggers = [
        "log_leaves_never_change",
        "log_tiles_never_change",
        "log_heads_never_change",
        "events_never_change",
        "events_never_go",
        "event_parts_never_change",
        "event_parts_never_go",
    ];
    for trigger in triggers {
        connection.execute_batch(&format!("DROP TRIGGER IF EXISTS {trigger}")).unwrap();
    }
    let faults = |sql: &str, from: u64| {
        connection.execute_batch("SAVEPOINT lie").unwrap();
        connection.execute_batch(sql).unwrap();
        let found = page(from);
        connection.execute_batch("ROLLBACK TO lie; RELEASE lie").unwrap();
        let faults: Vec<(u64, String)> = found["faults"]
            .as_array()
            .unwrap()
            .iter()
            .map(|fault| {
                (fault["leaf"].as_u64().unwrap(), fault["found"].as_str().unwrap().to_owned())
            })
            .collect();
        (found["muted"].as_u64().unwrap(), faults)
    };
    let forged = "UPDATE log_heads SET note = substr(note, 1, length(note) - 12) || 'AAAA' || substr(note, -8) WHERE size = 460";
    let (_, of_signature) = faults(forged, 0);
    assert_eq!(of_signature.len(), 1, "{of_signature:?}");
    assert!(
        of_signature[0].0 == 459 && of_signature[0].1.contains("signature"),
        "{of_signature:?}"
    );
    let (muted, none) = faults("UPDATE log_leaves SET salt = NULL WHERE leaf = 7", 0);
    assert_eq!((muted, none.len()), (1, 0));
    for (sql, leaf, said) in [
        (
            "UPDATE log_leaves SET salt = zeroblob(32) WHERE leaf = 7",
            7,
            "not what this leaf commits to",
        ),
        (
            "UPDATE event_parts SET text = replace(text, 'OBSERVE', 'DELETE') WHERE piece / 1000 = 8",
            7,
            "event number 8 is not what this leaf commits to",
        ),
        (
            "UPDATE log_tiles SET hashes = zeroblob(8192) WHERE level = 0 AND number = 1",
            511,
            "tile/0/001 is not made of the leaves below it",
        ),
        (
            "UPDATE log_tiles SET root = zeroblob(32) WHERE level = 0 AND number = 1",
            511,
            "the root of tile/0/001",
        ),
        (
            "UPDATE log_heads SET root = zeroblob(32) WHERE size = 460",
            459,
            "another root than its tiles",
        ),
        (
            "UPDATE log_heads SET note = replace(note, 'A', 'B') WHERE size = 460",
            459,
            "the head of 460 leaves",
        ),
        (
            "DELETE FROM event_parts WHERE piece / 1000 = 8; DELETE FROM events WHERE sequence = 8",
            7,
            "the event of this leaf is not there",
        ),
    ] {
        let (_, found) = faults(sql, 0);
        assert!(
            found.iter().any(|(at, what)| *at == leaf && what.contains(said)),
            "{sql}: {found:?}"
        );
    }
    // An event that was changed in the database gets no proof.
    let names = capture(&service, 4000..4001);
    integrate(&service);
    connection
        .execute_batch("UPDATE event_parts SET text = replace(text, '012345.4000', '012345.4001') WHERE piece / 1000 = 2301")
        .unwrap();
    let refused = block_on(service.prove(&names[0], None, &call())).unwrap_err();
    let ErrorKind::Internal { detail } = refused.kind() else { panic!("{refused:?}") };
    assert!(detail.contains("step `leaf`"), "{detail}");
    connection
        .execute_batch(
            "UPDATE log_tiles SET root = zeroblob(32), hashes = zeroblob(8192) WHERE level = 0",
        )
        .unwrap();
    let sound = first_names[600].clone();
    let refused = block_on(service.prove(&sound, None, &call())).unwrap_err();
    let ErrorKind::Internal { detail } = refused.kind() else { panic!("{refused:?}") };
    assert!(detail.contains("step `inclusion`"), "{detail}");
}

/// A page has many events, each with its proof, under one head.
#[test]
fn events_are_proved_page_by_page() {
    many_are_proved(&Service::with_store(configuration(ORIGIN, 1, ""), memory()));
    many_are_proved(&Service::with_store(configuration(ORIGIN, 1, ""), sqlite()));
}

fn many_are_proved(service: &Service) {
    let ask = |target: &str| send(service, "GET", target, Some(KEY), "");
    assert_eq!(ask("/log/proofs").status, 404, "there is no head yet");
    let names = capture(service, 0..700);
    let declared = event(3).replace(
        r#""type""#,
        r#""errorDeclaration":{"declarationTime":"2026-03-05T11:00:30.000+01:00"},"type""#,
    );
    block_on(service.capture(declared.as_bytes(), false, &call())).unwrap();
    integrate(service);
    capture(service, 700..702);
    let policy = policy_of(service);
    let mut pages = Vec::new();
    let mut token = String::new();
    loop {
        let page = ask(&format!("/log/proofs?perPage=300{token}"));
        assert_eq!(page.status, 200, "{}", page.text());
        let read = page.json();
        let verdict = verify_proofs(&page.body, &policy, NOW).unwrap();
        assert!(verdict.valid, "{verdict:#?}");
        pages.push((verdict.proved, verdict.unproved));
        match read["nextPageToken"].as_str() {
            None => break,
            Some(next) => token = format!("&nextPageToken={next}"),
        }
    }
    assert_eq!(pages, [(200, 0), (200, 0), (200, 0), (101, 2)]);
    let one = ask(&format!(
        "/log/proofs?EQ_eventID={}",
        names[3].replace('?', "%3F").replace('=', "%3D")
    ));
    let verdict = verify_proofs(&one.body, &policy, NOW).unwrap();
    assert_eq!((verdict.valid, verdict.count), (true, 2), "the event and its declaration");
    for (target, status) in [
        ("/log/proofs?EQ_nothing=1", 400),
        ("/log/proofs?feedCursor=a", 400),
        ("/log/proofs?nextPageToken=a", 400),
        ("/log/proofs?perPage=0", 400),
    ] {
        assert_eq!(ask(target).status, status, "{target}");
    }
    assert_eq!(send(service, "GET", "/log/proofs", None, "").status, 401);
    assert_eq!(send(service, "GET", "/log/proofs", Some(CAPTURE_ONLY), "").status, 403);
    // Every changed digit in salts, statements, paths and indices is detected and located.
    let text = ask("/log/proofs?perPage=20").text();
    let mut read: Value = serde_json::from_str(&text).unwrap();
    let flipped = |text: &str| {
        let other = if text.starts_with('1') { "2" } else { "1" };
        format!("{other}{}", &text[1..])
    };
    for (at, member) in (0..20).zip(["salt", "statement", "path", "index"].into_iter().cycle()) {
        let mut lie = read.clone();
        let value = &mut lie["proofs"][at][member];
        *value = match member {
            "path" => json!([flipped(value[0].as_str().unwrap())]),
            "index" => json!(value.as_u64().unwrap() + 1),
            _ => json!(flipped(value.as_str().unwrap())),
        };
        let verdict = verify_proofs(lie.to_string().as_bytes(), &policy, NOW).unwrap();
        assert!(!verdict.valid, "{at} {member}");
        // Serializing the JSON again may change the bytes of events, so other events may be reported as well.
        assert!(
            verdict.failed.iter().any(|failed| failed.path == format!("/proofs/{at}")),
            "{at} {member}: {verdict:#?}"
        );
    }
    let broken = text.replacen("OBSERVE", "DELETE", 1);
    let verdict = verify_proofs(broken.as_bytes(), &policy, NOW).unwrap();
    assert_eq!((verdict.valid, verdict.count, verdict.proved), (false, 20, 19));
    assert_eq!((verdict.failed[0].path.as_str(), verdict.failed[0].step), ("/proofs/0", "event"));
    assert_eq!(verdict.logged_before, None);
    let other = text.replacen("epcis.example.com/log", "other.example.com/log", 1);
    let verdict = verify_proofs(other.as_bytes(), &policy, NOW).unwrap();
    assert_eq!((verdict.valid, verdict.proved), (false, 0), "nothing is proved without the head");
    // A document without the list `proofs`, and an event after a repeated name, prove nothing.
    for lie in [
        text.replacen("\"proofs\":[", "\"proof\":[", 1),
        text.replacen("{\"event\":", "{\"event\":{\"type\":\"ObjectEvent\"},\"event\":", 1),
    ] {
        let verdict = verify_proofs(lie.as_bytes(), &policy, NOW).unwrap();
        assert_eq!((verdict.valid, verdict.proved), (false, 0));
        assert!(!verdict.steps[0].holds, "{verdict:#?}");
    }
    read["type"] = json!("EPCISDocument");
    assert!(!verify_proofs(read.to_string().as_bytes(), &policy, NOW).unwrap().steps[0].holds);
}

/// Everything but the log is served. Requests for the log are answered with the reason.
#[test]
fn a_log_that_is_set_wrongly_is_off_alone() {
    let mut wrong = configuration(ORIGIN, 1, "");
    wrong.log = None;
    wrong.log_fault = Some("the setting LOG_POLICY: no policy".to_owned());
    let service = Service::with_store(wrong, memory());
    let names = capture(&service, 0..1);
    assert!(stored(&service, &names[0]).contains("OBSERVE"));
    for path in ["/log/checkpoint", "/log/status", "/log/policy"] {
        let answer = get(&service, path);
        assert_eq!(answer.status, 503);
        assert!(answer.text().contains("LOG_POLICY"), "{}", answer.text());
    }
}

#[test]
fn every_status_of_the_description_is_kept() {
    let service = Service::with_store(configuration(ORIGIN, 1, ""), memory());
    let names = capture(&service, 0..2);
    integrate(&service);
    let tile = "/log/tile/0/000.p/2";
    let event = format!("/log/proof?event={}", names[0].replace('?', "%3F").replace('=', "%3D"));
    for target in
        ["/log/checkpoint", "/log/policy", "/log/status", tile, "/log/tile/entries/000.p/2"]
    {
        let answer = get(&service, target);
        assert_eq!(answer.status, 200, "{target}");
        let head = send(&service, "HEAD", target, None, "");
        assert_eq!(
            (head.status, head.header("content-length")),
            (200, answer.body.len().to_string().as_str())
        );
        assert_eq!(get(&service, &format!("{target}?a=1")).status, 400, "{target}");
        assert_eq!(send(&service, "OPTIONS", target, None, "").status, 204);
        assert_eq!(
            send(&service, "DELETE", target, None, "").header("allow"),
            "GET, HEAD, OPTIONS"
        );
    }
    let without = Service::with_store(Configuration::at("https://epcis.example.com"), memory());
    assert_eq!(block_on(without.integrate([0; 32])).unwrap(), Integrated::NoLog);
    for target in [
        "/log/checkpoint",
        "/log/policy",
        "/log/status",
        "/log/proofs",
        tile,
        "/log/tile/entries/000.p/2",
        &event,
    ] {
        assert_eq!(send(&without, "GET", target, Some(KEY), "").status, 404, "{target}");
        assert_eq!(send_as(&service, "GET", target, Some(KEY), "", false).status, 429, "{target}");
    }
    for (key, status) in [(Some(KEY), 200), (None, 401), (Some(CAPTURE_ONLY), 403)] {
        assert_eq!(send(&service, "GET", "/log/proofs", key, "").status, status);
    }
    assert_eq!(send(&service, "GET", "/log/proofs?a=1", Some(KEY), "").status, 400);
    let long = format!("/log/proofs?EQ_bizStep={}", "a".repeat(40_000));
    assert_eq!(send(&service, "GET", &long, Some(KEY), "").status, 414);
    let too_many = "/log/proofs?maxEventCount=1";
    assert_eq!(send(&service, "GET", too_many, Some(KEY), "").status, 413);
    assert_eq!(send(&service, "GET", &event, Some(KEY), "").status, 200);
    assert_eq!(get(&service, &event).status, 401);
    assert_eq!(send(&service, "GET", &event, Some(CAPTURE_ONLY), "").status, 403);
    let receipt = send(&service, "GET", &format!("{event}&format=cose"), Some(KEY), "");
    assert_eq!(receipt.status, 200);
    assert_eq!(receipt.media_type.as_deref(), Some("application/cose; cose-type=\"cose-sign1\""));
    let policy = policy_of(&service);
    let verdict = verify_receipt(stored(&service, &names[0]).as_bytes(), &receipt.body, &policy);
    assert!(verdict.unwrap().valid);
    for (target, status) in [
        ("/log/proof?event=a&format=der", 400),
        ("/log/proof", 400),
        ("/log/proof?event=", 400),
        ("/log/proof?event=a&declaration=0", 400),
        ("/log/proof?events=a", 400),
        ("/log/proof?event=a", 404),
    ] {
        assert_eq!(send(&service, "GET", target, Some(KEY), "").status, status, "{target}");
    }
    let ordered = |service: &Service, word: &str| order(service, word, 1, NOW).status;
    assert_eq!(ordered(&service, "check 0"), 200);
    assert_eq!(ordered(&without, "restart"), 404);
    assert_eq!(order(&service, "restart", 2, NOW).status, 403);
    let send_order = |body: &str| send(&service, "POST", "/log/order", None, body).status;
    let signed_as = |text: &str| signed(text, &[signer(ORIGIN, KeyKind::Note, 1)]);
    let time = "2026-11-21T10:00:00.000Z";
    for text in [
        "epcis-edge/log-order/v2\nepcis.example.com/log\nrestart\n{time}\n",
        "epcis-edge/log-order/v1\nepcis.example.com/log\nrestart now\n{time}\n",
        "epcis-edge/log-order/v1\nepcis.example.com/log\ncheck\n{time}\n",
        "epcis-edge/log-order/v1\nepcis.example.com/log\ncheck -1\n{time}\n",
        "epcis-edge/log-order/v1\nepcis.example.com/log\nrestart\nnow\n",
        "epcis-edge/log-order/v1\nepcis.example.com/log\nrestart\n",
    ] {
        let note = signed_as(&text.replace("{time}", time));
        assert_eq!(send_order(&note), 400, "{text}");
    }
    assert_eq!(send_order(""), 400);
    assert_eq!(send_order(&"a".repeat(20_000)), 413);
    // Other notes signed by the log are not orders, and an order is not a head.
    assert_eq!(send_order(&get(&service, "/log/checkpoint").text()), 400);
    let restart = Order::Restart.signed(&signer(ORIGIN, KeyKind::Note, 1), NOW);
    assert!(Checkpoint::read(Note::read(&restart).unwrap().text()).is_err());
    assert_eq!(send_as(&service, "POST", "/log/order", None, &restart, false).status, 429);
    let mut wrong = service.configuration().clone();
    wrong.log_fault = Some("the setting LOG_POLICY is none".to_owned());
    let off = Service::with_store(wrong, memory());
    assert_eq!(get(&off, "/log/policy").status, 503);
    let store = sqlite();
    store.database().is_down.set(true);
    let down = Service::with_store(service.configuration().clone(), store);
    for (method, target, body) in [
        ("GET", "/log/checkpoint", String::new()),
        ("GET", tile, String::new()),
        ("GET", "/log/tile/entries/000.p/2", String::new()),
        ("GET", &event, String::new()),
        ("GET", "/log/proofs", String::new()),
        ("GET", "/log/status", String::new()),
        ("POST", "/log/order", restart),
    ] {
        let answer = send(&down, method, target, Some(KEY), &body);
        assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{target}");
    }
    for target in ["/log", "/log/", "/log/tiles", "/witness"] {
        assert_eq!(get(&service, target).status, 404, "{target}");
    }
    let family: Value = serde_json::from_slice(&get(&service, "/family.json").body).unwrap();
    assert_eq!(family["log"]["origin"], ORIGIN);
    assert_eq!(family["log"]["vkeys"][0], signer(ORIGIN, KeyKind::Note, 1).key().to_string());
    let promised = DESCRIPTION.with(|known| known.promised_by(Some("transparency log")));
    let missing: Vec<_> = KEPT.with_borrow(|kept| promised.difference(kept).cloned().collect());
    assert!(missing.is_empty(), "{missing:?}");
    assert!(promised.len() > 30);
    // What is left of the members of the answers: other tests have them, in threads of their own.
    a_log_that_lags_says_so();
    a_log_whose_witness_has_seen_more_is_halted_until_an_operator_acts();
    database_and_log_are_compared();
    a_witness_cosigns_the_log_as_it_grows();
    many_are_proved(&Service::with_store(configuration(ORIGIN, 1, ""), memory()));
    let mut never = DESCRIPTION.with(|known| known.never_answered(Some("transparency log")));
    let about = DESCRIPTION.with(|known| known.never_answered(Some("about")));
    never.extend(about.into_iter().filter(|member| member.starts_with("Family/log")));
    // Problems are those of all doors: `rest.rs` and `binding.rs` see all of their members.
    never.retain(|member| !member.starts_with("Problem/"));
    assert!(never.is_empty(), "described, and in no answer: {never:#?}");
}

#[test]
fn agents_ask_for_proofs() {
    let service = Service::with_store(configuration(ORIGIN, 1, ""), memory());
    let names = capture(&service, 0..2);
    integrate(&service);
    let principal = call().principal;
    let ask = |arguments: Value| -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "prove", "arguments": arguments}}).to_string();
        let reply = block_on(mcp::answer(
            &service,
            message.as_bytes(),
            Transport::Local(&principal),
            &Incoming::at(NOW),
        ))
        .unwrap();
        serde_json::from_str(&reply.text).unwrap()
    };
    let answer = ask(json!({"eventID": names[1]}));
    let content = &answer["result"]["structuredContent"];
    assert_eq!(
        (&content["type"], &content["index"], &content["size"]),
        (&json!("OK"), &json!(1), &json!(2))
    );
    let proof = Proof::read(content["proof"].as_str().unwrap()).unwrap();
    assert_eq!(content["eventID"], names[1]);
    let stated = Statement::read(content["statement"].as_str().unwrap()).unwrap();
    assert_eq!((stated.fields, stated.stamps.captured_by.as_str()), (11, ACCOUNT));
    assert_eq!(proof.extra.unwrap().1, content["statement"]);
    for (arguments, status) in [
        (json!({}), 400),
        (json!({"eventID": "urn:uuid:0"}), 404),
        (json!({"eventID": names[0], "declaration": 0}), 400),
        (json!({"eventID": names[0], "declaration": 1}), 404),
        (json!({"event": 1}), 400),
    ] {
        let answer = ask(arguments.clone());
        assert_eq!(answer["result"]["structuredContent"]["status"], status, "{arguments}");
    }
}

#[test]
fn an_error_names_its_fault() {
    let error: Error = LogFault::Quorum(1).into();
    assert_eq!(error.to_string(), "1 of the trusted witnesses cosigned, too few for the quorum");
}

/// A gateway whose key is of another log than its store neither goes on with that log nor serves it as its own.
fn a_key_of_another_log_is_refused(store: Rc<dyn Store>) {
    const NEXT: &str = "epcis.example.com/log2";
    let service = Service::with_store(configuration(ORIGIN, 1, ""), store);
    let names = capture(&service, 0..3);
    integrate(&service);
    let checkpoint = get(&service, "/log/checkpoint").text();
    let (mut configuration, partner) = witnessed();
    let keys = vec![signer(NEXT, KeyKind::Note, 9)];
    let policy = Policy::read(&format!("{}quorum none\n", partner.witness.line(WITNESS))).unwrap();
    let settings = LogSettings::new(keys, "https://epcis.example.com/log", policy);
    configuration.log = Some(settings.unwrap());
    let other = Service::with_store(configuration, service.store().clone());
    capture(&other, 3..4);
    let refused = block_on(other.integrate(entropy())).unwrap_err();
    let (found, expected) = (ORIGIN.to_owned(), NEXT.to_owned());
    assert_eq!(*refused.kind(), ErrorKind::Log(LogFault::OtherLog { found, expected }));
    let reason = "the store has the log `epcis.example.com/log`, and LOG_KEY is a key of `epcis.example.com/log2`: \
                  nothing is signed or proved; set LOG_KEY to a key of the log that is stored";
    assert_eq!(refused.to_string(), reason);
    let seen = status(&other, NOW);
    assert_eq!((&seen["state"], &seen["reason"]), (&json!("halted"), &json!(reason)));
    for path in [
        "/log/checkpoint".to_owned(),
        format!("/log/proof?event={}", names[1]),
        format!("/log/proof?event={}&format=cose", names[1]),
        "/log/proofs".to_owned(),
    ] {
        let refused = ask(&other, &path);
        assert_eq!(refused.status, 503, "{path}");
        assert_eq!(refused.json()["detail"], reason);
    }
    let check = Order::named("check 0").unwrap().signed(&signer(NEXT, KeyKind::Note, 9), NOW);
    let checked = send(&other, "POST", "/log/order", None, &check);
    assert_eq!(checked.status, 503, "{}", checked.text());
    // No witness is asked for a head of another log.
    assert!(block_on(other.cosign(&partner, NOW)).unwrap().is_empty());
    assert_eq!(partner.asked.get(), 0);
    // The store without its log, but with the copy of its head.
    let copy = block_on(other.store().head_copy()).unwrap().unwrap();
    let empty = Service::with_store(other.configuration().clone(), memory());
    block_on(empty.store().copy_head(&copy)).unwrap();
    let refused = block_on(empty.integrate(entropy())).unwrap_err();
    assert_eq!(refused.to_string(), reason);
    // With its own key the log goes on.
    let service = Service::with_store(self::configuration(ORIGIN, 1, ""), other.store().clone());
    assert_eq!(get(&service, "/log/checkpoint").text(), checkpoint);
    assert_eq!(integrate(&service), 4);
}

#[test]
fn a_key_of_another_log_is_refused_in_both_stores() {
    a_key_of_another_log_is_refused(memory());
    a_key_of_another_log_is_refused(sqlite());
}
