package servers

import (
	"net"
	"net/url"
	"testing"
)

func TestPostgresStartsAgainWhereItWas(t *testing.T) {
	p := RunPostgres(t)
	address, err := url.Parse(p.DSN)
	if err != nil {
		t.Fatal(err)
	}
	dial := func() error {
		c, err := net.Dial("tcp", address.Host)
		if err == nil {
			err = c.Close()
		}
		return err
	}
	if err := dial(); err != nil {
		t.Fatal(err)
	}
	p.Stop(t)
	if dial() == nil {
		t.Error("somebody answers after the server was stopped")
	}
	p.Start(t)
	if err := dial(); err != nil {
		t.Error(err)
	}
}
