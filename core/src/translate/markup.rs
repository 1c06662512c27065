//! The inside of markup: references, attribute values, the XML declaration.

use super::characters::reference;
use crate::error::XmlFault;
use std::borrow::Cow;

/// A fault and how many bytes stand before it.
pub(super) type Fault = (XmlFault, usize);

/// The character of a reference.
pub(super) fn resolve(name: &str, offset: usize) -> Result<char, Fault> {
    match reference(name) {
        Some(character) => Ok(character),
        None if name.starts_with('#') => {
            let expected = "a character reference to a character that XML allows";
            Err((XmlFault::Syntax { expected }, offset))
        }
        None => {
            let name = name.to_owned();
            Err((XmlFault::Entity { name }, offset))
        }
    }
}

/// An attribute value, normalised as XML 1.0 (3.3.3) wants it for CDATA attributes.
pub(super) fn attribute_value(raw: &str, offset: usize) -> Result<Cow<'_, str>, Fault> {
    if !raw
        .bytes()
        .any(|byte| matches!(byte, b'&' | b'<' | b'\n' | b'\t' | b'\r'))
    {
        return Ok(Cow::Borrowed(raw));
    }
    let mut value = String::with_capacity(raw.len());
    let mut characters = raw.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '<' => {
                let expected = "`&lt;` where an attribute value has this character";
                return Err((XmlFault::Syntax { expected }, offset + at));
            }
            '&' => {
                let rest = raw.get(at + 1..).unwrap_or_default();
                let Some((name, _)) = rest.split_once(';') else {
                    let expected = "`;` after a reference, `&amp;` where an ampersand is meant";
                    return Err((XmlFault::Syntax { expected }, offset + at));
                };
                value.push(resolve(name, offset + at)?);
                while characters
                    .next_if(|&(next, _)| next <= at + 1 + name.len())
                    .is_some()
                {}
            }
            '\r' => {
                characters.next_if(|&(_, next)| next == '\n');
                value.push(' ');
            }
            '\n' | '\t' => value.push(' '),
            other => value.push(other),
        }
    }
    Ok(Cow::Owned(value))
}

/// Production 81 of XML 1.0, `EncName`.
fn is_encoding_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// The XML declaration: at the very start, version first; its encoding was looked at before.
pub(super) fn declaration(markup: &str, offset: usize, is_later: bool) -> Result<(), Fault> {
    let syntax = |expected| Err((XmlFault::Syntax { expected }, offset));
    if offset != 0 || is_later {
        return syntax("the XML declaration at the very start, or not at all");
    }
    let inside = markup
        .get(5..markup.len().saturating_sub(2))
        .unwrap_or_default();
    let mut rest = inside.trim_start_matches([' ', '\n', '\t', '\r']);
    for (name, required) in [
        ("version", true),
        ("encoding", false),
        ("standalone", false),
    ] {
        let Some(value) = rest.strip_prefix(name) else {
            if required {
                return syntax("`version` in the XML declaration");
            }
            continue;
        };
        let value = value.trim_start_matches([' ', '\n', '\t', '\r']);
        let value = value.strip_prefix('=').unwrap_or_default();
        let value = value.trim_start_matches([' ', '\n', '\t', '\r']);
        let quoted = value
            .strip_prefix('"')
            .and_then(|value| value.split_once('"'))
            .or_else(|| {
                value
                    .strip_prefix('\'')
                    .and_then(|value| value.split_once('\''))
            });
        let Some((value, after)) = quoted else {
            return syntax("a value in quotes in the XML declaration");
        };
        match name {
            "version" if value != "1.0" => return syntax("XML version 1.0"),
            "encoding" if !is_encoding_name(value) => {
                return syntax(
                    "the name of an encoding: a letter, then letters, digits, `.`, `_` and `-`",
                );
            }
            "standalone" if !matches!(value, "yes" | "no") => {
                return syntax("`yes` or `no` for `standalone`");
            }
            _ => {}
        }
        rest = after.trim_start_matches([' ', '\n', '\t', '\r']);
        if !rest.is_empty() && rest.len() == after.len() {
            return syntax("white space between the parts of the XML declaration");
        }
    }
    if rest.is_empty() {
        return Ok(());
    }
    syntax("`version`, `encoding`, `standalone` and nothing else in the XML declaration")
}
