//! Finds where the next tag, text or other markup ends: the one tokenizer of XML, for whole documents and for streams.
//!
//! It finds only the ends. Names, attributes, references and nesting are read by the caller.
//!
//! Why not that of quick-xml?
//! Names, characters, attributes and limits would have to be checked on top, and a translation took 1.25 times as long. Its errors
//! assume a complete text: of a cut one it cannot tell faults from parts that may still come.

use super::Fault;
use epcis_edge_text::error::XmlFault;
use memchr::{memchr, memchr2, memchr3};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::translate) enum RawTokenKind {
    /// A start tag, or the tag of an empty element.
    Start,
    End,
    Text,
    /// A CDATA section.
    Data,
    Reference,
    Comment,
    Instruction,
    Declaration,
    /// A document type, up to its end or to the bracket that begins its declarations, which are never accepted.
    Doctype,
    Eof,
}

/// The next token of a document: one tag, one run of text, or other markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::translate) struct RawToken {
    pub(in crate::translate) kind: RawTokenKind,
    pub(in crate::translate) length: usize,
}

impl RawToken {
    /// Returns the token at the start of the text; a fault has its byte offset in the text.
    ///
    /// [`XmlFault::Truncated`] means that the text ends before the markup does, and that the call may succeed with more text.
    /// Any other fault is final, whatever follows. Only a run of text may continue beyond the end of the text.
    ///
    /// `<a b="1>2">c` begins with a start tag of eleven bytes, `c</a>` with a text of one.
    pub(in crate::translate) fn of(rest: &str) -> Result<Self, Fault> {
        let bytes = rest.as_bytes();
        let (kind, length) = match bytes {
            [] => (RawTokenKind::Eof, Some(0)),
            [b'<', b'/', ..] => (RawTokenKind::End, after(bytes, b'>')),
            [b'<', b'!', ..] => return bang(bytes),
            [b'<', b'?', ..] => instruction(bytes),
            [b'<', ..] => (RawTokenKind::Start, start_tag(bytes)),
            [b'&', inside @ ..] => return reference(inside),
            _ => {
                let length = memchr2(b'<', b'&', bytes).unwrap_or(bytes.len());
                (RawTokenKind::Text, Some(length))
            }
        };
        whole(kind, length)
    }
}

fn whole(kind: RawTokenKind, length: Option<usize>) -> Result<RawToken, Fault> {
    match length {
        Some(length) => Ok(RawToken { kind, length }),
        None => Err((XmlFault::Truncated, 0)),
    }
}

/// Returns the number of bytes up to and including this byte.
fn after(bytes: &[u8], end: u8) -> Option<usize> {
    Some(memchr(end, bytes)? + 1)
}

/// Returns the number of bytes up to and including this end, which is searched for from `begin` on.
fn after_all(bytes: &[u8], begin: usize, end: &[u8]) -> Option<usize> {
    let inside = bytes.get(begin..)?;
    let last = *end.last()?;
    let mut length = 0;
    loop {
        length += after(inside.get(length..)?, last)?;
        if inside.get(..length)?.ends_with(end) {
            return Some(begin + length);
        }
    }
}

fn start_tag(bytes: &[u8]) -> Option<usize> {
    let mut length = after(bytes, b'>')?;
    // A `>` may be part of an attribute value.
    let mut at = 0;
    while let Some(quote) = memchr2(b'"', b'\'', bytes.get(at..length)?) {
        let start = at + quote;
        let mark = *bytes.get(start)?;
        at = start + memchr(mark, bytes.get(start + 1..)?)? + 2;
        if at > length {
            length = at + after(bytes.get(at..)?, b'>')?;
        }
    }
    Some(length)
}

fn instruction(bytes: &[u8]) -> (RawTokenKind, Option<usize>) {
    let kind = match bytes {
        [_, _, b'x', b'm', b'l', b' ' | b'\n' | b'\t' | b'\r' | b'?', ..] => {
            RawTokenKind::Declaration
        }
        _ => RawTokenKind::Instruction,
    };
    (kind, after_all(bytes, b"<?".len(), b"?>"))
}

/// Reads markup that begins with `<!`.
fn bang(bytes: &[u8]) -> Result<RawToken, Fault> {
    const COMMENT: &[u8] = b"<!--";
    const DATA: &[u8] = b"<![CDATA[";
    const DOCTYPE: &[u8] = b"<!DOCTYPE";
    if bytes.starts_with(COMMENT) {
        return comment(bytes, COMMENT.len());
    }
    if bytes.starts_with(DATA) {
        return whole(RawTokenKind::Data, after_all(bytes, DATA.len(), b"]]>"));
    }
    if bytes.starts_with(DOCTYPE) {
        let end = memchr2(b'>', b'[', bytes);
        return whole(RawTokenKind::Doctype, end.map(|end| end + 1));
    }
    if [COMMENT, DATA, DOCTYPE].iter().any(|begin| begin.starts_with(bytes)) {
        return Err((XmlFault::Truncated, 0));
    }
    Err((XmlFault::Syntax("a comment or a CDATA section after `<!`"), 0))
}

/// Reads a comment. The first `--` inside it must belong to its end.
fn comment(bytes: &[u8], begin: usize) -> Result<RawToken, Fault> {
    let Some(hyphens) = after_all(bytes, begin, b"--") else {
        return Err((XmlFault::Truncated, 0));
    };
    match bytes.get(hyphens) {
        Some(b'>') => whole(RawTokenKind::Comment, Some(hyphens + 1)),
        Some(_) => Err((XmlFault::Syntax("no `--` inside of a comment"), hyphens - b"--".len())),
        None => Err((XmlFault::Truncated, 0)),
    }
}

/// Reads a reference, given without its ampersand.
fn reference(inside: &[u8]) -> Result<RawToken, Fault> {
    let end = memchr3(b';', b'<', b'&', inside);
    match end.map(|end| (end, inside.get(end))) {
        Some((end, Some(b';'))) => whole(RawTokenKind::Reference, Some(1 + end + 1)),
        Some(_) => {
            let expected = "`;` after a reference, `&amp;` where an ampersand is meant";
            Err((XmlFault::Syntax(expected), 0))
        }
        None => Err((XmlFault::Truncated, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> Result<(RawTokenKind, &str), Fault> {
        let token = RawToken::of(text)?;
        Ok((token.kind, text.get(..token.length).unwrap()))
    }

    const WHOLE: [(RawTokenKind, &str, &str); 21] = [
        (RawTokenKind::Text, "a > b ]] c", ""),
        (RawTokenKind::Text, "\n", "</a>"),
        (RawTokenKind::Text, "1", "&amp;"),
        (RawTokenKind::Start, "<a>", "</a>"),
        (RawTokenKind::Start, "<a b='>' c=\">'>\" d='\"'/>", "<b c='>'>"),
        (RawTokenKind::Start, "<>", ""),
        (RawTokenKind::End, "</a\n>", "<b>"),
        (RawTokenKind::Data, "<![CDATA[]]>", "]]>"),
        (RawTokenKind::Data, "<![CDATA[<a>]] >]]]>", "]]>"),
        (RawTokenKind::Comment, "<!---->", "-->"),
        (RawTokenKind::Comment, "<!-- - > -->", "-->"),
        (RawTokenKind::Instruction, "<??>", "?>"),
        (RawTokenKind::Instruction, "<?a > ? ?>", "?>"),
        (RawTokenKind::Instruction, "<?xml-model a?>", "?>"),
        (RawTokenKind::Declaration, "<?xml version='1.0'?>", "<a>"),
        (RawTokenKind::Declaration, "<?xml?>", "<a>"),
        (RawTokenKind::Doctype, "<!DOCTYPE a>", "<a>"),
        (RawTokenKind::Doctype, "<!DOCTYPE a [", "<!ENTITY b '>'>]>"),
        (RawTokenKind::Reference, "&amp;", ";"),
        (RawTokenKind::Reference, "&;", ""),
        (RawTokenKind::Eof, "", ""),
    ];

    #[test]
    fn markup_ends_where_it_ends_and_not_before() {
        for (kind, text, rest) in WHOLE {
            assert_eq!(token(&format!("{text}{rest}")), Ok((kind, text)), "{text}");
            if matches!(kind, RawTokenKind::Text | RawTokenKind::Eof) {
                continue;
            }
            for end in 1..text.len() {
                let cut = text.get(..end).unwrap();
                assert_eq!(token(cut), Err((XmlFault::Truncated, 0)), "{cut}");
            }
        }
    }

    #[test]
    fn a_fault_is_one_whatever_follows() {
        for (text, at) in [
            ("<!-- a -- ", 7),
            ("<!--a--->", 5),
            ("<!doctype", 0),
            ("<!ELEMENT a", 0),
            ("<!-a", 0),
            ("<![cdata[", 0),
            ("&a<", 0),
            ("&&amp;", 0),
        ] {
            for rest in ["", "-->", ";", "]]>", "</a>"] {
                let fault = RawToken::of(&format!("{text}{rest}")).unwrap_err();
                assert!(matches!(fault.0, XmlFault::Syntax(..)), "{text}{rest}");
                assert_eq!(fault.1, at, "{text}{rest}");
            }
        }
    }
}
