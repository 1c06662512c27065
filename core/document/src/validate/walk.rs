//! One walk over a document along the nodes of the compiled schema: whether it is accepted, and if not, why.
//!
//! All rules about a value meet in one node, so the errors of a value are known before its members are looked at: errors
//! come in document order, one at a time, and memory holds only the path from the root.
//!
//! INVARIANT: the recursion follows the nodes of the schema, which never refers to itself: the schema limits the depth.

mod rules;

use super::errors::Errors;
use super::message::{self, SchemaFinding, refuses};
use super::{entries_of, list_of};
use epcis_edge_schema::{Branch, Choice, Id, Node, Object, Others, Test, node};
use epcis_edge_text::json::{Cursor, Kind, Text, Value};
use rules::{TextValue, accepts_string, holds, rules, type_of};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::fmt::Write as _;
use std::num::NonZeroUsize;

/// The errors in the events of a document, found while its text is read, so that the text need not be read again for them.
#[derive(Debug)]
pub(super) struct Faulty<'t> {
    document: Cursor<'t>,
    /// The JSON Pointer to its list of events, and the schema node of their entries; computed at first use.
    list: OnceCell<Option<(&'static str, Id)>>,
    errors: RefCell<Errors>,
}

impl<'t> Faulty<'t> {
    /// Returns an empty collection; `document` is at the start of the document.
    pub(super) fn events_of(document: Cursor<'t>) -> Self {
        Self { document, list: OnceCell::new(), errors: RefCell::default() }
    }

    /// Returns `list`, and computes it the first time.
    fn list(&self) -> Option<(&'static str, Id)> {
        *self.list.get_or_init(|| {
            let mut decider = self.document;
            go_to("type", &mut decider)?;
            let list = list_of(&decider.string()?.to_cow())?;
            Some((list, entries_of(list)?))
        })
    }

    /// Reads an entry that the schema does not accept, and records its errors, if it is an event. Returns where it ends.
    #[cold]
    #[inline(never)]
    fn read(&self, items: Id, index: usize, entry: Cursor<'_>) -> Option<NonZeroUsize> {
        let (list, events) = self.list()?;
        if items != events {
            return None;
        }
        let mut entry = entry;
        // Moves to the start of the value.
        entry.kind()?;
        let (event, behind) = entry.read()?;
        let mut errors = self.errors.try_borrow_mut().ok()?;
        let mut report = Report::of_entry(list, index, &mut errors);
        report.origin = entry.place();
        report.explain(items, event.root());
        NonZeroUsize::new(behind.place())
    }

    pub(super) fn errors(self) -> Errors {
        self.errors.into_inner()
    }
}

/// The most nodes of a value that is judged by its text although it has nodes.
const MAX_REREAD: usize = 1 << 15;

/// Whether a value that has nodes is judged by them, not by its text, which is faster.
///
/// Of repeated members the last one counts, which the text does not show in time. Comparing values in a text builds nodes for
/// them, so a large value would have its nodes twice.
fn wants_nodes(value: Value<'_>) -> bool {
    value.has_repeated_names() || value.span() > MAX_REREAD
}

/// Whether the schema accepts a value at a place.
pub(super) fn accepts(id: Id, value: Value<'_>) -> bool {
    if wants_nodes(value) {
        let mut errors = Errors::counted();
        Report::of(&mut errors).explain(id, value);
        return errors.total() == 0;
    }
    reads(id, &mut Cursor::of(value), None).is_some()
}

/// Reads the value that comes next, if the schema accepts it.
#[inline(always)]
pub(super) fn reads(id: Id, source: &mut Cursor<'_>, faulty: Option<&Faulty<'_>>) -> Option<()> {
    let (text, place, depth) = (source.base(), source.place(), source.depth());
    source.go_to(value_end(node(id), text, place, depth, faulty)?);
    Some(())
}

/// Returns where the value at `place` ends, if the node accepts it. All arguments and the result fit into registers.
#[inline(never)]
fn value_end(
    node: &'static Node,
    text: &str,
    place: usize,
    depth: usize,
    faulty: Option<&Faulty<'_>>,
) -> Option<NonZeroUsize> {
    let node = match node.branch {
        Some(branch) => self::node(choice(branch, text, place, depth)?),
        None => node,
    };
    let mut source = Cursor::at(text, place, depth);
    reads_at(node, &mut source, faulty)?;
    NonZeroUsize::new(source.place())
}

/// Returns the node with all rules for the value at `place`; `None` if the member that decides is missing.
#[inline(never)]
fn choice(branch: &Branch, text: &str, place: usize, depth: usize) -> Option<Id> {
    let mut source = Cursor::at(text, place, depth);
    if source.kind()? != Kind::Object {
        return Some(branch.no_object);
    }
    go_to(branch.member, &mut source)?;
    let text = match source.kind()? {
        Kind::String => Some(source.string()?),
        _ => None,
    };
    Some(node_of_case(branch, text))
}

/// The node of an object whose deciding member is this string; `None` for a member that is not a string.
fn node_of_case(branch: &Branch, deciding: Option<Text<'_>>) -> Id {
    let position = deciding.and_then(|text| branch.cases.find(&bytes(text)));
    let node = position.and_then(|position| branch.nodes.get(position).copied());
    node.unwrap_or(branch.otherwise)
}

/// Goes to the value of a member of the object that comes next.
fn go_to(name: &str, source: &mut Cursor<'_>) -> Option<()> {
    let mut inside = source.open()?;
    while source.member(&mut inside)?? != *name {
        source.pass()?;
    }
    Some(())
}

#[inline(always)]
fn reads_at(
    node: &'static Node,
    source: &mut Cursor<'_>,
    faulty: Option<&Faulty<'_>>,
) -> Option<()> {
    let kind = source.kind()?;
    if node.kinds & type_of(kind) as u8 == 0 {
        return None;
    }
    let (text, place, depth) = (source.base(), source.place(), source.depth());
    let value = |count| TextValue { text, place, depth, kind, count };
    match kind {
        Kind::String => {
            let text = source.string()?;
            match text.plain() {
                Some(plain) => accepts_string(node, plain),
                None => accepts_string(node, text.to_cow().as_bytes()),
            }
            .then_some(())
        }
        Kind::Object => {
            let known = match node.object {
                None => {
                    source.pass()?;
                    0
                }
                Some(object) => reads_members(node, object, source, faulty)?,
            };
            let are_met = rules(node, node.left.others).all(|test| match test {
                Test::AnyOf(choice) if !choice.given.is_empty() => {
                    choice.given.iter().any(|set| known & set == *set)
                }
                test => holds(test, value(0)),
            });
            are_met.then_some(())
        }
        Kind::Array if node.items.is_none() && node.left.arrays == 0 => source.pass(),
        Kind::Array if let Some(choice) = only_choice(node) => {
            source.go_to(choice_end(choice, text, place, depth)?);
            Some(())
        }
        Kind::Array => {
            let mut count = 0;
            let mut inside = source.open()?;
            while source.entry(&mut inside)? {
                match node.items {
                    Some(items) => reads_entry(items, count, source, faulty)?,
                    None => source.pass()?,
                }
                count += 1;
            }
            let are_met = rules(node, node.left.arrays).all(|test| holds(test, value(count)));
            are_met.then_some(())
        }
        _ => {
            source.pass()?;
            let are_met = rules(node, node.left.others).all(|test| holds(test, value(0)));
            are_met.then_some(())
        }
    }
}

/// The choice, if it is all that a node demands of an array.
fn only_choice(node: &'static Node) -> Option<&'static Choice> {
    match (node.items, node.rules) {
        (None, [rule]) => match &rule.test {
            Test::AnyOf(choice) => Some(choice),
            _ => None,
        },
        _ => None,
    }
}

/// Returns where the value at `place` ends, if one of the nodes of a choice accepts it.
#[inline(never)]
fn choice_end(choice: &Choice, text: &str, place: usize, depth: usize) -> Option<NonZeroUsize> {
    let mut ends = choice.nodes.iter();
    ends.find_map(|&id| value_end(node(id), text, place, depth, None))
}

/// Reads an entry of a list. With `faulty`, an event may be invalid: its errors are recorded there.
fn reads_entry(
    items: Id,
    index: usize,
    source: &mut Cursor<'_>,
    faulty: Option<&Faulty<'_>>,
) -> Option<()> {
    let entry = *source;
    if reads(items, source, faulty).is_some() {
        return Some(());
    }
    source.go_to(faulty?.read(items, index, entry)?);
    Some(())
}

/// Reads an object and returns the facts about its members, as bits of [`Object`]; `None` if a member is invalid or missing.
#[inline(always)]
fn reads_members(
    node: &Node,
    object: &Object,
    source: &mut Cursor<'_>,
    faulty: Option<&Faulty<'_>>,
) -> Option<u64> {
    let mut known = object.facts.iter().fold(0, |known, fact| known | fact.bit);
    let mut inside = source.open()?;
    while let Some(name) = source.member(&mut inside)? {
        let unescaped;
        let name = match name.plain() {
            Some(plain) => plain,
            None => {
                unescaped = name.to_cow();
                unescaped.as_bytes()
            }
        };
        let Some(position) = object.names.find_here(name) else {
            match object.others {
                Others::Any => {}
                Others::Uris if epcis_edge_schema::is_uri(name) => {}
                Others::Uris | Others::None => return None,
            }
            source.pass()?;
            continue;
        };
        let bit = 1 << position;
        // Of repeated members the last one counts. The text shows that too late, so the value is judged by its nodes.
        if known & bit != 0 {
            return None;
        }
        known |= bit;
        if object.allowed & bit == 0 && node.rules.iter().any(|rule| refuses(&rule.test, name)) {
            return None;
        }
        let member = *source;
        reads(*object.nodes.get(position)?, source, faulty)?;
        if object.asked & bit != 0 {
            let facts = object.facts.iter().filter(|fact| fact.member == bit);
            let false_ones = facts.filter(|fact| reads(fact.node, &mut { member }, None).is_none());
            known = false_ones.fold(known, |known, fact| known & !fact.bit);
        }
    }
    (known & object.required == object.required).then_some(known)
}

/// As [`choice`], for a value that has nodes.
fn chosen(node: &'static Node, value: Value<'_>) -> Option<&'static Node> {
    let Some(branch) = node.branch else {
        return Some(node);
    };
    let id = if value.kind() == Kind::Object {
        node_of_case(branch, value.get(branch.member)?.as_text())
    } else {
        branch.no_object
    };
    Some(self::node(id))
}

/// A text without its escapes.
fn bytes(text: Text<'_>) -> Cow<'_, [u8]> {
    match text.plain() {
        Some(plain) => Cow::Borrowed(plain),
        None => Cow::Owned(text.to_cow().into_owned().into_bytes()),
    }
}

/// The path from the root to a value.
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
                PathStep::Member(name) => epcis_edge_text::json::push_step(&mut pointer, name),
                PathStep::Entry(index) => {
                    let _ = write!(pointer, "/{index}");
                }
            }
        }
        pointer
    }
}

/// A walk that reports errors.
pub(super) struct Report<'e, 'd> {
    path: Path,
    errors: &'e mut Errors,
    /// The byte offset in the document where the text of the values begins.
    origin: usize,
    /// A list that is empty here, and the errors of its entries, which were found separately.
    apart: Option<(Value<'d>, Errors)>,
}

impl<'e, 'd> Report<'e, 'd> {
    /// A walk that begins at the root.
    pub(super) fn of(errors: &'e mut Errors) -> Self {
        Self { path: Path::default(), errors, origin: 0, apart: None }
    }

    /// A walk that begins at an entry of a list somewhere in a document.
    pub(super) fn of_entry(list: &'static str, index: usize, errors: &'e mut Errors) -> Self {
        Self { path: Path { base: list, steps: vec![PathStep::Entry(index)] }, ..Self::of(errors) }
    }

    /// Adds the errors of the entries of a list; the document here has the list without them.
    pub(super) fn with_entries(mut self, list: Value<'d>, errors: Errors) -> Self {
        self.apart = Some((list, errors));
        self
    }

    /// Reports what the schema does not accept in a value.
    pub(super) fn walk(&mut self, id: Id, value: Value<'d>) {
        let known = node(id);
        // Most events are valid, and checking that is faster than looking for errors.
        let is_event =
            known.branch.is_some() && chosen(known, value).is_some_and(|node| !node.holds_branches);
        if !is_event || wants_nodes(value) || !accepts(id, value) {
            self.explain(id, value);
        }
    }

    /// As [`Self::walk`], without the check whether the value is valid.
    fn explain(&mut self, id: Id, value: Value<'d>) {
        let Some(node) = chosen(node(id), value) else {
            self.add(|path| message::missing_type(path, value));
            return;
        };
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

    /// Reports what is wrong with the value itself: one error for each keyword that fails.
    fn rules(&mut self, node: &'static Node, value: Value<'d>) {
        let mut findings: Vec<SchemaFinding> = Vec::new();
        // The keywords that failed: most errors of a hostile document are only counted.
        let mut failed: Vec<&str> = Vec::new();
        for rule in node.rules {
            let keyword = rule.test.keyword();
            let is_known = failed.contains(&keyword);
            if is_known && findings.is_empty() || holds(&rule.test, value) {
                continue;
            }
            if !is_known {
                if self.errors.is_listing(findings.len()) {
                    findings.push(SchemaFinding::new(self.path.pointer(), keyword, value));
                }
                failed.push(keyword);
            }
            let finding = findings.iter_mut().find(|finding| finding.keyword == keyword);
            if let Some(finding) = finding {
                message::note(finding, rule, value);
            }
        }
        let unlisted = failed.len() - findings.len();
        for finding in findings {
            let offset = self.origin + finding.offset;
            self.errors.add(finding.into_error(), Some(offset));
        }
        self.errors.count(unlisted);
    }

    fn add(&mut self, finding: impl FnOnce(String) -> SchemaFinding) {
        if self.errors.is_listing(0) {
            let finding = finding(self.path.pointer());
            let offset = self.origin + finding.offset;
            self.errors.add(finding.into_error(), Some(offset));
        } else {
            self.errors.count(1);
        }
    }
}
