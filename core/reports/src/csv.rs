//! Tables as CSV (RFC 4180), in UTF-8.

use super::table::{Report, Sheet};

impl Sheet {
    /// The table as CSV: a line of titles, then the rows; lines end with CR LF.
    ///
    /// A cell that begins with `=`, `@`, a tab or a line end gets an apostrophe before it, and one that begins with `+` or `-` unless it
    /// is a number such as `-10` or `+49 30 123456`: else a spreadsheet takes it for a formula. Signs of full width, and blanks before a
    /// sign, make no difference.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut out = String::new();
        let titles = self.columns.iter().map(|column| &*column.title);
        line(&mut out, titles);
        for row in &self.rows {
            line(&mut out, row.iter().map(String::as_str));
        }
        out
    }
}

impl Report {
    /// All tables as one. The first column is the name of the sheet; then comes one column for each title of any sheet.
    #[must_use]
    pub fn to_flat_csv(&self) -> String {
        let mut titles: Vec<&str> = Vec::new();
        for column in self.sheets.iter().flat_map(|sheet| &sheet.columns) {
            if !titles.contains(&&*column.title) {
                titles.push(&column.title);
            }
        }
        let mut out = String::new();
        line(&mut out, std::iter::once("Sheet").chain(titles.iter().copied()));
        for sheet in &self.sheets {
            for row in &sheet.rows {
                let cells = titles.iter().map(|title| {
                    let columns = sheet.columns.iter().zip(row);
                    let mut cells = columns.filter(|(column, _)| column.title == *title);
                    cells.next().map_or("", |(_, cell)| cell.as_str())
                });
                line(&mut out, std::iter::once(&*sheet.name).chain(cells));
            }
        }
        out
    }
}

/// Whether a spreadsheet would calculate with a cell. `csvField` of wasm/js/names/csv.ts has the same rule, and both the same vectors.
fn is_formula(cell: &str) -> bool {
    if cell.starts_with(['\t', '\r', '\n']) {
        return true;
    }
    let cell = cell.trim_start();
    match cell.strip_prefix(['+', '-', '＋', '－']) {
        Some(rest) => {
            let is_of_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b' ');
            !rest.starts_with(|first: char| first.is_ascii_digit())
                || !rest.bytes().all(is_of_number)
        }
        None => cell.starts_with(['=', '@', '＝', '＠']),
    }
}

pub(super) fn line<'c>(out: &mut String, cells: impl Iterator<Item = &'c str>) {
    for (number, cell) in cells.enumerate() {
        if number > 0 {
            out.push(',');
        }
        let is_formula = is_formula(cell);
        let needs_quotes = is_formula || cell.contains(['"', ',', '\r', '\n']);
        if !needs_quotes {
            out.push_str(cell);
            continue;
        }
        out.push('"');
        if is_formula {
            out.push('\'');
        }
        out.push_str(&cell.replace('"', "\"\""));
        out.push('"');
    }
    out.push_str("\r\n");
}
