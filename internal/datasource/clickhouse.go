package datasource

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"parlance/internal/dialect"
)

// clickHouse is a ClickHouse server, or a cluster of them of which any may be asked. The driver writes the arguments
// into the text, since the protocol of an old server has no place for them; they are texts, integers and lists of texts
// only.
type clickHouse struct {
	name    string
	options clickhouse.Options
	reading driver.Conn // its sessions only read
	own     dialect.Dialect
	zone    *time.Location // of times without one
	clause  string         // behind each statement
	cluster string
	shards  []clickHouseShard // of the cluster

	mu      sync.Mutex
	writing map[string]driver.Conn // by address: sessions that load, until the source is sealed
}

// clickHouseShard is a server that holds a part of the tables of a cluster.
type clickHouseShard struct {
	number  int
	address string
}

// clickHouseSession is what every session is asked for, in the whole numbers that an old protocol carries.
var clickHouseSession = clickhouse.Settings{
	"join_use_nulls":            1, // a row without a match has nulls, not zeros
	"skip_unavailable_shards":   0, // an answer without them is wrong
	"decimal_check_overflow":    1,
	"extremes":                  0,
	"max_query_size":            16 << 20,
	"max_ast_depth":             10_000,
	"max_ast_elements":          1_000_000,
	"max_expanded_ast_elements": 4_000_000,
}

// clickHouseClause is what else they are asked for, behind each statement: a join gives every match, a table of the
// cluster that is joined, or looked up, is read from all of it, and the statement's time is bounded, of which the driver
// has a mind of its own.
func clickHouseClause(timeout time.Duration) string {
	return fmt.Sprintf(" SETTINGS join_default_strictness = 'ALL', distributed_product_mode = 'global', max_execution_time = %d", int(math.Ceil(timeout.Seconds())))
}

func openClickHouse(ctx context.Context, name string, c Config) (*clickHouse, error) {
	options, err := clickHouseOptions(name, c)
	if err != nil {
		return nil, err
	}
	d := &clickHouse{name: name, options: options, cluster: c.Cluster, clause: clickHouseClause(c.Timeout + late), writing: map[string]driver.Conn{}}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	if err := d.open(ctx); err != nil {
		return nil, errors.Join(notOpened(name, d.fault(err)), d.close())
	}
	return d, nil
}

func clickHouseOptions(name string, c Config) (clickhouse.Options, error) {
	switch {
	case len(c.Addresses) == 0:
		return clickhouse.Options{}, badSetting(name, "addresses", "a clickhouse datasource needs addresses such as [127.0.0.1:9000]")
	case c.DSN != "":
		return clickhouse.Options{}, badSetting(name, "dsn", "a clickhouse datasource has no dsn; it has addresses")
	case c.Path != "" || c.Folder != "":
		return clickhouse.Options{}, badSetting(name, "path", "a clickhouse datasource has no path; it has addresses")
	}
	return clickhouse.Options{
		Addr: c.Addresses, Auth: clickhouse.Auth{Database: c.Database, Username: c.User, Password: c.Password},
		Settings: maps.Clone(clickHouseSession), DialTimeout: min(c.Timeout, 10*time.Second), ReadTimeout: c.Timeout + 10*late,
		MaxOpenConns: c.MaxConns + 2, MaxIdleConns: c.MaxConns, ConnMaxLifetime: 5 * time.Minute, // two more, for looking whether it is there
		ClientInfo: clickhouse.ClientInfo{Products: []struct{ Name, Version string }{{Name: "parlance", Version: "1"}}},
	}, nil
}

// open asks the server what it is, and what its sessions may do.
func (d *clickHouse) open(ctx context.Context) error {
	plain := d.options
	plain.Settings, plain.MaxOpenConns, plain.MaxIdleConns = nil, 1, 1
	conn, err := clickhouse.Open(&plain)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	var version, zone, database, readonly string
	row := conn.QueryRow(ctx, "SELECT version(), timezone(), currentDatabase(), value FROM system.settings WHERE name = 'readonly'")
	if err := row.Scan(&version, &zone, &database, &readonly); err != nil {
		return err
	}
	switch readonly {
	case "0":
		d.options.Settings["readonly"] = 2
	case "1":
		return unfit("its user may not change settings of a session, which queries need; readonly = 2 in the user's profile lets it read only")
	}
	server := dialect.ClickHouseServer{Version: version, Zone: zone}
	if d.cluster != "" {
		server.Cluster, server.Database = true, database
	}
	d.own = dialect.ClickHouse(server)
	if d.zone, err = time.LoadLocation(zone); err != nil {
		return unfit("its time zone %s is not known here", zone)
	}
	if d.cluster != "" {
		if err := d.findShards(ctx, conn); err != nil {
			return err
		}
	}
	if d.reading, err = clickhouse.Open(&d.options); err != nil {
		return err
	}
	return d.seal(ctx)
}

// findShards asks which servers the cluster has.
func (d *clickHouse) findShards(ctx context.Context, conn driver.Conn) error {
	rows, err := conn.Query(ctx, "SELECT toUInt32(shard_num), host_name, host_address, toUInt32(port) FROM system.clusters WHERE cluster = ? ORDER BY shard_num, replica_num", d.cluster)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var number, port uint32
		var host, address string
		if err := rows.Scan(&number, &host, &address, &port); err != nil {
			return err
		}
		d.shards = append(d.shards, clickHouseShard{int(number), fmt.Sprintf("%s:%d", host, port)})
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(d.shards) == 0 {
		return unfit("the server knows no cluster %q", d.cluster)
	}
	return nil
}

// query runs a statement. When the connection is lost before the first row, it is run once more on a new one.
func (d *clickHouse) query(ctx context.Context, text string, args []any) (cursor, error) {
	if !reading(text) {
		return nil, errNotReading
	}
	return d.run(ctx, text+d.clause, args)
}

func (d *clickHouse) run(ctx context.Context, text string, args []any) (cursor, error) {
	bound, err := clickHouseArguments(args)
	if err != nil {
		return nil, err
	}
	r, err := d.start(ctx, text, bound)
	if err != nil && ctx.Err() == nil && clickHouseLost(err) {
		r, err = d.start(ctx, text, bound)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (d *clickHouse) start(ctx context.Context, text string, args []any) (*clickHouseRows, error) {
	ctx, cancel := context.WithCancel(ctx)
	rows, err := d.reading.Query(ctx, text, args...)
	if err != nil {
		cancel()
		return nil, err
	}
	r := &clickHouseRows{rows: rows, cancel: cancel}
	if err := r.prepare(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// clickHouseArguments lets only what the driver quotes without doubt pass.
func clickHouseArguments(args []any) ([]any, error) {
	out := make([]any, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case string:
			if strings.ContainsRune(v, 0) {
				return nil, fmt.Errorf("a text with NUL cannot be bound")
			}
			out[i] = v
		case int64:
			out[i] = v
		case []string:
			out[i] = v
		default:
			return nil, fmt.Errorf("a %T cannot be bound", a)
		}
	}
	return out, nil
}

// seal checks that sessions only read.
func (d *clickHouse) seal(ctx context.Context) error {
	d.mu.Lock()
	for address, conn := range d.writing {
		_ = conn.Close()
		delete(d.writing, address)
	}
	d.mu.Unlock()
	rows, err := d.run(ctx, "SELECT value FROM system.settings WHERE name = 'readonly'", nil)
	if err != nil {
		return err
	}
	defer rows.close()
	cells, err := rows.next()
	if err != nil {
		return err
	}
	if cells[0] != "2" {
		return fmt.Errorf("readonly is %v", cells[0])
	}
	return nil
}

func (d *clickHouse) ping(ctx context.Context) error {
	rows, err := d.run(ctx, "SELECT 1", nil)
	if err != nil {
		return err
	}
	rows.close()
	return nil
}

func (d *clickHouse) dialect() dialect.Dialect { return d.own }

func (d *clickHouse) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, conn := range d.writing {
		errs = append(errs, conn.Close())
	}
	if d.reading != nil {
		errs = append(errs, d.reading.Close())
	}
	return errors.Join(errs...)
}
