//! The homes of a gateway: a database for each, found by their bindings.

use super::HomeStore;
use crate::sql::log::{
    self, BacklogRow, BareLeafRow, DocumentRow, HeadRow, SizeRow, SpanRow, UnloggedRow,
};
use crate::sql::{self, HomeRow, NewestRow};
use crate::store::log::rows_as;
use epcis_edge_core::error::Error;
use epcis_edge_core::query::{MAX_HOMES, Places, home_of};
use epcis_edge_core::store::{
    AccountHomes, Backlog, BareLeaf, Head, Homes, HomesMemory, LogParts, Unlogged, WhichLog,
};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use worker::Env;

/// The store of a gateway: one home, or several.
pub(crate) type GatewayStore = Homes<HomeStore>;

/// The store over the bindings of the environment.
///
/// The first home has the bindings that [`HomeStore`] tells; the others have the same names with `_1`, `_2` and so on.
///
/// # Errors
/// As [`HomeStore::new`].
pub(crate) fn open(env: &Env, memory: &Rc<HomesMemory>) -> worker::Result<GatewayStore> {
    let mut stores = vec![HomeStore::new(env, 0)?];
    for home in 1..MAX_HOMES {
        if !HomeStore::is_bound(env, home) {
            break;
        }
        stores.push(HomeStore::new(env, home)?);
    }
    Ok(Homes::remembering(stores, Rc::clone(memory)))
}

/// What the Worker asks of its store, besides the traits of the core.
pub(crate) trait Shared {
    /// Whether it can serve all requests, not only the one that it was made for.
    fn is_shared(&self) -> bool;

    /// Whether events were appended since the last call.
    fn take_growth(&self) -> bool;

    /// Takes the turn of the log for this many milliseconds; false if it was not free. Over D1 it always is.
    ///
    /// # Errors
    /// A fault of the storage.
    async fn take_log_turn(&self, milliseconds: u64) -> Result<bool, Error>;
}

impl Shared for GatewayStore {
    fn is_shared(&self) -> bool {
        self.stores().iter().all(HomeStore::is_shared)
    }

    fn take_growth(&self) -> bool {
        // All are asked: each forgets that it has grown.
        let grown = self.stores().iter().filter(|store| store.take_growth());
        grown.count() > 0
    }

    async fn take_log_turn(&self, milliseconds: u64) -> Result<bool, Error> {
        match self.stores().first() {
            Some(first) => first.take_log_turn(milliseconds).await,
            None => Ok(false),
        }
    }
}

impl AccountHomes for HomeStore {
    async fn homes_of(&self, accounts: &[&str]) -> Result<BTreeMap<String, u64>, Error> {
        let statement = sql::homes_of(self.database.dialect(), accounts);
        let rows: Vec<HomeRow> = self.rows(statement).await?;
        Ok(sql::homes(rows))
    }

    async fn own_home(&self) -> Result<u64, Error> {
        let rows: Vec<NewestRow> = self.rows(sql::own_home(self.database.dialect())).await?;
        Ok(home_of(sql::newest_of(&rows).single()))
    }

    async fn settle(&self, account: &str, homes: u64) -> Result<u64, Error> {
        let statement = sql::settle(self.database.dialect(), account, homes);
        let _: Vec<IgnoredAny> = self.rows(statement).await?;
        let found = self.homes_of(&[account]).await?;
        Ok(found.get(account).copied().unwrap_or_default())
    }
}

impl LogParts for HomeStore {
    async fn last_logged(&self, homes: u64) -> Result<Places, Error> {
        let statement = log::last_logged(self.database.dialect(), homes);
        let rows: Vec<NewestRow> = self.rows(statement).await?;
        Ok(sql::newest_of(&rows))
    }

    async fn logged_spans(
        &self,
        which: WhichLog,
        leaves: Range<u64>,
    ) -> Result<Vec<(u64, u64)>, Error> {
        let rows: Vec<SpanRow> = self.rows(log::logged_spans(which, &leaves)).await?;
        Ok(log::spans_of(&rows))
    }

    async fn bare_leaves(
        &self,
        which: WhichLog,
        sequences: &[u64],
    ) -> Result<(Vec<BareLeaf>, Option<Head>), Error> {
        let leaves = log::bare_leaves(self.database.dialect(), which, sequences);
        let statements = vec![leaves, log::last_head(which)];
        let mut results: Vec<Vec<Value>> = self.database.read(statements).await?;
        let head = rows_as::<HeadRow>(results.pop().unwrap_or_default())?.pop();
        let leaves: Vec<BareLeafRow> = rows_as(results.pop().unwrap_or_default())?;
        let head = head.map(Head::try_from).transpose()?;
        Ok((log::bare_leaves_of(leaves)?, head))
    }

    async fn bare_leaves_in(
        &self,
        which: WhichLog,
        leaves: Range<u64>,
    ) -> Result<Vec<BareLeaf>, Error> {
        log::bare_leaves_of(self.rows(log::bare_leaves_in(which, &leaves)).await?)
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
        let mut rows: Vec<SizeRow> = self.rows(log::count_between(after, up_to)).await?;
        Ok(rows.pop().and_then(|row| row.size).unwrap_or_default())
    }

    async fn backlog_after(&self, after: u64) -> Result<Backlog, Error> {
        let mut rows: Vec<BacklogRow> = self.rows(log::backlog_after(after)).await?;
        Ok(rows.pop().map(Backlog::from).unwrap_or_default())
    }
}
