//! The packs of industries over public documents: what they find there was looked at, one by one, and nothing else is found.

use epcis_edge_core::check::{CheckReport, Checks, PROFILES};
use epcis_edge_core::error::ErrorKind;
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::translate;
use epcis_edge_tests::{entries, outside_vectors, read};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// 2026-11-01T00:00:00Z.
const NOW: u64 = 1_793_491_200_000;

fn folder() -> PathBuf {
    outside_vectors("profiles").expect("../shared/vectors/profiles")
}

/// What a pack finds in JSON or XML; none for a document without events.
fn check(pack: &str, text: &[u8]) -> Option<CheckReport> {
    let checks = Checks::named(&[pack]).unwrap();
    let is_xml = text.iter().find(|byte| byte.is_ascii_graphic()) == Some(&b'<');
    let report = if is_xml {
        checks.check_translation(&translate(text).unwrap(), Some(NOW))
    } else {
        checks.check(&Document::read(text).unwrap(), Some(NOW))
    };
    match report {
        Err(error) if *error.kind() == ErrorKind::NoEvents => None,
        report => Some(report.unwrap()),
    }
}

/// The rules that found something, without the name of their pack unless it is another one, each with how often.
fn found(pack: &str, report: &CheckReport) -> BTreeMap<String, usize> {
    let rules = report.rules.iter().map(|rule| {
        let name = rule.rule.strip_prefix(&format!("{pack}/"));
        (name.unwrap_or(&rule.rule).to_owned(), rule.count)
    });
    rules.collect()
}

fn expected(rules: &[(&str, usize)]) -> BTreeMap<String, usize> {
    let rules = rules.iter().map(|(rule, count)| ((*rule).to_owned(), *count));
    rules.collect()
}

/// The example of GS1 US, and what one change each makes of it. `from` is a part of it, and is replaced once.
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
#[test]
fn each_mutant_of_the_pharma_example_is_found_and_the_original_is_silent() {
    let path = folder().join("dscsa/GS1_US_Pharma_Example_2_2_1_1.xml");
    let original = String::from_utf8(read(&path)).unwrap();
    let report = check("dscsa", original.as_bytes()).unwrap();
    assert_eq!(found("dscsa", &report), expected(&[]));
    assert_eq!(report.releases[0].release, "R1.3");

    // The whole element that contains a text.
    let element = |name: &str, inner: &str| -> String {
        let at = original.find(inner).unwrap();
        let start = original[..at].rfind(&format!("<{name}")).unwrap();
        let end = at + original[at..].find(&format!("</{name}>")).unwrap();
        original[start..end + name.len() + 3].to_owned()
    };
    let once = |from: &str, to: &str| original.replacen(from, to, 1);
    let within = |whole: &str, from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        original.replacen(whole, &whole.replacen(from, to, 1), 1)
    };
    let items = element("ObjectEvent", "urn:epc:id:sgtin:030001.0012345.11<");
    let cases = element("ObjectEvent", "urn:epc:id:sgtin:030001.1012345.110<");
    let shipment = element("ObjectEvent", "urn:epcglobal:cbv:bizstep:shipping");
    let packing = |case: u32| {
        let parent = format!("urn:epc:id:sgtin:030001.1012345.{case}</parentID>");
        element("AggregationEvent", &parent)
    };
    let statement = element("gs1ushc:dscsaTransactionStatement", "affirmTransactionStatement");
    let owner = {
        let start = shipment.find("<source ").unwrap();
        let end = start + shipment[start..].find("</source>").unwrap();
        shipment[start..end + "</source>".len()].to_owned()
    };
    let lot = {
        let start = cases.find("<cbvmda:lotNumber>").unwrap();
        let end = start + cases[start..].find("</cbvmda:lotNumber>").unwrap();
        cases[start..end + "</cbvmda:lotNumber>".len()].to_owned()
    };
    let of_case = element("VocabularyElement", "urn:epc:idpat:sgtin:030001.1012345.*");
    let late = {
        let start = packing(110).find("<eventTime>").unwrap() + "<eventTime>".len();
        let end = packing(110).find("</eventTime>").unwrap();
        packing(110)[start..end].to_owned()
    };
    let place = "<bizLocation><id>urn:epc:id:sgln:030001.111121.0</id></bizLocation>";
    let drop_shipment = element("gs1ushc:dropShipment", ">false</gs1ushc");
    let of_medicine = |rule: &str| format!("serialised-medicine/{rule}");
    for (change, mutant, rules) in [
        ("no statement", once(&statement, ""), vec![("statement-missing".to_owned(), 1)]),
        (
            "the statement does not affirm",
            once("affirmTransactionStatement>true", "affirmTransactionStatement>false"),
            vec![("statement-missing".to_owned(), 1)],
        ),
        ("no owning party", within(&shipment, &owner, ""), vec![(of_medicine("owner-missing"), 1)]),
        (
            "a place of a shipment",
            within(&shipment, "</readPoint>", &format!("</readPoint>{place}")),
            vec![(of_medicine("shipping-with-place"), 1)],
        ),
        ("no lot of the cases", within(&cases, &lot, ""), vec![(of_medicine("lot-missing"), 1)]),
        (
            "a date as in a barcode",
            within(&cases, "2025-03-27", "270325"),
            vec![(of_medicine("expiry-form"), 1)],
        ),
        (
            "expired before the shipment",
            original.replace("2025-03-27", "2023-03-31"),
            vec![(of_medicine("shipped-expired"), 15)],
        ),
        (
            "nobody commissioned the items",
            once(&items, ""),
            vec![(of_medicine("shipped-unknown"), 12)],
        ),
        ("case 121 was not packed", once(&packing(121), ""), vec![(of_medicine("left-over"), 4)]),
        (
            "the items are commissioned twice",
            once(&items, &format!("{items}{}", items.replacen("06:", "07:", 1))),
            vec![(of_medicine("commissioned-twice"), 12)],
        ),
        (
            "no master data of the case",
            once(&of_case, ""),
            vec![(of_medicine("product-unknown"), 6)],
        ),
        ("another NDC", once("0001-0123-45", "0001-0123-46"), vec![("ndc-other".to_owned(), 1)]),
        (
            "the code of eleven digits, with hyphens",
            once("US_FDA_NDC", "FDA_NDC_11"),
            vec![("ndc-form".to_owned(), 1), ("release-mixed".to_owned(), 1)],
        ),
        (
            "nothing of a drop shipment",
            once(&drop_shipment, ""),
            vec![("drop-shipment-missing".to_owned(), 1)],
        ),
        (
            "case 110 is packed after it is on the pallet",
            within(&packing(110), &late, "2023-04-01T07:10:16Z"),
            vec![(of_medicine("packed-late"), 4)],
        ),
    ] {
        assert_ne!(mutant, original, "{change}");
        let report = check("dscsa", mutant.as_bytes()).unwrap();
        assert_eq!(found("dscsa", &report), rules.into_iter().collect(), "{change}");
    }
}

/// What the index of these documents says of each, as the rules of the pack name it. Of feed, nothing tells that it is feed.
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
#[test]
fn the_negative_documents_of_gdst_are_found_as_their_index_says() {
    let known: [(&str, &[(&str, usize)]); 15] = [
        ("certification_invalid_type", &[("certificate-word", 1)]),
        ("event_invalid_human_welfare_policy", &[("policy-word", 1)]),
        ("event_missing_information_provider", &[("provider-missing", 1)]),
        ("event_missing_product_owner", &[("owner-missing", 1)]),
        (
            "farm_harvest_event_invalid",
            &[("policy-missing", 1), ("aquaculture-method-missing", 1), ("method-word", 1)],
        ),
        ("farm_harvest_missing_aquaculture_method", &[("aquaculture-method-missing", 1)]),
        ("feedmill_missing_protein_source", &[]),
        ("feedmill_object_event_invalid", &[]),
        ("fishing_event_invalid", &[("catch-missing", 1), ("method-word", 1)]),
        (
            "hatching_event_invalid",
            &[
                ("policy-missing", 1),
                ("owner-missing", 1),
                ("provider-missing", 1),
                ("broodstock-word", 1),
            ],
        ),
        (
            "hatching_missing_broodstock",
            &[
                ("policy-missing", 1),
                ("owner-missing", 1),
                ("provider-missing", 1),
                ("broodstock-missing", 1),
            ],
        ),
        ("processing_event_invalid", &[("lot-missing", 1)]),
        ("processing_missing_lot_number", &[("lot-missing", 1)]),
        // Its number of the ship has eight digits, which the index does not mention.
        ("vessel_invalid_country_code", &[("vessel-flag-form", 1), ("imo-number-eight-digits", 1)]),
        ("vessel_invalid_imo", &[("imo-number-form", 1)]),
    ];
    let files = entries(&folder().join("gdst/invalid"));
    assert_eq!(files.len(), known.len());
    for (name, rules) in known {
        let path = folder().join(format!("gdst/invalid/gdst_{name}.jsonld"));
        let report = check("gdst", &read(&path)).unwrap();
        assert_eq!(found("gdst", &report), expected(rules), "{name}");
    }
    // The one that is valid has three numbers of ships that are none.
    let valid = check("gdst", &read(&folder().join("gdst/gdst_data_withmasterdata.jsonld")));
    let three = [
        ("imo-number-eight-digits", 1),
        ("location-imo-number-eight-digits", 1),
        ("location-imo-number-form", 1),
    ];
    assert_eq!(found("gdst", &valid.unwrap()), expected(&three));
}

#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
#[test]
fn the_examples_of_fsma_204_have_what_they_need() {
    let known: [(&str, &[(&str, usize)]); 7] = [
        ("harvest", &[]),
        ("cooling", &[]),
        ("initial-packing", &[("document-missing-at-making", 1)]),
        ("first-land-based-receiver", &[]),
        // One of the two lots on the pallet is made nowhere in the document.
        ("shipping", &[("document-missing-at-making", 1), ("lot-source-unknown", 1)]),
        ("receiving", &[("document-missing-at-making", 1)]),
        ("transformation", &[]),
    ];
    for (name, rules) in known {
        let path = folder().join(format!("fsma204/{name}-cte.jsonld"));
        let report = check("fsma204", &read(&path)).unwrap();
        assert_eq!(report.not_applicable, [], "{name}");
        assert_eq!(found("fsma204", &report), expected(rules), "{name}");
    }
}

/// A document of another industry gets one sentence, and nothing is found in it.
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
#[test]
fn a_pack_says_one_sentence_of_the_documents_of_others() {
    let of = |folder: &Path| {
        let files = entries(folder).into_iter().filter(|file| file.is_file());
        files.collect::<Vec<_>>()
    };
    let mut count = 0;
    for (area, packs) in [
        ("fsma204", ["dscsa", "gdst"].as_slice()),
        ("gdst", &["dscsa", "fsma204", "serialised-medicine"]),
        ("gdst/invalid", &["dscsa", "fsma204", "serialised-medicine"]),
        ("gdst/xml-1.x", &["dscsa", "fsma204"]),
        ("dscsa", &["fsma204", "gdst", "walmart"]),
        ("dpp", &["dscsa", "fsma204", "gdst", "walmart"]),
    ] {
        for file in of(&folder().join(area)) {
            for pack in packs {
                let Some(report) = check(pack, &read(&file)) else {
                    continue;
                };
                let sentences: Vec<&str> =
                    report.not_applicable.iter().map(|one| one.pack.as_str()).collect();
                assert_eq!(sentences, [*pack], "{}", file.display());
                assert_eq!(report.findings, [], "{}", file.display());
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

/// Reading all packs of industries costs little: they are read for each call.
#[test]
fn every_profile_is_a_pack_that_can_be_asked() {
    let names: Vec<&str> = PROFILES.iter().map(|(name, _)| *name).collect();
    let text = br#"{"type":"ObjectEvent","action":"OBSERVE","eventTime":"2026-03-04T11:00:00Z","eventTimeZoneOffset":"+00:00"}"#;
    let document = Document::read(text).unwrap();
    let report = Checks::named(&names).unwrap().check(&document, None).unwrap();
    assert_eq!(report.packs, [""; 0]);
    assert_eq!(report.not_applicable.len(), names.len(), "{report:?}");
    assert_eq!(report.findings, []);
}
