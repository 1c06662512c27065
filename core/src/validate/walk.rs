//! One walk over a document along the nodes of the compiled schema: whether it is accepted, and if not, why.
//!
//! All rules about a value meet in one node, so what is wrong with a value is known before its members are looked at: errors
//! come in document order, one at a time, and nothing is held but the way from the root.
//!
//! INVARIANT: what recurses here follows the nodes of the schema, which refers nowhere to itself: the depth is the schema's.

use super::errors::Errors;
use super::message::{self, Finding, refuses};
use crate::json::{Kind, Text, Value};
use epcis_edge_schema::{Branch, Id, Node, Object, Others, Rule, Test, Type, node};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether the schema accepts a value at a place.
pub(super) fn accepts(id: Id, value: Value<'_>) -> bool {
    match choose(node(id), value) {
        Some(node) => accepts_at(node, value),
        None => false,
    }
}

/// The node that says everything of this value; none where the member is missing on which that depends.
fn choose(node: &'static Node, value: Value<'_>) -> Option<&'static Node> {
    match node.branch {
        Some(branch) => Some(self::node(choice(branch, value)?)),
        None => Some(node),
    }
}

fn choice(branch: &Branch, value: Value<'_>) -> Option<Id> {
    if value.kind() != Kind::Object {
        return Some(branch.no_object);
    }
    let deciding = value.get(branch.member)?;
    let case = deciding.as_text().and_then(|text| {
        let position = branch.cases.find(&bytes(text))?;
        branch.nodes.get(position).copied()
    });
    Some(case.unwrap_or(branch.otherwise))
}

fn accepts_at(node: &'static Node, value: Value<'_>) -> bool {
    let kind = value.kind();
    if node.kinds & type_of(kind) as u8 == 0 {
        return false;
    }
    match kind {
        Kind::Object => {
            let known = match node.object {
                None => 0,
                Some(object) => match accepts_members(node, object, value) {
                    Some(known) => known,
                    None => return false,
                },
            };
            node.rules.iter().all(|rule| match &rule.test {
                // The members were asked together.
                Test::Names(_) | Test::NoOther(_) | Test::Required(_) | Test::Type(_) => true,
                Test::AnyOf(choice) if !choice.given.is_empty() => {
                    choice.given.iter().any(|set| known & set == *set)
                }
                _ => holds(rule, value),
            })
        }
        Kind::Array => {
            node.items
                .is_none_or(|items| value.elements().all(|entry| accepts(items, entry)))
                && node.rules.iter().all(|rule| holds(rule, value))
        }
        Kind::String => {
            let text = value.as_text().unwrap_or_default();
            let unescaped;
            let bytes = match text.plain() {
                Some(plain) => plain,
                None => {
                    unescaped = text.to_cow();
                    unescaped.as_bytes()
                }
            };
            accepts_text(node, bytes)
        }
        _ => node.rules.iter().all(|rule| holds(rule, value)),
    }
}

/// Whether a node accepts a string, given without its escapes.
fn accepts_text(node: &'static Node, text: &[u8]) -> bool {
    node.rules.iter().all(|rule| match &rule.test {
        Test::OneOf(words) => words.contains(text),
        Test::Format(format) => format.matches(text),
        Test::Pattern(pattern) => pattern.matches(text),
        Test::AnyOf(choice) => choice.nodes.iter().any(|&id| match node_of_text(id) {
            Some(node) => accepts_text(node, text),
            None => false,
        }),
        Test::Nothing => false,
        // Of the types, a string is one that the node allows; the rest is about other values.
        _ => true,
    })
}

/// The node that says everything of a string, if it allows strings.
fn node_of_text(id: Id) -> Option<&'static Node> {
    let known = node(id);
    let chosen = match known.branch {
        Some(branch) => node(branch.no_object),
        None => known,
    };
    (chosen.kinds & Type::String as u8 != 0).then_some(chosen)
}

/// What is known of the members, if each of them is valid and none is missing: bits as [`Object`] has them.
fn accepts_members(node: &Node, object: &Object, value: Value<'_>) -> Option<u64> {
    let mut known = object.facts.iter().fold(0, |known, fact| known | fact.bit);
    for (name, member) in value.members() {
        let unescaped;
        let name = match name.plain() {
            Some(plain) => plain,
            None => {
                unescaped = name.to_cow();
                unescaped.as_bytes()
            }
        };
        let Some(position) = object.names.find(name) else {
            match object.others {
                Others::Any => {}
                Others::Uris if epcis_edge_schema::is_uri(name) => {}
                Others::Uris | Others::None => return None,
            }
            continue;
        };
        let bit = 1 << position;
        known |= bit;
        if object.allowed & bit == 0 && node.rules.iter().any(|rule| refuses(&rule.test, name)) {
            return None;
        }
        if !accepts(*object.nodes.get(position)?, member) {
            return None;
        }
        if object.asked & bit != 0 {
            let facts = object.facts.iter().filter(|fact| fact.member == bit);
            let false_ones = facts.filter(|fact| !accepts(fact.node, member));
            known = false_ones.fold(known, |known, fact| known & !fact.bit);
        }
    }
    (known & object.required == object.required).then_some(known)
}

/// Whether a rule that is about the value as a whole holds of it.
fn holds(rule: &Rule, value: Value<'_>) -> bool {
    match &rule.test {
        Test::AnyOf(choice) => choice.nodes.iter().any(|&id| accepts(id, value)),
        Test::Nothing => false,
        Test::Type(wanted) => type_of(value.kind()) == *wanted,
        Test::OneOf(words) => value
            .as_text()
            .is_some_and(|text| words.contains(&bytes(text))),
        Test::Format(format) => value
            .as_text()
            .is_none_or(|text| format.matches(&bytes(text))),
        Test::Pattern(pattern) => value
            .as_text()
            .is_none_or(|text| pattern.matches(&bytes(text))),
        Test::MinItems(least) => {
            value.kind() != Kind::Array || value.elements().take(*least).count() == *least
        }
        Test::Unique => value.repeated_entry().is_none(),
        Test::Required(names) => {
            value.kind() != Kind::Object || names.iter().all(|name| value.get(name).is_some())
        }
        Test::Names(_) | Test::NoOther(_) => value
            .members()
            .all(|(name, _)| !refuses(&rule.test, &bytes(name))),
    }
}

fn type_of(kind: Kind) -> Type {
    match kind {
        Kind::Null => Type::Null,
        Kind::Boolean => Type::Boolean,
        Kind::Number => Type::Number,
        Kind::String => Type::String,
        Kind::Array => Type::Array,
        Kind::Object => Type::Object,
    }
}

/// A text without its escapes.
#[inline]
fn bytes(text: Text<'_>) -> Cow<'_, [u8]> {
    match text.plain() {
        Some(plain) => Cow::Borrowed(plain),
        None => Cow::Owned(text.to_cow().into_owned().into_bytes()),
    }
}

/// The way from the root to a value.
#[derive(Debug, Default)]
struct Path {
    /// Where the walk began, as a JSON Pointer.
    base: &'static str,
    steps: Vec<PathStep>,
}

#[derive(Clone, Copy, Debug)]
enum PathStep {
    /// Only members that the schema knows are looked into.
    Member(&'static str),
    Entry(usize),
}

impl Path {
    fn pointer(&self) -> String {
        let mut pointer = self.base.to_owned();
        for step in &self.steps {
            match step {
                PathStep::Member(name) => crate::json::push_step(&mut pointer, name),
                PathStep::Entry(index) => {
                    let _ = write!(pointer, "/{index}");
                }
            }
        }
        pointer
    }
}

/// A walk that tells what is wrong.
pub(super) struct Report<'e, 'd> {
    path: Path,
    errors: &'e mut Errors,
    /// The errors of the entries of a list that were found apart, and the list, which is empty here.
    apart: Option<(Value<'d>, Errors)>,
}

impl<'e, 'd> Report<'e, 'd> {
    /// A walk that begins at the root.
    pub(super) fn of(errors: &'e mut Errors) -> Self {
        Self {
            path: Path::default(),
            errors,
            apart: None,
        }
    }

    /// A walk that begins at an entry of a list somewhere in a document.
    pub(super) fn of_entry(list: &'static str, index: usize, errors: &'e mut Errors) -> Self {
        Self {
            path: Path {
                base: list,
                steps: vec![PathStep::Entry(index)],
            },
            errors,
            apart: None,
        }
    }

    /// The same, with the errors of the entries of a list of which the document here has none.
    pub(super) fn with_entries(mut self, list: Value<'d>, errors: Errors) -> Self {
        self.apart = Some((list, errors));
        self
    }

    /// Tells what the schema does not accept of a value.
    pub(super) fn walk(&mut self, id: Id, value: Value<'d>) {
        let known = node(id);
        let Some(node) = choose(known, value) else {
            self.add(|path| message::missing_type(path, value));
            return;
        };
        // Events are mostly valid, and that is told more quickly than what is wrong.
        if known.branch.is_some() && !node.holds_branches && accepts_at(node, value) {
            return;
        }
        self.rules(node, value);
        if let Some(object) = node.object {
            for (name, member) in value.members() {
                let Some(position) = object.names.find(&bytes(name)) else {
                    continue;
                };
                let (Some(&id), Some(&name)) =
                    (object.nodes.get(position), object.names.words.get(position))
                else {
                    continue;
                };
                self.step(PathStep::Member(name), id, member);
            }
        }
        if let Some((_, errors)) = self.apart.take_if(|(list, _)| list.is_same_place(value)) {
            self.errors.append(errors);
        }
        if let Some(id) = node.items {
            for (index, entry) in value.elements().enumerate() {
                self.step(PathStep::Entry(index), id, entry);
            }
        }
    }

    fn step(&mut self, step: PathStep, id: Id, value: Value<'d>) {
        self.path.steps.push(step);
        self.walk(id, value);
        self.path.steps.pop();
    }

    /// Tells what is wrong with the value itself: one error for each keyword that fails.
    fn rules(&mut self, node: &'static Node, value: Value<'d>) {
        let mut findings: Vec<Finding> = Vec::new();
        // The keywords that failed, as bits: of most errors of a hostile document only the number is wanted.
        let mut failed = 0_u16;
        for rule in node.rules {
            let bit = rule.test.bit();
            let is_known = failed & bit != 0;
            if is_known && findings.is_empty() || holds(rule, value) {
                continue;
            }
            let keyword = rule.test.keyword();
            if !is_known {
                if self.errors.is_listing(findings.len()) {
                    findings.push(Finding::new(self.path.pointer(), keyword));
                }
                failed |= bit;
            }
            let finding = findings
                .iter_mut()
                .find(|finding| finding.keyword == keyword);
            if let Some(finding) = finding {
                message::note(finding, rule, value);
            }
        }
        let unlisted = failed.count_ones() as usize - findings.len();
        for finding in findings {
            self.errors.add(finding.into_error());
        }
        self.errors.count(unlisted);
    }

    fn add(&mut self, finding: impl FnOnce(String) -> Finding) {
        if self.errors.is_listing(0) {
            let finding = finding(self.path.pointer());
            self.errors.add(finding.into_error());
        } else {
            self.errors.count(1);
        }
    }
}
