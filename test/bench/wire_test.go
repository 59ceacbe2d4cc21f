package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// wire is one connection that sends the same request again and again; it does as little as a client can, so that the
// server is what is measured.
type wire struct {
	conn    net.Conn
	reader  *bufio.Reader
	request []byte
	body    []byte
}

func dial(addr, path, body string) (*wire, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	request := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, addr, len(body), body)
	return &wire{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10), request: request}, nil
}

// ask sends the request and reads the whole answer.
func (w *wire) ask() error {
	if _, err := w.conn.Write(w.request); err != nil {
		return err
	}
	status, err := w.reader.ReadSlice('\n')
	if err != nil {
		return err
	}
	ok := bytes.HasPrefix(status, []byte("HTTP/1.1 200"))
	length := -1
	for {
		line, err := w.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			break
		}
		if name, value, _ := bytes.Cut(line, []byte(": ")); bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return fmt.Errorf("an answer without a length")
	}
	if cap(w.body) < length {
		w.body = make([]byte, length)
	}
	w.body = w.body[:length]
	if _, err := io.ReadFull(w.reader, w.body); err != nil {
		return err
	}
	if !ok || !bytes.HasPrefix(w.body, []byte(`{"code":0,`)) {
		return fmt.Errorf("refused: %.300s", w.body)
	}
	return nil
}

// rate is what a number of connections got in a stretch of time.
type rate struct {
	perSecond float64
	cpu       time.Duration // of this process, for each request: of client, server and an embedded database together
	times     []time.Duration
}

// press sends requests on every wire for a while.
func press(b *testing.B, wires []*wire, during time.Duration) rate {
	b.Helper()
	var mu sync.Mutex
	var all []time.Duration
	var wrong error
	var wg sync.WaitGroup
	before, begun := processor(), time.Now()
	for _, w := range wires {
		wg.Go(func() {
			var own []time.Duration
			var err error
			for now := time.Now(); now.Sub(begun) < during && err == nil; {
				err = w.ask()
				next := time.Now()
				own = append(own, next.Sub(now))
				now = next
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, own...)
			if err != nil {
				wrong = err
			}
		})
	}
	wg.Wait()
	took := time.Since(begun)
	if wrong != nil {
		b.Fatal(wrong)
	}
	return rate{float64(len(all)) / took.Seconds(), (processor() - before) / time.Duration(len(all)), all}
}

// processor returns the processor time that this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func connect(b *testing.B, n int, addr, path, body string) []*wire {
	b.Helper()
	wires := make([]*wire, n)
	for i := range wires {
		w, err := dial(addr, path, body)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { w.conn.Close() })
		wires[i] = w
	}
	return wires
}

// contest is two servers under the same load in turn.
type contest struct {
	theirs, ours       float64 // requests a second, medians
	ratio, low, high   float64 // of ours to theirs: the median of the rounds, the least and the greatest
	noise              float64 // how far theirs differ from round to round: (greatest - least) / median
	theirs99, ours99   time.Duration
	theirsCPU, oursCPU time.Duration
	rounds, ourAnswers int
}

// A round lasts for shortest, and longer where so few answers come in that time that chance would tell.
const (
	rounds   = 7
	shortest = 400 * time.Millisecond
	longest  = 2 * time.Second
	answers  = 40
)

func compete(b *testing.B, theirs, ours []*wire) contest {
	b.Helper()
	first := press(b, theirs, shortest/2)
	press(b, ours, shortest/2)
	during := min(max(shortest, time.Duration(answers/first.perSecond*float64(time.Second))), longest)
	var a, o []float64
	var ratios []float64
	var at, ot, ac, oc []time.Duration
	for i := range rounds {
		var their, our rate
		if i%2 == 0 {
			their, our = press(b, theirs, during), press(b, ours, during)
		} else {
			our, their = press(b, ours, during), press(b, theirs, during)
		}
		a, o = append(a, their.perSecond), append(o, our.perSecond)
		ratios = append(ratios, our.perSecond/their.perSecond)
		at, ot = append(at, their.times...), append(ot, our.times...)
		ac, oc = append(ac, their.cpu), append(oc, our.cpu)
	}
	c := contest{
		theirs: median(a), ours: median(o), ratio: median(ratios), low: slices.Min(ratios), high: slices.Max(ratios),
		noise: (slices.Max(a) - slices.Min(a)) / median(a), rounds: rounds, ourAnswers: len(ot),
	}
	c.theirsCPU, c.oursCPU, c.theirs99, c.ours99 = quantile(ac, 0.5), quantile(oc, 0.5), quantile(at, 0.99), quantile(ot, 0.99)
	return c
}

func median(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/2] }
