//! Master data of captures from before the store kept it, over SQLite and PostgreSQL.

use crate::support::postgres::empty_postgres;
use crate::support::{Engine, TestStore, empty_sqlite};
use epcis_edge_core::call::{Call, Principal};
use epcis_edge_core::json::Document;
use epcis_edge_core::query::Query;
use epcis_edge_core::service::{
    AcceptedDocuments, CaptureOptions, Configuration, ElementQuestion, Envelope, Filled, Service,
};
use epcis_edge_core::store::{DocumentDigest, MasterData as _};
use pollster::block_on;
use serde_json::{Value, json};

/// 2026-02-01T00:00:00Z
const NOW: u64 = 1_769_904_000_000;

/// Runs a test on every store that can have such captures.
macro_rules! for_every_store {
    ($($name:ident)+) => {
        mod sqlite { $(#[test] fn $name() { super::$name(&super::Gateway::over(super::empty_sqlite())); })+ }
        mod postgres { $(#[test] #[ignore = "needs PostgreSQL"] fn $name() { if let Some(store) = super::empty_postgres() { super::$name(&super::Gateway::over(store)); } })+ }
    };
}

for_every_store! {
    older_captures_get_their_master_data
    what_later_captures_say_stays_the_newest
    a_fault_loses_nothing
    a_missing_document_is_named
    much_is_stored_whole
}

/// A gateway over a store, with one account.
struct Gateway<E>(Service<TestStore<E>>);

impl<E: Engine> Gateway<E> {
    fn over(store: TestStore<E>) -> Self {
        Self(Service::with_store(
            Configuration::at("https://epcis.example.com"),
            store,
        ))
    }

    /// Captures as gateways did that kept no master data.
    fn captured_before(&self, minute: u64, document: &str) {
        self.0.store().database().keeps_master_data.set(false);
        self.captured(minute, document);
        self.0.store().database().keeps_master_data.set(true);
    }

    fn captured(&self, minute: u64, document: &str) {
        let options = CaptureOptions {
            accepted: AcceptedDocuments::All,
            ..CaptureOptions::default()
        };
        let call = call(minute);
        if document.starts_with('<') {
            block_on(self.0.capture_xml(document.as_bytes(), options, &call)).unwrap();
        } else {
            block_on(self.0.capture_as(document.as_bytes(), options, &call)).unwrap();
        }
    }

    /// Fills until nothing is left.
    fn filled(&self) -> Filled {
        let mut all = Filled::default();
        loop {
            let filled = block_on(self.0.fill_master_data()).unwrap();
            if filled.captures == 0 {
                return all;
            }
            all.captures += filled.captures;
            all.elements += filled.elements;
            all.unreadable.extend(filled.unreadable);
        }
    }

    /// The name and the record time of a place, as it was known some minutes after [`NOW`].
    fn known(&self, id: &str, minute: Option<u32>) -> Option<(String, String)> {
        let at = minute.map(|minute| format!("2026-02-01T00:{minute:02}:30Z"));
        let question =
            ElementQuestion::new(Some("Location"), ("id", vec![id.to_owned()]), at.as_deref());
        let found = block_on(self.0.elements(&question.unwrap(), None, None, &call(59))).unwrap();
        let Envelope::Ok(page) = found else {
            return None;
        };
        let shown = serde_json::to_value(&page.elements[0]).unwrap();
        let text = |pointer: &str| shown.pointer(pointer).unwrap().as_str().unwrap().to_owned();
        Some((text("/attributes/0/attribute"), text("/recordTime")))
    }

    fn newest(&self) -> u64 {
        block_on(self.0.store().newest_elements()).unwrap().single()
    }

    /// The read points of the events of a query.
    fn found(&self, query: &Value) -> Vec<String> {
        let text = query.to_string();
        let query = Query::read(Document::read(text.as_bytes()).unwrap().root()).unwrap();
        let found = block_on(self.0.query(&query, &call(59))).unwrap();
        let found = serde_json::to_value(&found).unwrap();
        let list = found.pointer("/epcisBody/queryResults/resultsBody/eventList");
        let list = list.and_then(Value::as_array).into_iter().flatten();
        list.map(|event| event["readPoint"]["id"].as_str().unwrap().to_owned())
            .collect()
    }
}

fn call(minute: u64) -> Call {
    let principal = Principal::local("https://example.com/accounts/1", "https://example.com/dock");
    Call::new(NOW + minute * 60_000, principal)
}

/// A document with places, each with a name and children.
fn document(places: &[(&str, &str, &[&str])]) -> String {
    let elements = places.iter().map(|(id, name, children)| {
        json!({"id": id, "children": children, "attributes": [{"id": "cbvmda:name", "attribute": name}]})
    });
    json!({
        "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"],
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-02-01T00:00:00Z",
        "epcisHeader": {"epcisMasterData": {"vocabularyList": [
            {"type": "urn:epcglobal:epcis:vtype:Location", "vocabularyElementList": elements.collect::<Vec<_>>()},
        ]}},
        "epcisBody": {"eventList": [{
            "type": "ObjectEvent", "action": "OBSERVE", "epcList": [], "eventTimeZoneOffset": "+00:00",
            "eventTime": "2026-01-01T00:00:00Z", "readPoint": {"id": "urn:x:below"},
        }]},
    })
    .to_string()
}

const XML: &str = r#"<epcis:EPCISDocument xmlns:epcis="urn:epcglobal:epcis:xsd:1" schemaVersion="1.2" creationDate="2026-01-01T00:00:00Z">
    <EPCISHeader><extension><EPCISMasterData><VocabularyList><Vocabulary type="urn:epcglobal:epcis:vtype:Location"><VocabularyElementList>
    <VocabularyElement id="urn:epc:id:sgln:9521141.00100.0"><attribute id="urn:epcglobal:cbv:mda#name">from XML</attribute></VocabularyElement>
    </VocabularyElementList></Vocabulary></VocabularyList></EPCISMasterData></extension></EPCISHeader>
    <EPCISBody><EventList><ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
    <epcList><epc>urn:epc:id:sgtin:9521141.000001.1</epc></epcList><action>OBSERVE</action></ObjectEvent></EventList></EPCISBody>
    </epcis:EPCISDocument>"#;

fn older_captures_get_their_master_data<E: Engine>(gateway: &Gateway<E>) {
    gateway.captured_before(0, &document(&[("urn:x:dock", "first", &[])]));
    gateway.captured_before(1, &document(&[("urn:x:dock", "second", &["urn:x:below"])]));
    gateway.captured_before(2, &document(&[]));
    gateway.captured_before(3, &document(&[("urn:x:dock", "second", &["urn:x:below"])]));
    gateway.captured_before(4, XML);
    assert_eq!(gateway.newest(), 0);
    let filled = gateway.filled();
    assert_eq!((filled.captures, filled.elements), (5, 4));
    assert_eq!(filled.unreadable, []);
    // What says the same is stored once, with the time and the document of the first.
    assert_eq!(gateway.newest(), 3);
    let named = |name: &str, minute: u32| {
        let time = format!("2026-02-01T00:0{minute}:00.000Z");
        Some((name.to_owned(), time))
    };
    assert_eq!(gateway.known("urn:x:dock", Some(0)), named("first", 0));
    assert_eq!(gateway.known("urn:x:dock", Some(1)), named("second", 1));
    assert_eq!(gateway.known("urn:x:dock", None), named("second", 1));
    let link = "https://id.gs1.org/414/9521141001004";
    assert_eq!(gateway.known(link, None), named("from XML", 4));
    let within = json!({"WD_readPoint": "urn:x:dock"});
    assert_eq!(gateway.found(&within), ["urn:x:below"]);
    let attribute = json!({"EQATTR_readPoint_name": "second"});
    assert_eq!(gateway.found(&attribute), [""; 0]);
    // Nothing is left to read, and captures from now on are not read again.
    gateway.captured(5, &document(&[("urn:x:dock", "third", &[])]));
    assert_eq!(gateway.filled(), Filled::default());
    assert_eq!(gateway.known("urn:x:dock", None), named("third", 5));
}

fn what_later_captures_say_stays_the_newest<E: Engine>(gateway: &Gateway<E>) {
    gateway.captured_before(
        0,
        &document(&[("urn:x:a", "old", &[]), ("urn:x:b", "old", &[])]),
    );
    gateway.captured(1, &document(&[("urn:x:a", "new", &[])]));
    gateway.captured(2, &document(&[("urn:x:c", "new", &[])]));
    let filled = gateway.filled();
    assert_eq!((filled.captures, filled.elements), (1, 2));
    for (id, minute, name) in [("a", 1, "new"), ("b", 0, "old"), ("c", 2, "new")] {
        let time = format!("2026-02-01T00:0{minute}:00.000Z");
        let known = gateway.known(&format!("urn:x:{id}"), None);
        assert_eq!(known, Some((name.to_owned(), time)), "{id}");
    }
}

fn a_fault_loses_nothing<E: Engine>(gateway: &Gateway<E>) {
    for minute in 0..3 {
        let id = format!("urn:x:{minute}");
        gateway.captured_before(minute, &document(&[(&id, "name", &["urn:x:below"])]));
    }
    let store = gateway.0.store();
    let mut faults = 0;
    loop {
        store.database().dies_after.set(Some(faults));
        let filled = block_on(gateway.0.fill_master_data());
        store.database().dies_after.set(None);
        if filled.is_ok() {
            break;
        }
        faults += 1;
    }
    assert!(faults > 3, "{faults} faults");
    assert_eq!(gateway.filled(), Filled::default());
    for minute in 0..3 {
        assert!(gateway.known(&format!("urn:x:{minute}"), None).is_some());
        let within = json!({"WD_readPoint": format!("urn:x:{minute}")});
        assert_eq!(gateway.found(&within), ["urn:x:below"], "{minute}");
    }
}

fn a_missing_document_is_named<E: Engine>(gateway: &Gateway<E>) {
    let lost = document(&[("urn:x:a", "lost", &[])]);
    gateway.captured_before(0, &lost);
    let digest = DocumentDigest::of(lost.as_bytes());
    gateway
        .0
        .store()
        .documents()
        .lost
        .replace(Some(digest.to_string()));
    gateway.captured_before(1, &document(&[("urn:x:b", "kept", &[])]));
    let filled = gateway.filled();
    assert_eq!((filled.captures, filled.elements), (2, 1));
    let [(capture, error)] = filled.unreadable.as_slice() else {
        panic!("{:?}", filled.unreadable);
    };
    assert!(format!("{error:?}").contains(&capture.document.to_string()));
    assert_eq!(gateway.known("urn:x:a", None), None);
    assert!(gateway.known("urn:x:b", None).is_some());
}

/// More than one transaction takes.
fn much_is_stored_whole<E: Engine>(gateway: &Gateway<E>) {
    let name = "n".repeat(60_000);
    let ids: Vec<String> = (0..60).map(|number| format!("urn:x:{number}")).collect();
    let places: Vec<(&str, &str, &[&str])> = ids
        .iter()
        .map(|id| (id.as_str(), name.as_str(), ["urn:x:below"].as_slice()))
        .collect();
    gateway.captured_before(0, &document(&places));
    assert_eq!(gateway.filled().elements, 60);
    assert_eq!(gateway.newest(), 60);
    for id in &ids {
        assert_eq!(gateway.known(id, None).unwrap().0, name);
        let within = json!({"WD_readPoint": id});
        assert_eq!(gateway.found(&within), ["urn:x:below"]);
    }
}
