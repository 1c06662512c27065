//! Whether an event was written in the plainest way, told from the JSON text in one pass.
//!
//! Most events are: every field and extension stands in the text once, in the order of the source, with the same characters
//! or the bare word for its URN. Such an event comes back as it was and has the hash of its source, so neither needs to be
//! worked out.
//!
//! INVARIANT: this never says yes where the comparison with what comes back finds a difference, or where the hashes differ;
//! builds with debug assertions check that for every event.

use super::characters::is_blank;
use super::context::Context;
use super::map::{Shape, field};
use super::model::{Content, Family, Model};
use super::namespace::{Name, Namespace};
use super::tree::Element;
use super::value::{
    Kind, kind_of_attribute, kind_of_element, metadata_attribute, report_attribute,
};

/// Extensions up to this many look for equal names; more are left to the comparison.
const FEW_EXTENSIONS: usize = 16;

/// Whether the JSON text says, of an event, the same as the source in the plainest way.
pub(super) fn is_plain(
    event: Element<'_, '_>,
    written: &str,
    context: &Context,
    family: Family,
) -> bool {
    let Some(model) = family.event(event.local()) else {
        return false;
    };
    let Some(quotes) = count_quotes(written) else {
        return false;
    };
    let mut reader = Plain {
        rest: written,
        strings: 0,
        context,
        placed: placed(model),
    };
    // Were a quote part of a value, there would be more of them than the strings have ends.
    reader.event(event) && reader.rest.is_empty() && 2 * reader.strings == quotes
}

/// How many quotes there are; none where there are escapes, or what would need one.
fn count_quotes(text: &str) -> Option<usize> {
    let (mut quotes, mut is_special) = (0, false);
    // Short blocks and no early exit inside of them, so that it becomes vector code.
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

/// The fields that a model has a place for, as bits.
fn placed(model: &Model) -> u32 {
    model
        .particles
        .iter()
        .map(|particle| match particle.content {
            Content::Group(inner) if particle.field == 255 => placed(inner),
            _ => 1_u32.checked_shl(particle.field.into()).unwrap_or_default(),
        })
        .fold(0, |all, bits| all | bits)
}

/// What of the text is still to be found in the source.
struct Plain<'p> {
    rest: &'p str,
    /// How many strings, names of members included, were found.
    strings: usize,
    context: &'p Context,
    placed: u32,
}

/// What an event has that is written behind its fields.
#[derive(Default)]
struct Later<'t, 'x> {
    certificates: Vec<Element<'t, 'x>>,
    extensions: Vec<Element<'t, 'x>>,
}

impl<'p> Plain<'p> {
    fn event(&mut self, event: Element<'_, '_>) -> bool {
        let mut later = Later::default();
        event.attributes().is_empty()
            && self.take("{\"type\":")
            && self.string(event.local())
            && {
                // The name of that member.
                self.strings += 1;
                self.fields(event, &mut later)
            }
            && self.certificates(&later.certificates)
            && self.extensions(&later.extensions, false)
            && self.take("}")
    }

    /// The fields of an event, those in its wrappers included; what is written behind them is collected.
    fn fields<'t, 'x>(&mut self, holder: Element<'t, 'x>, later: &mut Later<'t, 'x>) -> bool {
        is_blank(holder.text())
            && holder.children().all(|child| {
                if !child.is_standard() {
                    later.extensions.push(child);
                    return true;
                }
                if !child.attributes().is_empty() {
                    return false;
                }
                let local = child.local();
                if matches!(local, "extension" | "baseExtension") {
                    return self.fields(child, later);
                }
                let Some((number, _, shape)) = field(local) else {
                    return false;
                };
                if self.placed & (1_u32 << number) == 0 {
                    return false;
                }
                if shape == Shape::Leaves {
                    later.certificates.push(child);
                    return true;
                }
                self.key(local, false) && self.field(child, shape)
            })
    }

    fn field(&mut self, element: Element<'_, '_>, shape: Shape) -> bool {
        let local = element.local();
        match shape {
            Shape::Leaf => self.leaf(element, kind_of_element(local)),
            Shape::Strings(item) => self.list(element, |plain, child| {
                child.is(item) && plain.leaf(child, Kind::Text)
            }),
            Shape::Quantities => self.list(element, Self::quantity_element),
            Shape::Place => self.place(element),
            Shape::Transactions => {
                self.list(element, |plain, child| plain.typed(child, "bizTransaction"))
            }
            Shape::Endpoints(item) => self.list(element, |plain, child| plain.typed(child, item)),
            Shape::Sensors => self.list(element, Self::sensor_element),
            Shape::Ilmd => {
                let extensions: Vec<_> = element.children().collect();
                is_blank(element.text())
                    && self.take("{")
                    && self.extensions(&extensions, true)
                    && self.take("}")
            }
            Shape::PersistentDisposition => self.persistent_disposition(element),
            Shape::ErrorDeclaration => self.error_declaration(element),
            Shape::Leaves | Shape::OfQuantityEvent => false,
        }
    }

    fn certificates(&mut self, certificates: &[Element<'_, '_>]) -> bool {
        match certificates {
            [] => true,
            [one] => self.key("certificationInfo", false) && self.leaf(*one, Kind::Text),
            several => {
                self.key("certificationInfo", false)
                    && self.array(several, |plain, one| plain.leaf(one, Kind::Text))
            }
        }
    }

    fn place(&mut self, place: Element<'_, '_>) -> bool {
        let mut extensions = Vec::new();
        let mut is_first = true;
        is_blank(place.text())
            && self.take("{")
            && place.children().all(|child| {
                if !child.is_standard() {
                    extensions.push(child);
                    return true;
                }
                child.local() == "id"
                    && std::mem::take(&mut is_first)
                    && self.key("id", true)
                    && self.leaf(child, Kind::Text)
            })
            && self.extensions(&extensions, is_first)
            && self.take("}")
    }

    fn persistent_disposition(&mut self, element: Element<'_, '_>) -> bool {
        let mut is_first = true;
        let is_other = |child: &Element<'_, '_>| !child.is("unset") && !child.is("set");
        is_blank(element.text())
            && !element.children().any(|child| is_other(&child))
            && self.take("{")
            && ["unset", "set"].into_iter().all(|list| {
                let words: Vec<_> = element.children().filter(|child| child.is(list)).collect();
                words.is_empty()
                    || self.key(list, std::mem::take(&mut is_first))
                        && self.array(&words, |plain, word| {
                            plain.leaf(word, kind_of_element(list))
                        })
            })
            && self.take("}")
    }

    fn error_declaration(&mut self, element: Element<'_, '_>) -> bool {
        let mut extensions = Vec::new();
        let mut corrections = None;
        let mut is_first = true;
        let mut seen = [false; 2];
        is_blank(element.text())
            && self.take("{")
            && element.children().all(|child| {
                let local = child.local();
                match local {
                    _ if !child.is_standard() => {
                        extensions.push(child);
                        true
                    }
                    "correctiveEventIDs" => {
                        child.attributes().is_empty() && corrections.replace(child).is_none()
                    }
                    "declarationTime" | "reason" => {
                        let [time, reason] = &mut seen;
                        let seen = if local == "reason" { reason } else { time };
                        !std::mem::replace(seen, true)
                            && self.key(local, std::mem::take(&mut is_first))
                            && self.leaf(child, kind_of_element(local))
                    }
                    _ => false,
                }
            })
            && corrections.is_none_or(|list| {
                self.key("correctiveEventIDs", std::mem::take(&mut is_first))
                    && self.list(list, |plain, child| {
                        child.is("correctiveEventID") && plain.leaf(child, Kind::Text)
                    })
            })
            && self.extensions(&extensions, is_first)
            && self.take("}")
    }

    fn sensor_element(&mut self, element: Element<'_, '_>) -> bool {
        let mut extensions = Vec::new();
        let mut reports = Vec::new();
        let mut is_first = true;
        element.is("sensorElement")
            && element.attributes().is_empty()
            && is_blank(element.text())
            && self.take("{")
            && element.children().all(|child| match child.local() {
                _ if !child.is_standard() => {
                    extensions.push(child);
                    true
                }
                "sensorMetadata" if reports.is_empty() => {
                    std::mem::take(&mut is_first)
                        && self.key("sensorMetadata", true)
                        && self.members_of(child, metadata_attribute)
                }
                "sensorReport" => {
                    reports.push(child);
                    true
                }
                _ => false,
            })
            && (reports.is_empty()
                || self.key("sensorReport", std::mem::take(&mut is_first))
                    && self.array(&reports, |plain, report| {
                        plain.members_of(report, report_attribute)
                    }))
            && self.extensions(&extensions, is_first)
            && self.take("}")
    }

    /// Extensions, and those of one name together.
    fn extensions(&mut self, extensions: &[Element<'_, '_>], is_first: bool) -> bool {
        extensions
            .iter()
            .all(|extension| extension.namespace().is_foreign())
            && self.named(extensions, is_first)
    }

    fn named(&mut self, elements: &[Element<'_, '_>], mut is_first: bool) -> bool {
        let same = |a: &Element<'_, '_>, b: &Element<'_, '_>| a.name().same_as(&b.name());
        elements.len() <= FEW_EXTENSIONS
            && elements.iter().enumerate().all(|(number, element)| {
                let (before, from) = elements.split_at_checked(number).unwrap_or_default();
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

    fn extension(&mut self, element: Element<'_, '_>) -> bool {
        if !element.attributes().is_empty() {
            return false;
        }
        if !element.has_children() {
            return self.string(element.text());
        }
        let children: Vec<_> = element.children().collect();
        is_blank(element.text()) && self.take("{") && self.named(&children, true) && self.take("}")
    }

    /// The name of an extension as that of a member.
    fn name(&mut self, name: Name<'_>, is_first: bool) -> bool {
        if !name.local.is_ascii() {
            return false;
        }
        if name.namespace.is_standard() {
            return self.key(name.local, is_first);
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

    fn quantity_element(&mut self, element: Element<'_, '_>) -> bool {
        let mut seen = 0_u8;
        element.is("quantityElement")
            && element.attributes().is_empty()
            && is_blank(element.text())
            && self.take("{")
            && element.children().all(|child| {
                let local = child.local();
                let bit = match local {
                    "epcClass" => 1,
                    "quantity" => 2,
                    "uom" => 4,
                    _ => return false,
                };
                let is_first = seen == 0;
                let is_new = seen & bit == 0;
                seen |= bit;
                child.is_standard()
                    && is_new
                    && self.key(local, is_first)
                    && self.leaf(child, kind_of_element(local))
            })
            && self.take("}")
    }

    /// A business transaction, source or destination: its type, then its text.
    fn typed(&mut self, element: Element<'_, '_>, item: &str) -> bool {
        if !element.is(item) || element.has_children() || !self.take("{") {
            return false;
        }
        let has_type = match element.attributes() {
            [] => false,
            [attribute]
                if attribute.name.local == "type"
                    && attribute.name.namespace == Namespace::NONE =>
            {
                let kind = kind_of_attribute(item, "type");
                if !(self.key("type", true) && self.value(&attribute.value, kind)) {
                    return false;
                }
                true
            }
            _ => return false,
        };
        self.key(item, !has_type) && self.value(element.text(), Kind::Text) && self.take("}")
    }

    /// The attributes of an element that has nothing else, as the members of an object.
    fn members_of(&mut self, element: Element<'_, '_>, kind_of: fn(&str) -> Option<Kind>) -> bool {
        !element.has_children()
            && is_blank(element.text())
            && self.take("{")
            && element
                .attributes()
                .iter()
                .enumerate()
                .all(|(number, attribute)| {
                    attribute.name.namespace == Namespace::NONE
                        && self.key(attribute.name.local, number == 0)
                        && kind_of(attribute.name.local)
                            .is_some_and(|kind| self.value(&attribute.value, kind))
                })
            && self.take("}")
    }

    fn leaf(&mut self, element: Element<'_, '_>, kind: Kind) -> bool {
        !element.has_children()
            && element.attributes().is_empty()
            && self.value(element.text(), kind)
    }

    fn value(&mut self, text: &str, kind: Kind) -> bool {
        let trimmed = match kind {
            Kind::Verbatim => text,
            _ => text.trim_matches([' ', '\n', '\t', '\r']),
        };
        match kind {
            Kind::Verbatim | Kind::Text | Kind::Time => self.string(trimmed),
            Kind::Number => is_number(trimmed) && self.take(trimmed),
            Kind::Boolean => matches!(trimmed, "true" | "false") && self.take(trimmed),
            Kind::Word(vocabulary) => {
                // The long forms of measurement types are other URIs to the hash; those of the CBV are not.
                let forms = match vocabulary.curie {
                    "gs1:" => ["gs1:"; 3],
                    curie => [vocabulary.urn, curie, vocabulary.web],
                };
                let mut forms = forms.into_iter().filter(|form| !form.is_empty());
                match forms.find_map(|form| trimmed.strip_prefix(form)) {
                    Some(word) if vocabulary.contains(word) => self.string(word),
                    // A word of the vocabulary has no colon.
                    _ => trimmed.contains(':') && self.string(trimmed),
                }
            }
        }
    }

    /// A list of elements, each of its kind.
    fn list(
        &mut self,
        list: Element<'_, '_>,
        mut is_member: impl FnMut(&mut Self, Element<'_, '_>) -> bool,
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

    /// The name of a member.
    fn key(&mut self, name: &str, is_first: bool) -> bool {
        (is_first || self.take(",")) && self.string(name) && self.take(":")
    }

    /// A string of exactly these characters; that none of them is a quote is seen at the end.
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

/// Whether this is a number as JSON has it (RFC 8259, 6).
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)))
}
