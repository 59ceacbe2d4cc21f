package sqlitefn

import (
	"database/sql/driver"
	"math"
	"slices"

	"modernc.org/sqlite"

	"parlance/internal/exact"
)

// fold is an aggregate under way. Only values that are not null are put in.
type fold interface {
	// put takes a value, the arguments behind it, and 1 or, where it leaves a window, -1.
	put(args []driver.Value, sign int) error
	value() (driver.Value, error)
}

type kind struct {
	args  int32
	start func() fold
}

func aggregates() map[string]kind {
	return map[string]kind{
		"dec_sum":         {2, func() fold { return &sum{form: decimal} }},
		"int_sum":         {1, func() fold { return &sum{form: integer} }},
		"dec_median_low":  {1, func() fold { return &middle{form: decimal} }},
		"dec_median_high": {1, func() fold { return &middle{form: decimal, upper: true} }},
		"int_median_low":  {1, func() fold { return &middle{form: integer} }},
		"int_median_high": {1, func() fold { return &middle{form: integer, upper: true} }},
		"float_median":    {1, func() fold { return &floatMedian{} }},
		"stddev_pop":      {1, func() fold { return &deviation{root: true} }},
		"stddev_samp":     {1, func() fold { return &deviation{root: true, sample: 1} }},
		"var_pop":         {1, func() fold { return &deviation{} }},
		"var_samp":        {1, func() fold { return &deviation{sample: 1} }},
	}
}

// aggregate is a fold as the driver calls it.
type aggregate struct{ fold fold }

// Step takes a row in.
func (a *aggregate) Step(_ *sqlite.FunctionContext, args []driver.Value) error { return a.put(args, 1) }

// WindowInverse takes a row out.
func (a *aggregate) WindowInverse(_ *sqlite.FunctionContext, args []driver.Value) error {
	return a.put(args, -1)
}

// WindowValue returns the value over the rows that are in.
func (a *aggregate) WindowValue(*sqlite.FunctionContext) (driver.Value, error) { return a.fold.value() }

// Final ends the aggregate.
func (a *aggregate) Final(*sqlite.FunctionContext) {}

func (a *aggregate) put(args []driver.Value, sign int) error {
	if args[0] == nil {
		return nil
	}
	return a.fold.put(args, sign)
}

// sum is an exact sum; its scale bounds the digits before the point.
type sum struct {
	form  form
	total exact.Number
	count int64
	scale int
}

func (s *sum) put(args []driver.Value, sign int) (err error) {
	n, err := number(args[0])
	if err != nil {
		return err
	}
	if sign < 0 {
		n = n.Neg()
	}
	if s.count == 0 && len(args) > 1 {
		if s.scale, err = whole(args[1]); err != nil {
			return err
		}
	}
	s.total = s.total.Add(n)
	s.count += int64(sign)
	return nil
}

func (s *sum) value() (driver.Value, error) {
	if s.count == 0 {
		return nil, nil
	}
	return s.form(s.total, s.scale)
}

// middle is one of the two middle values.
type middle struct {
	form   form
	upper  bool
	values []exact.Number
}

func (m *middle) put(args []driver.Value, sign int) error {
	if sign < 0 {
		return ErrRange
	}
	n, err := number(args[0])
	m.values = append(m.values, n)
	return err
}

func (m *middle) value() (driver.Value, error) {
	if len(m.values) == 0 {
		return nil, nil
	}
	slices.SortFunc(m.values, exact.Number.Cmp)
	at := (len(m.values) - 1) / 2
	if m.upper {
		at = len(m.values) / 2
	}
	return m.form(m.values[at], 0)
}

type floatMedian struct{ values []float64 }

func (m *floatMedian) put(args []driver.Value, sign int) error {
	f, ok := args[0].(float64)
	if sign < 0 || !ok {
		return ErrRange
	}
	m.values = append(m.values, f)
	return nil
}

func (m *floatMedian) value() (driver.Value, error) {
	n := len(m.values)
	if n == 0 {
		return nil, nil
	}
	slices.Sort(m.values)
	low, high := m.values[(n-1)/2], m.values[n/2]
	return low + (high-low)/2, nil
}

// deviation is a variance or its root, by the method of Welford.
type deviation struct {
	root    bool
	sample  float64 // 1: of a sample, 0: of all
	count   float64
	mean    float64
	squares float64
}

func (d *deviation) put(args []driver.Value, sign int) error {
	f, ok := args[0].(float64)
	if sign < 0 || !ok {
		return ErrRange
	}
	d.count++
	step := f - d.mean
	d.mean += step / d.count
	d.squares += step * (f - d.mean)
	return nil
}

func (d *deviation) value() (driver.Value, error) {
	if d.count <= d.sample {
		return nil, nil
	}
	v := d.squares / (d.count - d.sample)
	if d.root {
		return math.Sqrt(v), nil
	}
	return v, nil
}
