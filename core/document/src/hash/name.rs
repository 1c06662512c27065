//! Names of nodes as numbers: words of the standard have fixed numbers, all other names are numbered as they appear.

use crate::field::{WORDS, Word, key_of};
use epcis_edge_text::slice::Part;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The name of a node, as a number. Equal numbers mean equal names; a name outside the standard may have several numbers, so
/// compare with [`SeenNames::are_same`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name(u32);

impl Name {
    pub(crate) const BASE_EXTENSION: Self = Self::of("baseExtension");
    pub(crate) const CERTIFICATION_INFO: Self = Self::of("certificationInfo");
    pub(crate) const COMMENT: Self = Self::of("comment");
    pub(crate) const EPC_LIST: Self = Self::of("epcList");
    pub(crate) const ERROR_DECLARATION: Self = Self::of("errorDeclaration");
    pub(crate) const EVENT_ID: Self = Self::of("eventID");
    pub(crate) const EXTENSION: Self = Self::of("extension");
    pub(crate) const ILMD: Self = Self::of("ilmd");
    pub(crate) const PARENT_ID: Self = Self::of("parentID");
    pub(crate) const RECORD_TIME: Self = Self::of("recordTime");
    pub(crate) const SENSOR_ELEMENT_LIST: Self = Self::of("sensorElementList");
    pub(crate) const TEXT: Self = Self::of("#text");
    pub(crate) const TYPE: Self = Self::of("type");

    /// A name of the standard.
    pub(super) const fn of(word: &str) -> Self {
        Self::from(Word::of(word))
    }

    /// The word of the standard, if the name is one.
    pub(super) fn word(self) -> Option<Word> {
        Word::at(self.0 as usize)
    }

    /// The name for a word of the standard.
    pub(super) const fn from(word: Word) -> Self {
        Self(word.number() as u32)
    }
}

/// The namespace of `xsi:type`, `xsi:nil` and others, which are not data.
const XML_SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The namespace of `rdfs:comment`.
const RDF_SCHEMA: &str = "http://www.w3.org/2000/01/rdf-schema#";

impl Name {
    /// A distinct bit for each standard name, 0 for any other name.
    pub(super) fn bit(self) -> u128 {
        const { assert!(WORDS.len() <= 128) };
        1_u128.checked_shl(self.0).unwrap_or(0)
    }
}

/// Whether the member of an event is never hashed: `recordTime`, `eventID`, `errorDeclaration`, and `type`, which is written as
/// `eventType`.
pub(super) fn is_excluded(name: Name) -> bool {
    matches!(name, Name::TYPE | Name::RECORD_TIME | Name::EVENT_ID | Name::ERROR_DECLARATION)
}

/// A namespace, as a number: within one [`SeenNames`], equal namespaces have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Namespace(u32);

/// The maximum length of a namespace, in bytes. The pre-hash string repeats the namespace in every name.
pub(crate) const MAX_NAMESPACE: usize = 8192;

/// How the names in a namespace are written.
#[derive(Clone, Copy, Debug)]
enum NamespaceKind {
    /// No namespace, or one of EPCIS's own: written as the bare local name.
    Bare,
    /// The namespace of `xsi:type` and others: not data, left out.
    NoData,
    /// The namespace of `rdfs:comment`.
    Rdfs,
    /// Any other: written as `{namespace}local`, with the namespace as declared.
    Other,
}

/// The names seen so far, except those of the standard.
///
/// A namespace is stored once, however long it is and however many names use it.
#[derive(Debug, Default)]
pub(crate) struct SeenNames<'s> {
    /// The document's text. Local names that are slices of it are not copied.
    source: &'s str,
    namespaces: Vec<(Rc<str>, NamespaceKind)>,
    numbers: BTreeMap<Rc<str>, Namespace>,
    others: Vec<StoredName>,
    /// All other local names, concatenated.
    copied: String,
    /// A cache of name numbers, indexed by a hash of the name, since most names repeat. After a collision a name may be stored a
    /// second time.
    recent: Vec<u32>,
}

/// A name outside the standard: its namespace, and the position of its local part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StoredName {
    namespace: Option<Namespace>,
    /// The offset in the source, or (if flagged with [`COPIED`]) in the copied texts.
    start: u32,
    length: u32,
}

/// The flag in `start` that marks a copied text.
const COPIED: u32 = 1 << 31;

/// The offset of `text` in `source`, if it is a slice of it.
pub(super) fn offset_in(source: &str, text: &str) -> Option<usize> {
    let offset = (text.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
    let end = offset.checked_add(text.len())?;
    (end <= source.len()).then_some(offset)
}

/// The number of slots in the cache of recent names; a power of two.
const RECENT: usize = 1024;

impl<'s> SeenNames<'s> {
    /// An empty collection. Local names that are slices of `source` will not be copied.
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, ..Self::default() }
    }

    /// The number of a namespace.
    pub(crate) fn namespace(&mut self, text: &str) -> Namespace {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = Namespace(self.namespaces.len() as u32);
        let kind = match text {
            "" => NamespaceKind::Bare,
            XML_SCHEMA_INSTANCE => NamespaceKind::NoData,
            RDF_SCHEMA => NamespaceKind::Rdfs,
            _ if is_epcis(text) => NamespaceKind::Bare,
            _ => NamespaceKind::Other,
        };
        let text: Rc<str> = text.into();
        self.namespaces.push((text.clone(), kind));
        self.numbers.insert(text, number);
        number
    }

    /// Whether a namespace is longer than [`MAX_NAMESPACE`].
    pub(crate) fn is_too_long(&self, namespace: Namespace) -> bool {
        let known = self.namespaces.get(namespace.0 as usize);
        known.is_some_and(|(text, _)| text.len() > MAX_NAMESPACE)
    }

    /// The number of an expanded name; `None` if a node of this name is not data (`xsi:type` and others).
    pub(crate) fn expanded(&mut self, namespace: Namespace, local: &str) -> Option<Name> {
        let known = self.namespaces.get(namespace.0 as usize);
        match known.map_or(NamespaceKind::Bare, |(_, kind)| *kind) {
            NamespaceKind::Bare => Some(self.literal(local)),
            NamespaceKind::NoData => None,
            NamespaceKind::Rdfs if local == "comment" => Some(Name::COMMENT),
            NamespaceKind::Rdfs | NamespaceKind::Other => Some(self.other(Some(namespace), local)),
        }
    }

    /// The number of a name that is written as it is, without a namespace.
    pub(crate) fn literal(&mut self, name: &str) -> Name {
        match Word::find(name) {
            Some(word) => Name::from(word),
            None => self.other(None, name),
        }
    }

    fn other(&mut self, namespace: Option<Namespace>, local: &str) -> Name {
        let key =
            key_of(local.as_bytes()) ^ namespace.map_or(0, |namespace| 1 + u64::from(namespace.0));
        // The last four bytes are part of the key, because similar names such as `item1` and `item2` often differ only there.
        let end =
            local.bytes().rev().take(4).fold(0, |end: u64, byte| (end << 8) | u64::from(byte));
        let slot =
            ((key ^ (end << 24)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % RECENT;
        if let Some(&number) = self.recent.get(slot)
            && let Some(known) = self.others.get(number as usize)
            && known.namespace == namespace
            && self.local(*known) == local
        {
            return Name(WORDS.len() as u32 + number);
        }
        let number = self.others.len() as u32;
        if self.recent.is_empty() {
            self.recent.resize(RECENT, u32::MAX);
        }
        if let Some(recent) = self.recent.get_mut(slot) {
            *recent = number;
        }
        if self.others.len() == self.others.capacity() {
            self.others.reserve_exact(self.others.len() / 4 + 64);
        }
        let start = match offset_in(self.source, local) {
            Some(offset) => offset as u32,
            None => {
                let start = self.copied.len() as u32 | COPIED;
                self.copied.push_str(local);
                start
            }
        };
        self.others.push(StoredName { namespace, start, length: local.len() as u32 });
        Name(WORDS.len() as u32 + number)
    }

    /// Forgets all names; namespaces keep their numbers.
    pub(crate) fn clear(&mut self) {
        self.others.clear();
        self.copied.clear();
    }

    fn local(&self, name: StoredName) -> &str {
        let texts = if name.start & COPIED == 0 { self.source } else { &self.copied };
        let start = (name.start & !COPIED) as usize;
        texts.part(start..start + name.length as usize)
    }

    fn known(&self, name: Name) -> Option<StoredName> {
        let number = (name.0 as usize).checked_sub(WORDS.len())?;
        self.others.get(number).copied()
    }

    /// The two parts of a name in the pre-hash string: the namespace, if it is written, and the rest.
    pub(crate) fn parts(&self, name: Name) -> (Option<&str>, &str) {
        if let Some(standard) = WORDS.get(name.0 as usize) {
            return (None, standard);
        }
        let Some(known) = self.known(name) else {
            return (None, "");
        };
        let namespace =
            known.namespace.and_then(|namespace| self.namespaces.get(namespace.0 as usize));
        (namespace.map(|(text, _)| text.as_ref()), self.local(known))
    }

    /// Whether two names are the same, even with different numbers.
    pub(crate) fn are_same(&self, one: Name, other: Name) -> bool {
        one == other
            || match (self.known(one), self.known(other)) {
                (Some(one), Some(other)) => {
                    one.namespace == other.namespace && self.local(one) == self.local(other)
                }
                _ => false,
            }
    }

    /// Whether the name is an extension: in a user's namespace, or with an undeclared prefix. An un-prefixed name is not.
    pub(crate) fn is_extension(&self, name: Name) -> bool {
        self.known(name).is_some_and(|known| {
            known.namespace.is_some() || self.local(known).contains([':', '{'])
        })
    }
}

/// The XML namespaces of EPCIS 1.x and 2.0: `urn:epcglobal:epcis:xsd:2`, `urn:epcglobal:epcis-query:xsd:1` and so on.
fn is_epcis(namespace: &str) -> bool {
    namespace.starts_with("urn:epcglobal:epcis")
        && (namespace.ends_with(":xsd:1") || namespace.ends_with(":xsd:2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_expanded() {
        let mut names = SeenNames::default();
        let mut text = |namespace: &str, local| {
            let namespace = names.namespace(namespace);
            let name = names.expanded(namespace, local)?;
            let text = match names.parts(name) {
                (Some(namespace), local) => format!("{{{namespace}}}{local}"),
                (None, local) => local.to_owned(),
            };
            Some((text, names.is_extension(name)))
        };
        let found = |name: &str, extension| Some((name.to_owned(), extension));
        assert_eq!(text("", "action"), found("action", false));
        assert_eq!(text("urn:epcglobal:epcis-query:xsd:1", "action"), found("action", false));
        assert_eq!(text("urn:x/", "action"), found("{urn:x/}action", true));
        assert_eq!(text("urn:x/", "action"), found("{urn:x/}action", true));
        assert_eq!(text("", "tag1"), found("tag1", false));
        assert_eq!(text(RDF_SCHEMA, "comment"), found("comment", false));
        assert_eq!(text(XML_SCHEMA_INSTANCE, "nil"), None);
    }

    #[test]
    fn names_are_the_same_though_they_were_forgotten_between() {
        let mut names = SeenNames::default();
        let namespace = names.namespace("urn:x/");
        let mut first = |local: &str| names.expanded(namespace, local).unwrap();
        let one = first("a0");
        // More names than the cache has slots.
        for number in 0..10 * RECENT {
            first(&format!("a{number}"));
        }
        let again = first("a0");
        assert!(names.are_same(one, again));
        let literal = names.literal("a0");
        assert!(!names.are_same(one, literal));
        assert!(!names.are_same(literal, Name::of("action")));
    }
}
