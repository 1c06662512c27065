//! The form of a report: sheets, columns, rows.

use super::request::ReportName;
use super::row::Row;
use epcis_edge_text::error::{Error, excerpt};
use epcis_edge_text::json::to_text;
use epcis_edge_text::slice::OrEmpty;
use epcis_edge_text::time::Timestamp;
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;

/// A report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Report {
    /// Whether anything was found.
    pub r#type: Outcome,
    /// The name of the report.
    #[cfg_attr(feature = "schema", schemars(with = "ReportName"))]
    pub report: Cow<'static, str>,
    /// When it was made.
    #[serde(serialize_with = "as_shown")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date-time")))]
    pub made: Timestamp,
    /// The items of the request; empty if it is about all events.
    pub asked: Vec<String>,
    /// Only events from this time on.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "as_shown_if_given"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>", extend("format" = "date-time")))]
    pub from: Option<Timestamp>,
    /// Only events before this time.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "as_shown_if_given"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>", extend("format" = "date-time")))]
    pub to: Option<Timestamp>,
    /// The tables, in order. The last is `About`.
    pub sheets: Vec<Sheet>,
    /// The data that the report could not see, because a bound was met: a sentence each. Empty if it saw everything.
    pub gaps: Vec<String>,
}

/// A time to the millisecond, as people read it; [`Timestamp`] by itself is written for sorting.
fn as_shown<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(time)
}

fn as_shown_if_given<S: Serializer>(
    time: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => as_shown(time, serializer),
        None => serializer.serialize_none(),
    }
}

/// Whether anything was found.
///
/// Closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum Outcome {
    /// The tables have rows.
    Ok,
    /// No event has anything for the tables.
    Empty,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ReportSheet"))]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column. An unknown value is an empty text.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ReportColumn"))]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// A name for programs.
    pub id: Cow<'static, str>,
    /// A name for people.
    pub title: Cow<'static, str>,
    /// Where it comes from: the paragraph of a law.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub source: Cow<'static, str>,
    /// Whether an empty cell counts as missing data.
    #[serde(skip)]
    pub(super) is_needed: bool,
}

/// The columns of amounts.
const AMOUNTS: &str =
    "quantity, containers, received-quantity, input-quantity, shipped, received, difference";

/// The most digits of a number that spreadsheets keep.
const MAX_DIGITS: usize = 15;

impl Column {
    /// Whether its cells are amounts.
    pub(super) fn is_amount(&self) -> bool {
        AMOUNTS.split(", ").any(|known| known == self.id)
    }

    /// The number in a cell of the column, if a spreadsheet may add it up: an amount in plain digits, of which none would be lost. A lot
    /// or a serial of digits is a text.
    #[must_use]
    pub fn number(&self, cell: &str) -> Option<f64> {
        let digits = cell.strip_prefix('-').unwrap_or(cell);
        let (whole, fraction) = match digits.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (digits, ""),
        };
        let is_plain = !whole.is_empty()
            && (whole == "0" || !whole.starts_with('0'))
            && whole.len() + fraction.len() <= MAX_DIGITS
            && [whole, fraction].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        (self.is_amount() && is_plain).then(|| cell.parse().ok())?
    }
}

/// The column that lists the data missing in a row.
pub(super) const MISSING: &str = "missing";

/// The sheet that says what the report is about.
pub(super) const ABOUT: &str = "About";

impl Report {
    /// Reads a report, as it is written.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`](epcis_edge_text::error::ErrorKind::Argument) for anything else, and for a row with more or fewer cells than there are columns.
    ///
    /// # Example
    /// ```
    /// use epcis_edge_reports::Report;
    /// let report = r#"{"type":"OK","report":"recall","made":"2026-03-04T10:00:00Z","asked":[],"sheets":[],"gaps":[]}"#;
    /// assert_eq!(Report::read(report)?.report, "recall");
    /// assert!(Report::read("{}").is_err());
    /// # Ok::<(), epcis_edge_text::error::Error>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, Error> {
        let refused = |found: String| {
            Error::argument("report", Some(excerpt(&found)), "a report, as it was made")
        };
        let report: Self =
            serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        for sheet in &report.sheets {
            if sheet.rows.iter().any(|row| row.len() != sheet.columns.len()) {
                let found = format!("a row in {} without a cell for each column", sheet.name);
                return Err(refused(found));
            }
        }
        Ok(report)
    }
}

impl Report {
    /// The title of the report.
    #[must_use]
    pub fn title(&self) -> &str {
        ReportName::read(&self.report).map_or(&*self.report, |name| name.title())
    }

    /// The report as JSON.
    ///
    /// # Errors
    /// None for a report that was made or read.
    pub fn to_json(&self) -> Result<String, Error> {
        to_text(self)
    }

    /// The sheet with a name.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`](epcis_edge_text::error::ErrorKind::Argument) if there is none.
    pub fn sheet(&self, name: &str) -> Result<&Sheet, Error> {
        let found = self.sheets.iter().find(|sheet| sheet.name == name);
        found.ok_or_else(|| {
            Error::argument("sheet", Some(excerpt(name)), "the name of a sheet of the report")
        })
    }
}

impl Sheet {
    /// Adds a row. Its last cell names the columns that are empty but needed.
    pub(super) fn add(&mut self, row: &Row<'_>) {
        let cell = |column: &Column| row.cells.get(&*column.id).cloned().or_empty();
        let lacks = self.columns.iter().filter(|column| column.is_needed);
        let lacks = lacks.filter(|column| cell(column).is_empty());
        let lacks: Vec<&str> = lacks.map(|column| &*column.title).collect();
        let mut missing: Vec<Cow<'_, str>> = row.notes.iter().map(|note| (*note).into()).collect();
        if !lacks.is_empty() {
            missing.insert(0, format!("not in these events: {}", lacks.join(", ")).into());
        }
        let cells = self.columns.iter().map(|column| match &*column.id {
            MISSING => missing.join("; "),
            _ => cell(column),
        });
        self.rows.push(cells.collect());
    }
}
