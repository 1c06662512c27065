#!/usr/bin/env bash
# Prints the path of an xmllint for the tests: see program.sh.
set -euo pipefail
exec "$(dirname "$0")/program.sh" XMLLINT xmllint libxml2-utils xmllint
