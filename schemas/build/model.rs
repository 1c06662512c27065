//! Compiles the content models in `schemas/xml` into tables: see `src/xml/table.rs` for their meaning.
//!
//! A model file has one statement per line; indented lines continue a statement.
//! - `target PREFIX NAMESPACE` begins a namespace. Local elements are in no namespace unless the statement `qualified` follows.
//! - `root NAME TYPE` declares a global element. With `for HEAD` it is a substitute for the element `HEAD`; with `abstract` in place
//!   of the type only its substitutes may appear.
//! - `simple NAME TYPE WORDS` restricts a simple type to these words, `simple NAME TYPE zoned` to times with a zone.
//! - `type NAMES : BASE` declares complex types, which may be `abstract` or `mixed`. The lines below it are their particles and
//!   attributes. `NAME TYPE` is an element, with `?`, `*` or `+` after the name, and `nillable` after the type. The type `ref` means
//!   the global element `NAME`. A line after `|` is an alternative to the line above; a line after `&` may be used only if the line
//!   above was. `##any`, `##local` and `##other` are wildcards. `@NAME TYPE` is an attribute, `@NAME? TYPE` an optional one, and `@*`
//!   allows any attribute.

#[path = "model_tables.rs"]
mod model_tables;

use crate::builtin::{BUILTIN, Lexical};

/// The namespace of XML Schema itself.
const XSD: &str = "http://www.w3.org/2001/XMLSchema";

/// The tables of model files as Rust code, or the reason why they cannot be compiled, with file and line.
pub(crate) fn compile(files: &[(&str, &str)]) -> Result<String, String> {
    let mut model = Model::new();
    for (name, text) in files {
        let mut reader =
            Reader { model: &mut model, target: None, qualified: false, open: Vec::new() };
        for (number, line) in text.lines().enumerate() {
            let place = format!("{name}:{}", number + 1);
            let read = reader.line(line, &place);
            read.map_err(|reason| format!("{place}: {reason}"))?;
        }
    }
    model_tables::tables(&model)
}

/// The content of the files, with names not yet resolved.
struct Model {
    /// Prefix and name of each namespace; the first is no namespace. The tables add that of XML Schema at the end.
    namespaces: Vec<(String, String)>,
    roots: Vec<Root>,
    types: Vec<Declared>,
}

/// A name with the number of its namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    namespace: usize,
    local: String,
}

/// The name of a type or element as written, with the data to resolve it.
#[derive(Clone, Debug)]
struct Reference {
    text: String,
    target: usize,
    place: String,
}

struct Root {
    name: Name,
    /// The type; `None` if the element is abstract.
    of: Option<Reference>,
    head: Option<Reference>,
}

struct Declared {
    name: Name,
    base: Option<Reference>,
    kind: DeclaredKind,
}

enum DeclaredKind {
    Builtin(Lexical),
    Simple { words: Vec<String>, zoned: bool },
    Complex(Body),
}

#[derive(Clone, Default)]
struct Body {
    is_abstract: bool,
    mixed: bool,
    any_attribute: bool,
    attributes: Vec<(String, Reference, bool)>,
    lines: Vec<Line>,
}

/// One line of a content model.
#[derive(Clone)]
struct Line {
    wanted: LineWanted,
    required: bool,
    repeats: bool,
    /// Whether it is an alternative to the line before it.
    alternative: bool,
    behind: bool,
}

#[derive(Clone)]
enum LineWanted {
    /// A local element: name, type, whether it may be nil.
    Element(Name, Reference, bool),
    /// A global element.
    Global(Reference),
    /// A wildcard, such as `##any`, and the target namespace around it.
    Wildcard(String, usize),
}

impl Model {
    fn new() -> Self {
        let xsd = |local: &str| Name { namespace: usize::MAX, local: local.to_owned() };
        let reference = |text: &str| Reference {
            text: text.to_owned(),
            target: usize::MAX,
            place: String::new(),
        };
        let types = BUILTIN.iter().map(|(name, base, lexical)| Declared {
            name: xsd(name),
            base: Some(reference(base)),
            kind: DeclaredKind::Builtin(*lexical),
        });
        Self {
            namespaces: vec![(String::new(), String::new())],
            roots: Vec::new(),
            types: types.collect(),
        }
    }
}

struct Reader<'m> {
    model: &'m mut Model,
    target: Option<usize>,
    qualified: bool,
    /// The types that indented lines belong to.
    open: Vec<usize>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str, place: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if line.starts_with(' ') {
            return self.inside(&words, place);
        }
        self.open.clear();
        if let ["target", prefix, namespace] = *words {
            self.target = Some(self.model.namespaces.len());
            self.qualified = false;
            let entry = (prefix.to_owned(), namespace.to_owned());
            self.model.namespaces.push(entry);
            return Ok(());
        }
        let Some(target) = self.target else {
            return Err("a file must begin with `target`".to_owned());
        };
        let reference =
            |text: &str| Reference { text: text.to_owned(), target, place: place.to_owned() };
        let name = |local: &str| Name { namespace: target, local: local.to_owned() };
        match *words {
            ["qualified"] => self.qualified = true,
            ["root", local, "abstract"] => {
                self.model.roots.push(Root { name: name(local), of: None, head: None })
            }
            ["root", local, of] => self.model.roots.push(Root {
                name: name(local),
                of: Some(reference(of)),
                head: None,
            }),
            ["root", local, of, "for", head] => self.model.roots.push(Root {
                name: name(local),
                of: Some(reference(of)),
                head: Some(reference(head)),
            }),
            ["simple", local, base, ref words @ ..] => {
                let zoned = *words == ["zoned"];
                let words = words.iter().map(|word| (*word).to_owned());
                self.declare(Declared {
                    name: name(local),
                    base: Some(reference(base)),
                    kind: DeclaredKind::Simple {
                        words: if zoned { Vec::new() } else { words.collect() },
                        zoned,
                    },
                })?;
            }
            ["type", ref rest @ ..] => {
                let mut body = Body::default();
                let (mut locals, mut base) = (Vec::new(), None);
                let mut rest = rest.iter();
                while let Some(word) = rest.next() {
                    match *word {
                        ":" => base = rest.next().map(|base| reference(base)),
                        "abstract" => body.is_abstract = true,
                        "mixed" => body.mixed = true,
                        local => locals.push(name(local)),
                    }
                }
                for name in locals {
                    let kind = DeclaredKind::Complex(body.clone());
                    let base = base.clone();
                    self.declare(Declared { name, base, kind })?;
                    self.open.push(self.model.types.len() - 1);
                }
            }
            _ => return Err(format!("the build does not know the statement `{line}`")),
        }
        Ok(())
    }

    fn declare(&mut self, declared: Declared) -> Result<(), String> {
        if self.model.types.iter().any(|known| known.name == declared.name) {
            return Err(format!("`{}` was declared before", declared.name.local));
        }
        self.model.types.push(declared);
        Ok(())
    }

    fn inside(&mut self, words: &[&str], place: &str) -> Result<(), String> {
        let (Some(target), false) = (self.target, self.open.is_empty()) else {
            return Err("an indented line must follow a `type`".to_owned());
        };
        let reference =
            |text: &str| Reference { text: text.to_owned(), target, place: place.to_owned() };
        let unknown = || Err(format!("`{}` is no particle that the build knows", words.join(" ")));
        let mut add: Box<dyn FnMut(&mut Body)> = match *words {
            ["@*"] => Box::new(|body| body.any_attribute = true),
            [attribute, of] if attribute.starts_with('@') => {
                let attribute = attribute.trim_start_matches('@');
                let local = attribute.trim_end_matches('?');
                let required = local == attribute;
                let entry = (local.to_owned(), reference(of), required);
                Box::new(move |body| body.attributes.push(entry.clone()))
            }
            _ => {
                let (alternative, behind, rest) = match *words {
                    ["|", ref rest @ ..] => (true, false, rest),
                    ["&", ref rest @ ..] => (false, true, rest),
                    _ => (false, false, words),
                };
                let Some((name, of)) = rest.split_first() else {
                    return unknown();
                };
                let local = name.trim_end_matches(['?', '*', '+']);
                let (required, repeats) = match name.strip_prefix(local) {
                    Some("?") => (false, false),
                    Some("*") => (false, true),
                    Some("+") => (true, true),
                    Some("") => (true, false),
                    _ => return unknown(),
                };
                let wanted = match of {
                    [] if ["##any", "##local", "##other"].contains(&local) => {
                        LineWanted::Wildcard(local.to_owned(), target)
                    }
                    ["ref"] => LineWanted::Global(reference(local)),
                    [of] | [of, "nillable"] if !local.contains([':', '#']) => {
                        let namespace = if self.qualified { target } else { 0 };
                        let local = local.to_owned();
                        let nillable = rest.len() == 3;
                        LineWanted::Element(Name { namespace, local }, reference(of), nillable)
                    }
                    _ => return unknown(),
                };
                let line = Line { wanted, required, repeats, alternative, behind };
                Box::new(move |body| body.lines.push(line.clone()))
            }
        };
        for open in &self.open {
            if let Some(Declared { kind: DeclaredKind::Complex(body), .. }) =
                self.model.types.get_mut(*open)
            {
                add(body);
            }
        }
        Ok(())
    }
}
