//! Maps the envelope after all of it was read; each of its lists holds only the number of its pieces.

use super::Mapper;
use super::extension::Member;
use crate::field::ValueKind;
use crate::translate::characters::{collapse, trimmed};
use crate::translate::envelope::{Child, Container, EnvelopeNode, JsonForm, PIECES, child, parts};
use crate::translate::envelope::{HEADER_MEMBERS, SBDH_MEMBER};
use crate::translate::findings::PieceFinding;
use crate::translate::kinds::Root;
use crate::translate::namespace::Namespace;
use crate::translate::print::{XmlWriter, excerpt};
use crate::translate::report;
use crate::translate::tree::ElementPart;
use crate::translate::tree::{Attribute, Element};
use crate::translate::write::Origin;
use epcis_edge_schema::xml;
use epcis_edge_text::slice::OrEmpty;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The range in the text of an envelope where the pieces of a list are inserted, in place of their number.
#[derive(Clone, Debug)]
pub(in crate::translate) struct JsonListRange {
    pub(in crate::translate) range: Range<usize>,
    /// The number of the list of vocabulary elements; `None` for the list of events.
    pub(in crate::translate) list: Option<usize>,
}

/// The positions collected while an envelope is written.
#[derive(Debug, Default)]
pub(in crate::translate) struct EnvelopePositions {
    /// The containers that the content of repeated ones was joined to.
    pub(in crate::translate) joined: BTreeSet<usize>,
    pub(in crate::translate) list_ranges: Vec<JsonListRange>,
}

/// The content of an envelope, collected from all its places.
#[derive(Default)]
struct Contents<'t> {
    /// The users' members of each object.
    members: BTreeMap<EnvelopeNode, Vec<Member<'t>>>,
    has_vocabularies: bool,
    vocabularies: Vec<Vocabulary<'t>>,
    /// The number of lists of vocabulary elements.
    lists: usize,
    texts: BTreeMap<&'t str, Element<'t>>,
    creation_date: Option<String>,
    /// The whole Standard Business Document Header, and those of its values that have members.
    header: Option<Element<'t>>,
    parts: [Option<String>; 3],
    /// The first container of each kind.
    once: BTreeMap<EnvelopeNode, usize>,
    positions: EnvelopePositions,
}

struct Vocabulary<'t> {
    of_type: Option<String>,
    list: Option<usize>,
    members: Vec<Member<'t>>,
}

/// Returns the text in place of the pieces of a list: of the events for `None`, else of this list of vocabulary elements.
type Number<'n> = &'n dyn Fn(Option<usize>) -> String;

const ROOT: Origin = (0, ElementPart::Element);

impl Mapper<'_> {
    /// Writes the envelope of a document, except its context, as members of an object that the caller begins and ends.
    pub(in crate::translate) fn envelope(
        &mut self,
        root: Element<'_>,
        kind: Root,
        number: Number<'_>,
    ) -> EnvelopePositions {
        let mut contents = Contents::default();
        if kind == Root::MasterData {
            self.find(root, report::MASTER_DATA_DOCUMENT);
        }
        self.gather(root, Container::of(EnvelopeNode::Document), kind, &mut contents);
        let of_type = match kind {
            Root::Query => "EPCISQueryDocument",
            _ => "EPCISDocument",
        };
        self.text_member("type", of_type);
        self.text_member("schemaVersion", "2.0");
        if let Some(date) = &contents.creation_date {
            self.text_member("creationDate", date);
        }
        for (member, value) in HEADER_MEMBERS.iter().zip(&contents.parts) {
            if let Some(value) = value {
                self.text_member(member, value);
            }
        }
        if let Some(header) = contents.header {
            let mut kept = XmlWriter::default();
            kept.element(header, self.namespaces);
            self.text_member(SBDH_MEMBER, &kept.text);
        }
        self.user_members(EnvelopeNode::Document, root, &mut contents);
        self.parts(EnvelopeNode::Document, root, kind.in_json(), number, &mut contents);
        contents.positions
    }

    fn text_member(&mut self, name: &str, value: &str) {
        self.out.key(name);
        self.out.string(value, ROOT);
    }

    fn user_members<'t>(
        &mut self,
        holder: EnvelopeNode,
        root: Element<'t>,
        contents: &mut Contents<'t>,
    ) {
        let members = contents.members.get_mut(&holder).map(std::mem::take);
        self.members(&members.or_empty(), root);
    }

    /// Writes the parts that the table has for an object.
    fn parts<'t>(
        &mut self,
        holder: EnvelopeNode,
        root: Element<'t>,
        kind: Root,
        number: Number<'_>,
        contents: &mut Contents<'t>,
    ) {
        for part in parts(kind).filter(|part| part.parent == holder && !part.member.is_empty()) {
            match part.form {
                JsonForm::Object(EnvelopeNode::Header)
                    if !contents.has_vocabularies
                        && !contents.members.contains_key(&EnvelopeNode::Header) => {}
                JsonForm::Object(EnvelopeNode::MasterData) if !contents.has_vocabularies => {}
                JsonForm::Object(inner) => {
                    self.out.key(part.member);
                    self.out.begin_object(ROOT);
                    self.parts(inner, root, kind, number, contents);
                    self.user_members(inner, root, contents);
                    self.out.end_object();
                }
                JsonForm::List(_) if contents.has_vocabularies => {
                    self.out.key(part.member);
                    self.out.begin_array(ROOT);
                    for vocabulary in std::mem::take(&mut contents.vocabularies) {
                        self.vocabulary(
                            vocabulary,
                            root,
                            number,
                            &mut contents.positions.list_ranges,
                        );
                    }
                    self.out.end_array();
                }
                JsonForm::Pieces(_) => {
                    self.pieces(part.member, None, number, &mut contents.positions.list_ranges)
                }
                JsonForm::Text => {
                    if let Some(element) = contents.texts.get(part.member) {
                        self.leaf(Some(part.member), ValueKind::Plain, *element);
                    }
                }
                JsonForm::List(_) | JsonForm::Kept => {}
            }
        }
    }

    fn vocabulary(
        &mut self,
        vocabulary: Vocabulary<'_>,
        root: Element<'_>,
        number: Number<'_>,
        holes: &mut Vec<JsonListRange>,
    ) {
        self.out.begin_object(ROOT);
        if let Some(of_type) = &vocabulary.of_type {
            self.text_member("type", of_type);
        }
        if vocabulary.list.is_some() {
            self.pieces("vocabularyElementList", vocabulary.list, number, holes);
        }
        self.members(&vocabulary.members, root);
        self.out.end_object();
    }

    fn pieces(
        &mut self,
        member: &str,
        list: Option<usize>,
        number: Number<'_>,
        holes: &mut Vec<JsonListRange>,
    ) {
        self.out.key(member);
        self.out.begin_array(ROOT);
        let start = self.out.text.len();
        self.out.text.push_str(&number(list));
        let range = start..self.out.text.len();
        holes.push(JsonListRange { range, list });
        self.out.end_array();
    }

    /// Collects the content of a container, and reports what has no home.
    fn gather<'t>(
        &mut self,
        element: Element<'t>,
        container: Container,
        kind: Root,
        contents: &mut Contents<'t>,
    ) {
        self.check_no_text(element);
        let mut vocabulary = (container == Container::of(EnvelopeNode::Vocabulary))
            .then(|| Vocabulary { of_type: None, list: None, members: Vec::new() });
        for (number, attribute) in element.attributes().iter().enumerate() {
            self.container_attribute(element, (number, attribute), contents, &mut vocabulary);
        }
        if let Some(vocabulary) = vocabulary {
            contents.vocabularies.push(vocabulary);
        }
        for inside in element.children() {
            let name = inside.name();
            if name.local == PIECES {
                continue;
            }
            let child = child(kind, container, name);
            let is_results = matches!(child, Child::Container(inner) if inner.holder == EnvelopeNode::QueryResults);
            if name.namespace.is_epcis() && !is_results {
                self.find(inside, report::QUALIFIED);
            }
            match child {
                Child::Container(inner) => {
                    self.container(inside, inner, contents);
                    self.gather(inside, inner, kind, contents);
                }
                Child::Header => self.standard_header(inside, contents),
                Child::QueryHeader => {
                    self.leave_out(inside, report::QUERY_HEADER);
                    let mut headers = inside.children();
                    let header = headers.find(|child| child.namespace() == Namespace::SBDH);
                    contents.header = contents.header.or(header);
                }
                Child::Text => drop(contents.texts.insert(name.local, inside)),
                _ if container.holder == EnvelopeNode::Vocabulary => {
                    if let Some(vocabulary) = contents.vocabularies.last_mut() {
                        vocabulary.members.push(Member::element(inside));
                    }
                }
                _ => {
                    let members = contents.members.entry(container.holder).or_default();
                    members.push(Member::element(inside));
                }
            }
        }
    }

    fn container<'t>(
        &mut self,
        element: Element<'t>,
        container: Container,
        contents: &mut Contents<'t>,
    ) {
        use EnvelopeNode as H;
        match container.holder {
            _ if container.in_extension => return,
            H::VocabularyList => contents.has_vocabularies = true,
            H::VocabularyElementList => {
                if let Some(vocabulary) = contents.vocabularies.last_mut() {
                    vocabulary.list = Some(contents.lists);
                }
                contents.lists += 1;
                return;
            }
            H::Header | H::Body | H::EventList | H::MasterData | H::ResultsBody => {}
            _ => return,
        }
        let index = element.index();
        let first = *contents.once.entry(container.holder).or_insert(index);
        if first != index {
            contents.positions.joined.insert(first);
            self.find(element, report::REPEATED_CONTAINER);
        }
    }

    /// Handles an attribute of a container; few of them have a home.
    fn container_attribute<'t>(
        &mut self,
        element: Element<'t>,
        (number, attribute): (usize, Attribute<'t>),
        contents: &mut Contents<'t>,
        vocabulary: &mut Option<Vocabulary<'t>>,
    ) {
        let name = attribute.name;
        let is_root = element.index() == 0;
        match (name.namespace, name.local, vocabulary) {
            (Namespace::NONE, "schemaVersion", _) if is_root => {}
            (Namespace::NONE, "creationDate", _) if is_root => {
                contents.creation_date = Some(self.creation_date(element, number, attribute));
            }
            (Namespace::NONE, "type", Some(vocabulary)) => {
                vocabulary.of_type = Some(trimmed(attribute.value).to_owned());
            }
            (namespace, ..)
                if is_root && ![Namespace::NONE, Namespace::XSI].contains(&namespace) =>
            {
                let members = contents.members.entry(EnvelopeNode::Document).or_default();
                members.push(Member::attribute(element, number));
            }
            _ => {
                let code = match (name.namespace, name.local) {
                    (Namespace::XSI, "schemaLocation" | "noNamespaceSchemaLocation") => {
                        report::SCHEMA_LOCATION
                    }
                    (Namespace::XSI, "type") => report::XSI_TYPE,
                    _ => report::ATTRIBUTE_NO_HOME,
                };
                let value = (code != report::SCHEMA_LOCATION).then(|| trimmed(attribute.value));
                self.find_at(element, ElementPart::Attribute(number), code, value);
            }
        }
    }

    /// Returns the date with a time zone, as the schema requires: the only value ever corrected, because no event contains it.
    fn creation_date(
        &mut self,
        element: Element<'_>,
        number: usize,
        attribute: Attribute<'_>,
    ) -> String {
        let value = trimmed(attribute.value);
        let with_zone = format!("{value}Z");
        if !xml::is_date_time(value) || !xml::is_date_time(&with_zone) {
            return value.to_owned();
        }
        let place = ElementPart::Attribute(number);
        self.find_at(element, place, report::TIME_ZONE_ASSUMED, Some(value));
        with_zone
    }

    /// Handles the Standard Business Document Header: three of its values have a home, and the whole is kept beside them.
    fn standard_header<'t>(&mut self, header: Element<'t>, contents: &mut Contents<'t>) {
        contents.header = Some(header);
        let mut seen = [false; 3];
        self.lose_beside(header);
        for child in header.children() {
            let homes = ["Sender", "Receiver", "DocumentIdentification"];
            let number = homes.iter().position(|home| is_header_part(child, home));
            let slot = number.and_then(|number| contents.parts.get_mut(number));
            let wanted = match number {
                Some(2) => "InstanceIdentifier",
                _ => "Identifier",
            };
            // Only the first sender and the first receiver count.
            let seen = number.and_then(|number| seen.get_mut(number));
            let is_first = seen.is_some_and(|seen| !std::mem::replace(seen, true));
            let value = child.children().find(|part| is_first && is_header_part(*part, wanted));
            let (Some(value), Some(slot)) = (value, slot) else {
                self.lose_part(child);
                continue;
            };
            self.lose_beside(child);
            for part in child.children() {
                if part.index() == value.index() {
                    self.lose_attributes(part);
                    part.children().for_each(|inner| self.lose_part(inner));
                } else {
                    self.lose_part(part);
                }
            }
            *slot = Some(collapse(value.text()).into_owned());
        }
    }

    /// Reports the attributes and the text of a header element, which no field takes.
    fn lose_beside(&mut self, element: Element<'_>) {
        self.lose_attributes(element);
        let text = trimmed(element.text());
        if !text.is_empty() {
            self.find_at(element, ElementPart::Text, report::SBDH_NO_HOME, Some(text));
        }
    }

    fn lose_attributes(&mut self, element: Element<'_>) {
        for (number, attribute) in element.attributes().iter().enumerate() {
            let is_location = attribute.name.namespace == Namespace::XSI
                && attribute.name.local == "schemaLocation";
            let code = if is_location { report::SCHEMA_LOCATION } else { report::SBDH_NO_HOME };
            let value = (!is_location).then_some(attribute.value);
            self.find_at(element, ElementPart::Attribute(number), code, value);
        }
    }

    fn lose_part(&mut self, element: Element<'_>) {
        let finding =
            PieceFinding::new(element.index(), ElementPart::Element, report::SBDH_NO_HOME);
        let namespaces = self.namespaces;
        self.findings.push_value(finding, || {
            Some(if element.has_children() {
                excerpt(element, namespaces)
            } else {
                element.text().to_owned()
            })
        });
    }
}

fn is_header_part(element: Element<'_>, local: &str) -> bool {
    element.namespace() == Namespace::SBDH && element.local() == local
}
