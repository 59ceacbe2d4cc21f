package repair

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// view is what a caller sees in these tests: orders with a status, a day, a customer and an amount.
type view []*semantic.Field

func (v view) Models() []Model { return []Model{{Name: "OrderModel", Caption: "Orders"}} }
func (v view) Fields(model string) []*semantic.Field {
	if model != "OrderModel" {
		return nil
	}
	return v
}
func (v view) Masked(string, *semantic.Field) bool { return false }

func orders() view {
	day := &semantic.Dimension{Name: "day", Path: "day", Date: true, IDType: value.Type{Kind: value.Integer}, LabelType: value.Type{Kind: value.Date}}
	customer := &semantic.Dimension{Name: "customer", Path: "customer", IDType: value.Type{Kind: value.Integer}, LabelType: value.Type{Kind: value.String}}
	states := &semantic.Dictionary{Name: "status", Entries: []semantic.Entry{{Code: "PAID", Label: "Paid"}, {Code: "NEW", Label: "New", Synonyms: []string{"open"}}}}
	return view{
		{Name: "status", Caption: "Status", Dictionary: states},
		{Name: "day$id", Role: semantic.ID, Dimension: day, Kind: semantic.DimensionKind}, {Name: "day$caption", Role: semantic.Label, Dimension: day, Kind: semantic.DimensionKind},
		{Name: "customer$id", Role: semantic.ID, Dimension: customer, Kind: semantic.DimensionKind}, {Name: "customer$caption", Role: semantic.Label, Dimension: customer, Kind: semantic.DimensionKind},
		{Name: "amount", Caption: "Amount", Synonyms: []string{"revenue"}, Kind: semantic.MeasureKind, Measure: &semantic.Measure{Name: "amount", Agg: semantic.Sum}},
		{Name: "orders", Caption: "Number of orders", Kind: semantic.MeasureKind, Measure: &semantic.Measure{Name: "orders", Agg: semantic.Count}},
	}
}

func TestCodes(t *testing.T) {
	for payload, want := range map[string]string{
		`{"slice":[{"field":"status","op":"=","value":"Paid"}]}`:                                     "payload.slice[0].value PAID",
		`{"slice":[{"status":"open"}]}`:                                                              "payload.slice[0].status NEW",
		`{"slice":[{"$or":[{"status":["PAID","new"]},{"amount":1}]}]}`:                               "payload.slice[0].$or[0].status[1] NEW",
		`{"slice":[{"$not":{"field":"status","op":"in","value":["NEW","paid"]}}]}`:                   "payload.slice[0].$not.value[1] PAID",
		`{"slice":[{"field":"status","op":"=","value":"PAID"}]}`:                                     "",
		`{"slice":[{"field":"status","op":"=","value":"LOST"}]}`:                                     "",
		`{"slice":[{"field":"status","op":"like","value":"Paid"}]}`:                                  "",
		`{"slice":[{"field":"customer$caption","op":"=","value":"Paid"}]}`:                           "",
		`{"slice":"status = Paid","having":{"x":1}}`:                                                 "",
		`{"slice":[{"field":"status","op":"in","value":"Paid, open"}]}`:                              "payload.slice[0].value ",
		`{"having":[{"field":"status","op":"!=","value":"Paid"},{"$expr":"status = 'Paid'"}, null]}`: "payload.having[0].value PAID",
	} {
		err := Codes(parsed(t, `{"model":"OrderModel","payload":`+payload+`}`), orders())
		got := ""
		if err != nil {
			got = fault.As(err).Path + " " + fault.As(err).Meant
		}
		if got != want {
			t.Errorf("%s: %q, want %q", payload, got, want)
		}
	}
}

func TestMendGivesUp(t *testing.T) {
	args := parsed(t, `{"model":"OrderModel","payload":{"columns":["amuont"]}}`)
	unknown := &fault.Error{Kind: fault.Invalid, Reason: "unknown_field", Path: "payload.columns[0]", Got: "amuont"}
	fixed := func(err error) Trial { return func(context.Context, jsontree.Node) error { return err } }
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx     context.Context
		refused *fault.Error
		try     Trial
		mends   bool
	}{
		"it holds":              {t.Context(), unknown, fixed(nil), true},
		"no time is left":       {ended, unknown, fixed(nil), false},
		"it is refused again":   {t.Context(), unknown, fixed(unknown), false},
		"it is forbidden then":  {t.Context(), unknown, fixed(&fault.Error{Kind: fault.Forbidden, Reason: "forbidden_field", Path: "payload.columns[0]", Got: "amount"}), false},
		"it fails inside":       {t.Context(), unknown, fixed(fault.Internalf(nil, "x")), false},
		"it was forbidden":      {t.Context(), &fault.Error{Kind: fault.Forbidden, Reason: "unknown_field", Path: "payload.columns[0]", Got: "amuont"}, fixed(nil), false},
		"only part of it known": {t.Context(), &fault.Error{Kind: fault.Invalid, Reason: "unknown_field", Path: "payload.columns[0]", Got: "amuont…"}, fixed(nil), false},
	} {
		if patch := Mend(c.ctx, args, c.refused, orders(), c.try); (patch != nil) != c.mends {
			t.Errorf("%s: patch %s", name, patch.JSON())
		}
	}
}

// FuzzMend holds mends to their form whatever is refused: no panic, a bounded number of trials, and a patch that is JSON and
// fits what was sent.
func FuzzMend(f *testing.F) {
	reasons := slices.Sorted(maps.Keys(menders))
	for _, seed := range []string{
		`{"model":"OrderModel","payload":{"colums":["amont"],"slice":[{"field":"day","op":"is between","value":{"from":1,"to":2}}]}}`,
		`{"model":"OrderModel","payload":{"slice":[["a",">",5]],"orderBy":{"a":"desc"},"columns":[{"field":"x","agg":"sum"}]}}`,
		`{"model":"OrderModel","payload":"{\"groupBy\":[\"amount\",\"status\"]}"}`, `"{}"`, `[]`, `null`, `{"payload":[1,[2]]}`,
	} {
		for i := range reasons {
			f.Add(seed, uint8(i), "payload.slice[0].value", "amont")
			f.Add(seed, uint8(i), "payload.columns[0]", "sum(x")
		}
	}
	f.Fuzz(func(t *testing.T, doc string, reason uint8, path, got string) {
		args, err := jsontree.Parse([]byte(doc))
		if err != nil {
			return
		}
		trials := 0
		try := func(_ context.Context, args jsontree.Node) error {
			trials++
			payload, _ := args.Get("payload")
			_, err := query.Decode(payload, query.DecodeOptions{Format: true})
			return fault.Under("payload", err)
		}
		refused := &fault.Error{Kind: fault.Invalid, Reason: reasons[int(reason)%len(reasons)], Path: path, Got: got, Closest: []string{"amount"}}
		patch := Mend(t.Context(), args, refused, orders(), try)
		if trials > maxTrials {
			t.Errorf("%d trials", trials)
		}
		if patch == nil {
			return
		}
		if !json.Valid(patch.JSON()) {
			t.Errorf("not JSON: %s", patch.JSON())
		}
		if _, ok := patch.Apply(args); !ok {
			t.Errorf("%s does not fit %s", patch.JSON(), doc)
		}
		_, _ = Advise(t.Context(), args, try)
		_ = Codes(args, orders())
	})
}
