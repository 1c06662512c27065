//! The verdict on a document that comes in sections: the places of what is found are worked out while its text is there.

use super::Job;
use super::containers::Began;
use crate::translate::places::Start;
use crate::translate::reader::XmlReader;
use crate::translate::verdict::{PathSteps, starts_of};
use crate::validate::XmlVerdict;
use crate::validate::xml::{Judge, XmlFinding};

impl<'x> Job<'x> {
    /// Hands the judge of the document to the reader of its next section.
    pub(super) fn lend_judge(&mut self, reader: &mut XmlReader<'x>) {
        let judge: Option<Box<Judge<'x>>> = self.held.judge.take();
        reader.judge = judge;
    }

    /// Takes the judge back from the reader of a section that was read.
    pub(super) fn keep_judge(&mut self, reader: &mut XmlReader<'x>) {
        let judge = reader.judge.take();
        self.held.judge = judge.map(|judge| Box::new(judge.into_owned()));
    }

    /// The verdict on a document that came in sections, when it was read to its end.
    pub(in crate::translate) fn take_verdict(&mut self) -> XmlVerdict {
        let judge = self.held.judge.take();
        let found = judge.unwrap_or_else(|| Box::new(Judge::new())).finish();
        std::mem::take(&mut self.held.told).verdict(&found)
    }

    /// Whether somebody will be told where the next thing is that is found in a section.
    pub(super) fn is_telling(&self, reader: &XmlReader<'x>) -> bool {
        let judge = reader.judge.as_ref();
        self.held.section.is_some()
            && !self.held.told.is_full
            && judge.is_some_and(|judge| judge.is_listing())
    }

    /// Works out the places of what was found in a section since this was last called: at an open container, or in the child of
    /// the innermost one that was just read; then its step in the path is what stands behind so many bytes.
    pub(super) fn place_findings(&mut self, reader: &mut XmlReader<'x>, step: Option<usize>) {
        let judge = reader.judge.as_mut().filter(|judge| judge.has_listed());
        let Some(judge) = judge.filter(|_| self.held.section.is_some()) else {
            return;
        };
        let listed = judge.take_listed();
        if self.held.told.is_full {
            return;
        }
        let open = self.held.open.len();
        let inside = |finding: &XmlFinding| -> Vec<u32> {
            finding.elements.get(open..).unwrap_or_default().to_vec()
        };
        let wanted: Vec<u32> = listed.iter().flat_map(inside).collect();
        let ends: Vec<u32> = listed
            .iter()
            .filter_map(|finding| inside(finding).last().copied())
            .collect();
        let (text, bindings) = (self.text, reader.bindings().to_vec());
        let child = wanted.first().copied().unwrap_or_default() as usize;
        self.lines.at(text, child);
        let begin = || Ok(XmlReader::at(text, child, &bindings));
        let steps = PathSteps::of(begin, &mut self.held.namespaces, wanted);
        let starts = starts_of(text, self.lines, ends);
        for finding in listed {
            let (path, start) = match inside(&finding).as_slice() {
                [] => self.container_place(finding.elements.len(), step),
                [_, inner @ ..] => {
                    let mut path = self.held.path.clone();
                    steps.push(inner, &mut path);
                    let start = finding.elements.last().and_then(|at| starts.get(at));
                    (path, start.copied().unwrap_or_default())
                }
            };
            self.held.told.add(finding, path, start);
        }
    }

    /// The path of the container that so many are open with, and where it starts.
    fn container_place(&mut self, depth: usize, step: Option<usize>) -> (String, Start) {
        let length = match self.held.open.get(depth) {
            Some(inner) => inner.outer_path,
            None => step.unwrap_or(self.held.path.len()),
        };
        let path = self.held.path.get(..length).unwrap_or_default().to_owned();
        let open = depth.checked_sub(1).and_then(|at| self.held.open.get(at));
        let start = match open.map(|open| open.start) {
            Some(Began::Here(offset)) => self.lines.at(self.text, offset),
            Some(Began::Before(start)) => start,
            None => Start::default(),
        };
        (path, start)
    }

    /// Works out where the open containers start that were begun in this section, before its text goes.
    pub(super) fn place_containers(&mut self) {
        for number in 0..self.held.open.len() {
            let began = self.held.open.get(number).map(|open| open.start);
            let Some(Began::Here(offset)) = began else {
                continue;
            };
            let start = self.lines.at(self.text, offset);
            if let Some(open) = self.held.open.get_mut(number) {
                open.start = Began::Before(start);
            }
        }
    }
}
