//! The sortable spreadsheet of 21 CFR 1.1455(c)(3)(ii): a sheet for each critical tracking event, its columns in the order of the law.
//!
//! No event says which critical tracking event it is. That is derived from its type, business step and neighbours, and each row says how.
//! A shipment is two or three events: the lot stands in the one that packed the pallet, the recipient in the one that ships it, the
//! source of the lot in the one that made it.

use super::directory::{key_of, lot_code};
use super::event::{Moment, Quantity, ReportedEvent};
use super::lots::Lots;
use super::maker::{Kind, Maker};
use super::moved::moved;
use super::row::Row;
use super::transformations::{Part, Transformations, key, named, parts, transformations};
use epcis_edge_document::event::{DESTINATIONS, EPC_LIST, QUANTITIES, SOURCES};
use epcis_edge_document::identifier::thing;
use epcis_edge_text::error::Error;
use epcis_edge_text::slice::OrEmpty;

const HARVESTING: &str = "Harvesting";
const COOLING: &str = "Cooling";
const INITIAL_PACKING: &str = "Initial packing";
const FIRST_RECEIVING: &str = "First land-based receiving";
const SHIPPING: &str = "Shipping";
const RECEIVING: &str = "Receiving";
const TRANSFORMATION: &str = "Transformation";

/// The step of a landing in GDST 1.2; both spellings are in use.
const LANDING: [&str; 2] = ["urn:gdst:bizStep:landing", "urn:gdst:bizstep:landing"];
const BY_GDST: &str = "an ObjectEvent with the step `landing` of GDST";

/// How many events are named in a note.
const MAX_NAMED: usize = 10;

#[derive(Default)]
pub(super) struct Fsma204 {
    /// For each event: whether it has data of a catch. Found in advance, because thousands of events may use what one event made.
    landed: Vec<bool>,
    lots: Lots,
    /// The transformations that have no rows yet.
    transformations: Transformations,
    /// The names of transformations that mix harvested lots with others.
    mixed: Vec<String>,
}

impl Kind for Fsma204 {
    const FORM: &'static str = include_str!("forms/fsma204.txt");
    const TRANSFERS: Option<bool> = Some(false);

    /// Also finds the transformations that are initial packings, for the receipts before them.
    fn start(maker: &mut Maker<'_, Self>) {
        let events = &maker.material.events;
        maker.own.landed = events.iter().map(is_landed).collect();
        maker.own.lots = Lots::of(events);
        maker.own.transformations = transformations(events);
        let mut packed = Vec::new();
        for places in maker.own.transformations.values() {
            let inputs = parts(events, places, true, &maker.makings);
            if inputs.iter().all(|input| maker.is_harvested(&input.thing)) {
                packed.extend(inputs.into_iter().map(|input| (input.thing, input.at)));
            }
        }
        for (lot, at) in packed {
            if let Some(event) = events.get(at) {
                maker.own.lots.is_packed(&lot, event.place(), at);
            }
        }
    }

    fn event(maker: &mut Maker<'_, Self>, (at, event): Moment<'_>) -> Result<(), Error> {
        if !event.is_asked {
            return Ok(());
        }
        let is_landed = maker.own.landed.get(at) == Some(&true);
        let (sheet, derived) = match event.kind.as_str() {
            "ObjectEvent" if is_making(event) && is_landed => (
                FIRST_RECEIVING,
                "an ObjectEvent creates a lot, with data of a catch: taken as first land-based receiving",
            ),
            "ObjectEvent" if is_making(event) => (
                HARVESTING,
                "an ObjectEvent creates a lot, without data of a catch: taken as harvesting",
            ),
            "ObjectEvent" if LANDING.contains(&&*event.step) => (FIRST_RECEIVING, BY_GDST),
            "ObjectEvent" if event.is_cooling() => {
                (COOLING, "an event with the step `other` and a temperature: taken as cooling")
            }
            "ObjectEvent" | "AggregationEvent" => return maker.transferred(at, event),
            "TransformationEvent" => return maker.transformation((at, event)),
            _ => return Ok(()),
        };
        let is_chosen = |id: &str| event.is_about(id);
        let lists = (EPC_LIST, QUANTITIES);
        for part in named((at, event), lists, &maker.makings, &is_chosen) {
            let Part { quantity, lot, thing: key, .. } = part;
            let made_by = maker.making(&key);
            let next = || maker.own.lots.next_recipients(&key, event.place(), at);
            let mut row = maker.row(event, derived);
            row.lot(&quantity, &lot);
            match sheet {
                HARVESTING => {
                    row.places("recipient", &next());
                    maker.set_harvest(&mut row, event);
                }
                COOLING => {
                    let farm = made_by.map_or("", |farm| &*farm.read_point);
                    row.places("recipient", &next())
                        .place("place", event.place())
                        .place("farm", farm);
                    // The document of the cooler is the one that the lot came with.
                    if let Some(received) = maker.received(&key, event.place(), at) {
                        row.set("document", &*received.documents);
                    }
                }
                _ if derived == BY_GDST => {
                    // The event of the fishing, which made the lot, has the catch.
                    if let Some(fishing) = made_by {
                        row.set("harvest-dates", fishing.date_beside(event))
                            .set("harvest-dates", harvest_dates(fishing))
                            .set("areas", fishing.named("catchArea"));
                    }
                    row.place("source", event.place());
                }
                _ => {
                    row.set("product", event.named("fishType"))
                        .set("harvest-dates", harvest_dates(event))
                        .set("areas", event.named("catchZone"))
                        .place("source", event.place());
                }
            }
            maker.book.add(sheet, row)?;
        }
        Ok(())
    }

    fn end(maker: &mut Maker<'_, Self>) -> Result<(), Error> {
        let mixed = &maker.own.mixed;
        if let Some(named) = mixed.get(..mixed.len().min(MAX_NAMED))
            && !named.is_empty()
        {
            let more = match mixed.len() - named.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            maker.notes.push(format!(
                "These events use lots that were harvested and others: they stand under Transformation, and may be initial packings: {}{more}.",
                named.join(", ")
            ));
        }
        Ok(())
    }
}

impl<'m> Maker<'m, Fsma204> {
    /// The event that made a lot or an item.
    fn making(&self, thing: &str) -> Option<&'m ReportedEvent<'m>> {
        self.material.events.get(self.own.lots.made(thing)?)
    }

    /// Whether a lot or an item was made by an event that counts as harvesting.
    fn is_harvested(&self, thing: &str) -> bool {
        let at = self.own.lots.made(thing);
        at.and_then(|at| self.own.landed.get(at)) == Some(&false)
            && self.making(thing).is_some_and(is_making)
    }

    /// Sets where and by whom a lot was harvested: by the business of the farm.
    fn set_harvest(&self, row: &mut Row<'_>, harvest: &ReportedEvent<'_>) {
        let (directory, farm) = (self.material.directory, &*harvest.read_point);
        row.place("farm", farm)
            .place("field", &harvest.biz_location)
            .set("harvester", directory.name(farm))
            .set("telephone", directory.telephone(farm));
    }

    /// The event that received a lot at a place, before another event.
    fn received(&self, lot: &str, place: &str, before: usize) -> Option<&'m ReportedEvent<'m>> {
        let at = self.own.lots.received(lot, place, before)?;
        self.material.events.get(at)
    }

    /// A row that cites its event.
    fn row(&self, event: &ReportedEvent<'_>, derived: &str) -> Row<'m> {
        let mut row = self.book.row(event);
        row.set("derived", derived);
        row
    }

    /// The rows of a shipment, or of a receipt.
    fn transferred(&mut self, at: usize, event: &ReportedEvent<'_>) -> Result<(), Error> {
        let is_shipment = event.step == "shipping";
        if !is_shipment && event.step != "receiving" {
            return Ok(());
        }
        let from = match event.read_point.as_str() {
            "" => event.end(SOURCES, "location"),
            read_point => read_point.to_owned(),
        };
        let recipients = event.partners(DESTINATIONS);
        let senders = event.partners(SOURCES);
        for moved in moved(event, &mut self.units, &self.makings)? {
            // Cooling and initial packing have columns for what they received.
            let is_part_of_another = event.is_object()
                && moved.is_lot()
                && moved.container.is_empty()
                && self.own.lots.is_worked_on(&thing(&moved.quantity.class), event.place(), at);
            let moved = match is_shipment {
                true => self.transfers.without_void(moved, at),
                false => Some(moved).filter(|_| !is_part_of_another),
            };
            let Some(moved) = moved else { continue };
            let first = moved.things().into_iter().next().or_empty();
            // The place that gave a lot its code.
            let source = self.making(&first).map_or("", ReportedEvent::place);
            // Goods that were harvested: an initial packing gives them a new lot.
            let is_unpacked = self.is_harvested(&first);
            let (sheet, mut row) = match is_shipment {
                true => (SHIPPING, self.row(event, "an event with the step `shipping`")),
                false => (RECEIVING, self.row(event, "an event with the step `receiving`")),
            };
            row.moved(&moved).place("source", source).set("unit-of-logistics", key_of(&moved.unit));
            match is_shipment {
                true => row.places("recipient", &recipients).place("place", &from),
                false => row.places("sender", &senders).place("place", event.place()),
            };
            if is_unpacked {
                row.note(match is_shipment {
                    true => "taken as harvested and not packed yet: if so, 21 CFR 1.1340(c) asks for no record of this shipment",
                    false => "taken as harvested and not packed yet: if so, 21 CFR 1.1345(c) asks for no record of this receipt",
                });
            }
            self.book.add(sheet, row)?;
        }
        Ok(())
    }

    /// The rows of the transformation that an event belongs to, once.
    fn transformation(&mut self, moment: Moment<'_>) -> Result<(), Error> {
        let events = &self.material.events;
        let places = self.own.transformations.remove(&key(moment)).or_empty();
        let Some(last) = places.last().copied() else { return Ok(()) };
        let inputs = parts(events, &places, true, &self.makings);
        let outputs = parts(events, &places, false, &self.makings);
        let harvested = inputs.iter().filter(|input| self.is_harvested(&input.thing)).count();
        let is_packing = !inputs.is_empty() && harvested == inputs.len();
        if harvested > 0 && !is_packing {
            let names = events.get(last).map(|event| event.name.clone());
            self.own.mixed.extend(names);
        }
        // Only the pairs that the report is about are visited: a transformation may have very many.
        let asked: Vec<&Part> = inputs.iter().filter(|input| input.is_asked).collect();
        let all: Vec<&Part> = inputs.iter().collect();
        for output in &outputs {
            let chosen = if output.is_asked { &all } else { &asked };
            for input in chosen {
                self.pair(Some(input), Some(output), is_packing)?;
            }
            if inputs.is_empty() && output.is_asked {
                self.pair(None, Some(output), is_packing)?;
            }
        }
        if outputs.is_empty() {
            for input in asked {
                self.pair(Some(input), None, is_packing)?;
            }
        }
        Ok(())
    }

    /// The row of an input and an output.
    fn pair(
        &mut self,
        input: Option<&Part>,
        output: Option<&Part>,
        is_packing: bool,
    ) -> Result<(), Error> {
        let at = output.or(input).map(|part| part.at);
        let Some((at, event)) = at.and_then(|at| Some((at, self.material.events.get(at)?))) else {
            return Ok(());
        };
        let (sheet, derived) = match event.step.as_str() {
            _ if is_packing => (
                INITIAL_PACKING,
                "a transformation all of whose inputs were harvested: taken as initial packing",
            ),
            "creating_class_instance" | "commissioning" => {
                (TRANSFORMATION, "a transformation whose inputs were not harvested in these events")
            }
            _ => (
                TRANSFORMATION,
                "a transformation with a step that GS1 US does not name for it, whose inputs were not harvested in these events",
            ),
        };
        let mut row = self.row(event, derived);
        row.place("source", event.place());
        if let Some(output) = output {
            row.lot(&output.quantity, &output.lot);
        }
        if let Some(input) = input {
            let Quantity { class, amount, .. } = &input.quantity;
            let (product, unit) =
                (self.material.directory.description(class), input.quantity.counted_in());
            if is_packing {
                row.set("received-product", product)
                    .set("received-quantity", &**amount)
                    .set("received-unit", unit);
                self.set_origin(&mut row, input, (at, event));
            } else {
                let (gtin, lot) = lot_code(class, &input.lot);
                row.set("input-gtin", gtin)
                    .set("input-lot", lot)
                    .set("input-product", product)
                    .set("input-quantity", &**amount)
                    .set("input-unit", unit);
            }
        }
        self.book.add(sheet, row)
    }

    /// Sets where an input that is packed was harvested, received and cooled.
    fn set_origin(&self, row: &mut Row<'_>, input: &Part, (at, event): Moment<'_>) {
        if let Some(harvest) = self.making(&input.thing) {
            row.set("harvest-date", harvest.date_beside(event));
            self.set_harvest(row, harvest);
        }
        if let Some(received) = self.received(&input.thing, event.place(), at) {
            row.set("received-date", received.date_beside(event));
        }
        let cooled = self.own.lots.cooled(&input.thing, at);
        if let Some(cooled) = cooled.and_then(|at| self.material.events.get(at)) {
            row.place("cooled-at", cooled.place()).set("cooled-date", cooled.date_beside(event));
        }
    }
}

/// Whether an event creates lots.
fn is_making(event: &ReportedEvent<'_>) -> bool {
    event.is_object() && event.action == "ADD" && event.step == "creating_class_instance"
}

/// The dates of harvesting that an event states: one, or the first and the last; empty if it states none.
fn harvest_dates(event: &ReportedEvent<'_>) -> String {
    let mut dates = vec![event.named("harvestDateStart"), event.named("harvestDateEnd")];
    dates.retain(|date| !date.is_empty());
    dates.join(" to ")
}

/// Whether an event has data of a catch, so that its lot was landed. Dates of harvesting alone are no such data: crops have them, too.
fn is_landed(event: &ReportedEvent<'_>) -> bool {
    const OF_A_CATCH: [&str; 4] = ["catchZone", "fishType", "vesselName", "vesselID"];
    OF_A_CATCH.iter().any(|name| !event.named(name).is_empty())
}
