//! Problem documents: failures as every interface shows them, and the only table from kind to EPCIS exception and status.

use super::{Error, ErrorKind, JsonFault, Location, XmlFault};
use serde::Serialize;
use std::borrow::Cow;

/// The exception types of EPCIS 2.0 that this project answers with, as they are written in `type`.
///
/// Source: EPCIS 2.0, the REST binding's `epcisException` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ExceptionType {
    /// A body longer than the limit: 413.
    #[serde(rename = "epcisException:CaptureLimitExceededException")]
    CaptureLimitExceeded,
    /// A fault of the service (500), something that it does not serve (405, 501), too many requests (429), or something that it
    /// does not serve for now (503).
    #[serde(rename = "epcisException:ImplementationException")]
    Implementation,
    /// No query with this name: 404.
    #[serde(rename = "epcisException:NoSuchNameException")]
    NoSuchName,
    /// Nothing at this path: 404.
    #[serde(rename = "epcisException:NoSuchResourceException")]
    NoSuchResource,
    /// Headers that ask for something that is not served: 406.
    #[serde(rename = "epcisException:NotAcceptableException")]
    NotAcceptable,
    /// A query parameter that is not accepted: 400.
    #[serde(rename = "epcisException:QueryParameterException")]
    QueryParameter,
    /// A query that costs too much: 413.
    #[serde(rename = "epcisException:QueryTooComplexException")]
    QueryTooComplex,
    /// A query that matches more events than it allows, or than are served: 413.
    #[serde(rename = "epcisException:QueryTooLargeException")]
    QueryTooLarge,
    /// A text that is not a query: 400.
    #[serde(rename = "epcisException:QueryValidationException")]
    QueryValidation,
    /// An event that is stored already, or an event or a query whose name is taken: 409.
    #[serde(rename = "epcisException:ResourceAlreadyExistsException")]
    ResourceAlreadyExists,
    /// No valid key (401); a key without the right, a page or host name that is not allowed, a missing, invalid or outdated
    /// signature, or the removal of the predefined query (403).
    #[serde(rename = "epcisException:SecurityException")]
    Security,
    /// A query string longer than the limit: 414.
    #[serde(rename = "epcisException:URITooLongException")]
    UriTooLong,
    /// A media type that the endpoint does not accept: 415.
    #[serde(rename = "epcisException:UnsupportedMediaTypeException")]
    UnsupportedMediaType,
    /// A body that cannot be processed: 400. A proof or a part of a log that does not match: 422.
    #[serde(rename = "epcisException:ValidationException")]
    Validation,
}

/// An RFC 7807 problem document: a refusal as every interface shows it.
///
/// Callers match on `type`, never on prose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("additionalProperties" = true)))]
pub struct Problem {
    /// The EPCIS exception.
    #[serde(rename = "type")]
    pub exception: ExceptionType,
    /// The exception in a few words, the same for every problem of one kind.
    pub title: Cow<'static, str>,
    /// The HTTP status.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = [400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 422, 429, 500, 501, 503])))]
    pub status: u16,
    /// What was found and what was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The address of the thing that the refusal is about, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Extension member: the place in the document, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Extension member: the errors in the document, by their paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<DocumentError>,
}

/// One error in a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("additionalProperties" = true)))]
pub struct DocumentError {
    /// The JSON Pointer (RFC 6901) of the value at fault; `""` is the root.
    pub path: String,
    /// The schema keyword that failed there. For a rule that is in no schema: `@context`, `capture`, `eventHash`, `jsonLd`,
    /// `maxLength`, `noZero`, `prefix`, `uniqueNames` or `uniqueEventID`. `differs` for a difference from the stored event. For a
    /// check, the name of its pack, `/`, and its own.
    pub keyword: String,
    /// What was found and what was expected, for a person.
    pub message: String,
}

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        use ExceptionType as E;
        let (exception, status, title) = match error.kind() {
            ErrorKind::Json(
                JsonFault::TooLong(..) | JsonFault::EventTooLong(..) | JsonFault::FrameTooLong(..),
            )
            | ErrorKind::Xml(
                XmlFault::TooLong(..)
                | XmlFault::EventTooLong(..)
                | XmlFault::FrameTooLong(..)
                | XmlFault::FrameTextTooLong(..),
            )
            | ErrorKind::BodyTooLarge { .. }
            | ErrorKind::TooLongForEngine { .. } => {
                (E::CaptureLimitExceeded, 413, "Payload exceeds the limit")
            }
            ErrorKind::Json(JsonFault::Changed) => (E::Validation, 400, "Document changed"),
            ErrorKind::Json(_) => (E::Validation, 400, "Malformed JSON"),
            ErrorKind::Xml(XmlFault::ForeignRoot(..) | XmlFault::UnsupportedBody(..)) => {
                (E::Validation, 400, "Nothing to translate")
            }
            ErrorKind::Xml(_) => (E::Validation, 400, "Malformed XML"),
            ErrorKind::BodyIncomplete => (E::Validation, 400, "Incomplete body"),
            ErrorKind::Header { .. } | ErrorKind::Target => {
                (E::Validation, 400, "Malformed request")
            }
            ErrorKind::MediaType { .. } => (E::UnsupportedMediaType, 415, "Unsupported media type"),
            ErrorKind::QueryParameter { .. } | ErrorKind::UnknownParameter { .. } => {
                (E::QueryParameter, 400, "Query parameter refused")
            }
            ErrorKind::NoSuchResource { .. } => (E::NoSuchResource, 404, "No such resource"),
            ErrorKind::Identifier(_) => (E::Validation, 400, "Identifier not convertible"),
            ErrorKind::NoEvents => (E::Validation, 400, "No events"),
            ErrorKind::NotAnEvent => (E::Validation, 400, "Not an event"),
            ErrorKind::PreHashTooLong { .. }
            | ErrorKind::TooManyEvents(_)
            | ErrorKind::TooManyValues { .. }
            | ErrorKind::PackTooCostly { .. } => {
                (E::CaptureLimitExceeded, 413, "Payload exceeds the limit")
            }
            ErrorKind::UndeclaredPrefix { .. } => (E::Validation, 400, "Undeclared prefix"),
            ErrorKind::NamespaceTooLong { .. } => (E::Validation, 400, "Namespace too long"),
            ErrorKind::NotAContext => (E::Validation, 400, "Not a context"),
            ErrorKind::EventHash(_) => (E::Validation, 400, "Not an event hash"),
            ErrorKind::Invalid { .. } => (E::Validation, 400, "Invalid document"),
            ErrorKind::NotCapturable => (E::Validation, 400, "Nothing to capture"),
            ErrorKind::CaptureTooLarge { .. } | ErrorKind::CaptureTooComplex { .. } => {
                (E::CaptureLimitExceeded, 413, "Payload exceeds the limit")
            }
            ErrorKind::NoKey | ErrorKind::KeyNotValid => (E::Security, 401, "Unauthorised request"),
            ErrorKind::Forbidden { .. } => (E::Security, 403, "Forbidden request"),
            ErrorKind::QueryNotObject => (E::QueryValidation, 400, "Not a query"),
            ErrorKind::QueryValue { .. }
            | ErrorKind::NoSuchParameter { .. }
            | ErrorKind::PrefixNotBound { .. }
            | ErrorKind::RepeatedParameter { .. }
            | ErrorKind::ParameterNeeds { .. }
            | ErrorKind::ParametersExclude { .. }
            | ErrorKind::PageToken => (E::QueryParameter, 400, "Query parameter refused"),
            ErrorKind::QueryTooLarge { .. } => (E::QueryTooLarge, 413, "Query result too large"),
            ErrorKind::QueryTooComplex { .. } => (E::QueryTooComplex, 413, "Query too complex"),
            ErrorKind::NoSuchEvent { .. } => (E::NoSuchResource, 404, "No such event"),
            ErrorKind::NothingToReport { .. } => (E::NoSuchResource, 404, "Nothing to report"),
            ErrorKind::NoSuchReport { .. } => (E::NoSuchResource, 404, "No such report"),
            ErrorKind::Argument { .. }
            | ErrorKind::Parameters { .. }
            | ErrorKind::UnknownArgument { .. }
            | ErrorKind::RepeatedArgument { .. } => (E::Validation, 400, "Argument refused"),
            ErrorKind::ToolNotServed { .. } => (E::Implementation, 501, "Not served"),
            ErrorKind::ForeignOrigin { .. } | ErrorKind::ForeignHost { .. } => {
                (E::Security, 403, "Forbidden request")
            }
            ErrorKind::TooManyRequests => (E::Implementation, 429, "Too many requests"),
            ErrorKind::Method { .. } => (E::Implementation, 405, "Method not served"),
            ErrorKind::Binding(fault) => fault.row(),
            ErrorKind::Log(fault) => fault.row(),
            ErrorKind::Pack { .. } => (E::Validation, 400, "Pack refused"),
            ErrorKind::NoSuchPack { .. } => (E::QueryParameter, 400, "No such pack"),
            ErrorKind::Unavailable { .. }
            | ErrorKind::Unsettled { .. }
            | ErrorKind::ReadOnly { .. }
            | ErrorKind::NoMemory { .. } => (E::Implementation, 503, "Not available for now"),
            ErrorKind::Internal { .. } | ErrorKind::Overtaken { .. } => {
                (E::Implementation, 500, "Unexpected fault")
            }
        };
        let title = match error.kind() {
            ErrorKind::ToolNotServed { tool, .. } => {
                Cow::Owned(format!("{tool} is not served on this door"))
            }
            _ => Cow::Borrowed(title),
        };
        Self {
            exception,
            title,
            status,
            detail: Some(error.to_string()),
            instance: match error.kind() {
                ErrorKind::Binding(fault) => fault.instance().map(str::to_owned),
                _ => None,
            },
            location: error.location().cloned(),
            errors: match error.kind() {
                ErrorKind::Invalid { errors } => errors.clone(),
                ErrorKind::Binding(fault) => fault.findings().to_vec(),
                _ => Vec::new(),
            },
        }
    }
}
