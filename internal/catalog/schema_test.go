package catalog

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"parlance/internal/semantic"
	"parlance/internal/value"
	"parlance/schema"
)

func publishedSchema(t *testing.T) map[string]any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Model()))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// TestSchemaKeys holds the published keys, and which of them must stand, to those that the decoder knows.
func TestSchemaKeys(t *testing.T) {
	defs := publishedSchema(t)["$defs"].(map[string]any)
	shapes := map[string]shape{
		"model": new(rawModel).shape(), "source": new(rawSource).shape(), "dimension": new(rawDimension).shape(),
		"hierarchy": new(rawHierarchy).shape(), "attribute": new(rawAttribute).shape(), "measure": new(rawMeasure).shape(),
		"additivity": new(rawAdditivity).shape(), "example": new(rawExample).shape(), "entry": new(rawEntry).shape(),
		"access": new(rawAccess).shape(), "audience": new(rawAudience).shape(), "field_rule": new(rawFieldRule).shape(),
		"row_rule": new(rawRowRule).shape(), "min_group": new(rawMinGroup).shape(), "exemption": new(rawExemption).shape(), "policy": new(rawShared).shape(),
		"rollup": new(rawRollup).shape(), "rollup_time": new(rawRollupTime).shape(),
		"cache": new(rawCache).shape(),
	}
	for name, s := range shapes {
		def := defs[name].(map[string]any)
		published := slices.Sorted(maps.Keys(def["properties"].(map[string]any)))
		var required []string
		for _, k := range s.keys {
			if k.required {
				required = append(required, k.name)
			}
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(s.names())), published); diff != "" {
			t.Errorf("keys of %s (-decoder +schema):\n%s", name, diff)
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(required)), words(def["required"])); diff != "" {
			t.Errorf("required keys of %s (-decoder +schema):\n%s", name, diff)
		}
		if def["additionalProperties"] != false {
			t.Errorf("%s takes unknown keys", name)
		}
	}
	for name, def := range defs {
		if _, object := def.(map[string]any)["properties"]; object && reflect.ValueOf(shapes[name]).IsZero() {
			t.Errorf("the schema's %s has no shape", name)
		}
	}
}

// words returns a list of the schema, sorted; nil when it is absent.
func words(list any) []string {
	var out []string
	items, _ := list.([]any)
	for _, w := range items {
		if word, ok := w.(string); ok {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return out
}

// TestSchemaWords holds the published lists of words to the vocabulary.
func TestSchemaWords(t *testing.T) {
	defs := publishedSchema(t)["$defs"].(map[string]any)
	enum := func(path ...string) []string {
		at := any(defs)
		for _, p := range append(path, "enum") {
			at = at.(map[string]any)[p]
		}
		return words(at)
	}
	var aggs []string
	for _, a := range semantic.Aggs {
		aggs = append(aggs, string(a))
	}
	for _, c := range []struct{ want, got []string }{
		{aggs, enum("measure", "properties", "agg")},
		{value.TypeNames, enum("type")},
		{semiUses, enum("additivity", "properties", "use")},
		{weekdays, enum("model", "properties", "week_start")},
		{months, enum("model", "properties", "fiscal_start")},
		{rollupGrains, enum("rollup_time", "properties", "grain")},
		{rollupKeeps, enum("rollup", "properties", "keep")},
		{maskWords(), enum("field_rule", "properties", "mask", "additionalProperties")},
	} {
		if diff := cmp.Diff(slices.Sorted(slices.Values(c.want)), c.got); diff != "" {
			t.Errorf("words (-decoder +schema):\n%s", diff)
		}
	}
}

// TestSchemaAgrees checks files with the schema and with the decoder: both take those named good, and both refuse
// those named bad.
func TestSchemaAgrees(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("model.json", publishedSchema(t)); err != nil {
		t.Fatal(err)
	}
	published := map[bool]*jsonschema.Schema{
		false: compiler.MustCompile("model.json"), true: compiler.MustCompile("model.json#/$defs/dictionaries"),
	}
	archive, err := txtar.ParseFile("testdata/schema.txtar")
	if err != nil {
		t.Fatal(err)
	}
	archive.Files = append(archive.Files, txtar.File{Name: "good/every-key.yaml", Data: []byte(everyKey)})
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			var doc any
			if err := yaml.Unmarshal(f.Data, &doc); err != nil {
				t.Fatal(err)
			}
			dictionaries := isDictionaryFile(f.Name)
			bySchema := published[dictionaries].Validate(plainJSON(doc))
			problems := ValidateDir(mapFS(map[string]string{
				fileName(dictionaries): string(f.Data), "dictionaries.yml": "kind: {A: a}", "other.yaml": strings.Replace(goodModel, "A", "Other", 1),
				"third.yaml": strings.Replace(goodModel, "A", "Third", 1),
			}))
			good := strings.HasPrefix(f.Name, "good/")
			if (bySchema == nil) != good {
				t.Errorf("the schema says: %v", bySchema)
			}
			if (len(problems) == 0) != good {
				t.Errorf("the decoder says: %v", problems)
			}
		})
	}
}

func fileName(dictionaries bool) string {
	if dictionaries {
		return "sub/dictionaries.yaml"
	}
	return "sub/model.yaml"
}

// plainJSON turns what the YAML library makes into what a JSON decoder would.
func plainJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plainJSON(v[k])
		}
		return v
	case []any:
		for i := range v {
			v[i] = plainJSON(v[i])
		}
		return v
	case uint64:
		return float64(v)
	}
	return v
}
