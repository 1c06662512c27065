//! Transaction information and transaction statement: FD&C Act 581(26) and (27).
//!
//! A row is a product and a lot in a shipment. Serials have a sheet of their own.

use super::directory::{key_of, lot_of, serial_of};
use super::event::{Moment, ReportedEvent};
use super::maker::{Kind, Maker};
use super::material::Material;
use super::moved::{Making, Moved, moved};
use super::row::Row;
use super::text::text_of;
use epcis_edge_document::event::{DESTINATIONS, EPC_LIST, SOURCES};
use epcis_edge_document::identifier::thing;
use epcis_edge_history::follow::Amount;
use epcis_edge_text::error::Error;
use epcis_edge_text::slice::OrEmpty;
use std::collections::BTreeMap;

const INFORMATION: &str = "Transaction information";
const STATEMENT: &str = "Transaction statement";
const SERIALS: &str = "Serial numbers";

#[derive(Default)]
pub(super) struct Dscsa;

impl Kind for Dscsa {
    const FORM: &'static str = include_str!("forms/dscsa.txt");
    const TRANSFERS: Option<bool> = Some(false);

    fn event(maker: &mut Maker<'_, Self>, (at, event): Moment<'_>) -> Result<(), Error> {
        if !event.is_asked || event.step != "shipping" {
            return Ok(());
        }
        // Goods in several units of a shipment have one row for each product and lot.
        let mut rows: BTreeMap<(String, Making, String), Vec<Moved>> = BTreeMap::new();
        for moved in moved(event, &mut maker.units, &maker.makings)? {
            let Some(moved) = maker.transfers.without_void(moved, at) else { continue };
            // A unit with unknown content has a row of its own.
            let unknown = match moved.quantity.class.as_str() {
                "" => moved.unit.clone(),
                _ => String::new(),
            };
            let key = (thing(&moved.quantity.class), moved.made.clone(), unknown);
            rows.entry(key).or_default().push(moved);
        }
        for parts in rows.values() {
            maker.rows(event, parts)?;
        }
        Ok(())
    }

    fn end(maker: &mut Maker<'_, Self>) -> Result<(), Error> {
        maker.book.add(STATEMENT, statement(maker.material))
    }
}

impl Maker<'_, Dscsa> {
    /// The rows of a product and lot in a shipment.
    fn rows(&mut self, event: &ReportedEvent<'_>, parts: &[Moved]) -> Result<(), Error> {
        let Some(first) = parts.first() else { return Ok(()) };
        let seller = event.end(SOURCES, "owning_party");
        let buyer = event.end(DESTINATIONS, "owning_party");
        let directory = self.material.directory;
        let of_class = |name| directory.first(&first.quantity.class, name);
        // The additional identification of a product is its National Drug Code, if the type of that is one of the FDA.
        let is_ndc = of_class("additionalTradeItemIdentificationTypeCode").contains("NDC");
        let mut row = self.book.row(event);
        row.moved(first)
            .set("shipment", shipment_name(event))
            // The law asks for the proprietary or established name.
            .set("product", of_class("regulatedProductName"))
            .set("strength", of_class("strengthDescription"))
            .set("form", of_class("dosageFormType"))
            .set("size", of_class("netContentDescription"))
            .set("containers", containers(parts))
            .set("expiry", &*first.made.expiry)
            .set("transaction-date", &*event.date)
            .set("transaction-date", event.named("transactionDate"))
            .place("from", &seller)
            .place("to", &buyer)
            .set("from-address", directory.address(&seller))
            .set("to-address", directory.address(&buyer))
            .set("drop-shipment", event.named("dropShipment"))
            .set("direct-purchase", event.named("directPurchase"));
        if is_ndc {
            row.set("ndc", of_class("additionalTradeItemIdentification"));
        }
        self.book.add(INFORMATION, row)?;
        for part in parts {
            for serial in &part.serials {
                let mut row = self.book.row(event);
                row.set("shipment", shipment_name(event))
                    .set("gtin", lot_of(serial).0)
                    .set("serial", serial_of(serial))
                    .set("lot", &*part.made.lot)
                    .set("expiry", &*part.made.expiry)
                    .set("unit", key_of(&part.unit));
                self.book.add(SERIALS, row)?;
            }
        }
        Ok(())
    }
}

/// The name of a shipment: the number of its despatch advice; else the unit that is shipped, if it is one; else the event.
fn shipment_name(event: &ReportedEvent<'_>) -> String {
    let mut documents = event.documents.split("; ");
    if let Some(advice) = documents.find_map(|document| document.strip_prefix("desadv ")) {
        return advice.to_owned();
    }
    match event.ids(EPC_LIST).as_slice() {
        [unit] => key_of(unit),
        _ => event.name.clone(),
    }
}

/// How many containers there are; empty if an amount is not a whole number of things.
fn containers(parts: &[Moved]) -> String {
    let amount = |part: &Moved| {
        let amount = part.quantity.amount();
        amount.filter(|_| part.quantity.unit.is_empty())
    };
    let amounts = parts.iter().map(amount);
    let sum = amounts.reduce(|sum, more| Amount::sum(sum.as_ref(), more.as_ref()));
    let number = sum.flatten().map(|sum| sum.texts().0);
    let whole = number.filter(|number| !number.contains('.'));
    whole.or_empty()
}

/// The transaction statement in the header of the document. Some senders put it into `extension`.
fn statement<'m>(material: &'m Material<'_>) -> Row<'m> {
    let header = material.header;
    let places = [header, header.and_then(|header| header.get("extension"))];
    let mut places = places.into_iter().flatten();
    let namer = &material.namer;
    let find = |local| places.clone().find_map(|place| namer.member(place, local));
    let said = find("dscsaTransactionStatement");
    // Inside of the statement, names need no prefix.
    let part = |local| said.and_then(|said| namer.member(said, local).or_else(|| said.get(local)));
    let mut row = Row::new(material.directory);
    row.set("statement", text_of(part("legalNotice")))
        .set("affirmed", text_of(part("affirmTransactionStatement")))
        .set("release", text_of(find("guidelineVersion")));
    if material.is_stored {
        row.note("a statement stands in the header of a document, which a gateway does not keep with the events");
    } else if places.next().is_none() {
        row.note("a statement stands in the header of a document, and there is none");
    }
    row
}
