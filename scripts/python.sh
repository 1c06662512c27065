#!/usr/bin/env bash
# Runs a Python script where there is a Python, and says so where there is none.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "python3 is absent: skipped $1"
  exit 0
fi
exec python3 "$@"
