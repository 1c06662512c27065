//! Findings that need the whole document: instances used twice, in the wrong order or in two parents; missing names; events that
//! are listed twice.
//!
//! Instances and names are sorted by their digests. Those with equal digests are then compared.

use super::collect::void_events;
use super::document_index::{
    CHILDREN, DocumentFinding, DocumentIndex, Event, Occurrence, PARENT, identity, role,
};
use super::event_list::EventList;
use super::facts::Void;
use super::fuel::{self, Fuel};
use super::inside::Inside;
use super::mark::{self, Marks};
use super::nested::{self, Containment};
use super::repeated;
use super::sort::{self, DigestedPlace};
use epcis_edge_document::hash::event_name;
use epcis_edge_document::identifier::to_digital_link;
use epcis_edge_text::json::Document;
use epcis_edge_text::slice::{OrEmpty, Part};
use epcis_edge_text::time::Timestamp;
use std::borrow::Cow;

impl DocumentIndex {
    /// Returns everything found, in document order; nothing without fuel.
    ///
    /// `void`: the events that do not count, if that is known already.
    pub(super) fn findings(
        mut self,
        document: &Document<'_>,
        (fuel, void): (&Fuel, Option<Void>),
    ) -> Vec<DocumentFinding> {
        if !fuel.take_with(|| fuel::comparing(self.occurrences.len())) {
            return Vec::new();
        }
        if self.events.iter().any(|event| event.declares_error)
            && let Some(events) = EventList::of(document.root())
        {
            let void = void.unwrap_or_else(|| void_events(events, (document, fuel)).into());
            for event in &mut self.events {
                event.is_void = void.contains(&event.number);
            }
        }
        let mut names = std::mem::take(&mut self.names);
        let mut instances = std::mem::take(&mut self.instances);
        sort::by_digest(&mut names);
        sort::by_digest(&mut instances);
        epcis_edge_text::order::sort_stably_by(&mut self.emptied, &|one, other| one.cmp(other));
        let unnamed = self.unnamed.take();
        let mut rules =
            DocumentRules { document, findings: Vec::new(), containments: Vec::new(), index: self };
        rules.groups(&names, true);
        drop(names);
        rules.groups(&instances, false);
        drop(instances);
        rules.each_other();
        rules.packed_late();
        if let Some(unnamed) = unnamed {
            repeated::find(unnamed, (document, fuel), &mut rules.findings);
        }
        let mut findings = rules.findings;
        epcis_edge_text::order::sort_stably_by(&mut findings, &|one, other| {
            (one.value, one.mark).cmp(&(other.value, other.mark))
        });
        findings
    }
}

pub(super) struct DocumentRules<'d> {
    document: &'d Document<'d>,
    pub(super) index: DocumentIndex,
    findings: Vec<DocumentFinding>,
    /// The times in which things that contain others were in a parent themselves.
    containments: Vec<Containment>,
}

impl<'d> DocumentRules<'d> {
    /// Goes through the groups of entries with equal digests.
    fn groups(&mut self, entries: &[DigestedPlace], are_names: bool) {
        let mut places = Vec::new();
        for group in entries.chunk_by(|one, other| one.is_alike(*other)) {
            if let [alone] = group {
                if are_names && self.is_wanting(alone.place()) {
                    self.names(&[alone.place()]);
                }
                continue;
            }
            places.clear();
            places.extend(group.iter().map(|entry| entry.place()));
            self.group(&places, are_names);
        }
    }

    /// Whether a name that occurs once lacks its counterpart: it is a corrective ID, or the `eventID` of an error declaration.
    fn is_wanting(&self, place: usize) -> bool {
        self.occurrence(place).is_some_and(|found| {
            found.role == role::CORRECTIVE
                || self.event(found).is_some_and(|event| event.declares_error)
        })
    }

    /// Handles one group of equal digests; splits it if the digests collide.
    fn group(&mut self, places: &[usize], are_names: bool) {
        if self.are_same(places, are_names) {
            self.report(places, are_names);
            return;
        }
        let key = |place: &usize| {
            let text = self
                .occurrence(*place)
                .map_or(Cow::Borrowed(""), |found| text_of(self.document, found.value));
            (compared(&text, are_names).into_owned(), *place)
        };
        let mut keyed: Vec<_> = places.iter().map(key).collect();
        epcis_edge_text::order::sort_stably_by(&mut keyed, &|one, other| one.cmp(other));
        for same in keyed.chunk_by(|one, other| one.0 == other.0) {
            let places: Vec<usize> = same.iter().map(|entry| entry.1).collect();
            self.report(&places, are_names);
        }
    }

    fn are_same(&self, places: &[usize], are_names: bool) -> bool {
        let mut occurrences = places.iter().filter_map(|place| self.occurrence(*place));
        let Some(first) = occurrences.next() else { return true };
        let text = text_of(self.document, first.value);
        let mut known = None;
        occurrences.all(|occurrence| {
            let other = text_of(self.document, occurrence.value);
            // Most are written alike.
            text == other
                || *known.get_or_insert_with(|| compared(&text, are_names))
                    == compared(&other, are_names)
        })
    }

    fn report(&mut self, places: &[usize], are_names: bool) {
        if are_names {
            self.names(places);
        } else {
            self.instances(places);
        }
    }

    pub(super) fn occurrence(&self, place: usize) -> Option<Occurrence> {
        self.index.occurrences.get(place).copied()
    }

    pub(super) fn event(&self, occurrence: Occurrence) -> Option<Event> {
        self.index.events.get(occurrence.event as usize).copied()
    }

    pub(super) fn add_finding(&mut self, of: Occurrence, mark: Marks, because: Option<Occurrence>) {
        let event = self.event(of).map_or(0, |event| event.number);
        self.findings.push(DocumentFinding {
            value: of.value,
            event,
            mark: mark.trailing_zeros() as u8,
            related: because.map_or(0, |other| other.value),
            field: of.field,
        });
    }

    /// Checks one name: the events that have it, and the error declarations that refer to it.
    fn names(&mut self, places: &[usize]) {
        let found = places.iter().filter_map(|place| self.occurrence(*place));
        let found = found.filter_map(|found| Some((found, self.event(found)?.declares_error)));
        let found: Vec<(Occurrence, bool)> = found.collect();
        let mut original: Option<Occurrence> = None;
        let mut declarations = 0;
        let is_name = |occurrence: &Occurrence| occurrence.role & role::NAME != 0;
        for (occurrence, declares_error) in &found {
            match original {
                _ if !is_name(occurrence) => {}
                _ if *declares_error => declarations += 1,
                None => original = Some(*occurrence),
                Some(_) => self.add_finding(*occurrence, mark::REPEATED_ID, original),
            }
        }
        for (occurrence, declares_error) in found.into_iter().filter(|_| original.is_none()) {
            if !is_name(&occurrence) && declarations == 0 {
                self.add_finding(occurrence, mark::CORRECTIVE_ABSENT, None);
            } else if is_name(&occurrence) && declares_error {
                self.add_finding(occurrence, mark::DECLARES_ABSENT, None);
            }
        }
    }

    /// Checks one instance in all its uses.
    fn instances(&mut self, places: &[usize]) {
        let mut all = 0;
        let mut is_child_somewhere = false;
        let mut packed = 0;
        let mut first: Option<Occurrence> = None;
        let mut before: Option<Occurrence> = None;
        // In the current event: the parent, or the child if it was listed first.
        let mut family: Option<Occurrence> = None;
        let mut is_told = false;
        for place in places {
            let Some(occurrence) = self.occurrence(*place) else { continue };
            all |= occurrence.role;
            packed += usize::from(occurrence.role & role::PACKED != 0);
            if let Some(before) = before.filter(|before| before.event == occurrence.event) {
                if before.field == occurrence.field {
                    self.add_finding(occurrence, mark::REPEATED, Some(before));
                }
            } else {
                family = None;
            }
            let is_parent = occurrence.role & role::PARENT != 0;
            let is_child = occurrence.field == CHILDREN;
            is_child_somewhere |= is_child;
            match family {
                Some(parent) if is_child && parent.field == PARENT => {
                    self.add_finding(occurrence, mark::OWN_PARENT, Some(parent));
                }
                Some(child) if is_parent => {
                    self.add_finding(child, mark::OWN_PARENT, Some(occurrence));
                    family = Some(occurrence);
                }
                None if is_parent || is_child => family = Some(occurrence),
                _ => {}
            }
            let is_other = first.is_some_and(|first| self.form(first) != self.form(occurrence));
            if is_other && !is_told {
                self.add_finding(occurrence, mark::TWO_FORMS, first);
                is_told = true;
            }
            first = first.or(Some(occurrence));
            before = Some(occurrence);
        }
        let is_nested = all & role::PACKED != 0 && all & role::PARENT != 0;
        let has_packing = is_child_somewhere || all & (role::PACKED | role::UNPACKED) != 0;
        let tells_history = self.index.history.is_some();
        let asks_packing = tells_history && (has_packing || all & role::ADDED != 0);
        let asks_life =
            all & (role::ADDED | role::DELETED | role::INPUT) != 0 || packed > 1 || is_nested;
        if !asks_packing && !asks_life {
            return;
        }
        // Only things that are packed are asked where they are.
        let asked = first.filter(|_| asks_packing || packed > 0);
        let thing = asked.map_or(0, |first| self.identity(first));
        let moments = self.moments(places);
        if asks_packing {
            self.packing(thing, &moments);
        }
        if asks_life {
            self.life(thing, &moments, is_nested);
        }
    }

    /// The uses of a thing that count, in order of time.
    fn moments(&self, places: &[usize]) -> Vec<(i64, u32)> {
        let time = |place: &usize| self.occurrence(*place).and_then(|found| self.time(found));
        let moments = places.iter().filter_map(|place| Some((time(place)?, *place as u32)));
        let mut moments: Vec<_> = moments.collect();
        epcis_edge_text::order::sort_stably_by(&mut moments, &|one, other| one.cmp(other));
        moments
    }

    /// Whether an instance is written as a Digital Link.
    fn form(&self, occurrence: Occurrence) -> bool {
        let value = self.document.value_of(occurrence.value);
        let text = value.as_text().and_then(|text| text.plain());
        text.is_some_and(|text| text.starts_with(b"http"))
    }

    /// The time of an occurrence; none if its event is void.
    pub(super) fn time(&self, occurrence: Occurrence) -> Option<i64> {
        self.time_of(&self.event(occurrence)?)
    }

    /// The time of an event; none if it is void.
    pub(super) fn time_of(&self, event: &Event) -> Option<i64> {
        if event.is_void || event.time == 0 {
            return None;
        }
        Timestamp::parse(&text_of(self.document, event.time)).map(microseconds)
    }

    /// The digest of the identifier of an occurrence.
    pub(super) fn identity(&self, occurrence: Occurrence) -> u64 {
        identity(self.document.value_of(occurrence.value))
    }

    /// Checks the history of an instance in order of time. `is_nested`: whether it is packed into something and also a parent.
    fn life(&mut self, thing: u64, moments: &[(i64, u32)], is_nested: bool) {
        let first_added = moments.iter().find(|(_, place)| {
            let found = self.occurrence(*place as usize);
            found.is_some_and(|found| found.role & role::ADDED != 0)
        });
        let added = first_added.copied();
        let mut deleted: Option<(i64, Occurrence)> = None;
        let mut inside = Inside::default();
        let mut put: Option<(u64, Occurrence)> = None;
        let mut consumed = Consumed::default();
        let mut containment: Option<Containment> = None;
        for (time, place) in moments.iter().copied() {
            let Some(found) = self.occurrence(place as usize) else { continue };
            if let Some((first, by)) = added
                && time < first
            {
                let by = self.occurrence(by as usize);
                self.add_finding(found, mark::BEFORE_ADD, by);
            }
            if found.role & role::ADDED != 0 {
                deleted = None;
            } else if found.role & role::DELETED != 0 {
                deleted = deleted.or(Some((time, found)));
            }
            if let Some((end, by)) = deleted
                && end < time
            {
                self.add_finding(found, mark::AFTER_DELETE, Some(by));
            } else if let Some(by) = consumed.before(time, found, |one| self.container(one)) {
                self.add_finding(found, mark::AFTER_INPUT, Some(by));
            }
            consumed.take(time, found);
            let before = inside.parent();
            inside.take(found, self.event(found), thing);
            let (now, parent) = (inside.parent(), self.container(found));
            let is_put = found.role & role::PACKED != 0 && now == Some(parent);
            if is_put || now != before {
                self.containments
                    .extend(containment.take().map(|containment| containment.until(place)));
            }
            if !is_put {
                continue;
            }
            if let Some((known, by)) = put
                && before == Some(known)
                && known != parent
                && !self.is_emptied(known, by.event, found.event)
            {
                self.add_finding(found, mark::IN_TWO_PARENTS, Some(by));
            }
            put = Some((parent, found));
            containment = is_nested.then(|| Containment::new(thing, parent, place));
        }
        self.containments.extend(containment);
    }

    /// The digest of the parent of an event, or of its `transformationID`; 0 if it has none.
    pub(super) fn container(&self, occurrence: Occurrence) -> u64 {
        self.event(occurrence).map_or(0, |event| event.container)
    }

    /// Reports things that are packed in each other.
    fn each_other(&mut self) {
        let containments = std::mem::take(&mut self.containments);
        let at = |place: u32| self.occurrence(place as usize);
        let time = |place: u32| self.time(at(place)?);
        let is_emptied = |parent: u64, from: u32, to: u32| {
            let between = at(from).zip(at(to));
            between.is_some_and(|(from, to)| self.is_emptied(parent, from.event, to.event))
        };
        for (place, because) in nested::each_other(containments, &time, &is_emptied) {
            if let Some(found) = self.occurrence(place as usize) {
                self.add_finding(found, mark::IN_EACH_OTHER, self.occurrence(because as usize));
            }
        }
    }

    /// Whether all children were taken out of a parent between two events.
    pub(super) fn is_emptied(&self, parent: u64, from: u32, to: u32) -> bool {
        let time = |event: u32| {
            let event = self.index.events.get(event as usize)?;
            Timestamp::parse(&text_of(self.document, event.time))
        };
        let start = self.index.emptied.partition_point(|(known, _)| *known < parent);
        let of_parent = self.index.emptied.part(start..);
        let mut of_parent = of_parent.iter().take_while(|(known, _)| *known == parent);
        if of_parent.clone().nth(MAX_EMPTIED).is_some() {
            return true;
        }
        of_parent.any(|(_, event)| {
            let at = time(*event);
            time(from) <= at && at <= time(to)
        })
    }
}

/// Tracks whether an instance went into a transformation.
#[derive(Default)]
struct Consumed {
    by: Option<(i64, Occurrence)>,
    /// The last event that brought it into being.
    added: Option<u32>,
}

impl Consumed {
    /// Takes up the next use of the instance, in order of time.
    fn take(&mut self, time: i64, found: Occurrence) {
        if found.role & role::ADDED != 0 {
            self.by = None;
            self.added = Some(found.event);
        } else if found.role & role::INPUT != 0 && self.added != Some(found.event) {
            self.by = self.by.or(Some((time, found)));
        }
    }

    /// The transformation that consumed the instance before this use, if the use is a contradiction.
    ///
    /// Three uses are not: one that adds the instance, one that deletes it, and a further input of the same `transformationID`.
    fn before(
        &self,
        time: i64,
        found: Occurrence,
        around: impl Fn(Occurrence) -> u64,
    ) -> Option<Occurrence> {
        let (since, by) = self.by?;
        let is_same =
            found.role & role::INPUT != 0 && around(by) != 0 && around(by) == around(found);
        let is_other = found.role & (role::ADDED | role::DELETED) == 0 && !is_same;
        (since < time && is_other).then_some(by)
    }
}

/// If one parent was emptied more often than this, its children count as taken out; this bounds the cost of the search.
const MAX_EMPTIED: usize = 16;

/// Microseconds since 1970; years have four digits, so this does not overflow.
fn microseconds(time: Timestamp) -> i64 {
    time.seconds() * 1_000_000 + i64::from(time.nanoseconds() / 1000)
}

/// A text in the form in which it is compared: the name of an event, or an identifier.
fn compared(text: &str, is_name: bool) -> Cow<'_, str> {
    if is_name { event_name(text) } else { to_digital_link(text).unwrap_or(Cow::Borrowed(text)) }
}

fn text_of<'d>(document: &'d Document<'d>, number: u32) -> Cow<'d, str> {
    let value = document.value_of(number);
    value.as_str().or_empty()
}
