//! The verdict of the XML schemas on a source: the reader hands each token to a judge, and places are found afterwards.

use super::encoding;
use super::namespace::{Name, Namespace, Namespaces};
use super::places::{LineCounter, Start};
use super::reader::{Fault, Token, XmlReader};
use crate::error::{Error, ErrorKind};
use crate::order::sort_numbers;
use crate::validate::XmlVerdict;
use crate::validate::xml::{Found, XmlFinding, XmlSchemaError};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How many bytes the paths and sentences of a verdict may have, taken together; what is beyond is counted.
pub(super) const MAX_TOLD: usize = 1 << 20;

/// Judges an EPCIS XML document by the official XML schema of its version.
///
/// **Shape**: a document, query document or master data document of EPCIS 1.0, 1.1, 1.2 (all by the schema of 1.2) or 2.0, in
/// the encodings of [`translate`](super::translate()); other well-formed XML is invalid at its document element.
/// The schema is that for the namespace of the document element; where it has none of EPCIS, that of its `schemaVersion`.
///
/// **Limits**: as [`translate`](super::translate()), but for the number of elements; memory is what is open and the errors.
///
/// # Errors
/// [`ErrorKind::Xml`] with path, line and column: for what is no well-formed XML of these encodings, for a document type
/// declaration that declares something, and beyond the limits.
///
/// # Example
/// ```
/// let xml = br#"<e:EPCISDocument xmlns:e="urn:epcglobal:epcis:xsd:2" schemaVersion="2.0"
///     creationDate="2026-11-20T08:00:00Z"><EPCISBody><EventList><ObjectEvent>
///   <eventTime>2026-11-20T07:00:00Z</eventTime><eventTimeZoneOffset>+00:00</eventTimeZoneOffset>
///   <epcList/><action>OBSERVED</action>
/// </ObjectEvent></EventList></EPCISBody></e:EPCISDocument>"#;
/// let verdict = epcis_edge_core::translate::validate_xml(xml)?;
/// assert_eq!(verdict.schema.artefact, "EPCglobal-epcis-2_0.xsd");
/// let error = &verdict.errors[0];
/// assert_eq!(error.path, "/e:EPCISDocument/EPCISBody[1]/EventList[1]/ObjectEvent[1]/action[1]");
/// assert_eq!((error.line, error.keyword), (4, "cvc-enumeration-valid"));
/// assert!(error.message.contains("did you mean `OBSERVE`?"));
/// # Ok::<(), epcis_edge_core::error::Error>(())
/// ```
///
/// **Source**: the XML schemas of EPCIS 1.2 and 2.0; XML Schema 1.0.
pub fn validate_xml(xml: &[u8]) -> Result<XmlVerdict, Error> {
    validate(&encoding::decode(xml)?)
}

/// Judges an EPCIS XML document that is text already, whatever encoding its declaration names: else as [`validate_xml`].
///
/// # Errors
/// As [`validate_xml`].
pub fn validate_xml_text(xml: &str) -> Result<XmlVerdict, Error> {
    validate(&encoding::checked(xml)?)
}

fn validate(text: &str) -> Result<XmlVerdict, Error> {
    let mut namespaces = Namespaces::new();
    let mut open = Vec::new();
    let judged = XmlReader::new(text).and_then(|mut reader| {
        reader.judge();
        loop {
            match reader.next(&mut namespaces)? {
                Token::Start { offset, .. } => open.push(offset as u32),
                Token::End => drop(open.pop()),
                Token::Text(_) => {}
                Token::Eof => return Ok(reader.judged()),
            }
        }
    });
    match judged {
        Ok(found) => Ok(verdict(text, found)),
        Err((fault, offset)) => {
            let path = path_of(text, &open);
            let place = Start::default().location(text, path, offset);
            Err(Error::at(ErrorKind::Xml(fault), place))
        }
    }
}

/// The path of the innermost of open elements.
fn path_of(text: &str, open: &[u32]) -> String {
    let steps = PathSteps::of_document(text, open.to_vec());
    steps.path(open)
}

/// The errors of a verdict, with their places, as far as they are told.
#[derive(Debug, Default)]
pub(super) struct Told {
    errors: Vec<XmlSchemaError>,
    length: usize,
    /// Whether there was one that found no room.
    pub(super) is_full: bool,
}

impl Told {
    /// Adds a finding at an element with its path, where that starts.
    pub(super) fn add(&mut self, finding: XmlFinding, mut path: String, start: Start) {
        path.push_str(&finding.suffix);
        self.length += path.len() + finding.message.len();
        self.is_full |= self.length > MAX_TOLD && !self.errors.is_empty();
        if self.is_full {
            return;
        }
        let Start { line, column } = start;
        self.errors.push(XmlSchemaError {
            path,
            line,
            column,
            keyword: finding.keyword,
            message: finding.message,
        });
    }

    /// What a judge found, all that it listed being told.
    pub(super) fn verdict(self, found: &Found) -> XmlVerdict {
        let mut errors = self.errors;
        if let Some(more) = found
            .total
            .checked_sub(errors.len())
            .filter(|more| *more > 0)
            && let Some(last) = errors.last_mut()
        {
            // INVARIANT: this one is the first of them.
            let _ = write!(
                last.message,
                "; {} errors from here on; the rest are not listed",
                more + 1
            );
        }
        XmlVerdict {
            valid: found.total == 0,
            schema: found.schema.into(),
            errors,
        }
    }
}

/// What a judge found, with its places.
pub(super) fn verdict(text: &str, mut found: Found) -> XmlVerdict {
    let steps = found.listed.iter().flat_map(|finding| &finding.elements);
    let steps = PathSteps::of_document(text, steps.copied().collect());
    let ends = found.listed.iter();
    let ends = ends.filter_map(|finding| finding.elements.last().copied());
    let starts = starts_of(text, LineCounter::default(), ends.collect());
    let mut told = Told::default();
    for finding in std::mem::take(&mut found.listed) {
        let path = if told.is_full {
            String::new()
        } else {
            steps.path(&finding.elements)
        };
        let start = finding.elements.last().and_then(|at| starts.get(at));
        told.add(finding, path, start.copied().unwrap_or_default());
    }
    told.verdict(&found)
}

/// Lines and columns of places in a text, where those of an earlier one are known.
pub(super) fn starts_of(
    text: &str,
    mut lines: LineCounter,
    mut offsets: Vec<u32>,
) -> BTreeMap<u32, Start> {
    sort_numbers(&mut offsets, &u32::cmp);
    let mut starts = BTreeMap::new();
    for offset in offsets {
        starts.insert(offset, lines.at(text, offset as usize));
    }
    starts
}

/// The steps of paths to some elements of a document, by where their start tags begin.
pub(super) struct PathSteps<'x>(BTreeMap<u32, (Name<'x>, u32)>);

impl<'x> PathSteps<'x> {
    /// Reads a document again.
    fn of_document(text: &'x str, wanted: Vec<u32>) -> Self {
        Self::of(|| XmlReader::new(text), &mut Namespaces::new(), wanted)
    }

    /// Reads a text again, twice: for the names of these elements, and to count those of the same names before them.
    pub(super) fn of(
        begin: impl Fn() -> Result<XmlReader<'x>, Fault>,
        namespaces: &mut Namespaces,
        mut wanted: Vec<u32>,
    ) -> Self {
        sort_numbers(&mut wanted, &u32::cmp);
        wanted.dedup();
        let Some(last) = wanted.last().copied() else {
            return Self(BTreeMap::new());
        };
        let mut names: BTreeMap<u32, BTreeMap<(Namespace, &str), u32>> = BTreeMap::new();
        // It was read up to there before.
        let _ = starts(begin(), namespaces, last, |parent, name, offset| {
            if wanted.binary_search(&offset).is_ok() {
                let named = (name.namespace, name.local);
                names.entry(parent).or_default().insert(named, 0);
            }
        });
        let mut steps = BTreeMap::new();
        let _ = starts(begin(), namespaces, last, |parent, name, offset| {
            let Some(counts) = names.get_mut(&parent) else {
                return;
            };
            if let Some(count) = counts.get_mut(&(name.namespace, name.local)) {
                *count += 1;
                if wanted.binary_search(&offset).is_ok() {
                    steps.insert(offset, (name, *count));
                }
            }
        });
        Self(steps)
    }

    /// The path of an element of the document, from those around it, outermost first.
    fn path(&self, elements: &[u32]) -> String {
        let mut path = String::new();
        if let Some((root, inner)) = elements.split_first() {
            if let Some((name, _)) = self.0.get(root) {
                path.push('/');
                name.push_to(&mut path);
            }
            self.push(inner, &mut path);
        }
        path
    }

    /// Appends the steps of elements, each inside of the one before it.
    pub(super) fn push(&self, elements: &[u32], path: &mut String) {
        for (name, count) in elements.iter().filter_map(|element| self.0.get(element)) {
            name.push_step(*count, path);
        }
    }
}

/// Tells of each start tag of a text up to one of them: that of the element around it, its name, and where it begins.
fn starts<'x>(
    reader: Result<XmlReader<'x>, Fault>,
    namespaces: &mut Namespaces,
    last: u32,
    mut tell: impl FnMut(u32, Name<'x>, u32),
) -> Result<(), Fault> {
    let mut reader = reader?;
    let mut open = Vec::new();
    loop {
        match reader.next(namespaces)? {
            Token::Start { name, offset } => {
                let offset = offset as u32;
                tell(open.last().copied().unwrap_or(u32::MAX), name, offset);
                if offset >= last {
                    return Ok(());
                }
                open.push(offset);
            }
            Token::End => drop(open.pop()),
            Token::Text(_) => {}
            Token::Eof => return Ok(()),
        }
    }
}
