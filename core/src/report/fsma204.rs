//! The sortable spreadsheet of 21 CFR 1.1455(c)(3)(ii): a sheet for each critical tracking event, its columns in the order of the law.
//!
//! No event says which critical tracking event it is. That is derived from its type, business step and neighbours, and each row says how.
//! A shipment is two or three events: the lot stands in the one that packed the pallet, the recipient in the one that ships it, the
//! source of the lot in the one that made it.

use super::book::{Book, unit};
use super::columns;
use super::directory::{key_of, lot_of};
use super::event::{Quantity, Told};
use super::lots::Lots;
use super::material::Material;
use super::moved::{Makings, Moved, moved};
use super::request::ReportRequest;
use super::table::{Report, Row};
use super::units::Units;
use crate::error::Error;
use crate::identifier::thing;
use crate::time::Timestamp;

const HARVESTING: &str = "Harvesting";
const COOLING: &str = "Cooling";
const INITIAL_PACKING: &str = "Initial packing";
const FIRST_RECEIVING: &str = "First land-based receiving";
const SHIPPING: &str = "Shipping";
const RECEIVING: &str = "Receiving";
const TRANSFORMATION: &str = "Transformation";

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
    let mut maker = Maker {
        events,
        material,
        landed: events.iter().map(is_landed).collect(),
        lots: Lots::of(events),
        makings: Makings::of(events),
        units: Units::default(),
        book: Book::new(material, columns::sheets_of_fsma204()),
        notes: vec![
            "Which critical tracking event an event is, is derived: the column `How the kind of event was told` says from what.".to_owned(),
            "A transformation with several inputs and outputs has a row for each pair.".to_owned(),
        ],
    };
    for (at, event) in events.iter().enumerate() {
        if event.is_asked {
            maker.event(event, at)?;
        }
        maker.units.take(event);
    }
    Ok(maker.book.finish(request, made, &maker.notes))
}

struct Maker<'m> {
    events: &'m [Told<'m>],
    material: &'m Material<'m>,
    /// Whether each event has data of a catch: an event may make what thousands of others use.
    landed: Vec<bool>,
    lots: Lots,
    makings: Makings,
    /// What is inside of what when the current event happens.
    units: Units,
    book: Book<'m>,
    notes: Vec<String>,
}

impl<'m> Maker<'m> {
    /// The event that made a lot.
    fn making(&self, lot: &str) -> Option<usize> {
        self.lots.made(&thing(lot))
    }

    fn is_harvest(&self, at: usize) -> bool {
        let event = self.events.get(at);
        let is_landed = self.landed.get(at).copied().unwrap_or_default();
        event.is_some_and(|event| event.is_object() && !is_landed)
    }

    fn event(&mut self, event: &Told<'_>, at: usize) -> Result<(), Error> {
        let is_creating = event.step == "creating_class_instance";
        match event.kind.as_str() {
            "ObjectEvent"
                if is_creating && event.action == "ADD" && self.landed.get(at) == Some(&true) =>
            {
                self.landing(event)
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
        for quantity in asked(event, "quantityList") {
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

    fn landing(&mut self, event: &Told<'_>) -> Result<(), Error> {
        let derived = "an ObjectEvent creates a lot, with data of a catch: taken as first land-based receiving";
        let (kind, areas) = (event.named("fishType"), event.named("catchZone"));
        let mut dates = vec![
            event.named("harvestDateStart"),
            event.named("harvestDateEnd"),
        ];
        dates.retain(|date| !date.is_empty());
        let dates = dates.join(" to ");
        for quantity in asked(event, "quantityList") {
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
        for quantity in asked(event, "quantityList") {
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
        let recipient = event.partner("destination");
        let from = match event.read_point.as_str() {
            "" => event.end("source", "location"),
            read_point => read_point.to_owned(),
        };
        for moved in moved(event, &mut self.units, &self.makings)? {
            let mut row = self.row(event, derived);
            self.set_moved(&mut row, &moved);
            self.set_place(&mut row, "recipient", &recipient);
            self.set_place(&mut row, "place", &from);
            self.add(SHIPPING, &row)?;
        }
        Ok(())
    }

    fn receipt(&mut self, event: &Told<'_>) -> Result<(), Error> {
        let derived = "an event with the step `receiving`";
        let sender = event.partner("source");
        for moved in moved(event, &mut self.units, &self.makings)? {
            let mut row = self.row(event, derived);
            self.set_moved(&mut row, &moved);
            self.set_place(&mut row, "sender", &sender);
            self.set_place(&mut row, "place", event.place());
            self.add(RECEIVING, &row)?;
        }
        Ok(())
    }

    fn transformation(&mut self, event: &Told<'_>, at_event: usize) -> Result<(), Error> {
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
        // Not each pair is looked at: a transformation may have very many.
        let asked: Vec<usize> = (0..inputs.len())
            .filter(|at| {
                inputs
                    .get(*at)
                    .is_some_and(|input| event.is_about(&input.class))
            })
            .collect();
        let all: Vec<usize> = (0..inputs.len()).collect();
        for output in event.quantities("outputQuantityList") {
            let chosen = if event.is_about(&output.class) {
                &all
            } else {
                &asked
            };
            for at in chosen {
                let (Some(input), Some(making)) = (inputs.get(*at), makings.get(*at)) else {
                    continue;
                };
                if is_packing {
                    self.packed((event, at_event), input, *making, &output)?;
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
    fn received(&self, lot: &str, place: &str, before: usize) -> Option<&'m Told<'m>> {
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

    /// A row that cites its event.
    fn row(&self, event: &Told<'_>, derived: &str) -> Row {
        let mut row = self.book.row(event);
        row.set("derived", derived);
        row
    }

    fn add(&mut self, sheet: &str, row: &Row) -> Result<(), Error> {
        self.book.add(sheet, row)
    }

    fn lot(&mut self, row: &mut Row, quantity: &Quantity) {
        self.book.set_lot(row, quantity);
    }

    /// Sets the cells of what a shipment or a receipt moves.
    fn set_moved(&mut self, row: &mut Row, moved: &Moved) {
        self.lot(row, &moved.quantity);
        // The identifier of an item has no lot: its making has.
        row.set("lot", &*moved.made.lot);
        self.set_source(row, moved);
        row.set("unit-of-logistics", key_of(&moved.unit));
    }

    fn product(&self, class: &str) -> String {
        self.book.description(class).to_owned()
    }

    fn telephone(&self, place: &str) -> String {
        self.material.directory.telephone(place).to_owned()
    }

    fn set_place(&mut self, row: &mut Row, column: &'static str, id: &str) {
        self.book.set_place(row, column, id);
    }

    /// The place that gave a lot its code.
    fn set_source(&mut self, row: &mut Row, moved: &Moved) {
        let making = self
            .making(&moved.quantity.class)
            .and_then(|at| self.events.get(at));
        if let Some(making) = making {
            let place = making.place().to_owned();
            self.set_place(row, "source", &place);
        }
    }
}

/// The quantities in a list of an event that the report is about.
fn asked(event: &Told<'_>, list: &str) -> Vec<Quantity> {
    let mut quantities = event.quantities(list);
    quantities.retain(|quantity| event.is_about(&quantity.class));
    quantities
}

/// Whether an event has data of a catch, so that its lot was landed. Dates of harvesting alone are no such data: crops have them, too.
fn is_landed(event: &Told<'_>) -> bool {
    const OF_A_CATCH: [&str; 4] = ["catchZone", "fishType", "vesselName", "vesselID"];
    OF_A_CATCH.iter().any(|name| !event.named(name).is_empty())
}
