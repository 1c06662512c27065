//! `@context`: which prefix each namespace gets in JSON-LD, and which namespace a prefix means.

use super::namespace::{MDA_COLON, Name, Namespace, Namespaces};
use super::report::{self, Code};
use super::tree::Element;
use crate::context::{is_taken, official_prefix};
use std::collections::{BTreeMap, BTreeSet};

/// URI schemes: as prefixes they would rewrite every identifier on expansion.
#[rustfmt::skip]
const SCHEMES: [&str; 24] = [
    "baseurl", "blob", "data", "did", "doi", "file", "ftp", "geo", "http", "https", "info", "isa", "ldap", "mailto",
    "ni", "oid", "sip", "sms", "tag", "tel", "urn", "uuid", "ws", "wss",
];

/// A prefix of the output, as its number; zero is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Prefix(u32);

impl Prefix {
    pub(super) const NONE: Self = Self(0);
}

/// The prefixes of one output document, assigned at first use.
#[derive(Clone, Debug)]
pub(super) struct OutputContext {
    /// By namespace number.
    assigned: Vec<Option<Prefix>>,
    prefixes: Vec<String>,
    /// By prefix in lower case: what it is bound to. Two prefixes that differ in case only are never both given.
    bound: BTreeMap<String, Namespace>,
    /// The same by the prefix as it is written.
    exact: BTreeMap<String, Namespace>,
    /// What is declared in `@context`, in order of first use.
    declared: Vec<(String, String)>,
    /// For each of these whose it is; none where any value may need it.
    owners: Vec<Option<Namespace>>,
    /// Of a document that comes in sections: the namespaces that the newest event used.
    used: Option<BTreeSet<Namespace>>,
    /// What to say about the prefixes, at the end of the report.
    pub(super) remarks: Vec<(Code, String)>,
    default_prefixes: usize,
    /// The next number for prefixes that are taken, by the prefix in lower case: those below are taken, too.
    numbers: BTreeMap<String, u64>,
    uses_mda: bool,
    declares_mda: bool,
    declares_cbv: bool,
    declares_gs1: bool,
}

impl Default for OutputContext {
    fn default() -> Self {
        Self::new()
    }
}

impl OutputContext {
    pub(super) fn new() -> Self {
        Self {
            assigned: Vec::new(),
            prefixes: vec![String::new(), "xml".to_owned(), "cbvmda".to_owned()],
            bound: BTreeMap::new(),
            exact: BTreeMap::new(),
            declared: Vec::new(),
            owners: Vec::new(),
            used: None,
            remarks: Vec::new(),
            default_prefixes: 0,
            numbers: BTreeMap::new(),
            uses_mda: false,
            declares_mda: false,
            declares_cbv: false,
            declares_gs1: false,
        }
    }

    /// The prefix for names like this one.
    pub(super) fn prefix(&mut self, name: Name<'_>, namespaces: &Namespaces) -> Prefix {
        if let Some(used) = &mut self.used {
            used.insert(name.namespace);
        }
        let number = name.namespace.number();
        if let Some(Some(prefix)) = self.assigned.get(number) {
            return *prefix;
        }
        let prefix = match name.namespace {
            namespace if namespace.is_standard() => Prefix::NONE,
            Namespace::XML => Prefix(1),
            // One document has one of the two forms under this prefix; a second one is any user's.
            Namespace::MDA if !self.declares_mda => {
                self.uses_mda = true;
                Prefix(2)
            }
            Namespace::MDA_COLON if !self.uses_mda => {
                self.declares_mda = true;
                // The identical entry is allowed, and tells which of the two forms the document has.
                self.declare("cbvmda", MDA_COLON, None);
                self.remarks.push((report::MDA_COLON, MDA_COLON.to_owned()));
                Prefix(2)
            }
            namespace => self.assign(name.prefix, namespace, namespaces),
        };
        if self.assigned.len() <= number {
            self.assigned.resize(namespaces.len().max(number + 1), None);
        }
        if let Some(slot) = self.assigned.get_mut(number) {
            *slot = Some(prefix);
        }
        prefix
    }

    /// Gives prefixes to all names of an extension, in the order of the document; it is mapped later.
    pub(super) fn prefix_all(&mut self, element: Element<'_>, namespaces: &Namespaces) {
        self.prefix(element.name(), namespaces);
        for attribute in element.attributes().iter() {
            if attribute.name.namespace != Namespace::XSI {
                self.prefix(attribute.name, namespaces);
            }
        }
        for child in element.children() {
            self.prefix_all(child, namespaces);
        }
    }

    fn assign(&mut self, wanted: &str, namespace: Namespace, namespaces: &Namespaces) -> Prefix {
        let uri = namespaces.name(namespace).to_owned();
        let chosen = self.choose(wanted);
        if !wanted.is_empty() && chosen != wanted {
            let remark = format!("{wanted} -> {chosen} ({uri})");
            self.remarks.push((report::PREFIX_RENAMED, remark));
        }
        if !uri.ends_with(['/', '#', ':', '?', '[', ']', '@']) {
            self.remarks
                .push((report::NAMESPACE_NO_DELIMITER, uri.clone()));
        }
        self.bound.insert(chosen.to_ascii_lowercase(), namespace);
        self.exact.insert(chosen.clone(), namespace);
        self.declare(&chosen, &uri, Some(namespace));
        self.prefixes.push(chosen);
        Prefix(self.prefixes.len() as u32 - 1)
    }

    fn choose(&mut self, wanted: &str) -> String {
        if wanted.is_empty() {
            loop {
                self.default_prefixes += 1;
                let prefix = format!("ns{}", self.default_prefixes);
                if self.is_free(&prefix) {
                    return prefix;
                }
            }
        }
        let mut legal: String = wanted
            .chars()
            .map(|c| match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '+' | '-' | '.' => c,
                _ => '-',
            })
            .collect();
        if !legal.starts_with(|c: char| c.is_ascii_alphabetic()) {
            legal.insert(0, 'x');
        }
        if self.is_free(&legal) {
            return legal;
        }
        // Ends: there are fewer namespaces than numbers.
        let lower = legal.to_ascii_lowercase();
        let next = self.numbers.get(&lower).copied().unwrap_or(2);
        let found = (next..).find_map(|number| {
            let prefix = format!("{legal}-{number}");
            self.is_free(&prefix).then_some((number, prefix))
        });
        match found {
            Some((number, prefix)) => {
                self.numbers.insert(lower, number + 1);
                prefix
            }
            None => legal,
        }
    }

    fn is_free(&self, prefix: &str) -> bool {
        let lower = prefix.to_ascii_lowercase();
        !is_taken(prefix) && !SCHEMES.contains(&lower.as_str()) && !self.bound.contains_key(&lower)
    }

    /// Every prefix is declared once: it was free, or its own flag says so.
    fn declare(&mut self, prefix: &str, uri: &str, owner: Option<Namespace>) {
        self.declared.push((prefix.to_owned(), uri.to_owned()));
        self.owners.push(owner);
    }

    /// Forgets what was used, and from now on takes note of it.
    pub(super) fn begin_event(&mut self) {
        self.used = Some(BTreeSet::new());
    }

    /// The namespaces that were used since.
    pub(super) fn used(&self) -> Option<&BTreeSet<Namespace>> {
        self.used.as_ref()
    }

    /// What of `@context` those need that used these namespaces.
    pub(super) fn declared_for(
        &self,
        used: &BTreeSet<Namespace>,
    ) -> impl Iterator<Item = &(String, String)> {
        let owned = self.declared.iter().zip(&self.owners);
        owned
            .filter(|(_, owner)| owner.is_none_or(|owner| used.contains(&owner)))
            .map(|(entry, _)| entry)
    }

    /// Makes sure that the CURIE prefix of a value is declared; `meaning` is what the prefix is bound to in the source.
    ///
    /// False when the output binds the prefix to something else.
    pub(super) fn declare_curie(
        &mut self,
        prefix: &str,
        meaning: Option<Namespace>,
        namespaces: &Namespaces,
    ) -> bool {
        if prefix == "gs1" || prefix == "cbv" {
            let after_cbv = usize::from(prefix == "gs1" && self.declares_cbv);
            let declares = if prefix == "gs1" {
                &mut self.declares_gs1
            } else {
                &mut self.declares_cbv
            };
            if !std::mem::replace(declares, true)
                && let Some(uri) = official_prefix(prefix)
            {
                // The official prefixes come first, the same for every document.
                let entry = (prefix.to_owned(), uri.to_owned());
                self.declared.insert(after_cbv, entry);
                self.owners.insert(after_cbv, None);
            }
            return true;
        }
        let Some(namespace) = meaning.filter(|namespace| namespace.is_foreign()) else {
            return true;
        };
        let name = Name {
            prefix,
            local: "",
            namespace,
        };
        let assigned = self.prefix(name, namespaces);
        self.text(assigned) == prefix
    }

    /// The prefix as it is written.
    pub(super) fn text(&self, prefix: Prefix) -> &str {
        self.prefixes
            .get(prefix.0 as usize)
            .map_or("", String::as_str)
    }

    /// The prefix that was given to names of this namespace, as its number.
    pub(super) fn assigned(&self, namespace: Namespace) -> Option<Prefix> {
        self.assigned.get(namespace.number()).copied().flatten()
    }

    /// The prefix that names of a namespace were given.
    pub(super) fn prefix_of(&self, namespace: Namespace) -> Option<&str> {
        let prefix = (*self.assigned.get(namespace.number())?)?;
        Some(self.text(prefix))
    }

    /// What a prefix of the output means.
    pub(super) fn namespace(&self, prefix: &str) -> Option<Namespace> {
        match prefix {
            "xml" => return Some(Namespace::XML),
            "cbvmda" if self.declares_mda => return Some(Namespace::MDA_COLON),
            "cbvmda" => return Some(Namespace::MDA),
            _ => {}
        }
        self.user_namespace(prefix)
    }

    /// What a prefix of a user means.
    pub(super) fn user_namespace(&self, prefix: &str) -> Option<Namespace> {
        self.exact.get(prefix).copied()
    }

    /// The prefixes that names were given, and what they mean.
    pub(super) fn given(&self) -> Vec<(String, Namespace)> {
        let mda = self.uses_mda.then_some(Namespace::MDA);
        let mda = mda.or(self.declares_mda.then_some(Namespace::MDA_COLON));
        let mda = mda.map(|namespace| ("cbvmda".to_owned(), namespace));
        let users = self.exact.iter();
        let users = users.map(|(prefix, namespace)| (prefix.clone(), *namespace));
        mda.into_iter().chain(users).collect()
    }

    /// Whether `@context` says that the namespace of master data has a final colon.
    pub(super) fn declares_mda(&self) -> bool {
        self.declares_mda
    }

    /// What is to stand in `@context` behind the official address.
    pub(super) fn declared(&self) -> &[(String, String)] {
        &self.declared
    }
}
