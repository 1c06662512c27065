//! Comparing a document with the content models: every departure is a note, never a refusal.

use super::findings::{Finding, Findings};
use super::model::{Content, Lexical, Model, Particle};
use super::namespace::{Name, Namespace};
use super::report::{Code, code};
use super::tree::Element;
use super::write::Place;
use crate::decimal::Decimal;
use crate::time::Written;

/// The code of all findings; their texts differ.
pub(super) const STRUCTURE: Code = code!("structure", false, "the XML schema wants it otherwise");

/// How far the children of one element have gone through its model; after the first departure nothing more is said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    model: &'static Model,
    at: usize,
    count: usize,
    pub(super) failed: bool,
}

/// What is wrong, and whether the child is to blame or its parent.
#[derive(Debug)]
pub(super) enum Departure {
    Child(String),
    Parent(String),
}

impl Progress {
    pub(super) fn new(model: &'static Model) -> Self {
        Self {
            model,
            at: 0,
            count: 0,
            failed: model.lax,
        }
    }

    /// Takes one child; gives its particle when it has one here.
    pub(super) fn step(&mut self, name: Name<'_>) -> Result<Option<&'static Particle>, Departure> {
        let particles = self.model.particles;
        if self.failed {
            let particle = particles
                .iter()
                .find(|particle| particle.name == name.local);
            return Ok(particle.filter(|_| name.namespace == Namespace::NONE));
        }
        if self.model.any_order {
            let particle = particles
                .iter()
                .find(|particle| particle.name == name.local);
            return match particle.filter(|_| name.namespace == Namespace::NONE) {
                Some(particle) => Ok(Some(particle)),
                None if self.model.open && name.namespace.is_foreign() => Ok(None),
                None => Err(self.unexpected()),
            };
        }
        if name.namespace != Namespace::NONE {
            if !self.model.open || !name.namespace.is_foreign() {
                return Err(self.unexpected());
            }
            if let Some(missing) = self.missing(particles.len()) {
                return Err(self.missed(missing, name.local));
            }
            self.at = particles.len();
            return Ok(None);
        }
        let ahead = particles.get(self.at..).unwrap_or_default();
        let Some(distance) = ahead
            .iter()
            .position(|particle| particle.name == name.local)
        else {
            return Err(self.unexpected());
        };
        let target = self.at + distance;
        if let Some(missing) = self.missing(target) {
            return Err(self.missed(missing, name.local));
        }
        if distance > 0 {
            self.at = target;
            self.count = 0;
        }
        let particle = particles.get(target);
        self.count += 1;
        if self.count > 1 && particle.is_some_and(|particle| !particle.repeats) {
            return Err(self.unexpected());
        }
        Ok(particle)
    }

    /// What the end of the element leaves missing.
    pub(super) fn end(&mut self) -> Option<String> {
        if self.failed || self.model.any_order {
            return None;
        }
        let missing = self.missing(self.model.particles.len())?;
        Some(format!("`{missing}` is missing"))
    }

    fn missing(&self, before: usize) -> Option<&'static str> {
        let skipped = self.model.particles.get(self.at..before)?;
        let unmet = |(number, particle): (usize, &Particle)| {
            (particle.required && (number > 0 || self.count == 0)).then_some(particle.name)
        };
        skipped.iter().enumerate().find_map(unmet)
    }

    fn unexpected(&mut self) -> Departure {
        self.failed = true;
        Departure::Child("unknown here, repeated or out of order".to_owned())
    }

    fn missed(&mut self, missing: &str, before: &str) -> Departure {
        self.failed = true;
        Departure::Parent(format!("`{missing}` is missing before `{before}`"))
    }
}

/// Compares an element and everything below it with its model.
pub(super) fn check(element: Element<'_, '_>, model: &'static Model, findings: &mut Findings) {
    for name in model.attributes {
        if element.attribute(name).is_none() {
            let text = || format!("the attribute `{name}` is missing");
            findings.push_text(finding(element), text);
        }
    }
    let mut progress = Progress::new(model);
    for child in element.children() {
        match progress.step(child.name()) {
            Ok(Some(particle)) => match particle.content {
                Content::Any => {}
                Content::Leaf(lexical) => {
                    if let Some(wanted) = complaint(lexical, child) {
                        findings.push_text(finding(child), || format!("the value is no {wanted}"));
                    }
                }
                Content::Group(model) => check(child, model, findings),
            },
            Ok(None) => {}
            Err(Departure::Child(text)) => findings.push_text(finding(child), || text),
            Err(Departure::Parent(text)) => findings.push_text(finding(element), || text),
        }
    }
    if let Some(text) = progress.end() {
        findings.push_text(finding(element), || text);
    }
}

fn finding(element: Element<'_, '_>) -> Finding {
    Finding::new(element.index(), Place::Element, STRUCTURE)
}

fn complaint(lexical: Lexical, element: Element<'_, '_>) -> Option<&'static str> {
    let text = element.text().trim();
    let (fits, wanted) = match lexical {
        Lexical::Text => (true, ""),
        Lexical::Action => (matches!(text, "ADD" | "OBSERVE" | "DELETE"), "action"),
        Lexical::Decimal => (element.is_nil() || is_decimal(text), "decimal number"),
        Lexical::DateTime => (is_time(text, false), "xsd:dateTime"),
        Lexical::ZonedTime => (is_time(text, true), "time with a zone"),
    };
    (!fits).then_some(wanted)
}

fn is_decimal(text: &str) -> bool {
    Decimal::read(text).is_some_and(|decimal| decimal.exponent.is_none())
}

/// Whether this is an xsd:dateTime; that the day exists in its month is left to the JSON schema.
pub(super) fn is_time(text: &str, zone_required: bool) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let year = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    // Years may have more digits than four.
    let written = year
        .checked_sub(4)
        .and_then(|more| unsigned.get(more..))
        .and_then(Written::read);
    written.is_some_and(|time| {
        (1..=12).contains(&time.month)
            && (1..=31).contains(&time.day)
            && time.hour <= 24
            && time.minute < 60
            && time.second < 60
            && !text.contains(['t', 'z'])
            && time
                .offset
                .map_or(!zone_required, |offset| offset.abs() < 15 * 60)
    })
}
