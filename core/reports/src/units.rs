//! The contents of logistic units, while the events of a report are read in order of time.

use super::event::ReportedEvent;
use super::request::{ReportRequest, Scope};
use epcis_edge_history::follow::{Amount, Inside, Packing, Search, Ties};
use epcis_edge_text::error::Error;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most units and lots that are searched for one report: a pallet may be shipped as often as there are events.
const MAX_STEPS: usize = 2_000_000;

/// The contents of all units.
#[derive(Debug)]
pub(super) struct Units {
    packing: Packing,
    left: usize,
}

impl Units {
    /// The state before the first of these events.
    pub(super) fn before(events: &[ReportedEvent<'_>], request: &ReportRequest) -> Self {
        let through = match &request.scope {
            Scope::Items(asked) => asked.through,
            Scope::Events { .. } => Ties::default(),
        };
        let values = events.iter().map(|event| event.fields.whole);
        Self { packing: Packing::before(values, through), left: MAX_STEPS }
    }

    /// Goes back before the first event, with the whole bound.
    pub(super) fn restart(&mut self) {
        self.packing.restart();
        self.left = MAX_STEPS;
    }

    /// Takes the next event.
    pub(super) fn take(&mut self, event: &ReportedEvent<'_>) {
        self.packing.take(event.fields.whole);
    }

    /// Calls `take`, with the place of the unit, for each quantity that is in units now, at any depth, and for each innermost
    /// instance in them. A thing in two of the units is taken once. `is_chosen`: whether the report is about a thing.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) beyond a bound for the whole report.
    pub(super) fn inside(
        &mut self,
        units: &[String],
        is_chosen: &dyn Fn(&str) -> bool,
        take: &mut dyn FnMut(usize, Inside<'_>),
    ) -> Result<(), Error> {
        let mut search = Search::new(self.left, is_chosen);
        for (at, unit) in units.iter().enumerate() {
            let is_within = self.packing.find(unit, &mut search, &mut |inside| take(at, inside));
            if !is_within {
                let what = "units and lots in what is shipped and received";
                return Err(Error::capture_too_complex(MAX_STEPS, what));
            }
        }
        self.left = search.left;
        Ok(())
    }

    /// The lots that are directly in a unit now, in normal form, each with the amount that is left, if that is known.
    pub(super) fn lots_in(&self, unit: &str) -> BTreeMap<&str, Option<&Rc<Amount>>> {
        self.packing.lots_in(unit).collect()
    }
}
