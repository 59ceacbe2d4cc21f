package contract

import "testing"

// newServers returns a function that gives the address of a server with a configuration of servers/, started when it
// is first asked for; "" is the embedded demo without any configuration.
func newServers(t *testing.T) func(configuration string) string {
	t.Helper()
	return func(string) string {
		t.Skip("the server is being written")
		return ""
	}
}
