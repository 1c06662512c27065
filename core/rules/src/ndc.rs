//! The National Drug Code in a GTIN.

use epcis_edge_document::identifier::product;

/// Whether a National Drug Code has other digits than a GTIN. In a GTIN whose company prefix begins with `03`, the ten digits of
/// the code follow these two. False for any other GTIN, and for a code in no known form.
///
/// **Source**: GS1 General Specifications, 2.1.14.1 (the prefix 03 of the FDA); 21 CFR 207.35. Of eleven digits one zero is padding: at
/// the first place (4-4-2), the sixth (5-3-2) or the tenth (5-4-1).
pub(super) fn is_other_ndc(code: &str, gtin: &str) -> bool {
    let gtin = product(gtin);
    let Some(digits) = gtin.strip_prefix("https://id.gs1.org/01/") else { return false };
    let Some(known) =
        digits.get(3..13).filter(|_| digits.len() == 14 && digits.get(1..3) == Some("03"))
    else {
        return false;
    };
    let written: String = code.chars().filter(|letter| *letter != '-').collect();
    if !written.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    match written.len() {
        10 => written != known,
        11 => [0, 5, 9].into_iter().all(|padding| {
            let without =
                written.bytes().enumerate().filter(|(at, _)| *at != padding).map(|(_, byte)| byte);
            written.as_bytes().get(padding) != Some(&b'0') || !without.eq(known.bytes())
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_other_ndc;

    #[test]
    fn the_digits_of_a_code_are_those_of_the_gtin() {
        for (code, gtin, expected) in [
            ("0001-0123-45", "urn:epc:idpat:sgtin:030001.0012345.*", false),
            ("0001-0123-46", "urn:epc:idpat:sgtin:030001.0012345.*", true),
            ("00001012345", "urn:epc:id:sgtin:030001.0012345.12", false),
            ("00001012346", "urn:epc:id:sgtin:030001.0012345.12", true),
            ("0001-0123-46", "urn:epc:idpat:sgtin:9521141.012345.*", false),
            ("unknown", "urn:epc:idpat:sgtin:030001.0012345.*", false),
            ("", "urn:epc:idpat:sgtin:030001.0012345.*", false),
        ] {
            assert_eq!(is_other_ndc(code, gtin), expected, "{code} {gtin}");
        }
    }
}
