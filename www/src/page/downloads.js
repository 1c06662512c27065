// Results that are saved as files.
import { announce, save } from '../shared/dom.ts';

const NAMES = { verdict: 'verdict.json', hashes: 'hashes.json', report: 'fidelity-report.json', csv: 'events.csv' };

/**
 * Makes the function that saves a result as a file, or returns its text if `isText`. `ask` asks the engine about the shown document,
 * whose format is that of `state`.
 */
export const makeDownload =
  (ask, state) =>
  async (what, isText = false) => {
    const text = await ask('download', what);
    if (isText) return text;
    const isXml = what === 'translation' && state.format === 'json';
    const name = NAMES[what] ?? `translation.${isXml ? 'xml' : 'json'}`;
    save(name, text, isXml ? 'application/xml' : what === 'csv' ? 'text/csv' : 'application/json');
    announce(`${name} is saved`);
    return undefined;
  };
