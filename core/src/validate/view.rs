//! How the `jsonschema` crate sees a [`Document`](crate::json::Document): in place, with the events shown in groups.

use crate::json::{self, Kind, Value};
use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use std::borrow::Cow;

/// Our documents as a representation of JSON for the `jsonschema` crate.
pub(super) struct Tape;

impl Json for Tape {
    type Node<'a> = View<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    // A look-up walks the members: one walk for all is always better.
    const KEYS_PER_LOOKUP: usize = 1 << 20;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(View<'_>) -> T) -> T {
        f(View(Shown::Name(string)))
    }
}

/// A value, or a member name that stands as a value for `propertyNames`.
#[derive(Clone, Copy)]
pub(super) struct View<'d>(Shown<'d>);

#[derive(Clone, Copy)]
enum Shown<'d> {
    Value(Value<'d>, Option<Window<'d>>),
    Name(&'d str),
}

/// Which elements of the event list are shown, if not all.
#[derive(Clone, Copy)]
struct Window<'d> {
    list: Value<'d>,
    shown: &'d [Value<'d>],
    /// Whether the header of the document, which may be long, is left out.
    hides_header: bool,
}

impl<'d> View<'d> {
    /// All of it.
    pub(super) fn whole(root: Value<'d>) -> Self {
        Self(Shown::Value(root, None))
    }

    /// The document with its event list shown empty.
    pub(super) fn without_events(root: Value<'d>, list: Value<'d>) -> Self {
        Self(Shown::Value(
            root,
            Some(Window {
                list,
                shown: &[],
                hides_header: false,
            }),
        ))
    }

    /// The document with only these of its events, and without its header.
    pub(super) fn of_events(root: Value<'d>, list: Value<'d>, shown: &'d [Value<'d>]) -> Self {
        Self(Shown::Value(
            root,
            Some(Window {
                list,
                shown,
                hides_header: true,
            }),
        ))
    }
}

impl<'a> Node<'a, Tape> for View<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = Number<'a>;

    fn as_object(&self) -> Option<Members<'a>> {
        match self.0 {
            Shown::Value(value, window) if value.kind() == Kind::Object => {
                Some(Members { value, window })
            }
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        match self.0 {
            Shown::Value(value, window) if value.kind() == Kind::Array => {
                Some(Elements { value, window })
            }
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.0 {
            Shown::Value(value, _) => value.as_str(),
            Shown::Name(name) => Some(Cow::Borrowed(name)),
        }
    }

    fn as_number(&self) -> Option<Number<'a>> {
        match self.0 {
            Shown::Value(value, _) => value.as_number().map(Number),
            Shown::Name(_) => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.0 {
            Shown::Value(value, _) => value.as_bool(),
            Shown::Name(_) => None,
        }
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn json_type(&self) -> JsonType {
        match self.0 {
            Shown::Name(_) => JsonType::String,
            Shown::Value(value, _) => match value.kind() {
                Kind::Null => JsonType::Null,
                Kind::Boolean => JsonType::Boolean,
                Kind::Number => JsonType::Number,
                Kind::String => JsonType::String,
                Kind::Array => JsonType::Array,
                Kind::Object => JsonType::Object,
            },
        }
    }

    fn equals_value(&self, expected: &serde_json::Value) -> bool {
        match self.0 {
            Shown::Name(name) => expected.as_str() == Some(name),
            Shown::Value(value, _) => match value.as_text() {
                Some(text) => expected.as_str().is_some_and(|expected| text == *expected),
                None => jsonschema::json::cmp::equal(&value.to_serde(), expected),
            },
        }
    }

    /// What an error carries as its instance. Reports look the instance up in the document instead, so that a long array or
    /// object is not copied into each of its errors: strings are given, the rest is `null`.
    fn to_value(&self) -> Cow<'a, serde_json::Value> {
        Cow::Owned(
            self.as_string()
                .map_or(serde_json::Value::Null, |string| string.into_owned().into()),
        )
    }

    fn identity(&self) -> Option<NodeIdentity> {
        // The schema has no reference cycle, and nothing to remember.
        None
    }
}

/// A number as written.
pub(super) struct Number<'a>(&'a str);

impl JsonNumber for Number<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok()
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        let number = self.as_u64().map(serde_json::Number::from);
        let number = number.or_else(|| self.as_i64().map(serde_json::Number::from));
        let number = number.or_else(|| self.as_f64().and_then(serde_json::Number::from_f64));
        Cow::Owned(number.unwrap_or_else(|| 0.into()))
    }
}

/// Left out where a window says so.
const HEADER: &str = "epcisHeader";

#[derive(Clone, Copy)]
pub(super) struct Members<'a> {
    value: Value<'a>,
    window: Option<Window<'a>>,
}

impl<'a> Object<'a, Tape> for Members<'a> {
    type Node = View<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        self.members().count()
    }

    fn is_empty(&self) -> bool {
        self.members().next().is_none()
    }

    fn get(&self, key: &String) -> Option<View<'a>> {
        self.members()
            .find_map(|(name, value)| (name == *key).then_some(value))
    }

    fn members(&self) -> MembersIter<'a> {
        let hides_header =
            self.value.is_root() && self.window.is_some_and(|window| window.hides_header);
        MembersIter {
            members: self.value.members(),
            window: self.window,
            hides_header,
        }
    }
}

pub(super) struct MembersIter<'a> {
    members: json::Members<'a>,
    window: Option<Window<'a>>,
    hides_header: bool,
}

impl<'a> Iterator for MembersIter<'a> {
    type Item = (Cow<'a, str>, View<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let hides_header = self.hides_header;
        let (name, value) = self
            .members
            .find(|(name, _)| !(hides_header && *name == HEADER))?;
        Some((name.to_cow(), View(Shown::Value(value, self.window))))
    }
}

#[derive(Clone, Copy)]
pub(super) struct Elements<'a> {
    value: Value<'a>,
    window: Option<Window<'a>>,
}

impl<'a> Array<'a, Tape> for Elements<'a> {
    type Node = View<'a>;
    type ElementsIter = ElementsIter<'a>;

    fn len(&self) -> usize {
        self.elements().count()
    }

    fn elements(&self) -> ElementsIter<'a> {
        let elements = match self.window {
            Some(window) if window.list.is_same_place(self.value) => {
                Source::Some(window.shown.iter())
            }
            _ => Source::All(self.value.elements()),
        };
        ElementsIter {
            elements,
            window: self.window,
        }
    }

    fn is_unique(&self) -> bool {
        let texts: Option<Vec<Cow<'a, str>>> = self.value.elements().map(Value::as_str).collect();
        if let Some(mut texts) = texts {
            texts.sort_unstable();
            return texts.windows(2).all(|pair| pair.first() != pair.last());
        }
        let values: Vec<Cow<'a, serde_json::Value>> = self
            .value
            .elements()
            .map(|element| Cow::Owned(element.to_serde()))
            .collect();
        jsonschema::json::unique::is_unique(&values)
    }
}

pub(super) struct ElementsIter<'a> {
    elements: Source<'a>,
    window: Option<Window<'a>>,
}

enum Source<'a> {
    All(json::Elements<'a>),
    Some(std::slice::Iter<'a, Value<'a>>),
}

impl<'a> Iterator for ElementsIter<'a> {
    type Item = View<'a>;

    fn next(&mut self) -> Option<View<'a>> {
        let element = match &mut self.elements {
            Source::All(elements) => elements.next()?,
            Source::Some(elements) => *elements.next()?,
        };
        Some(View(Shown::Value(element, self.window)))
    }
}
