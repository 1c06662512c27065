//! Collects the facts about the whole document that the rules of a pack need: which event made a thing, what the header says about
//! it, how many events fulfil a condition. These facts decide whether the pack applies, and which release the document follows.
//!
//! At most two passes over the header and four over the events. Only facts that some rule needs are collected.

use super::answers::EventAnswers;
use super::event_list::{self, EventList};
use super::expression::Expression;
use super::facts::{ByProduct, Element, Fulfilled, OriginEvent, PackFacts, Void};
use super::fuel::{self, Fuel, Work};
use super::names::{NamesAt, require_known};
use super::pack::Pack;
use super::path::{Path, any};
use super::plan::Plan;
use super::scope::{Now, Scope};
use super::{conflict, header};
use epcis_edge_document::context::ActiveContext;
use epcis_edge_document::event::Fields;
use epcis_edge_document::field::{AGGREGATION, OBJECT, TRANSFORMATION};
use epcis_edge_document::identifier::{of_text, product, thing};
use epcis_edge_history::withdrawn;
use epcis_edge_history::withdrawn::declaration_of;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::slice::OrEmpty;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The facts for each pack of a plan, and the events that do not count, if some pack skips them.
///
/// # Errors
/// As [`require_known`] and [`Plan::steps`].
pub(super) fn facts(
    plan: &Plan,
    document: &Document<'_>,
    (now, fuel): (Option<&Now>, &Fuel),
) -> Result<(Vec<PackFacts>, Option<Void>), Error> {
    let packs = plan.packs.iter().enumerate();
    let events = EventList::of(document.root());
    let skipping = packs.clone().filter(|(_, pack)| !pack.judges_withdrawn);
    let void = skipping.max_by_key(|(_, pack)| !pack.is_built_in).zip(events);
    let void = void.map(|((number, pack), events)| {
        fuel.begin(Work::Facts(number), !pack.is_built_in);
        Rc::new(void_events(events, (document, fuel)))
    });
    let all: Result<Vec<PackFacts>, Error> = packs
        .map(|(number, pack)| match events {
            Some(events) if pack.asks_facts() => {
                let collector = Collector {
                    plan,
                    pack,
                    number,
                    fuel,
                    document,
                    now,
                    answers: EventAnswers::new(plan.once),
                    facts: PackFacts::without(void.clone().filter(|_| !pack.judges_withdrawn)),
                };
                collector.collect(events)
            }
            _ => Ok(PackFacts::default()),
        })
        .collect();
    let mut all = all?;
    // A pack that the caller did not name is for the documents of the packs that use it.
    let is_foreign = |all: &[PackFacts], name: &String| {
        let user = plan.packs.iter().position(|user| user.name() == name);
        user.and_then(|user| all.get(user)).is_some_and(|user| user.is_foreign)
    };
    for (number, pack) in plan.packs.iter().enumerate() {
        let users = &pack.used_by;
        let is_foreign = !users.is_empty() && users.iter().all(|user| is_foreign(&all, user));
        if let Some(facts) = all.get_mut(number) {
            facts.is_foreign |= is_foreign;
        }
    }
    Ok((all, void))
}

struct Collector<'p, 'd> {
    plan: &'p Plan,
    pack: &'p Pack,
    /// The number of the pack.
    number: usize,
    fuel: &'p Fuel,
    document: &'d Document<'d>,
    now: Option<&'p Now>,
    answers: EventAnswers,
    facts: PackFacts,
}

impl<'d> Collector<'_, 'd> {
    fn collect(mut self, events: EventList<'d>) -> Result<PackFacts, Error> {
        let root = self.document.root();
        let is_own = !self.pack.is_built_in;
        self.fuel.begin(Work::Facts(self.number), is_own);
        let mut context = ActiveContext::default();
        context.enter(root);
        self.header(root, &mut context);
        self.repeated_elements(root, &mut context);
        let pack = self.pack;
        let needs = &pack.needs;
        if needs.asks_identifiers() {
            let conflicts = needs.conflicts.iter().cloned();
            self.facts.conflicts = conflicts.map(|one| (one, ByProduct::new())).collect();
            self.each(events, &mut context, Self::event);
        }
        let mut fulfilled = vec![Fulfilled::default(); needs.events.len()];
        if !needs.events.is_empty() {
            self.each(events, &mut context, |collector, event, context| {
                collector.count(event, context, &mut fulfilled);
            });
        }
        self.facts.events = fulfilled;
        self.fuel.begin(Work::Facts(self.number), is_own);
        let fields = Fields::of(root);
        self.answers.next_event();
        let holds = |when: &Expression| when.holds(&self.scope(&fields, root, &context));
        let is_foreign = self.pack.applies.as_ref().is_some_and(|applies| !holds(&applies.when));
        let release = self.pack.releases.iter().position(|release| holds(&release.when));
        self.facts.is_foreign = is_foreign;
        self.facts.release = release;
        self.plan.steps(self.fuel)?;
        require_known(&context)?;
        Ok(self.facts)
    }

    /// Looks at each event that counts, in its context.
    fn each(
        &mut self,
        events: EventList<'d>,
        context: &mut ActiveContext<'d>,
        mut look: impl FnMut(&mut Self, Value<'d>, &ActiveContext<'d>),
    ) {
        events.for_each(|event| {
            if !self.facts.is_void(event) && self.fuel.take_with(|| fuel::passing_object(event)) {
                let outer = event_list::enter(event, context);
                look(self, event, context);
                context.leave(outer);
            }
        });
    }

    fn scope<'s>(
        &'s self,
        fields: &'s Fields<'d>,
        judged: Value<'d>,
        context: &'s ActiveContext<'d>,
    ) -> Scope<'s, 'd> {
        Scope {
            fields,
            judged,
            marks: 0,
            now: self.now,
            answers: &self.answers,
            document: self.document,
            names: NamesAt { asked: &self.pack.names, context },
            facts: &self.facts,
            fuel: self.fuel,
        }
    }

    /// Finds the elements of master data in which an attribute has another text than in an earlier element of the same identifier.
    fn repeated_elements(&mut self, root: Value<'d>, context: &mut ActiveContext<'d>) {
        let kinds = &self.pack.needs.repeated;
        if kinds.is_empty() {
            return;
        }
        let mut first: BTreeMap<(usize, u64, u64), u64> = BTreeMap::new();
        let unlike = &mut self.facts.unlike;
        let fuel = self.fuel;
        header::for_each_element(root, (context, fuel), |kind, element, context| {
            // The attributes are hashed, and each is looked for.
            let steps = || {
                fuel::MEMBER * kinds.len() as u64
                    + fuel::look_up(0, first.len()) * element.span() as u64
                    + fuel::identifier(element.source().len())
            };
            if !fuel.take_with(steps) {
                return;
            }
            let number = kinds.iter().position(|known| header::is_vocabulary(known, kind));
            let id = element.get("id").and_then(Value::as_str);
            let (Some(number), Some(id)) = (number, id) else { return };
            let id = of_text(thing(&id).as_bytes());
            let attributes = element.get("attributes");
            for attribute in attributes.into_iter().flat_map(Value::elements) {
                let name = attribute.get("id").and_then(Value::as_str);
                let name = of_text(context.expand(&name.or_empty()).as_bytes());
                let said = attribute.get("attribute").map_or("", Value::source);
                let said = of_text(said.as_bytes());
                if *first.entry((number, id, name)).or_insert(said) != said {
                    unlike.insert(element.number());
                }
            }
        });
    }

    /// Reads the vocabularies of the header that rules need. Of several elements with the same identifier, and of several
    /// attributes with the same name, the first counts.
    fn header(&mut self, root: Value<'d>, context: &mut ActiveContext<'d>) {
        let pack = self.pack;
        let needs = &pack.needs;
        if needs.vocabularies.is_empty() {
            return;
        }
        self.facts.elements = needs.vocabularies.iter().map(|_| BTreeMap::new()).collect();
        let elements = &mut self.facts.elements;
        let fuel = self.fuel;
        header::for_each_element(root, (context, fuel), |kind, element, context| {
            let asked = fuel::MEMBER * (needs.vocabularies.len() + needs.attributes.len()) as u64;
            if !fuel.take(asked) {
                return;
            }
            let mut wanted = needs.vocabularies.iter().zip(elements.iter_mut());
            let wanted = wanted.find(|(known, _)| header::is_vocabulary(known, kind));
            let id = element.get("id").and_then(Value::as_str);
            let (Some((_, elements)), Some(id)) = (wanted, id) else { return };
            let mut attributes = vec![None; needs.attributes.len()];
            let names = NamesAt { asked: &pack.names, context };
            let told = element.get("attributes").into_iter().flat_map(Value::elements);
            for attribute in told {
                let Some(name) = attribute.get("id").and_then(Value::as_text) else { continue };
                if !fuel.take_with(|| fuel::naming(name) * (1 + needs.attributes.len()) as u64) {
                    return;
                }
                let name = name.to_cow();
                for (asked, found) in needs.attributes.iter().zip(&mut attributes) {
                    if found.is_none() && names.are(*asked, &name) {
                        *found = attribute.get("attribute").map(Value::number);
                    }
                }
            }
            if !fuel.take_with(|| 2 * fuel::look_up(id.len(), elements.len()) + 2 * asked) {
                return;
            }
            // The element of a lot, or of a pattern of instances, also counts for its product.
            for id in BTreeSet::from([thing(&id), product(&id)]) {
                let known = elements.entry(id).or_insert_with(|| Element {
                    value: element.number(),
                    attributes: vec![None; needs.attributes.len()],
                });
                for (known, found) in known.attributes.iter_mut().zip(&attributes) {
                    *known = known.or(*found);
                }
            }
        });
    }

    /// Records the things that an event makes and packs, and its values for products.
    fn event(&mut self, event: Value<'d>, context: &ActiveContext<'d>) {
        let pack = self.pack;
        let needs = &pack.needs;
        let names = NamesAt { asked: &pack.names, context };
        let looking = (names, self.fuel);
        let fields = Fields::of(event);
        let is_added = fields.action() == "ADD";
        let made: &[&str] = match fields.kind {
            OBJECT if is_added => &["epcList", "quantityList.epcClass"],
            TRANSFORMATION => &["outputEPCList", "outputQuantityList.epcClass"],
            _ => &[],
        };
        let scope = self.scope(&fields, event, context);
        let mut conflicts: Vec<Vec<((String, String), String)>> = Vec::new();
        for conflict in &needs.conflicts {
            if !self.fuel.take(fuel::CONDITION) {
                break;
            }
            let mut told = Vec::new();
            conflict::each(conflict, &scope, &mut |key, value| told.push((key, value.to_owned())));
            conflicts.push(told);
        }
        for ((_, known), told) in self.facts.conflicts.iter_mut().zip(conflicts) {
            for (key, value) in told {
                known.entry(key).or_insert(value);
            }
        }
        let shipped: &[&str] = match fields.is_shipment() {
            true => &["epcList", "parentID", "quantityList.epcClass"],
            false => &[],
        };
        let facts = &mut self.facts;
        for (is_asked, lists, asked, of_things) in [
            (needs.made, made, &needs.in_made, &mut facts.made),
            (needs.shipped, shipped, &needs.in_shipped, &mut facts.shipped),
        ] {
            if !is_asked || lists.is_empty() {
                continue;
            }
            let place = of_things.events.len();
            of_things.events.push(OriginEvent {
                event: event.number(),
                values: asked.iter().map(|path| first_value(&fields, path, looking)).collect(),
            });
            for list in lists {
                let count = of_things.places.len();
                each_text(&fields, list, (looking, count), &mut |id| {
                    of_things.places.entry(thing(id)).or_insert(place);
                });
            }
        }
        if fields.kind != AGGREGATION || !is_added || !(needs.packed || needs.put) {
            return;
        }
        let mut parent = None;
        each_text(&fields, "parentID", (looking, facts.packed.len()), &mut |id| {
            parent = Some(thing(id));
        });
        let Some(parent) = parent else { return };
        if needs.put {
            let count = facts.put.len();
            each_text(&fields, "childEPCs", (looking, count), &mut |id| {
                let put = facts.put.entry(thing(id));
                put.or_insert_with(|| (event.number(), parent.clone()));
            });
        }
        facts.packed.entry(parent).or_insert(event.number());
    }

    fn count(&self, event: Value<'d>, context: &ActiveContext<'d>, found: &mut [Fulfilled]) {
        let fields = Fields::of(event);
        self.answers.next_event();
        let scope = self.scope(&fields, event, context);
        let conditions = self.pack.needs.events.iter().zip(found);
        for (number, (asked, found)) in conditions.enumerate() {
            let work = Work::Condition(self.number, number);
            self.fuel.begin(work, !self.pack.is_built_in);
            if asked.on == 0 || asked.on & fields.kind != 0 {
                found.events += 1;
                found.fulfil += usize::from(asked.when.holds(&scope));
            }
        }
    }
}

/// The number of the first value at a path.
fn first_value(
    fields: &Fields<'_>,
    path: &Path,
    (names, fuel): (NamesAt<'_, '_>, &Fuel),
) -> Option<u32> {
    let mut first = None;
    if !fuel.take(fuel::CONDITION) {
        return None;
    }
    let value = fields.get(path.number)?;
    any(value, &path.inner, (names, fuel), &mut |value| {
        first = Some(value.number());
        true
    });
    first
}

/// Calls `take` for each identifier at a path, to find it among `count`.
fn each_text(
    fields: &Fields<'_>,
    path: &str,
    ((names, fuel), count): ((NamesAt<'_, '_>, &Fuel), usize),
    take: &mut dyn FnMut(&str),
) {
    let Some(path) = Path::find(path) else { return };
    let Some(value) = fields.get(path.number) else { return };
    any(value, &path.inner, (names, fuel), &mut |value| {
        let length = value.as_text().map_or(0, |text| text.written_length());
        if !fuel.take_with(|| fuel::look_up(length, count)) {
            return true;
        }
        if let Some(text) = value.as_str() {
            take(&text);
        }
        false
    });
}

/// The events that do not count because of an error declaration.
pub(super) fn void_events(
    events: EventList<'_>,
    (document, fuel): (&Document<'_>, &Fuel),
) -> BTreeSet<u32> {
    let (mut declarations, mut is_by_content) = (0, false);
    events.for_each(|event| {
        if fuel.take_with(|| fuel::passing_object(event)) && declaration_of(event).is_some() {
            declarations += 1;
            is_by_content |= event.get("eventID").is_none();
        }
    });
    if declarations == 0 {
        return BTreeSet::new();
    }
    let mut values = Vec::new();
    events.for_each(|event| {
        let is_hashed = is_by_content && event.get("eventID").is_none();
        let hashing = || if is_hashed { fuel::hashing(event) } else { 0 };
        let steps = || fuel::passing_object(event) + fuel::look_up(0, declarations) + hashing();
        if fuel.take_with(steps) {
            values.push(event);
        }
    });
    withdrawn::void(document, &values)
}
