package datasource

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"parlance/internal/relation"
	"parlance/test/servers"
)

// listed writes a table in the order that every engine's listing has: its columns, keys, references and indexes.
func listed(t *relation.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.%s view=%v %q:", t.Schema, t.Name, t.View, t.Comment)
	for _, c := range t.Columns {
		null := " not null"
		if c.Nullable {
			null = ""
		}
		fmt.Fprintf(&b, " %s %s%s", c.Name, c.Type.Name(), null)
		if c.Comment != "" {
			fmt.Fprintf(&b, " %q", c.Comment)
		}
	}
	fmt.Fprintf(&b, "; primary %v unique %v indexes %v", t.Primary, t.Unique, t.Indexes)
	for _, f := range t.Foreign {
		fmt.Fprintf(&b, "; %v to %s.%s%v", f.Columns, f.Schema, f.Table, f.References)
	}
	return b.String()
}

func checkListed(t *testing.T, s *Source, schema string, want ...string) *relation.Schema {
	t.Helper()
	found, err := s.Schema(t.Context(), schema)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]string, len(found.Tables))
	for i, table := range found.Tables {
		got[i] = listed(table)
	}
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("missing: %s", want[i])
		case i >= len(want):
			t.Errorf("too much: %s", got[i])
		case got[i] != want[i]:
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
	return found
}

// shopTables is a schema with all that a listing tells, in the words that PostgreSQL, DuckDB and SQLite share.
var shopTables = []string{
	`CREATE TABLE region (country VARCHAR(2) NOT NULL, region_no INTEGER NOT NULL, name VARCHAR(40), PRIMARY KEY (country, region_no))`,
	`CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL UNIQUE, boss_id INTEGER REFERENCES staff (staff_id))`,
	`CREATE TABLE "Odd table" ("select" INTEGER NOT NULL, "a ""b""" VARCHAR(10))`,
	`CREATE TABLE sale (sale_id BIGINT PRIMARY KEY, seller_id INTEGER NOT NULL REFERENCES staff (staff_id), helper_id INTEGER REFERENCES staff (staff_id),
		country VARCHAR(2), region_no INTEGER, sold_on DATE NOT NULL, amount DECIMAL(18, 2),
		FOREIGN KEY (country, region_no) REFERENCES region (country, region_no))`,
	`CREATE VIEW big_sale AS SELECT sale_id, amount FROM sale WHERE amount > 100`,
}

func TestDuckDBSchema(t *testing.T) {
	s := open(t, Config{})
	exec(t, s, shopTables...)
	exec(t, s, `COMMENT ON TABLE sale IS 'Sales'`, `COMMENT ON COLUMN sale.amount IS 'Net amount'`, `CREATE SCHEMA other`, `CREATE TABLE other.lone (payload BLOB)`)
	found := checkListed(t, s, "",
		`.Odd table view=false "": select integer not null a "b" string; primary [] unique [] indexes []`,
		`.big_sale view=true "": sale_id bigint amount decimal; primary [] unique [] indexes []`,
		`.region view=false "": country string not null region_no integer not null name string; primary [country region_no] unique [] indexes [[country region_no]]`,
		`.sale view=false "Sales": sale_id bigint not null seller_id integer not null helper_id integer country string region_no integer sold_on date not null amount decimal "Net amount"; primary [sale_id] unique [] indexes [[sale_id]]; [seller_id] to .staff[staff_id]; [helper_id] to .staff[staff_id]; [country region_no] to .region[country region_no]`,
		`.staff view=false "": staff_id integer not null name string not null boss_id integer; primary [staff_id] unique [[name]] indexes [[staff_id] [name]]; [boss_id] to .staff[staff_id]`,
	)
	if found.Access != relation.Scanned {
		t.Errorf("access is %d", found.Access)
	}
	checkListed(t, s, "other", `other.lone view=false "": payload null; primary [] unique [] indexes []`)
	checkListed(t, s, "nowhere")
}

func TestSQLiteSchema(t *testing.T) {
	s := openLite(t, Config{}, append(shopTables, "CREATE INDEX by_day ON sale (sold_on, seller_id)", "CREATE INDEX some ON sale (amount) WHERE amount > 7",
		"CREATE INDEX computed ON sale (upper(country))", "CREATE TABLE loose (thing, Total REAL, parent INTEGER REFERENCES SALE)", "INSERT INTO loose VALUES ('a', 1.5, NULL)",
		"CREATE VIEW summed AS SELECT 1 + sale_id AS next, 'x' || country AS x FROM sale")...)
	found := checkListed(t, s, "",
		`.Odd table view=false "": select bigint not null a "b" string; primary [] unique [] indexes []`,
		`.big_sale view=true "": sale_id bigint amount decimal; primary [] unique [] indexes []`,
		`.loose view=false "": thing string Total float parent bigint; primary [] unique [] indexes []; [parent] to .sale[sale_id]`,
		`.region view=false "": country string not null region_no bigint not null name string; primary [country region_no] unique [] indexes [[country region_no]]`,
		`.sale view=false "": sale_id bigint seller_id bigint not null helper_id bigint country string region_no bigint sold_on date not null amount decimal; primary [sale_id] unique [] indexes [[sale_id] [sold_on seller_id]]; [seller_id] to .staff[staff_id]; [helper_id] to .staff[staff_id]; [country region_no] to .region[country region_no]`,
		`.staff view=false "": staff_id bigint not null name string not null boss_id bigint; primary [staff_id] unique [[name]] indexes [[staff_id] [name]]; [boss_id] to .staff[staff_id]`,
		`.summed view=true "": next null x null; primary [] unique [] indexes []`,
	)
	if found.Access != relation.Indexed {
		t.Errorf("access is %d", found.Access)
	}
}

func TestSQLiteSchemaOfManyTables(t *testing.T) {
	var statements, want []string
	for i := range 300 {
		statements = append(statements, fmt.Sprintf("CREATE TABLE t%03d (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t%03d (id))", i, max(0, i-1)))
		want = append(want, fmt.Sprintf(`.t%03d view=false "": id bigint not null up bigint; primary [id] unique [] indexes [[id]]; [up] to .t%03d[id]`, i, max(0, i-1)))
	}
	checkListed(t, openLite(t, Config{}, statements...), "", want...)
}

// postgresLists is a part of TestPostgres.
func postgresLists(t *testing.T, dsn string) {
	t.Helper()
	_, own, _ := strings.Cut(dsn, "&search_path=")
	other := own + "_aside"
	postgresExec(t, dsn, shopTables...)
	postgresExec(t, dsn, "CREATE SCHEMA "+other, "COMMENT ON TABLE sale IS 'Sales'", "COMMENT ON COLUMN sale.amount IS 'Net amount'", "CREATE INDEX ON sale (sold_on, seller_id)",
		"CREATE INDEX ON sale (upper(country))", "CREATE INDEX ON sale (amount) WHERE amount > 7", "CREATE DOMAIN short AS NUMERIC(6, 1)",
		"CREATE TABLE "+other+".far (id UUID PRIMARY KEY, staff_id INTEGER REFERENCES staff, doc JSONB, size short)",
		"CREATE TABLE near (far_id UUID REFERENCES "+other+".far)")
	found := checkListed(t, openAs(t, Config{Type: "postgres", DSN: dsn}), "",
		`.Odd table view=false "": select integer not null a "b" string; primary [] unique [] indexes []`,
		`.big_sale view=true "": sale_id bigint amount decimal; primary [] unique [] indexes []`,
		`.near view=false "": far_id string; primary [] unique [] indexes []; [far_id] to `+other+`.far[id]`,
		`.region view=false "": country string not null region_no integer not null name string; primary [country region_no] unique [] indexes [[country region_no]]`,
		`.sale view=false "Sales": sale_id bigint not null seller_id integer not null helper_id integer country string region_no integer sold_on date not null amount decimal "Net amount"; primary [sale_id] unique [] indexes [[sale_id] [sold_on seller_id]]; [seller_id] to .staff[staff_id]; [helper_id] to .staff[staff_id]; [country region_no] to .region[country region_no]`,
		`.staff view=false "": staff_id integer not null name string not null boss_id integer; primary [staff_id] unique [[name]] indexes [[staff_id] [name]]; [boss_id] to .staff[staff_id]`,
	)
	if found.Access != relation.Indexed || len(found.Notes) != 1 || !strings.Contains(found.Notes[0].What, "superuser") {
		t.Errorf("access %d, notes %v", found.Access, found.Notes)
	}
	checkListed(t, openAs(t, Config{Type: "postgres", DSN: dsn}), other,
		other+`.far view=false "": id string not null staff_id integer doc null size decimal; primary [id] unique [] indexes [[id]]; [staff_id] to `+own+`.staff[staff_id]`)
}

// mysqlLists is a part of TestMySQL.
func mysqlLists(t *testing.T, dsn string) {
	t.Helper()
	execMySQL(t, openMySQLAt(t, dsn, Config{}), "CREATE DATABASE shop CHARACTER SET utf8mb4", "CREATE DATABASE aside",
		"CREATE TABLE aside.far (id INTEGER PRIMARY KEY, doc BLOB)")
	in := strings.TrimSuffix(dsn, "parlance") + "shop"
	s := openMySQLAt(t, in, Config{})
	execMySQL(t, s, "SET sql_mode = 'ANSI_QUOTES'",
		shopTables[0], `CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL UNIQUE, boss_id INTEGER, FOREIGN KEY (boss_id) REFERENCES staff (staff_id))`, shopTables[2],
		`CREATE TABLE sale (sale_id BIGINT PRIMARY KEY, seller_id INTEGER NOT NULL, country VARCHAR(2), region_no INTEGER, sold_on DATE NOT NULL,
			amount DECIMAL(18, 2) COMMENT 'Net amount', note TEXT, far_id INTEGER, KEY by_note (note(10)), KEY by_day (sold_on, seller_id), UNIQUE (country, sold_on),
			FOREIGN KEY seller (seller_id) REFERENCES staff (staff_id), FOREIGN KEY r (country, region_no) REFERENCES region (country, region_no),
			FOREIGN KEY f (far_id) REFERENCES aside.far (id)) COMMENT 'Sales'`, shopTables[4])
	found := checkListed(t, s, "",
		`.Odd table view=false "": select integer not null a "b" string; primary [] unique [] indexes []`,
		`.big_sale view=true "": sale_id bigint not null amount decimal "Net amount"; primary [] unique [] indexes []`,
		`.region view=false "": country string not null region_no integer not null name string; primary [country region_no] unique [] indexes [[country region_no]]`,
		`.sale view=false "Sales": sale_id bigint not null seller_id integer not null country string region_no integer sold_on date not null amount decimal "Net amount" note string far_id integer; primary [sale_id] unique [[country sold_on]] indexes [[sale_id] [sold_on seller_id] [country sold_on] [far_id] [country region_no] [seller_id]]; [seller_id] to .staff[staff_id]; [country region_no] to .region[country region_no]; [far_id] to aside.far[id]`,
		`.staff view=false "": staff_id integer not null name string not null boss_id integer; primary [staff_id] unique [[name]] indexes [[staff_id] [boss_id] [name]]; [boss_id] to .staff[staff_id]`,
	)
	if found.Access != relation.Indexed || len(found.Notes) != 0 {
		t.Errorf("access %d, notes %v", found.Access, found.Notes)
	}
	checkListed(t, s, "aside", `aside.far view=false "": id integer not null doc null; primary [id] unique [] indexes [[id]]`)
}

// clickHouseLists is a part of TestClickHouse.
func clickHouseLists(t *testing.T, c Config) {
	t.Helper()
	clickHouseExec(t, c, "CREATE TABLE staff (staff_id Int32, name String COMMENT 'Full name', boss_id Nullable(Int32)) ENGINE = MergeTree ORDER BY staff_id",
		"CREATE TABLE `Odd table` (`select` Int32, `a b` FixedString(3)) ENGINE = MergeTree ORDER BY (toString(`select`), `select`)",
		"CREATE TABLE sale_local (sale_id Int64, sold_on Date, tags Array(String), amount Decimal(18, 2)) ENGINE = MergeTree PARTITION BY toYYYYMM(sold_on) ORDER BY (sold_on, sale_id)",
		"CREATE TABLE sale AS sale_local ENGINE = Distributed(main, "+c.Database+", sale_local, sale_id)",
		"CREATE VIEW big_sale AS SELECT sale_id, amount FROM sale_local",
		"CREATE MATERIALIZED VIEW days ENGINE = MergeTree ORDER BY sold_on AS SELECT sold_on FROM sale_local")
	found := checkListed(t, openAs(t, c), "",
		`.Odd table view=false "": select integer not null a b string not null; primary [] unique [] indexes []`,
		`.big_sale view=true "": sale_id bigint not null amount decimal not null; primary [] unique [] indexes []`,
		`.days view=true "": sold_on date not null; primary [] unique [] indexes []`,
		`.sale view=false "": sale_id bigint not null sold_on date not null tags null not null amount decimal not null; primary [] unique [] indexes [[sold_on sale_id]]`,
		`.staff view=false "": staff_id integer not null name string not null "Full name" boss_id integer; primary [] unique [] indexes [[staff_id]]`,
	)
	if found.Access != relation.Sorted {
		t.Errorf("access is %d", found.Access)
	}
}

// TestMySQLWithoutZones: a server that cannot show instants by a zone's clock says so.
func TestMySQLWithoutZones(t *testing.T) {
	s := openMySQLAt(t, servers.RunMySQL(t).DSN, Config{})
	if found := checkListed(t, s, ""); len(found.Notes) != 1 || !strings.Contains(found.Notes[0].What, "time-zone tables") {
		t.Errorf("notes %v", found.Notes)
	}
}

func TestSchemaOfAClosedSource(t *testing.T) {
	s := openLite(t, Config{Path: filepath.Join(t.TempDir(), "a.db")}, "CREATE TABLE a (b INTEGER)")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Schema(t.Context(), ""); err == nil {
		t.Error("a closed source lists tables")
	}
}
