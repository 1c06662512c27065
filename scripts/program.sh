#!/usr/bin/env bash
# Prints the path of a program for the tests: the one named by a variable, one on the PATH or in a folder, or Debian's, which is
# installed if permitted.
#
#     program.sh VARIABLE TITLE PACKAGES NAME…
#
# VARIABLE may contain the path of the program. PACKAGES are Debian packages, separated by blanks. A NAME with a slash is a path pattern.
set -euo pipefail
variable=$1 title=$2 packages=$3
shift 3
chosen=${!variable:-}
if [ -n "$chosen" ]; then
  [ -x "$chosen" ] || { printf '%s=%s is not a program\n    what to do: set it to the path of a program, or unset it\n' "$variable" "$chosen" >&2; exit 1; }
  echo "$chosen"
  exit
fi
find_one() {
  local name path
  for name in "$@"; do
    if [[ $name == */* ]]; then
      # The last one in order is the newest version.
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
    # One at a time: apt-get fails where another one runs.
    exec 9>"${TMPDIR:-/tmp}/epcis-edge-packages.lock"
    flock 9
    find_one "$@" >&2 ||
      { "${as_root[@]}" apt-get update -q &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${wanted[@]}"; }
  } >&2 || true
fi
find_one "$@" && exit
printf 'missing: %s\n    what to do: install it (apt-get install %s), or set %s to its path\n' "$title" "$packages" "$variable" >&2
exit 1
