package execute

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"parlance/internal/datasource"
	"parlance/internal/value"
	"parlance/test/evaluate"
	"parlance/test/servers"
)

// clickHouse is the servers that hold a database for each world: one, or the three of a cluster.
var clickHouse *servers.ClickHouse

func startClickHouse(t testing.TB) string {
	t.Helper()
	clickHouse = servers.RunClickHouse(t, 1, "UTC")
	return clickHouse.Addresses[0]
}

func startCluster(t testing.TB) string {
	t.Helper()
	clickHouse = servers.RunClickHouse(t, 3, "Asia/Kolkata")
	return clickHouse.Addresses[0]
}

func onClickHouse(engine string) bool { return engine == "clickhouse" || engine == "cluster" }

// openClickHouse makes a database of its own for each world, on every server.
func openClickHouse(ctx context.Context, log *slog.Logger) (*datasource.Source, func() error, error) {
	name := fmt.Sprintf("world%d", databases.Add(1))
	admin := func(statement string) (err error) {
		for _, address := range clickHouse.Addresses {
			conn, e := clickhouse.Open(&clickhouse.Options{
				Addr: []string{address}, Auth: clickhouse.Auth{Username: clickHouse.User, Password: clickHouse.Password},
			})
			if e != nil {
				return e
			}
			err = errors.Join(err, conn.Exec(context.WithoutCancel(ctx), statement), conn.Close())
		}
		return err
	}
	if err := admin("CREATE DATABASE " + name); err != nil {
		return nil, nil, err
	}
	remove := func() error { return admin("DROP DATABASE " + name) }
	c := datasource.Config{
		Type: "clickhouse", Addresses: clickHouse.Addresses[:1], Database: name, User: clickHouse.User, Password: clickHouse.Password, MaxConns: 3,
	}
	if len(clickHouse.Addresses) > 1 {
		c.Cluster = servers.ClickHouseClusterName
	}
	source, err := datasource.Open(ctx, "db", c, log)
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return source, remove, nil
}

// wholeSeconds cuts off what a database without parts of seconds cannot hold.
func wholeSeconds(tables []table) []table {
	tables = slices.Clone(tables)
	for i, t := range tables {
		tables[i].rows = make([][]evaluate.Value, len(t.rows))
		for j, row := range t.rows {
			tables[i].rows[j] = slices.Clone(row)
			for k, v := range row {
				if v.Kind == value.Timestamp {
					tables[i].rows[j][k].Time = v.Time.Truncate(time.Second)
				}
			}
		}
	}
	return tables
}

// sharded reports whether a table is one of rows, and not a dimension.
func (t table) sharded() bool {
	return t.name == "sale" || t.name == "other" || strings.HasPrefix(t.name, "fact")
}
