package mcp

import (
	"context"

	"parlance/internal/service"
)

// explainQuery takes what query_model takes and refuses what it refuses. Statements are for the admin endpoint, where they
// run unless the mode is validate.
func (in *invocation) explainQuery(ctx context.Context) ([]byte, error) {
	options, err := in.queryOptions()
	if err != nil {
		return nil, err
	}
	q, err := in.payload()
	if err != nil {
		return nil, err
	}
	found, err := in.handler.service.Explain(ctx, in.caller, in.args.text("model"), q, service.ExplainOptions{
		DefaultRows: options.DefaultRows, Statements: in.handler.admin, Run: in.handler.admin && !options.Validate,
	})
	if err != nil {
		return nil, belowPayload(err)
	}
	sent := *found
	sent.Columns, sent.Joins = orEmpty(sent.Columns), orEmpty(sent.Joins)
	sent.Warnings = mergeWarnings(in.args.warnings, sent.Warnings)
	return marshal(sent)
}
