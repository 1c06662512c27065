//! The sortable spreadsheet of 21 CFR 1.1455(c)(3)(ii): a sheet for each critical tracking event, its columns in the order of the law.
//!
//! No event says which critical tracking event it is. That is derived from its type, business step and neighbours, and each row says how.
//! A shipment is two or three events: the lot stands in the one that packed the pallet, the recipient in the one that ships it, the
//! source of the lot in the one that made it.

use super::columns::{LAST, LOCATIONS, PRODUCTS, goods, places};
use super::directory::{key_of, lot_code};
use super::event::{Quantity, ReportedEvent};
use super::lots::Lots;
use super::maker::{Kind, Maker};
use super::moved::{by_product, moved};
use super::row::Row;
use super::table::{Column, Form, column, more};
use super::transformations::{Part, Transformations, parts};
use epcis_edge_document::event::{DESTINATIONS, EPC_LIST, QUANTITIES, SOURCES};
use epcis_edge_document::identifier::thing;
use epcis_edge_text::error::Error;
use epcis_edge_text::slice::OrEmpty;
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
const BY_GDST: &str = "an ObjectEvent with the step `landing` of GDST";

/// How many events are named in a note.
const MAX_NAMED: usize = 10;

const DERIVED: &[Column] = &[more("derived", "How the kind of event was told", "")];

/// Where 21 CFR 1, subpart S, says what a description of a place and of a product has.
const DESCRIPTIONS: &str = "21 CFR 1.1310";

/// The sheets are in the order of 21 CFR 1, subpart S.
#[rustfmt::skip]
static FORM: Form = Form {
    sheets: &[
        (HARVESTING, &[&[
            column("recipient", "Next recipient", "21 CFR 1.1325(a)(1)(i)"),
            column("product", "Commodity and variety", "21 CFR 1.1325(a)(1)(ii)"),
            column("gtin", "GTIN", "21 CFR 1.1325(a)(1)"),
            column("lot", "Traceability lot code", "21 CFR 1.1325(a)(1)"),
            column("quantity", "Quantity", "21 CFR 1.1325(a)(1)(iii)"),
            column("unit", "Unit", "21 CFR 1.1325(a)(1)(iii)"),
            column("farm", "Farm", "21 CFR 1.1325(a)(1)(iv)"),
            column("field", "Field", "21 CFR 1.1325(a)(1)(v)"),
            more("container", "Container", "21 CFR 1.1325(a)(1)(vi)"),
            column("date", "Date of harvesting", "21 CFR 1.1325(a)(1)(vii)"),
            column("document", "Reference document", "21 CFR 1.1325(a)(1)(viii)"),
            column("harvester", "Harvester's name", "21 CFR 1.1325(a)(2)"),
            column("telephone", "Harvester's telephone", "21 CFR 1.1325(a)(2)"),
        ], DERIVED]),
        (COOLING, &[&[
            column("recipient", "Next recipient", "21 CFR 1.1325(b)(1)"),
            column("product", "Commodity and variety", "21 CFR 1.1325(b)(1)"),
            column("gtin", "GTIN", "21 CFR 1.1325(b)(1)"),
            column("lot", "Traceability lot code", "21 CFR 1.1325(b)(1)"),
            column("quantity", "Quantity", "21 CFR 1.1325(b)(1)"),
            column("unit", "Unit", "21 CFR 1.1325(b)(1)"),
            column("place", "Cooled at", "21 CFR 1.1325(b)(1)"),
            column("date", "Date of cooling", "21 CFR 1.1325(b)(1)"),
            column("farm", "Farm", "21 CFR 1.1325(b)(1)"),
            column("document", "Reference document", "21 CFR 1.1325(b)(1)"),
        ], DERIVED]),
        (INITIAL_PACKING, &[&[
            column("received-product", "Commodity and variety received", "21 CFR 1.1330(a)(1)"),
            column("received-date", "Date received", "21 CFR 1.1330(a)(2)"),
            column("received-quantity", "Quantity received", "21 CFR 1.1330(a)(3)"),
            column("received-unit", "Unit received", "21 CFR 1.1330(a)(3)"),
            column("farm", "Farm", "21 CFR 1.1330(a)(4)"),
            column("field", "Field", "21 CFR 1.1330(a)(5)"),
            more("container", "Container", "21 CFR 1.1330(a)(6)"),
            column("harvester", "Harvester's name", "21 CFR 1.1330(a)(7)"),
            column("telephone", "Harvester's telephone", "21 CFR 1.1330(a)(7)"),
            column("harvest-date", "Date of harvesting", "21 CFR 1.1330(a)(8)"),
            more("cooled-at", "Cooled at", "21 CFR 1.1330(a)(9)"),
            more("cooled-date", "Date of cooling", "21 CFR 1.1330(a)(10)"),
            column("gtin", "GTIN", "21 CFR 1.1330(a)(11)"),
            column("lot", "Traceability lot code", "21 CFR 1.1330(a)(11)"),
            column("product", "Product description", "21 CFR 1.1330(a)(12)"),
            column("quantity", "Quantity packed", "21 CFR 1.1330(a)(13)"),
            column("unit", "Unit packed", "21 CFR 1.1330(a)(13)"),
            column("source", "Traceability lot code source", "21 CFR 1.1330(a)(14)"),
            column("date", "Date packed", "21 CFR 1.1330(a)(15)"),
            column("document", "Reference document", "21 CFR 1.1330(a)(16)"),
        ], DERIVED]),
        (FIRST_RECEIVING, &[&[
            column("gtin", "GTIN", "21 CFR 1.1335(a)"),
            column("lot", "Traceability lot code", "21 CFR 1.1335(a)"),
            column("product", "Species or market name", "21 CFR 1.1335(b)"),
            column("quantity", "Quantity", "21 CFR 1.1335(c)"),
            column("unit", "Unit", "21 CFR 1.1335(c)"),
            column("harvest-dates", "Dates of harvesting", "21 CFR 1.1335(d)"),
            column("areas", "Areas of harvesting", "21 CFR 1.1335(d)"),
            column("source", "Traceability lot code source", "21 CFR 1.1335(e)"),
            column("date", "Date landed", "21 CFR 1.1335(f)"),
            column("document", "Reference document", "21 CFR 1.1335(g)"),
        ], DERIVED]),
        (SHIPPING, &[&[
            column("gtin", "GTIN", "21 CFR 1.1340(a)(1)"),
            column("lot", "Traceability lot code", "21 CFR 1.1340(a)(1)"),
            column("quantity", "Quantity", "21 CFR 1.1340(a)(2)"),
            column("unit", "Unit", "21 CFR 1.1340(a)(2)"),
            column("product", "Product description", "21 CFR 1.1340(a)(3)"),
            column("recipient", "Next recipient", "21 CFR 1.1340(a)(4)"),
            column("place", "Shipped from", "21 CFR 1.1340(a)(5)"),
            column("date", "Date of shipping", "21 CFR 1.1340(a)(6)"),
            column("source", "Traceability lot code source", "21 CFR 1.1340(a)(7)"),
            column("document", "Reference document", "21 CFR 1.1340(a)(8)"),
            more("unit-of-logistics", "Logistic unit", ""),
        ], DERIVED]),
        (RECEIVING, &[&[
            column("gtin", "GTIN", "21 CFR 1.1345(a)(1)"),
            column("lot", "Traceability lot code", "21 CFR 1.1345(a)(1)"),
            column("quantity", "Quantity", "21 CFR 1.1345(a)(2)"),
            column("unit", "Unit", "21 CFR 1.1345(a)(2)"),
            column("product", "Product description", "21 CFR 1.1345(a)(3)"),
            column("sender", "Previous source", "21 CFR 1.1345(a)(4)"),
            column("place", "Received at", "21 CFR 1.1345(a)(5)"),
            column("date", "Date of receiving", "21 CFR 1.1345(a)(6)"),
            column("source", "Traceability lot code source", "21 CFR 1.1345(a)(7)"),
            column("document", "Reference document", "21 CFR 1.1345(a)(8)"),
            more("unit-of-logistics", "Logistic unit", ""),
        ], DERIVED]),
        (TRANSFORMATION, &[&[
            column("input-gtin", "GTIN used", "21 CFR 1.1350(a)(1)(i)"),
            column("input-lot", "Traceability lot code used", "21 CFR 1.1350(a)(1)(i)"),
            column("input-product", "Product used", "21 CFR 1.1350(a)(1)(ii)"),
            column("input-quantity", "Quantity used", "21 CFR 1.1350(a)(1)(iii)"),
            column("input-unit", "Unit used", "21 CFR 1.1350(a)(1)(iii)"),
            column("gtin", "GTIN", "21 CFR 1.1350(a)(2)(i)"),
            column("lot", "New traceability lot code", "21 CFR 1.1350(a)(2)(i)"),
            column("source", "Traceability lot code source", "21 CFR 1.1350(a)(2)(ii)"),
            column("date", "Date completed", "21 CFR 1.1350(a)(2)(iii)"),
            column("product", "Product description", "21 CFR 1.1350(a)(2)(iv)"),
            column("quantity", "Quantity", "21 CFR 1.1350(a)(2)(v)"),
            column("unit", "Unit", "21 CFR 1.1350(a)(2)(v)"),
            column("document", "Reference document", "21 CFR 1.1350(a)(2)(vi)"),
        ], DERIVED]),
    ],
    beside: &[(LOCATIONS, &[&places(DESCRIPTIONS, true), &LAST]), (PRODUCTS, &[&goods(DESCRIPTIONS), &LAST])],
    notes: &[
        "Which critical tracking event an event is, is derived: the column `How the kind of event was told` says from what.",
        "A transformation with several inputs and outputs has a row for each pair. Events with one `transformationID` are one transformation.",
        "A lot that is received, and cooled or packed for the first time at the same place later, has no row under Receiving: it stands under Cooling or Initial packing.",
        "Before a food is initially packed, the law asks for no record of shipping and receiving it. Whether it was packed is derived, so such rows stay, and their last column says so.",
        "Shipments that were declared void are left out.",
        "No event has a place for the name of a container of aquaculture: that column is for you to fill.",
    ],
    transfers: Some(false),
};

#[derive(Default)]
pub(super) struct Fsma204 {
    /// For each event: whether it has data of a catch. Found in advance, because thousands of events may use what one event made.
    landed: Vec<bool>,
    lots: Lots,
    transformations: Transformations,
    /// The last event of each transformation that has its rows.
    done: BTreeSet<usize>,
    /// The names of transformations that mix harvested lots with others.
    mixed: Vec<String>,
}

impl Kind for Fsma204 {
    const FORM: &'static Form = &FORM;

    /// Also finds the transformations that are initial packings, for the receipts before them.
    fn start(maker: &mut Maker<'_, Self>) {
        let events = &maker.material.events;
        maker.own.landed = events.iter().map(is_landed).collect();
        maker.own.lots = Lots::of(events);
        maker.own.transformations = Transformations::of(events);
        let mut packed = Vec::new();
        for places in maker.own.transformations.all() {
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

    fn event(
        maker: &mut Maker<'_, Self>,
        at: usize,
        event: &ReportedEvent<'_>,
    ) -> Result<(), Error> {
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
            "TransformationEvent" => return maker.transformation(at),
            _ => return Ok(()),
        };
        for (quantity, lot, key) in maker.named(event) {
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

    /// The lots that an event names, and the items, put together by product and lot.
    fn named(&self, event: &ReportedEvent<'_>) -> Vec<(Quantity, String, String)> {
        let mut lots = event.quantities(QUANTITIES);
        lots.retain(|quantity| event.is_about(&quantity.class));
        let lots = lots.into_iter().map(|quantity| {
            let lot = self.makings.get(&quantity.class).lot.to_string();
            let key = thing(&quantity.class);
            (quantity, lot, key)
        });
        let mut items = event.ids(EPC_LIST);
        items.retain(|item| event.is_about(item));
        let items = by_product(&items, &self.makings).into_iter().map(|group| {
            let first = group.serials.first();
            let key = first.map(|item| thing(item)).or_empty();
            (group.quantity, group.made.lot.to_string(), key)
        });
        lots.chain(items).collect()
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
            let Some(moved) = moved else {
                continue;
            };
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
    fn transformation(&mut self, at: usize) -> Result<(), Error> {
        let events = &self.material.events;
        let places = self.own.transformations.with(at);
        let Some(last) = places.last().copied() else {
            return Ok(());
        };
        if !self.own.done.insert(last) {
            return Ok(());
        }
        let inputs = parts(events, places, true, &self.makings);
        let outputs = parts(events, places, false, &self.makings);
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
        let Some(event) = self.material.events.get(at) else {
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
    fn set_origin(
        &self,
        row: &mut Row<'_>,
        input: &Part,
        (at, event): (usize, &ReportedEvent<'_>),
    ) {
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
