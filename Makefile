# The targets of this repository. `make` alone prints the list.

export BUILD_FLAGS ?=
PREFIX ?= /usr/local
DESTDIR ?=
FORMATTED := Package.swift Sources Tools Tests Plugins sql web $(wildcard Benchmarks)
SCRIPTS := .ci/run Benchmarks/bench Benchmarks/workers $(wildcard deploy/compose/make-*) $(filter-out %.py %.yaml %.ld scripts/check scripts/drill,$(wildcard scripts/* scripts/*/*))

.DEFAULT_GOAL := help
.PHONY: help deps build release install uninstall dist bench demo check-readme test test-worker torture sql lint \
  format clean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install what is missing for building, the demo and the tests (apt, dnf or brew)
	@scripts/install-deps

build: deps ## Build the programs and the tests for debugging, into .build/debug
	@scripts/build tests

release: deps ## Build an optimized syncctl that needs no Swift to run, into .build-release/release
	@scripts/build release

# In another user's checkout, as with `sudo make install`, root builds nothing, because the owner could not replace
# root's files. Root installs the owner's build. A wrong PREFIX is refused before the build.
install: ## Install syncctl, manuals, completions, units and documents: PREFIX=/usr/local DESTDIR=
	@scripts/install --check "$(DESTDIR)" "$(PREFIX)"
	@if [ "$$(id -u)" -ne 0 ] || [ -O . ]; then $(MAKE) --no-print-directory release; fi
	@scripts/install "$(DESTDIR)" "$(PREFIX)"

uninstall: ## Remove what `make install` has installed: the same PREFIX and DESTDIR
	@scripts/install --remove "$(DESTDIR)" "$(PREFIX)"

dist: release ## Make a tarball and a Debian package with their checksums, in dist
	@scripts/dist

bench: release ## Compare syncctl with psql on the same rows; ROWS=1000000 measures the memory of a large list too
	@scripts/build release upstream-sim scan-bench
	@Benchmarks/bench

demo: ## Mirror a simulated upstream into a PostgreSQL of its own, and show the result
	@scripts/demo

check-readme: build ## Follow README.md line by line, with the programs that are built
	@scripts/check/readme .build/debug/syncctl .build/debug/upstream-sim

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

# A test composes them, because some name columns that a migrated database has.
sql: export SYNCCTL_SQL_FOLDER = $(CURDIR)/.build/sql
sql: build ## Write every statement that is composed from sql/templates to .build/sql
	@scripts/test --filter StatementTests $(BUILD_FLAGS)

lint: ## Check the formatting of the Swift files, and the scripts if shellcheck is installed
	swift format lint --strict --parallel --recursive $(FORMATTED)
	@if command -v shellcheck > /dev/null; then shellcheck $(SCRIPTS); fi

format: ## Format the Swift files in place
	swift format --in-place --parallel --recursive $(FORMATTED)

clean: ## Remove the demo's PostgreSQL with its data, and everything built
	@scripts/demo clean
	rm -rf .build .build-release dist
