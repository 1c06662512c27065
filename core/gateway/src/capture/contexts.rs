//! The complete `@context` of each event: the entries of the document, its body and the event, and the gateway's own entry
//! last.
//!
//! Why does capture protect every official term?
//! The official context protects its terms. If an event redefined one, a JSON-LD reader would refuse the event and could not
//! learn who captured it.

use epcis_edge_document::context::{ActiveContext, Addresses, EPCIS_CONTEXT};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Kind, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The prefix that the gateway announces for its namespace.
const PREFIX: &str = "spine";

/// The most entries that a `@context` may have, including those of the document.
const MAX_ENTRIES: usize = 1000;

/// One entry of a `@context`: an address, or an object.
#[derive(Clone, Debug)]
struct ContextEntry<'d> {
    source: &'d str,
    /// Equal for equal entries, however they are spelt.
    key: Rc<str>,
    is_address: bool,
    is_epcis: bool,
}

/// The gateway's own entry in the `@context` of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GatewayEntry {
    /// `spine` is the first prefix, `spine2` the second.
    number: u32,
    form: EntryForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryForm {
    /// The last entry is equal already.
    Present,
    /// `{"spine": "https://…/"}`
    Simple,
    /// `{"spine": {"@id": "https://…/", "@prefix": true}}`, if an equal simple entry occurs earlier: the schema forbids
    /// repeats.
    Full,
}

impl GatewayEntry {
    pub(super) fn prefix(self) -> String {
        prefix(self.number)
    }

    fn written(self, namespace: &str) -> Option<String> {
        match self.form {
            EntryForm::Present => None,
            EntryForm::Simple => Some(simple(self.number, namespace).to_string()),
            EntryForm::Full => Some(full(self.number, namespace).to_string()),
        }
    }
}

fn prefix(number: u32) -> String {
    match number {
        1 => PREFIX.to_owned(),
        number => format!("{PREFIX}{number}"),
    }
}

fn simple(number: u32, namespace: &str) -> serde_json::Value {
    serde_json::json!({ (prefix(number)): namespace })
}

fn full(number: u32, namespace: &str) -> serde_json::Value {
    serde_json::json!({ (prefix(number)): {"@id": namespace, "@prefix": true} })
}

/// The context entries that a document declares for all its events.
#[derive(Debug)]
pub(super) struct Contexts<'d> {
    shared: Vec<ContextEntry<'d>>,
}

/// The context entries of one event, without the gateway's own.
#[derive(Clone, Debug)]
pub(super) struct EventContext<'d> {
    entries: Vec<ContextEntry<'d>>,
    /// Whether an entry was removed because an equal one follows.
    pub(super) is_moved: bool,
}

impl<'d> Contexts<'d> {
    /// The entries of the objects around the events, the outermost first; these have been judged already.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex).
    pub(super) fn of(around: impl Iterator<Item = Value<'d>>) -> Result<Self, Error> {
        let mut shared = Vec::new();
        for outer in around {
            if let Some(declared) = outer.get("@context") {
                collect(declared, &mut shared)?;
            }
        }
        Ok(Self { shared })
    }

    /// The entries of an event, whose own context has been judged already, without repeats.
    ///
    /// The schema forbids repeats: of equal addresses the first stays, of equal objects the last, since it overrides what
    /// precedes it. An event without an EPCIS context gets the official one as its first entry.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex).
    pub(super) fn event_context(&self, event: Value<'d>) -> Result<EventContext<'d>, Error> {
        let mut all = self.shared.clone();
        if let Some(own) = event.get("@context") {
            collect(own, &mut all)?;
        }
        // The index of the entry that stays, for each key.
        let mut kept: BTreeMap<Rc<str>, usize> = BTreeMap::new();
        let mut is_moved = false;
        for (at, entry) in all.iter().enumerate() {
            let standing = kept.get(&entry.key).copied();
            if !entry.is_address || standing.is_none() {
                is_moved |= standing.is_some();
                kept.insert(entry.key.clone(), at);
            }
        }
        let places: BTreeSet<usize> = kept.into_values().collect();
        let mut entries: Vec<ContextEntry<'d>> = Vec::with_capacity(places.len() + 1);
        if !all.iter().any(|entry| entry.is_epcis) {
            entries.push(ContextEntry {
                source: const { OFFICIAL_SOURCE },
                key: EPCIS_CONTEXT.into(),
                is_address: true,
                is_epcis: true,
            });
        }
        let stays = all.into_iter().enumerate();
        entries.extend(stays.filter_map(|(at, entry)| places.contains(&at).then_some(entry)));
        Ok(EventContext { entries, is_moved })
    }
}

/// The address of the official context as a JSON string.
const OFFICIAL_SOURCE: &str = "\"https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld\"";

impl<'d> EventContext<'d> {
    /// The length of all entries together, in bytes.
    pub(super) fn length(&self) -> usize {
        self.entries.iter().map(|entry| entry.source.len() + 1).sum()
    }

    /// The objects among the entries.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'d str> {
        let objects = self.entries.iter().filter(|entry| !entry.is_address);
        objects.map(|entry| entry.source)
    }

    /// The gateway's own entry: the first prefix of `spine`, `spine2`, `spine3` and so on that the event does not use
    /// otherwise.
    pub(super) fn gateway_entry(
        &self,
        event: Value<'_>,
        context: &ActiveContext<'_>,
        namespace: &str,
    ) -> GatewayEntry {
        let keys: BTreeSet<&str> = self.entries.iter().map(|entry| &*entry.key).collect();
        let last = self.entries.last().map(|entry| &*entry.key);
        let mut used = None;
        for number in 1.. {
            let name = prefix(number);
            // `spine` means the gateway's namespace if the event does not declare it.
            let is_ours = context.is_prefix_of(&name, namespace);
            if context.uses(&name) && !is_ours {
                continue;
            }
            if number > 1
                && !is_ours
                && used.get_or_insert_with(|| numbers_used(event)).contains(&number)
            {
                continue;
            }
            let simple = simple(number, namespace).to_string();
            let full = full(number, namespace).to_string();
            let form = if last == Some(&simple) || last == Some(&full) {
                EntryForm::Present
            } else if !keys.contains(&*simple) {
                EntryForm::Simple
            } else if !keys.contains(&*full) {
                EntryForm::Full
            } else {
                continue;
            };
            return GatewayEntry { number, form };
        }
        // Not reached: an event has fewer names than there are numbers.
        GatewayEntry { number: u32::MAX, form: EntryForm::Simple }
    }

    /// The `@context` as it is stored.
    pub(super) fn written(&self, entry: GatewayEntry, namespace: &str) -> String {
        let mut text = String::with_capacity(self.length() + namespace.len() + 24);
        text.push('[');
        for entry in &self.entries {
            text.push_str(entry.source);
            text.push(',');
        }
        match entry.written(namespace) {
            Some(entry) => text.push_str(&entry),
            None => drop(text.pop()),
        }
        text.push(']');
        text
    }
}

/// Appends the entries of a `@context`.
fn collect<'d>(context: Value<'d>, entries: &mut Vec<ContextEntry<'d>>) -> Result<(), Error> {
    let one = (context.kind() != Kind::Array).then_some(context);
    for entry in one.into_iter().chain(context.elements()) {
        if entries.len() == MAX_ENTRIES {
            return Err(Error::capture_too_complex(
                MAX_ENTRIES,
                "entries of the `@context` of an event",
            ));
        }
        let address = entry.as_str();
        entries.push(ContextEntry {
            source: entry.source(),
            is_address: address.is_some(),
            is_epcis: address.as_deref().is_some_and(Addresses::is_epcis),
            key: match address {
                Some(address) => address.as_ref().into(),
                // `to_serde` sorts the members of an object by name.
                None => entry.to_serde().to_string().into(),
            },
        });
    }
    Ok(())
}

/// The numbers of the gateway's prefixes with which member names begin, at any depth of a value.
fn numbers_used(value: Value<'_>) -> BTreeSet<u32> {
    fn look(value: Value<'_>, found: &mut BTreeSet<u32>) {
        for (name, member) in value.members() {
            let name = name.to_cow();
            let rest = name.split_once(':').and_then(|(start, _)| start.strip_prefix(PREFIX));
            found.extend(rest.and_then(|digits| digits.parse::<u32>().ok()));
            look(member, found);
        }
        for element in value.elements() {
            look(element, found);
        }
    }
    let mut found = BTreeSet::new();
    look(value, &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_official_context_is_written_as_json() {
        assert_eq!(OFFICIAL_SOURCE, format!("\"{EPCIS_CONTEXT}\""));
    }
}
