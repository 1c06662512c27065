#!/usr/bin/env bash
# Builds the npm package's WebAssembly with the pinned tools, in separate files for pages and programs: documents into wasm/dist,
# checks, following, reports, spreadsheets and proofs into folders of it, and the engine of the agent process into wasm/mcp/dist.
#
#     build-wasm.sh pages|agent [serve]
#
# 'serve' builds in a fraction of the time, but the files are larger and slower.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
what=${1:-} profile=${2:-release}

# FOLDER FEATURE OPTIMIZATION [ARGUMENT OF CARGO...]
build() {
  local folder=$1 file=$1/epcis_edge_bg.wasm
  scripts/cargo-wasm.sh "$profile" epcis-edge-wasm --no-default-features --features "epcis-edge-wasm/$2" "${@:4}"
  scripts/bindgen.sh "target/wasm32-unknown-unknown/$profile/epcis_edge_wasm.wasm" "$folder"
  if [[ $profile != serve ]]; then
    node_modules/.bin/wasm-opt "$3" "$file" -o "$file.opt"
    mv "$file.opt" "$file"
  fi
  printf '%s is %s bytes gzipped\n' "$file" "$(gzip -9c "$file" | wc -c)"
}

case $what in
  pages)
    build wasm/dist streams -O3
    # The same without the streams, for the playground and the web component. It is no part of the package.
    build wasm/dist/page documents -O3
    build wasm/dist/check checks -O3
    # A tenth faster than with 2, and 4 kB larger: see bench/follow.js.
    build wasm/dist/follow following -O3 --config 'profile.release.package.epcis-edge-core.opt-level=3'
    build wasm/dist/report reports -O3
    # Spreadsheets are written seldom, so this file is optimised for size.
    build wasm/dist/xlsx spreadsheets -O3 --config 'profile.release.package.epcis-edge-core.opt-level="z"'
    # Pages load this file for one proof or a few, so it is optimised for size.
    build wasm/dist/proof proofs -O3 --config 'profile.release.package.epcis-edge-core.opt-level="z"'
    # The same file within a script, for bundlers that do not copy files.
    { printf 'export default "'; base64 < wasm/dist/epcis_edge_bg.wasm | tr -d '\n'; printf '";\n'; } > wasm/dist/inline.js
    ;;
  # -O3 would take four times as long, for a larger file that no page loads. Built together with the Worker, both use the same
  # libraries with the same features, which are then compiled once: 55 s of processor instead of 207.
  agent) build wasm/mcp/dist agent -O1 --package epcis-edge-worker ;;
  *)
    printf 'usage: build-wasm.sh pages|agent [serve]\n' >&2
    exit 2
    ;;
esac
