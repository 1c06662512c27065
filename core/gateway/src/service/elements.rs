//! Captured master data: what accounts in scope say about places, parties and classes.

use super::Service;
use super::envelope::Envelope;
use crate::call::Call;
use crate::query::{Holder, Places};
use crate::store::{ElementPlace, ElementSelection, StoredElement};
use epcis_edge_document::context::ActiveContext;
use epcis_edge_document::normal::element_id;
use epcis_edge_document::vocabulary::element_type;
use epcis_edge_text::error::{Error, ErrorKind};
use epcis_edge_text::json::to_text;
use epcis_edge_text::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeSet;

/// The most identifiers in one question about master data.
pub const MAX_ELEMENT_IDS: usize = 100;

/// A question about master data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ElementQuestion {
    /// The type of the vocabulary: the last word of a type of the standard, or the URI of another. `None` for all.
    kind: Option<String>,
    /// The identifiers in normal form; `None` for all.
    ids: Option<BTreeSet<String>>,
    /// As it was known at this time; `None` for now.
    at: Option<String>,
}

impl ElementQuestion {
    /// A question: a type (`Location`, `urn:epcglobal:epcis:vtype:Location` or another URI), identifiers in any spelling with the
    /// name of their parameter, and a time.
    ///
    /// # Errors
    /// [`ErrorKind::QueryValue`] for an empty type or identifier, more than [`MAX_ELEMENT_IDS`] identifiers, and a time that is not
    /// RFC 3339.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_gateway::service::ElementQuestion;
    /// let ids = vec!["urn:epc:id:sgln:9521141.00100.0".to_owned()];
    /// assert!(ElementQuestion::new(Some("Location"), ("id", ids), Some("2026-03-04T11:00:30Z")).is_ok());
    /// assert!(ElementQuestion::new(None, ("id", Vec::new()), Some("yesterday")).is_err());
    /// ```
    pub fn new(
        kind: Option<&str>,
        (parameter, ids): (&'static str, Vec<String>),
        at: Option<&str>,
    ) -> Result<Self, Error> {
        if ids.len() > MAX_ELEMENT_IDS {
            return Err(Error::query_value(parameter, ids.len().to_string(), IDS));
        }
        if ids.iter().any(String::is_empty) {
            return Err(Error::query_value(parameter, String::new(), ID));
        }
        if kind == Some("") {
            return Err(Error::query_value("type", String::new(), TYPE));
        }
        let context = ActiveContext::default();
        let ids: BTreeSet<String> = ids.iter().map(|id| element_id(id, &context)).collect();
        if let Some(at) = at
            && Timestamp::parse(at).is_none()
        {
            return Err(Error::query_value("at", at.to_owned(), AT));
        }
        Ok(Self {
            kind: kind.map(|kind| element_type(kind).to_owned()),
            ids: Some(ids).filter(|ids| !ids.is_empty()),
            at: at.map(str::to_owned),
        })
    }

    /// The name of the list that a page token is for.
    fn list(&self) -> Result<String, Error> {
        to_text(self)
    }
}

const TYPE: &str = "a type such as Location, or a URI";
const ID: &str = "an identifier, such as urn:epc:id:sgln:9521141.00100.0";
const IDS: &str = "at most 100 identifiers";
const AT: &str = "a time such as 2026-03-04T11:00:30Z";

/// Elements of captured master data.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ElementPage {
    /// The elements, grouped by account, then in the order of their types and identifiers.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub elements: Vec<Element>,
    /// The token of the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_page_token: Option<String>,
}

/// What an account says about a place, a party, a class or a word: its newest version up to the time of the question.
///
/// **Source**: EPCIS 2.0, 9.5 (VocabularyElement).
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(rename = "MasterDataElement"))]
pub struct Element {
    /// The identifier in normal form: a GS1 identifier as canonical Digital Link, any other as written.
    id: String,
    /// The identifier as it was written.
    spelling: String,
    /// The last word of a type of the standard, such as `Location`, or the URI of another.
    r#type: String,
    attributes: Vec<Attribute>,
    /// The identifiers of its children, as they were written.
    #[serde(skip_serializing_if = "is_empty_list")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<String>>"))]
    children: Box<RawValue>,
    /// The account that captured it.
    captured_by: String,
    /// When it was captured.
    #[cfg_attr(feature = "schema", schemars(extend("format" = "date-time")))]
    record_time: String,
    /// The SHA-256 of the document that it came in, in hexadecimal.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    document: String,
}

/// An attribute: its full name, and its value as it was written.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Attribute {
    /// The full name.
    id: String,
    /// The value as it was written; absent if there is none.
    #[serde(skip_serializing_if = "is_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<serde_json::Value>"))]
    attribute: Box<RawValue>,
}

fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

fn is_empty_list(value: &RawValue) -> bool {
    value.get() == "[]"
}

impl TryFrom<StoredElement> for Element {
    type Error = Error;

    fn try_from(stored: StoredElement) -> Result<Self, Error> {
        let id = &stored.place.id;
        let broken = |error: serde_json::Error| {
            Error::impossible(format!("the master data of `{id}` cannot be read: {error}"))
        };
        let attributes: Vec<(String, String, Box<RawValue>)> =
            serde_json::from_str(&stored.attributes).map_err(broken)?;
        let attributes = attributes.into_iter();
        let children = RawValue::from_string(stored.children).map_err(broken)?;
        Ok(Self {
            id: stored.place.id,
            spelling: stored.spelling,
            r#type: stored.place.kind,
            attributes: attributes
                .map(|(namespace, name, attribute)| Attribute { id: namespace + &name, attribute })
                .collect(),
            children,
            captured_by: stored.place.account,
            record_time: stored.record_time.to_string(),
            document: stored.document,
        })
    }
}

/// The place after which the next page begins, and the newest elements when the first page was answered.
#[derive(Serialize, Deserialize)]
struct Continued {
    upper: Places,
    after: ElementPlace,
}

impl Service {
    /// The captured master data of accounts in scope. All pages show one moment: the one of the first page.
    ///
    /// Each account has its own versions of an element. The newest one captured at the requested time or before counts.
    ///
    /// # Errors
    /// [`ErrorKind::Forbidden`] without the right to query; [`ErrorKind::PageToken`] for a token of another question or key; a
    /// fault of the storage.
    pub async fn elements(
        &self,
        question: &ElementQuestion,
        per_page: Option<usize>,
        token: Option<&str>,
        call: &Call,
    ) -> Result<Envelope<ElementPage>, Error> {
        call.principal.require_query()?;
        let list = question.list()?;
        let holder = Holder {
            gateway: &self.configuration.extension_namespace,
            principal: &call.principal,
            now: call.now,
        };
        let (limit, place) = holder.page(&list, per_page, token)?;
        let accounts = call.principal.readable_accounts();
        let (upper, after) = match place {
            None => (self.store.newest_elements(accounts.as_deref()).await?, None),
            Some(place) => {
                let place = serde_json::from_str(&place);
                let Continued { upper, after } =
                    place.map_err(|_| Error::new(ErrorKind::PageToken))?;
                (upper, Some(after))
            }
        };
        let selection = ElementSelection {
            kind: question.kind.as_deref(),
            ids: question.ids.as_ref(),
            accounts: accounts.as_deref(),
            at: question.at.as_deref().and_then(Timestamp::parse),
            after: after.as_ref(),
            upper: &upper,
            limit,
            bytes: call.limits.page_bytes,
        };
        let found = self.store.elements(&selection).await?;
        let last = found.elements.last().filter(|_| !found.is_last);
        let next = last.map(|last| Continued { upper: upper.clone(), after: last.place.clone() });
        let next = next.map(|next| to_text(&next)).transpose()?;
        let elements = found.elements.into_iter().map(Element::try_from);
        let elements = elements.collect::<Result<Vec<_>, Error>>()?;
        if elements.is_empty() {
            let message = "no master data in scope was captured about this";
            return Ok(Envelope::Empty { message });
        }
        Ok(Envelope::Ok(ElementPage {
            elements,
            next_page_token: next.map(|place| holder.place_token(&list, limit, &place)),
        }))
    }
}
