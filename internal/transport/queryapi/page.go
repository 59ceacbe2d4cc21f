package queryapi

import (
	"math"
	"slices"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
)

var (
	pageKeys = []string{"page", "pageSize", "start", "limit", "param"}
	// ignored are keys of old clients that change nothing beside param either (decision 38).
	ignored = slices.DeleteFunc(slices.Clone(query.LegacyKeys), func(key string) bool { return key == "queryModel" })
)

// pageRequest is a decoded body of …/v2/{model}.
type pageRequest struct {
	query  *query.Query
	inBody []string // the paging keys that stood beside param and not in it
}

func decodePage(body []byte, limits query.Limits) (*pageRequest, error) {
	n, err := parseBody(body)
	if err != nil {
		return nil, err
	}
	if err := checkKeys(n, pageKeys); err != nil {
		return nil, err
	}
	rq := &pageRequest{query: &query.Query{}}
	if param, ok := member(n, "param"); ok {
		if rq.query, err = query.Decode(param, query.DecodeOptions{Limits: limits, Ignored: query.LegacyKeys}); err != nil {
			return nil, fault.Under("param", err)
		}
	}
	return rq, rq.takePaging(n)
}

// takePaging lets the body's paging keys win over param's (decision 32). What it beats must make sense all the same.
func (rq *pageRequest) takePaging(n jsontree.Node) error {
	if _, _, _, err := rq.query.Paging.Window(0, math.MaxInt64); err != nil {
		return fault.Under("param", err)
	}
	var given query.Paging
	for _, m := range n.Members {
		known, err := given.Set(m.Key, m.Value)
		if err != nil {
			return err
		}
		if known {
			rq.inBody = append(rq.inBody, m.Key)
		}
	}
	rq.query.Paging = given.Over(rq.query.Paging)
	return nil
}

// place moves the path of the service's error, which is relative to the payload, to where it stands in the body.
// An error without a path, such as an unknown model, is about no key.
func (rq *pageRequest) place(err error) error {
	f := fault.As(err)
	key, _, _ := strings.Cut(f.Path, ".")
	if f.Path == "" || slices.Contains(rq.inBody, key) {
		return err
	}
	return fault.Under("param", err)
}
