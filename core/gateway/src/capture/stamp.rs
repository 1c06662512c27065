//! Completes each event with its own `@context` and the gateway's stamps.

use super::contexts::{Contexts, GatewayEntry};
use crate::call::Principal;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Value, push_string};
use epcis_edge_text::time::Timestamp;
use std::ops::Range;

/// An event as it is stored, as one JSON object, except for a name that may be added later.
pub(super) struct Stamped {
    pub(super) text: String,
    /// As [`NewEvent::record_time_at`](crate::store::NewEvent::record_time_at).
    pub(super) record_time_at: usize,
    /// Where its `eventID` is in the text, with the comma before it; empty if it has none.
    pub(super) name_at: Range<usize>,
}

/// Stamps the events of one document.
pub(super) struct Stamper<'d, 'c> {
    namespace: &'c str,
    record_time: String,
    principal: &'c Principal,
    contexts: Contexts<'d>,
    /// The context of events that declare none themselves, once it has been made.
    common: Option<(GatewayEntry, String)>,
}

impl<'d, 'c> Stamper<'d, 'c> {
    /// # Errors
    /// As [`Contexts::of`].
    pub(super) fn new(
        root: Value<'d>,
        namespace: &'c str,
        record_time: Timestamp,
        principal: &'c Principal,
    ) -> Result<Self, Error> {
        Ok(Self {
            namespace,
            record_time: record_time.to_string(),
            principal,
            contexts: Contexts::of(super::strip::around(root).map(|(outer, _)| outer))?,
            common: None,
        })
    }

    /// # Errors
    /// As [`Contexts::event_context`].
    pub(super) fn stamp(
        &mut self,
        event: Value<'d>,
        entry: GatewayEntry,
    ) -> Result<Stamped, Error> {
        let of_its_own;
        let context = if event.get("@context").is_some() {
            of_its_own = self.contexts.event_context(event)?.written(entry, self.namespace);
            &of_its_own
        } else {
            match &mut self.common {
                Some((known, text)) if *known == entry => text,
                other => {
                    let text = self.contexts.event_context(event)?.written(entry, self.namespace);
                    &other.insert((entry, text)).1
                }
            }
        };
        let prefix = entry.prefix();
        let stamps = [
            (format!("{prefix}:who"), &self.principal.observer),
            (format!("{prefix}:capturedBy"), &self.principal.account),
        ];
        // Room for the stamps and a name, so that the buffer need not grow.
        let known: usize = stamps.iter().map(|(name, value)| name.len() + value.len() + 8).sum();
        let source = event.source();
        let mut out = String::with_capacity(context.len() + source.len() + known + 192);
        out.push_str("{\"@context\":");
        out.push_str(context);
        let mut name_at = 0..0;
        for (name, value) in event.members() {
            if name == "@context" {
                continue;
            }
            let start = out.len();
            out.push(',');
            push_string(&mut out, &name.to_cow());
            out.push(':');
            out.push_str(value.source());
            if name == "eventID" {
                name_at = start..out.len();
            }
        }
        out.push_str(",\"recordTime\":\"");
        let record_time_at = out.len();
        out.push_str(&self.record_time);
        out.push('"');
        for (name, value) in stamps {
            out.push(',');
            push_string(&mut out, &name);
            out.push(':');
            push_string(&mut out, value);
        }
        out.push('}');
        Ok(Stamped { text: out, record_time_at, name_at })
    }
}
