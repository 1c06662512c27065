//! Namespace names and qualified names.

use super::kinds::Family;
use super::limits::MAX_DOCUMENT_NAMESPACES;
use epcis_edge_text::window::are_same;
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) const SBDH: &str =
    "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";
pub(super) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
/// The namespace of CBV instance and lot master data as most documents write it.
pub(super) const MDA: &str = "urn:epcglobal:cbv:mda";
/// The same namespace as the official JSON-LD context has it, with a final colon.
pub(super) const MDA_COLON: &str = "urn:epcglobal:cbv:mda:";

/// A namespace name, as its number in [`Namespaces`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Namespace(u32);

impl Namespace {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const XML: Self = Self(1);
    pub(crate) const XSI: Self = Self(2);
    pub(crate) const SBDH: Self = Self(3);
    pub(crate) const MDA: Self = Self(4);
    pub(crate) const MDA_COLON: Self = Self(5);
    /// The number of the first EPCIS namespace.
    const FIRST_EPCIS: usize = 6;

    /// Whether elements in this namespace belong to the standard. EPCIS schemas leave inner elements in no namespace, but
    /// some documents put them in an EPCIS namespace.
    pub(crate) fn is_standard(self) -> bool {
        self == Self::NONE || self.is_epcis()
    }

    pub(crate) fn is_epcis(self) -> bool {
        let at = self.0 as usize;
        (Self::FIRST_EPCIS..Self::FIRST_EPCIS + EPCIS.len()).contains(&at)
    }

    /// Whether the namespace is a user's, so that its elements are extensions.
    pub(crate) fn is_foreign(self) -> bool {
        !self.is_standard() && self != Self::XML && self != Self::XSI
    }

    /// The namespace of documents, or of query documents, of a version.
    pub(super) fn of_document(family: Family, is_query: bool) -> Self {
        let number = usize::from(family == Family::Two) + if is_query { 2 } else { 0 };
        Self((Self::FIRST_EPCIS + number) as u32)
    }

    /// The number of the namespace, smaller than [`Namespaces::len`].
    pub(super) fn number(self) -> usize {
        self.0 as usize
    }
}

/// The namespaces of EPCIS elements, each 1.x namespace before its 2.0 one.
pub(super) const EPCIS: [&str; 6] = [
    "urn:epcglobal:epcis:xsd:1",
    "urn:epcglobal:epcis:xsd:2",
    "urn:epcglobal:epcis-query:xsd:1",
    "urn:epcglobal:epcis-query:xsd:2",
    "urn:epcglobal:epcis-masterdata:xsd:1",
    "urn:epcglobal:epcis-masterdata:xsd:2",
];

/// The names that every document starts with, by their number.
const KNOWN: [&str; 12] = {
    let [e1, e2, q1, q2, m1, m2] = EPCIS;
    let xml = "http://www.w3.org/XML/1998/namespace";
    ["", xml, XSI, SBDH, MDA, MDA_COLON, e1, e2, q1, q2, m1, m2]
};

/// The namespace names of one document, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Namespaces {
    /// The names beyond [`KNOWN`].
    names: Vec<String>,
    numbers: BTreeMap<String, u32>,
    /// The total length of the names, in bytes.
    size: usize,
}

impl Namespaces {
    /// Whether there are too many names, or too long ones: each is written in several places.
    pub(super) fn is_beyond_limit(&self) -> bool {
        const MAX_SIZE: usize = MAX_DOCUMENT_NAMESPACES * 128;
        self.names.len() > MAX_DOCUMENT_NAMESPACES || self.size > MAX_SIZE
    }

    pub(super) fn intern(&mut self, name: &str) -> Namespace {
        if let Some(number) = KNOWN.iter().position(|known| *known == name) {
            return Namespace(number as u32);
        }
        if let Some(&number) = self.numbers.get(name) {
            return Namespace(number);
        }
        let number = self.len() as u32;
        self.size += name.len();
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        Namespace(number)
    }

    pub(crate) fn name(&self, namespace: Namespace) -> &str {
        let number = namespace.number();
        match KNOWN.get(number) {
            Some(known) => known,
            None => self.names.get(number - KNOWN.len()).map_or("", String::as_str),
        }
    }

    pub(super) fn len(&self) -> usize {
        KNOWN.len() + self.names.len()
    }
}

/// A qualified name: its prefix as written, its local part, its namespace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Name<'t> {
    pub(crate) prefix: &'t str,
    pub(crate) local: &'t str,
    pub(crate) namespace: Namespace,
}

impl<'t> Name<'t> {
    /// A name in no namespace.
    pub(super) fn unqualified(local: &'t str) -> Self {
        Self { prefix: "", local, namespace: Namespace::NONE }
    }

    /// Whether both are the same expanded name (namespace and local part).
    pub(super) fn same_as(&self, other: &Self) -> bool {
        self.namespace == other.namespace && are_same(self.local.as_bytes(), other.local.as_bytes())
    }

    /// Appends a step to a path: the name, and the number among siblings of this name.
    pub(super) fn push_step(&self, number: u32, path: &mut String) {
        path.push('/');
        self.push_to(path);
        Self::push_number(number, path);
    }

    /// Appends the number of a step; zero means unknown and is written as `[?]`.
    pub(super) fn push_number(number: u32, path: &mut String) {
        if number == 0 {
            path.push_str("[?]");
        } else {
            // Writing to a string does not fail.
            let _ = write!(path, "[{number}]");
        }
    }

    /// Appends the name as written.
    pub(super) fn push_to(&self, text: &mut String) {
        if !self.prefix.is_empty() {
            text.push_str(self.prefix);
            text.push(':');
        }
        text.push_str(self.local);
    }
}

/// A prefix and the namespace that a declaration binds it to; the empty prefix is the default namespace.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) prefix: String,
    pub(crate) namespace: Namespace,
}

/// Returns the namespace that the innermost declaration binds the prefix to.
pub(super) fn lookup(bindings: &[Binding], prefix: &str) -> Option<Namespace> {
    let found = bindings.iter().rev().find(|binding| binding.prefix == prefix);
    found.map(|binding| binding.namespace)
}
