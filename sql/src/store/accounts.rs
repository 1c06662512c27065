//! A database as the directory of accounts, as the log of all, or as the store of one.

use super::{Copies, Database, DatabaseStore};
use crate::AccountRow;
use crate::log::{self, BacklogRow, DocumentRow, HeadRow, SizeRow, SpanRow, UnloggedRow};
use crate::store::log::{only, rows_as};
use async_trait::async_trait;
use epcis_edge_core::error::Error;
use epcis_edge_core::query::account_of;
use epcis_edge_core::store::{Account, AccountsLog, Backlog, BareLeaf, Directory, Head, Unlogged};
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::ops::Range;

#[async_trait(?Send)]
impl<D: Database, P> Directory for DatabaseStore<D, P> {
    async fn begins_of(&self, accounts: &[&str]) -> Result<BTreeMap<String, u64>, Error> {
        let rows: Vec<AccountRow> =
            self.rows(crate::begins_of(self.database.dialect(), accounts)).await?;
        Ok(rows.into_iter().map(|row| (row.account, row.begin)).collect())
    }

    async fn begin(&self, account: &str) -> Result<u64, Error> {
        let rows: Vec<AccountRow> = self.rows(crate::begin(account)).await?;
        Ok(only(rows, "the number of the account")?.begin)
    }

    async fn accounts(&self, after: u64, limit: usize) -> Result<Vec<(u64, String)>, Error> {
        let rows: Vec<AccountRow> = self.rows(crate::accounts(after, limit)).await?;
        Ok(rows.into_iter().map(|row| (account_of(row.begin), row.account)).collect())
    }
}

#[async_trait(?Send)]
impl<D: Database, P: Copies> AccountsLog for DatabaseStore<D, P> {
    async fn grew(&self, newest: u64) -> Result<(), Error> {
        let _: Vec<IgnoredAny> = self.rows(log::grew(newest)).await?;
        Ok(())
    }

    async fn grown(&self, limit: usize) -> Result<Vec<(u64, u64)>, Error> {
        let rows: Vec<SpanRow> = self.rows(log::grown(limit)).await?;
        Ok(log::spans_of(&rows))
    }

    async fn logged_spans(&self, leaves: Range<u64>) -> Result<Vec<(u64, u64)>, Error> {
        let rows: Vec<SpanRow> = self.rows(log::logged_spans(&leaves)).await?;
        Ok(log::spans_of(&rows))
    }

    async fn bare_leaves(&self, sequences: &[u64]) -> Result<(Vec<BareLeaf>, Option<Head>), Error> {
        let leaves = log::bare_leaves(sequences);
        let statements = [leaves, log::last_head()];
        let [leaves, heads] = self.read_each(statements).await?;
        let head = rows_as::<HeadRow>(heads)?.pop().map(Head::try_from).transpose()?;
        Ok((log::bare_leaves_of(rows_as(leaves)?)?, head))
    }

    async fn bare_leaves_in(&self, leaves: Range<u64>) -> Result<Vec<BareLeaf>, Error> {
        log::bare_leaves_of(self.rows(log::bare_leaves_in(&leaves)).await?)
    }
}

#[async_trait(?Send)]
impl<D: Database, P> Account for DatabaseStore<D, P> {
    async fn events_after(
        &self,
        after: u64,
        limit: usize,
        bytes: usize,
    ) -> Result<Vec<Unlogged>, Error> {
        let statement = log::events_after(self.database.dialect(), after, limit, bytes);
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
