//! Resolves the names in content models and writes the models as Rust code.

use super::{Body, Declared, DeclaredKind, Line, LineWanted, Model, Name, Reference, XSD};
use crate::look::look;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The most slots of a content model that the validator can track.
const MOST_SLOTS: usize = 32;

/// One alternative of a slot as Rust code, with the data to number it.
#[derive(Clone)]
struct Particle {
    wanted: String,
    required: bool,
    repeats: bool,
    alternative: bool,
    behind: bool,
}

pub(super) fn tables(model: &Model) -> Result<String, String> {
    let mut names = BTreeSet::new();
    for root in &model.roots {
        names.insert(root.name.local.as_str());
    }
    for declared in &model.types {
        if let DeclaredKind::Complex(body) = &declared.kind {
            for line in &body.lines {
                if let LineWanted::Element(name, ..) = &line.wanted {
                    names.insert(name.local.as_str());
                }
            }
        }
    }
    let names: Vec<&str> = names.into_iter().collect();
    let resolver = Resolver { model, names };

    let mut out = String::new();
    let spaces: Vec<&str> = model.namespaces.iter().map(|(_, name)| name.as_str()).collect();
    let spaces: Vec<&str> = spaces.into_iter().chain([XSD]).collect();
    array(&mut out, "NAMESPACES", "&str", spaces.iter().map(|name| format!("{name:?}")));
    array(&mut out, "NAMES", "&str", resolver.names.iter().map(|name| format!("{name:?}")));
    let any = "Type { name: \"anyType\", namespace: XSD, base: 0, kind: TypeKind::Any }".to_owned();
    let mut types = vec![any.replace("XSD", &(spaces.len() - 1).to_string())];
    for declared in &model.types {
        types.push(resolver.declared(declared)?);
    }
    array(&mut out, "TYPES", "Type", types.into_iter());
    let mut globals = Vec::new();
    for (number, root) in model.roots.iter().enumerate() {
        let is_abstract = root.of.is_none();
        globals.push(format!(
            "Global {{ element: {}, is_abstract: {is_abstract} }}",
            resolver.global(number)?
        ));
    }
    array(&mut out, "GLOBALS", "Global", globals.into_iter());
    Ok(out)
}

fn array(out: &mut String, name: &str, of: &str, entries: impl Iterator<Item = String>) {
    let entries: Vec<String> = entries.collect();
    let _ = writeln!(
        out,
        "pub(super) static {name}: [{of}; {}] = [\n{},\n];",
        entries.len(),
        entries.join(",\n")
    );
}

struct Resolver<'m> {
    model: &'m Model,
    /// The names of elements, sorted.
    names: Vec<&'m str>,
}

impl Resolver<'_> {
    fn fail<T>(reference: &Reference, what: &str) -> Result<T, String> {
        Err(format!("{}: there is no {what} `{}`", reference.place, reference.text))
    }

    /// The resolved name of a reference.
    fn name(&self, reference: &Reference) -> Result<Name, String> {
        let Some((prefix, local)) = reference.text.split_once(':') else {
            return Ok(Name { namespace: reference.target, local: reference.text.clone() });
        };
        let namespace = self.model.namespaces.iter().position(|(known, _)| known == prefix);
        match namespace {
            Some(namespace) => Ok(Name { namespace, local: local.to_owned() }),
            None => Self::fail(reference, "namespace for"),
        }
    }

    /// The number of a type: one of the namespace around the reference, else a built-in one.
    fn type_id(&self, reference: &Reference) -> Result<usize, String> {
        let name = self.name(reference)?;
        let find = |namespace: usize| {
            let types = &self.model.types;
            types.iter().position(|known| {
                known.name.namespace == namespace && known.name.local == name.local
            })
        };
        let builtin = || (!reference.text.contains(':')).then(|| find(usize::MAX)).flatten();
        match find(name.namespace).or_else(builtin) {
            Some(number) => Ok(number + 1),
            None if reference.text == "anyType" => Ok(0),
            None => Self::fail(reference, "type"),
        }
    }

    fn declared_of(&self, id: usize) -> Option<&Declared> {
        self.model.types.get(id.checked_sub(1)?)
    }

    fn element(&self, name: &Name, of: usize, nillable: bool) -> String {
        let number = self.names.binary_search(&name.local.as_str()).unwrap_or_default();
        let namespace = name.namespace;
        let look = look(&name.local);
        format!(
            "Element {{ name: {number}, look: {look}, namespace: {namespace}, of: {of}, nillable: {nillable} }}"
        )
    }

    /// A global element as Rust code.
    fn global(&self, number: usize) -> Result<String, String> {
        let root = &self.model.roots[number];
        let of = match &root.of {
            Some(of) => self.type_id(of)?,
            None => 0,
        };
        Ok(self.element(&root.name, of, false))
    }

    fn declared(&self, declared: &Declared) -> Result<String, String> {
        let base = match &declared.base {
            Some(base) => self.type_id(base)?,
            None => 0,
        };
        let namespace = if declared.name.namespace == usize::MAX {
            self.model.namespaces.len()
        } else {
            declared.name.namespace
        };
        let kind = match &declared.kind {
            DeclaredKind::Complex(body) => self.complex(body, base)?,
            _ => self.simple(declared)?,
        };
        let local = &declared.name.local;
        Ok(format!(
            "Type {{ name: {local:?}, namespace: {namespace}, base: {base}, kind: {kind} }}"
        ))
    }

    fn simple(&self, declared: &Declared) -> Result<String, String> {
        let mut lexical = None;
        let mut all: &[String] = &[];
        let mut at = declared;
        loop {
            match &at.kind {
                DeclaredKind::Builtin(known) => {
                    let known = lexical.unwrap_or_else(|| format!("{known:?}"));
                    return Ok(format!(
                        "TypeKind::Simple(Simple {{ lexical: Lexical::{known}, words: &{all:?} }})"
                    ));
                }
                DeclaredKind::Simple { words, zoned } => {
                    if *zoned {
                        lexical = Some("DateTimeStamp".to_owned());
                    }
                    if all.is_empty() {
                        all = words;
                    }
                }
                DeclaredKind::Complex(_) => break,
            }
            let Some(base) = &at.base else { break };
            match self.declared_of(self.type_id(base)?) {
                Some(base) => at = base,
                None => break,
            }
        }
        Err(format!("`{}` restricts no simple type", declared.name.local))
    }

    fn complex(&self, body: &Body, base: usize) -> Result<String, String> {
        let mut bodies = vec![body];
        let mut value = None;
        let mut id = base;
        while let Some(declared) = self.declared_of(id) {
            let DeclaredKind::Complex(body) = &declared.kind else {
                value = Some(id);
                break;
            };
            bodies.push(body);
            let Some(base) = &declared.base else { break };
            id = self.type_id(base)?;
        }
        // The particles of base types come first.
        bodies.reverse();
        let mut particles = Vec::new();
        let (mut attributes, mut any_attribute, mut all_required) = (Vec::new(), false, 0);
        for body in &bodies {
            any_attribute |= body.any_attribute;
            for (name, of, required) in &body.attributes {
                all_required += u8::from(*required);
                let of = self.type_id(of)?;
                attributes.push(format!(
                    "Attribute {{ name: {name:?}, look: {}, of: {of}, required: {required} }}",
                    look(name)
                ));
            }
            for line in &body.lines {
                self.particles(line, &mut particles)?;
            }
        }
        let content = match value {
            Some(id) if particles.is_empty() => format!("Content::Value({id})"),
            Some(_) => return Err("a type can have a value or elements, not both".to_owned()),
            None if body.mixed && particles.iter().all(|one| one.wanted.contains("Any")) => {
                "Content::Mixed".to_owned()
            }
            None if body.mixed => return Err("a mixed type can have only `##any*`".to_owned()),
            None => format!("Content::Elements(&[{}])", numbered(&particles)?),
        };
        Ok(format!(
            "TypeKind::Complex(&Complex {{ is_abstract: {}, any_attribute: {any_attribute}, attributes: &[{}], required: {all_required}, content: {content} }})",
            body.is_abstract,
            attributes.join(", ")
        ))
    }

    fn particles(&self, line: &Line, particles: &mut Vec<Particle>) -> Result<(), String> {
        let wanted = match &line.wanted {
            LineWanted::Element(name, of, nillable) => {
                let element = self.element(name, self.type_id(of)?, *nillable);
                vec![format!("Wanted::Element({element})")]
            }
            LineWanted::Wildcard(word, target) => vec![match word.as_str() {
                "##any" => "Wanted::Wildcard(Wildcard::Any)".to_owned(),
                "##local" => "Wanted::Wildcard(Wildcard::Local)".to_owned(),
                _ => format!("Wanted::Wildcard(Wildcard::Other({target}))"),
            }],
            LineWanted::Global(reference) => self.alternatives(reference)?,
        };
        for (number, wanted) in wanted.into_iter().enumerate() {
            particles.push(Particle {
                wanted,
                required: line.required,
                repeats: line.repeats,
                alternative: line.alternative || number > 0,
                behind: line.behind,
            });
        }
        Ok(())
    }

    /// A global element and its substitutes. An abstract element itself is left out.
    fn alternatives(&self, reference: &Reference) -> Result<Vec<String>, String> {
        let name = self.name(reference)?;
        let mut found = Vec::new();
        let mut known = false;
        for (number, root) in self.model.roots.iter().enumerate() {
            let is_it = root.name == name;
            known |= is_it;
            let stands_for = match &root.head {
                Some(head) => self.name(head)? == name,
                None => false,
            };
            if (is_it && root.of.is_some()) || stands_for {
                found.push(format!("Wanted::Element({})", self.global(number)?));
            }
        }
        if known { Ok(found) } else { Self::fail(reference, "root") }
    }
}

fn numbered(particles: &[Particle]) -> Result<String, String> {
    let mut out = Vec::new();
    let mut slot = 0_usize;
    let mut counts = (false, false);
    for (number, particle) in particles.iter().enumerate() {
        if !particle.alternative {
            slot += usize::from(number > 0);
            counts = (particle.required, particle.repeats);
        }
        // The first alternative determines how often the slot may be filled.
        let (required, repeats) = counts;
        out.push(format!(
            "Particle {{ wanted: {}, slot: {slot}, required: {required}, repeats: {repeats}, behind: {} }}",
            particle.wanted, particle.behind
        ));
    }
    if slot >= MOST_SLOTS {
        return Err(format!("a content model has at most {MOST_SLOTS} slots"));
    }
    Ok(out.join(", "))
}
