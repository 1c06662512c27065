//! The sentences of errors that depend on what was found, and texts from outside in sentences of ours.

use super::DocumentError;
use crate::lookalike::Shown;
use crate::slice::Known;
use std::fmt;

pub(super) fn media_type(
    found: &Option<String>,
    expected: &str,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match found {
        None => write!(f, "no Content-Type was sent, {expected}"),
        Some(found) => {
            write!(f, "the Content-Type {} is not served here, {expected}", Quoted(found))
        }
    }
}

pub(super) fn undeclared_prefix(
    name: &str,
    unread: &Option<String>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let prefix = name.split(':').next().known();
    write!(
        f,
        "the prefix {} of {} is not declared, expected an `@context` that declares it: in the event, in its document or given as `context`",
        Quoted(prefix),
        Quoted(name)
    )?;
    match unread {
        Some(address) => write!(f, "; the context {} is not fetched", Quoted(address)),
        None => Ok(()),
    }
}

pub(super) fn invalid(errors: &[DocumentError], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match errors {
        [one] => write!(f, "{}, nothing was stored", one.message),
        several => {
            write!(f, "{} errors were found in the document, nothing was stored", several.len())
        }
    }
}

pub(super) fn argument(
    name: &str,
    found: &Option<String>,
    expected: &str,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    match found {
        None => write!(f, "the argument `{name}` is missing, expected {expected}"),
        Some(found) => write!(f, "the argument `{name}` is {}, expected {expected}", Quoted(found)),
    }
}

/// The start of a text from outside; no more of it is ever shown.
pub fn excerpt(text: &str) -> String {
    text.chars().take(100).collect()
}

/// A text from outside, inside one of our sentences: in backticks, cut to 80 characters, control characters replaced, and
/// `U+2010` in place of what only looks like ASCII or cannot be seen.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LIMIT: usize = 80;
        let length = self.0.char_indices().nth(LIMIT).map(|(length, _)| length);
        let start = length.and_then(|length| self.0.get(..length)).unwrap_or(self.0);
        let shown = Shown(start).to_string().replace(char::is_control, "\u{fffd}");
        let more = if length.is_some() { "…" } else { "" };
        write!(f, "`{shown}{more}`")
    }
}
