//! Writes the embedded official schema to standard output, for other implementations that need the same bytes.

fn main() {
    print!("{}", epcis_edge_schema::TEXT);
}
