// Package sqlitefn is the functions that SQLite is given: exact numbers, text by code point, dates and time zones.
// They keep the promises of package compute; which of them a statement calls is the dialect's to say.
//
// Inside a statement an integer is SQLite's own where 64 bits hold it, a decimal and a larger integer are bytes that
// sort as numbers do, a date is 2024-03-05, a timestamp 2024-03-05T14:03:07 with up to six further digits, and an
// instant is bytes too, so that a cell tells by itself what it is.
package sqlitefn

import (
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

// The errors of the functions. Their texts arrive within the texts of SQLite's errors.
var (
	ErrOverflow = errors.New("numeric overflow")
	ErrRange    = errors.New("value out of range")
)

// function is a scalar function; it may not keep its arguments.
type function func(args []driver.Value) (driver.Value, error)

// entry is one scalar function of SQL.
type entry struct {
	name string
	args int32 // -1: any number
	call function
}

// Register gives a driver all functions.
func Register(d *sqlite.Driver) error {
	var errs []error
	for _, list := range [][]entry{numbers(), texts(), times()} {
		for _, e := range list {
			errs = append(errs, d.RegisterFunction(e.name, &sqlite.FunctionImpl{
				NArgs: e.args, Deterministic: true, VolatileArgs: true,
				Scalar: func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) { return e.call(args) },
			}))
		}
	}
	for name, a := range aggregates() {
		errs = append(errs, d.RegisterFunction(name, &sqlite.FunctionImpl{
			NArgs: a.args, Deterministic: true, VolatileArgs: true,
			MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
				return &aggregate{fold: a.start()}, nil
			},
		}))
	}
	return errors.Join(errs...)
}

// strict is a function that is null for a null argument.
func strict(call function) function {
	return func(args []driver.Value) (driver.Value, error) {
		for _, a := range args {
			if a == nil {
				return nil, nil
			}
		}
		return call(args)
	}
}

// whole reads an argument that is a small whole number.
func whole(v driver.Value) (int, error) {
	const bound = 1<<31 - 1
	n, err := number(v)
	if err != nil {
		return 0, err
	}
	i, ok := n.Int64()
	if !ok || i > bound || i < -bound {
		return 0, ErrRange
	}
	return int(i), nil
}
