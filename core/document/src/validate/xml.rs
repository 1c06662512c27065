//! The verdict of the official XML schemas: of EPCIS 1.2, which judges 1.0 and 1.1, too, and of 2.0.
//!
//! The build compiles content models into tables (`schemas/xml`). A [`Judge`] follows them through a document, tag by tag, as
//! the reader of the document passes the tags on. It holds only the open elements and its findings.
//!
//! A content model is a sequence of slots with alternatives; the schemas need no more. A child matches the next slot with its name, and
//! a required slot skipped on the way is the error. After a wrong child the judge goes on at the slot of its name, or of the most
//! similar one, so that one cause gives one entry.
//!
//! Not judged: whether the prefix of an `xsd:QName` is declared, and whether values of `xsd:ID` are unique. Only `xsi:type` in an
//! extension can bring in either. `tests/referees/xml_referee.rs` lists the differences from libxml2 with their reasons.

mod attributes;
mod content;
mod finding;
mod judge;
mod message;

pub(crate) use finding::{XmlFinding, XmlFindings};
pub(crate) use judge::Judge;

use epcis_edge_schema::xml;
use serde::Serialize;
use std::borrow::Cow;

/// The XML schema that a verdict is against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct XmlSchemaPin {
    /// The file name under which the standards body publishes it.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = xml::SCHEMAS.each_ref().map(|one| one.artefact))))]
    pub artefact: &'static str,
    /// The EPCIS version of the schema; that of 1.2 also judges 1.0 and 1.1.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["1.2", "2.0"])))]
    pub version: &'static str,
    /// Its target namespace.
    pub namespace: &'static str,
}

impl From<&xml::Schema> for XmlSchemaPin {
    fn from(schema: &xml::Schema) -> Self {
        Self {
            artefact: schema.artefact,
            version: schema.version,
            namespace: xml::namespace_name(schema.target),
        }
    }
}

/// The verdict of an official XML schema on a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct XmlVerdict {
    /// Whether the schema accepts the document.
    pub valid: bool,
    /// The schema that was used.
    pub schema: XmlSchemaPin,
    /// The errors in the order in which a reader finds them, at most 1,000; empty when valid. If there
    /// are more, the last one says how many from it on.
    #[cfg_attr(feature = "schema", schemars(length(max = super::MAX_ERRORS)))]
    pub errors: Vec<XmlSchemaError>,
}

/// One thing that an XML schema does not accept: one cause, one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct XmlSchemaError {
    /// The path of the element or attribute at fault, with names as written, and elements of one name counted from 1:
    /// `/epcis:EPCISDocument/EPCISBody[1]/EventList[1]/ObjectEvent[2]/action[1]`.
    pub path: String,
    /// The line of the element, counted from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: usize,
    /// Its column in bytes of UTF-8, counted from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub column: usize,
    /// The rule of XML Schema that failed there, by its name in the standard: `cvc-complex-type.2.4` for an element that is
    /// not expected.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^cvc-[a-z0-9.-]+$")))]
    pub keyword: &'static str,
    /// What was found and what was expected, for a person.
    pub message: String,
}

/// A start tag as a [`Judge`] wants it: its names resolved, its attributes without namespace declarations.
pub(crate) trait StartTag {
    /// The name as it is written.
    fn name(&self) -> Cow<'_, str>;
    /// The local part of the name.
    fn local(&self) -> &str;
    /// The namespace; empty if there is none.
    fn namespace(&self) -> &str;
    /// Whether it has attributes.
    fn has_attributes(&self) -> bool;
    /// Its attributes.
    fn attributes(&self) -> impl Iterator<Item = AttributeOf<'_>>;
    /// Whether one of them is in the namespace of `xsi:type`.
    fn has_instance_attributes(&self) -> bool;
    /// The namespace that a prefix stands for; the empty prefix is that of elements without one.
    fn resolve(&self, prefix: &str) -> Option<&str>;
}

/// An attribute of a start tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeOf<'t> {
    pub(crate) prefix: &'t str,
    pub(crate) local: &'t str,
    pub(crate) namespace: &'t str,
    pub(crate) value: &'t str,
}
