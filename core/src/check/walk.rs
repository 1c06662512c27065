//! The walk over the events of a document.
//!
//! The recursion here follows the fields of the standard, not the document.

use super::answers::EventAnswers;
use super::document_index::{DocumentFinding, DocumentIndex, Roles};
use super::expression::{Now, Scope};
use super::fields::Fields;
use super::found::{Findings, Hit};
use super::mark::ExaminedAs;
use super::plan::{FieldRules, Plan, RuleCandidate, Verdict};
use crate::error::{Error, ErrorKind};
use crate::field::Word;
use crate::json::{Document, Kind, Value};

/// Everything that the rules find in a document.
pub(super) fn walk(
    plan: &Plan,
    document: &Document<'_>,
    now: Option<u64>,
) -> Result<Findings, Error> {
    let now = now.map(Now::at);
    let root = document.root();
    let events = EventList::of(root).ok_or_else(|| Error::new(ErrorKind::NoEvents))?;
    let mut walk = Walk {
        plan,
        document,
        now: now.as_ref(),
        answers: EventAnswers::new(plan.once),
        found: Findings::new(plan.count()),
        index: plan
            .asks_the_document()
            .then(|| DocumentIndex::of(document.text().len(), plan.asks_repeated_events())),
    };
    let mut of_context = Findings::new(plan.count());
    if let Some(context) = events.context_around(root) {
        walk.context(context, &mut of_context);
    }
    events.for_each(|event| walk.event(event));
    let Walk {
        mut found,
        index,
        answers,
        ..
    } = walk;
    found.merge(of_context);
    if let Some(index) = index {
        let findings = index.findings(document);
        let findings = of_document(plan, document, (now.as_ref(), &answers), &findings);
        found.merge(findings);
    }
    Ok(found)
}

/// The place of the events in a document.
#[derive(Clone, Copy)]
pub(super) enum EventList<'d> {
    None,
    One(Value<'d>),
    List(Value<'d>),
}

impl<'d> EventList<'d> {
    pub(super) fn of(root: Value<'d>) -> Option<Self> {
        if root.kind() == Kind::Array {
            return Some(Self::List(root));
        }
        let Some(body) = root.get("epcisBody") else {
            return root.get("type").map(|_| Self::One(root));
        };
        let list = body
            .get("eventList")
            .or_else(|| body.pointer("/queryResults/resultsBody/eventList"))
            .or_else(|| body.get("event"));
        Some(match list {
            Some(list) if list.kind() == Kind::Array => Self::List(list),
            Some(event) if event.kind() == Kind::Object => Self::One(event),
            _ => Self::None,
        })
    }

    /// The `@context` of the document around the events; none for a bare event, whose `@context` is its own.
    pub(super) fn context_around(self, root: Value<'d>) -> Option<Value<'d>> {
        let is_bare = matches!(self, Self::One(event) if event.is_root());
        root.get("@context").filter(|_| !is_bare)
    }

    /// Calls `event` for each event; skips anything in the list that is not an object.
    pub(super) fn for_each(self, mut event: impl FnMut(Value<'d>)) {
        match self {
            Self::None => {}
            Self::One(one) => event(one),
            Self::List(list) => {
                let events = list.elements();
                events
                    .filter(|one| one.kind() == Kind::Object)
                    .for_each(event);
            }
        }
    }
}

struct Walk<'p, 'd> {
    plan: &'p Plan,
    document: &'d Document<'d>,
    now: Option<&'p Now>,
    answers: EventAnswers,
    found: Findings,
    index: Option<DocumentIndex>,
}

/// How many members of an object are examined; no group of the standard has as many.
const MAX_PARTS: usize = 32;

/// The event that a value belongs to.
#[derive(Clone, Copy)]
struct EventScope<'f, 'd> {
    fields: &'f Fields<'d>,
    roles: Roles,
}

impl<'d> Walk<'_, 'd> {
    fn event(&mut self, event: Value<'d>) {
        self.found.events += 1;
        self.answers.next_event();
        let fields = Fields::of(self.document, event);
        for rule in &self.plan.of_event {
            if fields.present & rule.needs == rule.needs && rule.on & fields.kind != rule.skip_value
            {
                self.ask(rule.rule, event, 0, &fields);
            }
        }
        if let Some(context) = fields.context() {
            let mut found = std::mem::replace(&mut self.found, Findings::new(0));
            self.context(context, &mut found);
            self.found = found;
        }
        let scope = EventScope {
            fields: &fields,
            roles: Roles::of(&fields),
        };
        if let Some(index) = &mut self.index {
            index.begin(event, &fields);
        }
        for number in fields.order() {
            if let (Some(node), Some(value)) = (self.plan.node(*number), fields.get(*number)) {
                self.values(node, value, scope);
            }
        }
        if let Some(index) = &mut self.index {
            index.end(&fields, scope.roles);
        }
    }

    /// Checks a value, or each element of a list.
    fn values(&mut self, node: &FieldRules, value: Value<'d>, scope: EventScope<'_, 'd>) {
        if value.kind() == Kind::Array {
            for element in value.elements() {
                self.value(node, element, scope);
            }
        } else {
            self.value(node, value, scope);
        }
    }

    fn value(&mut self, node: &FieldRules, value: Value<'d>, scope: EventScope<'_, 'd>) {
        if node.is_group {
            return self.group(node, value, scope);
        }
        let seen = self.plan.examiner.examine(node.examined_as, value);
        if let (Some(field), Some(index)) = (node.indexed_as, &mut self.index)
            && seen.identity != 0
        {
            index.take(value, seen.identity, field, scope.roles);
        }
        if seen.marks & node.needs != 0 || !node.open.is_empty() {
            self.ask_all(node, value, (seen.marks, 0), scope.fields);
        }
    }

    /// Checks an object and its members.
    #[inline(never)]
    fn group(&mut self, node: &FieldRules, value: Value<'d>, scope: EventScope<'_, 'd>) {
        // The rules for the object come before those for its members, so the members are collected first.
        let mut words = 0_u128;
        let mut members = [(node.word, 0_u32); MAX_PARTS];
        let mut count = 0;
        for (name, member) in value.members() {
            let Some(word) = Word::of_text(name) else {
                continue;
            };
            words |= 1 << word.number();
            if !node.has_inner(word) {
                continue;
            }
            if let Some(place) = members.get_mut(count) {
                *place = (word, member.number());
                count += 1;
            }
        }
        if !node.open.is_empty() {
            self.ask_all(node, value, (0, words), scope.fields);
        }
        for (word, member) in members.iter().take(count) {
            if let Some(inner) = node.inner(*word) {
                self.values(inner, self.document.value_of(*member), scope);
            }
        }
    }

    /// Applies the rules of a node to a value.
    ///
    /// `words`: the names of its members, as bits.
    fn ask_all(
        &mut self,
        node: &FieldRules,
        value: Value<'d>,
        (marks, words): (u64, u128),
        fields: &Fields<'d>,
    ) {
        let text = if node.has_filters {
            value
                .as_text()
                .and_then(|text| Some((text.plain()?, text.first())))
        } else {
            None
        };
        let now = self.now;
        let marked: &[RuleCandidate] = if marks & node.needs == 0 {
            &[]
        } else {
            &node.marked
        };
        let marked = marked.iter().filter(|asked| asked.marks & marks != 0);
        for asked in marked.chain(&node.open) {
            if !asked.is_open(words) || text.is_some_and(|text| !asked.filter.fits(text, now)) {
                continue;
            }
            match asked.verdict(fields) {
                Verdict::Not => {}
                Verdict::Holds => self.found.add(Hit {
                    value: value.number(),
                    rule: asked.rule,
                    related: 0,
                }),
                Verdict::Open => self.ask(asked.rule, value, marks, fields),
            }
        }
    }

    fn ask(&mut self, number: u16, value: Value<'d>, marks: u64, fields: &Fields<'d>) {
        let scope = Scope {
            fields,
            judged: value,
            marks,
            examiner: &self.plan.examiner,
            now: self.now,
            answers: &self.answers,
        };
        if self.plan.holds(number, &scope) {
            self.found.add(Hit {
                value: value.number(),
                rule: number,
                related: 0,
            });
        }
    }

    /// Checks the texts in the `@context` of the document or of an event.
    fn context(&self, context: Value<'d>, found: &mut Findings) {
        if self.plan.of_context.is_empty() {
            return;
        }
        let fields = Fields::of(self.document, context);
        for_each_text(context, |value| {
            let scope = Scope {
                fields: &fields,
                judged: value,
                marks: 0,
                examiner: &self.plan.examiner,
                now: self.now,
                answers: &self.answers,
            };
            for rule in &self.plan.of_context {
                if self.plan.holds(*rule, &scope) {
                    found.add(Hit {
                        value: value.number(),
                        rule: *rule,
                        related: 0,
                    });
                }
            }
        });
    }
}

/// Calls `text` for the texts in a `@context`: those in a list, and those in the members of objects.
pub(super) fn for_each_text<'d>(context: Value<'d>, mut text: impl FnMut(Value<'d>)) {
    let mut is_text = |value: Value<'d>| {
        if value.kind() == Kind::String {
            text(value);
        }
    };
    let mut entry = |value: Value<'d>| match value.kind() {
        Kind::Object => value.members().for_each(|(_, member)| is_text(member)),
        _ => is_text(value),
    };
    match context.kind() {
        Kind::Array => context.elements().for_each(entry),
        _ => entry(context),
    }
}

impl Plan {
    /// Whether a rule applies to the event and its condition holds.
    fn holds(&self, number: u16, scope: &Scope<'_, '_>) -> bool {
        self.rule(number).is_some_and(|(_, rule)| {
            (rule.on == 0 || rule.on & scope.fields.kind != 0) && rule.when.holds(scope)
        })
    }
}

/// The findings of the rules that need the whole document.
fn of_document(
    plan: &Plan,
    document: &Document<'_>,
    (now, answers): (Option<&Now>, &EventAnswers),
    findings: &[DocumentFinding],
) -> Findings {
    let mut found = Findings::new(plan.count());
    let mut of_event: Option<(u32, Fields<'_>)> = None;
    for finding in findings {
        let marks = 1_u64 << finding.mark;
        let mut rules = plan.of_document(marks, finding.field).peekable();
        if rules.peek().is_none() {
            continue;
        }
        // They come in document order, so each event is read once.
        let fields = match of_event.take() {
            Some((event, fields)) if event == finding.event => fields,
            _ => {
                answers.next_event();
                Fields::of(document, document.value_of(finding.event))
            }
        };
        let value = document.value_of(finding.value);
        let scope = Scope {
            fields: &fields,
            judged: value,
            marks: marks | plan.examiner.examine(ExaminedAs::Nothing, value).marks,
            examiner: &plan.examiner,
            now,
            answers,
        };
        for rule in rules {
            if plan.holds(rule, &scope) {
                found.add(Hit {
                    value: finding.value,
                    rule,
                    related: finding.related,
                });
            }
        }
        of_event = Some((finding.event, fields));
    }
    found
}
