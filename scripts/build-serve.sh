#!/usr/bin/env bash
# Builds the Worker, the npm package and the agent process with the profile `serve`: in a fraction of the time, but the files are larger
# and slower. The core is compiled once. One file has everything that the files of a release for pages have, and stands in for each.
#
#     build-serve.sh pages     the Worker, and what pages and the package load
#     build-serve.sh agent     the engine of the agent process
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
built=target/wasm32-unknown-unknown/serve

case ${1:-} in
  pages)
    scripts/cargo-wasm.sh serve epcis-edge-wasm \
      --features epcis-edge-wasm/streams,epcis-edge-wasm/pictures,epcis-edge-wasm/checks,epcis-edge-wasm/following,epcis-edge-wasm/reports,epcis-edge-wasm/spreadsheets,epcis-edge-wasm/proofs
    scripts/bindgen.sh $built/epcis_edge_wasm.wasm wasm/dist &
    scripts/bindgen.sh $built/epcis_edge_worker.wasm target/worker/serve
    wait $!
    mkdir -p worker/build
    cp target/worker/serve/epcis_edge_bg.wasm worker/build/index_bg.wasm
    scripts/bundle-worker.sh target/worker/serve
    for folder in wasm/dist/{page,check,follow,report,xlsx,proof}; do
      mkdir -p "$folder"
      cp wasm/dist/epcis_edge* "$folder"
    done
    scripts/inline-engine.sh
    ;;
  agent)
    scripts/cargo-wasm.sh serve epcis-edge-wasm --no-default-features --features epcis-edge-wasm/agent
    scripts/bindgen.sh $built/epcis_edge_wasm.wasm wasm/mcp/dist
    ;;
  *)
    printf 'usage: build-serve.sh pages|agent\n' >&2
    exit 2
    ;;
esac
