//! A quick way to a positive verdict: one pass over a document that proves it valid, or does not know.
//!
//! The rules of the pinned schema are tables here, known when we build.
//! INVARIANT: what is proven valid, the schema engine calls valid. The other way round need not hold: escapes where the text
//! matters, repeated names, leap seconds, hosts in brackets and every fault are left to the engine.
//! The suite `tests/tests/proof.rs` compares the two on mutants.

mod distinct;
mod event;
mod format;
mod shape;
mod words;

pub use format::{is_date_time, is_uri};

use super::event_list;
use crate::json::{Document, Kinds, Value, Walk};
use event::{CONTEXT, EPC_LIST, Kind, Seen};
use shape::{Check, Others, Shape};
use words::Uris;

/// What a proof came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The official schema accepts the document.
    Valid,
    /// It may or may not.
    Unknown,
}

/// Tries to prove that the official schema accepts a document.
#[must_use]
pub fn prove(document: &Document<'_>) -> Proof {
    let root = document.root();
    let valid = match event_list(root) {
        Some((list, _)) => is_valid_frame(root, list) && list.elements().all(is_valid_entry),
        None => is_valid_bare_event(root),
    };
    if valid { Proof::Valid } else { Proof::Unknown }
}

/// Whether a document is surely valid but for the entries of its event list.
pub(super) fn is_valid_frame(root: Value<'_>, list: Value<'_>) -> bool {
    let is_query = root.get("type").is_some_and(|name| {
        name.as_text()
            .is_some_and(|name| name == "EPCISQueryDocument")
    });
    let shape = if is_query {
        &shape::QUERY_DOCUMENT
    } else {
        &shape::DOCUMENT
    };
    !root.has_repeated_names_outside(list) && Prover::at(root).object(shape).is_some()
}

/// Whether an entry of an event list is surely valid.
pub(super) fn is_valid_entry(entry: Value<'_>) -> bool {
    !entry.has_repeated_names() && Prover::at(entry).event().is_some()
}

/// Whether a document is surely a valid event with its own context.
pub(super) fn is_valid_bare_event(root: Value<'_>) -> bool {
    !root.has_repeated_names()
        && Prover::at(root)
            .event()
            .is_some_and(|seen| seen.members & CONTEXT != 0)
}

/// A walk in which every step either shows that a value is valid, or gives up with `None`.
struct Prover<'d> {
    walk: Walk<'d>,
}

impl<'d> Prover<'d> {
    fn at(value: Value<'d>) -> Self {
        Self { walk: value.walk() }
    }

    fn value(&mut self, check: &Check) -> Option<()> {
        match check {
            Check::Kind(kinds) => proven(self.walk.pass(*kinds)),
            Check::Text(test) => proven(test(self.walk.plain_text()?)),
            Check::Uri => proven(is_uri(self.walk.plain_text()?)),
            Check::Word(words) => {
                let text = self.walk.plain_text()?;
                let is_allowed_uri = || match words.uris {
                    Uris::None => false,
                    Uris::ExceptCbv => !format::starts_like_cbv(text) && is_uri(text),
                    Uris::ExceptWebVocabulary => {
                        !format::starts_like_web_vocabulary(text) && is_uri(text)
                    }
                };
                proven(words.contains(text) || is_allowed_uri())
            }
            Check::Object(shape) => self.object(shape),
            Check::List {
                item,
                filled,
                distinct,
            } => self.list(item, *filled, *distinct),
            Check::OneOrList(one, list) => {
                let mut value = self.walk;
                let is_list = value.enter_array().is_some();
                self.value(if is_list { list } else { one })
            }
            Check::Context => self.context(),
        }
    }

    fn object(&mut self, shape: &Shape) -> Option<()> {
        let end = self.walk.enter_object()?;
        let mut seen = 0;
        while self.walk.at() < end {
            let name = self.walk.plain_text()?;
            if let Some((member, check)) = shape.find(name) {
                self.value(check)?;
                seen |= member;
            } else {
                self.other(name, shape.others)?;
            }
        }
        let is_complete = match shape.choice {
            0 => true,
            choice => seen & choice != 0,
        };
        proven(is_complete && seen & shape.required == shape.required)
    }

    /// A member that the schema does not name.
    fn other(&mut self, name: &[u8], others: Others) -> Option<()> {
        let is_allowed = match others {
            Others::None => false,
            Others::Uris => is_uri(name),
            Others::All => true,
        };
        proven(is_allowed && self.walk.pass(Kinds::ANY))
    }

    fn list(&mut self, item: &Check, filled: bool, distinct: bool) -> Option<()> {
        let mut entries = self.walk;
        let end = self.walk.enter_array()?;
        proven(!filled || self.walk.at() < end)?;
        if let Check::Uri = item {
            // By far the most frequent lists.
            while self.walk.at() < end {
                proven(is_uri(self.walk.plain_text()?))?;
            }
        } else {
            while self.walk.at() < end {
                self.value(item)?;
            }
        }
        if distinct {
            entries.enter_array()?;
            return distinct::texts(entries, end);
        }
        Some(())
    }

    fn context(&mut self) -> Option<()> {
        if self.walk.pass(Kinds::OBJECT) {
            return Some(());
        }
        let mut entries = self.walk;
        let Some(end) = self.walk.enter_array() else {
            return self.value(&Check::Uri);
        };
        while self.walk.at() < end {
            if !self.walk.pass(Kinds::OBJECT) {
                self.value(&Check::Uri)?;
            }
        }
        entries.enter_array()?;
        distinct::contexts(entries, end)
    }

    fn event(&mut self) -> Option<Seen<'d>> {
        let kind = self.kind_of_event()?;
        let end = self.walk.enter_object()?;
        let mut seen = Seen::default();
        while self.walk.at() < end {
            let name = self.walk.plain_text()?;
            let Some((member, check)) = shape::EVENT.find(name) else {
                let others = if kind.is_open {
                    Others::All
                } else {
                    Others::Uris
                };
                self.other(name, others)?;
                continue;
            };
            proven(member & kind.members != 0)?;
            seen.members |= member;
            if self.walk.is_before_filled_array() {
                seen.filled |= member;
            }
            if member & kind.unchecked != 0 {
                proven(self.walk.pass(Kinds::ANY))?;
            } else if member == EPC_LIST && kind.repeats {
                self.value(&shape::REPEATING_EPC_LIST)?;
            } else {
                let mut value = self.walk;
                self.value(check)?;
                if member == event::ACTION {
                    seen.action = value.plain_text()?;
                }
            }
        }
        let required = shape::EVENT.required;
        proven(seen.members & required == required && kind.accepts(&seen))?;
        Some(seen)
    }

    /// The kind of the event that comes next. Its `type` may stand behind all that depends on it.
    fn kind_of_event(&self) -> Option<&'static Kind> {
        let mut walk = self.walk;
        let end = walk.enter_object()?;
        while walk.at() < end {
            if walk.plain_text()? == b"type" {
                let name = walk.plain_text()?;
                return Kind::of(name).or_else(|| is_uri(name).then_some(&event::EXTENSION));
            }
            walk.pass(Kinds::ANY);
        }
        None
    }
}

fn proven(is_so: bool) -> Option<()> {
    is_so.then_some(())
}
