#!/usr/bin/env bash
# Builds the Worker of a release into worker/build, with the pinned tools. build-serve.sh builds the one for serving and for tests.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

scripts/cargo-wasm.sh release epcis-edge-worker
engine=target/worker/release
scripts/bindgen.sh target/wasm32-unknown-unknown/release/epcis_edge_worker.wasm "$engine"
mkdir -p worker/build
# Function names are 200 kB of no use in production. -O3 would take four times as long, for a larger file. A page validates a tenth
# faster with it, but here the database and the network take most of the time.
node_modules/.bin/wasm-opt -O1 --strip-debug "$engine/epcis_edge_bg.wasm" -o worker/build/index_bg.wasm
scripts/bundle-worker.sh "$engine"
for entry in index objects; do
  printf 'the Worker %s is %s bytes gzipped\n' "$entry" "$(cat "worker/build/$entry.js" worker/build/index_bg.wasm | gzip -9c | wc -c)"
done
