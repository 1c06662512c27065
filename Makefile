# The commands for developers. CI runs the same ones.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/node_modules/.bin:$(CURDIR)/.tools/bin:$(PATH)
# Wrangler asks no questions and sends no reports.
export CI ?= true
export WRANGLER_SEND_METRICS := false

# Two jobs at a time, because packages come over the network and wasm-opt uses one core.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --jobs=2
endif

# What is switched on by 1 would look like it was by another value.
$(foreach name,VECTORS PEERS POSTGRES,$(if $(filter-out 1,$(EPCIS_EDGE_REQUIRE_$(name))),$(error EPCIS_EDGE_REQUIRE_$(name) is $(EPCIS_EDGE_REQUIRE_$(name)), expected 1)))

step := ./scripts/step.sh
rust := Cargo.toml Cargo.lock rust-toolchain.toml $(shell find core referee schemas sql wasm worker -name '*.rs' -o -name Cargo.toml -o -path 'core/*.json' -o -path 'schemas/*.patch' -o -name '*.sha256')

worker_js := $(wildcard worker/js/*.ts worker/migrations/*.sql) scripts/bundle-worker.sh

# The engines have two builds. The stamps `built` and `agent` exist after either; the stamps `.release` only after the one that is measured
# and shipped.
stamps := target/stamps
built := $(stamps)/built
built_agent := $(stamps)/agent
worker := $(stamps)/worker.release
wasm := $(stamps)/wasm.release
agent := $(stamps)/agent.release
www := www/dist/index.html
# The pages of the documentation, where there are any: images are built without.
site := $(if $(wildcard docs),www/dist/docs/index.html)
site_sources := www/build-site.ts www/openapi.ts www/public/openapi.json scripts/anchors.ts $(shell find . -name node_modules -prune -o -name target -prune -o -name '*.md' -print) $(wildcard docs/*.png)
www_sources := www/build.ts www/build-component.ts www/settings.ts www/examples.ts core/gateway/src/service/demo.json $(wildcard core/rules/src/packs/*.json) $(shell find www/examples www/src www/public wasm/document wasm/js tests/vectors/validate tests/vectors/translate -type f)
lsp := wasm/dist/lsp/server.js
package := $(stamps)/package
package_sources := scripts/build-package.ts wasm/package.json wasm/tsconfig.json wasm/tsconfig.build.json $(shell find wasm/js wasm/mcp/src -type f)
lsp_sources := scripts/build-lsp.ts $(shell find wasm/document wasm/lsp wasm/js -type f)
extension := editors/vscode/dist/extension.cjs
tools := .tools/bindgen
types := wasm/js/engine/epcis.ts wasm/js/cbv/index.ts wasm/document/members.ts
# All packages from npm, and those that building and serving need. `npm ci` removes these files with the rest of the folder.
packages := node_modules/.all
packages_to_serve := node_modules/.serve

.PHONY: help
help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14
	@sed -n 's/^#:[ ]\{0,1\}//p' $(MAKEFILE_LIST)

#:
#: One thing alone (cargo test is faster after a change, --profile once from nothing):
#:   cargo test -p epcis-edge-tests --test it validate::    one suite of the core
#:   node --test www/tests/tools.test.js                    one file of the page; scripts/build-www.sh builds the page in seconds
#:   node --test "server/tests/*.test.js"                   the server; EPCIS_EDGE_SERVER names another program
#:   node scripts/build-lsp.ts                             the language server alone, in a second
#:   scripts/golden.sh CASE                                 both sides of a case of tests/golden; the suite golden:: compares all
#:   node bench/NAME.ts                                     a benchmark: its head says what it takes
#:
#: Variables:
#:   HASH_EVENT_IDS=refuse make serve    a variable of worker/wrangler.toml; STORE=objects keeps each account in an object
#:   EPCIS_EDGE_BLESS=1                  tests write what they expect: golden::, served::, check_docs::, translate, docs
#:   EPCIS_EDGE_MUTANTS=30000            so many broken documents, in the suites mutants and xml_referee
#:   EPCIS_EDGE_LIMITS=10485760          hostile captures up to that length (--test bounds capture_limits::)
#:   EPCIS_EDGE_CONTEXTS=50000           so many events with random contexts (node --test tests/contexts/*.test.js)
#:   EPCIS_EDGE_BROWSERS=1               Firefox and WebKit (node --test www/tests/browsers.test.js)
#:   EPCIS_EDGE_GUIDES=1                 the snippets for webpack, jest, Next.js, Deno, Bun (wasm/packaging/guides.test.js)
#:   CHROMIUM, XMLLINT, SOFFICE, NVIM   programs of your own for Chromium, xmllint, LibreOffice and Neovim, instead of those of Debian
#:   EPCIS_EDGE_VECTORS=FOLDER           other people's vectors, ../shared/vectors; beside it official/xsd and official/rest
#:   EPCIS_EDGE_REQUIRE_VECTORS=1        fail if these are missing
#:   EPCIS_EDGE_REQUIRE_PEERS=1          the same for browsers, and peers from PyPI, npm and Go
#:   EPCIS_EDGE_REQUIRE_POSTGRES=1       the same for PostgreSQL

.PHONY: serve
serve: $(built) $(www) ## build what changed and serve on http://127.0.0.1:8787
	@node scripts/serve.ts

.PHONY: server
server: $(built) $(www) $(site) ## build the server of one's own machine, and start it on http://127.0.0.1:8787; its folder is epcis-edge-data
	@$(step) "the server" "see the error of cargo above" cargo build --quiet --profile server -p epcis-edge-server --locked
	@target/server/epcis-edge-server

# Without any library of the system, for the container: target/epcis-edge-server. Its page has the engines of a release.
.PHONY: server-static
server-static: $(wasm) $(types)
	@$(step) "the page (www/dist)" "see the error of esbuild above" ./scripts/build-www.sh
	@$(if $(site),$(step) "the documentation (www/dist/docs)" "see the error above" node www/build-site.ts)
	@$(step) "the server, static" "are musl-gcc (Debian: musl-tools) and the target installed? rustup target add $(shell uname -m)-unknown-linux-musl" \
		cargo build --quiet --profile server -p epcis-edge-server --locked --target $(shell uname -m)-unknown-linux-musl
	@cp target/$(shell uname -m)-unknown-linux-musl/server/epcis-edge-server target/

.PHONY: check
check: setup ## after each edit: format, lints and the unit tests of the crates that changed
	@$(step) "format" "run 'make fmt'" cargo fmt --all --check
	@$(MAKE) --no-print-directory --output-sync=line check-javascript check-lints check-units

.PHONY: check-javascript check-lints check-units
check-javascript:
	@$(step) "format and lints, JavaScript" "run 'make fmt', fix what it does not" biome check
	@$(step) "types of the npm package" "see the error of tsc above" tsc --project wasm/tsconfig.json
	@$(step) "types of the page" "see the error of tsc above" tsc --project www/tsconfig.json
	@$(step) "types of the scripts of the Worker" "see the error of tsc above" tsc --project worker/tsconfig.json
	@$(step) "types of our scripts" "see the error of tsc above" tsc --project scripts/tsconfig.json
	@$(step) "types of the benchmarks" "see the error of tsc above" tsc --project bench/tsconfig.json
check-lints:
	@$(step) "lints" "fix what clippy reports above" cargo clippy --workspace --lib --all-features --locked -- -D warnings
check-units:
	@$(step) "unit tests" "see the failing test above" node scripts/check-units.ts

.PHONY: test
test: setup ## every vector, every door: the core, the Worker over D1, the server over SQLite, the package in Node, the page in Chromium; make test-all runs the rest
	@node scripts/times.ts new
	@$(step) "format" "run 'make fmt'" cargo fmt --all --check
	@$(MAKE) --no-print-directory --output-sync=line check-javascript
	@$(MAKE) --no-print-directory test-core test-worker test-server test-package test-page
	@node scripts/times.ts >/dev/null
	@node scripts/suite.ts
	@echo "all is well"

.PHONY: test-all
test-all: test ## make test, then everything else: what a release is judged by
	@$(MAKE) --no-print-directory test-rest

.PHONY: test-rest
test-rest: setup
	@# Before the engines of a release, which are written to the same places.
	@$(MAKE) --no-print-directory $(built) $(built_agent)
	@$(MAKE) --no-print-directory rest-core rest-worker rest-server rest-package rest-page rest-clients
	@node scripts/times.ts >/dev/null
	@echo "all of the rest is well"

.PHONY: times
times: ## the longest fifty of the steps and test files that ran here; all of them are in target/times.json
	@node scripts/times.ts

# Two suites at a time, because each keeps one core busy.
.PHONY: test-core test-worker test-server test-package test-page
test-core:
	@$(step) "tests of the core" "run the commands above alone" node scripts/rust-tests.ts --profile once --workspace --exclude epcis-edge-wasm --lib --test it --test compilers --locked

test-worker: $(built) $(built_agent) $(package) $(www)
	@$(step) "the Worker in workerd, over D1" "run the commands above alone" node scripts/suite.ts worker

server_for_tests := $(step) "the server, for tests" "see the error of cargo above" cargo build --quiet --profile once -p epcis-edge-server --locked
# After the core, whose build has most of the server's.
test-server: test-core $(built) $(www) $(site)
	@$(server_for_tests)
	@$(step) "the server over SQLite" "run the commands above alone" node scripts/suite.ts server

test-package: $(built) $(built_agent) $(package) $(lsp) $(extension)
	@$(step) "the package in Node" "run the commands above alone" node scripts/suite.ts package
	@$(step) "the extension for VS Code" "run the commands above alone" node scripts/suite.ts extension
	@$(step) "the package's types" "see the error of tsc above" tsc --project wasm/tests/tsconfig.json
	@$(step) "the package's types, in a browser" "see the error of tsc above" tsc --project wasm/tests/tsconfig.dom.json

test-page: $(built) $(package) $(www) $(site)
	@if ./scripts/chromium.sh; then $(step) "the page in Chromium" "run the commands above alone" node scripts/suite.ts page; \
	elif [ -n "$${EPCIS_EDGE_REQUIRE_PEERS:-}" ]; then exit 1; \
	else node scripts/times.ts skipped "the page: no Chromium was found, and none could be installed"; fi

# The rest needs the engines of a release.
.PHONY: rest-core rest-worker rest-server rest-package rest-page rest-clients
rest-core: postgres
	@$(step) "lints of everything" "fix what clippy reports above" cargo clippy --profile once --workspace --all-targets --all-features --locked -- -D warnings
	@$(step) "bounds and referees, with all mutants" "run the commands above alone" env EPCIS_EDGE_MUTANTS=all node scripts/rust-tests.ts --profile once --workspace --exclude epcis-edge-wasm --test bounds --test referees --locked
	@$(step) "thousands of mutants" "run the commands above alone" env EPCIS_EDGE_MUTANTS=all node scripts/rust-tests.ts --profile once --package epcis-edge-tests --test it --locked -- mutants agreement streams random_trees flipped_bit
	@$(step) "the store over PostgreSQL, and with staged rows" "run the commands above alone" node scripts/rust-tests.ts --profile once --package epcis-edge-tests --test it --locked -- --ignored postgres with_more_seeds staging
	@$(step) "examples in the documentation" "see the failing example above" cargo test --profile once --workspace --doc --locked
	@$(step) "documentation" "fix what rustdoc reports above" env RUSTDOCFLAGS="-D warnings" cargo doc --profile once --workspace --no-deps --locked
	@$(step) "stored events, as JSON-LD readers see them" "see the seeds above; EPCIS_EDGE_CONTEXTS sets the number of events" node scripts/suite.ts contexts rest
	@$(step) "hashes compared with the Python reference implementation" "see the difference above; tests/differential/hash_reference.py names the known ones" ./scripts/python.sh tests/differential/hash_reference.py
	@$(step) "leaves of the log, computed again from their description" "see the difference above; docs/log.md describes them" ./scripts/python.sh tests/differential/log_statement.py
	@$(step) "dependency policy" "see scripts/policy.ts" node scripts/policy.ts

rest-worker: assets
	@$(step) "the Worker of the release" "run the commands above alone" node scripts/suite.ts worker again
	@$(step) "the Worker over objects, and under faults" "run the commands above alone" node scripts/suite.ts worker rest

rest-server: $(built) $(built_agent) $(www) $(site) postgres
	@$(server_for_tests)
	@$(step) "the server, the rest" "run the commands above alone" node scripts/suite.ts server rest

rest-package: assets $(package) $(lsp)
	@$(step) "the package of the release" "run the commands above alone" node scripts/suite.ts package again
	@$(step) "the package, the rest" "run the commands above alone" node scripts/suite.ts package rest

rest-page: assets chromium
	@$(step) "the page of the release" "run the commands above alone" node scripts/suite.ts page again
	@$(step) "the page, the rest" "run the commands above alone" node scripts/suite.ts page rest

rest-clients: build chromium
	@$(step) "the packed package in Node 22 and 24, Chromium and workerd" "run the commands above alone; scripts/chromium.sh finds or installs the browser" node scripts/suite.ts packaging rest
	@$(step) "what a release ships" "run the commands above alone" node scripts/suite.ts release rest
	@$(step) "the agent door, through the official clients" "run the commands above alone" node scripts/suite.ts clients rest

# Debian's packages are installed one after the other: each needs the lock of dpkg.
.PHONY: chromium postgres
chromium: $(packages)
	@$(step) "a Chromium for the page" "see scripts/chromium.sh" ./scripts/chromium.sh

postgres: chromium
	@$(step) "a PostgreSQL for the server" "see scripts/postgres.sh; its tests are skipped" ./scripts/postgres.sh || [ -z "$${EPCIS_EDGE_REQUIRE_POSTGRES:-}" ]

.PHONY: invariants
invariants: ## what always holds, and the file of the test that keeps it
	@node scripts/invariants.ts

.PHONY: build
build: $(agent) $(package) $(lsp) assets ## the Worker, the npm package, the page and the extension for VS Code

# The bundles that contain the engine, built after it.
.PHONY: assets
assets: $(worker) $(wasm)
	@touch $(built)
	@$(MAKE) --no-print-directory $(www) $(site) $(extension)

.PHONY: worker
worker: assets ## the Worker and the page, as deployed

.PHONY: bench
bench: build ## start-up and speed, compared with other tools, and what the WebAssembly is made of
	@cargo run --quiet --release --locked -p epcis-edge-tests --example schema > target/epcis-json-schema.json
	@node bench/startup.ts
	@node bench/validate.ts
	@node bench/agent.ts
	@node bench/hash.ts
	@node bench/stream.ts
	@node bench/text.ts
	@cargo run --quiet --release --manifest-path tests/peers/hash/Cargo.toml
	@node bench/page.ts
	@node bench/tasks.ts
	@node bench/absent.ts
	@node bench/composition.ts
	@cargo run --quiet --release --locked -p epcis-edge-tests --example validate_speed
	@cargo run --quiet --release --locked -p epcis-edge-tests --example translate_speed

.PHONY: bench-growth
bench-growth: setup ## times at doubling sizes, judged: on a quiet machine, about 10 minutes
	@EPCIS_EDGE_BOUNDS=full cargo test --release --locked -p epcis-edge-tests --test bounds -- --include-ignored --nocapture --test-threads=1
	@node scripts/rust-tests.ts --release --locked -p epcis-edge-tests --test it -- --ignored --nocapture --test-threads=1 cost_what_they_are_long time_is_linear the_time_is_in_proportion

.PHONY: hostile
hostile: $(worker) ## hostile bodies at every endpoint: about 50 minutes
	@node bench/hostile.ts

.PHONY: bench-store
bench-store: $(worker) ## the store at a million events, and captures of one event each: about 12 minutes, 4 GB under .wrangler; EVENTS=200000
	@node bench/store.ts $(EVENTS)
	@node bench/captures.ts --only d1,mcp

.PHONY: fuzz
fuzz: ## fuzz each target for a minute; scripts/fuzz.sh TARGET SECONDS for one of them
	@./scripts/needs.sh rust
	@./scripts/fuzz.sh

.PHONY: screenshots
screenshots: build ## the pictures of the page in docs/
	@EPCIS_EDGE_SCREENSHOTS=1 node --test www/tests/screenshots.test.js

.PHONY: fmt
fmt: $(packages) ## format the Rust code and the JavaScript
	@cargo fmt --all
	@biome format --write

.PHONY: clean
clean: ## remove all build results; tools and packages stay
	@cargo clean
	@rm -rf worker/build wasm/dist wasm/lib wasm/mcp/dist wasm/mcp/lib www/dist editors/vscode/dist $(types)

.PHONY: setup
setup: $(packages) ## install what the build needs: the wasm target, npm packages; make the types that editors read
	@./scripts/needs.sh rust
	@$(MAKE) --no-print-directory $(types)

$(packages): package.json package-lock.json tests/package.json wasm/package.json
	@./scripts/needs.sh node
	@$(step) "npm packages (pinned in package-lock.json)" "is a package registry reachable? then run 'npm ci'" npm ci --no-audit --no-fund
	@touch $@ $(packages_to_serve)

$(packages_to_serve): package.json package-lock.json tests/package.json wasm/package.json
	@./scripts/needs.sh node
	@$(step) "npm packages that serving needs (pinned in package-lock.json)" "is a package registry reachable? then run make again" \
		npm ci --no-audit --no-fund --workspace wasm --include-workspace-root
	@touch $@

$(tools): tools/bindgen/Cargo.toml tools/bindgen/Cargo.lock tools/bindgen/src/main.rs
	@./scripts/needs.sh rust
	@$(step) "a build tool into .tools (once, about a minute)" "see the error of cargo above, then run make again" \
		cargo build --locked --manifest-path tools/bindgen/Cargo.toml --target-dir .tools/target
	@cp .tools/target/debug/bindgen $@

# Git keeps none of them.
$(types) &: $(packages_to_serve) scripts/types.ts core/document/src/vocabulary.rs schemas/cbv-meanings.json schemas/epcis-json-schema.patch schemas/epcis-json-schema.json.sha256
	@node scripts/types.ts

$(built): $(packages_to_serve) $(tools) $(rust) $(worker_js) scripts/build-serve.sh
	@rm -f $(worker) $(wasm)
	@$(step) "the engines, for serving" "see the error of cargo above" ./scripts/build-serve.sh pages
	@mkdir -p $(stamps) && touch $@

# Cargo writes this file to the place of the other one.
$(built_agent): $(packages_to_serve) $(tools) $(rust) scripts/build-serve.sh | $(built)
	@rm -f $(agent)
	@$(step) "the agent process, for tests" "see the error of cargo above" ./scripts/build-serve.sh agent
	@mkdir -p $(stamps) && touch $@

$(worker): $(packages_to_serve) $(tools) $(rust) $(worker_js) scripts/build-worker.sh
	@$(step) "the Worker (worker/build)" "see the error of cargo above" ./scripts/build-worker.sh
	@mkdir -p $(stamps) && touch $@

$(wasm): $(packages_to_serve) $(tools) $(rust) scripts/build-wasm.sh
	@$(step) "the npm package (wasm/dist)" "see the error of cargo above" ./scripts/build-wasm.sh pages
	@mkdir -p $(stamps) && touch $@

# Built after the other builds of its crate, because cargo writes all of them to one place.
$(agent): $(packages_to_serve) $(tools) $(rust) | $(wasm)
	@$(step) "the agent process (wasm/mcp/dist)" "see the error of cargo above" ./scripts/build-wasm.sh agent
	@mkdir -p $(stamps) && touch $@ $(built_agent)

# After either build of the engine, whichever the goal requires. Also makes wasm/dist/component.js.
$(www): $(packages_to_serve) $(built) $(types) $(www_sources) scripts/build-www.sh
	@$(step) "the page (www/dist)" "see the error of esbuild above" ./scripts/build-www.sh

.PHONY: site
site: $(site) ## the documentation as pages with a search: /docs of the page

# After the page, whose build empties the folder.
www/dist/docs/index.html: $(packages_to_serve) $(www) $(site_sources)
	@$(step) "the documentation (www/dist/docs)" "see the error above" node www/build-site.ts

$(package): $(packages_to_serve) $(types) $(package_sources)
	@$(step) "the scripts of the npm packages (wasm/lib, wasm/mcp/lib)" "see the error of tsc above" node scripts/build-package.ts
	@mkdir -p $(stamps) && touch $@

$(lsp): $(packages_to_serve) $(types) $(lsp_sources)
	@$(step) "the language server (wasm/dist/lsp)" "see the error of esbuild above" node scripts/build-lsp.ts

# After either build of the engine, whichever the goal requires.
$(extension): $(packages_to_serve) $(built) $(types) $(lsp_sources) editors/vscode/build.ts editors/vscode/package.json $(wildcard editors/vscode/src/*.ts)
	@$(step) "the extension for VS Code (editors/vscode/dist)" "see the error of esbuild above" node editors/vscode/build.ts
