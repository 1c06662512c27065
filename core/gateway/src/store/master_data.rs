//! Master data: what captured documents say about places, parties and classes, appended with the events of their captures.

use crate::query::Places;
use async_trait::async_trait;
use epcis_edge_text::error::Error;
use epcis_edge_text::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The master data: appended, never changed, never removed.
#[async_trait(?Send)]
pub trait MasterData {
    /// The newest elements of these accounts, or of all.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn newest_elements(&self, accounts: Option<&[&str]>) -> Result<Places, Error>;

    /// The identifiers of a selection, in normal form, each once, in no order.
    ///
    /// # Errors
    /// [`ErrorKind::QueryTooComplex`](epcis_edge_text::error::ErrorKind::QueryTooComplex) if more than [`MAX_LOOKED_AT`] attributes would have to be read; a fault of the storage.
    async fn identifiers(&self, selection: &IdentifierSelection<'_>) -> Result<Vec<String>, Error>;

    /// The elements of a selection, grouped by account, then in the order of their types and identifiers.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn elements(&self, selection: &ElementSelection<'_>) -> Result<FoundElements, Error>;
}

/// The most attributes that are read for one answer, including those of superseded elements.
pub const MAX_LOOKED_AT: usize = 100_000;

/// A selection of identifiers. For each account, type and identifier only the newest element counts.
#[derive(Clone, Copy, Debug)]
pub struct IdentifierSelection<'q> {
    /// What master data must say about them.
    pub sought: IdentifierCondition<'q>,
    /// The accounts whose master data is in scope; `None` for all.
    pub accounts: Option<&'q [&'q str]>,
    /// Only elements up to these.
    pub upper: &'q Places,
    /// The most identifiers to return.
    pub limit: usize,
}

/// A condition that master data states about an identifier.
///
/// Closed.
#[derive(Clone, Copy, Debug)]
pub enum IdentifierCondition<'q> {
    /// It is a child of one of these identifiers, in normal form.
    ChildOf(&'q BTreeSet<String>),
    /// It has one of these attributes, given by their full names, with one of the values if some are given.
    Attribute {
        /// The names.
        names: &'q BTreeSet<String>,
        /// The values.
        values: Option<&'q BTreeSet<String>>,
    },
}

/// A selection of elements. For each account, type and identifier only the newest element counts.
#[derive(Clone, Copy, Debug)]
pub struct ElementSelection<'q> {
    /// The type of their vocabulary, as in [`NewElement::kind`](super::NewElement::kind); `None` for all.
    pub kind: Option<&'q str>,
    /// Their identifiers in normal form; `None` for all.
    pub ids: Option<&'q BTreeSet<String>>,
    /// The accounts whose master data is in scope; `None` for all.
    pub accounts: Option<&'q [&'q str]>,
    /// Only elements that were stored at this time or before; `None` for all.
    pub at: Option<Timestamp>,
    /// Only elements behind this place.
    pub after: Option<&'q ElementPlace>,
    /// Only elements up to these.
    pub upper: &'q Places,
    /// The most elements to return.
    pub limit: usize,
    /// The most bytes of elements to return; the first is always returned.
    pub bytes: usize,
}

/// A place in the order of elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ElementPlace {
    /// The account that captured the element.
    pub account: String,
    /// The type of its vocabulary.
    pub kind: String,
    /// Its identifier in normal form.
    pub id: String,
}

/// The elements of a selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundElements {
    /// The elements, in the order of the selection.
    pub elements: Vec<StoredElement>,
    /// Whether no more follow.
    pub is_last: bool,
}

/// An element of a vocabulary as a store returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredElement {
    /// The account that captured it, its type, and its identifier in normal form.
    pub place: ElementPlace,
    /// Its identifier as it was written.
    pub spelling: String,
    /// As [`NewElement::attributes`](super::NewElement::attributes).
    pub attributes: String,
    /// As [`NewElement::children`](super::NewElement::children).
    pub children: String,
    /// When it was stored.
    pub record_time: Timestamp,
    /// The SHA-256 of the document that it came in, in hexadecimal.
    pub document: String,
}
