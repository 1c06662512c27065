//! The way to XML for a document that is longer than memory: it is read twice.
//!
//! Why twice?
//! What stands before the events in XML may stand behind them in JSON, whose members have no order: the context, the header.
//! The first reading keeps what is outside of the events; the second one has them written, a portion at a time.
//! Held is what stands outside of the events, one event and one portion.

use super::{Gap, Printing, XmlReport, XmlVersion};
use crate::error::{Error, ErrorKind, JsonFault};
use crate::json::{Document, Value, push_string};
use crate::validate::{
    EventsApart, Frame, List, MAX_EVENT_LENGTH, MAX_FRAME_LENGTH, Splitter, Taken, VerdictStream,
};
use std::collections::BTreeSet;

/// How much JSON is written at once, in bytes.
const PORTION: usize = 256 << 10;

/// The first reading of a document that becomes XML.
///
/// **Limits**: as [`VerdictStream`]; the document as a whole may have any length.
///
/// # Example
/// ```
/// use epcis_edge_core::translate::{XmlStream, XmlVersion};
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
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
#[derive(Debug)]
pub struct XmlStream {
    version: XmlVersion,
    reading: VerdictStream,
    /// The names that the events of each list have.
    names: [Names; 2],
}

/// Names of members, each once. A context that defines one has a term, which is no prefix.
#[derive(Debug, Default)]
struct Names {
    list: BTreeSet<String>,
    /// What they take, in bytes.
    length: usize,
}

/// What a name takes beside its text, in bytes.
const NAME: usize = 64;

impl Names {
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

    /// An object with these names.
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
    /// A document of which nothing was seen yet.
    #[must_use]
    pub fn new(version: XmlVersion) -> Self {
        Self {
            version,
            reading: VerdictStream::new(),
            names: Default::default(),
        }
    }

    /// Takes the next bytes of the document.
    ///
    /// # Errors
    /// As [`VerdictStream::push`]; the names of members count as what stands outside of the events, each once.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let [document, query] = &mut self.names;
        self.reading.push_seen(bytes, &mut |list, event| {
            let names = match list {
                List::Document => &mut *document,
                List::Query => query,
            };
            match event {
                None => *names = Names::default(),
                Some(event) => names.add(Document::read_inside(event, list.levels())?.root()),
            }
            let limit = MAX_FRAME_LENGTH;
            if names.length <= limit {
                return Ok(());
            }
            Err(Error::new(ErrorKind::Json(JsonFault::FrameTooLong {
                limit,
            })))
        })
    }

    /// Ends the first reading; nothing that the second one takes can fail then, if it is the same document.
    ///
    /// # Errors
    /// As [`VerdictStream::finish`], and as [`to_xml`](super::to_xml) for what cannot be translated.
    pub fn finish(self) -> Result<XmlEvents, Error> {
        let Frame {
            text,
            mut places,
            list,
        } = self.reading.finish_frame()?;
        let [document, query] = self.names;
        // Where an event stood it is seen that there are some, and what their members are called.
        let mut with_events = text.clone();
        places.sort_by_key(|(_, at)| *at);
        for (list, at) in places.into_iter().rev() {
            let names = match list {
                List::Document => &document,
                List::Query => &query,
            };
            with_events.splice(at..at, names.to_json().into_bytes());
        }
        let frame = Document::read(&with_events)?;
        let mut printer = Printing::new(self.version).on(&frame);
        let gap = printer.document(list.is_some())?;
        let mut printing = printer.kept;
        let mut xml = std::mem::take(&mut printing.out.text);
        let (before, after, pointer) = match gap {
            Some(Gap { at, pointer, out }) => {
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

/// What makes a document of some events, as far as they are read or hashed by it: its context, its extensions.
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

/// The second reading of a document that becomes XML: [`XmlStream`] has read it first.
#[derive(Debug)]
pub struct XmlEvents {
    /// What stands before the events of a portion to make a document of it.
    opening: String,
    frame: Vec<u8>,
    list: Option<EventsApart>,
    splitter: Splitter,
    /// How much of the frame came again.
    passed: usize,
    /// How many lists have begun again.
    begun: usize,
    /// The event that has begun.
    event: Vec<u8>,
    /// Events that wait to be written, with commas between them.
    waiting: Vec<u8>,
    /// How many events came again.
    seen: usize,
    /// How many of them were written.
    written: usize,
    /// None after an error.
    printing: Option<Printing>,
    /// The JSON Pointer to the list of events.
    pointer: String,
    /// The XML before the events, until it is given out.
    before: String,
    after: String,
}

/// What is known of a document when all of its XML is given out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamedXml {
    /// How many events were translated.
    pub metered_events: usize,
    /// What became of the JSON; what is said of the envelope comes first.
    pub report: XmlReport,
}

impl XmlEvents {
    /// Takes the next bytes of the document, and appends the XML that is ready.
    ///
    /// # Errors
    /// [`JsonFault::Changed`] for another document than the one that was read first.
    pub fn push(&mut self, bytes: &[u8], xml: &mut String) -> Result<(), Error> {
        xml.push_str(&std::mem::take(&mut self.before));
        let mut rest = bytes;
        while !rest.is_empty() {
            let frame = self.frame.get(..self.passed).unwrap_or_default();
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

    /// Ends the document: appends the rest of the XML.
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
        Ok(StreamedXml {
            metered_events: printing.metered,
            report: XmlReport(printing.report),
        })
    }

    /// Whether the events that come now are those of the document: of members of one name the last one counts.
    fn is_wanted(&self) -> bool {
        self.list.is_some_and(|list| list.number == self.begun)
    }

    /// Sees that a part of the frame is what it was.
    fn pass(&mut self, taken: &[u8]) -> Result<(), Error> {
        let end = self.passed + taken.len();
        if self.frame.get(self.passed..end) != Some(taken) {
            return Err(changed());
        }
        self.passed = end;
        Ok(())
    }

    /// Writes the events that wait.
    fn write(&mut self, xml: &mut String) -> Result<(), Error> {
        if self.seen == self.written {
            return Ok(());
        }
        let text = [self.opening.as_bytes(), &self.waiting, b"]}}"].concat();
        self.waiting.clear();
        let portion = Document::read(&text).map_err(|_| changed())?;
        let list = portion.root().pointer("/epcisBody/eventList");
        let list = list.ok_or_else(changed)?;
        let mut printer = self.printing.take().ok_or_else(changed)?.on(&portion);
        printer.events(list, &self.pointer, self.written);
        self.written = self.seen;
        let mut printing = printer.kept;
        xml.push_str(&std::mem::take(&mut printing.out.text));
        self.printing = Some(printing);
        Ok(())
    }
}

fn changed() -> Error {
    Error::new(ErrorKind::Json(JsonFault::Changed))
}
