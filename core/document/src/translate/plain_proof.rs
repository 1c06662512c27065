//! Proves in one pass over the JSON text that an event was written in the plainest way.
//!
//! Most events are: every field and extension is in the text once, in the order of the source, with the same characters or
//! with the bare word for its URN. Such an event survives a round trip and has the hash of its source, so neither needs to be
//! computed.
//!
//! INVARIANT: this never accepts an event if translating it back shows a difference, or if the hashes differ. With debug
//! assertions this is checked for every event.

use super::characters::{is_blank, trimmed};
use super::kinds::{EventKind, Family, Homes};
use super::namespace::{Name, Namespace};
use super::output_context::OutputContext;
use super::tree::Element;
use crate::field::{self, Content, Count, Field, FieldSet, Form, Group, ValueKind};
use epcis_edge_text::decimal::Decimal;
use epcis_edge_text::slice::Known;

/// The most extensions that are checked for equal names; more are left to the full comparison.
const FEW_EXTENSIONS: usize = 16;

/// Whether the JSON text of an event has the same content as its source, in the plainest form.
pub(super) fn is_plain(
    event: Element<'_>,
    written: &str,
    context: &OutputContext,
    family: Family,
) -> bool {
    let kind = EventKind::of(event.local());
    let Some(homes) = kind.and_then(|kind| Homes::of(family, kind)) else {
        return false;
    };
    let Some(quotes) = count_quotes(written) else {
        return false;
    };
    let mut reader = PlainProof { rest: written, strings: 0, context, placed: homes.fields };
    // A quote inside a value would make more than two quotes per string.
    reader.event(event) && reader.rest.is_empty() && 2 * reader.strings == quotes
}

/// Returns the number of quotes; `None` if the text has escapes, or control characters, which need them.
fn count_quotes(text: &str) -> Option<usize> {
    let (mut quotes, mut is_special) = (0, false);
    // Short blocks without an early exit, so that the compiler vectorises the loop.
    for block in text.as_bytes().chunks(128) {
        let mut count = 0_u8;
        for &byte in block {
            count += u8::from(byte == b'"');
            is_special |= (byte < 0x20) | (byte == b'\\');
        }
        quotes += usize::from(count);
    }
    (!is_special).then_some(quotes)
}

/// Compares the JSON text with the source; `rest` is the part that is not matched yet.
struct PlainProof<'p> {
    rest: &'p str,
    /// The number of strings matched, names of members included.
    strings: usize,
    context: &'p OutputContext,
    /// The fields that the schema has a place for, as bits.
    placed: FieldSet,
}

/// The children of an element that are written after its other parts.
#[derive(Default)]
struct LaterParts<'t> {
    /// Elements of parts that may be repeated.
    parts: Vec<(&'static Field, Element<'t>)>,
    extensions: Vec<Element<'t>>,
}

impl<'p> PlainProof<'p> {
    fn event(&mut self, event: Element<'_>) -> bool {
        // `type`, which is matched below without being counted.
        self.strings += 1;
        event.attributes().is_empty()
            && self.take("{\"type\":")
            && self.string(event.local())
            && self.members(event, None, false)
            && self.take("}")
    }

    /// Matches the members of an object: of an event, or of a group.
    fn members(
        &mut self,
        element: Element<'_>,
        group: Option<&'static Group>,
        mut is_first: bool,
    ) -> bool {
        let mut later = LaterParts::default();
        self.parts(element, group, &mut is_first, &mut later)
            && self.later(&later.parts, &mut is_first)
            && self.extensions(&later.extensions, is_first)
    }

    /// Matches the parts of an element, including those in wrappers of an event; collects those that are written later.
    fn parts<'t>(
        &mut self,
        holder: Element<'t>,
        group: Option<&'static Group>,
        is_first: &mut bool,
        later: &mut LaterParts<'t>,
    ) -> bool {
        is_blank(holder.text())
            && holder.children().all(|child| {
                let local = child.local();
                if !child.is_standard() {
                    later.extensions.push(child);
                    return group.is_none_or(|group| group.form != Form::Closed);
                }
                let part = match group {
                    None if matches!(local, "extension" | "baseExtension") => {
                        return child.attributes().is_empty()
                            && self.parts(child, None, is_first, later);
                    }
                    None => field::of_event(local)
                        .filter(|(number, _)| self.placed & (1 << number) != 0)
                        .map(|(_, field)| field),
                    Some(group) => group.part(local),
                };
                match part {
                    None => false,
                    Some(part) if matches!(part.count, Count::One | Count::List(_)) => {
                        self.key(local, std::mem::take(is_first)) && self.part(child, part)
                    }
                    Some(part) => {
                        later.parts.push((part, child));
                        true
                    }
                }
            })
    }

    fn part(&mut self, element: Element<'_>, part: &'static Field) -> bool {
        match part.count {
            Count::List(item) | Count::Joined(item) => {
                element.attributes().is_empty()
                    && self.list(element, |plain, child| {
                        child.is(item.name) && plain.item(child, item)
                    })
            }
            _ => self.item(element, part),
        }
    }

    fn item(&mut self, element: Element<'_>, item: &'static Field) -> bool {
        match item.content {
            Content::Value(kind) => self.leaf(element, kind),
            Content::Group(group) => {
                self.take("{")
                    && match group.form {
                        Form::Typed => self.typed(element, item.name, group),
                        Form::Attributes => self.members_of(element, group),
                        _ => {
                            element.attributes().is_empty()
                                && self.members(element, Some(group), true)
                        }
                    }
                    && self.take("}")
            }
        }
    }

    /// Matches the parts that may be repeated, in the order of the first element of each.
    fn later(&mut self, later: &[(&'static Field, Element<'_>)], is_first: &mut bool) -> bool {
        later.iter().enumerate().all(|(number, (part, first))| {
            let is_same = |other: &&(&'static Field, Element<'_>)| other.0.word == part.word;
            if later.iter().take(number).any(|other| is_same(&other)) {
                return true;
            }
            let all: Vec<_> = later.iter().filter(is_same).map(|(_, element)| *element).collect();
            self.key(part.name, std::mem::take(is_first))
                && match (part.count, all.len()) {
                    (Count::Many, 1) | (Count::Joined(_), 1) => self.part(*first, part),
                    (Count::Joined(_), _) => false,
                    _ => self.array(&all, |plain, element| plain.item(element, part)),
                }
        })
    }

    /// Matches extensions, those of the same name together.
    fn extensions(&mut self, extensions: &[Element<'_>], is_first: bool) -> bool {
        extensions.iter().all(|extension| extension.namespace().is_foreign())
            && self.named(extensions, is_first)
    }

    fn named(&mut self, elements: &[Element<'_>], mut is_first: bool) -> bool {
        let same = |a: &Element<'_>, b: &Element<'_>| a.name().same_as(&b.name());
        elements.len() <= FEW_EXTENSIONS
            && elements.iter().enumerate().all(|(number, element)| {
                let (before, from) = elements.split_at_checked(number).known();
                if before.iter().any(|other| same(other, element)) {
                    return true;
                }
                if !self.name(element.name(), std::mem::take(&mut is_first)) {
                    return false;
                }
                let mut others = from.iter().filter(|other| same(other, element));
                if others.nth(1).is_none() {
                    return self.extension(*element);
                }
                let all: Vec<_> = from.iter().filter(|other| same(other, element)).collect();
                self.array(&all, |plain, element| plain.extension(*element))
            })
    }

    fn extension(&mut self, element: Element<'_>) -> bool {
        if !element.attributes().is_empty() {
            return false;
        }
        if !element.has_children() {
            return self.string(element.text());
        }
        let children: Vec<_> = element.children().collect();
        is_blank(element.text()) && self.take("{") && self.named(&children, true) && self.take("}")
    }

    /// Matches the name of an extension as a member name.
    fn name(&mut self, name: Name<'_>, is_first: bool) -> bool {
        if !name.local.is_ascii() {
            return false;
        }
        if name.namespace.is_standard() {
            return name.namespace == Namespace::NONE && self.key(name.local, is_first);
        }
        let context = self.context;
        let prefix = context.prefix_of(name.namespace).filter(|prefix| {
            name.namespace.is_foreign() && context.namespace(prefix) == Some(name.namespace)
        });
        self.strings += 1;
        prefix.is_some_and(|prefix| {
            self.take(if is_first { "\"" } else { ",\"" })
                && self.take(prefix)
                && self.take(":")
                && self.take(name.local)
                && self.take("\":")
        })
    }

    /// Matches a business transaction, source or destination: its type, then its text.
    fn typed(&mut self, element: Element<'_>, name: &str, group: &'static Group) -> bool {
        let attributes = element.attributes();
        let has_type = match (attributes.len(), attributes.get(0)) {
            (0, _) => false,
            (1, Some(attribute)) if attribute.name.namespace == Namespace::NONE => {
                let part = group.part(attribute.name.local);
                if !part.is_some_and(|part| {
                    self.key(part.name, true) && self.value(attribute.value, part.kind())
                }) {
                    return false;
                }
                true
            }
            _ => return false,
        };
        !element.has_children()
            && self.key(name, !has_type)
            && self.value(element.text(), ValueKind::Plain)
    }

    /// Matches the attributes of an element that has nothing else, as the members of an object.
    fn members_of(&mut self, element: Element<'_>, group: &'static Group) -> bool {
        let mut attributes = element.attributes().iter().enumerate();
        !element.has_children()
            && is_blank(element.text())
            && attributes.all(|(number, attribute)| {
                attribute.name.namespace == Namespace::NONE
                    && group.part(attribute.name.local).is_some_and(|part| {
                        self.key(part.name, number == 0) && self.value(attribute.value, part.kind())
                    })
            })
    }

    fn leaf(&mut self, element: Element<'_>, kind: ValueKind) -> bool {
        !element.has_children()
            && element.attributes().is_empty()
            && self.value(element.text(), kind)
    }

    fn value(&mut self, text: &str, kind: ValueKind) -> bool {
        let value = match kind {
            ValueKind::Verbatim => text,
            _ => trimmed(text),
        };
        match kind {
            ValueKind::Number => {
                Decimal::read(value).is_some_and(Decimal::is_json) && self.take(value)
            }
            ValueKind::Boolean => matches!(value, "true" | "false") && self.take(value),
            ValueKind::Word(vocabulary) => {
                // To the hash, the long forms of measurement types are different URIs; those of the CBV are not.
                let forms = match vocabulary.curie {
                    "gs1:" => ["gs1:"; 3],
                    curie => [vocabulary.urn, curie, vocabulary.web],
                };
                let mut forms = forms.into_iter().filter(|form| !form.is_empty());
                match forms.find_map(|form| value.strip_prefix(form)) {
                    Some(word) if vocabulary.contains(word) => self.string(word),
                    // A word of the vocabulary has no colon.
                    _ => value.contains(':') && self.string(value),
                }
            }
            _ => self.string(value),
        }
    }

    /// Matches a list of elements, all of the same kind.
    fn list(
        &mut self,
        list: Element<'_>,
        mut is_member: impl FnMut(&mut Self, Element<'_>) -> bool,
    ) -> bool {
        let mut is_first = true;
        is_blank(list.text())
            && self.take("[")
            && list.children().all(|child| {
                (std::mem::take(&mut is_first) || self.take(",")) && is_member(self, child)
            })
            && self.take("]")
    }

    fn array<T: Copy>(
        &mut self,
        elements: &[T],
        mut is_member: impl FnMut(&mut Self, T) -> bool,
    ) -> bool {
        self.take("[")
            && elements.iter().enumerate().all(|(number, &element)| {
                (number == 0 || self.take(",")) && is_member(self, element)
            })
            && self.take("]")
    }

    /// Matches the name of a member.
    fn key(&mut self, name: &str, is_first: bool) -> bool {
        (is_first || self.take(",")) && self.string(name) && self.take(":")
    }

    /// Matches a string of exactly these characters; the count of quotes at the end shows that none of them is a quote.
    fn string(&mut self, text: &str) -> bool {
        self.strings += 1;
        self.take("\"") && self.take(text) && self.take("\"")
    }

    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}
