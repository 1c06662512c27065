//! What the answer is made of. Each part writes itself, and its schema is made of the same members.
//!
//! `serde` would parse the text of each event again, or copy it.

use super::super::request::Direction;
use super::super::walk::{Gap as GapReason, How, TieKind};
use super::super::written::{Digits, EventText, Rows, Written, words, write_member};
use std::borrow::Cow;

/// Defines objects of the answer, each member with its name in JSON.
macro_rules! objects {
    ($($(#[$meta:meta])* $visible:vis $name:ident<$life:lifetime> { $($(#[$of:meta])* $member:literal $field:ident: $kind:ty,)* })*) => {$(
        $(#[$meta])*
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        $visible struct $name<$life> {$(
            $(#[$of])*
            #[cfg_attr(feature = "schema", schemars(rename = $member))]
            pub(super) $field: $kind,
        )*}

        impl Written for $name<'_> {
            fn write(self, out: &mut String) {
                out.push('{');
                $(write_member($member, self.$field, out);)*
                out.push('}');
            }
        }
    )*};
}

words! {
    /// Whether anything names the items.
    pub(super) Found {
        Ok "OK",
        Empty "EMPTY",
    }
}

objects! {
    /// What happened to items.
    pub Followed<'a> {
        /// `EMPTY` if nothing names the items.
        "type" found: Found,
        "items" items: Vec<Cow<'a, str>>,
        "direction" direction: Direction,
        /// In the order of time, each once.
        "events" events: Rows<'a, FollowedEvent<'a>>,
        "contents" contents: Rows<'a, Content<'a>>,
        "ties" ties: Rows<'a, Tie<'a>>,
        "things" things: Rows<'a, Thing<'a>>,
        "incomplete" incomplete: Rows<'a, Gap<'a>>,
        /// The places of the events that do not count, because the document has the same event before them: the same `eventID` and
        /// content.
        "repeated" repeated: Option<&'a [u64]>,
    }

    /// An event of the answer.
    pub(super) FollowedEvent<'a> {
        /// Its place in the document, from 0.
        #[cfg_attr(feature = "schema", schemars(with = "u64"))]
        "index" index: Option<u64>,
        "eventID" event_id: Option<&'a str>,
        "eventTime" event_time: Option<&'a str>,
        /// The event itself.
        "event" event: EventText<'a>,
        /// Whether it counts for nothing: an error declaration withdraws it.
        "withdrawn" is_withdrawn: bool,
        /// The error declaration that withdraws it.
        "declaration" declaration: Option<FollowedDeclaration<'a>>,
        /// An error declaration by an account that has no such event.
        "disputed" disputed: Option<FollowedDeclaration<'a>>,
        "presences" presences: Rows<'a, Presence<'a>>,
    }

    /// What an error declaration says.
    pub(super) FollowedDeclaration<'a> {
        "at" at: Option<&'a str>,
        "reason" reason: Option<&'a str>,
        "correctiveEventIDs" correctives: Vec<&'a str>,
    }

    /// How a thing is present in an event.
    pub(super) Presence<'a> {
        /// The thing, as canonical GS1 Digital Link where it has one.
        "item" item: &'a str,
        "how" how: How,
        /// The field that names it, or names the container that it is inside of.
        "role" role: &'a str,
        /// The containers, from the one that is named to the innermost.
        "through" through: Option<Vec<&'a str>>,
        /// `false` where the way to it leads through a lot that was divided.
        "certain" is_certain: bool,
        /// Set if the thing was used up or deleted before.
        #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
        "afterEnd" after_end: Option<bool>,
    }

    /// What was inside of an item.
    pub(super) Content<'a> {
        "container" container: &'a str,
        "item" item: &'a str,
        /// The containers between, from the outermost to the innermost.
        "through" through: Vec<&'a str>,
        "from" from: Began<'a>,
        /// Absent if it is still inside.
        "to" to: Option<Ended<'a>>,
        "quantity" quantity: Option<FollowedQuantity<'a>>,
        "certain" is_certain: bool,
    }

    /// The event from which on it was inside.
    pub(super) Began<'a> {
        "eventID" event_id: Option<&'a str>,
        "at" at: Option<&'a str>,
        #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
        "observed" observed: Option<bool>,
    }

    /// The event that took it out.
    pub(super) Ended<'a> {
        "eventID" event_id: Option<&'a str>,
        "at" at: Option<&'a str>,
        #[cfg_attr(feature = "schema", schemars(extend("const" = true)))]
        "implied" implied: Option<bool>,
    }

    /// An event by name and time.
    pub(super) EventName<'a> {
        "eventID" event_id: Option<&'a str>,
        "at" at: Option<&'a str>,
    }

    /// A quantity.
    pub(super) FollowedQuantity<'a> {
        "quantity" quantity: Digits,
        "uom" unit: Option<&'a str>,
    }

    /// A tie between two things.
    pub(super) Tie<'a> {
        "from" from: &'a str,
        "to" to: &'a str,
        "kind" kind: TieKind,
        "eventID" event_id: Option<&'a str>,
        "at" at: Option<&'a str>,
        "quantity" quantity: Option<FollowedQuantity<'a>>,
    }

    /// A thing, and what is known of it.
    pub(super) Thing<'a> {
        "id" id: &'a str,
        /// As it was first written.
        "spelling" spelling: &'a str,
        /// `sgtin`, `lgtin`, `gtin`, `sscc` and so on; `class` or `uri` for any other identifier.
        "kind" kind: &'a str,
        "began" began: Option<EventName<'a>>,
        "ended" ended: Option<EventName<'a>>,
        /// Where it was last; if not `certain`, it is a divided lot, of which other parts may be elsewhere.
        "at" at: Option<Whereabouts<'a>>,
    }

    /// Where a thing was last.
    pub(super) Whereabouts<'a> {
        "place" place: Option<&'a str>,
        "inside" inside: Option<&'a str>,
        "disposition" disposition: Option<&'a str>,
        "since" since: Option<&'a str>,
        /// `false` for a divided lot: other parts of it may be elsewhere.
        "certain" is_certain: bool,
    }

    /// What is missing from an answer.
    pub(super) Gap<'a> {
        "reason" reason: GapReason,
        /// The first 100 things that were not followed to the end.
        "at" at: Vec<&'a str>,
        /// Their number.
        "total" total: usize,
    }
}
