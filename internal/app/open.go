package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"time"
)

type openCommand struct {
	Listen string `placeholder:"HOST:PORT" help:"Address of the server; the configuration's, or 127.0.0.1:7108, unless given."`
	Config string `placeholder:"FILE" help:"The server's file, parlance.yaml."`
}

// answerTime is how long a server may take to say that it is there.
const answerTime = 2 * time.Second

// Run shows the page of a running server in the browser, where there is one, and prints its address in any case.
func (c openCommand) Run(ctx context.Context, s Streams) error {
	config, err := serveCommand{Listen: c.Listen, Config: c.Config}.configuration(s.Env)
	if err != nil {
		return err
	}
	if config.HTTP.NoPage {
		return fmt.Errorf("parlance: http.page is false in %s: this server has no page", c.Config)
	}
	address := pageOf(config)
	if err := knock(ctx, address); err != nil {
		return fmt.Errorf("parlance: nobody answers at %s; start the server with parlance serve", address)
	}
	fmt.Fprintln(s.Out, address)
	if browser := browserOf(s.Env, exec.LookPath); browser != nil {
		return exec.CommandContext(ctx, browser[0], append(browser[1:], address)...).Start()
	}
	fmt.Fprintln(s.Err, "parlance: no browser was found on this machine; open the address in one that can reach it")
	return nil
}

// pageOf returns the page's address for a browser on this machine.
func pageOf(c Config) string {
	if c.HTTP.PublicURL != "" {
		return c.HTTP.PublicURL + "/"
	}
	scheme := "http"
	if c.TLS.Cert != "" {
		scheme = "https"
	}
	host, port, _ := net.SplitHostPort(c.Listen) // checked when it was read
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/"
}

// knock asks whether a server is there; a certificate that this machine does not know is still an answer.
func knock(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err == nil {
		return answer.Body.Close()
	}
	d := net.Dialer{}
	conn, err := d.DialContext(ctx, "tcp", request.URL.Host)
	if err != nil {
		return err
	}
	return conn.Close()
}

// browserOf returns the command that shows an address, or nil. BROWSER wins, as everywhere on Unix.
func browserOf(env func(string) (string, bool), find func(string) (string, error)) []string {
	if name, ok := env("BROWSER"); ok && name != "" {
		return []string{name}
	}
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	_, x := env("DISPLAY")
	_, wayland := env("WAYLAND_DISPLAY")
	for _, name := range []string{"wslview", "xdg-open"} {
		if path, err := find(name); err == nil && (x || wayland || name == "wslview") {
			return []string{path}
		}
	}
	return nil
}
