//! Following over a store: which events to look up next, until the answer needs no more.
//!
//! In each round the walk ([`walk`](super::walk)) goes over the events found so far, as if there were no others, and notes the
//! events that it needs to be right. The needed events that were not looked up yet are the next round. If there are none, the
//! result is the same as over all events.
//!
//! Which events of a container are looked up?
//! All of them, if they are few: most containers are used once. But a crate may be used ten thousand times. Then only the time
//! while a followed thing was inside matters, and before it the last event that put the crate somewhere.

use super::answer;
use super::coverage::{Coverage, Moment};
use super::event::{Event, Role, Source};
use super::history::{self, History};
use super::names::{NameNumbers, Thing};
use super::request::{Request, class_of};
use super::walk::{Gap, MAX_STEPS, Need, Roles, Walk};
use crate::containment::Action;
use epcis_edge_document::field::{AGGREGATION, TRANSFORMATION};
use epcis_edge_document::identifier;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Document;
use epcis_edge_text::slice::OrEmpty;
use epcis_edge_text::time::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The most identifiers of one look-up.
const IN_ONE: usize = 100;
/// The most rounds.
const MAX_ROUNDS: usize = 64;
/// The most things that are looked up.
const MAX_LOOKED_UP: usize = 20_000;
/// The most things in all events read for one answer; repeated things count each time. An event of ten megabytes may name half a
/// million.
const MAX_REFERENCES: usize = 100_000;
/// The most spans of one thing that are looked up in a round. The next round asks for those that are still not known.
const SPANS_A_ROUND: usize = 8;
/// The most events, on average, of things that are looked up together.
const FEW_OF_A_THING: usize = 8;
/// The most look-ups of one answer.
const MAX_LOOK_UPS: usize = 1000;
/// The number of events in the first look-up of a span. Each further look-up for the same thing brings twice as many.
const FIRST_OF_SPAN: usize = 32;

/// The events that are completely known once a look-up is answered.
#[derive(Clone, Debug)]
enum Brings {
    /// Every event that names one of these things; for a class, every event that names its lots and serials.
    All(Vec<Thing>),
    /// The events of a thing in a span of time, in some of its roles.
    Span(Thing, Roles, Moment, Moment),
    Transformations(Vec<Thing>),
    /// Every event that names one of these things, if there are few enough.
    Perhaps(Vec<Thing>),
    Declarations,
    /// The items of the request.
    Asked,
}

/// The events that a look-up asks for.
///
/// Closed.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Those that name one of these things.
    Things {
        /// In these roles.
        roles: Roles,
        /// Things in normal form: GS1 identifiers as canonical Digital Links.
        ids: BTreeSet<String>,
        /// How identifiers of other things begin that are wanted, too.
        starts: Vec<String>,
    },
    /// The transformations with one of these `transformationID`s.
    Transformations(BTreeSet<String>),
    /// The error declarations about events with one of these names.
    Declarations(Vec<String>),
}

/// A question to a store: the events that match, at most `limit`, in an order.
#[derive(Clone, Debug)]
pub struct LookUp {
    /// The events that are asked for.
    pub wanted: Wanted,
    /// Only those with this `eventTime` or a later one.
    pub from: Option<Timestamp>,
    /// Only those with an earlier `eventTime`.
    pub before: Option<Timestamp>,
    /// Whether they are wanted in the order of `eventTime`, the latest first: `None` for the order of recording.
    pub latest_first: Option<bool>,
    /// The most events that are wanted now.
    pub limit: usize,
    brings: Brings,
}

/// An event that answers a question.
#[derive(Clone, Debug)]
pub struct FoundEvent {
    /// Its number: later captured events have higher ones.
    pub sequence: u64,
    /// The account that captured it.
    pub captured_by: String,
    /// The event as JSON.
    pub event: String,
}

/// An event that decides: its time and its name.
type Decision = (Moment, Option<Rc<str>>);

/// The state between two rounds.
#[derive(Debug)]
pub struct Seeker<'r> {
    request: &'r Request,
    names: NameNumbers,
    events: Vec<Event<'static>>,
    known: BTreeSet<u64>,
    whole: BTreeSet<Thing>,
    /// The things that were looked up together, whether or not that brought all of their events.
    tried: BTreeSet<Thing>,
    /// How many look-ups there were.
    look_ups: usize,
    spans: BTreeMap<(Thing, Roles), Coverage>,
    transformations: BTreeSet<Thing>,
    /// The events that decide where a thing was put, or that it was emptied.
    decisions: BTreeMap<(Thing, Roles), Vec<Decision>>,
    /// The names that error declarations have.
    declared_wrong: BTreeSet<Option<Rc<str>>>,
    /// The names of events whose error declarations were looked up.
    declared: BTreeSet<String>,
    /// How often the spans of a thing were looked up.
    times: BTreeMap<(Thing, Roles), u32>,
    rounds: usize,
    /// The number of things in the events; repeated things count each time.
    references: usize,
    /// The number of events that were read, including those that were known already.
    reads: usize,
    /// How many steps the rounds may still take.
    steps: usize,
    /// Whether a bound was met, so that nothing more is looked up.
    is_over: bool,
}

impl<'r> Seeker<'r> {
    /// Starts without events.
    #[must_use]
    pub fn new(request: &'r Request) -> Self {
        Self {
            request,
            names: NameNumbers::default(),
            events: Vec::new(),
            known: BTreeSet::new(),
            whole: BTreeSet::new(),
            tried: BTreeSet::new(),
            look_ups: 0,
            spans: BTreeMap::new(),
            transformations: BTreeSet::new(),
            decisions: BTreeMap::new(),
            declared_wrong: BTreeSet::new(),
            declared: BTreeSet::new(),
            times: BTreeMap::new(),
            rounds: 0,
            references: 0,
            reads: 0,
            steps: MAX_STEPS,
            is_over: false,
        }
    }

    /// The most events that are read for one answer.
    fn most_events(&self) -> usize {
        2 * self.request.max_events + 2000
    }

    /// The most times that an event is read, known ones included: look-ups of spans may overlap.
    fn most_reads(&self) -> usize {
        self.most_events() + 20_000
    }

    /// The questions of the next round; none when the answer needs no more.
    pub fn next_round(&mut self) -> Vec<LookUp> {
        self.rounds += 1;
        if self.rounds == 1 {
            return self.asked();
        }
        let round = self.round();
        self.is_over |= round.is_none();
        round.or_empty()
    }

    /// The questions of a round after the first; `None` beyond a bound.
    fn round(&mut self) -> Option<Vec<LookUp>> {
        // Each round goes over all known events again.
        self.steps = self.steps.saturating_sub(self.references);
        if self.is_over
            || self.rounds > MAX_ROUNDS
            || self.whole.len() > MAX_LOOKED_UP
            || self.events.len() > self.most_events()
            || self.reads > self.most_reads()
            || self.steps == 0
        {
            return None;
        }
        history::sort(&mut self.events);
        let history = History::new(&self.events, &self.names, self.request);
        let walk = Walk::new(&history, self.request, Some(self.steps));
        let (needs, steps) = (walk.needs, walk.steps);
        self.steps = steps;
        if steps == 0 {
            return None;
        }
        let mut round = self.look_ups(&needs);
        if round.is_empty() {
            round = self.declarations();
        }
        self.look_ups += round.len();
        (self.look_ups <= MAX_LOOK_UPS).then_some(round)
    }

    /// Adds the events that answer a question. `is_last`: whether no others match.
    ///
    /// # Errors
    /// For an event that is not JSON; a store has no such event.
    pub fn add(
        &mut self,
        asked: &LookUp,
        found: Vec<FoundEvent>,
        is_last: bool,
    ) -> Result<(), Error> {
        let mut last = None;
        let is_empty = found.is_empty();
        self.reads += found.len();
        self.is_over |= self.reads > self.most_reads();
        for stored in found {
            let Some(event) = self.read(stored)? else { return Ok(()) };
            last = event.time;
            if self.known.insert(event.place) {
                self.note(&event);
                self.events.push(event);
            }
        }
        let may_go_on = matches!(asked.brings, Brings::Perhaps(_) | Brings::Span(..));
        self.is_over |= !is_last && !may_go_on;
        match &asked.brings {
            Brings::Asked => {
                let items = self.request.items.iter();
                let things = items.filter_map(|item| self.names.find(item));
                self.whole.extend(things);
            }
            Brings::Perhaps(_) if !is_last => {}
            Brings::All(things) | Brings::Perhaps(things) => self.whole.extend(things),
            Brings::Transformations(ids) => self.transformations.extend(ids),
            Brings::Declarations => {}
            Brings::Span(thing, roles, from, to) => {
                let spans = self.spans.entry((*thing, *roles)).or_default();
                let is_backwards = *roles != Roles::Any;
                match last {
                    _ if is_last || is_empty => spans.add(*from, *to),
                    // Others of the same time may follow.
                    Some(time) if is_backwards => spans.add(Moment::At(time.next()), *to),
                    Some(time) => spans.add(*from, Moment::At(time)),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// Whether a bound was met, so that nothing more need be looked up.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Stops looking up. The answer reports what is missing.
    pub fn stop(&mut self) {
        self.is_over = true;
    }

    /// The answer, as that to [`follow_document`](super::follow_document), without `index`.
    #[must_use]
    pub fn answer(self) -> String {
        self.written(answer::Origin::Store)
    }

    /// As [`answer`](Self::answer), but each event has its number as `index`. Not for callers: the number would reveal how many
    /// events the whole gateway stores.
    pub fn numbered_answer(self) -> String {
        self.written(answer::Origin::Document { repeated: &[] })
    }

    fn written(mut self, origin: answer::Origin<'_>) -> String {
        history::sort(&mut self.events);
        let history = History::new(&self.events, &self.names, self.request);
        let mut walk = Walk::new(&history, self.request, Some(MAX_STEPS));
        if self.is_over {
            let missing = walk.needs.iter().filter_map(|need| self.missing(*need));
            let missing: BTreeSet<(Gap, Thing)> = missing.map(|thing| (Gap::Size, thing)).collect();
            walk.gaps.extend(missing);
        }
        answer::write(&history, self.request, &walk, origin)
    }

    /// Reads an event; `None` if all events together name too many things.
    fn read(&mut self, found: FoundEvent) -> Result<Option<Event<'static>>, Error> {
        let account: Rc<str> = Rc::from(found.captured_by.as_str());
        let event = {
            let document = Document::read_text(&found.event)?;
            self.references += Event::count_references(document.root());
            if self.references > MAX_REFERENCES {
                // Its items are missing from the answer, which says so.
                for item in &self.request.items {
                    self.names.thing(item, false);
                }
                self.is_over = true;
                return Ok(None);
            }
            let origin = (found.sequence, account);
            Event::read(document.root(), origin, &mut self.names).without_text()
        };
        Ok(Some(Event { source: Source::Text(found.event), ..event }))
    }

    /// The first round: everything that names the items.
    fn asked(&mut self) -> Vec<LookUp> {
        let (mut exact, mut starts) = (BTreeSet::new(), Vec::new());
        for item in &self.request.items {
            let id = identifier::to_digital_link(item).unwrap_or(Cow::Borrowed(item));
            exact.insert(id.into_owned());
            starts.extend(class_of(item));
        }
        let (from, before) =
            if starts.is_empty() { (None, None) } else { (self.request.from, self.request.to) };
        let wanted = Wanted::Things { roles: Roles::Any, ids: exact, starts };
        vec![LookUp { from, before, ..self.look_up(wanted, Brings::Asked) }]
    }

    /// The look-ups for events that are needed and not known.
    fn look_ups(&mut self, needs: &BTreeSet<Need>) -> Vec<LookUp> {
        let mut round = Vec::new();
        let (mut whole, mut transformations) = (Vec::new(), Vec::new());
        for need in needs {
            match *need {
                Need::All(thing) if !self.whole.contains(&thing) => whole.push(thing),
                Need::Transformation(id) if !self.transformations.contains(&id) => {
                    transformations.push(id);
                }
                _ => {}
            }
        }
        // The latest first: a look-up reads backwards, and may bring what earlier ones need.
        let spans: Vec<_> = needs.iter().rev().filter_map(|need| self.span(*need)).collect();
        let together = self.together(&spans);
        let mut counts: BTreeMap<(Thing, Roles), usize> = BTreeMap::new();
        for (thing, roles, from, to) in spans {
            let count = counts.entry((thing, roles)).or_default();
            *count += 1;
            if *count <= SPANS_A_ROUND && !together.contains(&thing) {
                round.push(self.look_up_span(thing, roles, from, to));
            }
        }
        for things in whole.chunks(IN_ONE) {
            round.push(self.look_up(self.things(Roles::Any, things), Brings::All(things.to_vec())));
        }
        let together: Vec<Thing> = together.into_iter().collect();
        for things in together.chunks(IN_ONE) {
            let wanted = self.things(Roles::Any, things);
            let look_up = self.look_up(wanted, Brings::Perhaps(things.to_vec()));
            round.push(LookUp { limit: FEW_OF_A_THING * things.len(), ..look_up });
        }
        self.tried.extend(together);
        for ids in transformations.chunks(IN_ONE) {
            let wanted = Wanted::Transformations(self.ids(ids));
            round.push(self.look_up(wanted, Brings::Transformations(ids.to_vec())));
        }
        round
    }

    /// The things whose spans are needed for the first time: most containers are used once, so that they have few events.
    fn together(&self, spans: &[(Thing, Roles, Moment, Moment)]) -> BTreeSet<Thing> {
        let things = spans.iter().map(|(thing, ..)| *thing);
        things.filter(|thing| !self.tried.contains(thing)).collect()
    }

    fn look_up(&self, wanted: Wanted, brings: Brings) -> LookUp {
        let limit = self.most_events() + 1;
        LookUp { wanted, from: None, before: None, latest_first: None, limit, brings }
    }

    fn ids(&self, things: &[Thing]) -> BTreeSet<String> {
        things.iter().map(|thing| self.names.id(*thing).to_owned()).collect()
    }

    fn things(&self, roles: Roles, things: &[Thing]) -> Wanted {
        Wanted::Things { roles, ids: self.ids(things), starts: Vec::new() }
    }

    fn look_up_span(&mut self, thing: Thing, roles: Roles, from: Moment, to: Moment) -> LookUp {
        let times = self.times.entry((thing, roles)).or_default();
        *times += 1;
        let limit = FIRST_OF_SPAN << (*times - 1).min(10);
        let wanted = self.things(roles, &[thing]);
        LookUp {
            from: from.time(),
            before: to.time(),
            latest_first: Some(roles != Roles::Any),
            limit,
            ..self.look_up(wanted, Brings::Span(thing, roles, from, to))
        }
    }

    /// The part of a span that is needed and not known.
    fn span(&self, need: Need) -> Option<(Thing, Roles, Moment, Moment)> {
        let Need::Span(roles, thing, from, to) = need else { return None };
        let (from, to) = (Moment::from(from), Moment::through(to));
        if self.whole.contains(&thing) {
            return None;
        }
        let of = |roles| self.spans.get(&(thing, roles));
        if roles == Roles::Any {
            let reached = of(roles).map_or(from, |spans| spans.reach_forth(from));
            return (reached < to).then_some((thing, roles, reached, to));
        }
        let mut reached = to;
        loop {
            let known = [roles, Roles::Any]
                .map(|roles| of(roles).map_or(reached, |spans| spans.reach_back(reached)));
            let back = known.into_iter().min().unwrap_or(reached);
            if back == reached {
                break;
            }
            reached = back;
        }
        let is_decided = reached < to && self.is_decided(thing, roles, reached, to);
        (reached > from && !is_decided).then_some((thing, roles, from, reached))
    }

    /// Notes what an event decides: where it puts a thing, or that it empties one.
    fn note(&mut self, event: &Event<'_>) {
        let name: Option<Rc<str>> = event.named.name.as_deref().map(Rc::from);
        if event.declaration.is_some() {
            self.declared_wrong.insert(name);
            return;
        }
        let has = |role| event.references.iter().any(|found| found.role == role);
        let is_packing = event.kind == AGGREGATION && has(Role::Parent);
        let is_put = is_packing && event.action != Some(Action::Delete);
        let has_children = event.references.iter().any(|found| found.role.is_child());
        let is_emptied = is_packing && event.action == Some(Action::Delete) && !has_children;
        let is_used_up = event.kind == TRANSFORMATION;
        for reference in &event.references {
            let roles = match reference.role {
                Role::Child if is_put => Roles::Placed,
                Role::Input if is_used_up => Roles::Placed,
                Role::Parent if is_emptied => Roles::Filled,
                _ => continue,
            };
            let time = event.time.map_or(Moment::End, Moment::At);
            let decisions = self.decisions.entry((reference.thing, roles));
            decisions.or_default().push((time, name.clone()));
        }
    }

    /// Whether a known event of a span decides, so that earlier ones do not matter. An event that an error declaration may withdraw
    /// does not decide.
    fn is_decided(&self, thing: Thing, roles: Roles, from: Moment, to: Moment) -> bool {
        let known = self.decisions.get(&(thing, roles));
        known
            .into_iter()
            .flatten()
            .any(|(time, name)| from <= *time && *time < to && !self.declared_wrong.contains(name))
    }

    /// The look-ups for the error declarations about the events found, except those that were looked up before.
    fn declarations(&mut self) -> Vec<LookUp> {
        let names = self.events.iter().filter_map(|event| event.named.name.as_deref());
        let new = names.filter(|name| !self.declared.contains(*name)).map(str::to_owned);
        let new: BTreeSet<String> = new.collect();
        self.declared.extend(new.iter().cloned());
        let new: Vec<String> = new.into_iter().collect();
        let look_up = |names: &[String]| {
            self.look_up(Wanted::Declarations(names.to_vec()), Brings::Declarations)
        };
        new.chunks(IN_ONE).map(look_up).collect()
    }

    /// The thing of a need, if it was not looked up.
    fn missing(&self, need: Need) -> Option<Thing> {
        match need {
            Need::All(thing) => (!self.whole.contains(&thing)).then_some(thing),
            Need::Transformation(id) => (!self.transformations.contains(&id)).then_some(id),
            Need::Span(..) => self.span(need).map(|(thing, ..)| thing),
        }
    }
}
