//! Translates a JSON document that is longer than memory to XML: the document is read twice.
//!
//! Why twice?
//! JSON members have no order, so the context and the header, which XML has before the events, may come after them in JSON.
//! The first reading keeps the document without its events. The second one writes the events, one portion at a time.
//! Memory holds the document without its events, one event and one portion.

use super::{EventsGap, XmlReport, XmlState, XmlVersion};
use crate::validate::{
    EventsApart, Frame, MAX_EVENT_LENGTH, MAX_FRAME_LENGTH, Splitter, Taken, VerdictStream,
};
use epcis_edge_text::error::{Error, ErrorKind, JsonFault};
use epcis_edge_text::json::{Document, Value, push_string};
use epcis_edge_text::slice::Part;
use std::collections::BTreeSet;

/// The length of JSON that is written at once, in bytes.
const PORTION: usize = 256 << 10;

/// The first reading of a document that becomes XML.
///
/// **Limits**: as [`VerdictStream`]; the document as a whole may have any length.
///
/// # Example
/// ```
/// use epcis_edge_document::translate::{XmlStream, XmlVersion};
/// let json = br#"{"epcisBody": {"eventList": [{"type": "ObjectEvent", "action": "OBSERVE"}]},
///     "type": "EPCISDocument", "schemaVersion": "2.0", "creationDate": "2026-11-20T08:00:00Z"}"#;
/// let mut first = XmlStream::new(XmlVersion::V2_0);
/// first.push(json)?;
/// let mut second = first.finish()?;
/// let mut xml = String::new();
/// second.push(json, &mut xml)?;
/// let end = second.finish(&mut xml)?;
/// assert!(xml.contains("<ObjectEvent><action>OBSERVE</action></ObjectEvent></EventList>"));
/// assert_eq!(end.metered_events, 1);
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Debug)]
pub struct XmlStream {
    version: XmlVersion,
    reading: VerdictStream,
    /// The member names in the events of each list.
    names: [MemberNames; 2],
}

/// Names of members, each once. A context entry for one of these names defines a term, not a prefix.
#[derive(Debug, Default)]
struct MemberNames {
    list: BTreeSet<String>,
    /// The memory for the names, in bytes.
    length: usize,
}

/// The memory for a name beside its text, in bytes.
const NAME: usize = 64;

impl MemberNames {
    fn add(&mut self, value: Value<'_>) {
        for (name, member) in value.members() {
            let name = name.to_cow();
            if name == "@context" {
                continue;
            }
            if !self.list.contains(&*name) {
                self.length += name.len() + NAME;
                self.list.insert(name.into_owned());
            }
            self.add(member);
        }
        for element in value.elements() {
            self.add(element);
        }
    }

    /// Returns an object with these names as members.
    fn to_json(&self) -> String {
        let mut text = String::new();
        for name in &self.list {
            text.push(if text.is_empty() { '{' } else { ',' });
            push_string(&mut text, name);
            text.push_str(":0");
        }
        text.push_str(if text.is_empty() { "{}" } else { "}" });
        text
    }
}

impl XmlStream {
    /// Starts the first reading of a document.
    #[must_use]
    pub fn new(version: XmlVersion) -> Self {
        Self { version, reading: VerdictStream::new(), names: Default::default() }
    }

    /// Takes the next bytes of the document.
    ///
    /// # Errors
    /// As [`VerdictStream::push`]; the names of members in events count as content outside of the events, each once.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let all = &mut self.names;
        self.reading.push_seen(bytes, &mut |list, event| {
            let names = list.of(all);
            match event {
                None => *names = MemberNames::default(),
                Some(event) => names.add(Document::read_inside(event, list.levels())?.root()),
            }
            let limit = MAX_FRAME_LENGTH;
            if names.length <= limit {
                return Ok(());
            }
            Err(Error::new(ErrorKind::Json(JsonFault::FrameTooLong(limit))))
        })
    }

    /// Ends the first reading. After that, the second one cannot fail if it gets the same document.
    ///
    /// # Errors
    /// As [`VerdictStream::finish`], and as [`to_xml`](super::to_xml) for a document that cannot be translated.
    pub fn finish(self) -> Result<XmlEvents, Error> {
        let Frame { text, mut places, list } = self.reading.finish_frame()?;
        let mut names = self.names;
        // An object with the member names of the events stands in for the events of each list.
        let mut with_events = text.clone();
        places.sort_by_key(|(_, at)| *at);
        for (list, at) in places.into_iter().rev() {
            with_events.splice(at..at, list.of(&mut names).to_json().into_bytes());
        }
        let frame = Document::read(&with_events)?;
        let mut printer = XmlState::new(self.version).on(&frame);
        let gap = printer.document(list.is_some())?;
        let mut printing = printer.state;
        let mut xml = std::mem::take(&mut printing.out.text);
        let (before, after, pointer) = match gap {
            Some(EventsGap { at, pointer, out }) => {
                let after = xml.split_off(at);
                printing.out = out;
                (xml, after, pointer)
            }
            None => (xml, String::new(), String::new()),
        };
        Ok(XmlEvents {
            opening: opening(frame.root()),
            frame: text,
            list,
            splitter: Splitter::default(),
            passed: 0,
            begun: 0,
            event: Vec::new(),
            waiting: Vec::new(),
            seen: 0,
            written: 0,
            printing: Some(printing),
            pointer,
            before,
            after,
        })
    }
}

/// Returns the JSON before the events of a portion: the context and the extensions of the document, which reading and hashing use.
fn opening(root: Value<'_>) -> String {
    let mut opening = "{".to_owned();
    for (name, member) in root.members() {
        let name = name.to_cow();
        if !matches!(&*name, "type" | "epcisHeader" | "epcisBody") {
            push_string(&mut opening, &name);
            opening.push(':');
            opening.push_str(member.source());
            opening.push(',');
        }
    }
    opening.push_str("\"type\":\"EPCISDocument\",\"epcisBody\":{\"eventList\":[");
    opening
}

/// The second reading of a document that becomes XML, after [`XmlStream`].
#[derive(Debug)]
pub struct XmlEvents {
    /// The JSON before the events of a portion, which makes it a document.
    opening: String,
    frame: Vec<u8>,
    list: Option<EventsApart>,
    splitter: Splitter,
    /// The number of bytes of the frame that were read again.
    passed: usize,
    /// The number of lists that began in this reading.
    begun: usize,
    /// The beginning of the current event.
    event: Vec<u8>,
    /// The events to be written next, with commas between them.
    waiting: Vec<u8>,
    /// The number of events read.
    seen: usize,
    /// The number of events written.
    written: usize,
    /// `None` after an error.
    printing: Option<XmlState>,
    /// The JSON Pointer to the list of events.
    pointer: String,
    /// The XML before the events, until it is given out.
    before: String,
    after: String,
}

/// The result at the end of a streamed translation to XML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamedXml {
    /// The number of events translated.
    pub metered_events: usize,
    /// The report of the JSON values that the XML does not restore; notes on the envelope come first.
    pub report: XmlReport,
}

impl XmlEvents {
    /// Takes the next bytes of the document, and appends the XML that is complete.
    ///
    /// # Errors
    /// [`JsonFault::Changed`] if the document is not the one that was read first.
    pub fn push(&mut self, bytes: &[u8], xml: &mut String) -> Result<(), Error> {
        xml.push_str(&std::mem::take(&mut self.before));
        let mut rest = bytes;
        while !rest.is_empty() {
            let frame = self.frame.part(..self.passed);
            let (step, length) = self.splitter.step(rest, frame);
            let (taken, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            rest = after;
            match step {
                Taken::Frame => self.pass(taken)?,
                Taken::ListBegins(_) => {
                    self.pass(taken)?;
                    self.begun += 1;
                }
                Taken::Between | Taken::ListEnds => {}
                Taken::Part if self.is_wanted() => {
                    self.event.extend_from_slice(taken);
                    if self.event.len() > MAX_EVENT_LENGTH {
                        return Err(changed());
                    }
                }
                Taken::Event(_) if self.is_wanted() => {
                    if self.seen > self.written {
                        self.waiting.push(b',');
                    }
                    self.waiting.append(&mut self.event);
                    self.waiting.extend_from_slice(taken);
                    self.seen += 1;
                    if self.waiting.len() >= PORTION.max(4 * self.opening.len()) {
                        self.write(xml)?;
                    }
                }
                Taken::Part | Taken::Event(_) => {}
                Taken::Fault(..) => return Err(changed()),
            }
        }
        Ok(())
    }

    /// Ends the document, and appends the rest of the XML.
    ///
    /// # Errors
    /// [`JsonFault::Changed`], as [`push`](Self::push).
    pub fn finish(mut self, xml: &mut String) -> Result<StreamedXml, Error> {
        xml.push_str(&std::mem::take(&mut self.before));
        self.write(xml)?;
        let count = self.list.map_or(0, |list| list.count);
        if self.passed != self.frame.len() || self.seen != count {
            return Err(changed());
        }
        xml.push_str(&self.after);
        let mut printing = self.printing.take().ok_or_else(changed)?;
        printing.report.close();
        Ok(StreamedXml { metered_events: printing.metered, report: XmlReport(printing.report) })
    }

    /// Whether the current list has the events of the document: of several members with the same name, the last one counts.
    fn is_wanted(&self) -> bool {
        self.list.is_some_and(|list| list.number == self.begun)
    }

    /// Checks that a part of the frame is the same as in the first reading.
    fn pass(&mut self, taken: &[u8]) -> Result<(), Error> {
        let end = self.passed + taken.len();
        if self.frame.get(self.passed..end) != Some(taken) {
            return Err(changed());
        }
        self.passed = end;
        Ok(())
    }

    /// Writes the waiting events.
    fn write(&mut self, xml: &mut String) -> Result<(), Error> {
        if self.seen == self.written {
            return Ok(());
        }
        let text = [self.opening.as_bytes(), &self.waiting, b"]}}"].concat();
        self.waiting.clear();
        let portion = Document::read(&text).map_err(|_| changed())?;
        let list = portion.root().pointer("/epcisBody/eventList").ok_or_else(changed)?;
        let mut printer = self.printing.take().ok_or_else(changed)?.on(&portion);
        printer.events(list, &self.pointer, self.written);
        self.written = self.seen;
        let mut printing = printer.state;
        xml.push_str(&std::mem::take(&mut printing.out.text));
        self.printing = Some(printing);
        Ok(())
    }
}

fn changed() -> Error {
    Error::new(ErrorKind::Json(JsonFault::Changed))
}
