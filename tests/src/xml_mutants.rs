//! Small random changes to XML documents, for suites that compare two validators.

use crate::random::Random;
use quick_xml::events::{BytesStart, Event};
use std::fmt::Write as _;

/// An element with its names and texts as written in the source.
#[derive(Clone, Debug, Default)]
pub struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Child>,
}

#[derive(Clone, Debug)]
enum Child {
    Element(Element),
    Text(String),
}

fn element(tag: &BytesStart<'_>) -> Option<Element> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.ok()?;
        attributes.push((attribute.key.as_ref().to_owned(), attribute.value.to_string()));
    }
    Some(Element { name: tag.name().as_ref().to_owned(), attributes, children: Vec::new() })
}

/// Prefixes that mutants use, declared on every document element.
const PREFIXES: [(&str, &str); 10] = [
    ("mxsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ("mxs", "http://www.w3.org/2001/XMLSchema"),
    ("mx", "http://example.com/mutant"),
    ("me1", "urn:epcglobal:epcis:xsd:1"),
    ("me2", "urn:epcglobal:epcis:xsd:2"),
    ("mq1", "urn:epcglobal:epcis-query:xsd:1"),
    ("mq2", "urn:epcglobal:epcis-query:xsd:2"),
    ("mm1", "urn:epcglobal:epcis-masterdata:xsd:1"),
    ("mh", "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"),
    ("mg", "urn:epcglobal:xsd:1"),
];

/// Texts that are valid, or nearly valid, for some type and not for others.
const TEXTS: &str = "| |x|ADD| ADD|OBSERVE |add|DELETED|true|TRUE|1|0|-1|+1|1.|.5|.|-|1.5.5|12345678901|2147483647|\
    2147483648|-2147483649|1e5|1E-5|1e5.5|e5|INF|-INF|+INF|NaN|0x10|2026-11-20T08:00:00|\
    2026-11-20T08:00:00Z| 2026-11-20T08:00:00Z\n|2026-11-20T08:00:00.Z|\
    2026-11-20T08:00:00.123456789+14:00|2026-11-20T08:00:00+14:01|2026-11-20T08:00:00-13:59|\
    2026-11-20T24:00:00Z|2026-11-20T24:00:00.1Z|2026-11-20T25:00:00Z|2026-11-20T08:60:00Z|\
    2026-11-20T08:00:60Z|2026-02-29T08:00:00Z|2024-02-29T08:00:00Z|2026-13-01T08:00:00Z|\
    2026-00-01T08:00:00Z|2026-1-1T08:00:00Z|26-11-20T08:00:00Z|12026-11-20T08:00:00Z|\
    -2026-11-20T08:00:00Z|0000-11-20T08:00:00Z|2026-11-20 08:00:00Z|2026-11-20t08:00:00z|2026-11-20|\
    2026-11-20T08:00Z|2026-11-20T08:00:00+0100|2026-11-20T08:00:00+01|urn:epc:id:sgtin:1.2.3|\
    http://a b/|http://a:80/%41?q#f|http://a:x/|%|%4|%zz|a:b:c|:a|a#b#c|[x]|http://[::1]/x|\u{e4}\u{f6}|\
    aF|aFb";

/// Values for `xsi:type`, valid and invalid.
const INSTANCE_TYPES: &str = "mxs:string|mxs:anyURI|mxs:decimal|mxs:integer|mxs:int|mxs:double|mxs:dateTime|mxs:boolean|mxs:token|\
    mxs:date|mxs:nothing|mxs:anyType|mxs:hexBinary|me1:ActionType|me2:ActionType|me1:EPCClassType|\
    me2:ObjectEventType|me1:ObjectEventType|me1:EPCISEventType|me2:DateTimeStamp|me2:EPCListType|mg:EPC|\
    mg:Document|mh:Partner|mq1:ArrayOfString|mq2:EPCISException|mq1:SecurityException|undeclared:x|\
    a:b:c|string";

/// Names that mutants use in addition to those of a corpus.
const NAMES: &str = "foo|extension|mx:foo|mx:extension|me1:EPCISDocument|me2:EPCISDocument|me2:EPCISException|\
    mh:StandardBusinessDocumentHeader|mh:BusinessService|mh:ScopeInformation|mq1:QueryResults|\
    mq2:VoidHolder|me1:foo|me2:action|mx:eventTime|Quantity";

/// Attributes that mutants use, valid and invalid.
const ATTRIBUTES: [(&str, &str); 17] = [
    ("id", "x"),
    ("type", "x"),
    ("type", "%"),
    ("foo", "x"),
    ("mx:foo", "x"),
    ("xml:lang", "en"),
    ("mxsi:nil", "true"),
    ("mxsi:nil", "0"),
    ("mxsi:nil", "x"),
    ("mxsi:schemaLocation", "a b"),
    ("mxsi:foo", "x"),
    ("schemaVersion", "x"),
    ("creationDate", "2026-11-20"),
    ("value", "x"),
    ("time", "2026-11-20T08:00:00"),
    ("booleanValue", "yes"),
    ("Authority", "x"),
];

/// A document as a tree.
#[derive(Clone, Debug)]
pub struct Document {
    root: Element,
}

impl Document {
    /// Parses a document. Returns `None` if it has a document type or is malformed.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut reader = quick_xml::Reader::from_str(text);
        let mut open = vec![Element::default()];
        loop {
            match reader.read_event().ok()? {
                Event::Start(tag) => open.push(element(&tag)?),
                Event::Empty(tag) => open.last_mut()?.children.push(Child::Element(element(&tag)?)),
                Event::End(_) => {
                    let done = open.pop()?;
                    open.last_mut()?.children.push(Child::Element(done));
                }
                Event::Text(text) => {
                    let text = Child::Text(text.as_ref().to_owned());
                    open.last_mut()?.children.push(text);
                }
                Event::GeneralRef(name) => {
                    let text = Child::Text(format!("&{};", &*name));
                    open.last_mut()?.children.push(text);
                }
                Event::CData(text) => {
                    let text = Child::Text(format!("<![CDATA[{}]]>", &*text));
                    open.last_mut()?.children.push(text);
                }
                Event::DocType(_) => return None,
                Event::Eof => break,
                _ => {}
            }
        }
        let mut roots = open.pop()?.children.into_iter().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        });
        let mut root = roots.next()?;
        for (prefix, namespace) in PREFIXES {
            root.attributes.push((format!("xmlns:{prefix}"), namespace.to_owned()));
        }
        Some(Self { root })
    }

    /// The document as text, with a line end in each start tag, so that every element has a line of its own.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        write(&self.root, &mut out);
        out
    }

    /// Appends the names of all elements.
    pub fn names(&self, names: &mut Vec<String>) {
        let mut open = vec![&self.root];
        while let Some(element) = open.pop() {
            names.push(element.name.clone());
            open.extend(element.children.iter().filter_map(|child| match child {
                Child::Element(element) => Some(element),
                Child::Text(_) => None,
            }));
        }
    }

    /// Changes one thing at a random place.
    pub fn mutate(&mut self, names: &[String], random: &mut Random) {
        let count = count(&self.root);
        // Sometimes this is the document element itself.
        let number = random.below(count);
        let Some(path) = path_to(&self.root, number) else {
            return;
        };
        match random.below(16) {
            0 | 1 => self.remove(&path),
            2 => self.double(&path),
            3 | 4 => self.exchange(&path, random),
            5 | 6 => self.change(&path, |element| rename(element, names, random)),
            7 => self.change(&path, |element| {
                let of = random.word(INSTANCE_TYPES).to_owned();
                element.attributes.push(("mxsi:type".to_owned(), of));
            }),
            8 => self.change(&path, |element| change_namespace(element, random)),
            9 | 10 => self.change(&path, |element| change_attribute(element, random)),
            11 => self.change(&path, |element| {
                let name = if random.percent(50) {
                    random.pick(names).clone()
                } else {
                    random.word(NAMES).to_owned()
                };
                let at = random.below(element.children.len() + 1);
                let child = Element { name, ..Element::default() };
                element.children.insert(at, Child::Element(child));
            }),
            _ => {
                // Prefers the texts to the elements around them.
                let path = leaf_near(&self.root, path, random);
                self.change(&path, |element| change_text(element, random));
            }
        }
    }

    fn change(&mut self, path: &[usize], work: impl FnOnce(&mut Element)) {
        if let Some(element) = at_mut(&mut self.root, path) {
            work(element);
        }
    }

    fn around(&mut self, path: &[usize]) -> Option<(&mut Element, usize)> {
        let (last, around) = path.split_last()?;
        Some((at_mut(&mut self.root, around)?, *last))
    }

    fn remove(&mut self, path: &[usize]) {
        if let Some((around, number)) = self.around(path) {
            around.children.remove(number);
        }
    }

    fn double(&mut self, path: &[usize]) {
        if let Some((around, number)) = self.around(path) {
            let copy = around.children[number].clone();
            around.children.insert(number, copy);
        }
    }

    /// Moves an element to another position among its siblings, or into another element.
    fn exchange(&mut self, path: &[usize], random: &mut Random) {
        let Some((around, number)) = self.around(path) else {
            return;
        };
        let child = around.children.remove(number);
        if random.percent(75) {
            let to = random.below(around.children.len() + 1);
            around.children.insert(to, child);
            return;
        }
        let count = count(&self.root);
        let path = path_to(&self.root, random.below(count)).unwrap_or_default();
        self.change(&path, |element| element.children.push(child));
    }
}

fn write(element: &Element, out: &mut String) {
    let _ = write!(out, "<{}", element.name);
    for (name, value) in &element.attributes {
        let quote = if value.contains('"') { '\'' } else { '"' };
        let _ = write!(out, " {name}={quote}{value}{quote}");
    }
    out.push_str("\n>");
    for child in &element.children {
        match child {
            Child::Element(element) => write(element, out),
            Child::Text(text) => out.push_str(text),
        }
    }
    let _ = write!(out, "</{}>", element.name);
}

fn inside(element: &Element) -> impl Iterator<Item = (usize, &Element)> {
    element.children.iter().enumerate().filter_map(|(number, child)| match child {
        Child::Element(element) => Some((number, element)),
        Child::Text(_) => None,
    })
}

fn count(element: &Element) -> usize {
    1 + inside(element).map(|(_, child)| count(child)).sum::<usize>()
}

/// The path of child indices to the element with this number, counted in document order.
fn path_to(element: &Element, mut number: usize) -> Option<Vec<usize>> {
    if number == 0 {
        return Some(Vec::new());
    }
    number -= 1;
    for (at, child) in inside(element) {
        let below = count(child);
        if number < below {
            let mut path = path_to(child, number)?;
            path.insert(0, at);
            return Some(path);
        }
        number -= below;
    }
    None
}

fn at_mut<'e>(element: &'e mut Element, path: &[usize]) -> Option<&'e mut Element> {
    let mut element = element;
    for step in path {
        element = match element.children.get_mut(*step)? {
            Child::Element(element) => element,
            Child::Text(_) => return None,
        };
    }
    Some(element)
}

/// The path of an element without child elements, at or below this one. In 10 of 100 cases, the given path itself.
fn leaf_near(root: &Element, mut path: Vec<usize>, random: &mut Random) -> Vec<usize> {
    if random.percent(10) {
        return path;
    }
    let mut element = root;
    for step in &path {
        if let Some(Child::Element(child)) = element.children.get(*step) {
            element = child;
        }
    }
    loop {
        let children: Vec<(usize, &Element)> = inside(element).collect();
        if children.is_empty() {
            return path;
        }
        let (number, child) = *random.pick(&children);
        path.push(number);
        element = child;
    }
}

fn rename(element: &mut Element, names: &[String], random: &mut Random) {
    element.name = match random.below(4) {
        0 => random.word(NAMES).to_owned(),
        1 => {
            let mut name = element.name.clone();
            name.pop();
            name.push(if random.percent(50) { 'x' } else { 's' });
            name
        }
        _ => random.pick(names).clone(),
    };
}

fn change_namespace(element: &mut Element, random: &mut Random) {
    match (random.below(4), element.name.split_once(':')) {
        (0, _) => {
            let (_, namespace) = random.pick(&PREFIXES);
            element.attributes.retain(|(name, _)| name != "xmlns");
            element.attributes.push(("xmlns".to_owned(), (*namespace).to_owned()));
        }
        (1, Some((_, local))) => element.name = local.to_owned(),
        (_, Some((_, local))) => element.name = format!("{}:{local}", random.pick(&PREFIXES).0),
        (_, None) => element.name = format!("{}:{}", random.pick(&PREFIXES).0, element.name),
    }
}

fn change_attribute(element: &mut Element, random: &mut Random) {
    let count = element.attributes.len();
    let own: Vec<usize> =
        (0..count).filter(|at| !element.attributes[*at].0.starts_with("xmlns")).collect();
    if own.is_empty() || random.percent(30) {
        let (name, value) = *random.pick(&ATTRIBUTES);
        element.attributes.retain(|(known, _)| known != name);
        element.attributes.push((name.to_owned(), value.to_owned()));
        return;
    }
    let at = *random.pick(&own);
    match random.below(4) {
        0 => drop(element.attributes.remove(at)),
        1 => {
            let (name, _) = *random.pick(&ATTRIBUTES);
            if element.attributes.iter().all(|(known, _)| known != name) {
                element.attributes[at].0 = name.to_owned();
            }
        }
        _ => element.attributes[at].1 = random.word(TEXTS).replace('\n', " "),
    }
}

fn change_text(element: &mut Element, random: &mut Random) {
    let text = if random.percent(15) {
        let mut text: String = element
            .children
            .iter()
            .filter_map(|child| match child {
                Child::Text(text) => Some(text.as_str()),
                Child::Element(_) => None,
            })
            .collect();
        let at = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect::<Vec<_>>();
        let at = *random.pick(&at);
        text.insert(at, *random.pick(&[' ', 'x', '0', '-', '.', ':', '+', 'Z']));
        text
    } else {
        random.word(TEXTS).to_owned()
    };
    if inside(element).next().is_some() {
        let at = random.below(element.children.len() + 1);
        element.children.insert(at, Child::Text(text));
        return;
    }
    element.children = vec![Child::Text(text)];
}
