#!/bin/sh
# Shows both sides of cases in tests/golden: as an earlier commit computes them, and as the working tree does.
# scripts/golden.sh CASE [COMMIT]: all cases whose name contains CASE; without a commit, the one that last changed the record.
# Does an earlier test not know the case? Then its side is empty.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] && [ $# -le 2 ] || { echo "found $# arguments, expected a part of the name of a case, and perhaps a commit" >&2; exit 2; }
case=$1
commit=${2:-$(git log -1 --format=%H -- tests/golden)}
here=$PWD/target/golden
mkdir -p "$here"
rm -f "$here/before.txt" "$here/now.txt"

# One tree and one folder of builds for all commits: the next comparison compiles only what differs.
if [ -e "$here/tree/.git" ]; then
  git -C "$here/tree" checkout --quiet --force --detach "$commit"
else
  git worktree prune
  git worktree add --quiet --force --detach "$here/tree" "$commit"
fi
# The pinned schema comes from there.
ln -sfn "$PWD/node_modules" "$here/tree/node_modules"

# In one thread, so that the groups are written in order.
values() {
  : >"$here/$1.txt"
  EPCIS_EDGE_GOLDEN=$case EPCIS_EDGE_GOLDEN_FILE=$here/$1.txt CARGO_TARGET_DIR=$2 \
    cargo test --quiet --profile once -p epcis-edge-tests --test it golden:: -- --test-threads=1 >"$here/$1.log" 2>&1 ||
    { cat "$here/$1.log" >&2; exit 1; }
}
(cd "$here/tree" && values before "$here/build")
values now "${CARGO_TARGET_DIR:-$PWD/target}"
grep -q '^== ' "$here/before.txt" "$here/now.txt" ||
  { printf 'no case has `%s` in its name\n    what to do: take a name from tests/golden/*.tsv\n' "$case" >&2; exit 2; }
diff -u --label "$commit" --label 'the working tree' "$here/before.txt" "$here/now.txt" && echo "no difference in $(grep -c '^== ' "$here/now.txt") values"
