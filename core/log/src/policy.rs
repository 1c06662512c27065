//! Policies: the trusted logs and witnesses, and how many of the witnesses must have cosigned a checkpoint.
//!
//! **Source**: C2SP, `tlog-policy.md`.

use super::key::{KeyKind, VerifierKey};
use super::note::{Checkpoint, Note};
use super::tile::decimal;
use epcis_edge_text::error::LogFault;

/// The maximum number of lines in a policy.
const MAX_LINES: usize = 1000;

/// The maximum length of a policy, in bytes.
const MAX_POLICY: usize = 256 << 10;

/// The trusted logs and witnesses, and the quorum.
///
/// # Example
/// ```
/// use epcis_edge_log::Policy;
/// let policy = Policy::read(
///     "log epcis.example.com/log+c23595d5+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4\n\
///      witness W1 witness.example.com/w1+969980cf+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X https://witness.example.com\n\
///      quorum W1\n",
/// )?;
/// assert_eq!(policy.logs()[0].key.name(), "epcis.example.com/log");
/// assert_eq!(policy.witnesses()[0].url.as_deref(), Some("https://witness.example.com"));
/// assert!(!policy.is_met(&[false]));
/// # Ok::<(), epcis_edge_text::error::LogFault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    logs: Vec<TrustedLog>,
    witnesses: Vec<TrustedWitness>,
    groups: Vec<Group>,
    /// The witness or group that must have signed; `None` if no witness must.
    quorum: Option<Member>,
    /// All lines except those of logs, comments and blank lines; words are separated by one space.
    rest: String,
}

/// A trusted log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedLog {
    /// Its key.
    pub key: VerifierKey,
    /// The URL of the log.
    pub url: Option<String>,
}

/// A trusted witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedWitness {
    /// The name of the witness in the policy.
    pub name: String,
    /// Its key.
    pub key: VerifierKey,
    /// The URL for requests: the prefix before `/add-checkpoint`.
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
    /// Reads a policy; empty lines and lines that begin with `#` are ignored.
    ///
    /// # Errors
    /// [`LogFault::Policy`].
    pub fn read(text: &str) -> Result<Self, LogFault> {
        let fault = |line, expected| LogFault::Policy { line, expected };
        let count = text.split('\n').count();
        if text.len() > MAX_POLICY || count > MAX_LINES {
            return Err(fault(1, "at most 1,000 lines and 256 KiB"));
        }
        let mut reader = PolicyReader::default();
        for (line, text) in (1..).zip(text.split('\n')) {
            reader.line(text).map_err(|expected| fault(line, expected))?;
        }
        if reader.has_quorum {
            Ok(reader.policy)
        } else {
            Err(fault(count, "a line with the quorum"))
        }
    }

    /// Requires that a trusted log has signed its checkpoint.
    ///
    /// # Errors
    /// [`LogFault::Origin`], [`LogFault::NotSigned`]; those of [`Note::is_signed_by`].
    pub(super) fn require_signed(
        &self,
        note: &Note<'_>,
        checkpoint: &Checkpoint,
    ) -> Result<(), LogFault> {
        let origin = checkpoint.origin.clone();
        let (mut is_known, mut is_signed) = (false, false);
        for log in self.logs().iter().filter(|log| log.key.name() == origin) {
            is_known = true;
            is_signed |= note.is_signed_by(&log.key)?;
        }
        match (is_known, is_signed) {
            (_, true) => Ok(()),
            (true, false) => Err(LogFault::NotSigned(origin)),
            (false, false) => {
                let names: Vec<_> = self.logs().iter().map(|log| log.key.name()).collect();
                let expected = match names.is_empty() {
                    true => "a log that the policy names".to_owned(),
                    false => names.join(" or "),
                };
                let found = origin;
                Err(LogFault::Origin { found, expected })
            }
        }
    }

    /// A policy that requires no witness.
    #[must_use]
    pub fn without_witnesses() -> Self {
        Self { rest: "quorum none\n".to_owned(), ..Self::default() }
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

    /// Whether the policy requires any witness.
    #[must_use]
    pub fn has_quorum(&self) -> bool {
        self.quorum.is_some()
    }

    /// Whether enough witnesses have signed. `signed` has one entry for each witness, in the order of
    /// [`witnesses`](Self::witnesses).
    #[must_use]
    pub fn is_met(&self, signed: &[bool]) -> bool {
        let times: Vec<_> = signed.iter().map(|signed| signed.then_some(0)).collect();
        !self.has_quorum() || self.met_at(&times).is_some()
    }

    /// The earliest time by which enough witnesses had signed. `times` has one entry for each witness, in the order of
    /// [`witnesses`](Self::witnesses). `None` if too few have signed, or if the policy requires none.
    ///
    /// If two members of a group must sign, the group's time is that of the second signature, whatever time the first one claims.
    #[must_use]
    pub fn met_at(&self, times: &[Option<u64>]) -> Option<u64> {
        // A group's members are defined before it, so their times are known.
        let mut groups: Vec<Option<u64>> = Vec::new();
        let time_of = |member: &Member, groups: &[Option<u64>]| match member {
            Member::Witness(at) => times.get(*at).copied().flatten(),
            Member::Group(at) => groups.get(*at).copied().flatten(),
        };
        for group in &self.groups {
            let members = group.members.iter();
            let mut met: Vec<u64> = members.filter_map(|one| time_of(one, &groups)).collect();
            met.sort_unstable();
            let last = group.needed.checked_sub(1);
            groups.push(last.and_then(|last| met.get(last).copied()));
        }
        self.quorum.and_then(|quorum| time_of(&quorum, &groups))
    }

    /// The text of a policy with these logs, and the witnesses and quorum of this one.
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

/// Parses a policy line by line. The error of a line says what was expected there.
#[derive(Default)]
struct PolicyReader<'t> {
    policy: Policy,
    names: Vec<(&'t str, Member)>,
    /// The names used as group members. Each may be used once, so that no witness counts twice.
    taken: Vec<&'t str>,
    has_quorum: bool,
}

impl<'t> PolicyReader<'t> {
    fn line(&mut self, text: &'t str) -> Result<(), &'static str> {
        if text.bytes().any(|byte| byte.is_ascii_control() && byte != b'\t') {
            return Err("no control characters but tabs and line feeds");
        }
        let words: Vec<&str> = text.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => return Ok(()),
            [first, ..] if first.starts_with('#') => return Ok(()),
            ["log", vkey, rest @ ..] => return self.log(vkey, rest),
            ["witness", name, vkey, rest @ ..] => self.witness(name, vkey, rest)?,
            ["group", name, needed, members @ ..] => self.group(name, needed, members)?,
            ["quorum", name] if !self.has_quorum => {
                self.has_quorum = true;
                self.policy.quorum = match *name {
                    "none" => None,
                    name => {
                        let expected = "none, or a witness or group that an earlier line names";
                        Some(self.member(name).ok_or(expected)?)
                    }
                };
            }
            ["quorum", ..] => return Err("one quorum, and one name"),
            _ => return Err("a line with log, witness, group or quorum"),
        }
        self.policy.rest.push_str(&words.join(" "));
        self.policy.rest.push('\n');
        Ok(())
    }

    fn log(&mut self, vkey: &str, rest: &[&str]) -> Result<(), &'static str> {
        let known = self.policy.logs.iter().map(|log| &log.key);
        let key = key(vkey, known, KeyKind::Note, "the vkey of a log, of type 1")?;
        let url = url(rest)?;
        self.policy.logs.push(TrustedLog { key, url });
        Ok(())
    }

    fn witness(&mut self, name: &'t str, vkey: &str, rest: &[&str]) -> Result<(), &'static str> {
        self.add(name, Member::Witness(self.policy.witnesses.len()))?;
        let known = self.policy.witnesses.iter().map(|witness| &witness.key);
        let key = key(vkey, known, KeyKind::Cosignature, "the vkey of a witness, of type 4")?;
        let (name, url) = (name.to_owned(), url(rest)?);
        self.policy.witnesses.push(TrustedWitness { name, key, url });
        Ok(())
    }

    fn group(
        &mut self,
        name: &'t str,
        needed: &str,
        names: &[&'t str],
    ) -> Result<(), &'static str> {
        let mut members = Vec::new();
        for name in names {
            let member = self.member(name).filter(|_| !self.taken.contains(name));
            members.push(member.ok_or("members that earlier lines name, each in one group alone")?);
            self.taken.push(name);
        }
        let count = members.len();
        let needed = match needed {
            "all" => Some(count),
            "any" => Some(1),
            number => decimal(number).and_then(|number| usize::try_from(number).ok()),
        };
        let needed = needed.filter(|needed| (1..=count).contains(needed));
        let needed = needed.ok_or("all, any, or a number of members")?;
        self.add(name, Member::Group(self.policy.groups.len()))?;
        self.policy.groups.push(Group { needed, members });
        Ok(())
    }

    /// The witness or group with this name.
    fn member(&self, name: &str) -> Option<Member> {
        let mut known = self.names.iter();
        known.find(|(known, _)| *known == name).map(|(_, member)| *member)
    }

    /// Adds a name, which must be new.
    fn add(&mut self, name: &'t str, new: Member) -> Result<(), &'static str> {
        if name == "none" || self.member(name).is_some() {
            return Err("a name of its own");
        }
        self.names.push((name, new));
        Ok(())
    }
}

/// A key of this kind that is none of those known: a key that counts twice could be a quorum alone.
fn key<'k>(
    vkey: &str,
    mut known: impl Iterator<Item = &'k VerifierKey>,
    kind: KeyKind,
    expected: &'static str,
) -> Result<VerifierKey, &'static str> {
    let key = VerifierKey::named(vkey).ok().filter(|key| key.kind() == kind).ok_or(expected)?;
    if known.any(|known| known.is_pair_of(&key)) { Err("each key once") } else { Ok(key) }
}

/// The URL at the end of a line, if there is one.
fn url(rest: &[&str]) -> Result<Option<String>, &'static str> {
    match rest {
        [] => Ok(None),
        [url] if url.starts_with("https://") || url.starts_with("http://") => {
            Ok(Some(url.trim_end_matches('/').to_owned()))
        }
        _ => Err("nothing more than an address at the end of the line"),
    }
}
