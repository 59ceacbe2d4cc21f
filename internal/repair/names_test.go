package repair

import "testing"

func TestSlips(t *testing.T) {
	names := []string{"salesAmount", "taxAmount", "costAmount", "unitPrice", "orderDate$caption", "customer$memberLevel", "quantity", "payTime", "dayTime", "product$brand", "store$brand"}
	for got, want := range map[string]string{
		"salesAmont":           "salesAmount",
		"slaesAmount":          "salesAmount",
		"sales_amount":         "salesAmount",
		"SALESAMOUNT":          "salesAmount",
		"saleAmount":           "salesAmount",
		"customer_memberLevl":  "customer$memberLevel",
		"quantty":              "quantity",
		"orderDate$captoin":    "orderDate$caption",
		"payAmount":            "", // no slip of taxAmount
		"netAmount":            "",
		"amount":               "",
		"sayTime":              "", // as near to payTime as to dayTime, and too short
		"lostAmount":           "", // another word
		"cotsAmount":           "costAmount",
		"prodct$brand":         "product$brand",
		"x":                    "",
		"":                     "",
		"$$$":                  "",
		"salesAmountOfAllTime": "",
	} {
		if name := meantName(got, names); name != want {
			t.Errorf("meantName(%q) = %q, want %q", got, name, want)
		}
	}
}

func TestPeriods(t *testing.T) {
	for got, want := range map[string]string{
		"2024/03/05": "2024-03-05", "2024-3-5": "2024-03-05", "20240305": "2024-03-05", "2024.3.5": "2024-03-05", "25/12/2024": "2024-12-25", "12/25/2024": "2024-12-25",
		"05/05/2024": "2024-05-05", "March 5, 2024": "2024-03-05", "5 mar 2024": "2024-03-05", "2024年3月5日": "2024-03-05", "2024年3月": "2024-03", "2024/3": "2024-03",
		"3/2024": "2024-03", "Q1 2024": "2024-Q1", "2024 Q3": "2024-Q3", "Mar 2024": "2024-03", "last_30_days": "last 30 days", "LAST_MONTH": "last month",
		"previousQuarter": "last quarter", "past 7 days": "last 7 days", "currentYear": "this year",
		"03/05/2024": "", "2024/13/05": "", "30/02/2024": "", "past month": "", "20241341": "", "next 3 days": "", "yesterday evening": "", "5": "",
	} {
		period, ok := periodOf(got)
		if ok != (want != "") || ok && period != want {
			t.Errorf("periodOf(%q) = %q, %v, want %q", got, period, ok, want)
		}
	}
}

func TestReplaceName(t *testing.T) {
	for _, c := range [][4]string{
		{"sum(a) + a", "a", "b", "sum(b) + b"},
		{"aa + a$x + x.a", "a", "b", "aa + a$x + x.a"},
		{"if(a = 'a', 1, 2)", "a", "b", "if(b = 'a', 1, 2)"},
		{"-a", "a", "b", "-b"},
		{"销售a + a", "a", "b", "销售a + b"},
	} {
		if got := replaceName(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("replaceName(%q, %q, %q) = %q, want %q", c[0], c[1], c[2], got, c[3])
		}
	}
}

func TestParts(t *testing.T) {
	got := parts("a, sum(b, c) as d, 'x, y' ;e")
	if len(got) != 4 || got[1] != "sum(b, c) as d" || got[2] != "'x, y'" || got[3] != "e" {
		t.Errorf("parts: %q", got)
	}
}
