//! What the first home keeps for all: keys, documents and named queries.

use super::Homes;
use crate::store::{DocumentDigest, Documents, Key, Keys, NamedQuery, Queries, QueryPut};
use async_trait::async_trait;
use epcis_edge_text::error::Error;

#[async_trait(?Send)]
impl Documents for Homes {
    async fn keep(&self, digest: &DocumentDigest, document: &[u8]) -> Result<(), Error> {
        self.store(0)?.keep(digest, document).await
    }

    async fn document(&self, digest: &DocumentDigest) -> Result<Option<Vec<u8>>, Error> {
        self.store(0)?.document(digest).await
    }
}

#[async_trait(?Send)]
impl Keys for Homes {
    async fn key(&self, id: &str) -> Result<Option<Key>, Error> {
        self.store(0)?.key(id).await
    }
}

#[async_trait(?Send)]
impl Queries for Homes {
    async fn put_query(
        &self,
        account: &str,
        query: &NamedQuery,
        limit: usize,
    ) -> Result<QueryPut, Error> {
        self.store(0)?.put_query(account, query, limit).await
    }

    async fn query_named(&self, account: &str, name: &str) -> Result<Option<NamedQuery>, Error> {
        self.store(0)?.query_named(account, name).await
    }

    async fn queries(
        &self,
        account: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<NamedQuery>, Error> {
        self.store(0)?.queries(account, after, limit).await
    }

    async fn remove_query(&self, account: &str, name: &str) -> Result<bool, Error> {
        self.store(0)?.remove_query(account, name).await
    }
}
