#!/usr/bin/env bash
# Prints the paths of the server and the initdb of a PostgreSQL with Citus for the tests, one per line. It is built once, into target/citus,
# from the sources that lie beside the repository, or where EPCIS_EDGE_ENGINES says: no package registry has it.
set -euo pipefail
cd "$(dirname "$0")/.."
engines=${EPCIS_EDGE_ENGINES:-../shared/engines}
to=target/citus
source=$(compgen -G "$engines/citus-*.tar.xz" | sort -V | tail -n 1) || {
  printf 'missing: the source of Citus in %s\n    what to do: set EPCIS_EDGE_ENGINES to the folder that has it\n' "$engines" >&2
  exit 1
}
mkdir -p target
exec 9>target/citus.lock
flock 9
stamp=$(cat "$source" "$engines/build-citus.sh" | sha256sum)
if [ "$(cat "$to/built" 2>/dev/null)" != "$stamp" ]; then
  rm -rf "$to"
  ./scripts/postgres.sh >/dev/null
  if [ ! -e /usr/include/postgresql/15/server/postgres.h ] && command -v apt-get >/dev/null; then
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    # The lock of program.sh.
    flock "${TMPDIR:-/tmp}/epcis-edge-packages.lock" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
      postgresql-server-dev-15 libcurl4-openssl-dev liblz4-dev libzstd-dev libssl-dev libxml2-dev libkrb5-dev libpam0g-dev libselinux1-dev libxslt1-dev gcc make xz-utils >&2
  fi
  "$engines/build-citus.sh" "$source" "$to" >&2
  rm -rf "$to"/citus-* "$to/root"
  echo "$stamp" >"$to/built"
fi
printf '%s\n' "$PWD/$to/lib/postgresql/15/bin/postgres" "$PWD/$to/lib/postgresql/15/bin/initdb"
