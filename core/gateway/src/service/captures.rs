//! Captures and their answers, shared by every door.

use super::Service;
use super::jobs::MAX_LISTED;
use super::named;
use super::recording::{BatchFindings, name_taken};
use crate::call::Call;
use crate::capture::{
    self, Difference, EventsAt, HashEventIds, PartialCapture, Policy, Prepared, UnverifiedName,
};
use crate::store::{
    AlreadyStored, AppendResult, CaptureId, DocumentDigest, ErrorBehaviour, NameSource, NewJob,
    Receipt,
};
use epcis_edge_document::hash::EventHash;
use epcis_edge_document::translate::{self, FidelityReport};
use epcis_edge_text::error::{BindingFault, DocumentError, Error, ErrorKind};
use epcis_edge_text::slice::OrEmpty;
use serde::Serialize;

/// The result of a capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Captured {
    /// The name of the capture job; absent after a dry run.
    #[serde(rename = "captureID", skip_serializing_if = "Option::is_none")]
    pub capture_id: Option<String>,
    /// SHA-256 of the document as it was received: 64 lower-case hexadecimal digits.
    pub document: String,
    /// When the capture was recorded; for a dry run, when it was requested.
    pub record_time: String,
    /// Whether nothing was stored because a dry run was requested.
    pub dry_run: bool,
    /// The results for its events, in document order.
    pub events: Vec<CapturedEvent>,
    /// The first 1,000 events whose `eventID` is a hash that does not match the event; it was kept as a plain name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unverified: Vec<UnverifiedName>,
}

/// The result for one event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CapturedEvent {
    /// The name of the stored event; for a duplicate, that of the event stored first.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The name that a duplicate was sent with, if it is a new name of the stored event. Queries find the event by it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// The hash of the event as it was sent; serialised as its URI.
    pub content_hash: EventHash,
    /// Whether the event was stored already or occurs earlier in the document.
    pub duplicate: bool,
    /// How a duplicate differs from the stored event: in spelling, in order, and in what the hash leaves out. Absent if nothing
    /// differs, or if nothing was compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<Difference>,
    /// `false` if a duplicate was not compared with the stored event. The first 1,000 duplicates of a capture are compared,
    /// until their differences exceed a megabyte. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<bool>,
    /// The JSON Pointers of what was stripped, relative to the event.
    pub stripped: Vec<String>,
    /// `false` if the `eventID` is a hash that does not match the event. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
}

/// How a document is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptureOptions {
    /// Do everything but store.
    pub dry_run: bool,
    /// How an `eventID` that is an event hash is treated; `None` for the deployment's setting.
    pub hash_event_ids: Option<HashEventIds>,
    /// What happens to the capture if some of its events cannot be captured.
    pub behaviour: ErrorBehaviour,
    /// Which documents are accepted.
    pub accepted: AcceptedDocuments,
}

/// Which documents a capture accepts.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AcceptedDocuments {
    /// An EPCISDocument, a bare event or an array of bare events, with at least one event.
    #[default]
    WithEvents,
    /// Also an EPCISQueryDocument, and documents without events.
    ///
    /// **Source**: EPCIS 2.0, 12.6.
    All,
}

/// The result of capturing a single event.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventCaptured {
    /// The event is stored: it is new, or it was stored before and has now got this further name.
    Stored {
        /// The name that it was sent with, or the one that was made for it.
        event_id: String,
        /// The event, byte for byte as it is stored.
        event: String,
    },
    /// The same event was stored already; it gets no further name.
    Exists {
        /// The name it was sent with, or that of the stored event if it had none.
        event_id: String,
        /// How the stored event differs from the one that was sent.
        differs: Vec<Difference>,
    },
    /// Another event has the same name.
    NameTaken {
        /// The name.
        event_id: String,
    },
}

/// A document checked and ready for the store, with the fidelity report if it was XML.
struct CheckedCapture {
    partial: PartialCapture,
    report: Option<FidelityReport>,
}

/// How often a capture retries when others store the same events or names meanwhile.
const ATTEMPTS: usize = 8;

impl Service {
    /// Captures a document: all of its events, or none.
    ///
    /// **Shape**: see [`capture::prepare`].
    /// A dry run does everything but store.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] without the right to capture; those of [`capture::prepare`]; a fault of the storage.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_gateway::call::{Call, Principal};
    /// use epcis_edge_gateway::service::{Configuration, Service};
    /// let service = Service::new(Configuration::at("https://epcis.example.com"));
    /// let call = Call::new(1_772_618_430_000, Principal::local("https://example.com/accounts/1", "https://example.com/dock"));
    /// let event = br#"{
    ///     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
    ///     "type": "ObjectEvent", "action": "OBSERVE", "epcList": ["urn:epc:id:sscc:9521141.1234567890"],
    ///     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00"
    /// }"#;
    /// let first = pollster::block_on(service.capture(event, false, &call))?;
    /// let again = pollster::block_on(service.capture(event, false, &call))?;
    /// assert!(!first.events[0].duplicate);
    /// assert!(again.events[0].duplicate);
    /// assert_eq!(again.events[0].event_id, first.events[0].event_id);
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    pub async fn capture(
        &self,
        document: &[u8],
        dry_run: bool,
        call: &Call,
    ) -> Result<Captured, Error> {
        let options = CaptureOptions { dry_run, ..CaptureOptions::default() };
        self.capture_as(document, options, call).await
    }

    /// Captures a document as [`capture`](Self::capture) does, with options.
    ///
    /// # Errors
    /// As [`capture`](Self::capture); with [`ErrorBehaviour::Proceed`], only errors that leave nothing to capture.
    pub async fn capture_as(
        &self,
        document: &[u8],
        options: CaptureOptions,
        call: &Call,
    ) -> Result<Captured, Error> {
        call.principal.require_capture()?;
        self.require_writable()?;
        let partial = self.checked(document, options, call).await?;
        let report = None;
        self.store_checked(document, CheckedCapture { partial, report }, options, call).await
    }

    /// Captures an EPCIS XML document: its translation is captured, and its bytes are kept as they were received.
    ///
    /// # Errors
    /// As [`translate`](Self::translate) and [`capture_as`](Self::capture_as); the paths of [`ErrorKind::Invalid`] lead into
    /// the translation.
    pub async fn capture_xml(
        &self,
        xml: &[u8],
        options: CaptureOptions,
        call: &Call,
    ) -> Result<Captured, Error> {
        call.principal.require_capture()?;
        self.require_writable()?;
        let (document, report) = {
            let translation = translate::translate_unjudged(xml)?;
            let limit = self.configuration.max_capture_events;
            if translation.metered_events > limit {
                return Err(BindingFault::TooManyEvents { limit }.into());
            }
            (translation.document, translation.fidelity_report)
        };
        let partial = self.checked(document.as_bytes(), options, call).await?;
        drop(document);
        let report = Some(report);
        self.store_checked(xml, CheckedCapture { partial, report }, options, call).await
    }

    /// Captures one bare event, unless it is stored already or another event has its name.
    ///
    /// An error declaration may have the same name as the event that it declares wrong.
    ///
    /// # Errors
    /// [`BindingFault::NotABareEvent`]; as [`capture`](Self::capture).
    ///
    /// **Source**: EPCIS 2.0, 12 (`POST /events`).
    pub async fn capture_event(&self, event: &[u8], call: &Call) -> Result<EventCaptured, Error> {
        call.principal.require_capture()?;
        self.require_writable()?;
        let options = CaptureOptions::default();
        let partial = self.checked(event, options, call).await?;
        let prepared = &partial.prepared;
        let [new] = prepared.batch.events.as_slice() else {
            return Err(BindingFault::NotABareEvent.into());
        };
        if prepared.events_at != EventsAt::Root {
            return Err(BindingFault::NotABareEvent.into());
        }
        let event_id = new.event_id.clone();
        self.store.keep(&prepared.batch.document, event).await?;
        let mut known = AlreadyStored::default();
        for _ in 0..ATTEMPTS {
            let findings =
                self.findings(&prepared.batch, &known, &self.policy(options), call).await?;
            if !findings.conflicts.is_empty() {
                return Ok(EventCaptured::NameTaken { event_id });
            }
            if let Some(stored) = findings.duplicates.get(&0)
                && findings.aliases.is_empty()
            {
                let differs = findings.differences.get(&0).cloned().or_empty();
                // No alias is needed, so a name that it was sent with is one of the stored event's names.
                let event_id = match new.name {
                    NameSource::Made => stored.clone(),
                    NameSource::Given | NameSource::GivenHash => event_id,
                };
                return Ok(EventCaptured::Exists { event_id, differs });
            }
            let job = job_of(&partial, &findings, None, options.behaviour, call)?;
            match self.store.append(&prepared.batch, &job).await? {
                AppendResult::Done(receipt) => {
                    let event = match findings.duplicates.get(&0) {
                        None => new.recorded_at(receipt.record_time),
                        Some(_) => self.stored_text(&known, call).await?,
                    };
                    return Ok(EventCaptured::Stored { event_id, event });
                }
                AppendResult::Unexpected => {
                    let account = &call.principal.account;
                    known = self.store.known(&prepared.batch, account).await?;
                }
            }
        }
        Err(contended())
    }

    /// The text of the one event in `known`.
    async fn stored_text(&self, known: &AlreadyStored, call: &Call) -> Result<String, Error> {
        let sequence = known.events.first().map(|event| event.sequence);
        let sequences = sequence.map(|sequence| [sequence]).or_empty();
        let read = self.store.numbered(&sequences, call.limits.page_bytes);
        let stored = read.await?.into_iter().next();
        let stored =
            stored.ok_or_else(|| Error::impossible("an event that was found is not there"))?;
        Ok(stored.event)
    }

    /// The policy of a capture: its options, and the deployment's settings.
    fn policy(&self, options: CaptureOptions) -> Policy<'_> {
        let configuration = &self.configuration;
        Policy {
            namespace: &configuration.extension_namespace,
            allowed_contexts: &configuration.allowed_contexts,
            hash_event_ids: options.hash_event_ids.unwrap_or(configuration.hash_event_ids),
            max_events: configuration.max_capture_events,
        }
    }

    /// Validates a document and returns the events to capture.
    async fn checked(
        &self,
        document: &[u8],
        options: CaptureOptions,
        call: &Call,
    ) -> Result<PartialCapture, Error> {
        let policy = self.policy(options);
        let first = self.partial(document, options.behaviour, &policy, call);
        let mut partial = match first {
            Err(error) if options.accepted == AcceptedDocuments::All => match error.kind() {
                ErrorKind::NotCapturable => self.of_results(document, options, &policy, call)?,
                // The schema accepts a document without events; it is kept.
                ErrorKind::NoEvents if is_object(document) => {
                    PartialCapture::without_events(document, call)?
                }
                _ => return Err(error),
            },
            other => other?,
        };
        self.resolve_claims(&mut partial, options.behaviour, call).await?;
        partial.require_any()?;
        self.require_checks(document, call.now)?;
        Ok(partial)
    }

    /// The events that can be captured: all of them, or an error, unless `behaviour` is [`ErrorBehaviour::Proceed`].
    fn partial(
        &self,
        document: &[u8],
        behaviour: ErrorBehaviour,
        policy: &Policy<'_>,
        call: &Call,
    ) -> Result<PartialCapture, Error> {
        let validator = self.validator();
        match capture::prepare(document, validator, policy, call) {
            Ok(prepared) => Ok(PartialCapture {
                places: (0..prepared.batch.events.len()).collect(),
                prepared,
                refused: Vec::new(),
                refused_count: 0,
            }),
            Err(error) => match error.kind() {
                ErrorKind::Invalid { .. }
                | ErrorKind::CaptureTooComplex { .. }
                | ErrorKind::PreHashTooLong { .. }
                    if behaviour == ErrorBehaviour::Proceed =>
                {
                    capture::prepare_valid(document, validator, policy, call, error)
                }
                _ => Err(error),
            },
        }
    }

    /// The events of an EPCISQueryDocument that can be captured.
    fn of_results(
        &self,
        document: &[u8],
        options: CaptureOptions,
        policy: &Policy<'_>,
        call: &Call,
    ) -> Result<PartialCapture, Error> {
        let text = capture::document_of_results(document, self.validator())?;
        let text = text.ok_or_else(|| Error::new(ErrorKind::NotCapturable))?;
        match self.partial(text.as_bytes(), options.behaviour, policy, call) {
            Err(error) if *error.kind() == ErrorKind::NoEvents => {
                PartialCapture::without_events(document, call)
            }
            Err(error) => Err(capture::of_results(error)),
            Ok(partial) => Ok(partial.in_results()),
        }
    }

    /// Stores what is ready; for a dry run, works out what would be stored.
    async fn store_checked(
        &self,
        received: &[u8],
        checked: CheckedCapture,
        options: CaptureOptions,
        call: &Call,
    ) -> Result<Captured, Error> {
        let CheckedCapture { mut partial, report } = checked;
        partial.prepared.batch.document = DocumentDigest::of(received);
        let account = &call.principal.account;
        if !options.dry_run {
            // The document is kept before the events that refer to it: a document without events does no harm.
            let document = partial.prepared.batch.document;
            self.store.keep(&document, received).await?;
        }
        // Stored events are looked up only after an append has met some. A dry run appends nothing, so it looks them up first.
        let batch = &partial.prepared.batch;
        let mut known = match options.dry_run {
            true => self.store.known(batch, account).await?,
            false => AlreadyStored::default(),
        };
        let mut left = ATTEMPTS;
        let (findings, receipt) = loop {
            left = left.checked_sub(1).ok_or_else(contended)?;
            let batch = &partial.prepared.batch;
            let policy = self.policy(options);
            let findings = self.findings(batch, &known, &policy, call).await?;
            if !findings.conflicts.is_empty() {
                refuse_names(&mut partial, &findings.conflicts, options.behaviour)?;
                // The positions of the events have changed.
                let batch = &partial.prepared.batch;
                known = self.store.known(batch, account).await?;
                continue;
            }
            if options.dry_run {
                break (findings, None);
            }
            let job = job_of(&partial, &findings, report.as_ref(), options.behaviour, call)?;
            match self.store.append(batch, &job).await? {
                AppendResult::Done(receipt) => break (findings, Some(receipt)),
                AppendResult::Unexpected => known = self.store.known(batch, account).await?,
            }
        };
        Ok(captured(partial, findings, receipt, account))
    }

    /// Settles error declarations whose name is the hash of another event: looks for that event in the batch, then in the
    /// store.
    async fn resolve_claims(
        &self,
        partial: &mut PartialCapture,
        behaviour: ErrorBehaviour,
        call: &Call,
    ) -> Result<(), Error> {
        let mut dropped: Vec<(usize, Vec<DocumentError>)> = Vec::new();
        for claim in std::mem::take(&mut partial.prepared.claims) {
            let events = &partial.prepared.batch.events;
            let Some(declaration) = events.get(claim.index) else {
                continue;
            };
            let name = declaration.event_id.clone();
            let is_beside = events.iter().any(|event| {
                !event.identity.declares_error()
                    && event.event_id == name
                    && claim.content_hashes.contains(&event.content_hash)
            });
            let hashes = claim.content_hashes.map(|hash| hash.to_string());
            let account = &call.principal.account;
            let is_confirmed =
                is_beside || named::is_stored(&*self.store, &name, &hashes, account).await?;
            let place = partial.place(claim.index);
            let path = partial.prepared.events_at.name_pointer(place);
            if let Err(error) = partial.prepared.resolve_claim(&claim, is_confirmed, path) {
                match error.kind() {
                    ErrorKind::Invalid { errors } if behaviour == ErrorBehaviour::Proceed => {
                        dropped.push((claim.index, errors.clone()));
                    }
                    _ => return Err(error),
                }
            }
        }
        partial.drop_events(dropped);
        // Sorted for the binary search in `captured`.
        partial.prepared.unverified.sort_by_key(|name| name.index);
        Ok(())
    }
}

/// The capture job to store.
fn job_of(
    partial: &PartialCapture,
    findings: &BatchFindings,
    fidelity: Option<&FidelityReport>,
    behaviour: ErrorBehaviour,
    call: &Call,
) -> Result<NewJob, Error> {
    let mut job = NewJob::of(&call.principal.account);
    job.behaviour = behaviour;
    job.success = partial.refused_count == 0;
    job.report = super::jobs::report(partial, findings, fidelity)?;
    job.expected = findings.expected;
    job.aliases.clone_from(&findings.aliases);
    Ok(job)
}

/// Drops the events whose names belong to other events.
///
/// # Errors
/// [`ErrorKind::Invalid`] with [`ErrorBehaviour::Rollback`], or if no event is left.
fn refuse_names(
    partial: &mut PartialCapture,
    conflicts: &[usize],
    behaviour: ErrorBehaviour,
) -> Result<(), Error> {
    let prepared = &partial.prepared;
    let refused = conflicts.iter().map(|at| {
        let event = prepared.batch.events.get(*at);
        let name = event.map_or("", |event| event.event_id.as_str());
        let finding = DocumentError {
            path: prepared.events_at.name_pointer(partial.place(*at)),
            keyword: "uniqueEventID".to_owned(),
            message: name_taken(name),
        };
        (*at, vec![finding])
    });
    let refused: Vec<_> = refused.collect();
    if behaviour == ErrorBehaviour::Rollback {
        let errors = refused.into_iter().flat_map(|(_, findings)| findings);
        let errors = errors.take(epcis_edge_document::validate::MAX_ERRORS).collect();
        return Err(Error::invalid(errors));
    }
    partial.drop_events(refused);
    partial.require_any()
}

/// The answer to a capture; without a receipt, to a dry run.
fn captured(
    partial: PartialCapture,
    mut findings: BatchFindings,
    receipt: Option<Receipt>,
    account: &str,
) -> Captured {
    let names = partial.unverified().take(MAX_LISTED).collect();
    let Prepared { batch, stripped, unverified, .. } = partial.prepared;
    let record_time = receipt.map_or(batch.record_time, |receipt| receipt.record_time);
    let capture_id = receipt.map(|receipt| CaptureId::of(account, record_time, receipt.job));
    let document = batch.document.to_string();
    let mut aliases = findings.aliases.into_iter().peekable();
    // Each event is freed as its answer is made: all of both would take too much memory. The name is copied, since keeping its
    // allocation would fragment the freed memory.
    let events = batch.events.into_iter().zip(stripped).enumerate();
    let events = events.map(|(index, (event, stripped))| {
        let first = findings.duplicates.remove(&index);
        let differs = findings.differences.remove(&index);
        let is_unverified = unverified.binary_search_by_key(&index, |name| name.index);
        let is_alias = aliases.next_if_eq(&index).is_some();
        CapturedEvent {
            duplicate: first.is_some(),
            compared: (first.is_some() && differs.is_none()).then_some(false),
            event_id: first.unwrap_or_else(|| event.event_id.clone()),
            alias: is_alias.then(|| event.event_id.clone()),
            content_hash: event.content_hash,
            differs: differs.or_empty(),
            stripped,
            verified: is_unverified.is_ok().then_some(false),
        }
    });
    let events = events.collect();
    Captured {
        capture_id: capture_id.map(|id| id.to_string()),
        document,
        record_time: record_time.to_string(),
        dry_run: receipt.is_none(),
        events,
        unverified: names,
    }
}

/// The error after too many conflicts with concurrent captures.
fn contended() -> Error {
    Error::new(ErrorKind::Unavailable {
        seconds: 1,
        detail: "others store the same events or names at the same time".to_owned(),
    })
}

/// Whether a JSON text is an object.
fn is_object(text: &[u8]) -> bool {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    text.trim_ascii_start().starts_with(b"{")
}
