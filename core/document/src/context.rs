//! The meaning of names in a document: the prefixes and terms of its `@context` objects, each within its scope.
//!
//! Definitions are resolved as in JSON-LD 1.1, in whatever order they are written, including `@vocab` and `@base` (Context
//! Processing, 4.1; Create Term Definition, 4.2; IRI Expansion, 5.2).
//! No context is fetched: only the official addresses are known, whose prefixes need no declaration.
//!
//! There are two ways to read a context. Queries use what they can understand and skip the rest. Capture *judges*: a definition
//! that leaves the meaning of a name open, or that no JSON-LD reader accepts, is refused with its place.

mod definition;
mod judge;
mod official;

pub use judge::Judge;
pub use official::{
    ADDRESSES, Addresses, EPCIS_CONTEXT, Edition, RECORD_TIMES, UNDECLARED, edition_at,
    is_keyword_form, is_taken, keyword_of, prefix as official_prefix,
};

use crate::field::Word;
use crate::vocabulary::MEASUREMENT_TYPE;
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::slice::Known;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;

/// The most bytes of IRIs held for all terms in force: definitions that build on each other could grow without limit.
pub const MAX_HELD: usize = 16 << 20;

/// The most bytes of IRIs that are ever computed: a short definition may repeat a long one.
pub const MAX_WORK: usize = 64 << 20;

/// The most terms in force.
pub const MAX_TERMS: usize = 10_000;

/// The meaning of a term.
#[derive(Clone, Debug)]
struct Term<'d> {
    iri: Rc<str>,
    /// Whether JSON-LD 1.1 accepts it as the prefix of a name.
    is_prefix: bool,
    is_protected: bool,
    /// Whether its IRI was derived from its name. For a protected term, readers distinguish that from an equal `@id`.
    is_derived: bool,
    /// The IRI of the `@type` in its definition.
    kind: Option<Rc<str>>,
    /// The definition, if it has more than an IRI: it says how values are to be read.
    more: Option<Value<'d>>,
}

impl Term<'_> {
    fn plain(iri: Rc<str>) -> Self {
        let is_prefix = ends_as_prefix(&iri);
        Self { iri, is_prefix, is_protected: false, is_derived: false, kind: None, more: None }
    }
}

/// Ignores protection, which does not change the meaning.
impl PartialEq for Term<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iri == other.iri
            && self.is_prefix == other.is_prefix
            && self.is_derived == other.is_derived
            && self.kind == other.kind
            && self.more.map(Value::to_serde) == other.more.map(Value::to_serde)
    }
}

/// Whether a simple definition makes a term a prefix: the IRI ends in a delimiter (RFC 3986, 2.2: gen-delims).
fn ends_as_prefix(iri: &str) -> bool {
    iri.ends_with([':', '/', '?', '#', '[', ']', '@'])
}

/// The base for relative references.
#[derive(Clone, Debug, Default, PartialEq)]
enum Base {
    /// The address of the document, which is unknown here.
    #[default]
    Unknown,
    /// No base: a relative reference stays relative.
    Nothing,
    Known(Rc<str>),
}

/// A declaration that was replaced, to be restored later.
#[derive(Clone, Debug)]
enum Replaced<'d> {
    Term(Cow<'d, str>, Option<Term<'d>>),
    Early(String, Option<Rc<str>>),
    Vocabulary(Option<Rc<str>>),
    Base(Base),
    Edition(Option<Edition>),
}

/// The declarations in force at a place of a document: what JSON-LD 1.1 calls the active context.
#[derive(Clone, Debug)]
pub struct ActiveContext<'d> {
    terms: BTreeMap<Cow<'d, str>, Term<'d>>,
    /// Prefixes declared as in early drafts, `@xmlns:p`: hashes use them, JSON-LD does not, and they replace no term.
    early: BTreeMap<String, Rc<str>>,
    vocabulary: Option<Rc<str>>,
    base: Base,
    /// The edition of the official context that was named.
    edition: Option<Edition>,
    /// The replaced declarations, the innermost last.
    replaced: Vec<Replaced<'d>>,
    /// The length of all IRIs in force, in bytes.
    held: usize,
    /// The length of all IRIs computed so far, in bytes.
    work: usize,
    /// The length of the longest IRI so far, in bytes.
    longest: usize,
    excess: Option<Excess>,
}

/// The limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Bytes of IRIs in force: more than [`MAX_HELD`].
    Bytes,
    /// Terms in force: more than [`MAX_TERMS`].
    Terms,
    /// Bytes of IRIs computed in all contexts so far: more than [`MAX_WORK`].
    Work,
}

impl Default for ActiveContext<'_> {
    /// A context with only the prefixes that need no declaration.
    fn default() -> Self {
        let known = UNDECLARED.into_iter().chain([("gs1", MEASUREMENT_TYPE.hashed_web)]);
        let known = known.map(|(prefix, namespace)| (prefix.into(), Term::plain(namespace.into())));
        Self {
            terms: known.collect(),
            early: BTreeMap::new(),
            vocabulary: None,
            base: Base::default(),
            edition: None,
            replaced: Vec::new(),
            held: 0,
            work: 0,
            longest: 0,
            excess: None,
        }
    }
}

impl<'d> ActiveContext<'d> {
    /// Enters an object: its declarations are in force until its result is given to [`leave`](Self::leave).
    pub fn enter(&mut self, object: Value<'d>) -> usize {
        self.enter_judged(object, &mut Judge::lenient())
    }

    /// Enters an object and judges its `@context`; the judge's pointer is that of the object.
    pub fn enter_judged(&mut self, object: Value<'d>, judge: &mut Judge<'_>) -> usize {
        let outer = self.replaced.len();
        for (name, value) in object.members() {
            if name == "@context" {
                judge.below("@context", |judge| self.declare(value, judge));
                continue;
            }
            let name = name.to_cow();
            if let Some(prefix) = name.strip_prefix("@xmlns:")
                && let Some(namespace) = value.as_str()
            {
                self.bind_early(prefix, &namespace);
            }
        }
        outer
    }

    /// Applies a `@context`: an object, an address, or an array of them.
    pub fn declare(&mut self, context: Value<'d>, judge: &mut Judge<'_>) {
        // Find the edition first, wherever in the list it is named.
        let one = (context.kind() != Kind::Array).then_some(context);
        let mut entries = one.into_iter().chain(context.elements());
        let named = entries.find_map(|entry| edition_at(&entry.as_str()?));
        if self.edition.is_none() && named.is_some() {
            self.replaced.push(Replaced::Edition(self.edition));
            self.edition = named;
        }
        if context.kind() != Kind::Array {
            self.declare_entry(context, judge);
            return;
        }
        for (index, entry) in context.elements().enumerate() {
            judge.below(&index.to_string(), |judge| {
                if entry.kind() == Kind::Array {
                    judge.refuse("an array of contexts inside of another is no JSON-LD");
                    self.declare(entry, judge);
                } else {
                    self.declare_entry(entry, judge);
                }
            });
        }
    }

    fn declare_entry(&mut self, entry: Value<'d>, judge: &mut Judge<'_>) {
        match entry.kind() {
            Kind::Object => self.declare_object(entry, judge),
            Kind::String => {
                let address = entry.as_str().known();
                judge.address(&address);
                self.judge_edition(&address, judge);
            }
            Kind::Null => judge.refuse("a null context would remove the terms of the standard"),
            _ => judge.refuse("expected the address of a context or an object"),
        }
    }

    /// The edition of the official context in force. An event that names none gets the first.
    fn edition(&self) -> Edition {
        self.edition.unwrap_or(Edition::First)
    }

    /// Judges an official context together with the declarations in force.
    fn judge_edition(&self, address: &str, judge: &mut Judge<'_>) {
        let Some(edition) = edition_at(address) else {
            return;
        };
        if edition != self.edition() {
            judge.refuse(
                "another edition of the official context is in force, which protects the same terms and binds some prefixes \
                 otherwise: readers refuse both together",
            );
            return;
        }
        // The official context does not protect declarations before it, but these may be protected themselves.
        let contradicted = official::prefixes().find(|prefix| {
            let term = self.terms.get(*prefix);
            term.is_some_and(|term| {
                term.is_protected && official::contradicts(prefix, &term.iri, edition)
            })
        });
        if let Some(prefix) = contradicted {
            judge.refuse(format!(
                "the prefix `{prefix}` is protected by the context before this one, which binds it to something else"
            ));
        }
    }

    /// Declares the gateway's own prefix.
    pub fn declare_own(&mut self, prefix: &str, namespace: &str) {
        self.bind(prefix.to_owned().into(), Term::plain(namespace.into()));
    }

    fn bind(&mut self, name: Cow<'d, str>, mut term: Term<'d>) {
        let is_new = !self.terms.contains_key(&name);
        if is_new && self.terms.len() >= MAX_TERMS {
            self.excess = Some(Excess::Terms);
            return;
        }
        if !self.takes(term.iri.len()) {
            term.iri = Rc::default();
        }
        self.held += term.iri.len();
        let outer = self.terms.insert(name.clone(), term);
        self.replaced.push(Replaced::Term(name, outer));
    }

    /// Counts an IRI of this length, and returns whether it may be held.
    fn takes(&mut self, bytes: usize) -> bool {
        self.work += bytes;
        self.longest = self.longest.max(bytes);
        if self.held + bytes > MAX_HELD {
            self.excess = Some(Excess::Bytes);
        } else if self.work > MAX_WORK {
            self.excess = Some(Excess::Work);
        } else {
            return true;
        }
        false
    }

    /// The bytes of IRIs computed so far, to be given to [`count_work`](Self::count_work) of another context.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Counts work done in another context.
    pub fn count_work(&mut self, bytes: usize) {
        self.work += bytes;
        if self.work > MAX_WORK {
            self.excess = Some(Excess::Work);
        }
    }

    /// Counts the IRIs in force once more, since a reader of a single event computes them again.
    pub fn count_held(&mut self) {
        self.count_work(self.held);
    }

    fn bind_early(&mut self, prefix: &str, namespace: &str) {
        if self.early.len() >= MAX_TERMS {
            self.excess = Some(Excess::Terms);
            return;
        }
        if !self.takes(namespace.len()) {
            return;
        }
        let outer = self.early.insert(prefix.to_owned(), namespace.into());
        self.replaced.push(Replaced::Early(prefix.to_owned(), outer));
    }

    /// The number of replaced declarations, to be given to [`leave`](Self::leave), which undoes all later ones.
    pub fn depth(&self) -> usize {
        self.replaced.len()
    }

    /// Leaves the objects that were entered after `outer` was returned.
    pub fn leave(&mut self, outer: usize) {
        while self.replaced.len() > outer
            && let Some(replaced) = self.replaced.pop()
        {
            match replaced {
                Replaced::Term(name, term) => {
                    let inner = match term {
                        Some(term) => self.terms.insert(name, term),
                        None => self.terms.remove(&name),
                    };
                    self.held -= inner.map_or(0, |inner| inner.iri.len()).min(self.held);
                }
                Replaced::Early(prefix, namespace) => {
                    match namespace {
                        Some(namespace) => self.early.insert(prefix, namespace),
                        None => self.early.remove(&prefix),
                    };
                }
                Replaced::Vocabulary(vocabulary) => self.vocabulary = vocabulary,
                Replaced::Base(base) => self.base = base,
                Replaced::Edition(edition) => self.edition = edition,
            }
        }
    }

    /// The limit that was exceeded, if any. Some IRIs are then unknown, and nothing may be decided by this context.
    pub fn excess(&self) -> Option<Excess> {
        self.excess
    }

    /// The length of the longest IRI of a term so far, in bytes.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Whether a name stands for an absolute IRI that is no blank node, and so may be the type of a value.
    pub fn is_type_of_values(&self, name: &str) -> bool {
        let iri = self.iri(name);
        definition::is_absolute(&iri) && !iri.starts_with("_:")
    }

    /// Whether an IRI in a context stands for itself: it is not the name of a term, and its scheme is no prefix.
    pub fn stands_for_itself(&self, iri: &str) -> bool {
        self.iri(iri) == iri
    }

    /// Whether both contexts give every name the same meaning.
    pub fn means_the_same(&self, other: &Self) -> bool {
        self.terms == other.terms && self.vocabulary == other.vocabulary && self.base == other.base
    }

    /// Whether this prefix is a term, or a term begins with it and a colon.
    pub fn uses(&self, prefix: &str) -> bool {
        self.terms.contains_key(prefix) || self.begins_a_term(prefix)
    }

    /// Whether a term begins with this prefix and a colon.
    fn begins_a_term(&self, prefix: &str) -> bool {
        let start = format!("{prefix}:");
        let from = (Bound::Included(start.as_str()), Bound::Unbounded);
        let next = self.terms.range::<str, _>(from).next();
        next.is_some_and(|(term, _)| term.starts_with(&start))
    }

    /// Whether this is a prefix of JSON-LD 1.1 for the namespace, and no term begins with it and a colon.
    pub fn is_prefix_of(&self, prefix: &str, namespace: &str) -> bool {
        let is_it =
            |term: &Term<'_>| &*term.iri == namespace && term.is_prefix && term.more.is_none();
        self.terms.get(prefix).is_some_and(is_it) && !self.begins_a_term(prefix)
    }

    /// Expands a CURIE to its URI; any other text stays as it is.
    ///
    /// Any term counts as a prefix, even if JSON-LD 1.1 accepts it only as a term: XML has no such rule.
    pub fn expand<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.parts(text) {
            Some((namespace, local)) => Cow::Owned(format!("{namespace}{local}")),
            None => Cow::Borrowed(text),
        }
    }

    /// The namespace of the prefix of a CURIE, and the rest.
    fn parts<'t>(&'t self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (prefix, local) = text.split_once(':').filter(|(_, local)| !local.starts_with("//"))?;
        let early = self.early.get(prefix);
        let namespace = early.or_else(|| self.terms.get(prefix).map(|term| &term.iri))?;
        Some((namespace, local))
    }

    /// The namespace and the local name of a member, which joined are its full name. The namespace is empty if the name has
    /// none or its prefix is not declared.
    pub fn name_parts<'t>(&'t self, name: &'t str) -> (&'t str, &'t str) {
        match name.split_once(':') {
            None => self.terms.get(name).map_or(("", name), |term| (&*term.iri, "")),
            Some(_) => self.parts(name).unwrap_or(("", name)),
        }
    }

    /// Whether a member name means a name in the namespace, in any reading.
    pub fn is_within(&self, name: &str, namespace: &str) -> bool {
        let mut readings = self.readings(name);
        readings.any(|(start, rest)| match namespace.strip_prefix(start) {
            Some(missing) => rest.starts_with(missing),
            None => start.starts_with(namespace),
        })
    }

    /// Whether a member name means `recordTime`, in any reading.
    pub fn is_record_time(&self, name: &str) -> bool {
        name == "recordTime"
            || self.readings(name).any(|(start, rest)| {
                RECORD_TIMES
                    .iter()
                    .any(|whole| whole.strip_prefix(start).is_some_and(|missing| missing == rest))
            })
    }

    /// The possible meanings of a member name, each in two parts: as it is written; as a term; with its prefix, whether or not
    /// JSON-LD 1.1 accepts that; with a prefix of early drafts; after `@vocab`.
    fn readings<'c>(&'c self, name: &'c str) -> impl Iterator<Item = (&'c str, &'c str)> {
        let whole = self.terms.get(name).map(|term| (&*term.iri, ""));
        let parts = name.split_once(':');
        let parts_of_name = parts.filter(|(_, local)| !local.starts_with("//"));
        let prefixed =
            parts_of_name.and_then(|(prefix, local)| Some((&*self.terms.get(prefix)?.iri, local)));
        let early = parts_of_name
            .filter(|_| !self.early.is_empty())
            .and_then(|(prefix, local)| Some((&**self.early.get(prefix)?, local)));
        let is_absolute = parts.is_some() && definition::is_absolute(name);
        let vocabulary = self
            .vocabulary
            .as_deref()
            // A word of the standard keeps its meaning, whatever the vocabulary.
            .filter(|_| {
                whole.is_none()
                    && prefixed.is_none()
                    && !is_absolute
                    && !Word::find(name).is_some_and(Word::is_hashed)
            })
            .map(|vocabulary| (vocabulary, name));
        let is_keyword = name.starts_with('@');
        [Some(("", name)), whole, prefixed, early, vocabulary]
            .into_iter()
            .flatten()
            .filter(move |_| !is_keyword)
    }
}

#[cfg(test)]
mod tests;
