package app

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"parlance/internal/identity"
	"parlance/test/issuer"
)

// pair makes a certificate for this machine and its key, in PEM form.
func pair(t *testing.T, serial int64) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return block("CERTIFICATE", der), block("PRIVATE KEY", secret)
}

// shown returns the serial number of the certificate that a server shows.
func shown(t *testing.T, r *running) int64 {
	t.Helper()
	dialer := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}}
	conn, err := dialer.DialContext(t.Context(), "tcp", r.http.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

func TestACertificateIsReadAgain(t *testing.T) {
	cert, key := pair(t, 1)
	c, dir := guarded(t, "tls: {cert: cert.pem, key: key.pem}\nnamespaces: {shop: {models: ./models, datasource: files}}\n",
		map[string]string{"cert.pem": cert, "key.pem": key})
	r := run(t, c)
	if got := shown(t, r); got != 1 || r.scheme() != "https" {
		t.Errorf("certificate %d over %s", got, r.scheme())
	}
	nextCert, nextKey := pair(t, 2)
	mark := r.log.mark()
	write(t, dir, "cert.pem", nextCert)
	r.log.await(t, mark, "certificate not changed", "private key does not match public key")
	if got := shown(t, r); got != 1 {
		t.Errorf("half a pair: certificate %d", got)
	}
	mark = r.log.mark()
	write(t, dir, "key.pem", nextKey)
	r.log.await(t, mark, "certificate loaded")
	if got := shown(t, r); got != 2 {
		t.Errorf("a new pair: certificate %d", got)
	}
	write(t, dir, "key.pem", "not a key")
	mark = r.log.mark()
	r.hangup <- syscall.SIGHUP
	r.log.await(t, mark, "certificate not changed", "key input")
	if got := shown(t, r); got != 2 {
		t.Errorf("a broken key: certificate %d", got)
	}
}

// TestNothingSecretIsToldAnywhere plants secrets wherever one can stand, makes everything go wrong that can, and looks
// for them in the log and in every answer.
func TestNothingSecretIsToldAnywhere(t *testing.T) {
	i := issuer.Start(t)
	cert, key := pair(t, 1)
	const code, password, opaque, guess = "s3cret-runtime-code", "s3cret-db-password", "s3cret-opaque", "s3cret-guess"
	token, forgotten := identity.NewToken(), identity.NewToken()
	jwt := i.Token(t, i.Claims("wang", nil))
	forged := issuer.ES256(t, "nobody").Sign(t, i.Claims("wang", nil))
	c, dir := guarded(t, `
default_namespace: shop
tls: {cert: cert.pem, key: key.pem}
namespaces:
  shop: {models: ./models, datasource: files, auth: {mode: tokens, file: tokens.yaml}}
  login: {models: ./models, datasource: files, auth: {mode: jwt, issuer: "`+i.URL+`", audience: `+issuer.Audience+`}}
  open: {models: ./models, datasource: files}
`, map[string]string{"cert.pem": cert, "key.pem": key, "tokens.yaml": tokensText(tokenLine(token, "{user: wang, roles: [admin]}"))})
	c.Datasources = append(c.Datasources, DatasourceConfig{Name: "warehouse", Type: "postgres", DSN: "postgres://shop:" + password + "@127.0.0.1:1/shop?connect_timeout=1"})
	c.RuntimeCode = RuntimeCode{Code: code, Endpoints: []string{"admin"}}

	var told bytes.Buffer // all that callers see
	_, err := openWorld(t.Context(), c, discard())
	if err == nil {
		t.Fatal("a command goes on without its database")
	}
	told.WriteString(err.Error())
	r := run(t, c) // which awaits it
	r.base = "https://" + r.http.Addr().String()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}}}
	ask := func(path, body string, headers ...string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.base+path, strings.NewReader(body))
		if body == "" {
			request.Method = http.MethodGet
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range headers {
			name, value, _ := strings.Cut(line, ": ")
			request.Header.Add(name, value)
		}
		answer, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := answer.Header.Write(&told); err != nil {
			t.Fatal(err)
		}
		if _, err := told.ReadFrom(answer.Body); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"/readyz", "/healthz", "/.well-known/oauth-protected-resource?ns=login", "/" + guess} {
		ask(path, "")
	}
	for _, namespace := range []string{"shop", "login", "open", "absent"} {
		for _, authorization := range []string{
			"Bearer " + token, "Bearer " + forgotten, "Bearer " + jwt, "Bearer " + forged, "Basic " + opaque, opaque,
			"Bearer " + opaque + " " + token, "Bearer " + strings.Repeat(opaque, 1000),
		} {
			for _, path := range []string{kpiPath, "/mcp/admin/rpc", "/mcp/analyst", kpiPath + "?access_token=" + forgotten} {
				for _, body := range []string{kpiBody, listModels, toolQuery, "{", `{"queryModel":"Nothing","columns":["x"]}`} {
					ask(path, body, "X-NS: "+namespace, "Authorization: "+authorization, "X-Service-Runtime-Code: "+guess)
				}
			}
			ask("/mcp/admin", listModels, "X-NS: "+namespace, "Authorization: "+authorization, "X-Service-Runtime-Code: "+code)
		}
	}
	mark := r.log.mark()
	write(t, dir, "tokens.yaml", forgotten+": {user: wang}\n")
	r.log.await(t, mark, "tokens not changed", "tokens.yaml:1:1")
	write(t, dir, "tokens.yaml", forgotten+": {user: wang}\n"+forgotten+": {user: wang}\n")
	r.log.await(t, mark, "tokens not changed", "tokens.yaml:2:1")
	mark = r.log.mark()
	write(t, dir, "key.pem", strings.Replace(key, "PRIVATE KEY", "KEY", 2))
	r.log.await(t, mark, "certificate not changed")
	r.end(t)
	secrets := map[string]string{
		"runtime code": code, "password": password, "token": token, "token in a broken file": forgotten, "JWT": jwt, "forged JWT": forged,
		"signature": jwt[strings.LastIndexByte(jwt, '.')+1:], "private key": strings.Split(key, "\n")[1], "wrong code": "runtime-code: " + guess,
		"opaque credential": opaque, "claims": strings.Split(jwt, ".")[1], "base64 of the password": base64.StdEncoding.EncodeToString([]byte(password)),
	}
	for name, secret := range secrets {
		if log := r.log.String(); strings.Contains(log, secret) {
			t.Errorf("the log has the %s: …%.300s", name, log[max(0, strings.Index(log, secret)-200):])
		}
		if strings.Contains(told.String(), secret) {
			t.Errorf("an answer has the %s: …%.300s", name, told.String()[max(0, strings.Index(told.String(), secret)-200):])
		}
	}
	if !strings.Contains(r.log.String(), "outcome=") || told.Len() < 10_000 {
		t.Error("nothing was looked at")
	}
}
