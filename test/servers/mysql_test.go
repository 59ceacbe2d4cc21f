package servers

import (
	"net"
	"strconv"
	"testing"
)

func TestMySQLStartsAgainWhereItWas(t *testing.T) {
	m := RunMySQL(t)
	m.LoadZones(t)
	dial := func() error {
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(m.port)))
		if err == nil {
			err = c.Close()
		}
		return err
	}
	if err := dial(); err != nil {
		t.Fatal(err)
	}
	m.Stop(t)
	if dial() == nil {
		t.Error("somebody answers after the server was stopped")
	}
	m.Start(t)
	if err := dial(); err != nil {
		t.Error(err)
	}
}
