#!/usr/bin/env bash
# Runs one step of a build: prints its name first, and advice if it fails.
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
# The second line of `times` is what the command used: minutes and seconds for itself, minutes and seconds in the kernel.
processor=$(times | awk -F '[ms ]+' 'NR == 2 { printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }')
printf '==> done: %s, %s s, %s s of processor\n' "$name" "$((SECONDS - started))" "$processor"
