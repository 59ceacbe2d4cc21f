#!/usr/bin/env bash
# Brings a Debian machine to the point where this repository builds: a C and C++ compiler (the embedded database is
# compiled in), make, root certificates, and a Go of at least the version in go.mod. Further packages that a task needs
# are its arguments. It installs only what is missing, prints nothing when nothing is, and may be run any number of times.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
need() { # need COMMAND PACKAGE
	command -v "$1" >/dev/null 2>&1 || missing+=("$2")
}
need gcc gcc
need g++ g++
need make make
[ -x /usr/local/go/bin/go ] || need go golang
[ -e /etc/ssl/certs/ca-certificates.crt ] || missing+=(ca-certificates)
[ -e /usr/share/zoneinfo/Europe/Berlin ] || missing+=(tzdata)

for package in "$@"; do
	case $package in
	postgresql) compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || missing+=("$package") ;;
	mariadb-server) [ -x /usr/sbin/mariadbd ] || missing+=("$package") ;;
	clickhouse-server) [ -x /usr/sbin/clickhouse-server ] || missing+=("$package") ;;
	*) need "$package" "$package" ;;
	esac
done

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo "$@"
	else
		echo "setup: not root and no sudo; please install: ${missing[*]}" >&2
		exit 1
	fi
}

if [ ${#missing[@]} -gt 0 ]; then
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "setup: no apt-get on this machine; please install: ${missing[*]}" >&2
		exit 1
	fi
	echo "setup: installing ${missing[*]}"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

./tools/go version >/dev/null
