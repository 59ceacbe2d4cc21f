package resolve

import (
	"testing"
	"time"
)

// TestFirstInstant: days that begin at one o'clock, a day that does not exist, hours that are skipped or come twice.
// The instants are those of the time zone database, written by hand.
func TestFirstInstant(t *testing.T) {
	for _, c := range []struct{ zone, wall, want string }{
		{"America/Sao_Paulo", "2018-11-03T00:00:00", "2018-11-03T03:00:00Z"},
		{"America/Sao_Paulo", "2018-11-04T00:00:00", "2018-11-04T03:00:00Z"}, // begins at 01:00-02:00
		{"America/Sao_Paulo", "2018-11-05T00:00:00", "2018-11-05T02:00:00Z"},
		{"America/Havana", "2018-03-11T00:00:00", "2018-03-11T05:00:00Z"}, // begins at 01:00-04:00
		{"America/Havana", "2018-11-04T00:00:00", "2018-11-04T04:00:00Z"}, // midnight comes twice: the first, -04:00
		{"America/Havana", "2018-11-05T00:00:00", "2018-11-05T05:00:00Z"},
		{"Pacific/Apia", "2011-12-30T00:00:00", "2011-12-30T10:00:00Z"}, // the day does not exist
		{"Pacific/Apia", "2011-12-31T00:00:00", "2011-12-30T10:00:00Z"},
		{"America/New_York", "2024-03-10T02:30:00", "2024-03-10T07:00:00Z"}, // skipped: 03:00-04:00
		{"America/New_York", "2024-11-03T01:30:00", "2024-11-03T05:30:00Z"}, // twice: the first, -04:00
		{"America/New_York", "2024-07-01T12:00:00", "2024-07-01T16:00:00Z"},
		{"Europe/Berlin", "2024-10-27T02:30:00", "2024-10-27T00:30:00Z"},
		{"UTC", "2024-02-29T00:00:00", "2024-02-29T00:00:00Z"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		wall, err := time.Parse("2006-01-02T15:04:05", c.wall)
		if err != nil {
			t.Fatal(err)
		}
		if got := firstInstant(wall, zone).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.wall, c.zone, got, c.want)
		}
	}
}
