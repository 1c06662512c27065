//! Which times lack a zone, and which offset their event has.

use super::{Reason, edits::Edits};
use epcis_edge_schema::is_date_time;

/// The times and offsets of the objects or elements that are open.
pub(super) struct Zones {
    is_asked: bool,
    times: Vec<Time>,
    /// The offsets, with the depth of the object that has each.
    offsets: Vec<(usize, String)>,
    /// For each open object: how many times were there before it.
    open: Vec<usize>,
}

/// A time without a zone.
struct Time {
    /// Where it ends in the document.
    end: usize,
    /// How many objects around its own may give it an offset. `baseExtension` has `errorDeclaration`, which has `declarationTime`.
    reach: u8,
}

impl Zones {
    pub(super) fn new(is_asked: bool) -> Self {
        Self { is_asked, times: Vec::new(), offsets: Vec::new(), open: Vec::new() }
    }

    /// An object or element begins.
    pub(super) fn open(&mut self) {
        if self.is_asked {
            self.open.push(self.times.len());
        }
    }

    /// A value: the name that it has, its text as repaired, and where it ends in the document.
    pub(super) fn value(&mut self, name: &str, text: &str, end: usize) {
        if !self.is_asked {
            return;
        }
        match name {
            "eventTime" if lacks_zone(text) => self.times.push(Time { end, reach: 0 }),
            "declarationTime" if lacks_zone(text) => self.times.push(Time { end, reach: 2 }),
            "eventTimeZoneOffset" if is_offset(text) => {
                self.offsets.push((self.open.len(), text.to_owned()));
            }
            _ => {}
        }
    }

    /// The end of an object or element: the times in it get its offset.
    pub(super) fn close(&mut self, edits: &mut Edits<'_>) {
        let depth = self.open.len();
        let Some(before) = self.open.pop() else {
            return;
        };
        let mut own = None;
        while let Some((_, offset)) = self.offsets.pop_if(|(at, _)| *at >= depth) {
            own = Some(offset);
        }
        let inside = self.times.split_off(before.min(self.times.len()));
        for time in inside {
            match (&own, time.reach.checked_sub(1)) {
                (Some(offset), _) => edits.replace(time.end..time.end, offset, Reason::NoZone),
                (None, Some(reach)) => self.times.push(Time { reach, ..time }),
                (None, None) => {}
            }
        }
    }
}

fn lacks_zone(text: &str) -> bool {
    text.len() < 40 && is_date_time(&format!("{text}Z"))
}

fn is_offset(text: &str) -> bool {
    text.len() == 6 && is_date_time(&format!("2026-01-01T00:00:00{text}"))
}
