//! Which events are withdrawn, and which are disputed: following, reports, checks and the picture of the page ask here.
//!
//! **Source**: EPCIS 2.0, 7.4.1.2 (error declarations).

use epcis_edge_document::hash::{Hasher, Hashing, event_name};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Kind, Value};
use epcis_edge_text::order::sort_stably_by;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The standing of an event, by the error declarations about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Standing {
    /// No declaration is about it: it counts.
    #[default]
    Good,
    /// The declaration at this place in the order withdraws it: it counts as if it had never been.
    Withdrawn(usize),
    /// The declaration at this place is by an account that has no such event: it is reported, and the event counts.
    Disputed(usize),
    /// It is an error declaration, and its event is here, too.
    Declaration,
    /// It is an error declaration, and its event is not here.
    LoneDeclaration,
}

impl Standing {
    /// Whether the event counts for nothing.
    pub(crate) fn is_void(self) -> bool {
        !matches!(self, Self::Good | Self::Disputed(_))
    }
}

/// What decides the standing of an event.
#[derive(Clone, Debug)]
pub(crate) struct Named<'d> {
    /// The name by which error declarations find it: the `eventID` in normal form; without one, the content hash if it is needed.
    pub(crate) name: Option<Cow<'d, str>>,
    /// The account that captured it; empty in a document.
    pub(crate) account: Rc<str>,
    /// Whether it is an error declaration.
    pub(crate) declares_error: bool,
}

/// The error declaration of an event.
pub fn declaration_of(event: Value<'_>) -> Option<Value<'_>> {
    event.get("errorDeclaration").filter(|declared| declared.kind() == Kind::Object)
}

/// The standing of each event, by the error declarations among them.
pub(crate) fn standings<'e>(events: impl Iterator<Item = &'e Named<'e>>) -> Vec<Standing> {
    let events: Vec<&Named<'_>> = events.collect();
    let of = |event: &&Named<'_>| match event.declares_error {
        true => Standing::LoneDeclaration,
        false => Standing::Good,
    };
    let mut standings: Vec<Standing> = events.iter().map(of).collect();
    if !standings.contains(&Standing::LoneDeclaration) {
        return standings;
    }
    let named = events.iter().enumerate();
    let mut named: Vec<_> =
        named.filter_map(|(at, event)| Some((event.name.as_deref()?, at))).collect();
    sort_stably_by(&mut named, &|one, other| one.cmp(other));
    for same in named.chunk_by(|one, other| one.0 == other.0) {
        let same = same.iter().filter_map(|(_, at)| Some((*at, events.get(*at)?)));
        let (declarations, originals): (Vec<_>, Vec<_>) =
            same.partition(|(_, event)| event.declares_error);
        // The accounts that captured the event with this name.
        let mut holders: Vec<&str> = originals.iter().map(|(_, event)| &*event.account).collect();
        sort_stably_by(&mut holders, &|one, other| one.cmp(other));
        let is_by_holder =
            |(_, event): &&(usize, &&Named<'_>)| holders.binary_search(&&*event.account).is_ok();
        let standing = match (declarations.iter().find(is_by_holder), declarations.first()) {
            (Some((at, _)), _) => Standing::Withdrawn(*at),
            (None, Some((at, _))) => Standing::Disputed(*at),
            (None, None) => continue,
        };
        let declaration = match originals.is_empty() {
            true => Standing::LoneDeclaration,
            false => Standing::Declaration,
        };
        for (list, standing) in [(originals, standing), (declarations, declaration)] {
            for (at, _) in list {
                if let Some(known) = standings.get_mut(at) {
                    *known = standing;
                }
            }
        }
    }
    standings
}

/// Names events without `eventID` by their content, if an error declaration without one is among them, which is matched by content.
///
/// # Errors
/// As [`Hasher::hash`] for the first event that cannot be hashed, which has no name then. All others have theirs.
pub(crate) fn name_by_content<'d, 'n: 'e, 'e>(
    document: &'d Document<'d>,
    values: &[Value<'d>],
    events: impl Iterator<Item = &'e mut Named<'n>>,
) -> Result<(), Error> {
    let events: Vec<&mut Named<'_>> = events.collect();
    if !events.iter().any(|event| event.declares_error && event.name.is_none()) {
        return Ok(());
    }
    let mut hasher = Hasher::new(document, Hashing::default());
    let mut done = Ok(());
    for (value, event) in values.iter().zip(events).filter(|(_, event)| event.name.is_none()) {
        match hasher.hash(*value) {
            Ok(hash) => event.name = Some(hash.to_string().into()),
            Err(error) => done = done.and(Err(error)),
        }
    }
    done
}

/// The numbers of those events of a document that count for nothing.
pub fn void<'d>(document: &'d Document<'d>, values: &[Value<'d>]) -> BTreeSet<u32> {
    let account: Rc<str> = Rc::from("");
    let event = |event: &Value<'d>| {
        let id = event.get("eventID").and_then(Value::as_str);
        let name = id.map(|id| Cow::Owned(event_name(&id).into_owned()));
        let declares_error = declaration_of(*event).is_some();
        Named { name, account: Rc::clone(&account), declares_error }
    };
    let mut events: Vec<_> = values.iter().map(event).collect();
    // An event that cannot be hashed is declared wrong by no content.
    drop(name_by_content(document, values, events.iter_mut()));
    let standings = values.iter().zip(standings(events.iter()));
    standings.filter(|(_, standing)| standing.is_void()).map(|(event, _)| event.number()).collect()
}
