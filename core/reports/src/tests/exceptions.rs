//! Exception reports.

use super::chain;
use super::medicines::medicines;
use crate::{Reporter, exception_report};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Document;
use epcis_edge_text::time::Timestamp;
use serde_json::{Value, json};

fn exceptions(document: &Value) -> Result<Value, Error> {
    let text = document.to_string();
    let reporter =
        Document::read(br#"{"email": "quality@buyer.example", "phone": "+1 555 0100"}"#)?;
    let reporter = Reporter::read(reporter.root())?;
    let made = Timestamp::parse("2026-03-10T00:00:00Z").unwrap();
    let report = exception_report(&Document::read(text.as_bytes())?, &reporter, made)?;
    Ok(serde_json::from_str(&report).unwrap())
}

#[test]
fn an_exception_report_puts_findings_where_its_schema_has_a_place() {
    let mut document = medicines();
    let events = document["epcisBody"]["eventList"].as_array_mut().unwrap();
    // Item 3 was never commissioned.
    events.remove(1);
    events.truncate(3);
    let report = exceptions(&document).unwrap();
    assert_eq!(report["po_number"], "PO-1");
    assert_eq!(
        report["sender_information"],
        json!({"gln": "9521141003008", "email": "quality@buyer.example", "phone": "+1 555 0100"})
    );
    assert_eq!(report["timestamp"], 1_773_100_800);
    let item = &report["exceptions"]["missing_product_data"][0];
    assert_eq!(
        (&item["product_gtin"], &item["product_serial"]),
        (&json!("09521141123454"), &json!("3"))
    );
    let glns = report["exceptions"]["master_data_errors"]["gln_errors"].as_array().unwrap();
    assert!(glns.iter().any(|error| error["invalid_gln"] == "9521141003008"), "{report}");
    let gtins = report["exceptions"]["master_data_errors"]["gtin_errors"].as_array().unwrap();
    assert_eq!(gtins.len(), 1, "{report}");
    let uuid = report["message_uuid"].as_str().unwrap();
    assert_eq!((uuid.len(), uuid.chars().nth(14)), (36, Some('8')));
    assert_ne!(report["message_uuid"], report["exception_case_uuid"]);
    // The same again.
    assert_eq!(exceptions(&document).unwrap(), report);
}

#[test]
fn an_exception_report_lists_all_items_or_says_how_many_it_does_not() {
    let of = |count: usize| {
        let mut document = medicines();
        let events = document["epcisBody"]["eventList"].as_array_mut().unwrap();
        events.truncate(4);
        let item = |n: usize| format!("urn:epc:id:sgtin:9521141.012345.U{n}");
        events[3]["epcList"] = (0..count).map(item).collect();
        exceptions(&document).unwrap()
    };
    let listed =
        |report: &Value| report["exceptions"]["missing_product_data"].as_array().unwrap().len();
    let all = of(3000);
    assert_eq!(listed(&all), 3000);
    let some = of(30_000);
    assert!(listed(&some) < 30_000);
    let others = some["other_errors"].to_string();
    assert!(others.contains("more findings are not in this report"), "{others}");
    assert!(!all["other_errors"].to_string().contains("more findings"));
}

#[test]
fn nothing_wrong_is_no_exception_report() {
    let error = exceptions(&chain()).unwrap_err().to_string();
    assert!(error.starts_with("there is nothing to report: "), "{error}");
    let mut several = medicines();
    let events = several["epcisBody"]["eventList"].as_array_mut().unwrap();
    events[3]["bizTransactionList"] = json!([]);
    let error = exceptions(&several).unwrap_err().to_string();
    assert!(error.contains("name no order"), "{error}");
    for wrong in [
        r#"{}"#,
        r#"{"email": "nobody"}"#,
        r#"{"email": "a@b.example", "gln": "1"}"#,
        r#"{"email": "a@b.example", "mail": ""}"#,
    ] {
        let wrong = Document::read(wrong.as_bytes()).unwrap();
        assert!(Reporter::read(wrong.root()).is_err());
    }
}
