//! The transparency log of a deployment: in the database, with a copy of its newest head in KV.

use super::GatewayStore;
use crate::database::fault;
use crate::sql::Turn;
use crate::sql::log::{
    self, HashesRow, HeadRow, LeafRow, OVERTAKEN, SizeRow, StatedRow, TextRow, WitnessedRow,
};
use epcis_edge_core::error::{Error, ErrorKind};
use epcis_edge_core::log::{Hash, Statement, Tile, Witnessed};
use epcis_edge_core::store::{Extension, Head, HeadCopy, Leaf, Log, Unlogged};
use serde::de::IgnoredAny;
use std::ops::{Range, RangeInclusive};

/// Where the copy of the newest head is, beside the documents, whose names are digests.
const COPY: &str = "log/head";

/// How many events are read for their texts in one go.
const TEXTS: usize = 50;

impl GatewayStore {
    async fn head_of(&self, statement: crate::sql::Statement) -> Result<Option<Head>, Error> {
        let mut rows: Vec<HeadRow> = self.rows(statement).await?;
        rows.pop().map(Head::try_from).transpose()
    }

    /// What is said of an event, by its columns or, where it is older than these, by its text.
    async fn stated(&self, row: &StatedRow) -> Result<Statement, Error> {
        if let Some(statement) = row.stated()? {
            return Ok(statement);
        }
        let rows: Vec<TextRow> = self.rows(log::text_of(row.sequence())).await?;
        let text: String = rows.into_iter().map(|row| row.text).collect();
        Statement::of_stored(&text, row.document())
    }
}

impl Log for GatewayStore {
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
        let rows: Vec<StatedRow> = self.rows(log::unlogged(limit)).await?;
        let mut unlogged = Vec::with_capacity(rows.len());
        let mut texts = 0;
        for row in rows {
            let statement = match row.stated()? {
                Some(statement) => statement,
                // Others follow with the next integration.
                None if texts == TEXTS => break,
                None => {
                    texts += 1;
                    self.stated(&row).await?
                }
            };
            unlogged.push(log::unlogged_of(&row, statement));
        }
        Ok(unlogged)
    }

    async fn tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<Hash>>, Error> {
        if tiles.is_empty() {
            return Ok(Vec::new());
        }
        let statements = tiles.iter().map(log::tile).collect();
        let results: Vec<Vec<HashesRow>> = self.database.read(statements).await?;
        tiles
            .iter()
            .zip(&results)
            .map(|(tile, rows)| log::tile_of(tile, rows))
            .collect()
    }

    async fn commitments(&self, leaves: Range<u64>) -> Result<Vec<Hash>, Error> {
        let rows: Vec<HashesRow> = self.rows(log::commitments(&leaves)).await?;
        log::hashes_of(&rows)
    }

    async fn extend(&self, extension: &Extension) -> Result<bool, Error> {
        let extended: Result<Vec<Vec<IgnoredAny>>, Error> =
            self.database.write(Turn::Log, log::extend(extension)).await;
        match extended {
            Ok(_) => Ok(true),
            Err(error) => match error.kind() {
                ErrorKind::Internal { detail }
                    if OVERTAKEN.iter().any(|reason| detail.contains(reason)) =>
                {
                    Ok(false)
                }
                _ => Err(error),
            },
        }
    }

    async fn leaf(&self, sequence: u64) -> Result<Option<Leaf>, Error> {
        let mut rows: Vec<LeafRow> = self.rows(log::leaf(sequence)).await?;
        let Some(row) = rows.pop() else {
            return Ok(None);
        };
        let statement = self.stated(&row.stated).await?;
        row.leaf(statement).map(Some)
    }

    async fn keep_cosignatures(&self, size: u64, lines: &[(String, String)]) -> Result<(), Error> {
        let statement = log::keep_cosignatures(size, lines);
        self.rows::<IgnoredAny>(statement).await?;
        Ok(())
    }

    async fn last_cosigned_by(&self, name: &str) -> Result<Option<u64>, Error> {
        let mut rows: Vec<SizeRow> = self.rows(log::last_cosigned_by(name)).await?;
        Ok(rows.pop().and_then(|row| row.size))
    }

    async fn head_copy(&self) -> Result<Option<HeadCopy>, Error> {
        let text = self.documents.get(COPY).text().await.map_err(fault)?;
        text.map(|text| log::copy_of(&text)).transpose()
    }

    async fn copy_head(&self, copy: &HeadCopy) -> Result<(), Error> {
        let put = self.documents.put(COPY, log::copy_text(copy));
        put.map_err(fault)?.execute().await.map_err(fault)
    }

    async fn witnessed(&self, digest: &str) -> Result<Option<Witnessed>, Error> {
        let mut rows: Vec<WitnessedRow> = self.rows(log::witnessed(digest)).await?;
        rows.pop().map(Witnessed::try_from).transpose()
    }

    async fn keep_witnessed(
        &self,
        digest: &str,
        last: Option<&Witnessed>,
        next: &Witnessed,
    ) -> Result<bool, Error> {
        let rows: Vec<SizeRow> = self.rows(log::keep_witnessed(digest, last, next)).await?;
        Ok(!rows.is_empty())
    }
}
