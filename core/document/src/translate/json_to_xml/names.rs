//! Resolves member names of JSON to qualified names of XML by the contexts of the document, and finds the parts of a context
//! that XML can express.
//!
//! When is a context entry kept?
//! If the XML declares the same prefix for the same namespace, or if the entry is an official definition that every EPCIS
//! reader knows. All other entries, such as terms, types of values and vocabularies, have no form in XML.

use super::{SPLIT_NAME, UNDECLARED_PREFIX};
use crate::context::{Addresses, official_prefix};
use crate::hash::{is_uri, without_escapes};
use crate::translate::characters::{is_character, is_ncname};
use crate::translate::namespace::{MDA, MDA_COLON, Name, Namespace, Namespaces};
use crate::translate::output_context::OutputContext;
use crate::translate::report::{Code, RENAMED};
use crate::translate::write::encoded;
use epcis_edge_text::json::{Document, Kind, Text, Value, push_step};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An extension name of the output, resolved in advance.
#[derive(Clone, Debug)]
pub(in crate::translate) struct Resolved {
    pub(in crate::translate) prefix: String,
    pub(in crate::translate) local: String,
    pub(in crate::translate) namespace: Namespace,
    /// The code of a note made wherever the name is used.
    pub(in crate::translate) note: Option<Code>,
}

/// The resolved member names, by the name as written in the JSON, without JSON escapes.
pub(in crate::translate) type Table = BTreeMap<String, Resolved>;

/// The source of the names of extensions.
#[derive(Clone, Copy)]
pub(in crate::translate) enum NameSource<'a> {
    /// The prefixes that the translation to JSON has just assigned, and the percent-encoded names with their decoded forms.
    Given(&'a OutputContext, &'a BTreeMap<String, String>),
    /// The extension names of a document, resolved in advance.
    Table(&'a Table),
}

impl<'a> NameSource<'a> {
    /// Returns the qualified name of a member; `None` if XML cannot have it.
    pub(super) fn name<'d>(self, key: Text<'d>) -> Option<Name<'d>>
    where
        'a: 'd,
    {
        match self {
            Self::Given(context, decoded) => {
                let key: &'d str = match key.to_cow() {
                    Cow::Borrowed(key) if !key.contains('%') => key,
                    key => decoded.get(&*key)?,
                };
                let Some((prefix, local)) = key.split_once(':') else {
                    return is_ncname(key).then(|| Name::unqualified(key));
                };
                let namespace = context.namespace(prefix)?;
                Some(Name { prefix, local, namespace })
            }
            Self::Table(table) => {
                let key = key.to_cow();
                let resolved = table.get(&*key)?;
                Some(Name {
                    prefix: &resolved.prefix,
                    local: &resolved.local,
                    namespace: resolved.namespace,
                })
            }
        }
    }
}

impl NameSource<'_> {
    /// Returns the code of a note about a member, if its name needs one.
    pub(super) fn note(self, key: Text<'_>) -> Option<Code> {
        match self {
            Self::Given(..) => None,
            Self::Table(table) => table.get(&*key.to_cow())?.note,
        }
    }

    /// Whether a member of a standard object has a place in XML: the schemas accept user elements only in a namespace.
    /// JSON that was just translated from XML may repeat an error of its source, so any name is accepted there.
    pub(super) fn has_place(self, name: Name<'_>) -> bool {
        matches!(self, Self::Given(..)) || name.namespace != Namespace::NONE
    }
}

/// Returns the percent-encoded names in a document, each with its decoded form.
pub(in crate::translate) fn decoded_names(document: &Document<'_>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    if document.text().contains('%') {
        for_each_name(document.root(), &mut |name| {
            if name.contains('%') {
                let decoded = without_escapes(&name).into_owned();
                names.insert(name.into_owned(), decoded);
            }
        });
    }
    names
}

/// Calls `visit` with the name of every member in a value.
pub(in crate::translate) fn for_each_name<'d>(
    value: Value<'d>,
    visit: &mut dyn FnMut(Cow<'d, str>),
) {
    match value.kind() {
        Kind::Object => {
            for (name, value) in value.members() {
                visit(name.to_cow());
                for_each_name(value, visit);
            }
        }
        Kind::Array => value.elements().for_each(|value| for_each_name(value, visit)),
        _ => {}
    }
}

/// The meanings of the prefixes of a document.
#[derive(Clone, Debug, Default)]
pub(in crate::translate) struct XmlPrefixes {
    /// The declared prefixes. Each event has a copy of this struct; all copies share them.
    declared: Arc<BTreeMap<String, String>>,
    /// The first usable prefix of each namespace, made when first needed.
    by_namespace: Option<Arc<BTreeMap<String, String>>>,
    /// Prefixes made for namespaces without a usable one.
    made: BTreeMap<String, String>,
}

impl XmlPrefixes {
    /// The prefixes that the `@context` of an object declares.
    pub(in crate::translate) fn of(holder: Value<'_>) -> Self {
        let mut prefixes = Self::default();
        prefixes.enter(holder);
        prefixes
    }

    /// Adds the prefixes that the `@context` of an object declares.
    pub(in crate::translate) fn enter(&mut self, holder: Value<'_>) {
        if let Some(context) = holder.get("@context") {
            self.read(context);
        }
    }

    /// Reads a context: a string, an object, or an array of these. Later entries win, as in JSON-LD.
    fn read(&mut self, context: Value<'_>) {
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

    /// Returns a name with its prefix expanded, so that names of different documents can be compared.
    pub(in crate::translate) fn expanded<'k>(&self, key: &'k str) -> Cow<'k, str> {
        let Some((prefix, local)) = key.split_once(':') else {
            return without_escapes(key);
        };
        match self.meaning(prefix) {
            Some(uri) if !local.starts_with("//") => {
                let uri = if uri == MDA { MDA_COLON } else { uri };
                Cow::Owned(format!("{uri}{}", without_escapes(local)))
            }
            _ => without_escapes(key),
        }
    }

    /// Returns the meaning of a prefix.
    fn meaning(&self, prefix: &str) -> Option<&str> {
        match (self.declared.get(prefix), prefix) {
            (Some(uri), _) => Some(uri),
            // Without a declaration, `cbvmda` means the namespace without a final colon, as most documents write it.
            (None, "cbvmda") => Some(MDA),
            (None, _) => official_prefix(prefix),
        }
    }

    /// Computes in advance what every copy would compute for itself.
    pub(in crate::translate) fn index_namespaces(&mut self) {
        self.by_namespace = Some(usable(&self.declared));
    }

    /// Returns the meaning of a prefix of a context, if XML can declare it.
    pub(super) fn declarable(&self, prefix: &str) -> Option<&str> {
        let uri = self.declared.get(prefix)?;
        is_declarable(prefix, uri).then_some(uri)
    }

    /// Whether a meaning begins with a bound prefix itself: XML would take it literally.
    pub(super) fn is_short(&self, meaning: &str) -> bool {
        meaning.split_once(':').is_some_and(|(prefix, rest)| {
            let is_bound = self.declared.contains_key(prefix) || official_prefix(prefix).is_some();
            is_bound && !rest.starts_with("//")
        })
    }

    /// Resolves the names of all members in a value.
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

    /// Resolves one name.
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
                note: renamed(key, &local),
                local,
                namespace: Namespace::NONE,
            });
        };
        let decoded = without_escapes(local).into_owned();
        if prefix == "xml" && is_ncname(&decoded) {
            return Some(Resolved {
                prefix: prefix.to_owned(),
                note: renamed(local, &decoded),
                local: decoded,
                namespace: Namespace::XML,
            });
        }
        let meaning = self.meaning(prefix).map(str::to_owned);
        if let Some(uri) = meaning.filter(|_| !local.starts_with("//")) {
            if is_ncname(&decoded) {
                let namespace = namespaces.intern(&uri);
                let prefix = self.usable(prefix, &uri);
                return Some(Resolved {
                    prefix,
                    note: renamed(local, &decoded),
                    local: decoded,
                    namespace,
                });
            }
            return self.iri(&format!("{uri}{local}"), SPLIT_NAME, namespaces);
        }
        let is_iri = local.starts_with("//") || is_uri(prefix, local);
        let note = if is_iri { SPLIT_NAME } else { UNDECLARED_PREFIX };
        self.iri(key, note, namespaces)
    }

    /// Resolves a name that is a whole IRI: the part after its last delimiter is the local part.
    fn iri(&mut self, iri: &str, note: Code, namespaces: &mut Namespaces) -> Option<Resolved> {
        let at = iri.rfind(['/', '#', ':', '?', '='])? + 1;
        let (uri, local) = iri.split_at_checked(at)?;
        let local = without_escapes(local).into_owned();
        if !is_ncname(&local) {
            return None;
        }
        let namespace = namespaces.intern(uri);
        let prefix = self.usable("", uri);
        Some(Resolved { prefix, local, namespace, note: Some(note) })
    }

    /// Returns the prefix itself if XML accepts it; otherwise one declared or made for the namespace.
    fn usable(&mut self, wanted: &str, uri: &str) -> String {
        if is_usable(wanted) {
            return wanted.to_owned();
        }
        let by_namespace = self.by_namespace.get_or_insert_with(|| usable(&self.declared));
        if let Some(prefix) = by_namespace.get(uri) {
            return prefix.clone();
        }
        let number = self.made.len() + 1;
        self.made.entry(uri.to_owned()).or_insert_with(|| format!("n{number}")).clone()
    }
}

/// The note about a local name that the way back spells in another way: JSON has it percent-encoded.
fn renamed(written: &str, decoded: &str) -> Option<Code> {
    let back = encoded(decoded).flat_map(str::bytes);
    (!back.eq(written.bytes())).then_some(RENAMED)
}

/// Whether XML accepts this prefix and namespace as a user's declaration on an element.
fn is_declarable(prefix: &str, uri: &str) -> bool {
    is_ncname(prefix)
        && !prefix.to_ascii_lowercase().starts_with("xml")
        && !matches!(prefix, "epcis" | "epcisq" | "sbdh" | "xsi")
        && !["http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"].contains(&uri)
}

/// Whether XML accepts this prefix for a user's namespace.
fn is_usable(prefix: &str) -> bool {
    let taken = ["epcis", "epcisq", "sbdh", "xsi", "xmlns", "xml"];
    is_ncname(prefix) && !taken.contains(&prefix)
}

/// Returns the first usable prefix of each namespace.
fn usable(declared: &BTreeMap<String, String>) -> Arc<BTreeMap<String, String>> {
    let mut usable = BTreeMap::new();
    // `collect` would sort the entries first, with code generated for this one list.
    for (prefix, uri) in declared {
        if is_usable(prefix) && !usable.contains_key(uri) {
            usable.insert(uri.clone(), prefix.clone());
        }
    }
    Arc::new(usable)
}

/// The most prefixes that one element declares: readers limit the attributes of an element and the declarations in force.
/// Other prefixes are declared at the elements whose names use them.
const MAX_DECLARED: usize = 100;

/// The form of a context in XML.
#[derive(Debug, Default)]
pub(in crate::translate) struct Declared {
    /// The prefixes to declare, with their namespaces.
    pub(in crate::translate) prefixes: BTreeMap<String, String>,
    /// JSON Pointers to the entries that XML has no form for, relative to the object with the context.
    pub(in crate::translate) lost: Vec<String>,
}

/// Returns the form of an object's context in XML; `prefixes` have read it already.
pub(in crate::translate) fn declared(holder: Value<'_>, prefixes: &XmlPrefixes) -> Declared {
    let mut declared = Declared::default();
    let Some(context) = holder.get("@context") else {
        return declared;
    };
    let mut names = BTreeSet::new();
    each_name(context, &mut |name| {
        names.insert(name);
    });
    let mut reader = ContextReader { prefixes, terms: BTreeSet::new(), declared: &mut declared };
    if !names.is_empty() {
        terms_of(holder, &names, &mut reader.terms);
    }
    reader.entry(context, "/@context");
    declared
}

/// Calls `visit` with every name that a context defines.
fn each_name(context: Value<'_>, visit: &mut dyn FnMut(String)) {
    match context.kind() {
        Kind::Array => {
            for entry in context.elements() {
                each_name(entry, visit);
            }
        }
        Kind::Object => {
            for (name, _) in context.members() {
                visit(name.to_cow().into_owned());
            }
        }
        _ => {}
    }
}

/// Collects those of `names` that occur as whole member names, at any depth: they are terms, not prefixes.
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

struct ContextReader<'a> {
    prefixes: &'a XmlPrefixes,
    /// The defined names that are used as whole member names.
    terms: BTreeSet<String>,
    declared: &'a mut Declared,
}

impl ContextReader<'_> {
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

    /// Whether XML has a form for a definition; if it is a prefix to declare, it is recorded.
    fn keeps(&mut self, name: &str, definition: Value<'_>) -> bool {
        // These keywords control how a context is read, and say nothing about the data.
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
        // The last definition of a name counts.
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

/// Returns the namespace that a definition binds a prefix to, if the definition does nothing else.
fn namespace_of<'d>(definition: Value<'d>) -> Option<Cow<'d, str>> {
    if definition.kind() != Kind::Object {
        return definition.as_str();
    }
    let says_more = definition.members().any(|(name, value)| match &*name.to_cow() {
        "@id" | "@protected" => false,
        "@prefix" => value.as_bool() != Some(true),
        _ => true,
    });
    definition.get("@id").filter(|_| !says_more).and_then(Value::as_str)
}
