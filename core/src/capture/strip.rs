//! What only the gateway may say is taken out.

use crate::context::{Context, MAX_HELD};
use crate::error::{Error, ErrorKind};
use crate::json::{Kind, Value, push_step};
use std::collections::BTreeSet;

/// The prefix that the gateway announces for its namespace: undeclared, it is the gateway's.
pub(super) const PREFIX: &str = "spine";

/// A document without what was taken out.
pub(super) struct Stripped {
    /// The text, if anything was taken out.
    pub(super) text: Option<String>,
    /// The pointers of what was taken out, an entry an event, seen from the event.
    pub(super) removed: Vec<Vec<String>>,
}

/// Takes the gateway's own members out of every event.
///
/// # Errors
/// [`ErrorKind::CaptureTooLarge`] where the prefixes stand for more than is held: what they stand for decides here.
pub(super) fn strip<'d>(root: Value<'d>, namespace: &str) -> Result<Stripped, Error> {
    let mut context = Context::new();
    context.assume(PREFIX, namespace);
    let mut search = Search {
        context,
        namespace,
        cut: Cut::default(),
        removed: Vec::new(),
    };
    let list = match root.get("epcisBody") {
        Some(body) => {
            search.context.enter(root);
            search.context.enter(body);
            search.cut.changed.extend([root.offset(), body.offset()]);
            body.get("eventList")
        }
        None => Some(root),
    };
    let mut removed = Vec::new();
    if let Some(list) = list {
        let one = (list.kind() == Kind::Object).then_some(list);
        for event in one.into_iter().chain(list.elements()) {
            search.object(event, true, &mut String::new());
            removed.push(std::mem::take(&mut search.removed));
        }
        search.cut.changed.insert(list.offset());
    }
    if search.context.is_excessive() {
        return Err(Error::new(ErrorKind::CaptureTooLarge { limit: MAX_HELD }));
    }
    let mut text = None;
    if removed.iter().any(|event| !event.is_empty()) {
        let mut written = String::new();
        search.cut.write(root, &mut written);
        text = Some(written);
    }
    Ok(Stripped { text, removed })
}

struct Search<'d, 'n> {
    context: Context<'d>,
    namespace: &'n str,
    cut: Cut,
    /// What was found in this event.
    removed: Vec<String>,
}

impl<'d> Search<'d, '_> {
    /// Finds what is to be cut out of an object.
    fn object(&mut self, object: Value<'d>, is_event: bool, path: &mut String) {
        let outer = self.context.enter(object);
        let before = self.removed.len();
        for (name, value) in object.members() {
            let name = name.to_cow();
            if name == "@context" {
                continue;
            }
            let length = path.len();
            let is_record_time = is_event && name == "recordTime";
            if is_record_time || self.context.is_within(&name, self.namespace) {
                push_step(path, &name);
                self.removed.push(path.clone());
                self.cut.out.insert(value.offset());
            } else if matches!(value.kind(), Kind::Array | Kind::Object) {
                push_step(path, &name);
                self.below(value, path);
            }
            path.truncate(length);
        }
        if self.removed.len() > before {
            self.cut.changed.insert(object.offset());
        }
        self.context.leave(outer);
    }

    fn below(&mut self, value: Value<'d>, path: &mut String) {
        if value.kind() == Kind::Object {
            self.object(value, false, path);
            return;
        }
        let before = self.removed.len();
        for (index, element) in value.elements().enumerate() {
            if matches!(element.kind(), Kind::Array | Kind::Object) {
                let length = path.len();
                push_step(path, &index.to_string());
                self.below(element, path);
                path.truncate(length);
            }
        }
        if self.removed.len() > before {
            self.cut.changed.insert(value.offset());
        }
    }
}

/// Which values are cut out, by where they start.
#[derive(Default)]
struct Cut {
    out: BTreeSet<usize>,
    /// The objects and arrays that hold such a value, at any depth.
    changed: BTreeSet<usize>,
}

impl Cut {
    fn write(&self, value: Value<'_>, out: &mut String) {
        if !self.changed.contains(&value.offset()) {
            out.push_str(value.source());
            return;
        }
        let mut separator = "";
        if value.kind() == Kind::Array {
            out.push('[');
            for element in value.elements() {
                out.push_str(separator);
                separator = ",";
                self.write(element, out);
            }
            out.push(']');
            return;
        }
        out.push('{');
        for (name, member) in value.members() {
            if self.out.contains(&member.offset()) {
                continue;
            }
            out.push_str(separator);
            separator = ",";
            push_string(out, &name.to_cow());
            out.push(':');
            self.write(member, out);
        }
        out.push('}');
    }
}

/// Appends a text as a JSON string.
pub(super) fn push_string(out: &mut String, text: &str) {
    let is_plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        // A string cannot fail to be written.
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[track_caller]
    fn check(text: &str, expected: &str, removed: &[&str]) {
        let document = Document::read(text.as_bytes()).unwrap();
        let stripped = strip(document.root(), "https://g.example/ns/spine/").unwrap();
        assert_eq!(stripped.text.as_deref().unwrap_or(text), expected);
        assert_eq!(stripped.removed.concat(), removed);
    }

    #[test]
    fn forged_stamps_go_whatever_their_prefix() {
        check(
            r#"{"type":"ObjectEvent","recordTime":"x","ilmd":{"recordTime": 5.50}}"#,
            r#"{"type":"ObjectEvent","ilmd":{"recordTime": 5.50}}"#,
            &["/recordTime"],
        );
        check(
            r#"{"spine:who":1,"spin\u0065:capturedBy":2,"spines:who":3}"#,
            r#"{"spines:who":3}"#,
            &["/spine:who", "/spine:capturedBy"],
        );
        check(
            r#"{"@context":{"x":"https://g.example/"},"x:ns/spine/who":1,"x:who":2}"#,
            r#"{"@context":{"x":"https://g.example/"},"x:who":2}"#,
            &["/x:ns~1spine~1who"],
        );
        check(
            r#"{"https://g.example/ns/spine/who":{}}"#,
            "{}",
            &["/https:~1~1g.example~1ns~1spine~1who"],
        );
        check(
            r#"{"@context":{"spine":"urn:mine:"},"spine:who":1}"#,
            r#"{"@context":{"spine":"urn:mine:"},"spine:who":1}"#,
            &[],
        );
        check(
            r#"{"a:b":[[{"spine:who":1,"c": [ 1.0 ]}]]}"#,
            r#"{"a:b":[[{"c":[ 1.0 ]}]]}"#,
            &["/a:b/0/0/spine:who"],
        );
        check(
            r#"[{"type":"ObjectEvent"},{"recordTime":1}]"#,
            r#"[{"type":"ObjectEvent"},{}]"#,
            &["/recordTime"],
        );
        check(
            r#"{"@context":{"y":"https://g.example/ns/spine/"},"recordTime":"kept","epcisBody":{"eventList":[{"y:who":1},{}]}}"#,
            r#"{"@context":{"y":"https://g.example/ns/spine/"},"recordTime":"kept","epcisBody":{"eventList":[{},{}]}}"#,
            &["/y:who"],
        );
    }
}
