package clients

import "testing"

const modern, legacy = "2026-07-28", "2025-11-25"

// clients are all clients, in the order of the table.
func (w *world) clients(t *testing.T) []*client {
	t.Helper()
	v2, ai := versionOf(t, "@modelcontextprotocol/client"), versionOf(t, "@ai-sdk/mcp")
	inspector, sdk := versionOf(t, "@modelcontextprotocol/inspector"), goSDKVersion(t)
	oneCall := map[string]string{"cancel": "a process is one call, which waits for its end"}
	return []*client{
		{name: "TypeScript SDK", version: versionOf(t, "sdk-old"), npm: true, start: w.driven("sdk.mjs", "sdk-old")},
		{name: "TypeScript SDK", version: versionOf(t, "sdk-current"), npm: true, start: w.driven("sdk.mjs", "sdk-current")},
		{name: "TypeScript client, legacy", version: v2, npm: true, start: w.driven("sdk2.mjs", "legacy")},
		{name: "TypeScript client, modern", version: v2, npm: true, start: w.driven("sdk2.mjs", modern)},
		{name: "AI SDK", version: ai, npm: true, start: w.driven("aisdk.mjs")},
		{name: "AI SDK, without discovery", version: ai, npm: true, start: w.driven("aisdk.mjs", "legacy")},
		{name: "Inspector CLI", version: inspector, npm: true, start: w.inspector, cannot: oneCall},
		{name: "mcp-remote", version: versionOf(t, "mcp-remote"), npm: true, start: goSDK(legacy, w.overRemote)},
		{name: "Go SDK, legacy", version: sdk, start: goSDK(legacy, overHTTP)},
		{name: "Go SDK, modern", version: sdk, start: goSDK(modern, overHTTP)},
		{name: "Go SDK over stdio, legacy", version: sdk, stdio: true, start: goSDK(legacy, w.overStdio)},
		{name: "Go SDK over stdio, modern", version: sdk, stdio: true, start: goSDK(modern, w.overStdio)},
	}
}
