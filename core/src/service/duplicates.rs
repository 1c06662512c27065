//! In what a duplicate differs from the event that is stored: what the hash leaves out.

use crate::call::Call;
use crate::capture;
use crate::error::Error;
use crate::hash::{Hasher, Profile};
use crate::json::Document;
use crate::query::{Cursor, Query};
use crate::store::{Batch, NewEvent, Receipt, Selection, Store, StoredEvent};
use std::collections::BTreeMap;

/// How many duplicates of one capture are compared, and how many stored events are looked at for them.
const COMPARED: usize = 1000;

/// How many names one look at the store asks for.
const NAMES: usize = 50;

/// The differences of the events of a batch, by their places: JSON Pointers. What is not here was not compared.
pub(super) type Differences = BTreeMap<usize, Vec<String>>;

/// Compares the duplicates of a batch with what is stored, the first [`COMPARED`] of them.
///
/// What the store does not hand out in time, or not at all, is not compared: the events are stored already, and no fault of this
/// look may hide that.
pub(super) async fn differences<S: Store>(
    store: &S,
    batch: &Batch,
    receipt: &Receipt,
    call: &Call,
) -> Differences {
    let appended = receipt.events.iter().zip(&batch.events).enumerate();
    let mut duplicates = appended
        .filter(|(_, (appended, _))| appended.duplicate)
        .map(|(place, (appended, event))| {
            let name = appended.event_id.as_deref().unwrap_or(&event.event_id);
            (place, name, event)
        })
        .take(COMPARED);
    let mut found = Differences::new();
    let mut left = COMPARED;
    loop {
        let wanted: Vec<_> = duplicates.by_ref().take(NAMES).collect();
        if wanted.is_empty() || left == 0 {
            return found;
        }
        if look(store, &wanted, call, &mut left, &mut found)
            .await
            .is_err()
        {
            return found;
        }
    }
}

/// Looks some duplicates up in the store.
async fn look<S: Store>(
    store: &S,
    wanted: &[(usize, &str, &NewEvent)],
    call: &Call,
    left: &mut usize,
    found: &mut Differences,
) -> Result<(), Error> {
    let query = Query::named_any(wanted.iter().map(|(_, name, _)| *name));
    let mut after: Option<Cursor> = None;
    let mut upper = None;
    while *left > 0 {
        let selection = Selection {
            predicate: &query.predicate,
            accounts: Some(&[&call.principal.account]),
            order: crate::query::Order::default(),
            after: after.as_ref(),
            upper,
            limit: *left,
            bytes: call.limits.page_bytes,
        };
        let selected = store.select(&selection).await?;
        let Some(last) = selected.events.last() else {
            return Ok(());
        };
        after = Some(Cursor {
            sequence: last.sequence,
            time: None,
            upper: *upper.get_or_insert(selected.newest),
            master: 0,
            answered: 0,
        });
        *left = left.saturating_sub(selected.events.len());
        for stored in &selected.events {
            compare(stored, wanted, call, found)?;
        }
        if selected.is_last || wanted.iter().all(|(place, ..)| found.contains_key(place)) {
            return Ok(());
        }
    }
    Ok(())
}

/// Compares a stored event with the duplicates of it.
fn compare(
    stored: &StoredEvent,
    wanted: &[(usize, &str, &NewEvent)],
    call: &Call,
    found: &mut Differences,
) -> Result<(), Error> {
    let document = Document::read_text(&stored.event)?;
    let first = document.root();
    let name = first.get("eventID").and_then(|name| name.as_str());
    if stored.captured_by != call.principal.account {
        return Ok(());
    }
    let declares_error = first.get("errorDeclaration").is_some();
    let mut hash = None;
    for (place, event_id, event) in wanted {
        let identity = &event.identity;
        if name.as_deref() != Some(*event_id)
            || identity.declares_error != declares_error
            || found.contains_key(place)
        {
            continue;
        }
        // One name may have been given to several events.
        let hash = match hash {
            Some(known) => known,
            None => *hash.insert(Hasher::new(&document, Profile::Cbv20).hash(first)?),
        };
        if hash == identity.stamped_hash {
            let ours = Document::read_text(&event.event)?;
            found.insert(*place, capture::differences(ours.root(), first));
        }
    }
    Ok(())
}
