//! From text to tokens: well-formedness, namespaces and limits.
//!
//! [`RawToken`] tells where a tag or a text ends; what is inside of it is read and checked here.

mod judging;
mod raw_token;
mod section;

pub(super) use raw_token::{RawToken, RawTokenKind};
pub(super) use section::{Section, Suspended};

use super::characters::{is_blank, is_ncname, is_space, line_ends, scan};
use super::limits::{
    MAX_ATTRIBUTES, MAX_DEPTH, MAX_DOCUMENT_NAMESPACES, MAX_NAME_LENGTH, MAX_NAMESPACES,
};
pub(super) use super::markup::Fault;
use super::markup::{attribute_value, declaration, resolve};
use super::namespace::{Name, Namespace, Namespaces};
use crate::error::XmlFault;
use crate::validate::xml::Judge;
use judging::Opened;
use std::borrow::Cow;

/// One attribute, its value normalised; namespace declarations are none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attribute<'x> {
    pub(crate) name: Name<'x>,
    pub(crate) value: Cow<'x, str>,
}

/// A prefix and the namespace that a declaration binds it to; the empty prefix is the default namespace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Binding<'x> {
    pub(crate) prefix: &'x str,
    pub(crate) namespace: Namespace,
}

/// What the reader hands out; of a start tag, attributes and declarations lie in the reader until the next token.
#[derive(Debug)]
pub(super) enum Token<'x> {
    Start {
        name: Name<'x>,
        offset: usize,
    },
    End,
    /// Part of a text; neighbours of one text may come apart.
    Text(Cow<'x, str>),
    /// The end of the document, well-formed as it was.
    Eof,
}

pub(super) struct XmlReader<'x> {
    text: &'x str,
    /// How many bytes were read.
    at: usize,
    has_return: bool,
    has_bracket: bool,
    open: Vec<OpenTag<'x>>,
    bindings: Vec<Binding<'x>>,
    pub(super) attributes: Vec<Attribute<'x>>,
    /// How many of `bindings` the last start tag declared.
    pub(super) declared: usize,
    pending_end: bool,
    seen_root: bool,
    seen_doctype: bool,
    pub(super) counts: MarkupCounts,
    /// When this is a section of a document that comes in sections.
    section: Option<Section<'x>>,
    /// Where the next section is to start, when that is before the end of what was read.
    stopped: Option<usize>,
    /// Who judges the document by its schema, if anybody does.
    pub(super) judge: Option<Box<Judge<'x>>>,
}

/// What is in a document without being data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MarkupCounts {
    pub(super) comments: usize,
    pub(super) processing_instructions: usize,
    pub(super) doctypes: usize,
}

struct OpenTag<'x> {
    name: &'x str,
    /// How many bindings were in force outside of it.
    bindings: usize,
}

impl<'x> XmlReader<'x> {
    /// A reader at the start of a document.
    pub(super) fn new(text: &'x str) -> Result<Self, Fault> {
        if is_blank(text) {
            return Err((XmlFault::Empty, 0));
        }
        if let Some(at) = text.bytes().position(|byte| !is_space(byte))
            && text.as_bytes().get(at) != Some(&b'<')
        {
            return Err((XmlFault::NotXml, at));
        }
        Self::looked_through(text)
    }

    /// A reader of a text, whose characters are looked through first.
    fn looked_through(text: &'x str) -> Result<Self, Fault> {
        let scan = scan(text);
        if let Some(at) = scan.forbidden {
            return Err((XmlFault::Character, at));
        }
        let mut reader = Self::at(text, 0, &[]);
        reader.has_return = scan.has_return;
        reader.has_bracket = scan.has_bracket;
        Ok(reader)
    }

    /// A reader at an element of a document that was read before, with the bindings in force there.
    pub(super) fn at(text: &'x str, offset: usize, bindings: &[Binding<'x>]) -> Self {
        Self {
            text,
            at: offset,
            has_return: true,
            has_bracket: true,
            open: Vec::new(),
            bindings: bindings.to_vec(),
            attributes: Vec::new(),
            declared: 0,
            pending_end: false,
            seen_root: false,
            seen_doctype: false,
            counts: MarkupCounts::default(),
            section: None,
            stopped: None,
            judge: None,
        }
    }

    /// How many bytes were read.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// How many bytes were not read yet.
    pub(super) fn rest(&self) -> usize {
        self.text.len() - self.at
    }

    /// The declarations in force.
    pub(super) fn bindings(&self) -> &[Binding<'x>] {
        &self.bindings
    }

    pub(super) fn next(&mut self, namespaces: &mut Namespaces) -> Result<Token<'x>, Fault> {
        if self.pending_end {
            self.pending_end = false;
            self.close();
            return Ok(Token::End);
        }
        loop {
            let start = self.at;
            let rest = self.text.get(start..).unwrap_or_default();
            let token = match RawToken::of(rest) {
                Ok(token) => token,
                Err((XmlFault::Truncated, _)) if self.is_cut() => {
                    self.stopped = Some(start);
                    return Ok(Token::Eof);
                }
                Err((fault, at)) => return Err((fault, start + at)),
            };
            self.at = start + token.length;
            let markup = rest.get(..token.length).unwrap_or_default();
            match token.kind {
                RawTokenKind::Start => return self.start(markup, start, namespaces),
                RawTokenKind::End => {
                    self.end(markup, start)?;
                    return Ok(Token::End);
                }
                RawTokenKind::Text => {
                    if self.has_bracket
                        && let Some(at) = markup.find("]]>")
                    {
                        let expected = "`]]&gt;` where a text has these characters";
                        return Err((XmlFault::Syntax { expected }, start + at));
                    }
                    if self.open.is_empty() {
                        if is_blank(markup) {
                            continue;
                        }
                        return Err((XmlFault::OutsideRoot, start));
                    }
                    return Ok(self.text(self.lines(markup)));
                }
                RawTokenKind::Data | RawTokenKind::Reference if self.open.is_empty() => {
                    return Err((XmlFault::OutsideRoot, start));
                }
                RawTokenKind::Data => {
                    let inside = markup
                        .strip_prefix("<![CDATA[")
                        .and_then(|inside| inside.strip_suffix("]]>"))
                        .unwrap_or_default();
                    return Ok(self.text(self.lines(inside)));
                }
                RawTokenKind::Reference => {
                    let name = markup.trim_start_matches('&').trim_end_matches(';');
                    let character = resolve(name, start)?;
                    return Ok(self.text(Cow::Owned(character.to_string())));
                }
                RawTokenKind::Comment => self.counts.comments += 1,
                RawTokenKind::Instruction => {
                    self.processing_instruction(markup, start)?;
                    self.counts.processing_instructions += 1;
                }
                RawTokenKind::Declaration => {
                    let is_later = self.section.is_some_and(|section| section.is_later);
                    declaration(markup, start, is_later)?;
                }
                RawTokenKind::Doctype => self.doctype(markup, start)?,
                RawTokenKind::Eof if self.is_cut() => return Ok(Token::Eof),
                RawTokenKind::Eof => {
                    if !self.open.is_empty() {
                        return Err((XmlFault::Truncated, start));
                    }
                    if !self.seen_root {
                        let expected = "a document element";
                        return Err((XmlFault::Syntax { expected }, start));
                    }
                    return Ok(Token::Eof);
                }
            }
        }
    }

    fn text(&mut self, text: Cow<'x, str>) -> Token<'x> {
        if let Some(judge) = &mut self.judge {
            judge.text(&text);
        }
        Token::Text(text)
    }

    /// Tells the judge of a start tag, where there is one.
    #[inline]
    fn tell_start(&mut self, name: &Name<'x>, offset: usize, namespaces: &Namespaces) {
        let may_go_back = self.section.is_some() && !self.has_whole_element(offset);
        if let Some(judge) = &mut self.judge {
            if may_go_back {
                judge.remember();
            }
            judge.start(&Opened {
                attributes: &self.attributes,
                bindings: &self.bindings,
                namespaces,
                name,
                offset,
            });
        }
    }

    fn lines(&self, text: &'x str) -> Cow<'x, str> {
        if self.has_return {
            line_ends(text)
        } else {
            Cow::Borrowed(text)
        }
    }

    fn start(
        &mut self,
        markup: &'x str,
        offset: usize,
        namespaces: &mut Namespaces,
    ) -> Result<Token<'x>, Fault> {
        let empty = markup.ends_with("/>");
        if self.open.is_empty() && self.seen_root {
            return Err((XmlFault::OutsideRoot, offset));
        }
        if self.open.len() == MAX_DEPTH {
            return Err((XmlFault::Depth { limit: MAX_DEPTH }, offset));
        }
        self.seen_root = true;
        let tail = if empty { 2 } else { 1 };
        let inside = markup
            .get(1..markup.len() - tail.min(markup.len()))
            .unwrap_or_default();
        let outer = self.bindings.len();
        // Most tags are a plain name and nothing more: one look at each byte tells.
        if inside.len() <= MAX_NAME_LENGTH && is_ncname(inside) {
            self.open.push(OpenTag {
                name: inside,
                bindings: outer,
            });
            self.attributes.clear();
            self.declared = 0;
            self.pending_end = empty;
            let name = Name {
                prefix: "",
                local: inside,
                namespace: lookup(&self.bindings, "").unwrap_or_default(),
            };
            self.tell_start(&name, offset, namespaces);
            return Ok(Token::Start { name, offset });
        }
        let length = inside.bytes().position(is_space).unwrap_or(inside.len());
        let (qualified, rest) = inside.split_at_checked(length).unwrap_or_default();
        self.open.push(OpenTag {
            name: qualified,
            bindings: outer,
        });
        self.attributes.clear();
        if !rest.is_empty() {
            self.read_attributes(rest, offset + 1 + length, namespaces)?;
        }
        self.declared = self.bindings.len() - outer;
        let name = self.resolve(qualified, offset + 1, true)?;
        self.resolve_attributes(offset)?;
        self.pending_end = empty;
        self.tell_start(&name, offset, namespaces);
        Ok(Token::Start { name, offset })
    }

    /// Reads what follows the name in a start tag; declarations come into force at once.
    fn read_attributes(
        &mut self,
        text: &'x str,
        offset: usize,
        namespaces: &mut Namespaces,
    ) -> Result<(), Fault> {
        let bytes = text.as_bytes();
        let syntax = |expected, at: usize| Err((XmlFault::Syntax { expected }, offset + at));
        let mut at = 0;
        let mut declarations = 0;
        let outer = self.bindings.len();
        loop {
            let before = at;
            while bytes.get(at).copied().is_some_and(is_space) {
                at += 1;
            }
            if at == bytes.len() {
                return Ok(());
            }
            if at == before {
                return syntax("white space before an attribute", at);
            }
            let start = at;
            while bytes
                .get(at)
                .is_some_and(|&byte| byte != b'=' && !is_space(byte))
            {
                at += 1;
            }
            let name = text.get(start..at).unwrap_or_default();
            let name_at = start;
            while bytes.get(at).copied().is_some_and(is_space) {
                at += 1;
            }
            if bytes.get(at) != Some(&b'=') {
                return syntax("`=` after the name of an attribute", at);
            }
            at += 1;
            while bytes.get(at).copied().is_some_and(is_space) {
                at += 1;
            }
            let quote = match bytes.get(at) {
                Some(&quote @ (b'"' | b'\'')) => quote,
                _ => return syntax("an attribute value in quotes", at),
            };
            let start = at + 1;
            let rest = bytes.get(start..).unwrap_or_default();
            let Some(length) = rest.iter().position(|&byte| byte == quote) else {
                return syntax("the closing quote of an attribute value", at);
            };
            at = start + length + 1;
            let raw = text.get(start..start + length).unwrap_or_default();
            let value = attribute_value(raw, offset + start)?;
            let prefix = match name.strip_prefix("xmlns") {
                Some("") => Some(""),
                Some(rest) => rest.strip_prefix(':'),
                None => None,
            };
            if self.attributes.len() + declarations == MAX_ATTRIBUTES {
                let limit = MAX_ATTRIBUTES;
                return Err((XmlFault::Attributes { limit }, offset + name_at));
            }
            if let Some(prefix) = prefix {
                declarations += 1;
                let declared = self.bindings.get(outer..).unwrap_or_default();
                if declared.iter().any(|binding| binding.prefix == prefix) {
                    let name = name.to_owned();
                    return Err((XmlFault::RepeatedAttribute { name }, offset + name_at));
                }
                self.bind(name, prefix, &value, offset + name_at, namespaces)?;
            } else {
                // The name is split and resolved when all declarations of the tag are known.
                self.attributes.push(Attribute {
                    name: Name {
                        prefix: "",
                        local: name,
                        namespace: Namespace::NONE,
                    },
                    value,
                });
            }
        }
    }

    fn bind(
        &mut self,
        name: &str,
        prefix: &'x str,
        uri: &str,
        at: usize,
        namespaces: &mut Namespaces,
    ) -> Result<(), Fault> {
        if name.len() > MAX_NAME_LENGTH || uri.len() > MAX_NAME_LENGTH {
            let limit = MAX_NAME_LENGTH;
            return Err((XmlFault::NameLength { limit }, at));
        }
        let namespace = namespaces.intern(uri);
        let allowed = match prefix {
            "" => namespace != Namespace::XML && uri != "http://www.w3.org/2000/xmlns/",
            "xml" => namespace == Namespace::XML,
            "xmlns" => false,
            _ => {
                is_ncname(prefix)
                    && !uri.is_empty()
                    && namespace != Namespace::XML
                    && uri != "http://www.w3.org/2000/xmlns/"
            }
        };
        if !allowed {
            let prefix = prefix.to_owned();
            return Err((XmlFault::Prefix { prefix }, at));
        }
        if self.bindings.len() == MAX_NAMESPACES {
            let limit = MAX_NAMESPACES;
            return Err((XmlFault::Namespaces { limit }, at));
        }
        if namespaces.is_beyond_limit() {
            let limit = MAX_DOCUMENT_NAMESPACES;
            return Err((XmlFault::DocumentNamespaces { limit }, at));
        }
        self.bindings.push(Binding { prefix, namespace });
        Ok(())
    }

    fn resolve_attributes(&mut self, offset: usize) -> Result<(), Fault> {
        for index in 0..self.attributes.len() {
            let Some(attribute) = self.attributes.get(index) else {
                break;
            };
            let qualified = attribute.name.local;
            // The name is a slice of the text, so its place is known from its address.
            let at = (qualified.as_ptr() as usize)
                .checked_sub(self.text.as_ptr() as usize)
                .unwrap_or(offset);
            let name = self.resolve(qualified, at, false)?;
            let earlier = self.attributes.get(..index).unwrap_or_default();
            if earlier.iter().any(|other| other.name.same_as(&name)) {
                let name = qualified.to_owned();
                return Err((XmlFault::RepeatedAttribute { name }, at));
            }
            if let Some(attribute) = self.attributes.get_mut(index) {
                attribute.name = name;
            }
        }
        Ok(())
    }

    fn resolve(&self, qualified: &'x str, at: usize, element: bool) -> Result<Name<'x>, Fault> {
        if qualified.len() > MAX_NAME_LENGTH {
            let limit = MAX_NAME_LENGTH;
            return Err((XmlFault::NameLength { limit }, at));
        }
        // Names are short: a plain loop finds the colon before a search is set up.
        let colon = qualified.bytes().position(|byte| byte == b':');
        let (prefix, local) = match colon {
            None => ("", qualified),
            Some(at) => match (qualified.get(..at), qualified.get(at + 1..)) {
                (Some(prefix), Some(local)) if is_ncname(prefix) => (prefix, local),
                _ => ("", ""),
            },
        };
        if !is_ncname(local) {
            let expected = "a name";
            return Err((XmlFault::Syntax { expected }, at));
        }
        let namespace = match prefix {
            "" if !element => Namespace::NONE,
            "xml" => Namespace::XML,
            _ => match lookup(&self.bindings, prefix) {
                Some(namespace) => namespace,
                None if prefix.is_empty() => Namespace::NONE,
                None => {
                    let prefix = prefix.to_owned();
                    return Err((XmlFault::Prefix { prefix }, at));
                }
            },
        };
        Ok(Name {
            prefix,
            local,
            namespace,
        })
    }

    fn end(&mut self, markup: &str, offset: usize) -> Result<(), Fault> {
        // Nearly every end tag is the name and nothing more.
        if let Some(open) = self.open.last()
            && markup.len() == open.name.len() + 3
            && markup.get(2..markup.len() - 1) == Some(open.name)
        {
            self.close();
            return Ok(());
        }
        let name = markup
            .get(2..markup.len().saturating_sub(1))
            .unwrap_or_default()
            .trim_end_matches([' ', '\n', '\t', '\r']);
        match self.open.last() {
            Some(open) if open.name == name => {
                self.close();
                Ok(())
            }
            open => {
                let expected = open.map_or("", |open| open.name).to_owned();
                let found = name.to_owned();
                Err((XmlFault::EndTag { expected, found }, offset))
            }
        }
    }

    fn close(&mut self) {
        if let Some(judge) = &mut self.judge {
            judge.end();
        }
        if let Some(open) = self.open.pop() {
            self.bindings.truncate(open.bindings);
        }
    }

    fn processing_instruction(&self, markup: &str, offset: usize) -> Result<(), Fault> {
        let target = markup
            .get(2..)
            .unwrap_or_default()
            .split([' ', '\n', '\t', '\r', '?'])
            .next()
            .unwrap_or_default();
        if is_ncname(target) && !target.eq_ignore_ascii_case("xml") {
            return Ok(());
        }
        let expected = "the name of a processing instruction other than `xml`";
        Err((XmlFault::Syntax { expected }, offset + 2))
    }

    /// A bare `<!DOCTYPE name>` declares nothing and stands in many public files; anything more is refused.
    fn doctype(&mut self, markup: &str, offset: usize) -> Result<(), Fault> {
        if self.seen_root || self.seen_doctype {
            return Err((XmlFault::OutsideRoot, offset));
        }
        let inside = markup.get("<!DOCTYPE".len()..).unwrap_or_default();
        let inside = inside.strip_suffix('>').unwrap_or_default();
        let name = inside.trim_matches([' ', '\n', '\t', '\r']);
        let plain = name.split(':').all(is_ncname);
        if !plain || !inside.starts_with([' ', '\n', '\t', '\r']) {
            return Err((XmlFault::Doctype, offset));
        }
        self.seen_doctype = true;
        self.counts.doctypes += 1;
        Ok(())
    }
}

/// What a prefix is bound to, the innermost declaration first.
pub(super) fn lookup(bindings: &[Binding<'_>], prefix: &str) -> Option<Namespace> {
    let found = bindings
        .iter()
        .rev()
        .find(|binding| binding.prefix == prefix);
    found.map(|binding| binding.namespace)
}
