//! The way back for callers: translates EPCIS 2.0 JSON-LD to EPCIS XML 2.0 or 1.2, event by event.

mod difference;
mod measure;
mod stream;

pub use stream::{StreamedXml, XmlEvents, XmlStream};

use self::difference::Notes;
use self::measure::{BackReader, hashers, opening_of_bare};
use super::json_to_xml::{
    BEYOND_1_2, CONTEXT_NO_HOME, Filler, Loss, NameSource, Table, VALUE_NO_HOME, XmlBuilder,
    XmlPrefixes, XmlSlot, declared, envelope_names,
};
use super::kinds::{Family, Root};
use super::namespace::{Namespace, Namespaces};
use super::print::XmlWriter;
use super::report::{Code, FidelityReport, LossyPaths, Note};
use super::tree::{Element, XmlTree};
use crate::hash::Hasher;
use crate::vocabulary::EVENT_TYPES;
use epcis_edge_text::error::{Error, ErrorKind, XmlFault};
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::slice::Part;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use std::iter::Peekable;
use std::ops::Range;

/// The wrapper of EPCIS 1.x around newer elements.
const EXTENSION: &str = "extension";

/// The versions of EPCIS XML that can be written. Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlVersion {
    /// EPCIS 1.2: newer fields are in the innermost extension wrapper, as is usual in documents of this version.
    V1_2,
    /// EPCIS 2.0.
    V2_0,
}

impl XmlVersion {
    /// Returns the version with this name; 2.0 without a name.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] for every other name.
    pub fn named(name: Option<&str>) -> Result<Self, Error> {
        match name {
            None | Some("2.0") => Ok(Self::V2_0),
            Some("1.2") => Ok(Self::V1_2),
            Some(found) => Err(Error::argument(
                "version",
                Some(epcis_edge_text::error::excerpt(found)),
                "2.0 or 1.2, as a text",
            )),
        }
    }
}

/// A document translated to XML.
///
/// **Shape**, serialised: `document` (the XML as a text), `report`, `meteredEvents`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct XmlTranslation {
    /// The XML document, UTF-8 with its declaration.
    pub document: String,
    /// The number of events translated.
    pub metered_events: usize,
    /// The report of the JSON values that the XML does not restore.
    pub report: XmlReport,
}

/// The values of the JSON that the XML does not restore.
///
/// **Shape**, serialised: `clean` (boolean), `lossyPointers` (JSON Pointers), `noteList`, `losses`, `summary`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlReport(FidelityReport);

impl XmlReport {
    /// Whether every value is restored, the event hashes are the same under every profile, and the XML is valid by its schema if
    /// the JSON schema accepts the source.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.0.is_round_trip_clean()
    }

    /// The report in the form of the other direction.
    pub fn fidelity(&self) -> &FidelityReport {
        &self.0
    }

    /// The notes; their paths are JSON Pointers.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        self.0.notes()
    }
}

impl Serialize for XmlReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("XmlReport", 5)?;
        members.serialize_field("clean", &self.is_clean())?;
        members.serialize_field("lossyPointers", &LossyPaths(&self.0))?;
        members.serialize_field("noteList", self.notes())?;
        members.serialize_field("losses", &self.0.losses())?;
        members.serialize_field("summary", &self.0.summary())?;
        members.end()
    }
}

/// The values of the JSON that the XML does not restore.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "XmlReport", rename_all = "camelCase")]
#[expect(dead_code, reason = "its schema is made of it")]
struct Shown {
    /// Whether nothing is lost: the XML has every value, gives the same event hashes under every profile, and is valid by the XML
    /// schema if the source is valid by the JSON schema. This is measured, not assumed.
    clean: bool,
    /// The JSON Pointers of the values lost in a round trip.
    lossy_pointers: Vec<String>,
    note_list: Vec<Note>,
    losses: super::Losses,
    /// The losses in a sentence.
    summary: String,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for XmlReport {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Shown::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Shown::json_schema(generator)
    }
}

/// Writes an EPCIS 2.0 JSON-LD document, query document or bare event as EPCIS XML.
///
/// **Shape**: elements are in the order of the XML schema. Words of the CBV get their URN form. Extension members become
/// elements, or attributes if their object has a `#text` and only strings.
///
/// # Errors
/// [`ErrorKind::Xml`](epcis_edge_text::error::ErrorKind::Xml) with [`XmlFault::ForeignRoot`] if the root is not an object of a type that
/// XML has.
///
/// # Example
/// ```
/// use epcis_edge_text::json::Document;
/// use epcis_edge_document::translate::{XmlVersion, to_xml};
/// let event = br#"{"type": "ObjectEvent", "action": "OBSERVE", "bizStep": "shipping"}"#;
/// let xml = to_xml(&Document::read(event)?, XmlVersion::V2_0)?;
/// assert!(xml.document.contains("<bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep>"));
/// assert!(xml.report.is_clean());
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
///
/// **Source**: EPCIS 1.2 and 2.0, chapter 9.
pub fn to_xml(document: &Document<'_>, version: XmlVersion) -> Result<XmlTranslation, Error> {
    let mut printer = XmlState::new(version).on(document);
    printer.document(false)?;
    let XmlState { out, mut report, metered, .. } = printer.state;
    report.close();
    Ok(XmlTranslation { document: out.text, metered_events: metered, report: XmlReport(report) })
}

/// The state of a translation to XML, kept between the parts of a document.
#[derive(Debug, Default)]
struct XmlState {
    family: Family,
    namespaces: Namespaces,
    prefixes: XmlPrefixes,
    out: XmlWriter,
    report: FidelityReport,
    metered: usize,
    /// The reader of the written events, for measuring.
    back_reader: Option<BackReader>,
}

impl XmlState {
    fn new(version: XmlVersion) -> Self {
        Self {
            family: match version {
                XmlVersion::V1_2 => Family::One,
                XmlVersion::V2_0 => Family::Two,
            },
            ..Self::default()
        }
    }

    /// Continues with a document, or with a part of one that has its context.
    fn on<'d>(self, document: &'d Document<'d>) -> XmlPrinter<'d> {
        XmlPrinter { document, state: self, hashers: hashers(document) }
    }
}

#[derive(Debug)]
struct XmlPrinter<'d> {
    document: &'d Document<'d>,
    state: XmlState,
    hashers: [Hasher<'d>; 3],
}

impl<'d> XmlPrinter<'d> {
    /// Writes the document. If its events come separately, leaves a gap for them and returns it.
    fn document(&mut self, has_events_apart: bool) -> Result<Option<EventsGap>, Error> {
        let root = self.document.root();
        let of_type = root.get("type").and_then(Value::as_str).unwrap_or("".into());
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        self.state.out.text.push_str(declaration);
        self.state.prefixes.enter(root);
        self.state.prefixes.index_namespaces();
        match &*of_type {
            "EPCISDocument" => Ok(self.envelope(root, Root::Document, has_events_apart)),
            "EPCISQueryDocument" => Ok(self.envelope(root, Root::Query, has_events_apart)),
            of_type if EVENT_TYPES.contains(&of_type) => {
                let opening = opening_of_bare(self.state.family);
                self.state.back_reader = Some(BackReader::within(opening));
                self.event(root, String::new());
                Ok(None)
            }
            other => {
                let fault = ErrorKind::Xml(XmlFault::ForeignRoot(other.to_owned()));
                Err(Error::at(fault, root.location()))
            }
        }
    }

    /// Writes the envelope, and the pieces into its slots.
    fn envelope(
        &mut self,
        root: Value<'d>,
        kind: Root,
        has_events_apart: bool,
    ) -> Option<EventsGap> {
        let table = self.table_of_envelope(root, kind);
        let mut builder = self.builder(&table);
        builder.envelope(root, kind);
        let cut = std::mem::take(&mut builder.cut);
        let mut pending = PendingEnvelope {
            slots: &builder.slots,
            losses: builder.losses.into_iter().peekable(),
            open: Vec::new(),
            events: Vec::new(),
            has_events_apart,
            gap: None,
        };
        // The prefixes of the context are declared at the document element.
        let element = builder.tree.root();
        let name = element.name();
        let start = self.state.out.text.len();
        self.state.out.text.push('<');
        name.push_to(&mut self.state.out.text);
        self.state.out.declare(name.prefix, name.namespace, &self.state.namespaces);
        let context = declared(root, &self.state.prefixes);
        for lost in context.lost {
            self.note(lost, CONTEXT_NO_HOME);
        }
        for (prefix, uri) in &context.prefixes {
            let namespace = self.state.namespaces.intern(uri);
            self.state.out.declare(prefix, namespace, &self.state.namespaces);
        }
        self.state.out.declare("xsi", Namespace::XSI, &self.state.namespaces);
        self.state.out.attributes(element);
        self.state.out.text.push('>');
        pending.open.push(start..self.state.out.text.len());
        self.children(element, &mut pending);
        self.state.out.end(element, 0);
        self.state.out.text.push('\n');
        self.note_losses(pending.losses);
        for code in cut {
            self.state.report.count(code, code.is_lossy());
        }
        self.measure_envelope(root, kind, &pending.events);
        pending.gap
    }

    /// Writes the children of an element of the envelope, and fills the slots among them.
    fn children<'t>(&mut self, element: Element<'t>, pending: &mut PendingEnvelope<'t, '_>) {
        for child in element.children() {
            match pending.slots.first() {
                Some(slot) if child.holds(slot.node) => {
                    if let (Filler::Header(text), true) = (&slot.filler, slot.node == child.index())
                    {
                        self.state.out.text.push_str(text);
                        pending.slots = pending.slots.part(1..);
                        continue;
                    }
                    let start = self.state.out.text.len();
                    let outer = self.state.out.begin(child, &self.state.namespaces);
                    pending.open.push(start..self.state.out.text.len());
                    if slot.node == child.index() {
                        pending.slots = pending.slots.part(1..);
                        self.fill(slot, pending);
                    }
                    self.children(child, pending);
                    pending.open.pop();
                    self.state.out.end(child, outer);
                }
                _ => self.state.out.element(child, &self.state.namespaces),
            }
        }
    }

    fn fill(&mut self, slot: &XmlSlot<'_>, pending: &mut PendingEnvelope<'_, '_>) {
        // Losses before the pieces are reported before the losses in them.
        let losses = &mut pending.losses;
        let before = std::iter::from_fn(|| losses.next_if(|loss| loss.node <= slot.node));
        self.note_losses(before.collect::<Vec<_>>());
        match slot.filler {
            Filler::Header(_) => {}
            Filler::Events => {
                let Some(list) = self.document.root().pointer(&slot.pointer) else {
                    return self.note(slot.pointer.clone(), VALUE_NO_HOME);
                };
                let text = &self.state.out.text;
                let tags = pending.open.iter().map(|range| text.part(range.clone()));
                self.state.back_reader = Some(BackReader::within(tags.collect()));
                let start = self.state.out.text.len();
                if pending.has_events_apart {
                    pending.gap = Some(EventsGap {
                        at: start,
                        pointer: slot.pointer.clone(),
                        out: self.state.out.apart(),
                    });
                } else {
                    self.events(list, &slot.pointer, 0);
                }
                pending.events.push(start..self.state.out.text.len());
            }
            Filler::VocabularyElements(list) => {
                for (number, element) in list.elements().enumerate() {
                    let table = self.table(element, self.state.prefixes.clone());
                    let mut builder = self.builder(&table);
                    builder.vocabulary_element(element);
                    self.print(&builder.tree);
                    let mut notes = Notes::default();
                    let pointer = format!("{}/{number}", slot.pointer);
                    notes.extend(&pointer, builder.losses, builder.cut);
                    notes.add_to_report(&mut self.state.report);
                }
            }
        }
    }

    /// Writes the events of a list, or of a part of it; `first` is the number of its first entry.
    fn events(&mut self, list: Value<'d>, base: &str, first: usize) {
        for (number, event) in list.elements().enumerate() {
            self.event(event, format!("{base}/{}", first + number));
        }
    }

    /// Writes an event, and reads it back.
    fn event(&mut self, event: Value<'d>, pointer: String) {
        let is_bare = pointer.is_empty();
        let of_type = event.get("type").and_then(Value::as_str);
        let wrappers = match (self.state.family, of_type.as_deref()) {
            (Family::One, Some("TransformationEvent")) => 1,
            (Family::One, Some("AssociationEvent")) => 2,
            _ => 0,
        };
        let mut notes = Notes::default();
        if wrappers == 2 && !is_bare {
            notes.push(BEYOND_1_2, pointer.clone());
        }
        let prefixes = self.prefixes_of(event);
        let context = declared(event, &prefixes);
        for lost in context.lost {
            notes.push(CONTEXT_NO_HOME, format!("{pointer}{lost}"));
        }
        let table = self.table(event, prefixes);
        let mut builder = self.builder(&table);
        builder.is_bare = is_bare;
        let is_written = builder.event(event);
        notes.extend(&pointer, builder.losses, builder.cut);
        let tree = builder.tree;
        let start = self.state.out.text.len();
        if is_written {
            // A bare event gets no wrappers.
            let wrappers = if is_bare { 0 } else { wrappers };
            self.state.out.text.push_str(&format!("<{EXTENSION}>").repeat(wrappers));
            // The declarations are for values too, which may begin with a prefix.
            for (prefix, uri) in &context.prefixes {
                let namespace = self.state.namespaces.intern(uri);
                self.state.out.declare_next(prefix, namespace);
            }
            self.print(&tree);
            self.state.out.text.push_str(&format!("</{EXTENSION}>").repeat(wrappers));
            self.state.metered += 1;
            let written = start..self.state.out.text.len();
            self.measure(event, &pointer, written, &mut notes);
        }
        notes.add_to_report(&mut self.state.report);
    }

    /// Returns the meanings of prefixes in an event.
    fn prefixes_of(&self, event: Value<'_>) -> XmlPrefixes {
        let mut prefixes = self.state.prefixes.clone();
        prefixes.enter(event);
        prefixes
    }

    fn table(&mut self, value: Value<'_>, mut prefixes: XmlPrefixes) -> Table {
        let mut table = Table::new();
        prefixes.resolve(value, &mut self.state.namespaces, &mut table);
        table
    }

    /// Resolves the extension names of the envelope.
    fn table_of_envelope(&mut self, root: Value<'_>, kind: Root) -> Table {
        let mut table = Table::new();
        let mut prefixes = self.state.prefixes.clone();
        envelope_names(root, kind, &mut prefixes, &mut self.state.namespaces, &mut table);
        table
    }

    fn builder<'b>(&self, table: &'b Table) -> XmlBuilder<'b, 'b> {
        let mut builder =
            XmlBuilder::new(NameSource::Table(table), self.state.family, XmlTree::default());
        builder.writes_required_lists = self.state.family == Family::One;
        builder.records_losses = true;
        builder
    }

    /// Prints a tree that was built.
    fn print(&mut self, tree: &XmlTree) {
        if !tree.is_empty() {
            self.state.out.element(tree.root(), &self.state.namespaces);
        }
    }

    fn note_losses(&mut self, losses: impl IntoIterator<Item = Loss>) {
        for loss in losses {
            self.note(loss.pointer, loss.code);
        }
    }

    fn note(&mut self, pointer: String, code: Code) {
        self.state.report.push(Note::of(code, pointer, None, None));
    }
}

/// The part of an envelope that is still to be written.
struct PendingEnvelope<'r, 'd> {
    slots: &'r [XmlSlot<'d>],
    losses: Peekable<std::vec::IntoIter<Loss>>,
    /// The ranges of the open start tags in the text, outermost first.
    open: Vec<Range<usize>>,
    /// The ranges of the events in the text.
    events: Vec<Range<usize>>,
    /// Whether the events are not in the document, but come separately.
    has_events_apart: bool,
    gap: Option<EventsGap>,
}

/// The place for the events in a written envelope.
#[derive(Debug)]
struct EventsGap {
    /// The byte offset in the text.
    at: usize,
    /// The JSON Pointer to the list.
    pointer: String,
    /// The writer of the events, with the declarations in force there.
    out: XmlWriter,
}
