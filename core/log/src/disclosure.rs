//! Disclosures: some fields of a logged event, with a proof, for readers who must not see the others.

use super::fields::{Levels, each_field, field_leaf, field_leaves, path_length, push_canonical};
use super::keyed::{LeafKeys, Salt};
use super::policy::Policy;
use super::proof::Proof;
use super::proofs::hashes_in;
use super::statement::{Statement, keyed_commitment, leaf_of};
use super::tile::decimal;
use super::tree::{Hash, verify_inclusion};
use super::verify::{ParsedProof, Step, Verdict, found, judge_head, read, says_the_same};
use epcis_edge_text::digits::{digest_of_hex, to_base64, to_hex};
use epcis_edge_text::error::{Error, LogFault};
use epcis_edge_text::json::{Document, Kind, Value, push_step, push_string};
use epcis_edge_text::order::sort_stably_by;
use epcis_edge_text::slice::Known;
use serde::Serialize;
use std::borrow::Cow;
use std::ops::Range;

const TYPE: &str = "epcis-edge/disclosure/v1";

/// The maximum length of a disclosure, in bytes.
pub const MAX_DISCLOSURE: usize = 16 << 20;

/// The maximum number of member names that an error lists.
const LISTED: usize = 60;

/// A member of an event that can be chosen for a disclosure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DisclosableField {
    /// The name of the member.
    pub name: String,
    /// The JSON Pointer to the member.
    pub pointer: String,
    /// The number of its fields: the number of entries for a list that is not empty, otherwise 1.
    pub count: u64,
    /// Whether it may be shown: its name and value contain no possible hash of the event.
    pub can_be_shown: bool,
}

/// A field that a disclosure shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownField {
    /// The JSON Pointer to the member, or to the entry of a list.
    pub pointer: String,
    /// The value as JSON text in canonical form; numbers have the digits of the event.
    pub value: String,
}

/// The verdict on a disclosure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DisclosureVerdict {
    /// The steps, whether all of them hold, and the other results for its proof.
    pub proof: Verdict,
    /// The shown fields, in the order of the event. Empty if a step fails, because nothing is proved then.
    pub fields: Vec<ShownField>,
    /// The number of fields that are not shown. `None`, like the next three values, if a step fails.
    pub withheld: Option<u64>,
    /// The time at which the event was recorded, as stated by the gateway.
    pub record_time: Option<String>,
    /// The attested observer.
    pub who: Option<String>,
    /// The account that warrants the event.
    pub captured_by: Option<String>,
}

/// A member and the range of its fields.
struct Member {
    name: String,
    fields: Range<usize>,
    is_list: bool,
}

fn members_of(event: Value<'_>) -> Vec<Member> {
    let mut start = 0;
    let members = event.members().map(|(name, value)| {
        let is_list = value.kind() == Kind::Array;
        let count = if is_list { value.elements().count() } else { 1 };
        let fields = start..start + count.max(1);
        start = fields.end;
        Member { name: name.to_cow().into_owned(), fields, is_list: is_list && count > 0 }
    });
    members.collect()
}

/// An event and its proof, from which a disclosure can be made.
struct Provable<'d> {
    /// The event, read alone.
    alone: Document<'d>,
    salt: Salt,
    statement: String,
    proof: Proof,
}

/// Finds the event of a proof in its document.
///
/// # Errors
/// As [`disclose`], except those about the fields to show.
fn provable<'d>(document: &'d Document<'d>, proof: &str) -> Result<Provable<'d>, Error> {
    let mut proof = Proof::read(proof)?;
    let (salt, text) = proof.extra.take().ok_or(LogFault::NoStatement)?;
    let statement = Statement::read(&text)?;
    let (event, _) = found(&statement, &salt, document)??;
    Ok(Provable { alone: says_the_same(&statement, &salt, event)?, salt, statement: text, proof })
}

/// The members of an event that can be chosen for a disclosure, in the order of the event.
///
/// **Shape**: event and proof as [`disclose`] takes them.
///
/// # Errors
/// The errors of a file that is not a JSON document with events, or of a proof that cannot be read; [`LogFault::NoStatement`],
/// [`LogFault::Event`].
pub fn disclosable(event: &[u8], proof: &str) -> Result<Vec<DisclosableField>, Error> {
    let document = Document::read(event)?;
    let Provable { alone, .. } = provable(&document, proof)?;
    let event = alone.root();
    let members = members_of(event).into_iter().zip(event.members());
    let fields = members.map(|(member, (_, value))| {
        let mut pointer = String::new();
        push_step(&mut pointer, &member.name);
        let can_be_shown = !may_be_hash(&pointer) && !may_hold_hash(value);
        DisclosableField {
            name: member.name,
            pointer,
            count: member.fields.len() as u64,
            can_be_shown,
        }
    });
    Ok(fields.collect())
}

/// Marks the fields that names and pointers select, one entry for each field of the event.
///
/// # Errors
/// [`LogFault::NoSuchField`].
fn chosen(members: &[Member], show: &[String]) -> Result<Vec<bool>, LogFault> {
    let mut by_name: Vec<&Member> = members.iter().collect();
    sort_stably_by(&mut by_name, &|one, other| one.name.cmp(&other.name));
    let count = members.last().map_or(0, |member| member.fields.end);
    let mut shown = vec![false; count];
    for wanted in show {
        let found = range_of(&by_name, wanted).ok_or_else(|| {
            let names: Vec<&str> =
                members.iter().take(LISTED).map(|member| member.name.as_str()).collect();
            LogFault::NoSuchField { found: wanted.clone(), fields: names.join(", ") }
        })?;
        for place in shown.get_mut(found).into_iter().flatten() {
            *place = true;
        }
    }
    Ok(shown)
}

/// The fields that a name or a pointer selects.
fn range_of(by_name: &[&Member], wanted: &str) -> Option<Range<usize>> {
    let named = |name: &str| {
        let at = by_name.binary_search_by(|member| member.name.as_str().cmp(name));
        by_name.get(at.ok()?)
    };
    let Some(pointer) = wanted.strip_prefix('/') else {
        return named(wanted).map(|member| member.fields.clone());
    };
    let mut steps = pointer.splitn(2, '/');
    let (name, entry) = (steps.next().known(), steps.next());
    let member = named(&name.replace("~1", "/").replace("~0", "~"))?;
    let Some(entry) = entry else { return Some(member.fields.clone()) };
    let at = member.fields.start + usize::try_from(decimal(entry)?).ok()?;
    let is_entry = member.is_list && member.fields.contains(&at);
    is_entry.then_some(at..at + 1)
}

/// Whether a text contains a possible hash of the event: the URI of a SHA-256 digest (RFC 6920), or 64 hexadecimal digits in a
/// row.
///
/// It may be the hash of something else, but that cannot be told. A hash of the event would let readers test guesses about all
/// withheld fields.
fn may_be_hash(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let is_uri = text.contains("sha-256")
        && ["ni:", "nih:", "/.well-known/ni/"].iter().any(|form| text.contains(form));
    let mut runs = text.split(|character: char| !character.is_ascii_hexdigit());
    is_uri || runs.any(|digits| digits.len() >= 64)
}

/// Whether a value contains a possible hash of the event in any string or name.
fn may_hold_hash(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::String => value.as_str().is_some_and(|text| may_be_hash(&text)),
        Kind::Array => value.elements().any(may_hold_hash),
        Kind::Object => {
            value.members().any(|(name, value)| may_be_hash(&name.to_cow()) || may_hold_hash(value))
        }
        _ => false,
    }
}

/// Makes a disclosure: chosen fields of an event, with the proof that they are part of what was logged.
///
/// **Shape**: the event as the gateway stores it, alone or in a document, and its proof, both as for [`verify`](super::verify);
/// names of members or JSON Pointers. The name of a list selects all its entries. The result is one JSON object.
///
/// **Limits**: [`MAX_DISCLOSURE`]. A field takes the length of its value, and some 50 bytes for each doubling of the number of
/// fields.
///
/// # Errors
/// The errors of a file that is not a JSON document with events, or of a proof that cannot be read; [`LogFault::NoStatement`];
/// [`LogFault::Event`] if the event is not that of the proof;
/// [`LogFault::Inclusion`] if the leaf is not under the root; [`LogFault::NoSuchField`]; [`LogFault::HashShown`];
/// [`LogFault::Disclosure`] if no field is chosen, or the disclosure is too long.
pub fn disclose(event: &[u8], proof: &str, show: &[String]) -> Result<String, Error> {
    let document = Document::read(event)?;
    let Provable { alone, salt, statement: text, proof } = provable(&document, proof)?;
    let keys = LeafKeys::new(&salt);
    let salt = keys.commitment();
    let proof = proof.text();
    let logged = read(&proof)?;
    verify_inclusion(
        &leaf_of(&keyed_commitment(&salt, &text)),
        logged.index,
        logged.checkpoint.size,
        &logged.checkpoint.root,
        &logged.path,
    )?;

    let shown = chosen(&members_of(alone.root()), show)?;
    if !shown.contains(&true) {
        return Err(not_a_disclosure("at least one field to show").into());
    }
    // Refused before any hash is computed. A field takes these bytes besides its name and value.
    let chosen = shown.iter().enumerate().filter(|(_, is_shown)| **is_shown);
    let least: usize = chosen.map(|(at, _)| 115 + 46 * path_length(shown.len(), at)).sum();
    if least > MAX_DISCLOSURE {
        return Err(too_long().into());
    }
    let leaves = field_leaves(alone.root(), &keys)?;
    let levels = Levels::of(leaves);
    // At once, so that it is not copied as it grows. Names and values are in the event.
    let mut out = String::with_capacity(least + alone.text().len() + 4096);
    out.push_str(&format!("{{\"type\":\"{TYPE}\",\"fields\":["));
    let mut index = 0;
    let mut is_first = true;
    each_field(alone.root(), &mut |pointer, value| {
        let at = index;
        index += 1;
        if shown.get(at) != Some(&true) {
            return Ok(());
        }
        if may_be_hash(pointer) || may_hold_hash(value) {
            return Err(LogFault::HashShown(pointer.to_owned()));
        }
        out.push_str(if is_first { "\n" } else { ",\n" });
        is_first = false;
        out.push_str("{\"pointer\":");
        push_string(&mut out, pointer);
        out.push_str(",\"value\":");
        push_canonical(&mut out, value);
        let salt = to_hex(&keys.field(pointer));
        out.push_str(&format!(",\"index\":{at},\"salt\":\"{salt}\",\"path\":["));
        for (at, hash) in levels.path(at).iter().enumerate() {
            out.push_str(if at == 0 { "\"" } else { ",\"" });
            out.push_str(&to_base64(hash));
            out.push('"');
        }
        out.push_str("]}");
        if out.len() > MAX_DISCLOSURE { Err(too_long()) } else { Ok(()) }
    })?;
    out.push_str("\n],\n\"statement\":");
    push_string(&mut out, &text);
    out.push_str(&format!(",\n\"salt\":\"{}\",\n\"proof\":", to_hex(&salt)));
    push_string(&mut out, &proof);
    out.push_str("}\n");
    if out.len() > MAX_DISCLOSURE {
        return Err(too_long().into());
    }
    Ok(out)
}

fn not_a_disclosure(expected: &'static str) -> LogFault {
    LogFault::Disclosure(expected)
}

fn too_long() -> LogFault {
    not_a_disclosure("at most 16 MiB: show fewer fields")
}

/// A field of a parsed disclosure, not verified yet.
struct ReadField {
    shown: ShownField,
    index: u64,
    salt: Salt,
    path: Vec<Hash>,
}

/// A parsed disclosure, not verified yet.
struct ReadDisclosure<'d> {
    /// The fields, sorted by index.
    fields: Vec<ReadField>,
    stated: Statement,
    statement: Cow<'d, str>,
    salt: Salt,
    proof: Cow<'d, str>,
}

/// Reads the values of an object that must have exactly these members.
fn exactly<'d, const N: usize>(
    object: Value<'d>,
    names: [&str; N],
    expected: &'static str,
) -> Result<[Value<'d>; N], LogFault> {
    let fault = || not_a_disclosure(expected);
    if object.kind() != Kind::Object || object.members().count() != N {
        return Err(fault());
    }
    let mut values = [object; N];
    for (value, name) in values.iter_mut().zip(names) {
        *value = object.get(name).ok_or_else(fault)?;
    }
    Ok(values)
}

fn text_of<'d>(value: Value<'d>, expected: &'static str) -> Result<Cow<'d, str>, LogFault> {
    value.as_str().ok_or_else(|| not_a_disclosure(expected))
}

fn salt_of(value: Value<'_>) -> Result<Salt, LogFault> {
    let expected = "salts of 64 lower-case hexadecimal digits";
    digest_of_hex(&text_of(value, expected)?).ok_or_else(|| not_a_disclosure(expected))
}

fn read_disclosure<'d>(document: &'d Document<'d>) -> Result<ReadDisclosure<'d>, LogFault> {
    if document.root().has_repeated_names() {
        return Err(not_a_disclosure("each name once in an object"));
    }
    let [kind, fields, statement, salt, proof] = exactly(
        document.root(),
        ["type", "fields", "statement", "salt", "proof"],
        "an object with `type`, `fields`, `statement`, `salt` and `proof`, and nothing else",
    )?;
    if kind.as_str().as_deref() != Some(TYPE) {
        return Err(not_a_disclosure("the type `epcis-edge/disclosure/v1`"));
    }
    if fields.kind() != Kind::Array {
        return Err(not_a_disclosure("a list of `fields`"));
    }
    let mut read: Vec<_> = fields.elements().map(read_field).collect::<Result<_, _>>()?;
    sort_stably_by(&mut read, &|one, other| one.index.cmp(&other.index));
    let statement = text_of(statement, "a statement as a string")?;
    Ok(ReadDisclosure {
        fields: read,
        stated: Statement::read(&statement)?,
        statement,
        salt: salt_of(salt)?,
        proof: text_of(proof, "a proof as a string")?,
    })
}

fn read_field(field: Value<'_>) -> Result<ReadField, LogFault> {
    let [pointer, value, index, salt, path] = exactly(
        field,
        ["pointer", "value", "index", "salt", "path"],
        "fields with `pointer`, `value`, `index`, `salt` and `path`, and nothing else",
    )?;
    let pointer = text_of(pointer, "pointers as strings")?.into_owned();
    let index = index.as_number().and_then(decimal);
    let index = index.ok_or_else(|| not_a_disclosure("an index in plain decimal"))?;
    let path = Some(path).filter(|path| path.kind() == Kind::Array).and_then(hashes_in);
    let path = path.ok_or_else(|| not_a_disclosure("paths of at most 63 hashes in base64"))?;
    let mut canonical = String::new();
    push_canonical(&mut canonical, value);
    Ok(ReadField {
        shown: ShownField { pointer, value: canonical },
        index,
        salt: salt_of(salt)?,
        path,
    })
}

/// The result of the step `fields`: whether all fields are in the statement's tree of fields.
fn are_of(fields: &[ReadField], statement: &Statement) -> Result<String, LogFault> {
    let all = statement.fields;
    if fields.is_empty() || fields.len() as u64 > all {
        return Err(not_a_disclosure("at least one field, and no more than the event has"));
    }
    let fault = |pointer: &str| LogFault::Field(pointer.to_owned());
    let mut pointers: Vec<&str> = fields.iter().map(|field| field.shown.pointer.as_str()).collect();
    sort_stably_by(&mut pointers, &|one, other| one.cmp(other));
    for (one, other) in pointers.iter().zip(pointers.iter().skip(1)) {
        if one == other {
            return Err(fault(one));
        }
    }
    let mut last = None;
    for field in fields {
        let ShownField { pointer, value } = &field.shown;
        // The fields are sorted by index, so repeated ones are neighbours.
        if last == Some(field.index) {
            return Err(fault(pointer));
        }
        last = Some(field.index);
        let leaf = field_leaf(&field.salt, pointer, value);
        let root = &statement.field_root;
        verify_inclusion(&leaf, field.index, all, root, &field.path).map_err(|_| fault(pointer))?;
    }
    Ok(format!("{} of the {all} fields of the event are shown", fields.len()))
}

/// Verifies that the fields in a disclosure are part of an event that was logged. The policy names the trusted logs and
/// witnesses; `now` is in milliseconds since 1970-01-01T00:00:00Z.
///
/// **Shape**: the bytes of the disclosure, because numbers must keep their digits. The steps are `disclosure` (it can be read),
/// `fields` (each one is a field of the event that the statement is about), `leaf` (the statement is what was logged), and `log`,
/// `witnesses` and `inclusion` as in [`verify`](super::verify). A disclosure reveals nothing about fields that are not shown,
/// except how many there are.
///
/// **Limits**: [`MAX_DISCLOSURE`]; no more fields than the event has, each once. **Cost**: in proportion to the disclosure.
///
/// # Errors
/// [`LogFault::Policy`]. Faults of the disclosure are reported in the verdict.
pub fn verify_disclosure(
    disclosure: &[u8],
    policy: &str,
    now: u64,
) -> Result<DisclosureVerdict, Error> {
    let policy = Policy::read(policy)?;
    let mut verdict = Verdict::default();
    let document = match disclosure.len() {
        0..=MAX_DISCLOSURE => Document::read(disclosure),
        _ => Err(not_a_disclosure("at most 16 MiB").into()),
    };
    let parts = document.as_ref().map_err(Error::clone);
    let parts = parts.and_then(|document| Ok(read_disclosure(document)?));
    let logged = parts.as_ref().map_err(Error::clone);
    let logged = logged.and_then(|parts| Ok(without_salt(read(&parts.proof)?)?));
    let (parts, logged) = match (&parts, &logged) {
        (Ok(parts), Ok(logged)) => (parts, logged),
        (_, Err(error)) | (Err(error), _) => {
            let detail = error.to_string();
            verdict.steps.push(Step { step: "disclosure", holds: false, detail });
            return Ok(complete_verdict(verdict, None));
        }
    };
    verdict.step("disclosure", Ok(logged.seen()));
    verdict.set_position(logged);
    verdict.step("fields", are_of(&parts.fields, &parts.stated));
    let leaf = leaf_of(&keyed_commitment(&parts.salt, &parts.statement));
    let seen = format!("salt and statement give the leaf hash {}", to_hex(&leaf));
    verdict.step("leaf", Ok(seen));
    let record_time = Some(parts.stated.stamps.record_time.as_str());
    judge_head(&mut verdict, logged, Some(leaf), record_time, (&policy, now));
    Ok(complete_verdict(verdict, Some(parts)))
}

/// Refuses a proof with the salt of the leaf: with the salt, readers could test guesses about all withheld fields.
fn without_salt(read: ParsedProof<'_>) -> Result<ParsedProof<'_>, LogFault> {
    match read.statement {
        None => Ok(read),
        Some(_) => Err(not_a_disclosure("a proof without a line `extra`")),
    }
}

/// Completes the verdict; without the fields and stamps if a step fails.
fn complete_verdict(verdict: Verdict, parts: Option<&ReadDisclosure<'_>>) -> DisclosureVerdict {
    let Some(parts) = parts.filter(|_| verdict.valid) else {
        return DisclosureVerdict { proof: verdict, ..DisclosureVerdict::default() };
    };
    let stamps = parts.stated.stamps.clone();
    DisclosureVerdict {
        proof: verdict,
        withheld: Some(parts.stated.fields - parts.fields.len() as u64),
        fields: parts.fields.iter().map(|field| field.shown.clone()).collect(),
        record_time: Some(stamps.record_time),
        who: Some(stamps.who),
        captured_by: Some(stamps.captured_by),
    }
}
