//! Shipments compared with receipts.

use super::shipments::{LOT, at, case, item, lots, object, packed, pallet, sent};
use super::{FARM, SHOP, list, shows};
use serde_json::json;

#[test]
fn a_receipt_that_lists_items_is_of_these_alone() {
    let events = list![
        packed(1, &pallet(1), json!({"childEPCs": [item(1), item(2), case(1)]}));
        packed(1, &case(1), json!({"childEPCs": [item(3)]}));
        sent(2, FARM, json!({"epcList": [pallet(1)]}), SHOP);
        at(3, "AggregationEvent", "receiving", json!({"parentID": pallet(1), "childEPCs": [item(1), case(1)], "readPoint": {"id": SHOP}}));
    ];
    let items = [item(1), item(2), item(3)];
    shows!(&events, &items; "
        ## recall, Consignees: serials | received
        1, 2, 3 | 2 of 3, 2026-03-03 9521141003008
    ");
    shows!(&events; "
        ## received, Not received: serials | quantity
        2 | 1
        ## received, Not shipped: serials
    ");
}

#[test]
fn what_was_shipped_is_held_against_what_was_received() {
    let other = "urn:epc:class:lgtin:9521141.012345.B";
    let events = list![
        packed(1, &pallet(1), json!({"childEPCs": [item(1), item(2)], "childQuantityList": lots(LOT, 50)}));
        sent(2, FARM, json!({"epcList": [pallet(1), pallet(2), item(7)], "quantityList": lots(other, 10)}), SHOP);
        object(3, "receiving", SHOP, json!({"epcList": [item(1), item(9)], "quantityList": lots(other, 12)}));
        at(4, "AggregationEvent", "receiving", json!({"parentID": pallet(1), "childQuantityList": lots(LOT, 45), "readPoint": {"id": SHOP}}));
        object(5, "receiving", SHOP, json!({"epcList": [pallet(3), item(7)]}));
        sent(6, FARM, json!({"quantityList": lots(LOT, 5)}), SHOP);
        object(7, "void_shipping", FARM, json!({"epcList": [pallet(2)]}));
    ];
    shows!(&events; "
        ## received, Not received: lot | serials | logistic-unit | quantity
        - | 2 | 195211410000000011 | 1
        A | - | - | 5
        ## received, Not shipped: lot | serials | logistic-unit | quantity
        B | - | - | 2
        - | 9 | - | 1
        - | - | 195211410000000035 | -
        ## received, Other amounts: lot | shipped | received | difference
        A | 50 | 45 | -5
        ## received, Received as shipped: lot | serials | quantity | received-date
        B | - | 10 | 2026-03-03
        - | 1 | 1 | 2026-03-03
        - | 7 | 1 | 2026-03-04
    ");
}

#[test]
fn a_lot_in_several_containers_of_a_pallet_is_counted_together() {
    let lot = || json!({"childQuantityList": lots(LOT, 50)});
    let events = list![
        packed(1, &pallet(1), lot());
        packed(1, &pallet(2), lot());
        packed(1, &pallet(3), lot());
        packed(2, &pallet(9), json!({"childEPCs": [pallet(1), pallet(2), pallet(3)]}));
        sent(3, FARM, json!({"epcList": [pallet(9)]}), SHOP);
        at(4, "AggregationEvent", "receiving", json!({"parentID": pallet(9), "childQuantityList": lots(LOT, 80), "readPoint": {"id": SHOP}}));
    ];
    shows!(&events; "
        ## received, Other amounts: shipped | received | difference
        50 | 30 | -20
        50 | 0 | -50
        ## received, Received as shipped: quantity
        50
    ");
}
