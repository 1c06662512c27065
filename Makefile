# What a person types; CI does nothing differently.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/node_modules/.bin:$(CURDIR)/.tools/bin:$(PATH)
# A wrangler that asks nothing and reports nothing.
export CI ?= true
export WRANGLER_SEND_METRICS := false

step := ./scripts/step.sh
rust := Cargo.toml Cargo.lock rust-toolchain.toml $(shell find core schemas wasm worker -name '*.rs' -o -name Cargo.toml -o -path 'core/src/*.json' -o -path 'schemas/*.patch' -o -name '*.sha256')

worker_build := worker/build/index.js
wasm_build := wasm/dist/epcis_edge_bg.wasm
agent_build := wasm/dist/agent/epcis_edge_bg.wasm
www_build := www/dist/index.html
www := www/build.js www/examples.js core/src/service/demo.json $(shell find www/src www/public wasm/js tests/vectors/validate tests/vectors/translate -type f)
tools := .tools/.installed-worker-build-0.8.7-wasm-bindgen-0.2.130
packages := node_modules/.package-lock.json

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.PHONY: serve
serve: $(worker_build) $(www_build) ## build what changed and serve on http://127.0.0.1:8787
	@./scripts/serve.sh

.PHONY: test
test: setup ## everything: format, lints, tests, the package in Node, the Worker in workerd
	@$(step) "format" "run 'make fmt'" cargo fmt --all --check
	@$(step) "lints, native" "mend what clippy names above" cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
	@$(step) "lints, wasm32" "mend what clippy names above" cargo clippy --workspace --exclude epcis-edge-tests --all-features --locked --target wasm32-unknown-unknown -- -D warnings
	@$(step) "tests of the core" "see the failing test above; 'cargo test' runs them alone" cargo test --workspace --locked
	@$(step) "hashes beside the Python reference implementation" "see the difference above; tests/differential/hash_reference.py names the known ones" ./scripts/python.sh tests/differential/hash_reference.py
	@$(step) "documentation" "mend what rustdoc names above" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	@$(step) "dependency policy" "see scripts/policy.mjs" node scripts/policy.mjs
	@$(MAKE) --no-print-directory build
	@$(step) "the package in Node" "see the failing test above" node --test "wasm/tests/*.test.js"
	@$(step) "the package's types" "see the error of tsc above" tsc --project wasm/tests/tsconfig.json
	@$(step) "the package's types, in a browser" "see the error of tsc above" tsc --project wasm/tests/tsconfig.dom.json
	@$(step) "the packed package in Node 20 and 24, Chromium and workerd" "see the failing test above; scripts/chromium.sh finds or installs the browser" node --test "wasm/packaging/*.test.js"
	@$(step) "the Worker in workerd" "see the failing test above" node --test "worker/tests/*.test.js"
	@$(step) "the agent door, through the official clients" "see the failing test above" node --test "tests/clients/*.test.js"
	@$(step) "a Chromium for the page" "see scripts/chromium.sh" ./scripts/chromium.sh
	@$(step) "the page in Chromium" "see the failing test above" node --test --test-concurrency=1 "www/tests/*.test.js"
	@echo "all is well"

.PHONY: build
build: $(worker_build) $(wasm_build) $(agent_build) $(www_build) ## the Worker, the npm package and the page

.PHONY: bench
bench: build ## sizes, start and speed, beside the peers
	@cargo run --quiet --release --locked -p epcis-edge-tests --example schema > target/epcis-json-schema.json
	@node bench/startup.js
	@node bench/validate.js
	@node bench/agent.js
	@node bench/hash.js
	@node bench/stream.js
	@node bench/text.js
	@cargo run --quiet --release --manifest-path tests/peers/hash/Cargo.toml
	@node bench/page.js
	@cargo run --quiet --release --locked -p epcis-edge-tests --example validate_speed
	@cargo run --quiet --release --locked -p epcis-edge-tests --example translate_speed

.PHONY: bench-store
bench-store: $(worker_build) ## the store at a million events: about 8 minutes, 4 GB under .wrangler
	@node bench/store.js

.PHONY: screenshots
screenshots: $(www_build) ## the pictures of the page in docs/
	@EPCIS_EDGE_SCREENSHOTS=1 node --test www/tests/screenshots.test.js

.PHONY: fmt
fmt: ## format the Rust code
	@cargo fmt --all

.PHONY: clean
clean: ## remove what was built; tools and packages stay
	@cargo clean
	@rm -rf worker/build wasm/dist www/dist

.PHONY: setup
setup: $(packages) ## what the build needs: the wasm target, npm packages
	@./scripts/needs.sh rust

$(packages): package.json package-lock.json
	@./scripts/needs.sh node
	@$(step) "npm packages (pinned in package-lock.json)" "is a package registry reachable? then run 'npm ci'" npm ci --no-audit --no-fund
	@touch $@

$(tools):
	@./scripts/needs.sh rust
	@$(step) "build tools into .tools (once, about 4 minutes)" "see the error of cargo above, then run make again" \
		cargo install --debug --root .tools worker-build@0.8.7 wasm-bindgen-cli@0.2.130
	@touch $@

$(worker_build): $(packages) $(tools) $(rust)
	@./scripts/needs.sh rust
	@$(step) "the Worker (worker/build)" "see the error of cargo above" ./scripts/build-worker.sh

$(wasm_build): $(packages) $(tools) $(rust)
	@./scripts/needs.sh rust
	@$(step) "the npm package (wasm/dist)" "see the error of cargo above" ./scripts/build-wasm.sh page

$(agent_build): $(packages) $(tools) $(rust)
	@./scripts/needs.sh rust
	@$(step) "the agent process (wasm/dist/agent)" "see the error of cargo above" ./scripts/build-wasm.sh agent

$(www_build): $(packages) $(wasm_build) $(www) scripts/build-www.sh
	@$(step) "the page (www/dist)" "see the error of esbuild above" ./scripts/build-www.sh
