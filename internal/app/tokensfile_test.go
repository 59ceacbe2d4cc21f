package app

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/identity"
)

// The SHA-256 of "abc" and of nothing, from FIPS 180-2.
const (
	hashOfABC     = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
)

func TestTokensFile(t *testing.T) {
	const text = `
tokens:
  - {sha256: ` + hashOfABC + `, user: wang, roles: [analyst, manager], namespaces: [shop], attributes: {provinces: [Guangdong, 浙江], level: 7}}
  - sha256: "` + hashOfNothing + `"
    user: "7"
    roles: admin
`
	got, problems := readTokens("tokens.yaml", []byte(text), []string{"shop"})
	want := []identity.Token{
		{
			Hash: identity.HashOf("abc"), User: "wang", Roles: []string{"analyst", "manager"}, Namespaces: []string{"shop"},
			Attributes: map[string][]string{"provinces": {"Guangdong", "浙江"}, "level": {"7"}},
		},
		{Hash: identity.HashOf(""), User: "7", Roles: []string{"admin"}},
	}
	if diff := cmp.Diff(want, got); diff != "" || problems != nil {
		t.Errorf("%v\n%s", problems, diff)
	}
	if got, problems := readTokens("tokens.yaml", []byte("# nobody\n"), nil); len(got) != 0 || problems != nil {
		t.Errorf("an empty file: %v %v", got, problems)
	}
}

// TestTokensFileRefusals holds every message of a bad file against testdata/tokens/refused.txt.
func TestTokensFileRefusals(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "tokens", "refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range strings.Split(string(text), "\n-- ")[1:] {
		name, body, _ := strings.Cut(c, " --\n")
		file, want, _ := strings.Cut(body, "====\n")
		t.Run(name, func(t *testing.T) {
			tokens, problems := readTokens("tokens.yaml", []byte(file), []string{"shop", "stock"})
			if diff := cmp.Diff(strings.TrimSpace(want), problems.Error()); diff != "" || tokens != nil {
				t.Errorf("%d tokens (-want +got):\n%s", len(tokens), diff)
			}
			if strings.Contains(problems.Error(), "plc_A") {
				t.Errorf("a token is repeated: %v", problems)
			}
		})
	}
}

// TestTokenNewPrintsALineThatReadsBack: what stands in the file is whom the token stands for.
func TestTokenNewPrintsALineThatReadsBack(t *testing.T) {
	shown := regexp.MustCompile(`(?m)^  (plc_[A-Za-z0-9_-]{43})$`)
	line := regexp.MustCompile(`(?m)^  - {sha256: "?[0-9a-f]{64}"?, .*$`)
	for _, c := range []struct {
		args []string
		want identity.Token
	}{
		{
			[]string{"--user", "wang", "--roles", "analyst", "--namespaces", "shop", "--attributes", "provinces=Guangdong,Zhejiang"},
			identity.Token{User: "wang", Roles: []string{"analyst"}, Namespaces: []string{"shop"}, Attributes: map[string][]string{"provinces": {"Guangdong", "Zhejiang"}}},
		},
		{
			[]string{"--user", `o'neil "x" \: {, }`, "--roles", "yes,1e3,null", "--attributes", "level=7", "--attributes", "site=a=b, c:,浙江"},
			identity.Token{User: `o'neil "x" \: {, }`, Roles: []string{"yes", "1e3", "null"}, Attributes: map[string][]string{"level": {"7"}, "site": {"a=b", " c:", "浙江"}}},
		},
		{[]string{"--user=- #!&*"}, identity.Token{User: "- #!&*"}},
	} {
		var out, errs bytes.Buffer
		if code := Run(t.Context(), append([]string{"token", "new"}, c.args...), Streams{Out: &out, Err: &errs}); code != 0 {
			t.Fatalf("%v: %d %s", c.args, code, errs.String())
		}
		token := shown.FindStringSubmatch(out.String())
		if token == nil || strings.Count(out.String(), token[1]) != 1 {
			t.Fatalf("%v: %s", c.args, out.String())
		}
		got, problems := readTokens("tokens.yaml", []byte("tokens:\n"+line.FindString(out.String())), []string{"shop"})
		c.want.Hash = identity.HashOf(token[1])
		if diff := cmp.Diff([]identity.Token{c.want}, got); diff != "" || problems != nil {
			t.Errorf("%v: %v\n%s", c.args, problems, diff)
		}
	}
	for _, args := range [][]string{
		{}, {"--user", ""}, {"--user", "a\nb"}, {"--user", "x", "--attributes", "provinces"}, {"--user", "x", "--attributes", "=a"},
		{"--user", "x", "--attributes", "a=1", "--attributes", "a=2"}, {"--user", "x", "--attributes", "a b=1"},
	} {
		var out, errs bytes.Buffer
		if code := Run(t.Context(), append([]string{"token", "new"}, args...), Streams{Out: &out, Err: &errs}); code == 0 || strings.Contains(out.String(), "plc_") {
			t.Errorf("%v: %d %s%s", args, code, out.String(), errs.String())
		}
	}
}
