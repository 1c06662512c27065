// Results that are saved as files.
import type { Download } from '../engine/document.ts';
import { announce, save } from '../shared/dom.ts';

import type { Page } from './page.ts';
import type { PageAsk, State } from './state.ts';

const NAMES: Readonly<Partial<Record<Download | 'csv', string>>> = {
  verdict: 'verdict.json',
  hashes: 'hashes.json',
  report: 'fidelity-report.json',
  csv: 'events.csv',
};

/**
 * Makes the function that saves a result as a file, or returns its text if `isText`. `ask` asks the engine about the shown document,
 * whose format is that of `state`.
 */
export function makeDownload(ask: PageAsk, state: State): Page['download'] {
  async function download(what: Download | 'csv', isText = false): Promise<string | undefined> {
    const text = await ask('download', what);
    if (isText) return text;
    const isXml = what === 'translation' && state.format === 'json';
    const name = NAMES[what] ?? `translation.${isXml ? 'xml' : 'json'}`;
    save(name, text, isXml ? 'application/xml' : what === 'csv' ? 'text/csv' : 'application/json');
    announce(`${name} is saved`);
    return undefined;
  }
  return download as Page['download'];
}
