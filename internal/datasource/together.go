package datasource

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"parlance/internal/stage"
)

// Read is one statement of an answer and what is done with its rows.
type Read struct {
	Text string
	Args []any
	Row  func(cells []any) error // as Query's
	// Needless is nil, or is asked once the rows before it in its lane are read, which may tell what it would read. Such a
	// read is the last of its lane.
	Needless func() bool
}

// Together runs the statements of one answer: those of a lane one after the other, and lanes side by side as far as places
// are free, so that Row of different lanes is called by several goroutines. On PostgreSQL all of them see the same rows,
// whatever is written meanwhile; other databases show each statement what is there when it begins.
func (s *Source) Together(ctx context.Context, lanes ...[]Read) error {
	e, ok := s.current().(sharing)
	if !ok || (len(lanes) == 1 && len(lanes[0]) == 1) {
		return SideBySide(ctx, s.Query, lanes...)
	}
	left, err := s.shared(ctx, e, lanes)
	if errors.Is(err, errAlone) && count(left) == count(lanes) { // nothing was read yet
		left, err = s.shared(ctx, e, lanes)
	}
	if errors.Is(err, errAlone) {
		return SideBySide(ctx, s.Query, left...)
	}
	return err
}

func count(lanes [][]Read) (n int) {
	for _, lane := range lanes {
		n += len(lane)
	}
	return n
}

// SideBySide is Together over any way to run a statement; each sees what is there when it begins.
func SideBySide(ctx context.Context, query func(context.Context, string, []any, func([]any) error) error, lanes ...[]Read) error {
	run := func(ctx context.Context, lane []Read) error {
		for _, r := range lane {
			if r.Needless != nil && r.Needless() {
				continue
			}
			if err := query(ctx, r.Text, r.Args, r.Row); err != nil {
				return err
			}
		}
		return nil
	}
	if len(lanes) == 1 {
		return run(ctx, lanes[0])
	}
	g, ctx := errgroup.WithContext(ctx)
	for _, lane := range lanes[1:] {
		g.Go(func() error { return guarded(func() error { return run(ctx, lane) }) })
	}
	if err := guarded(func() error { return run(ctx, lanes[0]) }); err != nil {
		g.Go(func() error { return err }) // which ends the others
	}
	return g.Wait()
}

// sharing is an engine that can show the same rows to several statements. An error of its calls is errAlone where it says
// nothing of a statement that is run by itself.
type sharing interface {
	// quick reports whether statements are known to take so little that they are better sent together than run side by side.
	quick(reads []Read) bool
	// batch sends statements on one connection and returns with the first row of the first one; others may follow.
	batch(ctx context.Context, now, later []Read) (batch, error)
	// share returns connections that see the same rows, of which they are to run reads.
	share(ctx context.Context, n int, reads []Read) ([]lane, error)
}

// batch is the rows of several statements, one after the other: next gives those of the first until turn goes on.
type batch interface {
	cursor
	turn() error       // goes on to the next statement
	send(r Read) error // sends one more and goes on to it
	finish() error     // ends the transaction, once all rows are read
}

// lane is a connection that shows the same rows to every statement.
type lane interface {
	query(ctx context.Context, text string, args []any) (cursor, error)
	close()
}

// errAlone means that statements can be run by themselves, though not together.
var errAlone = errors.New("it can be run by itself")

// shared runs lanes that see the same rows. With errAlone it returns what was not read.
func (s *Source) shared(ctx context.Context, e sharing, lanes [][]Read) (left [][]Read, err error) {
	now, later := ordered(lanes)
	waiting := stage.Start(ctx, stage.Queue)
	places, err := s.enterSome(ctx, len(lanes), e.quick(now) && e.quick(later))
	waiting.End()
	if err != nil {
		return nil, err
	}
	defer stage.Start(ctx, stage.Run).End()
	if len(places) == 1 {
		left, err := s.inTurn(ctx, e, now, later, places[0])
		return [][]Read{left}, err
	}
	return lanes, s.abreast(ctx, e, lanes, places)
}

// ordered returns all reads, those that may be needless last.
func ordered(lanes [][]Read) (now, later []Read) {
	for _, lane := range lanes {
		for _, r := range lane {
			if r.Needless == nil {
				now = append(now, r)
			} else {
				later = append(later, r)
			}
		}
	}
	return now, later
}

// enterSome takes a place, and while others are free as many as n unless one is enough.
func (s *Source) enterSome(ctx context.Context, n int, one bool) (places []func(), err error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	places = append(places, leave)
	for !one && len(places) < n {
		leave, ok := s.enterFree(ctx)
		if !ok {
			break
		}
		places = append(places, leave)
	}
	return places, nil
}

// inTurn runs statements one after the other on one connection, in the time that they have one after the other. With
// errAlone it returns those that were not read.
func (s *Source) inTurn(ctx context.Context, e sharing, now, later []Read, leave func()) (left []Read, err error) {
	all := slices.Concat(now, later)
	ctx, cancel := s.bounded(WithPatience(ctx, s.patience(ctx)*time.Duration(len(all))))
	defer cancel()
	var rows batch
	_, err = s.start(ctx, leave, func(ctx context.Context) (_ cursor, err error) {
		rows, err = e.batch(ctx, now, later)
		return rows, err
	})
	if err != nil {
		return all, err
	}
	defer s.end(ctx, rows, leave)
	for i, r := range all {
		switch {
		case i == 0:
		case i < len(now):
			err = rows.turn()
		case r.Needless():
			continue
		default:
			err = rows.send(r)
		}
		if err == nil {
			err = s.each(ctx, rows, r.Row)
		} else {
			err = s.outcome(ctx, err)
		}
		if err != nil {
			return all[i:], err
		}
	}
	return nil, s.outcome(ctx, rows.finish())
}

// abreast runs each lane at a place of its own; lanes that have none follow the first.
func (s *Source) abreast(ctx context.Context, e sharing, reads [][]Read, places []func()) error {
	ctx, cancel := s.bounded(WithPatience(ctx, s.patience(ctx)*time.Duration(count(reads))))
	defer cancel()
	leave := func() {
		for _, l := range places {
			l()
		}
	}
	var lanes lanes
	if _, err := s.start(ctx, leave, func(ctx context.Context) (_ cursor, err error) {
		lanes, err = e.share(ctx, len(places), slices.Concat(reads...))
		return lanes, err
	}); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	for i, lane := range lanes {
		list := reads[i]
		if i == 0 {
			list = slices.Concat(append([][]Read{list}, reads[len(lanes):]...)...)
		}
		g.Go(func() error { return s.along(ctx, lane, list, places[i]) })
	}
	return g.Wait()
}

// lanes are connections that see the same rows.
type lanes []lane

func (lanes) next() ([]any, error) { return nil, io.EOF }

func (l lanes) close() {
	for _, each := range l {
		each.close()
	}
}

// along runs statements one after the other on a lane, and gives its place back.
func (s *Source) along(ctx context.Context, l lane, reads []Read, place func()) error {
	leave := func() {
		l.close()
		place()
	}
	for _, r := range reads {
		if r.Needless != nil && r.Needless() {
			continue
		}
		rows, err := s.start(ctx, leave, func(ctx context.Context) (cursor, error) { return l.query(ctx, commented(ctx, r.Text), r.Args) })
		if err != nil {
			return err
		}
		if err := guarded(func() error { return s.each(ctx, rows, r.Row) }); err != nil {
			s.end(ctx, rows, leave)
			return err
		}
		rows.close()
	}
	leave()
	return nil
}
