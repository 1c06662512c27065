//! Writes the official schema, as it is embedded, to standard output: for peers that need the same bytes.

fn main() {
    print!("{}", epcis_edge_schema::TEXT);
}
