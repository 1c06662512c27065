#!/usr/bin/env bash
# Builds the Worker into worker/build with the pinned tools; worker-build would download its own.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
export WASM_BINDGEN_BIN="$root/.tools/bin/wasm-bindgen"
export ESBUILD_BIN="$root/node_modules/.bin/esbuild"
export WASM_OPT_BIN="$root/node_modules/.bin/wasm-opt"
cd "$root/worker"
"$root/.tools/bin/worker-build" --release
# The names of functions are two hundred kilobytes that nobody reads at the edge.
"$WASM_OPT_BIN" --all-features --strip-debug build/index_bg.wasm -o build/index_bg.wasm
touch build/index.js
printf 'the Worker is %s bytes gzipped\n' "$(cat build/index.js build/index_bg.wasm | gzip -9c | wc -c)"
