package datasource

import (
	"testing"

	"parlance/test/servers"
)

// clickHouseConfig is how the servers of a test are reached.
func clickHouseConfig(c *servers.ClickHouse) Config {
	return Config{Type: "clickhouse", Addresses: c.Addresses[:1], Database: "default", User: c.User, Password: c.Password}
}

func TestClickHouse(t *testing.T) {
	for _, zone := range []string{"UTC", "Asia/Kolkata"} {
		server := servers.RunClickHouse(t, 1, zone)
		t.Run("functions "+zone, func(t *testing.T) {
			checkFunctions(t, openAs(t, clickHouseConfig(server)), "mod float", fractions)
		})
	}
}
