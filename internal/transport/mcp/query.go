package mcp

import (
	"context"
	"slices"

	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/service"
	"parlance/internal/stage"
)

func (in *invocation) queryModel(ctx context.Context) ([]byte, error) {
	options, err := in.queryOptions()
	if err != nil {
		return nil, err
	}
	decoding := stage.Start(ctx, stage.Decode)
	q, err := in.payload()
	decoding.End()
	if err != nil {
		return nil, err
	}
	if err := in.checkCodes(); err != nil {
		return nil, err
	}
	options.Layout = in.layout(q.Format)
	found, err := in.handler.service.Query(ctx, in.caller, in.args.text("model"), q, options)
	if err != nil {
		return nil, belowPayload(err)
	}
	defer found.Release()
	a := answer{Answer: *found, layout: options.Layout, maxBytes: in.handler.limits.Bytes}
	advice, patch := in.advise(ctx, in.handler.tools["dataset.query_model"])
	a.patch = patch
	a.Warnings = mergeWarnings(in.args.warnings, q.Warnings, advice, a.Warnings)
	if options.Validate {
		return a.appendValidated(nil)
	}
	text, err := a.text()
	in.rows = a.Returned
	return text, err
}

func (in *invocation) queryOptions() (service.QueryOptions, error) {
	o := service.QueryOptions{DefaultRows: in.handler.limits.Rows, MaxBytes: in.handler.limits.Bytes, Diagnose: true}
	mode, err := in.args.choice("mode", "execute", "validate")
	if err != nil {
		return o, err
	}
	o.Validate = mode == "validate"
	if o.ShowSQL, err = in.args.flag("showSql"); err != nil {
		return o, err
	}
	if o.ShowSQL && !in.handler.admin {
		return o, sqlForAdminOnly()
	}
	return o, nil
}

func (in *invocation) payload() (*query.Query, error) {
	if in.args.repeated != nil {
		return nil, repeatedInPayload(in.args.repeated)
	}
	node, _ := in.args.get("payload")
	q, err := query.Decode(node, query.DecodeOptions{Limits: in.handler.limits.Query, Format: true})
	return q, fault.Under("payload", err)
}

func (in *invocation) layout(asked query.Format) result.Layout {
	if asked == query.CompactFormat || asked == query.DefaultFormat && in.handler.compact {
		return result.Compact
	}
	return result.Objects
}

// belowPayload moves the path of an error about the query below the payload. Errors about the model, the namespace or
// the service have no path and keep none.
func belowPayload(err error) error {
	if f := fault.As(err); f.Path == "" || f.Kind == fault.NotFound {
		return err
	}
	return fault.Under("payload", err)
}

// mergeWarnings returns every warning once, in order.
func mergeWarnings(lists ...[]string) []string {
	var all []string
	for _, w := range slices.Concat(lists...) {
		if !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}
