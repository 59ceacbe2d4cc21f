package app

import "parlance/internal/identity"

const (
	secureName = "demo-secure" // the namespace that shows the demo's shop under policies
	demoTable  = "demo-secure" // of its tokens; the files of others have paths
)

// demoGuards are the guards of the demo's namespaces.
func demoGuards() []identity.Namespace {
	return []identity.Namespace{
		{Name: defaults().DefaultNamespace},
		{Name: secureName, Guard: identity.Guard{Mode: identity.Tokens, Table: demoTable}},
	}
}

// demoTokens are the identities of demo-secure. Their tokens stand in the README: they open made-up data only.
func demoTokens() []identity.Token {
	return []identity.Token{
		{Hash: identity.HashOf("plc_demo-admin"), User: "chen", Roles: []string{"admin"}},
		{
			Hash: identity.HashOf("plc_demo-manager"), User: "wang", Roles: []string{"manager", "analyst"},
			Attributes: map[string][]string{"provinces": {"Guangdong", "Zhejiang"}},
		},
		{Hash: identity.HashOf("plc_demo-viewer"), User: "li", Roles: []string{"viewer", "analyst"}},
	}
}
