//! Shipments of many kinds: what was in them, who got it, and what is left.

use super::{FARM, SHOP, cell, cells, event, list, made, rows, shows};
use serde_json::{Value, json};

pub(super) const LOT: &str = "urn:epc:class:lgtin:9521141.012345.A";

pub(super) fn item(serial: u32) -> String {
    format!("urn:epc:id:sgtin:9521141.012345.{serial}")
}

pub(super) fn case(serial: u32) -> String {
    format!("urn:epc:id:sgtin:9521141.112345.{serial}")
}

pub(super) fn pallet(number: u32) -> String {
    format!("urn:epc:id:sscc:9521141.{:010}", 1_000_000_000 + number)
}

/// An event of the given hour: with an `ADD` in `more`, else observed.
pub(super) fn at(hour: u32, kind: &str, step: &str, more: Value) -> Value {
    let mut observed = json!({"action": "OBSERVE"});
    if let (Value::Object(observed), Value::Object(more)) = (&mut observed, more) {
        observed.extend(more);
    }
    event(kind, hour, step, observed)
}

pub(super) fn object(hour: u32, step: &str, place: &str, more: Value) -> Value {
    let mut more = more;
    more["readPoint"] = json!({"id": place});
    at(hour, "ObjectEvent", step, more)
}

pub(super) fn packed(hour: u32, parent: &str, more: Value) -> Value {
    let mut more = more;
    more["parentID"] = json!(parent);
    if more.get("action").is_none() {
        more["action"] = json!("ADD");
    }
    at(hour, "AggregationEvent", "packing", more)
}

pub(super) fn lots(class: &str, quantity: u32) -> Value {
    json!([{"epcClass": class, "quantity": quantity}])
}

pub(super) fn to(place: &str) -> Value {
    json!([{"type": "location", "destination": place}])
}

pub(super) fn sent(hour: u32, place: &str, mut more: Value, destination: &str) -> Value {
    more["destinationList"] = to(destination);
    object(hour, "shipping", place, more)
}

#[test]
fn what_is_declared_void_is_not_received_and_not_sent() {
    let both = json!({"epcList": [item(1), item(2)]});
    let events = list![
        packed(1, &pallet(1), json!({"childEPCs": [item(1), item(2)]}));
        sent(2, FARM, json!({"epcList": [pallet(1)]}), SHOP);
        object(3, "receiving", SHOP, json!({"epcList": [item(1)]}));
        object(4, "void_shipping", FARM, json!({"epcList": [item(2)]}));
        sent(5, FARM, json!({"quantityList": lots(LOT, 5)}), SHOP);
        object(6, "void_shipping", FARM, json!({"quantityList": lots(LOT, 5)}));
    ];
    let items = [item(1), item(2), LOT.to_owned()];
    shows!(&events, &items; "
        ## recall, Consignees: received
        1 of 2, 2026-03-03 9521141003008; 1 declared void, 2026-03-03
        the shipment was declared void, 2026-03-04
        ## recall, Not accounted for: thing
    ");
    shows!(&events; "
        ## dscsa, Transaction information: containers
        1
        ## dscsa, Serial numbers: serial
        1
        ## fsma204, Shipping: quantity
        1
    ");
    // If the shipment of a pallet is declared void, the goods on it are void too.
    let whole = list![
        packed(1, &pallet(1), both);
        packed(1, &pallet(1), json!({"childEPCs": [item(1), item(2)]}));
        sent(2, FARM, json!({"epcList": [pallet(1)]}), SHOP);
        object(3, "void_shipping", FARM, json!({"epcList": [pallet(1)]}));
    ];
    shows!(&whole; "
        ## dscsa, Transaction information: gtin
    ");
}

/// Taken out in part, moved to another pallet, destroyed.
#[test]
fn what_left_a_unit_is_not_shipped_with_it() {
    let parties = json!([{"type": "owning_party", "destination": SHOP}]);
    let shipped = |hour, unit: &str| {
        let more = json!({"epcList": [unit], "destinationList": parties});
        object(hour, "shipping", FARM, more)
    };
    let events = list![
        packed(1, &pallet(1), json!({"childEPCs": [item(1), item(2), item(3)], "childQuantityList": lots(LOT, 100)}));
        packed(2, &pallet(2), json!({"childEPCs": [item(2)]}));
        packed(3, &pallet(1), json!({"action": "DELETE", "childQuantityList": lots(LOT, 10)}));
        object(4, "destroying", FARM, json!({"action": "DELETE", "epcList": [item(3)]}));
        shipped(5, &pallet(1));
        shipped(6, &pallet(2));
    ];
    shows!(&events; "
        ## dscsa, Serial numbers: serial | unit
        1 | 195211410000000011
        2 | 195211410000000028
        ## fsma204, Shipping: lot | quantity
        A | 90
        - | 1
        - | 1
    ");
}

#[test]
fn nothing_is_counted_twice() {
    let link = "https://id.gs1.org/01/09521141123454/10/A";
    let packing = packed(1, &pallet(1), json!({"childEPCs": [item(1), item(2)]}));
    let events = list![
        packing;
        packing;
        packed(2, &pallet(2), json!({"childQuantityList": lots(LOT, 5)}));
        packed(2, &pallet(3), json!({"childQuantityList": lots(link, 7)}));
        object(3, "shipping", FARM, json!({"epcList": [pallet(1), item(1), pallet(1), pallet(2), pallet(3)]}));
    ];
    shows!(&events; "
        ## dscsa, Transaction information: lot | containers
        - | 2
        A | 12
    ");
    let report = made("dscsa", &events.to_string(), &json!({})).unwrap();
    let about = rows(&report, "About");
    let says = "1 events are there more than once, and are counted once.";
    assert!(about.iter().any(|row| cell(row, "says") == says));
    // It may be the same, or not: the row says so.
    let both = list![
        packed(1, &pallet(1), json!({"childQuantityList": lots(LOT, 5)}));
        object(2, "shipping", FARM, json!({"epcList": [pallet(1)], "quantityList": lots(LOT, 5)}));
    ];
    let missing = cells("fsma204, Shipping: missing", &both, &[]);
    assert!(missing[0].contains("may be counted twice"), "{missing:?}");
    assert!(!missing[1].contains("may be counted twice"), "{missing:?}");
}

#[test]
fn names_of_others_mean_nothing() {
    let made = |ilmd: Value| {
        list![
            object(1, "commissioning", FARM, json!({"action": "ADD", "epcList": [item(1)], "ilmd": ilmd, "@context": {"x": "https://x.example/", "m": "urn:epcglobal:cbv:mda:"}}));
            object(2, "shipping", FARM, json!({"epcList": [item(1)]}));
        ]
    };
    let lot = |ilmd| cells("dscsa, Transaction information: lot", &made(ilmd), &[]);
    assert_eq!(lot(json!({"x:lotNumber": "other"})), ["-"]);
    assert_eq!(lot(json!({"m:lotNumber": "L1"})), ["L1"]);
    let whole = json!({"urn:epcglobal:cbv:mda#lotNumber": "L1"});
    assert_eq!(lot(whole), ["L1"]);
}

#[test]
fn a_direct_purchase_may_be_one_in_part() {
    let events = list![
        object(1, "shipping", FARM, json!({"epcList": [item(1)], "gs1ushc:directPurchase": {"qualifier": "PARTIALLY_DIRECT"}, "gs1ushc:dropShipment": true}));
    ];
    shows!(&events; "
        ## dscsa, Transaction information: direct-purchase | drop-shipment
        qualifier PARTIALLY_DIRECT | true
    ");
}

#[test]
fn cases_have_serial_numbers_too() {
    let events = list![
        packed(1, &case(1), json!({"childEPCs": [item(1), item(2)]}));
        packed(1, &case(2), json!({"childEPCs": [item(3)]}));
        object(2, "shipping", FARM, json!({"epcList": [case(1), case(2)], "eventID": "urn:x:shipment"}));
    ];
    shows!(&events; "
        ## dscsa, Serial numbers: shipment | unit | serial
        urn:x:shipment | 19521141123451 1 | 1
        urn:x:shipment | 19521141123451 1 | 2
        urn:x:shipment | 19521141123451 2 | 3
    ");
}
