//! A row of a report while its cells are set.

use super::directory::{Directory, gln_key, key_of, lot_code, lot_of, serial_of};
use super::event::Quantity;
use super::moved::Moved;
use epcis_edge_document::identifier::product;
use epcis_edge_history::follow::Amount;
use std::collections::BTreeMap;

/// The most serials in one cell.
const SERIALS_IN_A_CELL: usize = 1000;

/// The cells of a row, by the names of their columns.
#[derive(Clone, Debug)]
pub(super) struct Row<'m> {
    directory: &'m Directory,
    pub(super) cells: BTreeMap<&'static str, String>,
    /// Notes about missing data, in addition to empty cells.
    pub(super) notes: Vec<&'static str>,
    /// The places and products that it names: each gets a row in a sheet of its own.
    pub(super) places: Vec<String>,
    pub(super) products: Vec<String>,
}

impl<'m> Row<'m> {
    pub(super) fn new(directory: &'m Directory) -> Self {
        Self {
            directory,
            cells: BTreeMap::new(),
            notes: Vec::new(),
            places: Vec::new(),
            products: Vec::new(),
        }
    }

    /// Sets a cell, unless the text is empty.
    pub(super) fn set(&mut self, column: &'static str, text: impl Into<String>) -> &mut Self {
        let text = text.into();
        if !text.is_empty() {
            self.cells.insert(column, text);
        }
        self
    }

    /// Sets whether something is so.
    pub(super) fn is(&mut self, column: &'static str, is_so: bool) -> &mut Self {
        self.set(column, if is_so { "yes" } else { "no" })
    }

    /// Adds a note about missing data.
    pub(super) fn note(&mut self, note: &'static str) -> &mut Self {
        self.notes.push(note);
        self
    }

    /// Sets the names and the numbers of places or parties.
    pub(super) fn places<P: AsRef<str>>(&mut self, column: &'static str, ids: &[P]) -> &mut Self {
        let ids = ids.iter().map(AsRef::as_ref).filter(|id| !id.is_empty());
        let names: Vec<String> = ids.clone().map(|id| self.directory.place(id)).collect();
        self.places.extend(ids.map(gln_key));
        self.set(column, names.join("; "))
    }

    /// Sets the name and the number of a place or a party.
    pub(super) fn place(&mut self, column: &'static str, id: &str) -> &mut Self {
        self.places(column, &[id])
    }

    /// Gives a product a row of its own.
    pub(super) fn lists_product(&mut self, class: &str) -> &mut Self {
        if !lot_of(class).0.is_empty() {
            self.products.push(product(class));
        }
        self
    }

    /// Sets the name of a product, and gives the product a row of its own.
    pub(super) fn product(&mut self, class: &str) -> &mut Self {
        let name = self.directory.description(class);
        self.lists_product(class).set("product", name)
    }

    /// Sets a quantity and its unit.
    pub(super) fn quantity(&mut self, quantity: &Quantity) -> &mut Self {
        self.set("quantity", &*quantity.amount).set("unit", quantity.counted_in())
    }

    /// As [`quantity`](Self::quantity), if an amount is known.
    pub(super) fn amount(&mut self, amount: Option<&Amount>) -> &mut Self {
        if let Some((number, unit)) = amount.map(Amount::texts) {
            self.set("quantity", number);
            self.set("unit", if unit.is_empty() { "each" } else { unit });
        }
        self
    }

    /// Sets the cells about a lot and its quantity. `made` is the lot that the event which made it says: the identifier of an item has none.
    pub(super) fn lot(&mut self, quantity: &Quantity, made: &str) -> &mut Self {
        let (gtin, lot) = lot_code(&quantity.class, "");
        self.set("gtin", gtin).set("lot", lot).set("lot", made);
        self.quantity(quantity).product(&quantity.class)
    }

    /// Sets the cells about goods that a shipment or a receipt moves.
    pub(super) fn moved(&mut self, moved: &Moved) -> &mut Self {
        self.lot(&moved.quantity, &moved.made.lot);
        if moved.is_named_twice {
            self.note("the event names the lot, and a unit that it is in: it may be counted twice");
        }
        self.notes.extend(moved.note);
        self
    }

    /// Sets the cells of the serials that are moved, and of the unit that they are in.
    pub(super) fn serials(&mut self, moved: &Moved) -> &mut Self {
        let serials = moved.serials.iter().take(SERIALS_IN_A_CELL);
        let mut serials: Vec<String> = serials.map(|serial| serial_of(serial)).collect();
        let more = moved.serials.len().saturating_sub(SERIALS_IN_A_CELL);
        if more > 0 {
            serials.push(format!("and {more} more"));
        }
        self.set("serials", serials.join(", ")).set("logistic-unit", key_of(&moved.unit))
    }
}
