//! The forms of reports: which sheets they have, with which columns, and the notes on how they are made. They stand in the folder `forms`.

use super::table::{Column, Sheet};
use epcis_edge_text::slice::Known;
use std::borrow::Cow;

/// The columns that sheets share, in groups.
const SHARED: &str = include_str!("forms/shared.txt");

/// A report before it has rows.
#[derive(Debug, Default)]
pub(super) struct Form {
    /// The sheets about events, then the others.
    pub(super) sheets: Vec<Sheet>,
    /// How many of them are about events.
    pub(super) about_events: usize,
    /// How the report is made.
    pub(super) notes: Vec<String>,
}

impl Form {
    /// Reads the file of a form.
    ///
    /// **Shape**: a line begins a sheet about events (`#` and its name) or about anything else (`-`), has a note (`>`), the name of a
    /// group of columns that sheets share (`+`), or a column: its name with `?` if a row may leave it empty, its title, and the clause
    /// of the law that asks for it.
    pub(super) fn read(text: &'static str) -> Self {
        let mut form = Self::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            let (sign, rest) = line.split_once(' ').known();
            if matches!(sign, "#" | "-") {
                form.about_events += usize::from(sign == "#");
                form.sheets.push(Sheet { name: Cow::Borrowed(rest), ..Sheet::default() });
                continue;
            }
            match (sign, form.sheets.last_mut()) {
                (">", _) => form.notes.push(rest.to_owned()),
                ("+", Some(sheet)) => sheet.columns.extend(shared(rest)),
                (_, Some(sheet)) => sheet.columns.push(column(line)),
                (_, None) => debug_assert!(false, "a column before the first sheet"),
            }
        }
        form
    }
}

/// A group of columns that sheets share.
pub(super) fn shared(name: &str) -> Vec<Column> {
    let mut groups = Form::read(SHARED).sheets.into_iter();
    groups.find(|group| group.name == name).known().columns
}

fn column(line: &'static str) -> Column {
    let mut parts = line.split(" | ");
    let id = parts.next().known();
    let mut next = || Cow::Borrowed(parts.next().unwrap_or(""));
    Column {
        id: Cow::Borrowed(id.trim_end_matches('?')),
        title: next(),
        source: next(),
        is_needed: !id.ends_with('?'),
    }
}
