#!/usr/bin/env bash
# Writes epcis_edge.js and epcis_edge_bg.wasm to a folder, from cargo's output, with the pinned tool in .tools.
#
#     bindgen.sh INPUT.wasm FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
rm -f "$2"/epcis_edge*
"$root/.tools/bindgen" "$1" "$2" epcis_edge
