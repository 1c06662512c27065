#!/usr/bin/env bash
# Bundles the Worker's scripts into worker/build, beside its WebAssembly: index.js for D1, objects.js also with the class of the objects.
#
#     bundle-worker.sh FOLDER     the folder with the engine's epcis_edge.js, below the repository
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
bundle() {
  node_modules/.bin/esbuild "worker/js/$1.ts" --bundle --minify --format=esm --log-level=warning --alias:engine="./$engine/epcis_edge.js" \
    --external:./index_bg.wasm --external:cloudflare:* "--outfile=worker/build/$1.js" "${@:2}"
}
engine=$1
bundle index
# One statement at a time, because the storage of an object limits the length of a text.
node --input-type=module -e "
  import { readdirSync, readFileSync } from 'node:fs';
  import { unstable_splitSqlQuery as split } from 'wrangler';
  const files = readdirSync('worker/migrations').sort();
  console.log(JSON.stringify(files.map((file) => split(readFileSync('worker/migrations/' + file, 'utf8')))));
" > "$engine/migrations.json"
bundle objects "--alias:migrations=./$engine/migrations.json"
