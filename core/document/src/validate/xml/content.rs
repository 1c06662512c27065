//! Matches the children of an element with its content model.

use super::{StartTag, message};
use epcis_edge_schema::xml::{self, Element, Particle, Wanted, Wildcard};
use epcis_edge_text::slice::{Known, Part};
use epcis_edge_text::window::are_same;

/// The progress of the children of one element through its content model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// The first particle of the slot that was taken last.
    at: u8,
    /// The slots that were taken, a bit for each.
    seen: u32,
    /// The slots that were reported as missing.
    missed: u32,
    /// Whether a child was reported as out of order; further ones out of order are the same fault.
    is_disordered: bool,
    /// Whether a name in a wrong namespace was reported already, here or around it.
    is_misnamed: bool,
}

/// How a child fits the content model.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fit {
    Element(&'static Element),
    /// A wildcard takes it.
    Wild,
    /// It is not allowed here.
    Wrong,
}

/// A child that is not allowed here.
#[derive(Debug)]
pub(super) struct Explained {
    /// The message; `None` if an earlier error covers it.
    pub(super) message: Option<String>,
    /// What it is taken for.
    pub(super) meant: Fit,
    /// Whether it has the right name in a wrong namespace.
    pub(super) is_misnamed: bool,
}

fn bit(slot: u8) -> u32 {
    // INVARIANT: the build makes no more slots than there are bits.
    1_u32.checked_shl(u32::from(slot)).known()
}

fn takes(wildcard: Wildcard, namespace: &str) -> bool {
    match wildcard {
        Wildcard::Any => true,
        Wildcard::Local => namespace.is_empty(),
        Wildcard::Other(target) => {
            !namespace.is_empty() && namespace != xml::namespace_name(target)
        }
    }
}

fn is_namespace(element: &Element, tag: &impl StartTag) -> bool {
    match element.namespace {
        0 => tag.namespace().is_empty(),
        id => tag.namespace() == xml::namespace_name(id),
    }
}

/// Whether an element in this namespace may be a misspelt one of the schemas.
fn may_be_meant(namespace: &str) -> bool {
    xml::namespace(namespace).is_some()
}

impl Progress {
    fn has_seen(&self, slot: u8) -> bool {
        self.seen & bit(slot) != 0
    }

    /// From here on names count without their namespaces.
    pub(super) fn allow_misnamed(&mut self) {
        self.is_misnamed = true;
    }

    /// Takes a child.
    pub(super) fn step(&mut self, particles: &'static [Particle], tag: &impl StartTag) -> Fit {
        let ahead = particles.part(usize::from(self.at)..);
        let look = xml::look(tag.local());
        let mut slot = ahead.first().map_or(0, |particle| particle.slot);
        let mut start = self.at;
        for (distance, particle) in ahead.iter().enumerate() {
            if particle.slot != slot {
                // A required slot that is still empty must not be skipped.
                if let Some(before) = particles.get(usize::from(start))
                    && before.required
                    && !self.has_seen(slot)
                {
                    return Fit::Wrong;
                }
                slot = particle.slot;
                start = self.at.saturating_add(distance as u8);
            }
            if self.has_seen(slot) && !particle.repeats {
                continue;
            }
            let step = match &particle.wanted {
                Wanted::Element(element)
                    if element.look == look
                        && are_same(element.name().as_bytes(), tag.local().as_bytes())
                        && is_namespace(element, tag) =>
                {
                    Fit::Element(element)
                }
                Wanted::Wildcard(wildcard) if takes(*wildcard, tag.namespace()) => Fit::Wild,
                _ => continue,
            };
            if particle.behind && !self.has_seen(slot.saturating_sub(1)) {
                return Fit::Wrong;
            }
            self.at = start;
            self.seen |= bit(slot);
            return step;
        }
        Fit::Wrong
    }

    /// Whether nothing is missing at the end of the element.
    pub(super) fn is_done(&self, particles: &'static [Particle]) -> bool {
        self.first_missing(particles).is_none()
    }

    /// What is missing at the end of the element.
    pub(super) fn missing(&self, particles: &'static [Particle]) -> String {
        let missing = self.first_missing(particles);
        missing.map_or_else(String::new, |missing| message::missing(particles, missing.slot))
    }

    fn first_missing(&self, particles: &'static [Particle]) -> Option<&'static Particle> {
        let done = self.seen | self.missed;
        particles.iter().find(|particle| particle.required && done & bit(particle.slot) == 0)
    }

    /// Explains a child that [`Self::step`] did not take. The search for the nearest name is left out if the error is only
    /// counted.
    pub(super) fn explain(
        &mut self,
        particles: &'static [Particle],
        tag: &impl StartTag,
        is_listing: bool,
    ) -> Explained {
        let namespace = tag.namespace();
        let find = |test: &dyn Fn(&Element) -> bool| {
            particles.iter().position(|particle| match &particle.wanted {
                Wanted::Element(element) => test(element),
                Wanted::Wildcard(_) => false,
            })
        };
        let same_name = |element: &Element| element.name() == tag.local();
        let same = find(&|element| same_name(element) && is_namespace(element, tag));
        // A wildcard would take it if nothing were missing before it.
        let is_wild = |particle: &Particle| match particle.wanted {
            Wanted::Wildcard(wildcard) => takes(wildcard, namespace),
            Wanted::Element(_) => false,
        };
        if let Some(number) = same.or_else(|| particles.iter().position(is_wild)) {
            let (message, meant) = self.out_of_place(particles, number, tag);
            return Explained { message, meant, is_misnamed: false };
        }
        if may_be_meant(namespace)
            && let Some(number) = find(&same_name)
        {
            let (out_of_place, meant) = self.out_of_place(particles, number, tag);
            let told = std::mem::replace(&mut self.is_misnamed, true);
            let message = if told {
                out_of_place
            } else {
                particles.get(number).and_then(|particle| match &particle.wanted {
                    Wanted::Element(element) => Some(message::misnamed(tag, element)),
                    Wanted::Wildcard(_) => None,
                })
            };
            return Explained { message, meant, is_misnamed: true };
        }
        if !is_listing {
            // Looking for the nearest name takes time, and the error is not listed.
            self.stand_in(particles);
            return Explained {
                message: Some(String::new()),
                meant: Fit::Wrong,
                is_misnamed: false,
            };
        }
        let expected = self.expected(particles);
        let near = message::nearest_name(tag.local(), particles);
        let meant = near.and_then(|near| find(&|element| element.name() == near));
        let message = Some(message::unexpected(tag, particles, &expected, near));
        let meant = match meant {
            // It is treated as the element that it resembles, wherever that belongs.
            Some(number) => self.out_of_place(particles, number, tag).1,
            None => {
                self.stand_in(particles);
                Fit::Wrong
            }
        };
        Explained { message, meant, is_misnamed: false }
    }

    /// Marks the next required slot as reported: an unexpected child took its place, and a later report would be the same fault.
    fn stand_in(&mut self, particles: &'static [Particle]) {
        let current = particles.get(usize::from(self.at)).map_or(0, |at| at.slot);
        let next = particles.iter().find(|particle| {
            let is_open = (self.seen | self.missed) & bit(particle.slot) == 0;
            particle.required && particle.slot >= current && is_open
        });
        if let Some(next) = next {
            self.missed |= bit(next.slot);
        }
    }

    /// Goes on as if the particle with this number were allowed here. Returns the message, and what the child is taken for.
    fn out_of_place(
        &mut self,
        particles: &'static [Particle],
        number: usize,
        tag: &impl StartTag,
    ) -> (Option<String>, Fit) {
        let Some(particle) = particles.get(number) else {
            return (None, Fit::Wrong);
        };
        let step = match &particle.wanted {
            Wanted::Element(element) => Fit::Element(element),
            Wanted::Wildcard(_) => Fit::Wild,
        };
        let slot = particle.slot;
        let current = particles.get(usize::from(self.at)).map_or(0, |at| at.slot);
        if self.missed & bit(slot) != 0 {
            self.missed &= !bit(slot);
            self.seen |= bit(slot);
            return (None, step);
        }
        if slot >= current && (particle.repeats || !self.has_seen(slot)) {
            // It stands too early: what is required before it is not there.
            let missing: Vec<u8> = particles
                .iter()
                .filter(|before| before.required && before.slot < slot)
                .map(|before| before.slot)
                .filter(|before| (self.seen | self.missed) & bit(*before) == 0)
                .collect();
            let needed = particle.behind && !self.has_seen(slot.saturating_sub(1));
            let first = missing.first().copied();
            let first = first.or_else(|| needed.then(|| slot.saturating_sub(1)));
            let message = first.map(|first| message::too_early(tag, particles, first));
            // Later children that belong before it are the same fault.
            self.is_disordered |= message.is_some();
            self.missed |= missing.iter().fold(0, |all, slot| all | bit(*slot));
            self.seen |= bit(slot);
            let first = particles.iter().position(|one| one.slot == slot);
            self.at = first.unwrap_or(number) as u8;
            return (message, step);
        }
        if self.has_seen(slot) && !particle.repeats {
            return (Some(message::repeated(tag, particles, slot)), step);
        }
        self.seen |= bit(slot);
        if std::mem::replace(&mut self.is_disordered, true) {
            return (None, step);
        }
        let message = message::too_late(tag, particles, slot, self.seen);
        (Some(message), step)
    }

    /// The slots that may be taken next.
    fn expected(&self, particles: &'static [Particle]) -> Vec<u8> {
        let current = particles.get(usize::from(self.at)).map_or(0, |at| at.slot);
        let mut slots: Vec<u8> = Vec::new();
        for particle in particles.iter().filter(|particle| particle.slot >= current) {
            let seen = self.has_seen(particle.slot);
            if slots.last() == Some(&particle.slot) || (seen && !particle.repeats) {
                continue;
            }
            if particle.behind && !self.has_seen(particle.slot.saturating_sub(1)) {
                continue;
            }
            slots.push(particle.slot);
            if particle.required && !seen {
                break;
            }
        }
        slots
    }
}
