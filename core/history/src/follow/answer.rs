//! The answer as JSON.

use super::amount::Amount;
use super::event::Role;
use super::history::History;
use super::names::Thing;
use super::request::{Direction, Request};
use super::walk::{Gap, Presence, TieKind, Walk};
use crate::containment::Action;
use crate::withdrawn::Standing;
use epcis_edge_document::field::{EventTypes, OBJECT};
use epcis_edge_document::identifier;
use epcis_edge_text::grow::{push_text, reserve};
use epcis_edge_text::json::push_string;
use epcis_edge_text::slice::OrEmpty;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;

/// The most items of a gap that are named.
const NAMED_IN_A_GAP: usize = 100;

/// The room that is reserved for an entry; without their events, few entries are longer.
const SHORT: usize = 4 << 10;

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
    let mut writer = Writer {
        history,
        walk,
        origin,
        ends: BTreeMap::new(),
        // Reserved at once: a text that grows is in memory twice.
        out: String::with_capacity(events + walk.length()),
    };
    writer.answer(request);
    writer.out
}

struct Writer<'a> {
    history: &'a History<'a>,
    walk: &'a Walk<'a>,
    origin: Origin<'a>,
    /// The events in which things ended, as far as they were computed.
    ends: BTreeMap<Thing, Option<usize>>,
    out: String,
}

/// The last events that say where a thing was, and in which disposition.
#[derive(Clone, Copy, Debug, Default)]
struct Latest {
    place: Option<usize>,
    disposition: Option<usize>,
}

impl Writer<'_> {
    fn answer(&mut self, request: &Request) {
        let is_empty = self.walk.events.is_empty() && self.walk.contents.is_empty();
        self.out.push_str(r#"{"type":""#);
        self.out.push_str(if is_empty { "EMPTY" } else { "OK" });
        self.out.push_str(r#"","items":["#);
        let items = request.items.iter().map(|item| {
            let id = identifier::to_digital_link(item);
            id.unwrap_or(Cow::Borrowed(item))
        });
        let items: BTreeSet<Cow<'_, str>> = items.collect();
        self.list(items, |writer, item| push_string(&mut writer.out, &item));
        let direction = match request.direction {
            Direction::Back => "back",
            Direction::Forth => "forth",
            Direction::Both => "both",
        };
        let _ = write!(self.out, r#"],"direction":"{direction}","events":["#);
        self.list(&self.walk.events, |writer, (at, presences)| {
            writer.event(*at, presences);
        });
        self.out.push_str(r#"],"contents":["#);
        self.contents();
        self.out.push_str(r#"],"ties":["#);
        self.ties();
        self.out.push_str(r#"],"things":["#);
        self.things();
        self.out.push_str(r#"],"incomplete":["#);
        self.gaps();
        self.out.push(']');
        if let Origin::Document { repeated } = self.origin
            && !repeated.is_empty()
        {
            self.open("repeated", '[');
            self.list(repeated, |writer, place| {
                let _ = write!(writer.out, "{place}");
            });
            self.out.push(']');
        }
        self.out.push('}');
    }

    /// Writes entries with commas between them.
    fn list<T>(&mut self, entries: impl IntoIterator<Item = T>, write: impl Fn(&mut Self, T)) {
        for (number, entry) in entries.into_iter().enumerate() {
            if number > 0 {
                self.out.push(',');
            }
            reserve(&mut self.out, SHORT);
            write(self, entry);
        }
    }

    /// Writes the name of a member, with a comma before it unless it is the first.
    fn name(&mut self, name: &str) {
        if !self.out.ends_with('{') {
            self.out.push(',');
        }
        let _ = write!(self.out, r#""{name}":"#);
    }

    /// Writes a member whose value is a text.
    fn text(&mut self, name: &str, text: &str) {
        self.name(name);
        push_string(&mut self.out, text);
    }

    /// Writes a member whose value is a list of texts.
    fn texts<'t>(&mut self, name: &str, texts: impl IntoIterator<Item = &'t str>) {
        self.open(name, '[');
        self.list(texts, |writer, text| push_string(&mut writer.out, text));
        self.out.push(']');
    }

    fn flag(&mut self, name: &str, flag: bool) {
        self.name(name);
        let _ = write!(self.out, "{flag}");
    }

    /// Writes the beginning of a member whose value is an object or an array.
    fn open(&mut self, name: &str, bracket: char) {
        self.name(name);
        self.out.push(bracket);
    }

    /// Writes a member with the name and the time of an event, and something that is true of it.
    fn moment(&mut self, name: &str, at: usize, is: Option<&str>) {
        self.open(name, '{');
        self.event_name(at, "at");
        if let Some(is) = is {
            self.flag(is, true);
        }
        self.out.push('}');
    }

    /// Writes `eventID` and a time of an event.
    fn event_name(&mut self, at: usize, time: &str) {
        let Some(event) = self.history.events.get(at) else { return };
        if let Some(id) = &event.event_id {
            self.text("eventID", id);
        }
        if let Some(moment) = &event.event_time {
            self.text(time, moment);
        }
    }

    fn event(&mut self, at: usize, presences: &BTreeMap<(Thing, Option<Role>), Presence>) {
        let Some(event) = self.history.events.get(at) else { return };
        self.out.push('{');
        if matches!(self.origin, Origin::Document { .. }) {
            let _ = write!(self.out, r#""index":{}"#, event.place);
        }
        self.event_name(at, "eventTime");
        self.open("event", ' ');
        push_text(&mut self.out, event.source.text());
        let standing = self.history.standing(at);
        let is_withdrawn = standing.is_void();
        self.flag("withdrawn", is_withdrawn);
        match standing {
            Standing::Withdrawn(by) => self.declaration("declaration", by),
            Standing::LoneDeclaration => self.declaration("declaration", at),
            Standing::Disputed(by) => self.declaration("disputed", by),
            Standing::Good | Standing::Declaration => {}
        }
        self.open("presences", '[');
        let names = &self.history.names;
        let by_id = presences
            .iter()
            .map(|((thing, role), presence)| ((names.id(*thing), *role), (*thing, presence)));
        let by_id: BTreeMap<_, _> = by_id.collect();
        self.list(by_id, |writer, (_, (thing, presence))| {
            writer.presence(at, thing, presence);
        });
        self.out.push_str("]}");
    }

    fn declaration(&mut self, name: &str, by: usize) {
        let event = self.history.events.get(by);
        let Some(declared) = event.and_then(|event| event.declaration.as_ref()) else { return };
        self.open(name, '{');
        if let Some(time) = &declared.time {
            self.text("at", time);
        }
        if let Some(reason) = &declared.reason {
            self.text("reason", reason);
        }
        self.texts("correctiveEventIDs", declared.correctives.iter().map(String::as_str));
        self.out.push('}');
    }

    fn presence(&mut self, at: usize, thing: Thing, presence: &Presence) {
        self.out.push('{');
        let (walk, names) = (self.walk, self.history.names);
        self.text("item", names.id(thing));
        self.text("how", presence.how.word());
        self.text("role", presence.role.field());
        if presence.chain.is_some() {
            self.texts("through", walk.chain(presence.chain).map(|one| names.id(one)));
        }
        self.flag("certain", presence.is_certain);
        let ended = self.ends.get(&thing).copied().unwrap_or_else(|| self.ended(thing));
        self.ends.insert(thing, ended);
        if ended.is_some_and(|ended| ended < at) {
            self.flag("afterEnd", true);
        }
        self.out.push('}');
    }

    fn contents(&mut self) {
        let names = &self.history.names;
        let by_id = self.walk.contents.iter().map(|(key, content)| {
            let (container, from, item, between, to) = key;
            let ids: Vec<&str> = between.iter().map(|one| names.id(*one)).collect();
            let key = (names.id(*container), *from, names.id(*item), ids, *to);
            (key, content)
        });
        let by_id: BTreeMap<_, _> = by_id.collect();
        self.list(by_id, |writer, ((container, _, item, between, _), content)| {
            writer.out.push('{');
            writer.text("container", container);
            writer.text("item", item);
            writer.texts("through", between);
            let (from, is_observed) = content.from;
            writer.moment("from", from, is_observed.then_some("observed"));
            if let Some((to, is_implied)) = content.to {
                writer.moment("to", to, is_implied.then_some("implied"));
            }
            writer.quantity(content.quantity.as_deref());
            writer.flag("certain", content.is_certain);
            writer.out.push('}');
        });
    }

    fn quantity(&mut self, amount: Option<&Amount>) {
        if let Some(amount) = amount {
            let (number, unit) = amount.texts();
            self.open("quantity", '{');
            let _ = write!(self.out, r#""quantity":{number}"#);
            if !unit.is_empty() {
                self.text("uom", unit);
            }
            self.out.push('}');
        }
    }

    fn ties(&mut self) {
        let names = &self.history.names;
        let by_id = self.walk.ties.iter().map(|(at, kind, from, to)| {
            ((*at, *kind, names.id(*from), names.id(*to)), [*from, *to])
        });
        let by_id: BTreeMap<_, _> = by_id.collect();
        self.list(by_id, |writer, ((at, kind, from_id, to_id), things)| {
            writer.out.push('{');
            writer.text("from", from_id);
            writer.text("to", to_id);
            writer.text("kind", kind.word());
            writer.event_name(at, "at");
            let [from, to] = things;
            let child = match kind {
                TieKind::Packed | TieKind::Associated => Some(from),
                TieKind::Unpacked => Some(to),
                TieKind::Made => None,
            };
            let amount = child.and_then(|child| writer.amount_in(at, child));
            writer.quantity(amount.as_deref());
            writer.out.push('}');
        });
    }

    /// The amount of a thing in an event.
    fn amount_in(&self, at: usize, thing: Thing) -> Option<Rc<Amount>> {
        let mention = self.history.mentions_within(thing, (at, at)).first()?;
        self.history.reference(*mention)?.amount.clone()
    }

    fn things(&mut self) {
        let latest = self.latest();
        let names = &self.history.names;
        let things = self.all_things().into_iter();
        let ids: BTreeMap<&str, Thing> = things.map(|thing| (names.id(thing), thing)).collect();
        self.list(ids, |writer, (id, thing)| {
            writer.out.push('{');
            writer.text("id", id);
            let spelling = writer.history.names.spelling(thing);
            writer.text("spelling", spelling);
            writer.text("kind", kind_of(id, writer.history.names.is_quantity(thing)));
            if !writer.walk.followed.contains(&thing) {
                writer.out.push('}');
                return;
            }
            for (name, at) in [("began", writer.began(thing)), ("ended", writer.ended(thing))] {
                if let Some(at) = at {
                    writer.moment(name, at, None);
                }
            }
            let latest = latest.get(&thing).copied().or_empty();
            writer.at(thing, latest);
            writer.out.push('}');
        });
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

    fn at(&mut self, thing: Thing, latest: Latest) {
        let history = self.history;
        let inside = self.walk.inside_of.get(&thing).copied();
        let event = |at: Option<usize>| history.events.get(at?);
        let place = event(latest.place).and_then(|event| event.location.as_deref());
        let disposition = event(latest.disposition).and_then(|event| event.disposition.as_deref());
        if place.is_none() && disposition.is_none() && inside.is_none() {
            return;
        }
        self.open("at", '{');
        if let Some(place) = place {
            self.text("place", place);
        }
        if let Some((container, _)) = inside {
            self.text("inside", history.names.id(container));
        }
        if let Some(disposition) = disposition {
            self.text("disposition", disposition);
        }
        let since = event(latest.place.or(inside.map(|(_, from)| from)).or(latest.disposition));
        if let Some(since) = since.and_then(|event| event.event_time.as_deref()) {
            self.text("since", since);
        }
        // A divided lot is in several places, and this is only the last known one.
        self.flag("certain", !history.is_divided(thing));
        self.out.push('}');
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
            let event = history.events.get(*at);
            let role = history.reference((*at, *number)).map(|found| found.role);
            let fits = event.zip(role);
            let fits = fits.is_some_and(|(event, role)| is(event.kind, event.action, role));
            fits && !history.standing(*at).is_void()
        });
        found.map(|(at, _)| *at)
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

    fn gaps(&mut self) {
        let mut by_reason: BTreeMap<Gap, Vec<Thing>> = BTreeMap::new();
        for (gap, thing) in &self.walk.gaps {
            by_reason.entry(*gap).or_default().push(*thing);
        }
        self.list(by_reason, |writer, (gap, things)| {
            let names = writer.history.names;
            let ids: BTreeSet<&str> = things.iter().map(|thing| names.id(*thing)).collect();
            writer.out.push('{');
            writer.text("reason", gap.word());
            writer.texts("at", ids.iter().take(NAMED_IN_A_GAP).copied());
            let _ = write!(writer.out, r#","total":{}}}"#, ids.len());
        });
    }
}

/// The kind of a thing: the name of its GS1 key with what follows it; `class` or `uri` for any other identifier.
fn kind_of(id: &str, is_quantity: bool) -> &'static str {
    let other = if is_quantity { "class" } else { "uri" };
    identifier::kind(id).unwrap_or(other)
}
