//! The tables that the build makes from the content models in `schemas/xml`.
//!
//! A content model is a sequence of slots; a slot has one particle, or several as alternatives.

use super::builtin::Lexical;

/// The index of a type in the table; 0 is `xsd:anyType`.
pub type TypeId = u16;

/// The index of a namespace in [`NAMESPACES`](super::NAMESPACES); 0 is no namespace.
pub type NamespaceId = u8;

/// One of the official XML schemas: the declarations of its entry file and of the files it imports.
#[derive(Debug)]
pub struct Schema {
    /// The name of its entry file.
    pub artefact: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its target namespace.
    pub target: NamespaceId,
    /// Its document element.
    pub root: &'static str,
    /// The namespaces in which it declares something, a bit for each.
    pub namespaces: u16,
}

impl Schema {
    /// Whether it declares anything in a namespace.
    #[must_use]
    pub fn has(&self, namespace: NamespaceId) -> bool {
        self.namespaces & (1_u16 << (namespace & 15)) != 0
    }
}

/// A type definition.
#[derive(Debug)]
pub struct Type {
    /// Its local name.
    pub name: &'static str,
    /// Its namespace.
    pub namespace: NamespaceId,
    /// The type that it extends or restricts; `xsd:anyType` is its own base.
    pub base: TypeId,
    /// What it allows.
    pub kind: TypeKind,
}

/// What a type allows.
#[derive(Clone, Copy, Debug)]
pub enum TypeKind {
    /// `xsd:anyType`: anything well-formed.
    Any,
    /// A value.
    Simple(Simple),
    /// Attributes, and elements or a value.
    Complex(&'static Complex),
}

/// The values that a simple type allows.
#[derive(Clone, Copy, Debug)]
pub struct Simple {
    /// Their notation.
    pub lexical: Lexical,
    /// If there are any: these values and no others.
    pub words: &'static [&'static str],
}

/// What a complex type allows.
#[derive(Debug)]
pub struct Complex {
    /// Whether elements may only have types that extend it, not this type itself.
    pub is_abstract: bool,
    /// Whether attributes that it does not name are allowed (`xsd:anyAttribute`, lax).
    pub any_attribute: bool,
    /// The attributes that it names, all in no namespace.
    pub attributes: &'static [Attribute],
    /// How many of them are required.
    pub required: u8,
    /// The content between the tags.
    pub content: Content,
}

/// The content between the tags of an element.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// Elements according to the particles; without particles, no elements.
    Elements(&'static [Particle]),
    /// Text and elements in any order.
    Mixed,
    /// A value of a simple type.
    Value(TypeId),
}

/// An attribute that a type names.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// The quick hash of its name: [`look`](super::look()).
    pub look: u8,
    /// The simple type of its value.
    pub of: TypeId,
    /// Whether it is required.
    pub required: bool,
}

/// One alternative of a slot of a content model.
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    /// The element or wildcard that it matches.
    pub wanted: Wanted,
    /// The number of the slot, from 0.
    pub slot: u8,
    /// Whether the slot must be filled.
    pub required: bool,
    /// Whether the slot may be filled again.
    pub repeats: bool,
    /// Whether the slot may be filled only if the one before it was.
    pub behind: bool,
}

/// What a particle matches.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// An element.
    Element(Element),
    /// Any element of some namespaces, validated if it is declared (`xsd:any`, lax).
    Wildcard(Wildcard),
}

/// A declared element.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The index of its local name in the table of names.
    pub name: u16,
    /// The quick hash of its name: [`look`](super::look()).
    pub look: u8,
    /// Its namespace.
    pub namespace: NamespaceId,
    /// Its type.
    pub of: TypeId,
    /// Whether it may have `xsi:nil`.
    pub nillable: bool,
}

/// A global element: it may be the document element, and is validated if it matches a wildcard.
#[derive(Clone, Copy, Debug)]
pub struct Global {
    /// The element.
    pub element: Element,
    /// Whether only its substitutes may appear.
    pub is_abstract: bool,
}

/// The namespaces of a wildcard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wildcard {
    /// `##any`.
    Any,
    /// `##local`: no namespace.
    Local,
    /// `##other`: any namespace but this one. Elements in no namespace do not match.
    Other(NamespaceId),
}
