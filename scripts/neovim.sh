#!/usr/bin/env bash
# Prints the path of a Neovim, an editor that asks the language server in the tests: see program.sh.
set -euo pipefail
exec "$(dirname "$0")/program.sh" NVIM Neovim neovim nvim
