#!/usr/bin/env bash
# Builds the Worker into worker/build with the pinned tools. 'serve' builds in a fraction of the time, but larger and slower.
# One engine with two entry points: index.js for D1, postgres.js also with the PostgreSQL driver.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
profile=${1:-release}

scripts/cargo-wasm.sh "$profile" epcis-edge-worker
engine=target/worker/$profile
scripts/bindgen.sh "target/wasm32-unknown-unknown/$profile/epcis_edge_worker.wasm" "$engine"
mkdir -p worker/build
if [[ $profile == serve ]]; then
  cp "$engine/epcis_edge_bg.wasm" worker/build/index_bg.wasm
else
  # Function names are 200 kB of no use in production. -O3 would take four times as long, for a larger file. A page validates a
  # tenth faster with it, but here the database and the network take most of the time.
  node_modules/.bin/wasm-opt -O1 --all-features --strip-debug "$engine/epcis_edge_bg.wasm" -o worker/build/index_bg.wasm
fi
bundle() {
  node_modules/.bin/esbuild "worker/js/$1.js" --bundle --minify --format=esm --log-level=warning --alias:engine="./$engine/epcis_edge.js" \
    --external:./index_bg.wasm --external:cloudflare:* "--outfile=worker/build/$1.js" "${@:2}"
}
bundle index
# The driver loads Node modules with require, but workerd knows them by names with the prefix `node:`.
bundle postgres --platform=node --conditions=workerd,worker --external:pg-native --external:node:* \
  --banner:js="import { createRequire } from 'node:module'; const require = createRequire('/worker.js');"
for entry in index postgres; do
  printf 'the Worker %s is %s bytes gzipped\n' "$entry" "$(cat "worker/build/$entry.js" worker/build/index_bg.wasm | gzip -9c | wc -c)"
done
