#!/usr/bin/env bash
# Installs the npm packages that package-lock.json pins.
#
# Some want a newer Node.js than the one that may run npm: they are run by the one among these packages, so npm's warning about it
# would only mislead.
set -euo pipefail
npm ci --no-audit --no-fund --loglevel=error
