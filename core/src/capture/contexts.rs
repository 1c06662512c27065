//! The complete `@context` of each event: what the document, its body and the event declare, and the gateway's own entry last.
//!
//! Why is every official term protected at capture?
//! The official context protects its terms: a JSON-LD reader refuses an event that redefines one, and could not tell
//! who captured it.

use crate::context::{ActiveContext, Addresses, EPCIS_CONTEXT};
use crate::error::{Error, ErrorKind};
use crate::json::{Kind, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The prefix that the gateway announces for its namespace.
const PREFIX: &str = "spine";

/// How many entries a `@context` has at most, those of the document included.
const MAX_ENTRIES: usize = 1000;

/// One entry of a `@context`: an address, or an object.
#[derive(Clone, Debug)]
struct Entry<'d> {
    source: &'d str,
    /// The same for equal entries, however they are spelt.
    key: Rc<str>,
    is_address: bool,
    is_epcis: bool,
}

/// The gateway's own entry in the `@context` of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Own {
    /// `spine` is the first prefix, `spine2` the second.
    number: u32,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The last entry says it already.
    Present,
    /// `{"spine": "https://…/"}`
    Simple,
    /// `{"spine": {"@id": "https://…/", "@prefix": true}}`, where an equal simple one stands further up: the schema wants no
    /// repeats.
    Full,
}

impl Own {
    pub(super) fn prefix(self) -> String {
        prefix(self.number)
    }

    fn written(self, namespace: &str) -> Option<String> {
        match self.form {
            Form::Present => None,
            Form::Simple => Some(simple(self.number, namespace).to_string()),
            Form::Full => Some(full(self.number, namespace).to_string()),
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

/// What a document declares for all its events.
#[derive(Debug)]
pub(super) struct Contexts<'d> {
    shared: Vec<Entry<'d>>,
}

/// The entries of one event, without the gateway's own.
#[derive(Clone, Debug)]
pub(super) struct Complete<'d> {
    entries: Vec<Entry<'d>>,
    /// Whether an entry fell out for an equal one further down.
    pub(super) is_moved: bool,
}

impl<'d> Contexts<'d> {
    /// The objects around the events, the outermost first: they are judged already.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`].
    pub(super) fn of(around: impl Iterator<Item = Value<'d>>) -> Result<Self, Error> {
        let mut shared = Vec::new();
        for outer in around {
            if let Some(declared) = outer.get("@context") {
                collect(declared, &mut shared)?;
            }
        }
        Ok(Self { shared })
    }

    /// The entries for an event, whose own context is judged already, without repeats.
    ///
    /// The schema wants no repeats: of an address the first stays, of an object the last, for it overrides what precedes it.
    /// An event that names no context of EPCIS gets the official one, first.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`].
    pub(super) fn complete(&self, event: Value<'d>) -> Result<Complete<'d>, Error> {
        let mut all = self.shared.clone();
        if let Some(own) = event.get("@context") {
            collect(own, &mut all)?;
        }
        // Where each key stands that stays.
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
        let mut entries: Vec<Entry<'d>> = Vec::with_capacity(places.len() + 1);
        if !all.iter().any(|entry| entry.is_epcis) {
            entries.push(Entry {
                source: const { OFFICIAL_SOURCE },
                key: EPCIS_CONTEXT.into(),
                is_address: true,
                is_epcis: true,
            });
        }
        let stays = all.into_iter().enumerate();
        entries.extend(stays.filter_map(|(at, entry)| places.contains(&at).then_some(entry)));
        Ok(Complete { entries, is_moved })
    }
}

/// The address of the official context as a JSON string.
const OFFICIAL_SOURCE: &str = "\"https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld\"";

impl<'d> Complete<'d> {
    /// How long the entries are together, in bytes.
    pub(super) fn length(&self) -> usize {
        self.entries
            .iter()
            .map(|entry| entry.source.len() + 1)
            .sum()
    }

    /// The objects among the entries.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'d str> {
        let objects = self.entries.iter().filter(|entry| !entry.is_address);
        objects.map(|entry| entry.source)
    }

    /// The gateway's own entry: the first prefix of `spine`, `spine2`, `spine3` and so on that means nothing else to the event.
    pub(super) fn own(
        &self,
        event: Value<'_>,
        context: &ActiveContext<'_>,
        namespace: &str,
    ) -> Own {
        let keys: BTreeSet<&str> = self.entries.iter().map(|entry| &*entry.key).collect();
        let last = self.entries.last().map(|entry| &*entry.key);
        let mut used = None;
        for number in 1.. {
            let name = prefix(number);
            // What nobody declared under the first prefix is the gateway's.
            let is_ours = context.is_prefix_of(&name, namespace);
            if context.uses(&name) && !is_ours {
                continue;
            }
            if number > 1
                && !is_ours
                && used
                    .get_or_insert_with(|| numbers_used(event))
                    .contains(&number)
            {
                continue;
            }
            let simple = simple(number, namespace).to_string();
            let full = full(number, namespace).to_string();
            let form = if last == Some(&simple) || last == Some(&full) {
                Form::Present
            } else if !keys.contains(&*simple) {
                Form::Simple
            } else if !keys.contains(&*full) {
                Form::Full
            } else {
                continue;
            };
            return Own { number, form };
        }
        // Not reached: there are fewer names than numbers.
        Own {
            number: u32::MAX,
            form: Form::Simple,
        }
    }

    /// The `@context` as it is stored.
    pub(super) fn written(&self, own: Own, namespace: &str) -> String {
        let mut text = String::with_capacity(self.length() + namespace.len() + 24);
        text.push('[');
        for entry in &self.entries {
            text.push_str(entry.source);
            text.push(',');
        }
        match own.written(namespace) {
            Some(own) => text.push_str(&own),
            None => drop(text.pop()),
        }
        text.push(']');
        text
    }
}

/// Takes up the entries of a `@context`.
fn collect<'d>(context: Value<'d>, entries: &mut Vec<Entry<'d>>) -> Result<(), Error> {
    let one = (context.kind() != Kind::Array).then_some(context);
    for entry in one.into_iter().chain(context.elements()) {
        if entries.len() == MAX_ENTRIES {
            return Err(Error::new(ErrorKind::CaptureTooComplex {
                limit: MAX_ENTRIES,
                what: "entries of the `@context` of an event",
            }));
        }
        let address = entry.as_str();
        entries.push(Entry {
            source: entry.source(),
            is_address: address.is_some(),
            is_epcis: address.as_deref().is_some_and(Addresses::is_epcis),
            key: match address {
                Some(address) => address.as_ref().into(),
                // The members of an object are in the order of their names here.
                None => entry.to_serde().to_string().into(),
            },
        });
    }
    Ok(())
}

/// The numbers of the gateway's prefixes that member names of a value begin with, at any depth.
fn numbers_used(value: Value<'_>) -> BTreeSet<u32> {
    fn look(value: Value<'_>, found: &mut BTreeSet<u32>) {
        for (name, member) in value.members() {
            let name = name.to_cow();
            let rest = name
                .split_once(':')
                .and_then(|(start, _)| start.strip_prefix(PREFIX));
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
