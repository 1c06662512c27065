//! Events that stand alone, with the gateway's stamps.

use super::strip::{PREFIX, push_string};
use crate::call::Principal;
use crate::context::Context;
use crate::json::{Kind, Value};
use crate::time::Timestamp;

/// Stamps the events of one document.
pub(super) struct Stamper<'d, 'c> {
    namespace: &'c str,
    record_time: String,
    principal: &'c Principal,
    /// What the document declares for all its events.
    shared: Vec<Entry<'d>>,
    context: Context<'d>,
    /// The context of events that declare nothing themselves, once it is known.
    common: Option<String>,
}

/// One entry of a `@context`: an address, or an object.
#[derive(Clone)]
struct Entry<'d> {
    source: &'d str,
    is_address: bool,
    value: serde_json::Value,
}

impl<'d, 'c> Stamper<'d, 'c> {
    pub(super) fn new(
        root: Value<'d>,
        namespace: &'c str,
        record_time: Timestamp,
        principal: &'c Principal,
    ) -> Self {
        let mut shared = Vec::new();
        let mut context = Context::new();
        if let Some(body) = root.get("epcisBody") {
            for outer in [root, body] {
                context.enter(outer);
                if let Some(declared) = outer.get("@context") {
                    collect(declared, &mut shared);
                }
            }
        }
        Self {
            namespace,
            record_time: record_time.to_string(),
            principal,
            shared,
            context,
            common: None,
        }
    }

    /// The event as it is stored, but for the name that it may still need: one JSON object.
    pub(super) fn stamp(&mut self, event: Value<'d>) -> String {
        let (context, prefix) = self.complete_context(event);
        let mut out = format!("{{\"@context\":{context}");
        for (name, value) in event.members() {
            if name == "@context" {
                continue;
            }
            out.push(',');
            push_string(&mut out, &name.to_cow());
            out.push(':');
            out.push_str(value.source());
        }
        let stamps = [
            ("recordTime".to_owned(), &self.record_time),
            (format!("{prefix}:who"), &self.principal.observer),
            (format!("{prefix}:capturedBy"), &self.principal.account),
        ];
        for (name, value) in stamps {
            out.push(',');
            push_string(&mut out, &name);
            out.push(':');
            push_string(&mut out, value);
        }
        out.push('}');
        out
    }

    /// All that is declared for the event, and the prefix of the gateway's namespace among it.
    fn complete_context(&mut self, event: Value<'d>) -> (String, String) {
        let own = event.get("@context");
        if own.is_none()
            && let Some(common) = &self.common
        {
            return (common.clone(), PREFIX.to_owned());
        }
        let outer = self.context.enter(event);
        let prefix = self.prefix(event);
        let is_declared = self.context.meaning(&prefix) == Some(self.namespace);
        self.context.leave(outer);
        let mut entries = self.shared.clone();
        if let Some(own) = own {
            collect(own, &mut entries);
        }
        let mut text = "[".to_owned();
        for source in without_repeats(&entries) {
            text.push_str(source);
            text.push(',');
        }
        if is_declared {
            text.pop();
        } else {
            text.push('{');
            push_string(&mut text, &prefix);
            text.push(':');
            push_string(&mut text, self.namespace);
            text.push('}');
        }
        text.push(']');
        if own.is_none() && prefix == PREFIX {
            self.common = Some(text.clone());
        }
        (text, prefix)
    }

    /// The first of `spine`, `spine2`, `spine3` and so on that means nothing else to the event.
    fn prefix(&self, event: Value<'d>) -> String {
        let mut prefix = PREFIX.to_owned();
        for number in 2_u64.. {
            let meaning = self.context.meaning(&prefix);
            let is_ours = meaning == Some(self.namespace);
            // What was undeclared under the first prefix was the gateway's, and is gone.
            let is_free = meaning.is_none() && (prefix == PREFIX || !uses(event, &prefix));
            if (is_ours || is_free) && !self.context.defines_below(&prefix) {
                break;
            }
            prefix = format!("{PREFIX}{number}");
        }
        prefix
    }
}

/// Takes up the entries of a `@context`.
fn collect<'d>(context: Value<'d>, entries: &mut Vec<Entry<'d>>) {
    match context.kind() {
        Kind::Array => {
            for entry in context.elements() {
                collect(entry, entries);
            }
        }
        kind => entries.push(Entry {
            source: context.source(),
            is_address: kind == Kind::String,
            value: context.to_serde(),
        }),
    }
}

/// The schema wants no repeats: of an address the first stays, of an object the last, for it overrides what precedes it.
fn without_repeats<'e>(entries: &'e [Entry<'_>]) -> impl Iterator<Item = &'e str> {
    let is_kept = |(at, entry): &(usize, &Entry<'_>)| {
        let (before, after) = entries.split_at_checked(*at).unwrap_or_default();
        let mut others = if entry.is_address {
            before.iter()
        } else {
            after.get(1..).unwrap_or_default().iter()
        };
        !others.any(|other| other.value == entry.value)
    };
    entries
        .iter()
        .enumerate()
        .filter(is_kept)
        .map(|(_, entry)| entry.source)
        .collect::<Vec<_>>()
        .into_iter()
}

/// Whether a member name with this prefix stands anywhere in a value.
fn uses(value: Value<'_>, prefix: &str) -> bool {
    let has_prefix = |name: &str| {
        name.split_once(':')
            .is_some_and(|(found, _)| found == prefix)
    };
    value
        .members()
        .any(|(name, member)| has_prefix(&name.to_cow()) || uses(member, prefix))
        || value.elements().any(|element| uses(element, prefix))
}
