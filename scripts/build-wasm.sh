#!/usr/bin/env bash
# Builds the npm package's WebAssembly into wasm/dist with the pinned tools.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
cargo build --release --locked -p epcis-edge-wasm --target wasm32-unknown-unknown
rm -rf wasm/dist
.tools/bin/wasm-bindgen --target web --no-typescript --out-name epcis_edge --out-dir wasm/dist \
  target/wasm32-unknown-unknown/release/epcis_edge_wasm.wasm
node_modules/.bin/wasm-opt -O3 wasm/dist/epcis_edge_bg.wasm -o wasm/dist/epcis_edge_bg.wasm.opt
mv wasm/dist/epcis_edge_bg.wasm.opt wasm/dist/epcis_edge_bg.wasm
printf 'the browser wasm is %s bytes gzipped\n' "$(gzip -9c wasm/dist/epcis_edge_bg.wasm | wc -c)"
