//! The log of the store in a database: the statements of the Worker, run natively.

use super::{DatabaseStore, Engine};
use epcis_edge_core::error::Error;
use epcis_edge_core::log::{Hash, Tile, Witnessed};
use epcis_edge_core::store::{Extension, Head, HeadCopy, Log, Logged, Selection, Unlogged};
use epcis_edge_worker::sql::Turn;
use epcis_edge_worker::sql::log::{
    self, HashesRow, HeadRow, LeafRow, SizeRow, UnloggedRow, WitnessedRow, is_overtaken,
};
use std::ops::{Range, RangeInclusive};

impl<E: Engine> DatabaseStore<E> {
    fn head_of(
        &self,
        statement: &epcis_edge_worker::sql::Statement,
    ) -> Result<Option<Head>, Error> {
        let mut rows: Vec<HeadRow> = self.rows(statement)?;
        rows.pop().map(Head::try_from).transpose()
    }
}

impl<E: Engine> Log for DatabaseStore<E> {
    async fn last_head(&self) -> Result<Option<Head>, Error> {
        self.head_of(&log::last_head())
    }

    async fn last_cosigned_head(&self) -> Result<Option<Head>, Error> {
        self.head_of(&log::last_cosigned_head())
    }

    async fn head(&self, size: u64) -> Result<Option<Head>, Error> {
        self.head_of(&log::head(size))
    }

    async fn has_head(&self, sizes: RangeInclusive<u64>) -> Result<bool, Error> {
        let rows: Vec<SizeRow> = self.rows(&log::has_head(&sizes))?;
        Ok(!rows.is_empty())
    }

    async fn unlogged(&self, limit: usize) -> Result<Vec<Unlogged>, Error> {
        let rows: Vec<UnloggedRow> = self.rows(&log::unlogged(limit, 8 << 20))?;
        Ok(log::unlogged_of(rows))
    }

    async fn tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<Hash>>, Error> {
        let rows = |tile: &Tile| {
            let rows: Vec<HashesRow> = self.rows(&log::tile(tile))?;
            log::tile_of(tile, &rows)
        };
        tiles.iter().map(rows).collect()
    }

    async fn commitments(&self, leaves: Range<u64>) -> Result<Vec<Hash>, Error> {
        let rows: Vec<HashesRow> = self.rows(&log::commitments(&leaves))?;
        log::hashes_of(&rows)
    }

    async fn extend(&self, extension: &Extension) -> Result<bool, Error> {
        let turn = self.connection.dialect().turn(Turn::Log);
        self.connection.begin();
        let mut all = turn.into_iter().chain(log::extend(extension));
        let done =
            all.try_for_each(|statement| self.rows::<serde::de::IgnoredAny>(&statement).map(drop));
        match self.ended(done) {
            Ok(()) => Ok(true),
            Err(error) if is_overtaken(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn select_logged(&self, selection: &Selection<'_>) -> Result<Logged, Error> {
        let dialect = self.connection.dialect();
        let [events, leaves, head] = log::select_logged(dialect, selection, &self.wide(selection)?);
        let leaves: Vec<LeafRow> = self.rows(&leaves)?;
        log::logged(selection, self.rows(&events)?, leaves, self.head_of(&head)?)
    }

    async fn keep_cosignatures(&self, size: u64, lines: &[(String, String)]) -> Result<(), Error> {
        self.rows::<serde::de::IgnoredAny>(&log::keep_cosignatures(size, lines))
            .map(drop)
    }

    async fn last_cosigned_by(&self, name: &str) -> Result<Option<u64>, Error> {
        let mut rows: Vec<SizeRow> = self.rows(&log::last_cosigned_by(name))?;
        Ok(rows.pop().and_then(|row| row.size))
    }

    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error> {
        let text = self.copy.borrow();
        text.as_deref().map(log::copy_of).transpose()
    }

    async fn copy_head(&self, copy: &HeadCopy) -> Result<(), Error> {
        *self.copy.borrow_mut() = Some(log::copy_text(copy));
        Ok(())
    }

    async fn witnessed(&self, digest: &str) -> Result<Option<Witnessed>, Error> {
        let mut rows: Vec<WitnessedRow> = self.rows(&log::witnessed(digest))?;
        rows.pop().map(Witnessed::try_from).transpose()
    }

    async fn keep_witnessed(
        &self,
        digest: &str,
        last: Option<&Witnessed>,
        next: &Witnessed,
    ) -> Result<bool, Error> {
        let rows: Vec<SizeRow> = self.rows(&log::keep_witnessed(digest, last, next))?;
        Ok(!rows.is_empty())
    }
}
