#!/usr/bin/env bash
# Prints the path of a Go toolchain for the tests: one on the PATH, or Debian's, which is installed if permitted.
set -euo pipefail
command -v go && exit
if command -v apt-get >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  {
    "${as_root[@]}" apt-get update -q &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends golang-go
  } >&2 || true
fi
command -v go && exit
printf 'missing: Go\n    what to do: install it (apt-get install golang-go); without it the tests with Go programs are skipped\n' >&2
exit 1
