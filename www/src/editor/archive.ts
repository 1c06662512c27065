// Opens the documents in a ZIP archive: what of them can be opened, and what is said of the others. Loaded with the first archive.
import { MOST } from '../page/documents.ts';
import type { ArchiveProblem, SkippedKind, Unzipped } from './unzip.ts';
import { sizeText } from '../shared/words.ts';

const OPENED = /\.(?:json|jsonld|ndjson|jsonl|xml|csv|txt)$/i;

/**
 * The documents in an archive: `{files: [{name, bytes}], words}`. `words` say what was opened and what was not. `unzip` is the function of
 * the engine's thread.
 */
export async function openArchive(
  unzip: (bytes: ArrayBuffer) => Promise<Unzipped>,
  bytes: ArrayBuffer,
  archive: string,
): Promise<{ readonly files: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[]; readonly words: string }> {
  const unzipped = await unzip(bytes);
  if (unzipped.problem !== undefined) return { files: [], words: `${archive} was not opened: ${problemWords(unzipped.problem)}` };
  const { entries, skipped } = unzipped;
  if (entries.some(({ name }) => name === '[Content_Types].xml'))
    return { files: [], words: `${archive} is a file of an office program. Save its table as CSV, and open that.` };
  const fit = entries.filter(({ name }) => OPENED.test(name));
  const files = fit.slice(0, MOST - 1).map(({ name, bytes: own }) => ({ name: name.split('/').at(-1)!, bytes: own }));
  const left = [
    ...skipped.map(({ name, kind }) => `${short(name)} (${SKIPPED[kind]})`),
    ...entries.filter(({ name }) => !OPENED.test(name)).map(({ name }) => short(name)),
    ...fit.slice(MOST - 1).map(({ name }) => `${short(name)} (too many documents)`),
  ];
  const rest = left.length === 0 ? '' : ` Not opened: ${left.slice(0, 5).join(', ')}${left.length > 5 ? ` and ${left.length - 5} more` : ''}.`;
  return {
    files,
    words:
      files.length === 0 ? `${archive} holds no document.${rest}` : `${files.length} of ${entries.length + skipped.length} files of ${archive} opened.${rest}`,
  };
}

const short = (name: string) => (name.length > 60 ? `…${name.slice(-58)}` : name);
function problemWords({ kind, limit }: ArchiveProblem): string {
  if (kind === 'damaged') return 'it is damaged.';
  return kind === 'size' ? `what is inside is larger than ${sizeText(limit)}.` : `it has more than ${limit.toLocaleString('en')} files.`;
}
const SKIPPED: Readonly<Record<SkippedKind, string>> = {
  archive: 'an archive inside of the archive: unpack it first',
  encrypted: 'encrypted',
  method: 'packed in a way that is not known here',
  damaged: 'damaged',
};
