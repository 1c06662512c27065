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
tools := .tools/.installed-worker-build-0.8.7-wasm-bindgen-0.2.130
packages := node_modules/.package-lock.json

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.PHONY: serve
serve: $(worker_build) ## build what changed and serve on http://127.0.0.1:8787
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
	@$(step) "the packed package in Node 20 and 24, Chromium and workerd" "see the failing test above; scripts/chromium.sh finds or installs the browser" node --test "wasm/packaging/*.test.js"
	@$(step) "the Worker in workerd" "see the failing test above" node --test "worker/tests/*.test.js"
	@$(step) "the agent door, through the official clients" "see the failing test above" node --test "tests/clients/*.test.js"
	@echo "all is well"

.PHONY: build
build: $(worker_build) $(wasm_build) ## the Worker and the npm package

.PHONY: bench
bench: build ## sizes, start and speed, beside the peers
	@cargo run --quiet --release --locked -p epcis-edge-tests --example schema > target/epcis-json-schema.json
	@node bench/startup.js
	@node bench/validate.js
	@node bench/agent.js
	@node bench/hash.js
	@node bench/stream.js
	@cargo run --quiet --release --manifest-path tests/peers/hash/Cargo.toml

.PHONY: fmt
fmt: ## format the Rust code
	@cargo fmt --all

.PHONY: clean
clean: ## remove what was built; tools and packages stay
	@cargo clean
	@rm -rf worker/build wasm/dist

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
	@$(step) "the npm package (wasm/dist)" "see the error of cargo above" ./scripts/build-wasm.sh
