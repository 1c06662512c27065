//! What of a JSON-LD context XML can say: prefixes, as declarations of namespaces.
//!
//! When is an entry of a context not lost?
//! Where the XML declares the same prefix for the same namespace, or where the entry says no more than everybody knows who reads
//! EPCIS. All else, such as terms, types of values and vocabularies, has no form in XML.

use super::prefixes::XmlPrefixes;
use crate::context::{Addresses, official_prefix};
use crate::json::{Kind, Value, push_step};
use std::collections::{BTreeMap, BTreeSet};

/// How many prefixes one element declares, which may have no more attributes, and no more declarations in force, than readers
/// take; others are declared by the elements whose names have them.
const MAX_DECLARED: usize = 100;

/// What becomes of a context.
#[derive(Debug, Default)]
pub(in crate::translate) struct Declared {
    /// The prefixes that are to be declared, with their namespaces.
    pub(in crate::translate) prefixes: BTreeMap<String, String>,
    /// JSON Pointers, from the holder of the context, to the entries that XML does not have.
    pub(in crate::translate) lost: Vec<String>,
}

/// What becomes of the context of an object; `prefixes` have read it.
pub(in crate::translate) fn declared(holder: Value<'_>, prefixes: &XmlPrefixes) -> Declared {
    let mut declared = Declared::default();
    let Some(context) = holder.get("@context") else {
        return declared;
    };
    let mut names = BTreeSet::new();
    each_name(context, &mut |name| {
        names.insert(name);
    });
    let mut reader = Reader {
        prefixes,
        terms: BTreeSet::new(),
        declared: &mut declared,
    };
    if !names.is_empty() {
        terms_of(holder, &names, &mut reader.terms);
    }
    reader.entry(context, "/@context");
    declared
}

/// Tells of every name that a context defines.
fn each_name(context: Value<'_>, tell: &mut dyn FnMut(String)) {
    match context.kind() {
        Kind::Array => {
            for entry in context.elements() {
                each_name(entry, tell);
            }
        }
        Kind::Object => {
            for (name, _) in context.members() {
                tell(name.to_cow().into_owned());
            }
        }
        _ => {}
    }
}

/// The names among these that are members as they stand, in whatever depth: terms, and no prefixes.
fn terms_of(value: Value<'_>, names: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    for (name, member) in value.members() {
        if name == "@context" {
            continue;
        }
        let name = name.to_cow();
        if names.contains(&*name) {
            found.insert(name.into_owned());
        }
        terms_of(member, names, found);
    }
    for element in value.elements() {
        terms_of(element, names, found);
    }
}

struct Reader<'a> {
    prefixes: &'a XmlPrefixes,
    /// The names that stand for something by themselves.
    terms: BTreeSet<String>,
    declared: &'a mut Declared,
}

impl Reader<'_> {
    fn entry(&mut self, entry: Value<'_>, pointer: &str) {
        match entry.kind() {
            Kind::Array => {
                for (number, entry) in entry.elements().enumerate() {
                    self.entry(entry, &format!("{pointer}/{number}"));
                }
            }
            Kind::Object => {
                for (name, value) in entry.members() {
                    let name = name.to_cow();
                    if !self.keeps(&name, value) {
                        let mut lost = pointer.to_owned();
                        push_step(&mut lost, &name);
                        self.declared.lost.push(lost);
                    }
                }
            }
            _ => {
                let address = entry.as_str();
                let is_known = |address: &str| Addresses::default().is_known(address);
                if !address.is_some_and(|address| is_known(&address)) {
                    self.declared.lost.push(pointer.to_owned());
                }
            }
        }
    }

    /// Whether XML has a definition, which is noted to be declared then.
    fn keeps(&mut self, name: &str, definition: Value<'_>) -> bool {
        // They say how a context is to be read, and nothing of the data.
        if matches!(name, "@version" | "@protected") {
            return true;
        }
        let Some(uri) = namespace_of(definition) else {
            return false;
        };
        if self.terms.contains(name) {
            return false;
        }
        if official_prefix(name) == Some(&*uri) {
            return true;
        }
        // The last definition of a name is the one that counts.
        let Some(meaning) = self.prefixes.declarable(name) else {
            return false;
        };
        if self.prefixes.is_short(meaning) {
            return false;
        }
        let prefixes = &mut self.declared.prefixes;
        if prefixes.len() == MAX_DECLARED && !prefixes.contains_key(name) {
            return false;
        }
        prefixes.insert(name.to_owned(), meaning.to_owned());
        true
    }
}

/// The namespace that a definition binds a prefix to, if it says no more than that.
fn namespace_of<'d>(definition: Value<'d>) -> Option<std::borrow::Cow<'d, str>> {
    if definition.kind() != Kind::Object {
        return definition.as_str();
    }
    let says_more = definition
        .members()
        .any(|(name, value)| match &*name.to_cow() {
            "@id" | "@protected" => false,
            "@prefix" => value.as_bool() != Some(true),
            _ => true,
        });
    definition
        .get("@id")
        .filter(|_| !says_more)
        .and_then(Value::as_str)
}
