//! The envelope as XML: what stands around the events and vocabulary elements of a document.

use super::prefixes::XmlPrefixes;
use super::{Back, HEADER_EXTENSION, MEMBER_NO_HOME, PointerStep, Table, VALUE_NO_HOME};
use crate::field::ValueKind;
use crate::json::{Kind, Text, Value};
use crate::translate::kinds::Family;
use crate::translate::namespace::{Name, Namespace, Namespaces};
use crate::translate::standard_header::{HEADER_MEMBERS, SBDH_MEMBER, is_header};
use std::borrow::Cow;

/// The element that stands for the pieces of a list when envelopes are compared; no document has one of this name.
pub(in crate::translate) const PIECES: &str = "#pieces";

const DOCUMENT: [&str; 10] = [
    "@context",
    "type",
    "schemaVersion",
    "creationDate",
    "sender",
    "receiver",
    "instanceIdentifier",
    "epcisHeader",
    "epcisBody",
    SBDH_MEMBER,
];
const HEADER: [&str; 1] = ["epcisMasterData"];
const BODY: [&str; 1] = ["eventList"];
const RESULTS: [&str; 3] = ["queryName", "subscriptionID", "resultsBody"];
const RESULTS_BODY: [&str; 2] = ["eventList", "vocabularyList"];
const VOCABULARY: [&str; 2] = ["type", "vocabularyElementList"];

/// A place of an envelope that something is to be put in.
#[derive(Debug)]
pub(in crate::translate) struct Slot<'d> {
    /// The number of the element in the tree of the envelope.
    pub(in crate::translate) node: usize,
    /// The JSON Pointer to the value.
    pub(in crate::translate) pointer: String,
    pub(in crate::translate) filler: Filler<'d>,
}

/// What is put there.
#[derive(Debug)]
pub(in crate::translate) enum Filler<'d> {
    /// The events, which the pointer of the slot leads to.
    Events,
    VocabularyElements(Value<'d>),
    /// XML text that stands for the element itself.
    Header(Cow<'d, str>),
}

/// Works out the names of all extension members that an envelope has outside of its pieces.
pub(in crate::translate) fn envelope_names(
    root: Value<'_>,
    prefixes: &mut XmlPrefixes,
    namespaces: &mut Namespaces,
    table: &mut Table,
) {
    let mut add = |holder: Option<Value<'_>>, known: &[&str]| {
        for (key, member) in holder.into_iter().flat_map(|holder| others(holder, known)) {
            prefixes.add(&key.to_cow(), namespaces, table);
            prefixes.resolve(member, namespaces, table);
        }
    };
    add(Some(root), &DOCUMENT);
    let header = root.get("epcisHeader");
    add(header, &HEADER);
    let body = root.get("epcisBody");
    let results = body.and_then(|body| body.get("queryResults"));
    match results {
        None => add(body, &BODY),
        Some(_) => add(results, &RESULTS),
    }
    let results_body = results.and_then(|results| results.get("resultsBody"));
    add(results_body, &RESULTS_BODY);
    let master_data = header.and_then(|header| header.get("epcisMasterData"));
    for holder in [master_data, results_body].into_iter().flatten() {
        let list = holder.get("vocabularyList");
        for vocabulary in list.into_iter().flat_map(Value::elements) {
            add(Some(vocabulary), &VOCABULARY);
        }
    }
}

/// The members that are none of these.
fn others<'d>(holder: Value<'d>, known: &[&str]) -> impl Iterator<Item = (Text<'d>, Value<'d>)> {
    holder
        .members()
        .filter(move |(key, _)| !known.iter().any(|known| *key == **known))
}

impl<'a: 'd, 'd> Back<'a, 'd> {
    /// Builds the envelope of a document, or of a query document.
    pub(in crate::translate) fn envelope(&mut self, root: Value<'d>, is_query: bool) {
        let name = |prefix, local| Name {
            prefix,
            local,
            namespace: Namespace::of_document(self.family, is_query),
        };
        let (root_name, results_name) = if is_query {
            let results = name("epcisq", "QueryResults");
            (name("epcisq", "EPCISQueryDocument"), Some(results))
        } else {
            (name("epcis", "EPCISDocument"), None)
        };
        self.open_root(root_name, root);
        self.header(root);
        self.tree.open(Name::unqualified("EPCISBody"), 0);
        if let Some(name) = results_name {
            self.tree.open(name, 0);
        }
        self.member(root, "epcisBody", |back, body| {
            if is_query {
                back.member(body, "queryResults", Self::results);
                return back.no_others(body, |key| key == "queryResults");
            }
            if let Some(list) = body.get("eventList") {
                back.event_list(list);
            }
            back.named_others(body, &BODY);
        });
        if is_query {
            self.tree.close();
        }
        self.tree.close();
        self.named_others(root, &DOCUMENT);
        self.tree.close();
    }

    fn open_root(&mut self, name: Name<'static>, root: Value<'d>) {
        self.tree.open(name, 0);
        let version = match self.family {
            Family::One => "1.2",
            Family::Two => "2.0",
        };
        self.tree
            .attribute(Name::unqualified("schemaVersion"), Cow::Borrowed(version));
        if let Some(date) = root.get("creationDate").and_then(Value::as_str) {
            let date = self.legal(date);
            self.tree.attribute(Name::unqualified("creationDate"), date);
        }
        self.xml_attributes(root);
    }

    fn results(&mut self, results: Value<'d>) {
        for name in ["queryName", "subscriptionID"] {
            self.member(results, name, |back, value| {
                back.leaf(name, value, ValueKind::Plain);
            });
        }
        self.tree.open(Name::unqualified("resultsBody"), 0);
        self.member(results, "resultsBody", |back, body| {
            let events = body.get("eventList");
            let vocabularies = body.get("vocabularyList");
            let has_events = events.is_some_and(|list| list.elements().next().is_some());
            if let Some(list) = vocabularies {
                back.vocabularies(list);
            }
            // The schema has one of the two; an empty list beside vocabularies only satisfies the JSON schema.
            if let Some(list) = events.filter(|_| has_events || vocabularies.is_none()) {
                back.event_list(list);
            }
            back.named_others(body, &RESULTS_BODY);
        });
        self.tree.close();
        if others(results, &RESULTS).next().is_some() {
            self.tree.open(Name::unqualified("extension"), 0);
            self.named_others(results, &RESULTS);
            self.tree.close();
        }
    }

    fn header(&mut self, root: Value<'d>) {
        let text = |name: &str| root.get(name).and_then(Value::as_str);
        let kept = text(SBDH_MEMBER).filter(|kept| !self.is_measured && is_header(kept));
        let parts = HEADER_MEMBERS.map(text);
        for name in ["creationDate"].into_iter().chain(HEADER_MEMBERS) {
            if root.get(name).is_some() && text(name).is_none() {
                self.step(PointerStep::Named(name), |back| back.lose(VALUE_NO_HOME));
            }
        }
        if root.get(SBDH_MEMBER).is_some() && kept.is_none() {
            self.step(PointerStep::Named(SBDH_MEMBER), |back| {
                back.lose(VALUE_NO_HOME)
            });
        }
        let header = root.get("epcisHeader");
        let has_parts = parts.iter().any(Option::is_some);
        if kept.is_none() && header.is_none() && !has_parts {
            return;
        }
        self.tree.open(Name::unqualified("EPCISHeader"), 0);
        if let Some(kept) = kept {
            self.slot(Filler::Header(kept));
            self.tree
                .leaf(sbdh("StandardBusinessDocumentHeader"), Cow::Borrowed(""));
        } else if has_parts {
            self.standard_header(parts, text("creationDate").unwrap_or_default());
        }
        self.member(root, "epcisHeader", Self::epcis_header);
        self.tree.close();
    }

    /// The header with the three values that JSON has, and the constants that XML wants.
    fn standard_header(&mut self, parts: [Option<Cow<'d, str>>; 3], date: Cow<'d, str>) {
        let [sender, receiver, identifier] = parts;
        let with_constants = !self.is_measured;
        self.tree.open(sbdh("StandardBusinessDocumentHeader"), 0);
        if with_constants {
            self.header_leaf("HeaderVersion", Cow::Borrowed("1.0"));
        }
        for (name, value) in [("Sender", sender), ("Receiver", receiver)] {
            if let Some(value) = value {
                self.tree.open(sbdh(name), 0);
                self.header_leaf("Identifier", value);
                self.tree.close();
            }
        }
        if with_constants || identifier.is_some() {
            self.tree.open(sbdh("DocumentIdentification"), 0);
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
        self.tree.leaf(sbdh(name), value);
    }

    fn epcis_header(&mut self, header: Value<'d>) {
        if let Some(master_data) = header.get("epcisMasterData") {
            self.tree.open(Name::unqualified("extension"), 0);
            self.tree.open(Name::unqualified("EPCISMasterData"), 0);
            self.step(PointerStep::Named("epcisMasterData"), |back| {
                if let Some(list) = master_data.get("vocabularyList") {
                    back.vocabularies(list);
                }
                back.no_others(master_data, |key| key == "vocabularyList");
            });
            self.tree.close();
            self.tree.close();
        }
        // The 2.0 schema has no place for user elements here, though readers take them.
        if self.family == Family::Two {
            for (key, _) in others(header, &HEADER) {
                if key.to_cow().contains(':') {
                    self.lose_member(key, HEADER_EXTENSION);
                }
            }
        }
        self.named_others(header, &HEADER);
    }

    fn vocabularies(&mut self, list: Value<'d>) {
        self.tree.open(Name::unqualified("VocabularyList"), 0);
        self.step(PointerStep::Named("vocabularyList"), |back| {
            back.each(list, Self::vocabulary);
        });
        self.tree.close();
    }

    fn vocabulary(&mut self, vocabulary: Value<'d>) {
        if !self.is_object(vocabulary) {
            return;
        }
        self.tree.open(Name::unqualified("Vocabulary"), 0);
        if let Some(of_type) = vocabulary.get("type").and_then(Value::as_str) {
            let of_type = self.legal(of_type);
            self.tree.attribute(Name::unqualified("type"), of_type);
        }
        self.xml_attributes(vocabulary);
        self.member(vocabulary, "vocabularyElementList", |back, list| {
            let filler = Filler::VocabularyElements(list);
            back.pieces("VocabularyElementList", list, filler);
        });
        for (key, member) in others(vocabulary, &VOCABULARY) {
            self.extension(key, member);
        }
        self.tree.close();
    }

    fn event_list(&mut self, list: Value<'d>) {
        self.step(PointerStep::Named("eventList"), |back| {
            back.pieces("EventList", list, Filler::Events);
        });
    }

    /// A list with room for its pieces, or with their number.
    fn pieces(&mut self, name: &'static str, list: Value<'d>, filler: Filler<'d>) {
        if list.kind() != Kind::Array {
            self.lose(VALUE_NO_HOME);
        }
        if self.is_measured {
            self.tree.open(Name::unqualified(name), 0);
            if let Some(number) = list.elements().next() {
                self.tree
                    .leaf(Name::unqualified(PIECES), Cow::Borrowed(number.source()));
            }
            self.tree.close();
        } else {
            self.slot(filler);
            self.tree.leaf(Name::unqualified(name), Cow::Borrowed(""));
        }
    }

    /// Leaves room in the element that is built next.
    fn slot(&mut self, filler: Filler<'d>) {
        self.slots.push(Slot {
            node: self.tree.len(),
            pointer: self.pointer(),
            filler,
        });
    }

    /// Members that are no fields: extensions become elements, anything else has no home.
    fn named_others(&mut self, holder: Value<'d>, known: &[&str]) {
        for (key, member) in others(holder, known) {
            let name = key.to_cow();
            // The document element alone has attributes that are members.
            if name.contains(':') && (self.steps.is_empty() || !name.starts_with("xml:")) {
                self.extension(key, member);
            } else {
                self.lose_member(key, MEMBER_NO_HOME);
            }
        }
    }
}

fn sbdh(local: &'static str) -> Name<'static> {
    Name {
        prefix: "sbdh",
        local,
        namespace: Namespace::SBDH,
    }
}
