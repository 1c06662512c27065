//! The doors of the transparency log, and those of the gateway as a witness: paths, methods, caching; what they answer is the
//! service's.
//!
//! **Source**: C2SP, `tlog-tiles.md` and `tlog-witness.md`.

use super::answer::Answer;
use super::{Body, binding, body, query, without_body};
use crate::call::{Call, Incoming};
use crate::error::{Error, ErrorKind, LogFault};
use crate::log::{MAX_ORDER, MAX_WITNESS_REQUEST, SIZE_MEDIA_TYPE, decimal};
use crate::service::{ServedLog, Service};
use crate::store::{Store, WhichLog};
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
pub(super) const DOORS: [(&str, &str, &str); 11] = [
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
        "what an operator orders, signed with the key of the log: restart, end, check",
    ),
    (
        "GET",
        "/log/ended/{number}/checkpoint",
        "a log that has ended, as the one that grows: checkpoint, policy, proof, proofs, tile; /log/status lists them",
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
    /// A part that anybody may see.
    Shown(WhichLog, Part<'p>),
    Proof(WhichLog),
    Proofs(WhichLog),
    Status,
    Order,
    AddCheckpoint,
    /// The digest of an origin.
    Witnessed(&'p str),
}

/// A part of a log that anybody may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'p> {
    Checkpoint,
    Policy,
    /// The path behind `tile/`.
    Tile(&'p str),
    /// The path behind `tile/entries/`.
    Entries(&'p str),
}

/// The place of a path behind that of a log.
fn find_in(which: WhichLog, path: &str) -> Option<LogResource<'_>> {
    let part = match path {
        "proof" => return Some(LogResource::Proof(which)),
        "proofs" => return Some(LogResource::Proofs(which)),
        "checkpoint" => Part::Checkpoint,
        "policy" => Part::Policy,
        _ => {
            let tile = path.strip_prefix("tile/")?;
            match tile.strip_prefix("entries/") {
                Some(entries) => Part::Entries(entries),
                None => Part::Tile(tile),
            }
        }
    };
    Some(LogResource::Shown(which, part))
}

/// The place of a path.
pub(super) fn find(path: &str) -> Option<LogResource<'_>> {
    if let Some(rest) = path.strip_prefix("/log/") {
        return match rest {
            "status" => Some(LogResource::Status),
            "order" => Some(LogResource::Order),
            _ => match rest.strip_prefix("ended/") {
                None => find_in(WhichLog::Growing, rest),
                Some(ended) => {
                    let (number, rest) = ended.split_once('/')?;
                    find_in(WhichLog::Ended(decimal(number)?), rest)
                }
            },
        };
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
    if !matches!(place, LogResource::Proof(_) | LogResource::Proofs(_)) {
        query::parameters(head.uri.query(), [])?;
    }
    match place {
        LogResource::Shown(which, part) => shown(&service.log(which).await?, part).await,
        LogResource::Proof(which) => Ok(with_key(proof(service, which, head, visit).await)),
        LogResource::Proofs(which) => Ok(with_key(proofs(service, which, head, visit).await)),
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

fn text(text: String, kept: &str) -> Answer {
    Answer::bytes(TEXT, text.into_bytes()).with(CACHE_CONTROL, kept.to_owned())
}

async fn shown<S: Store>(log: &ServedLog<'_, S>, part: Part<'_>) -> Result<Answer, Error> {
    let octets = |bytes: Vec<u8>| {
        Answer::bytes("application/octet-stream", bytes).with(CACHE_CONTROL, FOR_EVER.to_owned())
    };
    Ok(match part {
        Part::Checkpoint => text(log.checkpoint().await?, FOR_SECONDS),
        Part::Policy => text(log.policy_text(), FOR_A_MINUTE),
        Part::Tile(path) => octets(log.tile(path).await?),
        Part::Entries(path) => octets(log.entries(path).await?).compressible(),
    })
}

/// An answer that depends on a key.
fn with_key(answer: Result<Answer, Error>) -> Answer {
    answer
        .unwrap_or_else(|error| refusal(&error))
        .with(CACHE_CONTROL, NOT_AT_ALL.to_owned())
        .with(VARY, "Authorization, API-KEY-SECRET".to_owned())
}

/// Who asks for proofs, with a key; a gateway without a log has none for anybody.
async fn caller<S: Store, A>(
    service: &Service<S>,
    which: WhichLog,
    head: &Parts,
    visit: &Incoming<A>,
) -> Result<Call, Error> {
    if which == WhichLog::Growing {
        service.log_settings()?;
    }
    let principal = binding::principal(service, head).await?;
    Ok(Call::new(visit.now, principal))
}

/// The page of proofs that is asked for.
async fn proofs<S: Store, A>(
    service: &Service<S>,
    which: WhichLog,
    head: &Parts,
    visit: &Incoming<A>,
) -> Result<Answer, Error> {
    let call = caller(service, which, head, visit).await?;
    let query = binding::query_of(head)?;
    let log = service.log(which).await?;
    Ok(Answer::json(log.prove_all(query, &call).await?.text))
}

/// The proof that is asked for.
async fn proof<S: Store, A>(
    service: &Service<S>,
    which: WhichLog,
    head: &Parts,
    visit: &Incoming<A>,
) -> Result<Answer, Error> {
    let call = caller(service, which, head, visit).await?;
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
    let log = service.log(which).await?;
    let proven = log.prove(&event, declaration, &call).await?;
    if !is_receipt {
        return Ok(Answer::bytes(TEXT, proven.proof.into_bytes()));
    }
    let origin = proven.origin;
    let receipt = proven.receipt;
    let receipt = receipt.ok_or(LogFault::NoReceipt { origin })?;
    Ok(Answer::bytes(RECEIPT, receipt))
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
