//! Reports as XLSX.

use crate::error::Thrown;
use epcis_edge_core::error::Error;
use epcis_edge_core::report::{Report, Sheet};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, XlsxError};
use std::borrow::Cow;
use wasm_bindgen::prelude::wasm_bindgen;

/// The longest text in a cell: Excel takes no longer one.
const MAX_CELL: usize = 32_767;

/// The widest column, and the narrowest, in characters.
const WIDTHS: (usize, usize) = (10, 48);

/// The height of the head, in points: a title of two lines, and the paragraph of a law.
const HEAD: u32 = 45;

/// How many rows decide how wide a column is.
const LOOKED_AT: usize = 100;

/// A report as an XLSX file. Amounts are numbers. Every other cell is a text: no program takes a lot for a number, or a name for a formula.
///
/// # Errors
/// Throws an `Error` with a `problem` member for a text that is no report, and for a report that no spreadsheet can hold.
#[wasm_bindgen(skip_typescript)]
pub fn xlsx(report: &str) -> Result<Vec<u8>, Thrown> {
    let written = written(&Report::read(report)?);
    let written = written.map_err(|fault| {
        Error::argument("report", Some(fault.to_string()), "a report that a spreadsheet can hold")
    });
    Ok(written?)
}

fn written(report: &Report) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let mut properties = DocProperties::new().set_title(report.title());
    // Not the clock's time: the same report is the same file.
    if let Ok(made) = ExcelDateTime::from_timestamp(report.made.seconds()) {
        properties = properties.set_creation_datetime(&made);
    }
    book.set_properties(&properties);
    let text = Format::new().set_num_format("@").set_align(FormatAlign::Top);
    let number = Format::new().set_align(FormatAlign::Top);
    let wrapped = text.clone().set_text_wrap();
    let title = wrapped.clone().set_bold().set_background_color(0xEEEEEE);
    // Sheets without rows stay, so that readers see that nothing was found.
    for sheet in &report.sheets {
        add(&mut book, sheet, (&title, &text, &wrapped, &number))?;
    }
    book.save_to_buffer()
}

fn add(
    book: &mut Workbook,
    sheet: &Sheet,
    (title, text, wrapped, number): (&Format, &Format, &Format, &Format),
) -> Result<(), XlsxError> {
    let page = book.add_worksheet();
    page.set_name(&*sheet.name)?;
    page.set_landscape();
    page.set_row_height(0, HEAD)?;
    page.set_repeat_rows(0, 0)?;
    page.set_freeze_panes(1, 0)?;
    for (at, column) in (0u16..).zip(&sheet.columns) {
        let head = match &*column.source {
            "" => column.title.to_string(),
            source => format!("{}\n{source}", column.title),
        };
        page.write_string_with_format(0, at, &head, title)?;
        let cells = sheet.rows.iter().take(LOOKED_AT).filter_map(|row| row.get(usize::from(at)));
        let widest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        let head = column.title.chars().count().min(24);
        let width = match &*column.id {
            // A hash is copied, not read.
            "event" | "hash" | "proof" => WIDTHS.0,
            _ => widest.max(head).clamp(WIDTHS.0, WIDTHS.1),
        };
        page.set_column_width(at, width as f64 + 1.0)?;
    }
    for (at, row) in (1u32..).zip(&sheet.rows) {
        for ((place, column), cell) in (0u16..).zip(&sheet.columns).zip(row) {
            if let Some(value) = column.number(cell) {
                page.write_number_with_format(at, place, value, number)?;
                continue;
            }
            let format = if cell.contains('\n') { wrapped } else { text };
            page.write_string_with_format(at, place, &*shortened(cell), format)?;
        }
    }
    let (rows, columns) = (sheet.rows.len(), sheet.columns.len());
    if let (Ok(rows), Ok(columns)) = (u32::try_from(rows), u16::try_from(columns))
        && rows > 0
        && columns > 0
    {
        page.autofilter(0, 0, rows, columns - 1)?;
    }
    Ok(())
}

/// A text that fits into a cell. If it is cut, it says so.
fn shortened(cell: &str) -> Cow<'_, str> {
    const CUT: &str =
        " … cut here: a spreadsheet holds no longer text, the JSON of the report has it all";
    if cell.len() <= MAX_CELL || cell.encode_utf16().count() <= MAX_CELL {
        return Cow::Borrowed(cell);
    }
    let mut left = MAX_CELL - CUT.len();
    let kept = cell.chars().take_while(|character| {
        let fits = character.len_utf16() <= left;
        left = left.saturating_sub(character.len_utf16());
        fits
    });
    Cow::Owned(kept.collect::<String>() + CUT)
}
