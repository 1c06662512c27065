#!/usr/bin/env bash
# Prints the section of CHANGELOG.md that describes a release. Fails if the tag is not `v` and the version of this checkout, or if the
# changelog has no section `## <version> - <date>`.
#
#     release-notes.sh TAG
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n '/^\[workspace\.package\]$/,/^$/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
if [ "${1:-}" != "v$version" ]; then
  printf 'the tag is %s, expected v%s\n    what to do: tag the commit that sets the version\n' "${1:-missing}" "$version" >&2
  exit 1
fi
notes=$(awk -v heading="## $version - " 'index($0, "## ") == 1 { isIt = index($0, heading) == 1; next } isIt' CHANGELOG.md)
if [ -z "$notes" ]; then
  printf 'CHANGELOG.md has no section "## %s - <date>"\n    what to do: write it, and tag that commit\n' "$version" >&2
  exit 1
fi
printf '%s\n' "$notes"
