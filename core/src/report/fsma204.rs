//! The sortable spreadsheet of 21 CFR 1.1455(c)(3)(ii): a sheet for each critical tracking event, its columns in the order of the law.
//!
//! No event says which critical tracking event it is. That is derived from its type, business step and neighbours, and each row says how.
//! A shipment is two or three events: the lot stands in the one that packed the pallet, the recipient in the one that ships it, the
//! source of the lot in the one that made it.

use super::book::{Book, unit};
use super::columns;
use super::directory::{key_of, lot_code};
use super::event::{Quantity, Told};
use super::lots::Lots;
use super::material::Material;
use super::moved::{Makings, Moved, by_product, moved};
use super::request::ReportRequest;
use super::table::{Report, Row};
use super::transfers::Transfers;
use super::transformations::{Part, Transformations, parts};
use super::units::Units;
use crate::error::Error;
use crate::identifier::thing;
use crate::time::Timestamp;
use std::collections::BTreeSet;

const HARVESTING: &str = "Harvesting";
const COOLING: &str = "Cooling";
const INITIAL_PACKING: &str = "Initial packing";
const FIRST_RECEIVING: &str = "First land-based receiving";
const SHIPPING: &str = "Shipping";
const RECEIVING: &str = "Receiving";
const TRANSFORMATION: &str = "Transformation";

/// The step of a landing in GDST 1.2; both spellings are in use.
const LANDING: [&str; 2] = ["urn:gdst:bizStep:landing", "urn:gdst:bizstep:landing"];

/// How many events are named in a note.
const MAX_NAMED: usize = 10;

/// The report.
///
/// # Errors
/// [`ErrorKind::CaptureTooComplex`](crate::error::ErrorKind::CaptureTooComplex) beyond the bounds of rows and of units inside of units.
pub(super) fn report(
    material: &Material<'_>,
    request: &ReportRequest,
    made: Timestamp,
) -> Result<Report, Error> {
    let events = &material.events;
    let mut units = Units::before(events, request);
    let mut maker = Maker {
        events,
        material,
        landed: events.iter().map(is_landed).collect(),
        lots: Lots::of(events),
        makings: Makings::of(events),
        transfers: Transfers::of(events, &mut units, false)?,
        transformations: Transformations::of(events),
        units,
        book: Book::new(material, columns::sheets_of_fsma204()),
        done: BTreeSet::new(),
        mixed: Vec::new(),
    };
    maker.find_packings();
    for (at, event) in events.iter().enumerate() {
        if event.is_asked {
            maker.event(event, at)?;
        }
        maker.units.take(event);
    }
    let mut notes = vec![
        "Which critical tracking event an event is, is derived: the column `How the kind of event was told` says from what.".to_owned(),
        "A transformation with several inputs and outputs has a row for each pair. Events with one `transformationID` are one transformation.".to_owned(),
        "A lot that is received, and cooled or packed for the first time at the same place later, has no row under Receiving: it stands under Cooling or Initial packing.".to_owned(),
        "Before a food is initially packed, the law asks for no record of shipping and receiving it. Whether it was packed is derived, so such rows stay, and their last column says so.".to_owned(),
        "Shipments that were declared void are left out.".to_owned(),
        "No event has a place for the name of a container of aquaculture: that column is for you to fill.".to_owned(),
    ];
    if !maker.mixed.is_empty() {
        let named: Vec<&str> = maker.mixed.iter().take(MAX_NAMED).copied().collect();
        let more = match maker.mixed.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        notes.push(format!(
            "These events use lots that were harvested and others: they stand under Transformation, and may be initial packings: {}{more}.",
            named.join(", ")
        ));
    }
    maker.book.finish(request, made, notes)
}

struct Maker<'m> {
    events: &'m [Told<'m>],
    material: &'m Material<'m>,
    /// For each event: whether it has data of a catch. Found in advance, because thousands of events may use what one event made.
    landed: Vec<bool>,
    lots: Lots,
    makings: Makings,
    transfers: Transfers,
    transformations: Transformations,
    /// The contents of units at the time of the current event.
    units: Units,
    book: Book<'m>,
    /// The last event of each transformation that has its rows.
    done: BTreeSet<usize>,
    /// The names of transformations that mix harvested lots with others.
    mixed: Vec<&'m str>,
}

impl<'m> Maker<'m> {
    /// The event that made a lot or an item.
    fn making(&self, thing: &str) -> Option<&'m Told<'m>> {
        self.events.get(self.lots.made(thing)?)
    }

    /// Whether a lot or an item was made by an event that counts as harvesting.
    fn is_harvested(&self, thing: &str) -> bool {
        let Some((at, event)) = self
            .lots
            .made(thing)
            .and_then(|at| Some((at, self.events.get(at)?)))
        else {
            return false;
        };
        is_making(event) && self.landed.get(at) == Some(&false)
    }

    /// Whether goods were harvested and not packed since: an initial packing gives them a new lot.
    fn is_unpacked(&self, moved: &Moved) -> bool {
        let first = moved.things().into_iter().next();
        first.is_some_and(|thing| self.is_harvested(&thing))
    }

    /// Finds the transformations that are initial packings, for the receipts before them.
    fn find_packings(&mut self) {
        let mut packed = Vec::new();
        for places in self.transformations.all() {
            let inputs = parts(self.events, places, true, &self.makings);
            let is_packing = inputs.iter().all(|input| self.is_harvested(&input.thing));
            if is_packing {
                packed.extend(inputs.into_iter().map(|input| (input.thing, input.at)));
            }
        }
        for (lot, at) in packed {
            if let Some(event) = self.events.get(at) {
                self.lots.is_packed(&lot, event.place(), at);
            }
        }
    }

    fn event(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        match event.kind.as_str() {
            "ObjectEvent" if is_making(event) && self.landed.get(at) == Some(&true) => {
                self.landing(event)
            }
            "ObjectEvent" if is_making(event) => self.harvest(event, at),
            "ObjectEvent" if LANDING.contains(&&*event.step) => self.gdst_landing(event),
            "ObjectEvent" if event.is_cooling() => self.cooling(event, at),
            "ObjectEvent" | "AggregationEvent" if event.step == "shipping" => {
                self.shipment(event, at)
            }
            "ObjectEvent" | "AggregationEvent" if event.step == "receiving" => {
                self.receipt(event, at)
            }
            "TransformationEvent" => self.transformation(at),
            _ => Ok(()),
        }
    }

    /// The lots that an event names, and the items, put together by product and lot.
    fn named(&self, event: &Told<'_>) -> Vec<(Quantity, String, String)> {
        let lots = asked(event, "quantityList").into_iter().map(|quantity| {
            let lot = self.makings.get(&quantity.class).lot.to_string();
            let key = thing(&quantity.class);
            (quantity, lot, key)
        });
        let mut items = event.ids("epcList");
        items.retain(|item| event.is_about(item));
        let items = by_product(&items, &self.makings).into_iter().map(|group| {
            let first = group.serials.first();
            let key = first.map(|item| thing(item)).unwrap_or_default();
            (group.quantity, group.made.lot.to_string(), key)
        });
        lots.chain(items).collect()
    }

    fn harvest(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        let derived = "an ObjectEvent creates a lot, without data of a catch: taken as harvesting";
        for (quantity, lot, key) in self.named(event) {
            let mut row = self.row(event, derived);
            self.lot(&mut row, &quantity, &lot);
            self.set_next(&mut row, &key, event.place(), at);
            self.set_place(&mut row, "farm", &event.read_point);
            self.set_place(&mut row, "field", &event.biz_location);
            self.set_harvester(&mut row, &event.read_point);
            self.add(HARVESTING, &row)?;
        }
        Ok(())
    }

    fn landing(&mut self, event: &Told<'_>) -> Result<(), Error> {
        let derived = "an ObjectEvent creates a lot, with data of a catch: taken as first land-based receiving";
        for (quantity, lot, _) in self.named(event) {
            let mut row = self.row(event, derived);
            self.lot(&mut row, &quantity, &lot);
            row.set("product", event.named("fishType"));
            row.set("harvest-dates", harvest_dates(event));
            row.set("areas", event.named("catchZone"));
            self.set_place(&mut row, "source", event.place());
            self.add(FIRST_RECEIVING, &row)?;
        }
        Ok(())
    }

    /// A landing in GDST. The event of the fishing, which made the lot, has the catch.
    fn gdst_landing(&mut self, event: &Told<'_>) -> Result<(), Error> {
        for (quantity, lot, key) in self.named(event) {
            let mut row = self.row(event, "an ObjectEvent with the step `landing` of GDST");
            self.lot(&mut row, &quantity, &lot);
            if let Some(fishing) = self.making(&key) {
                let dates = match harvest_dates(fishing) {
                    dates if dates.is_empty() => fishing.date_beside(event),
                    dates => dates,
                };
                row.set("harvest-dates", dates);
                row.set("areas", fishing.named("catchArea"));
            }
            self.set_place(&mut row, "source", event.place());
            self.add(FIRST_RECEIVING, &row)?;
        }
        Ok(())
    }

    fn cooling(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        let derived = "an event with the step `other` and a temperature: taken as cooling";
        for (quantity, lot, key) in self.named(event) {
            let mut row = self.row(event, derived);
            self.lot(&mut row, &quantity, &lot);
            self.set_next(&mut row, &key, event.place(), at);
            self.set_place(&mut row, "place", event.place());
            if let Some(farm) = self.making(&key) {
                self.set_place(&mut row, "farm", &farm.read_point);
            }
            // The document of the cooler is the one that the lot came with.
            if let Some(received) = self.received(&key, event.place(), at) {
                row.set("document", &*received.documents);
            }
            self.add(COOLING, &row)?;
        }
        Ok(())
    }

    fn shipment(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        let derived = "an event with the step `shipping`";
        let recipients = event.partners("destination");
        let from = match event.read_point.as_str() {
            "" => event.end("source", "location"),
            read_point => read_point.to_owned(),
        };
        for moved in moved(event, &mut self.units, &self.makings)? {
            let Some(moved) = self.transfers.without_void(moved, at) else {
                continue;
            };
            let mut row = self.row(event, derived);
            self.set_moved(&mut row, &moved);
            self.book.set_places(&mut row, "recipient", &recipients);
            self.set_place(&mut row, "place", &from);
            if self.is_unpacked(&moved) {
                row.note("taken as harvested and not packed yet: if so, 21 CFR 1.1340(c) asks for no record of this shipment");
            }
            self.add(SHIPPING, &row)?;
        }
        Ok(())
    }

    fn receipt(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        let derived = "an event with the step `receiving`";
        let senders = event.partners("source");
        for moved in moved(event, &mut self.units, &self.makings)? {
            // Cooling and initial packing have columns for what they received.
            let is_part_of_another = event.is_object()
                && moved.is_lot()
                && moved.container.is_empty()
                && self
                    .lots
                    .is_worked_on(&thing(&moved.quantity.class), event.place(), at);
            if is_part_of_another {
                continue;
            }
            let mut row = self.row(event, derived);
            self.set_moved(&mut row, &moved);
            self.book.set_places(&mut row, "sender", &senders);
            self.set_place(&mut row, "place", event.place());
            if self.is_unpacked(&moved) {
                row.note("taken as harvested and not packed yet: if so, 21 CFR 1.1345(c) asks for no record of this receipt");
            }
            self.add(RECEIVING, &row)?;
        }
        Ok(())
    }

    /// The rows of the transformation that an event belongs to, once.
    fn transformation(&mut self, at: usize) -> Result<(), Error> {
        let places = self.transformations.with(at);
        let Some(last) = places.last().copied() else {
            return Ok(());
        };
        if !self.done.insert(last) {
            return Ok(());
        }
        let inputs = parts(self.events, places, true, &self.makings);
        let outputs = parts(self.events, places, false, &self.makings);
        let harvested = inputs
            .iter()
            .filter(|input| self.is_harvested(&input.thing))
            .count();
        let is_packing = !inputs.is_empty() && harvested == inputs.len();
        if harvested > 0
            && !is_packing
            && let Some(event) = self.events.get(last)
        {
            self.mixed.push(&event.name);
        }
        // Only the pairs that the report is about are visited: a transformation may have very many.
        let asked: Vec<&Part> = inputs.iter().filter(|input| input.is_asked).collect();
        let all: Vec<&Part> = inputs.iter().collect();
        for output in &outputs {
            let chosen = if output.is_asked { &all } else { &asked };
            for input in chosen {
                self.pair(last, Some(input), Some(output), is_packing)?;
            }
            if inputs.is_empty() && output.is_asked {
                self.pair(last, None, Some(output), is_packing)?;
            }
        }
        if outputs.is_empty() {
            for input in asked {
                self.pair(last, Some(input), None, is_packing)?;
            }
        }
        Ok(())
    }

    /// The row of an input and an output.
    fn pair(
        &mut self,
        last: usize,
        input: Option<&Part>,
        output: Option<&Part>,
        is_packing: bool,
    ) -> Result<(), Error> {
        let at = output.or(input).map_or(last, |part| part.at);
        let Some(event) = self.events.get(at) else {
            return Ok(());
        };
        if is_packing {
            self.packed((event, at), input, output)
        } else {
            self.transformed(event, input, output)
        }
    }

    fn packed(
        &mut self,
        (event, at): (&Told<'_>, usize),
        input: Option<&Part>,
        output: Option<&Part>,
    ) -> Result<(), Error> {
        let derived =
            "a transformation all of whose inputs were harvested: taken as initial packing";
        let mut row = self.row(event, derived);
        if let Some(output) = output {
            self.lot(&mut row, &output.quantity, &output.lot);
        }
        self.set_place(&mut row, "source", event.place());
        if let Some(input) = input {
            row.set("received-product", self.product(&input.quantity.class));
            row.set("received-quantity", &*input.quantity.amount);
            row.set("received-unit", unit(&input.quantity));
            if let Some(harvest) = self.making(&input.thing) {
                self.set_place(&mut row, "farm", &harvest.read_point);
                self.set_place(&mut row, "field", &harvest.biz_location);
                row.set("harvest-date", harvest.date_beside(event));
                self.set_harvester(&mut row, &harvest.read_point);
            }
            if let Some(received) = self.received(&input.thing, event.place(), at) {
                row.set("received-date", received.date_beside(event));
            }
            let cooled = self.lots.cooled(&input.thing, at);
            if let Some(cooled) = cooled.and_then(|at| self.events.get(at)) {
                self.set_place(&mut row, "cooled-at", cooled.place());
                row.set("cooled-date", cooled.date_beside(event));
            }
        }
        self.add(INITIAL_PACKING, &row)
    }

    fn transformed(
        &mut self,
        event: &Told<'_>,
        input: Option<&Part>,
        output: Option<&Part>,
    ) -> Result<(), Error> {
        let derived = match event.step.as_str() {
            "creating_class_instance" | "commissioning" => {
                "a transformation whose inputs were not harvested in these events"
            }
            _ => {
                "a transformation with a step that GS1 US does not name for it, whose inputs were not harvested in these events"
            }
        };
        let mut row = self.row(event, derived);
        if let Some(output) = output {
            self.lot(&mut row, &output.quantity, &output.lot);
        }
        if let Some(input) = input {
            let (gtin, lot) = lot_code(&input.quantity.class, &input.lot);
            row.set("input-gtin", gtin);
            row.set("input-lot", lot);
            row.set("input-product", self.product(&input.quantity.class));
            row.set("input-quantity", &*input.quantity.amount);
            row.set("input-unit", unit(&input.quantity));
        }
        self.set_place(&mut row, "source", event.place());
        self.add(TRANSFORMATION, &row)
    }

    /// The event that received a lot at a place, before another event.
    fn received(&self, lot: &str, place: &str, before: usize) -> Option<&'m Told<'m>> {
        self.events.get(self.lots.received(lot, place, before)?)
    }

    /// Sets where a lot goes next.
    fn set_next(&mut self, row: &mut Row, lot: &str, place: &str, at: usize) {
        let recipients = self.lots.next_recipients(lot, place, at);
        self.book.set_places(row, "recipient", &recipients);
    }

    /// Sets who harvested: the business of the farm.
    fn set_harvester(&self, row: &mut Row, farm: &str) {
        row.set("harvester", self.material.directory.name(farm));
        row.set("telephone", self.material.directory.telephone(farm));
    }

    /// A row that cites its event.
    fn row(&self, event: &Told<'_>, derived: &str) -> Row {
        let mut row = self.book.row(event);
        row.set("derived", derived);
        row
    }

    fn add(&mut self, sheet: &str, row: &Row) -> Result<(), Error> {
        self.book.add(sheet, row)
    }

    fn lot(&mut self, row: &mut Row, quantity: &Quantity, lot: &str) {
        self.book.set_lot(row, quantity);
        // The identifier of an item has no lot; the event that made it has.
        row.set("lot", lot);
    }

    /// Sets the cells about goods that a shipment or a receipt moves.
    fn set_moved(&mut self, row: &mut Row, moved: &Moved) {
        self.book.set_moved(row, moved);
        // The place that gave a lot its code.
        let first = moved.things().into_iter().next();
        if let Some(making) = first.and_then(|thing| self.making(&thing)) {
            self.set_place(row, "source", making.place());
        }
        row.set("unit-of-logistics", key_of(&moved.unit));
    }

    fn product(&self, class: &str) -> String {
        self.book.description(class).to_owned()
    }

    fn set_place(&mut self, row: &mut Row, column: &'static str, id: &str) {
        self.book.set_place(row, column, id);
    }
}

/// Whether an event creates lots.
fn is_making(event: &Told<'_>) -> bool {
    event.is_object() && event.action == "ADD" && event.step == "creating_class_instance"
}

/// The quantities in a list of an event that the report is about.
fn asked(event: &Told<'_>, list: &str) -> Vec<Quantity> {
    let mut quantities = event.quantities(list);
    quantities.retain(|quantity| event.is_about(&quantity.class));
    quantities
}

/// The dates of harvesting that an event states: one, or the first and the last; empty if it states none.
fn harvest_dates(event: &Told<'_>) -> String {
    let mut dates = vec![
        event.named("harvestDateStart"),
        event.named("harvestDateEnd"),
    ];
    dates.retain(|date| !date.is_empty());
    dates.join(" to ")
}

/// Whether an event has data of a catch, so that its lot was landed. Dates of harvesting alone are no such data: crops have them, too.
fn is_landed(event: &Told<'_>) -> bool {
    const OF_A_CATCH: [&str; 4] = ["catchZone", "fishType", "vesselName", "vesselID"];
    OF_A_CATCH.iter().any(|name| !event.named(name).is_empty())
}
