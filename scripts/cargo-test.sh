#!/usr/bin/env bash
# Runs the tests of the Rust packages, and says at the end how many were ignored and what they need.
#
#     cargo-test.sh ARGUMENT…
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cargo test "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
sed -n 's/^test .* \.\.\. ignored, //p' "$log" | sort | uniq -c | while read -r count reason; do
  printf '%s tests ignored: %s\n' "$count" "$reason"
done
exit "$status"
