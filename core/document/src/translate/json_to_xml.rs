//! The way back: builds the tree of an XML element from EPCIS 2.0 JSON, with fields in the places of one family of schemas.

mod envelope;
mod event;
mod extension;
mod names;

pub(super) use envelope::{Filler, XmlSlot, envelope_names};
pub(super) use names::{NameSource, Table, XmlPrefixes, declared, decoded_names};

use super::kinds::Family;
use super::namespace::Name;
use super::report::{self, Code, codes};
use super::tree::XmlTree;
use super::value::word_for_xml;
use crate::field::ValueKind;
use epcis_edge_text::json::{Kind, Text, Value};
use epcis_edge_text::slice::Known;
use std::borrow::Cow;
use std::fmt::Write as _;

codes! {
    BEYOND_1_2: Kept "beyond-1.2",
        "EPCIS 1.2 does not have this; it stands in an extension, where documents of that version carry it";
    BOOLEAN_AS_TEXT: Annotation "boolean-as-text", "XML has no booleans in extensions, the value became text";
    CHARACTERS: Lost "characters-dropped", "XML does not allow these control characters, they were left out";
    CERTIFICATES: Kept "several-certificates",
        "the 2.0 schema has one certificationInfo, the element was repeated";
    EMPTY_ARRAY: Lost "empty-array", "XML has no empty array in extensions, it was left out";
    CONTEXT_NO_HOME: Lost "context-no-home",
        "XML binds prefixes to namespaces, it has no form for this entry of a context";
    EVENT_CONTEXT: Lost "inner-context",
        "the context of an object inside of an event has no form in XML, it was left out";
    HEADER_EXTENSION: clean "header-extension",
        "the 2.0 schema allows no user elements in the header; the element was written anyway";
    KEYWORD: Lost "json-ld-keyword", "XML has no form for this JSON-LD keyword, it was left out";
    MEMBER_NO_HOME: Lost "member-no-home", "EPCIS XML has no place for this member; it was left out";
    NESTED_ARRAY: Lost "nested-array", "XML has no arrays in arrays, the inner one was flattened";
    NOT_READ_BACK: Lost "not-read-back", "the XML could not be read back, so nothing of this is proven";
    NULL: Lost "null", "XML has no null, the member was left out";
    NUMBER_AS_TEXT: Annotation "number-as-text", "XML has no numbers in extensions, the value became text";
    SPLIT_NAME: Kept "name-split-elsewhere",
        "XML has no such name; one of the same IRI was written, and it has another event hash";
    TYPE_NO_HOME: Lost "event-type-no-home",
        "this version of EPCIS XML does not have the event type, the event was left out";
    UNDECLARED_PREFIX: Kept "undeclared-prefix",
        "nobody declares the prefix in a form that XML has; the XML has a namespace of that name";
    VALUE_NO_HOME: Lost "value-no-home", "a value of this kind cannot be written here and was left out";
    XSD_REFUSES: Kept "xml-schema-refuses", "the XML schema does not accept what was written";
}

/// A step of the JSON Pointer to the value that is being translated.
#[derive(Clone, Copy, Debug)]
enum PointerStep<'d> {
    Member(Text<'d>),
    Named(&'static str),
    Index(usize),
}

/// A value that XML does not restore: its pointer and the reason.
#[derive(Clone, Debug)]
pub(super) struct Loss {
    pub(super) pointer: String,
    pub(super) code: Code,
    /// The number of elements built before.
    pub(super) node: usize,
}

/// Builds the XML tree of one JSON value.
pub(super) struct XmlBuilder<'a, 'd> {
    pub(super) names: NameSource<'a>,
    pub(super) family: Family,
    /// Whether lists that the schema requires are written even if the JSON has none.
    pub(super) writes_required_lists: bool,
    pub(super) tree: XmlTree,
    /// Whether the event is the whole document, so that its context is not that of an inner object.
    pub(super) is_bare: bool,
    /// Whether losses are recorded.
    pub(super) records_losses: bool,
    pub(super) losses: Vec<Loss>,
    /// The codes of losses beyond the limit of a report, which have no places.
    pub(super) cut: Vec<Code>,
    /// The total length of the pointers and sentences of the recorded losses, in bytes.
    losses_length: usize,
    /// The elements of an envelope that are filled later, with pieces built separately.
    pub(super) slots: Vec<XmlSlot<'d>>,
    /// Whether the envelope is built for comparison: standard fields only, no kept header, no constants, and a count in place
    /// of each list.
    pub(super) is_measured: bool,
    /// The numbers of the elements whose JSON origin is requested. They are few, so each new element is compared with all of them.
    wanted: Vec<usize>,
    /// The elements whose origin was found so far, each with the JSON Pointer to it.
    pub(super) found: Vec<(usize, String)>,
    steps: Vec<PointerStep<'d>>,
}

impl<'a: 'd, 'd> XmlBuilder<'a, 'd> {
    pub(super) fn new(names: NameSource<'a>, family: Family, tree: XmlTree) -> Self {
        Self {
            names,
            family,
            writes_required_lists: false,
            is_bare: false,
            tree,
            records_losses: false,
            losses: Vec::new(),
            cut: Vec::new(),
            losses_length: 0,
            slots: Vec::new(),
            is_measured: false,
            wanted: Vec::new(),
            found: Vec::new(),
            steps: Vec::new(),
        }
    }

    fn lose(&mut self, code: Code) {
        if !self.records_losses {
            return;
        }
        if self.losses_length > report::LIMIT {
            self.cut.push(code);
            return;
        }
        let loss = Loss { pointer: self.pointer(), code, node: self.tree.len() };
        self.losses_length += loss.pointer.len() + code.text.len();
        self.losses.push(loss);
    }

    /// The JSON Pointer to the value that is being translated.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.steps {
            match step {
                PointerStep::Member(text) => {
                    epcis_edge_text::json::push_step(&mut pointer, &text.to_cow())
                }
                PointerStep::Named(name) => epcis_edge_text::json::push_step(&mut pointer, name),
                PointerStep::Index(index) => {
                    // Writing to a string does not fail.
                    let _ = write!(pointer, "/{index}");
                }
            }
        }
        pointer
    }

    /// Runs `work` with one more step in the pointer.
    fn step<R>(&mut self, step: PointerStep<'d>, work: impl FnOnce(&mut Self) -> R) -> R {
        self.steps.push(step);
        let before = self.tree.len();
        let result = work(self);
        self.find(before);
        self.steps.pop();
        result
    }

    /// Requests the JSON origin of elements, by their numbers.
    pub(super) fn want(&mut self, nodes: impl Iterator<Item = usize>) {
        for node in nodes {
            if !self.wanted.contains(&node) {
                self.wanted.push(node);
            }
        }
    }

    /// Records the origin of the requested elements built since the tree had `before` elements; inner steps recorded theirs.
    fn find(&mut self, before: usize) {
        let made = before..self.tree.len();
        while let Some(at) = self.wanted.iter().position(|node| made.contains(node)) {
            let node = self.wanted.swap_remove(at);
            self.found.push((node, self.pointer()));
        }
    }

    /// Runs `work` on a member, if there is one.
    fn member<R>(
        &mut self,
        holder: Value<'d>,
        name: &'static str,
        work: impl FnOnce(&mut Self, Value<'d>) -> R,
    ) -> Option<R> {
        let member = holder.get(name)?;
        Some(self.step(PointerStep::Named(name), |builder| work(builder, member)))
    }

    /// Records the loss of a member.
    fn lose_member(&mut self, name: Text<'d>, code: Code) {
        self.step(PointerStep::Member(name), |builder| builder.lose(code));
    }

    /// Returns the text of a scalar, in the form of standard fields.
    fn scalar(&mut self, value: Value<'d>, kind: ValueKind) -> Option<Cow<'d, str>> {
        let text = match value.kind() {
            Kind::String => value.as_str().known(),
            Kind::Number | Kind::Boolean => Cow::Borrowed(value.source()),
            Kind::Null | Kind::Array | Kind::Object => {
                self.lose(VALUE_NO_HOME);
                return None;
            }
        };
        let text = self.legal(text);
        Some(match (kind, text) {
            (ValueKind::Word(vocabulary), Cow::Borrowed(word)) => word_for_xml(vocabulary, word),
            (ValueKind::Word(vocabulary), Cow::Owned(word)) => {
                Cow::Owned(word_for_xml(vocabulary, &word).into_owned())
            }
            (_, text) => text,
        })
    }

    /// Returns the text without the characters that XML forbids.
    fn legal(&mut self, text: Cow<'d, str>) -> Cow<'d, str> {
        use super::characters::is_character;
        // Borrowed JSON text has no escapes, so it has no control characters; only these two may still occur in it.
        let legal = match &text {
            Cow::Borrowed(text) => text.is_ascii() || !text.contains(['\u{fffe}', '\u{ffff}']),
            Cow::Owned(text) => text.chars().all(is_character),
        };
        if legal {
            return text;
        }
        self.lose(CHARACTERS);
        Cow::Owned(text.chars().filter(|&c| is_character(c)).collect())
    }

    /// Records the loss of the type of a value that is written as text.
    fn lose_type(&mut self, kind: Kind) {
        match kind {
            Kind::Number => self.lose(NUMBER_AS_TEXT),
            Kind::Boolean => self.lose(BOOLEAN_AS_TEXT),
            _ => {}
        }
    }

    /// Whether a value is the object that a field requires; anything else is recorded as a loss.
    fn is_object(&mut self, value: Value<'d>) -> bool {
        let is_object = value.kind() == Kind::Object;
        if !is_object {
            self.lose(VALUE_NO_HOME);
        }
        is_object
    }

    /// Writes an element with the text of a scalar.
    fn leaf(&mut self, name: &'static str, value: Value<'d>, kind: ValueKind) {
        if let Some(text) = self.scalar(value, kind) {
            self.tree.leaf(Name::unqualified(name), &text);
        }
    }

    /// Runs `work` on the elements of an array; anything else counts as an array of one.
    fn each(&mut self, value: Value<'d>, mut work: impl FnMut(&mut Self, Value<'d>)) {
        if value.kind() != Kind::Array {
            work(self, value);
            return;
        }
        for (index, element) in value.elements().enumerate() {
            self.step(PointerStep::Index(index), |builder| work(builder, element));
        }
    }
}
