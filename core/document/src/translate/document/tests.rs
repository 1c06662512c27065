//! A mapping that drops a part of the envelope is detected by the measurement: each part is removed on purpose.

use super::Translator;
use super::end::{Envelope, FinishedTranslation};

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

/// Removes something from the written envelope.
type Take = fn(&mut Envelope);

/// Removes something from the written pieces.
type TakePieces = fn(&mut Translator);

/// Translates a document, but alters the envelope before the output is put together.
fn without(xml: &str, take: Take) -> FinishedTranslation {
    without_pieces(xml, |_| {}, take)
}

/// The same, but alters the pieces too.
fn without_pieces(xml: &str, take_pieces: TakePieces, take: Take) -> FinishedTranslation {
    let mut translator = Translator::default();
    translator.read(xml, true, None).unwrap();
    take_pieces(&mut translator);
    let mut envelope = translator.envelope().unwrap();
    take(&mut envelope);
    translator.put_together(envelope).unwrap()
}

fn unpredicted(done: &FinishedTranslation) -> Vec<&str> {
    let notes = done.report.notes().iter();
    notes.filter(|note| note.code == "measured-difference").map(|note| note.path.as_str()).collect()
}

fn replace(text: &mut String, from: &str, to: &str) {
    assert!(text.contains(from), "{text}");
    *text = text.replacen(from, to, 1);
}

/// Replaces something in the envelope; no pieces are inserted into it then.
fn tamper(envelope: &mut Envelope, from: &str, to: &str) {
    replace(&mut envelope.text, from, to);
    envelope.positions.list_ranges.clear();
}

#[test]
fn nothing_is_lost_but_what_the_rules_say() {
    for (xml, lossy) in [(DOCUMENT, &["/e:EPCISDocument/@u:root"][..]), (QUERY, &[]), (EVENT, &[])]
    {
        let done = without(xml, |_| {});
        assert_eq!(done.report.lossy_paths().collect::<Vec<_>>(), lossy);
        assert_eq!(unpredicted(&done), [""; 0]);
        assert_eq!(done.report.unmeasured_losses(), 0);
        assert_eq!(done.report.measured_differences() > 0, !lossy.is_empty());
    }
}

#[test]
fn whatever_of_a_document_is_dropped_is_measured() {
    let sbdh = "EPCISHeader[1]/s:StandardBusinessDocumentHeader[1]";
    let list = "EPCISHeader[1]/extension[1]/EPCISMasterData[1]/VocabularyList[1]";
    let location = "urn:epcglobal:epcis:vtype:BusinessLocation";
    let cases = [
        (r#""creationDate":"2026-11-20T08:00:00Z","#, "", "@creationDate".to_owned()),
        ("08:00:00Z", "08:00:01Z", "@creationDate".to_owned()),
        (r#""sender":"urn:sender","#, "", format!("{sbdh}/s:Sender[1]")),
        (
            r#""receiver":"urn:receiver""#,
            r#""receiver":"urn:other""#,
            format!("{sbdh}/s:Receiver[1]/s:Identifier[1]/text()"),
        ),
        (r#""instanceIdentifier":"7","#, "", format!("{sbdh}/s:DocumentIdentification[1]")),
        (">urn:receiver<", ">urn:deceiver<", sbdh.to_owned()),
        ("#StandardBusinessDocumentHeader", "#Other", sbdh.to_owned()),
        (r#","u:ofHeader":"2""#, "", "EPCISHeader[1]/u:ofHeader[1]".to_owned()),
        (r#","u:ofBody":"3""#, "", "EPCISBody[1]/u:ofBody[1]".to_owned()),
        (r#""u:ofRoot":{"u:inside":"4"},"#, "", "extension[1]/u:ofRoot[1]".to_owned()),
        (r#""4""#, r#""5""#, "extension[1]/u:ofRoot[1]/u:inside[1]/text()".to_owned()),
        ("\"vocabularyList\":[{", "\"vocabularies\":[{", format!("{list}/Vocabulary[1]")),
        (location, "urn:other", format!("{list}/Vocabulary[1]/@type")),
        (r#""5""#, r#""6""#, format!("{list}/Vocabulary[1]/u:ofVocabulary[1]/text()")),
    ];
    for (from, to, path) in cases {
        let mut translator = Translator::default();
        translator.read(DOCUMENT, true, None).unwrap();
        let mut envelope = translator.envelope().unwrap();
        tamper(&mut envelope, from, to);
        let done = translator.put_together(envelope).unwrap();
        let path = format!("/e:EPCISDocument/{path}");
        assert_eq!(unpredicted(&done), [path], "{from}");
        // The attribute of the root comes back as an element, as a rule predicts.
        let paths: Vec<&str> = done.report.lossy_paths().collect();
        assert!(paths.contains(&"/e:EPCISDocument/@u:root"), "{from}");
    }
    // Without its prefix every name has another meaning.
    let done = without(DOCUMENT, |envelope| tamper(envelope, "urn:u:", "urn:v:"));
    assert!(unpredicted(&done).contains(&"/e:EPCISDocument/EPCISHeader[1]/u:ofHeader[1]"));
}

/// Pieces were compared one by one; the measurement also checks that the output has all of them and nothing else.
#[test]
fn a_piece_that_is_missing_or_was_not_compared_is_measured() {
    let events = "/e:EPCISDocument/EPCISBody[1]/EventList[1]";
    let cases: [(TakePieces, &str); 4] = [
        (
            |job| {
                let event = r#"{"type":"ObjectEvent","action":"ADD"},"#;
                replace(&mut job.events.text, event, "");
            },
            events,
        ),
        (|job| job.events.text.push_str(",1"), events),
        (|job| job.compared_events = Default::default(), events),
        (
            |job| job.lists[0].range.end -= ",{\"id\":\"urn:b\"}".len(),
            "/e:EPCISDocument/EPCISHeader[1]/extension[1]/EPCISMasterData[1]/VocabularyList[1]/Vocabulary[1]/VocabularyElementList[1]",
        ),
    ];
    for (number, (take, path)) in cases.into_iter().enumerate() {
        let done = without_pieces(DOCUMENT, take, |_| {});
        assert_eq!(unpredicted(&done), [path], "{number}");
    }
}

#[test]
fn whatever_of_a_query_document_is_dropped_is_measured() {
    let results = "/q:EPCISQueryDocument/EPCISBody[1]/q:QueryResults[1]";
    let cases = [
        (r#""queryName":"SimpleEventQuery","#, "", "queryName[1]"),
        (r#""subscriptionID":"s""#, r#""subscriptionID":"t""#, "subscriptionID[1]/text()"),
        (r#","u:ofResults":"1""#, "", "extension[1]/u:ofResults[1]"),
        ("[1]", "[]", "resultsBody[1]/EventList[1]"),
    ];
    for (from, to, path) in cases {
        let mut translator = Translator::default();
        translator.read(QUERY, true, None).unwrap();
        let mut envelope = translator.envelope().unwrap();
        tamper(&mut envelope, from, to);
        let done = translator.put_together(envelope).unwrap();
        assert_eq!(unpredicted(&done), [format!("{results}/{path}")], "{from}");
    }
}

#[test]
fn a_bare_event_needs_its_prefixes_too() {
    let done = without(EVENT, |envelope| tamper(envelope, "urn:u:", "urn:v:"));
    assert_eq!(unpredicted(&done), ["/ObjectEvent"]);
    assert_eq!(done.report.measured_differences(), 1);
}
