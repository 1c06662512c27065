//! Reads the master data in the header of a document, in the form in which a store keeps it.
//!
//! An element is identified by its type and identifier. If a document describes it in several places, the descriptions are
//! merged: none of them has precedence. The schema decides whether the document is valid; what is no element is skipped here.
//!
//! **Source**: EPCIS 2.0, 9.5 (master data in the header); CBV 2.0, 11 (attributes).

use crate::context::ActiveContext;
use crate::normal::{AttributeName, element_id};
use crate::vocabulary::element_type;
use epcis_edge_text::digits::to_hex;
use epcis_edge_text::error::Error;
use epcis_edge_text::json::{Document, Kind, Value, push_string};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The most elements of a document.
const MAX_ELEMENTS: usize = 30_000;

/// The most attributes and children of all elements of a document together.
const MAX_STATEMENTS: usize = 200_000;

/// The longest identifier, type or attribute name, in bytes: databases cannot index longer ones.
const MAX_IDENTIFIER: usize = 1024;

/// The most bytes of the attributes, or of the children, of one element: they are stored in one row of a database.
const MAX_ELEMENT: usize = 400_000;

/// The master-data elements of a document, one for each type and identifier, in document order.
///
/// # Errors
/// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) past the limits.
pub fn master_data(document: &Document<'_>) -> Result<Vec<NewElement>, Error> {
    let root = document.root();
    let header = root.get("epcisHeader");
    let stated = header.and_then(|header| Some((header, header.get("epcisMasterData")?)));
    let Some((header, stated)) = stated else {
        return Ok(Vec::new());
    };
    let limit = 4 * root.source().len() + (1 << 20);
    let mut collector = Collector {
        context: ActiveContext::default(),
        elements: Vec::new(),
        places: BTreeMap::new(),
        statements: 0,
        limit,
        left: limit,
    };
    for value in [root, header, stated] {
        collector.context.enter(value);
    }
    let vocabularies = stated.get("vocabularyList");
    for vocabulary in vocabularies.into_iter().flat_map(Value::elements) {
        collector.vocabulary(vocabulary)?;
    }
    if collector.context.excess().is_some() {
        return Err(Error::capture_too_complex(
            limit,
            "bytes in what the prefixes of master data stand for",
        ));
    }
    let elements = collector.elements.into_iter();
    elements.map(Collected::element).collect()
}

struct Collector<'d> {
    context: ActiveContext<'d>,
    elements: Vec<Collected>,
    /// The index of the element with a type and an identifier.
    places: BTreeMap<(String, String), usize>,
    statements: usize,
    /// The most bytes of all elements: a short name with a long prefix expands to a long one.
    limit: usize,
    /// How many of these bytes are left.
    left: usize,
}

/// An element to which more may be added.
struct Collected {
    kind: String,
    id: String,
    spelling: String,
    /// The attributes as JSON, each once.
    attributes: Vec<String>,
    children: Vec<String>,
    known: BTreeSet<String>,
    bytes: usize,
}

impl<'d> Collector<'d> {
    fn vocabulary(&mut self, vocabulary: Value<'d>) -> Result<(), Error> {
        let outer = self.context.enter(vocabulary);
        let kind = vocabulary.get("type").and_then(Value::as_str);
        let kind = element_type(&self.context.expand(&kind.unwrap_or("".into()))).to_owned();
        within(&kind)?;
        let list = vocabulary.get("vocabularyElementList");
        for element in list.into_iter().flat_map(Value::elements) {
            self.element(&kind, element)?;
        }
        self.context.leave(outer);
        Ok(())
    }

    fn element(&mut self, kind: &str, element: Value<'d>) -> Result<(), Error> {
        let Some(spelling) = element.get("id").and_then(Value::as_str) else {
            return Ok(());
        };
        within(&spelling)?;
        let outer = self.context.enter(element);
        let id = element_id(&spelling, &self.context);
        within(&id)?;
        self.take(kind.len() + id.len() + spelling.len())?;
        let key = (kind.to_owned(), id);
        let at = match self.places.get(&key) {
            Some(at) => *at,
            None if self.elements.len() == MAX_ELEMENTS => {
                return Err(Error::capture_too_complex(MAX_ELEMENTS, "elements of master data"));
            }
            None => {
                self.elements.push(Collected {
                    kind: key.0.clone(),
                    id: key.1.clone(),
                    spelling: spelling.into_owned(),
                    attributes: Vec::new(),
                    children: Vec::new(),
                    known: BTreeSet::new(),
                    bytes: 0,
                });
                let at = self.elements.len() - 1;
                self.places.insert(key, at);
                at
            }
        };
        let attributes = element.get("attributes");
        for attribute in attributes.into_iter().flat_map(Value::elements) {
            let inner = self.context.enter(attribute);
            if let Some(name) = attribute.get("id").and_then(Value::as_str) {
                let name = AttributeName::of(&name, &self.context);
                within(name.namespace)?;
                within(name.local)?;
                let mut text = String::from("[");
                push_string(&mut text, name.namespace);
                text.push(',');
                push_string(&mut text, name.local);
                text.push(',');
                text.push_str(attribute.get("attribute").map_or("null", Value::source));
                text.push(']');
                self.state(at, text, |element| &mut element.attributes)?;
            }
            self.context.leave(inner);
        }
        let children = element.get("children");
        for child in children.into_iter().flat_map(Value::elements) {
            if let Some(child) = child.as_str() {
                within(&child)?;
                let child = child.into_owned();
                self.state(at, child, |element| &mut element.children)?;
            }
        }
        self.context.leave(outer);
        Ok(())
    }

    /// Adds an attribute or a child, unless the element has it already.
    fn state(
        &mut self,
        at: usize,
        text: String,
        list: impl Fn(&mut Collected) -> &mut Vec<String>,
    ) -> Result<(), Error> {
        self.statements += 1;
        if self.statements > MAX_STATEMENTS {
            let what = "attributes and children of master data";
            return Err(Error::capture_too_complex(MAX_STATEMENTS, what));
        }
        self.take(2 * text.len())?;
        let Some(element) = self.elements.get_mut(at) else {
            return Ok(());
        };
        // Attributes and children share the set: an attribute begins with a bracket, an identifier never does.
        if element.known.contains(&text) {
            return Ok(());
        }
        element.bytes += text.len() + 3;
        if element.bytes > MAX_ELEMENT {
            return Err(Error::capture_too_complex(
                MAX_ELEMENT,
                "bytes in one element of master data",
            ));
        }
        element.known.insert(text.clone());
        list(element).push(text);
        Ok(())
    }

    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::capture_too_complex(
                self.limit,
                "bytes in master data, its names with what their prefixes stand for",
            )),
        }
    }
}

impl Collected {
    fn element(self) -> Result<NewElement, Error> {
        let context = ActiveContext::default();
        let children = self.children.iter();
        let child_ids: BTreeSet<String> =
            children.map(|child| element_id(child, &context)).collect();
        for id in &child_ids {
            within(id)?;
        }
        let mut children = String::from("[");
        for child in &self.children {
            if children.len() > 1 {
                children.push(',');
            }
            push_string(&mut children, child);
        }
        children.push(']');
        Ok(NewElement {
            kind: self.kind,
            id: self.id,
            spelling: self.spelling,
            attributes: format!("[{}]", self.attributes.join(",")),
            children,
            child_ids: child_ids.into_iter().collect(),
        })
    }
}

/// # Errors
/// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) for a text longer than [`MAX_IDENTIFIER`].
fn within(text: &str) -> Result<(), Error> {
    if text.len() > MAX_IDENTIFIER {
        let what = "bytes in an identifier, a type or a name of master data";
        return Err(Error::capture_too_complex(MAX_IDENTIFIER, what));
    }
    Ok(())
}

/// An element of a vocabulary on its way into the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewElement {
    /// The type of its vocabulary: the last word of a type of the standard, or the URI of another.
    pub kind: String,
    /// Its identifier in normal form.
    pub id: String,
    /// Its identifier as it was written.
    pub spelling: String,
    /// Its attributes: a JSON array of triples of the namespace, the name, and the value as it was written, or `null` without a
    /// value.
    pub attributes: String,
    /// Its children: a JSON array of identifiers as they were written.
    pub children: String,
    /// Its children in normal form, sorted, each once.
    pub child_ids: Vec<String>,
}

impl NewElement {
    /// The attributes that have a value, each once: the full name, and the value as text; an object as its JSON.
    ///
    /// # Errors
    /// None for attributes in the form described above.
    pub fn attribute_texts(&self) -> Result<BTreeSet<(String, String)>, Error> {
        attribute_texts(&self.attributes)
    }

    /// The SHA-256 of its content, in hexadecimal: equal for two elements that say the same, in whatever order.
    ///
    /// # Errors
    /// As [`attribute_texts`](Self::attribute_texts).
    pub fn digest(&self) -> Result<String, Error> {
        let document = Document::read_text(&self.attributes)?;
        let attributes: BTreeSet<&str> = document.root().elements().map(Value::source).collect();
        let text = serde_json::to_vec(&(attributes, &self.child_ids)).map_err(Error::impossible)?;
        Ok(to_hex(&Sha256::digest(text)))
    }
}

/// The attributes in the form of [`NewElement::attributes`] that have a value, each once.
///
/// # Errors
/// None for attributes in that form.
pub fn attribute_texts(attributes: &str) -> Result<BTreeSet<(String, String)>, Error> {
    let document = Document::read_text(attributes)?;
    let attributes = document.root().elements().filter_map(|attribute| {
        let mut parts = attribute.elements();
        let (namespace, name, value) = (parts.next()?, parts.next()?, parts.next()?);
        let name = format!("{}{}", namespace.as_str()?, name.as_str()?);
        Some((name, text_of(value)?))
    });
    Ok(attributes.collect())
}

fn text_of(value: Value<'_>) -> Option<String> {
    match value.kind() {
        Kind::Null => None,
        Kind::String => value.as_str().map(|text| text.into_owned()),
        _ => Some(value.source().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epcis_edge_text::error::ErrorKind;

    fn of(header: &str) -> Result<Vec<NewElement>, Error> {
        let text = format!(
            r#"{{"@context":{{"n":"https://n.example/"}},"epcisHeader":{{"epcisMasterData":{{"vocabularyList":[{header}]}}}}}}"#
        );
        master_data(&Document::read(text.as_bytes())?)
    }

    #[test]
    fn an_element_is_stated_once_whatever_its_spelling() {
        let elements = of(r#"
            {"type":"urn:epcglobal:epcis:vtype:Location","vocabularyElementList":[
                {"id":"urn:epc:id:sgln:0614141.00777.0","attributes":[{"id":"cbvmda:site","attribute":"0614141007776"},{"id":"n:area","attribute":12.50}]},
                {"id":"urn:x:2"}]},
            {"type":"epcis:Location","vocabularyElementList":[
                {"id":"https://id.gs1.org/414/0614141007776","attributes":[{"id":"urn:epcglobal:cbv:mda#site","attribute":"0614141007776"},{"id":"n:x"}],
                 "children":["urn:x:2","urn:epc:id:sgln:0614141.00777.5","urn:x:2"]}]}"#)
        .unwrap();
        let [first, second] = elements.as_slice() else { panic!("{elements:?}") };
        assert_eq!(second.id, "urn:x:2");
        assert_eq!(first.kind, "Location");
        assert_eq!(first.id, "https://id.gs1.org/414/0614141007776");
        assert_eq!(first.spelling, "urn:epc:id:sgln:0614141.00777.0");
        assert_eq!(
            first.attributes,
            r#"[["urn:epcglobal:cbv:mda:","site","0614141007776"],["https://n.example/","area",12.50],["https://n.example/","x",null]]"#
        );
        let texts = first.attribute_texts().unwrap();
        assert!(texts.contains(&("https://n.example/area".to_owned(), "12.50".to_owned())));
        assert_eq!(texts.len(), 2);
        assert_eq!(first.children, r#"["urn:x:2","urn:epc:id:sgln:0614141.00777.5"]"#);
        assert_eq!(first.child_ids, ["https://id.gs1.org/414/0614141007776/254/5", "urn:x:2"]);
    }

    #[test]
    fn order_makes_no_difference_and_values_do() {
        let digest = |attributes: &str| {
            let one = format!(
                r#"{{"type":"n:t","vocabularyElementList":[{{"id":"urn:x:1","attributes":[{attributes}]}}]}}"#
            );
            of(&one).unwrap()[0].digest().unwrap()
        };
        let (a, b) = (r#"{"id":"n:a","attribute":1}"#, r#"{"id":"n:b","attribute":{"c":"d"}}"#);
        assert_eq!(digest(&format!("{a},{b}")), digest(&format!("{b},{a}")));
        assert_ne!(digest(a), digest(&a.replace('1', "1.0")));
        assert_ne!(digest(a), digest(b));
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let long = "9".repeat(MAX_IDENTIFIER);
        for (id, attribute, child) in [
            (long.as_str(), "n:a", "urn:x:1"),
            ("urn:x:1", long.as_str(), "urn:x:1"),
            ("urn:x:1", "n:a", long.as_str()),
        ] {
            let text = format!(
                r#"{{"type":"n:t","vocabularyElementList":[{{"id":"{id}1","attributes":[{{"id":"n:{attribute}1","attribute":1}}],"children":["{child}1"]}}]}}"#
            );
            let error = of(&text).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::CaptureTooComplex { .. }));
        }
        let value = "9".repeat(MAX_ELEMENT);
        let text = format!(
            r#"{{"type":"n:t","vocabularyElementList":[{{"id":"urn:x:1","attributes":[{{"id":"n:a","attribute":"{value}"}}]}}]}}"#
        );
        assert!(of(&text).is_err());
        // A long prefix must not cause much memory use.
        let attributes = vec![r#"{"id":"p:a","attribute":1}"#; 5000];
        let ids = (0..2000).map(|n| {
            format!(r#"{{"id":"urn:x:{n}","attributes":[{{"id":"p:{n}","attribute":1}}]}}"#)
        });
        let ids: Vec<_> = ids.collect();
        for elements in [
            format!(r#"{{"id":"urn:x:1","attributes":[{}]}}"#, attributes.join(",")),
            ids.join(","),
        ] {
            let text = format!(
                r#"{{"@context":{{"p":"https://n.example/{}/"}},"type":"n:t","vocabularyElementList":[{elements}]}}"#,
                "9".repeat(900)
            );
            let error = of(&text).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::CaptureTooComplex { .. }));
        }
    }
}
