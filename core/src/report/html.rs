//! A report as a page that prints on A4 and Letter. It has no script, and loads nothing.

use super::columns::ABOUT;
use super::table::{MISSING, Report, Sheet};
use std::fmt::Write as _;

const STYLE: &str = "\
@page { size: landscape; margin: 12mm }
body { font: 10pt/1.4 system-ui, sans-serif; color: #111; background: #fff; margin: 1.5em }
h1 { font-size: 16pt } h2 { font-size: 12pt; margin: 1.5em 0 .5em; break-after: avoid }
table { border-collapse: collapse; width: 100%; font-size: 8pt; margin: .5em 0 }
th, td { border: 1px solid #999; padding: .2em .4em; text-align: start; vertical-align: top; overflow-wrap: break-word }
th { background: #eee } thead { display: table-header-group } tr, tbody { break-inside: avoid }
small { display: block; font-weight: normal; font-size: 7pt; color: #555 }
dl { display: grid; grid-template-columns: minmax(12em, max-content) 1fr; gap: .2em 1.5em; margin: .5em 0; font-size: 9pt }
dt { font-weight: bold } dd { margin: 0; overflow-wrap: anywhere } dt small { display: inline; margin-inline-start: .5em }
.below td { border-block-start: 0; font-size: 7pt; color: #444; overflow-wrap: anywhere } .below span { margin-inline-end: 1em }
.below small { display: none } .empty { font-size: 8pt; color: #444 } .gap { border: 2px solid #b00; padding: .5em }
@media print { body { margin: 0 } th { -webkit-print-color-adjust: exact; print-color-adjust: exact } }
@media screen { .wide { overflow-x: auto } }
";

impl Report {
    /// The report as an HTML page, in UTF-8.
    ///
    /// Each table repeats its head on every page of paper. Cells have the direction of their own text.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut out = String::new();
        let title = self.title();
        out.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        out.push_str(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        );
        escape(&mut out, title);
        out.push_str("</title>\n<style>\n");
        out.push_str(STYLE);
        out.push_str("</style>\n</head>\n<body>\n<h1>");
        escape(&mut out, title);
        let _ = writeln!(out, "</h1>\n<p>Made at {}.</p>", self.made);
        for gap in &self.gaps {
            out.push_str("<p class=\"gap\"><strong>Not complete.</strong> ");
            escape(&mut out, gap);
            out.push_str("</p>\n");
        }
        let (full, empty): (Vec<&Sheet>, Vec<&Sheet>) =
            self.sheets.iter().partition(|sheet| !sheet.rows.is_empty());
        for sheet in full {
            sheet.write_html(&mut out);
        }
        if !empty.is_empty() {
            out.push_str("<p>Nothing in these events for: ");
            let names: Vec<&str> = empty.iter().map(|sheet| &*sheet.name).collect();
            escape(&mut out, &names.join(", "));
            out.push_str(".</p>\n");
        }
        out.push_str("</body>\n</html>\n");
        out
    }
}

/// The columns that stand in a line below their row: few people read them, and they are long.
const BELOW: [&str; 10] = [
    "derived", "offset", "event", "hash", "entry", "proof", "path", "rule", "law", MISSING,
];

impl Sheet {
    /// Writes the table. A column with the same text in all rows becomes a line above it, so that the others fit the width of a
    /// page.
    fn write_html(&self, out: &mut String) {
        out.push_str("<section>\n<h2>");
        escape(out, &self.name);
        out.push_str("</h2>\n");
        let (mut above, mut beside, mut below, mut never) = (vec![], vec![], vec![], vec![]);
        for (at, column) in self.columns.iter().enumerate() {
            let mut cells = self.rows.iter().filter_map(|row| row.get(at));
            let first = cells.next().map_or("", String::as_str);
            // Above the table, an amount would be read as the sum of all rows.
            let is_amount = column.is_amount() && self.rows.len() > 1;
            let is_same = cells.all(|cell| cell == first) && !is_amount;
            let list = match first {
                "" if is_same => &mut never,
                _ if is_same && self.name != ABOUT.0 => &mut above,
                _ if BELOW.contains(&&*column.id) => &mut below,
                _ => &mut beside,
            };
            list.push(at);
        }
        if !above.is_empty() {
            out.push_str("<dl>\n");
            let row = self.rows.first().map(Vec::as_slice).unwrap_or_default();
            for at in above {
                out.push_str("<dt>");
                self.write_title(out, at);
                out.push_str("</dt>");
                write_cell(out, ("<dd", "</dd>\n"), row, at);
            }
            out.push_str("</dl>\n");
        }
        if !beside.is_empty() || !below.is_empty() {
            self.write_rows(out, &beside, &below);
        }
        let never = never.iter().filter_map(|at| self.columns.get(*at));
        let never: Vec<&str> = never
            .filter(|column| column.id != MISSING)
            .map(|column| &*column.title)
            .collect();
        if !never.is_empty() {
            out.push_str("<p class=\"empty\">Empty in all rows: ");
            escape(out, &never.join(", "));
            out.push_str(".</p>\n");
        }
        out.push_str("</section>\n");
    }

    fn write_title(&self, out: &mut String, at: usize) {
        let Some(column) = self.columns.get(at) else {
            return;
        };
        escape(out, &column.title);
        if !column.source.is_empty() {
            out.push_str("<small>");
            escape(out, &column.source);
            out.push_str("</small>");
        }
    }

    fn write_rows(&self, out: &mut String, beside: &[usize], below: &[usize]) {
        out.push_str("<div class=\"wide\">\n<table>\n<thead><tr>");
        for at in beside {
            out.push_str("<th scope=\"col\">");
            self.write_title(out, *at);
            out.push_str("</th>");
        }
        out.push_str("</tr></thead>\n");
        for row in &self.rows {
            out.push_str("<tbody><tr>");
            for at in beside {
                write_cell(out, ("<td", "</td>"), row, *at);
            }
            out.push_str("</tr>");
            let filled = below
                .iter()
                .filter(|at| row.get(**at).is_some_and(|cell| !cell.is_empty()));
            let filled: Vec<usize> = filled.copied().collect();
            if !filled.is_empty() {
                let _ = write!(
                    out,
                    "<tr class=\"below\"><td colspan=\"{}\">",
                    beside.len().max(1)
                );
                for at in filled {
                    out.push_str("<span><b>");
                    self.write_title(out, at);
                    out.push_str(":</b> ");
                    write_cell(out, ("<bdi", "</bdi>"), row, at);
                    out.push_str("</span> ");
                }
                out.push_str("</td></tr>");
            }
            out.push_str("</tbody>\n");
        }
        out.push_str("</table>\n</div>\n");
    }
}

/// Writes a cell in an element, which takes its direction from the text.
fn write_cell(out: &mut String, (start, end): (&str, &str), row: &[String], at: usize) {
    out.push_str(start);
    out.push_str(" dir=\"auto\">");
    escape(out, row.get(at).map_or("", String::as_str));
    out.push_str(end);
}

/// Writes a text so that nothing in it is markup. Control characters other than white space are left out: HTML does not have them.
fn escape(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' | ' ' => out.push(character),
            control if control.is_control() => {}
            _ => out.push(character),
        }
    }
}
