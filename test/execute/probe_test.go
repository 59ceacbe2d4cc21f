package execute

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func TestProbe(t *testing.T) {
	file := os.Getenv("PROBE")
	if file == "" {
		t.Skip()
	}
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f := unpack(t, archive)
	p, err := open(t.Context(), f.tables, f.models, "2024-03-31")
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	in, _ := os.Open(os.Getenv("QUERIES"))
	s := bufio.NewScanner(in)
	for s.Scan() {
		model, payload, _ := strings.Cut(s.Text(), " ")
		if model == "" {
			continue
		}
		q, err := decode(payload)
		if err != nil {
			fmt.Printf("%s\n   DECODE %v\n", payload, err)
			continue
		}
		a, err := p.run(t.Context(), model, q)
		if err != nil {
			fmt.Printf("%s\n   ERR %v\n", payload, err)
			continue
		}
		fmt.Printf("%s\n   %s total=%d %s %v\n", payload, a.Items, a.Total, a.TotalData, a.Warnings)
		if os.Getenv("SQL") != "" {
			fmt.Println("   ", strings.Join(a.SQL, "\n    "))
		}
	}
}
