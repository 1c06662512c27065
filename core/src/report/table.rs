//! The form of a report: sheets, columns, rows.

use crate::time::Timestamp;
use serde::Serialize;
use std::collections::BTreeMap;

/// A report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The name of the report.
    pub report: &'static str,
    /// When it was made.
    pub made: Timestamp,
    /// The items that were asked about; empty if it is about all events.
    pub asked: Vec<String>,
    /// The tables, in order.
    pub sheets: Vec<Sheet>,
    /// What the report does not know, and how it was made: a sentence each.
    pub notes: Vec<String>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sheet {
    /// Its name.
    pub name: &'static str,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column. What is not known is an empty text.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// A name for programs.
    pub id: &'static str,
    /// A name for people.
    pub title: &'static str,
    /// Where it comes from: the paragraph of a law.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub source: &'static str,
    /// Whether a row that has nothing there lacks something.
    #[serde(skip)]
    pub(super) is_needed: bool,
}

/// The column that says what a row lacks.
pub(super) const MISSING: &str = "missing";

impl Sheet {
    pub(super) fn new(name: &'static str, columns: Vec<Column>) -> Self {
        Self {
            name,
            columns,
            rows: Vec::new(),
        }
    }

    /// Adds a row. Its last cell names the columns that it lacks.
    pub(super) fn add(&mut self, row: &Row) {
        let cell = |column: &Column| row.0.get(column.id).cloned().unwrap_or_default();
        let lacks = self.columns.iter().filter(|column| column.is_needed);
        let lacks = lacks.filter(|column| cell(column).is_empty());
        let lacks: Vec<&str> = lacks.map(|column| column.title).collect();
        let cells = self.columns.iter().map(|column| match column.id {
            MISSING if !lacks.is_empty() => format!("not in these events: {}", lacks.join(", ")),
            _ => cell(column),
        });
        self.rows.push(cells.collect());
    }
}

/// The cells of a row, by the names of their columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Row(BTreeMap<&'static str, String>);

impl Row {
    /// How many bytes its cells have.
    pub(super) fn bytes(&self) -> usize {
        self.0.values().map(String::len).sum()
    }

    /// Sets a cell, unless there is nothing to say.
    pub(super) fn set(&mut self, column: &'static str, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.0.insert(column, text);
        }
    }
}
