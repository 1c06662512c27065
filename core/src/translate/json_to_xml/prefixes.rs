//! The names of extension members as XML names, by the contexts of the document.

use super::names::{Resolved, Table, for_each_name};
use super::{SPLIT_NAME, UNDECLARED_PREFIX};
use crate::context::official_prefix;
use crate::hash::{is_uri, without_escapes};
use crate::json::{Kind, Value};
use crate::translate::characters::{is_character, is_ncname};
use crate::translate::namespace::{MDA, MDA_COLON, Namespace, Namespaces};
use crate::translate::report::Code;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the prefixes of a document mean.
#[derive(Clone, Debug, Default)]
pub(in crate::translate) struct XmlPrefixes {
    /// Shared by all events of a document, which each have a copy of this.
    declared: Arc<BTreeMap<String, String>>,
    /// The first usable prefix of each namespace, once somebody asked.
    by_namespace: Option<Arc<BTreeMap<String, String>>>,
    /// Prefixes that were made for namespaces without one.
    made: BTreeMap<String, String>,
}

impl XmlPrefixes {
    /// Learns from a context: a string, an object, or an array of these; later entries win, as in JSON-LD.
    pub(in crate::translate) fn read(&mut self, context: Value<'_>) {
        match context.kind() {
            Kind::Array => context.elements().for_each(|entry| self.read(entry)),
            Kind::Object => {
                for (name, value) in context.members() {
                    let uri = value.as_str().or_else(|| value.get("@id")?.as_str());
                    let name = name.to_cow();
                    if let Some(uri) = uri
                        && !name.starts_with('@')
                        && uri.contains(':')
                        && uri.chars().all(is_character)
                    {
                        Arc::make_mut(&mut self.declared)
                            .insert(name.into_owned(), uri.into_owned());
                        self.by_namespace = None;
                    }
                }
            }
            _ => {}
        }
    }

    /// A name with what its prefix stands for, so that names of different documents can be compared.
    pub(in crate::translate) fn expanded<'k>(&self, key: &'k str) -> Cow<'k, str> {
        let Some((prefix, local)) = key.split_once(':') else {
            return Cow::Borrowed(key);
        };
        match self.meaning(prefix) {
            Some(uri) if !local.starts_with("//") => {
                let uri = if uri == MDA { MDA_COLON } else { uri };
                Cow::Owned(format!("{uri}{}", without_escapes(local)))
            }
            _ => without_escapes(key),
        }
    }

    /// What a prefix stands for.
    fn meaning(&self, prefix: &str) -> Option<&str> {
        match (self.declared.get(prefix), prefix) {
            (Some(uri), _) => Some(uri),
            // Undeclared, it is the form without the colon, which most documents have.
            (None, "cbvmda") => Some(MDA),
            (None, _) => official_prefix(prefix),
        }
    }

    /// Works out beforehand what every copy would work out for itself.
    pub(in crate::translate) fn settle(&mut self) {
        self.by_namespace = Some(usable(&self.declared));
    }

    /// What a prefix of a context means, where XML can declare it.
    pub(super) fn declarable(&self, prefix: &str) -> Option<&str> {
        let uri = self.declared.get(prefix)?;
        is_declarable(prefix, uri).then_some(uri)
    }

    /// Whether a meaning itself begins with a prefix that stands for something: XML takes it as it is written.
    pub(super) fn is_short(&self, meaning: &str) -> bool {
        meaning.split_once(':').is_some_and(|(prefix, rest)| {
            let is_bound = self.declared.contains_key(prefix) || official_prefix(prefix).is_some();
            is_bound && !rest.starts_with("//")
        })
    }

    /// Works out the names of all members in a value that are no plain words.
    pub(in crate::translate) fn resolve(
        &mut self,
        value: Value<'_>,
        namespaces: &mut Namespaces,
        table: &mut Table,
    ) {
        for_each_name(value, &mut |name| {
            if !table.contains_key(&*name) {
                self.add(&name, namespaces, table);
            }
        });
    }

    /// Works out one name.
    pub(in crate::translate) fn add(
        &mut self,
        key: &str,
        namespaces: &mut Namespaces,
        table: &mut Table,
    ) {
        if let Some(resolved) = self.name(key, namespaces) {
            table.insert(key.to_owned(), resolved);
        }
    }

    fn name(&mut self, key: &str, namespaces: &mut Namespaces) -> Option<Resolved> {
        if key.starts_with(['@', '#']) {
            return None;
        }
        let Some((prefix, local)) = key.split_once(':') else {
            let local = without_escapes(key).into_owned();
            return is_ncname(&local).then(|| Resolved {
                prefix: String::new(),
                local,
                namespace: Namespace::NONE,
                note: None,
            });
        };
        let decoded = without_escapes(local).into_owned();
        if prefix == "xml" && is_ncname(&decoded) {
            return Some(Resolved {
                prefix: prefix.to_owned(),
                local: decoded,
                namespace: Namespace::XML,
                note: None,
            });
        }
        let meaning = self.meaning(prefix).map(str::to_owned);
        if let Some(uri) = meaning.filter(|_| !local.starts_with("//")) {
            if is_ncname(&decoded) {
                let namespace = namespaces.intern(&uri);
                let prefix = self.usable(prefix, &uri);
                return Some(Resolved {
                    prefix,
                    local: decoded,
                    namespace,
                    note: None,
                });
            }
            return self.iri(&format!("{uri}{local}"), SPLIT_NAME, namespaces);
        }
        let is_iri = local.starts_with("//") || is_uri(prefix, local);
        let note = if is_iri {
            SPLIT_NAME
        } else {
            UNDECLARED_PREFIX
        };
        self.iri(key, note, namespaces)
    }

    /// A name that is a whole IRI: what follows its last delimiter is the local part.
    fn iri(&mut self, iri: &str, note: Code, namespaces: &mut Namespaces) -> Option<Resolved> {
        let at = iri.rfind(['/', '#', ':', '?', '='])? + 1;
        let (uri, local) = iri.split_at_checked(at)?;
        let local = without_escapes(local).into_owned();
        if !is_ncname(&local) {
            return None;
        }
        let namespace = namespaces.intern(uri);
        let prefix = self.usable("", uri);
        Some(Resolved {
            prefix,
            local,
            namespace,
            note: Some(note),
        })
    }

    /// The prefix itself where XML takes it; otherwise one that is made for the namespace.
    fn usable(&mut self, wanted: &str, uri: &str) -> String {
        if is_usable(wanted) {
            return wanted.to_owned();
        }
        let by_namespace = self
            .by_namespace
            .get_or_insert_with(|| usable(&self.declared));
        if let Some(prefix) = by_namespace.get(uri) {
            return prefix.clone();
        }
        let number = self.made.len() + 1;
        self.made
            .entry(uri.to_owned())
            .or_insert_with(|| format!("n{number}"))
            .clone()
    }
}

/// Whether XML takes a declaration of users for a whole element.
fn is_declarable(prefix: &str, uri: &str) -> bool {
    is_ncname(prefix)
        && !prefix.to_ascii_lowercase().starts_with("xml")
        && !matches!(prefix, "epcis" | "epcisq" | "sbdh" | "xsi")
        && ![
            "http://www.w3.org/XML/1998/namespace",
            "http://www.w3.org/2000/xmlns/",
        ]
        .contains(&uri)
}

/// Whether XML takes this prefix for a namespace of users.
fn is_usable(prefix: &str) -> bool {
    let taken = ["epcis", "epcisq", "sbdh", "xsi", "xmlns", "xml"];
    is_ncname(prefix) && !taken.contains(&prefix)
}

/// The first usable prefix of each namespace.
fn usable(declared: &BTreeMap<String, String>) -> Arc<BTreeMap<String, String>> {
    let mut usable = BTreeMap::new();
    // Collected they would be sorted, by code for this one list.
    for (prefix, uri) in declared {
        if is_usable(prefix) && !usable.contains_key(uri) {
            usable.insert(uri.clone(), prefix.clone());
        }
    }
    Arc::new(usable)
}
