// Compiles the sources of the npm packages: wasm/js into wasm/lib, what it runs and the declarations of its entry points; wasm/mcp/src into
// wasm/mcp/lib.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, 'wasm');

/** The files that a tree of exports, imports or programs names. */
const named = (tree: string | object): string[] => (typeof tree === 'string' ? [join(folder, tree)] : Object.values(tree).flatMap(named));

rmSync(join(folder, 'lib'), { recursive: true, force: true });
execFileSync(join(root, 'node_modules/.bin/tsc'), ['--project', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' });

// Other files are types that no program loads, or declarations of what nobody can import.
const { exports, imports, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const wanted = new Set([exports, imports, bin].flatMap(named).filter((file) => file.startsWith(join(folder, 'lib'))));
for (const file of wanted) {
  if (!existsSync(file)) throw new Error(`${file} is named by wasm/package.json, or imported, and is not there`);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/'(\.\.?\/[^'\n]+\.(?:js|ts))'/g)) {
    const next = join(file, '..', file.endsWith('.d.ts') ? path.replace(/\.ts$/, '.d.ts') : path);
    if (next.startsWith(join(folder, 'lib')) && !next.endsWith('.ts') === !file.endsWith('.ts')) wanted.add(next);
  }
}
for (const file of globSync(join(folder, 'lib/**/*.{js,ts}'))) if (!wanted.has(file)) rmSync(file);

buildSync({ entryPoints: globSync(join(folder, 'mcp/src/*.ts')), outdir: join(folder, 'mcp/lib'), format: 'esm', platform: 'node' });

// npm links a program when it installs, and only if it is there: in a fresh clone it is not, and `npx` would not find it.
for (const [name, path] of Object.entries<string>(bin)) {
  const link = join(root, 'node_modules/.bin', name);
  chmodSync(join(folder, path), 0o755);
  rmSync(link, { force: true });
  symlinkSync(join('../epcis-edge', path), link);
}
