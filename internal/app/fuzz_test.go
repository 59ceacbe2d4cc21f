package app

import (
	"strings"
	"testing"
)

// FuzzConfig holds that any text is a configuration or a list of mistakes, and that the secrets of the environment stand
// in none of them.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"", "listen: 127.0.0.1:0\n", "listen: [", "namespaces: {shop: {models: ./m, datasource: db, timezone: UTC, auth: {mode: tokens, file: ./t}}}\ndatasources: {db: {type: postgres, dsn: \"${SECRET}\"}}\n",
		"limits: {max_rows: 1e9, max_body: 1MiB, timeout: 30s}\naudit: {file: ./a, max_size: 1MiB, keep: 2}\noperations: {listen: \":1\", profiles: on, traces: {endpoint: http://x}}\n",
		"datasources: {c: {type: clickhouse, addresses: [a:1, b], password: \"${SECRET}${NONE}\"}, d: {type: duckdb, folder: ., memory: 1GB}}\n",
		"namespaces: {n: {auth: {mode: jwt, issuer: https://x, audience: [a], leeway: 60s, claims: {user: sub}}, cache: {ttl: 1m}}}\n", "runtime_code: {env: SECRET, endpoints: [admin]}\ntls: {cert: a, key: b}\nhttp: {status: mirror}\n",
	} {
		f.Add([]byte(seed))
	}
	const secret = "a-very-secret-word"
	env := func(name string) (string, bool) { return secret, name == "SECRET" }
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := readConfig("parlance.yaml", text, env); err != nil && (err.Error() == "" || strings.Contains(err.Error(), secret)) {
			t.Fatalf("the mistakes read %q", err)
		}
	})
}

// FuzzTokens holds that any text is a list of tokens or a list of mistakes that repeat no word as long as a token.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{
		"", "tokens: []\n", "tokens:\n  - {sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08, user: wang, roles: [analyst], namespaces: [shop], attributes: {provinces: [a, b]}}\n",
		"tokens: [{sha256: secretsecretsecretsecretsecretsecret, user: x}]\n", "tokens: {a: b}\n", "- x", "tokens: [{user: [1]}]\n", "tokens: [",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tokens, wrong := readTokens("tokens.yaml", text, []string{"shop"})
		if wrong != nil && (tokens != nil || wrong.Error() == "") {
			t.Fatalf("%d tokens beside the mistakes %q", len(tokens), wrong)
		}
	})
}
