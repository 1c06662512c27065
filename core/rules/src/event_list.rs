//! Where a document has its events, and the texts of a `@context`.

use epcis_edge_document::context::ActiveContext;
use epcis_edge_text::json::{Kind, Value};

/// The place of the events in a document.
#[derive(Clone, Copy, Debug)]
pub(super) enum EventList<'d> {
    None,
    One(Value<'d>),
    List(Value<'d>),
}

impl<'d> EventList<'d> {
    pub(super) fn of(root: Value<'d>) -> Option<Self> {
        if root.kind() == Kind::Array {
            return Some(Self::List(root));
        }
        let Some(body) = root.get("epcisBody") else {
            return root.get("type").map(|_| Self::One(root));
        };
        let list = body
            .get("eventList")
            .or_else(|| body.pointer("/queryResults/resultsBody/eventList"))
            .or_else(|| body.get("event"));
        Some(match list {
            Some(list) if list.kind() == Kind::Array => Self::List(list),
            Some(event) if event.kind() == Kind::Object => Self::One(event),
            _ => Self::None,
        })
    }

    /// The `@context` of the document around the events; none for a bare event, whose `@context` is its own.
    pub(super) fn context_around(self, root: Value<'d>) -> Option<Value<'d>> {
        let is_bare = matches!(self, Self::One(event) if event.is_root());
        root.get("@context").filter(|_| !is_bare)
    }

    /// Calls `event` for each event; skips anything in the list that is not an object.
    pub(super) fn for_each(self, mut event: impl FnMut(Value<'d>)) {
        match self {
            Self::None => {}
            Self::One(one) => event(one),
            Self::List(list) => {
                let events = list.elements();
                events.filter(|one| one.kind() == Kind::Object).for_each(event);
            }
        }
    }
}

/// Enters the declarations of an event, for [`ActiveContext::leave`]; those of an event that is the whole document are in force already.
pub(super) fn enter<'d>(event: Value<'d>, context: &mut ActiveContext<'d>) -> usize {
    if event.is_root() { context.depth() } else { context.enter(event) }
}

/// Calls `text` for the texts in a `@context`: those in a list, and those in the members of objects.
pub(super) fn for_each_text<'d>(context: Value<'d>, mut text: impl FnMut(Value<'d>)) {
    let mut is_text = |value: Value<'d>| {
        if value.kind() == Kind::String {
            text(value);
        }
    };
    let mut entry = |value: Value<'d>| match value.kind() {
        Kind::Object => value.members().for_each(|(_, member)| is_text(member)),
        _ => is_text(value),
    };
    match context.kind() {
        Kind::Array => context.elements().for_each(entry),
        _ => entry(context),
    }
}
