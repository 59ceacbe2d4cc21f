#!/usr/bin/env bash
# Runs every fuzz target of the module for a while each: fuzz.sh [DURATION], 10s by default.
# Go's fuzzer may report its own deadline as a failure ("context deadline exceeded"); only a failure with a failing input
# or another reason counts.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10s}

targets=$(grep -rnoE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' cmd internal test)
while IFS=: read -r file _ func; do
	name=${func#func }
	package=./$(dirname "$file")
	printf '%s %s: ' "$package" "$name"
	if output=$(./tools/go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" "$package" 2>&1); then
		echo ok
	elif grep -q 'context deadline exceeded' <<<"$output" && ! grep -qE 'Failing input|panic' <<<"$output"; then
		echo ok
	else
		printf 'FAILED\n%s\n' "$output"
		exit 1
	fi
done <<<"$targets"
