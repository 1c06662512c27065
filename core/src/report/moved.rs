//! What an event moves: lots and items, also those in logistic units.

use super::directory::lot_of;
use super::event::{Quantity, Told};
use super::units::{Inside, Units};
use crate::error::Error;
use crate::identifier::thing;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an event moves of one lot: in one unit, or by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    /// The unit that the event names; empty for a lot that it names itself.
    pub(super) unit: String,
    /// The container that the lot is in, in normal form; empty if it is in none, and for items.
    pub(super) container: String,
    /// The lot, or the product of items; empty if nothing is told of what is in the unit.
    pub(super) quantity: Quantity,
    /// The lot and the expiry date that the event says in which the items or the lot were made.
    pub(super) made: Making,
    /// The items, if they have serials.
    pub(super) serials: Vec<String>,
}

/// What the event that made a lot or an item says of it. All that it made share the texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Making {
    pub(super) lot: Rc<str>,
    /// `YYYY-MM-DD`, or as it was written.
    pub(super) expiry: Rc<str>,
}

/// What the events of a report say of the making of lots and items.
#[derive(Debug, Default)]
pub(super) struct Makings {
    known: Vec<Making>,
    /// The place in `known`, by lot or item in normal form.
    of: BTreeMap<String, usize>,
}

impl Makings {
    /// Reads events.
    pub(super) fn of(events: &[Told<'_>]) -> Self {
        let mut makings = Self::default();
        for event in events {
            let (items, lots) = match event.kind.as_str() {
                "ObjectEvent" if event.action == "ADD" => ("epcList", "quantityList"),
                "TransformationEvent" => ("outputEPCList", "outputQuantityList"),
                _ => continue,
            };
            let making = Making {
                lot: event.named("lotNumber").into(),
                expiry: event.named("itemExpirationDate").into(),
            };
            if making == Making::default() {
                continue;
            }
            let at = makings.known.len();
            makings.known.push(making);
            let lots = event.quantities(lots).into_iter().map(|lot| lot.class);
            for id in event.ids(items).into_iter().chain(lots) {
                makings.of.entry(thing(&id)).or_insert(at);
            }
        }
        makings
    }

    fn at(&self, at: Option<usize>) -> Making {
        let making = at.and_then(|at| self.known.get(at));
        making.cloned().unwrap_or_default()
    }

    /// What is said of a lot or an item.
    pub(super) fn get(&self, id: &str) -> Making {
        let mut making = self.at(self.of.get(&thing(id)).copied());
        let (_, lot) = lot_of(id);
        if !lot.is_empty() {
            // The lot in an identifier is that of the identifier, whatever else the event says of all that it makes.
            making.lot = lot.into();
        }
        making
    }
}

/// The GTIN of an identifier in normal form, as a Digital Link; none if it has no GTIN.
fn product_of(key: &str) -> Option<&str> {
    const START: &str = "https://id.gs1.org/01/";
    let rest = key.strip_prefix(START)?;
    let end = rest.find('/').unwrap_or(rest.len());
    key.get(..START.len() + end)
}

/// What an event moves, of that which the report is about. Items are put together by product and lot.
///
/// # Errors
/// As [`Units::inside`].
pub(super) fn moved(
    event: &Told<'_>,
    units: &mut Units,
    makings: &Makings,
) -> Result<Vec<Moved>, Error> {
    let mut found = Vec::new();
    for list in ["quantityList", "childQuantityList"] {
        for quantity in event.quantities(list) {
            found.push(Moved {
                unit: event.parent.clone(),
                container: match event.parent.as_str() {
                    "" => String::new(),
                    parent => thing(parent),
                },
                made: makings.get(&quantity.class),
                quantity,
                serials: Vec::new(),
            });
        }
    }
    let mut named = event.ids("epcList");
    named.extend(event.ids("childEPCs"));
    if found.is_empty() && named.is_empty() && !event.parent.is_empty() {
        named.push(event.parent.clone());
    }
    for unit in &named {
        let is_about_unit = event.is_about(unit);
        let mut items: BTreeMap<(Option<usize>, String), Vec<String>> = BTreeMap::new();
        units.inside(unit, &mut |inside| match inside {
            Inside::Lot { container, lot } => found.push(Moved {
                unit: unit.clone(),
                container: container.to_owned(),
                made: makings.get(&lot.class),
                quantity: lot.clone(),
                serials: Vec::new(),
            }),
            Inside::Innermost { key, spelling } => match product_of(key) {
                Some(product) => {
                    if is_about_unit || event.is_about_key(key) {
                        let making = makings.of.get(key).copied();
                        let items = items.entry((making, product.to_owned())).or_default();
                        items.push(spelling.to_owned());
                    }
                }
                // Nothing is told of what is in it: its row says so.
                None => found.push(Moved {
                    unit: spelling.to_owned(),
                    ..Moved::default()
                }),
            },
        })?;
        found.extend(items.into_iter().map(|((making, class), serials)| Moved {
            // An item that is moved by itself is in no unit.
            unit: match serials.as_slice() {
                [one] if one == unit => String::new(),
                _ => unit.clone(),
            },
            container: String::new(),
            quantity: Quantity {
                class,
                amount: serials.len().to_string(),
                unit: String::new(),
            },
            made: makings.at(making),
            serials,
        }));
    }
    found.retain(|moved| {
        !moved.serials.is_empty()
            || event.is_about(&moved.quantity.class)
            || event.is_about(&moved.unit)
    });
    Ok(found)
}
