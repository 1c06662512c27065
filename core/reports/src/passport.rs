//! The life of one thing, in order.

use super::book::Book;
use super::directory::key_of;
use super::event::{Moment, ReportedEvent};
use super::maker::{Kind, Maker};
use super::request::Scope;
use super::row::Row;
use super::text::text_of;
use epcis_edge_document::event::{DESTINATIONS, SOURCES};
use epcis_edge_text::error::Error;
use epcis_edge_text::json::Value;

const LIFE: &str = "Life";
const WITHDRAWN: &str = "Declared wrong";
const CONTENTS: &str = "Contents";

#[derive(Default)]
pub(super) struct Passport;

impl Kind for Passport {
    const FORM: &'static str = include_str!("forms/passport.txt");

    fn event(maker: &mut Maker<'_, Self>, (_, event): Moment<'_>) -> Result<(), Error> {
        for presence in event.presences.iter().filter(|_| event.is_asked) {
            let through = presence.through.into_iter().flat_map(Value::elements);
            let through: Vec<String> = through.map(|unit| text_of(Some(unit))).collect();
            let mut row = row(&maker.book, event);
            row.set("thing", &*presence.item)
                .set("how", &*presence.how)
                .set("through", through.join(", "))
                .is("sure", presence.is_certain)
                .lists_product(&presence.item);
            maker.book.add(LIFE, row)?;
        }
        Ok(())
    }

    fn end(maker: &mut Maker<'_, Self>) -> Result<(), Error> {
        for (event, reason) in &maker.material.withdrawn {
            let mut row = row(&maker.book, event);
            row.set("reason", &**reason);
            maker.book.add(WITHDRAWN, row)?;
        }
        for content in &maker.material.contents {
            let text = |pointer| text_of(content.pointer(pointer));
            let is_certain = content.get("certain").and_then(Value::as_bool);
            let mut row = Row::new(maker.material.directory);
            row.set("thing", text("/item"))
                .set("container", key_of(&text("/container")))
                .set("from", text("/from/at"))
                .set("to", text("/to/at"))
                .set("quantity", text("/quantity/quantity"))
                .set("unit", text("/quantity/uom"))
                .is("sure", is_certain != Some(false));
            maker.book.add(CONTENTS, row)?;
        }
        let Scope::Items(asked) = &maker.request.scope else { return Ok(()) };
        for item in &asked.items {
            let making = maker.makings.get(item);
            for (what, text) in [("lot", making.lot), ("expiry date", making.expiry)] {
                if !text.is_empty() {
                    maker
                        .notes
                        .push(format!("The event that made {item} says of its {what}: {text}"));
                }
            }
        }
        Ok(())
    }
}

fn row<'m>(book: &Book<'m>, event: &ReportedEvent<'_>) -> Row<'m> {
    let mut row = book.row(event);
    row.set("time", &*event.time)
        .set("step", &*event.step)
        .set("disposition", &*event.disposition)
        .place("place", event.place())
        .places("from", &event.partners(SOURCES))
        .places("to", &event.partners(DESTINATIONS));
    row
}
