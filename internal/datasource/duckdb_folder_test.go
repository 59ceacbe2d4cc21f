package datasource

import (
	"bytes"
	"compress/gzip"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
)

// files writes a folder of files, by name; parquet files are written by the database itself from a query.
func files(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range contents {
		put(t, filepath.Join(dir, name), text)
	}
	return dir
}

// put writes one file: the rows of a query where the name ends with .parquet and the text is no bytes of one.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if query, ok := strings.CutPrefix(text, "QUERY "); ok {
		writeParquet(t, path, query)
		return
	}
	data := []byte(text)
	if strings.HasSuffix(path, ".gz") {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		_, _ = w.Write(data)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		data = zipped.Bytes()
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeParquet(t *testing.T, path, query string) {
	t.Helper()
	beside := t.TempDir()
	writer := open(t, Config{Folder: beside, Create: true})
	made := filepath.Join(beside, "made")
	exec(t, writer, "COPY ("+query+") TO "+duckText(made)+" (FORMAT parquet)")
	if err := os.Rename(made, path); err != nil {
		t.Fatal(err)
	}
}

// refused opens a folder that cannot be opened and returns what is said.
func refused(t *testing.T, dir string) string {
	t.Helper()
	s, err := Open(t.Context(), "files", Config{Type: "duckdb", Folder: dir}, slog.New(slog.DiscardHandler))
	if err == nil {
		_ = s.Close()
		t.Fatal("the folder was opened")
	}
	checkFault(t, err, fault.Invalid, "bad_datasource")
	for _, secret := range []string{dir, "Error", "read_csv", "strict_mode"} {
		if strings.Contains(fault.As(err).Message, secret) {
			t.Errorf("%q shows %q", err, secret)
		}
	}
	return fault.As(err).Message
}

func natives(t *testing.T, s *Source, table string) string {
	t.Helper()
	columns, err := s.Columns(t.Context(), "", table, "")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, c := range columns {
		all = append(all, c.Name+" "+c.Native)
	}
	return strings.Join(all, ", ")
}

func TestFilesOfAFolderAreTables(t *testing.T) {
	s := open(t, Config{Folder: files(t, map[string]string{
		"fact_sales.parquet":               "QUERY SELECT 1 AS id, 12.50::DECIMAL(18,2) AS amount UNION ALL SELECT 2, 0.01",
		"dim_customer.csv":                 "id,name\n1,\"O'Brien, \"\"Pat\"\"\"\n2,销售\n",
		"zipped.csv.gz":                    "a;b\n1;2.5\n",
		"tabs.tsv":                         "a\tb c\n1,5\tx|y\n",
		"UPPER.CSV":                        "a\n1\n",
		"bom.csv":                          "\ufeffa,b\r\n1,2\r\n",
		"no newline.csv":                   "a|b\n1|2",
		"Ä'\"; drop *?[x] 销.csv":           "x\n7\n",
		"parts/2.parquet":                  "QUERY SELECT 2 AS a, 'z' AS c",
		"parts/1.parquet":                  "QUERY SELECT 1 AS a, 'y' AS b",
		"days/a.csv":                       "day,n\n2024-01-01,1\n",
		"days/b.csv":                       "n;Extra\n1.5;x\n",
		"by_year/year=2024/m=01/1.parquet": "QUERY SELECT 1 AS n",
		"by_year/year=2025/m=02/1.parquet": "QUERY SELECT 2 AS n",
		"by_day/day=2024-02-29/a.csv":      "n\n1\n",
		"by_day/day=2024-03-01/a.csv":      "n\n2.5\n",
		"by_name/name=O'Brien%20%2F/a.csv": "n\n1\n",
		"by_name/name=__HIVE_DEFAULT_PARTITION__/a.csv":  "n\n2\n",
		"by_null/k=__HIVE_DEFAULT_PARTITION__/a.parquet": "QUERY SELECT 1 AS n",
		"by_null/k=7/a.parquet":                          "QUERY SELECT 2 AS n",
		"notes.txt":                                      "not ours",
		".hidden.csv":                                    "\x00",
		"_SUCCESS":                                       "",
		"_part.csv":                                      "\x00",
		"documents/readme.md":                            "nothing for us",
		"nameless/.fact_sales.csv":                       "x",
		"only header.csv":                                "a,b\n",
		"fact_sales.parquet.backup":                      "x",
	})})
	for _, c := range []struct{ query, want string }{
		{`SELECT id, amount FROM fact_sales ORDER BY id`, `[[1,12.50],[2,0.01]]`},
		{`SELECT id, name FROM dim_customer ORDER BY id`, `[[1,"O'Brien, \"Pat\""],[2,"销售"]]`},
		{`SELECT a, b FROM zipped`, `[[1,2.5]]`},
		{`SELECT a, "b c" FROM tabs`, `[["1,5","x|y"]]`},
		{`SELECT a FROM upper`, `[[1]]`},
		{`SELECT a, b FROM bom`, `[[1,2]]`},
		{`SELECT a, b FROM "no newline"`, `[[1,2]]`},
		{`SELECT x FROM "Ä'""; drop *?[x] 销"`, `[[7]]`},
		{`SELECT a, b, c FROM parts ORDER BY a`, `[[1,"y",null],[2,null,"z"]]`},
		{`SELECT day, n, extra FROM days ORDER BY n`, `[["2024-01-01",1.0,null],[null,1.5,"x"]]`},
		{`SELECT count(*) AS n FROM "only header"`, `[[0]]`},
		{`SELECT year, m, n FROM by_year WHERE year > 2000 ORDER BY n`, `[[2024,"01",1],[2025,"02",2]]`},
		{`SELECT day, n FROM by_day ORDER BY n`, `[["2024-02-29",1.0],["2024-03-01",2.5]]`},
		{`SELECT name, n FROM by_name ORDER BY n`, `[["O'Brien /",1],[null,2]]`},
		{`SELECT k, n FROM by_null ORDER BY n`, `[[null,1],[7,2]]`},
		{`SELECT count(*) AS n FROM information_schema.tables`, `[[15]]`},
	} {
		if got := ask(t, s, c.query); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.query, got, c.want)
		}
	}
}

func TestTypesOfCSVAreFoundOverTheWholeFile(t *testing.T) {
	many := strings.Repeat("1\n", 100_000)
	s := open(t, Config{Folder: files(t, map[string]string{
		"late.csv": "n\n" + many + "2.345\n",
		"text.csv": "n\n" + many + "x\n",
		"exact.csv": "price,wide,long,sum,code,plus,comma,float,huge,over,flag,yes,day,us,at,zoned,mixed,none,quoted,half\n" +
			"0.1,12345678901234567890.123456789,9223372036854775808,12,007,+4912,\"1,5\",1e3,99999999999999999999999999999999999999," + strings.Repeat("9", 39) +
			",TRUE,yes,2024-02-29,01/02/2024,2024-02-29,2024-02-29T10:00:00Z,2024-02-29,,\"1\",.5\n" +
			"0.25,1,-1,-3,12,5,2,2.5,1,1,false,no,1999-12-31,02/01/2024,2024-02-29 10:00:01.123456,2024-02-29 10:00:00+08:00,10,\"\",\"\",-.25\n",
	})})
	if got, want := natives(t, s, "late")+"; "+natives(t, s, "text"), "n DECIMAL(18,3); n VARCHAR"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want := strings.Join([]string{
		"price DECIMAL(18,2)", "wide DECIMAL(38,9)", "long HUGEINT", "sum BIGINT", "code VARCHAR", "plus VARCHAR", "comma VARCHAR", "float DOUBLE",
		"huge HUGEINT", "over VARCHAR", "flag BOOLEAN", "yes VARCHAR", "day DATE", "us VARCHAR", "at TIMESTAMP", "zoned TIMESTAMP WITH TIME ZONE",
		"mixed VARCHAR", "none VARCHAR", "quoted BIGINT", "half DECIMAL(18,2)",
	}, ", ")
	if diff := cmp.Diff(want, natives(t, s, "exact")); diff != "" {
		t.Error(diff)
	}
	// 0.1 + 0.25, to the last digit; a double has 12345678901234567000 of the wide number.
	got := ask(t, s, `SELECT sum(price) AS p, sum(wide) AS w, max(long) AS l, min(code) AS c, min(none) AS e, count(none) AS n, count(quoted) AS q, min(half) AS h FROM exact`)
	if want := `[[0.35,12345678901234567891.123456789,9223372036854775808,"007","",1,1,-0.25]]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := ask(t, s, `SELECT "at", zoned FROM exact ORDER BY "at"`), `[["2024-02-29T00:00:00","2024-02-29T10:00:00+00:00"],["2024-02-29T10:00:01.123456","2024-02-29T02:00:00+00:00"]]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFoldersThatCannotBeTablesAreRefusedByName(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"empty":            {map[string]string{"readme.md": "x"}, `Datasource "files": the folder holds no file that ends with .parquet, .csv, .csv.gz, .tsv or .tsv.gz`},
		"two claims":       {map[string]string{"a.csv": "x\n", "A.parquet": "QUERY SELECT 1 AS x"}, `A.parquet and a.csv would both be the table "a"`},
		"file and folder":  {map[string]string{"a.csv": "x\n", "a/1.csv": "x\n"}, `a and a.csv would both be the table "a"`},
		"mixed parts":      {map[string]string{"a/year=1/1.csv": "x\n", "a/month=1/2.csv": "x\n"}, "a/month=1/2.csv and a/year=1/1.csv lie in folders that do not say the same columns"},
		"some parts":       {map[string]string{"a/year=1/1.csv": "x\n", "a/2.csv": "x\n"}, "do not say the same columns"},
		"column and part":  {map[string]string{"a/year=1/1.csv": "x,Year\n"}, `has a column "year", which its folder says too`},
		"two kinds":        {map[string]string{"a/1.csv": "x\n", "a/2.parquet": "QUERY SELECT 1 AS x"}, "the folder a holds Parquet and CSV files"},
		"too deep":         {map[string]string{"a/b/1.csv": "x\n"}, "a/b is a folder in the folder of a table"},
		"no header":        {map[string]string{"a.csv": ""}, `the file "a.csv" has no first line`},
		"nameless column":  {map[string]string{"a.csv": "x,,y\n"}, `the file "a.csv" has no name for column 2`},
		"column twice":     {map[string]string{"a.csv": "x,X\n"}, `the file "a.csv" has two columns "X"`},
		"short line":       {map[string]string{"a.csv": "x,y\n1,2\n3\n"}, `the file "a.csv" cannot be read as CSV in UTF-8: look at line 3`},
		"long line":        {map[string]string{"a.csv": "x,y\n1,2\n3,4,5\n"}, "look at line 3"},
		"unclosed quote":   {map[string]string{"a.csv": "x,y\n1,\"2\n"}, "look at line 2"},
		"not UTF-8":        {map[string]string{"a.csv": "x,y\n1,\xff\xfe\n"}, "look at line 2"},
		"second of a part": {map[string]string{"a/1.csv": "x,y\n1,2\n", "a/2.csv": "x,y\n1\n"}, `the file "a/2.csv" cannot be read`},
		"no parquet":       {map[string]string{"a.parquet": "PAR1 not really"}, `the file "a.parquet" cannot be read as Parquet`},
		"one no parquet":   {map[string]string{"a/1.parquet": "QUERY SELECT 1 AS x", "a/2.parquet": "x"}, `the file "a/2.parquet" cannot be read as Parquet`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := refused(t, files(t, c.files)); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	t.Run("no folder", func(t *testing.T) {
		if got := refused(t, filepath.Join(t.TempDir(), "gone")); !strings.Contains(got, "its folder cannot be read") {
			t.Errorf("got %q", got)
		}
	})
}

// A compressed file that ends between two lines looks complete to the database.
func TestCompressedFileThatIsCutOffIsRefused(t *testing.T) {
	dir := files(t, map[string]string{"a.csv.gz": "x\n" + strings.Repeat("1\n", 1000)})
	path := filepath.Join(dir, "a.csv.gz")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range []int{len(data) - 8, len(data) / 2, 5} {
		if err := os.WriteFile(path, data[:length], 0o644); err != nil {
			t.Fatal(err)
		}
		if got := refused(t, dir); !strings.Contains(got, `the file "a.csv.gz"`) {
			t.Errorf("got %q", got)
		}
	}
}
