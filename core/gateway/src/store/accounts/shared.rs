//! What all accounts share: keys, documents and named queries.

use super::Accounts;
use crate::store::{DocumentDigest, Documents, Key, Keys, NamedQuery, Queries, QueryPut};
use async_trait::async_trait;
use epcis_edge_text::error::Error;

#[async_trait(?Send)]
impl Documents for Accounts {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        self.documents.keep(digest, document).await
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        self.documents.document(digest).await
    }
}

#[async_trait(?Send)]
impl Keys for Accounts {
    async fn key(&self, id: &str) -> Result<Option<Key>, Error> {
        self.directory.key(id).await
    }
}

#[async_trait(?Send)]
impl Queries for Accounts {
    async fn put_query(
        &self,
        account: &str,
        query: &NamedQuery,
        limit: usize,
    ) -> Result<QueryPut, Error> {
        self.directory.put_query(account, query, limit).await
    }

    async fn query_named(&self, account: &str, name: &str) -> Result<Option<NamedQuery>, Error> {
        self.directory.query_named(account, name).await
    }

    async fn queries(
        &self,
        account: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<NamedQuery>, Error> {
        self.directory.queries(account, after, limit).await
    }

    async fn remove_query(&self, account: &str, name: &str) -> Result<bool, Error> {
        self.directory.remove_query(account, name).await
    }
}
