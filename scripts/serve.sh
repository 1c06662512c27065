#!/usr/bin/env bash
# Serves the built Worker in real workerd, with local D1 and KV under .wrangler/state, on loopback.
# The first start makes a demo key and shows it, this once.
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
wrangler d1 migrations apply DB --local --persist-to "$root/.wrangler/state"

printf '\n==> capture keys\n'
keys() { node "$root/scripts/keys.mjs" "$@"; }
listed=$(keys list)
key=
if [[ $listed == 'there are no keys' ]]; then
  key=$(keys create --account https://example.com/accounts/demo --observer https://id.gs1.org/417/9521141000009 \
    --note 'made by the first start' 2>/dev/null)
  echo 'made one: see below'
else
  printf '%s\n' "$listed"
fi

printf '\n==> workerd\n'
wrangler dev --ip 127.0.0.1 --port "$port" --var "BASE_URL:$address" --persist-to "$root/.wrangler/state" --show-interactive-dev-session=false &
wrangler=$!
trap 'kill "$wrangler" 2>/dev/null || true' EXIT INT TERM

for _ in $(seq 240); do
  if curl -s -o /dev/null --max-time 2 "$address/"; then
    if [[ -n $key ]]; then
      secret="  export KEY=$key

That is the demo key. It is shown this once; 'npm run keys -- create' makes others."
    else
      secret="  export KEY=…

A key was shown when it was made; 'npm run keys -- create --account <uri> --observer <uri>' makes another."
    fi
    cat <<END

epcis-edge is at $address (Ctrl-C stops it; what is stored stays in .wrangler/state):
the playground in a browser, the doors for programs.

Without a key:

  curl -s $address/validate -H 'Content-Type: application/json' --data-binary @tests/vectors/validate/cbv-word-misspelt/input.json

With a key, captured and found again (README.md has more):

$secret

  curl -s $address/mcp -H "Authorization: Bearer \$KEY" -H 'Content-Type: application/json' -d '{"jsonrpc": "2.0", "id": 1,
    "method": "tools/call", "params": {"name": "trace", "arguments": {"epc": "urn:epc:id:sscc:9521141.1234567890"}}}'

END
    wait "$wrangler"
    exit
  fi
  kill -0 "$wrangler" 2>/dev/null || break
  sleep 0.25
done
printf 'wrangler did not come up\n    what to do: read its message above; PORT=8788 make serve uses another port\n' >&2
exit 1
