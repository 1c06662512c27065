//! `POST /capture`, `POST /events` and the jobs.

use super::query_string::Page;
use super::{BindingRequest, discovery, headers, query_string};
use crate::call::{Call, Incoming};
use crate::rest::answer::Answer;
use crate::rest::media::{AnswerForm, BodyFormat};
use crate::rest::{Body, body, media};
use crate::service::{AcceptedDocuments, CaptureOptions, EventCaptured, Service, Translated};
use epcis_edge_text::error::{
    BindingFault, DocumentError, Error, ErrorKind, ExceptionType, Problem,
};
use epcis_edge_text::slice::OrEmpty;
use http::StatusCode;
use http::header::LOCATION;

/// The problem response to an error. If a capture limit was exceeded, it states both limits.
pub(super) fn refusal(service: &Service, error: &Error) -> Answer {
    let answer = Answer::problem(error);
    if Problem::from(error).exception == ExceptionType::CaptureLimitExceeded {
        discovery::with_limits(service, answer)
    } else {
        answer
    }
}

impl BindingRequest<'_> {
    /// `POST /capture`: the answer is sent when the capture, and with it the job, is finished.
    pub(super) async fn capture(
        &self,
        body: &mut dyn Body,
        call: &Call,
        visit: &Incoming<'_>,
    ) -> Result<Answer, Error> {
        call.principal.require_capture()?;
        query_string::nothing(self.head)?;
        let sent = media::body_format(self.head)?;
        headers::require_versions(self.head, sent == BodyFormat::Xml)?;
        let options = CaptureOptions {
            behaviour: headers::error_behaviour(self.head)?,
            accepted: AcceptedDocuments::All,
            ..CaptureOptions::default()
        };
        let limit = self.service.configuration().max_body_bytes;
        let text = body::read(self.head, body, limit).await?;
        visit.admitted_length(text.len()).await?;
        let captured = match sent {
            BodyFormat::Json => self.service.capture_as(&text, options, call).await,
            BodyFormat::Xml => self.service.capture_xml(&text, options, call).await,
        };
        let captured = match captured {
            Err(error) if sent == BodyFormat::Xml => return self.refused_xml(&text, error),
            other => other?,
        };
        let id = captured.capture_id.or_empty();
        Ok(Answer::empty(StatusCode::ACCEPTED).with(LOCATION, self.address_of("/capture", &id)))
    }

    /// If the schema refuses a translation, the refusal includes locations in the XML and the fidelity report.
    fn refused_xml(&self, xml: &[u8], error: Error) -> Result<Answer, Error> {
        if !matches!(error.kind(), ErrorKind::Invalid { .. }) {
            return Err(error);
        }
        let Translated::Invalid(invalid) = self.service.translate(xml)? else {
            return Err(error);
        };
        let problem = invalid.problem();
        let answer = Answer::extended_problem(problem.problem.status, &problem)?;
        Ok(answer.translated(&invalid.fidelity_report))
    }

    /// `POST /events`.
    pub(super) async fn capture_event(
        &self,
        body: &mut dyn Body,
        call: &Call,
        visit: &Incoming<'_>,
    ) -> Result<Answer, Error> {
        call.principal.require_capture()?;
        query_string::nothing(self.head)?;
        media::require_plain(self.head)?;
        media::require_json(self.head)?;
        headers::require_versions(self.head, false)?;
        let form = media::accepted(self.head, true)?;
        let limit = self.service.configuration().max_body_bytes;
        let text = body::read(self.head, body, limit).await?;
        visit.admitted_length(text.len()).await?;
        match self.service.capture_event(&text, call).await? {
            EventCaptured::Stored { event_id, event } => {
                let location = self.address_of("/events", &event_id);
                let answer = match form {
                    AnswerForm::Xml => super::events::as_xml(&event)?,
                    AnswerForm::Json => Answer::json(event),
                    AnswerForm::JsonLd => Answer::json_ld_text(event),
                };
                Ok(self.created(answer, location))
            }
            EventCaptured::Exists { event_id, differs } => {
                let instance = self.absolute("/events", &event_id);
                let differs = differs.iter().map(DocumentError::from).collect();
                Err(BindingFault::EventExists { event_id, instance, differs }.into())
            }
            EventCaptured::NameTaken { event_id } => {
                let instance = self.absolute("/events", &event_id);
                Err(BindingFault::NameTaken { event_id, instance }.into())
            }
        }
    }

    /// `GET /capture`: the jobs of the account, the newest first.
    pub(super) async fn jobs(&self, call: &Call) -> Result<Answer, Error> {
        const LIST: &str = "jobs";
        media::accepted(self.head, false)?;
        let page = Page::of(self.head)?;
        let (limit, place) = self.place(LIST, &page, call)?;
        let before = match place.map(|place| place.parse()) {
            None => None,
            Some(place) => Some(place.map_err(|_| Error::new(ErrorKind::PageToken))?),
        };
        let found = self.service.jobs(before, limit, call).await?;
        let answer = Answer::json_of(&found.jobs)?;
        let holder = self.holder(call);
        let token = found.next.map(|next| holder.place_token(LIST, limit, &next.to_string()));
        Ok(self.linked(answer, &self.address("/capture"), token, call))
    }
}
