// The verdict on one document as a report: tables that print, with a place to sign.
import type { CheckReport, check, PackName } from '../check/index.ts';
import type { hash, validate, Verdict, verify, XmlVerdict } from '../engine/index.ts';
import type { Report, ReportColumn } from './index.ts';

/** The most rows of a table. Further rows are only counted. */
const MAX_ROWS = 1000;

const column = (id: string, title: string): ReportColumn => ({ id, title });
const WHAT = [column('what', 'What'), column('says', 'It says')];
const ERRORS = [column('path', 'Place'), column('line', 'Line'), column('column', 'Column'), column('error', 'What is wrong'), column('rule', 'Rule')];
const FINDINGS = [
  column('severity', 'How grave'),
  column('message', 'What is wrong'),
  column('found', 'Found'),
  column('path', 'Place'),
  column('line', 'Line'),
  column('rule', 'Rule'),
  column('law', 'The rule comes from'),
];
const HASHES = [column('number', 'Event'), column('content', 'Content hash'), column('match', 'Its eventID')];
const LINE = '\u2026'.repeat(20);

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What `verify` says of the `eventID` of an event. */
const CLAIMS = {
  matches: 'is the hash of the event',
  'matches-none': 'is a hash, but not of this event',
  'not-hash-form': 'is no hash, or is not there',
};

const claimOf = (claim: { readonly result: keyof typeof CLAIMS } | undefined): string => (claim === undefined ? '' : CLAIMS[claim.result]);

/** The rows that fit, and a sentence about those that do not. */
function fitting(rows: readonly (readonly string[])[], what: string, gaps: string[]): readonly (readonly string[])[] {
  if (rows.length > MAX_ROWS) gaps.push(`${rows.length - MAX_ROWS} more ${what} are not listed.`);
  return rows.slice(0, MAX_ROWS);
}

/** What a function returns, or the error that it threw for its document. */
type Tried<Value> = { readonly value: Value; readonly error?: undefined } | { readonly value?: undefined; readonly error: Error };

function tried<Value>(judge: () => Value, isOurs: (error: unknown) => error is Error): Tried<Value> {
  try {
    return { value: judge() };
  } catch (error) {
    if (isOurs(error)) return { error };
    throw error;
  }
}

/** The document that is judged. */
interface Judged {
  /** The name of the file. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Of these bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** What judges: functions of the package. */
interface Judges {
  readonly validate: typeof validate;
  readonly check: typeof check;
  readonly verify: typeof verify;
  readonly hash: typeof hash;
  /** Whether an error is one that these functions throw for a document. */
  readonly isOurs: (error: unknown) => error is Error;
  /** The packs to ask. */
  readonly packs: readonly PackName[];
  /** The version of the package. */
  readonly version: string;
}

/** A report on the verdict, written as those of the engine. */
export interface VerdictReport extends Omit<Report, 'report'> {
  readonly report: string;
}

/** Judges a document, and makes the report. */
export function verdictReport({ name, bytes, sha256 }: Judged, { validate, check, verify, hash, isOurs, packs, version }: Judges, made: Date): VerdictReport {
  const gaps: string[] = [];
  const schema = tried(() => validate(bytes), isOurs);
  const checked = tried(() => check(bytes, { packs, now: made }), isOurs);
  const hashes = tried(() => hash(bytes), isOurs);
  const claims = tried(() => verify(bytes), isOurs);
  const said: string[][] = [
    ['File', name],
    ['Size', counted(bytes.length, 'byte', 'bytes')],
    ['SHA-256 of the file', sha256],
    ['Judged at', made.toISOString()],
    ['Judged by', `epcis-edge ${version}`],
    ['Schemas of GS1', schemaSays(schema)],
    ['Checks', checksSay(checked)],
  ];
  if (checked.value) {
    said.push(['Rules asked', checked.value.packs.join(', ')]);
    said.push(['Events', String(checked.value.events)]);
    for (const { pack, release } of checked.value.releases ?? []) said.push([`Release that ${pack} sees`, release]);
  }
  if (hashes.error) gaps.push(`The events have no hashes: ${hashes.error.message}`);
  const errors = (schema.value?.errors ?? []).map(({ path, line, column, message, keyword }) => [
    path || '(the document)',
    String(line ?? ''),
    String(column ?? ''),
    message,
    keyword,
  ]);
  const laws = new Map((checked.value?.rules ?? []).map(({ rule, source }) => [rule, [source.document, source.clause].filter(Boolean).join(', ')]));
  const findings = (checked.value?.findings ?? []).map(({ severity, message, found = '', path, line, rule }) => [
    severity,
    message,
    found,
    path || '(the document)',
    String(line ?? ''),
    rule,
    laws.get(rule) ?? '',
  ]);
  const counts: Readonly<Record<string, number>> = checked.value?.counts ?? {};
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all > findings.length) gaps.push(`${all - findings.length} more findings are not listed.`);
  const events = (hashes.value ?? []).map((uri, n) => [String(n + 1), uri, claimOf(claims.value?.[n])]);
  const sheets = [
    { name: 'Verdict', columns: WHAT, rows: said },
    { name: 'Errors', columns: ERRORS, rows: fitting(errors, 'errors', gaps) },
    { name: 'Findings', columns: FINDINGS, rows: findings },
    { name: 'Events', columns: HASHES, rows: fitting(events, 'events', gaps) },
    { name: 'To sign', columns: [column('name', 'Name'), column('date', 'Place and date'), column('signature', 'Signature')], rows: [[LINE, LINE, LINE]] },
    {
      name: 'About',
      columns: WHAT,
      rows: [
        [
          'How it was made',
          'Errors: what the official schemas of GS1 refuse. Findings: what rules beyond them find; those of an industry are asked if the document is of it.',
        ],
        ['How it was made', 'Whether events are true, no file can tell.'],
        ['Who can check it', `Anyone with the file: its SHA-256 is above, and each event has its hash. The same version of epcis-edge says the same.`],
        ...gaps.map((gap) => ['Not complete', gap]),
      ],
    },
  ];
  return { type: 'OK', report: `Verdict on ${name}`, made: made.toISOString(), asked: [], sheets, gaps };
}

function schemaSays({ value, error }: Tried<Verdict | XmlVerdict>): string {
  if (error) return `the document cannot be judged: ${error.message}`;
  return value.valid ? 'valid' : `not valid: ${counted(value.errors.length, 'error', 'errors')}`;
}

function checksSay({ value, error }: Tried<CheckReport>): string {
  if (error) return `the document cannot be checked: ${error.message}`;
  const { error: errors, warning, hint } = value.counts;
  const parts = (
    [
      [errors, 'error', 'errors'],
      [warning, 'warning', 'warnings'],
      [hint, 'hint', 'hints'],
    ] as const
  ).filter(([count]) => count > 0);
  return parts.length === 0 ? 'no problems found' : parts.map(([count, one, many]) => counted(count, one, many)).join(', ');
}
