//! The doors of the transparency log, and those of the gateway as a witness: paths, methods, caching; what they answer is the
//! service's.
//!
//! **Source**: C2SP, `tlog-tiles.md` and `tlog-witness.md`.

use super::answer::Answer;
use super::{Body, binding, body, query, without_body};
use crate::call::{Call, Incoming};
use crate::error::{Error, ErrorKind, LogFault};
use crate::log::{MAX_ORDER, MAX_WITNESS_REQUEST, SIZE_MEDIA_TYPE};
use crate::service::Service;
use crate::store::Store;
use http::header::{CACHE_CONTROL, VARY};
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode};

/// What pages of other origins may send; `*` would not cover `Authorization`.
const ALLOWED_HEADERS: HeaderValue =
    HeaderValue::from_static("Content-Type, Accept, Authorization, API-KEY-SECRET");

const FOR_SECONDS: &str = "public, max-age=5";
const FOR_A_MINUTE: &str = "public, max-age=60";
const FOR_EVER: &str = "public, max-age=31536000, immutable";
const NOT_AT_ALL: &str = "no-store";

/// The media type of receipts (RFC 9052, 2, and RFC 9942).
const RECEIPT: &str = "application/cose; cose-type=\"cose-sign1\"";

/// The media type of texts.
const TEXT: &str = "text/plain; charset=utf-8";

/// The doors, for the index: method, path, and what it does.
pub(super) const DOORS: [(&str, &str, &str); 10] = [
    (
        "GET",
        "/log/checkpoint",
        "the head of the transparency log: signed, and cosigned by its witnesses",
    ),
    (
        "GET",
        "/log/policy",
        "the keys of the log and its witnesses, as a policy",
    ),
    (
        "GET",
        "/log/proof",
        "the proof that an event was logged, with a key; parameters event, declaration, format=cose for a COSE receipt",
    ),
    (
        "GET",
        "/log/proofs",
        "all events that a query finds, each with its proof, page by page, with a key; parameters as of /events",
    ),
    (
        "GET",
        "/log/status",
        "how the log does: ok, lagging or halted, and when each witness cosigned last",
    ),
    (
        "POST",
        "/log/order",
        "what an operator orders, signed with the key of the log: restart, check",
    ),
    (
        "GET",
        "/log/tile/0/000",
        "the log in tiles of 256 hashes, as C2SP tlog-tiles",
    ),
    (
        "GET",
        "/log/tile/entries/000",
        "the entries of the log, which tell nothing without their salts",
    ),
    (
        "POST",
        "/witness/add-checkpoint",
        "a checkpoint of a partner's log in, a cosignature out: C2SP tlog-witness",
    ),
    (
        "GET",
        "/witness/{origin}/checkpoint",
        "what was last cosigned of a log; origin is SHA-256 of its name",
    ),
];

/// What stands behind a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogResource<'p> {
    Checkpoint,
    Policy,
    Proof,
    Proofs,
    Status,
    Order,
    /// The path behind `/log/tile/`.
    Tile(&'p str),
    /// The path behind `/log/tile/entries/`.
    Entries(&'p str),
    AddCheckpoint,
    /// The digest of an origin.
    Witnessed(&'p str),
}

/// The place of a path.
pub(super) fn find(path: &str) -> Option<LogResource<'_>> {
    if let Some(rest) = path.strip_prefix("/log/") {
        return Some(match rest {
            "checkpoint" => LogResource::Checkpoint,
            "policy" => LogResource::Policy,
            "proof" => LogResource::Proof,
            "proofs" => LogResource::Proofs,
            "status" => LogResource::Status,
            "order" => LogResource::Order,
            _ => {
                let tile = rest.strip_prefix("tile/")?;
                match tile.strip_prefix("entries/") {
                    Some(entries) => LogResource::Entries(entries),
                    None => LogResource::Tile(tile),
                }
            }
        });
    }
    match path.strip_prefix("/witness/")? {
        "add-checkpoint" => Some(LogResource::AddCheckpoint),
        rest => {
            let digest = rest.strip_suffix("/checkpoint")?;
            (!digest.contains('/')).then_some(LogResource::Witnessed(digest))
        }
    }
}

/// The answer to a request.
///
/// # Errors
/// What is refused; the caller makes a problem of it.
pub(super) async fn answer<S: Store, B: Body, A: AsyncFn() -> bool>(
    service: &Service<S>,
    place: LogResource<'_>,
    head: &Parts,
    body: &mut B,
    visit: &Incoming<A>,
) -> Result<Answer, Error> {
    let own = match place {
        LogResource::AddCheckpoint | LogResource::Order => Method::POST,
        _ => Method::GET,
    };
    if let Some(answer) = without_body(&own, &head.method, ALLOWED_HEADERS) {
        return Ok(answer);
    }
    visit.admitted().await?;
    if !matches!(place, LogResource::Proof | LogResource::Proofs) {
        query::parameters(head.uri.query(), [])?;
    }
    let text = |text: String, kept: &str| {
        Answer::bytes(TEXT, text.into_bytes()).with(CACHE_CONTROL, kept.to_owned())
    };
    let octets = |bytes: Vec<u8>| {
        Answer::bytes("application/octet-stream", bytes).with(CACHE_CONTROL, FOR_EVER.to_owned())
    };
    match place {
        LogResource::Checkpoint => Ok(text(service.checkpoint().await?, FOR_SECONDS)),
        LogResource::Policy => Ok(text(service.log_settings()?.policy_text(), FOR_A_MINUTE)),
        LogResource::Tile(path) => Ok(octets(service.tile(path).await?)),
        LogResource::Entries(path) => Ok(octets(service.entries(path).await?)),
        LogResource::Proof => {
            let proof = proof(service, head, visit).await;
            let answer = proof.unwrap_or_else(|error| refusal(&error));
            Ok(answer
                .with(CACHE_CONTROL, NOT_AT_ALL.to_owned())
                .with(VARY, "Authorization, API-KEY-SECRET".to_owned()))
        }
        LogResource::Proofs => {
            let page = proofs(service, head, visit).await;
            Ok(page
                .unwrap_or_else(|error| refusal(&error))
                .with(CACHE_CONTROL, NOT_AT_ALL.to_owned())
                .with(VARY, "Authorization, API-KEY-SECRET".to_owned()))
        }
        LogResource::Status => Ok(Answer::made(&service.log_status(visit.now).await?)?
            .with(CACHE_CONTROL, NOT_AT_ALL.to_owned())),
        LogResource::Order => {
            let note = body::read(head, body, MAX_ORDER).await?;
            let note =
                std::str::from_utf8(&note).map_err(|_| LogFault::Order { expected: "UTF-8" })?;
            let ordered = service.order(note, visit.now).await?;
            Ok(Answer::made(&ordered)?.with(CACHE_CONTROL, NOT_AT_ALL.to_owned()))
        }
        LogResource::AddCheckpoint => {
            let request = body::read(head, body, MAX_WITNESS_REQUEST).await?;
            let line = service.add_checkpoint(&request, visit.now).await;
            let answer = line.map_or_else(|error| refusal(&error), |line| text(line, NOT_AT_ALL));
            Ok(answer.with(CACHE_CONTROL, NOT_AT_ALL.to_owned()))
        }
        LogResource::Witnessed(digest) => {
            Ok(text(service.last_witnessed(digest).await?, FOR_SECONDS))
        }
    }
}

/// Who asks for proofs, with a key; a gateway without a log has none for anybody.
async fn caller<S: Store, A>(
    service: &Service<S>,
    head: &Parts,
    visit: &Incoming<A>,
) -> Result<Call, Error> {
    service.log_settings()?;
    let principal = binding::principal(service, head).await?;
    Ok(Call::new(visit.now, principal))
}

/// The proof that is asked for.
async fn proof<S: Store, A>(
    service: &Service<S>,
    head: &Parts,
    visit: &Incoming<A>,
) -> Result<Answer, Error> {
    let call = caller(service, head, visit).await?;
    let [event, declaration, format] =
        query::parameters(head.uri.query(), ["event", "declaration", "format"])?;
    let refused = |name, found: Option<String>, expected| {
        let found = found.unwrap_or_default();
        Error::new(ErrorKind::QueryParameter {
            name,
            found,
            expected,
        })
    };
    let event = match event {
        Some(event) if !event.is_empty() => event,
        found => {
            return Err(refused(
                "event",
                found,
                "the `eventID` of an event, or its hash",
            ));
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
    Ok(match is_receipt {
        true => Answer::bytes(RECEIPT, proven.receipt),
        false => Answer::bytes(TEXT, proven.proof.into_bytes()),
    })
}

/// The page of proofs that is asked for.
async fn proofs<S: Store, A>(
    service: &Service<S>,
    head: &Parts,
    visit: &Incoming<A>,
) -> Result<Answer, Error> {
    let call = caller(service, head, visit).await?;
    let query = binding::query_of(head)?;
    let page = service.prove_all(query, &call).await?;
    Ok(Answer::json(page.text))
}

/// A refusal, in the form that witnesses are understood in.
fn refusal(error: &Error) -> Answer {
    match error.kind() {
        ErrorKind::Log(LogFault::WitnessConflict { size }) => {
            Answer::bytes(SIZE_MEDIA_TYPE, format!("{size}\n").into_bytes())
                .status(StatusCode::CONFLICT)
        }
        _ => Answer::problem(error),
    }
}
