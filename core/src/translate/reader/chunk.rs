//! Where the next piece of markup or text ends.
//!
//! Texts and tags, nearly all of a document, end where a byte tells; quick-xml reads whatever else there is and what is cut
//! off, and names its faults.

use super::Fault;
use crate::error::XmlFault;
use memchr::{memchr, memchr2};
use quick_xml::errors::{Error as QuickError, IllFormedError, SyntaxError};
use quick_xml::events::Event;

/// What it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// A start tag, or that of an empty element.
    Start,
    End,
    Text,
    /// A CDATA section.
    Data,
    Reference,
    Comment,
    Instruction,
    Declaration,
    Doctype,
    Eof,
}

/// What a document goes on with: one tag, one run of text, or other markup.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub(super) kind: Kind,
    pub(super) length: usize,
}

impl Chunk {
    /// What the text begins with; a fault has its place in the text.
    pub(super) fn of(rest: &str) -> Result<Self, Fault> {
        plain(rest).map_or_else(|| other(rest), Ok)
    }
}

/// The text or the whole tag that a document goes on with, if that is what it does.
fn plain(rest: &str) -> Option<Chunk> {
    let bytes = rest.as_bytes();
    let kind = match bytes {
        [b'<', b'/', ..] => Kind::End,
        [b'<', b'!' | b'?', ..] | [b'&', ..] | [] => return None,
        [b'<', ..] => Kind::Start,
        _ => {
            let length = memchr2(b'<', b'&', bytes).unwrap_or(bytes.len());
            let kind = Kind::Text;
            return Some(Chunk { kind, length });
        }
    };
    let mut length = memchr(b'>', bytes)? + 1;
    let Kind::Start = kind else {
        return Some(Chunk { kind, length });
    };
    // The end may stand in the value of an attribute.
    let mut at = 0;
    while let Some(quote) = memchr2(b'"', b'\'', bytes.get(at..length)?) {
        let start = at + quote;
        let mark = *bytes.get(start)?;
        at = start + memchr(mark, bytes.get(start + 1..)?)? + 2;
        if at > length {
            length = at + memchr(b'>', bytes.get(at..)?)? + 1;
        }
    }
    Some(Chunk { kind, length })
}

/// What is neither a text nor a whole tag.
fn other(rest: &str) -> Result<Chunk, Fault> {
    let mut quick = quick_xml::Reader::from_str(rest);
    let config = quick.config_mut();
    // Our own stack compares them, with typed faults.
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.check_comments = true;
    let event = quick.read_event();
    let kind = match event {
        Ok(Event::Start(_) | Event::Empty(_)) => Kind::Start,
        Ok(Event::End(_)) => Kind::End,
        Ok(Event::Text(_)) => Kind::Text,
        Ok(Event::CData(_)) => Kind::Data,
        Ok(Event::GeneralRef(_)) => Kind::Reference,
        Ok(Event::Comment(_)) => Kind::Comment,
        Ok(Event::PI(_)) => Kind::Instruction,
        Ok(Event::Decl(_)) => Kind::Declaration,
        Ok(Event::DocType(_)) => Kind::Doctype,
        Ok(Event::Eof) => Kind::Eof,
        Err(error) => {
            let at = quick.error_position() as usize;
            return Err((fault_of(&error), at));
        }
    };
    let length = quick.buffer_position() as usize;
    Ok(Chunk { kind, length })
}

/// The fault that quick-xml found.
fn fault_of(error: &QuickError) -> XmlFault {
    match error {
        QuickError::IllFormed(IllFormedError::DoubleHyphenInComment) => XmlFault::Syntax {
            expected: "no `--` inside of a comment",
        },
        QuickError::IllFormed(IllFormedError::UnclosedReference) => XmlFault::Syntax {
            expected: "`;` after a reference, `&amp;` where an ampersand is meant",
        },
        QuickError::IllFormed(IllFormedError::MissingDoctypeName) => XmlFault::Syntax {
            expected: "a name after `<!DOCTYPE`",
        },
        QuickError::Syntax(SyntaxError::InvalidBangMarkup) => XmlFault::Syntax {
            expected: "a comment or a CDATA section after `<!`",
        },
        _ => XmlFault::Truncated,
    }
}
