package app

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"parlance/internal/semantic"
)

// sizeUnits are the endings of a size; a bare number counts bytes.
var sizeUnits = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}

// parseSize reads 1MiB, 60KB or 4096.
func parseSize(s string) (int64, error) {
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 32)
		if err != nil || n < 1 {
			break
		}
		return n * u.bytes, nil
	}
	return 0, fmt.Errorf("%q is not a size such as 1MiB, 60KB or 4096", s)
}

// parseDuration reads 30s, 1m30s or 500ms.
func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a duration such as 30s, 1m30s or 500ms", s)
	}
	return d, nil
}

func parseWeekday(s string) (time.Weekday, error) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.EqualFold(s, d.String()) {
			return d, nil
		}
	}
	return 0, fmt.Errorf("%q is not a day of the week such as monday", s)
}

func parseMonth(s string) (time.Month, error) {
	for m := time.January; m <= time.December; m++ {
		if strings.EqualFold(s, m.String()) {
			return m, nil
		}
	}
	return 0, fmt.Errorf("%q is not a month such as april", s)
}

// parseToday reads now, latest or a day.
func parseToday(s string) (semantic.Today, error) {
	switch s {
	case "now":
		return semantic.Today{}, nil
	case "latest":
		return semantic.Today{Latest: true}, nil
	}
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return semantic.Today{}, fmt.Errorf("%q is neither now nor latest nor a day such as 2024-12-31", s)
	}
	return semantic.Today{Fixed: s}, nil
}

// parseZone reads the name of a time zone. Local is refused: an answer must not depend on the machine.
func parseZone(s string) (*time.Location, error) {
	zone, err := time.LoadLocation(s)
	if err != nil || s == "" || s == "Local" {
		return nil, fmt.Errorf("%q is not a time zone such as UTC or Asia/Shanghai", s)
	}
	return zone, nil
}

// expandEnv replaces every ${NAME} by the environment's value; a name that is not set is an error, never "".
func expandEnv(s string, env func(string) (string, bool)) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf("${ is not closed by }")
		}
		v, ok := env(name)
		if !ok {
			return "", fmt.Errorf("the environment variable %s is not set", name)
		}
		b.WriteString(v)
		s = after
	}
}
