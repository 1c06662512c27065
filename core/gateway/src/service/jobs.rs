//! Capture jobs: the results of captures.

use super::Service;
use super::recording::BatchFindings;
use crate::call::Call;
use crate::capture::{Difference, PartialCapture, RefusedEvent};
use crate::store::{CaptureId, StoredJob};
use epcis_edge_document::translate::FidelityReport;
use epcis_edge_text::error::{BindingFault, Error, ExceptionType, Problem};
use epcis_edge_text::json::to_text;
use epcis_edge_text::slice::OrEmpty;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::json;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most entries in each list of an answer or of a job's report.
pub(super) const MAX_LISTED: usize = 1000;

/// The most bytes of the problems in a report, and of its fidelity report.
const MAX_REPORT: usize = 256 << 10;

/// The most bytes of each other list in a report.
const MAX_LIST: usize = 128 << 10;

/// The most event names that a job lists.
const MAX_NAMES: usize = 1000;

/// A capture job, as answered.
///
/// **Shape**: `captureID`, `createdAt`, `finishedAt`, `running`, `success`, `captureErrorBehaviour`, `errors`, and members
/// that begin with `epcisEdge:`. A job can be read only when it is over, so `running` is always false.
///
/// **Source**: EPCIS 2.0, 12.6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureJob {
    /// Names and values; the values are JSON texts, so that numbers keep their digits.
    members: Vec<(String, String)>,
}

impl CaptureJob {
    fn put<T: Serialize>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.put_text(name, to_text(value)?);
        Ok(())
    }

    fn put_text(&mut self, name: &str, text: String) {
        match self.members.iter_mut().find(|(known, _)| known == name) {
            Some((_, value)) => *value = text,
            None => self.members.push((name.to_owned(), text)),
        }
    }
}

impl Serialize for CaptureJob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.members.len()))?;
        for (name, text) in &self.members {
            let value: Result<&RawValue, _> = serde_json::from_str(text);
            map.serialize_entry(name, value.map_err(serde::ser::Error::custom)?)?;
        }
        map.end()
    }
}

/// A page of jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobPage {
    /// The jobs, the newest first.
    pub jobs: Vec<CaptureJob>,
    /// The `before` of the next page, which has older jobs; `None` on the last page.
    pub next: Option<u64>,
}

impl Service {
    /// The jobs of the caller's account before a number, the newest first.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`](epcis_edge_text::error::ErrorKind::Forbidden) without the right to capture; a fault of the storage.
    pub async fn jobs(
        &self,
        before: Option<u64>,
        limit: usize,
        call: &Call,
    ) -> Result<JobPage, Error> {
        call.principal.require_capture()?;
        let account = &call.principal.account;
        let found = self.store.jobs(account, before, limit).await?;
        // The numbers of an account's jobs have no gaps.
        let last = found.last().map(|job| job.number);
        let jobs: Result<_, Error> = found.into_iter().map(|job| answered(account, job)).collect();
        Ok(JobPage { jobs: jobs?, next: last.filter(|number| *number > 1) })
    }

    /// A job of the caller's account, by its name.
    ///
    /// # Errors
    /// [`BindingFault::NoSuchJob`]; [`ErrorKind::Forbidden`](epcis_edge_text::error::ErrorKind::Forbidden) without the right to capture; a fault of the storage.
    pub async fn job(&self, id: &str, call: &Call) -> Result<CaptureJob, Error> {
        call.principal.require_capture()?;
        let account = &call.principal.account;
        let absent = || Error::from(BindingFault::NoSuchJob { id: id.to_owned() });
        // Even an invalid name is looked up, so that its answer takes as long as another.
        let asked = CaptureId::parse(id);
        let number = asked.map_or(0, |id| id.number);
        let found = self.store.jobs(account, Some(number.saturating_add(1)), 1).await?;
        let job = found.into_iter().next().ok_or_else(absent)?;
        if asked != Some(CaptureId::of(account, job.time, job.number)) {
            return Err(absent());
        }
        let names = self.store.job_events(account, job.number, MAX_NAMES).await?;
        let mut answer = answered(account, job)?;
        answer.put("epcisEdge:eventIDs", &names.stored)?;
        answer.put("epcisEdge:duplicates", &names.duplicates)?;
        Ok(answer)
    }
}

fn answered(account: &str, job: StoredJob) -> Result<CaptureJob, Error> {
    let time = job.time.to_string();
    let id = CaptureId::of(account, job.time, job.number).to_string();
    let mut answer = CaptureJob { members: Vec::new() };
    answer.put("captureID", &id)?;
    answer.put("createdAt", &time)?;
    answer.put("finishedAt", &time)?;
    answer.put("running", &false)?;
    answer.put("success", &job.success)?;
    answer.put("captureErrorBehaviour", &job.behaviour.as_str())?;
    answer.put("errors", &[(); 0])?;
    answer.put("epcisEdge:document", &job.document)?;
    answer.put("epcisEdge:eventCount", &job.events)?;
    answer.put("epcisEdge:duplicateCount", &job.duplicates)?;
    let report: BTreeMap<String, &RawValue> =
        serde_json::from_str(&job.report).map_err(|fault| {
            let number = job.number;
            Error::impossible(format!("the report of job {number} cannot be read: {fault}"))
        })?;
    for (name, value) in report {
        answer.put_text(&name, value.get().to_owned());
    }
    Ok(answer)
}

/// Members of a job and their JSON texts.
type Members = BTreeMap<String, Box<RawValue>>;

/// The members of a job about refused events, differences from stored events, names, and the translation of XML.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if they cannot be serialised, which is impossible.
pub(super) fn report(
    partial: &PartialCapture,
    findings: &BatchFindings,
    fidelity: Option<&FidelityReport>,
) -> Result<String, Error> {
    let mut members = Members::new();
    let (refused, refused_count) = (&partial.refused, partial.refused_count);
    if !refused.is_empty() {
        let mut problems = listed(refused.iter().map(problem), MAX_REPORT)?;
        let more = refused_count.saturating_sub(problems.len());
        if more > 0 {
            let these = if more == 1 { "event was" } else { "events were" };
            let rest =
                Problem { detail: Some(format!("{more} more {these} not stored")), ..no_event() };
            problems.push(to_raw(&rest)?);
        }
        members.insert("errors".to_owned(), to_raw(&problems)?);
        members.insert("epcisEdge:refusedCount".to_owned(), to_raw(&refused_count)?);
    }
    if let Some(fidelity) = fidelity {
        members.insert("epcisEdge:fidelityReport".to_owned(), told(fidelity)?);
    }
    let prepared = &partial.prepared;
    let name_of = |position: usize| {
        let event = prepared.batch.events.get(position);
        event.map_or("", |event| event.event_id.as_str())
    };
    let aliases = findings.aliases.iter().map(|position| {
        let first = findings.duplicates.get(position);
        json!({"eventID": first, "alias": name_of(*position)})
    });
    let differing = findings.differences.iter().filter(|(_, differences)| !differences.is_empty());
    let differs_count = differing.clone().count();
    let differing = differing.map(|(position, differences)| Differing {
        event_id: findings.duplicates.get(position).map_or("", String::as_str),
        path: prepared.events_at.pointer(partial.place(*position)),
        differs: differences,
    });
    let not_compared = findings.duplicates.len() - findings.differences.len();
    let unverified_count = prepared.unverified.len();
    put_list(&mut members, "unverified", partial.unverified(), unverified_count)?;
    put_list(&mut members, "aliases", aliases, findings.aliases.len())?;
    put_list(&mut members, "differs", differing, differs_count)?;
    if not_compared > 0 {
        members.insert("epcisEdge:notComparedCount".to_owned(), to_raw(&not_compared)?);
    }
    serde_json::to_string(&members).map_err(Error::impossible)
}

/// A duplicate that differs from the event that is stored.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Differing<'f> {
    #[serde(rename = "eventID")]
    event_id: &'f str,
    /// Its place in the document sent, as a JSON Pointer.
    path: String,
    differs: &'f [Difference],
}

/// The first entries of a list, within [`MAX_LISTED`] entries and `limit` bytes.
fn listed<T: Serialize>(
    entries: impl Iterator<Item = T>,
    limit: usize,
) -> Result<Vec<Box<RawValue>>, Error> {
    let mut written = Vec::new();
    let mut bytes = 0;
    for entry in entries.take(MAX_LISTED) {
        let text = to_raw(&entry)?;
        bytes += text.get().len();
        if bytes > limit {
            break;
        }
        written.push(text);
    }
    Ok(written)
}

/// Adds a list to a job, unless it is empty, and the number of its entries if it lists only some.
fn put_list<T: Serialize>(
    members: &mut Members,
    name: &str,
    entries: impl Iterator<Item = T>,
    count: usize,
) -> Result<(), Error> {
    if count == 0 {
        return Ok(());
    }
    let written = listed(entries, MAX_LIST)?;
    members.insert(format!("epcisEdge:{name}"), to_raw(&written)?);
    if written.len() < count {
        members.insert(format!("epcisEdge:{name}Count"), to_raw(&count)?);
    }
    Ok(())
}

/// The fidelity report, or its summary if it is too long.
fn told(fidelity: &FidelityReport) -> Result<Box<RawValue>, Error> {
    // A report with many notes is too long; it is not serialised.
    if fidelity.notes().len() <= MAX_LISTED {
        let written = to_raw(fidelity)?;
        if written.get().len() <= MAX_REPORT {
            return Ok(written);
        }
    }
    let losses = fidelity.losses();
    to_raw(&json!({
        "roundTripClean": fidelity.is_round_trip_clean(),
        "lossyPaths": [],
        "notes": format!(
            "{} lossy paths, too many to keep here: POST /translate lists them all",
            fidelity.lossy_path_count()
        ),
        "noteList": [],
        "losses": losses,
        "summary": losses.summary(),
    }))
}

/// JSON text, so that numbers keep their digits.
fn to_raw<T: Serialize>(value: &T) -> Result<Box<RawValue>, Error> {
    serde_json::value::to_raw_value(value).map_err(Error::impossible)
}

fn no_event() -> Problem {
    Problem {
        exception: ExceptionType::Validation,
        title: Cow::Borrowed("Invalid event"),
        status: 400,
        detail: None,
        instance: None,
        location: None,
        errors: Vec::new(),
    }
}

fn problem(event: &RefusedEvent) -> Problem {
    let first = event.errors.first().map(|first| first.message.as_str());
    Problem {
        detail: Some(format!(
            "the event {} of the document was not stored: {}",
            event.index,
            first.or_empty()
        )),
        errors: event.errors.clone(),
        ..no_event()
    }
}
