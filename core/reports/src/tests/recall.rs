//! Recalls: who got the goods, and how much is left where.

use super::shipments::{LOT, at, case, item, lots, object, packed, pallet, sent, to};
use super::{FARM, PACKER, SHOP, list, shows};
use serde_json::json;

#[test]
fn a_loose_lot_is_received_where_it_was_sent() {
    let half = || json!({"quantityList": lots(LOT, 50)});
    let events = list![
        object(1, "commissioning", FARM, json!({"action": "ADD", "quantityList": lots(LOT, 100)}));
        sent(2, FARM, half(), PACKER);
        sent(3, FARM, half(), SHOP);
        object(4, "receiving", SHOP, half());
    ];
    let of_lot = [LOT.to_owned()];
    shows!(&events, &of_lot; "
        ## recall, Consignees: to | received
        9521141002001 | no event says so
        9521141003008 | yes, 2026-03-03 9521141003008
        ## recall, Not accounted for: quantity | sent-to
        50 | 9521141002001
        ## recall, Last seen at: quantity | place
        50 | 9521141003008
    ");
}

#[test]
fn what_is_received_in_part_is_missing_in_part() {
    let events = list![
        packed(1, &pallet(1), json!({"childQuantityList": lots(LOT, 50)}));
        sent(2, FARM, json!({"epcList": [pallet(1)]}), SHOP);
        at(3, "AggregationEvent", "receiving", json!({"parentID": pallet(1), "childQuantityList": lots(LOT, 30), "readPoint": {"id": SHOP}}));
        sent(4, FARM, json!({"quantityList": lots(LOT, 9)}), SHOP);
        object(5, "receiving", SHOP, json!({"quantityList": lots(LOT, 4)}));
        object(6, "receiving", SHOP, json!({"quantityList": lots(LOT, 3)}));
    ];
    let of_lot = [LOT.to_owned()];
    shows!(&events, &of_lot; "
        ## recall, Consignees: received
        30 of 50, 2026-03-03 9521141003008
        7 of 9, 2026-03-04 9521141003008
        ## recall, Not accounted for: quantity
        20
        2
    ");
}

#[test]
fn selling_one_hides_no_others() {
    let of = |quantity| json!({"quantityList": lots(LOT, quantity)});
    let made = lots("urn:epc:class:lgtin:9521141.012346.B", 4);
    let events = list![
        object(1, "commissioning", FARM, json!({"action": "ADD", "quantityList": lots(LOT, 500)}));
        packed(2, &pallet(1), json!({"childQuantityList": lots(LOT, 10), "readPoint": {"id": FARM}}));
        sent(3, FARM, of(250), SHOP);
        object(4, "receiving", SHOP, of(250));
        object(5, "retail_selling", SHOP, of(1));
        object(6, "retail_selling", SHOP, of(2));
        at(7, "TransformationEvent", "commissioning", json!({"inputQuantityList": lots(LOT, 40), "outputQuantityList": made, "readPoint": {"id": FARM}}));
        at(8, "AggregationEvent", "unpacking", json!({"action": "DELETE", "parentID": pallet(1), "childQuantityList": lots(LOT, 4), "readPoint": {"id": FARM}}));
    ];
    let of_lot = [LOT.to_owned()];
    shows!(&events, &of_lot; "
        ## recall, Last seen at: lot | quantity | place | inside
        A | 204 | 9521141001004 | -
        A | 247 | 9521141003008 | -
        B | 4 | 9521141001004 | -
        A | 6 | 9521141001004 | 195211410000000011
        ## recall, Gone: why | quantity
        used: commissioning | 40
        retail_selling | 3
    ");
}

#[test]
fn a_lot_that_is_only_observed_in_a_container_has_a_consignee() {
    let events = list![
        packed(1, &pallet(1), json!({"action": "OBSERVE", "childQuantityList": lots(LOT, 5)}));
        sent(2, FARM, json!({"epcList": [pallet(1)]}), SHOP);
    ];
    shows!(&events, &[LOT.to_owned()]; "
        ## recall, Consignees: to | quantity
        9521141003008 | 5
    ");
}

#[test]
fn what_is_in_a_unit_in_a_unit_has_rows() {
    let events = list![
        object(1, "commissioning", FARM, json!({"action": "ADD", "epcList": [item(1), item(2)], "ilmd": {"cbvmda:lotNumber": "L1"}}));
        packed(2, &case(1), json!({"childEPCs": [item(1), item(2)]}));
        packed(3, &pallet(1), json!({"childEPCs": [case(1), item(3)], "childQuantityList": lots(LOT, 100)}));
        packed(4, &pallet(9), json!({"childEPCs": [pallet(1)]}));
        sent(5, FARM, json!({"epcList": [pallet(9)]}), SHOP);
        at(6, "ObjectEvent", "receiving", json!({"epcList": [pallet(9)], "readPoint": {"id": SHOP}}));
    ];
    for items in [vec![pallet(1)], vec![pallet(9)]] {
        shows!(&events, &items; "
            ## fsma204, Shipping: lot | quantity
            A | 100
            - | 1
            L1 | 2
            ## dscsa, Serial numbers: serial | lot
            3 | -
            1 | L1
            2 | L1
        ");
    }
    shows!(&events, &[case(1)]; "
        ## dscsa, Serial numbers: serial
        1
        2
    ");
    shows!(&events, &[item(1)]; "
        ## recall, Consignees: serials | received
        1 | yes, 2026-03-04 9521141003008
    ");
}

#[test]
fn partners_stand_in_several_fields() {
    let events = list![
        object(1, "shipping", FARM, json!({"epcList": [item(1)], "destinationList": [{"type": "possessing_party", "destination": SHOP}]}));
        object(2, "receiving", SHOP, json!({"epcList": [item(1)]}));
        object(3, "shipping", SHOP, json!({"epcList": [item(1)], "destinationList": [
            {"type": "owning_party", "destination": SHOP}, {"type": "location", "destination": FARM}, {"type": "location", "destination": PACKER}]}));
        object(4, "transporting", SHOP, json!({"epcList": [item(1)], "destinationList": [
            {"type": "location", "destination": PACKER}, {"type": "location", "destination": FARM}]}));
        object(5, "transporting", SHOP, json!({"quantityList": lots(LOT, 5), "destinationList": to(PACKER)}));
        object(6, "transporting", SHOP, json!({"quantityList": lots(LOT, 5)}));
    ];
    shows!(&events, &[item(1), LOT.to_owned()]; "
        ## recall, Consignees: to
        9521141003008
        9521141001004; 9521141002001
        9521141002001
    ");
}
