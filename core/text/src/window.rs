//! The bytes of short texts, compared eight at a time as numbers, without a call.

// Also used to look up the words of the schema.
pub use epcis_edge_schema::digest::{are_same, first};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_show_what_bytes_show() {
        let text = b"the quick brown fox, 0123456789";
        for start in 0..text.len() {
            for end in start..=text.len() {
                let part = text.get(start..end).unwrap();
                let mut padded = [0; 8];
                let shown = part.len().min(8);
                padded[..shown].copy_from_slice(&part[..shown]);
                assert_eq!(first(part), u64::from_le_bytes(padded), "{start}..{end}");
                let mut other = part.to_vec();
                assert!(are_same(part, &other));
                for changed in 0..part.len() {
                    other[changed] ^= 0x20;
                    assert!(!are_same(part, &other), "{start}..{end}, {changed}");
                    other[changed] ^= 0x20;
                }
            }
        }
        assert!(!are_same(b"", b"\0"));
    }
}
