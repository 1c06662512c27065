//! What is inside of logistic units, kept up to date while the events of a report are read in order of time.

use super::book::too_much;
use super::event::{Quantity, Told};
use crate::error::Error;
use crate::identifier::thing;
use std::collections::{BTreeMap, BTreeSet};

/// How many levels of units inside of units are looked into.
const MAX_LEVELS: usize = 16;

/// How many units and lots are looked at for one report: a pallet may be shipped as often as there are events.
const MAX_STEPS: usize = 2_000_000;

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
        let mut search = Search {
            known: &self.known,
            seen: BTreeSet::new(),
            left: MAX_STEPS.saturating_sub(self.steps),
            take,
        };
        let is_within = search.unit(&thing(unit), unit, MAX_LEVELS);
        self.steps = MAX_STEPS.saturating_sub(search.left);
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
    Lot {
        /// The container that it is in, in normal form.
        container: &'u str,
        lot: &'u Quantity,
    },
    /// A unit or an item of which nothing is told that is in it.
    Innermost {
        /// Its identifier in normal form.
        key: &'u str,
        /// Its identifier as it is written.
        spelling: &'u str,
    },
}

struct Search<'u, 't> {
    known: &'u BTreeMap<String, Contents>,
    seen: BTreeSet<&'u str>,
    /// How many steps are left.
    left: usize,
    take: &'t mut dyn FnMut(Inside<'_>),
}

impl<'u> Search<'u, '_> {
    /// Returns whether the bound was kept. The recursion is bounded by `levels`.
    fn unit(&mut self, key: &str, spelling: &str, levels: usize) -> bool {
        if levels == 0 {
            return true;
        }
        let known = self.known.get_key_value(key);
        let known = known.filter(|(_, known)| !known.lots.is_empty() || !known.units.is_empty());
        let Some((key, contents)) = known else {
            (self.take)(Inside::Innermost { key, spelling });
            return true;
        };
        // A unit in itself is looked into once.
        if !self.seen.insert(key) {
            return true;
        }
        for lot in contents.lots.values().flatten() {
            if !self.step() {
                return false;
            }
            (self.take)(Inside::Lot {
                container: key,
                lot,
            });
        }
        let units = contents.units.iter();
        let mut units = units.map(|(key, unit)| self.step() && self.unit(key, unit, levels - 1));
        units.all(|is_within| is_within)
    }

    fn step(&mut self) -> bool {
        let fewer = self.left.checked_sub(1);
        self.left = fewer.unwrap_or_default();
        fewer.is_some()
    }
}
