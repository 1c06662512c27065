//! A document that comes in sections: a reader for each, which begins where the one before it stopped.

use super::{Binding, Fault, MarkupCounts, OpenTag, XmlReader};
use crate::translate::namespace::Namespace;

/// Where a section of a document stands in it.
#[derive(Clone, Copy, Debug)]
pub(in crate::translate) struct Section<'x> {
    /// For each depth, where the last element of that depth ends in the section; zero where none does.
    pub(in crate::translate) ends: &'x [usize],
    /// Whether something of the document was read before.
    pub(in crate::translate) is_later: bool,
    /// Whether the document ends with the section.
    pub(in crate::translate) is_last: bool,
}

/// What a reader knows between two sections of a document.
#[derive(Debug, Default)]
pub(in crate::translate) struct Suspended {
    open: Vec<(String, usize)>,
    bindings: Vec<(String, Namespace)>,
    /// Whether the document element was begun.
    pub(in crate::translate) seen_root: bool,
    seen_doctype: bool,
    pub(in crate::translate) counts: MarkupCounts,
}

impl Suspended {
    /// How many elements are open.
    pub(in crate::translate) fn depth(&self) -> usize {
        self.open.len()
    }
}

impl<'x> XmlReader<'x> {
    /// A reader of the next section of a document, from where another one stopped.
    pub(in crate::translate) fn resume(
        text: &'x str,
        suspended: &'x Suspended,
        section: Section<'x>,
    ) -> Result<Self, Fault> {
        let mut reader = if section.is_later {
            Self::looked_through(text)?
        } else {
            Self::new(text)?
        };
        let open = suspended.open.iter().map(|(name, bindings)| OpenTag {
            name,
            bindings: *bindings,
        });
        let bindings = suspended
            .bindings
            .iter()
            .map(|(prefix, namespace)| Binding {
                prefix,
                namespace: *namespace,
            });
        reader.open.extend(open);
        reader.bindings.extend(bindings);
        reader.seen_root = suspended.seen_root;
        reader.seen_doctype = suspended.seen_doctype;
        reader.counts = suspended.counts;
        reader.section = Some(section);
        Ok(reader)
    }

    /// What the reader of the next section needs to know, and where that section starts in this one.
    pub(in crate::translate) fn suspend(&self) -> (Suspended, usize) {
        let suspended = Suspended {
            open: self
                .open
                .iter()
                .map(|open| (open.name.to_owned(), open.bindings))
                .collect(),
            bindings: self
                .bindings
                .iter()
                .map(|binding| (binding.prefix.to_owned(), binding.namespace))
                .collect(),
            seen_root: self.seen_root,
            seen_doctype: self.seen_doctype,
            counts: self.counts,
        };
        (suspended, self.stopped.unwrap_or_else(|| self.offset()))
    }

    /// Whether the element that was just begun ends in this section of the document.
    pub(in crate::translate) fn has_whole_element(&self, offset: usize) -> bool {
        let Some(section) = self.section else {
            return true;
        };
        let depth = self.open.len().saturating_sub(1);
        section.is_last || section.ends.get(depth).is_some_and(|end| *end > offset)
    }

    /// Takes back the start tag that was read last: the next section begins with it.
    pub(in crate::translate) fn put_back(&mut self, offset: usize) {
        let mut judge = self.judge.take();
        self.close();
        if let Some(judge) = &mut judge {
            judge.take_back();
        }
        self.judge = judge;
        self.seen_root = !self.open.is_empty();
        self.pending_end = false;
        self.attributes.clear();
        self.stopped = Some(offset);
    }

    /// Whether more of the document is to come.
    pub(super) fn is_cut(&self) -> bool {
        self.section.is_some_and(|section| !section.is_last)
    }
}
