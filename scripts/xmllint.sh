#!/usr/bin/env bash
# Prints the path of an xmllint for the tests: $XMLLINT, one on the PATH, or Debian's, installed when that is permitted.
set -euo pipefail
if [ -n "${XMLLINT:-}" ]; then
  [ -x "$XMLLINT" ] || { printf 'XMLLINT=%s is no program\n    what to do: name one, or unset it\n' "$XMLLINT" >&2; exit 1; }
  echo "$XMLLINT"
  exit
fi
command -v xmllint && exit
if command -v apt-get >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  {
    "${as_root[@]}" apt-get update -q &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends libxml2-utils
  } >&2 || true
fi
command -v xmllint && exit
printf 'missing: xmllint\n    what to do: install it (apt-get install libxml2-utils), or set XMLLINT to its path\n' >&2
exit 1
