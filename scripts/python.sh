#!/usr/bin/env bash
# Runs a Python script if Python is installed; otherwise reports that it is skipped.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "python3 is not installed: skipped $1"
  exit 0
fi
exec python3 "$@"
