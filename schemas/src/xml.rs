//! The official XML schemas of EPCIS 1.2 and 2.0 as tables, compiled by the build from the content models in `schemas/xml`.
//!
//! The schemas themselves are not in this crate. `tests/referees/xml_schema.rs` checks the content models against them, if they are there.

mod builtin;
mod lexical;
mod look;
mod name;
mod number;
mod table;

pub use crate::moment::is_xml_date_time as is_date_time;
pub use builtin::{BUILTIN, Lexical};
pub use look::look;
pub use name::{is_plain_name, qualified};
pub use table::{
    Attribute, Complex, Content, Element, Global, NamespaceId, Particle, Schema, Simple, Type,
    TypeId, TypeKind, Wanted, Wildcard,
};

mod compiled {
    use super::{
        Attribute, Complex, Content, Element, Global, Lexical, Particle, Simple, Type, TypeKind,
        Wanted, Wildcard,
    };
    include!(concat!(env!("OUT_DIR"), "/models.rs"));
}

/// The namespaces of the schemas; the first is no namespace, the last is that of XML Schema itself.
pub static NAMESPACES: &[&str] = &compiled::NAMESPACES;

/// The local names of all declared elements, sorted.
pub static NAMES: &[&str] = &compiled::NAMES;

/// Every type, the built-in ones first.
pub static TYPES: &[Type] = &compiled::TYPES;

/// Every global element.
pub static GLOBALS: &[Global] = &compiled::GLOBALS;

/// The schemas, 1.2 before 2.0: of documents, of queries and their answers, of master data.
///
/// **Source**: EPCIS 1.2, chapters 9 and 11; EPCIS 2.0, chapter 9.
pub static SCHEMAS: [Schema; 6] = [
    schema("EPCglobal-epcis-1_2.xsd", 3, "EPCISDocument"),
    schema("EPCglobal-epcis-query-1_2.xsd", 4, "EPCISQueryDocument"),
    schema("EPCglobal-epcis-masterdata-1_2.xsd", 5, "EPCISMasterDataDocument"),
    schema("EPCglobal-epcis-2_0.xsd", 6, "EPCISDocument"),
    schema("EPCglobal-epcis-query-2_0.xsd", 7, "EPCISQueryDocument"),
    schema("EPCglobal-epcis-masterdata-2_0.xsd", 8, "EPCISMasterDataDocument"),
];

/// A schema of the version that its target namespace belongs to. In force are the namespaces of all versions, that of documents, and
/// its own.
const fn schema(artefact: &'static str, target: NamespaceId, root: &'static str) -> Schema {
    let (version, of_documents) = if target < 6 { ("1.2", 3) } else { ("2.0", 6) };
    let namespaces = 1 << 1 | 1 << 2 | 1 << of_documents | 1 << target;
    Schema { artefact, version, target, root, namespaces }
}

/// `xsd:anyType`.
pub const ANY_TYPE: TypeId = 0;

/// The number of a namespace of the schemas, by its name.
#[must_use]
pub fn namespace(name: &str) -> Option<NamespaceId> {
    let number = NAMESPACES.iter().position(|known| *known == name)?;
    Some(number as NamespaceId)
}

/// The name of a namespace.
#[must_use]
pub fn namespace_name(id: NamespaceId) -> &'static str {
    NAMESPACES.get(usize::from(id)).copied().unwrap_or_default()
}

/// A type, by its number.
#[must_use]
pub fn type_of(id: TypeId) -> &'static Type {
    static ANYTHING: Type =
        Type { name: "anyType", namespace: 0, base: ANY_TYPE, kind: TypeKind::Any };
    // INVARIANT: the build writes only numbers of existing types.
    TYPES.get(usize::from(id)).unwrap_or(&ANYTHING)
}

/// The number of a type, by its namespace and name.
#[must_use]
pub fn type_named(namespace: NamespaceId, name: &str) -> Option<TypeId> {
    let number =
        TYPES.iter().position(|known| known.namespace == namespace && known.name == name)?;
    Some(number as TypeId)
}

/// Whether a type is another one, or derived from it.
#[must_use]
pub fn is_derived(mut id: TypeId, from: TypeId) -> bool {
    while id != from {
        if id == ANY_TYPE {
            return false;
        }
        id = type_of(id).base;
    }
    true
}

/// A global element, by its namespace and name.
#[must_use]
pub fn global(namespace: NamespaceId, name: &str) -> Option<&'static Global> {
    GLOBALS
        .iter()
        .find(|global| global.element.namespace == namespace && global.element.name() == name)
}

impl Element {
    /// Its local name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        // INVARIANT: the build writes only numbers of existing names.
        let name = NAMES.get(usize::from(self.name));
        name.copied().unwrap_or_default()
    }
}

impl Schema {
    /// The schema for a document element, of the family 1.x (0) or 2.0 (1). Any other element gets the schema of documents.
    #[must_use]
    pub fn of(root: &str, family: usize) -> &'static Self {
        let [first, ..] = &SCHEMAS;
        let start = if family == 0 { 0 } else { 3 };
        let schemas = SCHEMAS.get(start..start + 3).unwrap_or_default();
        let named = schemas.iter().find(|schema| schema.root == root);
        named.or(schemas.first()).unwrap_or(first)
    }

    /// The schema with this target namespace.
    #[must_use]
    pub fn of_target(namespace: NamespaceId) -> Option<&'static Self> {
        SCHEMAS.iter().find(|schema| schema.target == namespace)
    }
}

/// Whether this is the namespace of XML Schema.
#[must_use]
pub fn is_schema_itself(namespace: NamespaceId) -> bool {
    usize::from(namespace) + 1 == NAMESPACES.len()
}
