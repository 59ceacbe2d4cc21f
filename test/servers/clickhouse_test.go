package servers

import (
	"net"
	"testing"
)

func TestClickHouseStartsAgainWhereItWas(t *testing.T) {
	c := RunClickHouse(t, 2, "UTC")
	dial := func(i int) error {
		conn, err := net.Dial("tcp", c.Addresses[i])
		if err == nil {
			err = conn.Close()
		}
		return err
	}
	for i := range 2 {
		if err := dial(i); err != nil {
			t.Fatal(err)
		}
	}
	c.Stop(t, 1)
	if dial(1) == nil {
		t.Error("somebody answers after the server was stopped")
	}
	if err := dial(0); err != nil {
		t.Error(err)
	}
	c.Start(t, 1)
	if err := dial(1); err != nil {
		t.Error(err)
	}
}
