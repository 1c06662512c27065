//! Walks through a document: enters its containers, and reads each other element into one tree, piece by piece.
//!
//! INVARIANT: between two steps the walk holds only the open containers and one tree.

use super::characters::trimmed;
use super::envelope::{Child, Container, EnvelopeNode, child};
use super::kinds::{EventKind, Family, Root};
use super::limits::MAX_ELEMENTS;
use super::namespace::Namespaces;
use super::reader::{Fault, Pass, Reader, Tag, Token};
use super::tree::XmlTree;
use epcis_edge_text::error::{Error, XmlFault};
use std::borrow::Cow;

/// The next step through a document.
#[derive(Debug)]
pub(super) enum Step<'t> {
    /// The document element, if it is not an event.
    Root,
    /// The start of a container; [`Pass::tag`] is its start tag.
    Enter(Container),
    /// Text directly inside a container.
    Text(Cow<'t, str>),
    /// A whole element that is not a container: see [`Walk::tree`].
    Piece(Child),
    Leave(Container),
    /// More of the document is to come.
    More,
    End,
}

/// The state of a walk through a document.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) namespaces: Namespaces,
    pub(super) root: Root,
    pub(super) family: Family,
    /// `1.0`, `1.1`, `1.2` or `2.0`, once the document element was read.
    pub(super) version: &'static str,
    /// The `schemaVersion` of the document element, if it does not agree with the namespace.
    pub(super) contradiction: Option<String>,
    open: Vec<Container>,
    /// The piece that is being read, or the one that was read last.
    pub(super) tree: XmlTree,
    /// The kind of the piece that is being read.
    piece: Option<Child>,
    /// The byte offset of the piece in the text.
    pub(super) start: usize,
    /// Whether results were found, and whether the body has any content that can be translated.
    pub(super) has_results: bool,
    has_content: bool,
    /// Whether a body with another kind of message is walked through instead of refused.
    takes_messages: bool,
    /// Whether the open vocabulary has its list of elements already.
    has_list: bool,
}

impl Walk {
    /// Returns the length of the text that is not needed any more: the part before the piece that is being read.
    pub(super) fn passed(&self, reader: &Reader) -> usize {
        match self.piece {
            Some(_) => self.start,
            None => reader.offset(),
        }
    }

    /// Releases the first `length` bytes of the text.
    pub(super) fn forget(&mut self, length: usize) {
        self.start = self.start.saturating_sub(length);
    }

    /// The holder of the innermost container.
    pub(super) fn holder(&self) -> Option<EnvelopeNode> {
        self.open.last().map(|open| open.holder)
    }

    /// Whether the innermost container is a wrapper.
    pub(super) fn is_in_extension(&self) -> bool {
        self.open.last().is_some_and(|open| open.in_extension)
    }

    /// The path of the piece that was read last.
    pub(super) fn path(&self, reader: &Reader) -> String {
        let mut path = reader.path();
        if let Root::Event(_) = self.root {
            path.push('/');
            self.tree.root().name().push_to(&mut path);
        } else {
            self.tree.root().push_step(&mut path);
        }
        path
    }

    /// Returns a fault with its place.
    pub(super) fn error(&self, pass: &Pass<'_>, (fault, offset): Fault) -> Error {
        let mut path = pass.reader.path();
        if matches!(fault, XmlFault::SchemaVersion(..)) {
            path.push_str("/@schemaVersion");
        }
        pass.reader.error_in(pass.text, path, (fault, offset))
    }

    /// Reads up to the next step.
    pub(super) fn step<'t>(&mut self, pass: &mut Pass<'t>) -> Result<Step<'t>, Fault> {
        if let Some(child) = self.piece {
            return self.piece(pass, child);
        }
        match pass.next(&mut self.namespaces)? {
            Token::Start if self.open.is_empty() => self.document_element(pass),
            Token::Start => self.child(pass),
            Token::Text(text) => Ok(Step::Text(text)),
            Token::End => match self.open.pop() {
                Some(container) => Ok(Step::Leave(container)),
                None => Err((XmlFault::Truncated, pass.reader.offset())),
            },
            Token::More => Ok(Step::More),
            Token::Eof => Ok(Step::End),
        }
    }

    fn document_element<'t>(&mut self, pass: &mut Pass<'t>) -> Result<Step<'t>, Fault> {
        self.begin(&pass.tag())?;
        if let Root::Event(kind) = self.root {
            return self.begin_piece(pass, Child::Event(kind));
        }
        self.open.push(Container::of(EnvelopeNode::Document));
        Ok(Step::Root)
    }

    /// Determines the kind and the version of the document from its document element.
    fn begin(&mut self, tag: &Tag<'_, '_>) -> Result<(), Fault> {
        let name = tag.name;
        let kind = EventKind::of(name.local);
        self.root = match (name.local, kind) {
            _ if !name.namespace.is_standard() => return Err(foreign(tag)),
            ("EPCISDocument", _) => Root::Document,
            ("EPCISQueryDocument", _) => Root::Query,
            ("EPCISMasterDataDocument", _) => Root::MasterData,
            (_, Some(kind)) => Root::Event(kind),
            _ => return Err(foreign(tag)),
        };
        let written = tag
            .attributes
            .iter()
            .find(|attribute| {
                attribute.name.local == "schemaVersion" && attribute.name.prefix.is_empty()
            })
            .map(|attribute| trimmed(&attribute.value).to_owned());
        let claimed = match written.as_deref().map(decimal_version) {
            None => None,
            Some(Ok(claimed)) => claimed,
            Some(Err(found)) => return Err((XmlFault::SchemaVersion(found), tag.offset)),
        };
        let uri = self.namespaces.name(name.namespace);
        self.family = match (uri.as_bytes().last(), claimed) {
            (Some(b'1'), _) => Family::One,
            (Some(b'2'), _) => Family::Two,
            (_, Some((1, _))) => Family::One,
            _ => Family::Two,
        };
        self.version = match (self.family, claimed) {
            (Family::One, Some((1, 0))) => "1.0",
            (Family::One, Some((1, 1))) => "1.1",
            // Without a known version, a 1.x document is read as 1.2, which includes the others.
            (Family::One, _) => "1.2",
            (Family::Two, _) => "2.0",
        };
        let is_first = self.family == Family::One;
        let agrees = claimed.is_some_and(|(major, _)| (major == 1) == is_first);
        self.contradiction = written.filter(|_| !agrees);
        Ok(())
    }

    fn child<'t>(&mut self, pass: &mut Pass<'t>) -> Result<Step<'t>, Fault> {
        let (name, offset) = (pass.tag().name, pass.tag().offset);
        let container = self.open.last().copied().unwrap_or(Container::of(EnvelopeNode::Document));
        let mut child = child(self.root, container, name);
        if let Child::Container(inner) = child {
            // A second container of these kinds is not accepted.
            let is_second = match inner.holder {
                EnvelopeNode::QueryResults if !inner.in_extension => {
                    std::mem::replace(&mut self.has_results, true)
                }
                EnvelopeNode::VocabularyElementList => std::mem::replace(&mut self.has_list, true),
                _ => false,
            };
            if !is_second {
                self.enter(inner);
                return Ok(Step::Enter(inner));
            }
            child = Child::Unknown;
        }
        // A body with neither events nor results is another kind of message.
        let is_body = container == Container::of(EnvelopeNode::Body) && !self.takes_messages;
        if is_body && child == Child::Unknown && name.namespace.is_standard() && !self.has_content {
            return Err((XmlFault::UnsupportedBody(name.local.to_owned()), offset));
        }
        self.begin_piece(pass, child)
    }

    fn enter(&mut self, container: Container) {
        use EnvelopeNode as H;
        match container.holder {
            H::Vocabulary if !container.in_extension => self.has_list = false,
            H::EventList | H::QueryResults | H::VocabularyList => self.has_content = true,
            _ => {}
        }
        self.open.push(container);
    }

    fn begin_piece<'t>(&mut self, pass: &mut Pass<'t>, child: Child) -> Result<Step<'t>, Fault> {
        self.tree.clear();
        self.start = pass.tag().offset;
        self.tree.start(&pass.tag(), 0);
        self.piece = Some(child);
        self.piece(pass, child)
    }

    /// Continues reading a piece.
    fn piece<'t>(&mut self, pass: &mut Pass<'t>, child: Child) -> Result<Step<'t>, Fault> {
        loop {
            match pass.next(&mut self.namespaces)? {
                Token::Start => {
                    let tag = pass.tag();
                    self.tree.start(&tag, tag.offset - self.start);
                    if self.tree.items() > MAX_ELEMENTS {
                        return Err((XmlFault::Elements(MAX_ELEMENTS), tag.offset));
                    }
                }
                Token::End => {
                    self.tree.close();
                    if !self.tree.is_open() {
                        self.piece = None;
                        return Ok(Step::Piece(child));
                    }
                }
                Token::Text(text) => self.tree.text(text),
                Token::More => return Ok(Step::More),
                Token::Eof => return Err((XmlFault::Truncated, pass.reader.offset())),
            }
        }
    }
}

/// Calls `visit` with each piece of a document; its tree is overwritten by the next piece.
///
/// # Errors
/// As [`translate`](super::translate), as far as the document is read.
pub(super) fn for_each_piece(text: &str, visit: &mut dyn FnMut(&Walk, Child)) -> Result<(), Error> {
    let mut walk = Walk { takes_messages: true, ..Walk::default() };
    let mut pass = Pass::new(Reader::default(), text, true);
    let mut read = |walk: &mut Walk| {
        pass.look()?;
        loop {
            match walk.step(&mut pass)? {
                Step::Piece(child) => visit(walk, child),
                Step::End | Step::More => return Ok(()),
                _ => {}
            }
        }
    };
    let read = read(&mut walk);
    read.map_err(|fault| walk.error(&pass, fault))?;
    pass.check_end()
}

fn foreign(tag: &Tag<'_, '_>) -> Fault {
    let mut found = String::new();
    tag.name.push_to(&mut found);
    (XmlFault::ForeignRoot(found), tag.offset)
}

/// Returns the major and minor number of a `schemaVersion`, a decimal number of XML Schema: `01.20` is 1.2. `None` if EPCIS has no
/// such version.
///
/// # Errors
/// The text, if it is not such a number.
fn decimal_version(text: &str) -> Result<Option<(u32, u32)>, String> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (major, minor) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(major) || !is_number(minor) || major.is_empty() && minor.is_empty() {
        return Err(text.to_owned());
    }
    if text.starts_with('-') {
        return Ok(None);
    }
    let (major, minor) = (major.trim_start_matches('0'), minor.trim_end_matches('0'));
    Ok(match (major, minor) {
        ("1", "") => Some((1, 0)),
        ("1", "1") => Some((1, 1)),
        ("1", "2") => Some((1, 2)),
        ("2", "") => Some((2, 0)),
        _ => None,
    })
}
