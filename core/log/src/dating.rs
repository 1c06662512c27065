//! Dates checkpoints by their cosignatures.

use super::note::{CosignedAt, Note};
use super::policy::Policy;
use epcis_edge_text::error::LogFault;
use epcis_edge_text::time::Timestamp;
use serde::Serialize;

/// The tolerated difference between the clocks of witnesses, gateways and readers, in seconds.
const SKEW: u64 = 60;

/// A witness that has cosigned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Cosigned {
    /// The name of the witness in the policy.
    pub name: String,
    /// The time at which it says it saw the checkpoint; the earliest, if it cosigned several times.
    pub time: String,
    /// The reason why that time cannot be right; absent if it is plausible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<&'static str>,
}

/// The result of all cosignatures of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dating {
    /// The trusted witnesses that have cosigned.
    pub cosigned: Vec<Cosigned>,
    /// The moment before which the checkpoint was signed.
    pub before: Option<String>,
    /// The witnesses that vouch for that time.
    pub by: Vec<String>,
    /// A sentence for the reader about witnesses and doubts.
    pub detail: String,
}

/// The times at which the witnesses of a policy cosigned, in the order of the policy; `None` for a witness that did not. It is an
/// error if too few did.
///
/// # Errors
/// [`LogFault::Signature`], [`LogFault::Quorum`].
pub(super) fn cosigned(
    note: &Note<'_>,
    policy: &Policy,
) -> Result<Vec<Option<CosignedAt>>, LogFault> {
    let witnesses = policy.witnesses().iter();
    let times: Vec<_> =
        witnesses.map(|witness| note.cosigned_by(&witness.key)).collect::<Result<_, _>>()?;
    let signed: Vec<bool> = times.iter().map(Option::is_some).collect();
    if policy.is_met(&signed) {
        Ok(times)
    } else {
        Err(LogFault::Quorum(signed.into_iter().filter(|signed| *signed).count()))
    }
}

/// Dates a checkpoint by its cosignatures. `record_time` is the latest time at which a proved event was stamped, if known; `now`
/// is in seconds since 1970-01-01T00:00:00Z.
///
/// With a quorum, the date is the earliest second by which enough witnesses had cosigned. If a quorum needs two or more, no
/// single witness can make the date too early. Without a quorum, the date is the earliest plausible time of any one witness. A
/// date that cannot be right is not given.
///
/// # Errors
/// As [`cosigned`].
pub(super) fn date_checkpoint(
    note: &Note<'_>,
    policy: &Policy,
    record_time: Option<&str>,
    now: u64,
) -> Result<Dating, LogFault> {
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
    let all = policy.witnesses().iter().zip(&firsts);
    let all = all.filter_map(|(witness, time)| Some((&witness.name, (*time)?)));
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
    Ok(Dating {
        cosigned,
        // A time in seconds is rounded down, so the checkpoint was seen before the next second.
        before: at.map(|at| time_of(at.saturating_add(1))),
        by: if at.is_some() { by } else { Vec::new() },
        detail,
    })
}

/// The sentence about witnesses that satisfy the policy.
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

/// A time that a witness signed, which may be any number.
pub(super) fn time_of(seconds: u64) -> String {
    Timestamp::from_milliseconds(seconds.saturating_mul(1000)).to_string()
}
