#!/usr/bin/env bash
# Serves the built Worker in real workerd, with local D1, on loopback.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root/worker"
port=${PORT:-8787}
address=http://127.0.0.1:$port

if curl -s -o /dev/null --max-time 2 "$address/"; then
  printf 'something answers on %s already\n    what to do: stop it, or choose another port: PORT=8788 make serve\n' "$address" >&2
  exit 1
fi

printf '\n==> local D1 migrations\n'
if compgen -G 'migrations/*.sql' >/dev/null; then
  wrangler d1 migrations apply DB --local --persist-to "$root/.wrangler/state"
else
  echo 'none yet'
fi

printf '\n==> workerd\n'
wrangler dev --ip 127.0.0.1 --port "$port" --persist-to "$root/.wrangler/state" --show-interactive-dev-session=false &
wrangler=$!
trap 'kill "$wrangler" 2>/dev/null || true' EXIT INT TERM

for _ in $(seq 240); do
  if curl -s -o /dev/null --max-time 2 "$address/"; then
    cat <<END

epcis-edge is at $address (Ctrl-C stops it): the playground in a browser, the doors for programs. Try:

  curl -s $address/validate -H 'Content-Type: application/json' --data-binary @tests/vectors/validate/cbv-word-misspelt/input.json

END
    wait "$wrangler"
    exit
  fi
  kill -0 "$wrangler" 2>/dev/null || break
  sleep 0.25
done
printf 'wrangler did not come up\n    what to do: read its message above; PORT=8788 make serve uses another port\n' >&2
exit 1
