#!/usr/bin/env bash
# Prints the path of a program for the tests: what a variable names, one on the PATH or in a folder, or Debian's, installed when that
# is permitted.
#
#     program.sh VARIABLE TITLE PACKAGES NAME…
#
# VARIABLE may name the program; PACKAGES are Debian's, separated by blanks; a NAME with a slash is a pattern of paths.
set -euo pipefail
variable=$1 title=$2 packages=$3
shift 3
chosen=${!variable:-}
if [ -n "$chosen" ]; then
  [ -x "$chosen" ] || { printf '%s=%s is no program\n    what to do: name one, or unset it\n' "$variable" "$chosen" >&2; exit 1; }
  echo "$chosen"
  exit
fi
find_one() {
  local name path
  for name in "$@"; do
    if [[ $name == */* ]]; then
      # The newest version is the last one.
      path=$(compgen -G "$name" | sort -V | tail -n 1) || continue
      [ -x "$path" ] && echo "$path" && return
    else
      command -v "$name" && return
    fi
  done
  return 1
}
find_one "$@" && exit
if command -v apt-get >/dev/null; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  read -ra wanted <<<"$packages"
  {
    "${as_root[@]}" apt-get update -q &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${wanted[@]}"
  } >&2 || true
fi
find_one "$@" && exit
printf 'missing: %s\n    what to do: install it (apt-get install %s), or set %s to its path\n' "$title" "$packages" "$variable" >&2
exit 1
