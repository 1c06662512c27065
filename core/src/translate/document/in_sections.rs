//! A document that comes in sections: one job goes from section to section, and what it has made is taken out in between.

use super::finish::head_of;
use super::{Job, Root, longest};
use crate::error::{Error, Location};
use crate::hash::HashComparison;
use crate::translate::limits::MAX_FRAME_LENGTH;
use crate::translate::namespace::Namespace;
use crate::translate::places::{KeptPlaces, LineCounter};
use crate::translate::reader::{Section, Suspended, XmlReader};
use crate::translate::write::JsonWriter;
use crate::validate::xml::Judge;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is known of the events of one section.
#[derive(Debug, Default)]
pub(in crate::translate) struct SectionEvents {
    /// Where each starts in the output, with the `@context` that it needs.
    pub(super) starts: Vec<(usize, Option<Rc<str>>)>,
    /// The newest `@context`, the namespaces that it is for, and how many prefixes there were.
    newest: Option<(usize, BTreeSet<Namespace>, Rc<str>)>,
    /// How many bytes were given out, with a comma between two events.
    given: usize,
}

/// An event that was translated.
#[derive(Debug)]
pub(in crate::translate) struct Produced {
    /// `{"@context":[…]` for it.
    pub(in crate::translate) context: Rc<str>,
    /// The event as it stands in the list of events.
    pub(in crate::translate) event: String,
}

impl Job<'static> {
    /// A job that was given nothing yet.
    pub(in crate::translate) fn in_sections() -> Self {
        let mut job = Self::new("");
        // What is held is bounded in another way.
        job.held.vocabularies = JsonWriter::new(2 * MAX_FRAME_LENGTH);
        job.held.section = Some(SectionEvents::default());
        job.held.judge = Some(Box::new(Judge::new()));
        job.held.places.retain();
        job
    }
}

impl Job<'_> {
    /// The same job over another text.
    pub(in crate::translate) fn over<'y>(self, text: &'y str) -> Job<'y> {
        Job {
            text,
            lines: LineCounter::from(self.lines.first),
            tree: self.tree.recycle(),
            hash_comparison: HashComparison::new(text),
            is_judged: false,
            judged: None,
            held: self.held,
        }
    }

    /// Notes which `@context` the event that was just mapped needs: what it used, and no more, for there may be many events
    /// and many namespaces.
    pub(super) fn note_context(&mut self) {
        let Some(section) = &mut self.held.section else {
            return;
        };
        let declared = self.held.context.declared().len();
        let Some(used) = self.held.context.used() else {
            return;
        };
        let context: Rc<str> = match &section.newest {
            Some((of, by, context)) if *of == declared && by == used => context.clone(),
            _ => head_of(self.held.context.declared_for(used)).into(),
        };
        section.newest = Some((declared, used.clone(), context.clone()));
        if let Some((_, slot)) = section.starts.last_mut() {
            *slot = Some(context);
        }
    }

    /// How long the events are that were given out, of a document that comes in sections.
    pub(super) fn given_length(&self) -> Option<usize> {
        self.held.section.as_ref().map(|section| section.given)
    }

    /// The events that were translated since this was last asked.
    pub(in crate::translate) fn take_events(&mut self) -> Vec<Produced> {
        let Some(section) = &mut self.held.section else {
            return Vec::new();
        };
        let text = std::mem::take(&mut self.held.events.text);
        let starts = std::mem::take(&mut section.starts);
        let mut produced = Vec::with_capacity(starts.len());
        let mut ends = starts.iter().skip(1).map(|(start, _)| start - 1);
        for (start, context) in &starts {
            let end = ends.next().unwrap_or(text.len());
            // An event that failed has no context: it was not finished.
            if let (Some(event), Some(context)) = (text.get(*start..end), context) {
                section.given += event.len() + usize::from(section.given > 0);
                produced.push(Produced {
                    context: context.clone(),
                    event: event.to_owned(),
                });
            }
        }
        produced
    }

    /// What is needed to find the places of what was made from this section.
    pub(in crate::translate) fn places(&self) -> KeptPlaces {
        let held = &self.held;
        let places = held.places.of_events();
        places.keep(held.root, held.context.clone(), held.namespaces.clone())
    }

    /// The places that values at JSON Pointers were made from, where these are in this section.
    pub(in crate::translate) fn locate<'p>(
        &self,
        kept: &KeptPlaces,
        pointers: impl IntoIterator<Item = &'p str>,
    ) -> Vec<Location> {
        kept.locate_in(self.text, self.lines.first, pointers)
    }

    /// Where this text starts, in the innermost open container.
    pub(in crate::translate) fn here(&self) -> Location {
        self.location(self.held.path.clone(), 0)
    }

    /// What the document element is, once it was seen.
    pub(in crate::translate) fn root(&self) -> Root {
        self.held.root
    }

    /// How many bytes this job keeps until the end of the document.
    pub(in crate::translate) fn size(&self) -> usize {
        self.held.vocabularies.text.len()
            + self.held.envelope.size()
            + self.held.places.retained_size()
            + self.held.namespaces.len() * 256
            + self
                .held
                .members
                .iter()
                .map(|members| members.size)
                .sum::<usize>()
            + self.held.open.iter().map(|open| open.size).sum::<usize>()
            + self.held.sbdh.as_ref().map_or(0, String::len)
            + self.held.judge.as_ref().map_or(0, |judge| judge.held())
    }
}

impl<'x> Job<'x> {
    /// Goes through one section, as far as it has whole elements; gives what the next section starts with, and where that is.
    pub(in crate::translate) fn advance(
        &mut self,
        suspended: &'x Suspended,
        section: Section<'x>,
    ) -> Result<(Suspended, usize), Error> {
        self.held.events.limit = longest(self.text.len());
        let advanced = XmlReader::resume(self.text, suspended, section).and_then(|mut reader| {
            self.lend_judge(&mut reader);
            self.go_on(&mut reader, suspended.seen_root)?;
            self.keep_judge(&mut reader);
            Ok(reader)
        });
        let reader = advanced.map_err(|fault| self.error(fault))?;
        if section.is_last {
            self.end(&reader)?;
        }
        Ok(reader.suspend())
    }

    /// Forgets what was read, up to where the next section starts.
    pub(in crate::translate) fn leave_section(&mut self, consumed: usize) {
        self.place_containers();
        let start = self.lines.at(self.text, consumed);
        self.lines = LineCounter::from(start);
        self.held.places.forget_events();
    }
}
