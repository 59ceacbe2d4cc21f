#!/usr/bin/env bash
# Runs every fuzz target of the module for a while each: fuzz.sh [DURATION], 10s by default.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}

git grep -hoE '^func Fuzz[A-Za-z0-9_]*' -- '*_test.go' >/dev/null || {
	echo "fuzz: no fuzz target found" >&2
	exit 1
}
git grep -oE '^func Fuzz[A-Za-z0-9_]*' -- '*_test.go' | while IFS=: read -r file func; do
	name=${func#func }
	echo "$(dirname "$file") $name"
	./tools/go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" "./$(dirname "$file")"
done
