#!/usr/bin/env bash
# Prints the path of a Chromium for the tests: see program.sh.
set -euo pipefail
exec "$(dirname "$0")/program.sh" CHROMIUM 'Chromium or Chrome' chromium chromium chromium-browser google-chrome-stable google-chrome
