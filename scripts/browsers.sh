#!/usr/bin/env bash
# Prints the paths of Firefox, WebKit's driver, WebKit and a virtual display for the tests, one per line: see program.sh.
set -euo pipefail
here=$(dirname "$0")
"$here/program.sh" FIREFOX Firefox firefox-esr firefox-esr firefox
"$here/program.sh" WEBKIT_DRIVER "WebKit's driver" webkit2gtk-driver WebKitWebDriver
"$here/program.sh" WEBKIT WebKit webkit2gtk-driver '/usr/lib/*/webkit2gtk-4*/MiniBrowser'
"$here/program.sh" XVFB 'a display without a screen' xvfb Xvfb
