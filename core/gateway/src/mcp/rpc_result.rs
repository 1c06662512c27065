//! Results, and how they are written as messages.

use super::Revision;
use super::fault::Fault;
use super::{Reply, server_info};
use epcis_edge_document::validate;
use epcis_edge_text::json::{PartWriter, escaped_length, push_escaped};
use epcis_edge_text::slice::Known;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::io;

/// A result, and details for the log.
pub(super) struct RpcResult {
    result: ResultBody,
    detail: Option<String>,
}

enum ResultBody {
    /// The members of a result.
    Members(Json),
    /// The content that a tool answers.
    Content(Content),
}

impl RpcResult {
    /// The content that a tool answers; `detail` is for the log.
    pub(super) fn content(content: Content, detail: Option<String>) -> Self {
        Self { result: ResultBody::Content(content), detail }
    }

    /// The message, in one line: stored events may contain line breaks.
    ///
    /// # Errors
    /// A fault if it cannot be written.
    pub(super) fn reply(self, id: &str, revision: Revision) -> Result<Reply, Fault> {
        let text = match self.result {
            ResultBody::Members(members) => {
                let members = members.to_string();
                let mut text = envelope(id, revision, members.len());
                let members = members.strip_prefix('{').known();
                let members = members.strip_suffix('}').known();
                text.push_str(members);
                if members.is_empty() && text.ends_with(',') {
                    text.pop();
                }
                text
            }
            ResultBody::Content(content) => {
                let internal = |error: serde_json::Error| Fault::internal(error.to_string());
                content.written(|length| envelope(id, revision, length)).map_err(internal)?
            }
        };
        Ok(Reply { status: 200, text: text + "}}", detail: self.detail })
    }
}

impl From<Json> for RpcResult {
    fn from(members: Json) -> Self {
        Self { result: ResultBody::Members(members), detail: None }
    }
}

/// A message up to the members of its result, with capacity for `length` bytes of these.
fn envelope(id: &str, revision: Revision, length: usize) -> String {
    // The modern revision requires these members in every result.
    let first = match revision {
        Revision::Legacy => String::new(),
        Revision::Modern => {
            let meta = json!({"io.modelcontextprotocol/serverInfo": server_info()});
            format!(r#""resultType":"complete","_meta":{meta},"#)
        }
    };
    let mut text = String::with_capacity(id.len() + first.len() + length + 60);
    for part in [r#"{"jsonrpc":"2.0","id":"#, id, r#","result":{"#, &first] {
        text.push_str(part);
    }
    text
}

/// The structured content of a result.
pub(super) struct Content {
    value: Structured,
    is_error: bool,
}

enum Structured {
    Value(Box<dyn WriteJson>),
    /// JSON text that exists already, in one line.
    Text(String),
}

impl Content {
    pub(super) fn of<T: Serialize + 'static>(value: T) -> Self {
        Self { value: Structured::Value(Box::new(value)), is_error: false }
    }

    /// JSON text that exists already, in one line.
    pub(super) fn of_text(text: String) -> Self {
        Self { value: Structured::Text(text), is_error: false }
    }

    /// The same content, as a refusal.
    pub(super) fn refused(self) -> Self {
        Self { is_error: true, ..self }
    }

    /// The message up to the last member of its result. The content is in it twice: as a text, and as structured content.
    fn written(self, before: impl FnOnce(usize) -> String) -> serde_json::Result<String> {
        let mut text = match self.value {
            Structured::Value(value) => of_value(&*value, before)?,
            Structured::Text(text) => of_text(text, &before(0)),
        };
        if self.is_error {
            text.push_str(r#","isError":true"#);
        }
        Ok(text)
    }
}

/// How many bytes there are around the two forms of a content, at most.
const AROUND: usize = 100;
const AS_TEXT: &str = r#""content":[{"type":"text","text":""#;
const AS_IT_IS: &str = r#""structuredContent":"#;

/// Writes the value three times, the first time only to learn its length: a copy as text would take more memory than anything else.
fn of_value(
    value: &dyn WriteJson,
    before: impl FnOnce(usize) -> String,
) -> serde_json::Result<String> {
    let write = |push: &mut dyn FnMut(&str)| value.write(&mut PartWriter(push));
    let mut length = AROUND;
    write(&mut |part| length += part.len() + escaped_length(part))?;
    let mut text = before(length);
    text.push_str(AS_TEXT);
    write(&mut |part| push_escaped(&mut text, part))?;
    text.push_str("\"}],");
    text.push_str(AS_IT_IS);
    write(&mut |part| push_in_line(&mut text, part))?;
    Ok(text)
}

/// Builds the message around an existing text, which therefore comes first: a Worker may have no memory for a copy of it.
fn of_text(mut text: String, before: &str) -> String {
    const PART: usize = 1 << 12;
    let start = before.len() + AS_IT_IS.len();
    let end = start + text.len();
    text.reserve_exact(start + escaped_length(&text) + AROUND);
    text.insert_str(0, &[before, AS_IT_IS].concat());
    text.push(',');
    text.push_str(AS_TEXT);
    let mut at = start;
    while let Some(part) = text.get(at..text.floor_char_boundary(end.min(at + PART)))
        && !part.is_empty()
    {
        at += part.len();
        let part = part.to_owned();
        push_escaped(&mut text, &part);
    }
    text.push_str("\"}]");
    text
}

/// Appends JSON text without its line breaks. They can only be between tokens, since strings have them escaped.
fn push_in_line(text: &mut String, part: &str) {
    let mut lines = part.split(['\r', '\n']);
    text.push_str(lines.next().known());
    for line in lines {
        text.push(' ');
        text.push_str(line);
    }
}

/// A value of any type that can be written as JSON.
trait WriteJson {
    fn write(&self, out: &mut dyn io::Write) -> serde_json::Result<()>;
}

impl<T: Serialize> WriteJson for T {
    fn write(&self, out: &mut dyn io::Write) -> serde_json::Result<()> {
        serde_json::to_writer(out, self)
    }
}

/// How many errors an answer lists, since an agent reads all of it.
const MAX_ERRORS: usize = 50;

/// Keeps the first errors; the message of the last one says how many more there are.
pub(super) fn shorten<T>(errors: &mut Vec<T>, message: impl Fn(&mut T) -> &mut String) {
    let more = errors.len().saturating_sub(MAX_ERRORS);
    // A list of this length may itself have been cut.
    let at_least = if errors.len() >= validate::MAX_ERRORS { "at least " } else { "" };
    errors.truncate(MAX_ERRORS);
    if more > 0
        && let Some(last) = errors.last_mut()
    {
        let _ = write!(message(last), "; {at_least}{more} more errors are not listed");
    }
}
