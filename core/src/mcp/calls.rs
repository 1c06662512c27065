//! `tools/call`: a tool is known, its caller too, its arguments are read, its work is done; in this order.

use super::arguments::Arguments;
use super::fault::Fault;
use super::message::{Request, is_null};
use super::tools::{self, Tool};
use super::{Answered, Door};
use crate::call::{Call, Visit};
use crate::capture::HashEventIds;
use crate::error::{Error, ErrorKind, Problem};
use crate::json::{Kind, Value, push_string};
use crate::query::Query;
use crate::service::{CaptureOptions, Envelope, Service, Translated};
use crate::store::Store;
use crate::validate;
use serde::Serialize;
use std::fmt::Write as _;

/// What `eventIDs` of a capture may be.
const HASH_EVENT_IDS: &str = "`verify` or `keep`";

/// The structured content of a result.
pub(super) struct Content {
    text: String,
    is_error: bool,
}

impl Content {
    pub(super) fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
        written(value).map(|text| Self {
            text,
            is_error: false,
        })
    }

    fn refusal<T: Serialize>(problem: &T) -> Result<Self, Error> {
        written(problem).map(|text| Self {
            text,
            is_error: true,
        })
    }
}

fn written<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| {
        Error::new(ErrorKind::Internal {
            detail: error.to_string(),
        })
    })
}

/// The result of a call: what the tool answers, or its refusal.
///
/// # Errors
/// A fault where no tool was called: no name, an unknown one, arguments that are no object.
pub(super) async fn call<S: Store, A: AsyncFn() -> bool>(
    service: &Service<S>,
    request: &Request<'_>,
    door: Door<'_>,
    visit: &Visit<A>,
) -> Result<Answered, Fault> {
    let member = |name| {
        request
            .params
            .and_then(|params: Value<'_>| params.get(name))
    };
    let Some(name) = member("name").and_then(Value::as_str) else {
        return Err(Fault::params("expected the member `name`, as a string"));
    };
    let tool =
        tools::named(&name, door).ok_or_else(|| Fault::no_such_tool(&name, &tools::names(door)))?;
    let arguments = member("arguments").filter(|arguments| !is_null(*arguments));
    if arguments.is_some_and(|arguments| arguments.kind() != Kind::Object) {
        return Err(Fault::params(
            "expected the member `arguments` to be an object",
        ));
    }
    match done(service, tool, arguments, door, visit).await {
        Ok(content) => answered(content),
        Err(error) => refusal(&error),
    }
}

/// The result of a call that is refused.
///
/// # Errors
/// A fault where even that cannot be written.
pub(super) fn refusal(error: &Error) -> Result<Answered, Fault> {
    let mut problem = Problem::from(error);
    shorten(&mut problem.errors, |error| &mut error.message);
    let content = Content::refusal(&problem);
    let mut answered = answered(content.map_err(|error| internal(&error))?)?;
    if let ErrorKind::Internal { detail } = error.kind() {
        answered.detail = Some(detail.clone());
    }
    Ok(answered)
}

/// How many errors an answer lists: an agent reads all of it.
const MAX_ERRORS: usize = 50;

/// Leaves the first errors; the last one of them says how many more there are.
fn shorten<T>(errors: &mut Vec<T>, message: impl Fn(&mut T) -> &mut String) {
    let more = errors.len().saturating_sub(MAX_ERRORS);
    // What is listed elsewhere is cut itself.
    let at_least = if errors.len() >= validate::MAX_ERRORS {
        "at least "
    } else {
        ""
    };
    errors.truncate(MAX_ERRORS);
    if more > 0
        && let Some(last) = errors.last_mut()
    {
        let _ = write!(
            message(last),
            "; {at_least}{more} more errors are not listed"
        );
    }
}

fn answered(content: Content) -> Result<Answered, Fault> {
    let Content { text, is_error } = content;
    let quotes = text
        .bytes()
        .filter(|byte| matches!(byte, b'"' | b'\\'))
        .count();
    let mut result = String::with_capacity(2 * text.len() + quotes + 80);
    result.push_str(r#"{"content":[{"type":"text","text":"#);
    push_string(&mut result, &text);
    result.push_str(r#"}],"structuredContent":"#);
    result.push_str(&text);
    if is_error {
        result.push_str(r#","isError":true"#);
    }
    result.push('}');
    Ok(Answered {
        text: result,
        detail: None,
    })
}

fn internal(error: &Error) -> Fault {
    Fault::internal(format!("{:?}", error.kind()))
}

async fn done<S: Store, A: AsyncFn() -> bool>(
    service: &Service<S>,
    tool: Tool,
    arguments: Option<Value<'_>>,
    door: Door<'_>,
    visit: &Visit<A>,
) -> Result<Content, Error> {
    match tool {
        Tool::Capture => {
            let call = admitted(service, door, visit).await?;
            let arguments = Arguments::read(arguments, &["document", "dryRun", "eventIDs"])?;
            let options = CaptureOptions {
                dry_run: arguments.flag("dryRun")?,
                hash_event_ids: arguments.word("eventIDs", HashEventIds::named, HASH_EVENT_IDS)?,
            };
            let document = arguments.document("document")?.source();
            within_limit(service, document)?;
            let captured = service
                .capture_as(document.as_bytes(), options, &call)
                .await?;
            Content::of(&Envelope::Ok(captured))
        }
        Tool::Query => {
            let call = admitted(service, door, visit).await?;
            let query = query(arguments)?;
            Content::of(&service.query(&query, &call).await?)
        }
        Tool::GetEvent => {
            let call = admitted(service, door, visit).await?;
            let arguments = Arguments::read(arguments, &["eventID", "nextPageToken"])?;
            let event_id = arguments.text("eventID", "the `eventID` of an event, or its hash")?;
            let token = arguments.token()?;
            Content::of(&service.get_event(&event_id, token, &call).await?)
        }
        Tool::Trace => {
            let call = admitted(service, door, visit).await?;
            let arguments = Arguments::read(arguments, &["epc", "perPage", "nextPageToken"])?;
            let epc = arguments.text("epc", "an EPC as URN or GS1 Digital Link, or a pattern")?;
            let (per_page, token) = (arguments.page_size()?, arguments.token()?);
            Content::of(&service.trace(&epc, per_page, token, &call).await?)
        }
        Tool::Translate => {
            visit.admitted().await?;
            translate(service, arguments)
        }
        Tool::Local(local) => {
            visit.admitted().await?;
            local.done(service, arguments)
        }
        // Listed so that callers learn where else to go.
        Tool::Resolve => Err(not_served("resolve", resolver_home(service))),
        Tool::Subscribe => {
            let instead = "standing subscriptions are not served, this deployment answers pull queries only: call query, and call \
                           it again for what was recorded since with GE_recordTime";
            Err(not_served("subscribe", instead.to_owned()))
        }
    }
}

/// The call of a caller who may have one more, and whose key is in force.
async fn admitted<S: Store, A: AsyncFn() -> bool>(
    service: &Service<S>,
    door: Door<'_>,
    visit: &Visit<A>,
) -> Result<Call, Error> {
    visit.admitted().await?;
    let principal = match door {
        Door::Http(headers) => service.authenticate(headers.authorization).await?,
        Door::Local(principal) => principal.clone(),
    };
    Ok(Call::new(visit.now, principal))
}

/// The query that the arguments are; what belongs to pages may stand among its parameters or beside them, once.
fn query(arguments: Option<Value<'_>>) -> Result<Query, Error> {
    let arguments = Arguments::read(arguments, &["query", "perPage", "nextPageToken"])?;
    let (per_page, token) = (arguments.page_size()?, arguments.token()?);
    let parameters = arguments.object("query")?;
    let has = |name| parameters.is_some_and(|parameters| parameters.get(name).is_some());
    for (name, is_given) in [
        ("perPage", per_page.is_some()),
        ("nextPageToken", token.is_some()),
    ] {
        if is_given && has(name) {
            let name = name.to_owned();
            return Err(Error::new(ErrorKind::RepeatedArgument { name }));
        }
    }
    let query = parameters.map_or_else(|| Ok(Query::default()), Query::read)?;
    query.paged(per_page, token)
}

fn translate<S>(service: &Service<S>, arguments: Option<Value<'_>>) -> Result<Content, Error> {
    let arguments = Arguments::read(arguments, &["xml"])?;
    let xml = arguments.text("xml", "an EPCIS XML document, as a text")?;
    within_limit(service, &xml)?;
    match service.translate_text(&xml)? {
        Translated::Valid(translation) => Content::of(&Envelope::Ok(translation)),
        Translated::Invalid(mut invalid) => {
            shorten(&mut invalid.errors, |error| &mut error.error.message);
            Content::refusal(&invalid.problem())
        }
    }
}

/// A document inside of a message may be as long as the body of a request.
pub(super) fn within_limit<S>(service: &Service<S>, document: &str) -> Result<(), Error> {
    let limit = service.configuration().max_body_bytes;
    if document.len() > limit {
        return Err(Error::new(ErrorKind::BodyTooLarge { limit }));
    }
    Ok(())
}

fn not_served(tool: &'static str, instead: String) -> Error {
    Error::new(ErrorKind::ToolNotServed { tool, instead })
}

fn resolver_home<S>(service: &Service<S>) -> String {
    match service.configuration().family.resolver_url() {
        Some(resolver) => format!(
            "identity resolution is homed at {resolver}, ask there; nothing is resolved here"
        ),
        None => "identity resolution is homed elsewhere, and this deployment names no resolver; nothing is resolved here"
            .to_owned(),
    }
}
