#!/usr/bin/env bash
# Prints the paths of PostgreSQL's server and its initdb for the tests, one per line: see program.sh.
set -euo pipefail
here=$(dirname "$0")
# Keeps Debian from creating and starting a database: the tests create their own.
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ ! -e /etc/postgresql-common/createcluster.conf ]; then
  mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
fi
"$here/program.sh" POSTGRES 'the server of PostgreSQL' postgresql '/usr/lib/postgresql/*/bin/postgres' postgres
"$here/program.sh" INITDB "PostgreSQL's initdb" postgresql '/usr/lib/postgresql/*/bin/initdb' initdb
