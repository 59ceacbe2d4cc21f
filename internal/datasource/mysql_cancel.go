package datasource

import (
	"context"
	"time"
)

// mysqlGuard lets a statement end with its context: the server is told, since closing a connection stops nothing there.
type mysqlGuard struct {
	ctx    context.Context // of the driver's calls; done only when the server cannot be told
	force  context.CancelFunc
	detach func() bool
	done   chan struct{} // closed when the server was told
	over   chan struct{} // closed when the statement is over
}

// killTime bounds telling the server, and how long it may take to obey; killAgain is when it is told once more, which
// it must be where it was told between two commands; killHeard is how long who reads its rows waits to see it told.
const (
	killTime  = 5 * time.Second
	killAgain = 100 * time.Millisecond
	killHeard = time.Second
)

func (m *mySQL) guard(ctx context.Context, conn *mysqlConn) *mysqlGuard {
	g := &mysqlGuard{done: make(chan struct{}), over: make(chan struct{})}
	g.ctx, g.force = context.WithCancel(context.WithoutCancel(ctx))
	g.detach = context.AfterFunc(ctx, func() {
		defer close(g.done)
		deaf := time.AfterFunc(killHeard, g.force)
		defer deaf.Stop()
		for late := time.Now().Add(killTime); m.kill(ctx, conn.id) == nil && time.Now().Before(late); {
			deaf.Stop()
			select {
			case <-g.over:
				return
			case <-time.After(killAgain):
			}
		}
		g.force()
	})
	return g
}

// end waits for what was begun, and reports whether the session was ended with the statement.
func (g *mysqlGuard) end() bool {
	close(g.over)
	stopped := !g.detach()
	if stopped {
		<-g.done
	}
	return stopped
}

// kill ends the statement of a session over another session.
func (m *mySQL) kill(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTime)
	defer cancel()
	conn, err := m.take(ctx)
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "KILL QUERY "+id, nil)
	if err != nil && !answered(err) {
		_ = conn.Close()
		return err
	}
	m.give(conn)
	return nil
}
