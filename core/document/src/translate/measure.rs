//! Measures a translation: the output is translated back and compared with its source, piece by piece, and the envelope at the end.
//!
//! An envelope holds only the number of pieces in each list: in the source the number read, in the output the number compared.
//! The latter is trusted only if the compared pieces account for every byte of the list.
//!
//! The rules of the mapper report what JSON cannot hold; the measurement does not trust them. A difference that no rule reported is a
//! lossy path `measured-difference`. `FidelityReport::unmeasured_losses` counts the reverse.
//!
//! - Not data in an envelope: `schemaVersion`, the location of a schema, prefixes as such, wrappers, empty containers. Of a standard
//!   header only sender, receiver and instanceIdentifier count as coming back. Its copy must still be complete.
//! - An element that would need more than 80 MB with everything else in memory (16 MiB are always granted) is reported as
//!   `not-measured`. The sizes added up are those of wasm, so the answer is the same on every machine.
//!
//! Why is the envelope compared as a tree, and not as a list of paths and values?
//! A list needs less memory for a part that is lost as a whole, but the paths of the report and the losses by rule must be kept beside
//! it, and events need the tree in any case.

use super::comparison::{PredictedLosses, TreeComparison};
use super::envelope::PIECES;
use super::envelope::SBDH_MEMBER;
use super::findings::{PieceFinding, PieceFindings, whole};
use super::hash::{GivenPrefixes, fill};
use super::json_to_xml::{
    NameSource, Table, XmlBuilder, XmlPrefixes, decoded_names, envelope_names,
};
use super::kinds::{Family, Root};
use super::namespace::{Namespace, Namespaces};
use super::output_context::OutputContext;
use super::plain_proof::is_plain;
use super::reader::{Pass, Reader, Token};
use super::report::{self, FidelityReport};
use super::tree::ElementPart;
use super::tree::{Element, XmlTree};
use super::walk::Walk;
use crate::hash::HashComparison;
use crate::hash::tree::Ignored;
use epcis_edge_text::json::{Document, Value};
use epcis_edge_text::order::sort_stably_by;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// The memory for a document and the translation back, in bytes: a Worker has 128 MB, and its JavaScript needs some 30.
const MEMORY_LIMIT: usize = 80_000_000;

/// The memory always granted to the translation back of one piece, in bytes.
const MIN_ROOM: usize = 16 << 20;

/// The kind of a piece that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    Event,
    VocabularyElement,
}

/// The meanings of names, in the source and in the output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meanings<'m> {
    namespaces: &'m Namespaces,
    context: &'m OutputContext,
    family: Family,
    root: Root,
}

impl<'m> Meanings<'m> {
    /// The meanings in a document that is being read.
    pub(super) fn of(walk: &'m Walk, context: &'m OutputContext) -> Self {
        Self { namespaces: &walk.namespaces, context, family: walk.family, root: walk.root }
    }
}

/// Compares pieces with their sources, and reuses its memory for the next piece.
#[derive(Debug, Default)]
pub(super) struct RoundTripCheck {
    /// Whether nothing is compared.
    pub(super) is_off: bool,
    /// The tree translated back last.
    back: XmlTree,
    comparison: TreeComparison,
    hashes: HashComparison,
}

impl RoundTripCheck {
    /// Compares the output of a piece with its source, and adds the differences that no rule predicted; `taken` is the number of
    /// bytes in use already.
    pub(super) fn piece(
        &mut self,
        (source, kind): (&XmlTree, PieceKind),
        (written, taken): (&str, usize),
        meanings: Meanings<'_>,
        findings: &mut PieceFindings,
        report: &mut FidelityReport,
    ) {
        let is_plain = kind == PieceKind::Event
            && is_plain(source.root(), written, meanings.context, meanings.family);
        if is_plain && !COMPARES_ALL.load(Ordering::Relaxed) {
            return;
        }
        let is_reordered = |finding: &PieceFinding| finding.code == report::SIBLING_ORDER;
        let rehashed = if findings.iter().any(is_reordered) { 6 * written.len() } else { 0 };
        // The cost: the tree translated back, eight bytes per value and name of the JSON, and both hashes. Texts occur four
        // more times, those that JSON writes in other bytes up to seven times.
        let cost = 3 * source.weight()
            + 20 * source.items()
            + 64 * findings.len()
            + 5 * source.escaped_length()
            + rehashed;
        let room = MEMORY_LIMIT.saturating_sub(taken + source.weight()).max(MIN_ROOM);
        let is_measurable = cost <= room && !self.is_off;
        if is_plain && !is_measurable {
            return;
        }
        if !is_measurable {
            report.add_unmeasured(1);
            return findings.push(whole(report::NOT_MEASURED, None));
        }
        let document = match Document::read_text(written) {
            Ok(document) => document,
            Err(error) => {
                let text = Some(error.to_string());
                return findings.push(whole(report::MEASURED_DIFFERENCE, text));
            }
        };
        let before = (findings.len(), report.measured_differences());
        self.compare_trees((source, kind), &document, meanings, findings, report);
        // A loss explains a different hash; without a loss the hashes must be equal.
        let is_lossy = |finding: &PieceFinding| finding.code.is_lossy();
        if kind == PieceKind::Event && !findings.iter().any(is_lossy) {
            self.compare_hashes(source, &document, meanings, findings, report);
        }
        debug_assert!(
            !is_plain || (findings.len(), report.measured_differences()) == before,
            "{findings:?} {written}"
        );
    }

    /// Translates the output back and compares it with its source.
    fn compare_trees(
        &mut self,
        (source, kind): (&XmlTree, PieceKind),
        document: &Document<'_>,
        meanings: Meanings<'_>,
        findings: &mut PieceFindings,
        report: &mut FidelityReport,
    ) {
        let root = source.root();
        let decoded = decoded_names(document);
        let names = NameSource::Given(meanings.context, &decoded);
        self.back.clear();
        let mut back = XmlBuilder::new(names, meanings.family, std::mem::take(&mut self.back));
        match kind {
            PieceKind::Event => {
                back.event(document.root());
            }
            PieceKind::VocabularyElement => back.vocabulary_element(document.root()),
        }
        if back.tree.is_empty() {
            let text = "it is lost in a round trip".to_owned();
            findings.push(whole(report::MEASURED_DIFFERENCE, Some(text)));
            self.comparison.differences.clear();
        } else {
            self.comparison.compare(root, back.tree.root());
        }
        self.back = back.tree;
        let mut predicted = PredictedLosses::of(findings);
        for difference in &self.comparison.differences {
            let is_version = match difference.place {
                ElementPart::Attribute(number) if kind == PieceKind::Event => {
                    let attribute = root.attributes().get(number);
                    difference.element == 0
                        && attribute.is_some_and(|found| found.name.local == "schemaVersion")
                }
                _ => false,
            };
            if is_version {
                continue;
            }
            report.add_measured(1);
            if !predicted.explains(difference, root) {
                let code = report::MEASURED_DIFFERENCE;
                findings.push(PieceFinding::new(difference.element, difference.place, code));
            }
        }
        report.add_unmeasured(predicted.unmeasured(root));
    }

    /// Compares the hash of the output with the hash of its source.
    fn compare_hashes(
        &mut self,
        source: &XmlTree,
        document: &Document<'_>,
        meanings: Meanings<'_>,
        findings: &mut PieceFindings,
        report: &mut FidelityReport,
    ) {
        let event = (source.root(), meanings.root);
        let tree = &mut self.hashes.tree;
        fill(tree, event, meanings.namespaces, &Ignored::default());
        let prefixes = GivenPrefixes(meanings.context, meanings.namespaces);
        if !self.hashes.is_same(document.root(), &prefixes) {
            report.add_measured(1);
            findings.push(whole(report::EVENT_HASH_CHANGED, None));
        }
    }
}

/// Whether to compare even the events whose text alone proves that nothing is lost: what is built with debug assertions does, and
/// panics where text and comparison disagree.
static COMPARES_ALL: AtomicBool = AtomicBool::new(cfg!(debug_assertions));

/// Compares, from now on, only what a release compares: for tests that measure time and memory.
pub fn compare_as_a_release() {
    COMPARES_ALL.store(false, Ordering::Relaxed);
}

/// The output of an envelope.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenEnvelope<'e> {
    pub(super) source: &'e XmlTree,
    /// The JSON of the envelope, in which each list holds only the number of its pieces.
    pub(super) text: &'e str,
    /// The containers that the content of repeated ones was joined to.
    pub(super) joined: &'e BTreeSet<usize>,
}

/// Compares an envelope with its source, and adds the differences that no rule predicted.
///
/// The copy of the header that is kept beside the three standard fields does not count as restored, but it must be complete.
pub(super) fn measure_envelope(
    envelope: WrittenEnvelope<'_>,
    meanings: Meanings<'_>,
    findings: &mut PieceFindings,
    report: &mut FidelityReport,
) {
    match envelope_differences(envelope, meanings, findings, report) {
        Ok(found) => found.into_iter().for_each(|finding| findings.push(finding)),
        // The JSON was written by this translation, so it should be readable.
        Err(error) => findings.push(whole(report::MEASURED_DIFFERENCE, Some(error))),
    }
}

fn envelope_differences(
    envelope: WrittenEnvelope<'_>,
    meanings: Meanings<'_>,
    findings: &PieceFindings,
    report: &mut FidelityReport,
) -> Result<Vec<PieceFinding>, String> {
    let document = Document::read_text(envelope.text).map_err(|error| error.to_string())?;
    let root = document.root();
    let mut namespaces = meanings.namespaces.clone();
    let mut prefixes = XmlPrefixes::of(root);
    let mut found = Vec::new();
    let mut add = |element, place, text: Option<String>| {
        let finding = PieceFinding::new(element, place, report::MEASURED_DIFFERENCE);
        found.push(finding.with(None, text));
    };
    if let Some(prefix) = unbound_prefix(meanings.context, &mut prefixes, &mut namespaces) {
        let text = format!("`@context` does not bind the prefix `{prefix}` as it is used");
        add(0, ElementPart::Element, Some(text));
        report.add_measured(1);
    }
    if matches!(meanings.root, Root::Event(_)) {
        return Ok(found);
    }
    let source = envelope.source.root();
    // This takes as much memory as the other comparisons together, so it is done before them.
    let header = header_not_kept(source, root, &mut namespaces);
    let mut predicted = PredictedLosses::of(findings);
    let mut table = Table::new();
    let kind = meanings.root.in_json();
    envelope_names(root, kind, &mut prefixes, &mut namespaces, &mut table);
    let mut back = XmlBuilder::new(NameSource::Table(&table), meanings.family, XmlTree::default());
    back.is_measured = true;
    back.envelope(root, kind);
    let mut comparison = TreeComparison::default();
    comparison.compare_envelopes(source, back.tree.root());
    report.add_measured(comparison.differences.len());
    for difference in &comparison.differences {
        let element = source.at(difference.element);
        let list = element.parent().filter(|_| element.local() == PIECES);
        let is_joined = |element: Element<'_>| envelope.joined.contains(&element.index());
        if predicted.explains(difference, source)
            || is_joined(element)
            || list.is_some_and(is_joined)
        {
            continue;
        }
        match list {
            Some(list) => {
                let text = "what the output has for the elements of this list is not what was compared with them";
                add(list.index(), ElementPart::Element, Some(text.to_owned()));
            }
            None => add(difference.element, difference.place, None),
        }
    }
    if let Some(header) = header {
        report.add_measured(1);
        if !predicted.has(header, ElementPart::Element) {
            let text = "what is kept of the header is not the whole of it".to_owned();
            add(header, ElementPart::Element, Some(text));
        }
    }
    report.add_unmeasured(predicted.unmeasured(source));
    sort_stably_by(&mut found, &|one, other| one.element.cmp(&other.element));
    Ok(found)
}

/// Returns a prefix that the output uses for one namespace although its `@context` binds it to another.
fn unbound_prefix(
    context: &OutputContext,
    prefixes: &mut XmlPrefixes,
    namespaces: &mut Namespaces,
) -> Option<String> {
    context.given().into_iter().find_map(|(prefix, namespace)| {
        let mut table = Table::new();
        let key = format!("{prefix}:a");
        prefixes.add(&key, namespaces, &mut table);
        let resolved = table.get(&key).map(|resolved| resolved.namespace);
        (resolved != Some(namespace)).then_some(prefix)
    })
}

/// Returns the number of the first Standard Business Document Header of the source, if the output does not keep the same header.
fn header_not_kept(
    source: Element<'_>,
    output: Value<'_>,
    namespaces: &mut Namespaces,
) -> Option<usize> {
    let headers = source.children().filter(|child| child.is("EPCISHeader"));
    let header =
        headers.flat_map(Element::children).find(|child| child.namespace() == Namespace::SBDH)?;
    let kept = output.get(SBDH_MEMBER).and_then(Value::as_str);
    let is_kept = kept.and_then(|kept| is_same_header(header, &kept, namespaces));
    (is_kept != Some(true)).then(|| header.index())
}

/// Whether a text is the same header element; `None` if it is not well-formed.
///
/// It is compared child by child: a second tree of a long header would be the largest object in memory.
fn is_same_header(header: Element<'_>, text: &str, namespaces: &mut Namespaces) -> Option<bool> {
    let mut pass = Pass::new(Reader::default(), text, true);
    pass.look().ok()?;
    let mut comparison = TreeComparison::default();
    let mut children = header.children();
    // The element without its children, and the child that is being read.
    let (mut outer, mut child) = (XmlTree::default(), XmlTree::default());
    let mut has_child = false;
    loop {
        match pass.next(namespaces).ok()? {
            Token::Start if outer.is_empty() => outer.start(&pass.tag(), 0),
            Token::Start => {
                has_child = true;
                child.start(&pass.tag(), 0);
            }
            Token::Text(text) if child.is_open() => child.text(text),
            Token::Text(text) if has_child => outer.stray_text(text),
            Token::Text(text) => outer.text(text),
            Token::End if !child.is_open() => outer.close(),
            Token::End => {
                child.close();
                if child.is_open() {
                    continue;
                }
                outer.end_text();
                let Some(source) = children.next() else {
                    return Some(false);
                };
                comparison.compare_extensions(source, child.root());
                if !comparison.differences.is_empty() {
                    return Some(false);
                }
                child.clear();
            }
            Token::More => return None,
            Token::Eof => break,
        }
    }
    comparison.compare_alone(header, outer.root());
    Some(children.next().is_none() && comparison.differences.is_empty())
}
