//! Which events are the same, by which eventIDs they are found, and in which order they are recorded.
// Invariant: If a store already has parts of a capture, it reports them as values, alike over every store.

use super::*;
use epcis_edge_core::service::EventCaptured;
use epcis_edge_core::store::ErrorBehaviour;

const NAME: &str = "urn:uuid:11111111-1111-4111-8111-111111111111";
const SECOND: &str = "urn:uuid:22222222-2222-4222-8222-222222222222";

fn named_event(epc: &str, name: &str) -> Value {
    let mut named = event(epc);
    named["eventID"] = json!(name);
    named
}

/// The eventIDs of the events that `EQ_eventID` finds.
fn found_by(service: &Service, name: &str) -> Vec<Value> {
    let found = query(service, &json!({"EQ_eventID": [name]}), &call()).unwrap();
    events(&found).iter().map(|event| event["eventID"].clone()).collect()
}

fn job(service: &Service, captured: &Captured) -> Value {
    let id = captured.capture_id.as_deref().unwrap();
    serde_json::to_value(block_on(service.job(id, &call())).unwrap()).unwrap()
}

fn post(service: &Service, event: &Value) -> EventCaptured {
    block_on(service.capture_event(event.to_string().as_bytes(), &call())).unwrap()
}

pub fn a_second_name_finds_the_event(service: Service) {
    capture(&service, &named_event("urn:x:1", NAME)).unwrap();
    let again = capture(&service, &named_event("urn:x:1", SECOND)).unwrap();
    assert!(again.events[0].duplicate);
    assert_eq!(again.events[0].event_id, NAME);
    assert_eq!(again.events[0].alias.as_deref(), Some(SECOND));
    assert_eq!(
        job(&service, &again)["epcisEdge:aliases"],
        json!([{"eventID": NAME, "alias": SECOND}])
    );
    for name in [NAME, SECOND] {
        let by_name = named(&service, name, &call());
        assert_eq!(by_name.len(), 1, "{name}");
        assert_eq!(by_name[0]["eventID"], json!(NAME));
        assert_eq!(found_by(&service, name), [json!(NAME)]);
    }
    // An alias is added only once, and the first eventID is not an alias.
    for name in [NAME, SECOND] {
        let again = capture(&service, &named_event("urn:x:1", name)).unwrap();
        assert_eq!(again.events[0].alias, None, "{name}");
    }
    // Two eventIDs for one event that is new in this document, and one more for a stored event.
    let third = NAME.replace('1', "3");
    let fourth = NAME.replace('1', "4");
    let both = document(&[
        named_event("urn:x:2", &third),
        named_event("urn:x:2", &fourth),
        named_event("urn:x:2", &fourth),
        named_event("urn:x:1", &NAME.replace('1', "5")),
    ]);
    let captured = capture(&service, &both).unwrap();
    let aliases: Vec<_> = captured.events.iter().map(|event| &event.alias).collect();
    assert_eq!(aliases, [&None, &Some(fourth.clone()), &None, &Some(NAME.replace('1', "5"))]);
    assert_eq!(found_by(&service, &fourth), [json!(third)]);
    // A single event.
    let sixth = NAME.replace('1', "6");
    let EventCaptured::Stored { event_id, event } = post(&service, &named_event("urn:x:1", &sixth))
    else {
        panic!("the name is new");
    };
    assert_eq!(event_id, sixth);
    assert!(event.contains(NAME));
    let repeated = post(&service, &named_event("urn:x:1", &sixth));
    assert_eq!(repeated, EventCaptured::Exists { event_id: sixth.clone(), differs: Vec::new() });
    // Another account does not find the event by this account's eventID.
    let other = Call::new(NOW, Principal::local(OTHER, OBSERVER));
    refused(block_on(service.get_event(&sixth, None, &other)), "NoSuchResourceException", 404);
}

pub fn one_name_is_not_given_to_two_events(service: Service) {
    capture(&service, &named_event("urn:x:1", NAME)).unwrap();
    let other = named_event("urn:x:2", NAME);
    assert_eq!(post(&service, &other), EventCaptured::NameTaken { event_id: NAME.to_owned() });
    let sent = document(&[event("urn:x:3"), other.clone()]);
    let errors =
        Problem::from(&refused(capture(&service, &sent), "ValidationException", 400)).errors;
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].path, "/epcisBody/eventList/1/eventID");
    assert_eq!(errors[0].keyword, "uniqueEventID");
    assert_eq!(walk(&service, &json!({}), &call()).unwrap().len(), 1);
    let dry = block_on(service.capture(sent.to_string().as_bytes(), true, &call()));
    refused(dry, "ValidationException", 400);
    // With `proceed`, the valid event is captured.
    let proceed =
        CaptureOptions { behaviour: ErrorBehaviour::Proceed, ..CaptureOptions::default() };
    let captured =
        block_on(service.capture_as(sent.to_string().as_bytes(), proceed, &call())).unwrap();
    assert_eq!(captured.events.len(), 1);
    let job = job(&service, &captured);
    assert_eq!(job["success"], json!(false));
    assert_eq!(job["errors"][0]["errors"][0]["path"], json!("/epcisBody/eventList/1/eventID"));
    // An alias cannot be reused either, nor can an eventID be used twice in one document.
    capture(&service, &named_event("urn:x:1", SECOND)).unwrap();
    assert!(matches!(
        post(&service, &named_event("urn:x:4", SECOND)),
        EventCaptured::NameTaken { .. }
    ));
    assert!(matches!(
        post(&service, &named_event("urn:x:3", NAME)),
        EventCaptured::NameTaken { .. }
    ));
    let third = NAME.replace('1', "3");
    let both = document(&[named_event("urn:x:5", &third), named_event("urn:x:6", &third)]);
    refused(capture(&service, &both), "ValidationException", 400);
    // An error declaration has the eventID of its event, and two observers may have seen the same event.
    let mut wrong = named_event("urn:x:1", NAME);
    wrong["errorDeclaration"] = json!({"declarationTime": "2026-01-02T00:00:00Z"});
    assert!(matches!(post(&service, &wrong), EventCaptured::Stored { .. }));
    let dock = Call::new(NOW, Principal::local(ACCOUNT, "https://example.com/dock"));
    let same = named_event("urn:x:1", NAME).to_string();
    let seen = block_on(service.capture(same.as_bytes(), false, &dock)).unwrap();
    assert!(!seen.events[0].duplicate);
    let different = other.to_string();
    refused(
        block_on(service.capture(different.as_bytes(), false, &dock)),
        "ValidationException",
        400,
    );
    // Another account may use the same eventID.
    let elsewhere = Call::new(NOW, Principal::local(OTHER, OBSERVER));
    assert!(block_on(service.capture(different.as_bytes(), false, &elsewhere)).is_ok());
}

pub fn a_hash_comes_before_who_bears_it_as_a_name(service: Service) {
    // The generated eventID is the hash of the stored event, so sending the event with it is a duplicate and not an error.
    let first = capture(&service, &event("urn:x:0")).unwrap();
    let made = &first.events[0].event_id;
    let again = capture(&service, &named_event("urn:x:0", made)).unwrap();
    assert!(again.events[0].duplicate && again.unverified.is_empty());
    assert_eq!((&again.events[0].event_id, &again.events[0].alias), (made, &None));

    let right = event("urn:x:1");
    let name = hash_of(&right);
    let stale = named_event("urn:x:2", &name);
    let captured = capture(&service, &stale).unwrap();
    assert_eq!(captured.unverified.len(), 1);
    assert_eq!(captured.unverified[0].expected.to_string(), hash_of(&stale));
    assert_eq!(
        job(&service, &captured)["epcisEdge:unverified"],
        json!([{"path": "/eventID", "eventID": name, "expected": hash_of(&stale)}])
    );
    // The event with this hash is stored, whether sent with the eventID or without.
    let with_name = named_event("urn:x:1", &name);
    assert!(matches!(post(&service, &with_name), EventCaptured::Stored { .. }));
    assert_eq!(named(&service, &name, &call())[0]["epcList"], json!(["urn:x:1"]));
    // A second event with this eventID and another hash is refused.
    assert!(matches!(
        post(&service, &named_event("urn:x:3", &name)),
        EventCaptured::NameTaken { .. }
    ));
}

pub fn declarations_compare_whole(service: Service) {
    capture(&service, &named_event("urn:x:1", NAME)).unwrap();
    let declared = |declaration: Value| {
        let mut wrong = named_event("urn:x:1", NAME);
        wrong["errorDeclaration"] = declaration;
        wrong
    };
    let all = [
        json!({"declarationTime": "2026-01-02T00:00:00Z"}),
        json!({"declarationTime": "2026-01-02T00:00:01Z"}),
        json!({"declarationTime": "2026-01-02T00:00:00Z", "reason": "did_not_occur"}),
        json!({"declarationTime": "2026-01-02T00:00:00Z", "reason": "incorrect_data"}),
        json!({"declarationTime": "2026-01-02T00:00:00Z", "reason": "incorrect_data", "correctiveEventIDs": ["urn:x:c"]}),
        json!({"declarationTime": "2026-01-02T00:00:00Z", "reason": "incorrect_data", "correctiveEventIDs": ["urn:x:c", "urn:x:d"]}),
    ];
    for declaration in &all {
        let captured = capture(&service, &declared(declaration.clone())).unwrap();
        assert!(!captured.events[0].duplicate, "{declaration}");
    }
    assert_eq!(named(&service, NAME, &call()).len(), 1 + all.len());
    let found = |parameters: Value| events(&query(&service, &parameters, &call()).unwrap()).len();
    assert_eq!(found(json!({"EQ_errorReason": ["incorrect_data"]})), 3);
    assert_eq!(found(json!({"EQ_correctiveEventID": ["urn:x:d"]})), 1);
    // A declaration in another spelling or order is a duplicate. Other differences are reported.
    for again in [
        json!({"declarationTime": "2026-01-02T01:00:00.000+01:00"}),
        json!({"declarationTime": "2026-01-02T00:00:00Z", "reason": "urn:epcglobal:cbv:er:did_not_occur"}),
        json!({"declarationTime": "2026-01-02T00:00:00Z", "reason": "incorrect_data", "correctiveEventIDs": ["urn:x:d", "urn:x:c"]}),
    ] {
        let Ok(captured) = capture(&service, &declared(again.clone())) else {
            // The schema accepts only the bare word.
            continue;
        };
        assert!(captured.events[0].duplicate, "{again}");
        assert!(!captured.events[0].differs.is_empty(), "{again}");
    }
    let mut annotated = declared(all[0].clone());
    annotated["@context"] = json!([CONTEXT, {"x": "https://x.example/"}]);
    annotated["errorDeclaration"]["x:by"] = json!("Ann");
    let captured = capture(&service, &annotated).unwrap();
    assert_eq!(
        serde_json::to_value(&captured.events[0].differs).unwrap(),
        json!([{"path": "/errorDeclaration/x:by", "sent": "Ann"}])
    );
}

pub fn a_job_tells_what_its_events_are(service: Service) {
    capture(&service, &named_event("urn:x:1", NAME)).unwrap();
    let mut other = named_event("urn:x:1", SECOND);
    other["certificationInfo"] = json!("https://example.com/certificates/1");
    other["eventTime"] = json!("2026-01-01T00:00:00.0004Z");
    let sent = document(&[event("urn:x:2"), other.clone()]);
    let captured = capture(&service, &sent).unwrap();
    let differs = json!([
        {"path": "/eventTime", "sent": "2026-01-01T00:00:00.0004Z", "stored": "2026-01-01T00:00:00.000Z"},
        {"path": "/certificationInfo", "sent": "https://example.com/certificates/1"},
    ]);
    assert_eq!(serde_json::to_value(&captured.events[1].differs).unwrap(), differs);
    let job = job(&service, &captured);
    assert_eq!(job["success"], json!(true));
    assert_eq!(
        job["epcisEdge:differs"],
        json!([{"eventID": NAME, "path": "/epcisBody/eventList/1", "differs": differs}])
    );
    assert_eq!(job["epcisEdge:duplicates"], json!([NAME]));
    // A single event reports differences too.
    let EventCaptured::Exists { differs, .. } = post(&service, &other) else {
        panic!("it is stored");
    };
    assert_eq!(differs.len(), 2);
    // Numbers keep their digits.
    let measured = |value: &str| {
        let mut event = event("urn:x:3").to_string();
        event.pop();
        event.push_str(&format!(
            r#","quantityList":[{{"epcClass":"urn:x:c","quantity":{value},"uom":"KGM"}}]}}"#
        ));
        block_on(service.capture(event.as_bytes(), false, &call())).unwrap()
    };
    measured("1.50");
    let again = measured("1.5000000000000000000000");
    assert!(again.events[0].duplicate);
    let told = serde_json::to_string(&again.events[0].differs).unwrap();
    assert!(told.contains("1.5000000000000000000000") && told.contains("1.50}"), "{told}");
}

pub fn record_times_never_go_back(service: Service) {
    let at = |milliseconds: u64, epc: &str| {
        let call = Call::new(NOW + milliseconds, Principal::local(ACCOUNT, OBSERVER));
        let sent = document(&[event(epc), event(&format!("{epc}a"))]).to_string();
        block_on(service.capture(sent.as_bytes(), false, &call)).unwrap()
    };
    // The second began before the first but was stored after it.
    let first = at(5000, "urn:x:1");
    let second = at(4000, "urn:x:2");
    let third = at(6000, "urn:x:3");
    assert_eq!(first.record_time, "2026-02-01T00:00:05.000Z");
    assert_eq!(second.record_time, first.record_time);
    assert_eq!(third.record_time, "2026-02-01T00:00:06.000Z");
    let ascending = json!({"orderBy": "recordTime", "orderDirection": "ASC"});
    let all = walk(&service, &ascending, &call()).unwrap();
    let times: Vec<_> = all.iter().map(|event| event["recordTime"].clone()).collect();
    let (five, six) = (json!("2026-02-01T00:00:05.000Z"), json!("2026-02-01T00:00:06.000Z"));
    assert_eq!(times, [&five, &five, &five, &five, &six, &six].map(Clone::clone));
    // A client that has seen everything up to a time finds later events by querying from that time.
    let since = query(&service, &json!({"GE_recordTime": second.record_time}), &call()).unwrap();
    assert_eq!(events(&since).len(), 6);
    // The answer is the stored event, and the job has its record time.
    let EventCaptured::Stored { event, event_id } = post(&service, &event("urn:x:4")) else {
        panic!("it is new");
    };
    let stored = named(&service, &event_id, &call());
    assert_eq!(stored[0], serde_json::from_str::<Value>(&event).unwrap());
    assert_eq!(stored[0]["recordTime"], six);
    assert_eq!(job(&service, &second)["createdAt"], five);
    assert_eq!(hash_of(&stored[0]), event_id);
    // A long event has it too, at any position in its text.
    for length in [399_500, 399_700, 399_900, 400_000, 800_300] {
        let mut long = super::event("urn:x:5");
        long["@context"] = json!([CONTEXT, {"x": "https://x.example/"}]);
        long["x:text"] = json!("y".repeat(length));
        for filled in 0..24 {
            long["x:more"] = json!("z".repeat(filled * 13));
            let EventCaptured::Stored { event_id, event } = post(&service, &long) else {
                panic!("it is new");
            };
            let stored = named(&service, &event_id, &call());
            assert_eq!(stored[0]["recordTime"], six, "{length} {filled}");
            assert_eq!(stored[0], serde_json::from_str::<Value>(&event).unwrap());
        }
    }
}

pub fn what_is_new_follows_a_cursor(service: Service) {
    let ascending = json!({"orderBy": "recordTime", "orderDirection": "ASC", "perPage": 2});
    let ask = |cursor: Option<&Value>, page: Option<&Value>| {
        let parameters = ascending.to_string();
        let parameters = Document::read(parameters.as_bytes()).unwrap();
        let text = |value: Option<&Value>| value.map(|value| value.as_str().unwrap().to_owned());
        let query = Query::read(parameters.root()).unwrap();
        let query = query.paged(None, text(page)).unwrap().following(text(cursor));
        let found = block_on(service.query(&query.unwrap(), &call())).unwrap();
        serde_json::from_str::<Value>(&serde_json::to_string(&found).unwrap()).unwrap()
    };
    let epcs = |answer: &Value| -> Vec<String> {
        let events = events(answer);
        let epcs = events.iter().map(|event| event["epcList"][0].as_str().unwrap().to_owned());
        epcs.collect()
    };
    let nothing = ask(None, None);
    assert_eq!(nothing["type"], json!("EMPTY"));
    let from_the_start = nothing["feedCursor"].clone();
    capture(&service, &document(&["urn:x:1", "urn:x:2", "urn:x:3"].map(event))).unwrap();
    let first = ask(Some(&from_the_start), None);
    assert_eq!(epcs(&first), ["urn:x:1", "urn:x:2"]);
    // A cursor also works in the middle of a walk, and includes events captured meanwhile.
    let midst = first["feedCursor"].clone();
    capture(&service, &document(&["urn:x:4", "urn:x:5"].map(event))).unwrap();
    let rest = ask(None, Some(&first["nextPageToken"]));
    assert_eq!(epcs(&rest), ["urn:x:3"]);
    assert_eq!(rest.get("nextPageToken"), None);
    let since = ask(Some(&rest["feedCursor"]), None);
    assert_eq!(epcs(&since), ["urn:x:4", "urn:x:5"]);
    let all = ask(Some(&midst), None);
    assert_eq!(epcs(&all), ["urn:x:3", "urn:x:4"]);
    let last = ask(None, Some(&all["nextPageToken"]));
    assert_eq!(epcs(&last), ["urn:x:5"]);
    let end = ask(Some(&last["feedCursor"]), None);
    assert_eq!(end["type"], json!("EMPTY"));
    let again = ask(Some(&end["feedCursor"]), None);
    assert_eq!(again["type"], json!("EMPTY"));
    capture(&service, &event("urn:x:6")).unwrap();
    assert_eq!(epcs(&ask(Some(&again["feedCursor"]), None)), ["urn:x:6"]);
    // A cursor is valid for one query, order and key, and a page token is not a cursor.
    let refusal = |parameters: Value, cursor: &Value, call: &Call| {
        let text = parameters.to_string();
        let query = Query::read(Document::read(text.as_bytes()).unwrap().root()).unwrap();
        let query = query.following(cursor.as_str().map(str::to_owned));
        let found = match query {
            Ok(query) => block_on(service.query(&query, call)),
            Err(error) => Err(error),
        };
        refused(found, "QueryParameterException", 400);
    };
    let mut other = ascending.clone();
    other["EQ_action"] = json!("ADD");
    refusal(other, &again["feedCursor"], &call());
    refusal(json!({"orderBy": "recordTime"}), &again["feedCursor"], &call());
    refusal(json!({}), &again["feedCursor"], &call());
    refusal(ascending.clone(), &first["nextPageToken"], &call());
    let mut principal = Principal::local(ACCOUNT, OBSERVER);
    principal.digest = [7; 32];
    refusal(ascending.clone(), &again["feedCursor"], &Call::new(NOW, principal));
    let mut limited = ascending.clone();
    limited["eventCountLimit"] = json!(5);
    refusal(limited, &again["feedCursor"], &call());
}
