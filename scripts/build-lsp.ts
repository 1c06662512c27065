// Bundles the language server with the library of its protocol into wasm/dist/lsp, with the licences of what is bundled.
//
// The server is part of the package: it needs the engines of the package and nothing else, and is 85 kB of its 3 MB. It is bundled, so
// that the package stays without dependencies, and an import of `epcis-edge` loads none of it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const outdir = `${root}wasm/dist/lsp`;

/** How the bundles of Node are made, here and in the extension for VS Code. Modules of the old kind ask for Node's by `require`. */
export const FOR_NODE: BuildOptions & { readonly metafile: true } = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.20',
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  absWorkingDir: root,
  // The types are checked by tsc.
  tsconfigRaw: {},
  banner: { js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);" },
};

/** The licences of the packages in bundles, as one text. */
export function licencesOf(metafiles: readonly Metafile[]): string {
  const packages = new Set(
    metafiles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  return [...packages]
    .sort()
    .map((name) => {
      const folder = `${root}node_modules/${name}/`;
      const { version, license } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
      const file = readdirSync(folder).find((one) => /^licen[cs]e(?:\.\w+)?$/i.test(one));
      if (file === undefined) throw new Error(`the package ${name} has no licence to ship with the bundle`);
      return `${name} ${version}, ${license}\n\n${readFileSync(`${folder}${file}`, 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const { metafile } = await build({
    ...FOR_NODE,
    entryPoints: ['server', 'judge'].map((name) => `${root}wasm/lsp/${name}.ts`),
    outdir,
    // The package itself is beside the bundle.
    external: ['epcis-edge/*'],
  });
  writeFileSync(`${outdir}/LICENSES.txt`, licencesOf([metafile]));
  const sizes = readdirSync(outdir).map((name) => gzipSync(readFileSync(`${outdir}/${name}`), { level: 9 }).length);
  console.log(`wasm/dist/lsp is ${sizes.reduce((a, b) => a + b)} bytes gzipped`);
}
