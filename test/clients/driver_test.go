package clients

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"
	"testing"

	"parlance/test/binary"
)

// driver is a Node process that does with a client what it is told: driver.mjs says how.
type driver struct {
	in   io.WriteCloser
	said *binary.Output

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
}

type reply struct {
	ID    int
	OK    json.RawMessage
	Error *refusal
}

// driven returns how to start the process that drives a client; it ends with the test that starts it.
func (w *world) driven(script ...string) func(*testing.T) opener {
	return func(t *testing.T) opener {
		t.Helper()
		d := w.drive(t, script...)
		return func(t *testing.T, at place) session {
			t.Helper()
			s := &drivenSession{driver: d, name: at.url + " " + at.mark}
			order := map[string]any{"session": s.name, "url": at.url, "headers": map[string]string{}}
			if at.mark != "" {
				order["headers"] = map[string]string{"X-Trace-Id": at.mark}
			}
			var connected struct{ Protocol string }
			if err := d.do(t.Context(), "connect", order, &connected); err != nil {
				t.Fatalf("connect to %s: %v\n%s", at.url, err, d.said)
			}
			s.protocol = connected.Protocol
			return s
		}
	}
}

func (w *world) drive(t *testing.T, script ...string) *driver {
	t.Helper()
	for _, file := range []string{script[0], "driver.mjs"} { // a change of them is a change of the test
		if _, err := os.Stat(file); err != nil {
			t.Fatal(err)
		}
	}
	cmd := w.command(context.WithoutCancel(t.Context()), script...)
	d := &driver{said: &binary.Output{}, waiting: map[int]chan reply{}}
	cmd.Stderr = d.said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	d.in = in
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		d.listen(out)
	}()
	t.Cleanup(func() {
		_ = in.Close()
		<-over
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v\n%s", script, err, d.said)
		}
	})
	return d
}

// drivenSession is a session of a driver's client.
type drivenSession struct {
	driver         *driver
	name, protocol string
}

func (s *drivenSession) Protocol() string { return s.protocol }

func (s *drivenSession) Tools(ctx context.Context) (names []string, err error) {
	err = s.driver.do(ctx, "tools", map[string]any{"session": s.name}, &names)
	return names, err
}

func (s *drivenSession) Call(ctx context.Context, tool string, arguments any) (string, bool, error) {
	var result toolResult
	if err := s.driver.do(ctx, "call", map[string]any{"session": s.name, "tool": tool, "arguments": arguments}, &result); err != nil {
		return "", false, err
	}
	return result.text()
}

func (s *drivenSession) Close() error {
	return s.driver.do(context.Background(), "close", map[string]any{"session": s.name}, new(any))
}

// listen hands replies to those who wait for them.
func (d *driver) listen(out io.Reader) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var r reply
		if err := json.Unmarshal(line, &r); err != nil {
			continue // a client that prints
		}
		d.mu.Lock()
		if c := d.waiting[r.ID]; c != nil {
			c <- r
		}
		d.mu.Unlock()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, c := range d.waiting {
		select {
		case c <- reply{ID: id, Error: &refusal{Message: "the process ended: " + d.said.String()}}:
		default:
		}
	}
}

// tell sends an order and returns its number and where its reply comes.
func (d *driver) tell(what string, order map[string]any) (int, chan reply, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	line := map[string]any{"id": d.last, "do": what}
	for k, v := range order {
		line[k] = v
	}
	text, err := json.Marshal(line)
	if err != nil {
		return 0, nil, err
	}
	c := make(chan reply, 1)
	d.waiting[d.last] = c
	_, err = d.in.Write(append(text, '\n'))
	return d.last, c, err
}

// do gives an order and waits for its reply. When ctx ends it orders the call to be cancelled and still waits: the client
// must come back.
func (d *driver) do(ctx context.Context, what string, order map[string]any, answer any) error {
	id, c, err := d.tell(what, order)
	if err != nil {
		return err
	}
	give, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer stop()
	ended := ctx.Done()
	for {
		select {
		case r := <-c:
			if r.Error != nil {
				return r.Error
			}
			return json.Unmarshal(r.OK, answer)
		case <-ended:
			ended = nil
			if _, _, err := d.tell("cancel", map[string]any{"call": id}); err != nil {
				return err
			}
		case <-give.Done():
			return errors.New("no reply to " + what + " after " + patience.String())
		}
	}
}
