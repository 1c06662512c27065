//! What the event hash leaves out, so that two events of one hash may differ in it.
//!
//! Source: CBV 2.0, 8.9, in the reading of [`Profile::Cbv20`](crate::hash::Profile::Cbv20).

use crate::context::ActiveContext;
use crate::hash::is_left_out;
use crate::json::{Kind, Value, push_step};
use crate::time::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// How many JSON Pointers are told of one event; beyond, `""` stands for the whole of it.
pub(crate) const MAX_DIFFERENCES: usize = 100;

/// The fields that are times.
const TIMES: [&str; 4] = ["eventTime", "time", "startTime", "endTime"];

/// Where two events of one hash differ: the JSON Pointers of what one of them has and the other has not, or otherwise; those that
/// are told in the order of their bytes.
///
/// Left out of this, too: `@context`, `recordTime`, and `eventID`, which an answer tells anyway.
///
/// **Limits**: [`MAX_DIFFERENCES`]; the pointers together are no longer than the event and a kilobyte, since a long path may lead
/// to many places.
///
/// # Example
/// An event with `"certificationInfo": "https://example.com/1"` that is stored without it: `["/certificationInfo"]`.
pub(crate) fn differences<'d>(event: Value<'d>, stored: Value<'d>) -> Vec<String> {
    let mut places = Places::default();
    let ours = LeftOut::of(event, &mut places);
    let theirs = LeftOut::of(stored, &mut places);
    let differ = ours
        .iter()
        .filter(|(place, value)| theirs.get(*place) != Some(*value))
        .map(|(place, _)| *place);
    let missing = theirs.keys().filter(|place| !ours.contains_key(*place));
    let mut differ = differ.chain(missing.copied());
    let mut left = event.source().len() + 1024;
    let mut pointers: Vec<String> = Vec::new();
    let mut is_all = true;
    for place in differ.by_ref() {
        let room = places
            .length(place, left)
            .and_then(|length| left.checked_sub(length));
        let Some(room) = room.filter(|_| pointers.len() < MAX_DIFFERENCES) else {
            is_all = false;
            break;
        };
        left = room;
        pointers.push(places.pointer(place));
    }
    if !is_all {
        pointers.truncate(MAX_DIFFERENCES - 1);
    }
    pointers.sort_unstable();
    if !is_all {
        pointers.push(String::new());
    }
    pointers
}

/// One step of a JSON Pointer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step<'d> {
    Name(Cow<'d, str>),
    Index(usize),
}

impl Step<'_> {
    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Name(name) => Cow::Borrowed(name),
            Self::Index(index) => Cow::Owned(index.to_string()),
        }
    }
}

/// The number of a place; that of the event itself is 0.
type Place = usize;

/// Places in two events, numbered: each is a step below another, and no path is written before it is told.
#[derive(Default)]
struct Places<'d> {
    numbers: BTreeMap<(Place, Step<'d>), Place>,
    /// What place and step lead to the first, the second, and so on.
    steps: Vec<(Place, Step<'d>)>,
}

impl<'d> Places<'d> {
    fn below(&mut self, above: Place, step: &Step<'d>) -> Place {
        let key = (above, step.clone());
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        self.steps.push(key.clone());
        self.numbers.insert(key, self.steps.len());
        self.steps.len()
    }

    /// The steps that lead to a place, the last one first.
    fn steps_to(&self, mut place: Place) -> impl Iterator<Item = &Step<'d>> {
        std::iter::from_fn(move || {
            let (above, step) = self.steps.get(place.checked_sub(1)?)?;
            place = *above;
            Some(step)
        })
    }

    /// How long a pointer is at least, in bytes; `None` where that is more than so many.
    fn length(&self, place: Place, most: usize) -> Option<usize> {
        let mut length = 0;
        for step in self.steps_to(place) {
            length += step.text().len() + 1;
            if length > most {
                return None;
            }
        }
        Some(length)
    }

    fn pointer(&self, place: Place) -> String {
        let steps: Vec<&Step<'d>> = self.steps_to(place).collect();
        let mut pointer = String::new();
        for step in steps.into_iter().rev() {
            push_step(&mut pointer, &step.text());
        }
        pointer
    }
}

/// Collects what is left out of one event: places and values.
struct LeftOut<'d, 'p> {
    context: ActiveContext<'d>,
    places: &'p mut Places<'d>,
    /// The steps that lead to what is looked at, each with the number of its place once it was needed.
    open: Vec<(Step<'d>, Option<Place>)>,
    found: BTreeMap<Place, String>,
}

impl<'d, 'p> LeftOut<'d, 'p> {
    fn of(event: Value<'d>, places: &'p mut Places<'d>) -> BTreeMap<Place, String> {
        let mut collector = Self {
            context: ActiveContext::new(),
            places,
            open: Vec::new(),
            found: BTreeMap::new(),
        };
        collector.context.enter(event);
        for (name, value) in event.members() {
            let name = name.to_cow();
            match name.as_ref() {
                "@context" | "recordTime" | "eventID" => {}
                "certificationInfo" | "schemaVersion" | "creationDate" => {
                    collector.below(Step::Name(name), |collector| collector.keep(value));
                }
                "errorDeclaration" => collector.below(Step::Name(name), |collector| {
                    for (name, value) in value.members() {
                        collector.below(Step::Name(name.to_cow()), |collector| {
                            collector.keep(value);
                        });
                    }
                }),
                _ => collector.member(name, value, true),
            }
        }
        collector.found
    }

    fn below(&mut self, step: Step<'d>, work: impl FnOnce(&mut Self)) {
        self.open.push((step, None));
        work(self);
        self.open.pop();
    }

    /// The number of the place that is looked at.
    fn place(&mut self) -> Place {
        let mut place = 0;
        let known = self.open.iter().rposition(|(_, number)| number.is_some());
        if let Some((_, Some(number))) = known.and_then(|at| self.open.get(at)) {
            place = *number;
        }
        for (step, number) in self.open.iter_mut().skip(known.map_or(0, |at| at + 1)) {
            place = self.places.below(place, step);
            *number = Some(place);
        }
        place
    }

    fn keep(&mut self, value: Value<'_>) {
        let mut text = String::new();
        push_normal(value, &mut text);
        self.keep_text(text);
    }

    fn keep_text(&mut self, text: String) {
        let place = self.place();
        self.found.insert(place, text);
    }

    /// A member that the hash takes in, but perhaps not whole.
    fn member(&mut self, name: Cow<'d, str>, value: Value<'d>, in_standard: bool) {
        // Names of the standard have no colon, and none of them is left out here.
        if name.contains(':') {
            let (start, rest) = self.context.name_parts(&name);
            if is_left_out(start, rest) || name == "rdfs:comment" {
                self.below(Step::Name(name), |collector| collector.keep(value));
                return;
            }
        }
        let in_standard = in_standard && !name.contains(':') && name != "ilmd";
        if in_standard && TIMES.contains(&name.as_ref()) {
            // Hashes count milliseconds.
            let time = value.as_str().and_then(|text| Timestamp::parse(&text));
            if let Some(beyond) = time.map(|time| time.nanoseconds() % 1_000_000)
                && beyond != 0
            {
                let text = beyond.to_string();
                self.below(Step::Name(name), |collector| collector.keep_text(text));
            }
            return;
        }
        if matches!(value.kind(), Kind::Array | Kind::Object) {
            self.below(Step::Name(name), |collector| {
                collector.inside(value, in_standard);
            });
        }
    }

    fn inside(&mut self, value: Value<'d>, in_standard: bool) {
        match value.kind() {
            Kind::Array => {
                for (index, element) in value.elements().enumerate() {
                    if matches!(element.kind(), Kind::Array | Kind::Object) {
                        self.below(Step::Index(index), |collector| {
                            collector.inside(element, in_standard);
                        });
                    }
                }
            }
            Kind::Object => {
                let outer = self.context.enter(value);
                for (name, value) in value.members() {
                    let name = name.to_cow();
                    if name != "@context" {
                        self.member(name, value, in_standard);
                    }
                }
                self.context.leave(outer);
            }
            _ => {}
        }
    }
}

/// A value as text, the same however it is laid out: strings without their escapes, members by name, times of the same moment
/// alike.
fn push_normal(value: Value<'_>, out: &mut String) {
    match value.kind() {
        Kind::Object => {
            let mut members: Vec<_> = value
                .members()
                .map(|(key, value)| (key.to_cow(), value))
                .collect();
            members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
            out.push('{');
            for (name, value) in members {
                crate::json::push_string(out, &name);
                push_normal(value, out);
            }
            out.push('}');
        }
        Kind::Array => {
            out.push('[');
            for element in value.elements() {
                push_normal(element, out);
                out.push(',');
            }
            out.push(']');
        }
        Kind::String => {
            let text = value.as_str().unwrap_or_default();
            match Timestamp::parse(&text) {
                Some(time) => out.push_str(&time.to_sortable()),
                None => crate::json::push_string(out, &text),
            }
        }
        Kind::Null | Kind::Boolean | Kind::Number => out.push_str(value.source()),
    }
}

#[cfg(test)]
mod tests {
    use super::differences;
    use crate::hash::{Profile, hash_document};
    use crate::json::Document;

    /// What differs between two events, of which each lists its members; their hashes must be equal.
    fn found(one: &str, other: &str) -> Vec<String> {
        let text = |members: &str| {
            format!(
                r#"{{"@context":{{"r":"http://www.w3.org/2000/01/rdf-schema#","x":"urn:x/"}},"type":"ObjectEvent"{members}}}"#
            )
        };
        let (one, other) = (text(one), text(other));
        let one = Document::read(one.as_bytes()).unwrap();
        let other = Document::read(other.as_bytes()).unwrap();
        let hashes = [&one, &other].map(|event| hash_document(event, Profile::Cbv20).unwrap());
        assert_eq!(hashes[0], hashes[1]);
        differences(one.root(), other.root())
    }

    #[test]
    fn what_the_hash_leaves_out_is_found() {
        let certified = r#","certificationInfo":"https://example.com/1""#;
        assert_eq!(found(certified, ""), ["/certificationInfo"]);
        assert_eq!(found("", certified), ["/certificationInfo"]);
        assert_eq!(found(certified, certified), [""; 0]);
        assert_eq!(
            found(
                r#","eventTime":"2026-01-01T00:00:00.0001Z""#,
                r#","eventTime":"2026-01-01T00:00:00.000Z""#
            ),
            ["/eventTime"]
        );
        let times = |time: &str| {
            format!(r#","sensorElementList":[{{"sensorMetadata":{{"time":"{time}"}}}}]"#)
        };
        assert_eq!(
            found(
                &times("2026-01-01T00:00:00Z"),
                &times("2026-01-01T00:00:00.0000001Z")
            ),
            ["/sensorElementList/0/sensorMetadata/time"]
        );
        let declared = |more: &str| {
            format!(r#","errorDeclaration":{{"declarationTime":"2026-01-01T00:00:00Z"{more}}}"#)
        };
        assert_eq!(
            found(&declared(r#","reason":"did_not_occur""#), &declared("")),
            ["/errorDeclaration/reason"]
        );
        assert_eq!(
            found(
                r#","x:a":{"r:comment":"one","x:b":"1"},"rdfs:comment":"two""#,
                r#","x:a":{"x:b":"1"}"#
            ),
            ["/rdfs:comment", "/x:a/r:comment"]
        );
    }

    #[test]
    fn other_spellings_are_no_differences() {
        assert_eq!(
            found(
                r#","eventTime":"2026-01-01T01:00:00.5+01:00","eventID":"urn:x:1","recordTime":"2026-01-01T00:00:00Z""#,
                r#","eventTime":"2026-01-01T00:00:00.500Z""#
            ),
            [""; 0]
        );
        assert_eq!(
            found(
                r#","certificationInfo":["a","\u0062"],"bizStep":"shipping""#,
                r#","bizStep":"cbv:BizStep-shipping","certificationInfo": ["a", "b"]"#
            ),
            [""; 0]
        );
    }

    #[test]
    fn many_differences_end_in_the_whole() {
        let comments = (0..200).map(|number| format!(r#","x:a{number}":{{"rdfs:comment":"1"}}"#));
        let (one, other) = comments.enumerate().fold(
            (String::new(), String::new()),
            |(one, other), (number, text)| (one + &text, format!(r#"{other},"x:a{number}":{{}}"#)),
        );
        let found = found(&one, &other);
        assert_eq!(found.len(), super::MAX_DIFFERENCES);
        assert_eq!(found.last().map(String::as_str), Some(""));
    }
}
