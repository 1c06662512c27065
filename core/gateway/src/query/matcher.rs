//! Values to compare with: exact ones, and the shapes of texts that EPC patterns match.
//!
//! A pattern such as `urn:epc:idpat:sgtin:4012345.*.*` is translated to the canonical Digital Links of the instances that it
//! matches. A Digital Link does not say where its company prefix ends. No company prefix is the beginning of another, so the digits
//! decide.

use super::key::{KEY_PREFIX, start_of};
use epcis_edge_document::identifier::{self, Scheme};
use epcis_edge_document::normal;
use epcis_edge_text::slice::{OrEmpty, Part};
use serde::Serialize;
use std::collections::BTreeSet;

/// The values that a condition accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Matcher {
    /// Texts in normal form.
    pub exact: BTreeSet<String>,
    /// Shapes of texts in normal form, sorted by their prefixes.
    shapes: Vec<Shape>,
}

impl Matcher {
    /// Whether a text in normal form is accepted.
    #[must_use]
    pub fn matches(&self, value: &str) -> bool {
        self.exact.contains(value) || self.has_shape(value)
    }

    /// A matcher that accepts these texts in normal form, and no others.
    #[must_use]
    pub fn exactly(exact: BTreeSet<String>) -> Self {
        Self { exact, shapes: Vec::new() }
    }

    /// The same matcher, which also accepts longer texts that begin with one of these.
    pub(crate) fn or_beginning_with(mut self, starts: Vec<String>) -> Self {
        self.shapes.extend(starts.into_iter().map(|prefix| Shape {
            prefix,
            digits: 0,
            infix: "",
            end: End::Text,
        }));
        self.sort();
        self
    }

    /// The shapes of texts in normal form.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Sorts the shapes, which are looked up by prefix.
    pub(super) fn sort(&mut self) {
        self.shapes.sort_unstable();
        self.shapes.dedup();
    }

    /// Whether a text has one of the shapes. Only shapes whose prefix the text begins with are tried, the longest prefix first, so
    /// that a thousand patterns cost hardly more than one.
    fn has_shape(&self, value: &str) -> bool {
        let mut start = value;
        loop {
            let upto = self.shapes.partition_point(|shape| shape.prefix.as_str() <= start);
            let upto = self.shapes.part(..upto);
            let Some(Shape { prefix, .. }) = upto.last() else {
                return false;
            };
            let same = upto.iter().rev().take_while(|shape| shape.prefix == *prefix);
            let common = if value.starts_with(prefix.as_str()) {
                if same.into_iter().any(|shape| shape.matches(value)) {
                    return true;
                }
                // Next a shorter prefix, by one byte at least.
                match prefix.len().checked_sub(1) {
                    Some(length) => length,
                    None => return false,
                }
            } else {
                // Prefixes of the text sort before this one, and are no longer than the common start of both.
                let bytes = prefix.bytes().zip(value.bytes());
                bytes.take_while(|(one, other)| one == other).count()
            };
            start = start_of(value, common);
        }
    }
}

/// A form of text: a prefix, a number of digits, a fixed text, and an end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Shape {
    prefix: String,
    digits: usize,
    infix: &'static str,
    end: End,
}

/// How a shape ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
enum End {
    /// Nothing follows.
    Here,
    /// Any text follows, at least one character.
    Text,
    /// Any text with this one inside it, and with more text on both sides.
    Around(&'static str),
    /// Either nothing follows, or this text and at least one more character.
    HereOr(&'static str),
    /// This many components, separated by points; the last may contain points.
    Components(usize),
}

impl Shape {
    /// Whether a text has this form.
    #[must_use]
    pub fn matches(&self, value: &str) -> bool {
        self.rest(value).is_some_and(|rest| match self.end {
            End::Here => rest.is_empty(),
            End::Text => !rest.is_empty(),
            End::Around(middle) => rest
                .split_once(middle)
                .is_some_and(|(before, after)| !before.is_empty() && !after.is_empty()),
            End::HereOr(start) => {
                rest.is_empty() || rest.strip_prefix(start).is_some_and(|text| !text.is_empty())
            }
            End::Components(count) => {
                let mut parts = rest.splitn(count, '.');
                (0..count).all(|_| parts.next().is_some_and(|part| !part.is_empty()))
            }
        })
    }

    fn rest<'t>(&self, value: &'t str) -> Option<&'t str> {
        let rest = value.strip_prefix(self.prefix.as_str())?;
        let (digits, rest) = rest.split_at_checked(self.digits)?;
        let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
        rest.strip_prefix(self.infix).filter(|_| are_digits)
    }

    /// The range of keys (see [`index_key`](super::index_key)) that contains the keys of all texts of this form. The first is
    /// included, the second excluded.
    #[must_use]
    pub fn key_range(&self) -> (String, String) {
        let mut start = self.prefix.clone();
        if self.digits == 0 {
            start.push_str(self.infix);
        }
        let mut start = start_of(&start, KEY_PREFIX).to_owned();
        while let Some(last) = start.pop() {
            if last.is_ascii() && last < '~' {
                let mut end = start.clone();
                end.push(char::from(last as u8 + 1));
                start.push(last);
                return (start, end);
            }
        }
        (String::new(), char::MAX.to_string())
    }
}

/// The kind of identifier that a `MATCH_` parameter compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Level {
    /// Instances: lists of EPCs.
    Instance,
    /// Classes: quantity lists.
    Class,
}

/// Adds one value of a `MATCH_` parameter; `None` if it is an invalid pattern.
pub(super) fn add(matcher: &mut Matcher, value: &str, level: Level) -> Option<()> {
    match value.strip_prefix("urn:epc:idpat:") {
        Some(pattern) => {
            let (scheme, body) = pattern.split_once(':')?;
            add_pattern(matcher, scheme, body, level)
        }
        None => {
            matcher.exact.insert(normal::identifier(value));
            Some(())
        }
    }
}

fn add_pattern(matcher: &mut Matcher, scheme: &str, body: &str, level: Level) -> Option<()> {
    let components: Vec<&str> = body.split('.').collect();
    let wild = components.iter().rev().take_while(|part| **part == "*").count();
    let (fixed, _) = components.split_at_checked(components.len() - wild)?;
    let is_broken = fixed.iter().any(|part| part.is_empty() || part.contains('*'));
    if scheme.is_empty() || is_broken {
        return None;
    }
    if wild == 0 {
        // A pattern without a star is the identifier itself.
        let urn = format!("{}{body}", head_of(scheme));
        matcher.exact.insert(normal::identifier(&urn));
        return Some(());
    }
    // Stored identifiers may be EPC URNs that have no Digital Link.
    let forms: &[&str] = match level {
        Level::Instance => &["id"],
        Level::Class => &["class", "id", "idpat"],
    };
    let head: String = fixed.iter().flat_map(|part| [part, "."]).collect();
    for form in forms {
        matcher.shapes.push(Shape {
            prefix: format!("urn:epc:{form}:{scheme}:{head}"),
            digits: 0,
            infix: "",
            end: End::Components(wild),
        });
    }
    if level == Level::Class {
        matcher.exact.insert(normal::identifier(&format!("urn:epc:idpat:{scheme}:{body}")));
    }
    let shapes = link_shapes(scheme, fixed, wild, level).or_empty();
    matcher.shapes.extend(shapes);
    Some(())
}

/// The canonical Digital Links that a pattern matches; `None` if its scheme has none, or its digits are not those of a key.
fn link_shapes(scheme: &str, fixed: &[&str], wild: usize, level: Level) -> Option<Vec<Shape>> {
    let of = Scheme::named(scheme.as_bytes())?;
    let key = of.key;
    let behind = usize::from(of.has_serial());
    let components = if key.has_pieces { 4 } else { 2 } + behind;
    if fixed.len() + wild != components {
        return None;
    }
    let step = of.qualifier.map_or("", |qualifier| qualifier.step);
    let (infix, end) = match (key.is_text(), of.has_serial()) {
        (true, true) => ("", End::Around(step)),
        (true, false) => ("", End::Text),
        (false, false) => ("", End::Here),
        (false, true) if of.absent().is_some() => ("", End::HereOr(step)),
        (false, true) => (step, End::Text),
    };
    let start = format!("https://id.gs1.org/{}/{}", key.ai, key.filler);
    let pieces = if key.has_pieces { 4 } else { 0 };
    let all_digits = (key.digits + pieces).saturating_sub(key.filler.len());
    let shape = |prefix: String, digits: usize| Shape {
        prefix,
        digits,
        infix: if level == Level::Class && end == End::Text { "" } else { infix },
        end: match (level, end) {
            (Level::Class, End::Text) => End::HereOr(infix),
            (Level::Class, End::Around(_)) => End::Text,
            (_, end) => end,
        },
    };
    let prefix = fixed.first().copied().unwrap_or("");
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !prefix.is_empty() && (!(6..=12).contains(&prefix.len()) || !are_digits(prefix)) {
        return None;
    }
    let is_complete = fixed.len() + behind == components;
    Some(if fixed.is_empty() {
        vec![shape(start, all_digits)]
    } else if !key.is_text() && fixed.len() > 1 {
        // The key is converted like the key of an identifier, with digits in place of the stars, and cut off where the stars begin.
        let known = match fixed.len() {
            parts if key.has_pieces => key.digits + 2 * parts.checked_sub(2)?,
            _ if is_complete => all_digits,
            _ => return None,
        };
        let serials = ["01", "01", "0"];
        let missing = serials.get(serials.len().checked_sub(wild)?..)?;
        let body = [fixed, missing].concat().join(".");
        let urn = head_of(scheme) + &body;
        let link = identifier::to_digital_link(&urn)?.get(..start.len() + known)?.to_owned();
        vec![shape(link, all_digits - known)]
    } else if key.leads {
        // The first digit of the key comes before the company prefix.
        let digits = all_digits.checked_sub(prefix.len() + 1)?;
        (0..10).map(|first| shape(format!("{start}{first}{prefix}"), digits)).collect()
    } else {
        let text = format!("{start}{}", fixed.concat());
        let mut shape = shape(text, all_digits.saturating_sub(prefix.len()));
        if is_complete && behind > 0 {
            (shape.infix, shape.end) = (step, End::Text);
        }
        vec![shape]
    })
}

/// The start of an identifier's URN, by its scheme.
fn head_of(scheme: &str) -> String {
    let of = Scheme::named(scheme.as_bytes());
    let is_of_classes = of.is_some_and(|of| of.is_of_classes());
    let form = if is_of_classes { "class" } else { "id" };
    format!("urn:epc:{form}:{scheme}:")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matcher(value: &str, level: Level) -> Matcher {
        let mut matcher = Matcher::default();
        add(&mut matcher, value, level).unwrap();
        matcher.sort();
        matcher
    }

    /// The lookup by prefix accepts the same texts as trying the shapes one by one.
    #[test]
    fn many_patterns_accept_what_each_accepts() {
        let patterns = [
            "sgtin:*.*.*",
            "sgtin:0614141.*.*",
            "sgtin:06141.*.*",
            "sgtin:0614141.112345.*",
            "sgtin:0614142.*.*",
            "sscc:0614141.*",
            "sgln:0614141.00777.*",
            "giai:*.*",
            "giai:0614141.*",
            "grai:0614141.*.*",
            "cpi:0614141.*.*",
            "gid:*.*.*",
            "gid:1.*.*",
            "x:1.*",
            "x:é.*",
        ];
        let values = [
            "urn:epc:id:sgtin:0614141.112345.400",
            "urn:epc:id:sgtin:06141.11234567.400",
            "urn:epc:id:sgtin:0614142.112345.4",
            "urn:epc:id:sscc:0614141.1234567890",
            "urn:epc:id:sgln:0614141.00777.5",
            "urn:epc:id:sgln:0614141.00778.5",
            "urn:epc:id:giai:0614141.5",
            "urn:epc:id:giai:0614142.5",
            "urn:epc:id:grai:0614141.12345.7",
            "urn:epc:id:cpi:0614141.ABC.7",
            "urn:epc:id:gid:1.2.3",
            "urn:epc:id:gid:10.2.3",
            "urn:epc:id:x:1.2",
            "urn:epc:id:x:é.2",
            "urn:epc:id:x:è.2",
            "urn:epc:id:",
            "",
            "~",
        ];
        let mut accepted = 0;
        for level in [Level::Instance, Level::Class] {
            // Every range of consecutive patterns.
            for (from, upto) in (0..patterns.len())
                .flat_map(|from| (from + 1..=patterns.len()).map(move |upto| (from, upto)))
            {
                let mut all = Matcher::default();
                for pattern in &patterns[from..upto] {
                    add(&mut all, &format!("urn:epc:idpat:{pattern}"), level).unwrap();
                }
                all.sort();
                for value in values {
                    let value = normal::identifier(value);
                    let each = all.shapes.iter().any(|shape| shape.matches(&value));
                    assert_eq!(all.has_shape(&value), each, "{value} {from}..{upto}");
                    accepted += usize::from(each);
                }
            }
        }
        assert!(accepted > 500, "{accepted}");
    }

    #[track_caller]
    fn check(pattern: &str, level: Level, matching: &[&str], others: &[&str]) {
        let matcher = matcher(pattern, level);
        for stored in matching {
            let value = normal::identifier(stored);
            assert!(matcher.matches(&value), "{pattern} and {stored} ({value}): {matcher:?}");
            let key = crate::query::index_key(&value).into_owned();
            let in_range = matcher.shapes().iter().any(|shape| {
                let (from, to) = shape.key_range();
                from <= key && key < to
            });
            assert!(in_range || matcher.exact.contains(&value), "{pattern} and {stored}");
        }
        for stored in others {
            let value = normal::identifier(stored);
            assert!(!matcher.matches(&value), "{pattern} and {stored} ({value})");
        }
    }

    #[test]
    fn patterns_match_instances_in_any_spelling() {
        let item = "urn:epc:id:sgtin:0614141.112345.400";
        let link = "https://example.org/01/10614141123459/21/400";
        let other = "urn:epc:id:sgtin:0614141.112346.400";
        let foreign = "urn:epc:id:sgtin:0614142.112345.400";
        let class = "urn:epc:idpat:sgtin:0614141.112345.*";
        check(class, Level::Instance, &[item, link], &[other, foreign, class]);
        let company = "urn:epc:idpat:sgtin:0614141.*.*";
        check(company, Level::Instance, &[item, link, other], &[foreign, class]);
        let scheme = "urn:epc:idpat:sgtin:*.*.*";
        check(
            scheme,
            Level::Instance,
            &[item, link, other, foreign],
            &["urn:epc:id:sscc:0614141.1234567890", "https://id.gs1.org/01/10614141123459/235/400"],
        );
        check(
            "urn:epc:idpat:sscc:0614141.*",
            Level::Instance,
            &["urn:epc:id:sscc:0614141.1234567890"],
            &["urn:epc:id:sscc:0614142.1234567890", item],
        );
        check(
            "urn:epc:idpat:sgln:0614141.12345.*",
            Level::Instance,
            &["urn:epc:id:sgln:0614141.12345.0", "urn:epc:id:sgln:0614141.12345.32a"],
            &["urn:epc:id:sgln:0614141.12346.0"],
        );
        check(
            "urn:epc:idpat:grai:0614141.12345.*",
            Level::Instance,
            &["urn:epc:id:grai:0614141.12345.400"],
            &["urn:epc:id:grai:0614141.12346.400", "urn:epc:idpat:grai:0614141.12345.*"],
        );
        check(
            "urn:epc:idpat:giai:0614141.*",
            Level::Instance,
            &["urn:epc:id:giai:0614141.A%26b"],
            &[item],
        );
        check(
            "urn:epc:idpat:gid:1234.*.*",
            Level::Instance,
            &["urn:epc:id:gid:1234.5.6"],
            &["urn:epc:id:gid:1235.5.6"],
        );
        check(
            "urn:epc:idpat:cpi:0614141.123456.*",
            Level::Instance,
            &["urn:epc:id:cpi:0614141.123456.7"],
            &["urn:epc:id:cpi:0614141.123457.7"],
        );
        check(
            "urn:epc:idpat:itip:4012345.011111.01.02.*",
            Level::Instance,
            &["urn:epc:id:itip:4012345.011111.01.02.9"],
            &["urn:epc:id:itip:4012345.011111.02.02.9"],
        );
    }

    #[test]
    fn a_stored_star_is_matched_by_a_star_alone() {
        let stored = "urn:epc:idpat:sgtin:0614141.112345.*";
        let link = "https://id.gs1.org/01/10614141123459";
        check(stored, Level::Class, &[stored, link], &["urn:epc:class:lgtin:0614141.112345.L"]);
        check(
            "urn:epc:idpat:sgtin:0614141.*.*",
            Level::Class,
            &[stored, "urn:epc:idpat:sgtin:0614141.*.*"],
            &["urn:epc:idpat:sgtin:*.*.*"],
        );
        check("urn:epc:id:sgtin:0614141.112345.400", Level::Class, &[], &[stored]);
        check("https://id.gs1.org/01/10614141123459", Level::Class, &[stored], &[]);
        check(
            "urn:epc:class:lgtin:0614141.112345.L",
            Level::Class,
            &["https://id.gs1.org/01/10614141123459/10/L"],
            &[stored],
        );
    }

    #[test]
    fn stars_elsewhere_make_no_pattern() {
        for value in [
            "urn:epc:idpat:sgtin:*.112345.*",
            "urn:epc:idpat:sgtin:0614141.1*.*",
            "urn:epc:idpat:sgtin:0614141..*",
            "urn:epc:idpat:*",
            "urn:epc:idpat::0614141.*",
        ] {
            assert_eq!(add(&mut Matcher::default(), value, Level::Instance), None, "{value}");
        }
        // Without `idpat` a star is an ordinary character.
        let literal = matcher("urn:epc:id:sgtin:0614141.112345.*", Level::Instance);
        assert!(literal.shapes.is_empty());
    }
}
