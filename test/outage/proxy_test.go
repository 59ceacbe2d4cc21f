package outage

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"
)

// proxy stands between a datasource and its server, and is a bad network when it is told to.
type proxy struct {
	listener net.Listener
	target   string
	wg       sync.WaitGroup

	mu     sync.Mutex
	wake   *sync.Cond
	stuck  bool
	budget int64 // bytes that the server may still say before its line is cut; negative: all
	delay  time.Duration
	drop   float64 // the share of all pieces with which their line is cut
	lines  map[net.Conn]bool
}

// between starts a proxy in front of an address.
func between(t testing.TB, target string) *proxy {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, target: target, budget: -1, lines: map[net.Conn]bool{}}
	p.wake = sync.NewCond(&p.mu)
	p.wg.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// stall lets no byte pass any more in either direction, on old lines and new ones.
func (p *proxy) stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stuck = true
}

// cutAfter cuts the line of the server that has said so many bytes more.
func (p *proxy) cutAfter(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.budget = bytes
}

// slow delays every piece by up to so long, and cuts the line of a share of them.
func (p *proxy) slow(delay time.Duration, drop float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay, p.drop = delay, drop
}

// heal is a good network again; what was stalled before is lost.
func (p *proxy) heal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.budget, p.delay, p.drop = -1, 0, 0
	if p.stuck {
		p.stuck = false
		p.hangUp()
	}
	p.wake.Broadcast()
}

func (p *proxy) hangUp() {
	for line := range p.lines {
		_ = line.Close()
	}
	clear(p.lines)
}

func (p *proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	p.stuck = false
	p.hangUp()
	p.wake.Broadcast()
	p.mu.Unlock()
	p.wg.Wait()
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.lines[client], p.lines[server] = true, true
		p.mu.Unlock()
		p.wg.Go(func() { p.pass(client, server, false) })
		p.wg.Go(func() { p.pass(server, client, true) })
	}
}

// pass hands on what one side says. An end is stalled like everything else.
func (p *proxy) pass(from, to net.Conn, counted bool) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		if !p.late() || !p.may(n, counted) {
			return
		}
		if _, e := to.Write(buffer[:n]); e != nil {
			return
		}
		if err != nil {
			return
		}
	}
}

// late waits as long as the network takes for one piece, and reports whether it arrives.
func (p *proxy) late() bool {
	p.mu.Lock()
	delay, drop := p.delay, p.drop
	p.mu.Unlock()
	if delay > 0 {
		time.Sleep(rand.N(delay))
	}
	return rand.Float64() >= drop
}

// may waits while the network is stalled, and reports whether the line holds for so many bytes more.
func (p *proxy) may(bytes int, counted bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.stuck {
		p.wake.Wait()
	}
	if !counted || p.budget < 0 {
		return true
	}
	p.budget -= int64(bytes)
	if p.budget < 0 {
		p.budget = 0
		return false
	}
	return true
}
