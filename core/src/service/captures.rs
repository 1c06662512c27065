//! Capture, and what is said of it: one work for every door.

use super::duplicates::{self, Differences};
use super::named;
use super::{Configuration, Service};
use crate::call::Call;
use crate::capture::{self, HashEventIds, Partial, Policy, Prepared, RefusedEvent};
use crate::error::{BindingFault, Error, ErrorKind, Finding};
use crate::hash::EventHash;
use crate::json::Document;
use crate::store::{CaptureId, DocumentDigest, ErrorBehaviour, NewJob, Receipt, Selection, Store};
use crate::translate::{self, FidelityReport};
use serde::Serialize;

/// What became of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Captured {
    /// The name of the capture job; none of a dry run.
    #[serde(rename = "captureID", skip_serializing_if = "Option::is_none")]
    pub capture_id: Option<String>,
    /// SHA-256 of the document as it was received: 64 lower-case hexadecimal digits.
    pub document: String,
    /// When it was recorded.
    pub record_time: String,
    /// Whether nothing was stored because nothing was to be.
    pub dry_run: bool,
    /// What became of its events, in its order.
    pub events: Vec<CapturedEvent>,
}

/// What became of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CapturedEvent {
    /// The name of the stored event: of the first one, where it was stored already.
    #[serde(rename = "eventID")]
    pub event_id: String,
    /// The hash of the event as it was sent; serialised as its URI.
    pub content_hash: EventHash,
    /// Whether it was stored already; not known of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicate: Option<bool>,
    /// The JSON Pointers, seen from the event, of what the hash leaves out and the stored event has not, or otherwise; `""` for
    /// the whole event, behind the first 99 of too many. Absent where nothing differs, or where nothing was compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
    /// `false` where a duplicate was not compared with what is stored: of one capture the first 1,000 are. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<bool>,
    /// The JSON Pointers of what was stripped, seen from the event.
    pub stripped: Vec<String>,
    /// `false` where the `eventID` begins as an event hash and holds for nothing: it was kept as a mere name, because that was
    /// asked for. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
}

/// How a document is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptureOptions {
    /// Do everything but store.
    pub dry_run: bool,
    /// What becomes of an `eventID` that is an event hash; `None` for what the deployment set.
    pub hash_event_ids: Option<HashEventIds>,
    /// What becomes of the capture where some of its events cannot be captured.
    pub behaviour: ErrorBehaviour,
    /// Which documents are taken.
    pub taken: Taken,
    /// Do not look for what differs between a duplicate and what is stored: nobody reads it.
    pub is_brief: bool,
}

/// Which documents a capture takes.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Taken {
    /// An EPCISDocument, a bare event, an array of bare events; at least one event.
    #[default]
    WithEvents,
    /// An EPCISQueryDocument, too, and documents without events.
    ///
    /// **Source**: EPCIS 2.0, 12.6.
    All,
}

/// What became of a single event that was to be captured.
///
/// Closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventCaptured {
    /// It is stored.
    Stored {
        /// Its name.
        event_id: String,
        /// The event, byte for byte as it is stored.
        event: String,
    },
    /// An event of its name, or the very same event, was stored before.
    Exists {
        /// The name of that event.
        event_id: String,
    },
}

/// What is captured, ready for the store.
struct Ready {
    prepared: Prepared,
    refused: Vec<RefusedEvent>,
    refused_count: usize,
}

impl<S: Store> Service<S> {
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
    /// use epcis_edge_core::call::{Call, Principal};
    /// use epcis_edge_core::service::{Configuration, Service};
    /// let service = Service::new(Configuration::at("https://epcis.example.com"));
    /// let call = Call::new(1_772_618_430_000, Principal::local("https://example.com/accounts/1", "https://example.com/dock"));
    /// let event = br#"{
    ///     "@context": "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
    ///     "type": "ObjectEvent", "action": "OBSERVE", "epcList": ["urn:epc:id:sscc:9521141.1234567890"],
    ///     "eventTime": "2026-03-04T11:00:30.000+01:00", "eventTimeZoneOffset": "+01:00"
    /// }"#;
    /// let first = pollster::block_on(service.capture(event, false, &call))?;
    /// let again = pollster::block_on(service.capture(event, false, &call))?;
    /// assert_eq!(first.events[0].duplicate, Some(false));
    /// assert_eq!(again.events[0].duplicate, Some(true));
    /// assert_eq!(again.events[0].event_id, first.events[0].event_id);
    /// # Ok::<(), epcis_edge_core::error::Error>(())
    /// ```
    pub async fn capture(
        &self,
        document: &[u8],
        dry_run: bool,
        call: &Call,
    ) -> Result<Captured, Error> {
        let options = CaptureOptions {
            dry_run,
            ..CaptureOptions::default()
        };
        self.capture_as(document, options, call).await
    }

    /// Captures a document as [`capture`](Self::capture) does, in a manner of the caller's.
    ///
    /// # Errors
    /// As [`capture`](Self::capture); where the behaviour is to proceed, only for what leaves nothing to capture.
    pub async fn capture_as(
        &self,
        document: &[u8],
        options: CaptureOptions,
        call: &Call,
    ) -> Result<Captured, Error> {
        call.principal.require_capture()?;
        self.require_writable()?;
        let ready = self.ready(document, options, call).await?;
        self.store_ready(document, ready, None, options, call).await
    }

    /// Captures an EPCIS XML document: it is translated, and what it says is captured; its bytes are kept as they were received.
    ///
    /// # Errors
    /// As [`translate`](Self::translate) and [`capture_as`](Self::capture_as); [`ErrorKind::Invalid`] has the paths of the
    /// translation.
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
        let ready = self.ready(document.as_bytes(), options, call).await?;
        drop(document);
        self.store_ready(xml, ready, Some(report), options, call)
            .await
    }

    /// Captures one bare event, if there is none of its name.
    ///
    /// An error declaration has the name of the event that it declares wrong.
    ///
    /// # Errors
    /// [`BindingFault::NotABareEvent`]; as [`capture`](Self::capture).
    ///
    /// **Source**: EPCIS 2.0, 12 (`POST /events`).
    pub async fn capture_event(&self, event: &[u8], call: &Call) -> Result<EventCaptured, Error> {
        call.principal.require_capture()?;
        self.require_writable()?;
        let declares_error = {
            let document = Document::read(event)?;
            let root = document.root();
            if root.get("type").is_none() || root.get("epcisBody").is_some() {
                return Err(BindingFault::NotABareEvent.into());
            }
            root.get("errorDeclaration").is_some()
        };
        let Ready { prepared, .. } = self.ready(event, CaptureOptions::default(), call).await?;
        let batch = prepared.batch;
        let [new] = batch.events.as_slice() else {
            return Err(BindingFault::NotABareEvent.into());
        };
        let (event_id, stored) = (new.event_id.clone(), new.event.clone());
        let mut job = NewJob::of(&call.principal.account, batch.record_time);
        job.unless_named = (!declares_error).then(|| event_id.clone());
        self.store.keep(&batch.document, event).await?;
        let receipt = match self.store.append(&batch, &job).await {
            Ok(receipt) => receipt,
            // Whatever the store says: where the name is taken, that is why.
            Err(error) => {
                let account = &call.principal.account;
                return if !declares_error && self.is_taken(&event_id, account).await? {
                    Ok(EventCaptured::Exists { event_id })
                } else {
                    Err(error)
                };
            }
        };
        let first = receipt.events.into_iter().next();
        Ok(match first.filter(|appended| appended.duplicate) {
            Some(known) => EventCaptured::Exists {
                event_id: known.event_id.unwrap_or(event_id),
            },
            None => EventCaptured::Stored {
                event_id,
                event: stored,
            },
        })
    }

    /// Whether an account has an event of this name that declares no error.
    async fn is_taken(&self, event_id: &str, account: &str) -> Result<bool, Error> {
        let query = crate::query::Query::named(event_id);
        let selection = Selection {
            predicate: &query.predicate,
            accounts: Some(&[account]),
            order: crate::query::Order::default(),
            after: None,
            upper: None,
            limit: 100,
            bytes: 1 << 20,
        };
        let selected = self.store.select(&selection).await?;
        Ok(selected.events.iter().any(|stored| {
            let event = Document::read(stored.event.as_bytes());
            event.is_ok_and(|event| {
                let name = event.root().get("eventID").and_then(|name| name.as_str());
                stored.captured_by == account
                    && name.as_deref() == Some(event_id)
                    && event.root().get("errorDeclaration").is_none()
            })
        }))
    }

    /// What is to be captured of a document.
    async fn ready(
        &self,
        document: &[u8],
        options: CaptureOptions,
        call: &Call,
    ) -> Result<Ready, Error> {
        let Configuration {
            extension_namespace,
            allowed_contexts,
            hash_event_ids,
            max_capture_events,
            ..
        } = &self.configuration;
        let policy = Policy {
            namespace: extension_namespace,
            allowed_contexts,
            hash_event_ids: options.hash_event_ids.unwrap_or(*hash_event_ids),
            max_events: *max_capture_events,
        };
        let master_data = capture::master_data(document)?;
        let first = self.partial(document, options.behaviour, &policy, call);
        let mut partial = match first {
            Err(error) if options.taken == Taken::All => match error.kind() {
                ErrorKind::NotCapturable => self.of_results(document, options, &policy, call)?,
                // The schema accepts it: it says nothing, and that is kept.
                ErrorKind::NoEvents if is_object(document) => Partial::nothing(document, call),
                _ => return Err(error),
            },
            other => other?,
        };
        self.settle(&mut partial, options.behaviour, call).await?;
        let Partial {
            prepared,
            refused,
            refused_count,
            ..
        } = partial;
        if prepared.batch.events.is_empty() && !refused.is_empty() {
            let errors = refused.into_iter().flat_map(|refused| refused.errors);
            let errors = errors.take(crate::validate::MAX_ERRORS).collect();
            return Err(Error::new(ErrorKind::Invalid { errors }));
        }
        self.require_checks(document, call.now)?;
        let mut prepared = prepared;
        prepared.batch.master_data = master_data;
        Ok(Ready {
            prepared,
            refused,
            refused_count,
        })
    }

    /// The events that can be captured: all of them, where the others must not be missing.
    fn partial(
        &self,
        document: &[u8],
        behaviour: ErrorBehaviour,
        policy: &Policy<'_>,
        call: &Call,
    ) -> Result<Partial, Error> {
        let validator = self.validator();
        match capture::prepare(document, validator, policy, call) {
            Ok(prepared) => Ok(Partial {
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

    /// The same of an EPCISQueryDocument.
    fn of_results(
        &self,
        document: &[u8],
        options: CaptureOptions,
        policy: &Policy<'_>,
        call: &Call,
    ) -> Result<Partial, Error> {
        let text = capture::document_of_results(document, self.validator())?;
        let text = text.ok_or_else(|| Error::new(ErrorKind::NotCapturable))?;
        let mut partial = match self.partial(text.as_bytes(), options.behaviour, policy, call) {
            Err(error) if *error.kind() == ErrorKind::NoEvents => Partial::nothing(document, call),
            other => other.map_err(capture::of_results)?,
        };
        for refused in &mut partial.refused {
            let errors = std::mem::take(&mut refused.errors);
            refused.errors = errors.into_iter().map(capture::of_result).collect();
        }
        Ok(partial)
    }

    /// Stores what is ready, or says what would be stored.
    async fn store_ready(
        &self,
        received: &[u8],
        ready: Ready,
        report: Option<FidelityReport>,
        options: CaptureOptions,
        call: &Call,
    ) -> Result<Captured, Error> {
        let Ready {
            prepared,
            refused,
            refused_count,
        } = ready;
        let Prepared {
            mut batch,
            stripped,
            unverified,
            ..
        } = prepared;
        batch.document = DocumentDigest::of(received);
        let account = &call.principal.account;
        let receipt = if options.dry_run {
            None
        } else {
            let mut job = NewJob::of(account, batch.record_time);
            job.behaviour = options.behaviour;
            job.success = refused_count == 0;
            job.report = super::jobs::report(&refused, refused_count, report.as_ref())?;
            drop((refused, report));
            // First the evidence, then what refers to it: a document without events harms nobody.
            self.store.keep(&batch.document, received).await?;
            Some(self.store.append(&batch, &job).await?)
        };
        let mut differences = match &receipt {
            Some(receipt) if !options.is_brief => {
                duplicates::differences(&self.store, &batch, receipt, call).await
            }
            _ => Differences::new(),
        };
        let (number, appended) = match receipt {
            Some(Receipt { job, events }) => (Some(job), events),
            None => (None, Vec::new()),
        };
        let capture_id = number.map(|number| CaptureId::of(account, batch.record_time, number));
        let mut appended = appended.into_iter();
        let document = batch.document.to_string();
        // Each event goes as its answer comes: both together would be too much. Its name is copied, since one that stays behind
        // would keep the room around it from being used as a whole.
        let events = batch.events.into_iter().zip(stripped).enumerate();
        let events = events.map(|(index, (event, stripped))| {
            let appended = appended.next();
            let duplicate = appended.as_ref().map(|appended| appended.duplicate);
            let first = appended.and_then(|appended| appended.event_id);
            let differs = differences.remove(&index);
            CapturedEvent {
                event_id: first.unwrap_or_else(|| event.event_id.clone()),
                content_hash: event.content_hash,
                duplicate,
                compared: (duplicate == Some(true) && differs.is_none()).then_some(false),
                differs: differs.unwrap_or_default(),
                stripped,
                verified: unverified.binary_search(&index).is_ok().then_some(false),
            }
        });
        Ok(Captured {
            capture_id: capture_id.map(|id| id.to_string()),
            document,
            record_time: batch.record_time.to_string(),
            dry_run: options.dry_run,
            events: events.collect(),
        })
    }

    /// Asks for the events that error declarations name by a hash which is not their own: in the batch, then in the store.
    async fn settle(
        &self,
        partial: &mut Partial,
        behaviour: ErrorBehaviour,
        call: &Call,
    ) -> Result<(), Error> {
        let mut dropped: Vec<(usize, Vec<Finding>)> = Vec::new();
        for claim in std::mem::take(&mut partial.prepared.claims) {
            let events = &partial.prepared.batch.events;
            let Some(declaration) = events.get(claim.index) else {
                continue;
            };
            let name = declaration.event_id.clone();
            let is_beside = events.iter().any(|event| {
                !event.identity.declares_error
                    && event.event_id == name
                    && claim.content_hashes.contains(&event.content_hash)
            });
            let hashes = claim.content_hashes.map(|hash| hash.to_string());
            let account = &call.principal.account;
            let is_confirmed =
                is_beside || named::is_stored(&self.store, &name, &hashes, account).await?;
            if let Err(error) = partial.prepared.settle(&claim, is_confirmed) {
                match error.kind() {
                    ErrorKind::Invalid { errors } if behaviour == ErrorBehaviour::Proceed => {
                        dropped.push((claim.index, errors.clone()));
                    }
                    _ => return Err(error),
                }
            }
        }
        partial.drop_events(dropped);
        // The answer looks them up.
        partial.prepared.unverified.sort_unstable();
        Ok(())
    }
}

/// Whether a text that is JSON is an object.
fn is_object(text: &[u8]) -> bool {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    text.trim_ascii_start().starts_with(b"{")
}
