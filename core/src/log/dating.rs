//! When a checkpoint was seen, and whose word that is.

use super::note::{CosignedAt, Note};
use super::policy::Policy;
use crate::error::LogFault;
use crate::time::Timestamp;
use serde::Serialize;

/// How far the clocks of witnesses, gateways and readers may be apart before it is worth a word, in seconds.
const SKEW: u64 = 60;

/// A witness that has cosigned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cosigned {
    /// What the policy calls it.
    pub name: String,
    /// When it says that it saw the checkpoint: the earliest of its cosignatures.
    pub time: String,
    /// Why that time cannot be right; absent where nothing is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<&'static str>,
}

/// What the cosignatures of a checkpoint say together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dated {
    /// The trusted witnesses that have cosigned.
    pub cosigned: Vec<Cosigned>,
    /// The moment before which the checkpoint was signed.
    pub before: Option<String>,
    /// Whose word that is.
    pub by: Vec<String>,
    /// What there is to say of it.
    pub detail: String,
}

/// Who has cosigned and when, one entry a witness of the policy, if they are enough.
///
/// # Errors
/// [`LogFault::Signature`], [`LogFault::Quorum`].
pub(super) fn cosigned(
    note: &Note<'_>,
    policy: &Policy,
) -> Result<Vec<Option<CosignedAt>>, LogFault> {
    let witnesses = policy.witnesses().iter();
    let times: Vec<_> = witnesses
        .map(|witness| note.cosigned_by(&witness.key))
        .collect::<Result<_, _>>()?;
    let signed: Vec<bool> = times.iter().map(Option::is_some).collect();
    if policy.is_met(&signed) {
        Ok(times)
    } else {
        let signed = signed.into_iter().filter(|signed| *signed).count();
        Err(LogFault::Quorum { signed })
    }
}

/// Dates a checkpoint by its cosignatures: the leaf that it proves was stamped at a time that may be known, and it is now so many
/// seconds after 1970-01-01T00:00:00Z.
///
/// With a quorum the date is the earliest second at which those who had cosigned by then were enough: one liar among them changes
/// nothing. Without one it is the word of the first witness whose time can be right. No date is given that cannot be right.
///
/// # Errors
/// As [`cosigned`].
pub(super) fn dated(
    note: &Note<'_>,
    policy: &Policy,
    record_time: Option<&str>,
    now: u64,
) -> Result<Dated, LogFault> {
    let recorded = record_time.and_then(Timestamp::parse);
    let recorded = recorded.and_then(|time| u64::try_from(time.seconds()).ok());
    let doubt = |time: u64| {
        if time > now.saturating_add(SKEW) {
            Some("after now")
        } else if recorded.is_some_and(|recorded| time.saturating_add(SKEW) < recorded) {
            Some("before the recordTime of the event")
        } else {
            None
        }
    };
    let times = cosigned(note, policy)?;
    let firsts: Vec<Option<u64>> = times.iter().map(|at| at.map(|at| at.first)).collect();
    let of_name = || policy.witnesses().iter().zip(&firsts);
    let all = of_name().filter_map(|(witness, time)| Some((&witness.name, (*time)?)));
    let all: Vec<(&String, u64)> = all.collect();
    let cosigned = all.iter().map(|(name, time)| Cosigned {
        name: (*name).clone(),
        time: time_of(*time),
        doubt: doubt(*time),
    });
    let cosigned: Vec<Cosigned> = cosigned.collect();
    let (at, by) = if policy.has_quorum() {
        let at = policy.met_at(&firsts);
        let by = all.iter().filter(|(_, time)| Some(*time) <= at);
        (at, by.map(|(name, _)| (*name).clone()).collect())
    } else {
        let right = all.iter().filter(|(_, time)| doubt(*time).is_none());
        let first = right.min_by_key(|(_, time)| *time);
        let by = first.map(|(name, _)| (*name).clone());
        (first.map(|(_, time)| *time), by.into_iter().collect())
    };
    let of_quorum = at.and_then(doubt);
    let mut detail = seen_by(all.len(), policy.has_quorum());
    for witness in &cosigned {
        if let Some(doubt) = witness.doubt {
            let Cosigned { name, time, .. } = witness;
            detail.push_str(&format!("; {name} says {time}, which is {doubt}"));
        }
    }
    let at = at.filter(|_| of_quorum.is_none());
    Ok(Dated {
        cosigned,
        // A second is named by its beginning: the checkpoint was seen before the next.
        before: at.map(|at| time_of(at.saturating_add(1))),
        by: if at.is_some() { by } else { Vec::new() },
        detail,
    })
}

/// What there is to say of witnesses that are enough.
fn seen_by(count: usize, has_quorum: bool) -> String {
    let witnesses = match count {
        1 => "1 trusted witness has cosigned".to_owned(),
        count => format!("{count} trusted witnesses have cosigned"),
    };
    match (count, has_quorum) {
        (0, _) => "the policy asks for none, and none has cosigned".to_owned(),
        (_, true) => format!("{witnesses}, a quorum"),
        (_, false) => {
            format!("{witnesses}; the policy asks for none, so the date is one witness's word")
        }
    }
}

fn time_of(seconds: u64) -> String {
    Timestamp::from_milliseconds(seconds.saturating_mul(1000)).to_string()
}
