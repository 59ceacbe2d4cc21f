package tpch

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ClickHouse/clickhouse-go/v2"
	_ "github.com/go-sql-driver/mysql" // the driver that makes the database
	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/datasource"
	"parlance/test/servers"
)

// engines are the databases, each with the configuration of an empty one. ClickHouse's servers take one hand-written
// SQL, alone or as a cluster.
var engines = []struct {
	name, sql string
	open      func(t testing.TB) datasource.Config
}{
	{"duckdb", "duckdb", func(testing.TB) datasource.Config { return datasource.Config{Type: "duckdb"} }},
	{"sqlite", "sqlite", openSQLite},
	{"postgres", "postgres", openPostgres},
	{"mysql", "mysql", openMySQL},
	{"clickhouse", "clickhouse", openServer},
	{"cluster", "clickhouse", openCluster},
}

const database = "tpch"

func openSQLite(t testing.TB) datasource.Config {
	t.Helper()
	return datasource.Config{Type: "sqlite", Path: filepath.Join(t.TempDir(), "tpch.sqlite"), Create: true}
}

func openServer(t testing.TB) datasource.Config {
	t.Helper()
	return openClickHouse(t, 1)
}

func openCluster(t testing.TB) datasource.Config {
	t.Helper()
	return openClickHouse(t, 3)
}

func openPostgres(t testing.TB) datasource.Config {
	t.Helper()
	dsn := servers.StartPostgres(t)
	conn, err := pgconn.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	if err := conn.Exec(t.Context(), "CREATE SCHEMA "+database).Close(); err != nil {
		t.Fatal(err)
	}
	return datasource.Config{Type: "postgres", DSN: dsn + "&search_path=" + database}
}

func openMySQL(t testing.TB) datasource.Config {
	t.Helper()
	dsn := servers.RunMySQL(t).DSN
	admin, err := sql.Open("mysql", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	if _, err := admin.ExecContext(t.Context(), "CREATE DATABASE "+database); err != nil {
		t.Fatal(err)
	}
	return datasource.Config{Type: "mysql", DSN: dsn[:strings.LastIndexByte(dsn, '/')+1] + database}
}

func openClickHouse(t testing.TB, nodes int) datasource.Config {
	t.Helper()
	s := servers.RunClickHouse(t, nodes, "UTC")
	for _, address := range s.Addresses {
		conn, err := clickhouse.Open(&clickhouse.Options{Addr: []string{address}, Auth: clickhouse.Auth{Username: s.User, Password: s.Password}})
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Exec(t.Context(), "CREATE DATABASE "+database); err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
	}
	c := datasource.Config{Type: "clickhouse", Addresses: s.Addresses, Database: database, User: s.User, Password: s.Password}
	if nodes > 1 {
		c.Cluster = servers.ClickHouseClusterName
	}
	return c
}
