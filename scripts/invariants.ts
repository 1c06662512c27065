// Lists the invariants of the product: the comments of the form `// Invariant: …` (`#` in TOML), each in the file of the test or the
// lint that keeps it. A comment goes on in the lines below it.
//
//     invariants.ts
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);

/** What always holds, and where. */
export function invariants(): { file: string; text: string }[] {
  const files = execFileSync('git', ['grep', '-lE', '^(//|#) Invariant: '], { cwd: fileURLToPath(root), encoding: 'utf8' });
  return files
    .trim()
    .split('\n')
    .flatMap((file) => {
      const found = readFileSync(new URL(file, root), 'utf8').matchAll(/^(\/\/|#) Invariant: (.*(?:\n\1 (?!Invariant: ).+)*)/gm);
      return [...found].map(([, mark, text = '']) => ({ file, text: text.replaceAll(`\n${mark} `, ' ') }));
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const { file, text } of invariants()) console.log(`${text}\n    ${file}`);
