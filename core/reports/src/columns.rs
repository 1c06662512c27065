//! The columns that reports share.

use super::table::{Column, MISSING, SheetForm, column, column_of, more};

/// The columns at the end of every sheet about events; `LOGGED` only for events of a gateway with a log.
pub(super) static CITED: [Column; 3] = [
    more("offset", "Time zone of the dates", ""),
    more("event", "Event", ""),
    more("hash", "Content hash of the event", ""),
];
pub(super) static LOGGED: [Column; 2] =
    [more("entry", "Entry in the log", ""), more("proof", "Proof that it was logged", "")];
pub(super) static LAST: [Column; 1] = [more(MISSING, "What is missing", "")];

/// The sheet that says what the report is about.
pub(super) const ABOUT: SheetForm =
    ("About", &[&[column("what", "What", ""), more("says", "It says", "")]]);

/// The names of the sheets of places and parties, and of products.
pub(super) const LOCATIONS: &str = "Locations";
pub(super) const PRODUCTS: &str = "Products";

pub(super) const PLACES: SheetForm = (LOCATIONS, &[&places("", false), &LAST]);
pub(super) const GOODS: SheetForm = (PRODUCTS, &[&goods(""), &LAST]);

/// The columns about places. Only the FSMA asks for a telephone number.
pub(super) const fn places(source: &'static str, needs_telephone: bool) -> [Column; 8] {
    [
        column("gln", "GLN", ""),
        column("name", "Business name", source),
        column_of("telephone", "Telephone", source, needs_telephone),
        column("street", "Street", source),
        column("city", "City", source),
        column("state", "State", source),
        column("postal-code", "Postal code", source),
        more("country", "Country", source),
    ]
}

/// The columns about products.
pub(super) const fn goods(source: &'static str) -> [Column; 5] {
    [
        column("gtin", "GTIN", ""),
        column("product", "Product name", source),
        more("brand", "Brand", source),
        more("variety", "Variety", source),
        more("size", "Packaging size", source),
    ]
}
