//! What the names of a document stand for: the prefixes and terms of its `@context` objects, in scope.
//!
//! There is no JSON-LD processing, and no context is fetched: what a document declares in place counts, over the few prefixes
//! that are known to everybody.

use crate::json::{Kind, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

/// How much is held of what all prefixes and terms in force stand for, in bytes: definitions that use each other could grow
/// without end.
pub(crate) const MAX_HELD: usize = 16 << 20;

/// Prefixes that need no declaration.
const KNOWN: [(&str, &str); 4] = [
    ("gs1", "https://ref.gs1.org/voc/"),
    ("cbv", "https://ref.gs1.org/cbv/"),
    ("epcis", "https://ref.gs1.org/epcis/"),
    ("cbvmda", "urn:epcglobal:cbv:mda"),
];

/// The key under which the `@vocab` in force is kept: no term has this name.
const VOCABULARY: &str = "@vocab";

/// The declarations in force at a place of a document.
#[derive(Clone, Debug)]
pub(crate) struct Context<'d> {
    terms: BTreeMap<Cow<'d, str>, String>,
    /// What was declared, the innermost last, each with what it replaced.
    replaced: Vec<(Cow<'d, str>, Option<String>)>,
    /// How many bytes the meanings are together.
    held: usize,
    is_excessive: bool,
}

impl<'d> Context<'d> {
    /// The prefixes that everybody knows.
    pub(crate) fn new() -> Self {
        let known = KNOWN.map(|(prefix, namespace)| (prefix.into(), namespace.to_owned()));
        Self {
            terms: known.into(),
            replaced: Vec::new(),
            held: 0,
            is_excessive: false,
        }
    }

    /// Declares a prefix that the document need not declare.
    pub(crate) fn assume(&mut self, prefix: &'static str, namespace: &str) {
        self.terms.insert(prefix.into(), namespace.to_owned());
    }

    /// Enters an object: what it declares is in force until [`leave`](Self::leave) is given the result.
    pub(crate) fn enter(&mut self, object: Value<'d>) -> usize {
        let outer = self.replaced.len();
        for (name, value) in object.members() {
            if name == "@context" {
                self.declare(value);
                continue;
            }
            // The form of early drafts.
            let name = name.to_cow();
            if let Some(prefix) = name.strip_prefix("@xmlns:")
                && let Some(namespace) = value.as_str()
            {
                self.bind(prefix.to_owned().into(), &namespace);
            }
        }
        outer
    }

    /// Takes up a `@context`: an object, an array of them; addresses of contexts are passed over.
    pub(crate) fn declare(&mut self, context: Value<'d>) {
        for entry in context.elements() {
            self.declare(entry);
        }
        for (term, definition) in context.members() {
            let namespace = match definition.kind() {
                Kind::Object => definition.get("@id").and_then(Value::as_str),
                _ => definition.as_str(),
            };
            let term = term.to_cow();
            if let Some(namespace) = namespace
                && (!term.starts_with('@') || term == VOCABULARY)
            {
                self.bind(term, &namespace);
            }
        }
    }

    fn bind(&mut self, term: Cow<'d, str>, namespace: &str) {
        // A definition may use a prefix that is in force already.
        let mut namespace = self.expand(namespace).into_owned();
        if self.held + namespace.len() > MAX_HELD {
            self.is_excessive = true;
            namespace = String::new();
        }
        self.held += namespace.len();
        let outer = self.terms.insert(term.clone(), namespace);
        self.replaced.push((term, outer));
    }

    /// Leaves the objects that were entered since.
    pub(crate) fn leave(&mut self, outer: usize) {
        while self.replaced.len() > outer
            && let Some((term, namespace)) = self.replaced.pop()
        {
            let inner = match namespace {
                Some(namespace) => self.terms.insert(term, namespace),
                None => self.terms.remove(&term),
            };
            self.held -= inner.map_or(0, |inner| inner.len()).min(self.held);
        }
    }

    /// Whether more was declared than is held, so that some meanings are not known: nothing may be decided by them.
    pub(crate) fn is_excessive(&self) -> bool {
        self.is_excessive
    }

    /// What a prefix or term stands for.
    pub(crate) fn meaning(&self, term: &str) -> Option<&str> {
        self.terms.get(term).map(String::as_str)
    }

    /// Whether a term that looks like `prefix:local` is defined on its own.
    pub(crate) fn defines_below(&self, prefix: &str) -> bool {
        let start = format!("{prefix}:");
        self.terms
            .range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded))
            .next()
            .is_some_and(|(term, _)| term.starts_with(&start))
    }

    /// A CURIE as the URI that it stands for; every other text as it is.
    pub(crate) fn expand<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match text.split_once(':') {
            Some((prefix, local)) if !local.starts_with("//") => match self.terms.get(prefix) {
                Some(namespace) => Cow::Owned(format!("{namespace}{local}")),
                None => Cow::Borrowed(text),
            },
            _ => Cow::Borrowed(text),
        }
    }

    /// The namespace and the local name of a member; the namespace is empty where it has none or nobody declared it.
    pub(crate) fn expand_name(&self, name: &str) -> String {
        match self.terms.get(name) {
            Some(meaning) if !name.contains(':') => meaning.clone(),
            _ => self.expand(name).into_owned(),
        }
    }

    /// Whether a member name stands for a name in the namespace.
    pub(crate) fn is_within(&self, name: &str, namespace: &str) -> bool {
        let joined = |start: &str, rest: &str| match namespace.strip_prefix(start) {
            Some(missing) => rest.starts_with(missing),
            None => start.starts_with(namespace),
        };
        if name.starts_with('@') {
            return false;
        }
        if let Some(meaning) = self.terms.get(name)
            && meaning.starts_with(namespace)
        {
            return true;
        }
        match name.split_once(':') {
            Some((prefix, local)) => {
                let declared = self.terms.get(prefix);
                name.starts_with(namespace) || declared.is_some_and(|start| joined(start, local))
            }
            // A word of the standard stays what it is, whatever the vocabulary.
            None => self
                .terms
                .get(VOCABULARY)
                .is_some_and(|start| joined(start, name) && !crate::hash::name::is_standard(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn a_name_is_within_a_namespace_however_it_is_put_together() {
        let text = br#"{"@context": [
            "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld",
            {"a": "https://g.example/ns/", "b": {"@id": "a:spine/"}, "who": "a:spine/who", "c": "https://other.example/"},
            {"@vocab": "https://g.example/ns/spine/"}
        ]}"#;
        let document = Document::read(text).unwrap();
        let mut context = Context::new();
        let outer = context.enter(document.root());
        let within = |name: &str| context.is_within(name, "https://g.example/ns/spine/");
        for name in [
            "a:spine/who",
            "b:who",
            "who",
            "capturedBy",
            "https://g.example/ns/spine/who",
        ] {
            assert!(within(name), "{name}");
        }
        for name in [
            "a:who",
            "c:who",
            "id",
            "type",
            "@id",
            "spine:who",
            "a://spine/who",
        ] {
            assert!(!within(name), "{name}");
        }
        context.leave(outer);
        assert_eq!(context.meaning("a"), None);
        assert_eq!(
            context.expand("cbv:BizStep-shipping"),
            "https://ref.gs1.org/cbv/BizStep-shipping"
        );
    }
}
