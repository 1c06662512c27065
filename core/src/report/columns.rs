//! The columns of the sheets, in the order of the law.

use super::request::ReportName;
use super::table::{Column, MISSING, Sheet, column, more};

fn lot(source: &'static str) -> [Column; 2] {
    [
        column("gtin", "GTIN", source),
        column("lot", "Traceability lot code", source),
    ]
}

/// The sheets of `fsma204`, in the order of 21 CFR 1, subpart S.
#[rustfmt::skip]
pub(super) fn sheets_of_fsma204() -> Vec<Sheet> {
    let sheet = |name, mut columns: Vec<Column>| {
        columns.push(more("derived", "How the kind of event was told", ""));
        Sheet::new(name, columns)
    };
    vec![
        sheet("Harvesting", [vec![
            column("recipient", "Next recipient", "21 CFR 1.1325(a)(1)(i)"),
            column("product", "Commodity and variety", "21 CFR 1.1325(a)(1)(ii)"),
        ], lot("21 CFR 1.1325(a)(1)").to_vec(), vec![
            column("quantity", "Quantity", "21 CFR 1.1325(a)(1)(iii)"),
            column("unit", "Unit", "21 CFR 1.1325(a)(1)(iii)"),
            column("farm", "Farm", "21 CFR 1.1325(a)(1)(iv)"),
            column("field", "Field", "21 CFR 1.1325(a)(1)(v)"),
            more("container", "Container", "21 CFR 1.1325(a)(1)(vi)"),
            column("date", "Date of harvesting", "21 CFR 1.1325(a)(1)(vii)"),
            column("document", "Reference document", "21 CFR 1.1325(a)(1)(viii)"),
            column("harvester", "Harvester's name", "21 CFR 1.1325(a)(2)"),
            column("telephone", "Harvester's telephone", "21 CFR 1.1325(a)(2)"),
        ]].concat()),
        sheet("Cooling", [vec![
            column("recipient", "Next recipient", "21 CFR 1.1325(b)(1)"),
            column("product", "Commodity and variety", "21 CFR 1.1325(b)(1)"),
        ], lot("21 CFR 1.1325(b)(1)").to_vec(), vec![
            column("quantity", "Quantity", "21 CFR 1.1325(b)(1)"),
            column("unit", "Unit", "21 CFR 1.1325(b)(1)"),
            column("place", "Cooled at", "21 CFR 1.1325(b)(1)"),
            column("date", "Date of cooling", "21 CFR 1.1325(b)(1)"),
            column("farm", "Farm", "21 CFR 1.1325(b)(1)"),
            column("document", "Reference document", "21 CFR 1.1325(b)(1)"),
        ]].concat()),
        sheet("Initial packing", vec![
            column("received-product", "Commodity and variety received", "21 CFR 1.1330(a)(1)"),
            column("received-date", "Date received", "21 CFR 1.1330(a)(2)"),
            column("received-quantity", "Quantity received", "21 CFR 1.1330(a)(3)"),
            column("received-unit", "Unit received", "21 CFR 1.1330(a)(3)"),
            column("farm", "Farm", "21 CFR 1.1330(a)(4)"),
            column("field", "Field", "21 CFR 1.1330(a)(5)"),
            more("container", "Container", "21 CFR 1.1330(a)(6)"),
            column("harvester", "Harvester's name", "21 CFR 1.1330(a)(7)"),
            column("telephone", "Harvester's telephone", "21 CFR 1.1330(a)(7)"),
            column("harvest-date", "Date of harvesting", "21 CFR 1.1330(a)(8)"),
            more("cooled-at", "Cooled at", "21 CFR 1.1330(a)(9)"),
            more("cooled-date", "Date of cooling", "21 CFR 1.1330(a)(10)"),
            column("gtin", "GTIN", "21 CFR 1.1330(a)(11)"),
            column("lot", "Traceability lot code", "21 CFR 1.1330(a)(11)"),
            column("product", "Product description", "21 CFR 1.1330(a)(12)"),
            column("quantity", "Quantity packed", "21 CFR 1.1330(a)(13)"),
            column("unit", "Unit packed", "21 CFR 1.1330(a)(13)"),
            column("source", "Traceability lot code source", "21 CFR 1.1330(a)(14)"),
            column("date", "Date packed", "21 CFR 1.1330(a)(15)"),
            column("document", "Reference document", "21 CFR 1.1330(a)(16)"),
        ]),
        sheet("First land-based receiving", [lot("21 CFR 1.1335(a)").to_vec(), vec![
            column("product", "Species or market name", "21 CFR 1.1335(b)"),
            column("quantity", "Quantity", "21 CFR 1.1335(c)"),
            column("unit", "Unit", "21 CFR 1.1335(c)"),
            column("harvest-dates", "Dates of harvesting", "21 CFR 1.1335(d)"),
            column("areas", "Areas of harvesting", "21 CFR 1.1335(d)"),
            column("source", "Traceability lot code source", "21 CFR 1.1335(e)"),
            column("date", "Date landed", "21 CFR 1.1335(f)"),
            column("document", "Reference document", "21 CFR 1.1335(g)"),
        ]].concat()),
        sheet("Shipping", [lot("21 CFR 1.1340(a)(1)").to_vec(), vec![
            column("quantity", "Quantity", "21 CFR 1.1340(a)(2)"),
            column("unit", "Unit", "21 CFR 1.1340(a)(2)"),
            column("product", "Product description", "21 CFR 1.1340(a)(3)"),
            column("recipient", "Next recipient", "21 CFR 1.1340(a)(4)"),
            column("place", "Shipped from", "21 CFR 1.1340(a)(5)"),
            column("date", "Date of shipping", "21 CFR 1.1340(a)(6)"),
            column("source", "Traceability lot code source", "21 CFR 1.1340(a)(7)"),
            column("document", "Reference document", "21 CFR 1.1340(a)(8)"),
            more("unit-of-logistics", "Logistic unit", ""),
        ]].concat()),
        sheet("Receiving", [lot("21 CFR 1.1345(a)(1)").to_vec(), vec![
            column("quantity", "Quantity", "21 CFR 1.1345(a)(2)"),
            column("unit", "Unit", "21 CFR 1.1345(a)(2)"),
            column("product", "Product description", "21 CFR 1.1345(a)(3)"),
            column("sender", "Previous source", "21 CFR 1.1345(a)(4)"),
            column("place", "Received at", "21 CFR 1.1345(a)(5)"),
            column("date", "Date of receiving", "21 CFR 1.1345(a)(6)"),
            column("source", "Traceability lot code source", "21 CFR 1.1345(a)(7)"),
            column("document", "Reference document", "21 CFR 1.1345(a)(8)"),
            more("unit-of-logistics", "Logistic unit", ""),
        ]].concat()),
        sheet("Transformation", vec![
            column("input-gtin", "GTIN used", "21 CFR 1.1350(a)(1)(i)"),
            column("input-lot", "Traceability lot code used", "21 CFR 1.1350(a)(1)(i)"),
            column("input-product", "Product used", "21 CFR 1.1350(a)(1)(ii)"),
            column("input-quantity", "Quantity used", "21 CFR 1.1350(a)(1)(iii)"),
            column("input-unit", "Unit used", "21 CFR 1.1350(a)(1)(iii)"),
            column("gtin", "GTIN", "21 CFR 1.1350(a)(2)(i)"),
            column("lot", "New traceability lot code", "21 CFR 1.1350(a)(2)(i)"),
            column("source", "Traceability lot code source", "21 CFR 1.1350(a)(2)(ii)"),
            column("date", "Date completed", "21 CFR 1.1350(a)(2)(iii)"),
            column("product", "Product description", "21 CFR 1.1350(a)(2)(iv)"),
            column("quantity", "Quantity", "21 CFR 1.1350(a)(2)(v)"),
            column("unit", "Unit", "21 CFR 1.1350(a)(2)(v)"),
            column("document", "Reference document", "21 CFR 1.1350(a)(2)(vi)"),
        ]),
    ]
}

/// Where 21 CFR 1, subpart S, says what a description of a place and of a product has.
const DESCRIPTIONS: &str = "21 CFR 1.1310";

/// The sheet of places and parties. Only the FSMA asks for a telephone number.
pub(super) fn locations(report: ReportName) -> Sheet {
    let is_fsma = report == ReportName::Fsma204;
    let source = if is_fsma { DESCRIPTIONS } else { "" };
    let telephone = if is_fsma { column } else { more };
    let columns = vec![
        column("gln", "GLN", ""),
        column("name", "Business name", source),
        telephone("telephone", "Telephone", source),
        column("street", "Street", source),
        column("city", "City", source),
        column("state", "State", source),
        column("postal-code", "Postal code", source),
        more("country", "Country", source),
        more(MISSING, "What is missing", ""),
    ];
    Sheet::new("Locations", columns)
}

/// The sheet of products.
pub(super) fn products(report: ReportName) -> Sheet {
    let is_fsma = report == ReportName::Fsma204;
    let source = if is_fsma { DESCRIPTIONS } else { "" };
    let columns = vec![
        column("gtin", "GTIN", ""),
        column("product", "Product name", source),
        more("brand", "Brand", source),
        more("variety", "Variety", source),
        more("size", "Packaging size", source),
        more(MISSING, "What is missing", ""),
    ];
    Sheet::new("Products", columns)
}
