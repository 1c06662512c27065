//! Answers that consist of events: all matches, those with one value, those of a named query, and one event by its eventID.

use super::BindingRequest;
use super::headers::{self, EpcFormat};
use super::query_string::{self, QueryString};
use crate::call::Call;
use crate::query::{Continuation, Question, Start, require_size};
use crate::rest::LongPoll;
use crate::rest::answer::Answer;
use crate::rest::media::{self, AnswerForm};
use crate::service::{QueryDocument, Spelling, respelt};
use crate::store::NamedQuery;
use epcis_edge_document::translate::{XmlVersion, to_xml};
use epcis_edge_text::error::{BindingFault, Error, ErrorKind};
use epcis_edge_text::json::Document;
use http::header::HeaderName;
use serde_json::value::RawValue;

const EPC_FORMAT: HeaderName = HeaderName::from_static("gs1-epc-format");

/// The cursor for events recorded after this answer; only in answers in the order of recording.
const SPINE_FEED_CURSOR: HeaderName = HeaderName::from_static("spine-feed-cursor");

/// RFC 7240, 3.
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The form and the identifier format of an answer.
#[derive(Clone, Copy)]
struct AnswerFormat {
    form: AnswerForm,
    epc_format: EpcFormat,
}

impl BindingRequest<'_> {
    /// Events that match the query string, and the condition that the path adds.
    pub(super) async fn events(&self, fixed: Option<String>, call: &Call) -> Result<Answer, Error> {
        let query_string = query_string::read(self.head)?;
        let question = Question {
            name: None,
            parts: query_string.parameters.iter().cloned().chain(fixed).collect(),
        };
        self.page(question, &query_string, call).await
    }

    /// The events of a named query, which accepts paging and feed parameters only.
    pub(super) async fn query_events(
        &self,
        query: &NamedQuery,
        call: &Call,
    ) -> Result<Answer, Error> {
        let query_string = query_string::read(self.head)?;
        query_string.only_pages()?;
        self.page(query.question(), &query_string, call).await
    }

    async fn page(
        &self,
        question: Question,
        query_string: &QueryString,
        call: &Call,
    ) -> Result<Answer, Error> {
        let format = self.answer_format()?;
        let holder = self.holder(call);
        let mut query = question.query()?;
        let mut question = question;
        let mut start = Start::First;
        let token = query_string.page.token();
        if let Some((token, is_feed)) = token.map(|token| (token, false)).or(query_string.feed()) {
            call.principal.require_query()?;
            let continuation = match is_feed {
                true => Continuation::open_feed(token, &holder)?,
                false => Continuation::open(token, &holder)?,
            };
            let carried = continuation.question.clone();
            match carried.filter(|_| question.is_everything()) {
                Some(carried) => {
                    query = carried.query()?;
                    question = carried;
                }
                None if continuation.belongs_to(&query) => {}
                None => return Err(Error::new(ErrorKind::PageToken)),
            }
            if !is_feed {
                require_size(query_string.page.per_page, continuation.per_page)?;
            }
            query.per_page = continuation.per_page;
            start = match is_feed {
                true => Start::Since(continuation.cursor),
                false => Start::Behind(continuation.cursor),
            };
        }
        let query = query_string::sized(query, query_string.page.per_page);
        let query = query.following(query_string.feed_cursor.clone())?;
        let (mut document, places) = self.service.page_from(&query, start, call).await?;
        document.query_name = question.query_name().to_owned();
        let is_empty = document.events.is_empty() && places.next.is_none();
        let mut answer = self.document(document, format)?;
        if let Some(feed) = places.feed {
            let token = Continuation::of(&question, &query, feed).feed_token(&holder);
            answer = answer.with(SPINE_FEED_CURSOR, token);
            if let Some(seconds) = headers::wait(self.head) {
                answer = answer.with(PREFERENCE_APPLIED, format!("wait={seconds}"));
                if is_empty {
                    answer = answer.long_polled(LongPoll { seconds });
                }
            }
        }
        let Some(cursor) = places.next else { return Ok(answer) };
        let continuation = Continuation::of(&question, &query, cursor);
        let address = match continuation.question {
            Some(_) => self.address("/events"),
            None => self.request_address(),
        };
        Ok(self.linked(answer, &address, Some(continuation.token(&holder)), call))
    }

    /// One event with its error declarations.
    pub(super) async fn event(&self, event_id: &str, call: &Call) -> Result<Answer, Error> {
        let format = self.answer_format()?;
        let query = self.head.uri.query().unwrap_or("");
        let cut_name = form_urlencoded::parse(query.as_bytes())
            .any(|(name, _)| name == "ver" && event_id.starts_with("ni:"));
        if cut_name {
            return Err(BindingFault::PathValue {
                found: event_id.to_owned(),
                expected: "the whole name as one segment: the `?` before `ver` is written %3F in a path",
            }
            .into());
        }
        let page = query_string::Page::of(self.head)?;
        if page.per_page.is_some() {
            let (name, known) = ("perPage".to_owned(), "nextPageToken".to_owned());
            return Err(Error::new(ErrorKind::UnknownParameter { name, known }));
        }
        let token = page.token().map(str::to_owned);
        let mut document = self.service.get_event(event_id, token, call).await?;
        let next = document.next_page_token.take();
        let answer = self.document(document, format)?;
        Ok(self.linked(answer, &self.address_of("/events", event_id), next, call))
    }

    /// The form and the identifier format that the caller accepts.
    fn answer_format(&self) -> Result<AnswerFormat, Error> {
        let form = media::accepted(self.head, true)?;
        headers::require_cbv_xml_format(self.head, form == AnswerForm::Xml)?;
        let format = EpcFormat::requested(self.head)?;
        let format = format.unwrap_or(self.service.configuration().epc_format.into());
        Ok(AnswerFormat { form, epc_format: format })
    }

    fn document(&self, mut document: QueryDocument, format: AnswerFormat) -> Result<Answer, Error> {
        let spelling = match format.epc_format {
            EpcFormat::AsStored => None,
            EpcFormat::DigitalLink => Some(Spelling::DigitalLink),
            EpcFormat::Urn => Some(Spelling::EpcUrn),
        };
        if let Some(spelling) = spelling {
            for event in &mut document.events {
                let Some(text) = respelt(event.get(), spelling)? else {
                    return format.epc_format.refused(
                        "Never_Translates, Always_GS1_Digital_Link: a Digital Link of this answer does not tell its company prefix",
                    );
                };
                *event = RawValue::from_string(text).map_err(Error::impossible)?;
            }
        }
        let answer = match format.form {
            AnswerForm::Json => Answer::json_of(&document)?,
            AnswerForm::JsonLd => Answer::json_ld(&document)?,
            AnswerForm::Xml => {
                let text = serde_json::to_string(&document).map_err(Error::impossible)?;
                drop(document);
                as_xml(&text)?
            }
        };
        Ok(answer.with(EPC_FORMAT, format.epc_format.as_str().to_owned()))
    }
}

/// An event or a document as EPCIS 2.0 XML; the headers report whether anything is lost.
pub(super) fn as_xml(text: &str) -> Result<Answer, Error> {
    let written = to_xml(&Document::read(text.as_bytes())?, XmlVersion::V2_0)?;
    Ok(Answer::xml(written.document).translated(written.report.fidelity()))
}
