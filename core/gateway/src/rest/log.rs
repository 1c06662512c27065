//! The endpoints of the transparency log: paths, methods and caching. The service makes the answers.
//!
//! **Source**: C2SP, `tlog-tiles.md`.

use super::answer::{ALLOWED_HEADERS, Answer};
use super::routes::{LogPart, LogResource, MatchedRoute};
use super::{Body, binding, body, query, without_body};
use crate::call::{Call, Incoming};
use crate::service::Service;
use epcis_edge_log::MAX_ORDER;
use epcis_edge_text::error::{Error, LogFault};
use epcis_edge_text::slice::OrEmpty;
use http::header::{CACHE_CONTROL, VARY};
use http::request::Parts;

const FOR_SECONDS: &str = "public, max-age=5";
const FOR_A_MINUTE: &str = "public, max-age=60";
const FOR_EVER: &str = "public, max-age=31536000, immutable";
const NOT_AT_ALL: &str = "no-store";

/// The media type of receipts (RFC 9052, 2, and RFC 9942).
const RECEIPT: &str = "application/cose; cose-type=\"cose-sign1\"";

/// The media type of texts.
const TEXT: &str = "text/plain; charset=utf-8";

/// Answers a request.
///
/// # Errors
/// Every refusal; the caller makes a problem response of it.
pub(super) async fn answer(
    service: &Service,
    (route, place): (&MatchedRoute<'_>, LogResource),
    head: &Parts,
    body: &mut dyn Body,
    visit: &Incoming<'_>,
) -> Result<Answer, Error> {
    if let Some(answer) = without_body(route, &head.method, ALLOWED_HEADERS) {
        return Ok(answer);
    }
    visit.admitted().await?;
    if !matches!(place, LogResource::Part(part) if part.takes_parameters()) {
        query::parameters(head.uri.query(), [])?;
    }
    match place {
        LogResource::Part(part) => part_of(service, (route, part), head, visit).await,
        LogResource::Status => Ok(Answer::json_of(&service.log_status(visit.now).await?)?
            .with(CACHE_CONTROL, NOT_AT_ALL.to_owned())),
        LogResource::Order => {
            let note = body::read(head, body, MAX_ORDER).await?;
            let note =
                std::str::from_utf8(&note).map_err(|_| LogFault::Order { expected: "UTF-8" })?;
            let ordered = service.order(note, visit.now).await?;
            Ok(Answer::json_of(&ordered)?.with(CACHE_CONTROL, NOT_AT_ALL.to_owned()))
        }
    }
}

fn text(text: String, kept: &str) -> Answer {
    Answer::bytes(TEXT, text.into_bytes()).with(CACHE_CONTROL, kept.to_owned())
}

async fn part_of(
    service: &Service,
    (route, part): (&MatchedRoute<'_>, LogPart),
    head: &Parts,
    visit: &Incoming<'_>,
) -> Result<Answer, Error> {
    let octets = |bytes: Vec<u8>| {
        Answer::bytes("application/octet-stream", bytes).with(CACHE_CONTROL, FOR_EVER.to_owned())
    };
    let log = || service.served_log();
    Ok(match part {
        LogPart::Checkpoint => text(log()?.checkpoint().await?, FOR_SECONDS),
        LogPart::Policy => text(service.log_settings()?.policy_text(), FOR_A_MINUTE),
        LogPart::Proof => with_key(proof(service, head, visit).await),
        LogPart::Proofs => with_key(proofs(service, head, visit).await),
        LogPart::Tile => octets(log()?.tile(route.value("tile")?).await?),
        LogPart::Entries => octets(log()?.entries(route.value("bundle")?).await?).compressible(),
    })
}

/// An answer that depends on the key of the request.
fn with_key(answer: Result<Answer, Error>) -> Answer {
    answer
        .unwrap_or_else(|error| Answer::problem(&error))
        .with(CACHE_CONTROL, NOT_AT_ALL.to_owned())
        .with(VARY, "Authorization, API-KEY-SECRET".to_owned())
}

/// The call of a proof request, which needs a key. A gateway without a log refuses before it looks at the key.
async fn caller(service: &Service, head: &Parts, visit: &Incoming<'_>) -> Result<Call, Error> {
    service.log_settings()?;
    let principal = binding::principal(service, head).await?;
    Ok(Call::new(visit.now, principal))
}

/// The requested page of proofs.
async fn proofs(service: &Service, head: &Parts, visit: &Incoming<'_>) -> Result<Answer, Error> {
    let call = caller(service, head, visit).await?;
    let query = binding::query_of(head)?;
    let log = service.served_log()?;
    Ok(Answer::json(log.prove_all(query, &call).await?.text))
}

/// The requested proof.
async fn proof(service: &Service, head: &Parts, visit: &Incoming<'_>) -> Result<Answer, Error> {
    let call = caller(service, head, visit).await?;
    let [event, declaration, format] =
        query::parameters(head.uri.query(), ["event", "declaration", "format"])?;
    let refused = |name, found: Option<String>, expected| {
        let found = found.or_empty();
        Error::query_parameter(name, found, expected)
    };
    let event = match event {
        Some(event) if !event.is_empty() => event,
        found => {
            return Err(refused("event", found, "the `eventID` of an event, or its hash"));
        }
    };
    let declaration = match declaration {
        None => None,
        Some(text) => match text.parse::<usize>() {
            Ok(number) if number > 0 => Some(number),
            _ => {
                let expected = "the number of an error declaration, counted from 1";
                return Err(refused("declaration", Some(text), expected));
            }
        },
    };
    let is_receipt = match format.as_deref() {
        None | Some("tlog") => false,
        Some("cose") => true,
        _ => return Err(refused("format", format, "tlog or cose")),
    };
    let proven = service.prove(&event, declaration, &call).await?;
    if !is_receipt {
        return Ok(Answer::bytes(TEXT, proven.proof.into_bytes()));
    }
    Ok(Answer::bytes(RECEIPT, proven.receipt))
}
