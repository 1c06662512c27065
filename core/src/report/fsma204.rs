//! The sortable spreadsheet of 21 CFR 1.1455(c)(3)(ii): a sheet for each critical tracking event, its columns in the order of the law.
//!
//! No event says which critical tracking event it is. That is derived from its type, business step and neighbours, and each row says how.
//! A shipment is two or three events: the lot stands in the one that packed the pallet, the recipient in the one that ships it, the
//! source of the lot in the one that made it.

use super::columns;
use super::directory::{Directory, key_of, lot_of};
use super::event::{Quantity, Told};
use super::lots::Lots;
use super::table::{Report, Row, Sheet};
use super::units::{Inside, Units};
use super::{MAX_BYTES, MAX_ROWS, too_much};
use crate::error::Error;
use crate::identifier::{product, thing};
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

const HARVESTING: &str = "Harvesting";
const COOLING: &str = "Cooling";
const INITIAL_PACKING: &str = "Initial packing";
const FIRST_RECEIVING: &str = "First land-based receiving";
const SHIPPING: &str = "Shipping";
const RECEIVING: &str = "Receiving";
const TRANSFORMATION: &str = "Transformation";

/// The report on events, which are in order of time.
///
/// # Errors
/// [`ErrorKind::CaptureTooComplex`](crate::error::ErrorKind::CaptureTooComplex) beyond the bounds of rows and of units inside of units.
pub(super) fn report(events: &[Told<'_>], directory: &Directory) -> Result<Report, Error> {
    let mut maker = Maker {
        events,
        directory,
        lots: Lots::of(events),
        units: Units::default(),
        sheets: columns::sheets_of_fsma204(),
        rows: 0,
        bytes: 0,
        places: BTreeSet::new(),
        products: BTreeSet::new(),
        notes: Vec::new(),
    };
    for (at, event) in events.iter().enumerate() {
        maker.event(event, at)?;
        maker.units.take(event);
    }
    Ok(maker.finish())
}

struct Maker<'e, 'd> {
    events: &'e [Told<'d>],
    directory: &'e Directory,
    lots: Lots,
    /// What is inside of what when the current event happens.
    units: Units,
    sheets: Vec<Sheet>,
    rows: usize,
    bytes: usize,
    places: BTreeSet<String>,
    products: BTreeSet<String>,
    notes: Vec<String>,
}

impl<'e> Maker<'e, '_> {
    /// The event that made a lot.
    fn making(&self, lot: &str) -> Option<usize> {
        self.lots.made(&thing(lot))
    }

    fn is_harvest(&self, at: usize) -> bool {
        let event = self.events.get(at);
        event.is_some_and(|event| event.is_object() && !is_landed(event))
    }

    fn event(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        let is_creating = event.step == "creating_class_instance";
        match event.kind.as_str() {
            "ObjectEvent" if is_creating && event.action == "ADD" && is_landed(event) => {
                self.landed(event)
            }
            "ObjectEvent" if is_creating && event.action == "ADD" => self.harvest(event, at),
            "ObjectEvent" if event.is_cooling() => self.cooling(event, at),
            "ObjectEvent" | "AggregationEvent" if event.step == "shipping" => self.shipment(event),
            "AggregationEvent" if event.step == "receiving" => self.receipt(event),
            "ObjectEvent" if event.step == "receiving" && !self.is_part_of_another(event, at) => {
                self.receipt(event)
            }
            "TransformationEvent" if is_creating || event.step == "commissioning" => {
                self.transformation(event, at)
            }
            _ => Ok(()),
        }
    }

    fn harvest(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        let derived = "an ObjectEvent creates a lot, without data of a catch: taken as harvesting";
        let recipient = self.next_recipient(event, at);
        for quantity in event.quantities("quantityList") {
            let mut row = self.row(event, derived);
            self.lot(&mut row, &quantity);
            self.set_place(&mut row, "recipient", &recipient);
            self.set_place(&mut row, "farm", &event.read_point);
            self.set_place(&mut row, "field", &event.biz_location);
            row.set("telephone", self.telephone(&event.read_point));
            self.add(HARVESTING, &row)?;
        }
        Ok(())
    }

    fn landed(&mut self, event: &Told<'_>) -> Result<(), Error> {
        let derived = "an ObjectEvent creates a lot, with data of a catch: taken as first land-based receiving";
        let (kind, areas) = (event.named("fishType"), event.named("catchZone"));
        let mut dates = vec![
            event.named("harvestDateStart"),
            event.named("harvestDateEnd"),
        ];
        dates.retain(|date| !date.is_empty());
        let dates = dates.join(" to ");
        for quantity in event.quantities("quantityList") {
            let mut row = self.row(event, derived);
            self.lot(&mut row, &quantity);
            row.set("product", &*kind);
            row.set("harvest-dates", &*dates);
            row.set("areas", &*areas);
            self.set_place(&mut row, "source", event.place());
            self.add(FIRST_RECEIVING, &row)?;
        }
        Ok(())
    }

    fn cooling(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        let derived = "an event with the step `other` and a temperature: taken as cooling";
        let recipient = self.next_recipient(event, at);
        for quantity in event.quantities("quantityList") {
            let mut row = self.row(event, derived);
            self.lot(&mut row, &quantity);
            self.set_place(&mut row, "recipient", &recipient);
            self.set_place(&mut row, "place", event.place());
            let farm = self
                .making(&quantity.class)
                .and_then(|at| self.events.get(at));
            if let Some(farm) = farm {
                self.set_place(&mut row, "farm", &farm.read_point);
            }
            // The document of the cooler is the one that the lot came with.
            if let Some(received) = self.received(&thing(&quantity.class), event.place(), at) {
                row.set("document", &*received.documents);
            }
            self.add(COOLING, &row)?;
        }
        Ok(())
    }

    fn shipment(&mut self, event: &Told<'_>) -> Result<(), Error> {
        let derived = "an event with the step `shipping`";
        let recipient = location_or_owner(event, "destination");
        let from = match event.read_point.as_str() {
            "" => event.end("source", "location"),
            read_point => read_point.to_owned(),
        };
        for (unit, quantity) in self.shipped(event)? {
            let mut row = self.row(event, derived);
            self.lot(&mut row, &quantity);
            self.set_place(&mut row, "recipient", &recipient);
            self.set_place(&mut row, "place", &from);
            self.set_source(&mut row, &quantity.class);
            row.set("unit-of-logistics", key_of(&unit));
            self.add(SHIPPING, &row)?;
        }
        Ok(())
    }

    fn receipt(&mut self, event: &Told<'_>) -> Result<(), Error> {
        let derived = "an event with the step `receiving`";
        let sender = location_or_owner(event, "source");
        for (unit, quantity) in self.shipped(event)? {
            let mut row = self.row(event, derived);
            self.lot(&mut row, &quantity);
            self.set_place(&mut row, "sender", &sender);
            self.set_place(&mut row, "place", event.place());
            self.set_source(&mut row, &quantity.class);
            row.set("unit-of-logistics", key_of(&unit));
            self.add(RECEIVING, &row)?;
        }
        Ok(())
    }

    fn transformation(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        let inputs = event.quantities("inputQuantityList");
        let makings: Vec<Option<usize>> = inputs
            .iter()
            .map(|input| self.making(&input.class))
            .collect();
        let harvests = makings
            .iter()
            .flatten()
            .filter(|at| self.is_harvest(**at))
            .count();
        let is_packing = !inputs.is_empty() && harvests == inputs.len();
        if harvests > 0 && !is_packing {
            self.notes.push(format!(
                "The event {} uses lots that were harvested and others: it stands under Transformation, and may be an initial packing.",
                event.name
            ));
        }
        for output in event.quantities("outputQuantityList") {
            for (input, making) in inputs.iter().zip(&makings) {
                if is_packing {
                    self.packed((event, at), input, *making, &output)?;
                } else {
                    self.transformed(event, input, &output)?;
                }
            }
        }
        Ok(())
    }

    fn packed(
        &mut self,
        (event, at): (&Told<'_>, usize),
        input: &Quantity,
        making: Option<usize>,
        output: &Quantity,
    ) -> Result<(), Error> {
        let derived =
            "a transformation all of whose inputs were harvested: taken as initial packing";
        let mut row = self.row(event, derived);
        self.lot(&mut row, output);
        row.set("received-product", self.product(&input.class));
        row.set("received-quantity", &*input.amount);
        row.set("received-unit", unit(input));
        self.set_place(&mut row, "source", event.place());
        if let Some(harvest) = making.and_then(|at| self.events.get(at)) {
            self.set_place(&mut row, "farm", &harvest.read_point);
            self.set_place(&mut row, "field", &harvest.biz_location);
            row.set("harvest-date", &*harvest.date);
            row.set("telephone", self.telephone(&harvest.read_point));
        }
        let lot = thing(&input.class);
        if let Some(received) = self.received(&lot, event.place(), at) {
            row.set("received-date", &*received.date);
        }
        let cooled = self.lots.cooled(&lot).and_then(|at| self.events.get(at));
        if let Some(cooled) = cooled {
            self.set_place(&mut row, "cooled-at", cooled.place());
            row.set("cooled-date", &*cooled.date);
        }
        self.add(INITIAL_PACKING, &row)
    }

    fn transformed(
        &mut self,
        event: &Told<'_>,
        input: &Quantity,
        output: &Quantity,
    ) -> Result<(), Error> {
        let derived = "a transformation whose inputs were not harvested in these events";
        let mut row = self.row(event, derived);
        self.lot(&mut row, output);
        let (gtin, lot) = lot_of(&input.class);
        row.set("input-gtin", gtin);
        row.set("input-lot", lot);
        row.set("input-product", self.product(&input.class));
        row.set("input-quantity", &*input.amount);
        row.set("input-unit", unit(input));
        self.set_place(&mut row, "source", event.place());
        self.add(TRANSFORMATION, &row)
    }

    /// Whether an ObjectEvent that receives is part of cooling or of initial packing: its lots were harvested, and one of them is cooled
    /// or used at the same place later.
    fn is_part_of_another(&self, event: &Told<'_>, at: usize) -> bool {
        let lots = event.quantities("quantityList");
        let lots: Vec<String> = lots.iter().map(|lot| thing(&lot.class)).collect();
        let is_harvested = |lot: &String| {
            let making = self.lots.made(lot);
            making.is_none_or(|making| self.is_harvest(making))
        };
        lots.iter().all(is_harvested)
            && lots
                .iter()
                .any(|lot| self.lots.is_worked_on(lot, event.place(), at))
    }

    /// The event that received a lot at a place, before another event.
    fn received(&self, lot: &str, place: &str, before: usize) -> Option<&'e Told<'_>> {
        self.events.get(self.lots.received(lot, place, before)?)
    }

    /// Where the lots of an event go next.
    fn next_recipient(&self, event: &Told<'_>, at: usize) -> String {
        let lots = event.quantities("quantityList");
        let mut ends = lots
            .iter()
            .map(|lot| self.lots.next_recipient(&thing(&lot.class), at));
        ends.find(|end| !end.is_empty())
            .unwrap_or_default()
            .to_owned()
    }

    /// The lots that an event moves, each with the logistic unit that it is in: those in its own lists, else those packed into its units.
    /// Items with serials have no lot in their identifier: they are counted by product.
    fn shipped(&mut self, event: &Told<'_>) -> Result<Vec<(String, Quantity)>, Error> {
        let mut found = Vec::new();
        for list in ["quantityList", "childQuantityList"] {
            for quantity in event.quantities(list) {
                found.push((event.parent.clone(), quantity));
            }
        }
        if !found.is_empty() {
            return Ok(found);
        }
        let mut units = event.ids("epcList");
        units.extend(Some(event.parent.clone()).filter(|parent| !parent.is_empty()));
        for unit in &units {
            let mut serials: BTreeMap<String, usize> = BTreeMap::new();
            let is_alone = |inner: &str| inner == unit;
            self.units.inside(unit, &mut |inside| match inside {
                Inside::Lot(lot) => found.push((unit.clone(), lot.clone())),
                Inside::Innermost(inner) if !lot_of(inner).0.is_empty() => {
                    *serials.entry(product(inner)).or_default() += 1;
                }
                // Nothing is told of what is in it: its row says so.
                Inside::Innermost(inner) if is_alone(inner) => {
                    found.push((unit.clone(), Quantity::default()));
                }
                Inside::Innermost(_) => {}
            })?;
            found.extend(serials.into_iter().map(|(class, count)| {
                let quantity = Quantity {
                    class,
                    amount: count.to_string(),
                    unit: String::new(),
                };
                (unit.clone(), quantity)
            }));
        }
        Ok(found)
    }

    /// A row that cites its event.
    fn row(&self, event: &Told<'_>, derived: &str) -> Row {
        let mut row = Row::default();
        row.set("date", &*event.date);
        row.set("document", &*event.documents);
        row.set("derived", derived);
        row.set("offset", &*event.offset);
        row.set("event", &*event.name);
        row.set("hash", &*event.hash);
        row
    }

    fn lot(&mut self, row: &mut Row, quantity: &Quantity) {
        let (gtin, lot) = lot_of(&quantity.class);
        if gtin.is_empty() {
            // A lot code of one's own is allowed by the law.
            row.set("lot", &*quantity.class);
        } else {
            self.products.insert(product(&quantity.class));
        }
        row.set("gtin", gtin);
        row.set("lot", lot);
        row.set("product", self.product(&quantity.class));
        row.set("quantity", &*quantity.amount);
        row.set("unit", unit(quantity));
    }

    fn product(&self, class: &str) -> String {
        self.directory.description(class).to_owned()
    }

    fn telephone(&self, place: &str) -> String {
        self.directory.first(place, &TELEPHONE).to_owned()
    }

    fn set_place(&mut self, row: &mut Row, column: &'static str, id: &str) {
        if !id.is_empty() {
            self.places.insert(thing(id));
            row.set(column, self.directory.place(id));
        }
    }

    /// The place that gave a lot its code.
    fn set_source(&mut self, row: &mut Row, lot: &str) {
        let making = self.making(lot).and_then(|at| self.events.get(at));
        if let Some(making) = making {
            let place = making.place().to_owned();
            self.set_place(row, "source", &place);
        }
    }

    /// Adds a row. A transformation of many inputs to many outputs has a row for each pair, and a long text may stand in every row of
    /// its event: so both are counted before a row is made.
    fn add(&mut self, sheet: &str, row: &Row) -> Result<(), Error> {
        self.rows += 1;
        self.bytes += row.bytes();
        if self.rows > MAX_ROWS {
            return Err(too_much(MAX_ROWS, "rows in a report"));
        }
        if self.bytes > MAX_BYTES {
            return Err(too_much(MAX_BYTES, "bytes in the rows of a report"));
        }
        if let Some(sheet) = self.sheets.iter_mut().find(|known| known.name == sheet) {
            sheet.add(row);
        }
        Ok(())
    }

    fn finish(mut self) -> Report {
        let mut locations = columns::locations();
        for place in &self.places {
            let first = |attributes: &[&str]| self.directory.first(place, attributes);
            let mut row = Row::default();
            row.set("gln", key_of(place));
            row.set("name", self.directory.name(place));
            row.set("telephone", first(&TELEPHONE));
            let street = [first(&["streetAddressOne"]), first(&["streetAddressTwo"])];
            row.set("street", street.join(" ").trim());
            row.set("city", first(&["city"]));
            row.set("state", first(&["state"]));
            row.set("postal-code", first(&["postalCode"]));
            row.set("country", first(&["countryCode"]));
            locations.add(&row);
        }
        let mut products = columns::products();
        for class in &self.products {
            let first = |attributes: &[&str]| self.directory.first(class, attributes);
            let mut row = Row::default();
            row.set("gtin", key_of(class));
            row.set("product", self.directory.description(class));
            row.set("brand", first(&["brandName", "brand"]));
            row.set("variety", first(&["variety", "tradeItemVariety"]));
            row.set("size", first(&["netContentDescription", "packagingSize"]));
            products.add(&row);
        }
        self.sheets.extend([locations, products]);
        let mut notes = vec![
            "Which critical tracking event an event is, is derived: the column `How the kind of event was told` says from what.".to_owned(),
            "A transformation with several inputs and outputs has a row for each pair.".to_owned(),
            "Dates are those of the time zone in their row. What these events and the master data with them do not tell is left empty, and named in the last column.".to_owned(),
        ];
        notes.append(&mut self.notes);
        Report {
            report: "fsma204",
            made: Timestamp::default(),
            asked: Vec::new(),
            sheets: self.sheets,
            notes,
        }
    }
}

/// The attributes that may hold a telephone number.
const TELEPHONE: [&str; 4] = ["telephone", "telephoneNumber", "contactTelephone", "phone"];

/// The unit of a quantity; without one things are counted (EPCIS 2.0, 7.3.3.3).
fn unit(quantity: &Quantity) -> &str {
    match quantity.unit.as_str() {
        "" if !quantity.amount.is_empty() => "each",
        unit => unit,
    }
}

/// The location at an end of a transfer; without one, the owner.
fn location_or_owner(event: &Told<'_>, end: &str) -> String {
    let location = event.end(end, "location");
    if location.is_empty() {
        return event.end(end, "owning_party");
    }
    location
}

/// Whether an event has data of a catch, so that its lot was landed.
fn is_landed(event: &Told<'_>) -> bool {
    [
        "catchZone",
        "fishType",
        "harvestDateStart",
        "harvestDateEnd",
    ]
    .iter()
    .any(|name| !event.named(name).is_empty())
}
