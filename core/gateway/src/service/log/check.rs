//! Compares database and log: whether each event is what its leaf commits to, and whether the heads cover each leaf.

use super::served::ServedLog;
use crate::store::{Head, LoggedEvent};
use epcis_edge_log::{Checkpoint, Edge, FullTile, Hash, Note, Statement, Tile, leaf_of};
use epcis_edge_text::error::Error;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// How many leaves one page checks.
const PAGE: u64 = 2048;

/// The most faults reported for one page.
const MAX_FAULTS: usize = 100;

/// The result of checking a page of leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(rename = "LogCheck"))]
pub struct Checked {
    /// The first leaf that was checked, counted from 0.
    pub from: u64,
    /// The leaf after the last one checked.
    pub to: u64,
    /// How many leaves the newest head covers.
    pub size: u64,
    /// How many of the checked leaves have no salt any more, so that their commitments cannot be checked.
    pub muted: u64,
    /// How many heads were checked.
    pub heads: u64,
    /// The faults, at most 100.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_FAULTS)))]
    pub faults: Vec<CheckFault>,
    /// Where to continue; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// A fault in the database or the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CheckFault {
    /// The leaf, counted from 0.
    pub leaf: u64,
    /// What was found, and what was expected.
    pub found: String,
}

impl Checked {
    fn fault(&mut self, leaf: u64, found: impl Into<String>) {
        if self.faults.len() < MAX_FAULTS {
            let found = found.into();
            self.faults.push(CheckFault { leaf, found });
        }
    }
}

impl ServedLog<'_> {
    /// Compares events, leaves, tiles and heads, beginning with a leaf.
    ///
    /// # Errors
    /// [`LogFault::OtherLog`](epcis_edge_text::error::LogFault::OtherLog); a fault of the storage; faults of the log are reported in the answer.
    pub(super) async fn check(&self, from: u64) -> Result<Checked, Error> {
        let last = self.service.store.last_head().await?;
        self.service.require_own(last.as_ref())?;
        let size = last.map_or(0, |head| head.size);
        let to = size.min(from.saturating_add(PAGE));
        let mut checked = Checked { from, to: to.max(from), size, ..Checked::default() };
        if from >= size {
            return Ok(checked);
        }
        let commitments = self.service.store.commitments(from..to).await?;
        if commitments.len() as u64 != to - from {
            checked.fault(from, format!("{} leaves, expected {}", commitments.len(), to - from));
        }
        self.check_tree(from, &commitments, &mut checked).await?;
        self.check_events(from..to, &commitments, &mut checked).await?;
        checked.next = (to < size).then_some(to);
        Ok(checked)
    }

    /// Builds the tree again from the leaves, and compares the resulting tiles and heads with the stored ones.
    async fn check_tree(
        &self,
        from: u64,
        commitments: &[Hash],
        checked: &mut Checked,
    ) -> Result<(), Error> {
        let tiles = self.service.store.tiles(&Tile::edge(from)).await?;
        let Ok(mut edge) = Edge::of(from, tiles) else {
            checked.fault(from, "the tiles before this leaf are not whole");
            return Ok(());
        };
        let end = from + commitments.len() as u64;
        let heads = self.service.store.heads(from + 1..end + 1).await?;
        let heads: BTreeMap<u64, Head> = heads.into_iter().map(|head| (head.size, head)).collect();
        for commitment in commitments {
            let leaf = edge.size();
            for tile in edge.push(leaf_of(commitment)) {
                self.check_tile(leaf, &tile, checked).await?;
            }
            if let Some(head) = heads.get(&edge.size()) {
                checked.heads += 1;
                self.check_head(head, &edge, checked);
            }
        }
        Ok(())
    }

    async fn check_tile(
        &self,
        leaf: u64,
        made: &FullTile,
        checked: &mut Checked,
    ) -> Result<(), Error> {
        let FullTile { level, number, .. } = *made;
        let whole = Tile { level, number, width: 256 };
        // The root of a full tile is a hash in the tile above: the last one there when this tile became full.
        let above =
            Tile { level: level + 1, number: number / 256, width: (number % 256) as u16 + 1 };
        let kept = self.service.store.tiles(&[whole, above]).await?;
        let (hashes, roots) = (kept.first(), kept.last().and_then(|roots| roots.last()));
        if hashes != Some(&made.hashes) {
            checked.fault(leaf, format!("{whole} is not made of the leaves below it"));
        }
        if roots != Some(&made.root) {
            checked.fault(leaf, format!("the root of {whole} does not match its hashes"));
        }
        Ok(())
    }

    fn check_head(&self, head: &Head, edge: &Edge, checked: &mut Checked) {
        let leaf = head.size - 1;
        if head.root != edge.root() {
            let found = format!("the head of {} leaves has another root than its tiles", head.size);
            checked.fault(leaf, found);
        }
        let said = Note::read(&head.note).and_then(|note| {
            let mut keys = self.settings.policy.logs().iter().map(|log| &log.key);
            keys.try_for_each(|key| note.is_signed_by(key).map(drop))?;
            Checkpoint::read(note.text())
        });
        match said {
            Ok(said) if (said.size, said.root) == (head.size, head.root) => {}
            Ok(_) => checked.fault(
                leaf,
                format!("the note of the head of {} leaves says something else", head.size),
            ),
            Err(fault) => checked.fault(leaf, format!("the head of {} leaves: {fault}", head.size)),
        }
    }

    /// Recomputes the commitment of each leaf from the stored event.
    async fn check_events(
        &self,
        leaves: Range<u64>,
        commitments: &[Hash],
        checked: &mut Checked,
    ) -> Result<(), Error> {
        let first = leaves.start;
        let mut at = first;
        while at < leaves.end {
            let page = self.service.store.logged_events(at..leaves.end).await?;
            let next = page.last().map_or(leaves.end, |last| last.leaf + 1);
            let found: BTreeMap<u64, &LoggedEvent> =
                page.iter().map(|event| (event.leaf, event)).collect();
            for leaf in at..next {
                let place = usize::try_from(leaf - first).unwrap_or(usize::MAX);
                let (Some(event), Some(commitment)) = (found.get(&leaf), commitments.get(place))
                else {
                    checked.fault(leaf, "the event of this leaf is not there");
                    continue;
                };
                match &event.salt {
                    None => checked.muted += 1,
                    Some(salt) => {
                        let (event_text, document) = (&event.event, &event.document);
                        let stated = Statement::of_leaf(event_text, document, salt, commitment);
                        if stated.is_err() {
                            let found = format!(
                                "event number {} is not what this leaf commits to",
                                event.sequence
                            );
                            checked.fault(leaf, found);
                        }
                    }
                }
            }
            at = next;
        }
        let between = self.service.store.events_between(leaves.clone()).await?;
        if between != leaves.end - leaves.start {
            let found = format!(
                "{between} events are stored for these {} leaves, expected one for each",
                leaves.end - leaves.start
            );
            checked.fault(first, found);
        }
        if at < leaves.end {
            return Err(Error::impossible("a page of leaves does not end"));
        }
        Ok(())
    }
}
