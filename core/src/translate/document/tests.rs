//! What the mapping of the envelope would lose is measured: each part is taken away on purpose.

use super::finish::Done;
use super::source_envelope::ComparedPieces;
use super::{Container, Job, MemberTexts};

const DOCUMENT: &str = r#"<e:EPCISDocument xmlns:e="urn:epcglobal:epcis:xsd:1" xmlns:u="urn:u:" schemaVersion="1.2"
    creationDate="2026-11-20T08:00:00Z" u:root="1">
  <EPCISHeader>
    <s:StandardBusinessDocumentHeader
        xmlns:s="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader">
      <s:Sender><s:Identifier>urn:sender</s:Identifier></s:Sender>
      <s:Receiver><s:Identifier>urn:receiver</s:Identifier></s:Receiver>
      <s:DocumentIdentification><s:InstanceIdentifier>7</s:InstanceIdentifier></s:DocumentIdentification>
    </s:StandardBusinessDocumentHeader>
    <extension><EPCISMasterData><VocabularyList>
      <Vocabulary type="urn:epcglobal:epcis:vtype:BusinessLocation"><VocabularyElementList>
        <VocabularyElement id="urn:a"/><VocabularyElement id="urn:b"/>
      </VocabularyElementList><u:ofVocabulary>5</u:ofVocabulary></Vocabulary>
    </VocabularyList></EPCISMasterData></extension>
    <u:ofHeader>2</u:ofHeader>
  </EPCISHeader>
  <EPCISBody><EventList>
    <ObjectEvent><action>ADD</action></ObjectEvent>
    <extension><TransformationEvent><bizStep>urn:b</bizStep></TransformationEvent></extension>
  </EventList><u:ofBody>3</u:ofBody></EPCISBody>
  <extension><u:ofRoot><u:inside>4</u:inside></u:ofRoot></extension>
</e:EPCISDocument>"#;

const QUERY: &str = r#"<q:EPCISQueryDocument xmlns:q="urn:epcglobal:epcis-query:xsd:2" xmlns:u="urn:u:"
    schemaVersion="2.0" creationDate="2026-11-20T08:00:00Z">
  <EPCISBody><q:QueryResults><queryName>SimpleEventQuery</queryName><subscriptionID>s</subscriptionID>
    <resultsBody><EventList><ObjectEvent><action>ADD</action></ObjectEvent></EventList></resultsBody>
    <extension><u:ofResults>1</u:ofResults></extension>
  </q:QueryResults></EPCISBody>
</q:EPCISQueryDocument>"#;

const EVENT: &str = r#"<ObjectEvent xmlns:u="urn:u:"><u:a>1</u:a></ObjectEvent>"#;

/// Takes something away.
type Take = fn(&mut Job<'_>);

/// Translates a document, but takes something away before the output is put together.
fn without(xml: &str, take: Take) -> Done {
    let mut job = Job::new(xml);
    job.run().unwrap();
    take(&mut job);
    job.finish().0
}

fn unforetold(done: &Done) -> Vec<&str> {
    let notes = done.report.notes().iter();
    notes
        .filter(|note| note.code == "measured-difference")
        .map(|note| note.path.as_str())
        .collect()
}

fn replace(text: &mut String, from: &str, to: &str) {
    assert!(text.contains(from), "{text}");
    *text = text.replacen(from, to, 1);
}

#[test]
fn nothing_is_lost_but_what_the_rules_say() {
    for (xml, lossy) in [
        (DOCUMENT, &["/e:EPCISDocument/@u:root"][..]),
        (QUERY, &[]),
        (EVENT, &[]),
    ] {
        let done = without(xml, |_| {});
        assert_eq!(done.report.lossy_paths().collect::<Vec<_>>(), lossy);
        assert_eq!(unforetold(&done), [""; 0]);
        assert_eq!(done.report.unmeasured_losses(), 0);
        assert_eq!(done.report.measured_differences() > 0, !lossy.is_empty());
    }
}

#[test]
fn whatever_of_a_document_is_dropped_is_measured() {
    let sbdh = "EPCISHeader[1]/s:StandardBusinessDocumentHeader[1]";
    let list = "EPCISHeader[1]/extension[1]/EPCISMasterData[1]/VocabularyList[1]";
    let cases: [(Take, String); 15] = [
        (
            |job| job.held.creation_date = None,
            "@creationDate".to_owned(),
        ),
        (
            |job| job.held.creation_date = Some("2026-11-20T08:00:01Z".to_owned()),
            "@creationDate".to_owned(),
        ),
        (
            |job| job.held.standard_header[0] = None,
            format!("{sbdh}/s:Sender[1]"),
        ),
        (
            |job| job.held.standard_header[1] = Some("\"urn:other\"".to_owned()),
            format!("{sbdh}/s:Receiver[1]/s:Identifier[1]/text()"),
        ),
        (
            |job| job.held.standard_header[2] = None,
            format!("{sbdh}/s:DocumentIdentification[1]"),
        ),
        (
            |job| replace(job.held.sbdh.as_mut().unwrap(), "receiver", "deceiver"),
            sbdh.to_owned(),
        ),
        (|job| job.held.sbdh = None, sbdh.to_owned()),
        (
            |job| *job.held.members_of(Container::Header) = MemberTexts::default(),
            "EPCISHeader[1]/u:ofHeader[1]".to_owned(),
        ),
        (
            |job| *job.held.members_of(Container::Body) = MemberTexts::default(),
            "EPCISBody[1]/u:ofBody[1]".to_owned(),
        ),
        (
            |job| {
                let members = job.held.members_of(Container::Root);
                let member = members.values.pop().unwrap();
                assert!(member.0.contains("ofRoot"));
            },
            "extension[1]/u:ofRoot[1]".to_owned(),
        ),
        (
            |job| {
                let members = job.held.members_of(Container::Root);
                replace(&mut members.values[1].1, "\"4\"", "\"5\"");
            },
            "extension[1]/u:ofRoot[1]/u:inside[1]/text()".to_owned(),
        ),
        (
            |job| job.held.entered &= !(1 << Container::VocabularyList as u32),
            format!("{list}/Vocabulary[1]"),
        ),
        (
            |job| {
                let text = &mut job.held.vocabularies.text;
                let type_ = "urn:epcglobal:epcis:vtype:BusinessLocation";
                replace(text, type_, "urn:epcglobal:epcis:vtype:ReadPoint-------");
            },
            format!("{list}/Vocabulary[1]/@type"),
        ),
        (
            |job| replace(&mut job.held.vocabularies.text, "\"5\"", "\"6\""),
            format!("{list}/Vocabulary[1]/u:ofVocabulary[1]/text()"),
        ),
        (
            // Without its prefix every name means something else.
            |job| job.held.context = super::OutputContext::new(),
            "EPCISHeader[1]/u:ofHeader[1]".to_owned(),
        ),
    ];
    for (number, (take, path)) in cases.into_iter().enumerate() {
        let done = without(DOCUMENT, take);
        let path = format!("/e:EPCISDocument/{path}");
        let found = unforetold(&done);
        assert!(found.contains(&path.as_str()), "{number}: {found:?}");
        // The member of the root comes back as an element, as foretold.
        let paths: Vec<&str> = done.report.lossy_paths().collect();
        assert!(paths.contains(&"/e:EPCISDocument/@u:root"), "{number}");
        if number != 14 {
            assert_eq!(found.len(), 1, "{number}: {found:?}");
        }
    }
}

/// Pieces were compared one by one; that they all stand in the output, and nothing else, is measured too.
#[test]
fn a_piece_that_is_missing_or_was_not_compared_is_measured() {
    let events = "/e:EPCISDocument/EPCISBody[1]/EventList[1]";
    let cases: [(Take, &str); 4] = [
        (
            |job| {
                replace(
                    &mut job.held.events.text,
                    r#"{"type":"ObjectEvent","action":"ADD"},"#,
                    "",
                )
            },
            events,
        ),
        (|job| job.held.events.text.push_str(",1"), events),
        (
            |job| job.held.compared_events = ComparedPieces::default(),
            events,
        ),
        (
            |job| {
                let hole = &mut job.held.element_lists[0];
                let cut = job
                    .held
                    .vocabularies
                    .text
                    .find(",{\"id\":\"urn:b\"}")
                    .unwrap();
                assert!(hole.range.contains(&cut));
                job.held
                    .vocabularies
                    .text
                    .replace_range(cut..hole.range.end, "");
                hole.range.end = cut;
            },
            "/e:EPCISDocument/EPCISHeader[1]/extension[1]/EPCISMasterData[1]/VocabularyList[1]/Vocabulary[1]/VocabularyElementList[1]",
        ),
    ];
    for (number, (take, path)) in cases.into_iter().enumerate() {
        let done = without(DOCUMENT, take);
        assert_eq!(unforetold(&done), [path], "{number}");
    }
}

#[test]
fn whatever_of_a_query_document_is_dropped_is_measured() {
    let results = "/q:EPCISQueryDocument/EPCISBody[1]/q:QueryResults[1]";
    let cases: [(Take, String); 4] = [
        (
            |job| job.held.results[0] = None,
            format!("{results}/queryName[1]"),
        ),
        (
            |job| job.held.results[1] = Some("\"t\"".to_owned()),
            format!("{results}/subscriptionID[1]/text()"),
        ),
        (
            |job| {
                *job.held.members_of(Container::QueryResultsExtension) = MemberTexts::default();
            },
            format!("{results}/extension[1]/u:ofResults[1]"),
        ),
        (
            |job| job.held.events.text.clear(),
            format!("{results}/resultsBody[1]/EventList[1]"),
        ),
    ];
    for (number, (take, path)) in cases.into_iter().enumerate() {
        let done = without(QUERY, take);
        assert_eq!(unforetold(&done), [path.as_str()], "{number}");
    }
}

#[test]
fn a_bare_event_needs_its_prefixes_too() {
    let done = without(EVENT, |job| {
        let uri = &mut job.held.context.declared_mut()[0].1;
        assert_eq!(uri, "urn:u:");
        "urn:v:".clone_into(uri);
    });
    assert_eq!(unforetold(&done), ["/ObjectEvent"]);
    assert_eq!(done.report.measured_differences(), 1);
}
