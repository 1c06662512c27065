//! The form in which identifiers are compared.

use super::to_digital_link;
use std::borrow::Cow;

/// The form in which an identifier is compared: the same for all its spellings.
pub fn thing(id: &str) -> String {
    to_digital_link(id).unwrap_or(Cow::Borrowed(id)).into_owned()
}

/// The product of an instance, a lot, a class or a pattern: its GTIN as a Digital Link. Any other identifier as itself.
pub fn product(id: &str) -> String {
    const START: &str = "https://id.gs1.org/01/";
    // A pattern of all serials has the GTIN of any lot.
    let pattern = id
        .strip_prefix("urn:epc:idpat:sgtin:")
        .and_then(|pattern| pattern.strip_suffix(".*"))
        .map(|class| format!("urn:epc:class:lgtin:{class}.0"));
    let thing = thing(pattern.as_deref().unwrap_or(id));
    let end = thing.strip_prefix(START).and_then(|rest| rest.find('/')).map(|at| START.len() + at);
    match end {
        Some(end) => thing.get(..end).map(str::to_owned).unwrap_or(thing),
        None => thing,
    }
}

#[cfg(test)]
mod tests {
    use super::product;

    #[test]
    fn all_spellings_of_a_product_are_one() {
        for id in [
            "urn:epc:id:sgtin:030001.0012345.11",
            "urn:epc:idpat:sgtin:030001.0012345.*",
            "urn:epc:class:lgtin:030001.0012345.A1",
            "https://example.com/01/00300010123455/10/B",
            "https://id.gs1.org/01/00300010123455",
        ] {
            assert_eq!(product(id), "https://id.gs1.org/01/00300010123455", "{id}");
        }
        assert_eq!(product("urn:x:1"), "urn:x:1");
    }
}
