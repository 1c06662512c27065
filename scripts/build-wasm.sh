#!/usr/bin/env bash
# Builds the npm package's WebAssembly of a release with the pinned tools, in separate files for pages and programs: documents into
# wasm/dist, checks, following, reports, spreadsheets and proofs into folders of it, and the engine of the agent process into
# wasm/mcp/dist. build-serve.sh builds those for serving and for tests.
#
#     build-wasm.sh pages|agent
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

# FOLDER FEATURE OPTIMIZATION
build() {
  local folder=$1 file=$1/epcis_edge_bg.wasm
  scripts/cargo-wasm.sh release epcis-edge-wasm --no-default-features --features "epcis-edge-wasm/$2"
  scripts/bindgen.sh target/wasm32-unknown-unknown/release/epcis_edge_wasm.wasm "$folder"
  node_modules/.bin/wasm-opt "$3" "$file" -o "$file.opt"
  mv "$file.opt" "$file"
  printf '%s is %s bytes gzipped\n' "$file" "$(gzip -9c "$file" | wc -c)"
}

case ${1:-} in
  pages)
    build wasm/dist streams -O3
    # The documents without the streams, with what pictures need, for the playground and the web component. It is no part of the package.
    build wasm/dist/page pictures -O3
    build wasm/dist/check checks -O3
    build wasm/dist/follow following -O3
    build wasm/dist/report reports -O3
    # Spreadsheets are written seldom, and pages load the file of proofs for one proof or a few: both are optimised for size.
    build wasm/dist/xlsx spreadsheets -Oz
    build wasm/dist/proof proofs -Oz
    scripts/inline-engine.sh
    ;;
  # -O3 would take four times as long, for a larger file that no page loads.
  agent) build wasm/mcp/dist agent -O1 ;;
  *)
    printf 'usage: build-wasm.sh pages|agent\n' >&2
    exit 2
    ;;
esac
