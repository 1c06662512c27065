//! Capture jobs: what became of captures.

use super::Service;
use crate::call::Call;
use crate::capture::RefusedEvent;
use crate::error::{BindingFault, Error, ErrorKind, ExceptionType, Problem};
use crate::json::to_text;
use crate::store::{CaptureId, Store, StoredJob};
use crate::translate::FidelityReport;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;

/// How many problems the report of a job lists, and how many bytes they have.
const MAX_PROBLEMS: usize = 1000;
const MAX_REPORT: usize = 256 << 10;

/// How many names of events a job tells.
const MAX_NAMES: usize = 1000;

/// A capture job, as it is answered.
///
/// **Shape**: `captureID`, `createdAt`, `finishedAt`, `running`, `success`, `captureErrorBehaviour`, `errors`, and members
/// that begin with `epcisEdge:`. It is over when it can be asked for: `running` is false.
///
/// **Source**: EPCIS 2.0, 12.6.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct CaptureJob(Map<String, Json>);

/// A page of jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobPage {
    /// The jobs, the newest first.
    pub jobs: Vec<CaptureJob>,
    /// The number behind which older ones follow; none where this is the last page.
    pub next: Option<u64>,
}

impl<S: Store> Service<S> {
    /// The jobs of the caller's account, the newest first, from a place on.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] without the right to capture; a fault of the storage.
    pub async fn jobs(
        &self,
        before: Option<u64>,
        limit: usize,
        call: &Call,
    ) -> Result<JobPage, Error> {
        call.principal.require_capture()?;
        let account = &call.principal.account;
        let found = self.store.jobs(account, before, limit).await?;
        // The numbers of an account's jobs leave no gap.
        let last = found.last().map(|job| job.number);
        let jobs: Result<_, Error> = found
            .into_iter()
            .map(|job| answered(account, job))
            .collect();
        Ok(JobPage {
            jobs: jobs?,
            next: last.filter(|number| *number > 1),
        })
    }

    /// A job of the caller's account, by its name.
    ///
    /// # Errors
    /// [`BindingFault::NoSuchJob`]; [`ErrorKind::Forbidden`] without the right to capture; a fault of the storage.
    pub async fn job(&self, id: &str, call: &Call) -> Result<CaptureJob, Error> {
        call.principal.require_capture()?;
        let account = &call.principal.account;
        let absent = || Error::from(BindingFault::NoSuchJob { id: id.to_owned() });
        // What cannot be a name is looked up all the same, so that no answer comes sooner than another.
        let asked = CaptureId::parse(id);
        let number = asked.map_or(0, |id| id.number);
        let found = self
            .store
            .jobs(account, Some(number.saturating_add(1)), 1)
            .await?;
        let job = found.into_iter().next().ok_or_else(absent)?;
        if asked != Some(CaptureId::of(account, job.time, job.number)) {
            return Err(absent());
        }
        let names = self
            .store
            .job_events(account, job.number, MAX_NAMES)
            .await?;
        let mut answer = answered(account, job)?;
        answer
            .0
            .insert("epcisEdge:eventIDs".to_owned(), json!(names.stored));
        answer
            .0
            .insert("epcisEdge:duplicates".to_owned(), json!(names.duplicates));
        Ok(answer)
    }
}

fn answered(account: &str, job: StoredJob) -> Result<CaptureJob, Error> {
    let time = job.time.to_string();
    let mut members = Map::new();
    let mut put = |name: &str, value: Json| {
        members.insert(name.to_owned(), value);
    };
    put(
        "captureID",
        CaptureId::of(account, job.time, job.number)
            .to_string()
            .into(),
    );
    put("createdAt", time.as_str().into());
    put("finishedAt", time.into());
    put("running", false.into());
    put("success", job.success.into());
    put("captureErrorBehaviour", job.behaviour.as_str().into());
    put("errors", json!([]));
    put("epcisEdge:document", job.document.into());
    put("epcisEdge:eventCount", job.events.into());
    put("epcisEdge:duplicateCount", job.duplicates.into());
    let report: Map<String, Json> = serde_json::from_str(&job.report).map_err(internal)?;
    members.extend(report);
    Ok(CaptureJob(members))
}

/// The members of a job that tell what could not be captured, and what became of XML.
///
/// # Errors
/// [`ErrorKind::Internal`] where they cannot be written, which cannot be.
pub(super) fn report(
    refused: &[RefusedEvent],
    refused_count: usize,
    fidelity: Option<&FidelityReport>,
) -> Result<String, Error> {
    let mut members = Map::new();
    if !refused.is_empty() {
        let mut problems = Vec::new();
        let mut bytes = 0;
        for event in refused {
            let problem = serde_json::to_value(problem(event)).map_err(internal)?;
            bytes += problem.to_string().len();
            if problems.len() == MAX_PROBLEMS || bytes > MAX_REPORT {
                break;
            }
            problems.push(problem);
        }
        let more = refused_count.saturating_sub(problems.len());
        if more > 0 {
            let rest = Problem {
                detail: Some(format!("{more} more events were not stored")),
                ..no_event()
            };
            problems.push(serde_json::to_value(rest).map_err(internal)?);
        }
        members.insert("errors".to_owned(), problems.into());
        members.insert("epcisEdge:refusedCount".to_owned(), refused_count.into());
    }
    if let Some(fidelity) = fidelity {
        // Many notes are not even written, to learn how long they are.
        let written = match fidelity.notes().len() <= MAX_PROBLEMS {
            true => to_text(fidelity)?,
            false => String::new(),
        };
        let is_told = !written.is_empty() && written.len() <= MAX_REPORT;
        let told = if is_told {
            serde_json::from_str(&written).map_err(internal)?
        } else {
            json!({
                "roundTripClean": fidelity.is_round_trip_clean(),
                "lossyPaths": [],
                "notes": format!(
                    "{} paths are lossy, too much to be kept here: POST /translate tells them all",
                    fidelity.lossy_path_count()
                ),
            })
        };
        members.insert("epcisEdge:fidelityReport".to_owned(), told);
    }
    Ok(Json::Object(members).to_string())
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
            first.unwrap_or_default()
        )),
        errors: event.errors.clone(),
        ..no_event()
    }
}

fn internal(error: serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal {
        detail: error.to_string(),
    })
}
