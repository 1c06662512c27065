//! The containers of a document and what each child of theirs is.

use super::envelope::{Hole, MAX_ENVELOPE, Pieces};
use super::{Job, Root};
use crate::error::XmlFault;
use crate::translate::model::{Container, EventKind};
use crate::translate::model::{Model, Part};
use crate::translate::namespace::{Name, Namespace};
use crate::translate::reader::{Attribute, Fault, Reader, Token};
use crate::translate::report::{self, Code};
use crate::translate::structure::{Departure, Progress};
use crate::translate::write::{Place, push_string};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// An open container.
#[derive(Debug)]
pub(super) struct OpenContainer {
    pub(super) container: Container,
    /// How long the path of the one around it is.
    pub(super) outer_path: usize,
    /// Its number in the envelope.
    element: usize,
    /// How many events or vocabulary elements there were.
    pieces: usize,
    /// How many children of each name there were.
    counts: BTreeMap<Namespace, BTreeMap<Box<str>, u32>>,
    /// About how many bytes these counts take.
    size: usize,
    progress: Option<Progress>,
    has_text: bool,
    /// Whether the list inside of a vocabulary was begun.
    has_list: bool,
}

impl OpenContainer {
    pub(super) fn new(
        container: Container,
        outer_path: usize,
        model: Option<&'static Model>,
        element: usize,
    ) -> Self {
        Self {
            container,
            outer_path,
            element,
            pieces: 0,
            counts: BTreeMap::new(),
            size: 0,
            progress: model.map(Progress::new),
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

    /// How many bytes the names of the children take.
    pub(super) fn size(&self) -> usize {
        self.size
    }
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
    QueryName,
    SubscriptionId,
    Unknown,
}

impl<'x> Job<'x> {
    pub(super) fn containers(&mut self, reader: &mut Reader<'x>) -> Result<(), Fault> {
        while !self.frames.is_empty() {
            match reader.next(&mut self.namespaces)? {
                Token::Start { name, offset } => {
                    if !self.child(reader, name, offset)? {
                        reader.put_back(offset);
                        break;
                    }
                }
                Token::Text(text) => self.container_text(text),
                Token::End => self.leave(),
                Token::Eof => break,
            }
        }
        Ok(())
    }

    fn container_text(&mut self, text: Cow<'x, str>) {
        let value = text.trim();
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if value.is_empty() || std::mem::replace(&mut frame.has_text, true) {
            return;
        }
        let (element, path) = (frame.element, format!("{}/text()", self.path));
        let value = Some(value.to_owned());
        self.find(element, Place::Text, path, report::TEXT_NO_HOME, value);
        self.envelope.text(&text);
    }

    /// Takes a child of the innermost container; false, and nothing is done, where it is not there as a whole yet.
    fn child(
        &mut self,
        reader: &mut Reader<'x>,
        name: Name<'x>,
        offset: usize,
    ) -> Result<bool, Fault> {
        let Some(container) = self.frames.last().map(|frame| frame.container) else {
            return Ok(true);
        };
        let child = self.classify(container, name);
        if !matches!(child, Child::Container(_)) && !reader.has_whole_element(offset) {
            return Ok(false);
        }
        let Some(frame) = self.frames.last_mut() else {
            return Ok(true);
        };
        // Where nobody will ever be told of the element, nobody needs its position.
        let is_told = !self.report.is_full() || self.envelope.holds_lost();
        let position = if is_told || !matches!(child, Child::Unknown) {
            frame.count(name)
        } else {
            0
        };
        if self.envelope.is_beyond_limit() {
            let limit = MAX_ENVELOPE;
            return Err((XmlFault::Elements { limit }, offset));
        }
        let outer_path = self.path.len();
        let step = frame
            .progress
            .as_mut()
            .filter(|_| name.namespace != Namespace::SBDH)
            .map(|progress| progress.step(name));
        self.enter_path(name, position);
        let notes = self.report.len();
        let is_query_header = matches!(child, Child::QueryHeader);
        // An element that the schema does not expect here is not compared any further.
        let mut expected = true;
        match step {
            Some(Err(Departure::Child(text))) => {
                expected = false;
                self.structure(self.path.clone(), text);
            }
            Some(Err(Departure::Parent(text))) => {
                let parent = self.path.get(..outer_path).unwrap_or_default().to_owned();
                self.structure(parent, text);
            }
            _ => {}
        }
        if name.namespace.is_epcis() && !matches!(child, Child::Container(Container::QueryResults))
        {
            self.note(self.path.clone(), report::QUALIFIED, None, None);
        }
        match child {
            Child::Container(inner) => {
                self.enter(reader, inner, (name, position), outer_path, notes);
                return Ok(true);
            }
            Child::Event(_) | Child::VocabularyElement => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.pieces += 1;
                }
                if let Child::Event(kind) = child {
                    self.event(reader, name, offset, position, kind, expected)?;
                } else {
                    self.vocabulary_element(reader, name, offset, position)?;
                }
                self.tree.clear();
                self.path.truncate(outer_path);
                return Ok(true);
            }
            Child::QueryHeader => self.query_header(reader, name, offset)?,
            Child::Member => self.member(reader, name, offset, container)?,
            Child::Sbdh if self.sbdh.is_some() => {
                self.leave_out(reader, name, offset, report::REPEATED_ELEMENT)?;
            }
            Child::QueryName if self.query_name.is_some() => {
                self.leave_out(reader, name, offset, report::REPEATED_ELEMENT)?;
            }
            Child::SubscriptionId if self.subscription_id.is_some() => {
                self.leave_out(reader, name, offset, report::REPEATED_ELEMENT)?;
            }
            Child::Sbdh => self.standard_header(reader, name, offset)?,
            Child::QueryName => self.query_name = Some(self.leaf(reader, name, offset)?),
            Child::SubscriptionId => {
                self.subscription_id = Some(self.leaf(reader, name, offset)?);
            }
            // A body with neither events nor results is another message altogether.
            Child::Unknown
                if container == Container::Body
                    && name.namespace.is_standard()
                    && !self.has_content =>
            {
                let found = name.local.to_owned();
                return Err((XmlFault::UnsupportedBody { found }, offset));
            }
            Child::Unknown => self.unknown(reader, name, offset, container)?,
        }
        if self.envelope.lost.has(self.envelope.next(), Place::Element) && !is_query_header {
            self.envelope.add_lost(name, position, notes);
        } else {
            self.envelope.add(&self.tree, position, notes);
        }
        self.tree.clear();
        self.path.truncate(outer_path);
        Ok(true)
    }

    /// Appends the step of a child to the path.
    pub(super) fn enter_path(&mut self, name: Name<'x>, position: u32) {
        self.path.push('/');
        name.push_to(&mut self.path);
        // Writing to a string does not fail.
        let _ = write!(self.path, "[{position}]");
    }

    pub(super) fn classify(&self, container: Container, name: Name<'_>) -> Child {
        use Container as C;
        let inner = |container| Child::Container(container);
        let is_query = self.root == Root::Query;
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
            (C::Body, "QueryResults") if is_query && !self.has_results => inner(C::QueryResults),
            (C::Body, "EventList") if self.root == Root::Document => inner(C::EventList),
            (C::Body, "VocabularyList") if self.root == Root::MasterData => {
                inner(C::VocabularyList)
            }
            (C::Body | C::BodyExtension, "extension") if !is_query => inner(C::BodyExtension),
            (C::QueryResults, "queryName") => Child::QueryName,
            (C::QueryResults, "subscriptionID") => Child::SubscriptionId,
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
        self.frames.last().is_some_and(|frame| !frame.has_list)
    }

    fn enter(
        &mut self,
        reader: &mut Reader<'x>,
        container: Container,
        (name, position): (Name<'x>, u32),
        outer_path: usize,
        notes: usize,
    ) {
        use Container as C;
        let element = self.envelope.next();
        let stands_once = matches!(
            container,
            C::Header | C::Body | C::EventList | C::MasterData | C::VocabularyList | C::ResultsBody
        );
        if stands_once && self.envelope.stood_before(container) {
            let code = report::REPEATED_CONTAINER;
            self.find(element, Place::Element, self.path.clone(), code, None);
        }
        let part = match container {
            C::Header => Some(Part::Header),
            C::Body if self.root == Root::Document => Some(Part::Body),
            C::EventList => Some(Part::EventList),
            C::EventListExtension if self.version != "2.0" => Some(Part::EventListExtension),
            C::Vocabulary => Some(Part::Vocabulary),
            _ => None,
        };
        let model = part
            .filter(|_| self.is_compared)
            .map(|part| self.family.part(part));
        let attributes = std::mem::take(&mut reader.attributes);
        for (number, attribute) in attributes.iter().enumerate() {
            let is_type = container == C::Vocabulary && attribute.name.local == "type";
            if attribute.name.prefix.is_empty() && is_type {
                continue;
            }
            self.container_attribute(element, number, attribute);
        }
        match container {
            C::EventList => self.has_content = true,
            C::QueryResults => {
                self.has_results = true;
                self.has_content = true;
                if !name.namespace.is_epcis() {
                    self.is_compared = false;
                    let body = self.path.get(..outer_path).unwrap_or_default().to_owned();
                    self.structure(body, "`QueryResults` stands in no namespace".to_owned());
                }
            }
            C::VocabularyList => {
                self.has_vocabularies = true;
                self.has_content = true;
            }
            C::Vocabulary => {
                let origin = (0, Place::Element);
                self.vocabularies.begin_object(origin);
                let of_type = attributes.iter().find(|attribute| {
                    attribute.name.local == "type" && attribute.name.prefix.is_empty()
                });
                match of_type {
                    Some(attribute) => {
                        self.vocabularies.key("type");
                        self.vocabularies.string(attribute.value.trim(), origin);
                    }
                    None => {
                        let text = "the attribute `type` is missing".to_owned();
                        self.structure(self.path.clone(), text);
                    }
                }
                self.places.begin_vocabulary();
            }
            C::VocabularyElementList => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.has_list = true;
                }
                self.vocabularies.key("vocabularyElementList");
                self.vocabularies.begin_array((0, Place::Element));
                let start = self.vocabularies.text.len();
                self.element_lists.push(Hole {
                    range: start..start,
                    pieces: Pieces::default(),
                    given: None,
                });
            }
            _ => {}
        }
        self.envelope.open(name, &attributes, position, notes);
        let frame = OpenContainer::new(container, outer_path, model, element);
        self.frames.push(frame);
    }

    fn leave(&mut self) {
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        if let Some(text) = frame.progress.as_mut().and_then(Progress::end) {
            self.structure(self.path.clone(), text);
        }
        let mut pieces = frame.pieces;
        if frame.container == Container::EventListExtension
            && let Some(around) = self.frames.last_mut()
        {
            around.pieces += std::mem::take(&mut pieces);
        }
        self.envelope.close(frame.container, pieces);
        match frame.container {
            Container::VocabularyElementList => {
                if let Some(list) = self.element_lists.last_mut() {
                    list.range.end = self.vocabularies.text.len();
                    list.pieces = std::mem::take(&mut self.compared_elements);
                }
                self.vocabularies.end_array();
            }
            Container::Vocabulary => {
                let mut members = std::mem::take(&mut self.vocabulary_members);
                let empty = self.vocabularies.text.ends_with('{');
                let mut text = String::new();
                members.write(&mut text);
                let text = if empty {
                    text.trim_start_matches(',')
                } else {
                    &text
                };
                self.vocabularies.text.push_str(text);
                self.vocabularies.end_object();
            }
            _ => {}
        }
        self.path.truncate(frame.outer_path);
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
                self.members.push(key, text);
            }
        }
    }

    /// The date as the schema wants it: the only value that is ever mended, because it is no part of an event.
    fn take_creation_date(&mut self, number: usize, attribute: &Attribute<'x>) {
        use crate::translate::structure::is_time;
        let value = attribute.value.trim();
        let mut date = value.to_owned();
        if is_time(value, false) && !is_time(value, true) {
            date.push('Z');
            self.attribute_note(0, number, attribute, report::TIME_ZONE_ASSUMED);
        }
        self.creation_date = Some(date);
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
        let mut path = format!("{}/@", self.path);
        attribute.name.push_to(&mut path);
        let value = (code != report::SCHEMA_LOCATION).then(|| attribute.value.trim().to_owned());
        self.find(element, Place::Attribute(number), path, code, value);
    }
}
