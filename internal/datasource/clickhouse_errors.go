package datasource

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"

	"parlance/internal/fault"
)

// fault maps the server's errors by their codes; its text is never shown.
func (d *clickHouse) fault(err error) *fault.Error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	var e *clickhouse.Exception
	if errors.As(err, &e) {
		return d.exception(e, err)
	}
	switch {
	case tooLate(err):
		return timedOut("its time was over", err)
	case clickHouseLost(err):
		return unreachable(err)
	}
	return failed(err)
}

// tooLate reports whether a statement's time ended the wait for an answer: the driver stops reading then, a moment
// before the context is done.
func tooLate(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "read" && op.Timeout()
}

// The codes of the server that mean something to a caller.
const (
	clickHouseOutOfBound    = 69 // a number with too many digits
	clickHouseDivision      = 153
	clickHouseTimeout       = 159
	clickHouseTooSlow       = 160
	clickHouseUnknownUser   = 192
	clickHouseWrongPassword = 193
	clickHouseNoPassword    = 194
	clickHouseTooMany       = 202
	clickHouseMemory        = 241
	clickHouseThrown        = 395 // the dialect's own, where the server would go on with a wrong number
	clickHouseCancelled     = 394
	clickHouseOverflow      = 407
	clickHouseRefused       = 516 // a name or password, on later servers
)

// clickHouseNetwork are the codes of a server that cannot reach another.
var clickHouseNetwork = map[int32]bool{3: true, 32: true, 95: true, 198: true, 209: true, 210: true, 236: true, 279: true}

// clickHouseGarbled are the codes of a server that does not understand what another says: what an earlier statement left
// on their connection, which the server closes then.
var clickHouseGarbled = map[int32]bool{89: true, 99: true, 100: true, 101: true, 102: true}

func (d *clickHouse) exception(e *clickhouse.Exception, err error) *fault.Error {
	switch e.Code {
	case clickHouseOutOfBound, clickHouseThrown, clickHouseOverflow:
		return overflow(err)
	case clickHouseDivision:
		return outOfRange(err)
	case clickHouseTimeout, clickHouseTooSlow, clickHouseCancelled:
		return timedOut("the database ended it", err)
	case clickHouseMemory:
		return outOfMemory(err)
	case clickHouseTooMany:
		return overloaded(d.name, err)
	case clickHouseUnknownUser, clickHouseWrongPassword, clickHouseNoPassword, clickHouseRefused:
		f := unfit("its user or password is refused")
		f.Cause = err
		return f
	}
	if clickHouseGarbled[e.Code] {
		return unreachable(err)
	}
	if clickHouseNetwork[e.Code] {
		return d.shardLost(e.Message, err)
	}
	return failed(err)
}

// shardLost names the servers of the cluster that another could not reach: an answer without them would be wrong.
func (d *clickHouse) shardLost(message string, cause error) *fault.Error {
	var lost []string
	for _, s := range d.shards {
		if strings.Contains(message, "("+s.address) || strings.Contains(message, " "+s.address) {
			lost = append(lost, fmt.Sprintf("shard %d (%s)", s.number, s.address))
		}
	}
	if len(lost) == 0 {
		return unreachable(cause)
	}
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "shard_unreachable", Retryable: true, Cause: cause, Got: strings.Join(lost, ", "),
		Message: fmt.Sprintf("The cluster %q cannot reach its %s", d.cluster, strings.Join(lost, " and ")),
		Hint:    "an answer without it would be wrong; try again when it is back",
	}
}

// clickHouseLost reports whether an error means that the connection is gone and not that the statement is wrong.
func clickHouseLost(err error) bool {
	var e *clickhouse.Exception
	if errors.As(err, &e) {
		return clickHouseGarbled[e.Code]
	}
	var network net.Error
	if tooLate(err) {
		return false
	}
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, clickhouse.ErrAcquireConnTimeout) || errors.Is(err, clickhouse.ErrConnectionClosed)
}
