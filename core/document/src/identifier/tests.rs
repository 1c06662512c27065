use super::*;
use epcis_edge_text::error::{ErrorKind, IdentifierFault};

/// Asserts that an EPC URN and its Digital Link convert into each other, given the length of the company prefix.
#[track_caller]
fn both_ways(urn: &str, link: &str, prefix_length: usize) {
    let link = format!("https://id.gs1.org/{link}");
    assert_eq!(to_digital_link(urn).as_deref(), Some(link.as_str()), "{urn}");
    assert_eq!(to_epc_urn(&link, prefix_length).as_deref(), Ok(urn), "{link}");
    assert_eq!(to_digital_link(&link), Some(Cow::Borrowed(link.as_str())));
}

#[test]
fn every_scheme_goes_both_ways() {
    both_ways("urn:epc:id:sgtin:9521321.012345.400", "01/09521321123458/21/400", 7);
    both_ways("urn:epc:id:sgtin:952132123456.5.A%2FB.C", "01/59521321234562/21/A%2FB.C", 12);
    both_ways("urn:epc:class:lgtin:952132.9000017.LOT-1", "01/99521320000173/10/LOT-1", 6);
    both_ways("urn:epc:id:sscc:9521321.3000000042", "00/395213210000000422", 7);
    both_ways("urn:epc:id:sgln:9521321.00005.0", "414/9521321000056", 7);
    both_ways("urn:epc:id:sgln:9521321.00005.12", "414/9521321000056/254/12", 7);
    both_ways("urn:epc:id:sgln:952132100005..12", "414/9521321000056/254/12", 12);
    both_ways("urn:epc:id:pgln:9521321.00005", "417/9521321000056", 7);
    both_ways("urn:epc:id:grai:9521321.00005.x7", "8003/09521321000056x7", 7);
    both_ways("urn:epc:id:giai:9521321.ABC345", "8004/9521321ABC345", 7);
    both_ways("urn:epc:id:gsrn:9521321.0000000007", "8018/952132100000000076", 7);
    both_ways("urn:epc:id:gsrnp:9521321.0000000007", "8017/952132100000000076", 7);
    both_ways("urn:epc:id:gdti:9521321.00005.PO-4711", "253/9521321000056PO-4711", 7);
    both_ways("urn:epc:id:sgcn:9521321.00005.0042", "255/95213210000560042", 7);
    both_ways("urn:epc:id:cpi:9521321.AB-12.1234", "8010/9521321AB-12/8011/1234", 7);
    both_ways("urn:epc:id:ginc:9521321.xyz", "401/9521321xyz", 7);
    both_ways("urn:epc:id:gsin:9521321.222333444", "402/95213212223334444", 7);
    both_ways("urn:epc:id:itip:9521321.012345.01.02.987", "8006/095213211234580102/21/987", 7);
    both_ways("urn:epc:id:upui:9521321.012345.51qIgY", "01/09521321123458/235/51qIgY", 7);
    both_ways("urn:epc:idpat:sgtin:9521321.012345.*", "01/09521321123458", 7);
    both_ways("urn:epc:idpat:grai:9521321.00005.*", "8003/09521321000056", 7);
    both_ways("urn:epc:idpat:grai:952132100005..*", "8003/09521321000056", 12);
    both_ways("urn:epc:idpat:gdti:9521321.00005.*", "253/9521321000056", 7);
    both_ways("urn:epc:idpat:sgcn:9521321.00005.*", "255/9521321000056", 7);
    both_ways("urn:epc:idpat:cpi:9521321.AB-12.*", "8010/9521321AB-12", 7);
    both_ways("urn:epc:idpat:itip:9521321.012345.01.02.*", "8006/095213211234580102", 7);
}

#[track_caller]
fn canonical(identifier: &str, link: &str) {
    let link = format!("https://id.gs1.org/{link}");
    assert_eq!(to_digital_link(identifier).as_deref(), Some(link.as_str()), "{identifier}");
}

#[test]
fn digital_links_become_canonical() {
    canonical("http://shop.example/a/b/gtin/9521321123458/?x=1#y", "01/09521321123458");
    canonical("https://shop.example/01/09521321123458/22/v/10/L/21/S", "01/09521321123458/21/S");
    canonical("https://shop.example/01/09521321123458/21/S/10/L", "01/09521321123458/21/S");
    canonical("https://shop.example/01/09521321123458/10/L/235/U", "01/09521321123458/235/U");
    canonical("https://shop.example/01/09521321123458/22/v", "01/09521321123458");
    canonical("https://localhost/gln/9521321000056/254/0", "414/9521321000056/254/0");
    canonical("https://shop.example/01/01/09521321123458", "01/09521321123458");
    canonical(
        "https://shop.example/01/09521321123458/21/%28a%29(b)",
        "01/09521321123458/21/%28a%29(b)",
    );
    canonical("https://shop.example/cpid/9521321A%23%2F/8011/1", "8010/9521321A%23%2F/8011/1");
    canonical("urn:epc:idpat:upui:9521321.012345.*", "01/09521321123458");
}

#[test]
fn what_follows_no_form_is_left_alone() {
    for identifier in [
        "",
        "urn:epc:",
        "urn:epc:id:",
        "urn:epc:id:sgtin:",
        "urn:epc:id:sgtin:9521321",
        "urn:epc:id:sgtin:9521321.012345",
        "urn:epc:id:sgtin:9521321.012345.",
        "urn:epc:id:sgtin:9521321.01234.1",
        "urn:epc:id:sgtin:9521321.0123456.1",
        "urn:epc:id:sgtin:95213.00012345.1",
        "urn:epc:id:sgtin:9521321000000..1",
        "urn:epc:id:sgtin:952132A.012345.1",
        "urn:epc:id:sgtin:９521321.012345.1",
        "urn:epc:id:sgtin:9521321.é12345.1",
        "urn:epc:id:sscc:9521321.300000004",
        "urn:epc:id:sscc:9521321.30000000422",
        "urn:epc:id:sgln:9521321.00005",
        "urn:epc:id:sgln:9521321.00005.",
        "urn:epc:id:itip:9521321.012345.1.02.987",
        "urn:epc:id:itip:9521321.012345.01.02",
        "urn:epc:id:cpi:9521321.ABC",
        "urn:epc:id:cpi:9521321..1",
        "urn:epc:id:giai:9521321.",
        "urn:epc:id:gid:9521321.1.2",
        "urn:epc:id:usdod:CAGEY.5678",
        "urn:epc:id:imovn:9176187",
        "urn:epc:idpat:sgtin:9521321.*.*",
        "urn:epc:idpat:sgtin:9521321.012345.1",
        "urn:epc:idpat:sgln:9521321.00005.*",
        "urn:epc:class:sgtin:9521321.012345.1",
        "urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8",
        "https://",
        "https:///",
        "https://shop.example",
        "https://shop.example/",
        "https://shop.example/01",
        "https://shop.example/01/",
        "https://shop.example/01/952132112345",
        "https://shop.example/01/09521321123458/10",
        "https://shop.example/01/09521321123458/10/",
        "https://shop.example/01/09521321123458/10//21/1",
        "https://shop.example/01/09521321123458/99/x",
        "https://shop.example/01/09521321123458/21/a/21/b",
        "https://shop.example/01/09521321123458/21/a/235/b",
        "https://shop.example/417/9521321000056/254/1",
        "https://shop.example/00/39521321000000042",
        "https://shop.example/253/95213210000",
        "https://shop.example/253/9521321000056123456789012345678",
        "https://shop.example/255/9521321000056x",
        "https://shop.example/8004/1234567890123456789012345678901",
        "ftp://shop.example/01/09521321123458",
        "httpé",
    ] {
        let expected = (identifier == "https://shop.example/01/952132112345")
            .then_some("https://id.gs1.org/01/00952132112345");
        assert_eq!(to_digital_link(identifier).as_deref(), expected, "{identifier}");
    }
}

#[test]
fn added_escapes_are_for_converted_urns_only() {
    let convert = |identifier| {
        let mut out = Vec::new();
        push_digital_link(identifier, Escapes::Added, &mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(
        convert("urn:epc:id:sgtin:9521321.012345.a!(b)*+,:%2F"),
        "https://id.gs1.org/01/09521321123458/21/a%21%28b%29%2A%2B%2C%3A%2F"
    );
    assert_eq!(
        convert("https://a.example/01/09521321123458/21/a!(b)"),
        "https://id.gs1.org/01/09521321123458/21/a!(b)"
    );
}

#[test]
fn the_way_back_says_what_is_wrong() {
    let fault = |link: &str, length| match *to_epc_urn(link, length).unwrap_err().kind() {
        ErrorKind::Identifier(fault) => fault,
        ref other => panic!("{other}"),
    };
    let gtin = "https://id.gs1.org/01/09521321123458";
    assert_eq!(fault("urn:epc:id:giai:9521321.A", 7), IdentifierFault::NotDigitalLink);
    assert_eq!(fault(gtin, 5), IdentifierFault::CompanyPrefixLength(5));
    assert_eq!(fault(gtin, 13), IdentifierFault::CompanyPrefixLength(13));
    let wrong = IdentifierFault::CheckDigit { expected: '8', found: '5' };
    assert_eq!(fault("https://id.gs1.org/01/09521321123455", 7), wrong);
    assert_eq!(fault("https://id.gs1.org/8003/19521321000056", 7), IdentifierFault::NoUrn);
    let lot = "https://id.gs1.org/8006/095213211234580102/10/L";
    assert_eq!(fault(lot, 7), IdentifierFault::NoUrn);
    let short = "https://id.gs1.org/8004/952132A";
    assert_eq!(fault(short, 7), IdentifierFault::CompanyPrefixLength(7));
    assert_eq!(
        to_epc_urn("https://a.example/gtin/9521321123458/21/a&b", 7).as_deref(),
        Ok("urn:epc:id:sgtin:9521321.012345.a%26b")
    );
}

/// The short names of application identifiers: of a key the name in a Digital Link, in capitals, of a qualifier what it is.
#[test]
fn the_short_names_of_keys_are_current() {
    let mut names = std::collections::BTreeMap::new();
    for key in &scheme::KEYS {
        let word = key.word.to_uppercase();
        let is_name = word.contains(key.name);
        let name = if is_name { word } else { format!("{} {}", key.word, key.name) };
        names.insert(key.ai, name);
        for qualifier in key.qualifiers {
            let name = qualifier.name.trim_end_matches(" number");
            let name = name.rsplit(' ').next().unwrap_or(name);
            names.insert(qualifier.ai(), name.to_owned());
        }
    }
    let mut text = String::from(
        "\n/** The short names of application identifiers. */\nexport const KEYS: Readonly<Record<string, string>> = {\n",
    );
    for (ai, name) in names {
        let ai = if ai.starts_with('0') { format!("'{ai}'") } else { ai.to_owned() };
        text += &format!("  {ai}: '{name}',\n");
    }
    text += "};\n";
    crate::made::is("wasm/document/keys.ts", "core/document/src/identifier/scheme.rs", &text);
}
