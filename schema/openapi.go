package schema

import _ "embed"

// OpenAPI describes the HTTP surface: the query interface, the JSON-RPC endpoints and the health checks.
//
//go:embed openapi.yaml
var OpenAPI []byte
