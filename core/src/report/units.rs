//! What is inside of logistic units, kept up to date while the events of a report are read in order of time.

use super::event::{Quantity, Told};
use super::too_much;
use crate::error::Error;
use crate::identifier::thing;
use std::collections::{BTreeMap, BTreeSet};

/// How many levels of units inside of units are looked into.
const MAX_LEVELS: usize = 16;

/// How many units and lots are looked at for one report: a pallet may be shipped as often as there are events.
const MAX_STEPS: usize = 4_000_000;

/// What is in a unit, by the normal form of what is in it.
#[derive(Debug, Default)]
struct Contents {
    lots: BTreeMap<String, Vec<Quantity>>,
    units: BTreeMap<String, String>,
}

/// The contents of all units.
#[derive(Debug, Default)]
pub(super) struct Units {
    known: BTreeMap<String, Contents>,
    steps: usize,
}

impl Units {
    /// Takes up the next event, if it packs or unpacks.
    pub(super) fn take(&mut self, event: &Told<'_>) {
        if event.kind != "AggregationEvent" || event.parent.is_empty() {
            return;
        }
        let contents = self.known.entry(thing(&event.parent)).or_default();
        let units = event.ids("childEPCs");
        let lots = event.quantities("childQuantityList");
        match event.action.as_str() {
            "ADD" => {
                for lot in lots {
                    let known = contents.lots.entry(thing(&lot.class)).or_default();
                    known.push(lot);
                }
                let units = units.into_iter().map(|unit| (thing(&unit), unit));
                contents.units.extend(units);
            }
            "DELETE" if units.is_empty() && lots.is_empty() => *contents = Contents::default(),
            "DELETE" => {
                for lot in lots {
                    contents.lots.remove(&thing(&lot.class));
                }
                for unit in units {
                    contents.units.remove(&thing(&unit));
                }
            }
            _ => {}
        }
    }

    /// Calls `take` for each quantity that is in a unit now, or in a unit in it, and for each innermost unit that nothing was put into.
    ///
    /// # Errors
    /// [`ErrorKind::CaptureTooComplex`](crate::error::ErrorKind::CaptureTooComplex) beyond a bound for the whole report.
    pub(super) fn inside(
        &mut self,
        unit: &str,
        take: &mut dyn FnMut(Inside<'_>),
    ) -> Result<(), Error> {
        let mut seen = BTreeSet::new();
        let mut left = MAX_STEPS.saturating_sub(self.steps);
        let is_within = inside(&self.known, unit, MAX_LEVELS, &mut left, &mut seen, take);
        self.steps = MAX_STEPS.saturating_sub(left);
        if is_within {
            return Ok(());
        }
        Err(too_much(
            MAX_STEPS,
            "units and lots in what is shipped and received",
        ))
    }
}

/// Something in a unit.
pub(super) enum Inside<'u> {
    Lot(&'u Quantity),
    /// A unit or an item of which nothing is told that is in it.
    Innermost(&'u str),
}

/// Returns whether the bound was kept. The recursion is bounded by `levels`.
fn inside(
    known: &BTreeMap<String, Contents>,
    unit: &str,
    levels: usize,
    left: &mut usize,
    seen: &mut BTreeSet<String>,
    take: &mut dyn FnMut(Inside<'_>),
) -> bool {
    let key = thing(unit);
    let contents = known.get(&key);
    // A unit in itself is looked into once.
    if levels == 0 || !seen.insert(key) {
        return true;
    }
    let contents = contents.filter(|known| !known.lots.is_empty() || !known.units.is_empty());
    let Some(contents) = contents else {
        take(Inside::Innermost(unit));
        return true;
    };
    let lots = contents.lots.values().flatten();
    for lot in lots {
        let Some(fewer) = left.checked_sub(1) else {
            return false;
        };
        *left = fewer;
        take(Inside::Lot(lot));
    }
    contents.units.values().all(|unit| {
        let Some(fewer) = left.checked_sub(1) else {
            return false;
        };
        *left = fewer;
        inside(known, unit, levels - 1, left, seen, take)
    })
}
