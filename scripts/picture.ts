// Draws which crate uses which, in Mermaid, between the marks in ARCHITECTURE.md; wasm/tests/pages.test.js compares.
//
//     picture.ts
//
// A crate is called by its folder. An arrow that other arrows imply is left out, and so are optional dependencies, and those of tests alone.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = new URL('../ARCHITECTURE.md', import.meta.url);

interface Metadata {
  readonly packages: readonly { readonly name: string; readonly manifest_path: string; readonly dependencies: readonly Dependency[] }[];
}

interface Dependency {
  readonly name: string;
  readonly kind: string | null;
  readonly optional: boolean;
}

/** ARCHITECTURE.md as it is, and with the picture of the crates as they are. */
export function pictured(): [found: string, made: string] {
  const found = execFileSync('cargo', ['metadata', '--no-deps', '--offline', '--locked', '--format-version=1'], { cwd: root, encoding: 'utf8' });
  const { packages }: Metadata = JSON.parse(found);
  const folders = new Map(packages.map(({ name, manifest_path }) => [name, relative(root, dirname(manifest_path))]));
  const used = new Map(
    packages.map(({ name, dependencies }) => [
      folders.get(name) ?? '',
      new Set(dependencies.filter((one) => one.kind === null && !one.optional && folders.has(one.name)).map((one) => folders.get(one.name) ?? '')),
    ]),
  );
  const below = (crate: string): string[] => [...(used.get(crate) ?? [])].flatMap((one) => [one, ...below(one)]);
  const arrows = [...used].flatMap(([crate, uses]) => {
    const implied = new Set([...uses].flatMap(below));
    return [...uses].filter((one) => !implied.has(one)).map((one) => `  ${crate} --> ${one}`);
  });
  const text = readFileSync(page, 'utf8');
  const made = `\n\n\`\`\`mermaid\nflowchart TD\n${arrows.sort().join('\n')}\n\`\`\`\n\n`;
  return [text, text.replace(/(?<=<!-- made by node scripts\/picture\.ts -->).*?(?=<!-- end of what is made -->)/s, made)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, pictured()[1]);
