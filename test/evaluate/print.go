package evaluate

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"parlance/internal/value"
)

var maxSafe = new(big.Rat).SetInt64(1<<53 - 1)

// JSON returns the value as decision 51 writes it, a number without superfluous zeros. Zone is that of instants.
func (v Value) JSON(measure bool, zone *time.Location) string {
	switch {
	case v.IsNull():
		return "null"
	case v.Num != nil:
		text := decimalText(v.Num)
		if !measure && new(big.Rat).Abs(v.Num).Cmp(maxSafe) > 0 {
			return `"` + text + `"`
		}
		return text
	case v.Kind == value.Float:
		if math.IsNaN(v.F) || math.IsInf(v.F, 0) {
			return "null"
		}
		return strconv.FormatFloat(v.F, 'g', -1, 64)
	case v.Kind == value.String:
		quoted, err := json.Marshal(v.Text)
		if err != nil {
			panic(err)
		}
		return string(quoted)
	case v.Kind == value.Boolean:
		return strconv.FormatBool(v.Bool)
	}
	return `"` + v.timeText(zone) + `"`
}

func (v Value) timeText(zone *time.Location) string {
	if v.Kind == value.Date {
		return v.Time.Format("2006-01-02")
	}
	const clock = "2006-01-02T15:04:05.999999"
	if v.Zoned {
		return v.Time.In(zone).Format(clock + "-07:00")
	}
	return v.Time.Format(clock)
}

// decimalText writes a fraction whose denominator divides a power of ten.
func decimalText(r *big.Rat) string {
	text := r.FloatString(60)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}
