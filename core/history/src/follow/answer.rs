//! The answer as JSON.

mod parts;

pub use parts::Followed;

use super::amount::Amount;
use super::event::{Event, Role};
use super::history::History;
use super::names::Thing;
use super::request::Request;
use super::walk::{Gap, Presences, TieKind, Walk};
use super::written::{Digits, EventText, Rows, Written as _};
use crate::containment::Action;
use crate::withdrawn::Standing;
use epcis_edge_document::field::{EventTypes, OBJECT};
use epcis_edge_document::identifier;
use epcis_edge_text::slice::OrEmpty;
use parts::{
    Began, Ended, EventName, FollowedDeclaration, FollowedEvent, FollowedQuantity, Found, Tie,
    Whereabouts,
};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The most items of a gap that are named.
const NAMED_IN_A_GAP: usize = 100;

/// Where the events of an answer come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin<'e> {
    /// A document, or a store inside the gateway: `index` is the place of the event in the document, or its number.
    Document {
        /// The places of the events that are left out, because the document has them already.
        repeated: &'e [u64],
    },
    /// A store: no `index`, because the number of an event would reveal how many events the whole gateway stores.
    Store,
}

/// Writes the answer to a request.
pub(super) fn write(
    history: &History<'_>,
    request: &Request,
    walk: &Walk<'_>,
    origin: Origin<'_>,
) -> String {
    let events = walk.events.keys().filter_map(|at| history.events.get(*at));
    let events: usize = events.map(|event| event.source.text().len()).sum();
    // Reserved at once: a text that grows is in memory twice.
    let mut out = String::with_capacity(events + walk.length());
    let answer = Answer { history, walk, origin, ends: RefCell::default() };
    answer.whole(request).write(&mut out);
    out
}

struct Answer<'a> {
    history: &'a History<'a>,
    walk: &'a Walk<'a>,
    origin: Origin<'a>,
    /// The events in which things ended, as far as they were computed.
    ends: RefCell<BTreeMap<Thing, Option<usize>>>,
}

/// The last events that say where a thing was, and in which disposition.
#[derive(Clone, Copy, Debug, Default)]
struct Latest {
    place: Option<usize>,
    disposition: Option<usize>,
}

impl<'a> Answer<'a> {
    fn whole<'s>(&'s self, request: &'s Request) -> Followed<'s> {
        let items = request.items.iter().map(|item| {
            let id = identifier::to_digital_link(item);
            id.unwrap_or(Cow::Borrowed(item))
        });
        let items: BTreeSet<Cow<'_, str>> = items.collect();
        let is_empty = self.walk.events.is_empty() && self.walk.contents.is_empty();
        let repeated = match self.origin {
            Origin::Document { repeated } => Some(repeated),
            Origin::Store => None,
        };
        Followed {
            found: if is_empty { Found::Empty } else { Found::Ok },
            items: items.into_iter().collect(),
            direction: request.direction,
            events: Rows::new(|| self.events()),
            contents: Rows::new(|| self.contents()),
            ties: Rows::new(|| self.ties()),
            things: Rows::new(|| self.things()),
            incomplete: Rows::new(|| self.gaps()),
            repeated: repeated.filter(|places| !places.is_empty()),
        }
    }

    fn event(&self, at: usize) -> Option<&'a Event<'a>> {
        self.history.events.get(at)
    }

    /// `eventID` and time of an event.
    fn name(&self, at: usize) -> EventName<'a> {
        let event = self.event(at);
        EventName {
            event_id: event.and_then(|event| event.event_id.as_deref()),
            at: event.and_then(|event| event.event_time.as_deref()),
        }
    }

    fn events(&self) -> impl Iterator<Item = FollowedEvent<'_>> {
        let events = self.walk.events.iter();
        events.filter_map(move |(at, presences)| self.followed(*at, presences))
    }

    fn followed<'s>(&'s self, at: usize, presences: &'s Presences) -> Option<FollowedEvent<'s>> {
        let event = self.event(at)?;
        let is_of_document = matches!(self.origin, Origin::Document { .. });
        let EventName { event_id, at: event_time } = self.name(at);
        let standing = self.history.standing(at);
        let (declaration, disputed) = match standing {
            Standing::Withdrawn(by) => (self.declaration(by), None),
            Standing::LoneDeclaration => (self.declaration(at), None),
            Standing::Disputed(by) => (None, self.declaration(by)),
            Standing::Good | Standing::Declaration => (None, None),
        };
        Some(FollowedEvent {
            index: is_of_document.then_some(event.place),
            event_id,
            event_time,
            event: EventText(event.source.text()),
            is_withdrawn: standing.is_void(),
            declaration,
            disputed,
            presences: Rows::new(move || self.presences(at, presences)),
        })
    }

    fn declaration(&self, by: usize) -> Option<FollowedDeclaration<'a>> {
        let declared = self.event(by)?.declaration.as_ref()?;
        Some(FollowedDeclaration {
            at: declared.time.as_deref(),
            reason: declared.reason.as_deref(),
            correctives: declared.correctives.iter().map(String::as_str).collect(),
        })
    }

    fn presences<'s>(
        &'s self,
        at: usize,
        presences: &'s Presences,
    ) -> impl Iterator<Item = parts::Presence<'s>> {
        let names = self.history.names;
        let by_id = presences
            .iter()
            .map(|((thing, role), presence)| ((names.id(*thing), *role), (*thing, presence)));
        let by_id: BTreeMap<_, _> = by_id.collect();
        by_id.into_iter().map(move |((item, _), (thing, presence))| {
            let through = self.walk.chain(presence.chain).map(|one| names.id(one));
            parts::Presence {
                item,
                how: presence.how,
                role: presence.role.field(),
                through: presence.chain.is_some().then(|| through.collect()),
                is_certain: presence.is_certain,
                after_end: self.ended_once(thing).is_some_and(|end| end < at).then_some(true),
            }
        })
    }

    /// As [`ended`](Self::ended), computed once for each thing.
    fn ended_once(&self, thing: Thing) -> Option<usize> {
        *self.ends.borrow_mut().entry(thing).or_insert_with(|| self.ended(thing))
    }

    fn contents(&self) -> impl Iterator<Item = parts::Content<'_>> {
        let names = self.history.names;
        let by_id = self.walk.contents.iter().map(|(key, content)| {
            let (container, from, item, between, to) = key;
            let ids: Vec<&str> = between.iter().map(|one| names.id(*one)).collect();
            let key = (names.id(*container), *from, names.id(*item), ids, *to);
            (key, content)
        });
        let by_id: BTreeMap<_, _> = by_id.collect();
        by_id.into_iter().map(move |((container, _, item, through, _), content)| {
            let (from, is_observed) = content.from;
            let EventName { event_id, at } = self.name(from);
            parts::Content {
                container,
                item,
                through,
                from: Began { event_id, at, observed: is_observed.then_some(true) },
                to: content.to.map(|(to, is_implied)| {
                    let EventName { event_id, at } = self.name(to);
                    Ended { event_id, at, implied: is_implied.then_some(true) }
                }),
                quantity: content.quantity.as_deref().map(quantity_of),
                is_certain: content.is_certain,
            }
        })
    }

    fn ties(&self) -> impl Iterator<Item = Tie<'_>> {
        let names = self.history.names;
        let by_id = self.walk.ties.iter().map(|(at, kind, from, to)| {
            ((*at, *kind, names.id(*from), names.id(*to)), [*from, *to])
        });
        let by_id: BTreeMap<_, _> = by_id.collect();
        by_id.into_iter().map(move |((event, kind, from_id, to_id), [from, to])| {
            let child = match kind {
                TieKind::Packed | TieKind::Associated => Some(from),
                TieKind::Unpacked => Some(to),
                TieKind::Made => None,
            };
            let EventName { event_id, at } = self.name(event);
            Tie {
                from: from_id,
                to: to_id,
                kind,
                event_id,
                at,
                quantity: child.and_then(|child| self.amount_in(event, child)).map(quantity_of),
            }
        })
    }

    /// The amount of a thing in an event.
    fn amount_in(&self, at: usize, thing: Thing) -> Option<&'a Amount> {
        let mention = self.history.mentions_within(thing, (at, at)).first()?;
        self.history.reference(*mention)?.amount.as_deref()
    }

    fn things(&self) -> impl Iterator<Item = parts::Thing<'_>> {
        let latest = self.latest();
        let names = self.history.names;
        let things = self.all_things().into_iter();
        let ids: BTreeMap<&str, Thing> = things.map(|thing| (names.id(thing), thing)).collect();
        ids.into_iter().map(move |(id, thing)| {
            let is_followed = self.walk.followed.contains(&thing);
            let followed = Some(thing).filter(|_| is_followed);
            parts::Thing {
                id,
                spelling: names.spelling(thing),
                kind: kind_of(id, names.is_quantity(thing)),
                began: followed.and_then(|thing| self.began(thing)).map(|at| self.name(at)),
                ended: followed.and_then(|thing| self.ended(thing)).map(|at| self.name(at)),
                at: followed
                    .and_then(|thing| self.at(thing, latest.get(&thing).copied().or_empty())),
            }
        })
    }

    /// Everything that the answer names.
    fn all_things(&self) -> BTreeSet<Thing> {
        let mut things = BTreeSet::new();
        for ((thing, _), presence) in self.walk.events.values().flatten() {
            things.insert(*thing);
            things.extend(self.walk.chain(presence.chain));
        }
        for (container, _, item, between, _) in self.walk.contents.keys() {
            things.extend([container, item]);
            things.extend(between);
        }
        for (_, _, from, to) in &self.walk.ties {
            things.extend([from, to]);
        }
        things
    }

    /// The last place and disposition of each thing, by the events of the answer.
    fn latest(&self) -> BTreeMap<Thing, Latest> {
        let mut latest: BTreeMap<Thing, Latest> = BTreeMap::new();
        for (at, presences) in &self.walk.events {
            let event = self.history.events.get(*at);
            let Some(event) = event.filter(|_| !self.history.standing(*at).is_void()) else {
                continue;
            };
            for (thing, _) in presences.keys() {
                let known = latest.entry(*thing).or_default();
                if event.location.is_some() {
                    known.place = Some(*at);
                }
                if event.disposition.is_some() {
                    known.disposition = Some(*at);
                }
            }
        }
        latest
    }

    fn at(&self, thing: Thing, latest: Latest) -> Option<Whereabouts<'a>> {
        let history = self.history;
        let inside = self.walk.inside_of.get(&thing).copied();
        let event = |at: Option<usize>| self.event(at?);
        let place = event(latest.place).and_then(|event| event.location.as_deref());
        let disposition = event(latest.disposition).and_then(|event| event.disposition.as_deref());
        if place.is_none() && disposition.is_none() && inside.is_none() {
            return None;
        }
        let since = event(latest.place.or(inside.map(|(_, from)| from)).or(latest.disposition));
        Some(Whereabouts {
            place,
            inside: inside.map(|(container, _)| history.names.id(container)),
            disposition,
            since: since.and_then(|event| event.event_time.as_deref()),
            // A divided lot is in several places, and this is only the last known one.
            is_certain: !history.is_divided(thing),
        })
    }

    /// The first event that counts and names a thing in a way that `is` accepts.
    fn first(
        &self,
        thing: Thing,
        is: impl Fn(EventTypes, Option<Action>, Role) -> bool,
    ) -> Option<usize> {
        let history = self.history;
        let mut mentions = history.mentions(thing).iter();
        let found = mentions.find(|(at, number)| {
            let event = history.events.get(*at as usize);
            let role = history.reference((*at, *number)).map(|found| found.role);
            let fits = event.zip(role);
            let fits = fits.is_some_and(|(event, role)| is(event.kind, event.action, role));
            fits && !history.standing(*at as usize).is_void()
        });
        found.map(|(at, _)| *at as usize)
    }

    /// The event in which a thing began: it was made, or an ObjectEvent added it.
    fn began(&self, thing: Thing) -> Option<usize> {
        self.first(thing, |kind, action, role| {
            role.is_output() || (kind == OBJECT && action == Some(Action::Add))
        })
    }

    /// The event in which an instance ended: it was used up, or an ObjectEvent deleted it.
    fn ended(&self, thing: Thing) -> Option<usize> {
        if self.history.names.is_quantity(thing) {
            return None;
        }
        self.first(thing, |kind, action, role| {
            let is_deleted = kind == OBJECT && action == Some(Action::Delete);
            role.is_input() || is_deleted
        })
    }

    fn gaps(&self) -> impl Iterator<Item = parts::Gap<'_>> {
        let names = self.history.names;
        let mut by_reason: BTreeMap<Gap, BTreeSet<&str>> = BTreeMap::new();
        for (gap, thing) in &self.walk.gaps {
            by_reason.entry(*gap).or_default().insert(names.id(*thing));
        }
        by_reason.into_iter().map(|(reason, ids)| parts::Gap {
            reason,
            at: ids.iter().take(NAMED_IN_A_GAP).copied().collect(),
            total: ids.len(),
        })
    }
}

fn quantity_of(amount: &Amount) -> FollowedQuantity<'_> {
    let (number, unit) = amount.texts();
    FollowedQuantity { quantity: Digits(number), unit: Some(unit).filter(|unit| !unit.is_empty()) }
}

/// The kind of a thing: the name of its GS1 key with what follows it; `class` or `uri` for any other identifier.
fn kind_of(id: &str, is_quantity: bool) -> &'static str {
    let other = if is_quantity { "class" } else { "uri" };
    identifier::kind(id).unwrap_or(other)
}
