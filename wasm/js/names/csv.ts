// CSV (RFC 4180): fields between commas, quoted if they have commas, quotes or line ends; lines end in CR LF or LF.

/** What a spreadsheet would calculate with; a number with a sign, such as that of a telephone, is none. `core/reports/src/csv.rs` has the same rule. */
const FORMULA = /^(?:[\t\r\n]|\s*(?:[=@\uff1d\uff20]|[+\-\uff0b\uff0d](?!\d[\d. ]*$)))/;

/** A field of a line of CSV, with an apostrophe before a formula. */
export function csvField(value: string): string {
  const isFormula = FORMULA.test(value);
  return isFormula || /[",\r\n]/.test(value) ? `"${isFormula ? "'" : ''}${value.replaceAll('"', '""')}"` : value;
}

const LINE_END = /\r?\n/g;
/** Where a field without quotes ends. */
const END = /[,"\r\n]|$/g;

/** The first place at or after `at` where a pattern matches. */
function next(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.index ?? text.length;
}

/** The end of the quoted field that begins at `at`: the place of its last quote; -1 if there is none. */
function endOfQuoted(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
}

/** A record, and the line that it begins in. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: string[];
}

/**
 * The records of a text. Blank lines are skipped.
 *
 * @param refuse is called with the line, what was found, and what was expected; it throws
 */
export function* recordsIn(text: string, refuse: (line: number, found: string, expected: string) => never): Generator<CsvRecord, void> {
  let [at, line] = [0, 1];
  while (at < text.length) {
    const record: CsvRecord = { line, fields: [] };
    for (;;) {
      let end: number;
      if (text[at] === '"') {
        end = endOfQuoted(text, at);
        if (end < 0) refuse(line, 'a quote that does not end', 'a quote after the field');
        const field = text.slice(at + 1, end);
        record.fields.push(field.replaceAll('""', '"'));
        line += field.match(LINE_END)?.length ?? 0;
        end += 1;
      } else {
        end = next(END, text, at);
        if (text[end] === '"') refuse(line, 'a quote within a field', 'quotes around the whole field, and two for one in it');
        record.fields.push(text.slice(at, end));
      }
      at = end + 1;
      if (text[end] !== ',') break;
    }
    // `at` is behind the first character after the record.
    if (text[at - 1] === '\r' && text[at] === '\n') at += 1;
    else if (at <= text.length && text[at - 1] !== '\n') refuse(line, `\`${text[at - 1]}\` after a field`, 'a comma or a line end');
    if (record.fields.length > 1 || record.fields[0] !== '') yield record;
    line += 1;
  }
}
