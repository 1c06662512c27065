#!/usr/bin/env bash
# Prints the path of a LibreOffice that reads spreadsheets for the tests: see program.sh.
set -euo pipefail
exec "$(dirname "$0")/program.sh" SOFFICE LibreOffice libreoffice-calc-nogui soffice libreoffice
