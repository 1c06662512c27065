#!/usr/bin/env bash
# Builds the npm package's WebAssembly into wasm/dist with the pinned tools: all of it, or what 'page' or 'agent' load.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
what=${1:-all}

# build FOLDER [CARGO-OPTION…]
build() {
  local folder=$1
  shift
  rm -f "$folder"/epcis_edge*
  cargo build --release --locked -p epcis-edge-wasm --target wasm32-unknown-unknown "$@"
  .tools/bin/wasm-bindgen --target web --no-typescript --out-name epcis_edge --out-dir "$folder" \
    target/wasm32-unknown-unknown/release/epcis_edge_wasm.wasm
  node_modules/.bin/wasm-opt -O3 "$folder/epcis_edge_bg.wasm" -o "$folder/epcis_edge_bg.wasm.opt"
  mv "$folder/epcis_edge_bg.wasm.opt" "$folder/epcis_edge_bg.wasm"
}

if [[ $what != page ]]; then
  # With the agent door and its store, for 'epcis-edge mcp' alone.
  build wasm/dist/agent --features agent
fi
if [[ $what != agent ]]; then
  # What pages and programs load.
  build wasm/dist
  # The same file inside of a script, for bundles that leave files behind.
  { printf 'export default "'; base64 < wasm/dist/epcis_edge_bg.wasm | tr -d '\n'; printf '";\n'; } > wasm/dist/inline.js
  printf 'the browser wasm is %s bytes gzipped\n' "$(gzip -9c wasm/dist/epcis_edge_bg.wasm | wc -c)"
fi
