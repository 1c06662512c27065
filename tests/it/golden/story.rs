//! What a gateway is told and asked in turn: captures, and questions about what they stored.

use super::gateway::{Answer, Asked, Gateway, header, key_of};
use super::growth;
use epcis_edge_core::service::DemoFilter;
use epcis_edge_tests::{own_vectors, read};
use serde_json::{Value, json};

const CONTEXT: &str = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld";
const JSON: (&str, &str) = ("content-type", "application/json");
const XML: (&str, &str) = ("content-type", "application/xml");

/// Names of what is stored, for the paths of further requests.
pub(super) struct Known {
    /// The path of a capture.
    pub(super) job: String,
    /// The `eventID` of a logged event, encoded for a path.
    pub(super) event: String,
}

/// A text as a part of a path or a query.
pub(super) fn encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b':' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

pub(super) fn document(events: &Value) -> Value {
    json!({
        "@context": [CONTEXT], "type": "EPCISDocument", "schemaVersion": "2.0",
        "creationDate": "2026-02-01T00:00:00Z", "epcisBody": {"eventList": events},
    })
}

/// An event that every door takes.
pub(super) fn event(number: usize) -> Value {
    json!({
        "@context": [CONTEXT], "type": "ObjectEvent", "action": "OBSERVE", "bizStep": "shipping",
        "disposition": "in_transit",
        "epcList": [format!("urn:epc:id:sgtin:9521141.012345.{number}")],
        "readPoint": {"id": "urn:epc:id:sgln:9521141.00100.0"},
        "bizLocation": {"id": "urn:epc:id:sgln:9521141.00300.0"},
        "eventTime": format!("2026-05-01T{:02}:{:02}:00.000Z", number / 60 % 24, number % 60),
        "eventTimeZoneOffset": "+00:00",
    })
}

/// A lot that is harvested, packed, shipped and received, with master data of its places.
fn harvest() -> Value {
    let [lot, case] =
        ["urn:epc:class:lgtin:9521141.012345.1E10", "urn:epc:id:sscc:9521141.1234567890"];
    let [farm, shop] = ["urn:epc:id:sgln:9521141.00100.0", "urn:epc:id:sgln:9521141.00300.0"];
    let list = json!([{"epcClass": lot, "quantity": 40, "uom": "KGM"}]);
    let at = |hour: usize, more: Value| {
        let mut event = json!({
            "type": "ObjectEvent", "action": "OBSERVE", "eventTime": format!("2026-03-04T{hour:02}:00:00Z"),
            "eventTimeZoneOffset": "-05:00", "readPoint": {"id": farm},
        });
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let mut document = document(&json!([
        at(9, json!({"action": "ADD", "bizStep": "creating_class_instance", "quantityList": list})),
        at(
            10,
            json!({"type": "AggregationEvent", "action": "ADD", "bizStep": "packing", "parentID": case, "childQuantityList": list})
        ),
        at(
            11,
            json!({"bizStep": "shipping", "epcList": [case], "destinationList": [{"type": "location", "destination": shop}]})
        ),
        at(20, json!({"bizStep": "receiving", "epcList": [case], "readPoint": {"id": shop}})),
    ]));
    let attribute = |name: &str, text: &str| json!({"id": format!("urn:epcglobal:cbv:mda#{name}"), "attribute": text});
    document["epcisHeader"] = json!({"epcisMasterData": {"vocabularyList": [
        {"type": "urn:epcglobal:epcis:vtype:Location", "vocabularyElementList": [
            {"id": shop, "attributes": [attribute("name", "<Shop> & \"Söhne\""), attribute("city", "=Durham")]},
            {"id": farm, "attributes": [attribute("name", "Farm")], "children": ["urn:epc:id:sgln:9521141.00100.field"]}]},
        {"type": "urn:epcglobal:epcis:vtype:EPCClass", "vocabularyElementList": [
            {"id": "urn:epc:idpat:sgtin:9521141.012345.*", "attributes": [attribute("descriptionShort", "Lettuce")]}]}]}});
    document
}

/// Sends JSON with the key `a`.
pub(super) fn post(gateway: &Gateway, name: &str, target: &str, sent: &Value) -> Answer {
    let text = sent.to_string();
    gateway.keyed(name, ('a', "POST"), target, &[JSON], text.as_bytes())
}

/// Fills the store and asks about it.
pub(super) fn tell(gateway: &Gateway) -> Known {
    let job = captures(gateway);
    pages(gateway);
    named_queries(gateway);
    items(gateway);
    agents(gateway);
    let event = growth::the_log_grows(gateway);
    Known { job, event }
}

/// Captures documents of all kinds, and some that are refused. Returns the path of the first job.
fn captures(gateway: &Gateway) -> String {
    let demo: Vec<Value> = gateway
        .service
        .demo_events(&DemoFilter::default())
        .iter()
        .map(|event| serde_json::from_str(event.event.get()).unwrap())
        .collect();
    let first = post(gateway, "demo", "/capture", &document(&json!(demo)));
    let first = header(&first, "location").to_owned();
    post(gateway, "demo again", "/capture", &document(&json!(demo)));
    gateway.later(1);
    post(gateway, "harvest", "/capture", &harvest());
    let twelve: Vec<Value> = (0..12).map(event).collect();
    post(gateway, "twelve", "/capture", &document(&json!(twelve)));
    let vector = |path: &str| read(&own_vectors(path));
    for path in ["query/events.json", "check/bases/medicine.json"] {
        gateway.keyed(path, ('a', "POST"), "/capture", &[JSON], &vector(path));
    }
    for name in [
        "v12-error-declaration",
        "v20-sensors",
        "master-data-document",
        "query-results",
        "extensions-lossy",
        "structure",
    ] {
        let text = vector(&format!("translate/{name}/input.xml"));
        gateway.later(1);
        gateway.keyed(name, ('a', "POST"), "/capture", &[XML], &text);
    }
    gateway.later(1);
    let mut wrong = event(20);
    wrong["bizStep"] = "shiping".into();
    let mixed = document(&json!([event(21), wrong, event(22)]));
    post(gateway, "one is wrong", "/capture", &mixed);
    let proceed = [JSON, ("gs1-capture-error-behaviour", "proceed")];
    let text = mixed.to_string();
    gateway.keyed("what is right of it", ('a', "POST"), "/capture", &proceed, text.as_bytes());
    post(gateway, "none", "/capture", &document(&json!([])));
    post(gateway, "one event", "/events", &event(30));
    post(gateway, "the same", "/events", &event(30));
    let mut named = event(31);
    named["eventID"] = "urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8".into();
    post(gateway, "with a name", "/events", &named);
    named["bizStep"] = "receiving".into();
    post(gateway, "another of this name", "/events", &named);
    named["bizStep"] = "shipping".into();
    named["errorDeclaration"] =
        json!({"declarationTime": "2026-05-02T00:00:00Z", "reason": "incorrect_data"});
    post(gateway, "a declaration", "/events", &named);
    let other = event(40).to_string();
    gateway.keyed("of another account", ('b', "POST"), "/events", &[JSON], other.as_bytes());
    let authorization = format!("Bearer {}", key_of('a'));
    let asked = Asked {
        method: "GET",
        target: &first,
        headers: vec![("authorization", &authorization)],
        body: b"",
    };
    gateway.send("first job", &asked);
    gateway.get("jobs", "/capture");
    gateway.get("jobs", "/capture?perPage=2");
    first
}

/// Questions about what is stored, page by page where there are pages.
fn pages(gateway: &Gateway) {
    for target in [
        "/events?perPage=7",
        "/events?perPage=5&orderBy=eventTime&orderDirection=ASC",
        "/events?perPage=5&orderBy=recordTime&orderDirection=DESC&EQ_bizStep=shipping",
        "/capture?perPage=4",
        "/epcs?perPage=9",
        "/masterdata?perPage=2",
        "/queries/SimpleEventQuery/events?perPage=11",
    ] {
        let mut next = target.to_owned();
        for page in 0.. {
            let answer = gateway.get(&format!("page {page} of {target}"), &next);
            let link = header(&answer, "link").split(['<', '>']).nth(1);
            match link {
                Some(link) => next = link.to_owned(),
                None => break,
            }
        }
    }
    let lot = encoded("urn:epc:class:lgtin:9521141.012345.1E10");
    for target in [
        "/events?EQ_action=ADD",
        "/events?eventType=AggregationEvent",
        "/events?GE_eventTime=2026-03-04T10:00:00Z&LT_eventTime=2026-05-01T00:05:00Z",
        "/events?EQ_disposition=in_transit&perPage=3",
        "/events?MATCH_epc=urn:epc:idpat:sgtin:9521141.012345.*",
        "/events?MATCH_anyEPC=urn:epc:id:sscc:9521141.1234567890",
        "/events?EQ_readPoint=urn:epc:id:sgln:9521141.00100.0",
        "/events?WD_readPoint=urn:epc:id:sgln:9521141.00100.0",
        "/events?HASATTR_readPoint=urn:epcglobal:cbv:mda%23name",
        "/events?EXISTS_errorDeclaration=true",
        "/events?orderBy=eventTime&eventCountLimit=3",
        "/events?maxEventCount=1",
        "/events?maxEventCount=many",
        "/events?perPage=0",
        "/events?perPage=2000",
        "/events?EQ_nothing=1",
        "/events?GE_eventTime=yesterday",
        "/events?nextPageToken=00",
        "/events?EQ_action=ADD&EQ_action=ADD",
        &format!("/events?MATCH_epcClass={lot}"),
        &format!("/events?MATCH_anyEPCClass={lot}"),
        "/epcs",
        "/epcs/urn:epc:id:sscc:9521141.1234567890",
        "/epcs/urn:epc:id:sscc:9521141.1234567890/events",
        "/epcs/https:%2F%2Fid.gs1.org%2F00%2F095211411234567892/events",
        "/bizSteps/receiving/events",
        "/bizSteps/https:%2F%2Fref.gs1.org%2Fcbv%2FBizStep-receiving/events",
        "/eventTypes/AggregationEvent/events?perPage=1",
        "/masterdata?type=Location",
        "/masterdata/Location/urn:epc:id:sgln:9521141.00300.0",
        "/masterdata/urn:epcglobal:epcis:vtype:EPCClass",
        "/masterdata?id=urn:epc:id:sgln:9521141.00100.0&at=2026-06-01T00:00:00Z",
        "/masterdata?id=urn:epc:id:sgtin:9521141.012345.7",
    ] {
        gateway.get("read", target);
    }
    for (name, value) in [
        ("gs1-epc-format", "Always_GS1_Digital_Link"),
        ("gs1-epc-format", "Always_EPC_URN"),
        ("gs1-epc-format", "Never_Translates"),
        ("gs1-epc-format", "none"),
        ("gs1-epcis-version", "1.2.0"),
        ("gs1-epcis-max", "1.0.0"),
        ("gs1-cbv-xml-format", "Always_Web_URI"),
        ("gs1-extensions", "ex=https://ex.example/"),
        ("accept", "application/xml"),
        ("accept", "text/xml"),
        ("accept", "application/ld+json"),
        ("accept", "image/png"),
        ("content-type", "text/plain"),
    ] {
        for target in ["/events?perPage=30&EQ_bizStep=shipping", "/epcs"] {
            let prefix = format!("{name}: {value}");
            gateway.keyed(&prefix, ('a', "GET"), target, &[(name, value)], b"");
        }
    }
    for letter in ['b', 'c', 'd', 'e', 'f'] {
        let prefix = format!("key {letter}");
        gateway.keyed(&prefix, (letter, "GET"), "/events?perPage=30", &[], b"");
        gateway.keyed(&prefix, (letter, "GET"), "/epcs", &[], b"");
    }
    for headers in [
        vec![("x-api-key", "none")],
        vec![("authorization", "Basic YTpi")],
        vec![("authorization", "Bearer none")],
    ] {
        let name = format!("shown as {} {}", headers[0].0, headers[0].1);
        let asked = Asked { method: "GET", target: "/epcs", headers, body: b"" };
        gateway.send(&name, &asked);
    }
}

/// Queries that get names, are asked by them, and are removed.
fn named_queries(gateway: &Gateway) {
    let query = json!({"eventType": ["ObjectEvent"], "EQ_bizStep": ["shipping", "receiving"]});
    for (note, sent) in [
        ("new", json!({"name": "q 1", "query": query})),
        ("again", json!({"name": "q 1", "query": query})),
        ("taken", json!({"name": "SimpleEventQuery", "query": {}})),
        ("no query", json!({"name": "x"})),
        ("a slash", json!({"name": "a/b", "query": {}})),
        ("an unknown parameter", json!({"name": "x", "query": {"EQ_bizStp": "x"}})),
        (
            "ordered",
            json!({"name": "A", "query": {"orderBy": "eventTime", "orderDirection": "ASC"}}),
        ),
    ] {
        post(gateway, note, "/queries", &sent);
    }
    for target in [
        "/queries?perPage=2",
        "/queries/q%201",
        "/queries/q%201/events?perPage=3",
        "/queries/A/events?perPage=4",
        "/queries/none/events",
        "/queries/q%201/subscriptions",
    ] {
        gateway.get("named", target);
    }
    for target in ["/queries/q%201", "/queries/q%201", "/queries/SimpleEventQuery"] {
        // The second time nothing is there.
        let prefix = format!("removed at {}", gateway.now());
        gateway.later(1);
        gateway.keyed(&prefix, ('a', "DELETE"), target, &[], b"");
    }
}

/// Items are followed and reported.
fn items(gateway: &Gateway) {
    let lot = "urn:epc:class:lgtin:9521141.012345.1E10";
    let case = "urn:epc:id:sscc:9521141.1234567890";
    for (at, asked) in [
        json!({"items": case}),
        json!({"items": [lot]}),
        json!({"items": [lot], "kin": true}),
        json!({"items": case, "direction": "back", "contents": "followed"}),
        json!({"items": case, "direction": "forth", "contents": "none", "depth": 1}),
        json!({"items": case, "maxEvents": 2}),
        json!({"items": case, "from": "2026-03-04T10:30:00Z", "to": "2026-03-05T00:00:00Z"}),
        json!({"items": case, "through": ["association"]}),
        json!({"items": "urn:x:nothing"}),
        json!({"items": []}),
        json!({"items": case, "depth": 65}),
        json!({"items": case, "item": 1}),
        json!({"items": case, "kin": true, "direction": "back"}),
        json!([]),
    ]
    .iter()
    .enumerate()
    {
        post(gateway, &format!("followed {at}"), "/follow", asked);
    }
    for name in ["fsma204", "dscsa", "recall", "passport", "received", "none"] {
        for accept in ["application/json", "text/csv", "text/html", "application/pdf"] {
            let item = if name == "passport" { case } else { lot };
            let headers = [JSON, ("accept", accept)];
            let asked = json!({ "items": [item] }).to_string();
            let target = format!("/report/{name}");
            gateway.keyed(accept, ('a', "POST"), &target, &headers, asked.as_bytes());
        }
        let of_a_time = json!({"from": "2026-03-01T00:00:00Z", "to": "2026-04-01T00:00:00Z"});
        post(gateway, "of a time", &format!("/report/{name}"), &of_a_time);
        post(gateway, "of nothing", &format!("/report/{name}"), &json!({}));
    }
}

/// Calls every tool of the agent door with a key.
fn agents(gateway: &Gateway) {
    let case = "urn:epc:id:sscc:9521141.1234567890";
    let shop = "urn:epc:id:sgln:9521141.00300.0";
    let name = "urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8";
    let xml = String::from_utf8(read(&own_vectors("translate/v20-sensors/input.xml"))).unwrap();
    let calls = [
        ("capture", json!({"document": event(50)})),
        ("capture", json!({"document": document(&json!([event(51), event(52)])), "dryRun": true})),
        ("capture", json!({"document": document(&json!([event(0)])), "eventIDs": true})),
        ("capture", json!({"document": {"type": "ObjectEvent"}})),
        ("query", json!({"query": {"EQ_bizStep": "receiving"}})),
        ("query", json!({"perPage": 3})),
        ("query", json!({"query": {"EQ_bizStp": "receiving"}})),
        (
            "query",
            json!({"query": {"orderBy": "recordTime", "orderDirection": "ASC"}, "perPage": 2}),
        ),
        ("query", json!({"feedCursor": "", "perPage": 2})),
        ("get_event", json!({ "eventID": name })),
        ("get_event", json!({"eventID": "urn:uuid:none"})),
        ("trace", json!({ "epc": case })),
        ("trace", json!({"epc": case, "perPage": 1})),
        ("trace", json!({"epc": ""})),
        ("trace", json!({"epc": "https://id.gs1.org/00/095211411234567892"})),
        ("translate", json!({ "xml": xml })),
        ("translate", json!({"xml": "<a/>"})),
        ("follow", json!({"items": [case], "contents": "followed"})),
        ("follow", json!({"items": 7})),
        (
            "report",
            json!({"report": "recall", "items": ["urn:epc:class:lgtin:9521141.012345.1E10"]}),
        ),
        ("report", json!({"report": "none", "items": [case]})),
        ("master_data", json!({ "ids": [shop] })),
        ("master_data", json!({"type": "Location", "perPage": 1})),
        ("master_data", json!({"ids": 1})),
        ("prove", json!({ "eventID": name })),
        ("resolve", json!({ "identifier": case })),
        ("subscribe", json!({"query": {}})),
        ("none", json!({})),
    ];
    for (at, (tool, arguments)) in calls.into_iter().enumerate() {
        let message = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        });
        post(gateway, &format!("{tool} {at}"), "/mcp", &message);
    }
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    post(gateway, "tools", "/mcp", &list);
}
