//! Food: which events have which rows.

use super::{FARM, PACKER, SHOP, cells, event, list, shows};
use serde_json::{Value, json};

fn lot(name: &str) -> String {
    format!("urn:epc:class:lgtin:9521141.012345.{name}")
}

fn of(lots: &[&str], amount: u32) -> Value {
    let lots = lots.iter();
    lots.map(|name| json!({"epcClass": lot(name), "quantity": amount, "uom": "KGM"})).collect()
}

fn at(place: &str, more: Value) -> Value {
    let mut more = more;
    more["readPoint"] = json!({"id": place});
    more
}

fn harvested(hour: u32, lots: &[&str]) -> Value {
    let more = at(FARM, json!({"action": "ADD", "quantityList": of(lots, 50)}));
    event("ObjectEvent", hour, "creating_class_instance", more)
}

fn received(hour: u32, place: &str, lots: &[&str]) -> Value {
    let more = json!({"action": "OBSERVE", "quantityList": of(lots, 50), "sourceList": [{"type": "location", "source": FARM}]});
    event("ObjectEvent", hour, "receiving", at(place, more))
}

fn transformed(hour: u32, place: &str, more: Value) -> Value {
    event("TransformationEvent", hour, "commissioning", at(place, more))
}

#[test]
fn a_processor_has_received_what_it_uses() {
    let events = list![
        received(1, PACKER, &["X"]);
        transformed(2, PACKER, json!({"inputQuantityList": of(&["X"], 50), "outputQuantityList": of(&["Y"], 40)}));
    ];
    shows!(&events; "
        ## fsma204, Receiving: lot
        X
        ## fsma204, Transformation: input-lot | lot
        X | Y
    ");
}

#[test]
fn each_lot_of_a_receipt_is_judged_by_itself() {
    let events = list![
        harvested(1, &["X", "Z"]);
        received(2, PACKER, &["X", "Z"]);
        transformed(3, PACKER, json!({"inputQuantityList": of(&["X"], 50), "outputQuantityList": of(&["Y"], 40)}));
    ];
    shows!(&events; "
        ## fsma204, Receiving: lot
        Z
        ## fsma204, Initial packing: lot | received-date
        Y | 2026-03-03
    ");
}

#[test]
fn a_lot_of_a_factory_was_not_harvested() {
    let mut flour = harvested(1, &["FLOUR"]);
    flour["bizStep"] = json!("commissioning");
    let events = list![
        flour;
        received(2, PACKER, &["FLOUR"]);
        transformed(3, PACKER, json!({"inputQuantityList": of(&["FLOUR"], 50), "outputQuantityList": of(&["Y"], 40)}));
    ];
    shows!(&events; "
        ## fsma204, Initial packing: lot
        ## fsma204, Receiving: lot
        FLOUR
        ## fsma204, Transformation: lot
        Y
    ");
}

#[test]
fn a_transformation_may_be_several_events() {
    let items: Vec<String> =
        (1..4).map(|n| format!("urn:epc:id:sgtin:9521141.012346.{n}")).collect();
    let events = list![
        event("ObjectEvent", 1, "commissioning", at(FARM, json!({"action": "ADD", "epcList": items, "ilmd": {"cbvmda:lotNumber": "L1"}})));
        transformed(2, PACKER, json!({"transformationID": "urn:x:1", "inputQuantityList": of(&["X"], 50)}));
        transformed(3, PACKER, json!({"transformationID": "urn:x:1", "inputEPCList": items, "outputQuantityList": of(&["Y"], 40)}));
        transformed(4, PACKER, json!({"transformationID": "urn:x:2", "outputQuantityList": of(&["W"], 40)}));
        transformed(5, PACKER, json!({"transformationID": "urn:x:3", "inputQuantityList": of(&["V"], 40)}));
    ];
    shows!(&events; "
        ## fsma204, Transformation: input-lot | input-quantity | lot
        X | 50 | Y
        L1 | 3 | Y
        - | - | W
        V | 40 | -
    ");
    let missing = cells("fsma204, Transformation: missing", &events, &[]);
    assert!(missing[2].contains("Traceability lot code used"), "{missing:?}");
    assert!(missing[3].contains("New traceability lot code"), "{missing:?}");
}

#[test]
fn crates_with_serials_are_harvested_too() {
    let crates: Vec<String> =
        (1..4).map(|n| format!("urn:epc:id:sgtin:9521141.012346.{n}")).collect();
    let more = json!({"action": "ADD", "epcList": crates, "ilmd": {"cbvmda:lotNumber": "L1"}});
    let events = list![
        event("ObjectEvent", 1, "creating_class_instance", at(FARM, more));
        transformed(2, PACKER, json!({"inputEPCList": crates, "outputQuantityList": of(&["Y"], 40)}));
    ];
    shows!(&events; "
        ## fsma204, Harvesting: lot | quantity
        L1 | 3
        ## fsma204, Initial packing: lot | received-quantity | harvest-date
        Y | 3 | 2026-03-03
    ");
}

#[test]
fn what_is_cooled_later_was_not_cooled_before() {
    let cooled = |hour| {
        let more = json!({"action": "OBSERVE", "quantityList": of(&["X"], 30), "sensorElementList": [{"sensorReport": [{"type": "Temperature", "value": 4, "uom": "CEL"}]}]});
        event("ObjectEvent", hour, "other", at(SHOP, more))
    };
    let packing = |hour| {
        transformed(
            hour,
            PACKER,
            json!({"inputQuantityList": of(&["X"], 20), "outputQuantityList": of(&["Y"], 20)}),
        )
    };
    let later = json!([harvested(1, &["X"]), packing(2), cooled(3)]);
    shows!(&later; "
        ## fsma204, Initial packing: cooled-date
        -
    ");
    let before = json!([harvested(1, &["X"]), cooled(2), packing(3)]);
    shows!(&before; "
        ## fsma204, Initial packing: cooled-date | cooled-at
        2026-03-03 | 9521141003008
    ");
}

#[test]
fn a_date_of_another_event_says_its_time_zone() {
    let mut harvest = harvested(6, &["X"]);
    harvest["eventTimeZoneOffset"] = json!("-08:00");
    let packing = transformed(
        7,
        PACKER,
        json!({"inputQuantityList": of(&["X"], 20), "outputQuantityList": of(&["Y"], 20)}),
    );
    let events = json!([harvest, packing]);
    shows!(&events; "
        ## fsma204, Initial packing: harvest-date | date
        2026-03-03 (UTC-08:00) | 2026-03-04
    ");
}

#[test]
fn a_time_zone_that_is_not_readable_is_said() {
    let shipped = |time: &str, offset: &str| {
        let mut shipped = event(
            "ObjectEvent",
            1,
            "shipping",
            json!({"action": "OBSERVE", "quantityList": of(&["X"], 1)}),
        );
        shipped["eventTime"] = json!(time);
        shipped["eventTimeZoneOffset"] = json!(offset);
        shipped
    };
    let events = json!([shipped("2026-03-01T22:00:00-05:00", "-5:00")]);
    shows!(&events; "
        ## fsma204, Shipping: date | offset
        2026-03-01 | -
    ");
    let missing = cells("fsma204, Shipping: missing", &events, &[]);
    assert!(missing[0].contains("no readable time zone"), "{missing:?}");
}

#[test]
fn a_lot_may_go_to_several_recipients() {
    let sent = |hour, to: &str| {
        let more = json!({"action": "OBSERVE", "quantityList": of(&["X"], 25), "destinationList": [{"type": "location", "destination": to}]});
        event("ObjectEvent", hour, "shipping", at(FARM, more))
    };
    let events = json!([harvested(1, &["X", "Z"]), sent(2, PACKER), sent(3, SHOP)]);
    shows!(&events; "
        ## fsma204, Harvesting: lot | recipient
        X | 9521141002001; 9521141003008
        Z | -
    ");
}

#[test]
fn places_and_products_are_within_the_bounds() {
    let attribute =
        json!({"id": "urn:epcglobal:cbv:mda#streetAddressOne", "attribute": "s".repeat(40_000)});
    let places: Vec<Value> = (0..1000)
        .map(|n| {
            event(
                "ObjectEvent",
                1,
                "shipping",
                at(
                    &lot(&n.to_string()),
                    json!({"action": "OBSERVE", "quantityList": of(&["A"], 1)}),
                ),
            )
        })
        .collect();
    let document = json!({
        "type": "EPCISDocument",
        "epcisHeader": {"epcisMasterData": {"vocabularyList": [{"type": "urn:epcglobal:epcis:vtype:EPCClass", "vocabularyElementList": [
            {"id": "urn:epc:idpat:sgtin:9521141.012345.*", "attributes": [attribute]}]}]}},
        "epcisBody": {"eventList": places}
    });
    let error = super::made("fsma204", &document.to_string(), &json!({})).unwrap_err();
    assert!(error.to_string().contains("bytes in the rows"), "{error}");
}

#[test]
fn what_is_landed_has_the_catch_of_the_fishing() {
    let fished = json!({
        "action": "ADD", "quantityList": of(&["F"], 50), "ilmd": {"cbvmda:vesselCatchInformationList": {
            "cbvmda:vesselCatchInformation": [{"cbvmda:catchArea": "urn:gdst:fao:27.2"}, {"cbvmda:catchArea": "urn:gdst:fao:27.1"}]
        }}
    });
    let landed = json!({"action": "OBSERVE", "quantityList": of(&["F"], 50)});
    let events = list![
        event("ObjectEvent", 3, "urn:gdst:bizStep:fishingEvent", at(FARM, fished));
        event("ObjectEvent", 7, "urn:gdst:bizStep:landing", at(SHOP, landed));
    ];
    shows!(&events; "
        ## fsma204, First land-based receiving: lot | quantity | areas | harvest-dates | date
        F | 50 | urn:gdst:fao:27.1, urn:gdst:fao:27.2 | 2026-03-03 | 2026-03-04
        ## fsma204, Harvesting: lot
    ");
}
