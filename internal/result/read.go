package result

import "math/big"

// Int64 returns a cell that holds a whole number, such as a count; false when it holds none or one that does not fit.
func Int64(cell any) (int64, bool) {
	switch v := cell.(type) {
	case int64:
		return v, true
	case int32:
		return int64(v), true
	case int:
		return int64(v), true
	case uint64:
		return int64(v), v <= 1<<63-1
	case *big.Int:
		if v != nil && v.IsInt64() {
			return v.Int64(), true
		}
	case *Decimal:
		if v != nil && v.Wide == nil && v.Scale == 0 {
			return v.Unscaled, true
		}
	}
	return 0, false
}
