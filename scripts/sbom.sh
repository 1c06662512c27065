#!/usr/bin/env bash
# Writes what the product is made of, as CycloneDX in JSON. npm.cdx.json has the packages from npm; those that only build and test are
# marked as development. crates.cdx.json has the crates that are compiled into the WebAssembly.
#
#     sbom.sh [FOLDER]    default: target/sbom
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PWD/node_modules/.bin:$PATH
folder=${1:-target/sbom}
mkdir -p "$folder"
# From the lock file, so that the machine makes no difference.
npm sbom --package-lock-only --sbom-format cyclonedx --sbom-type application >"$folder/npm.new"
node scripts/sbom-crates.ts >"$folder/crates.new"
for name in npm crates; do
  mv "$folder/$name.new" "$folder/$name.cdx.json"
  echo "$folder/$name.cdx.json"
done
