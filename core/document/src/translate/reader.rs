//! Turns text into tokens, and checks well-formedness, namespaces and limits.
//!
//! A [`Reader`] is the state between two tokens, and borrows nothing. A [`Pass`] moves it over the text that has arrived: a
//! whole document, or the beginning of one. A token that the text cuts off is read by the next pass.
//! [`RawToken`] finds where a tag or a text ends; its content is read and checked here.

mod markup;
mod raw_token;
mod schema_check;
mod siblings;

use super::characters::{is_blank, is_ncname, is_space, line_ends, scan};
use super::limits::MAX_DEPTH;
use super::lines::{LineCounter, Start};
use super::namespace::{Binding, Name, Namespaces};
use crate::validate::{XmlSchemaError, XmlVerdict};
use epcis_edge_text::error::{Error, ErrorKind, Location, XmlFault};
use epcis_edge_text::slice::{Known, OrEmpty, Part};
pub(super) use markup::{Fault, Tag, TagAttribute};
use markup::{declaration, resolve};
use raw_token::{RawToken, RawTokenKind};
use schema_check::SchemaCheck;
use siblings::Siblings;
use std::borrow::Cow;

/// The next token of a document.
#[derive(Debug)]
pub(super) enum Token<'t> {
    /// A start tag: see [`Pass::tag`].
    Start,
    End,
    /// Part of a text; one text may come as several tokens.
    Text(Cow<'t, str>),
    /// The text that has arrived ends here, or inside the next token; more is to come.
    More,
    /// The end of a well-formed document.
    Eof,
}

/// The state between two tokens of a document.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// The number of bytes of the text that were read.
    at: usize,
    /// The number of bytes that were searched for characters forbidden in XML.
    seen: usize,
    has_return: bool,
    has_bracket: bool,
    /// The place in the document where the text starts.
    first: Start,
    open: Vec<OpenElement>,
    /// The names of the open elements as written, concatenated.
    names: String,
    siblings: Siblings,
    bindings: Vec<Binding>,
    pending_end: bool,
    /// Whether anything was read yet.
    is_begun: bool,
    seen_root: bool,
    seen_doctype: bool,
    pub(super) counts: MarkupCounts,
    /// The beginning of the value that the judge waits for.
    value: String,
    /// The check against the XML schema, if requested.
    schema_check: Option<Box<SchemaCheck>>,
}

/// The numbers of markup items that carry no data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MarkupCounts {
    pub(super) comments: usize,
    pub(super) processing_instructions: usize,
    pub(super) doctypes: usize,
}

#[derive(Clone, Copy, Debug)]
struct OpenElement {
    /// The start of its name in [`Reader::names`].
    name: usize,
    /// The number of bindings in force outside of it.
    bindings: usize,
    position: u32,
    place: Place,
}

/// The place of a start tag.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// The byte offset in the text that is being read.
    Here(usize),
    /// In a part of the document that was released.
    Before(Start),
}

impl Reader {
    /// Turns on the check against the XML schema, from here on.
    pub(super) fn judge(&mut self) {
        self.schema_check = Some(Box::default());
    }

    /// Returns the verdict on the document that was read; `None` without a judge.
    pub(super) fn verdict(&mut self) -> Option<XmlVerdict> {
        self.schema_check.take().map(|check| check.verdict())
    }

    /// Takes the schema errors reported so far.
    pub(super) fn take_errors(&mut self) -> Vec<XmlSchemaError> {
        self.list_findings();
        let check = self.schema_check.as_mut();
        check.map(|check| check.take_errors()).or_empty()
    }

    /// The number of bytes that it holds of the document.
    pub(super) fn size(&self) -> usize {
        self.value.len() + self.siblings.size()
    }

    /// The number of bytes of the text that were read.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Releases the first `length` bytes of the text: offsets are moved, and places before become lines and columns.
    pub(super) fn forget(&mut self, text: &str, length: usize) {
        let mut lines = LineCounter::from(self.first);
        for open in &mut self.open {
            match open.place {
                Place::Here(offset) if offset < length => {
                    open.place = Place::Before(lines.at(text, offset));
                }
                Place::Here(offset) => open.place = Place::Here(offset - length),
                Place::Before(_) => {}
            }
        }
        self.first = lines.at(text, length);
        self.at -= length;
        self.seen -= length;
    }

    /// Returns the path of the open element at this depth.
    fn path_to(&self, depth: usize) -> String {
        let mut path = String::new();
        for (number, open) in self.open.iter().take(depth).enumerate() {
            let end = self.open.get(number + 1).map_or(self.names.len(), |next| next.name);
            path.push('/');
            path.push_str(self.names.part(open.name..end));
            if number > 0 {
                Name::push_number(open.position, &mut path);
            }
        }
        path
    }

    /// The path of the innermost open element.
    pub(super) fn path(&self) -> String {
        self.path_to(self.open.len())
    }

    /// Returns a fault with its place: in the innermost open element, at a byte offset in the text.
    pub(super) fn error(&self, text: &str, (fault, offset): Fault) -> Error {
        self.error_in(text, self.path(), (fault, offset))
    }

    /// The same, with another path.
    pub(super) fn error_in(&self, text: &str, path: String, (fault, offset): Fault) -> Error {
        let fault = fault.at(text.part(offset..));
        Error::at(ErrorKind::Xml(fault), self.location(text, path, offset))
    }

    /// Returns the location of a byte offset in the text.
    pub(super) fn location(&self, text: &str, path: String, offset: usize) -> Location {
        self.first.location(text, path, offset)
    }

    /// Takes the findings of the judge, each with the path of its open element.
    #[cold]
    #[inline(never)]
    fn list_findings(&mut self) {
        let Some(mut check) = self.schema_check.take() else {
            return;
        };
        for finding in check.judge.findings.take_listed() {
            let open = finding.depth.checked_sub(1).and_then(|at| self.open.get(at));
            if !check.is_full
                && let Some(open) = open
            {
                check.list(self.path_to(finding.depth), open.place, finding);
            }
        }
        self.schema_check = Some(check);
    }
}

/// One reading over the text that has arrived.
#[derive(Debug, Default)]
pub(super) struct Pass<'t> {
    pub(super) reader: Reader,
    pub(super) text: &'t str,
    /// Whether the text is the end of the document.
    is_last: bool,
    name: Name<'t>,
    offset: usize,
    attributes: Vec<TagAttribute<'t>>,
    /// The number of bindings that the last start tag declared.
    declared: usize,
    /// The end of the value that the judge waits for, after the part in [`Reader::value`].
    value: &'t str,
}

impl<'t> Pass<'t> {
    /// Continues with a reader; the text begins where the reader's text began and may be longer.
    pub(super) fn new(reader: Reader, text: &'t str, is_last: bool) -> Self {
        Self { reader, text, is_last, ..Self::default() }
    }

    /// Checks the characters of the new text.
    pub(super) fn look(&mut self) -> Result<(), Fault> {
        let reader = &mut self.reader;
        if !reader.is_begun {
            let first = self.text.bytes().position(|byte| !is_space(byte));
            match first.map(|at| (at, self.text.as_bytes().get(at))) {
                None if self.is_last => return Err((XmlFault::Empty, 0)),
                Some((at, first)) if first != Some(&b'<') => return Err((XmlFault::NotXml, at)),
                _ => {}
            }
        }
        let new = self.text.part(reader.seen..);
        let scan = scan(new);
        if let Some(at) = scan.forbidden {
            return Err((XmlFault::Character, reader.seen + at));
        }
        reader.seen = self.text.len();
        reader.has_return |= scan.has_return;
        reader.has_bracket |= scan.has_bracket;
        Ok(())
    }

    /// Fails if the reader reports the end of the document before the end of the text: the rest would be lost.
    pub(super) fn check_end(&self) -> Result<(), Error> {
        if self.reader.at == self.text.len() {
            return Ok(());
        }
        Err(Error::impossible("the reader did not come to the end"))
    }

    /// Returns the reader, after the errors of the schema got their lines and columns.
    pub(super) fn end(mut self) -> Reader {
        self.reader.value.push_str(self.value);
        if let Some(check) = &mut self.reader.schema_check {
            check.place(self.text, self.reader.first);
        }
        self.reader
    }

    /// The start tag that was read last.
    pub(super) fn tag(&self) -> Tag<'_, 't> {
        let bindings = &self.reader.bindings;
        let outer = bindings.len().saturating_sub(self.declared);
        Tag {
            name: self.name,
            attributes: &self.attributes,
            declared: bindings.part(outer..),
            offset: self.offset,
            position: self.reader.open.last().map_or(0, |open| open.position),
        }
    }

    /// The declarations in force.
    pub(super) fn bindings(&self) -> &[Binding] {
        &self.reader.bindings
    }

    pub(super) fn next(&mut self, namespaces: &mut Namespaces) -> Result<Token<'t>, Fault> {
        if std::mem::take(&mut self.reader.pending_end) {
            self.close();
            return Ok(Token::End);
        }
        loop {
            let start = self.reader.at;
            let Some(rest) = self.text.get(start..) else {
                return Ok(Token::Eof);
            };
            let token = match RawToken::of(rest) {
                Ok(token) => token,
                Err((XmlFault::Truncated, _)) if !self.is_last => return Ok(Token::More),
                Err((fault, at)) => return Err((fault, start + at)),
            };
            let Some(mut markup) = rest.get(..token.length) else {
                return Ok(Token::Eof);
            };
            if token.kind == RawTokenKind::Text && !self.is_last && token.length == rest.len() {
                // Only the following text shows whether this is a line end, part of a `]]>`, or a text where none may be.
                markup = markup.trim_end_matches(['\r', ']']);
                if markup.is_empty() || self.reader.open.is_empty() && is_blank(markup) {
                    return Ok(Token::More);
                }
            }
            let is_begun = self.reader.is_begun;
            self.reader.is_begun |= !markup.is_empty();
            self.reader.at = start + markup.len();
            let is_outside = self.reader.open.is_empty();
            match token.kind {
                RawTokenKind::Start => {
                    self.start(markup, start, namespaces)?;
                    return Ok(Token::Start);
                }
                RawTokenKind::End => {
                    self.end_tag(markup, start)?;
                    return Ok(Token::End);
                }
                RawTokenKind::Text => {
                    if self.reader.has_bracket
                        && let Some(at) = markup.find("]]>")
                    {
                        let expected = "`]]&gt;` where a text has these characters";
                        return Err((XmlFault::Syntax(expected), start + at));
                    }
                    if !is_outside {
                        return Ok(self.text(self.lines(markup)));
                    }
                    if !is_blank(markup) {
                        return Err((XmlFault::OutsideRoot, start));
                    }
                }
                RawTokenKind::Data | RawTokenKind::Reference if is_outside => {
                    return Err((XmlFault::OutsideRoot, start));
                }
                RawTokenKind::Data => {
                    let inside = markup
                        .strip_prefix("<![CDATA[")
                        .and_then(|inside| inside.strip_suffix("]]>"))
                        .known();
                    return Ok(self.text(self.lines(inside)));
                }
                RawTokenKind::Reference => {
                    let name = markup.trim_start_matches('&').trim_end_matches(';');
                    let character = resolve(name, start)?;
                    return Ok(self.text(Cow::Owned(character.to_string())));
                }
                RawTokenKind::Comment => self.reader.counts.comments += 1,
                RawTokenKind::Instruction => {
                    processing_instruction(markup, start)?;
                    self.reader.counts.processing_instructions += 1;
                }
                RawTokenKind::Declaration => declaration(markup, start, is_begun)?,
                RawTokenKind::Doctype => self.doctype(markup, start)?,
                RawTokenKind::Eof if !self.is_last => return Ok(Token::More),
                RawTokenKind::Eof if !is_outside => return Err((XmlFault::Truncated, start)),
                RawTokenKind::Eof if !self.reader.seen_root => {
                    return Err((XmlFault::Syntax("a document element"), start));
                }
                RawTokenKind::Eof => return Ok(Token::Eof),
            }
        }
    }

    fn text(&mut self, text: Cow<'t, str>) -> Token<'t> {
        if let Some(check) = &mut self.reader.schema_check
            && check.judge.text(&text)
        {
            // Most values are one slice of the text, which need not be copied.
            self.reader.value.push_str(self.value);
            self.value = match text {
                Cow::Borrowed(text) => text,
                Cow::Owned(ref text) => {
                    self.reader.value.push_str(text);
                    ""
                }
            };
        }
        Token::Text(text)
    }

    /// Ends the innermost element.
    fn close(&mut self) {
        let reader = &mut self.reader;
        if let Some(check) = &mut reader.schema_check {
            if reader.value.is_empty() {
                check.judge.end(self.value);
            } else {
                reader.value.push_str(self.value);
                check.judge.end(&reader.value);
                reader.value.clear();
            }
            self.value = "";
            // The findings since the last end tag are at elements that are still open.
            if check.judge.findings.has_listed() {
                reader.list_findings();
            }
        }
        if let Some(open) = reader.open.pop() {
            reader.bindings.truncate(open.bindings);
            reader.names.truncate(open.name);
        }
    }

    fn lines(&self, text: &'t str) -> Cow<'t, str> {
        if self.reader.has_return { line_ends(text) } else { Cow::Borrowed(text) }
    }

    fn start(
        &mut self,
        markup: &'t str,
        offset: usize,
        namespaces: &mut Namespaces,
    ) -> Result<(), Fault> {
        let is_empty = markup.ends_with("/>");
        if self.reader.open.is_empty() && self.reader.seen_root {
            return Err((XmlFault::OutsideRoot, offset));
        }
        if self.reader.open.len() == MAX_DEPTH {
            return Err((XmlFault::Depth(MAX_DEPTH), offset));
        }
        self.reader.seen_root = true;
        let tail = if is_empty { 2 } else { 1 };
        let inside = markup.part(1..markup.len() - tail.min(markup.len()));
        let outer = self.reader.bindings.len();
        self.attributes.clear();
        let length = inside.bytes().position(is_space).unwrap_or(inside.len());
        let (qualified, rest) = inside.split_at_checked(length).known();
        if !rest.is_empty() {
            self.read_attributes(rest, offset + 1 + length, namespaces)?;
        }
        self.declared = self.reader.bindings.len() - outer;
        self.name = self.resolve(qualified, offset + 1, true)?;
        self.resolve_attributes()?;
        self.offset = offset;
        let reader = &mut self.reader;
        let position = reader.siblings.count(reader.open.len(), &self.name);
        reader.open.push(OpenElement {
            name: reader.names.len(),
            bindings: outer,
            position,
            place: Place::Here(offset),
        });
        reader.names.push_str(qualified);
        reader.pending_end = is_empty;
        if let Some(check) = &mut reader.schema_check {
            self.value = "";
            reader.value.clear();
            check.judge.start(&markup::TagForJudge {
                name: self.name,
                attributes: &self.attributes,
                bindings: &reader.bindings,
                namespaces,
            });
        }
        Ok(())
    }

    fn end_tag(&mut self, markup: &str, offset: usize) -> Result<(), Fault> {
        let open = self.reader.open.last();
        let expected = open.and_then(|open| self.reader.names.get(open.name..));
        let name = markup.part(2..markup.len().saturating_sub(1));
        if expected == Some(name)
            || expected == Some(name.trim_end_matches([' ', '\n', '\t', '\r']))
        {
            self.close();
            return Ok(());
        }
        let found = name.trim_end_matches([' ', '\n', '\t', '\r']).to_owned();
        let expected = expected.unwrap_or("").to_owned();
        Err((XmlFault::EndTag { expected, found }, offset))
    }

    /// Accepts a bare `<!DOCTYPE name>`, which declares nothing and occurs in many public files; anything more is refused.
    fn doctype(&mut self, markup: &str, offset: usize) -> Result<(), Fault> {
        if self.reader.seen_root || self.reader.seen_doctype {
            return Err((XmlFault::OutsideRoot, offset));
        }
        let inside = markup.part("<!DOCTYPE".len()..).strip_suffix('>').unwrap_or("");
        let name = inside.trim_matches([' ', '\n', '\t', '\r']);
        let plain = name.split(':').all(is_ncname);
        if !plain || !inside.starts_with([' ', '\n', '\t', '\r']) {
            return Err((XmlFault::Doctype, offset));
        }
        self.reader.seen_doctype = true;
        self.reader.counts.doctypes += 1;
        Ok(())
    }
}

fn processing_instruction(markup: &str, offset: usize) -> Result<(), Fault> {
    let target = markup.part(2..).split([' ', '\n', '\t', '\r', '?']).next().known();
    if is_ncname(target) && !target.eq_ignore_ascii_case("xml") {
        return Ok(());
    }
    Err((XmlFault::Syntax("the name of a processing instruction other than `xml`"), offset + 2))
}
