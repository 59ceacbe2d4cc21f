package datasource

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
)

// refusals are the servers' codes for what a configuration most often gets wrong.
var refusals = []struct {
	postgres   []string
	mysql      []uint16
	clickHouse []int32
	why        string
}{
	{[]string{"28P01", "28000"}, []uint16{1045, 1698}, []int32{192, 193, 194, 516}, "the server refuses the user or the password"},
	{[]string{"3D000"}, []uint16{1049}, []int32{81}, "the server has no such database"},
	{[]string{"42501"}, []uint16{1044, 1142, 1227}, []int32{497}, "the user lacks a right"},
	{[]string{"53300"}, []uint16{1040, 1203}, []int32{202}, "the server has as many connections as it takes"},
}

// Refusal says in safe words why a database could not be opened or read, as far as that is known; "" otherwise. It
// holds nothing of the driver's text, nor of the configuration.
func Refusal(err error) string {
	var pg *pgconn.PgError
	var my *mysql.MySQLError
	var ch *clickhouse.Exception
	for _, r := range refusals {
		switch {
		case errors.As(err, &pg) && slices.Contains(r.postgres, pg.Code),
			errors.As(err, &my) && slices.Contains(r.mysql, my.Number),
			errors.As(err, &ch) && slices.Contains(r.clickHouse, ch.Code):
			return r.why
		}
	}
	var name *net.DNSError
	var dialled *net.OpError
	var waited net.Error
	switch {
	case errors.As(err, &name):
		return "the name of its host is not known"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &waited) && waited.Timeout():
		return "its address does not answer in time"
	case errors.As(err, &dialled):
		return "nobody answers at its address"
	case errors.Is(err, os.ErrPermission):
		return "its file may not be read"
	}
	return ""
}
