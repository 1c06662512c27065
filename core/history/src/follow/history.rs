//! Events in order, and everything that following looks up in them.

use super::by_thing::ByThing;
use super::containment::Containment;
use super::event::{Event, Reference};
use super::names::{NameNumbers, Thing};
use super::request::Request;
use crate::withdrawn::{Standing, standings};
use epcis_edge_document::field::TRANSFORMATION;
use epcis_edge_text::order::sort_stably_by;
use epcis_edge_text::slice::{Known, Part};
use std::collections::{BTreeMap, BTreeSet};

/// A transformation: the events with one `transformationID`, or one event without.
#[derive(Debug, Default)]
pub(super) struct Transformation {
    pub(super) first: usize,
    pub(super) last: usize,
    /// The inputs, each with the first event that names it.
    pub(super) inputs: BTreeMap<Thing, usize>,
    /// The outputs, each with the first event that names it.
    pub(super) outputs: BTreeMap<Thing, usize>,
}

/// Where a thing is named: the event, as its place in the order, and the reference in it.
pub(super) type Mention = (u32, u32);

/// The events, and the facts that follow from all of them.
#[derive(Debug)]
pub(super) struct History<'e> {
    /// In order.
    pub(super) events: &'e [Event<'e>],
    pub(super) names: &'e NameNumbers,
    pub(super) standings: Vec<Standing>,
    pub(super) containment: Containment,
    transformations: Vec<Transformation>,
    /// The number of the transformation of each event, if the event is a transformation and not withdrawn.
    transformation_of: Vec<Option<u32>>,
    mentions: ByThing<Mention>,
    is_through_transformations: bool,
    /// The lots and classes that are divided, by the number of the thing.
    divided: Vec<bool>,
}

/// Sorts events by event time, then record time, then capture.
pub(super) fn sort(events: &mut [Event<'_>]) {
    let key =
        |event: &Event<'_>| (event.time.is_none(), event.time, event.record_time, event.place);
    // Most documents are in order.
    if !events.is_sorted_by_key(key) {
        sort_stably_by(events, &|one, other| key(one).cmp(&key(other)));
    }
}

impl<'e> History<'e> {
    /// Derives the facts from sorted events.
    pub(super) fn new(events: &'e [Event<'e>], names: &'e NameNumbers, request: &Request) -> Self {
        let standings = standings(events.iter().map(|event| &event.named));
        let is_void: Vec<bool> = standings.iter().map(|standing| standing.is_void()).collect();
        let containment = Containment::of(events, &is_void, names, request.through);
        let mentions = (0..).zip(events).flat_map(|(at, event)| {
            let references = (0..).zip(&event.references);
            references.map(move |(number, reference)| (reference.thing, (at, number)))
        });
        let mentions = ByThing::of(names.len(), mentions);
        let mut history = Self {
            transformations: Vec::new(),
            transformation_of: vec![None; events.len()],
            divided: Vec::new(),
            is_through_transformations: request.through.transformation,
            events,
            names,
            standings,
            containment,
            mentions,
        };
        history.read_transformations(&is_void);
        history.divided = history.find_divided(&is_void);
        history
    }

    fn read_transformations(&mut self, is_void: &[bool]) {
        let mut known: BTreeMap<Thing, u32> = BTreeMap::new();
        for (at, event) in self.events.iter().enumerate() {
            if event.kind != TRANSFORMATION || is_void.get(at) == Some(&true) {
                continue;
            }
            let next = self.transformations.len() as u32;
            let number = event.transformation.map_or(next, |id| *known.entry(id).or_insert(next));
            if number == next {
                self.transformations
                    .push(Transformation { first: at, ..Transformation::default() });
            }
            if let Some(place) = self.transformation_of.get_mut(at) {
                *place = Some(number);
            }
            let Some(whole) = self.transformations.get_mut(number as usize) else { continue };
            whole.last = at;
            for reference in &event.references {
                if reference.role.is_input() {
                    whole.inputs.entry(reference.thing).or_insert(at);
                } else if reference.role.is_output() {
                    whole.outputs.entry(reference.thing).or_insert(at);
                }
            }
        }
    }

    /// Finds the lots and classes whose parts went different ways: into several containers, through several transformations, or to
    /// several destinations.
    fn find_divided(&self, is_void: &[bool]) -> Vec<bool> {
        let numbers = 0..self.names.len();
        numbers.map(|number| self.is_split(Thing::at(number), is_void)).collect()
    }

    fn is_split(&self, thing: Thing, is_void: &[bool]) -> bool {
        if !self.names.is_quantity(thing) {
            return false;
        }
        let parents = self.containment.of_child(thing, (0, usize::MAX)).map(|stay| stay.parent);
        if is_several(parents) {
            return true;
        }
        let counts = self.mentions(thing).iter().filter_map(|(at, number)| {
            let at = *at as usize;
            let event = self.events.get(at)?;
            let reference = event.references.get(*number as usize)?;
            (is_void.get(at) == Some(&false)).then_some((at, event, reference))
        });
        let (mut used, mut made, mut sent) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for (at, event, reference) in counts {
            let transformation = self.transformation_of.get(at).copied().flatten();
            if reference.role.is_input() {
                used.extend(transformation);
            } else if reference.role.is_output() {
                made.extend(transformation);
            }
            if !event.destinations.is_empty() {
                sent.insert(event.destinations.as_str());
            }
        }
        used.len() > 1 || made.len() > 1 || sent.len() > 1
    }

    /// Where a thing is named, in order.
    pub(super) fn mentions(&self, thing: Thing) -> &[Mention] {
        self.mentions.get(thing)
    }

    /// Where a thing is named within a range of events; both ends belong to it.
    pub(super) fn mentions_within(&self, thing: Thing, (from, to): (usize, usize)) -> &[Mention] {
        let all = self.mentions(thing);
        let start = all.partition_point(|(at, _)| (*at as usize) < from);
        let end = all.partition_point(|(at, _)| *at as usize <= to);
        all.part(start..end)
    }

    pub(super) fn reference(&self, (at, number): Mention) -> Option<&Reference> {
        self.events.get(at as usize)?.references.get(number as usize)
    }

    /// The transformation of an event, if transformations are followed.
    pub(super) fn transformation(&self, at: usize) -> Option<&Transformation> {
        let number = self.transformation_of.get(at).copied().flatten()?;
        let number = Some(number).filter(|_| self.is_through_transformations)?;
        self.transformations.get(number as usize)
    }

    pub(super) fn is_divided(&self, thing: Thing) -> bool {
        self.divided.get(thing.number()) == Some(&true)
    }

    pub(super) fn standing(&self, at: usize) -> Standing {
        self.standings.get(at).copied().known()
    }
}

/// Whether at least two things differ.
fn is_several(mut things: impl Iterator<Item = Thing>) -> bool {
    let first = things.next();
    things.any(|thing| Some(thing) != first)
}
