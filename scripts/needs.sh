#!/usr/bin/env bash
# Checks for required programs, and adds the wasm target.
#
#     needs.sh rust|node
set -euo pipefail

missing() {
  printf 'missing: %s\n    what to do: %s, then run make again\n' "$1" "$2" >&2
  exit 1
}

case ${1:-} in
  node)
    command -v npm >/dev/null || missing "npm" "install Node.js 22.20 or newer"
    ;;
  rust)
    command -v cargo >/dev/null || missing "cargo" "install Rust with rustup"
    command -v rustup >/dev/null || missing "rustup" "install Rust with rustup, which adds the wasm target"
    # rust-toolchain.toml names the version, components and target; the first call of rustc installs them.
    if ! rustup target list --installed | grep -qx wasm32-unknown-unknown; then
      rustup target add wasm32-unknown-unknown ||
        missing "the target wasm32-unknown-unknown" "run 'rustup target add wasm32-unknown-unknown' where its server can be reached"
    fi
    ;;
  *)
    printf 'usage: needs.sh rust|node\n' >&2
    exit 2
    ;;
esac
