//! The operations of the gateway, each defined once and typed; HTTP and JSON-RPC are left to the doors.

mod by_field;
mod by_leaf;
mod captures;
mod checks;
mod demo;
mod elements;
mod envelope;
mod family;
mod follow;
mod jobs;
mod log;
mod master_data;
mod named;
mod origins;
mod pricing;
mod queries;
mod query_document;
mod recording;
mod reports;
mod right_to_query;
mod settings;
mod spelling;
mod values;

pub use captures::{AcceptedDocuments, CaptureOptions, Captured, CapturedEvent, EventCaptured};
pub use demo::{DemoEvent, DemoFilter};
pub use elements::{Element, ElementPage, ElementQuestion, MAX_ELEMENT_IDS};
pub use envelope::Envelope;
pub use epcis_edge_document::calculation::{
    Calculation, FailedTranslation, Hashes, InvalidTranslation, Translated, TranslationError,
    TranslationFacts,
};
pub use family::{Family, FamilyEdge, FamilyService};
pub use jobs::{CaptureJob, JobPage};
pub use log::{
    CheckFault, Checked, Integrated, LogSettings, LogState, LogStatus, MAX_LEAVES, MAX_PROOFS,
    Ordered, ProofsPage, Proven, ServedLog, ShownLog, WitnessSeen, Witnesses,
};
pub use origins::Origins;
pub use pricing::{Pricing, PricingModel};
pub use queries::{MAX_NAMED_QUERIES, MAX_QUERY_DEFINITION, MAX_QUERY_NAME};
pub use query_document::{Found, QueryDocument};
pub use settings::{SETTINGS, SettingFault};
pub use spelling::{Spelling, respelt};
pub use values::{MAX_LOOKED_UP, ValuePage, ValuePlace};

use crate::capture::HashEventIds;
use crate::store::{MemoryStore, Store};
use epcis_edge_document::validate::{Validator, Verdict};
use epcis_edge_text::error::{Error, ErrorKind};
use std::rc::Rc;

/// How many seconds callers are told to wait before they retry a capture, in read-only mode.
const READ_ONLY_FOR: u16 = 120;

/// The settings of a deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The base address, without a slash at its end.
    pub base_url: String,
    /// The namespace of the gateway's own extension members, as `STD-Extensions` announces it.
    pub extension_namespace: String,
    /// The siblings of this service and their relations.
    pub family: Family,
    /// The largest request body accepted, in bytes.
    pub max_body_bytes: usize,
    /// The most events that one capture may contain.
    pub max_capture_events: usize,
    /// Which web pages may call the agent door.
    pub origins: Origins,
    /// Prefixes of the context addresses that captured events may name, besides the official ones: see
    /// [`Policy::allowed_contexts`](crate::capture::Policy::allowed_contexts).
    pub allowed_contexts: Vec<String>,
    /// How identifiers are spelt in answers of the REST binding, if the caller does not say.
    pub epc_format: DefaultEpcFormat,
    /// How an `eventID` that is an event hash is treated, if the caller does not say.
    pub hash_event_ids: HashEventIds,
    /// The packs of checks whose errors refuse a capture. Unknown names are errors: see
    /// [`Checks::named`](epcis_edge_rules::Checks::named).
    pub required_checks: Vec<String>,
    /// Whether the service is read-only: captures and named queries are refused, queries are answered.
    pub read_only: bool,
    /// The settings of the transparency log, if one is kept.
    pub log: Option<LogSettings>,
    /// What is wrong with the settings of the log. If set, no log is kept, and requests for it fail with this text.
    pub log_fault: Option<String>,
}

/// How identifiers are spelt in answers of the REST binding, if the caller does not say.
///
/// Closed.
///
/// **Source**: EPCIS 2.0, 12 (`GS1-EPC-Format`), whose default is `DigitalLink`. Here the default is the stored spelling: an
/// event must come back as it was captured, and a proof covers the stored bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DefaultEpcFormat {
    /// As they were captured.
    #[default]
    AsStored,
    /// As GS1 Digital Links.
    DigitalLink,
}

impl DefaultEpcFormat {
    /// The format that a word of the standard names: `Never_Translates` or `Always_GS1_Digital_Link`.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "Never_Translates" => Some(Self::AsStored),
            "Always_GS1_Digital_Link" => Some(Self::DigitalLink),
            _ => None,
        }
    }
}

impl Configuration {
    /// 10 MiB.
    pub const DEFAULT_MAX_BODY_BYTES: usize = 10 * 1024 * 1024;

    /// The most events of a capture, unless the deployment sets another limit.
    pub const DEFAULT_MAX_CAPTURE_EVENTS: usize = crate::capture::MAX_EVENTS;

    /// The configuration of a service at this base address, such as `https://epcis.example.com`, with a trailing slash or
    /// without.
    #[must_use]
    pub fn at(base_url: &str) -> Self {
        let base_url = base_url.trim_end_matches('/');
        Self {
            base_url: base_url.to_owned(),
            extension_namespace: format!("{base_url}/ns/spine/"),
            family: Family::of_one(base_url),
            origins: Origins::of(base_url),
            ..Self::without_address()
        }
    }

    /// The configuration of a service without an address: for the calculators in a page or in a program.
    #[must_use]
    pub fn without_address() -> Self {
        Self {
            base_url: String::new(),
            extension_namespace: String::new(),
            family: Family::default(),
            max_body_bytes: Self::DEFAULT_MAX_BODY_BYTES,
            max_capture_events: Self::DEFAULT_MAX_CAPTURE_EVENTS,
            origins: Origins::default(),
            allowed_contexts: Vec::new(),
            epc_format: DefaultEpcFormat::default(),
            hash_event_ids: HashEventIds::default(),
            required_checks: Vec::new(),
            read_only: false,
            log: None,
            log_fault: None,
        }
    }
}

/// The operations of the gateway.
///
/// The calculators need no store; capture and queries do.
pub struct Service {
    configuration: Configuration,
    store: Rc<dyn Store>,
    validator: Validator,
}

impl Service {
    /// A service with a store in memory, which lasts as long as the service; nothing is computed yet.
    #[must_use]
    pub fn new(configuration: Configuration) -> Self {
        Self::with_store(configuration, Rc::new(MemoryStore::new()))
    }

    /// A service over a store; nothing is computed yet.
    #[must_use]
    pub fn with_store(configuration: Configuration, store: Rc<dyn Store>) -> Self {
        Self { configuration, store, validator: Validator::default() }
    }

    /// The store of the events.
    #[must_use]
    pub fn store(&self) -> &Rc<dyn Store> {
        &self.store
    }

    /// The settings of the deployment.
    #[must_use]
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// # Errors
    /// [`ErrorKind::ReadOnly`] in read-only mode.
    pub(crate) fn require_writable(&self) -> Result<(), Error> {
        if self.configuration.read_only {
            let seconds = READ_ONLY_FOR;
            return Err(Error::new(ErrorKind::ReadOnly { seconds }));
        }
        Ok(())
    }

    /// Judges the text of an EPCISDocument, an EPCISQueryDocument or a bare event: see [`Validator::judge`].
    ///
    /// # Errors
    /// As [`Validator::judge`].
    pub fn validate(&self, text: &[u8]) -> Result<Verdict, Error> {
        self.validator().judge(text)
    }

    /// The validator that checks streams against the official schema.
    #[must_use]
    pub fn validator(&self) -> &Validator {
        &self.validator
    }

    /// Translates EPCIS 1.x and 2.0 XML to EPCIS 2.0 JSON-LD and validates both: the source against the XML schema, the result
    /// against the JSON schema; see [`epcis_edge_document::translate`].
    ///
    /// # Errors
    /// As [`translate`](epcis_edge_document::translate::translate).
    pub fn translate<'x>(&self, xml: &'x [u8]) -> Result<Translated<'x>, Error> {
        Translated::judge(epcis_edge_document::translate::translate(xml)?, &self.validator)
    }

    /// Translates XML that is already decoded text, whatever encoding its declaration names, and validates only the result
    /// against the JSON schema: see [`epcis_edge_document::translate`].
    ///
    /// # Errors
    /// As [`translate_text`](epcis_edge_document::translate::translate_text).
    pub fn translate_text<'x>(&self, xml: &'x str) -> Result<Translated<'x>, Error> {
        Translated::judge(epcis_edge_document::translate::translate_text(xml)?, &self.validator)
    }

    /// The demo events that match the filter, in the order of their story.
    #[must_use]
    pub fn demo_events(&self, filter: &DemoFilter) -> Vec<DemoEvent> {
        demo::events(filter)
    }

    /// What the service costs.
    #[must_use]
    pub fn pricing(&self) -> Pricing {
        Pricing::free()
    }

    /// The siblings of this service and their relations.
    #[must_use]
    pub fn family(&self) -> &Family {
        &self.configuration.family
    }
}
