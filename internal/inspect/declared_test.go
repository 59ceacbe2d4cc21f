package inspect

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/relation"
	"parlance/internal/semantic"
)

// shopModel has two dimensions over one key each, and a time of its own rows.
func shopModel() *semantic.Model {
	return &semantic.Model{
		Name: "Sale", Source: semantic.Source{Table: "sale"}, Key: []string{"sale_id"}, Time: "soldOn",
		Attributes: []*semantic.Attribute{{Name: "soldOn", Column: "sold_on"}},
		Dimensions: []*semantic.Dimension{
			{Name: "shop", Source: semantic.Source{Table: "shop"}, Join: []semantic.JoinColumn{{From: "shop_id", To: "id"}}},
			{Name: "region", Source: semantic.Source{Table: "region"}, Join: []semantic.JoinColumn{{From: "country", To: "country"}, {From: "region_no", To: "no"}}},
		},
	}
}

func shopTables(keys, indexes bool) func(semantic.Source) *relation.Table {
	column := func(nullable bool, names ...string) (list []relation.Column) {
		for _, n := range names {
			list = append(list, relation.Column{Name: n, Nullable: nullable})
		}
		return list
	}
	sale := &relation.Table{Name: "sale", Columns: append(column(false, "sale_id"), column(true, "shop_id", "country", "region_no", "sold_on")...)}
	shop := &relation.Table{Name: "shop", Columns: column(!keys, "id", "name")}
	region := &relation.Table{Name: "region", Columns: column(false, "country", "no")}
	if keys {
		sale.Primary, shop.Primary, region.Unique = []string{"sale_id"}, []string{"id"}, [][]string{{"no", "country"}}
	}
	if indexes {
		sale.Indexes = [][]string{{"sale_id"}, {"shop_id", "sold_on"}, {"region_no", "country"}, {"sold_on"}}
	}
	tables := map[string]*relation.Table{"sale": sale, "shop": shop, "region": region}
	return func(s semantic.Source) *relation.Table { return tables[s.Table] }
}

func TestDeclared(t *testing.T) {
	hints := func(texts ...string) (list []Hint) {
		for i := 0; i < len(texts); i += 2 {
			list = append(list, Hint{texts[i], texts[i+1]})
		}
		return list
	}
	keyless := shopModel()
	keyless.Key = nil
	missing := shopModel()
	missing.Source.Table, missing.Dimensions[0].Source.Table = "gone", "gone"
	for _, c := range []struct {
		name          string
		model         *semantic.Model
		access        relation.Access
		keys, indexes bool
		want          []Hint
	}{
		{"all is there", shopModel(), relation.Indexed, true, true, nil},
		{"nothing is", shopModel(), relation.Indexed, false, false, hints(
			"nothing keeps two rows of sale from sharing sale_id", "add a primary key or a unique index on sale_id",
			"2 join columns shop_id, country with region_no of sale without an index", "index those that queries filter by",
			"the time column sold_on of sale has no index", "index it",
			"nothing keeps two rows of shop from sharing id", "add a primary key or a unique index on id",
			"the key column id of shop may be null", "declare it not null",
			"nothing keeps two rows of region from sharing country, no", "add a primary key or a unique index on country, no",
		)},
		{"columns are read whole", shopModel(), relation.Scanned, false, false, hints("the key column id of shop may be null", "declare it not null")},
		{"rows lie in an order", shopModel(), relation.Sorted, true, false, hints("the time column sold_on is not in the sorting key of sale", "order the table by it, or partition by it")},
		{"the order has the time", shopModel(), relation.Sorted, true, true, nil},
		{"no key", keyless, relation.Indexed, true, true, hints("the model names no key, which pages rely on", "add to the model's source: key: [sale_id]")},
		{"tables that are not there", missing, relation.Indexed, true, true, nil},
		{"several facts", &semantic.Model{Multi: &semantic.MultiFact{}}, relation.Indexed, true, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Declared(c.model, c.access, shopTables(c.keys, c.indexes))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
