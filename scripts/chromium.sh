#!/usr/bin/env bash
# Prints the path of a Chromium for the tests: $CHROMIUM, one on the PATH, or Debian's, installed when that is permitted.
set -euo pipefail
if [ -n "${CHROMIUM:-}" ]; then
  [ -x "$CHROMIUM" ] || { printf 'CHROMIUM=%s is no program\n    what to do: name one, or unset it\n' "$CHROMIUM" >&2; exit 1; }
  echo "$CHROMIUM"
  exit
fi
find_one() {
  local name
  for name in chromium chromium-browser google-chrome-stable google-chrome; do
    command -v "$name" && return
  done
  return 1
}
find_one && exit
if command -v apt-get >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  {
    "${as_root[@]}" apt-get update -q &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium
  } >&2 || true
fi
find_one && exit
printf 'missing: Chromium\n    what to do: install it (apt-get install chromium), or set CHROMIUM to the path of Chromium or Chrome\n' >&2
exit 1
