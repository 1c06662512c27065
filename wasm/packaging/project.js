// The package as packed by npm, installed in an empty project outside the repository.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { files, folders } from '../tests/vectors.js';

export const here = fileURLToPath(new URL('./', import.meta.url));
export const bin = (name) => fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));
/** The npm package with the binary of the oldest supported Node.js. */
const oldNode = `node-${process.platform}-${process.arch}`;

export function makeProject() {
  const folder = mkdtempSync(join(tmpdir(), 'epcis-edge-packed-'));
  const run = (program, args, options = {}) => execFileSync(program, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30, ...options });
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: join(here, '..') }));
  const tarball = join(folder, filename);
  writeFileSync(join(folder, 'package.json'), '{"name": "user", "private": true, "type": "module"}');
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball, `${oldNode}@22.20.0`]);
  copyFileSync(join(here, 'answers.js'), join(folder, 'answers.js'));
  mkdirSync(join(folder, 'public'));
  return {
    folder,
    tarball,
    run,
    node22: join(folder, 'node_modules', oldNode, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    write: (name, content) => writeFileSync(join(folder, name), content),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** All vectors except large ones: `[{name, base64}]`. */
export function vectors() {
  return files('.json', '.xml')
    .map((file) => ({
      name: relative(
        folders.find((folder) => file.startsWith(folder)),
        file,
      ),
      bytes: readFileSync(file),
    }))
    .filter(({ bytes }) => bytes.length < 200_000)
    .map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }));
}
