# The targets of this repository. `make` alone prints the list.

export BUILD_FLAGS ?=
FORMATTED := Package.swift Sources Tests Plugins sql $(wildcard Benchmarks)
SCRIPTS := .ci/run Benchmarks/bench $(wildcard deploy/compose/make-*) $(filter-out %.py %.yaml,$(wildcard scripts/*))

.DEFAULT_GOAL := help
.PHONY: help deps build release bench demo test test-worker torture lint format clean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install what is missing for building, the demo and the tests (apt, dnf or brew)
	@scripts/install-deps

build: deps ## Build the programs and the tests for debugging, into .build/debug
	@scripts/build tests

release: deps ## Build an optimized syncctl, into .build-release/release
	swift build -c release --product syncctl --scratch-path .build-release $(BUILD_FLAGS)

bench: export SWIFT_DETERMINISTIC_HASHING = 1
bench: release ## Compare syncctl with psql on the same rows; ROWS=1000000 measures the memory of a large list too
	swift build -c release --product upstream-sim --scratch-path .build-release $(BUILD_FLAGS)
	swift build -c release --product scan-bench --scratch-path .build-release $(BUILD_FLAGS)
	@Benchmarks/bench

demo: ## Mirror a simulated upstream into a PostgreSQL of its own, and show the result
	@scripts/demo

# Of a crash, the thread that crashed: the last lines of a log are the ones that are kept.
test test-worker: export SWIFT_BACKTRACE = threads=crashed,registers=none,images=none,color=no
test: build ## Run all tests; they bring their own PostgreSQL
	@scripts/test $(BUILD_FLAGS)

# Only tests for the owner are skipped; each says why in the log.
test-worker: export SYNCCTL_TEST_ROLE = syncctl_worker
test-worker: build ## Run all tests with only the rights that sql/roles.sql grants to the worker
	@status=0; scripts/test $(BUILD_FLAGS) || status=$$?; \
	  echo "skipped as $$SYNCCTL_TEST_ROLE: $$(grep -c 'skipped: "the owner alone' .build/test.log) tests"; exit $$status

torture: deps ## Run the hostile tests at length: 100,000 HTTP answers and much more (1.5 hours)
	@scripts/torture

lint: ## Check the formatting of the Swift files, and the scripts if shellcheck is installed
	swift format lint --strict --parallel --recursive $(FORMATTED)
	@if command -v shellcheck > /dev/null; then shellcheck $(SCRIPTS); fi

format: ## Format the Swift files in place
	swift format --in-place --parallel --recursive $(FORMATTED)

clean: ## Remove the demo's PostgreSQL with its data, and everything built
	@scripts/demo clean
	rm -rf .build .build-release
