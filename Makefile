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

step := ./scripts/step.sh
rust := Cargo.toml Cargo.lock rust-toolchain.toml $(shell find core schemas wasm worker -name '*.rs' -o -name Cargo.toml -o -path 'core/src/*.json' -o -path 'schemas/*.patch' -o -name '*.sha256')

worker_js := $(wildcard worker/js/*.js) scripts/build-worker.sh

# Each has two builds. The stamp '.built' exists after either, '.release' only after the build that is measured, tested and shipped.
stamps := target/stamps
worker := $(stamps)/worker
wasm := $(stamps)/wasm
agent := $(stamps)/agent.release
www := www/dist/index.html
www_sources := www/build.js www/build-component.js www/settings.js www/examples.js core/src/service/demo.json $(shell find www/examples www/src www/public wasm/document wasm/js tests/vectors/validate tests/vectors/translate -type f)
lsp := wasm/dist/lsp/server.js
lsp_sources := scripts/build-lsp.mjs $(shell find wasm/document wasm/lsp wasm/js -type f)
extension := editors/vscode/dist/extension.cjs
tools := .tools/bindgen
packages := node_modules/.package-lock.json

.PHONY: help
help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.PHONY: serve
serve: $(worker).built $(www) ## build what changed and serve on http://127.0.0.1:8787
	@node scripts/serve.mjs

.PHONY: check
check: setup ## quick check after a change in core: format, lints, unit tests
	@$(step) "format" "run 'make fmt'" cargo fmt --all --check
	@$(step) "format and lints, JavaScript" "run 'make fmt', fix what it does not" biome check
	@$(step) "lints" "fix what clippy reports above" cargo clippy --workspace --lib --all-features --locked -- -D warnings
	@$(step) "unit tests" "see the failing test above" cargo test --quiet --package epcis-edge-core --package epcis-edge-schema --package epcis-edge-worker --lib --locked

.PHONY: test
test: setup ## everything: format, lints, tests, the package in Node, the Worker in workerd
	@$(step) "format" "run 'make fmt'" cargo fmt --all --check
	@$(step) "format and lints, JavaScript" "run 'make fmt', fix what it does not" biome check
	@$(MAKE) --no-print-directory --output-sync=line suite-core suite-worker suite-package suite-page suite-clients
	@echo "all is well"

# Two suites at a time, because each keeps one core busy. While the first uses the native compiler, the WebAssembly of the others is built.
.PHONY: suite-core suite-package suite-clients suite-worker suite-page
suite-core:
	@$(step) "lints, native" "fix what clippy reports above" cargo clippy --profile once --workspace --all-targets --all-features --locked -- -D warnings
	@$(step) "tests of the core" "see the failing test above; 'cargo test' runs them alone" ./scripts/cargo-test.sh --profile once --workspace --locked
	@$(step) "stored events, as JSON-LD readers see them" "see the seeds above; EPCIS_EDGE_CONTEXTS sets the number of events" node --test "tests/contexts/*.test.js"
	@$(step) "hashes compared with the Python reference implementation" "see the difference above; tests/differential/hash_reference.py names the known ones" ./scripts/python.sh tests/differential/hash_reference.py
	@$(step) "leaves of the log, computed again from their description" "see the difference above; docs/log.md describes them" ./scripts/python.sh tests/differential/log_statement.py
	@$(step) "documentation" "fix what rustdoc reports above" env RUSTDOCFLAGS="-D warnings" cargo doc --profile once --workspace --no-deps --locked
	@$(step) "dependency policy" "see scripts/policy.mjs" node scripts/policy.mjs

suite-worker: assets postgres
	@$(step) "the Worker in workerd" "see the failing test above" node --test "worker/tests/*.test.js"

suite-package: assets $(lsp)
	@$(step) "the package in Node" "see the failing test above" node --test "wasm/tests/*.test.js"
	@$(step) "the extension for VS Code" "see the failing test above" node --test "editors/vscode/tests/*.test.js"
	@$(step) "the package's types" "see the error of tsc above" tsc --project wasm/tests/tsconfig.json
	@$(step) "the package's types, in a browser" "see the error of tsc above" tsc --project wasm/tests/tsconfig.dom.json

suite-page: assets chromium
	@$(step) "the page in Chromium" "see the failing test above" node --test --test-concurrency=1 "www/tests/*.test.js"

suite-clients: build chromium postgres
	@$(step) "the packed package in Node 20 and 24, Chromium and workerd" "see the failing test above; scripts/chromium.sh finds or installs the browser" node --test "wasm/packaging/*.test.js"
	@$(step) "what a release ships" "see the failing test above" node --test "tests/release/*.test.js"
	@$(step) "the agent door, through the official clients" "see the failing test above" node --test "tests/clients/*.test.js"

# Debian's packages are installed one after the other: each needs the lock of dpkg.
.PHONY: chromium postgres
chromium: $(packages)
	@$(step) "a Chromium for the page" "see scripts/chromium.sh" ./scripts/chromium.sh

postgres: chromium
	@$(step) "a PostgreSQL for the Worker" "see scripts/postgres.sh; its tests are skipped" ./scripts/postgres.sh || [ -z "$${EPCIS_EDGE_REQUIRE_POSTGRES:-}" ]

.PHONY: build
build: $(agent) $(lsp) assets ## the Worker, the npm package, the page and the extension for VS Code

# The bundles that contain the engine, built after it.
.PHONY: assets
assets: $(worker).release $(wasm).release
	@$(MAKE) --no-print-directory $(www) $(extension)

.PHONY: worker
worker: $(worker).release $(wasm).release ## the Worker and the page, as deployed
	@$(MAKE) --no-print-directory $(www)

.PHONY: bench
bench: build ## sizes, start-up and speed, compared with other tools
	@cargo run --quiet --release --locked -p epcis-edge-tests --example schema > target/epcis-json-schema.json
	@node bench/startup.js
	@node bench/validate.js
	@node bench/agent.js
	@node bench/hash.js
	@node bench/stream.js
	@node bench/text.js
	@cargo run --quiet --release --manifest-path tests/peers/hash/Cargo.toml
	@node bench/page.js
	@node bench/composition.js
	@cargo run --quiet --release --locked -p epcis-edge-tests --example validate_speed
	@cargo run --quiet --release --locked -p epcis-edge-tests --example translate_speed

.PHONY: hostile
hostile: $(worker).release ## hostile bodies at every endpoint: about 50 minutes
	@node bench/hostile.js

.PHONY: bench-store
bench-store: $(worker).release ## the store at a million events, and captures of one event each: about 12 minutes, 4 GB under .wrangler; STORE=postgres, EVENTS=200000
	@node bench/store.js $(if $(STORE),--store $(STORE)) $(EVENTS)
	@node bench/captures.js --only $(or $(STORE:postgres=postgres,far,two),d1),mcp

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
	@rm -rf worker/build wasm/dist wasm/mcp/dist www/dist editors/vscode/dist

.PHONY: setup
setup: $(packages) ## install what the build needs: the wasm target, npm packages
	@./scripts/needs.sh rust

$(packages): package.json package-lock.json
	@./scripts/needs.sh node
	@$(step) "npm packages (pinned in package-lock.json)" "is a package registry reachable? then run 'npm ci'" npm ci
	@touch $@

$(tools): tools/bindgen/Cargo.toml tools/bindgen/Cargo.lock tools/bindgen/src/main.rs
	@./scripts/needs.sh rust
	@$(step) "a build tool into .tools (once, about a minute)" "see the error of cargo above, then run make again" \
		cargo build --locked --manifest-path tools/bindgen/Cargo.toml --target-dir .tools/target
	@cp .tools/target/debug/bindgen $@

$(worker).built: $(packages) $(tools) $(rust) $(worker_js)
	@rm -f $(worker).release
	@$(step) "the Worker (worker/build), for serving" "see the error of cargo above" ./scripts/build-worker.sh serve
	@mkdir -p $(stamps) && touch $@

$(worker).release: $(packages) $(tools) $(rust) $(worker_js)
	@$(step) "the Worker (worker/build)" "see the error of cargo above" ./scripts/build-worker.sh
	@mkdir -p $(stamps) && touch $@ $(worker).built

$(wasm).built: $(packages) $(tools) $(rust)
	@rm -f $(wasm).release
	@$(step) "the engine of the page (wasm/dist), for serving" "see the error of cargo above" ./scripts/build-wasm.sh pages serve
	@mkdir -p $(stamps) && touch $@

$(wasm).release: $(packages) $(tools) $(rust)
	@$(step) "the npm package (wasm/dist)" "see the error of cargo above" ./scripts/build-wasm.sh pages
	@mkdir -p $(stamps) && touch $@ $(wasm).built

# Built after the other builds of its crate, because cargo writes all of them to one place, and after the Worker, because it shares the
# Worker's compiled libraries.
$(agent): $(packages) $(tools) $(rust) | $(wasm).release $(worker).release
	@$(step) "the agent process (wasm/mcp/dist)" "see the error of cargo above" ./scripts/build-wasm.sh agent
	@mkdir -p $(stamps) && touch $@

# After either build of the engine, whichever the goal requires. Also makes wasm/dist/component.js.
$(www): $(packages) $(wasm).built $(www_sources) scripts/build-www.sh
	@$(step) "the page (www/dist)" "see the error of esbuild above" ./scripts/build-www.sh

$(lsp): $(packages) $(lsp_sources)
	@$(step) "the language server (wasm/dist/lsp)" "see the error of esbuild above" node scripts/build-lsp.mjs

# After either build of the engine, whichever the goal requires.
$(extension): $(packages) $(wasm).built $(lsp_sources) editors/vscode/build.js editors/vscode/package.json $(wildcard editors/vscode/src/*.js)
	@$(step) "the extension for VS Code (editors/vscode/dist)" "see the error of esbuild above" node editors/vscode/build.js
