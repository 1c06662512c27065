//! The transparency log of a deployment: in the database, with a copy of its newest head outside of it.

use super::{Copies, Database, DatabaseStore, fault};
use crate::Statement;
use crate::log::{
    self, BacklogRow, CosignedRow, HaltRow, HashesRow, HeadRow, LoggedRow, SizeRow, UnloggedRow,
};
use async_trait::async_trait;
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::log::{Hash, Tile};
use epcis_edge_core::store::{
    Backlog, Extension, Halt, Head, HeadCopy, LOGGED_BYTES, Leaf, Log, Logged, LoggedEvent,
    Selection, Unlogged,
};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use std::ops::{Range, RangeInclusive};

/// The name of the copy of the newest head. It differs from those of the documents, which are digests.
const COPY: &str = "log/head";

/// Parses the rows of one statement of a batch whose statements have rows of different types.
pub(super) fn rows_as<T: DeserializeOwned>(rows: Vec<Value>) -> Result<Vec<T>, Error> {
    let rows = rows.into_iter();
    rows.map(|row| serde_json::from_value(row).map_err(fault)).collect()
}

/// The row of a statement that always has one.
///
/// # Errors
/// [`ErrorKind::Internal`](epcis_edge_core::error::ErrorKind::Internal) with what is missing, if there is none.
pub(super) fn only<T>(mut rows: Vec<T>, what: &str) -> Result<T, Error> {
    rows.pop().ok_or_else(|| fault(format!("the database did not return {what}")))
}

impl<D: Database, P> DatabaseStore<D, P> {
    /// Reads on one snapshot, by statements whose rows have different types.
    pub(super) async fn read_each<const N: usize>(
        &self,
        statements: [Statement; N],
    ) -> Result<[Vec<Value>; N], Error> {
        let results = self.database.read(statements.into()).await?;
        <[Vec<Value>; N]>::try_from(results).map_err(|results| {
            let found = results.len();
            fault(format!("the database returned {found} results for {N} statements"))
        })
    }

    async fn head_of(&self, statement: Statement) -> Result<Option<Head>, Error> {
        let mut rows: Vec<HeadRow> = self.rows(statement).await?;
        rows.pop().map(Head::try_from).transpose()
    }
}

#[async_trait(?Send)]
impl<D: Database, P: Copies> Log for DatabaseStore<D, P> {
    async fn last_head(&self) -> Result<Option<Head>, Error> {
        self.head_of(log::last_head()).await
    }

    async fn last_cosigned_head(&self) -> Result<Option<Head>, Error> {
        self.head_of(log::last_cosigned_head()).await
    }

    async fn head(&self, size: u64) -> Result<Option<Head>, Error> {
        self.head_of(log::head(size)).await
    }

    async fn has_head(&self, sizes: RangeInclusive<u64>) -> Result<bool, Error> {
        let rows: Vec<SizeRow> = self.rows(log::has_head(&sizes)).await?;
        Ok(!rows.is_empty())
    }

    async fn unlogged(&self, limit: usize) -> Result<Vec<Unlogged>, Error> {
        let rows: Vec<UnloggedRow> =
            self.rows(log::unlogged(self.database.dialect(), limit, LOGGED_BYTES)).await?;
        Ok(log::unlogged_of(rows))
    }

    async fn tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<Hash>>, Error> {
        if tiles.is_empty() {
            return Ok(Vec::new());
        }
        let statements = tiles.iter().map(log::tile).collect();
        let results: Vec<Vec<HashesRow>> = self.database.read(statements).await?;
        tiles.iter().zip(&results).map(|(tile, rows)| log::tile_of(tile, rows)).collect()
    }

    async fn commitments(&self, leaves: Range<u64>) -> Result<Vec<Hash>, Error> {
        let rows: Vec<HashesRow> = self.rows(log::commitments(&leaves)).await?;
        log::hashes_of(&rows)
    }

    async fn extend(&self, extension: &Extension) -> Result<bool, Error> {
        let extended: Result<Vec<Vec<IgnoredAny>>, Error> =
            self.database.write_log(log::extend(extension)).await;
        match extended {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.kind(), ErrorKind::Overtaken { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn select_logged(&self, selection: &Selection<'_>) -> Result<Logged, Error> {
        let (wide, _) = self.survey(selection).await?;
        let statements = log::select_logged(self.database.dialect(), selection, &wide);
        let [events, leaves, heads] = self.read_each(statements).await?;
        let head = rows_as::<HeadRow>(heads)?.pop().map(Head::try_from).transpose()?;
        log::logged(selection, rows_as(events)?, rows_as(leaves)?, head)
    }

    async fn leaves(&self, sequences: &[u64]) -> Result<(Vec<(u64, Leaf)>, Option<Head>), Error> {
        let statements = log::leaves(sequences);
        let [leaves, heads] = self.read_each(statements).await?;
        let head = rows_as::<HeadRow>(heads)?.pop().map(Head::try_from).transpose()?;
        Ok((log::leaves_by_number(rows_as(leaves)?)?, head))
    }

    async fn keep_cosignatures(&self, size: u64, lines: &[(String, String)]) -> Result<(), Error> {
        let statements = log::keep_cosignatures(size, lines);
        let _: Vec<Vec<IgnoredAny>> = self.database.write_log(statements).await?;
        Ok(())
    }

    async fn last_cosigned_by(&self, name: &str) -> Result<Option<(u64, String)>, Error> {
        let mut rows: Vec<CosignedRow> = self.rows(log::last_cosigned_by(name)).await?;
        Ok(rows.pop().map(|row| (row.size, row.line)))
    }

    async fn last_halt(&self) -> Result<Option<Halt>, Error> {
        let mut rows: Vec<HaltRow> = self.rows(log::last_halt()).await?;
        Ok(rows.pop().map(Halt::from))
    }

    async fn halt(&self, halt: &Halt) -> Result<(), Error> {
        let _: Vec<IgnoredAny> = self.rows(log::halt(halt)).await?;
        Ok(())
    }

    async fn resume(&self, at: &str) -> Result<(), Error> {
        let _: Vec<IgnoredAny> = self.rows(log::resume(at)).await?;
        Ok(())
    }

    async fn backlog(&self) -> Result<Backlog, Error> {
        let rows: Vec<BacklogRow> = self.rows(log::backlog()).await?;
        only(rows, "the events without a leaf").map(Backlog::from)
    }

    async fn heads(&self, sizes: Range<u64>) -> Result<Vec<Head>, Error> {
        let rows: Vec<HeadRow> = self.rows(log::heads(&sizes)).await?;
        rows.into_iter().map(Head::try_from).collect()
    }

    async fn logged_events(&self, leaves: Range<u64>) -> Result<Vec<LoggedEvent>, Error> {
        let rows: Vec<LoggedRow> =
            self.rows(log::logged_events(self.database.dialect(), &leaves, LOGGED_BYTES)).await?;
        log::logged_events_of(rows)
    }

    async fn events_between(&self, leaves: Range<u64>) -> Result<u64, Error> {
        let rows: Vec<SizeRow> = self.rows(log::events_between(&leaves)).await?;
        Ok(only(rows, "the number of events between leaves")?.size)
    }

    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error> {
        let text = self.documents.copy(COPY).await?;
        text.map(|text| log::copy_of(&text)).transpose()
    }

    async fn copy_head(&self, copy: &HeadCopy) -> Result<(), Error> {
        self.documents.keep_copy(COPY, log::copy_text(copy)).await
    }
}
