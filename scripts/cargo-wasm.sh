#!/usr/bin/env bash
# Builds a crate as WebAssembly. The file names sources by paths that are the same on every machine, so two builds of one commit are equal.
#
#     cargo-wasm.sh PROFILE CRATE [ARGUMENT…]
#
# The Worker is always built, too: what its procedural macros need of `syn` would have everything compiled once more without it.
set -euo pipefail
cd "$(dirname "$0")/.."
home=${CARGO_HOME:-$HOME/.cargo}
cargo build --profile "$1" --package epcis-edge-worker --package "$2" --locked --target wasm32-unknown-unknown \
  --config "target.wasm32-unknown-unknown.rustflags = ['--remap-path-prefix=$PWD=epcis-edge', '--remap-path-prefix=$home=cargo']" "${@:3}"
