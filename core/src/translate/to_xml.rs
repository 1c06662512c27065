//! The way back, for callers: EPCIS 2.0 JSON-LD to EPCIS XML 2.0 or 1.2, event by event.

mod names;

use super::back::{Back, HEADER_EXTENSION, Loss, MEMBER_NO_HOME, Names, Table};
use super::document::is_header;
use super::model::Family;
use super::namespace::{EPCIS, Namespaces, SBDH, XSI};
use super::print::{Scope, print, push_declaration, push_escaped};
use super::report::{FidelityReport, Note};
use super::tree::Tree;
use crate::error::{Error, ErrorKind, XmlFault};
use crate::json::{Document, Value};
use crate::vocabulary::EVENT_TYPES;
use names::Prefixes;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// The versions of EPCIS XML that are written. Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlVersion {
    /// EPCIS 1.2: what is newer stands in the extensions of extensions where documents of this version carry it.
    V1_2,
    /// EPCIS 2.0.
    V2_0,
}

/// A document that was translated to XML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlTranslation {
    /// The XML document, UTF-8 with its declaration.
    pub document: String,
    /// How many events were translated.
    pub metered_events: usize,
    /// What became of the JSON.
    pub report: XmlReport,
}

/// Which values of the JSON do not come back from the XML.
///
/// **Shape**, serialised: `clean` (boolean), `lossyPointers` (JSON Pointers), `noteList`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlReport(FidelityReport);

impl XmlReport {
    /// Whether every value comes back.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.0.is_round_trip_clean()
    }

    /// The JSON Pointers (RFC 6901) to what does not come back.
    pub fn lossy_pointers(&self) -> impl Iterator<Item = &str> {
        self.0.lossy_paths()
    }

    /// The notes; their paths are JSON Pointers.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        self.0.notes()
    }
}

impl Serialize for XmlReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("XmlReport", 3)?;
        members.serialize_field("clean", &self.is_clean())?;
        members.serialize_field("lossyPointers", &self.lossy_pointers().collect::<Vec<_>>())?;
        members.serialize_field("noteList", self.notes())?;
        members.end()
    }
}

/// Writes an EPCIS 2.0 JSON-LD document, query document or bare event as EPCIS XML.
///
/// **Shape**: elements stand in the order of the XML schema; words of the CBV get their URN form; extension members become
/// elements, and attributes where a `#text` stands beside nothing but strings.
///
/// # Errors
/// [`ErrorKind::Xml`](crate::error::ErrorKind::Xml) with [`XmlFault::ForeignRoot`] when the root is no object of a type that
/// XML has.
///
/// # Example
/// ```
/// use epcis_edge_core::json::Document;
/// use epcis_edge_core::translate::{XmlVersion, to_xml};
/// let event = br#"{"type": "ObjectEvent", "action": "OBSERVE", "bizStep": "shipping"}"#;
/// let xml = to_xml(&Document::read(event)?, XmlVersion::V2_0)?;
/// assert!(xml.document.contains("<bizStep>urn:epcglobal:cbv:bizstep:shipping</bizStep>"));
/// assert!(xml.report.is_clean());
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
///
/// **Source**: EPCIS 1.2 and 2.0, chapter 9.
pub fn to_xml(document: &Document<'_>, version: XmlVersion) -> Result<XmlTranslation, Error> {
    let root = document.root();
    let of_type = root.get("type").and_then(Value::as_str).unwrap_or_default();
    let mut printer = Printer {
        family: match version {
            XmlVersion::V1_2 => Family::One,
            XmlVersion::V2_0 => Family::Two,
        },
        namespaces: Namespaces::new(),
        prefixes: Prefixes::default(),
        out: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"),
        scope: Scope::default(),
        report: FidelityReport::new(document.text().len()),
        metered: 0,
    };
    if let Some(context) = root.get("@context") {
        printer.prefixes.read(context);
    }
    match &*of_type {
        "EPCISDocument" => printer.document(root),
        "EPCISQueryDocument" => printer.query(root),
        of_type if EVENT_TYPES.contains(&of_type) => printer.event(root, ""),
        other => {
            let found = other.to_owned();
            let fault = ErrorKind::Xml(XmlFault::ForeignRoot { found });
            return Err(Error::at(fault, root.location()));
        }
    }
    printer.report.close();
    Ok(XmlTranslation {
        document: printer.out,
        metered_events: printer.metered,
        report: XmlReport(printer.report),
    })
}

struct Printer {
    family: Family,
    namespaces: Namespaces,
    prefixes: Prefixes,
    out: String,
    scope: Scope,
    report: FidelityReport,
    metered: usize,
}

impl Printer {
    fn note(&mut self, pointer: String, code: super::report::Code) {
        self.report.push(Note {
            path: pointer,
            code: code.word,
            value: None,
            text: code.text.to_owned(),
            lossy: code.lossy,
        });
    }

    /// Opens the document element and declares the prefixes of the context there.
    fn open_root(&mut self, prefix: &str, local: &str, epcis: usize, root: Value<'_>) {
        let number = epcis + usize::from(self.family == Family::Two);
        let uri = EPCIS.get(number).copied().unwrap_or_default();
        let namespace = self.namespaces.intern(uri);
        self.scope.declare(prefix, namespace);
        self.out.push_str(&format!("<{prefix}:{local}"));
        push_declaration(prefix, uri, &mut self.out);
        for (prefix, uri) in self.prefixes.of_users() {
            let namespace = self.namespaces.intern(uri);
            self.scope.declare(prefix, namespace);
            push_declaration(prefix, uri, &mut self.out);
        }
        self.scope.declare("xsi", self.namespaces.intern(XSI));
        push_declaration("xsi", XSI, &mut self.out);
        let version = match self.family {
            Family::One => "1.2",
            Family::Two => "2.0",
        };
        self.out.push_str(&format!(" schemaVersion=\"{version}\""));
        if let Some(date) = root.get("creationDate").and_then(Value::as_str) {
            self.out.push_str(" creationDate=\"");
            push_escaped(&date, true, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
    }

    fn document(&mut self, root: Value<'_>) {
        self.open_root("epcis", "EPCISDocument", 0, root);
        self.header(root);
        self.out.push_str("<EPCISBody>");
        if let Some(body) = root.get("epcisBody") {
            if let Some(list) = body.get("eventList") {
                self.event_list(list, "/epcisBody/eventList");
            }
            self.extensions(body, "/epcisBody", &["eventList"]);
        }
        self.out.push_str("</EPCISBody>");
        let known = [
            "@context",
            "type",
            "schemaVersion",
            "creationDate",
            "sender",
            "receiver",
            "instanceIdentifier",
            "epcisHeader",
            "epcisBody",
            super::SBDH_MEMBER,
        ];
        self.extensions(root, "", &known);
        self.out.push_str("</epcis:EPCISDocument>\n");
    }

    fn query(&mut self, root: Value<'_>) {
        self.open_root("epcisq", "EPCISQueryDocument", 2, root);
        self.header(root);
        self.out.push_str("<EPCISBody><epcisq:QueryResults>");
        let base = "/epcisBody/queryResults";
        if let Some(results) = root
            .get("epcisBody")
            .and_then(|body| body.get("queryResults"))
        {
            for name in ["queryName", "subscriptionID"] {
                if let Some(text) = results.get(name).and_then(Value::as_str) {
                    self.element(name, &text);
                }
            }
            self.out.push_str("<resultsBody>");
            if let Some(body) = results.get("resultsBody") {
                let base = format!("{base}/resultsBody");
                let events = body.get("eventList");
                let vocabularies = body.get("vocabularyList");
                let has_events = events.is_some_and(|list| list.elements().next().is_some());
                if let Some(list) = vocabularies {
                    self.vocabularies(list, &format!("{base}/vocabularyList"));
                }
                // The schema has one of the two; an empty list beside vocabularies only satisfies the JSON schema.
                if let Some(list) = events.filter(|_| has_events || vocabularies.is_none()) {
                    self.event_list(list, &format!("{base}/eventList"));
                }
                self.extensions(body, &base, &["eventList", "vocabularyList"]);
            }
            self.out.push_str("</resultsBody>");
            let known = ["queryName", "subscriptionID", "resultsBody"];
            let has_others = results
                .members()
                .any(|(key, _)| !known.iter().any(|known| key == *known));
            if has_others {
                self.out.push_str("<extension>");
                self.extensions(results, base, &known);
                self.out.push_str("</extension>");
            }
        }
        self.out.push_str("</epcisq:QueryResults></EPCISBody>");
        let known = [
            "@context",
            "type",
            "schemaVersion",
            "creationDate",
            "epcisBody",
            super::SBDH_MEMBER,
        ];
        self.extensions(root, "", &known);
        self.out.push_str("</epcisq:EPCISQueryDocument>\n");
    }

    fn element(&mut self, name: &str, text: &str) {
        self.out.push_str(&format!("<{name}>"));
        push_escaped(text, false, &mut self.out);
        self.out.push_str(&format!("</{name}>"));
    }

    /// The header: the one that was kept, or one with the three values that JSON has, and the constants that XML wants.
    fn header(&mut self, root: Value<'_>) {
        let text = |name: &str| root.get(name).and_then(Value::as_str);
        let kept = text(super::SBDH_MEMBER).filter(|kept| is_header(kept));
        let parts = [text("sender"), text("receiver"), text("instanceIdentifier")];
        let header = root.get("epcisHeader");
        if kept.is_none() && header.is_none() && parts.iter().all(Option::is_none) {
            return;
        }
        self.out.push_str("<EPCISHeader>");
        match (kept, parts) {
            (Some(kept), _) => self.out.push_str(&kept),
            (None, [None, None, None]) => {}
            (None, [sender, receiver, identifier]) => {
                let date = text("creationDate").unwrap_or_default();
                self.out.push_str("<sbdh:StandardBusinessDocumentHeader");
                push_declaration("sbdh", SBDH, &mut self.out);
                self.out
                    .push_str("><sbdh:HeaderVersion>1.0</sbdh:HeaderVersion>");
                for (name, value) in [("sbdh:Sender", sender), ("sbdh:Receiver", receiver)] {
                    if let Some(value) = value {
                        self.out.push_str(&format!("<{name}>"));
                        self.element("sbdh:Identifier", &value);
                        self.out.push_str(&format!("</{name}>"));
                    }
                }
                self.out.push_str("<sbdh:DocumentIdentification><sbdh:Standard>EPCglobal</sbdh:Standard><sbdh:TypeVersion>1.0</sbdh:TypeVersion>");
                if let Some(identifier) = identifier {
                    self.element("sbdh:InstanceIdentifier", &identifier);
                }
                self.element("sbdh:Type", "Events");
                self.element("sbdh:CreationDateAndTime", &date);
                self.out.push_str(
                    "</sbdh:DocumentIdentification></sbdh:StandardBusinessDocumentHeader>",
                );
            }
        }
        if let Some(header) = header {
            if let Some(master_data) = header.get("epcisMasterData") {
                self.out.push_str("<extension><EPCISMasterData>");
                if let Some(list) = master_data.get("vocabularyList") {
                    self.vocabularies(list, "/epcisHeader/epcisMasterData/vocabularyList");
                }
                self.out.push_str("</EPCISMasterData></extension>");
            }
            self.header_extensions(header);
        }
        self.out.push_str("</EPCISHeader>");
    }

    /// User elements of the header: the 2.0 schema has no place for them, though readers take them.
    fn header_extensions(&mut self, header: Value<'_>) {
        let known = ["epcisMasterData"];
        if self.family == Family::Two {
            for (key, _) in header.members() {
                let key = key.to_cow();
                if key.contains(':') && !known.contains(&&*key) {
                    let mut pointer = "/epcisHeader".to_owned();
                    crate::json::push_step(&mut pointer, &key);
                    self.note(pointer, HEADER_EXTENSION);
                }
            }
        }
        self.extensions(header, "/epcisHeader", &known);
    }

    fn event_list(&mut self, list: Value<'_>, base: &str) {
        self.out.push_str("<EventList>");
        for (number, event) in list.elements().enumerate() {
            let of_type = event.get("type").and_then(Value::as_str);
            let wrappers = match (self.family, of_type.as_deref()) {
                (Family::One, Some("TransformationEvent")) => 1,
                (Family::One, Some("AssociationEvent")) => 2,
                _ => 0,
            };
            self.out.push_str(&"<extension>".repeat(wrappers));
            let pointer = format!("{base}/{number}");
            if wrappers == 2 {
                self.note(pointer.clone(), super::back::BEYOND_1_2);
            }
            self.event(event, &pointer);
            self.out.push_str(&"</extension>".repeat(wrappers));
        }
        self.out.push_str("</EventList>");
    }

    fn event(&mut self, event: Value<'_>, base: &str) {
        let mut prefixes = self.prefixes.clone();
        if let Some(context) = event.get("@context") {
            prefixes.read(context);
        }
        let table = self.table(event, prefixes);
        let mut back = self.back(&table);
        back.is_bare = base.is_empty();
        let written = back.event(event);
        let (tree, losses) = (back.tree, back.losses);
        self.print(&tree, losses, base);
        self.metered += usize::from(written);
    }

    fn table(&mut self, value: Value<'_>, mut prefixes: Prefixes) -> Table {
        let mut table = Table::new();
        prefixes.resolve(value, &mut self.namespaces, &mut table);
        table
    }

    fn back<'d>(&self, table: &'d Table) -> Back<'d, 'd> {
        let mut back = Back::new(Names::Table(table), self.family, Tree::default());
        back.complete = self.family == Family::One;
        back.losses = Some(Vec::new());
        back
    }

    /// Prints what was built and notes what was lost.
    fn print(&mut self, tree: &Tree<'_>, losses: Option<Vec<Loss>>, base: &str) {
        if !tree.is_empty() {
            for root in tree.roots() {
                print(root, &self.namespaces, &mut self.scope, &mut self.out);
            }
        }
        for loss in losses.unwrap_or_default() {
            self.note(format!("{base}{}", loss.pointer), loss.code);
        }
    }

    fn vocabularies(&mut self, list: Value<'_>, base: &str) {
        self.out.push_str("<VocabularyList>");
        for (number, vocabulary) in list.elements().enumerate() {
            let base = format!("{base}/{number}");
            self.out.push_str("<Vocabulary");
            if let Some(of_type) = vocabulary.get("type").and_then(Value::as_str) {
                self.out.push_str(" type=\"");
                push_escaped(&of_type, true, &mut self.out);
                self.out.push('"');
            }
            self.out.push('>');
            if let Some(elements) = vocabulary.get("vocabularyElementList") {
                self.out.push_str("<VocabularyElementList>");
                for (number, element) in elements.elements().enumerate() {
                    let table = self.table(element, self.prefixes.clone());
                    let mut back = self.back(&table);
                    back.vocabulary_element(element);
                    let (tree, losses) = (back.tree, back.losses);
                    let base = format!("{base}/vocabularyElementList/{number}");
                    self.print(&tree, losses, &base);
                }
                self.out.push_str("</VocabularyElementList>");
            }
            self.extensions(vocabulary, &base, &["type", "vocabularyElementList"]);
            self.out.push_str("</Vocabulary>");
        }
        self.out.push_str("</VocabularyList>");
    }

    /// Members of the envelope that are no fields: extensions become elements, anything else has no home.
    fn extensions(&mut self, value: Value<'_>, base: &str, known: &[&str]) {
        for (key, member) in value.members() {
            if known.iter().any(|known| key == *known) {
                continue;
            }
            let mut table = self.table(member, self.prefixes.clone());
            let mut prefixes = self.prefixes.clone();
            prefixes.add(&key.to_cow(), &mut self.namespaces, &mut table);
            let is_named = key.to_cow().contains(':') || base.contains("/vocabularyList/");
            if !is_named {
                let mut pointer = base.to_owned();
                crate::json::push_step(&mut pointer, &key.to_cow());
                self.note(pointer, MEMBER_NO_HOME);
                continue;
            }
            let mut back = self.back(&table);
            back.extension(key, member);
            let (tree, losses) = (back.tree, back.losses);
            self.print(&tree, losses, base);
        }
    }
}
