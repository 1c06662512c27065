//! Proofs of all events that match a query, page by page, each page under one head.

use super::served::{ServedLog, name_of, require_holding};
use crate::call::Call;
use crate::query::Query;
use crate::store::{Head, Leaf};
use epcis_edge_log::{Hash, PROOFS, ProofPlan, Statement, Tile};
use epcis_edge_text::digits::{to_base64, to_hex};
use epcis_edge_text::error::{Error, LogFault};
use epcis_edge_text::json::push_string;
use epcis_edge_text::slice::OrEmpty;
use std::collections::BTreeMap;

/// The most events on a page of proofs: each may need a tile of its own.
pub const MAX_PROOFS: usize = 200;

/// A page of proofs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofsPage {
    /// The page, as `verify_proofs` of [`log`](epcis_edge_log) reads it.
    pub text: String,
    /// The token for the next page; `None` on the last.
    pub next_page_token: Option<String>,
}

impl ServedLog<'_> {
    /// The events in scope that match, each with its proof, under one head. An error declaration matches if the event that it
    /// declares wrong would match, and it has a proof of its own.
    ///
    /// **Shape**: `{type, checkpoint, proofs: [{event, index, salt, statement, path}], unproved: [{eventID, reason}],
    /// nextPageToken?}`: events byte for byte as they are stored, salts in hexadecimal, hashes of paths in base64.
    ///
    /// **Limits**: [`MAX_PROOFS`] events a page.
    ///
    /// # Errors
    /// [`LogFault::Halted`], [`LogFault::OtherLog`]; as [`Service::query`](crate::service::Service::query);
    /// [`ErrorKind::Internal`](epcis_edge_text::error::ErrorKind::Internal) if a proof does not hold, and then none is returned; a fault
    /// of the storage.
    pub async fn prove_all(&self, mut query: Query, call: &Call) -> Result<ProofsPage, Error> {
        call.principal.require_query()?;
        self.service.require_no_halt().await?;
        query.per_page = query.per_page.min(MAX_PROOFS);
        let start = query.start(&call.principal)?;
        let page = self.service.page_of(&query, start, None, call).await?;
        let mut sequences: Vec<u64> = page.events.iter().map(|(sequence, _)| *sequence).collect();
        sequences.sort_unstable();
        let (leaves, last) = self.service.store.leaves(&sequences).await?;
        self.service.require_own(last.as_ref())?;
        let last = last.ok_or_else(|| super::no_such("checkpoint"))?;
        let highest = leaves.iter().map(|(_, leaf)| leaf.index).max();
        let head = self.head_for(highest.unwrap_or(0), last).await?;
        let leaves: BTreeMap<u64, Leaf> = leaves.into_iter().collect();
        let paths = self.paths(&leaves, &head).await?;
        let mut text = format!("{{\"type\":\"{PROOFS}\",\"checkpoint\":");
        push_string(&mut text, &head.published());
        text.push_str(",\"proofs\":[");
        let mut unproved = String::new();
        for (sequence, event) in &page.events {
            let leaf = leaves.get(sequence);
            let salt = leaf.and_then(|leaf| leaf.salt);
            match (leaf, salt, paths.get(sequence)) {
                (Some(leaf), Some(salt), Some(path)) => {
                    let stated =
                        Statement::of_leaf(event, &leaf.document, &salt, &leaf.commitment)?;
                    if !text.ends_with('[') {
                        text.push(',');
                    }
                    text.push_str("{\"event\":");
                    text.push_str(event);
                    text.push_str(&format!(
                        ",\"index\":{},\"salt\":\"{}\",\"statement\":",
                        leaf.index,
                        to_hex(&salt)
                    ));
                    push_string(&mut text, &stated.text()?);
                    let path: Vec<String> =
                        path.iter().map(|hash| format!("\"{}\"", to_base64(hash))).collect();
                    text.push_str(&format!(",\"path\":[{}]}}", path.join(",")));
                }
                (leaf, ..) => {
                    let event_id = name_of(event).or_empty();
                    let fault = match leaf {
                        None => LogFault::NotYetLogged { event_id: event_id.clone() },
                        Some(_) => LogFault::Muted { event_id: event_id.clone() },
                    };
                    if !unproved.is_empty() {
                        unproved.push(',');
                    }
                    unproved.push_str("{\"eventID\":");
                    push_string(&mut unproved, &event_id);
                    unproved.push_str(",\"reason\":");
                    push_string(&mut unproved, &fault.to_string());
                    unproved.push('}');
                }
            }
        }
        text.push_str("],\"unproved\":[");
        text.push_str(&unproved);
        text.push(']');
        let next = page.places.next;
        let next_page_token = next.map(|next| query.token(&next, &call.principal));
        if let Some(token) = &next_page_token {
            text.push_str(",\"nextPageToken\":");
            push_string(&mut text, token);
        }
        text.push('}');
        Ok(ProofsPage { text, next_page_token })
    }

    /// The inclusion paths of leaves under a head, by the numbers of their events; each tile is read once. A path that does not
    /// lead to the head is an error.
    async fn paths(
        &self,
        leaves: &BTreeMap<u64, Leaf>,
        head: &Head,
    ) -> Result<BTreeMap<u64, Vec<Hash>>, Error> {
        let plans = leaves.iter().filter(|(_, leaf)| leaf.index < head.size);
        let plans: Vec<(u64, &Leaf, ProofPlan)> = plans
            .map(|(sequence, leaf)| (*sequence, leaf, ProofPlan::inclusion(leaf.index, head.size)))
            .collect();
        let mut tiles: BTreeMap<Tile, Vec<Hash>> = BTreeMap::new();
        for (_, _, plan) in &plans {
            tiles.extend(plan.tiles().into_iter().map(|tile| (tile, Vec::new())));
        }
        let wanted: Vec<Tile> = tiles.keys().copied().collect();
        let read = match wanted.is_empty() {
            true => Vec::new(),
            false => self.service.store.tiles(&wanted).await?,
        };
        tiles.extend(wanted.into_iter().zip(read));
        let mut paths = BTreeMap::new();
        for (sequence, leaf, plan) in plans {
            let of_plan: Vec<Vec<Hash>> =
                plan.tiles().iter().map(|tile| tiles.get(tile).cloned().or_empty()).collect();
            let path = plan.hashes_from(&of_plan)?;
            require_holding(leaf, head, &path)?;
            paths.insert(sequence, path);
        }
        Ok(paths)
    }
}
