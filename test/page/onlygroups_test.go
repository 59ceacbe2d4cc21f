package page

import "testing"

// TestMeasuresOfGroupsOnly: single rows are offered where every measure has a value of its own there.
func TestMeasuresOfGroupsOnly(t *testing.T) {
	t.Parallel()
	const everyRow = `[...document.querySelectorAll(".segments button")].find((e) => e.innerText === "Every row")`
	b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=product$categoryName,salesAmount,profitRate&groupBy=product$categoryName")
	b.settled()
	if got := value[string](b, everyRow+`.disabled + ": " + `+everyRow+`.title`); got != "true: A measure here is only of groups, and no row has it" {
		t.Errorf("every row is %s", got)
	}
	b.clickOn(`[data-field="profitRate"]`)
	b.until(everyRow + `.disabled === false`)
}
