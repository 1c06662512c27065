//! The containers of a document and what each child of theirs is.

use super::source_envelope::{ComparedPieces, Hole, MAX_ENVELOPE};
use super::{Job, Root};
use crate::error::XmlFault;
use crate::translate::characters::trimmed;
use crate::translate::kinds::{Container, EventKind};
use crate::translate::limits::MAX_FRAME_TEXT;
use crate::translate::namespace::{Name, Namespace};
use crate::translate::places::Start;
use crate::translate::reader::{Attribute, Fault, Token, XmlReader};
use crate::translate::report::{self, Code};
use crate::translate::write::{Spot, push_string};
use epcis_edge_schema::xml;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// An open container.
#[derive(Debug)]
pub(super) struct OpenContainer {
    pub(super) container: Container,
    /// How long the path of the one around it is.
    pub(super) outer_path: usize,
    /// Its number in the envelope.
    element: usize,
    /// Where its start tag is.
    pub(super) start: Began,
    /// How many events or vocabulary elements there were.
    pieces: usize,
    /// How many children of each name there were.
    counts: BTreeMap<Namespace, BTreeMap<Box<str>, u32>>,
    /// About how many bytes these counts take.
    pub(super) size: usize,
    has_text: bool,
    /// Whether the list inside of a vocabulary was begun.
    has_list: bool,
}

impl OpenContainer {
    pub(super) fn new(
        container: Container,
        outer_path: usize,
        element: usize,
        offset: usize,
    ) -> Self {
        Self {
            container,
            outer_path,
            element,
            start: Began::Here(offset),
            pieces: 0,
            counts: BTreeMap::new(),
            size: 0,
            has_text: false,
            has_list: false,
        }
    }

    /// The number of a further child among those of its name.
    pub(super) fn count(&mut self, name: Name<'_>) -> u32 {
        let counts = self.counts.entry(name.namespace).or_default();
        if let Some(count) = counts.get_mut(name.local) {
            *count += 1;
            return *count;
        }
        self.size += name.local.len() + 64;
        counts.insert(name.local.into(), 1);
        1
    }
}

/// Where the start tag of an open container is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Began {
    /// So many bytes into the text that is being read.
    Here(usize),
    /// In an earlier section of a document that comes in sections.
    Before(Start),
}

/// What a child of a container is.
pub(super) enum Child {
    Container(Container),
    Event(EventKind),
    VocabularyElement,
    Sbdh,
    /// The header of a query document, for which JSON has no home.
    QueryHeader,
    /// A member of the object that the container is written to.
    Member,
    /// A text of query results, by its number in [`RESULTS_TEXTS`](super::RESULTS_TEXTS).
    ResultsText(usize),
    Unknown,
}

impl<'x> Job<'x> {
    pub(super) fn containers(&mut self, reader: &mut XmlReader<'x>) -> Result<(), Fault> {
        while !self.held.open.is_empty() {
            match reader.next(&mut self.held.namespaces)? {
                Token::Start { name, offset } => {
                    if !self.child(reader, name, offset)? {
                        reader.put_back(offset);
                        break;
                    }
                }
                Token::Text(text) => {
                    self.container_text(text);
                    self.place_findings(reader, None);
                }
                Token::End => {
                    self.place_findings(reader, None);
                    self.leave();
                }
                Token::Eof => break,
            }
        }
        Ok(())
    }

    fn container_text(&mut self, text: Cow<'x, str>) {
        let value = trimmed(&text);
        let Some(open) = self.held.open.last_mut() else {
            return;
        };
        if value.is_empty() || std::mem::replace(&mut open.has_text, true) {
            return;
        }
        let (element, path) = (open.element, format!("{}/text()", self.held.path));
        let value = Some(value.to_owned());
        self.find(element, Spot::Text, path, report::TEXT_NO_HOME, value);
        self.held.envelope.text(&text);
    }

    /// Takes a child of the innermost container; false, and nothing is done, where it is not there as a whole yet.
    fn child(
        &mut self,
        reader: &mut XmlReader<'x>,
        name: Name<'x>,
        offset: usize,
    ) -> Result<bool, Fault> {
        let Some(container) = self.held.open.last().map(|open| open.container) else {
            return Ok(true);
        };
        let child = self.classify(container, name);
        if !matches!(child, Child::Container(_)) && !reader.has_whole_element(offset) {
            return Ok(false);
        }
        let is_telling = self.is_telling(reader);
        let Some(open) = self.held.open.last_mut() else {
            return Ok(true);
        };
        // Where nobody will ever be told of the element, nobody needs its position.
        let is_told = !self.held.report.is_full || self.held.envelope.holds_lost() || is_telling;
        let position = if is_told || !matches!(child, Child::Unknown) {
            open.count(name)
        } else {
            0
        };
        if self.held.envelope.is_beyond_limit() {
            let limit = MAX_ENVELOPE;
            return Err((XmlFault::Elements { limit }, offset));
        }
        let outer_path = self.held.path.len();
        name.push_step(position, &mut self.held.path);
        let notes = self.held.report.len();
        let is_query_header = matches!(child, Child::QueryHeader);
        if name.namespace.is_epcis() && !matches!(child, Child::Container(Container::QueryResults))
        {
            self.note(self.held.path.clone(), report::QUALIFIED, None, None);
        }
        if let Child::Container(inner) = child {
            self.enter(reader, inner, (name, position, offset), outer_path, notes);
            self.place_findings(reader, None);
            return Ok(true);
        }
        // A body with neither events nor results is another message altogether.
        let is_standard = name.namespace.is_standard() && matches!(child, Child::Unknown);
        if is_standard && container == Container::Body && !self.held.has_content() {
            let found = name.local.to_owned();
            return Err((XmlFault::UnsupportedBody { found }, offset));
        }
        self.read(reader, name, offset)?;
        let is_piece = matches!(child, Child::Event(_) | Child::VocabularyElement);
        if !matches!(child, Child::Event(_)) {
            self.held.frame_text += self.tree.in_other_bytes();
            if self.held.frame_text > MAX_FRAME_TEXT {
                let limit = MAX_FRAME_TEXT;
                return Err((XmlFault::FrameTextTooLong { limit }, offset));
            }
        }
        match child {
            Child::Event(kind) => self.event(reader, position, kind)?,
            Child::VocabularyElement => self.vocabulary_element(reader, position)?,
            Child::QueryHeader => self.query_header(),
            Child::Member => self.member(reader, container)?,
            Child::Sbdh if self.held.sbdh.is_some() => self.leave_out(report::REPEATED_ELEMENT),
            Child::Sbdh => self.standard_header(reader),
            Child::ResultsText(number) => match self.held.results.get(number) {
                Some(None) => {
                    let text = self.leaf(reader);
                    if let Some(slot) = self.held.results.get_mut(number) {
                        *slot = Some(text);
                    }
                }
                _ => self.leave_out(report::REPEATED_ELEMENT),
            },
            Child::Container(_) | Child::Unknown => self.unknown(container),
        }
        let envelope = &mut self.held.envelope;
        if is_piece {
            if let Some(open) = self.held.open.last_mut() {
                open.pieces += 1;
            }
        } else if envelope.lost.has(envelope.next(), Spot::Element) && !is_query_header {
            envelope.add_lost(name, position, notes);
        } else {
            envelope.add(&self.tree, position, notes);
        }
        self.place_findings(reader, Some(outer_path));
        self.tree.clear();
        self.held.path.truncate(outer_path);
        Ok(true)
    }

    pub(super) fn classify(&self, container: Container, name: Name<'_>) -> Child {
        use Container as C;
        let inner = |container| Child::Container(container);
        let is_query = self.held.root == Root::Query;
        if !name.namespace.is_standard() {
            return match container {
                C::Header if name.namespace == Namespace::SBDH => match name.local {
                    "StandardBusinessDocumentHeader" => Child::Sbdh,
                    _ => Child::Unknown,
                },
                C::Root
                | C::RootExtension
                | C::Header
                | C::HeaderExtension
                | C::Body
                | C::BodyExtension
                | C::QueryResultsExtension
                | C::Vocabulary
                | C::VocabularyExtension
                    if !(is_query && container == C::Body) =>
                {
                    Child::Member
                }
                _ => Child::Unknown,
            };
        }
        match (container, name.local) {
            (C::Root, "EPCISHeader") if is_query => Child::QueryHeader,
            (C::Root, "EPCISHeader") => inner(C::Header),
            (C::Root, "EPCISBody") => inner(C::Body),
            (C::Root | C::RootExtension, "extension") => inner(C::RootExtension),
            (C::Header | C::HeaderExtension, "extension") => inner(C::HeaderExtension),
            (C::HeaderExtension, "EPCISMasterData") => inner(C::MasterData),
            (C::MasterData, "VocabularyList") => inner(C::VocabularyList),
            (C::VocabularyList, "Vocabulary") => inner(C::Vocabulary),
            (C::Vocabulary, "VocabularyElementList") if self.takes_list() => {
                inner(C::VocabularyElementList)
            }
            (C::Vocabulary | C::VocabularyExtension, "extension") => inner(C::VocabularyExtension),
            (C::VocabularyElementList, "VocabularyElement") => Child::VocabularyElement,
            (C::Body, "QueryResults") if is_query && !self.held.has_entered(C::QueryResults) => {
                inner(C::QueryResults)
            }
            (C::Body, "EventList") if self.held.root == Root::Document => inner(C::EventList),
            (C::Body, "VocabularyList") if self.held.root == Root::MasterData => {
                inner(C::VocabularyList)
            }
            (C::Body | C::BodyExtension, "extension") if !is_query => inner(C::BodyExtension),
            (C::QueryResults, "queryName") => Child::ResultsText(0),
            (C::QueryResults, "subscriptionID") => Child::ResultsText(1),
            (C::QueryResults, "resultsBody") => inner(C::ResultsBody),
            (C::QueryResults | C::QueryResultsExtension, "extension") => {
                inner(C::QueryResultsExtension)
            }
            (C::ResultsBody, "EventList") => inner(C::EventList),
            (C::ResultsBody, "VocabularyList") => inner(C::VocabularyList),
            (C::EventList | C::EventListExtension, "extension") => inner(C::EventListExtension),
            (C::EventList | C::EventListExtension, local) => {
                EventKind::of(local).map_or(Child::Unknown, Child::Event)
            }
            _ => Child::Unknown,
        }
    }

    fn takes_list(&self) -> bool {
        self.held.open.last().is_some_and(|open| !open.has_list)
    }

    fn enter(
        &mut self,
        reader: &mut XmlReader<'x>,
        container: Container,
        (name, position, offset): (Name<'x>, u32, usize),
        outer_path: usize,
        notes: usize,
    ) {
        use Container as C;
        let element = self.held.envelope.next();
        let stands_once = matches!(
            container,
            C::Header | C::Body | C::EventList | C::MasterData | C::VocabularyList | C::ResultsBody
        );
        if stands_once && self.held.envelope.stood_before(container) {
            let code = report::REPEATED_CONTAINER;
            self.find(element, Spot::Element, self.held.path.clone(), code, None);
        }
        let attributes = std::mem::take(&mut reader.attributes);
        let mut of_type = None;
        for (number, attribute) in attributes.iter().enumerate() {
            let is_type = container == C::Vocabulary && attribute.name.local == "type";
            if is_type && attribute.name.prefix.is_empty() {
                of_type = Some(trimmed(&attribute.value));
            } else {
                self.container_attribute(element, number, attribute);
            }
        }
        self.held.entered |= 1 << container as u32;
        match container {
            C::Vocabulary => {
                let origin = (0, Spot::Element);
                self.held.vocabularies.begin_object(origin);
                if let Some(of_type) = of_type {
                    self.held.vocabularies.key("type");
                    self.held.vocabularies.string(of_type, origin);
                }
                self.held.places.begin_vocabulary();
            }
            C::VocabularyElementList => {
                if let Some(open) = self.held.open.last_mut() {
                    open.has_list = true;
                }
                self.held.vocabularies.key("vocabularyElementList");
                self.held.vocabularies.begin_array((0, Spot::Element));
                let start = self.held.vocabularies.text.len();
                self.held.element_lists.push(Hole {
                    range: start..start,
                    pieces: ComparedPieces::default(),
                    given: None,
                });
            }
            _ => {}
        }
        self.held.envelope.open(name, &attributes, position, notes);
        let open = OpenContainer::new(container, outer_path, element, offset);
        self.held.open.push(open);
    }

    fn leave(&mut self) {
        let Some(open) = self.held.open.pop() else {
            return;
        };
        let mut pieces = open.pieces;
        if open.container == Container::EventListExtension
            && let Some(around) = self.held.open.last_mut()
        {
            around.pieces += std::mem::take(&mut pieces);
        }
        self.held.envelope.close(open.container, pieces);
        match open.container {
            Container::VocabularyElementList => {
                if let Some(list) = self.held.element_lists.last_mut() {
                    list.range.end = self.held.vocabularies.text.len();
                    list.pieces = std::mem::take(&mut self.held.compared_elements);
                }
                self.held.vocabularies.end_array();
            }
            Container::Vocabulary => {
                let empty = self.held.vocabularies.text.ends_with('{');
                let mut text = String::new();
                self.held.write_members(Container::Vocabulary, &mut text);
                let text = if empty {
                    text.trim_start_matches(',')
                } else {
                    &text
                };
                self.held.vocabularies.text.push_str(text);
                self.held.vocabularies.end_object();
            }
            _ => {}
        }
        self.held.path.truncate(open.outer_path);
    }

    /// An attribute of the document element.
    pub(super) fn root_attribute(&mut self, number: usize, attribute: &Attribute<'x>) {
        let name = attribute.name;
        match (name.namespace, name.local) {
            (Namespace::NONE, "schemaVersion") => {}
            (Namespace::NONE, "creationDate") => self.take_creation_date(number, attribute),
            (Namespace::NONE | Namespace::XSI, _) => {
                self.container_attribute(0, number, attribute);
            }
            _ => {
                self.attribute_note(0, number, attribute, report::ATTRIBUTE_AS_MEMBER);
                let key = self.key(name);
                let mut text = String::new();
                push_string(&mut text, &attribute.value);
                self.held.members_of(Container::Root).push(key, text);
            }
        }
    }

    /// The date as the schema wants it: the only value that is ever mended, because it is no part of an event.
    fn take_creation_date(&mut self, number: usize, attribute: &Attribute<'x>) {
        let value = trimmed(&attribute.value);
        let mut date = value.to_owned();
        let with_zone = format!("{value}Z");
        if xml::is_date_time(value) && xml::is_date_time(&with_zone) {
            date = with_zone;
            self.attribute_note(0, number, attribute, report::TIME_ZONE_ASSUMED);
        }
        self.held.creation_date = Some(date);
    }

    /// An attribute of a container: none of them has a home.
    fn container_attribute(&mut self, element: usize, number: usize, attribute: &Attribute<'x>) {
        let code = match (attribute.name.namespace, attribute.name.local) {
            (Namespace::XSI, "schemaLocation" | "noNamespaceSchemaLocation") => {
                report::SCHEMA_LOCATION
            }
            (Namespace::XSI, "type") => report::XSI_TYPE,
            _ => report::ATTRIBUTE_NO_HOME,
        };
        self.attribute_note(element, number, attribute, code);
    }

    fn attribute_note(
        &mut self,
        element: usize,
        number: usize,
        attribute: &Attribute<'x>,
        code: Code,
    ) {
        let mut path = format!("{}/@", self.held.path);
        attribute.name.push_to(&mut path);
        let value = (code != report::SCHEMA_LOCATION).then(|| trimmed(&attribute.value).to_owned());
        self.find(element, Spot::Attribute(number), path, code, value);
    }
}
