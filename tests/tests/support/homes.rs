//! A database store as one of several homes: the Worker's statements, run natively.

use super::{DatabaseStore, Engine};
use epcis_edge_core::error::Error;
use epcis_edge_core::query::{Places, home_of};
use epcis_edge_core::store::{AccountHomes, Backlog, BareLeaf, Head, LogParts, Unlogged, WhichLog};
use epcis_edge_worker::sql::log::{
    self, BacklogRow, BareLeafRow, DocumentRow, HeadRow, SizeRow, SpanRow, UnloggedRow,
};
use epcis_edge_worker::sql::{self, HomeRow, NewestRow};
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::ops::Range;

impl<E: Engine> AccountHomes for DatabaseStore<E> {
    async fn homes_of(&self, accounts: &[&str]) -> Result<BTreeMap<String, u64>, Error> {
        let statement = sql::homes_of(self.connection.dialect(), accounts);
        let rows: Vec<HomeRow> = self.rows(&statement)?;
        Ok(sql::homes(rows))
    }

    async fn own_home(&self) -> Result<u64, Error> {
        let rows: Vec<NewestRow> = self.rows(&sql::own_home(self.connection.dialect()))?;
        Ok(home_of(sql::newest_of(&rows).single()))
    }

    async fn settle(&self, account: &str, homes: u64) -> Result<u64, Error> {
        let statement = sql::settle(self.connection.dialect(), account, homes);
        self.rows::<IgnoredAny>(&statement)?;
        let found = self.homes_of(&[account]).await?;
        Ok(found.get(account).copied().unwrap_or_default())
    }
}

impl<E: Engine> LogParts for DatabaseStore<E> {
    async fn last_logged(&self, homes: u64) -> Result<Places, Error> {
        let statement = log::last_logged(self.connection.dialect(), homes);
        let rows: Vec<NewestRow> = self.rows(&statement)?;
        Ok(sql::newest_of(&rows))
    }

    async fn logged_spans(
        &self,
        which: WhichLog,
        leaves: Range<u64>,
    ) -> Result<Vec<(u64, u64)>, Error> {
        let rows: Vec<SpanRow> = self.rows(&log::logged_spans(which, &leaves))?;
        Ok(log::spans_of(&rows))
    }

    async fn bare_leaves(
        &self,
        which: WhichLog,
        sequences: &[u64],
    ) -> Result<(Vec<BareLeaf>, Option<Head>), Error> {
        let dialect = self.connection.dialect();
        let leaves: Vec<BareLeafRow> = self.rows(&log::bare_leaves(dialect, which, sequences))?;
        let mut heads: Vec<HeadRow> = self.rows(&log::last_head(which))?;
        let head = heads.pop().map(Head::try_from).transpose()?;
        Ok((log::bare_leaves_of(leaves)?, head))
    }

    async fn bare_leaves_in(
        &self,
        which: WhichLog,
        leaves: Range<u64>,
    ) -> Result<Vec<BareLeaf>, Error> {
        log::bare_leaves_of(self.rows(&log::bare_leaves_in(which, &leaves))?)
    }

    async fn events_after(
        &self,
        after: u64,
        limit: usize,
        bytes: usize,
    ) -> Result<Vec<Unlogged>, Error> {
        let dialect = self.connection.dialect();
        let rows: Vec<UnloggedRow> = self.rows(&log::events_after(dialect, after, limit, bytes))?;
        Ok(log::unlogged_of(rows))
    }

    async fn events_at(&self, sequences: &[u64], bytes: usize) -> Result<Vec<Unlogged>, Error> {
        let dialect = self.connection.dialect();
        let rows: Vec<UnloggedRow> = self.rows(&log::events_at(dialect, sequences, bytes))?;
        Ok(log::unlogged_of(rows))
    }

    async fn documents_at(&self, sequences: &[u64]) -> Result<BTreeMap<u64, String>, Error> {
        let statement = log::documents_at(self.connection.dialect(), sequences);
        let rows: Vec<DocumentRow> = self.rows(&statement)?;
        Ok(log::documents_of(rows))
    }

    async fn count_between(&self, after: u64, up_to: u64) -> Result<u64, Error> {
        let mut rows: Vec<SizeRow> = self.rows(&log::count_between(after, up_to))?;
        Ok(rows.pop().and_then(|row| row.size).unwrap_or_default())
    }

    async fn backlog_after(&self, after: u64) -> Result<Backlog, Error> {
        let mut rows: Vec<BacklogRow> = self.rows(&log::backlog_after(after))?;
        Ok(rows.pop().map(Backlog::from).unwrap_or_default())
    }
}
