package httpserver

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

func certificate(t *testing.T, serial int64) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestTLS(t *testing.T) {
	var current atomic.Pointer[tls.Certificate]
	current.Store(certificate(t, 1))
	s := newTestServer(t, func(o *Options) { o.Listen, o.Certificate = "127.0.0.1:0", current.Load })
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	type seen struct {
		status, proto int
		serial        int64
	}
	get := func(scheme string, most uint16) (seen, error) {
		client := &http.Client{Transport: &http.Transport{
			ForceAttemptHTTP2: true, DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MaxVersion: most}, //nolint:gosec // which certificate is shown is the test
		}}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, scheme+"://"+s.Addr().String()+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(request)
		if err != nil {
			return seen{}, err
		}
		defer answer.Body.Close()
		got := seen{status: answer.StatusCode, proto: answer.ProtoMajor}
		if answer.TLS != nil {
			got.serial = answer.TLS.PeerCertificates[0].SerialNumber.Int64()
		}
		return got, nil
	}
	for _, serial := range []int64{1, 2} {
		current.Store(certificate(t, serial))
		got, err := get("https", 0)
		if want := (seen{200, 2, serial}); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	if got, err := get("https", tls.VersionTLS12); err != nil || got.status != 200 {
		t.Errorf("TLS 1.2: %+v %v", got, err)
	}
	if _, err := get("https", tls.VersionTLS11); err == nil {
		t.Error("TLS 1.1 is accepted")
	}
	if got, err := get("http", 0); err == nil && got.status != http.StatusBadRequest {
		t.Errorf("plain HTTP: %+v", got)
	}
}
