//! What the build makes of the content models in `schemas/xml`.
//!
//! A content model is a sequence of slots; a slot has one particle, or several that stand for one another.

use super::builtin::Lexical;

/// Where a type stands in the table; 0 is `xsd:anyType`.
pub type TypeId = u16;

/// Where a namespace stands in [`NAMESPACES`](super::NAMESPACES); 0 is none.
pub type NamespaceId = u8;

/// One of the official XML schemas: what its entry file and those it imports declare.
#[derive(Debug)]
pub struct Schema {
    /// The name of its entry file.
    pub artefact: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The namespace that it is for.
    pub target: NamespaceId,
    /// The document element that it is for.
    pub root: &'static str,
    /// The namespaces that it declares something in, a bit for each.
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
    /// What it extends or restricts; `xsd:anyType` is its own.
    pub base: TypeId,
    /// What it allows.
    pub kind: TypeKind,
}

/// What a type allows.
#[derive(Clone, Copy, Debug)]
pub enum TypeKind {
    /// `xsd:anyType`: whatever is well-formed.
    Any,
    /// A value.
    Simple(Simple),
    /// Attributes, and elements or a value.
    Complex(&'static Complex),
}

/// The values that a simple type allows.
#[derive(Clone, Copy, Debug)]
pub struct Simple {
    /// How they are written.
    pub lexical: Lexical,
    /// When there are any: these and no others.
    pub words: &'static [&'static str],
}

/// What a complex type allows.
#[derive(Debug)]
pub struct Complex {
    /// Whether no element may be of it, only of what extends it.
    pub is_abstract: bool,
    /// Whether attributes that it does not name are allowed (`xsd:anyAttribute`, lax).
    pub any_attribute: bool,
    /// The attributes that it names, all in no namespace.
    pub attributes: &'static [Attribute],
    /// How many of them must be there.
    pub required: u8,
    /// What stands between its tags.
    pub content: Content,
}

/// What stands between the tags of an element.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// Elements as the particles have them; none, where there are no particles.
    Elements(&'static [Particle]),
    /// Elements in any order and text.
    Mixed,
    /// A value of a simple type.
    Value(TypeId),
}

/// An attribute that a type names.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// What its name looks like: [`look`](super::look()).
    pub look: u8,
    /// The simple type of its value.
    pub of: TypeId,
    /// Whether it must be there.
    pub required: bool,
}

/// One alternative of a slot of a content model.
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    /// What may stand there.
    pub wanted: Wanted,
    /// The number of the slot, from 0.
    pub slot: u8,
    /// Whether the slot must be taken.
    pub required: bool,
    /// Whether the slot may be taken again.
    pub repeats: bool,
    /// Whether the slot may be taken only where the one before it was.
    pub behind: bool,
}

/// What a particle is for.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// An element.
    Element(Element),
    /// Any element of some namespaces, judged where it is declared (`xsd:any`, lax).
    Wildcard(Wildcard),
}

/// A declared element.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Where its local name stands in the table of names.
    pub name: u16,
    /// What its name looks like: [`look`](super::look()).
    pub look: u8,
    /// Its namespace.
    pub namespace: NamespaceId,
    /// Its type.
    pub of: TypeId,
    /// Whether `xsi:nil` may stand on it.
    pub nillable: bool,
}

/// An element that is declared by itself: a document element, or one that is judged where a wildcard takes it.
#[derive(Clone, Copy, Debug)]
pub struct Global {
    /// The element.
    pub element: Element,
    /// Whether it only stands for others.
    pub is_abstract: bool,
}

/// The namespaces of a wildcard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wildcard {
    /// `##any`.
    Any,
    /// `##local`: none.
    Local,
    /// `##other`: any but this one; none is no namespace.
    Other(NamespaceId),
}
