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
	get := func(scheme string, most uint16) (*http.Response, error) {
		client := &http.Client{Transport: &http.Transport{
			ForceAttemptHTTP2: true, DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MaxVersion: most}, //nolint:gosec // which certificate is shown is the test
		}}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, scheme+"://"+s.Addr().String()+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(request)
		if err == nil {
			t.Cleanup(func() { answer.Body.Close() })
		}
		return answer, err
	}
	for _, serial := range []int64{1, 2} {
		current.Store(certificate(t, serial))
		answer, err := get("https", 0)
		if err != nil {
			t.Fatal(err)
		}
		if shown := answer.TLS.PeerCertificates[0].SerialNumber.Int64(); answer.StatusCode != 200 || answer.ProtoMajor != 2 || shown != serial {
			t.Errorf("got %s %s with certificate %d, want %d", answer.Proto, answer.Status, shown, serial)
		}
	}
	if answer, err := get("https", tls.VersionTLS12); err != nil || answer.StatusCode != 200 {
		t.Errorf("TLS 1.2: %v", err)
	}
	if _, err := get("https", tls.VersionTLS11); err == nil {
		t.Error("TLS 1.1 is accepted")
	}
	if answer, err := get("http", 0); err == nil && answer.StatusCode != http.StatusBadRequest {
		t.Errorf("plain HTTP: %s", answer.Status)
	}
}
