package datasource

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

// clickHouseBatch is how many rows are sent at once.
const clickHouseBatch = 50_000

// partsOf is the name of a sharded table's part on one server; the table of that name without it reads them all.
const partSuffix = "_local"

// load makes and fills a table: on the one server or, of a cluster, on all of them. There a sharded table has a part on
// each server and, under its own name, a table that reads the parts together; any other table is on each whole.
func (d *clickHouse) load(ctx context.Context, t Table) (err error) {
	columns, err := d.columns(t)
	if err != nil {
		return err
	}
	servers, err := d.servers()
	if err != nil {
		return err
	}
	sharded := t.Sharded && d.cluster != ""
	if t.Replace {
		err = d.drop(ctx, servers, t.Name)
	} else {
		err = d.absent(ctx, servers, t.Name)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.drop(context.WithoutCancel(ctx), servers, t.Name))
		}
	}()
	for _, conn := range servers {
		for _, text := range d.create(t, columns, sharded) {
			if err := conn.Exec(ctx, text); err != nil {
				return err
			}
		}
	}
	filled := servers
	if sharded { // one hands the rows on
		filled = servers[:1]
	}
	if err := d.fill(ctx, filled, t); err != nil {
		return err
	}
	return d.checkKey(ctx, filled[0], t)
}

// absent fails when a server has a table of the name, or a part of one.
func (d *clickHouse) absent(ctx context.Context, servers []driver.Conn, name string) error {
	for _, conn := range servers {
		var found uint64
		row := conn.QueryRow(ctx, "SELECT count() FROM system.tables WHERE database = currentDatabase() AND name IN (?, ?)", name, name+partSuffix)
		if err := row.Scan(&found); err != nil {
			return err
		}
		if found > 0 {
			return errThere
		}
	}
	return nil
}

// servers returns connections that write: to the first address, or to every server of the cluster.
func (d *clickHouse) servers() ([]driver.Conn, error) {
	addresses := d.options.Addr[:1]
	if d.cluster != "" {
		addresses = nil
		for _, s := range d.shards {
			addresses = append(addresses, s.address)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []driver.Conn
	for _, address := range addresses {
		conn, ok := d.writing[address]
		if !ok {
			options := d.options
			options.Addr = []string{address}
			options.Settings = clickhouse.Settings{"insert_distributed_sync": 1, "skip_unavailable_shards": 0}
			options.ReadTimeout = time.Hour
			var err error
			if conn, err = clickhouse.Open(&options); err != nil {
				return nil, err
			}
			d.writing[address] = conn
		}
		list = append(list, conn)
	}
	return list, nil
}

func (d *clickHouse) columns(t Table) (string, error) {
	if len(t.Columns) == 0 {
		return "", errNoColumns
	}
	w := dialect.NewWriter(d.own)
	w.Text(" (")
	for i, c := range t.Columns {
		native, err := clickHouseWords.of(c.Type)
		if err != nil {
			return "", fmt.Errorf("column %s: %w", c.Name, err)
		}
		if c.Nullable {
			native = "Nullable(" + native + ")"
		}
		if i > 0 {
			w.Text(", ")
		}
		w.Name(c.Name)
		w.Text(" ", native)
	}
	w.Text(")")
	text, _ := w.Statement()
	return text, nil
}

// create returns the statements that make a table on one server.
func (d *clickHouse) create(t Table, columns string, sharded bool) []string {
	statement := func(write func(w *dialect.Writer)) string {
		w := dialect.NewWriter(d.own)
		write(w)
		text, _ := w.Statement()
		return text
	}
	key := statement(func(w *dialect.Writer) { d.key(w, t) })
	whole := func(name string) string {
		return statement(func(w *dialect.Writer) {
			w.Text("CREATE TABLE ")
			w.Name(name)
			w.Text(columns, " ENGINE = MergeTree ORDER BY tuple(", key, ")")
		})
	}
	if !sharded {
		return []string{whole(t.Name)}
	}
	return []string{whole(t.Name + partSuffix), statement(func(w *dialect.Writer) {
		w.Text("CREATE TABLE ")
		w.Name(t.Name)
		w.Text(columns, " ENGINE = Distributed(")
		w.Name(d.cluster)
		w.Text(", currentDatabase(), ")
		w.Name(t.Name + partSuffix)
		if key == "" {
			w.Text(", rand())")
			return
		}
		w.Text(", cityHash64(", key, "))")
	})}
}

// key writes the columns that order a table; one that may be null cannot.
func (d *clickHouse) key(w *dialect.Writer, t Table) {
	nullable := map[string]bool{}
	for _, c := range t.Columns {
		nullable[c.Name] = c.Nullable
	}
	first := true
	for _, k := range t.Key {
		if nullable[k] {
			continue
		}
		if !first {
			w.Text(", ")
		}
		first = false
		w.Name(k)
	}
}

func (d *clickHouse) drop(ctx context.Context, servers []driver.Conn, name string) error {
	var errs []error
	for _, conn := range servers {
		for _, table := range []string{name, name + partSuffix} {
			w := dialect.NewWriter(d.own)
			w.Text("DROP TABLE IF EXISTS ")
			w.Name(table)
			text, _ := w.Statement()
			errs = append(errs, conn.Exec(ctx, text))
		}
	}
	return errors.Join(errs...)
}

// fill sends the rows to each of some servers.
func (d *clickHouse) fill(ctx context.Context, servers []driver.Conn, t Table) (err error) {
	w := dialect.NewWriter(d.own)
	w.Text("INSERT INTO ")
	w.Name(t.Name)
	w.Text(" (") // without a list of columns an old server says more than the driver understands
	for i, c := range t.Columns {
		if i > 0 {
			w.Text(", ")
		}
		w.Name(c.Name)
	}
	w.Text(")")
	text, _ := w.Statement()
	var batches []driver.Batch
	defer func() {
		for _, b := range batches {
			if !b.IsSent() {
				_ = b.Abort()
			}
		}
	}()
	n := 0
	values := make([]any, len(t.Columns))
	for row := range t.Rows {
		if n%clickHouseBatch == 0 {
			if batches, err = d.next(ctx, servers, batches, text); err != nil {
				return err
			}
		}
		n++
		if len(row) != len(values) {
			return fmt.Errorf("row %d has %d cells for %d columns", n, len(row), len(values))
		}
		for i, cell := range row {
			var ok bool
			if values[i], ok = d.value(t.Columns[i].Type, cell); !ok || cell == nil && !t.Columns[i].Nullable {
				return fmt.Errorf("row %d: %v does not fit column %s", n, cell, t.Columns[i].Name)
			}
		}
		for _, b := range batches {
			if err := b.Append(values...); err != nil {
				return fmt.Errorf("row %d: %w", n, err)
			}
		}
	}
	for _, b := range batches {
		if err := b.Send(); err != nil {
			return err
		}
	}
	return nil
}

// next sends what was gathered and starts anew.
func (d *clickHouse) next(ctx context.Context, servers []driver.Conn, batches []driver.Batch, text string) ([]driver.Batch, error) {
	for _, b := range batches {
		if err := b.Send(); err != nil {
			return batches, err
		}
	}
	fresh := make([]driver.Batch, 0, len(servers))
	for _, conn := range servers {
		b, err := conn.PrepareBatch(ctx, text)
		if err != nil {
			return fresh, err
		}
		fresh = append(fresh, b)
	}
	return fresh, nil
}

// value returns a cell as the driver takes it; it reports false for one that its column cannot hold: the server would
// make another of it.
func (d *clickHouse) value(t value.Type, cell any) (any, bool) {
	switch v := cell.(type) {
	case nil:
		return nil, true
	case int64:
		if t.Kind == value.Decimal {
			return decimalText(v, t.Scale), fits(value.Type{Kind: value.Decimal, Scale: t.Scale}, v)
		}
		if t.Kind == value.Integer && !t.Wide {
			return int32(v), fits(t, v)
		}
		return v, t.Kind == value.Integer
	case string:
		return v, t.Kind == value.String
	case bool:
		return strconv.FormatBool(v), t.Kind == value.Boolean
	case float64:
		return v, t.Kind == value.Float
	case time.Time:
		return d.time(t, v)
	}
	return nil, false
}

// time returns the instant at which the server's clock shows a wall time. There is none in an hour that the clock leaves
// out, nor outside the years that the server counts.
func (d *clickHouse) time(t value.Type, v time.Time) (time.Time, bool) {
	const firstYear, lastYear = 1970, 2105
	held := v.Year() >= firstYear && v.Year() <= lastYear
	if t.Kind == value.Date {
		return v, held
	}
	if !t.Zoned {
		shown := time.Date(v.Year(), v.Month(), v.Day(), v.Hour(), v.Minute(), v.Second(), v.Nanosecond(), d.zone)
		held = held && shown.Hour() == v.Hour() && shown.Minute() == v.Minute()
		v = shown
	}
	return v, held && t.Kind == value.Timestamp && v.Nanosecond() == 0
}

// checkKey fails when two rows have one key, which the server does not mind.
func (d *clickHouse) checkKey(ctx context.Context, conn driver.Conn, t Table) error {
	if len(t.Key) == 0 {
		return nil
	}
	w := dialect.NewWriter(d.own)
	w.Text("SELECT count() FROM (SELECT count() AS __rows FROM ")
	w.Name(t.Name)
	w.Text(" GROUP BY ")
	writeNames(w, t.Key)
	w.Text(" HAVING __rows > 1)")
	text, _ := w.Statement()
	var repeated uint64
	if err := conn.QueryRow(ctx, text).Scan(&repeated); err != nil {
		return err
	}
	if repeated > 0 {
		return fmt.Errorf("%d keys stand on several rows", repeated)
	}
	return nil
}

// decimalText writes a whole number of the last digits of a decimal.
func decimalText(unscaled int64, scale uint8) string {
	return strconv.FormatInt(unscaled, 10) + "e-" + strconv.Itoa(int(scale))
}
