//! Strips what only the gateway may say, and refuses contexts that would leave open who said it.

use super::contexts::{Contexts, EventContext, GatewayEntry};
use super::keyword_scope::{self, KeywordScope};
use super::{MAX_EVENT, MAX_NAME, MAX_REPORT};
use epcis_edge_document::context::{
    ActiveContext, Addresses, Excess, Judge, MAX_HELD, MAX_TERMS, MAX_WORK,
};
use epcis_edge_text::error::{DocumentError, Error, ErrorKind, excerpt};
use epcis_edge_text::json::{Document, Kind, Value, push_string};
use epcis_edge_text::slice::Part;
use std::cell::Cell;

/// The result of stripping a document.
pub(super) struct Stripped {
    /// The stripped text, if anything was stripped.
    pub(super) text: Option<String>,
    /// Whether anything was stripped; stays true after `text` is taken.
    pub(super) is_rewritten: bool,
    /// Members that no JSON-LD reader can expand. The schema refuses some of them, too, with better messages.
    pub(super) unreadable: Vec<DocumentError>,
    /// The JSON Pointers of what was stripped from each event, relative to the event.
    pub(super) removed: Vec<Vec<String>>,
    /// The gateway's own entry in the context of each event.
    pub(super) gateway_entries: Vec<GatewayEntry>,
    /// The length of the longest text that a term stands for, in bytes.
    pub(super) longest: usize,
}

/// The settings for stripping one capture.
pub(super) struct Stripper<'c> {
    pub(super) namespace: &'c str,
    pub(super) addresses: &'c Addresses,
    /// The most bytes that all events with their contexts may have together.
    pub(super) stored_bytes: usize,
    /// The bytes computed so far for the meanings of terms, in all documents that are captured together.
    pub(super) work: &'c Cell<usize>,
}

impl Stripper<'_> {
    /// Strips the gateway's own members from every event.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for contexts that are not accepted; [`ErrorKind::CaptureTooLarge`] if all events with their contexts
    /// would be too long, or if the terms in force stand for more than [`MAX_HELD`] bytes; [`ErrorKind::CaptureTooComplex`] past
    /// the other limits of contexts, for an event longer than [`MAX_EVENT`], or if the list of what was stripped would be too long.
    /// The limits of contexts are errors because the meanings of names decide what is stripped.
    pub(super) fn strip(&self, root: Value<'_>) -> Result<Stripped, Error> {
        let (list, above) = list_of(root);
        let mut walk = StripWalk {
            context: ActiveContext::default(),
            judge: Judge::new(self.addresses),
            namespace: self.namespace,
            cut: CutValues::default(),
            event_path: 0,
            removed: Vec::new(),
            left: MAX_REPORT,
        };
        walk.context.count_work(self.work.get());
        let stripped = self.strip_all(root, list, above, &mut walk);
        self.work.set(walk.context.work());
        let mut stripped = stripped?;
        let StripWalk { judge, mut cut, .. } = walk;
        let has_refused = judge.has_refused();
        let refusals = judge.into_refusals();
        let errors = refusals.into_iter().map(|refusal| DocumentError {
            path: refusal.path,
            keyword: refusal.keyword.to_owned(),
            message: refusal.message,
        });
        let errors: Vec<DocumentError> = errors.collect();
        if has_refused {
            return Err(Error::invalid(errors));
        }
        stripped.unreadable = errors;
        if !cut.out.is_empty() {
            let around = around(root).map(|(outer, _)| outer.offset());
            cut.changed.extend(around);
            cut.changed.extend(list.map(Value::offset));
            cut.changed.sort_unstable();
            let mut written = String::with_capacity(root.source().len());
            cut.write(root, &mut written);
            stripped.text = Some(written);
            stripped.is_rewritten = true;
        }
        Ok(stripped)
    }

    /// Strips all events.
    fn strip_all<'d>(
        &self,
        root: Value<'d>,
        list: Option<Value<'d>>,
        above: &str,
        walk: &mut StripWalk<'d, '_>,
    ) -> Result<Stripped, Error> {
        walk.around(root)?;
        let contexts = Contexts::of(around(root).map(|(outer, _)| outer))?;
        let mut stripped = Stripped {
            text: None,
            is_rewritten: false,
            unreadable: Vec::new(),
            removed: Vec::new(),
            gateway_entries: Vec::new(),
            longest: 0,
        };
        let mut common: Option<EventContext<'_>> = None;
        let mut bytes = 0;
        let one = list.filter(|list| list.kind() == Kind::Object);
        let elements = list.into_iter().flat_map(Value::elements);
        for (index, event) in one.into_iter().chain(elements).enumerate() {
            let path = if one.is_some() { above.to_owned() } else { format!("{above}/{index}") };
            walk.start(&path);
            let outer = walk.context.depth();
            walk.declare(event)?;
            if walk.judge.has_refused() {
                // The rest depends on the contexts, so only contexts are judged from here on.
                walk.context.leave(outer);
                continue;
            }
            walk.context.count_held();
            walk.is_held()?;
            let of_its_own;
            let event_context = if event.get("@context").is_some() {
                of_its_own = contexts.event_context(event)?;
                walk.keeps_its_meaning(&of_its_own)?;
                &of_its_own
            } else {
                match &mut common {
                    Some(common) => common,
                    unknown => unknown.insert(contexts.event_context(event)?),
                }
            };
            if event.source().len() > MAX_EVENT {
                return Err(Error::capture_too_complex(MAX_EVENT, "bytes of JSON in one event"));
            }
            bytes += event_context.length() + event.source().len();
            if bytes > self.stored_bytes {
                let limit = self.stored_bytes;
                return Err(Error::new(ErrorKind::CaptureTooLarge { limit }));
            }
            if !walk.context.stands_for_itself(self.namespace) {
                walk.judge
                    .refuse("the `@context` gives the gateway's own namespace another meaning");
            }
            let entry = event_context.gateway_entry(event, &walk.context, self.namespace);
            walk.context.declare_own(&entry.prefix(), self.namespace);
            walk.object(event, KeywordScope::EVENT)?;
            walk.context.leave(outer);
            stripped.removed.push(std::mem::take(&mut walk.removed));
            stripped.gateway_entries.push(entry);
        }
        stripped.longest = walk.context.longest();
        Ok(stripped)
    }
}

/// The objects around the events that may declare a context for them, with their pointers; none for bare events.
pub(super) fn around(root: Value<'_>) -> impl Iterator<Item = (Value<'_>, &'static str)> {
    let body = root.get("epcisBody");
    let outer = body.map(|_| (root, ""));
    outer.into_iter().chain(body.map(|body| (body, "/epcisBody")))
}

/// The list of events, or the single event, with its pointer.
pub(super) fn list_of(root: Value<'_>) -> (Option<Value<'_>>, &'static str) {
    match root.get("epcisBody") {
        Some(body) => (body.get("eventList"), "/epcisBody/eventList"),
        None => (Some(root), ""),
    }
}

struct StripWalk<'d, 'c> {
    context: ActiveContext<'d>,
    /// Holds the one path to the current value: a copy for each object would cost the length of long names again and again.
    judge: Judge<'c>,
    namespace: &'c str,
    cut: CutValues,
    /// The length of the part of the judge's path that leads to the event.
    event_path: usize,
    /// The pointers of what was found in this event.
    removed: Vec<String>,
    /// How many more bytes of pointers may be reported.
    left: usize,
}

impl<'d> StripWalk<'d, '_> {
    /// Applies the contexts around the events.
    fn around(&mut self, root: Value<'d>) -> Result<(), Error> {
        for (outer, path) in around(root) {
            self.judge.go_to(path);
            self.declare(outer)?;
        }
        Ok(())
    }

    fn start(&mut self, path: &str) {
        self.event_path = path.len();
        self.judge.go_to(path);
    }

    fn declare(&mut self, object: Value<'d>) -> Result<usize, Error> {
        let outer = self.context.enter_judged(object, &mut self.judge);
        self.is_held()?;
        Ok(outer)
    }

    /// # Errors
    /// The error for exceeding a limit of contexts.
    fn is_held(&self) -> Result<(), Error> {
        match self.context.excess() {
            None => Ok(()),
            Some(Excess::Work) => Err(Error::capture_too_complex(
                MAX_WORK,
                "bytes that terms stand for, in the `@context` of each event",
            )),
            Some(Excess::Bytes) => Err(Error::new(ErrorKind::CaptureTooLarge { limit: MAX_HELD })),
            Some(Excess::Terms) => {
                Err(Error::capture_too_complex(MAX_TERMS, "terms in a `@context`"))
            }
        }
    }

    /// Requires that the entries mean the same after repeats have been removed.
    fn keeps_its_meaning(&mut self, event_context: &EventContext<'_>) -> Result<(), Error> {
        if !event_context.is_moved {
            return Ok(());
        }
        let text = format!("[{}]", event_context.texts().collect::<Vec<_>>().join(","));
        // Not too deep to be read: an entry is one level deep here, and at least as deep in an event (one), a list of events (two)
        // or a document (four).
        let document = Document::read_text(&text)?;
        let mut stored = ActiveContext::default();
        stored.count_work(self.context.work());
        stored.declare(document.root(), &mut Judge::lenient());
        self.context.count_work(stored.work() - self.context.work());
        self.is_held()?;
        if !stored.means_the_same(&self.context) {
            self.judge.below_refuse(
                "@context",
                "the same context is listed twice, and the entries between change its meaning",
            );
        }
        Ok(())
    }

    /// Finds what is to be cut out of an object; the context of an event has been applied already.
    fn object(&mut self, object: Value<'d>, scope: KeywordScope) -> Result<(), Error> {
        let outer = if scope.is_event() {
            self.context.depth()
        } else {
            if scope.is_scoped() && object.get("@context").is_some() {
                self.judge.below_refuse("@context", keyword_scope::SCOPED);
            }
            self.declare(object)?
        };
        scope.judge(object, &self.context, &mut self.judge);
        let before = self.removed.len();
        for (name, value) in object.members() {
            let name = name.to_cow();
            if name == "@context" {
                continue;
            }
            if name.len() > MAX_NAME {
                return Err(Error::invalid(vec![DocumentError {
                    path: self.judge.path().to_owned(),
                    keyword: "maxLength".to_owned(),
                    message: format!(
                        "a member's name is longer than {MAX_NAME} bytes: {}",
                        excerpt(&name)
                    ),
                }]));
            }
            if self.context.is_record_time(&name) || self.context.is_within(&name, self.namespace) {
                let above = self.judge.enter(&name);
                self.remove(value)?;
                self.judge.leave(above);
            } else if matches!(value.kind(), Kind::Array | Kind::Object) {
                let above = self.judge.enter(&name);
                self.below(value, scope.below(&name))?;
                self.judge.leave(above);
            }
        }
        if self.removed.len() > before {
            self.cut.changed.push(object.offset());
        }
        self.context.leave(outer);
        Ok(())
    }

    fn remove(&mut self, value: Value<'d>) -> Result<(), Error> {
        let path = self.judge.path();
        let told = path.part(self.event_path..);
        self.left = self.left.checked_sub(told.len() + 1).ok_or_else(too_much_stripped)?;
        self.removed.push(told.to_owned());
        self.cut.out.push(value.offset());
        Ok(())
    }

    fn below(&mut self, value: Value<'d>, scope: KeywordScope) -> Result<(), Error> {
        if value.kind() == Kind::Object {
            return self.object(value, scope);
        }
        let before = self.removed.len();
        for (index, element) in value.elements().enumerate() {
            if matches!(element.kind(), Kind::Array | Kind::Object) {
                let above = self.judge.enter(&index.to_string());
                self.below(element, scope)?;
                self.judge.leave(above);
            }
        }
        if self.removed.len() > before {
            self.cut.changed.push(value.offset());
        }
        Ok(())
    }
}

fn too_much_stripped() -> Error {
    Error::capture_too_complex(
        MAX_REPORT,
        "bytes of pointers to members that only the gateway may set",
    )
}

/// The values to cut out, by the offset where they begin.
#[derive(Default)]
struct CutValues {
    /// The values, in document order.
    out: Vec<usize>,
    /// The objects and arrays that contain such a value, at any depth; sorted before writing.
    changed: Vec<usize>,
}

impl CutValues {
    fn write(&self, value: Value<'_>, out: &mut String) {
        if self.changed.binary_search(&value.offset()).is_err() {
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
            if self.out.binary_search(&member.offset()).is_ok() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str, removed: &[&str]) {
        let document = Document::read(text.as_bytes()).unwrap();
        let stripper = Stripper {
            namespace: "https://g.example/ns/spine/",
            addresses: &Addresses::default(),
            stored_bytes: 1 << 20,
            work: &Cell::new(0),
        };
        let stripped = stripper.strip(document.root()).unwrap();
        assert_eq!(stripped.text.as_deref().unwrap_or(text), expected);
        assert_eq!(stripped.removed.concat(), removed);
    }

    #[test]
    fn forged_stamps_go_whatever_their_prefix() {
        check(
            r#"{"type":"ObjectEvent","recordTime":"x","ilmd":{"a:b": 5.50}}"#,
            r#"{"type":"ObjectEvent","ilmd":{"a:b": 5.50}}"#,
            &["/recordTime"],
        );
        // Also below the event, since the name means the same there.
        check(
            r#"{"ilmd":{"recordTime": 5.50,"epcis:recordTime":1,"https://ref.gs1.org/epcis/recordTime":2,"a:recordTime":3}}"#,
            r#"{"ilmd":{"a:recordTime":3}}"#,
            &[
                "/ilmd/recordTime",
                "/ilmd/epcis:recordTime",
                "/ilmd/https:~1~1ref.gs1.org~1epcis~1recordTime",
            ],
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
        // A nested context applies only within its object.
        check(
            r#"{"a:b":{"@context":{"y":"https://g.example/ns/spine/"},"y:who":1},"y:who":2}"#,
            r#"{"a:b":{"@context":{"y":"https://g.example/ns/spine/"}},"y:who":2}"#,
            &["/a:b/y:who"],
        );
    }
}
