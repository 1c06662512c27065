#!/usr/bin/env bash
# Runs one step of a build: prints its name first, and advice if it fails. Keeps its time: see times.ts.
#
#     step.sh NAME ADVICE COMMAND…
set -uo pipefail
name=$1 advice=$2
shift 2
started=$SECONDS
printf '\n==> %s\n' "$name"
"$@"
status=$?
if [ $status -ne 0 ]; then
  printf '\n==> FAILED: %s (status %s)\n    what to do: %s\n' "$name" "$status" "$advice" >&2
  exit $status
fi
# A subshell counts from nothing, so `times` must write into a file. Its second line is what the command used, such as `1m2.5s 0m0.3s`.
spent=$(mktemp)
times > "$spent"
processor=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }' "$spent")
rm -f "$spent"
mkdir -p target
printf '{"name":"step: %s","seconds":%s,"processor":%s,"at":"%s"}\n' "$name" "$((SECONDS - started))" "$processor" "$(date -u +%FT%TZ)" >>target/times.ndjson
printf '==> done: %s, %s s, %s s of processor\n' "$name" "$((SECONDS - started))" "$processor"
