//! The shapes of what is written or read without a type: answers that are put together as text, requests, and documents of the
//! standard. Tests compare them with answers.

use epcis_edge_core::capture::UnverifiedName;
use epcis_edge_core::error::Problem;
use epcis_edge_core::follow::{MAX_DEPTH, MAX_EVENTS, MAX_ITEM, MAX_ITEMS};
use epcis_edge_core::translate::FidelityReport;
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
        #[schemars(extend("const" = epcis_edge_core::log::PROOFS))]
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
}
