#!/usr/bin/env bash
# Runs every fuzz target of the module for a while each: fuzz.sh [DURATION [PATTERN]], 10s and all by default. PATTERN is a
# part of PACKAGE:TARGET. KEEP=1 adds the smallest inputs that it found new to the corpora in testdata/fuzz, ten a target.
# Go's fuzzer may report its own deadline as a failure ("context deadline exceeded"); only a failure with a failing input
# or another reason counts.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}
pattern=${2:-}

keep() { # package, target
	local found to="$1/testdata/fuzz/$2"
	found=$(./tools/go env GOCACHE)/fuzz/$(./tools/go list "$1")/$2
	[ -d "$found" ] || return 0
	mkdir -p "$to"
	find "$found" -type f -size -2k -printf '%s %p\n' | sort -n | head -10 | while read -r _ input; do cp "$input" "$to/"; done
}

targets=$(grep -rnoE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' cmd internal test)
while IFS=: read -r file _ func; do
	name=${func#func }
	package=./$(dirname "$file")
	[[ "$package:$name" == *"$pattern"* ]] || continue
	printf '%s %s: ' "$package" "$name"
	if output=$(./tools/go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" "$package" 2>&1); then
		grep -oE 'execs: [0-9]+' <<<"$output" | tail -1 || echo ok
	elif grep -q 'context deadline exceeded' <<<"$output" && ! grep -qE 'Failing input|panic' <<<"$output"; then
		echo ok
	else
		printf 'FAILED\n%s\n' "$output"
		exit 1
	fi
	if [ -n "${KEEP:-}" ]; then keep "$package" "$name"; fi
done <<<"$targets"
