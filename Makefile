# make run and make test need nothing but a Debian machine and root or sudo: tools/setup.sh installs what is missing.
GO       := ./tools/go
TOOL     := $(GO) tool -modfile=tools/go.mod
PACKAGES := ./...
FUZZTIME := 10s
SOAK     := 10m
KEEP     :=
QUERIES  := 100000
ARGS     :=
ENGINE   :=
# The race detector watches all but SQLite, a program of C made Go: it shares nothing with ours, and watched it is up to twenty times slower.
# The pointers that DuckDB's driver hands to C are not checked one by one, which would be a tenth of every load.
RACE     := -race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false -gcflags=github.com/duckdb/...=-d=checkptr=0

.DEFAULT_GOAL := build
.PHONY: run test build lint format bench bench-engines bench-rollup benchmarks fuzz soak random attack update clients page setup servers clean

## run: build the server and serve the embedded demo on 127.0.0.1:7108 (ARGS="--listen :8080" to change it)
run: build
	@exec ./bin/parlance serve $(ARGS)

## test: everything that must pass: format, vet, linters, tests with the race detector (lint has vetted what is tested)
test: servers lint
	@$(TOOL) gotestsum --format pkgname --format-hide-empty-pkg -- $(RACE) -vet=off -p 4 -timeout 25m $(PACKAGES)

## build: the binary, into bin/
build: setup
	@$(GO) build -o bin/parlance ./cmd/parlance

## lint: gofmt, go vet, golangci-lint (.golangci.yml says which linters and why)
lint: setup
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .) && \
		if [ -n "$$unformatted" ]; then echo "not formatted (make format):"; echo "$$unformatted"; exit 1; fi
	@$(GO) vet $(PACKAGES)
	@$(TOOL) golangci-lint run --max-issues-per-linter 0 --max-same-issues 0

## format: gofmt on every file
format: setup
	@$(GO) fmt $(PACKAGES)

## bench: requests a second beside a hand-written handler and beside one that does nothing, a large page, compilation, a thousand models, rollups (docs/performance.md)
bench: setup
	@$(GO) test -run '^$$' -bench 'Uncached|Kept|Page|Encoder|Compiling|Models' -benchtime 1x -timeout 30m ./test/bench
	@$(GO) test -run '^$$' -bench 'ReloadOneChanged' -benchtime 20x ./internal/catalog
	@$(MAKE) --no-print-directory bench-rollup

## bench-rollup: questions of 20 million facts, from the rows and from a rollup; a part of bench
bench-rollup: setup
	@$(GO) test -run '^$$' -bench Rollup -benchtime 5x -timeout 30m ./test/bench

## bench-engines: what is added to each database's own time, and the wait under load (ENGINE=postgres for one of them)
bench-engines: setup
	@$(GO) test -run '^$$' -bench '(Served|Load)/$(ENGINE)' -timeout 30m ./test/bench

## benchmarks: every other benchmark, once, with allocations
benchmarks: setup
	@$(GO) test -run '^$$' -bench . -benchmem ./internal/...

## fuzz: every fuzz target for FUZZTIME each (KEEP=1 adds what they find to the corpora in testdata/fuzz)
fuzz: setup
	@KEEP=$(KEEP) ./tools/fuzz.sh $(FUZZTIME)

## soak: everything at once against a running server, with faults, for SOAK; then ten times too much for a minute
soak: servers
	@PARLANCE_SOAK=$(SOAK) PARLANCE_OVERLOAD=1m $(GO) test -count=1 -timeout 3h -v -run '^(TestSoak|TestOverload)$$' ./test/outage

## random: the random queries of the execute ring, QUERIES of them, on ENGINE (duckdb, sqlite, postgres, mysql, clickhouse, cluster)
random: setup
	@PARLANCE_ENGINE=$(ENGINE) PARLANCE_QUERIES=$(QUERIES) $(GO) test -count=1 -timeout 3h -v -run TestRandomQueries ./test/execute

## attack: sqlmap against every slot of a running demo (SLOTS="alias order" for some)
attack: build
	@./tools/setup.sh sqlmap curl
	@./tools/attack.sh $(SLOTS)

## update: rewrite the expectations of the contract ring; read the diff like code
update: setup
	@$(GO) test ./test/contract -update

## setup: install what is missing on this machine to build and run
setup:
	@./tools/setup.sh

## clients: connect the clients of others; docs/clients.md is what was seen of them (ARGS=-update writes it anew)
clients: setup
	@./tools/setup.sh postgresql npm
	@$(GO) test ./test/clients $(ARGS)

## page: build the page for browsers from web/ into internal/transport/page/assets, where it is embedded
page:
	@./tools/setup.sh npm
	@cd web && npm ci --ignore-scripts --loglevel=error && npm run --silent build

## servers: and what the tests start: databases, clients that come by npm, a browser
servers:
	@./tools/setup.sh postgresql mariadb-server clickhouse-server npm chromium

clean:
	@rm -rf bin
