#!/usr/bin/env bash
# Builds the npm package's WebAssembly with the pinned tools: what pages and programs load into wasm/dist, and what the agent process
# loads into wasm/mcp/dist.
#
#     build-wasm.sh page|proof|agent [serve]
#
# 'serve' builds it in a fraction of the time, larger and slower.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
what=$1 profile=${2:-release}

case $what in
  page) folder=wasm/dist features=() optimization=-O3 ;;
  # Proofs alone, for those who verify one.
  proof) folder=wasm/dist/proof features=(--no-default-features --features proofs) optimization=-O3 ;;
  # With the agent door and its store, which no page uses. -O3 would take four times as long, for a larger file.
  agent) folder=wasm/mcp/dist features=(--features agent) optimization=-O1 ;;
  *)
    printf 'usage: build-wasm.sh page|proof|agent [serve]\n' >&2
    exit 2
    ;;
esac

cargo build --profile "$profile" --locked -p epcis-edge-wasm --target wasm32-unknown-unknown "${features[@]}"
scripts/bindgen.sh "target/wasm32-unknown-unknown/$profile/epcis_edge_wasm.wasm" "$folder"
if [[ $profile != serve ]]; then
  node_modules/.bin/wasm-opt $optimization "$folder/epcis_edge_bg.wasm" -o "$folder/epcis_edge_bg.wasm.opt"
  mv "$folder/epcis_edge_bg.wasm.opt" "$folder/epcis_edge_bg.wasm"
fi
if [[ $what == page ]]; then
  # The same file inside of a script, for bundles that leave files behind.
  { printf 'export default "'; base64 < wasm/dist/epcis_edge_bg.wasm | tr -d '\n'; printf '";\n'; } > wasm/dist/inline.js
fi
printf '%s is %s bytes gzipped\n' "$folder/epcis_edge_bg.wasm" "$(gzip -9c "$folder/epcis_edge_bg.wasm" | wc -c)"
