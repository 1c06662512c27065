//! The verdict on a document that is longer than memory: its events are judged one by one as they arrive.
//!
//! Memory holds the content outside of the events, and one event.
//! The verdict, and the place of a fault, are those of [`Validator::validate`] on the whole document.
//!
//! Why is there no verdict before the end in `validateStream`?
//! `type` may come last, and of repeated members the last one counts: an error reported earlier might turn out to be none.

mod list_verdict;
mod splitter;

pub(crate) use list_verdict::ListVerdict;
pub(crate) use splitter::{List, Splitter, Taken};

use super::{EVENT_LIST, QUERY_EVENT_LIST, Validator, Verdict};
use epcis_edge_text::error::{Error, ErrorKind, JsonFault, Location};
use epcis_edge_text::json::{Document, Kind, MARK, Value, line_and_column};
use epcis_edge_text::slice::{OrEmpty, Part};

/// The longest event that a stream takes, in bytes: 16 MiB.
pub const MAX_EVENT_LENGTH: usize = 16 << 20;

/// The most content of a document outside of its events, in bytes: 32 MiB. All of it is kept until the end.
pub const MAX_FRAME_LENGTH: usize = 32 << 20;

/// Judges a document that arrives in chunks.
///
/// **Shape**: as for [`Validator::validate`]; where members are repeated, the last one counts.
/// **Limits**: [`MAX_EVENT_LENGTH`], [`MAX_FRAME_LENGTH`], and the depth of any document; the document as a whole may have
/// any length.
/// A document with two faults of JSON may be refused for the second one: events are read as they arrive, other text after the
/// start of the first list only at the end.
///
/// # Example
/// ```
/// use epcis_edge_document::validate::{Validator, VerdictStream};
/// let validator = Validator::new()?;
/// let mut stream = VerdictStream::new();
/// for chunk in [br#"{"type": "EPCISDocument", "epcisBody": {"eventL"#.as_slice(), br#"ist": [{"type": "ObjectEvent"}]}}"#] {
///     stream.push(chunk, &validator)?;
/// }
/// let verdict = stream.finish(&validator)?;
/// assert!(verdict.errors.iter().any(|error| error.path == "/epcisBody/eventList/0"));
/// # Ok::<(), epcis_edge_text::error::Error>(())
/// ```
#[derive(Debug)]
pub struct VerdictStream {
    splitter: Splitter,
    /// Everything but the events.
    frame: Vec<u8>,
    /// The beginning of the current event.
    event: Vec<u8>,
    lists: [ListVerdict; 2],
    /// The place of the next byte in the document.
    place: Position,
    /// The place in the document where the current event starts.
    event_place: Position,
    /// The place of the next byte in the frame.
    frame_place: Position,
    /// The points where entries were taken out: the place after them in the frame, and in the document.
    cuts: Vec<(Position, Position)>,
    /// After a fault between entries: the list, and what was expected. The error waits until `odd_character` is whole.
    odd: Option<(List, &'static str)>,
    /// The bytes so far of the character that stands there instead.
    odd_character: Vec<u8>,
    is_head_read: bool,
    /// The number of lists that have begun.
    list_count: usize,
    /// The newest list of each kind: its number among all lists, counted from 1, and the byte offset of its entries in the frame.
    begun: [(usize, usize); 2],
}

/// Called when a list begins, with `None`, and for each of its entries, with its JSON.
pub(crate) type See<'s> = dyn FnMut(List, Option<&str>) -> Result<(), Error> + 's;

/// A document without its events.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Everything but the entries of lists of events.
    pub(crate) text: Vec<u8>,
    /// The byte offsets where entries were taken out, for the newest list of each kind.
    pub(crate) places: Vec<(List, usize)>,
    /// The list whose entries are the events of the document, if it has events.
    pub(crate) list: Option<EventsApart>,
}

/// The events that are not in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventsApart {
    /// The number of their list among all lists that begin in the document, counted from 1.
    pub(crate) number: usize,
    /// The number of events.
    pub(crate) count: usize,
}

/// Line and column, both counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    line: usize,
    column: usize,
}

impl Position {
    fn pass(&mut self, bytes: &[u8]) {
        let (line, column) = line_and_column(bytes);
        self.column = if line == 1 { self.column + column - 1 } else { column - 1 };
        self.line += line - 1;
    }

    /// The byte order mark that was passed takes no column.
    fn forget_mark(&mut self) {
        if self.line == 0 {
            self.column = self.column.saturating_sub(MARK.len());
        }
    }

    /// As [`Self::shift`], for a line and a column, both counted from 1.
    fn moved(self, inside: Self, (line, column): (usize, usize)) -> (usize, usize) {
        let column =
            if line == inside.line + 1 { column - inside.column + self.column } else { column };
        (line - inside.line + self.line, column)
    }

    fn location(self, path: String) -> Location {
        Location { path, line: self.line + 1, column: self.column + 1 }
    }
}

impl Default for VerdictStream {
    fn default() -> Self {
        Self::new()
    }
}

impl VerdictStream {
    /// Starts a verdict on one document.
    #[must_use]
    pub fn new() -> Self {
        Self {
            splitter: Splitter::default(),
            frame: Vec::new(),
            event: Vec::new(),
            lists: [ListVerdict::new(EVENT_LIST), ListVerdict::new(QUERY_EVENT_LIST)],
            place: Position::default(),
            event_place: Position::default(),
            frame_place: Position::default(),
            cuts: Vec::new(),
            odd: None,
            odd_character: Vec::new(),
            is_head_read: false,
            list_count: 0,
            begun: [(0, 0); 2],
        }
    }

    /// Takes the next bytes of the document.
    ///
    /// # Errors
    /// [`ErrorKind::Json`] with its place, if this is not JSON; [`JsonFault::EventTooLong`],
    /// [`JsonFault::FrameTooLong`]. After an error the stream cannot be used any more.
    pub fn push(&mut self, bytes: &[u8], _validator: &Validator) -> Result<(), Error> {
        self.push_seen(bytes, &mut |_, _| Ok(()))
    }

    /// As [`push`](Self::push), and calls `see` for each list and each event.
    pub(crate) fn push_seen(&mut self, bytes: &[u8], see: &mut See<'_>) -> Result<(), Error> {
        let mut rest = bytes;
        while !rest.is_empty() {
            if let Some((list, expected)) = self.odd {
                return self.take_odd(list, expected, rest);
            }
            let (step, length) = self.splitter.step(rest, &self.frame);
            let (taken, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            rest = after;
            match step {
                Taken::Frame => self.keep(taken)?,
                Taken::ListBegins(list) => {
                    self.keep(taken)?;
                    self.read_head()?;
                    self.begin_list(list);
                    see(list, None)?;
                }
                Taken::Between => self.place.pass(taken),
                Taken::ListEnds => {
                    // The bracket belongs to the frame: it is kept at the next step.
                    self.cuts.push((self.frame_place, self.place));
                }
                Taken::Part => {
                    if self.event.is_empty() {
                        self.event_place = self.place;
                    }
                    self.event.extend_from_slice(taken);
                    self.place.pass(taken);
                    self.check_event_length()?;
                }
                Taken::Event(list) => {
                    let whole;
                    let (text, start) = if self.event.is_empty() {
                        (taken, self.place)
                    } else {
                        self.event.extend_from_slice(taken);
                        whole = std::mem::take(&mut self.event);
                        (whole.as_slice(), self.event_place)
                    };
                    self.judge(list, text, start)?;
                    see(list, std::str::from_utf8(text).ok())?;
                    self.place.pass(taken);
                }
                Taken::Fault(list, expected) => self.odd = Some((list, expected)),
            }
        }
        Ok(())
    }

    /// Refuses what stands between entries, as soon as its first character is whole: the message names one that only looks right.
    fn take_odd(&mut self, list: List, expected: &'static str, bytes: &[u8]) -> Result<(), Error> {
        let first = self.odd_character.first().or(bytes.first());
        let width = match first {
            Some(0xc2..=0xdf) => 2,
            Some(0xe0..=0xef) => 3,
            Some(0xf0..=0xf4) => 4,
            _ => 1,
        };
        let missing = bytes.iter().take(width - self.odd_character.len().min(width));
        self.odd_character.extend(missing);
        if self.odd_character.len() < width {
            return Ok(());
        }
        Err(self.odd_error(list, expected))
    }

    /// Bytes that are no character look like none.
    fn odd_error(&mut self, list: List, expected: &'static str) -> Error {
        let found = std::str::from_utf8(&self.odd_character).unwrap_or("");
        let fault = JsonFault::Unexpected(expected).at(found);
        let path = self.list(list).path().to_owned();
        Error::at(ErrorKind::Json(fault), self.place.location(path))
    }

    /// The verdict on the whole document.
    ///
    /// # Errors
    /// [`ErrorKind::Json`] with its place, if the document ends too early or is not JSON.
    pub fn finish(mut self, _validator: &Validator) -> Result<Verdict, Error> {
        self.end()?;
        let frame = std::mem::take(&mut self.frame);
        let document = Document::read(&frame).map_err(|error| self.in_document(error))?;
        let kind = self.kind_of(&document);
        let [document_list, query_list] = self.lists;
        let list = match kind {
            List::Document => document_list,
            List::Query => query_list,
        };
        let cuts = &self.cuts;
        Ok(list.finish_at(&document, |place| in_document(cuts, place)))
    }

    /// The document without its events, for a caller that reads these again.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub(crate) fn finish_frame(mut self) -> Result<Frame, Error> {
        self.end()?;
        let text = std::mem::take(&mut self.frame);
        let document = Document::read(&text).map_err(|error| self.in_document(error))?;
        let kind = self.kind_of(&document);
        let (number, at) = *self.begun(kind);
        let count = self.list(kind).count();
        // The newest list does not count if a later member of the same name overrides it.
        let skipped = text.len() - document.text().len();
        let is_it = |(list, _): (Value<'_>, _)| {
            list.kind() == Kind::Array && skipped + list.offset() + 1 == at
        };
        let is_there = super::event_list(document.root()).is_some_and(is_it);
        let list = EventsApart { number, count };
        let list = (is_there && count > 0).then_some(list);
        let kinds = [List::Document, List::Query];
        let places = kinds.map(|kind| (kind, self.begun(kind).1, self.list(kind).count()));
        let places = places.into_iter().filter(|(_, _, count)| *count > 0);
        let places = places.map(|(kind, at, _)| (kind, at)).collect();
        Ok(Frame { text, places, list })
    }

    /// Refuses a document that ends inside of a list.
    fn end(&mut self) -> Result<(), Error> {
        if let Some((list, expected)) = self.odd {
            return Err(self.odd_error(list, expected));
        }
        let Some(list) = self.splitter.open_list() else {
            return Ok(());
        };
        let event = std::mem::take(&mut self.event);
        if !event.is_empty() {
            self.read_event(list, &event, self.event_place, true, |_, _| {})?;
        }
        let path = self.list(list).path().to_owned();
        let place = self.place.location(path);
        Err(Error::at(ErrorKind::Json(JsonFault::Truncated), place))
    }

    /// The kind of the list that has the events of the document.
    fn kind_of(&self, frame: &Document<'_>) -> List {
        match super::event_list(frame.root()) {
            Some((_, path)) if path == QUERY_EVENT_LIST => List::Query,
            _ => List::Document,
        }
    }

    fn list(&mut self, list: List) -> &mut ListVerdict {
        list.of(&mut self.lists)
    }

    fn begun(&mut self, list: List) -> &mut (usize, usize) {
        list.of(&mut self.begun)
    }

    /// Begins a list. Of repeated members the last one counts, so the verdict on an earlier list of this kind is dropped.
    fn begin_list(&mut self, list: List) {
        self.list_count += 1;
        *self.begun(list) = (self.list_count, self.frame.len());
        let list = self.list(list);
        *list = ListVerdict::new(list.path());
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let is_head = self.frame.len() < MARK.len();
        self.frame.extend_from_slice(bytes);
        self.frame_place.pass(bytes);
        self.place.pass(bytes);
        if is_head && self.frame.starts_with(MARK) {
            self.frame_place.forget_mark();
            self.place.forget_mark();
        }
        if self.frame.len() <= MAX_FRAME_LENGTH {
            return Ok(());
        }
        // If the text is not JSON at all, that is the better message.
        self.check_frame()?;
        let fault = JsonFault::FrameTooLong(MAX_FRAME_LENGTH);
        let place = self.place.location(String::new());
        Err(Error::at(ErrorKind::Json(fault), place))
    }

    /// Checks the text before the first list at once, not at the end.
    fn read_head(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.is_head_read, true) {
            return Ok(());
        }
        self.check_frame()
    }

    /// Refuses a frame that cannot become JSON, however it goes on.
    fn check_frame(&self) -> Result<(), Error> {
        match Document::read(&self.frame) {
            Err(error) if *error.kind() != ErrorKind::Json(JsonFault::Truncated) => {
                Err(self.in_document(error))
            }
            _ => Ok(()),
        }
    }

    fn check_event_length(&self) -> Result<(), Error> {
        if self.event.len() <= MAX_EVENT_LENGTH {
            return Ok(());
        }
        let fault = JsonFault::EventTooLong(MAX_EVENT_LENGTH);
        let path = match self.splitter.open_list() {
            Some(List::Query) => QUERY_EVENT_LIST,
            _ => EVENT_LIST,
        };
        let place = self.event_place.location(path.to_owned());
        Err(Error::at(ErrorKind::Json(fault), place))
    }

    fn judge(&mut self, list: List, text: &[u8], start: Position) -> Result<(), Error> {
        let levels = list.levels();
        if simdutf8::basic::from_utf8(text).is_ok_and(|text| self.list(list).accepts(text, levels))
        {
            return Ok(());
        }
        self.read_event(list, text, start, false, |list, document| {
            list.event_at(document, |place| start.moved(Position::default(), place));
        })
    }

    /// Reads one entry of a list; faults get their place in the document.
    fn read_event(
        &mut self,
        list: List,
        text: &[u8],
        start: Position,
        is_end: bool,
        then: impl FnOnce(&mut ListVerdict, &Document<'_>),
    ) -> Result<(), Error> {
        let levels = list.levels();
        let list = self.list(list);
        let decoded = std::str::from_utf8(text).map_err(|error| {
            let mut place = start;
            place.pass(text.part(..error.valid_up_to()));
            let place = place.location(String::new());
            Error::at(ErrorKind::Json(JsonFault::NotUtf8), place)
        })?;
        let error = match Document::read_inside(decoded, levels) {
            Ok(document) => {
                then(list, &document);
                return Ok(());
            }
            Err(error) => error,
        };
        // An entry is not complete, but the document goes on: with text after it, the reader names what is wrong.
        let is_cut = *error.kind() == ErrorKind::Json(JsonFault::Truncated) && !is_end;
        let followed = if is_cut { format!("{decoded},,,,,,,,") } else { String::new() };
        let error = match Document::read_inside(&followed, levels) {
            Err(told) if is_cut => told,
            _ => error,
        };
        let mut location = error.location().cloned().or_empty();
        let place = (location.line, location.column);
        (location.line, location.column) = start.moved(Position::default(), place);
        let is_container = matches!(text.first(), Some(b'{' | b'['));
        location.path = if is_container {
            format!("{}/{}{}", list.path(), list.count(), location.path)
        } else {
            list.path().to_owned()
        };
        Err(error.moved_to(location))
    }

    /// Gives an error of the frame its place in the document.
    fn in_document(&self, error: Error) -> Error {
        let Some(mut location) = error.location().cloned() else {
            return error;
        };
        let place = (location.line, location.column);
        (location.line, location.column) = in_document(&self.cuts, place);
        error.moved_to(location)
    }
}

/// Converts a line and a column of the frame, both counted from 1, to those in the document.
fn in_document(cuts: &[(Position, Position)], (line, column): (usize, usize)) -> (usize, usize) {
    let place = Position { line: line - 1, column: column - 1 };
    let cut = cuts.iter().rev().find(|(frame, _)| *frame <= place);
    cut.map_or((line, column), |(frame, document)| document.moved(*frame, (line, column)))
}
