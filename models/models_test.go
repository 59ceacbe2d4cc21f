package models_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/catalog"
	"parlance/internal/demo"
	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/value"
	"parlance/models"
)

var tables = sync.OnceValue(func() map[string]demo.Table {
	byName := map[string]demo.Table{}
	for _, t := range demo.Tables() {
		byName[t.Name] = t
	}
	return byName
})

// schema is the demo's tables as the catalogue sees a live database.
type schema struct{}

func (schema) Columns(_ context.Context, _ string, src semantic.Source) (map[string]value.Type, error) {
	t, ok := tables()[src.Table]
	if !ok {
		return nil, &fault.Error{Kind: fault.NotFound, Reason: "unknown_table", Message: "There is no table " + src.Table + "."}
	}
	types := map[string]value.Type{}
	for _, c := range t.Columns {
		types[c.Name] = c.Type
	}
	return types, nil
}

var generation = sync.OnceValues(func() (*catalog.Generation, []catalog.Problem) {
	return catalog.Load(context.Background(), catalog.Options{Namespace: "default", FS: models.Default(), Datasource: "demo", Schema: schema{}})
})

func loaded(t *testing.T) *catalog.Generation {
	t.Helper()
	g, problems := generation()
	for _, p := range problems {
		t.Error(p)
	}
	if g == nil {
		t.FailNow()
	}
	return g
}

func TestFilesAreValidWithoutADatabase(t *testing.T) {
	for _, p := range catalog.ValidateDir(models.Audit()) {
		t.Error(p)
	}
	for _, p := range catalog.ValidateDir(models.Default()) {
		t.Error(p)
	}
}

const (
	dateFields     = "$id $caption $year $quarter $month $monthName $yearMonth $yearQuarter $yearWeek $dayOfWeek $isWeekend"
	productFields  = "product$id product$caption product$categoryName product$subCategoryName product$brand product$unitPrice product$unitCost product.category$id product.category$caption product.category.group$id product.category.group$caption "
	customerFields = "customer$id customer$caption customer$customerType customer$gender customer$ageGroup customer$province customer$city customer$memberLevel customer$phone "
	storeFields    = "store$id store$caption store$storeType store$province store$city "
	otherFields    = "channel$id channel$caption channel$channelType channel$platform promotion$id promotion$caption promotion$promotionType promotion$discountRate "
)

func onDate(dimension string) string {
	return strings.ReplaceAll(" "+dateFields, " $", " "+dimension+"$") + " "
}

// TestModelsHaveTheirFields lists every name that a caller can ask for, but for the derived ones.
func TestModelsHaveTheirFields(t *testing.T) {
	want := map[string]string{
		"FactSalesQueryModel": "orderId orderLineNo orderStatus paymentMethod" + onDate("salesDate") + productFields + customerFields + storeFields + otherFields +
			"quantity unitPrice discountAmount salesAmount costAmount profitAmount taxAmount uniqueCustomers profitRate orderLines",
		"FactOrderQueryModel": "orderId orderStatus paymentStatus orderTime" + onDate("orderDate") + customerFields + storeFields + "store$managerName " + otherFields +
			"totalQuantity totalAmount discountAmount freightAmount payAmount orderCount avgOrderAmount",
		"FactPaymentQueryModel": "paymentId orderId payMethod payChannel payStatus payTime" + onDate("payDate") + customerFields + "payAmount paymentCount",
		"FactReturnQueryModel": "returnId orderId orderLineNo returnReason returnType returnStatus returnTime" + onDate("returnDate") + productFields + customerFields + storeFields +
			"returnQuantity returnAmount",
		"FactInventorySnapshotQueryModel": "snapshotKey" + onDate("snapshotDate") + productFields + storeFields +
			"quantityOnHand quantityReserved quantityAvailable inventoryValue unitCost",
		"FactTeamSalesQueryModel": "salesId team$id team$caption team$parentId team$teamLevel team$managerName" + onDate("date") + "salesAmount salesCount avgSalesAmount recordCount",
		"OrderPaymentQueryModel":  customerFields + onDate("date") + "totalAmount orderCount payAmount paymentCount",
		"DimProductQueryModel":    "productKey productName categoryKey categoryName subCategoryName brand unitPrice unitCost",
		"DimCustomerQueryModel":   "customerKey customerName customerType gender ageGroup province city memberLevel phone",
		"DimStoreQueryModel":      "storeKey storeName storeType province city managerName",
		"DimTeamQueryModel":       "teamId teamName parentId teamLevel managerName",
	}
	g := loaded(t)
	if len(g.Models) != len(want) {
		t.Errorf("there are %d models, want %d", len(g.Models), len(want))
	}
	for name, fields := range want {
		m := g.ByName[name]
		if m == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		var got []string
		for _, f := range m.Fields() {
			if !f.Derived {
				got = append(got, f.Name)
			}
		}
		if diff := cmp.Diff(strings.Fields(fields), got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAggregations(t *testing.T) {
	g := loaded(t)
	for field, want := range map[string]semantic.Agg{
		"FactSalesQueryModel.unitPrice": semantic.Avg, "FactSalesQueryModel.salesAmount": semantic.Sum,
		"FactSalesQueryModel.uniqueCustomers": semantic.CountDistinct, "FactSalesQueryModel.orderLines": semantic.Count,
		"FactSalesQueryModel.profitRate": "", "FactOrderQueryModel.avgOrderAmount": "", "FactOrderQueryModel.orderCount": semantic.Count,
		"FactInventorySnapshotQueryModel.unitCost": semantic.Avg, "FactTeamSalesQueryModel.avgSalesAmount": semantic.Avg,
	} {
		model, measure, _ := strings.Cut(field, ".")
		if got := g.ByName[model].Field(measure).Measure.Agg; got != want {
			t.Errorf("%s has agg %q, want %q", field, got, want)
		}
	}
	for _, ms := range g.ByName["FactInventorySnapshotQueryModel"].Measures {
		if (ms.SemiAdd != nil) != (ms.Name != "unitCost") {
			t.Errorf("%s: semi-additive is %v", ms.Name, ms.SemiAdd)
		}
	}
}

// TestMoneyIsTyped checks that amounts read as money, whatever the database calls them.
func TestMoneyIsTyped(t *testing.T) {
	for _, m := range loaded(t).Models {
		for _, f := range m.Fields() {
			amount := strings.Contains(f.Name, "Amount") || strings.HasSuffix(f.Name, "nitPrice") ||
				strings.HasSuffix(f.Name, "nitCost") || f.Name == "inventoryValue"
			if amount != (f.Type.Style == value.Money) {
				t.Errorf("%s.%s is of type %s", m.Name, f.Name, f.Type.Name())
			}
		}
	}
}

// TestEveryKeyIsItsTables checks that models tell their rows apart as the tables do.
func TestEveryKeyIsItsTables(t *testing.T) {
	for _, m := range loaded(t).Models {
		if m.Multi == nil {
			if diff := cmp.Diff(tables()[m.Source.Table].Key, m.Key); diff != "" {
				t.Errorf("%s: %s", m.Name, diff)
			}
		}
	}
}

// TestTodayIsTheLastDayOfData also asks that each model with a calendar says what its time is.
func TestTodayIsTheLastDayOfData(t *testing.T) {
	for _, m := range loaded(t).Models {
		if len(m.Dimensions) > 0 && (m.Calendar.Today.Fixed != "2024-12-31" || m.Time == "") {
			t.Errorf("%s: today is %+v, time is %q", m.Name, m.Calendar.Today, m.Time)
		}
	}
}

func TestDictionariesHoldExactlyTheValuesOfTheData(t *testing.T) {
	checked := map[string]bool{}
	for _, m := range loaded(t).Models {
		for _, f := range m.Fields() {
			if f.Dictionary == nil || f.Derived {
				continue
			}
			source := m.Source
			if f.Dimension != nil {
				source = f.Dimension.Source
			}
			if m.Multi != nil && f.Dimension == nil {
				continue
			}
			want, got := map[string]bool{}, map[string]bool{}
			for _, e := range f.Dictionary.Entries {
				want[e.Code] = true
			}
			for v := range valuesOf(t, source.Table, f.Column) {
				got[v] = true
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s.%s: %s", m.Name, f.Name, diff)
			}
			checked[f.Dictionary.Name] = true
		}
	}
	if got, all := len(checked), len(loaded(t).Dictionaries); got != all {
		t.Errorf("%d of %d dictionaries are used", got, all)
	}
}

// valuesOf returns the values of a text column, without null.
func valuesOf(t *testing.T, table, column string) map[string]bool {
	t.Helper()
	source := tables()[table]
	values := map[string]bool{}
	for i, c := range source.Columns {
		if c.Name != column {
			continue
		}
		for row := range source.Rows {
			if v, ok := row[i].(string); ok {
				values[v] = true
			}
		}
	}
	if len(values) == 0 {
		t.Errorf("%s.%s has no values", table, column)
	}
	return values
}

// TestSecureModelsAreTheDefaultOnes: demo-secure narrows the models of default and changes nothing else.
func TestSecureModelsAreTheDefaultOnes(t *testing.T) {
	secure, problems := catalog.Load(context.Background(), catalog.Options{
		Namespace: "demo-secure", FS: models.Secure(), Datasource: "demo", Schema: schema{}, Attributes: func() []string { return []string{"provinces"} },
	})
	for _, p := range problems {
		t.Error(p)
	}
	if secure == nil {
		t.FailNow()
	}
	for i, m := range loaded(t).Models {
		other := secure.Models[i]
		if m.Name != other.Name || len(m.Fields()) != len(other.Fields()) {
			t.Errorf("%s is %s in demo-secure", m.Name, other.Name)
		}
		if m.Access != nil || m.Multi == nil && other.Access == nil {
			t.Errorf("%s has policy %v, and %v in demo-secure", m.Name, m.Access, other.Access)
		}
	}
}
