//! The walk over a document, tag by tag.

use super::content::{Fit, Progress};
use super::finding::{XmlFinding, XmlFindings};
use super::{AttributeOf, StartTag, message};
use epcis_edge_schema::xml::{
    self, ANY_TYPE, Content, Element, Global, Particle, Schema, Simple, TypeId, TypeKind,
};

/// The namespace of `xsi:type` and its like.
pub(super) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Judges one document.
#[derive(Debug)]
pub(crate) struct Judge {
    pub(crate) schema: &'static Schema,
    open: Vec<OpenElement>,
    pub(crate) findings: XmlFindings,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct OpenElement {
    inside: Inside,
    /// The progress of its children.
    progress: Progress,
    /// Whether it has `xsi:nil="true"`.
    is_nil: bool,
    /// Whether forbidden content was reported, which is done once.
    is_spoilt: bool,
    has_text: bool,
}

/// The content expected inside of an element.
#[derive(Clone, Copy, Debug)]
enum Inside {
    /// Any well-formed content; elements that the schema declares globally are judged.
    Anything,
    /// Nothing is judged any more.
    Skipped,
    /// Nothing, not even a blank.
    Empty,
    /// Elements, by the particles; a thin pointer, because there is one in every open element.
    Elements(&'static &'static [Particle]),
    /// A value.
    Value(&'static Simple),
    /// A value that may be anything.
    Text,
}

impl Default for Judge {
    /// A judge before the start of a document.
    fn default() -> Self {
        Self {
            schema: Schema::of("", 0),
            open: Vec::with_capacity(16),
            findings: XmlFindings::default(),
        }
    }
}

impl Judge {
    /// Takes a start tag.
    pub(crate) fn start(&mut self, tag: &impl StartTag) {
        let Some(parent) = self.open.last_mut() else {
            return self.root(tag);
        };
        match parent.inside {
            Inside::Elements(particles) if !parent.is_nil => {
                match parent.progress.step(particles, tag) {
                    Fit::Element(element) => {
                        // Most elements are a value and nothing else.
                        if !tag.has_attributes()
                            && let TypeKind::Simple(simple) = &xml::type_of(element.of).kind
                        {
                            return self.push(Inside::of(simple));
                        }
                        self.enter(tag, Some(element), false);
                    }
                    Fit::Wild => self.wild(tag),
                    Fit::Wrong => self.wrong(particles, tag),
                }
            }
            Inside::Anything if !parent.is_nil => self.wild(tag),
            Inside::Skipped => self.push(Inside::Skipped),
            _ => self.child_of_none(tag),
        }
    }

    /// Reports a child where none is allowed, once for each element.
    #[cold]
    #[inline(never)]
    fn child_of_none(&mut self, tag: &impl StartTag) {
        if let Some(parent) = self.open.last_mut()
            && !std::mem::replace(&mut parent.is_spoilt, true)
        {
            let found = message::tag(tag);
            let (keyword, message) = match parent.inside {
                _ if parent.is_nil => (
                    "cvc-elt.3.2.1",
                    format!("found {found}, but `xsi:nil` says that there is nothing"),
                ),
                Inside::Empty => {
                    ("cvc-complex-type.2.1", format!("found {found}, expected nothing"))
                }
                _ => ("cvc-type.3.1.2", format!("found {found}, expected a value and no elements")),
            };
            self.find(false, String::new(), keyword, message);
        }
        self.push(Inside::Skipped);
    }

    /// Takes a part of a text; returns whether it is part of the value that [`end`](Self::end) needs.
    pub(crate) fn text(&mut self, text: &str) -> bool {
        let Some(open) = self.open.last_mut() else {
            return false;
        };
        match open.inside {
            Inside::Text => {}
            Inside::Elements(_) if !open.has_text => {
                // Of the bytes up to a space, XML allows only white space.
                let is_blank = text.bytes().fold(true, |blank, byte| blank & (byte <= b' '));
                open.has_text = !is_blank;
                if open.has_text {
                    let message = "found text, expected elements and blanks only";
                    self.stray_text("cvc-complex-type.2.3", message);
                }
            }
            Inside::Value(_) => return true,
            Inside::Empty if !open.is_spoilt && !text.is_empty() => {
                open.is_spoilt = true;
                let message = "found text, expected nothing, not even a blank";
                self.stray_text("cvc-complex-type.2.1", message);
            }
            _ => {}
        }
        false
    }

    #[cold]
    #[inline(never)]
    fn stray_text(&mut self, keyword: &'static str, message: &str) {
        self.find(false, "/text()".to_owned(), keyword, message.to_owned());
    }

    /// Takes an end tag, and the value before it.
    pub(crate) fn end(&mut self, value: &str) {
        let Some(open) = self.open.last() else {
            return;
        };
        let is_fine = match open.inside {
            _ if open.is_nil => open.is_spoilt || value.is_empty(),
            Inside::Value(simple) => open.is_spoilt || simple.accepts(value),
            Inside::Elements(particles) => open.progress.is_done(particles),
            _ => true,
        };
        if !is_fine {
            self.wrong_end(value);
        }
        self.open.pop();
    }

    /// Reports an element that must not end like this.
    #[cold]
    #[inline(never)]
    fn wrong_end(&mut self, value: &str) {
        if !self.is_told() {
            return;
        }
        let Some(open) = self.open.last() else {
            return;
        };
        let (keyword, message) = match open.inside {
            Inside::Value(simple) if !open.is_nil => message::value(simple, value),
            Inside::Elements(particles) if !open.is_nil => {
                ("cvc-complex-type.2.4", open.progress.missing(particles))
            }
            _ => {
                ("cvc-elt.3.2.1", "found a value, but `xsi:nil` says that there is none".to_owned())
            }
        };
        self.find(false, String::new(), keyword, message);
    }

    #[inline(never)]
    fn root(&mut self, tag: &impl StartTag) {
        self.schema = schema_for(tag);
        if let Some(global) = self.global(tag).filter(|global| !global.is_abstract) {
            return self.enter(tag, Some(&global.element), false);
        }
        let target = xml::namespace_name(self.schema.target);
        let message = message::root(tag, self.schema.root, target);
        self.find(true, String::new(), "cvc-elt.1", message);
        // If only its namespace is wrong, the document is judged on, and wrong namespaces inside of it are not reported.
        match xml::global(self.schema.target, tag.local()) {
            Some(global) => self.enter(tag, Some(&global.element), true),
            None => self.push(Inside::Skipped),
        }
    }

    /// The global element of this name, if a schema that is in force declares it.
    fn global(&self, tag: &impl StartTag) -> Option<&'static Global> {
        let namespace = xml::namespace(tag.namespace())?;
        self.schema.has(namespace).then(|| xml::global(namespace, tag.local())).flatten()
    }

    /// Takes an element that a wildcard allows: judged if the schema declares it globally, or if it names its type.
    #[inline(never)]
    fn wild(&mut self, tag: &impl StartTag) {
        match self.global(tag) {
            Some(global) if global.is_abstract => {
                let message = format!("{} only stands for other elements", message::tag(tag));
                self.find(true, String::new(), "cvc-elt.2", message);
                self.push(Inside::Skipped);
            }
            global => self.enter(tag, global.map(|global| &global.element), false),
        }
    }

    /// Reports a child that is not allowed here, and goes on as if it were.
    #[cold]
    #[inline(never)]
    fn wrong(&mut self, particles: &'static [Particle], tag: &impl StartTag) {
        let is_listing = self.findings.is_listing();
        let Some(parent) = self.open.last_mut() else {
            return;
        };
        let wrong = parent.progress.explain(particles, tag, is_listing);
        match wrong.message {
            Some(_) if !is_listing => self.findings.count(),
            Some(message) => {
                self.find(true, String::new(), "cvc-complex-type.2.4", message);
            }
            None => {}
        }
        match wrong.meant {
            Fit::Element(element) => self.enter(tag, Some(element), wrong.is_misnamed),
            Fit::Wild => self.wild(tag),
            Fit::Wrong => self.push(Inside::Skipped),
        }
    }

    /// Opens an element that was declared, and judges its attributes.
    #[inline(never)]
    fn enter(
        &mut self,
        tag: &impl StartTag,
        declared: Option<&'static Element>,
        is_misnamed: bool,
    ) {
        let mut of = declared.map_or(ANY_TYPE, |element| element.of);
        let mut is_nil = false;
        if tag.has_instance_attributes() {
            for attribute in tag.attributes() {
                match attribute {
                    AttributeOf { namespace: XSI, local: "type", value, .. } => {
                        of = self.instance_type(tag, value, of, declared.is_some())
                    }
                    AttributeOf { namespace: XSI, local: "nil", value, .. } => {
                        if let Some(element) = declared {
                            is_nil = self.nil(tag, value, element.nillable);
                        }
                    }
                    _ => {}
                }
            }
        }
        let inside = match &xml::type_of(of).kind {
            TypeKind::Any => Inside::Anything,
            TypeKind::Simple(simple) => {
                self.no_attributes(tag);
                Inside::of(simple)
            }
            TypeKind::Complex(complex) if complex.is_abstract => {
                let name = xml::type_of(of).name;
                let message =
                    format!("nothing is of the type `{name}` itself, only of what extends it");
                self.find(true, String::new(), "cvc-type.2", message);
                Inside::Skipped
            }
            TypeKind::Complex(complex) => {
                if tag.has_attributes() || !complex.attributes.is_empty() {
                    self.attributes(tag, complex);
                }
                match &complex.content {
                    Content::Elements([]) => Inside::Empty,
                    Content::Elements(particles) => Inside::Elements(particles),
                    Content::Mixed => Inside::Anything,
                    Content::Value(id) => match &xml::type_of(*id).kind {
                        TypeKind::Simple(simple) => Inside::of(simple),
                        _ => Inside::Text,
                    },
                }
            }
        };
        self.push(inside);
        if let Some(open) = self.open.last_mut() {
            open.is_nil = is_nil;
            if is_misnamed {
                open.progress.allow_misnamed();
            }
        }
    }

    fn push(&mut self, inside: Inside) {
        self.open.push(OpenElement {
            inside,
            progress: Progress::default(),
            is_nil: false,
            is_spoilt: false,
            has_text: false,
        });
    }

    /// The type that `xsi:type` names, if it may stand for the declared one.
    fn instance_type(
        &mut self,
        tag: &impl StartTag,
        value: &str,
        declared: TypeId,
        is_declared: bool,
    ) -> TypeId {
        let value = value.trim_matches([' ', '\n', '\t', '\r']);
        let suffix = || "/@xsi:type".to_owned();
        let Some((prefix, local)) = xml::qualified(value) else {
            let message = format!("found {}, expected the name of a type", message::quoted(value));
            self.find(true, suffix(), "cvc-elt.4.1", message);
            return declared;
        };
        let namespace = tag.resolve(prefix);
        let named = namespace
            .and_then(xml::namespace)
            .filter(|namespace| xml::is_schema_itself(*namespace) || self.schema.has(*namespace))
            .and_then(|namespace| xml::type_named(namespace, local));
        let Some(named) = named else {
            let message = match namespace {
                None if !prefix.is_empty() => {
                    format!("{} names no type: nothing declares its prefix", message::quoted(value))
                }
                _ => format!("{} names no type of the schema", message::quoted(value)),
            };
            self.find(true, suffix(), "cvc-elt.4.2", message);
            return declared;
        };
        if is_declared && !xml::is_derived(named, declared) {
            let wanted = xml::type_of(declared).name;
            let message = format!(
                "found {}, expected `{wanted}` or what is derived from it",
                message::quoted(value)
            );
            self.find(true, suffix(), "cvc-elt.4.3", message);
            return declared;
        }
        named
    }

    /// Whether `xsi:nil` is true. Reports it if it is not allowed or not a boolean.
    fn nil(&mut self, tag: &impl StartTag, value: &str, nillable: bool) -> bool {
        let value = value.trim_matches([' ', '\n', '\t', '\r']);
        let suffix = || "/@xsi:nil".to_owned();
        if !matches!(value, "true" | "false" | "1" | "0") {
            let message = format!("found {}, expected `true` or `false`", message::quoted(value));
            self.find(true, suffix(), "cvc-datatype-valid.1", message);
            return false;
        }
        if !nillable {
            let message = format!("{} must not have `xsi:nil`", message::tag(tag));
            self.find(true, suffix(), "cvc-elt.3.1", message);
            return false;
        }
        matches!(value, "true" | "1")
    }

    /// Whether one more finding would be listed. If not, it is only counted, and no message is needed.
    pub(super) fn is_told(&mut self) -> bool {
        let is_listing = self.findings.is_listing();
        if !is_listing {
            self.findings.count();
        }
        is_listing
    }

    /// Records a finding about the child that begins (`is_child`), or about the innermost open element.
    pub(super) fn find(
        &mut self,
        is_child: bool,
        suffix: String,
        keyword: &'static str,
        message: String,
    ) {
        let depth = self.open.len() + usize::from(is_child);
        self.findings.add(|| XmlFinding { depth, suffix, keyword, message });
    }
}

impl Inside {
    fn of(simple: &'static Simple) -> Self {
        if simple.takes_all() { Self::Text } else { Self::Value(simple) }
    }
}

/// The schema that a document is judged by: chosen by its namespace, or else by its `schemaVersion`.
fn schema_for(tag: &impl StartTag) -> &'static Schema {
    let namespace = tag.namespace();
    let is_first = if namespace.is_empty() || !namespace.starts_with("urn:epcglobal:epcis") {
        let version = tag
            .attributes()
            .find(|attribute| attribute.namespace.is_empty() && attribute.local == "schemaVersion");
        version.is_some_and(|version| version.value.trim_start().starts_with("1"))
    } else {
        namespace.ends_with('1')
    };
    let family = usize::from(!is_first);
    match xml::namespace(namespace).and_then(Schema::of_target) {
        // An element that the query or master data schema declares is judged by that schema.
        Some(schema) if xml::global(schema.target, tag.local()).is_some() => schema,
        _ => Schema::of(tag.local(), family),
    }
}
