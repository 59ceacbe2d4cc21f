#!/usr/bin/env bash
# Lets sqlmap try every slot of test/attack/slots.txt against a demo of its own: attack.sh [NAME…] tries only some.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
./bin/parlance serve --listen 127.0.0.1:0 >"$folder/out" 2>"$folder/log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
for _ in $(seq 100); do
	address=$(grep -ohE '127\.0\.0\.1:[0-9]+' "$folder/out" "$folder/log" | head -1 || true)
	[ -n "$address" ] && curl -sf "http://$address/readyz" >/dev/null && break
	sleep 0.1
done
curl -sf "http://$address/readyz" >/dev/null || { echo "attack: the demo does not start" >&2; cat "$folder/log" >&2; exit 1; }

tried=0 found=0
while IFS='|' read -r name path header body; do
	name=${name// /} path=${path// /} header=${header# } header=${header% } body=${body# }
	[ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
	request=$folder/$name.http
	{
		printf 'POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n' "${path//FUZZ/*}" "$address"
		[ "$header" = - ] || printf '%s\r\n' "${header//FUZZ/*}"
		printf '\r\n%s' "${body//FUZZ/*}"
	} >"$request"
	output=$folder/$name.txt
	timeout 300 sqlmap --ignore-stdin --batch -r "$request" --level 3 --risk 2 --threads 4 --time-sec 2 --flush-session \
		--disable-coloring --ignore-code=401,404 --output-dir "$folder/sessions" >"$output" 2>&1 || true
	tried=$((tried + 1))
	if grep -qE 'the following injection point|is vulnerable' "$output"; then
		found=$((found + 1))
		printf '%s: FOUND\n' "$name"
		sed -n '/the following injection point/,$p' "$output"
	elif grep -qE 'all tested parameters do not appear to be injectable|does not seem to be injectable' "$output"; then
		printf '%s: nothing\n' "$name"
	else
		found=$((found + 1))
		printf '%s: sqlmap came to no end\n' "$name"
		tail -5 "$output"
	fi
done < <(grep -vE '^(#|$)' test/attack/slots.txt)
echo "attack: $tried slots, $found found"
[ "$found" -eq 0 ] && [ "$tried" -gt 0 ]
