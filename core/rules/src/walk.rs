//! The walk over the events of a document.
//!
//! The recursion here follows the fields of the standard, not the document.

use super::answers::EventAnswers;
use super::document_index::{DocumentFinding, DocumentIndex, Roles};
use super::event_list::{self, EventList, for_each_text};
use super::examine::examine;
use super::facts::PackFacts;
use super::found::{Findings, Hit};
use super::fuel::{self, Fuel, Work};
use super::mark::{ExaminedAs, Marks};
use super::names::{NamesAt, require_known};
use super::path::{RuleTarget, any};
use super::plan::{FieldRules, Plan, RuleCandidate};
use super::scope::{Now, Scope};
use super::texts::MAX_OTHER_TEXT;
use super::{collect, header};
use epcis_edge_document::context::ActiveContext;
use epcis_edge_document::event::Fields;
use epcis_edge_document::field::Word;
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::{Document, Kind, Value};
use std::rc::Rc;

/// Everything that the rules find in a document. The caller's own rules take at most `max_steps`.
pub(super) fn walk(
    plan: &Plan,
    document: &Document<'_>,
    now: Option<u64>,
    max_steps: u64,
) -> Result<Findings, Error> {
    let fuel = &Fuel::new(max_steps);
    let now = now.map(Now::at);
    let root = document.root();
    let events = EventList::of(root).ok_or_else(|| Error::new(ErrorKind::NoEvents))?;
    let (facts, void) = collect::facts(plan, document, (now.as_ref(), fuel))?;
    let mut context = ActiveContext::default();
    if plan.asks_names() || !plan.around_events.is_empty() {
        context.enter(root);
    }
    let mut walk = Walk {
        plan,
        document,
        now: now.as_ref(),
        answers: EventAnswers::new(plan.once),
        found: Findings::new(plan.silent(&facts), plan.max_findings),
        index: plan.asks_the_document().then(|| {
            DocumentIndex::of(
                document.text().len(),
                plan.asks_repeated_events(),
                plan.asks_history(),
            )
        }),
        facts: &facts,
        context,
        fuel,
    };
    let mut around = Findings::new(walk.found.silent.clone(), plan.max_findings);
    if let Some(context) = events.context_around(root) {
        walk.context(context, &mut around);
    }
    walk.around_events(root, &mut around);
    events.for_each(|event| walk.event(event));
    plan.steps(fuel)?;
    require_known(&walk.context)?;
    let index = walk.index.take();
    let mut found = std::mem::take(&mut walk.found);
    found.merge(around);
    if let Some(index) = index {
        let (work, is_own) = plan.comparing();
        fuel.begin(work, is_own);
        let findings = index.findings(document, (fuel, void));
        found.merge(
            walk.of_document(&findings, Findings::new(found.silent.clone(), plan.max_findings)),
        );
    }
    found.foreign = facts.iter().map(|facts| facts.is_foreign).collect();
    found.releases = facts.iter().map(|facts| facts.release).collect();
    found.steps = plan.steps(fuel)?;
    Ok(found)
}

struct Walk<'p, 'd> {
    plan: &'p Plan,
    document: &'d Document<'d>,
    now: Option<&'p Now>,
    answers: EventAnswers,
    found: Findings,
    index: Option<DocumentIndex>,
    facts: &'p [PackFacts],
    /// The prefixes in force at the current event.
    context: ActiveContext<'d>,
    /// The steps of the caller's own rules.
    fuel: &'p Fuel,
}

/// The most members of an object that are examined; no group of the standard has as many.
const MAX_PARTS: usize = 32;

/// The event that a value belongs to.
#[derive(Clone, Copy)]
struct EventScope<'f, 'd> {
    fields: &'f Fields<'d>,
    roles: Roles,
}

impl<'d> Walk<'_, 'd> {
    fn event(&mut self, event: Value<'d>) {
        if self.fuel.is_empty() {
            return;
        }
        self.found.events += 1;
        self.answers.next_event();
        let outer = self.plan.asks_names().then(|| event_list::enter(event, &mut self.context));
        self.event_in_context(event);
        if let Some(outer) = outer {
            self.context.leave(outer);
        }
    }

    fn event_in_context(&mut self, event: Value<'d>) {
        let fields = Fields::of(event);
        for rule in &self.plan.of_event {
            if !self.may_ask(rule.rule, rule.is_own) {
                return;
            }
            if fields.present & rule.needs == rule.needs && rule.on & fields.kind != rule.skip_value
            {
                self.ask(rule.rule, event, 0, &fields);
            }
        }
        for (rule, target) in &self.plan.of_named {
            self.named(*rule, *target, &fields);
        }
        if let Some(context) = fields.context {
            let mut found = std::mem::take(&mut self.found);
            self.context(context, &mut found);
            self.found = found;
        }
        let scope = EventScope { fields: &fields, roles: Roles::of(&fields) };
        if let Some(index) = &mut self.index {
            index.begin(event, &fields);
        }
        for (number, value) in fields.each() {
            if let Some(node) = self.plan.node(number) {
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
        let seen = examine(node.examined_as, value);
        if let (Some(field), Some(index)) = (node.indexed_as, &mut self.index)
            && seen.identity != 0
        {
            index.take(value, seen.identity, field, scope.roles);
        }
        let marks = Marks::from(seen.marks);
        if marks & node.needs != 0 || !node.open.is_empty() {
            self.ask_all(node, value, (marks, 0), scope.fields);
        }
    }

    /// Checks an object and its members.
    #[inline(never)]
    fn group(&mut self, node: &FieldRules, value: Value<'d>, scope: EventScope<'_, 'd>) {
        let mut words = 0_u128;
        let mut parts = [None; MAX_PARTS];
        let mut places = parts.iter_mut();
        for (name, member) in value.members() {
            let Some(word) = Word::of_text(name) else { continue };
            words |= 1 << word.number();
            if let Some(inner) = node.inner(word)
                && let Some(place) = places.next()
            {
                *place = Some((inner, member));
            }
        }
        // The rules for the object come before those for its members.
        if !node.open.is_empty() {
            self.ask_all(node, value, (0, words), scope.fields);
        }
        for (inner, member) in parts.iter().map_while(|part| *part) {
            self.values(inner, member, scope);
        }
    }

    /// Applies the rules of a node to a value.
    ///
    /// `words`: the names of its members, as bits.
    fn ask_all(
        &mut self,
        node: &FieldRules,
        value: Value<'d>,
        (marks, words): (Marks, u128),
        fields: &Fields<'d>,
    ) {
        let text = if node.has_filters {
            value.as_text().and_then(|text| Some((text.plain()?, text.first())))
        } else {
            None
        };
        let now = self.now;
        let marked: &[RuleCandidate] = if marks & node.needs == 0 { &[] } else { &node.marked };
        let marked = marked.iter().filter(|asked| asked.marks & marks != 0);
        for asked in marked.chain(&node.open) {
            if !self.may_ask(asked.rule, asked.is_own) {
                return;
            }
            if !asked.is_open(words)
                || text.is_some_and(|text| !asked.filter.fits(text, now))
                || !asked.applies_to(fields)
            {
                continue;
            }
            match asked.is_decided {
                true => self.found.add(Hit { value: value.number(), rule: asked.rule, related: 0 }),
                false => self.ask(asked.rule, value, marks, fields),
            }
        }
    }

    /// Takes the steps of looking at a rule, if it is a caller's own. Returns false if there are too few.
    fn may_ask(&self, rule: u16, is_own: bool) -> bool {
        if !is_own {
            return true;
        }
        self.fuel.begin(Work::Rule(rule), true);
        self.fuel.take(fuel::FILTER)
    }

    fn ask(&mut self, number: u16, value: Value<'d>, marks: Marks, fields: &Fields<'d>) {
        if self.holds(number, value, marks, fields) {
            self.found.add(Hit { value: value.number(), rule: number, related: 0 });
        }
    }

    /// Whether a rule applies to the event and its condition holds for a value.
    fn holds(&self, number: u16, value: Value<'d>, marks: Marks, fields: &Fields<'d>) -> bool {
        let Some((pack, rule)) = self.plan.rule(number) else { return false };
        let Some(facts) = self.facts.get(self.plan.pack_of(number)) else { return false };
        self.fuel.begin(Work::Rule(number), !pack.is_built_in);
        if !self.fuel.take(fuel::FILTER) {
            return false;
        }
        // The pack is for other documents, or the event does not count because of an error declaration.
        if facts.is_foreign || facts.is_void(fields.whole) {
            return false;
        }
        let scope = Scope {
            fields,
            judged: value,
            marks,
            now: self.now,
            answers: &self.answers,
            document: self.document,
            names: NamesAt { asked: &pack.names, context: &self.context },
            facts,
            fuel: self.fuel,
        };
        (rule.on == 0 || rule.on & fields.kind != 0) && rule.when.holds(&scope)
    }

    /// Applies a rule to the values at a name outside of the standard, in an event or in the document around the events.
    fn named(&mut self, number: u16, target: usize, fields: &Fields<'d>) {
        let Some((pack, rule)) = self.plan.rule(number) else { return };
        let Some(RuleTarget::Named(path)) = rule.at.get(target) else { return };
        self.fuel.begin(Work::Rule(number), !pack.is_built_in);
        if !self.fuel.take(fuel::CONDITION) || rule.on != 0 && rule.on & fields.kind == 0 {
            return;
        }
        let names = NamesAt { asked: &pack.names, context: &self.context };
        let mut values = Vec::new();
        if let Some(value) = fields.get(path.number) {
            any(value, &path.inner, (names, self.fuel), &mut |value| {
                values.push(value);
                false
            });
        }
        for value in values {
            let length = value.as_text().map_or(0, |text| text.least_length());
            let steps = || {
                fuel::identifier(length.min(MAX_OTHER_TEXT)) + fuel::reading(value, MAX_OTHER_TEXT)
            };
            if !self.fuel.take_with(steps) {
                return;
            }
            let seen = examine(ExaminedAs::Open, value);
            self.ask(number, value, seen.marks.into(), fields);
        }
    }

    /// Applies the rules that apply once to the document, and the rules for elements of master data in its header.
    fn around_events(&mut self, root: Value<'d>, found: &mut Findings) {
        if self.plan.around_events.is_empty() {
            return;
        }
        std::mem::swap(&mut self.found, found);
        self.answers.next_event();
        let fields = Fields::of(root);
        for number in &self.plan.around_events {
            let Some((pack, rule)) = self.plan.rule(*number) else { continue };
            if rule.at.is_empty() {
                self.ask(*number, root, 0, &fields);
            }
            for (target, at) in rule.at.iter().enumerate() {
                let RuleTarget::MasterData(kind) = at else {
                    self.named(*number, target, &fields);
                    continue;
                };
                let mut elements = Vec::new();
                self.fuel.begin(Work::Rule(*number), !pack.is_built_in);
                let looking = (&mut self.context, self.fuel);
                header::for_each_element(root, looking, |found, element, _| {
                    if header::is_vocabulary(kind, found) {
                        elements.push(element);
                    }
                });
                for element in elements {
                    self.ask(*number, element, 0, &fields);
                }
            }
        }
        std::mem::swap(&mut self.found, found);
        let hits = &mut found.hits;
        epcis_edge_text::order::sort_stably_by(hits, &|one, other| {
            (one.value, one.rule).cmp(&(other.value, other.rule))
        });
    }

    /// Checks the texts in the `@context` of the document or of an event.
    fn context(&self, context: Value<'d>, found: &mut Findings) {
        if self.plan.of_context.is_empty() {
            return;
        }
        let fields = Fields::of(context);
        for_each_text(context, |value| {
            for rule in &self.plan.of_context {
                if self.holds(*rule, value, 0, &fields) {
                    found.add(Hit { value: value.number(), rule: *rule, related: 0 });
                }
            }
        });
    }

    /// Applies the rules that need the whole document to what was found in it.
    fn of_document(&mut self, findings: &[DocumentFinding], mut found: Findings) -> Findings {
        let mut of_event: Option<(u32, Fields<'_>)> = None;
        for finding in findings {
            let marks: Marks = 1 << finding.mark;
            let mut rules = self.plan.of_document(marks, finding.field).peekable();
            if rules.peek().is_none() {
                continue;
            }
            // They come in document order, so each event is read once.
            let fields = match of_event.take() {
                Some((event, fields)) if event == finding.event => fields,
                _ => {
                    self.answers.next_event();
                    Fields::of(self.document.value_of(finding.event))
                }
            };
            let value = self.document.value_of(finding.value);
            for rule in rules {
                if self.holds(rule, value, marks, &fields) {
                    found.add(Hit { value: finding.value, rule, related: finding.related });
                }
            }
            of_event = Some((finding.event, fields));
        }
        found
    }
}

impl Plan {
    /// For each rule: whether it is off for a document, because its pack is for others, it belongs to another release, or a
    /// parameter has no value.
    fn silent(&self, facts: &[PackFacts]) -> Rc<[bool]> {
        let is_silent = |number: usize| {
            let (rule, facts) = (self.rule(number as u16), facts.get(self.pack_of(number as u16)));
            let (Some((_, rule)), Some(facts)) = (rule, facts) else { return false };
            let is_of_release = rule.releases.is_empty()
                || facts.release.is_some_and(|release| rule.releases.contains(&release));
            facts.is_foreign || !is_of_release || !rule.is_filled
        };
        (0..self.count()).map(is_silent).collect()
    }
}
