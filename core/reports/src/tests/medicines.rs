//! Reports about medicines: transaction information, recalls, the life of an item.

use super::{FARM, PACKED, PALLET, SHOP, cell, event, made, rows};
use serde_json::{Value, json};

/// Two items of one lot and one of another in a case, the case sold and received; one item was dispensed, one is still in the case.
pub(super) fn medicines() -> Value {
    let (owner, buyer) = (FARM, SHOP);
    let item = |serial: &str| format!("urn:epc:id:sgtin:9521141.012345.{serial}");
    let made = |serials: &[&str], lot: &str| {
        let items: Vec<String> = serials.iter().map(|serial| item(serial)).collect();
        let ilmd = json!({"cbvmda:lotNumber": lot, "cbvmda:itemExpirationDate": "2028-03-31"});
        event(
            "ObjectEvent",
            8,
            "commissioning",
            json!({"action": "ADD", "epcList": items, "ilmd": ilmd, "readPoint": {"id": owner}}),
        )
    };
    let party = |kind: &str, name: &str, party: &str| json!({"type": kind, name: party});
    let attribute = |name: &str, text: &str| json!({"id": format!("urn:epcglobal:cbv:mda#{name}"), "attribute": text});
    json!({
        "@context": ["https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld", {"gs1ushc": "http://epcis.gs1us.org/hc/ns"}],
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-03-09T12:00:00Z", "receiver": buyer,
        "epcisHeader": {
            "gs1ushc:guidelineVersion": "GS1 US DSCSA R1.3",
            "gs1ushc:dscsaTransactionStatement": {"gs1ushc:affirmTransactionStatement": "true", "gs1ushc:legalNotice": "Seller has complied."},
            "epcisMasterData": {"vocabularyList": [
                {"type": "urn:epcglobal:epcis:vtype:Location", "vocabularyElementList": [
                    {"id": owner, "attributes": [attribute("name", "Example Pharma"), attribute("streetAddressOne", "1 Way"), attribute("city", "Springfield")]}]},
                {"type": "urn:epcglobal:epcis:vtype:EPCClass", "vocabularyElementList": [
                    {"id": "urn:epc:idpat:sgtin:9521141.012345.*", "attributes": [
                        attribute("regulatedProductName", "Examplin"), attribute("strengthDescription", "100 mg"),
                        attribute("additionalTradeItemIdentification", "12345-678-90"),
                        attribute("additionalTradeItemIdentificationTypeCode", "US_FDA_NDC")]}]}]}},
        "epcisBody": {"eventList": [
            made(&["1", "2"], "L1"),
            made(&["3"], "L2"),
            event("AggregationEvent", 9, "packing", json!({"action": "ADD", "parentID": PALLET, "childEPCs": [item("1"), item("2"), item("3")], "readPoint": {"id": owner}})),
            event("ObjectEvent", 10, "shipping", json!({
                "action": "OBSERVE", "epcList": [PALLET], "readPoint": {"id": owner}, "gs1ushc:dropShipment": false,
                "bizTransactionList": [{"type": "po", "bizTransaction": "urn:epcglobal:cbv:bt:9521141003008:PO-1"}, {"type": "desadv", "bizTransaction": "urn:epcglobal:cbv:bt:9521141001004:D-1"}],
                "sourceList": [party("owning_party", "source", owner)], "destinationList": [party("owning_party", "destination", buyer)]})),
            event("ObjectEvent", 12, "receiving", json!({"action": "OBSERVE", "epcList": [PALLET], "readPoint": {"id": buyer}})),
            event("AggregationEvent", 13, "unpacking", json!({"action": "DELETE", "parentID": PALLET, "childEPCs": [item("1"), item("2")], "readPoint": {"id": buyer}})),
            event("ObjectEvent", 14, "dispensing", json!({"action": "OBSERVE", "epcList": [item("1")], "readPoint": {"id": buyer}})),
            event("ObjectEvent", 15, "shipping", json!({"action": "OBSERVE", "epcList": [item("2")], "readPoint": {"id": buyer}})),
        ]}
    })
}

fn item(serial: &str) -> String {
    format!("urn:epc:id:sgtin:9521141.012345.{serial}")
}

#[test]
fn transaction_information_has_a_row_for_each_lot_of_a_shipment() {
    let document = medicines().to_string();
    let report = made("dscsa", &document, &json!({})).unwrap();
    let lots = rows(&report, "Transaction information");
    assert_eq!(lots.len(), 3);
    let first = &lots[0];
    for (column, expected) in [
        ("shipment", "D-1"),
        ("product", "Examplin"),
        ("strength", "100 mg"),
        ("ndc", "12345-678-90"),
        ("containers", "2"),
        ("lot", "L1"),
        ("expiry", "2028-03-31"),
        ("transaction-date", "2026-03-04"),
        ("from", "Example Pharma (9521141001004)"),
        ("from-address", "1 Way, Springfield"),
        ("to", "9521141003008"),
        ("gtin", "09521141123454"),
        ("drop-shipment", "false"),
        ("missing", "not in these events: Dosage form, Container size, Address of the buyer"),
    ] {
        assert_eq!(cell(first, column), expected, "{column}");
    }
    assert_eq!(cell(&lots[1], "containers"), "1");
    let serials = rows(&report, "Serial numbers");
    let serials: Vec<String> = serials.iter().map(|row| cell(row, "serial")).collect();
    assert_eq!(serials, ["1", "2", "3", "2"]);
    let statement = &rows(&report, "Transaction statement")[0];
    assert_eq!(cell(statement, "statement"), "Seller has complied.");
    assert_eq!(cell(statement, "affirmed"), "true");
    // A report about one item has nothing else.
    let of_one = made("dscsa", &document, &json!({"items": item("3")})).unwrap();
    let serials = rows(&of_one, "Serial numbers");
    assert_eq!(serials.len(), 1);
    assert_eq!(cell(&serials[0], "lot"), "L2");
    assert_eq!(rows(&of_one, "Transaction information").len(), 1);
}

#[test]
fn a_document_without_a_statement_has_none_and_says_so() {
    let mut document = medicines();
    document["epcisHeader"] = json!({});
    let report = made("dscsa", &document.to_string(), &json!({})).unwrap();
    let statement = &rows(&report, "Transaction statement")[0];
    assert_eq!(cell(statement, "missing"), "not in these events: Statement, Affirmed");
}

#[test]
fn a_recall_says_who_got_it_and_where_each_one_is() {
    let document = medicines().to_string();
    let items = json!({"items": [item("1"), item("2"), item("3")]});
    let report = made("recall", &document, &items).unwrap();
    let consignees = rows(&report, "Consignees");
    assert_eq!(consignees.len(), 3);
    assert_eq!(cell(&consignees[0], "to"), "9521141003008");
    assert_eq!(cell(&consignees[0], "serials"), "1, 2");
    assert_eq!(cell(&consignees[0], "received"), "yes, 2026-03-04 9521141003008");
    assert_eq!(cell(&consignees[2], "received"), "no event says so");
    let where_is = |sheet: &str| -> Vec<(String, String)> {
        let rows = rows(&report, sheet);
        rows.iter().map(|row| (cell(row, "serial"), cell(row, "why"))).collect()
    };
    let of = |serial: &str, why: &str| vec![(serial.to_owned(), why.to_owned())];
    assert_eq!(where_is("Gone"), of("1", "dispensing"));
    assert_eq!(where_is("Not accounted for"), of("2", "shipping, and no event since"));
    assert_eq!(where_is("Last seen at"), of("3", "unpacking"));
}

/// Half of a lot goes to one shop, half to another; only one of them says that it came.
#[test]
fn each_part_of_a_lot_is_accounted_for_by_itself() {
    let half = |pallet: &str| {
        event(
            "AggregationEvent",
            9,
            "packing",
            json!({"action": "ADD", "parentID": pallet, "childQuantityList": [{"epcClass": PACKED, "quantity": 50}]}),
        )
    };
    let moved = |hour, step, pallet: &str| {
        event(
            "ObjectEvent",
            hour,
            step,
            json!({"action": "OBSERVE", "epcList": [pallet], "readPoint": {"id": SHOP}}),
        )
    };
    let other = "urn:epc:id:sscc:9521141.1234567891";
    let events = json!([
        half(PALLET),
        half(other),
        moved(10, "shipping", PALLET),
        moved(11, "shipping", other),
        moved(12, "receiving", PALLET),
    ]);
    let report = made("recall", &events.to_string(), &json!({"items": PACKED})).unwrap();
    let consignees = rows(&report, "Consignees");
    assert_eq!(cell(&consignees[0], "received"), "yes, 2026-03-04 9521141003008");
    assert_eq!(cell(&consignees[1], "received"), "no event says so");
    let lost = rows(&report, "Not accounted for");
    assert_eq!(lost.len(), 1);
    assert_eq!(cell(&lost[0], "quantity"), "50");
    assert_eq!(cell(&lost[0], "inside"), "195211412345678917");
    let there = rows(&report, "Last seen at");
    assert_eq!(there.len(), 1);
    assert_eq!(cell(&there[0], "inside"), "195211412345678900");
    assert_eq!(cell(&there[0], "sure"), "no");
}

#[test]
fn a_passport_is_the_life_of_one_thing() {
    let mut document = medicines();
    let list = document["epcisBody"]["eventList"].as_array_mut().unwrap();
    let mut wrong = event(
        "ObjectEvent",
        11,
        "inspecting",
        json!({"action": "OBSERVE", "epcList": [item("1")], "eventID": "urn:x:wrong"}),
    );
    list.push(wrong.clone());
    wrong["errorDeclaration"] =
        json!({"declarationTime": "2026-03-05T10:00:00Z", "reason": "incorrect_data"});
    list.push(wrong);
    let report = made("passport", &document.to_string(), &json!({"items": item("1")})).unwrap();
    let life = rows(&report, "Life");
    let steps: Vec<String> = life.iter().map(|row| cell(row, "step")).collect();
    assert_eq!(
        steps,
        ["commissioning", "packing", "shipping", "receiving", "unpacking", "dispensing"]
    );
    assert_eq!(cell(&life[2], "how"), "inside");
    assert_eq!(cell(&life[2], "through"), "https://id.gs1.org/00/195211412345678900");
    let wrong = rows(&report, "Declared wrong");
    assert_eq!(cell(&wrong[0], "reason"), "2026-03-05T10:00:00Z incorrect_data");
    let about = rows(&report, "About");
    let lot = "The event that made urn:epc:id:sgtin:9521141.012345.1 says of its lot: L1";
    assert!(about.iter().any(|row| cell(row, "says") == lot), "{about:?}");
    let contents = made("passport", &document.to_string(), &json!({"items": PALLET})).unwrap();
    assert_eq!(rows(&contents, "Contents").len(), 3);
}
