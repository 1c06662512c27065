//! Finds the events that a name refers to: the events with that name, and those that belong to them.
//!
//! An event has two names: its `eventID`, and the hash of its content as it was sent. An error declaration shares one of them
//! with the event that it declares wrong, and perhaps only one.
//!
//! `epcis_edge_history::withdrawn` tells which of some events count. Here the question is what a caller means by a name: of an account, in either
//! of its meanings, and among events that are still to be looked up.

use crate::call::Call;
use crate::capture;
use crate::query::{Cursor, Facts, Places, Predicate, Query};
use crate::store::{Selection, Store, StoredEvent};
use epcis_edge_document::hash::{Claim, Hasher, Profile, event_name, left_out};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Document;
use epcis_edge_text::slice::OrEmpty;
use std::collections::BTreeSet;

/// The most events that are read to find out which belong together.
const LOOKED_AT: usize = 200;

/// The most names that are searched for.
const NAMES: usize = 400;

/// An account and a name of one of its events.
type NameOf = (String, String);

/// The events that a name refers to.
#[derive(Debug)]
pub(super) struct EventFamily {
    name: String,
    /// Matches all of them, and perhaps others.
    pub(super) predicate: Predicate,
    /// The newest events when the family was determined.
    pub(super) upper: Places,
    /// Whether the name is the hash of an event that was found; events that only bear the name are then left out.
    prefers_content: bool,
    /// The names by which error declarations belong to the family.
    names: BTreeSet<NameOf>,
    /// The names by which the events that are declared wrong belong to the family.
    declared: BTreeSet<NameOf>,
}

/// The properties of an event that decide whether it belongs to a family.
struct Member {
    names: Vec<NameOf>,
    declares_error: bool,
    has_name: bool,
    has_content: bool,
}

impl Member {
    /// # Errors
    /// [`ErrorKind::Internal`] if a stored event cannot be read.
    fn of(stored: &StoredEvent, name: &str) -> Result<Self, Error> {
        let document = stored.document()?;
        let facts = Facts::indexed(document.root()).also_named(&stored.aliases);
        let is_named = facts.is_named(name);
        let content_hash = &stored.content_hash;
        let has_content = content_hash == name || is_named && has_hash(&document, name);
        let names = facts.names().chain([content_hash.as_str()]);
        Ok(Self {
            names: names.map(|name| (stored.captured_by.clone(), name.to_owned())).collect(),
            declares_error: facts.declares_error,
            has_name: is_named || content_hash == name,
            has_content,
        })
    }

    fn is_one_of(&self, names: &BTreeSet<NameOf>) -> bool {
        self.names.iter().any(|name| names.contains(name))
    }
}

/// Whether a stored event has the hash that a name claims. Profiles under which the event cannot be hashed are skipped.
fn has_hash(document: &Document<'_>, name: &str) -> bool {
    let claim = Claim::of(name);
    let profiles: Vec<Profile> = claim.profiles().collect();
    profiles.into_iter().any(|profile| {
        let mut hasher = Hasher::new(document, capture::hashing(profile));
        let mut is_met = |without: &[Box<str>]| {
            let stamped = hasher.hash_without(document.root(), without).ok()?;
            Some((claim.is_met_by(&stamped.hash), stamped.stamps))
        };
        is_met(&[]).is_some_and(|(is_met_as_it_stands, stamps)| {
            is_met_as_it_stands
                || left_out(&stamps).any(|left_out| is_met(left_out).is_some_and(|(met, _)| met))
        })
    })
}

impl EventFamily {
    /// Determines the family of a name, among the events up to `upper` if that is given.
    ///
    /// # Errors
    /// A fault of the storage.
    pub(super) async fn of(
        store: &dyn Store,
        query: &Query,
        name: &str,
        call: &Call,
        upper: Option<Places>,
    ) -> Result<Self, Error> {
        let name = event_name(name).into_owned();
        let mut lookup = EventLookup { store, call, upper, left: LOOKED_AT };
        let mut members = lookup.find(&query.predicate, &name).await?;
        let prefers_content =
            members.iter().any(|member| member.has_content && !member.declares_error);
        if prefers_content {
            let content: BTreeSet<NameOf> = members
                .iter()
                .filter(|member| member.has_content)
                .flat_map(|member| member.names.clone())
                .filter(|(_, other)| *other != name)
                .collect();
            members.retain(|member| {
                member.has_content || member.declares_error && member.is_one_of(&content)
            });
        }
        let names_of = |members: &[Member]| -> BTreeSet<NameOf> {
            let names = members.iter().flat_map(|member| member.names.clone());
            names.take(NAMES).collect()
        };
        let mut names = names_of(&members);
        members.retain(|member| member.declares_error);
        let declared = names_of(&members);
        if !declared.is_empty() {
            let asked = Query::named_any(declared.iter().map(|(_, name)| name.as_str()));
            let mut originals = lookup.find(&asked.predicate, &name).await?;
            originals.retain(|member| !member.declares_error && member.is_one_of(&declared));
            names.extend(names_of(&originals));
        }
        let all = names.iter().map(|(_, name)| name.as_str());
        let predicate = Query::named_any(all.chain([name.as_str()])).predicate;
        Ok(Self {
            predicate,
            upper: lookup.upper.or_empty(),
            prefers_content,
            names,
            declared,
            name,
        })
    }

    /// Whether an event that has one of the names belongs to the answer.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if a stored event cannot be read.
    pub(super) fn has(&self, stored: &StoredEvent) -> Result<bool, Error> {
        let member = Member::of(stored, &self.name)?;
        let is_asked_for = member.has_name && (!self.prefers_content || member.has_content);
        let belongs = match member.declares_error {
            true if self.prefers_content && !member.has_content => {
                // It belongs only if it shares another name: unrelated events may claim the requested one as well.
                let mut others = member.names.iter().filter(|(_, name)| *name != self.name);
                others.any(|name| self.names.contains(name))
            }
            true => member.is_one_of(&self.names),
            false => member.is_one_of(&self.declared),
        };
        Ok(is_asked_for || belongs)
    }
}

/// Looks events up, in scope and as of one moment.
struct EventLookup<'s> {
    store: &'s dyn Store,
    call: &'s Call,
    upper: Option<Places>,
    left: usize,
}

impl EventLookup<'_> {
    async fn find(&mut self, predicate: &Predicate, name: &str) -> Result<Vec<Member>, Error> {
        let principal = &self.call.principal;
        let accounts = principal.readable_accounts();
        let mut members = Vec::new();
        let mut after: Option<Cursor> = None;
        while self.left > 0 {
            let selection = Selection {
                predicate,
                accounts: accounts.as_deref(),
                order: crate::query::Order::default(),
                after: after.as_ref(),
                since: &Places::default(),
                upper: self.upper.as_ref(),
                limit: self.left,
                bytes: self.call.limits.page_bytes,
            };
            let selected = self.store.select(&selection).await?;
            let upper = self.upper.get_or_insert(selected.newest).clone();
            let Some(last) = selected.events.last() else {
                break;
            };
            after = Some(Cursor { sequence: last.sequence, upper, ..Cursor::default() });
            self.left = self.left.saturating_sub(selected.events.len());
            for stored in &selected.events {
                let facts = stored.facts(predicate);
                let matches =
                    facts.is_ok_and(|facts| predicate.matches(&facts, &stored.content_hash));
                if matches && principal.reads(&stored.captured_by) {
                    members.push(Member::of(stored, name)?);
                }
            }
            if selected.is_last {
                break;
            }
        }
        Ok(members)
    }
}

/// Whether an account has stored an event with this name and one of these content hashes.
///
/// # Errors
/// A fault of the storage.
pub(super) async fn is_stored(
    store: &dyn Store,
    name: &str,
    content_hashes: &[String],
    account: &str,
) -> Result<bool, Error> {
    let query = Query::named(name);
    let name = event_name(name);
    let selection = Selection {
        predicate: &query.predicate,
        accounts: Some(&[account]),
        order: crate::query::Order::default(),
        after: None,
        since: &Places::default(),
        upper: None,
        limit: LOOKED_AT,
        bytes: 1 << 20,
    };
    for stored in store.select(&selection).await?.events {
        let is_same = stored.captured_by == account
            && content_hashes.contains(&stored.content_hash)
            && Member::of(&stored, &name)?.names.iter().any(|(_, found)| *found == name);
        if is_same {
            return Ok(true);
        }
    }
    Ok(false)
}
