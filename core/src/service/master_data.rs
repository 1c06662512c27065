//! What a query asks of master data, answered before any event is looked at.

use crate::query::{Predicate, Query};
use std::borrow::Cow;

/// A predicate that asks master data nothing any more.
#[derive(Debug)]
pub(super) struct Resolved<'q> {
    pub(super) predicate: Cow<'q, Predicate>,
}

impl<'q> Resolved<'q> {
    pub(super) fn of(query: &'q Query) -> Self {
        Self {
            predicate: Cow::Borrowed(&query.predicate),
        }
    }
}
