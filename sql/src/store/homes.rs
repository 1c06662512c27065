//! A database as one of several homes.

use super::{Copies, Database, DatabaseStore, fault};
use crate::log::{self, BacklogRow, DocumentRow, HeadRow, SizeRow, SpanRow, UnloggedRow};
use crate::store::log::{only, rows_as};
use crate::{HomeRow, NewestRow};
use async_trait::async_trait;
use epcis_edge_core::error::Error;
use epcis_edge_core::query::{Places, home_of};
use epcis_edge_core::store::{AccountHomes, Backlog, BareLeaf, Head, LogParts, Unlogged};
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::ops::Range;

#[async_trait(?Send)]
impl<D: Database, P> AccountHomes for DatabaseStore<D, P> {
    async fn homes_of(&self, accounts: &[&str]) -> Result<BTreeMap<String, u64>, Error> {
        let rows: Vec<HomeRow> = self.rows(crate::homes_of(accounts)).await?;
        Ok(crate::homes(rows))
    }

    async fn own_home(&self) -> Result<u64, Error> {
        let rows: Vec<NewestRow> = self.rows(crate::own_home()).await?;
        Ok(home_of(crate::newest_of(&rows).single()))
    }

    async fn settle(&self, account: &str, homes: u64) -> Result<u64, Error> {
        let _: Vec<IgnoredAny> = self.rows(crate::settle(account, homes)).await?;
        let found = self.homes_of(&[account]).await?;
        let home = found.get(account).copied();
        home.ok_or_else(|| fault("the account has no home although it was given one"))
    }
}

#[async_trait(?Send)]
impl<D: Database, P: Copies> LogParts for DatabaseStore<D, P> {
    async fn last_logged(&self, homes: u64) -> Result<Places, Error> {
        let statement = log::last_logged(self.database.dialect(), homes);
        let rows: Vec<NewestRow> = self.rows(statement).await?;
        Ok(crate::newest_of(&rows))
    }

    async fn logged_spans(&self, leaves: Range<u64>) -> Result<Vec<(u64, u64)>, Error> {
        let rows: Vec<SpanRow> = self.rows(log::logged_spans(&leaves)).await?;
        Ok(log::spans_of(&rows))
    }

    async fn bare_leaves(&self, sequences: &[u64]) -> Result<(Vec<BareLeaf>, Option<Head>), Error> {
        let leaves = log::bare_leaves(self.database.dialect(), sequences);
        let statements = [leaves, log::last_head()];
        let [leaves, heads] = self.read_each(statements).await?;
        let head = rows_as::<HeadRow>(heads)?.pop().map(Head::try_from).transpose()?;
        Ok((log::bare_leaves_of(rows_as(leaves)?)?, head))
    }

    async fn bare_leaves_in(&self, leaves: Range<u64>) -> Result<Vec<BareLeaf>, Error> {
        log::bare_leaves_of(self.rows(log::bare_leaves_in(&leaves)).await?)
    }

    async fn events_after(
        &self,
        after: u64,
        limit: usize,
        bytes: usize,
    ) -> Result<Vec<Unlogged>, Error> {
        let dialect = self.database.dialect();
        let statement = log::events_after(dialect, after, limit, bytes);
        let rows: Vec<UnloggedRow> = self.rows(statement).await?;
        Ok(log::unlogged_of(rows))
    }

    async fn events_at(&self, sequences: &[u64], bytes: usize) -> Result<Vec<Unlogged>, Error> {
        let dialect = self.database.dialect();
        let statement = log::events_at(dialect, sequences, bytes);
        let rows: Vec<UnloggedRow> = self.rows(statement).await?;
        Ok(log::unlogged_of(rows))
    }

    async fn documents_at(&self, sequences: &[u64]) -> Result<BTreeMap<u64, String>, Error> {
        let statement = log::documents_at(self.database.dialect(), sequences);
        let rows: Vec<DocumentRow> = self.rows(statement).await?;
        Ok(log::documents_of(rows))
    }

    async fn count_between(&self, after: u64, up_to: u64) -> Result<u64, Error> {
        let rows: Vec<SizeRow> = self.rows(log::count_between(after, up_to)).await?;
        Ok(only(rows, "the number of events between two others")?.size)
    }

    async fn backlog_after(&self, after: u64) -> Result<Backlog, Error> {
        let rows: Vec<BacklogRow> = self.rows(log::backlog_after(after)).await?;
        only(rows, "the events without a leaf").map(Backlog::from)
    }
}
