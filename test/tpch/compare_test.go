package tpch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"
	"time"

	"parlance/internal/result"
)

// answer is what was served: a cell is nil, a string, a bool or a json.Number.
type answer struct {
	columns []string
	rows    [][]any
	text    string // as it was sent
}

// read takes a list of flat objects apart; their keys stand in the order of the columns.
func read(text []byte) (answer, error) {
	a := answer{text: string(text)}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var row []any
	for key := ""; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return a, nil
		}
		if err != nil {
			return a, err
		}
		switch {
		case token == json.Delim('{'):
			row = nil
		case token == json.Delim('}'):
			a.rows, key = append(a.rows, row), ""
		case token == json.Delim('[') || token == json.Delim(']'):
		case key == "":
			key = token.(string)
			if len(a.rows) == 0 {
				a.columns = append(a.columns, key)
			}
		default:
			row, key = append(row, token), ""
		}
	}
}

// same reports how a served answer differs from the rows that were read by hand, in order.
func (a answer) same(hand [][]any) error {
	if len(a.rows) != len(hand) {
		return fmt.Errorf("%d rows, by hand %d", len(a.rows), len(hand))
	}
	for i, row := range a.rows {
		if len(row) != len(hand[i]) {
			return fmt.Errorf("%d columns, by hand %d", len(row), len(hand[i]))
		}
		for j, cell := range row {
			if err := sameCell(cell, hand[i][j]); err != nil {
				return fmt.Errorf("row %d, %s: %w", i+1, a.columns[j], err)
			}
		}
	}
	return nil
}

func sameCell(served, hand any) error {
	different := fmt.Errorf("%v, by hand %v", served, hand)
	number, ok := served.(json.Number)
	if !ok {
		if served != hand {
			return different
		}
		return nil
	}
	got, ok := new(big.Rat).SetString(number.String())
	if !ok {
		return different
	}
	_, digits, _ := strings.Cut(number.String(), ".")
	switch h := hand.(type) {
	case *big.Rat:
		if got.Cmp(h) == 0 || len(digits) >= ratioDigits && got.Cmp(rounded(h, len(digits))) == 0 {
			return nil
		}
	case float64: // an engine without exact decimals, or one whose averages are doubles
		f, _ := got.Float64()
		near := 1e-9 * math.Abs(h)
		if len(digits) >= ratioDigits {
			near += 0.5 * math.Pow10(-len(digits))
		}
		if math.Abs(f-h) <= near {
			return nil
		}
	}
	return different
}

// ratioDigits is how many digits an average or a quotient has at least; only such a value may have been rounded.
const ratioDigits = 6

// rounded is a number to some digits after the point, half away from zero.
func rounded(n *big.Rat, digits int) *big.Rat {
	r, _ := new(big.Rat).SetString(n.FloatString(digits))
	return r
}

// plain is a cell of a driver as comparisons take it: nil, a string, a number or, where it is inexact, a float64.
func plain(cell any) any {
	switch c := cell.(type) {
	case int64:
		return new(big.Rat).SetInt64(c)
	case int32:
		return new(big.Rat).SetInt64(int64(c))
	case int16:
		return new(big.Rat).SetInt64(int64(c))
	case uint16:
		return new(big.Rat).SetInt64(int64(c))
	case uint8:
		return new(big.Rat).SetInt64(int64(c))
	case uint64:
		return new(big.Rat).SetInt(new(big.Int).SetUint64(c))
	case *big.Int:
		return new(big.Rat).SetInt(c)
	case result.Decimal:
		return ofDecimal(c)
	case *result.Decimal:
		return ofDecimal(*c)
	case []byte:
		return string(c)
	case time.Time:
		return c.Format(time.DateOnly)
	}
	return cell
}

func ofDecimal(d result.Decimal) *big.Rat {
	n := d.Wide
	if n == nil {
		n = big.NewInt(d.Unscaled)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Scale)), nil)
	return new(big.Rat).SetFrac(n, scale)
}
