//! `tools/call`, in this order: find the tool, read its arguments, authenticate the caller, do the work. What is wrong with arguments is
//! said after that, so a caller without a key learns nothing about them.

use super::Transport;
use super::arguments::{Arguments, within_limit};
use super::fault::Fault;
use super::message::is_null;
use super::rpc_result::{Content, RpcResult, shorten};
use super::tools::{self, Tool};
use crate::call::{Call, Incoming};
use crate::capture::HashEventIds;
use crate::query::{FEED_CURSOR, MAX_PER_PAGE, Query};
use crate::service::{CaptureOptions, ElementQuestion, Envelope, Service, Translated};
use epcis_edge_document::calculation::into_envelope;
use epcis_edge_document::validate::XmlVerdict;
use epcis_edge_history::follow::Request;
use epcis_edge_reports::{ReportName, ReportRequest, Scope};
use epcis_edge_text::error::{Error, ErrorKind, Problem};
use epcis_edge_text::json::{Document, Kind, Value, to_text};
use epcis_edge_text::slice::OrEmpty;
use std::ops::Range;

/// The allowed values of `eventIDs` in a capture.
const HASH_EVENT_IDS: &str = "`verify` or `keep`";

/// The most events that `follow` returns to an agent, unless it asks for another number: an agent reads the whole answer.
const MAX_FOLLOWED: usize = 100;

/// The most events of a report for an agent, unless it asks for another number.
const MAX_REPORTED: usize = 500;

/// A call of a known tool, with its arguments read.
///
/// It refers to the message only by byte ranges, so that the message's document is freed before the work begins.
pub(super) struct ToolCall {
    tool: Tool,
    work: Result<Work, Error>,
}

/// The work that a call requests.
enum Work {
    Capture {
        /// The byte range of the document in the message.
        document: Range<usize>,
        options: CaptureOptions,
    },
    Query(Query),
    GetEvent {
        event_id: String,
        token: Option<String>,
    },
    Trace {
        epc: String,
        per_page: Option<u64>,
        token: Option<String>,
    },
    Translate {
        xml: String,
    },
    Follow(Request),
    Report(ReportRequest),
    MasterData {
        question: ElementQuestion,
        per_page: Option<usize>,
        token: Option<String>,
    },
    Prove {
        event_id: String,
        declaration: Option<usize>,
    },
    /// Done while the arguments were read: the work needs no key and no store.
    Done(Content),
}

impl ToolCall {
    /// # Errors
    /// A fault if no tool can be called: the name is missing or unknown, or the arguments are not an object. Errors in the
    /// arguments are refusals of the tool instead, returned by [`result`](Self::result).
    pub(super) fn read(
        service: &Service,
        params: Option<Value<'_>>,
        transport: Transport<'_>,
        now: u64,
    ) -> Result<Self, Fault> {
        let member = |name| params.and_then(|params: Value<'_>| params.get(name));
        let Some(name) = member("name").and_then(Value::as_str) else {
            return Err(Fault::params("expected the member `name`, as a string"));
        };
        let tool = tools::named(&name, transport)
            .ok_or_else(|| Fault::no_such_tool(&name, &tools::names(transport)))?;
        let arguments = member("arguments").filter(|arguments| !is_null(*arguments));
        if arguments.is_some_and(|arguments| arguments.kind() != Kind::Object) {
            return Err(Fault::params("expected the member `arguments` to be an object"));
        }
        let work = Work::read(service, tool, arguments, now);
        Ok(Self { tool, work })
    }

    /// The answer of the tool, or its refusal. The caller is checked first, then the arguments; then the work may fail.
    pub(super) async fn result(
        self,
        service: &Service,
        message: &[u8],
        transport: Transport<'_>,
        visit: &Incoming<'_>,
    ) -> RpcResult {
        match self.done(service, message, transport, visit).await {
            Ok(content) => RpcResult::content(content, None),
            Err(error) => refusal(&error),
        }
    }

    async fn done(
        self,
        service: &Service,
        message: &[u8],
        transport: Transport<'_>,
        visit: &Incoming<'_>,
    ) -> Result<Content, Error> {
        let call = match self.tool {
            Tool::Capture
            | Tool::Query
            | Tool::GetEvent
            | Tool::Trace
            | Tool::Follow
            | Tool::Report
            | Tool::MasterData
            | Tool::Prove => Some(admitted(service, transport, visit).await?),
            Tool::Translate => {
                visit.admitted().await?;
                None
            }
            Tool::Resolve | Tool::Subscribe | Tool::Local(_) => None,
        };
        let work = self.work?;
        let no_call = || Error::impossible("a tool that needs a key was not asked for one");
        let call = call.as_ref().ok_or_else(no_call);
        Ok(match work {
            Work::Capture { document, options } => {
                let document = message.get(document).or_empty();
                let call = call?;
                visit.admitted_length(document.len()).await?;
                let captured = service.capture_as(document, options, call).await?;
                Content::of(Envelope::Ok(captured))
            }
            Work::Query(query) => Content::of(service.query(&query, call?).await?),
            Work::GetEvent { event_id, token } => {
                Content::of(service.get_event(&event_id, token, call?).await?)
            }
            Work::Trace { epc, per_page, token } => {
                Content::of(service.trace(&epc, per_page, token, call?).await?)
            }
            Work::Follow(request) => Content::of_text(service.follow(&request, call?).await?),
            Work::Report(request) => {
                Content::of_text(service.report(&request, call?).await?.to_json()?)
            }
            Work::MasterData { question, per_page, token } => {
                let found = service.elements(&question, per_page, token.as_deref(), call?);
                Content::of(found.await?)
            }
            Work::Translate { xml } => {
                visit.admitted_length(xml.len()).await?;
                translate(service, &xml)?
            }
            Work::Prove { event_id, declaration } => {
                let proven = service.prove(&event_id, declaration, call?).await?;
                Content::of(Envelope::Ok(proven))
            }
            Work::Done(content) => content,
        })
    }
}

impl Work {
    fn read(
        service: &Service,
        tool: Tool,
        arguments: Option<Value<'_>>,
        now: u64,
    ) -> Result<Self, Error> {
        match tool {
            Tool::Capture => {
                let arguments = Arguments::read(arguments, &["document", "dryRun", "eventIDs"])?;
                let named = |word: &str| match word {
                    "keep" => Some(HashEventIds::Report),
                    "verify" => Some(HashEventIds::Refuse),
                    _ => None,
                };
                let options = CaptureOptions {
                    dry_run: arguments.flag("dryRun")?,
                    hash_event_ids: arguments.word("eventIDs", named, HASH_EVENT_IDS)?,
                    ..CaptureOptions::default()
                };
                let document = arguments.document("document")?;
                let text = document.source();
                within_limit(service, text)?;
                let document = document.offset()..document.offset() + text.len();
                Ok(Self::Capture { document, options })
            }
            Tool::Query => query(arguments).map(Self::Query),
            Tool::GetEvent => {
                let arguments = Arguments::read(arguments, &["eventID", "nextPageToken"])?;
                let event_id =
                    arguments.text("eventID", "the `eventID` of an event, or its hash")?;
                Ok(Self::GetEvent { event_id: event_id.into_owned(), token: arguments.token()? })
            }
            Tool::Trace => {
                let arguments = Arguments::read(arguments, &["epc", "perPage", "nextPageToken"])?;
                let epc =
                    arguments.text("epc", "an EPC as URN or GS1 Digital Link, or a pattern")?;
                Ok(Self::Trace {
                    epc: epc.into_owned(),
                    per_page: arguments.page_size()?,
                    token: arguments.token()?,
                })
            }
            Tool::Follow => {
                let none = Document::read(b"{}")?;
                let arguments = arguments.unwrap_or(none.root());
                let mut request = Request::read(arguments)?;
                if arguments.get("maxEvents").is_none() {
                    request.max_events = MAX_FOLLOWED;
                }
                Ok(Self::Follow(request))
            }
            Tool::Report => {
                const REPORT: &str = "report";
                let none = Document::read(b"{}")?;
                let asked = arguments.unwrap_or(none.root());
                let name = asked.get(REPORT).and_then(Value::as_str).or_empty();
                let name = ReportName::read(&name)?;
                let mut request = ReportRequest::read_beside(name, asked, &[REPORT])?;
                if let Scope::Items(followed) = &mut request.scope
                    && asked.get("maxEvents").is_none()
                {
                    followed.max_events = MAX_REPORTED;
                }
                Ok(Self::Report(request))
            }
            Tool::MasterData => {
                let names = ["ids", "type", "at", "perPage", "nextPageToken"];
                let arguments = Arguments::read(arguments, &names)?;
                let kind =
                    arguments.optional_text("type", "a type such as `Location`, or a URI")?;
                let at = arguments.optional_text("at", "a time such as 2026-03-04T11:00:30Z")?;
                let ids = arguments.texts("ids", "an array of identifiers")?;
                let per_page = arguments.page_size()?.map(usize::try_from);
                Ok(Self::MasterData {
                    question: ElementQuestion::new(kind.as_deref(), ("ids", ids), at.as_deref())?,
                    per_page: per_page.map(|size| size.unwrap_or(MAX_PER_PAGE).min(MAX_PER_PAGE)),
                    token: arguments.token()?,
                })
            }
            Tool::Translate => {
                let arguments = Arguments::read(arguments, &["xml"])?;
                let xml = arguments.text("xml", "an EPCIS XML document, as a text")?;
                within_limit(service, &xml)?;
                let xml = xml.into_owned();
                Ok(Self::Translate { xml })
            }
            Tool::Prove => {
                let arguments = Arguments::read(arguments, &["eventID", "declaration"])?;
                let event_id =
                    arguments.text("eventID", "the `eventID` of an event, or its hash")?;
                Ok(Self::Prove {
                    event_id: event_id.into_owned(),
                    declaration: arguments.ordinal("declaration")?,
                })
            }
            Tool::Local(local) => local.done(service, arguments, now).map(Self::Done),
            // These tools are listed so that callers learn where else to go.
            Tool::Resolve => Err(not_served("resolve", resolver_home(service))),
            Tool::Subscribe => {
                let instead = "standing subscriptions are not served, this deployment answers pull queries only: call query in the \
                               order of recording, and again with its feedCursor for what was recorded since";
                Err(not_served("subscribe", instead.to_owned()))
            }
        }
    }
}

/// The result of a call that is refused.
pub(super) fn refusal(error: &Error) -> RpcResult {
    let mut problem = Problem::from(error);
    shorten(&mut problem.errors, |error| &mut error.message);
    let detail = error.for_the_log().map(str::to_owned);
    RpcResult::content(Content::of(problem).refused(), detail)
}

/// A call, if the caller is within the rate limit and has a valid key.
async fn admitted(
    service: &Service,
    transport: Transport<'_>,
    visit: &Incoming<'_>,
) -> Result<Call, Error> {
    visit.admitted().await?;
    let principal = match transport {
        Transport::Http(headers) => service.authenticate(headers.authorization).await?,
        Transport::Local(principal) => principal.clone(),
    };
    Ok(Call::new(visit.now, principal))
}

/// The query in the arguments. Page size and page token may be given among its parameters or beside them, but not both.
fn query(arguments: Option<Value<'_>>) -> Result<Query, Error> {
    let arguments =
        Arguments::read(arguments, &["query", "perPage", "nextPageToken", FEED_CURSOR])?;
    let (per_page, token) = (arguments.page_size()?, arguments.token()?);
    let feed_cursor = arguments.feed_cursor()?;
    let parameters = arguments.object("query")?;
    let has = |name| parameters.is_some_and(|parameters| parameters.get(name).is_some());
    for (name, is_given) in [("perPage", per_page.is_some()), ("nextPageToken", token.is_some())] {
        if is_given && has(name) {
            let name = name.to_owned();
            return Err(Error::new(ErrorKind::RepeatedArgument { name }));
        }
    }
    let query = parameters.map_or_else(|| Ok(Query::default()), Query::read)?;
    query.paged(per_page, token)?.following(feed_cursor)
}

fn translate(service: &Service, xml: &str) -> Result<Content, Error> {
    match service.translate_text(xml)? {
        Translated::Valid(mut translation) => {
            shorten_verdict(&mut translation.source_verdict);
            let (text, _) = into_envelope(*translation)?;
            Ok(Content::of_text(text))
        }
        Translated::Invalid(mut invalid) => {
            shorten_verdict(&mut invalid.source_verdict);
            shorten(&mut invalid.errors, |error| &mut error.error.message);
            let text = to_text(&invalid.problem())?;
            Ok(Content::of_text(text).refused())
        }
    }
}

/// Shortens the errors in the verdict on a source.
fn shorten_verdict(verdict: &mut Option<XmlVerdict>) {
    if let Some(verdict) = verdict {
        shorten(&mut verdict.errors, |error| &mut error.message);
    }
}

fn not_served(tool: &'static str, instead: String) -> Error {
    Error::new(ErrorKind::ToolNotServed { tool, instead })
}

fn resolver_home(service: &Service) -> String {
    match service.configuration().family.resolver_url() {
        Some(resolver) => format!(
            "identity resolution is homed at {resolver}, ask there; nothing is resolved here"
        ),
        None => "identity resolution is homed elsewhere, and this deployment names no resolver; nothing is resolved here"
            .to_owned(),
    }
}
