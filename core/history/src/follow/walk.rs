//! Following: from the items, tie by tie, to every event in which they or things tied to them are present.
//!
//! A [`Portion`] is a thing from an event on (forth) or until an event (back). Portions are processed in the order of their distance,
//! so that each event of a thing is processed once for each direction, however many ways lead to it.

mod asked;
mod containers;
mod contents;
mod gaps;

pub(super) use contents::{Content, ContentKey};

use super::containment::Stay;
use super::event::Role;
use super::history::{History, Mention};
use super::names::Thing;
use super::request::{ContentsRule, Direction, Request};
use super::spans::{Span, Spans};
use super::written::words;
use crate::withdrawn::Standing;
use asked::{asked, is_in_time};
use epcis_edge_text::order::sort_stably_by;
use epcis_edge_text::time::Timestamp;
use gaps::{Missing, Refused};
use std::collections::{BTreeMap, BTreeSet};

/// The most presences of an answer, the most ties, the most things in rows of contents, and the most things that are followed. A store is
/// asked in an isolate, which has less memory than a page.
const ROWS_OF_A_DOCUMENT: usize = 100_000;
const ROWS_OF_A_STORE: usize = 30_000;

/// The most needs of a walk, for each row of its answer.
const NEEDS_A_ROW: usize = 2;

/// The most links in the chains of containers of all presences, for each row.
const LINKS_A_ROW: usize = 4;

/// The most steps of a walk. `tests/bounds/follow_bounds.rs` measures documents that need all of them.
pub(super) const MAX_STEPS: usize = 4_000_000;

/// A thing, and the part of the events in which it is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Portion {
    thing: Thing,
    is_forth: bool,
    /// The first event forth, or the last event back.
    bound: usize,
    is_certain: bool,
    is_asked: bool,
    /// Whether its contents are listed. Not set for a thing that is followed as a content itself.
    has_contents: bool,
}

impl Portion {
    fn new(thing: Thing, (is_certain, is_asked, has_contents): (bool, bool, bool)) -> Self {
        Self { thing, is_forth: true, bound: 0, is_certain, is_asked, has_contents }
    }
}

words! {
    /// How a thing is present in an event.
    pub(super) How {
        Named "named",
        Inside "inside",
        Input "input",
        Output "output",
    }

    /// The kind of a tie.
    pub(super) TieKind {
        Packed "packed",
        Unpacked "unpacked",
        Made "made",
        Associated "associated",
    }

    /// Why an answer is not complete.
    pub(super) Gap {
        MaxEvents "maxEvents",
        Depth "depth",
        Time "time",
        Size "size",
    }
}

/// A thing in an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Presence {
    pub(super) how: How,
    /// The field that names the thing, or its container.
    pub(super) role: Role,
    /// The containers from the one that is named to the thing, as a place in [`Walk::links`].
    pub(super) chain: Option<u32>,
    pub(super) is_certain: bool,
}

/// A container on the way from a thing outwards, and the one within it.
#[derive(Clone, Copy, Debug)]
struct Link {
    container: Thing,
    within: Option<u32>,
}

/// The presences of one event: of each thing in each role. A thing that is only inside has one.
pub(super) type Presences = BTreeMap<(Thing, Option<Role>), Presence>;

/// The roles of a thing in the events that are looked up.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Roles {
    /// All of them.
    Any,
    /// Where it is put into a container (`childEPCs`), or used up (`inputEPCList`).
    Placed,
    /// Where it is a container (`parentID`).
    Filled,
}

/// Events that a walk must have seen for its result to be right. A document has all of them; those of a store are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// Every event that names a thing.
    All(Thing),
    /// The events that name a thing in these roles, from one time until another; both belong to it. `None`: without an end. Of those
    /// that put it into containers, back to the last that decides where it was.
    Span(Roles, Thing, Option<Timestamp>, Option<Timestamp>),
    /// The events with a `transformationID`.
    Transformation(Thing),
}

/// A walk, and what it has found.
pub(super) struct Walk<'h> {
    history: &'h History<'h>,
    request: &'h Request,
    pub(super) events: BTreeMap<usize, Presences>,
    presences: usize,
    links: Vec<Link>,
    pub(super) contents: BTreeMap<ContentKey, Content>,
    /// How many things the rows of contents name: what is inside, and the containers between.
    content_names: usize,
    /// Kind, the thing it goes from, the thing it goes to, and the event, by the event.
    pub(super) ties: BTreeSet<(usize, TieKind, Thing, Thing)>,
    pub(super) gaps: BTreeSet<(Gap, Thing)>,
    /// The portions to process, by their distance.
    waiting: Vec<BTreeSet<Portion>>,
    /// The processed parts of the events, by thing, direction, certainty, and whether contents are listed.
    done: BTreeMap<(Thing, bool, bool, bool), Spans>,
    /// The distance of each part of the events in which a thing is followed, and whether its contents are listed.
    distances: BTreeMap<Thing, Vec<(Span, usize, bool)>>,
    /// The steps that were not taken, with the things that they lead from.
    refused: Vec<Refused>,
    /// The distance at which the things of a transformation were scheduled, by its first event, whether they are outputs, and
    /// whether they are certain.
    pushed: BTreeMap<(usize, bool, bool), usize>,
    /// How many steps are left: each look at a mention, a stay or a tie is one.
    pub(super) steps: usize,
    /// The most rows of each kind.
    rows: usize,
    /// Whether there may be events that the walk has not seen.
    notes_needs: bool,
    /// The events that the walk needs, if it has not seen all.
    pub(super) needs: BTreeSet<Need>,
    /// The things that were followed.
    pub(super) followed: BTreeSet<Thing>,
    /// The container that a followed thing is still inside of, and the event that put it there.
    pub(super) inside_of: BTreeMap<Thing, (Thing, usize)>,
}

impl<'h> Walk<'h> {
    /// Follows the items of a request over a document, which has every event; or over some events of a store, in at most
    /// `steps_left` steps: then it notes what it needs.
    pub(super) fn new(
        history: &'h History<'h>,
        request: &'h Request,
        steps_left: Option<usize>,
    ) -> Self {
        let rows = if steps_left.is_some() { ROWS_OF_A_STORE } else { ROWS_OF_A_DOCUMENT };
        let mut walk = Self {
            history,
            request,
            events: BTreeMap::new(),
            presences: 0,
            links: Vec::new(),
            contents: BTreeMap::new(),
            content_names: 0,
            ties: BTreeSet::new(),
            gaps: BTreeSet::new(),
            waiting: vec![BTreeSet::new(); request.depth + 1],
            done: BTreeMap::new(),
            distances: BTreeMap::new(),
            refused: Vec::new(),
            pushed: BTreeMap::new(),
            steps: steps_left.unwrap_or(MAX_STEPS),
            rows,
            notes_needs: steps_left.is_some(),
            needs: BTreeSet::new(),
            followed: BTreeSet::new(),
            inside_of: BTreeMap::new(),
        };
        for thing in asked(history, request) {
            let flags = (true, true, true);
            walk.push_both(Portion::new(thing, flags), walk.all(), 0);
        }
        for distance in 0..=request.depth {
            // A portion schedules others only at greater distances.
            for portion in walk.waiting_at(distance) {
                walk.process(portion, distance);
            }
        }
        walk.find_gaps();
        walk
    }

    /// The portions of a distance in the order of their identifiers, so that a bound cuts every store alike.
    fn waiting_at(&mut self, distance: usize) -> Vec<Portion> {
        let waiting = self.waiting.get_mut(distance).map(std::mem::take);
        let mut portions: Vec<Portion> = waiting.into_iter().flatten().collect();
        let names = self.history.names;
        let id = |portion: &Portion| names.id(portion.thing);
        sort_stably_by(&mut portions, &|one, other| id(one).cmp(id(other)));
        portions
    }

    /// Follows a thing in the directions of the request: forth from one event, back from another.
    fn push_both(&mut self, portion: Portion, (from, until): Span, distance: usize) {
        if self.request.direction != Direction::Back {
            self.push(Portion { is_forth: true, bound: from, ..portion }, distance);
        }
        if self.request.direction != Direction::Forth {
            self.push(Portion { is_forth: false, bound: until, ..portion }, distance);
        }
    }

    fn push(&mut self, portion: Portion, distance: usize) {
        if let Some(list) = self.waiting.get_mut(distance) {
            list.insert(portion);
        }
    }

    /// Follows something that was reached on a way: with `kin` in both directions, and through all time.
    fn push_reached(&mut self, portion: Portion, distance: usize) {
        match self.request.kin {
            true => self.push_both(portion, self.all(), distance),
            false => self.push(portion, distance),
        }
    }

    fn need(&mut self, need: Need) {
        if !self.notes_needs {
            return;
        }
        self.needs.insert(need);
        if self.needs.len() > NEEDS_A_ROW * self.rows {
            // The next step ends the walk, and says so.
            self.steps = 0;
        }
    }

    /// Counts a step. If none is left, notes that the answer is incomplete for this thing, and returns false.
    fn step(&mut self, thing: Thing) -> bool {
        match self.steps.checked_sub(1) {
            Some(left) => {
                self.steps = left;
                true
            }
            None => {
                self.gaps.insert((Gap::Size, thing));
                false
            }
        }
    }

    fn process(&mut self, portion: Portion, distance: usize) {
        let whole =
            if portion.is_forth { (portion.bound, self.all().1) } else { (0, portion.bound) };
        if self.followed.len() >= self.rows && !self.followed.contains(&portion.thing) {
            self.gaps.insert((Gap::Size, portion.thing));
            return;
        }
        self.followed.insert(portion.thing);
        self.need(Need::All(portion.thing));
        let Portion { thing, is_forth, is_certain, has_contents, .. } = portion;
        // The parts that no other way has reached yet, certain or not.
        let known = self.done.entry((thing, is_forth, false, has_contents));
        let new = known.or_default().add(whole);
        let nearest = self.distances.entry(thing).or_default();
        nearest.extend(new.iter().map(|span| (*span, distance, has_contents)));
        let mut spans = if is_certain {
            let done = self.done.entry((thing, is_forth, true, has_contents));
            done.or_default().add(whole)
        } else {
            new
        };
        if !is_forth {
            spans.reverse();
        }
        for span in spans {
            self.naming_events(portion, span, distance);
            if self.request.through.packing || self.request.through.association {
                self.outwards(portion, span, distance);
                if has_contents && self.request.contents != ContentsRule::None {
                    self.inwards(portion, span, distance);
                }
            }
        }
    }

    /// The events that name the thing itself.
    fn naming_events(&mut self, portion: Portion, span: Span, distance: usize) {
        let history = self.history;
        let is_divided = history.is_divided(portion.thing);
        let is_certain = portion.is_certain && (portion.is_asked || !is_divided);
        let mentions = history.mentions_within(portion.thing, span);
        for mention in in_direction(mentions, portion.is_forth) {
            if !self.step(portion.thing) {
                return;
            }
            let Some(reference) = history.reference(*mention) else { continue };
            let role = reference.role;
            let how = match role {
                _ if role.is_input() => How::Input,
                _ if role.is_output() => How::Output,
                _ => How::Named,
            };
            let presence = Presence { how, role, chain: None, is_certain };
            let at = mention.0 as usize;
            let is_added = self.add_presence(at, portion.thing, Some(role), presence);
            let leads_on = portion.is_certain && !is_divided;
            let is_way = if portion.is_forth { role.is_input() } else { role.is_output() };
            if is_way {
                let way = (distance, leads_on);
                self.through_transformation(portion.thing, at, portion.is_forth, way, is_added);
            }
        }
    }

    /// Adds a presence. Returns whether following goes on from it: not if its event is withdrawn, outside of the requested time, or
    /// beyond a bound.
    fn add_presence(
        &mut self,
        at: usize,
        thing: Thing,
        role: Option<Role>,
        presence: Presence,
    ) -> bool {
        let history = self.history;
        if matches!(history.standing(at), Standing::Declaration) || !self.is_in_time(at) {
            return false;
        }
        let is_void = history.standing(at).is_void();
        if !self.events.contains_key(&at) && self.events.len() >= self.request.max_events {
            self.gaps.insert((Gap::MaxEvents, thing));
            return false;
        }
        if self.presences >= self.rows {
            self.gaps.insert((Gap::Size, thing));
            return false;
        }
        let known = self.events.get(&at);
        let known = known.and_then(|presences| presences.get(&(thing, role))).copied();
        let is_better = known.is_none_or(|known| self.way(&presence) < self.way(&known));
        let is_certain = presence.is_certain || known.is_some_and(|known| known.is_certain);
        let presences = self.events.entry(at).or_default();
        let entry = presences.entry((thing, role)).or_insert(presence);
        if is_better {
            *entry = presence;
        }
        entry.is_certain = is_certain;
        self.presences += usize::from(known.is_none());
        !is_void
    }

    /// The sort key of a way inside: fewer containers come first, then the order of their identifiers.
    fn way(&self, presence: &Presence) -> (usize, Vec<&'h str>, Role) {
        let names = self.history.names;
        let chain: Vec<&str> = self.chain(presence.chain).map(|one| names.id(one)).collect();
        (chain.len(), chain, presence.role)
    }

    /// Whether an event is within `from` and `to`.
    fn is_in_time(&self, at: usize) -> bool {
        is_in_time(self.history, self.request, at)
    }

    /// Follows what is made of an input, or what an output was made of.
    fn through_transformation(
        &mut self,
        thing: Thing,
        at: usize,
        is_forth: bool,
        (distance, is_certain): (usize, bool),
        is_added: bool,
    ) {
        let Some(whole) = self.history.transformation(at) else { return };
        if let Some(id) = self.history.events.get(at).and_then(|event| event.transformation) {
            self.need(Need::Transformation(id));
        }
        let is_near = distance < self.request.depth;
        if !is_added || !is_near {
            let gap = if self.is_in_time(at) { Gap::Depth } else { Gap::Time };
            if !is_near || gap == Gap::Time {
                self.refuse(gap, thing, Missing::Made(at, is_forth));
            }
            return;
        }
        let made_at = whole.outputs.get(&thing).copied().unwrap_or(at);
        let (tied, bound) = match is_forth {
            true => (&whole.outputs, whole.first),
            false => (&whole.inputs, whole.last),
        };
        // If its things are already scheduled at this distance or nearer, only the ties are new.
        let pushed = (whole.first, is_forth, is_certain);
        let is_new = self.pushed.get(&pushed).is_none_or(|known| distance < *known);
        if is_new {
            self.pushed.insert(pushed, distance);
        }
        for (other, named_at) in tied {
            if !self.step(thing) {
                return;
            }
            let (from, to, at) = match is_forth {
                true => (thing, *other, *named_at),
                false => (*other, thing, made_at),
            };
            self.tie(TieKind::Made, from, to, at);
            if is_new {
                let portion = Portion::new(*other, (is_certain, false, true));
                self.push_reached(Portion { is_forth, bound, ..portion }, distance + 1);
            }
        }
    }

    fn tie(&mut self, kind: TieKind, from: Thing, to: Thing, at: usize) {
        if self.ties.len() >= self.rows {
            self.gaps.insert((Gap::Size, from));
            return;
        }
        if kind == TieKind::Made || self.is_in_time(at) {
            self.ties.insert((at, kind, from, to));
        }
    }

    /// The ties of a stay that are in a part of the events: in and out.
    fn tie_stay(&mut self, stay: &Stay, (from, to): Span) {
        let is_association = stay.is_association;
        let kind = if is_association { TieKind::Associated } else { TieKind::Packed };
        if stay.from == from {
            self.tie(kind, stay.child, stay.parent, stay.from);
        }
        if stay.to == Some(to) && !stay.is_implied && !is_association {
            self.tie(TieKind::Unpacked, stay.parent, stay.child, to);
        }
    }

    /// Whether a stay counts as a tie.
    fn is_tie(&self, stay: &Stay) -> bool {
        let through = self.request.through;
        if stay.is_association { through.association } else { through.packing }
    }

    /// About how long the answer is, in bytes, its events aside.
    pub(super) fn length(&self) -> usize {
        160 * (self.presences + self.content_names + self.followed.len()) + 250 * self.ties.len()
    }

    /// All events.
    fn all(&self) -> Span {
        (0, self.history.events.len().saturating_sub(1))
    }

    /// The time of the event at a place.
    fn time(&self, at: usize) -> Option<Timestamp> {
        self.history.events.get(at)?.time
    }

    /// The containers of a chain, from the outermost to the innermost.
    pub(super) fn chain(&self, chain: Option<u32>) -> impl Iterator<Item = Thing> {
        let link = |number: u32| self.links.get(number as usize).copied();
        let first = chain.and_then(link);
        std::iter::successors(first, move |found| found.within.and_then(link))
            .map(|found| found.container)
    }
}

/// Mentions in the order in which a direction meets them.
fn in_direction(mentions: &[Mention], is_forth: bool) -> impl Iterator<Item = &Mention> {
    let count = mentions.len();
    (0..count)
        .filter_map(move |number| mentions.get(if is_forth { number } else { count - 1 - number }))
}
