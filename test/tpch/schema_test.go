package tpch

import (
	"slices"
	"strings"

	"parlance/internal/datasource"
	"parlance/internal/value"
)

// table is a generated table. Decimals have two places and are kept as cents.
type table struct {
	name    string
	key     []string
	columns string // name and kind of each: i an integer, d a decimal, s a text, t a date; ? after it: may be null
	sharded bool   // whether a cluster spreads its rows over its servers
	rows    [][]any
}

// loaded returns the table as a datasource takes it.
func (t table) loaded() datasource.Table {
	kinds := map[string]value.Type{
		"i": {Kind: value.Integer}, "d": {Kind: value.Decimal, Scale: 2}, "s": {Kind: value.String}, "t": {Kind: value.Date},
	}
	var columns []datasource.Column
	for c := range strings.FieldsSeq(t.columns) {
		name, kind, _ := strings.Cut(c, ":")
		kind, nullable := strings.CutSuffix(kind, "?")
		columns = append(columns, datasource.Column{Name: name, Type: kinds[kind], Nullable: nullable})
	}
	return datasource.Table{Name: t.name, Columns: columns, Key: t.key, Sharded: t.sharded, Rows: slices.Values(t.rows)}
}

// The tables, empty. On a cluster the three large ones are spread, also where another joins them.
func schema() map[string]*table {
	all := map[string]*table{}
	for _, t := range []table{
		{name: "region", key: []string{"r_regionkey"}, columns: "r_regionkey:i r_name:s r_comment:s"},
		{name: "nation", key: []string{"n_nationkey"}, columns: "n_nationkey:i n_name:s n_regionkey:i n_comment:s"},
		{
			name: "supplier", key: []string{"s_suppkey"},
			columns: "s_suppkey:i s_name:s s_address:s s_nationkey:i s_phone:s s_acctbal:d s_comment:s",
		},
		{
			name: "customer", key: []string{"c_custkey"},
			columns: "c_custkey:i c_name:s c_address:s c_nationkey:i c_phone:s c_acctbal:d c_mktsegment:s c_comment:s",
		},
		{
			name: "part", key: []string{"p_partkey"},
			columns: "p_partkey:i p_name:s p_mfgr:s p_brand:s p_type:s p_size:i p_container:s p_retailprice:d p_comment:s",
		},
		{
			name: "partsupp", key: []string{"ps_partkey", "ps_suppkey"}, sharded: true,
			columns: "ps_partkey:i ps_suppkey:i ps_availqty:i ps_supplycost:d ps_comment:s",
		},
		{
			name: "orders", key: []string{"o_orderkey"}, sharded: true,
			columns: "o_orderkey:i o_custkey:i o_orderstatus:s o_totalprice:d o_orderdate:t o_orderpriority:s o_clerk:s o_shippriority:i o_comment:s",
		},
		{
			name: "lineitem", key: []string{"l_orderkey", "l_linenumber"}, sharded: true,
			columns: "l_orderkey:i l_partkey:i l_suppkey:i l_linenumber:i l_quantity:d l_extendedprice:d l_discount:d l_tax:d " +
				"l_returnflag:s l_linestatus:s l_shipdate:t l_commitdate:t l_receiptdate:t l_shipinstruct:s l_shipmode:s l_comment:s",
		},
	} {
		all[t.name] = &t
	}
	return all
}
