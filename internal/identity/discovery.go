package identity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"parlance/internal/jsontree"
)

const mostDocument = 1 << 20 // bytes of an issuer's document

// CheckURL returns what is wrong with the address of an issuer or of its keys, or "". It must be https, or http on
// this machine, where nobody can stand in between.
func CheckURL(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		return "is not an address such as https://login.example.com"
	case u.User != nil:
		return "must not hold a user or a password"
	case u.Fragment != "" || strings.Contains(text, "#"):
		return "must not have a fragment"
	case u.Scheme == "https", u.Scheme == "http" && isLoopback(u.Hostname()):
		return ""
	}
	return "must begin with https://; http:// is for this machine only"
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// source is where the keys of an issuer are read.
type source struct {
	issuer, jwks string
	client       *http.Client
}

// read fetches the keys; the issuer's OpenID configuration says where they are when nothing else does.
func (s source) read(ctx context.Context) ([]publicKey, error) {
	at := s.jwks
	if at == "" {
		var err error
		if at, err = s.discover(ctx); err != nil {
			return nil, err
		}
	}
	text, err := s.fetch(ctx, at)
	if err != nil {
		return nil, err
	}
	keys, err := readKeys(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return keys, nil
}

func (s source) discover(ctx context.Context) (string, error) {
	at := strings.TrimSuffix(s.issuer, "/") + "/.well-known/openid-configuration"
	text, err := s.fetch(ctx, at)
	if err != nil {
		return "", err
	}
	document, err := jsontree.Parse(text)
	if err != nil {
		return "", fmt.Errorf("%s: it is not an OpenID configuration", at)
	}
	if of, _ := document.Get("issuer"); of.Kind != jsontree.String || of.Text != s.issuer {
		return "", fmt.Errorf("%s: it is of another issuer, %.200q", at, of.Text)
	}
	jwks, _ := document.Get("jwks_uri")
	if wrong := CheckURL(jwks.Text); wrong != "" {
		return "", fmt.Errorf("%s: jwks_uri %s", at, wrong)
	}
	return jwks.Text, nil
}

func (s source) fetch(ctx context.Context, at string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	answer, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: it answers %d", at, answer.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostDocument+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	if len(text) > mostDocument {
		return nil, fmt.Errorf("%s: it is longer than 1 MiB", at)
	}
	return text, nil
}

var errRedirect = errors.New("the issuer redirects, which is not followed")

// newClient returns a client that follows no redirects: keys come from where the configuration says.
func newClient(through http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     through,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
}

// defaultTransport keeps no connection: keys are read every few minutes at most.
func defaultTransport() http.RoundTripper {
	shared, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	own := shared.Clone()
	own.DisableKeepAlives = true
	return own
}
