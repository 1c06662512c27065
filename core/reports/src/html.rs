//! A report as a page that prints on A4 and Letter. It has no script, and loads nothing.

use super::table::{ABOUT, Column, MISSING, Report, Sheet};
use maud::{Markup, PreEscaped, Render, html};

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
        let title = Shown(self.title());
        let (full, empty): (Vec<&Sheet>, Vec<&Sheet>) =
            self.sheets.iter().partition(|sheet| !sheet.rows.is_empty());
        let page = html! {
            (PreEscaped("<!doctype html>\n"))
            html lang="en" { "\n"
                head { "\n"
                    meta charset="utf-8"; "\n"
                    meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                    title { (title) } "\n"
                    style { "\n" (PreEscaped(STYLE)) } "\n"
                } "\n"
                body { "\n"
                    h1 { (title) } "\n"
                    p { "Made at " (self.made.to_string()) "." } "\n"
                    @for gap in &self.gaps {
                        p.gap { strong { "Not complete." } " " (Shown(gap)) } "\n"
                    }
                    @for sheet in full { (sheet.section()) }
                    @if !empty.is_empty() {
                        p { "Nothing in these events for: " (listed(empty.iter().map(|sheet| &*sheet.name))) "." } "\n"
                    }
                } "\n"
            } "\n"
        };
        page.into_string()
    }
}

/// The columns that stand in a line below their row: few people read them, and they are long.
const BELOW: [&str; 10] =
    ["derived", "offset", "event", "hash", "entry", "proof", "path", "rule", "law", MISSING];

impl Sheet {
    /// The table. A column with the same text in all rows becomes a line above it, so that the others fit the width of a page.
    fn section(&self) -> Markup {
        let (mut above, mut beside, mut below, mut never) = (vec![], vec![], vec![], vec![]);
        for (at, column) in self.columns.iter().enumerate() {
            let mut cells = self.rows.iter().map(|row| cell(row, at));
            let first = cells.next().unwrap_or("");
            // Above the table, an amount would be read as the sum of all rows.
            let is_amount = column.is_amount() && self.rows.len() > 1;
            let is_same = cells.all(|cell| cell == first) && !is_amount;
            let list = match first {
                "" if is_same => &mut never,
                _ if is_same && self.name != ABOUT => &mut above,
                _ if BELOW.contains(&&*column.id) => &mut below,
                _ => &mut beside,
            };
            list.push((at, column));
        }
        never.retain(|(_, column)| column.id != MISSING);
        html! {
            section { "\n"
                h2 { (Shown(&self.name)) } "\n"
                @if !above.is_empty() {
                    dl { "\n"
                        @for (at, column) in above {
                            dt { (head(column)) }
                            dd dir="auto" { @for row in self.rows.iter().take(1) { (Shown(cell(row, at))) } } "\n"
                        }
                    } "\n"
                }
                @if !beside.is_empty() || !below.is_empty() {
                    div.wide { "\n"
                        table { "\n"
                            thead { tr { @for (_, column) in &beside { th scope="col" { (head(column)) } } } } "\n"
                            @for row in &self.rows {
                                tbody {
                                    tr { @for (at, _) in &beside { td dir="auto" { (Shown(cell(row, *at))) } } }
                                    @let filled: Vec<_> = below.iter().filter(|(at, _)| !cell(row, *at).is_empty()).collect();
                                    @if !filled.is_empty() {
                                        tr.below {
                                            td colspan=(beside.len().max(1)) {
                                                @for (at, column) in filled {
                                                    span { b { (head(column)) ":" } " " bdi dir="auto" { (Shown(cell(row, *at))) } } " "
                                                }
                                            }
                                        }
                                    }
                                } "\n"
                            }
                        } "\n"
                    } "\n"
                }
                @if !never.is_empty() {
                    p.empty { "Empty in all rows: " (listed(never.iter().map(|(_, column)| &*column.title))) "." } "\n"
                }
            } "\n"
        }
    }
}

fn cell(row: &[String], at: usize) -> &str {
    row.get(at).map_or("", String::as_str)
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> Markup {
    Shown(&names.collect::<Vec<_>>().join(", ")).render()
}

fn head(column: &Column) -> Markup {
    html! {
        (Shown(&column.title))
        @if !column.source.is_empty() { small { (Shown(&column.source)) } }
    }
}

/// A text without control characters other than white space: HTML does not have them.
#[derive(Clone, Copy)]
struct Shown<'t>(&'t str);

impl Render for Shown<'_> {
    fn render_to(&self, out: &mut String) {
        let is_lost = |found: char| found.is_control() && !matches!(found, '\n' | '\t');
        for part in self.0.split(is_lost) {
            part.render_to(out);
        }
    }
}
