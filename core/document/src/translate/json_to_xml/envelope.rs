//! Writes the envelope as XML: everything around the events and vocabulary elements of a document.

use super::names::XmlPrefixes;
use super::{HEADER_EXTENSION, MEMBER_NO_HOME, PointerStep, Table, VALUE_NO_HOME, XmlBuilder};
use crate::field::ValueKind;
use crate::translate::envelope::{EnvelopeNode, EnvelopePart, JsonForm, PIECES, parts};
use crate::translate::envelope::{HEADER_MEMBERS, SBDH_MEMBER, is_header};
use crate::translate::kinds::{Family, Root};
use crate::translate::namespace::{Name, Namespace, Namespaces};
use epcis_edge_text::json::{Kind, Text, Value};
use std::borrow::Cow;

/// The members of an envelope object that are neither parts of the table nor users' members.
fn known(holder: EnvelopeNode) -> &'static [&'static str] {
    match holder {
        EnvelopeNode::Document => &[
            "@context",
            "type",
            "schemaVersion",
            "creationDate",
            "sender",
            "receiver",
            "instanceIdentifier",
            SBDH_MEMBER,
        ],
        EnvelopeNode::Vocabulary => &["type"],
        _ => &[],
    }
}

/// Returns the users' members of an envelope object.
fn others<'d>(
    value: Value<'d>,
    root: Root,
    holder: EnvelopeNode,
) -> impl Iterator<Item = (Text<'d>, Value<'d>)> {
    value.members().filter(move |(key, _)| {
        let is_part = |part: &EnvelopePart| part.parent == holder && *key == *part.member;
        !parts(root).any(is_part) && !known(holder).iter().any(|known| *key == **known)
    })
}

/// An element of an envelope that is filled later.
#[derive(Debug)]
pub(in crate::translate) struct XmlSlot<'d> {
    /// The number of the element in the tree of the envelope.
    pub(in crate::translate) node: usize,
    /// The JSON Pointer to the value.
    pub(in crate::translate) pointer: String,
    pub(in crate::translate) filler: Filler<'d>,
}

/// The content of a slot.
#[derive(Debug)]
pub(in crate::translate) enum Filler<'d> {
    /// The events in the list that the pointer of the slot leads to.
    Events,
    VocabularyElements(Value<'d>),
    /// XML text that replaces the element.
    Header(Cow<'d, str>),
}

/// Resolves the names of all extension members in an envelope, outside of its pieces.
pub(in crate::translate) fn envelope_names(
    value: Value<'_>,
    root: Root,
    prefixes: &mut XmlPrefixes,
    namespaces: &mut Namespaces,
    table: &mut Table,
) {
    let mut open = vec![(value, EnvelopeNode::Document)];
    while let Some((value, holder)) = open.pop() {
        for (key, member) in others(value, root, holder) {
            prefixes.add(&key.to_cow(), namespaces, table);
            prefixes.resolve(member, namespaces, table);
        }
        for part in parts(root).filter(|part| part.parent == holder) {
            match (value.get(part.member), part.form) {
                (Some(member), JsonForm::Object(inner)) => open.push((member, inner)),
                (Some(member), JsonForm::Kept) => open.push((member, EnvelopeNode::Header)),
                (Some(list), JsonForm::List(_)) => {
                    open.extend(list.elements().map(|entry| (entry, EnvelopeNode::Vocabulary)));
                }
                _ => {}
            }
        }
    }
}

impl<'a: 'd, 'd> XmlBuilder<'a, 'd> {
    /// Builds the envelope of a document, or of a query document.
    pub(in crate::translate) fn envelope(&mut self, value: Value<'d>, root: Root) {
        let name = match root {
            Root::Query => self.document_name("epcisq", "EPCISQueryDocument"),
            _ => self.document_name("epcis", "EPCISDocument"),
        };
        self.open_root(name, value);
        self.parts(value, root, EnvelopeNode::Document);
        self.named_others(value, root, EnvelopeNode::Document);
        self.tree.close();
    }

    fn document_name(&self, prefix: &'static str, local: &'static str) -> Name<'static> {
        Name { prefix, local, namespace: Namespace::of_document(self.family, prefix == "epcisq") }
    }

    /// Builds the parts of an object.
    fn parts(&mut self, value: Value<'d>, root: Root, holder: EnvelopeNode) {
        let has_entries =
            |list: Option<Value<'_>>| list.is_some_and(|list| list.elements().next().is_some());
        for part in parts(root).filter(|part| part.parent == holder && !part.member.is_empty()) {
            let member = value.get(part.member);
            match (part.form, member) {
                (JsonForm::Object(EnvelopeNode::Header) | JsonForm::Kept, _) => {
                    self.header(value, root)
                }
                (JsonForm::Object(inner), None) if is_required(inner) => self.empty(part, root),
                (JsonForm::Object(inner), Some(member)) => {
                    self.wrapped(part, |builder| {
                        builder.step(PointerStep::Named(part.member), |builder| {
                            builder.object_of_envelope(member, root, inner);
                        });
                    });
                }
                (JsonForm::List(_), Some(list)) => self.wrapped(part, |builder| {
                    builder.step(PointerStep::Named(part.member), |builder| {
                        builder.each(list, |builder, entry| builder.vocabulary(entry, root));
                    });
                }),
                // The schema allows one of the two; an empty event list beside vocabularies is only there for the JSON schema.
                (JsonForm::Pieces(EnvelopeNode::EventList), Some(list))
                    if !has_entries(Some(list)) && value.get("vocabularyList").is_some() => {}
                (JsonForm::Pieces(inner), Some(list)) => {
                    let filler = match inner {
                        EnvelopeNode::EventList => Filler::Events,
                        _ => Filler::VocabularyElements(list),
                    };
                    self.step(PointerStep::Named(part.member), |builder| {
                        builder.pieces(part.element, list, filler);
                    });
                }
                (JsonForm::Text, Some(text)) => {
                    self.step(PointerStep::Named(part.member), |builder| {
                        builder.leaf(part.element, text, ValueKind::Plain);
                    })
                }
                _ => {}
            }
        }
    }

    /// Builds an element that the schema requires but the JSON does not have, with its required children.
    fn empty(&mut self, part: &'static EnvelopePart, root: Root) {
        self.wrapped(part, |builder| {
            let mut inner = parts(root).filter(|inner| part.form == JsonForm::Object(inner.parent));
            if let Some(results) = inner.find(|inner| inner.element == "QueryResults") {
                builder.wrapped(results, |_| {});
            }
        });
    }

    /// Builds the element of a part, in its wrapper if it has one.
    fn wrapped(&mut self, part: &'static EnvelopePart, work: impl FnOnce(&mut Self)) {
        if part.in_extension {
            self.tree.open(Name::unqualified("extension"));
        }
        let name = match part.element {
            "QueryResults" => self.document_name("epcisq", "QueryResults"),
            element => Name::unqualified(element),
        };
        self.tree.open(name);
        work(self);
        self.tree.close();
        if part.in_extension {
            self.tree.close();
        }
    }

    /// Builds the content of an object: its parts, and users' members.
    fn object_of_envelope(&mut self, value: Value<'d>, root: Root, holder: EnvelopeNode) {
        self.parts(value, root, holder);
        match holder {
            EnvelopeNode::MasterData => self.lose_others(value, root, holder),
            EnvelopeNode::Body if root == Root::Query => self.lose_others(value, root, holder),
            EnvelopeNode::QueryResults if others(value, root, holder).next().is_some() => {
                self.tree.open(Name::unqualified("extension"));
                self.named_others(value, root, holder);
                self.tree.close();
            }
            _ => self.named_others(value, root, holder),
        }
    }

    fn lose_others(&mut self, value: Value<'d>, root: Root, holder: EnvelopeNode) {
        for (key, _) in others(value, root, holder) {
            self.lose_member(key, MEMBER_NO_HOME);
        }
    }

    fn open_root(&mut self, name: Name<'static>, root: Value<'d>) {
        self.tree.open(name);
        let version = match self.family {
            Family::One => "1.2",
            Family::Two => "2.0",
        };
        self.tree.attribute(Name::unqualified("schemaVersion"), version);
        if let Some(date) = root.get("creationDate").and_then(Value::as_str) {
            let date = self.legal(date);
            self.tree.attribute(Name::unqualified("creationDate"), &date);
        }
        self.xml_attributes(root);
    }

    fn header(&mut self, value: Value<'d>, root: Root) {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let kept = text(SBDH_MEMBER).filter(|kept| !self.is_measured && is_header(kept));
        let parts = HEADER_MEMBERS.map(text);
        for name in ["creationDate"].into_iter().chain(HEADER_MEMBERS) {
            if value.get(name).is_some() && text(name).is_none() {
                self.step(PointerStep::Named(name), |builder| builder.lose(VALUE_NO_HOME));
            }
        }
        if value.get(SBDH_MEMBER).is_some() && kept.is_none() {
            self.step(PointerStep::Named(SBDH_MEMBER), |builder| builder.lose(VALUE_NO_HOME));
        }
        let header = value.get("epcisHeader");
        let has_parts = parts.iter().any(Option::is_some);
        if kept.is_none() && header.is_none() && !has_parts {
            return;
        }
        self.tree.open(Name::unqualified("EPCISHeader"));
        if let Some(kept) = kept {
            self.slot(Filler::Header(kept));
            self.tree.leaf(sbdh("StandardBusinessDocumentHeader"), "");
        } else if has_parts {
            self.standard_header(parts, text("creationDate").unwrap_or(Cow::Borrowed("")));
        }
        self.member(value, "epcisHeader", |builder, header| {
            builder.epcis_header(header, root);
        });
        self.tree.close();
    }

    /// Builds the header from the three values that JSON has, and from constants that XML requires.
    fn standard_header(&mut self, parts: [Option<Cow<'d, str>>; 3], date: Cow<'d, str>) {
        let [sender, receiver, identifier] = parts;
        let with_constants = !self.is_measured;
        self.tree.open(sbdh("StandardBusinessDocumentHeader"));
        if with_constants {
            self.header_leaf("HeaderVersion", Cow::Borrowed("1.0"));
        }
        for (name, value) in [("Sender", sender), ("Receiver", receiver)] {
            if let Some(value) = value {
                self.tree.open(sbdh(name));
                self.header_leaf("Identifier", value);
                self.tree.close();
            }
        }
        if with_constants || identifier.is_some() {
            self.tree.open(sbdh("DocumentIdentification"));
            if with_constants {
                self.header_leaf("Standard", Cow::Borrowed("EPCglobal"));
                self.header_leaf("TypeVersion", Cow::Borrowed("1.0"));
            }
            if let Some(identifier) = identifier {
                self.header_leaf("InstanceIdentifier", identifier);
            }
            if with_constants {
                self.header_leaf("Type", Cow::Borrowed("Events"));
                self.header_leaf("CreationDateAndTime", date);
            }
            self.tree.close();
        }
        self.tree.close();
    }

    fn header_leaf(&mut self, name: &'static str, value: Cow<'d, str>) {
        let value = self.legal(value);
        self.tree.leaf(sbdh(name), &value);
    }

    fn epcis_header(&mut self, header: Value<'d>, root: Root) {
        // The 2.0 schema allows no user elements here, but readers accept them.
        let is_refused = self.family == Family::Two;
        for (key, _) in others(header, root, EnvelopeNode::Header).filter(|_| is_refused) {
            if key.to_cow().contains(':') {
                self.lose_member(key, HEADER_EXTENSION);
            }
        }
        self.object_of_envelope(header, root, EnvelopeNode::Header);
    }

    fn vocabulary(&mut self, vocabulary: Value<'d>, root: Root) {
        if !self.is_object(vocabulary) {
            return;
        }
        self.tree.open(Name::unqualified("Vocabulary"));
        if let Some(of_type) = vocabulary.get("type").and_then(Value::as_str) {
            let of_type = self.legal(of_type);
            self.tree.attribute(Name::unqualified("type"), &of_type);
        }
        self.xml_attributes(vocabulary);
        self.parts(vocabulary, root, EnvelopeNode::Vocabulary);
        for (key, member) in others(vocabulary, root, EnvelopeNode::Vocabulary) {
            self.extension(key, member);
        }
        self.tree.close();
    }

    /// Builds a list as a slot for its pieces, or with their number.
    fn pieces(&mut self, name: &'static str, list: Value<'d>, filler: Filler<'d>) {
        if list.kind() != Kind::Array {
            self.lose(VALUE_NO_HOME);
        }
        if self.is_measured {
            self.tree.open(Name::unqualified(name));
            if let Some(number) = list.elements().next() {
                self.tree.leaf(Name::unqualified(PIECES), number.source());
            }
            self.tree.close();
        } else {
            self.slot(filler);
            self.tree.leaf(Name::unqualified(name), "");
        }
    }

    /// Makes the element that is built next a slot.
    fn slot(&mut self, filler: Filler<'d>) {
        self.slots.push(XmlSlot { node: self.tree.len(), pointer: self.pointer(), filler });
    }

    /// Writes users' members: extensions become elements, anything else is recorded as a loss.
    fn named_others(&mut self, value: Value<'d>, root: Root, holder: EnvelopeNode) {
        for (key, member) in others(value, root, holder) {
            let name = key.to_cow();
            // Only the document element has `xml:` attributes, which became members.
            if name.contains(':') && (self.steps.is_empty() || !name.starts_with("xml:")) {
                self.extension(key, member);
            } else {
                self.lose_member(key, MEMBER_NO_HOME);
            }
        }
    }
}

/// Whether the schema requires an object, so that its element is written even if the JSON does not have it.
fn is_required(holder: EnvelopeNode) -> bool {
    matches!(holder, EnvelopeNode::Body | EnvelopeNode::QueryResults | EnvelopeNode::ResultsBody)
}

fn sbdh(local: &'static str) -> Name<'static> {
    Name { prefix: "sbdh", local, namespace: Namespace::SBDH }
}
