//! The content models in `schemas/xml` match the official XML schemas: every type, element, attribute, occurrence and facet.

use epcis_edge_schema::xml::{
    self, BUILTIN, Content, GLOBALS, Lexical, Particle, TYPES, TypeId, TypeKind, Wanted, Wildcard,
};
use epcis_edge_tests::{official_xml_schemas, read_text};
use quick_xml::events::{BytesStart, Event};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The only pattern in the schemas. [`Lexical::DateTimeStamp`] implements it.
const STAMP: &str = "([0-9]{4})-(1[0-2]|0[1-9])-(3[01]|0[1-9]|[12][0-9])T(2[0-3]|[01][0-9]):([0-5][0-9]):([0-5][0-9])(\\.[0-9]+)?(Z|(([+]|[-])((0[0-9]|1[0-3]):([0-5][0-9])|14:00)))";

const XSD: &str = "http://www.w3.org/2001/XMLSchema";

/// An element of a schema file.
#[derive(Debug, Default)]
struct Node {
    name: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Node>,
}

impl Node {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }
}

/// A schema file with its prefixes.
struct File {
    prefixes: BTreeMap<String, String>,
    target: String,
    qualified: bool,
    root: Node,
}

fn node(tag: &BytesStart<'_>) -> Node {
    Node {
        name: tag.local_name().as_ref().to_owned(),
        attributes: tag
            .attributes()
            .map(|attribute| {
                let attribute = attribute.unwrap();
                (attribute.key.as_ref().to_owned(), attribute.value.to_string())
            })
            .collect(),
        children: Vec::new(),
    }
}

fn load(path: &Path) -> File {
    let text = read_text(path);
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut open = vec![Node::default()];
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) => open.push(node(&tag)),
            Event::Empty(tag) => open.last_mut().unwrap().children.push(node(&tag)),
            Event::End(_) => {
                let done = open.pop().unwrap();
                open.last_mut().unwrap().children.push(done);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let root = open.pop().unwrap().children.pop().unwrap();
    assert_eq!(root.name, "schema", "{}", path.display());
    let prefixes = root.attributes.iter().filter_map(|(name, value)| {
        let prefix = name.strip_prefix("xmlns")?;
        Some((prefix.trim_start_matches(':').to_owned(), value.clone()))
    });
    File {
        prefixes: prefixes.collect(),
        target: root.get("targetNamespace").unwrap().to_owned(),
        qualified: root.get("elementFormDefault") == Some("qualified"),
        root,
    }
}

/// A name in the form `{namespace}name`.
type Named = String;

impl File {
    fn resolve(&self, name: &str) -> Named {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        format!("{{{}}}{local}", self.prefixes[prefix])
    }

    fn own(&self, local: &str) -> Named {
        format!("{{{}}}{local}", self.target)
    }
}

/// An element that may occur in a content model, as either side describes it.
#[derive(Clone, Debug)]
struct Said {
    wanted: String,
    required: bool,
    repeats: bool,
    alternative: bool,
    behind: bool,
}

fn counts(node: &Node) -> (bool, bool) {
    let required = match node.get("minOccurs") {
        None | Some("1") => true,
        Some("0") => false,
        Some(other) => panic!("minOccurs {other}"),
    };
    let repeats = match node.get("maxOccurs") {
        None | Some("1") => false,
        Some("unbounded") => true,
        Some(other) => panic!("maxOccurs {other}"),
    };
    (required, repeats)
}

/// The contents of all schema files.
struct Official {
    files: Vec<File>,
    /// By `{namespace}name`: whether the element is abstract, its type, and its substitution group.
    globals: BTreeMap<Named, (bool, Named, Option<Named>)>,
}

impl Official {
    fn particle(&self, file: &File, node: &Node) -> Vec<Said> {
        let (required, repeats) = counts(node);
        let one =
            |wanted: String| Said { wanted, required, repeats, alternative: false, behind: false };
        match node.name.as_str() {
            "element" => {
                if let Some(name) = node.get("ref") {
                    let head = file.resolve(name);
                    let mut all: Vec<Said> = Vec::new();
                    for (global, (is_abstract, of, stands_for)) in &self.globals {
                        if (*global == head && !is_abstract) || stands_for.as_ref() == Some(&head) {
                            all.push(Said {
                                alternative: !all.is_empty(),
                                ..one(format!("{global} {of}"))
                            });
                        }
                    }
                    assert!(!all.is_empty(), "{head}");
                    return all;
                }
                let local = node.get("name").unwrap();
                let name = if file.qualified { file.own(local) } else { format!("{{}}{local}") };
                let nil = if node.get("nillable") == Some("true") { " nillable" } else { "" };
                vec![one(format!("{name} {}{nil}", file.resolve(node.get("type").unwrap())))]
            }
            "any" => {
                assert_eq!(node.get("processContents"), Some("lax"));
                vec![one(match node.get("namespace") {
                    Some("##other") => format!("other than {}", file.target),
                    Some("##local") => "local".to_owned(),
                    other => panic!("wildcard {other:?}"),
                })]
            }
            "group" => {
                let name = node.get("ref").unwrap();
                let group = file
                    .root
                    .children
                    .iter()
                    .find(|child| child.name == "group" && child.get("name") == Some(name));
                let group = group.or_else(|| {
                    self.files
                        .iter()
                        .flat_map(|file| &file.root.children)
                        .find(|child| child.name == "group" && child.get("name") == Some(name))
                });
                self.particle(file, group.unwrap().child("sequence").unwrap())
            }
            "sequence" => {
                let mut inner: Vec<Said> =
                    node.children.iter().flat_map(|child| self.particle(file, child)).collect();
                assert!(!repeats, "a sequence that repeats");
                if !required {
                    let first = inner.first().unwrap();
                    assert!(first.required, "the first of an optional sequence");
                    for (number, said) in inner.iter_mut().enumerate() {
                        said.behind = number > 0;
                        assert!(number == 0 || !said.required, "a second that is required");
                        said.required = false;
                    }
                }
                inner
            }
            "choice" => {
                let mut inner: Vec<Said> =
                    node.children.iter().flat_map(|child| self.particle(file, child)).collect();
                for (number, said) in inner.iter_mut().enumerate() {
                    // In a repeating choice, the occurrence of a single alternative adds nothing.
                    assert!((repeats && !required) || (said.required && !said.repeats));
                    *said = Said {
                        wanted: said.wanted.clone(),
                        required,
                        repeats,
                        alternative: number > 0,
                        behind: false,
                    };
                }
                inner
            }
            "annotation" => Vec::new(),
            other => panic!("`{other}` in a content model"),
        }
    }

    fn type_node(&self, name: &str) -> Option<(&File, &Node)> {
        self.files.iter().find_map(|file| {
            let is_it = |node: &&Node| {
                ["complexType", "simpleType"].contains(&node.name.as_str())
                    && node.get("name").is_some_and(|local| file.own(local) == name)
            };
            file.root.children.iter().find(is_it).map(|node| (file, node))
        })
    }

    /// Adds the content of a complex type, including the type it extends.
    fn complex(&self, file: &File, node: &Node, said: &mut Described) {
        for child in &node.children {
            match child.name.as_str() {
                "annotation" => {}
                "sequence" | "choice" => said.particles.extend(self.particle(file, child)),
                "attribute" => {
                    let required = match child.get("use") {
                        Some("required") => true,
                        None | Some("optional") => false,
                        Some(other) => panic!("use {other}"),
                    };
                    let of = file.resolve(child.get("type").unwrap());
                    said.attributes
                        .insert(format!("{} {of} {required}", child.get("name").unwrap()));
                }
                "anyAttribute" => {
                    assert_eq!(
                        (child.get("processContents"), child.get("namespace")),
                        (Some("lax"), None)
                    );
                    said.any_attribute = true;
                }
                "complexContent" | "simpleContent" => {
                    said.mixed |= child.get("mixed") == Some("true");
                    let extension = child.child("extension").expect("an extension");
                    let base = file.resolve(extension.get("base").unwrap());
                    said.base.get_or_insert_with(|| base.clone());
                    match self.type_node(&base) {
                        Some((file, node)) if node.name == "complexType" => {
                            let mut inner = Described::default();
                            self.complex(file, node, &mut inner);
                            said.particles.extend(inner.particles);
                            said.attributes.extend(inner.attributes);
                            said.any_attribute |= inner.any_attribute;
                            said.value = inner.value;
                        }
                        _ if child.name == "simpleContent" => said.value = Some(base),
                        _ => assert_eq!(base, format!("{{{XSD}}}anyType")),
                    }
                    self.complex(file, extension, said);
                }
                other => panic!("`{other}` in a type"),
            }
        }
    }
}

/// A complex type as either side describes it.
#[derive(Debug, Default)]
struct Described {
    base: Option<Named>,
    mixed: bool,
    any_attribute: bool,
    attributes: BTreeSet<String>,
    value: Option<Named>,
    particles: Vec<Said>,
}

impl Described {
    fn lines(&self, is_abstract: bool) -> Vec<String> {
        let any = format!("{{{XSD}}}anyType");
        let mut lines = vec![format!(
            "base {} abstract {is_abstract} mixed {} any attribute {} value {:?}",
            self.base.as_ref().unwrap_or(&any),
            self.mixed,
            self.any_attribute,
            self.value
        )];
        lines.extend(self.attributes.iter().map(|attribute| format!("@{attribute}")));
        // The order of alternatives does not matter.
        let mut slots: Vec<BTreeSet<String>> = Vec::new();
        for said in &self.particles {
            if !said.alternative {
                slots.push(BTreeSet::new());
            }
            let Said { wanted, required, repeats, behind, .. } = said;
            let line = format!("{wanted} required {required} repeats {repeats} behind {behind}");
            assert!(slots.last_mut().unwrap().insert(line), "twice in one slot: {wanted}");
        }
        lines.extend(slots.into_iter().map(|slot| format!("{slot:?}")));
        lines
    }
}

fn type_name(id: TypeId) -> Named {
    let found = xml::type_of(id);
    format!("{{{}}}{}", xml::namespace_name(found.namespace), found.name)
}

fn ours(particles: &[Particle]) -> Vec<Said> {
    let mut before = None;
    let mut said = Vec::new();
    for particle in particles {
        let wanted = match particle.wanted {
            Wanted::Element(element) => format!(
                "{{{}}}{} {}{}",
                xml::namespace_name(element.namespace),
                element.name(),
                type_name(element.of),
                if element.nillable { " nillable" } else { "" }
            ),
            Wanted::Wildcard(Wildcard::Other(target)) => {
                format!("other than {}", xml::namespace_name(target))
            }
            Wanted::Wildcard(Wildcard::Local) => "local".to_owned(),
            Wanted::Wildcard(Wildcard::Any) => "any".to_owned(),
        };
        said.push(Said {
            wanted,
            required: particle.required,
            repeats: particle.repeats,
            alternative: before.replace(particle.slot) == Some(particle.slot),
            behind: particle.behind,
        });
    }
    said
}

fn official(folder: &Path) -> Official {
    let shared = [
        "BasicTypes",
        "BusinessScope",
        "DocumentIdentification",
        "EPCglobal",
        "Manifest",
        "Partner",
        "StandardBusinessDocumentHeader",
    ];
    let mut files: Vec<File> =
        shared.iter().map(|name| load(&folder.join(format!("shared/{name}.xsd")))).collect();
    for schema in &xml::SCHEMAS {
        let version = if schema.version == "2.0" { "v2" } else { "v1" };
        let file = load(&folder.join(version).join(schema.artefact));
        assert_eq!(file.target, xml::namespace_name(schema.target), "{}", schema.artefact);
        files.push(file);
    }
    let mut globals = BTreeMap::new();
    for file in &files {
        for node in file.root.children.iter().filter(|node| node.name == "element") {
            let is_abstract = node.get("abstract") == Some("true");
            let of = file.resolve(node.get("type").unwrap());
            let head = node.get("substitutionGroup").map(|head| file.resolve(head));
            globals.insert(file.own(node.get("name").unwrap()), (is_abstract, of, head));
        }
    }
    Official { files, globals }
}

#[test]
#[cfg_attr(not(official_schemas), ignore = "needs ../shared/official/xsd")]
fn the_content_models_are_those_of_the_official_schemas() {
    let folder = official_xml_schemas().unwrap();
    let official = official(&folder);
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (number, of) in TYPES.iter().enumerate().skip(1 + BUILTIN.len()) {
        let name = type_name(number as TypeId);
        seen.insert(name.clone());
        let Some((file, node)) = official.type_node(&name) else {
            wrong.push(format!("{name}: no official schema has it"));
            continue;
        };
        let (theirs, ours) = match of.kind {
            TypeKind::Complex(complex) => {
                let mut theirs = Described::default();
                official.complex(file, node, &mut theirs);
                let (value, mixed, particles) = match complex.content {
                    Content::Elements(particles) => (None, false, ours(particles)),
                    Content::Mixed => (None, true, Vec::new()),
                    Content::Value(id) => (Some(type_name(id)), false, Vec::new()),
                };
                let ours = Described {
                    base: Some(type_name(of.base)),
                    mixed,
                    any_attribute: complex.any_attribute,
                    attributes: complex
                        .attributes
                        .iter()
                        .map(|one| format!("{} {} {}", one.name, type_name(one.of), one.required))
                        .collect(),
                    value,
                    particles,
                };
                // A type that extends one with a value has the value of that type.
                let is_abstract = node.get("abstract") == Some("true");
                (theirs.lines(is_abstract), ours.lines(complex.is_abstract))
            }
            TypeKind::Simple(simple) => {
                let restriction = node.child("restriction").expect("a restriction");
                let base = file.resolve(restriction.get("base").unwrap());
                let facets: Vec<String> = restriction
                    .children
                    .iter()
                    .map(|facet| format!("{} {}", facet.name, facet.get("value").unwrap()))
                    .collect();
                let mut ours: Vec<String> =
                    simple.words.iter().map(|word| format!("enumeration {word}")).collect();
                if simple.lexical == Lexical::DateTimeStamp {
                    ours.push(format!("pattern {STAMP}"));
                }
                (vec![base, format!("{facets:?}")], vec![type_name(of.base), format!("{ours:?}")])
            }
            TypeKind::Any => panic!("{name} is anything"),
        };
        if theirs != ours {
            wrong.push(format!("{name}:\n  official {theirs:#?}\n  ours {ours:#?}"));
        }
    }
    for file in &official.files {
        for node in &file.root.children {
            let Some(local) = node.get("name") else {
                continue;
            };
            if node.name.ends_with("Type") && !seen.contains(&file.own(local)) {
                wrong.push(format!("{}: not in the content models", file.own(local)));
            }
        }
    }
    let globals: BTreeMap<Named, (bool, Named)> = GLOBALS
        .iter()
        .map(|global| {
            let element = global.element;
            let name = format!("{{{}}}{}", xml::namespace_name(element.namespace), element.name());
            (name, (global.is_abstract, type_name(element.of)))
        })
        .collect();
    let theirs: BTreeMap<Named, (bool, Named)> = official
        .globals
        .iter()
        .map(|(name, (is_abstract, of, _))| (name.clone(), (*is_abstract, of.clone())))
        .collect();
    assert_eq!(globals, theirs);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen.len() > 150, "only {} types", seen.len());
}

/// The namespaces that a schema knows follow from the imports of its file.
#[test]
#[cfg_attr(not(official_schemas), ignore = "needs ../shared/official/xsd")]
fn a_schema_knows_what_it_imports() {
    let folder = official_xml_schemas().unwrap();
    let official = official(&folder);
    for schema in &xml::SCHEMAS {
        let target = xml::namespace_name(schema.target);
        let mut known = BTreeSet::from([target.to_owned()]);
        // Imported files have imports of their own.
        for _ in 0..3 {
            let before = known.clone();
            for file in &official.files {
                if before.contains(&file.target) {
                    let imports = file.root.children.iter().filter(|node| node.name == "import");
                    known.extend(imports.map(|node| node.get("namespace").unwrap().to_owned()));
                }
            }
        }
        let ours: BTreeSet<String> = (0..xml::NAMESPACES.len() as u8)
            .filter(|namespace| schema.has(*namespace))
            .map(|namespace| xml::namespace_name(namespace).to_owned())
            .collect();
        assert_eq!(ours, known, "{}", schema.artefact);
    }
}
