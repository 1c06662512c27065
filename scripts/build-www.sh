#!/usr/bin/env bash
# Bundles the web component into wasm/dist, and the playground with its example page into www/dist; needs the package's WebAssembly in
# wasm/dist. Prints the sizes of what a page loads, if that is of a release.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
if [ ! -f wasm/dist/page/epcis_edge_bg.wasm ]; then
  printf 'missing: wasm/dist\n    what to do: run scripts/build-wasm.sh, or make build\n' >&2
  exit 1
fi
kind=$([ -e target/stamps/wasm.release ] && echo release || echo serve)
node www/build-component.ts "$kind"
node www/build.ts "$kind"
