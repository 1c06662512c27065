//! The event hash in XML, beside that in JSON.

use epcis_edge_core::error::ErrorKind;
use epcis_edge_core::hash::{Profile, pre_hash_document};
use epcis_edge_core::json::Document;
use epcis_edge_core::translate::{hash_xml, pre_hash_xml};
use epcis_edge_tests::hash::{self, pre_hashes, stem};
use epcis_edge_tests::{Exceptions, outside_vectors, read};

#[test]
#[cfg_attr(not(outside_vectors), ignore = "needs ../shared/vectors")]
fn xml_and_json_of_a_pair_have_one_hash() {
    let folder = outside_vectors("hash/parity").unwrap();
    let mut cases = Exceptions::new(&[]);
    for part in ["Capture/Documents", "Capture/Events", "Query"] {
        for document in hash::documents(&folder.join(part), &["xml"]) {
            let text = read(&document.with_extension("json"));
            let json = Document::read(&text).unwrap();
            for profile in Profile::ALL {
                let xml = pre_hashes(&document, profile);
                let json = pre_hash_document(&json, profile).unwrap();
                let outcome = if xml == json {
                    Ok(())
                } else {
                    let differs = xml.iter().zip(&json).find(|(a, b)| a != b);
                    Err(format!("{differs:#?}"))
                };
                cases.case(&format!("{part}/{} {profile}", stem(&document)), outcome);
            }
        }
    }
    cases.finish(66);
}

#[test]
fn what_does_not_count_in_xml() {
    let plain = br#"<EPCISDocument xmlns:u="urn:u:"><EPCISBody><EventList><ObjectEvent>
        <action>ADD</action><u:a><u:b>1</u:b></u:a></ObjectEvent></EventList></EPCISBody></EPCISDocument>"#;
    let wanted = pre_hash_xml(plain, Profile::Cbv20).unwrap();
    assert_eq!(wanted[0].pre_hash, "eventType=ObjectEventaction=ADD{urn:u:}a{urn:u:}b=1");
    for same in [
        // Other prefixes, qualified names, comments, and CDATA in the middle of a text.
        r#"<e:EPCISDocument xmlns:e="urn:epcglobal:epcis:xsd:2"><e:EPCISBody><e:EventList><e:ObjectEvent>
            <v:a xmlns:v="urn:u:"><v:b><!-- -->1</v:b></v:a><e:action>A<!-- --><![CDATA[D]]>D</e:action>
            </e:ObjectEvent></e:EventList></e:EPCISBody></e:EPCISDocument>"#,
        // Wrappers, also around the event, a record time, instance attributes, and an RDF comment.
        r#"<EPCISDocument xmlns:u="urn:u:" xmlns:r="http://www.w3.org/2000/01/rdf-schema#"
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><EPCISBody><EventList><extension><extension>
            <ObjectEvent><recordTime>2026-01-01T00:00:00Z</recordTime><baseExtension><eventID>urn:x</eventID>
            <errorDeclaration/></baseExtension><action>ADD</action><extension><extension>
            <u:a xsi:type="u:t"><u:b xsi:nil="false">1</u:b><r:comment>no</r:comment></u:a></extension></extension>
            </ObjectEvent></extension></extension></EventList></EPCISBody></EPCISDocument>"#,
        // A bare event with the attributes of a document.
        r#"<ObjectEvent xmlns:u="urn:u:" schemaVersion="2.0" creationDate="2026-01-01T00:00:00Z">
            <action> ADD </action><u:a>
            <u:b>1</u:b>after</u:a></ObjectEvent>"#,
    ] {
        assert_eq!(pre_hash_xml(same.as_bytes(), Profile::Cbv20).unwrap(), wanted);
    }
}

/// Inside a user's element, the wrapper names are the user's own, as in JSON.
#[test]
fn a_wrapper_is_one_only_where_the_standard_has_it() {
    let xml =
        br#"<ObjectEvent xmlns:u="urn:u:"><readPoint><extension><u:x/></extension></readPoint>
        <u:a b="2" u:b="1"><extension>3</extension></u:a></ObjectEvent>"#;
    let found = pre_hash_xml(xml, Profile::Cbv20).unwrap();
    assert_eq!(
        found[0].pre_hash,
        "eventType=ObjectEventreadPoint{urn:u:}x{urn:u:}ab=2extension=3{urn:u:}b=1"
    );
}

/// `ignoreFields` works anywhere in the document, under one profile, and only for members of events.
#[test]
fn fields_are_ignored_where_the_document_says_so() {
    let events = r#"<EPCISBody><EventList><ObjectEvent><action>ADD</action><u:a>1</u:a><u:b><u:a>2</u:a></u:b>
        </ObjectEvent></EventList></EPCISBody>"#;
    let ignore = "<i:ignoreFields><u:a/><action/></i:ignoreFields>";
    let head = r#"xmlns:u="urn:u:" xmlns:i="https://repository-x.example.com/""#;
    for xml in [
        format!("<EPCISDocument {head}>{ignore}{events}</EPCISDocument>"),
        format!("<EPCISDocument {head}>{events}{ignore}</EPCISDocument>"),
    ] {
        let string = |profile| pre_hash_xml(xml.as_bytes(), profile).unwrap().remove(0).pre_hash;
        assert_eq!(string(Profile::Ref2025), "eventType=ObjectEvent{urn:u:}b{urn:u:}a=2");
        assert_eq!(
            string(Profile::Cbv20),
            "eventType=ObjectEventaction=ADD{urn:u:}a=1{urn:u:}b{urn:u:}a=2"
        );
    }
    // In another namespace, `ignoreFields` is an ordinary extension of the document.
    let xml = format!("<EPCISDocument {head}>{ignore}{events}</EPCISDocument>");
    let xml = xml.replace("repository-x.example.com", "example.com");
    let found = pre_hash_xml(xml.as_bytes(), Profile::Ref2025).unwrap();
    assert!(found[0].pre_hash.contains("action=ADD{urn:u:}a=1"));
}

#[test]
fn a_document_without_events_is_refused_and_faults_have_their_place() {
    let kind = |xml: &str| hash_xml(xml.as_bytes(), Profile::Cbv20).unwrap_err();
    for xml in [
        "<EPCISDocument><EPCISBody><EventList/></EPCISBody></EPCISDocument>",
        "<EPCISMasterDataDocument><EPCISBody/></EPCISMasterDataDocument>",
        "<EPCISDocument><ObjectEvent/></EPCISDocument>",
        "<EPCISDocument><u:x xmlns:u='urn:u:'><EventList><ObjectEvent/></EventList></u:x></EPCISDocument>",
    ] {
        assert_eq!(*kind(xml).kind(), ErrorKind::NoEvents, "{xml}");
    }
    let error = kind(
        "<EPCISDocument><EPCISBody><EventList><ObjectEvent/>\n<ObjectEvent><action>A&x;</action></ObjectEvent></EventList></EPCISBody></EPCISDocument>",
    );
    let location = error.location().unwrap();
    assert_eq!(
        (location.path.as_str(), location.line),
        ("/EPCISDocument/EPCISBody[1]/EventList[1]/ObjectEvent[2]/action[1]", 2)
    );
    assert!(matches!(kind("<other/>").kind(), ErrorKind::Xml(_)));
}

#[test]
fn an_event_id_in_hash_form_is_recomputed() {
    use epcis_edge_core::hash::Verification;
    use epcis_edge_core::translate::verify_xml;
    // Under REF2025, a document may list fields that are not hashed.
    let event = |id: &str, action: &str| {
        format!(
            "<EPCISDocument xmlns:ex='urn:x:'><EPCISHeader><ig:ignoreFields xmlns:ig='{IGNORE}'><ex:odd/></ig:ignoreFields></EPCISHeader>\
             <EPCISBody><EventList><ObjectEvent><eventTime>2026-01-01T00:00:00Z</eventTime>\
             <baseExtension><eventID> {id} </eventID></baseExtension><action>{action}</action><ex:odd>1</ex:odd>\
             </ObjectEvent></EventList></EPCISBody></EPCISDocument>"
        )
    };
    const IGNORE: &str = "https://repository-x.example.com/";
    for profile in Profile::ALL {
        let hash = hash_xml(event("urn:uuid:1", "ADD").as_bytes(), profile).unwrap()[0];
        let verified = verify_xml(event(&hash.to_string(), "ADD").as_bytes()).unwrap();
        assert!(verified[0].profiles().contains(&profile), "{profile}: {verified:?}");
        assert_eq!(verified[0].reading(), None);
        assert_eq!(
            verify_xml(event(&hash.to_string(), "DELETE").as_bytes()).unwrap(),
            [Verification::MatchesNone]
        );
    }
    assert_eq!(
        verify_xml(event("urn:uuid:1", "ADD").as_bytes()).unwrap(),
        [Verification::NotHashForm]
    );
    assert!(
        verify_xml(b"<EPCISDocument><EPCISBody><EventList/></EPCISBody></EPCISDocument>").is_err()
    );
}

#[test]
fn xml_is_told_from_json_by_its_first_character() {
    use epcis_edge_core::translate::is_xml;
    let utf16 = |text: &str, to: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(to).collect()
    };
    for to in [u16::to_le_bytes, u16::to_be_bytes] {
        assert!(is_xml(&utf16("\r\n <a/>", to)));
        assert!(!is_xml(&utf16(" {}", to)));
        assert!(!is_xml(&utf16("\u{3c00}", to)) && !is_xml(&utf16(" ", to)));
    }
    for text in ["<", " \t\r\n<a/>", "\u{feff}<a/>"] {
        assert!(is_xml(text.as_bytes()), "{text}");
    }
    for text in ["", " ", "{}", "[\"<\"]", "x<"] {
        assert!(!is_xml(text.as_bytes()), "{text}");
    }
}
