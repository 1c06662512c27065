#!/usr/bin/env bash
# Writes wasm/dist/inline.js, the package's WebAssembly within a script, for bundlers that do not copy files.
set -euo pipefail
cd "$(dirname "$0")/../wasm/dist"
{ printf 'export default "'; base64 < epcis_edge_bg.wasm | tr -d '\n'; printf '";\n'; } > inline.js
