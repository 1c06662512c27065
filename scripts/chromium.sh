#!/usr/bin/env bash
# Prints the path of a Chromium; installs Debian's when there is none. CHROMIUM names another one.
set -euo pipefail
if [ -n "${CHROMIUM:-}" ]; then
  [ -x "$CHROMIUM" ] || { printf 'CHROMIUM names %s, which is no program\n    what to do: correct or unset it, then run make again\n' "$CHROMIUM" >&2; exit 1; }
  printf '%s\n' "$CHROMIUM"
  exit
fi
find() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
if ! find >/dev/null && command -v apt-get >/dev/null; then
  as_root=(); [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  { "${as_root[@]}" apt-get update -qq && DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends chromium; } >&2 || true
fi
find || { printf 'missing: a Chromium\n    what to do: install it (on Debian: apt-get install chromium), or name one in CHROMIUM, then run make again\n' >&2; exit 1; }
