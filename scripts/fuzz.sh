#!/usr/bin/env bash
# Fuzzes one target, or all in turn: libFuzzer through cargo, with the same compiler as all other builds.
#
#     fuzz.sh [TARGET] [SECONDS]
#
# New inputs are kept in target/fuzz/corpus; `fuzz.sh merge` copies those with new coverage into fuzz/corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=(capture_query contexts http_request json_document xml_document)
host=$(rustc -vV | sed -n 's/^host: //p')
seconds=${2:-60}
if [ $# -gt 2 ] || [[ ! $seconds =~ ^[1-9][0-9]*$ ]] || [[ " ${targets[*]} merge " != *" ${1:-merge} "* ]]; then
  printf 'found %s\n    what to do: name one of %s, and perhaps the seconds; or merge\n' "$*" "${targets[*]}" >&2
  exit 2
fi
# The coverage data for libFuzzer; only for the target, so that build scripts are built as usual.
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Cdebug-assertions"
build=(cargo build --quiet --locked --release --manifest-path fuzz/programs/Cargo.toml --target "$host" --target-dir target/fuzz)
# A short run does not repay a long build.
export CARGO_PROFILE_RELEASE_OPT_LEVEL=1
"${build[@]}"
run() {
  local target=$1
  shift
  mkdir -p "target/fuzz/corpus/$target"
  "target/fuzz/$host/release/$target" "$@"
}
if [ "${1:-}" = merge ]; then
  for target in "${targets[@]}"; do
    run "$target" -merge=1 -max_len=20000 "fuzz/corpus/$target" "target/fuzz/corpus/$target"
  done
  exit
fi
[ -z "${1:-}" ] || targets=("$1")
for target in "${targets[@]}"; do
  printf '==> %s, %s s\n' "$target" "$seconds"
  run "$target" -max_total_time="$seconds" -artifact_prefix="target/fuzz/" "target/fuzz/corpus/$target" "fuzz/corpus/$target"
done
