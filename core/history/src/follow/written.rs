//! Values of the answer that write themselves as JSON.

use epcis_edge_text::grow::{push_text, reserve};
use epcis_edge_text::json::push_string;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::iter;

/// The room that is reserved for an entry; without their events, few entries are longer.
const SHORT: usize = 4 << 10;

/// A value that writes itself as JSON.
pub(super) trait Written {
    /// Whether the member with this value is left out.
    fn is_absent(&self) -> bool {
        false
    }

    fn write(self, out: &mut String);
}

impl Written for bool {
    fn write(self, out: &mut String) {
        out.push_str(if self { "true" } else { "false" });
    }
}

impl Written for u64 {
    fn write(self, out: &mut String) {
        let _ = write!(out, "{self}");
    }
}

impl Written for &u64 {
    fn write(self, out: &mut String) {
        (*self).write(out);
    }
}

impl Written for usize {
    fn write(self, out: &mut String) {
        let _ = write!(out, "{self}");
    }
}

impl Written for &str {
    fn write(self, out: &mut String) {
        push_string(out, self);
    }
}

impl Written for Cow<'_, str> {
    fn write(self, out: &mut String) {
        push_string(out, &self);
    }
}

impl<T: Written> Written for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn write(self, out: &mut String) {
        if let Some(value) = self {
            value.write(out);
        }
    }
}

impl<T: Written> Written for Vec<T> {
    fn write(self, out: &mut String) {
        write_list(self, out);
    }
}

impl<'a, T> Written for &'a [T]
where
    &'a T: Written,
{
    fn write(self, out: &mut String) {
        write_list(self, out);
    }
}

fn write_list<T: Written>(entries: impl IntoIterator<Item = T>, out: &mut String) {
    out.push('[');
    for (number, entry) in entries.into_iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        reserve(out, SHORT);
        entry.write(out);
    }
    out.push(']');
}

pub(super) fn write_member<T: Written>(name: &str, value: T, out: &mut String) {
    if value.is_absent() {
        return;
    }
    if !out.ends_with('{') {
        out.push(',');
    }
    let _ = write!(out, r#""{name}":"#);
    value.write(out);
}

/// Entries, each made when it is written.
pub(super) struct Rows<'a, T>(Box<dyn Iterator<Item = T> + 'a>);

impl<'a, T: 'a> Rows<'a, T> {
    /// The entries, of an iterator that is made when the first is written.
    pub(super) fn new<I: Iterator<Item = T> + 'a>(make: impl FnOnce() -> I + 'a) -> Self {
        Self(Box::new(iter::once_with(make).flatten()))
    }
}

impl<T: Written> Written for Rows<'_, T> {
    fn write(self, out: &mut String) {
        write_list(self.0, out);
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Rows<'_, T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<T>::json_schema(generator)
    }
}

/// The text of an event.
pub(super) struct EventText<'a>(pub(super) &'a str);

impl Written for EventText<'_> {
    fn write(self, out: &mut String) {
        out.push(' ');
        push_text(out, self.0);
    }
}

/// Anything: the description of the endpoints has the schema of an event in its place.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for EventText<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "EventText".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({})
    }
}

/// The digits of a number.
pub(super) struct Digits(pub(super) String);

impl Written for Digits {
    fn write(self, out: &mut String) {
        out.push_str(&self.0);
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Digits {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Digits".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "number"})
    }
}

/// Defines types whose values are words of the answer.
macro_rules! words {
    ($($(#[$meta:meta])* $visible:vis $name:ident { $($variant:ident $word:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        $visible enum $name { $($variant,)* }

        impl crate::follow::written::Written for $name {
            fn write(self, out: &mut String) {
                let word: &str = match self { $(Self::$variant => $word,)* };
                word.write(out);
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"enum": [$($word),*]})
            }
        }
    )*};
}
pub(super) use words;
