//! One context object: its keywords, and its term definitions, resolved in the order in which they depend on each other.
//!
//! **Source**: JSON-LD 1.1 Processing Algorithms and API, 4.1 to 5.2.

use super::official::{bound, contradicts, is_alias, is_of_javascript, is_protected};
use super::{ActiveContext, Base, Judge, Replaced, Term, ends_as_prefix};
use epcis_edge_text::error::excerpt;
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::slice::Known;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The members that a term definition may have here. JSON-LD knows three more; these are refused by name.
const MEMBERS: [&str; 8] =
    ["@container", "@direction", "@id", "@language", "@nest", "@prefix", "@protected", "@type"];

/// The containers that are accepted. Others read member names as something else, and fail on values of another type.
const CONTAINERS: [&str; 2] = ["@list", "@set"];

/// A definition as it is written in the context object.
#[derive(Clone, Copy)]
struct Definition<'d> {
    value: Value<'d>,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Waiting,
    InProgress,
    Done,
}

type Local<'d> = BTreeMap<Cow<'d, str>, Definition<'d>>;

impl<'d> ActiveContext<'d> {
    pub(super) fn declare_object(&mut self, object: Value<'d>, judge: &mut Judge<'_>) {
        let mut local = Local::new();
        let mut protects = false;
        // `@base` comes before `@vocab`, and both before the terms.
        for keyword in ["@base", "@vocab"] {
            if let Some(value) = object.get(keyword) {
                judge.below(keyword, |judge| self.declare_reference(keyword, value, judge));
            }
        }
        for (name, value) in object.members() {
            let name = name.to_cow();
            if name.starts_with('@') {
                if name == "@protected" {
                    protects = value.as_bool() == Some(true);
                }
                judge.below(&name, |judge| judge_keyword(&name, value, judge));
                continue;
            }
            // More terms than the limit need not be sorted.
            if local.len() > super::MAX_TERMS {
                self.excess = Some(super::Excess::Terms);
                break;
            }
            let state = State::Waiting;
            local.insert(name, Definition { value, state });
        }
        let names: Vec<Cow<'d, str>> = local.keys().cloned().collect();
        for name in names {
            self.define(name, &mut local, protects, judge);
        }
    }

    /// Applies `@base` or `@vocab`.
    fn declare_reference(&mut self, keyword: &str, value: Value<'d>, judge: &mut Judge<'_>) {
        if value.kind() == Kind::Null {
            if keyword == "@base" {
                self.set_base(Base::Nothing);
            } else {
                self.set_vocabulary(None);
            }
            return;
        }
        let Some(text) = value.as_str() else {
            judge.refuse("expected a string or null");
            return;
        };
        if keyword == "@base" {
            let base = if is_absolute(&text) {
                Base::Known(text.as_ref().into())
            } else {
                self.resolved(&text).map_or(Base::Unknown, |whole| Base::Known(whole.into()))
            };
            self.set_base(base);
            return;
        }
        let vocabulary = if text.starts_with('@') {
            None
        } else {
            let expanded = self.iri(&text);
            if is_absolute(&expanded) {
                Some(expanded)
            } else {
                self.resolved(&text).map(Cow::Owned)
            }
        };
        match vocabulary {
            Some(vocabulary) => {
                if self.takes(vocabulary.len()) {
                    self.set_vocabulary(Some(vocabulary.as_ref().into()));
                }
            }
            None => {
                judge.refuse(
                    "expected an absolute IRI, or a reference with an absolute `@base` before it: what this stands for would \
                     depend on where the event is read",
                );
                self.set_vocabulary(Some(text.as_ref().into()));
            }
        }
    }

    fn set_base(&mut self, base: Base) {
        let outer = std::mem::replace(&mut self.base, base);
        self.replaced.push(Replaced::Base(outer));
    }

    fn set_vocabulary(&mut self, vocabulary: Option<Rc<str>>) {
        let outer = std::mem::replace(&mut self.vocabulary, vocabulary);
        self.replaced.push(Replaced::Vocabulary(outer));
    }

    /// Resolves a relative reference (RFC 3986, 5), if the base is known and neither has `.` or `..` segments, about which
    /// libraries disagree.
    fn resolved(&self, reference: &str) -> Option<String> {
        let Base::Known(base) = &self.base else {
            return None;
        };
        let has_dots = |text: &str| {
            let path = text.split(['?', '#']).next().known();
            path.split('/').any(|segment| segment == "." || segment == "..")
        };
        if has_dots(base) || has_dots(reference) || !base.contains("://") {
            return None;
        }
        // The fragment of the base does not affect relative references.
        let base = base.split('#').next().known();
        let base = fluent_uri::Iri::parse(base).ok()?;
        let reference = fluent_uri::IriRef::parse(reference).ok()?;
        Some(reference.resolve_against(&base).ok()?.into_string())
    }

    /// Defines a term, after all terms on which it depends.
    ///
    /// A list of waiting terms replaces recursion, so that a long chain of definitions cannot overflow the stack.
    fn define(
        &mut self,
        first: Cow<'d, str>,
        local: &mut Local<'d>,
        protects: bool,
        judge: &mut Judge<'_>,
    ) {
        let mut waiting = vec![first];
        while let Some(term) = waiting.last().cloned() {
            let Some(definition) = local.get_mut(&term) else {
                waiting.pop();
                continue;
            };
            if definition.state == State::Done {
                waiting.pop();
                continue;
            }
            definition.state = State::InProgress;
            let value = definition.value;
            let mut needed = None;
            let mut is_cycle = false;
            for name in names_needed(&term, value, local) {
                match local.get(&name).map(|definition| definition.state) {
                    Some(State::Waiting) => {
                        needed = Some(name);
                        break;
                    }
                    Some(State::InProgress) => is_cycle = true,
                    Some(State::Done) | None => {}
                }
            }
            if let Some(needed) = needed {
                waiting.push(needed);
                continue;
            }
            judge.below(&term, |judge| {
                if is_cycle {
                    judge.refuse("the term is defined by itself");
                }
                self.define_now(term.clone(), value, protects, judge);
            });
            if let Some(definition) = local.get_mut(&term) {
                definition.state = State::Done;
            }
            waiting.pop();
        }
    }

    /// Defines a term whose dependencies are defined.
    fn define_now(
        &mut self,
        term: Cow<'d, str>,
        value: Value<'d>,
        protects: bool,
        judge: &mut Judge<'_>,
    ) {
        let is_simple = value.kind() == Kind::String;
        let id = if is_simple { value.as_str() } else { value.get("@id").and_then(Value::as_str) };
        let faults = judge.refusals.len();
        self.judge_definition(&term, value, id.as_deref(), judge);
        if value.kind() == Kind::Object && id.is_none() && value.get("@id").is_some() {
            return;
        }
        if !is_simple && value.kind() != Kind::Object || id.as_deref().is_some_and(is_keyword) {
            return;
        }
        // Without an `@id`, JSON-LD derives the IRI from the name.
        let iri: Rc<str> = match id.as_deref().filter(|id| *id != term) {
            Some(id) => self.iri(id).as_ref().into(),
            None => self.iri_of_name(&term).as_ref().into(),
        };
        if !is_absolute(&iri) && judge.refusals.len() == faults {
            judge.refuse(format!(
                "expected the definition to lead to an absolute IRI, found `{}`",
                excerpt(&iri)
            ));
        }
        if has_form_of_iri(&term) && id.as_deref().is_some_and(|id| id != term) {
            let own = self.without(&term, |context| context.iri(&term).into_owned());
            if *own != *iri {
                judge.refuse("a term in the form of an IRI must stand for what it says");
            }
        }
        let is_prefix = match value.get("@prefix").and_then(Value::as_bool) {
            Some(is_prefix) => is_prefix,
            None => is_simple && !term.contains(':') && ends_as_prefix(&iri),
        };
        let says_more = value
            .members()
            .any(|(name, _)| !["@id", "@prefix", "@protected"].iter().any(|plain| name == *plain));
        let is_protected = value.get("@protected").and_then(Value::as_bool).unwrap_or(protects);
        let kind = value.get("@type").and_then(Value::as_str);
        let kind = kind.map(|kind| self.iri(&kind).as_ref().into());
        let mut new = Term {
            is_derived: id.as_deref().is_none_or(|id| id == term),
            iri,
            is_prefix,
            is_protected,
            kind: kind.filter(|_| says_more),
            more: says_more.then_some(value),
        };
        if let Some(old) = self.terms.get(&term).filter(|old| old.is_protected) {
            if *old != new {
                judge.refuse("the term is protected, and would get another meaning here");
            }
            new.is_protected = true;
        }
        if contradicts(&term, &new.iri, self.edition())
            || super::official_prefix(&term).is_some() && (!new.is_prefix || new.more.is_some())
        {
            let bound = bound(&term, self.edition()).flatten();
            let to = bound.map_or_else(String::new, |bound| format!(" to `{bound}`"));
            judge.refuse(format!(
                "the official context that is in force binds this prefix{to}, and protects it: leave the declaration out"
            ));
        }
        self.bind(term, new);
    }

    /// The meaning of an IRI, a CURIE or a term (JSON-LD 1.1 API, 5.2).
    pub(super) fn iri<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if let Some(term) = self.terms.get(text) {
            return Cow::Owned(term.iri.as_ref().to_owned());
        }
        if let Some((prefix, local)) = split(text) {
            if prefix == "_" || local.starts_with("//") {
                return Cow::Borrowed(text);
            }
            match self.terms.get(prefix) {
                Some(term) if term.is_prefix => {
                    return Cow::Owned(format!("{}{local}", term.iri));
                }
                // Without a prefix of JSON-LD 1.1 an absolute IRI stays as it is; only `expand` accepts any term as a prefix.
                _ if is_absolute(text) => return Cow::Borrowed(text),
                _ => {}
            }
        }
        self.in_vocabulary(text)
    }

    /// The meaning of a term without `@id` (JSON-LD 1.1 API, 4.2, steps 15 to 18).
    fn iri_of_name<'t>(&self, term: &'t str) -> Cow<'t, str> {
        match split(term) {
            Some((prefix, local)) => match self.terms.get(prefix) {
                Some(prefix) => Cow::Owned(format!("{}{local}", prefix.iri)),
                None => Cow::Borrowed(term),
            },
            None => self.in_vocabulary(term),
        }
    }

    fn in_vocabulary<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.vocabulary {
            Some(vocabulary) => Cow::Owned(format!("{vocabulary}{text}")),
            None => Cow::Borrowed(text),
        }
    }

    /// Runs `work` as if a term were not defined.
    fn without<T>(&mut self, term: &str, work: impl FnOnce(&Self) -> T) -> T {
        let outer = self.terms.remove_entry(term);
        let done = work(self);
        self.terms.extend(outer);
        done
    }

    /// Judges everything in a definition that does not depend on its IRI.
    fn judge_definition(
        &self,
        term: &str,
        value: Value<'d>,
        id: Option<&str>,
        judge: &mut Judge<'_>,
    ) {
        if is_of_javascript(term) {
            judge.refuse(
                "readers of JSON-LD in JavaScript take a term of this name for something of their own",
            );
        }
        if term.is_empty() {
            judge.refuse("a term has at least one character");
        }
        if let Some((prefix, local)) = split(term)
            && local.starts_with("//")
            && self.terms.contains_key(prefix)
        {
            judge.refuse("readers differ in what a term in the form of an IRI stands for whose scheme is a term");
        }
        match value.kind() {
            Kind::String | Kind::Object => {}
            Kind::Null => judge.refuse("a term set to null takes the meaning from what it names"),
            _ => judge.refuse("expected an IRI or an object that defines the term"),
        }
        if let Some(keyword) = id.filter(|id| id.starts_with('@')) {
            if value.kind() != Kind::String || !is_alias(term, keyword) {
                judge.refuse(format!(
                    "`{}` under another name than the official context gives it",
                    excerpt(keyword)
                ));
            }
        } else if term == "urn" {
            judge.refuse(
                "the term would give every identifier that begins with `urn:` another meaning",
            );
        } else if is_protected(term) {
            judge.refuse("the term is the official context's, which protects it");
        }
        for (name, member) in value.members() {
            let name = name.to_cow();
            judge.below(&name, |judge| self.judge_member(&name, member, term, judge));
        }
    }

    fn judge_member(&self, name: &str, member: Value<'d>, term: &str, judge: &mut Judge<'_>) {
        match name {
            "@context" => {
                judge.refuse("a context that is scoped to a type or a property is not taken");
            }
            _ if !MEMBERS.contains(&name) => {
                judge.refuse(format!("expected only {} here", MEMBERS.join(", ")));
            }
            "@id" if member.kind() == Kind::Null => {
                judge.refuse("a term set to null takes the meaning from what it names");
            }
            "@id" if member.kind() != Kind::String => judge.refuse("expected an IRI"),
            "@protected" if member.as_bool().is_none() => judge.refuse("expected true or false"),
            "@prefix" if member.as_bool().is_none() => judge.refuse("expected true or false"),
            "@prefix" if term.contains([':', '/']) => {
                judge.refuse("a name with `:` or `/` is no prefix");
            }
            "@type" => {
                let is_type = member.as_str().is_some_and(|text| {
                    ["@id", "@vocab", "@json", "@none"].contains(&text.as_ref()) || {
                        let iri = self.iri(&text);
                        is_absolute(&iri) && !iri.starts_with("_:")
                    }
                });
                if !is_type {
                    judge.refuse("expected `@id`, `@vocab`, `@json`, `@none` or an IRI");
                }
            }
            "@container" => {
                let one = member.as_str().is_some_and(|text| is_container(&[text]));
                let texts: Vec<_> = member.elements().take(4).filter_map(Value::as_str).collect();
                let several = member.kind() == Kind::Array
                    && texts.len() == member.elements().take(5).count()
                    && is_container(&texts);
                if !one && !several {
                    judge.refuse(format!("expected {}", CONTAINERS.join(", ")));
                }
            }
            "@language" if !matches!(member.kind(), Kind::String | Kind::Null) => {
                judge.refuse("expected a language or null");
            }
            "@direction" if !is_direction(member) => judge.refuse("expected `ltr`, `rtl` or null"),
            "@nest"
                if member.as_str().is_none_or(|text| text.starts_with('@') && text != "@nest") =>
            {
                judge.refuse("expected the name of a member");
            }
            _ => {}
        }
    }
}

/// The names in the same object that must be defined before a term.
fn names_needed<'d>(term: &str, value: Value<'d>, local: &Local<'d>) -> Vec<Cow<'d, str>> {
    let mut needed = Vec::new();
    let mut need = |name: &str| {
        if let Some((name, _)) = local.get_key_value(name) {
            needed.push(name.clone());
        }
    };
    let id = match value.kind() {
        Kind::String => value.as_str(),
        _ => value.get("@id").and_then(Value::as_str),
    };
    let id = id.filter(|id| *id != term);
    let kind = value.get("@type").and_then(Value::as_str);
    for text in [id.as_deref(), kind.as_deref()].into_iter().flatten() {
        if local.contains_key(text) {
            need(text);
        } else if let Some((prefix, rest)) = split(text)
            && !rest.starts_with("//")
        {
            need(prefix);
        }
    }
    if let Some((prefix, _)) = split(term)
        && (id.is_none() || has_form_of_iri(term))
    {
        need(prefix);
    }
    needed
}

/// Judges a keyword of a context object.
fn judge_keyword(name: &str, value: Value<'_>, judge: &mut Judge<'_>) {
    match name {
        "@base" | "@vocab" => {}
        "@version" => {
            let version = value.as_number().and_then(|number| number.parse::<f64>().ok());
            if version != Some(1.1) {
                judge.refuse("expected the number 1.1");
            }
        }
        "@protected" if value.as_bool() == Some(true) => {}
        // It has no effect, but a reader takes it for a definition that depends on itself.
        "@protected" => judge.refuse("expected true, or no `@protected` at all"),
        "@language" if matches!(value.kind(), Kind::String | Kind::Null) => {}
        "@direction" if is_direction(value) => {}
        "@language" | "@direction" => judge.refuse("expected a language or direction, or null"),
        "@import" => judge.refuse("a context that imports another is not taken"),
        "@propagate" => judge.refuse("`@propagate` is not taken"),
        _ => judge.refuse(format!("`{}` is no term that could be defined", excerpt(name))),
    }
}

fn is_direction(value: Value<'_>) -> bool {
    value.kind() == Kind::Null || value.as_str().is_some_and(|text| text == "ltr" || text == "rtl")
}

/// Whether a term may have these containers (JSON-LD 1.1, 9.15.1).
fn is_container(kinds: &[Cow<'_, str>]) -> bool {
    let has = |kind: &str| kinds.iter().any(|found| found == kind);
    kinds.iter().all(|kind| CONTAINERS.contains(&kind.as_ref()))
        && if has("@list") { kinds.len() == 1 } else { kinds.len() <= 1 + usize::from(has("@set")) }
}

fn is_keyword(text: &str) -> bool {
    text.starts_with('@')
}

/// The parts before and after the first colon; `None` if the first is empty or there is no colon.
fn split(text: &str) -> Option<(&str, &str)> {
    text.split_once(':').filter(|(prefix, _)| !prefix.is_empty())
}

/// Whether a term looks like an IRI, compact or not: a colon that is not at its end, or a slash.
fn has_form_of_iri(term: &str) -> bool {
    let has_colon = term.char_indices().any(|(at, character)| {
        character == ':'
            && term.get(at + 1..).is_some_and(|rest| !rest.is_empty() && !rest.starts_with(':'))
    });
    has_colon || term.contains('/')
}

/// Whether a text is an absolute IRI or a blank node, as loosely as libraries check it: a scheme, and no white space.
pub(super) fn is_absolute(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let is_scheme = scheme == "_"
        || scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.,".contains(&byte));
    is_scheme && !rest.contains(char::is_whitespace)
}
