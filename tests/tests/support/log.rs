//! The log of a database store: the Worker's statements, run natively.

use super::{DatabaseStore, Engine};
use epcis_edge_core::error::Error;
use epcis_edge_core::log::{Hash, LastCosignedCheckpoint, Tile};
use epcis_edge_core::store::{
    Backlog, EndedLog, EndedLogs, Extension, Halt, Head, HeadCopy, Leaf, Log, Logged, LoggedEvent,
    Selection, Unlogged, WhichLog,
};
use epcis_edge_worker::sql::log::{
    self, BacklogRow, CosignedRow, EndedRow, HaltRow, HashesRow, HeadRow, LeafRow, LeftRow,
    LoggedRow, SizeRow, UnloggedRow, WitnessedRow, is_overtaken,
};
use serde::de::IgnoredAny;
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
    async fn last_head(&self, which: WhichLog) -> Result<Option<Head>, Error> {
        self.head_of(&log::last_head(which))
    }

    async fn last_cosigned_head(&self, which: WhichLog) -> Result<Option<Head>, Error> {
        self.head_of(&log::last_cosigned_head(which))
    }

    async fn head(&self, size: u64) -> Result<Option<Head>, Error> {
        self.head_of(&log::head(size))
    }

    async fn has_head(&self, which: WhichLog, sizes: RangeInclusive<u64>) -> Result<bool, Error> {
        let rows: Vec<SizeRow> = self.rows(&log::has_head(which, &sizes))?;
        Ok(!rows.is_empty())
    }

    async fn unlogged(&self, limit: usize) -> Result<Vec<Unlogged>, Error> {
        let rows: Vec<UnloggedRow> =
            self.rows(&log::unlogged(self.connection.dialect(), limit, 8 << 20))?;
        Ok(log::unlogged_of(rows))
    }

    async fn tiles(&self, which: WhichLog, tiles: &[Tile]) -> Result<Vec<Vec<Hash>>, Error> {
        let rows = |tile: &Tile| {
            let rows: Vec<HashesRow> = self.rows(&log::tile(which, tile))?;
            log::tile_of(tile, &rows)
        };
        tiles.iter().map(rows).collect()
    }

    async fn commitments(&self, which: WhichLog, leaves: Range<u64>) -> Result<Vec<Hash>, Error> {
        let rows: Vec<HashesRow> = self.rows(&log::commitments(which, &leaves))?;
        log::hashes_of(&rows)
    }

    async fn extend(&self, extension: &Extension) -> Result<bool, Error> {
        let turn = self.connection.dialect().log_turn();
        self.connection.begin();
        let mut all = turn
            .into_iter()
            .chain(log::extend(self.connection.dialect(), extension));
        let done = all.try_for_each(|statement| self.rows::<IgnoredAny>(&statement).map(drop));
        match self.ended(done) {
            Ok(()) => Ok(true),
            Err(error) if is_overtaken(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn select_logged(
        &self,
        which: WhichLog,
        selection: &Selection<'_>,
    ) -> Result<Logged, Error> {
        let dialect = self.connection.dialect();
        let [events, leaves, head] =
            log::select_logged(dialect, which, selection, &self.survey(selection)?.0);
        let leaves: Vec<LeafRow> = self.rows(&leaves)?;
        log::logged(selection, self.rows(&events)?, leaves, self.head_of(&head)?)
    }

    async fn leaves(
        &self,
        which: WhichLog,
        sequences: &[u64],
    ) -> Result<(Vec<(u64, Leaf)>, Option<Head>), Error> {
        let [leaves, head] = log::leaves(self.connection.dialect(), which, sequences);
        let leaves = log::leaves_by_number(self.rows(&leaves)?)?;
        Ok((leaves, self.head_of(&head)?))
    }

    async fn keep_cosignatures(&self, size: u64, lines: &[(String, String)]) -> Result<(), Error> {
        log::keep_cosignatures(self.connection.dialect(), size, lines)
            .iter()
            .try_for_each(|statement| self.rows::<IgnoredAny>(statement).map(drop))
    }

    async fn last_cosigned_by(&self, name: &str) -> Result<Option<(u64, String)>, Error> {
        let mut rows: Vec<CosignedRow> = self.rows(&log::last_cosigned_by(name))?;
        Ok(rows.pop().map(|row| (row.size, row.line)))
    }

    async fn last_halt(&self) -> Result<Option<Halt>, Error> {
        let mut rows: Vec<HaltRow> = self.rows(&log::last_halt())?;
        Ok(rows.pop().map(Halt::from))
    }

    async fn halt(&self, halt: &Halt) -> Result<(), Error> {
        self.rows::<IgnoredAny>(&log::halt(halt)).map(drop)
    }

    async fn resume(&self, at: &str) -> Result<(), Error> {
        self.rows::<IgnoredAny>(&log::resume(at)).map(drop)
    }

    async fn backlog(&self) -> Result<Backlog, Error> {
        let mut rows: Vec<BacklogRow> = self.rows(&log::backlog())?;
        Ok(rows.pop().map(Backlog::from).unwrap())
    }

    async fn heads(&self, which: WhichLog, sizes: Range<u64>) -> Result<Vec<Head>, Error> {
        let rows: Vec<HeadRow> = self.rows(&log::heads(which, &sizes))?;
        rows.into_iter().map(Head::try_from).collect()
    }

    async fn logged_events(
        &self,
        which: WhichLog,
        leaves: Range<u64>,
    ) -> Result<Vec<LoggedEvent>, Error> {
        let rows: Vec<LoggedRow> = self.rows(&log::logged_events(
            self.connection.dialect(),
            which,
            &leaves,
            100_000,
        ))?;
        log::logged_events_of(rows)
    }

    async fn events_between(&self, which: WhichLog, leaves: Range<u64>) -> Result<u64, Error> {
        let mut rows: Vec<SizeRow> = self.rows(&log::events_between(which, &leaves))?;
        Ok(rows.pop().and_then(|row| row.size).unwrap())
    }

    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error> {
        let text = self.copy.borrow();
        text.as_deref().map(log::copy_of).transpose()
    }

    async fn copy_head(&self, copy: &HeadCopy) -> Result<(), Error> {
        *self.copy.borrow_mut() = Some(log::copy_text(copy));
        Ok(())
    }

    async fn witnessed(&self, digest: &str) -> Result<Option<LastCosignedCheckpoint>, Error> {
        let mut rows: Vec<WitnessedRow> = self.rows(&log::witnessed(digest))?;
        rows.pop().map(LastCosignedCheckpoint::try_from).transpose()
    }

    async fn keep_witnessed(
        &self,
        digest: &str,
        last: Option<&LastCosignedCheckpoint>,
        next: &LastCosignedCheckpoint,
    ) -> Result<bool, Error> {
        let rows: Vec<SizeRow> = self.rows(&log::keep_witnessed(digest, last, next))?;
        Ok(!rows.is_empty())
    }

    async fn witnessed_copy(&self, digest: &str) -> Result<Option<LastCosignedCheckpoint>, Error> {
        let copies = self.witnessed_copies.borrow();
        copies
            .get(digest)
            .map(|text| log::witnessed_of(text))
            .transpose()
    }

    async fn copy_witnessed(
        &self,
        digest: &str,
        witnessed: &LastCosignedCheckpoint,
    ) -> Result<(), Error> {
        let text = log::witnessed_text(witnessed);
        self.witnessed_copies
            .borrow_mut()
            .insert(digest.to_owned(), text);
        Ok(())
    }
}

impl<E: Engine> EndedLogs for DatabaseStore<E> {
    async fn ended_logs(&self) -> Result<Vec<EndedLog>, Error> {
        let rows: Vec<EndedRow> = self.rows(&log::ended_logs())?;
        Ok(rows.into_iter().map(EndedLog::from).collect())
    }

    async fn begin_ending(&self, origin: &str, policy: &str, at: &str) -> Result<(), Error> {
        let statement = log::begin_ending(origin, policy, at);
        self.rows::<IgnoredAny>(&statement).map(drop)
    }

    async fn move_portion(&self) -> Result<Option<u64>, Error> {
        let turn = self.connection.dialect().log_turn();
        self.connection.begin();
        let mut statements = log::move_portion();
        let last = statements.pop().unwrap();
        let mut all = turn.into_iter().chain(statements);
        let done = all.try_for_each(|statement| self.rows::<IgnoredAny>(&statement).map(drop));
        let left = done.and_then(|()| self.rows::<LeftRow>(&last));
        log::left_of(self.ended(left)?.pop())
    }

    async fn finish_ending(&self, at: &str) -> Result<(), Error> {
        self.rows::<IgnoredAny>(&log::finish_ending(at)).map(drop)
    }
}
