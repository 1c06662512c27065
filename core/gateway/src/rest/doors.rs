//! The handlers of the gateway's own endpoints: read the arguments, call the service once, return an envelope.

use super::answer::Answer;
use super::media::{BodyFormat, ReportForm};
use super::routes::ROUTES;
use super::{media, query};
use crate::call::{Call, Incoming, STEPS_A_UNIT};
use crate::service::{
    Calculation, DemoEvent, DemoFilter, Envelope, Family, LogStatus, Service, ShownLog, Translated,
};
use bytes::Bytes;
use epcis_edge_document::calculation::into_envelope;
use epcis_edge_document::hash::OuterPrefixes;
use epcis_edge_document::validate::SCHEMA_PIN;
use epcis_edge_history::follow::Request;
use epcis_edge_reports::{ReportName, ReportRequest};
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::{Document, MAX_VALUES};
use http::header;
use http::request::Parts;
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;

/// The demo collection.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct DemoEvents {
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    events: Vec<DemoEvent>,
}

/// The family registry, with the log if one is kept.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Family"))]
pub(super) struct ShownFamily<'s> {
    #[serde(flatten)]
    family: &'s Family,
    /// The transparency log, if one is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<WithStatus>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WithStatus {
    #[serde(flatten)]
    log: ShownLog,
    /// Absent if the store is unavailable. The other members are answered all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<LogStatus>,
}

/// The endpoints, and the standard's list of top-level resources: one object is both.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Index {
    #[cfg_attr(feature = "schema", schemars(extend("const" = NAME)))]
    name: &'static str,
    version: &'static str,
    about: &'static str,
    doors: Vec<IndexEntry>,
    #[serde(rename = "@context")]
    context: &'static str,
    #[cfg_attr(feature = "schema", schemars(extend("const" = "Collection")))]
    r#type: &'static str,
    #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
    member: Vec<&'static str>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct IndexEntry {
    method: &'static str,
    path: &'static str,
    does: &'static str,
}

const NAME: &str = "epcis-edge";

/// The demo events, for requests without a key.
pub(super) fn events(service: &Service, head: &Parts) -> Result<Answer, Error> {
    Ok(demo(service, head)
        .unwrap_or_else(|error| Answer::problem(&error))
        .with(header::VARY, super::binding::VARIES.to_owned()))
}

fn demo(service: &Service, head: &Parts) -> Result<Answer, Error> {
    let [kind, tag, scope] = query::parameters(head.uri.query(), ["kind", "tag", "scope"])?;
    match scope.as_deref() {
        None => {}
        Some("admin" | "internal") => {
            let reason =
                "this scope is reserved: demo events are public, stored events need a capture key";
            return Answer::envelope(&Envelope::<()>::Blocked { reason });
        }
        Some(found) => {
            return Err(Error::query_parameter(
                "scope",
                found,
                "no scope at all: without one, all demo events are shown",
            ));
        }
    }
    let events = service.demo_events(&DemoFilter { kind, tag });
    if events.is_empty() {
        let message =
            "no demo event has this kind and tag; GET /events without parameters shows all of them";
        return Answer::envelope(&Envelope::<()>::Empty { message });
    }
    Answer::envelope(&Envelope::Ok(DemoEvents { events }))
}

pub(super) async fn family(service: &Service, now: u64) -> Result<Answer, Error> {
    let log = match service.shown_log() {
        Some(log) => Some(WithStatus { log, status: service.log_status(now).await.ok() }),
        None => None,
    };
    let family = service.family();
    Answer::envelope(&Envelope::Ok(ShownFamily { family, log }))
}

pub(super) fn hash(head: &Parts, text: &[u8]) -> Result<Answer, Error> {
    let [profile, prehash, context, undeclared] =
        query::parameters(head.uri.query(), ["profile", "prehash", "context", "undeclared"])?;
    let with_pre_hash = match prehash.as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(found) => {
            let (name, found, expected) = ("prehash", found.to_owned(), "true or false");
            return Err(Error::query_parameter(name, found, expected));
        }
    };
    let context = context.as_deref().map(context_of).transpose()?;
    let calculation = Calculation {
        text,
        is_xml: false,
        max_values: Some(MAX_VALUES),
        profile: profile.as_deref(),
        context: context.as_ref().map(Document::text),
        undeclared: undeclared.as_deref(),
    };
    let hashes = calculation.answer(with_pre_hash)?;
    Answer::envelope(&Envelope::Ok(hashes))
}

pub(super) async fn follow(service: &Service, asked: &[u8], call: &Call) -> Result<Answer, Error> {
    let asked = Document::read(asked)?;
    let request = Request::read(asked.root())?;
    let answer = service.follow(&request, call).await?;
    Ok(Answer::json(answer)
        .with(header::CACHE_CONTROL, "no-store".to_owned())
        .with(header::VARY, super::binding::VARIES.to_owned()))
}

pub(super) async fn report(
    service: &Service,
    name: ReportName,
    form: ReportForm,
    asked: &[u8],
    call: &Call,
) -> Result<Answer, Error> {
    let asked = Document::read(asked)?;
    let request = ReportRequest::read(name, asked.root())?;
    let report = service.report(&request, call).await?;
    let answer = match form {
        ReportForm::Json => Answer::json(report.to_json()?),
        ReportForm::Csv => {
            let file = format!("attachment; filename=\"{}.csv\"", name.text());
            let csv = report.to_flat_csv().into_bytes();
            Answer::bytes("text/csv; charset=utf-8; header=present", csv)
                .with(header::CONTENT_DISPOSITION, file)
        }
        // The report contains texts of third parties, so nothing in the page may run or load.
        ReportForm::Html => Answer::html(report.to_html()).with(
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'".to_owned(),
        ),
    };
    Ok(answer
        .with(header::CACHE_CONTROL, "no-store".to_owned())
        .with(header::VARY, format!("Accept, {}", super::binding::VARIES)))
}

/// The `context` parameter as JSON. Invalid JSON and an invalid context give the same error: a location would not refer to the
/// body.
fn context_of(parameter: &str) -> Result<Document<'_>, Error> {
    let read = Document::read(parameter.as_bytes());
    read.ok().filter(|context| OuterPrefixes::by(context.root()).is_ok()).ok_or_else(|| {
        Error::query_parameter(
            "context",
            parameter,
            "a JSON-LD context as JSON, such as {\"ex\":\"https://ex.example/\"}",
        )
    })
}

pub(super) fn pricing(service: &Service) -> Result<Answer, Error> {
    Answer::envelope(&Envelope::Ok(service.pricing()))
}

pub(super) async fn check(
    service: &Service,
    head: &Parts,
    sent: BodyFormat,
    text: Bytes,
    visit: &Incoming<'_>,
) -> Result<Answer, Error> {
    let [packs] = query::parameters(head.uri.query(), ["packs"])?;
    let (packs, now) = (packs.as_deref(), Some(visit.now));
    let report = match sent {
        BodyFormat::Json => service.check(text, packs, now),
        BodyFormat::Xml => service.check_xml(&text, packs, now),
    };
    // A pack that was refused took all the steps that it may.
    let steps = match &report {
        Ok(report) => report.steps,
        Err(error) => match error.kind() {
            ErrorKind::PackTooCostly { limit, .. } => *limit,
            _ => 0,
        },
    };
    visit.admitted_units(steps / STEPS_A_UNIT).await?;
    Answer::envelope(&Envelope::Ok(report?))
}

/// Refuses a request for an engine that a gateway does not have.
pub(super) fn require_engine(head: &Parts) -> Result<(), Error> {
    let [engine] = query::parameters(head.uri.query(), ["engine"])?;
    match engine {
        Some(found) if found != SCHEMA_PIN.engine => Err(Error::query_parameter(
            "engine",
            found,
            "`compiled`, the only engine here; for a second opinion install the npm packages `epcis-edge` and `epcis-edge-mcp` and run `epcis-edge validate --engine jsonschema`",
        )),
        _ => Ok(()),
    }
}

pub(super) fn validate(service: &Service, text: &[u8]) -> Result<Answer, Error> {
    let verdict = service.validate(text)?;
    Answer::envelope(&Envelope::Ok(verdict))
}

pub(super) fn translate(service: &Service, xml: &[u8]) -> Result<Answer, Error> {
    let (answer, report) = match service.translate(xml)? {
        Translated::Valid(translation) => {
            let (text, report) = into_envelope(*translation)?;
            (Answer::json(text), report)
        }
        Translated::Invalid(invalid) => {
            let problem = invalid.problem();
            (Answer::extended_problem(problem.problem.status, &problem)?, invalid.fidelity_report)
        }
    };
    Ok(answer.translated(&report))
}

/// The definitions of the gateway's extension members, for clients that dereference their names.
pub(super) fn namespace(service: &Service) -> Result<Answer, Error> {
    let namespace = &service.configuration().extension_namespace;
    Answer::json_ld(&json!({
        "@context": {
            "spine": namespace,
            "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
            "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        },
        "@graph": [
            {
                "@id": "spine:who",
                "@type": "rdf:Property",
                "rdfs:label": "who",
                "rdfs:comment": "The attested observer of the event: who says that it happened.",
            },
            {
                "@id": "spine:capturedBy",
                "@type": "rdf:Property",
                "rdfs:label": "capturedBy",
                "rdfs:comment": "The account that warrants the event: under whose key it was captured.",
            },
        ],
    }))
}

/// The list of endpoints, as JSON, or as a page if the caller prefers HTML.
pub(super) fn index(head: &Parts) -> Result<Answer, Error> {
    let answer = if media::prefers_html(head) { Answer::html(index_page()) } else { index_json()? };
    Ok(answer.with(header::VARY, "Accept".to_owned()))
}

const ABOUT: &str = "EPCIS 2.0 events made verifiable anywhere: validated against the official schema, hashed per CBV 2.0, \
                     translated without silent loss";

/// The entries of the index: method, path, and description.
fn listed() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    ROUTES.iter().flat_map(|route| {
        let listed = route.operations.iter().filter(|one| !one.does.is_empty());
        listed.map(|operation| (operation.method.as_str(), route.path, operation.does))
    })
}

fn index_json() -> Result<Answer, Error> {
    let doors = listed().map(|(method, path, does)| IndexEntry { method, path, does });
    // One object serves as the gateway's index and as the standard's list of resources.
    Answer::json_of(&Index {
        name: NAME,
        version: env!("CARGO_PKG_VERSION"),
        about: ABOUT,
        doors: doors.collect(),
        context: epcis_edge_document::context::EPCIS_CONTEXT,
        r#type: "Collection",
        member: super::binding::top(),
    })
}

fn index_page() -> String {
    let mut rows = String::new();
    for (method, path, does) in listed() {
        let path = if method == "GET" && !path.contains('{') {
            format!("<a href=\"{path}\">{path}</a>")
        } else {
            path.to_owned()
        };
        let _ = writeln!(rows, "<tr><td>{method}</td><td>{path}</td><td>{does}</td></tr>");
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>epcis-edge</title>\n\
         </head>\n<body>\n<h1>epcis-edge {}</h1>\n<p>{ABOUT}.</p>\n<table>\n\
         <thead><tr><th>Method</th><th>Path</th><th>What it does</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n\
         </body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
    )
}
