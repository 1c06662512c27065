//! The `@context` of the output: assigns a JSON-LD prefix to each namespace, and looks up the namespace of a prefix.

use super::namespace::{MDA_COLON, Name, Namespace, Namespaces};
use super::report::{self, Code};
use super::tree::Element;
use crate::context::{is_taken, official_prefix};
use std::collections::{BTreeMap, BTreeSet};

/// URI schemes, which are never prefixes: they would rewrite every identifier on expansion.
#[rustfmt::skip]
const SCHEMES: [&str; 24] = [
    "baseurl", "blob", "data", "did", "doi", "file", "ftp", "geo", "http", "https", "info", "isa", "ldap", "mailto",
    "ni", "oid", "sip", "sms", "tag", "tel", "urn", "uuid", "ws", "wss",
];

/// A prefix of the output, as its number; zero is the empty prefix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Prefix(u32);

impl Prefix {
    pub(super) const NONE: Self = Self(0);
}

/// The prefixes of one output document, assigned at first use.
#[derive(Clone, Debug)]
pub(super) struct OutputContext {
    /// The assigned prefixes, by namespace number.
    assigned: Vec<Option<Prefix>>,
    prefixes: Vec<String>,
    /// The namespace of each prefix, by the prefix in lower case: prefixes that differ only in case are never both assigned.
    bound: BTreeMap<String, Namespace>,
    /// The namespace of each prefix, by the prefix as written.
    exact: BTreeMap<String, Namespace>,
    /// The entries of `@context`, in order of first use.
    declared: Vec<(String, String)>,
    /// The namespace that needs each of these entries; `None` if any value may need it.
    owners: Vec<Option<Namespace>>,
    /// In a stream: the namespaces used by the newest event.
    used: Option<BTreeSet<Namespace>>,
    /// Remarks on the prefixes, for the end of the report.
    pub(super) remarks: Vec<(Code, String)>,
    default_prefixes: usize,
    /// The next number to try behind a prefix that is taken, by the prefix in lower case; smaller numbers are taken, too.
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

    /// Returns the prefix for names in the namespace of this one.
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
            // A document gets only one of the two namespaces under this prefix; the other is treated as a user's.
            Namespace::MDA if !self.declares_mda => {
                self.uses_mda = true;
                Prefix(2)
            }
            Namespace::MDA_COLON if !self.uses_mda => {
                self.declares_mda = true;
                // The official context allows an identical entry, which here shows which of the two the document uses.
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

    /// Assigns prefixes to all names of an extension, in document order; it is mapped later.
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
            self.remarks.push((report::NAMESPACE_NO_DELIMITER, uri.clone()));
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
        // The search ends, because there are fewer namespaces than numbers.
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

    /// Adds an entry to `@context`. Each prefix comes once: it was free, or its own flag records the entry.
    fn declare(&mut self, prefix: &str, uri: &str, owner: Option<Namespace>) {
        self.declared.push((prefix.to_owned(), uri.to_owned()));
        self.owners.push(owner);
    }

    /// Starts recording the namespaces that an event uses.
    pub(super) fn begin_event(&mut self) {
        self.used = Some(BTreeSet::new());
    }

    /// The namespaces used since [`Self::begin_event`].
    pub(super) fn used(&self) -> Option<&BTreeSet<Namespace>> {
        self.used.as_ref()
    }

    /// The entries of `@context` needed where these namespaces are used.
    pub(super) fn declared_for(
        &self,
        used: &BTreeSet<Namespace>,
    ) -> impl Iterator<Item = &(String, String)> {
        let owned = self.declared.iter().zip(&self.owners);
        owned
            .filter(|(_, owner)| owner.is_none_or(|owner| used.contains(&owner)))
            .map(|(entry, _)| entry)
    }

    /// Makes sure that the CURIE prefix of a value is declared; `meaning` is the namespace of the prefix in the source.
    ///
    /// Returns false if the output binds the prefix to something else.
    pub(super) fn declare_curie(
        &mut self,
        prefix: &str,
        meaning: Option<Namespace>,
        namespaces: &Namespaces,
    ) -> bool {
        if prefix == "gs1" || prefix == "cbv" {
            let after_cbv = usize::from(prefix == "gs1" && self.declares_cbv);
            let declares =
                if prefix == "gs1" { &mut self.declares_gs1 } else { &mut self.declares_cbv };
            if !std::mem::replace(declares, true)
                && let Some(uri) = official_prefix(prefix)
            {
                // The official prefixes come first, in the same order in every document.
                let entry = (prefix.to_owned(), uri.to_owned());
                self.declared.insert(after_cbv, entry);
                self.owners.insert(after_cbv, None);
            }
            return true;
        }
        let Some(namespace) = meaning.filter(|namespace| namespace.is_foreign()) else {
            return true;
        };
        let name = Name { prefix, local: "", namespace };
        let assigned = self.prefix(name, namespaces);
        self.text(assigned) == prefix
    }

    /// The text of the prefix.
    pub(super) fn text(&self, prefix: Prefix) -> &str {
        self.prefixes.get(prefix.0 as usize).map_or("", String::as_str)
    }

    /// The prefix assigned to a namespace, as its number.
    pub(super) fn assigned(&self, namespace: Namespace) -> Option<Prefix> {
        self.assigned.get(namespace.number()).copied().flatten()
    }

    /// The text of the prefix assigned to a namespace.
    pub(super) fn prefix_of(&self, namespace: Namespace) -> Option<&str> {
        let prefix = (*self.assigned.get(namespace.number())?)?;
        Some(self.text(prefix))
    }

    /// The namespace of a prefix of the output.
    pub(super) fn namespace(&self, prefix: &str) -> Option<Namespace> {
        match prefix {
            "xml" => return Some(Namespace::XML),
            "cbvmda" if self.declares_mda => return Some(Namespace::MDA_COLON),
            "cbvmda" => return Some(Namespace::MDA),
            _ => {}
        }
        self.user_namespace(prefix)
    }

    /// The namespace of a user's prefix.
    pub(super) fn user_namespace(&self, prefix: &str) -> Option<Namespace> {
        self.exact.get(prefix).copied()
    }

    /// The assigned prefixes with their namespaces.
    pub(super) fn given(&self) -> Vec<(String, Namespace)> {
        let mda = self.uses_mda.then_some(Namespace::MDA);
        let mda = mda.or(self.declares_mda.then_some(Namespace::MDA_COLON));
        let mda = mda.map(|namespace| ("cbvmda".to_owned(), namespace));
        let users = self.exact.iter().map(|(prefix, namespace)| (prefix.clone(), *namespace));
        mda.into_iter().chain(users).collect()
    }

    /// Whether `@context` declares the master data namespace with a final colon.
    pub(super) fn declares_mda(&self) -> bool {
        self.declares_mda
    }

    /// The entries of `@context` after the address of the official one.
    pub(super) fn declared(&self) -> &[(String, String)] {
        &self.declared
    }
}
