// The command `fix`: writes documents with the characters that were meant, and lists each change.
import { existsSync } from 'node:fs';
import { parse, format } from 'node:path';
import { repair } from '../../check/node.ts';
import type { Repair, RepairChange } from '../../check/index.ts';
import type { Run } from '../command.ts';
import { complain, EXIT, each, nameOf } from '../each.ts';
import { Usage } from '../files.ts';
import { type Line, type Part, paint, tell } from '../harmless.ts';
import { writeWhole } from '../output.ts';
import { oneOf } from '../tools.ts';

/** `in/document.json` becomes `in/document.fixed.json`. */
function beside(file: string): string {
  const { dir, name, ext } = parse(file);
  return format({ dir, base: `${name}.fixed${ext}` });
}

export const fix: Run = (files, options, output) => {
  const zone = oneOf('zone', options.zone, ['from-offset']);
  const isGiven = options.output !== undefined;
  if (isGiven && options.json) throw new Usage('--json and -o exclude each other: -o takes the document');
  if (isGiven && files.length > 1) throw new Usage(`-o takes one document, and ${files.length} are given`);
  return each<Repair>(files, options, {
    line: false,
    whole: (bytes) => repair(bytes, { zone }),
    hint: 'cut it into several files first',
    sum: ({ refused }) => (refused > 0 ? [['red', `${refused} not read`]] : []),
    fine: 'done',
    async print(label, { text, count, changes }) {
      const { file } = label;
      const isPayload = isGiven || (file === '-' && !options.json);
      if (isGiven && label.isOneOfMany) throw new Usage(`-o takes one document, and ${files[0]} has several`);
      const written = isPayload || file === '-' || count === 0 ? undefined : beside(file);
      if (written !== undefined) {
        if (existsSync(written)) {
          complain(new Usage(`${written} is there already, expected a name that is free; -o writes to another file`), label, options.json);
          return EXIT.usage;
        }
        writeWhole(written, text);
      }
      if (isPayload) await output.write(text, text.trimStart().startsWith('<') ? 'xml' : 'json');
      if (options.json) await output.json({ file, ...(written === undefined ? {} : { written }), count, changes });
      else if (!options.quiet) {
        const lines = changes.map((change): Line => ['  ', paint('bold', `${nameOf(label)}:${change.line}:${change.column}`), ...described(change)]);
        const more = count > changes.length ? [`  and ${count - changes.length} more`] : [];
        const said = count === 0 ? 'nothing to repair' : `${count} ${count === 1 ? 'change' : 'changes'}${written === undefined ? '' : `, in ${written}`}`;
        const all: Line[] = [[paint('bold', nameOf(label)), ': ', paint(count === 0 ? 'green' : 'yellow', said)], ...lines, ...more];
        if (isPayload) tell(...all);
        else await output.say(...all);
      }
      return EXIT.ok;
    },
  });
};

/** A change in words. What was only taken away has nothing in its place. */
function described({ found, written, reason }: RepairChange): Part[] {
  if (reason === 'no-zone') return [` ${written} added: the offset of its event`];
  const cut = written.length > 100 ? `${written.slice(0, 100)}…` : written;
  return [` ${found} ${written === '' ? 'taken away' : `becomes ${written.trim() === '' ? 'a blank' : cut}`}`];
}
