//! Reports over the public examples of their industries.

use epcis_edge_core::json::Document;
use epcis_edge_core::report::{
    Report, ReportName, ReportRequest, Reporter, exception_report, report_document,
};
use epcis_edge_core::time::Timestamp;
use epcis_edge_core::translate::translate;
use epcis_edge_tests::{outside_vectors, read};

fn report(name: &str) -> Report {
    let folder = outside_vectors("profiles").expect("../shared/vectors/profiles");
    let text = read(&folder.join(format!("fsma204/{name}-cte.jsonld")));
    let document = Document::read(&text).unwrap();
    let request = ReportRequest::on_all(ReportName::Fsma204);
    report_document(&request, &document, Timestamp::default()).unwrap()
}

/// The sheets of critical tracking events that have rows, and how many.
fn sheets(report: &Report) -> Vec<(&str, usize)> {
    let sheets = report.sheets.iter().filter(|sheet| !sheet.rows.is_empty());
    let sheets = sheets.filter(|sheet| !["Locations", "Products", "About"].contains(&&*sheet.name));
    sheets.map(|sheet| (&*sheet.name, sheet.rows.len())).collect()
}

/// The cell of a row, by the title of its column.
fn cell<'r>(report: &'r Report, sheet: &str, row: usize, title: &str) -> &'r str {
    let sheet = report.sheets.iter().find(|known| known.name == sheet).unwrap();
    let column = sheet.columns.iter().position(|column| column.title == title);
    &sheet.rows[row][column.unwrap()]
}

/// Some examples have the events before theirs, too, which have rows of their own.
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
#[test]
fn each_example_of_fsma_204_is_a_row_of_its_sheet() {
    for (name, expected) in [
        ("harvest", &[("Harvesting", 1)][..]),
        ("cooling", &[("Cooling", 1)]),
        ("initial-packing", &[("Harvesting", 1), ("Cooling", 1), ("Initial packing", 1)]),
        ("first-land-based-receiver", &[("First land-based receiving", 1)]),
        ("shipping", &[("Shipping", 2), ("Transformation", 1)]),
        // Two inputs: a row for each pair.
        ("transformation", &[("Transformation", 2)]),
    ] {
        let report = report(name);
        assert_eq!(sheets(&report), expected, "{name}");
    }
    let report = report("receiving");
    let received = sheets(&report);
    assert!(
        received.iter().any(|(sheet, rows)| *sheet == "Receiving" && *rows > 0),
        "{received:?}"
    );
}

#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
#[test]
fn a_shipment_takes_its_lots_from_the_pallet_and_their_source_from_where_they_were_made() {
    let report = report("shipping");
    let cells = |title| [0, 1].map(|row| cell(&report, "Shipping", row, title));
    assert_eq!(cells("Traceability lot code"), ["ABC1234", "ABC5678"]);
    // Where the second lot was made is not in the document.
    let [first, second] = cells("Traceability lot code source");
    assert!(!first.is_empty() && second.is_empty(), "{first} {second}");
    let [first, second] = cells("What is missing");
    assert!(!first.contains("lot code source"), "{first}");
    assert!(second.contains("lot code source"), "{second}");
    for hash in cells("Content hash of the event") {
        assert!(hash.starts_with("ni:///sha-256;"));
    }
}

/// What a packer must know of a lot comes from four events.
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
#[test]
fn a_row_of_initial_packing_joins_harvest_cooling_and_receipt() {
    let report = report("initial-packing");
    for (title, expected) in [
        ("Date received", "2026-04-17"),
        ("Quantity received", "25000"),
        ("Farm", "0860009999060"),
        ("Date of harvesting", "2026-04-17"),
        ("Cooled at", "0860009999992"),
        ("GTIN", "10860009999920"),
        ("Traceability lot code", "ABC1234"),
        ("Quantity packed", "500"),
        ("Traceability lot code source", "0860009999992"),
        ("Date packed", "2026-04-18"),
        ("Reference document", "prodorder PACK-20260418-042"),
    ] {
        let found = cell(&report, "Initial packing", 0, title);
        assert_eq!(found, expected, "{title}");
    }
}

/// The example of GS1 US, as JSON.
fn pharma() -> String {
    let folder = outside_vectors("profiles").expect("../shared/vectors/profiles");
    let xml = read(&folder.join("dscsa/GS1_US_Pharma_Example_2_2_1_1.xml"));
    translate(&xml).unwrap().document
}

/// Three cases of four items, items and cases in lots of their own.
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
#[test]
fn the_example_of_gs1_us_has_its_transaction_information() {
    let text = pharma();
    let document = Document::read(text.as_bytes()).unwrap();
    let request = ReportRequest::on_all(ReportName::Dscsa);
    let report = report_document(&request, &document, Timestamp::default()).unwrap();
    assert_eq!(
        sheets(&report),
        [("Transaction information", 1), ("Serial numbers", 12), ("Transaction statement", 1)]
    );
    let cell = |title| cell(&report, "Transaction information", 0, title);
    assert_eq!(cell("Number of containers"), "12");
    assert_eq!(cell("What is missing"), "", "{report:#?}");
}

/// The schema of the Partnership for DSCSA Governance accepts the exception report of each broken document.
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
#[test]
fn exception_reports_are_valid_by_the_schema_of_the_industry() {
    let folder = outside_vectors("profiles").expect("../shared/vectors/profiles");
    let schema = read(&folder.join("dscsa/pdg/report_schema.json"));
    let schema = serde_json::from_slice(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let reporter = Reporter { email: "quality@buyer.example".to_owned(), ..Reporter::default() };
    let report = |text: &str| {
        let document = Document::read(text.as_bytes()).unwrap();
        exception_report(&document, &reporter, Timestamp::default())
    };
    let original = pharma();
    let nothing = report(&original).unwrap_err().to_string();
    assert!(nothing.starts_with("there is nothing to report"), "{nothing}");
    for (from, to, place) in [
        (
            "urn:epc:idpat:sgtin:030001.0012345.*",
            "urn:epc:idpat:sgtin:030001.0099999.*",
            "/exceptions/master_data_errors/gtin_errors/0/invalid_gtin",
        ),
        (
            "urn:epcglobal:cbv:mda#streetAddressOne",
            "urn:x:street",
            "/exceptions/master_data_errors/gln_errors/0/invalid_gln",
        ),
        (
            "urn:epc:id:sgtin:030001.0012345.11\"",
            "urn:epc:id:sgtin:030001.0012345.99\"",
            "/exceptions/missing_product_data/0/product_serial",
        ),
        ("lotNumber", "otherNumber", "/other_errors/0"),
    ] {
        assert!(original.contains(from), "{from}");
        let broken = original.replacen(from, to, 1);
        let report = report(&broken).unwrap();
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} {report}");
        assert!(report.pointer(place).is_some(), "{place} {report}");
    }
}
