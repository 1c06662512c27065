//! Makes a report: the one way through the events that all reports go.
//!
//! A report is a [`Form`], which is a text, and a [`Kind`], which says what rows an event has.

use super::book::Book;
use super::event::Moment;
use super::form::Form;
use super::material::Material;
use super::moved::Makings;
use super::request::ReportRequest;
use super::table::Report;
use super::transfers::Transfers;
use super::units::Units;
use epcis_edge_text::error::Error;
use epcis_edge_text::time::Timestamp;

/// A kind of report, with what it knows of the events so far.
pub(super) trait Kind: Default {
    /// The text of its [`Form`].
    const FORM: &'static str;
    /// Whether it says what became of shipments; if so, whether an event on the way is a shipment, too.
    const TRANSFERS: Option<bool> = None;

    /// Prepares for the events.
    fn start(_: &mut Maker<'_, Self>) {}

    /// Adds the rows of the next event, in order of time: also of those that the report is not about.
    fn event(maker: &mut Maker<'_, Self>, moment: Moment<'_>) -> Result<(), Error>;

    /// Adds the rows that come after those of all events.
    fn end(_: &mut Maker<'_, Self>) -> Result<(), Error> {
        Ok(())
    }
}

/// What reports of all kinds know while they are made.
pub(super) struct Maker<'m, K> {
    pub(super) material: &'m Material<'m>,
    pub(super) request: &'m ReportRequest,
    pub(super) makings: Makings,
    pub(super) transfers: Transfers,
    /// The contents of units at the time of the current event.
    pub(super) units: Units,
    pub(super) book: Book<'m>,
    /// Notes beside those of the form.
    pub(super) notes: Vec<String>,
    pub(super) own: K,
}

/// Makes a report.
///
/// # Errors
/// [`ErrorKind::CaptureTooComplex`](epcis_edge_text::error::ErrorKind::CaptureTooComplex) beyond the bounds of rows and of units inside of units.
pub(super) fn make<K: Kind>(
    material: &Material<'_>,
    request: &ReportRequest,
    made: Timestamp,
) -> Result<Report, Error> {
    let form = Form::read(K::FORM);
    let mut units = Units::before(&material.events, request);
    let mut maker = Maker {
        material,
        request,
        makings: Makings::of(&material.events),
        transfers: match K::TRANSFERS {
            Some(with_the_way) => Transfers::of(&material.events, &mut units, with_the_way)?,
            None => Transfers::default(),
        },
        units,
        notes: form.notes.clone(),
        book: Book::new(material, form),
        own: K::default(),
    };
    K::start(&mut maker);
    for (at, event) in material.events.iter().enumerate() {
        K::event(&mut maker, (at, event))?;
        maker.units.take(event);
    }
    K::end(&mut maker)?;
    maker.book.finish(request, made, maker.notes)
}
