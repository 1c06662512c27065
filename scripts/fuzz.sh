#!/usr/bin/env bash
# Fuzzes one target, or each in turn: libFuzzer through cargo, with the compiler that builds everything else.
#
#     fuzz.sh [TARGET] [SECONDS]
#
# New inputs are kept in target/fuzz/corpus; `fuzz.sh merge` puts those that reach something new into fuzz/corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=(capture_query contexts http_request json_document xml_document)
host=$(rustc -vV | sed -n 's/^host: //p')
# The coverage that libFuzzer looks at; for the target alone, so that build scripts are built as ever.
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Cllvm-args=-simplifycfg-branch-fold-threshold=0 -Cdebug-assertions"
build=(cargo build --quiet --locked --release --manifest-path fuzz/programs/Cargo.toml --target "$host" --target-dir target/fuzz)
# What runs for minutes need not be built for as long.
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
seconds=${2:-60}
[ -z "${1:-}" ] || targets=("$1")
for target in "${targets[@]}"; do
  printf '==> %s, %s s\n' "$target" "$seconds"
  run "$target" -max_total_time="$seconds" -artifact_prefix="target/fuzz/" "target/fuzz/corpus/$target" "fuzz/corpus/$target"
done
