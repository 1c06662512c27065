//! The shapes of what is written or read without a type: answers that are put together as text, requests, and documents of the
//! standard. Tests compare them with answers.

use crate::capture::UnverifiedName;
use epcis_edge_document::translate::FidelityReport;
use epcis_edge_document::validate::XmlVerdict;
use epcis_edge_history::follow::{MAX_DEPTH, MAX_EVENTS, MAX_ITEM, MAX_ITEMS};
use epcis_edge_text::error::Problem;
use schemars::JsonSchema;
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Types of which only the schema is used.
macro_rules! shapes {
    ($($(#[$meta:meta])* $name:ident { $($(#[$of:meta])* $field:ident: $kind:ty,)* })*) => {$(
        #[derive(JsonSchema)]
        $(#[$meta])*
        #[schemars(rename_all = "camelCase")]
        #[expect(dead_code, reason = "its schema is made of it")]
        pub(super) struct $name { $($(#[$of])* $field: $kind,)* }
    )*};
}

shapes! {
    /// A collection that is empty.
    Empty {
        #[schemars(extend("const" = "EMPTY"))]
        r#type: String,
        message: String,
    }

    /// A refusal for lack of permission.
    Blocked {
        #[schemars(extend("const" = "BLOCKED"))]
        r#type: String,
        reason: String,
    }

    /// A translation, with its report and the verdict on its source.
    Translation {
        document: Object,
        fidelity_report: FidelityReport,
        metered_events: usize,
        #[schemars(extend("enum" = ["1.0", "1.1", "1.2", "2.0"]))]
        source_schema_version: String,
        source_verdict: XmlVerdict,
    }

    /// A JSON-RPC 2.0 response: a result, or an error whose `data` is a problem document if there is one.
    #[schemars(extend("additionalProperties" = true, "oneOf" = [{"required": ["result"]}, {"required": ["error"]}]))]
    Message {
        #[schemars(extend("const" = "2.0"))]
        jsonrpc: String,
        #[schemars(extend("type" = ["string", "integer", "null"]))]
        id: Value,
        result: Option<Object>,
        error: Option<MessageError>,
    }

    /// An error of JSON-RPC 2.0.
    #[schemars(extend("additionalProperties" = true))]
    MessageError {
        #[schemars(extend("type" = "integer"))]
        code: Value,
        message: String,
        data: Option<Object>,
    }

    /// A list of values of the standard.
    Collection {
        /// A context of JSON-LD.
        #[schemars(rename = "@context")]
        context: Value,
        #[schemars(extend("const" = "Collection"))]
        r#type: String,
        #[schemars(extend("uniqueItems" = true))]
        member: Vec<String>,
    }

    /// An EPCIS event as it is stored, as the official schema has it.
    #[schemars(extend("additionalProperties" = true, "required" = ["@context", "type", "eventTime", "eventTimeZoneOffset", "recordTime", "eventID"]))]
    Event {
        r#type: String,
        #[schemars(rename = "eventID")]
        event_id: String,
        #[schemars(extend("format" = "date-time"))]
        record_time: String,
    }

    /// An `EPCISQueryDocument`.
    QueryDocument {
        #[schemars(rename = "@context")]
        context: Vec<Value>,
        #[schemars(extend("const" = "EPCISQueryDocument"))]
        r#type: String,
        #[schemars(extend("const" = "2.0"))]
        schema_version: String,
        #[schemars(extend("format" = "date-time"))]
        creation_date: String,
        epcis_body: EpcisBody,
    }

    EpcisBody {
        query_results: QueryResults,
    }

    QueryResults {
        query_name: String,
        results_body: ResultsBody,
    }

    ResultsBody {
        event_list: Vec<Event>,
    }

    /// A capture job; it is over when it can be asked for. Lists have 1,000 entries at most.
    #[schemars(extend("additionalProperties" = true))]
    CaptureJob {
        #[schemars(rename = "captureID", regex(pattern = "^c-[0-9a-f]{32}$"))]
        capture_id: String,
        #[schemars(extend("format" = "date-time"))]
        created_at: String,
        #[schemars(extend("format" = "date-time"))]
        finished_at: String,
        #[schemars(extend("const" = false))]
        running: bool,
        /// Whether all events were stored.
        success: bool,
        #[schemars(extend("enum" = ["rollback", "proceed"]))]
        capture_error_behaviour: String,
        errors: Vec<Problem>,
        /// SHA-256 of the document as it was received.
        #[schemars(rename = "epcisEdge:document")]
        document: Option<String>,
        /// How many events were stored or were there already.
        #[schemars(rename = "epcisEdge:eventCount")]
        event_count: Option<i64>,
        /// How many of them were there already.
        #[schemars(rename = "epcisEdge:duplicateCount")]
        duplicate_count: Option<i64>,
        /// How many events were not stored.
        #[schemars(rename = "epcisEdge:refusedCount")]
        refused_count: Option<i64>,
        /// The names of what was stored; of a single job alone.
        #[schemars(rename = "epcisEdge:eventIDs")]
        event_ids: Option<Vec<String>>,
        /// The names of what was there already; of a single job alone.
        #[schemars(rename = "epcisEdge:duplicates")]
        duplicates: Option<Vec<String>>,
        #[schemars(rename = "epcisEdge:fidelityReport")]
        fidelity_report: Option<FidelityReport>,
        /// The duplicates that differ from what is stored, though the event hash is the same.
        #[schemars(rename = "epcisEdge:differs")]
        differs: Option<Vec<Differing>>,
        /// How many differ, if not all are listed.
        #[schemars(rename = "epcisEdge:differsCount")]
        differs_count: Option<i64>,
        /// The duplicates that were not compared with what is stored.
        #[schemars(rename = "epcisEdge:notComparedCount")]
        not_compared_count: Option<i64>,
        /// Names that were kept as further names of stored events.
        #[schemars(rename = "epcisEdge:aliases")]
        aliases: Option<Vec<Alias>>,
        /// How many were kept, if not all are listed.
        #[schemars(rename = "epcisEdge:aliasesCount")]
        aliases_count: Option<i64>,
        /// The `eventID`s that are event hashes, but not those of their events: kept as mere names.
        #[schemars(rename = "epcisEdge:unverified")]
        unverified: Option<Vec<UnverifiedName>>,
        /// How many there are, if not all are listed.
        #[schemars(rename = "epcisEdge:unverifiedCount")]
        unverified_count: Option<i64>,
    }

    Alias {
        #[schemars(rename = "eventID")]
        event_id: String,
        alias: String,
    }

    Differing {
        /// The name of what is stored.
        #[schemars(rename = "eventID")]
        event_id: String,
        /// Where the event is in what was sent.
        path: String,
        differs: Vec<Difference>,
    }

    Difference {
        /// JSON Pointer, relative to the event; empty for all the rest.
        path: String,
        /// What was sent there; absent if nothing was.
        #[schemars(skip_serializing_if = "Option::is_none")]
        sent: Option<Value>,
        /// In place of a long value.
        sent_bytes: Option<i64>,
        /// What is stored there; absent if nothing is.
        #[schemars(skip_serializing_if = "Option::is_none")]
        stored: Option<Value>,
        /// In place of a long value.
        stored_bytes: Option<i64>,
    }

    /// A page of events with their proofs, under one signed head.
    LogProofs {
        #[schemars(extend("const" = epcis_edge_log::PROOFS))]
        r#type: String,
        /// The signed head of the log, with the first cosignature of each witness.
        checkpoint: String,
        #[schemars(length(max = 200))]
        proofs: Vec<LogProof>,
        /// Events that have no leaf yet, or whose salt was removed.
        unproved: Vec<Unproved>,
        next_page_token: Option<String>,
    }

    LogProof {
        /// The event, byte for byte as it is stored.
        event: Object,
        /// Its leaf, counted from 0.
        index: u64,
        #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
        salt: String,
        /// What the leaf commits to.
        statement: String,
        /// Hashes in Base64, the leaf's sibling first.
        #[schemars(length(max = 63))]
        path: Vec<String>,
    }

    Unproved {
        #[schemars(rename = "eventID")]
        event_id: String,
        reason: String,
    }

    /// Items, and how far they are followed.
    FollowRequest {
        /// Instances, lots, classes (a GTIN stands for each of its lots and serials, and needs `from` and `to`), URIs of your own, in
        /// any spelling.
        #[schemars(extend("oneOf" = [
            {"type": "string"},
            {"type": "array", "minItems": 1, "maxItems": MAX_ITEMS, "items": {"type": "string", "maxLength": MAX_ITEM}},
        ]))]
        items: Value,
        #[schemars(extend("enum" = ["back", "forth", "both"], "default" = "both"))]
        direction: Option<String>,
        /// Only events at or after this time.
        #[schemars(extend("format" = "date-time"))]
        from: Option<String>,
        /// Only events before this time.
        #[schemars(extend("format" = "date-time"))]
        to: Option<String>,
        /// The most packings and transformations between an item and an event.
        #[schemars(range(min = 1, max = MAX_DEPTH), extend("default" = 32))]
        depth: Option<usize>,
        #[schemars(range(min = 1, max = MAX_EVENTS), extend("default" = 1000))]
        max_events: Option<usize>,
        /// Whether everything that is found is followed both ways; excludes `direction`.
        #[schemars(extend("default" = false))]
        kin: Option<bool>,
        #[schemars(length(min = 1), extend(
            "items" = {"enum": ["packing", "transformation", "association"]},
            "default" = ["packing", "transformation"],
        ))]
        through: Option<Vec<String>>,
        #[schemars(extend("enum" = ["listed", "followed", "none"], "default" = "listed"))]
        contents: Option<String>,
    }

    /// What happened to items.
    #[schemars(rename = "Followed")]
    Following {
        /// `EMPTY` if nothing names the items.
        #[schemars(extend("enum" = ["OK", "EMPTY"]))]
        r#type: String,
        items: Vec<String>,
        #[schemars(extend("enum" = ["back", "forth", "both"]))]
        direction: String,
        /// In the order of time, each once.
        events: Vec<FollowedEvent>,
        contents: Vec<Content>,
        ties: Vec<Tie>,
        things: Vec<Thing>,
        incomplete: Vec<Gap>,
        /// The places of the events that do not count, because the document has the same event before them: the same `eventID` and
        /// content.
        repeated: Option<Vec<i64>>,
    }

    /// An event of the answer.
    FollowedEvent {
        /// Its place in the document, from 0.
        index: i64,
        #[schemars(rename = "eventID")]
        event_id: Option<String>,
        event_time: Option<String>,
        /// The event itself.
        event: Event,
        /// Whether it counts for nothing: an error declaration withdraws it.
        withdrawn: bool,
        /// The error declaration that withdraws it.
        declaration: Option<Declaration>,
        /// An error declaration by an account that has no such event.
        disputed: Option<Declaration>,
        presences: Vec<Presence>,
    }

    /// What an error declaration says.
    #[schemars(rename = "FollowedDeclaration")]
    Declaration {
        at: Option<String>,
        reason: Option<String>,
        #[schemars(rename = "correctiveEventIDs")]
        corrective_event_ids: Vec<String>,
    }

    /// How a thing is present in an event.
    Presence {
        /// The thing, as canonical GS1 Digital Link where it has one.
        item: String,
        #[schemars(extend("enum" = ["named", "inside", "input", "output"]))]
        how: String,
        /// The field that names it, or names the container that it is inside of.
        role: String,
        /// The containers, from the one that is named to the innermost.
        through: Option<Vec<String>>,
        /// `false` where the way to it leads through a lot that was divided.
        certain: bool,
        /// Set if the thing was used up or deleted before.
        #[schemars(extend("const" = true))]
        after_end: Option<bool>,
    }

    /// What was inside of an item.
    Content {
        container: String,
        item: String,
        /// The containers between, from the outermost to the innermost.
        through: Vec<String>,
        from: Began,
        /// Absent if it is still inside.
        to: Option<Ended>,
        quantity: Option<Quantity>,
        certain: bool,
    }

    /// The event from which on it was inside.
    Began {
        #[schemars(rename = "eventID")]
        event_id: Option<String>,
        at: Option<String>,
        #[schemars(extend("const" = true))]
        observed: Option<bool>,
    }

    /// The event that took it out.
    Ended {
        #[schemars(rename = "eventID")]
        event_id: Option<String>,
        at: Option<String>,
        #[schemars(extend("const" = true))]
        implied: Option<bool>,
    }

    /// An event by name and time.
    #[schemars(rename = "EventName")]
    Moment {
        #[schemars(rename = "eventID")]
        event_id: Option<String>,
        at: Option<String>,
    }

    /// A quantity.
    #[schemars(rename = "FollowedQuantity")]
    Quantity {
        #[schemars(extend("type" = "number"))]
        quantity: Value,
        uom: Option<String>,
    }

    /// A tie between two things.
    Tie {
        from: String,
        to: String,
        #[schemars(extend("enum" = ["packed", "unpacked", "made", "associated"]))]
        kind: String,
        #[schemars(rename = "eventID")]
        event_id: Option<String>,
        at: Option<String>,
        quantity: Option<Quantity>,
    }

    /// A thing, and what is known of it.
    Thing {
        id: String,
        /// As it was first written.
        spelling: String,
        /// `sgtin`, `lgtin`, `gtin`, `sscc` and so on; `class` or `uri` for any other identifier.
        kind: String,
        began: Option<Moment>,
        ended: Option<Moment>,
        /// Where it was last; if not `certain`, it is a divided lot, of which other parts may be elsewhere.
        at: Option<Whereabouts>,
    }

    /// Where a thing was last.
    Whereabouts {
        place: Option<String>,
        inside: Option<String>,
        disposition: Option<String>,
        since: Option<String>,
        /// `false` for a divided lot: other parts of it may be elsewhere.
        certain: bool,
    }

    /// What is missing from an answer.
    Gap {
        #[schemars(extend("enum" = ["maxEvents", "depth", "time", "size"]))]
        reason: String,
        /// The first 100 things that were not followed to the end.
        at: Vec<String>,
        /// Their number.
        #[schemars(extend("type" = "integer"))]
        total: Value,
    }
}
