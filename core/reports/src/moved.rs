//! The lots and items that an event moves, also those in logistic units.

use super::directory::lot_of;
use super::event::{Quantity, ReportedEvent};
use super::units::Units;
use epcis_edge_document::event::{CHILD_QUANTITIES, CHILDREN, EPC_LIST, QUANTITIES};
use epcis_edge_document::identifier::thing;
use epcis_edge_history::follow::Inside;
use epcis_edge_text::error::Error;
use epcis_edge_text::slice::OrEmpty;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Goods of one lot that an event moves: in one unit, or by themselves.
#[derive(Clone, Debug, Default)]
pub(super) struct Moved {
    /// The unit that the event names; empty for a lot that it names itself.
    pub(super) unit: String,
    /// The container that the lot is in, in normal form; empty if it is in none, and for items.
    pub(super) container: String,
    /// The lot, or the product of items; empty if the content of the unit is not known.
    pub(super) quantity: Quantity,
    /// The lot and the expiry date, as stated by the event that made the items or the lot.
    pub(super) made: Making,
    /// The items, if they have serials.
    pub(super) serials: Vec<String>,
    /// Whether the event names the lot by itself, and also a unit that it is in: these may be the same goods.
    pub(super) is_named_twice: bool,
    /// What its row says beside: that a part was declared void, or in which way its receipt differs.
    pub(super) note: Option<&'static str>,
}

impl Moved {
    /// The moved things, in normal form: the items, the lot, or a unit with unknown content.
    pub(super) fn things(&self) -> Vec<String> {
        match self.serials.as_slice() {
            [] if self.quantity.class.is_empty() => vec![thing(&self.unit)],
            [] => vec![thing(&self.quantity.class)],
            serials => serials.iter().map(|serial| thing(serial)).collect(),
        }
    }

    /// The same with some of its items only.
    pub(super) fn with(&self, serials: Vec<String>) -> Self {
        Self {
            quantity: Quantity { amount: serials.len().to_string(), ..self.quantity.clone() },
            serials,
            ..self.clone()
        }
    }

    /// Whether it is a lot, whose parts are not told apart.
    pub(super) fn is_lot(&self) -> bool {
        self.serials.is_empty() && !self.quantity.class.is_empty()
    }
}

/// The data about a lot or an item in the event that made it. All things that one event made share the texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Making {
    pub(super) lot: Rc<str>,
    /// `YYYY-MM-DD`, or as it was written.
    pub(super) expiry: Rc<str>,
}

/// The data about lots and items in the events that made them.
#[derive(Debug, Default)]
pub(super) struct Makings {
    known: Vec<Making>,
    /// The place in `known`, by lot or item in normal form.
    of: BTreeMap<String, usize>,
}

impl Makings {
    /// Reads events.
    pub(super) fn of(events: &[ReportedEvent<'_>]) -> Self {
        let mut makings = Self::default();
        for event in events {
            let making = Making {
                lot: event.named("lotNumber").into(),
                expiry: event.named("itemExpirationDate").into(),
            };
            let made = event.made();
            if made.is_empty() || making == Making::default() {
                continue;
            }
            let at = makings.known.len();
            makings.known.push(making);
            for id in made {
                makings.of.entry(thing(&id)).or_insert(at);
            }
        }
        makings
    }

    fn at(&self, at: Option<usize>) -> Making {
        let making = at.and_then(|at| self.known.get(at));
        making.cloned().or_empty()
    }

    /// The data about a lot or an item; empty if there are none.
    pub(super) fn get(&self, id: &str) -> Making {
        let mut making = self.at(self.of.get(&thing(id)).copied());
        let (_, lot) = lot_of(id);
        if !lot.is_empty() {
            // A lot in the identifier wins over the lot that the event gives for everything that it makes.
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

/// Items put together by product and making: each as a quantity of the product, with the items.
pub(super) fn by_product(items: &[String], makings: &Makings) -> Vec<Moved> {
    let mut groups: BTreeMap<(Option<usize>, String), Vec<String>> = BTreeMap::new();
    for item in items {
        let key = thing(item);
        let making = makings.of.get(&key).copied();
        let product = product_of(&key).unwrap_or(&key).to_owned();
        groups.entry((making, product)).or_default().push(item.clone());
    }
    let groups = groups.into_iter();
    groups.map(|((making, class), serials)| items_of(makings.at(making), class, serials)).collect()
}

/// Items of a product that were made together.
fn items_of(made: Making, class: String, serials: Vec<String>) -> Moved {
    Moved {
        quantity: Quantity { class, amount: serials.len().to_string(), unit: String::new() },
        made,
        serials,
        ..Moved::default()
    }
}

/// The items and units that an event is about: those that it lists; if it lists nothing, the whole parent.
pub(super) fn named_in(event: &ReportedEvent<'_>) -> Vec<String> {
    let mut named = event.ids(EPC_LIST);
    named.extend(event.ids(CHILDREN));
    let is_of_all = named.is_empty()
        && event.quantities(QUANTITIES).is_empty()
        && event.quantities(CHILD_QUANTITIES).is_empty();
    if is_of_all && !event.parent.is_empty() {
        named.push(event.parent.clone());
    }
    named
}

/// The goods that an event moves and that the report is about. Items are put together by product and lot.
///
/// # Errors
/// As [`Units::inside`].
pub(super) fn moved(
    event: &ReportedEvent<'_>,
    units: &mut Units,
    makings: &Makings,
) -> Result<Vec<Moved>, Error> {
    let mut found = Vec::new();
    let is_about_parent = !event.parent.is_empty() && event.is_about(&event.parent);
    for list in [QUANTITIES, CHILD_QUANTITIES] {
        for quantity in event.quantities(list) {
            let lot = thing(&quantity.class);
            if !is_about_parent && !event.is_about_key(&lot) {
                continue;
            }
            found.push(Moved {
                unit: event.parent.clone(),
                container: match event.parent.as_str() {
                    "" => String::new(),
                    parent => thing(parent),
                },
                made: makings.get(&quantity.class),
                quantity,
                ..Moved::default()
            });
        }
    }
    let named = named_in(event);
    let mut items: BTreeMap<(usize, Option<usize>, String), Vec<String>> = BTreeMap::new();
    let mut packed = BTreeSet::new();
    let is_chosen = |id: &str| is_about_parent || event.is_about_key(id);
    let mut take = |at: usize, inside: Inside<'_>| {
        if !inside.is_chosen {
            return;
        }
        let unit = || named.get(at).cloned().or_empty();
        if inside.is_quantity {
            packed.insert(inside.id.to_owned());
            let (amount, of) = inside.amount.map(|amount| amount.texts()).or_empty();
            found.push(Moved {
                unit: unit(),
                container: inside.container.to_owned(),
                quantity: Quantity {
                    class: inside.spelling.to_owned(),
                    amount,
                    unit: of.to_owned(),
                },
                made: makings.get(inside.id),
                ..Moved::default()
            });
            return;
        }
        match product_of(inside.id) {
            Some(product) => {
                let making = makings.of.get(inside.id).copied();
                let items = items.entry((at, making, product.to_owned())).or_default();
                items.push(inside.spelling.to_owned());
            }
            // A unit with unknown content: its row says so.
            None => found.push(Moved { unit: inside.spelling.to_owned(), ..Moved::default() }),
        }
    };
    units.inside(&named, &is_chosen, &mut take)?;
    for ((at, making, class), serials) in items {
        let unit = named.get(at).cloned().or_empty();
        // An item that is moved by itself is in no unit.
        let is_by_itself =
            serials.len() == 1 && serials.first().is_some_and(|item| thing(item) == thing(&unit));
        found.push(Moved {
            unit: if is_by_itself { String::new() } else { unit },
            ..items_of(makings.at(making), class, serials)
        });
    }
    for moved in &mut found {
        let is_loose = moved.is_lot() && moved.container.is_empty();
        moved.is_named_twice = is_loose && packed.contains(&thing(&moved.quantity.class));
    }
    Ok(found)
}
