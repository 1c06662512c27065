//! Reports over small documents.

mod exceptions;
mod food;
mod forms;
mod medicines;
mod recall;
mod received;
mod shipments;

use super::{Outcome, Report, ReportName, ReportRequest, report_document};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Document;
use epcis_edge_text::time::Timestamp;
use serde_json::{Value, json};

fn report(events: &Value, items: &[&str]) -> Report {
    let text = events.to_string();
    let asked = match items {
        [] => json!({}),
        items => json!({"items": items}),
    };
    made("fsma204", &text, &asked).unwrap()
}

fn made(name: &str, document: &str, asked: &Value) -> Result<Report, Error> {
    let asked = asked.to_string();
    let asked = Document::read(asked.as_bytes())?;
    let request = ReportRequest::read(ReportName::read(name)?, asked.root())?;
    let document = Document::read(document.as_bytes())?;
    report_document(&request, &document, Timestamp::default())
}

/// The rows of a sheet, each as the titles and texts of its cells.
fn rows(report: &Report, sheet: &str) -> Vec<Vec<(String, String)>> {
    let sheet = report.sheets.iter().find(|known| known.name == sheet).unwrap();
    let row = |row: &Vec<String>| {
        let cells = sheet.columns.iter().zip(row);
        cells.map(|(column, cell)| (column.id.to_string(), cell.clone())).collect()
    };
    sheet.rows.iter().map(row).collect()
}

fn cell(row: &[(String, String)], id: &str) -> String {
    let found = row.iter().find(|(known, _)| *known == id);
    found.map(|(_, text)| text.clone()).unwrap()
}

/// The cells of columns, of each row of a sheet: `recall, Consignees: to | received`. An empty cell is `-`, so that it is seen.
fn cells(asked: &str, events: &Value, items: &[String]) -> Vec<String> {
    let (sheet, columns) = asked.split_once(": ").unwrap();
    let (name, sheet) = sheet.split_once(", ").unwrap();
    let about = match items {
        [] => json!({}),
        items => json!({"items": items}),
    };
    let report = made(name, &events.to_string(), &about).unwrap();
    let text = |row: &Vec<(String, String)>| {
        let cells = columns.split(" | ").map(|column| cell(row, column));
        let cells = cells.map(|cell| if cell.is_empty() { "-".into() } else { cell });
        cells.collect::<Vec<_>>().join(" | ")
    };
    rows(&report, sheet).iter().map(text).collect()
}

/// Compares sheets with tables: a line `## recall, Consignees: to | received` for each, and below it the rows.
fn compare(events: &Value, items: &[String], tables: &str) {
    let lines = tables.lines().map(str::trim);
    let wanted: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let heads = wanted.iter().filter(|line| line.starts_with("## "));
    let found = heads.flat_map(|head| {
        let rows = cells(head.trim_start_matches("## "), events, items);
        std::iter::once((*head).to_owned()).chain(rows)
    });
    assert_eq!(found.collect::<Vec<_>>(), wanted);
}

/// As [`compare`]. Without items, reports are about all events.
macro_rules! shows {
    ($events:expr; $tables:literal) => {
        super::compare($events, &[], $tables)
    };
    ($events:expr, $items:expr; $tables:literal) => {
        super::compare($events, $items, $tables)
    };
}

/// A list of events, each in a line of its own.
macro_rules! list {
    ($($event:expr);* $(;)?) => {
        json!([$($event),*])
    };
}
use {list, shows};

const FARM: &str = "urn:epc:id:sgln:9521141.00100.0";
const PACKER: &str = "urn:epc:id:sgln:9521141.00200.0";
const SHOP: &str = "urn:epc:id:sgln:9521141.00300.0";
const RAW: &str = "urn:epc:class:lgtin:9521141.012345.1E10";
const PACKED: &str = "urn:epc:class:lgtin:9521141.012346.007";
const PALLET: &str = "urn:epc:id:sscc:9521141.1234567890";

fn event(kind: &str, hour: u32, step: &str, more: Value) -> Value {
    let mut event = json!({"type": kind, "eventTime": format!("2026-03-04T{hour:02}:30:00Z"), "eventTimeZoneOffset": "-05:00", "bizStep": step});
    if let (Value::Object(event), Value::Object(more)) = (&mut event, more) {
        event.extend(more);
    }
    event
}

/// Harvested, packed, put on a pallet, shipped, received.
fn chain() -> Value {
    let of = |lot: &str, amount: f64| json!([{"epcClass": lot, "quantity": amount, "uom": "KGM"}]);
    let order =
        json!([{"type": "po", "bizTransaction": "urn:epcglobal:cbv:bt:9521141002001:PO,1"}]);
    let attribute = |name: &str, text: &str| json!({"id": format!("urn:epcglobal:cbv:mda#{name}"), "attribute": text});
    json!({
        "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
        "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-03-09T12:00:00Z",
        "epcisHeader": {"epcisMasterData": {"vocabularyList": [
            {"type": "urn:epcglobal:epcis:vtype:Location", "vocabularyElementList": [
                {"id": FARM, "attributes": [attribute("name", "=Farm \"One\""), attribute("telephone", "+1 555 0100"), attribute("city", "Yuma")]}]},
            {"type": "urn:epcglobal:epcis:vtype:EPCClass", "vocabularyElementList": [
                {"id": "urn:epc:idpat:sgtin:9521141.012346.*", "attributes": [attribute("descriptionShort", "Lettuce")]}]}]}},
        "epcisBody": {"eventList": [
            event("ObjectEvent", 2, "creating_class_instance", json!({"action": "ADD", "quantityList": of(RAW, 500.0), "readPoint": {"id": FARM}, "bizLocation": {"id": FARM}})),
            event("ObjectEvent", 8, "receiving", json!({"action": "OBSERVE", "quantityList": of(RAW, 500.0), "readPoint": {"id": PACKER}})),
            event("TransformationEvent", 9, "commissioning", json!({"inputQuantityList": of(RAW, 500.0), "outputQuantityList": of(PACKED, 480.0), "readPoint": {"id": PACKER}, "bizTransactionList": order})),
            event("AggregationEvent", 10, "packing", json!({"action": "ADD", "parentID": PALLET, "childQuantityList": of(PACKED, 100.5), "readPoint": {"id": PACKER}})),
            event("ObjectEvent", 11, "shipping", json!({"action": "OBSERVE", "epcList": [PALLET], "readPoint": {"id": PACKER}, "bizTransactionList": order, "destinationList": [{"type": "location", "destination": SHOP}]})),
            event("ObjectEvent", 20, "receiving", json!({"action": "OBSERVE", "epcList": [PALLET], "readPoint": {"id": SHOP}, "sourceList": [{"type": "location", "source": PACKER}]})),
        ]}
    })
}

#[test]
fn a_chain_has_a_row_for_each_step() {
    let report = report(&chain(), &[]);
    let harvest = &rows(&report, "Harvesting")[0];
    assert_eq!(cell(harvest, "gtin"), "09521141123454");
    assert_eq!(cell(harvest, "lot"), "1E10");
    // Half past two in the morning is the evening before, five hours to the west.
    assert_eq!(cell(harvest, "date"), "2026-03-03");
    assert_eq!(cell(harvest, "farm"), "=Farm \"One\" (9521141001004)");
    assert_eq!(cell(harvest, "telephone"), "+1 555 0100");
    assert_eq!(
        cell(harvest, "missing"),
        "not in these events: Next recipient, Commodity and variety, Reference document"
    );
    let packing = &rows(&report, "Initial packing")[0];
    assert_eq!(cell(packing, "lot"), "007");
    assert_eq!(cell(packing, "product"), "Lettuce");
    assert_eq!(cell(packing, "received-quantity"), "500.0");
    assert_eq!(cell(packing, "received-date"), "2026-03-04");
    assert_eq!(cell(packing, "harvest-date"), "2026-03-03");
    let shipping = &rows(&report, "Shipping")[0];
    assert_eq!(cell(shipping, "lot"), "007");
    assert_eq!(cell(shipping, "quantity"), "100.5");
    assert_eq!(cell(shipping, "recipient"), "9521141003008");
    assert_eq!(cell(shipping, "source"), "9521141002001");
    assert_eq!(cell(shipping, "document"), "po PO,1");
    assert!(cell(shipping, "hash").starts_with("ni:///sha-256;"));
    // The packer's receipt is part of initial packing; the shop's receipt has a row.
    let receiving = rows(&report, "Receiving");
    assert_eq!(receiving.len(), 1);
    assert_eq!(cell(&receiving[0], "sender"), "9521141002001");
    assert_eq!(rows(&report, "Transformation").len(), 0);
    assert_eq!(rows(&report, "Locations").len(), 3);
    assert_eq!(rows(&report, "Products").len(), 2);
}

#[test]
fn a_report_about_items_has_their_events_alone() {
    let mut events = chain();
    let list = events["epcisBody"]["eventList"].as_array_mut().unwrap();
    list.push(event(
        "ObjectEvent",
        21,
        "creating_class_instance",
        json!({"action": "ADD", "quantityList": [{"epcClass": "urn:epc:class:lgtin:9521141.012345.B", "quantity": 1}]}),
    ));
    assert_eq!(rows(&report(&events, &[]), "Harvesting").len(), 2);
    let of_one = report(&events, &[PACKED]);
    assert_eq!(rows(&of_one, "Harvesting").len(), 1);
    assert_eq!(rows(&of_one, "Shipping").len(), 1);
    assert_eq!(of_one.asked, [PACKED]);
}

#[test]
fn what_is_declared_wrong_is_left_out() {
    let mut events = chain();
    let list = events["epcisBody"]["eventList"].as_array_mut().unwrap();
    list[4]["eventID"] = json!("urn:x:shipment");
    let mut declaration = list[4].clone();
    declaration["errorDeclaration"] = json!({"declarationTime": "2026-03-05T10:00:00Z"});
    list.push(declaration);
    assert_eq!(rows(&report(&events, &[]), "Shipping").len(), 0);
}

#[test]
fn a_unit_of_which_nothing_is_told_has_a_row_that_says_so() {
    let events = json!([event(
        "ObjectEvent",
        1,
        "shipping",
        json!({"action": "OBSERVE", "epcList": [PALLET]})
    )]);
    let report = report(&events, &[]);
    let shipping = &rows(&report, "Shipping")[0];
    assert_eq!(cell(shipping, "unit-of-logistics"), "195211412345678900");
    assert!(cell(shipping, "missing").contains("Traceability lot code"));
    // Events of other steps are no critical tracking events.
    let others = json!([event(
        "ObjectEvent",
        1,
        "inspecting",
        json!({"action": "OBSERVE", "epcList": [PALLET]})
    )]);
    let nothing = self::report(&others, &[]);
    assert_eq!(nothing.r#type, Outcome::Empty);
}

#[test]
fn cells_of_csv_are_those_of_the_vectors() {
    let cells = include_str!("../../../tests/vectors/csv/cells.json");
    let cells: Vec<(String, String)> = serde_json::from_str(cells).unwrap();
    for (cell, field) in cells {
        let mut out = String::new();
        super::csv::line(&mut out, std::iter::once(cell.as_str()));
        assert_eq!(out, format!("{field}\r\n"));
    }
}

#[test]
fn csv_keeps_texts_and_makes_formulas_harmless() {
    let report = report(&chain(), &[]);
    let locations = report.sheets.iter().find(|sheet| sheet.name == "Locations").unwrap();
    let csv = locations.to_csv();
    assert!(csv.starts_with("GLN,Business name,Telephone,"), "{csv}");
    assert!(csv.contains("9521141001004,\"'=Farm \"\"One\"\"\",+1 555 0100,"), "{csv}");
    let flat = report.to_flat_csv();
    assert!(flat.starts_with("Sheet,Next recipient,"), "{flat}");
    assert!(flat.contains("\r\nShipping,"));
}

#[test]
fn units_in_each_other_end() {
    let put = |parent: &str, child: &str| {
        event(
            "AggregationEvent",
            1,
            "packing",
            json!({"action": "ADD", "parentID": parent, "childEPCs": [child]}),
        )
    };
    let other = "urn:epc:id:sscc:9521141.1234567891";
    let events = json!([
        put(PALLET, other),
        put(other, PALLET),
        event("ObjectEvent", 2, "shipping", json!({"action": "OBSERVE", "epcList": [PALLET]})),
    ]);
    assert_eq!(rows(&report(&events, &[]), "Shipping").len(), 0);
}

#[test]
fn another_report_is_refused_by_name() {
    let error = made("fsma", "[]", &json!({})).unwrap_err();
    assert!(error.to_string().contains("fsma204"), "{error}");
}
