//! A report as a page that prints on A4 and Letter. It has no script, and loads nothing.

use super::table::{Report, Sheet};
use std::fmt::Write as _;

const STYLE: &str = "\
@page { size: landscape; margin: 12mm }
body { font: 10pt/1.4 system-ui, sans-serif; color: #111; background: #fff; margin: 1.5em }
h1 { font-size: 16pt } h2 { font-size: 12pt; break-after: avoid }
table { border-collapse: collapse; width: 100%; font-size: 8pt }
caption { text-align: start; font-style: italic; padding: .3em 0 }
th, td { border: 1px solid #999; padding: .2em .4em; text-align: start; vertical-align: top; overflow-wrap: anywhere }
th { background: #eee } thead { display: table-header-group } tr { break-inside: avoid }
small { display: block; font-weight: normal; color: #555 }
section + section { break-before: auto } .gap { border: 2px solid #b00; padding: .5em }
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

impl Sheet {
    fn write_html(&self, out: &mut String) {
        out.push_str("<section>\n<h2>");
        escape(out, &self.name);
        out.push_str("</h2>\n<div class=\"wide\">\n<table>\n<thead><tr>");
        for column in &self.columns {
            out.push_str("<th scope=\"col\">");
            escape(out, &column.title);
            if !column.source.is_empty() {
                out.push_str("<small>");
                escape(out, &column.source);
                out.push_str("</small>");
            }
            out.push_str("</th>");
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            out.push_str("<tr>");
            for cell in row {
                out.push_str("<td dir=\"auto\">");
                escape(out, cell);
                out.push_str("</td>");
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table>\n</div>\n</section>\n");
    }
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
