//! A request to follow: the items, and how far they are followed.

use super::written::Written;
use epcis_edge_document::identifier;
use epcis_edge_text::error::{Error, ErrorKind, excerpt};
use epcis_edge_text::json::{Kind, Value};
use epcis_edge_text::slice::{Known, OrEmpty};
use epcis_edge_text::time::Timestamp;
use std::borrow::Cow;

/// The most items of a request.
pub const MAX_ITEMS: usize = 100;
/// The most packings and transformations between an item and an event.
pub const MAX_DEPTH: usize = 64;
/// The most events of an answer.
pub const MAX_EVENTS: usize = 10_000;
/// The longest identifier of an item, in bytes.
pub const MAX_ITEM: usize = 1024;

/// Which way items are followed.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// To what an item was made of, and to its earlier events.
    Back,
    /// To where an item went, and what was made of it.
    Forth,
    /// Both of these, each for itself: other outputs of an input are not found.
    #[default]
    Both,
}

/// What happens with the contents of an item that was a container.
///
/// Closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContentsRule {
    /// They are listed, with the time in which they were inside.
    #[default]
    Listed,
    /// They are listed and followed: forth from when they came in, back from when they left.
    Followed,
    /// They are left out.
    None,
}

/// The ties by which following goes from one thing to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ties {
    /// An `AggregationEvent` puts children into a parent.
    pub packing: bool,
    /// A `TransformationEvent` makes outputs of inputs.
    pub transformation: bool,
    /// An `AssociationEvent` ties assets, such as sensors, to a parent.
    pub association: bool,
}

impl Default for Ties {
    fn default() -> Self {
        Self { packing: true, transformation: true, association: false }
    }
}

/// A question: what happened to these items?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The identifiers, in any spelling. A class, such as a GTIN without lot and serial, stands for every lot and serial of it.
    pub items: Vec<String>,
    /// Which way they are followed.
    pub direction: Direction,
    /// Only events with an `eventTime` from here on.
    pub from: Option<Timestamp>,
    /// Only events with an `eventTime` before this.
    pub to: Option<Timestamp>,
    /// The most packings and transformations between an item and an event.
    pub depth: usize,
    /// The most events of the answer.
    pub max_events: usize,
    /// Whether everything that is found is followed in both directions: all that was made of a bad input, and all that went into it.
    pub kin: bool,
    /// The ties that count.
    pub through: Ties,
    /// What happens with contents.
    pub contents: ContentsRule,
}

impl Request {
    /// A request for these items, everything else as usual.
    #[must_use]
    pub fn of(items: Vec<String>) -> Self {
        Self {
            items,
            direction: Direction::default(),
            from: None,
            to: None,
            depth: 32,
            max_events: 1000,
            kin: false,
            through: Ties::default(),
            contents: ContentsRule::default(),
        }
    }

    /// Reads a request.
    ///
    /// **Shape**: an object with `items`, an array of identifiers, or one identifier. Optional: `direction` (`back`, `forth`, `both`),
    /// `from` and `to` (RFC 3339), `depth` (1 to 64, usually 32), `maxEvents` (1 to 10,000, usually 1,000), `kin` (boolean), `through`
    /// (an array of `packing`, `transformation`, `association`; usually the first two), `contents` (`listed`, `followed`, `none`).
    ///
    /// **Limits**: [`MAX_ITEMS`] items of [`MAX_ITEM`] bytes each.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] for a missing or wrong member, [`ErrorKind::UnknownArgument`] for an unknown one,
    /// [`ErrorKind::RepeatedArgument`] for one that is given twice, [`ErrorKind::ParametersExclude`] for `kin` with a `direction` other than `both`.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_history::follow::{Direction, Request}; use epcis_edge_text::json::Document;
    /// let asked = Document::read(br#"{"items": "urn:epc:id:sscc:952012345.0000000006", "direction": "back"}"#)?;
    /// assert_eq!(Request::read(asked.root())?.direction, Direction::Back);
    /// let wrong = Document::read(br#"{"items": [], "depth": 0}"#)?;
    /// assert!(Request::read(wrong.root()).is_err());
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    pub fn read(asked: Value<'_>) -> Result<Self, Error> {
        Self::read_beside(asked, &[])
    }

    /// As [`read`](Self::read); members with other names may stand beside.
    pub fn read_beside(asked: Value<'_>, others: &[&str]) -> Result<Self, Error> {
        if asked.kind() != Kind::Object {
            return Err(refused("items", None, "an object with the member `items`"));
        }
        asked.require_arguments(&[&KNOWN[..], others].concat())?;
        let mut request = Self::of(Vec::new());
        let mut direction = None;
        for (name, value) in asked.members() {
            match name.to_cow().as_ref() {
                "items" => request.items = items(value)?,
                "direction" => direction = Some(word(value, "direction", DIRECTIONS)?),
                "from" => request.from = Some(time(value, "from")?),
                "to" => request.to = Some(time(value, "to")?),
                "depth" => request.depth = number(value, "depth", MAX_DEPTH)?,
                "maxEvents" => request.max_events = number(value, "maxEvents", MAX_EVENTS)?,
                "kin" => {
                    let flag = value.as_bool();
                    request.kin =
                        flag.ok_or_else(|| refused("kin", Some(value), "`true` or `false`"))?;
                }
                "through" => request.through = ties(value)?,
                "contents" => request.contents = word(value, "contents", CONTENTS)?,
                other if others.contains(&other) => {}
                _ => {
                    return Err(Error::impossible(
                        "an argument of following is known, but not read",
                    ));
                }
            }
        }
        request.direction = direction.or_empty();
        request.checked(direction)
    }

    /// The `from` and `to` of a request that names no items.
    ///
    /// # Errors
    /// As [`read`](Self::read) for these two; [`ErrorKind::UnknownArgument`] for any other member.
    pub fn read_span(
        asked: Value<'_>,
        others: &[&str],
    ) -> Result<(Option<Timestamp>, Option<Timestamp>), Error> {
        if asked.kind() != Kind::Object {
            return Err(refused("items", None, "an object, with `items` or without"));
        }
        asked.require_arguments(&[&["from", "to"], others].concat())?;
        let bound = |name| asked.get(name).map(|value| time(value, name)).transpose();
        let mut request = Self::of(Vec::new());
        (request.from, request.to) = (bound("from")?, bound("to")?);
        request.require_span()?;
        Ok((request.from, request.to))
    }

    /// Whether an item is a class, which stands for each lot and serial of it.
    #[must_use]
    pub fn has_class(&self) -> bool {
        self.items.iter().any(|item| class_of(item).is_some())
    }

    /// The request, if its members fit together.
    fn checked(self, direction: Option<Direction>) -> Result<Self, Error> {
        if self.items.is_empty() {
            return Err(refused("items", None, ITEMS));
        }
        if self.kin && !matches!(direction, None | Some(Direction::Both)) {
            return Err(Error::new(ErrorKind::ParametersExclude {
                name: "kin",
                other: "direction",
            }));
        }
        self.require_span()?;
        Ok(self)
    }

    fn require_span(&self) -> Result<(), Error> {
        if self.from.zip(self.to).is_some_and(|(from, to)| from >= to) {
            return Err(Error::argument(
                "to",
                self.to.map(|to| to.to_string()),
                "a time after `from`",
            ));
        }
        Ok(())
    }
}

const KNOWN: [&str; 9] =
    ["items", "direction", "from", "to", "depth", "maxEvents", "kin", "through", "contents"];
const ITEMS: &str = "1 to 100 identifiers of at most 1,024 bytes: an instance, a lot, a class, or a URI of your own";

/// The words of a member, with a text that lists them.
type Words<T, const N: usize> = ([(&'static str, T); N], &'static str);

const DIRECTIONS: Words<Direction, 3> = (
    [("back", Direction::Back), ("forth", Direction::Forth), ("both", Direction::Both)],
    "`back`, `forth` or `both`",
);

impl Written for Direction {
    fn write(self, out: &mut String) {
        let word = DIRECTIONS.0.iter().find(|(_, direction)| *direction == self);
        word.map(|(word, _)| *word).known().write(out);
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Direction {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Direction".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"enum": DIRECTIONS.0.map(|(word, _)| word)})
    }
}

const CONTENTS: Words<ContentsRule, 3> = (
    [
        ("listed", ContentsRule::Listed),
        ("followed", ContentsRule::Followed),
        ("none", ContentsRule::None),
    ],
    "`listed`, `followed` or `none`",
);

fn refused(name: &'static str, found: Option<Value<'_>>, expected: &'static str) -> Error {
    Error::argument(name, found.map(|found| excerpt(found.source())), expected)
}

fn word<T: Copy, const N: usize>(
    value: Value<'_>,
    name: &'static str,
    words: Words<T, N>,
) -> Result<T, Error> {
    let found = value.as_str();
    let mut known = words.0.into_iter();
    let known = known.find(|(word, _)| found.as_deref() == Some(word));
    known.map(|(_, meaning)| meaning).ok_or_else(|| refused(name, Some(value), words.1))
}

fn time(value: Value<'_>, name: &'static str) -> Result<Timestamp, Error> {
    let found = value.as_str().and_then(|text| Timestamp::parse(&text));
    found.ok_or_else(|| {
        let expected = "a time with its zone, such as `2026-03-04T10:00:00Z`";
        refused(name, Some(value), expected)
    })
}

fn number(value: Value<'_>, name: &'static str, most: usize) -> Result<usize, Error> {
    let found = value.as_number().and_then(|text| text.parse().ok());
    found.filter(|number| (1..=most).contains(number)).ok_or_else(|| {
        let expected = if most == MAX_DEPTH {
            "a whole number from 1 to 64"
        } else {
            "a whole number from 1 to 10,000"
        };
        refused(name, Some(value), expected)
    })
}

fn items(value: Value<'_>) -> Result<Vec<String>, Error> {
    let is_one = value.kind() == Kind::String;
    let one = is_one.then_some(value).into_iter();
    let items = one.chain(value.elements().take(MAX_ITEMS + 1)).map(|item| {
        let item = item.as_str().filter(|item| is_identifier(item));
        item.map(Cow::into_owned)
    });
    let all: Option<Vec<String>> = items.collect();
    all.filter(|items| (1..=MAX_ITEMS).contains(&items.len()))
        .ok_or_else(|| refused("items", Some(value), ITEMS))
}

/// Whether a text may identify a thing: a URI, with a scheme and no blanks.
fn is_identifier(text: &str) -> bool {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    text.len() <= MAX_ITEM
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && !text.contains(|character: char| character.is_whitespace() || character.is_control())
}

fn ties(value: Value<'_>) -> Result<Ties, Error> {
    const EXPECTED: &str =
        "an array of `packing`, `transformation` and `association`, at least one";
    let mut ties = Ties { packing: false, transformation: false, association: false };
    for one in value.elements() {
        match one.as_str().as_deref() {
            Some("packing") => ties.packing = true,
            Some("transformation") => ties.transformation = true,
            Some("association") => ties.association = true,
            _ => return Err(refused("through", Some(value), EXPECTED)),
        }
    }
    match ties.packing || ties.transformation || ties.association {
        true => Ok(ties),
        false => Err(refused("through", Some(value), EXPECTED)),
    }
}

/// The class that an identifier means: the start of the identifiers of all its lots and serials. `None` for an instance, a lot, and
/// any identifier other than a GTIN.
pub(super) fn class_of(item: &str) -> Option<String> {
    let id = identifier::to_digital_link(item)?;
    let gtin = id.strip_prefix("https://id.gs1.org/01/")?;
    (!gtin.contains('/')).then(|| format!("{id}/"))
}
