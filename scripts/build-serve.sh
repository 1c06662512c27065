#!/usr/bin/env bash
# Builds the Worker, the npm package and the agent process with the profile `serve`: in a fraction of the time, but the files are larger
# and slower. The core is compiled once. One file has everything that the files of a release have, and stands in for each of them.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

scripts/cargo-wasm.sh serve epcis-edge-worker --package epcis-edge-wasm \
  --features epcis-edge-wasm/streams,epcis-edge-wasm/checks,epcis-edge-wasm/following,epcis-edge-wasm/reports,epcis-edge-wasm/spreadsheets,epcis-edge-wasm/proofs,epcis-edge-wasm/agent
scripts/bindgen.sh target/wasm32-unknown-unknown/serve/epcis_edge_worker.wasm target/worker/serve
mkdir -p worker/build
cp target/worker/serve/epcis_edge_bg.wasm worker/build/index_bg.wasm
scripts/bundle-worker.sh target/worker/serve

scripts/bindgen.sh target/wasm32-unknown-unknown/serve/epcis_edge_wasm.wasm wasm/dist
for folder in wasm/dist/{page,check,follow,report,xlsx,proof} wasm/mcp/dist; do
  mkdir -p "$folder"
  cp wasm/dist/epcis_edge* "$folder"
done
scripts/inline-engine.sh
