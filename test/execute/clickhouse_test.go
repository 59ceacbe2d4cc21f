package execute

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"parlance/internal/datasource"
	"parlance/internal/value"
	"parlance/test/evaluate"
	"parlance/test/servers"
)

func startClickHouse(t testing.TB) opener {
	t.Helper()
	return onClickHouse(servers.RunClickHouse(t, 1, "UTC"))
}

// startCluster starts three servers, each a shard, whose clocks are not of UTC.
func startCluster(t testing.TB) opener {
	t.Helper()
	return onClickHouse(servers.RunClickHouse(t, 3, "Asia/Kolkata"))
}

// onClickHouse makes a database of its own for each world, on every server.
func onClickHouse(server *servers.ClickHouse) opener {
	admin := func(ctx context.Context, database, statement string) (err error) {
		for _, address := range server.Addresses {
			conn, e := clickhouse.Open(&clickhouse.Options{
				Addr: []string{address}, Auth: clickhouse.Auth{Database: database, Username: server.User, Password: server.Password},
			})
			if e != nil {
				return e
			}
			err = errors.Join(err, conn.Exec(ctx, statement), conn.Close())
		}
		return err
	}
	return func(ctx context.Context, log *slog.Logger, statements ...string) (*datasource.Source, func() error, error) {
		name := fmt.Sprintf("world%d", databases.Add(1))
		if err := admin(ctx, "default", "CREATE DATABASE "+name); err != nil {
			return nil, nil, err
		}
		remove := func() error { return admin(context.WithoutCancel(ctx), "default", "DROP DATABASE "+name) }
		for _, s := range statements {
			if err := admin(ctx, name, s); err != nil {
				return nil, nil, errors.Join(fmt.Errorf("%s: %w", s, err), remove())
			}
		}
		c := datasource.Config{
			Type: "clickhouse", Addresses: server.Addresses[:1], Database: name, User: server.User, Password: server.Password, MaxConns: 3,
		}
		if len(server.Addresses) > 1 {
			c.Cluster = servers.ClickHouseClusterName
		}
		source, err := datasource.Open(ctx, "db", c, log)
		if err != nil {
			return nil, nil, errors.Join(err, remove())
		}
		return source, remove, nil
	}
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
