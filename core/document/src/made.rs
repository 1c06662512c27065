//! Files of TypeScript that tests make of the tables. `EPCIS_EDGE_BLESS=1` writes them.

/// A list of texts in TypeScript.
pub(crate) fn quoted(names: &[&str]) -> String {
    format!("['{}']", names.join("', '"))
}

/// Asserts that a file has the text that was made of a table, behind a line about where it is from.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "a test may read and write the files that are made")]
pub(crate) fn is(file: &str, table: &str, text: &str) {
    let path = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
    let text = format!(
        "// Made from {table} by `EPCIS_EDGE_BLESS=1 cargo test -p epcis-edge-document --lib are_current`: change nothing here.\n{text}"
    );
    if let Ok(value) = std::env::var("EPCIS_EDGE_BLESS") {
        assert_eq!(value, "1", "EPCIS_EDGE_BLESS is `1` or not set");
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(&path).unwrap_or_default(),
        text,
        "{file} is not what the table says: EPCIS_EDGE_BLESS=1 writes it anew"
    );
}
