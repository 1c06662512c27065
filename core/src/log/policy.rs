//! Policies: which logs and witnesses are trusted, and how many of the witnesses must have seen a checkpoint.
//!
//! **Source**: C2SP, `tlog-policy.md`.

use super::key::{KeyKind, VerifierKey};
use super::tile::decimal;
use crate::error::LogFault;
use std::collections::{BTreeMap, BTreeSet};

/// How many lines a policy may have.
const MAX_LINES: usize = 1000;

/// How long a policy may be, in bytes.
const MAX_POLICY: usize = 256 << 10;

/// What is trusted.
///
/// # Example
/// ```
/// use epcis_edge_core::log::Policy;
/// let policy = Policy::read(
///     "log epcis.example.com/log+c23595d5+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4\n\
///      witness W1 witness.example.com/w1+969980cf+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X https://witness.example.com\n\
///      quorum W1\n",
/// )?;
/// assert_eq!(policy.logs()[0].key.name(), "epcis.example.com/log");
/// assert_eq!(policy.witnesses()[0].url.as_deref(), Some("https://witness.example.com"));
/// assert!(!policy.is_met(&[false]));
/// # Ok::<(), epcis_edge_core::error::LogFault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    logs: Vec<TrustedLog>,
    witnesses: Vec<TrustedWitness>,
    groups: Vec<Group>,
    /// The place of the member that must have signed, if one must.
    quorum: Option<Member>,
    /// The lines but those of logs, as they were written.
    rest: String,
}

/// A log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedLog {
    /// Its key.
    pub key: VerifierKey,
    /// Where it is.
    pub url: Option<String>,
}

/// A witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedWitness {
    /// What the policy calls it.
    pub name: String,
    /// Its key.
    pub key: VerifierKey,
    /// Where it is asked: the prefix before `/add-checkpoint`.
    pub url: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Witness(usize),
    Group(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    needed: usize,
    members: Vec<Member>,
}

impl Policy {
    /// Reads a policy; lines that are empty or begin with `#` say nothing.
    ///
    /// # Errors
    /// [`LogFault::Policy`].
    pub fn read(text: &str) -> Result<Self, LogFault> {
        let fault = |line, expected| LogFault::Policy { line, expected };
        if text.len() > MAX_POLICY || text.split('\n').count() > MAX_LINES {
            return Err(fault(1, "at most 1,000 lines and 256 KiB"));
        }
        let mut policy = Self::default();
        let mut names: BTreeMap<&str, Member> = BTreeMap::new();
        // Each may be a member once, so that no witness counts twice.
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        let mut has_quorum = false;
        for (line, text) in (1..).zip(text.split('\n')) {
            let fault = |expected| fault(line, expected);
            if text.chars().any(|c| c.is_ascii_control() && c != '\t') {
                return Err(fault("no control characters but tabs and line feeds"));
            }
            let words: Vec<&str> = text.split([' ', '\t']).filter(|w| !w.is_empty()).collect();
            let key = |vkey: &str, kind: KeyKind, expected| match VerifierKey::named(vkey) {
                Ok(key) if key.kind() == kind => Ok(key),
                _ => Err(fault(expected)),
            };
            let url = |rest: &[&str]| match rest {
                [] => Ok(None),
                [url] if url.starts_with("https://") || url.starts_with("http://") => {
                    Ok(Some(url.trim_end_matches('/').to_owned()))
                }
                _ => Err(fault("nothing more than an address at the end of the line")),
            };
            match words.as_slice() {
                [] => continue,
                [first, ..] if first.starts_with('#') => continue,
                ["log", vkey, rest @ ..] => {
                    let key = key(vkey, KeyKind::Note, "the vkey of a log, of type 1")?;
                    if policy.logs.iter().any(|log| log.key.is_pair_of(&key)) {
                        return Err(fault("each key once"));
                    }
                    let url = url(rest)?;
                    policy.logs.push(TrustedLog { key, url });
                    continue;
                }
                ["witness", name, vkey, rest @ ..] => {
                    let member = Member::Witness(policy.witnesses.len());
                    add(&mut names, name, member).map_err(fault)?;
                    let key = key(
                        vkey,
                        KeyKind::Cosignature,
                        "the vkey of a witness, of type 4",
                    )?;
                    // Counted twice it could be a quorum of its own.
                    let mut witnesses = policy.witnesses.iter();
                    if witnesses.any(|witness| witness.key.is_pair_of(&key)) {
                        return Err(fault("each key once"));
                    }
                    policy.witnesses.push(TrustedWitness {
                        name: (*name).to_owned(),
                        key,
                        url: url(rest)?,
                    });
                }
                ["group", name, needed, members @ ..] => {
                    let members_named = members.len();
                    let found: BTreeSet<&str> = members.iter().copied().collect();
                    let members: Option<Vec<Member>> = found
                        .iter()
                        .map(|member| names.get(member).copied())
                        .collect();
                    let count = found.len();
                    let is_once = count == members_named && found.is_disjoint(&taken);
                    let members = members.filter(|_| is_once && count > 0);
                    let members = members.ok_or_else(|| {
                        fault("members that earlier lines name, each in one group alone")
                    })?;
                    taken.extend(found);
                    let needed = match *needed {
                        "all" => Some(count),
                        "any" => Some(1),
                        number => decimal(number).and_then(|number| usize::try_from(number).ok()),
                    };
                    let needed = needed
                        .filter(|needed| (1..=count).contains(needed))
                        .ok_or_else(|| fault("all, any, or a number of members"))?;
                    let member = Member::Group(policy.groups.len());
                    add(&mut names, name, member).map_err(fault)?;
                    policy.groups.push(Group { needed, members });
                }
                ["quorum", name] if !has_quorum => {
                    has_quorum = true;
                    policy.quorum = match *name {
                        "none" => None,
                        name => Some(*names.get(name).ok_or_else(|| {
                            fault("none, or a witness or group that an earlier line names")
                        })?),
                    };
                }
                ["quorum", ..] => return Err(fault("one quorum, and one name")),
                _ => return Err(fault("a line with log, witness, group or quorum")),
            }
            policy.rest.push_str(&words.join(" "));
            policy.rest.push('\n');
        }
        if has_quorum {
            Ok(policy)
        } else {
            let line = text.split('\n').count();
            Err(fault(line, "a line with the quorum"))
        }
    }

    /// A policy that asks for no witness.
    #[must_use]
    pub fn without_witnesses() -> Self {
        Self {
            rest: "quorum none\n".to_owned(),
            ..Self::default()
        }
    }

    /// The logs.
    #[must_use]
    pub fn logs(&self) -> &[TrustedLog] {
        &self.logs
    }

    /// The witnesses.
    #[must_use]
    pub fn witnesses(&self) -> &[TrustedWitness] {
        &self.witnesses
    }

    /// Whether a witness must have signed.
    #[must_use]
    pub fn has_quorum(&self) -> bool {
        self.quorum.is_some()
    }

    /// Whether enough have signed: one entry a witness, in the order of [`witnesses`](Self::witnesses).
    #[must_use]
    pub fn is_met(&self, signed: &[bool]) -> bool {
        // Members stand before their groups.
        let mut groups: Vec<bool> = Vec::new();
        let is_met = |member: &Member, groups: &[bool]| match member {
            Member::Witness(at) => signed.get(*at).copied().unwrap_or_default(),
            Member::Group(at) => groups.get(*at).copied().unwrap_or_default(),
        };
        for group in &self.groups {
            let members = group.members.iter();
            let met = members.filter(|member| is_met(member, &groups)).count();
            groups.push(met >= group.needed);
        }
        self.quorum.is_none_or(|quorum| is_met(&quorum, &groups))
    }

    /// The text of a policy of these logs and the witnesses of this one.
    #[must_use]
    pub fn of_logs(&self, logs: &[TrustedLog]) -> String {
        let mut text = String::new();
        for TrustedLog { key, url } in logs {
            text.push_str(&format!("log {key}"));
            if let Some(url) = url {
                text.push(' ');
                text.push_str(url);
            }
            text.push('\n');
        }
        text + &self.rest
    }
}

/// A name that no other has.
fn add<'t>(
    names: &mut BTreeMap<&'t str, Member>,
    name: &'t str,
    member: Member,
) -> Result<(), &'static str> {
    if name == "none" || names.contains_key(name) {
        return Err("a name of its own");
    }
    names.insert(name, member);
    Ok(())
}
