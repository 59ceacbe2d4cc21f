package demo

import (
	"fmt"
	"time"
)

// campaign is a promotion that comes back every year.
type campaign struct {
	name        string
	kind        string
	rate        int64 // per cent off in 2022
	first, last monthDay
}

type monthDay struct {
	month time.Month
	day   int
}

// campaigns never overlap.
var campaigns = []campaign{
	{"New Year Sale", "DISCOUNT", 10, monthDay{1, 1}, monthDay{1, 7}},
	{"Spring Festival Sale", "DISCOUNT", 12, monthDay{1, 15}, monthDay{2, 5}},
	{"Spring Refresh Coupons", "COUPON", 8, monthDay{3, 5}, monthDay{3, 25}},
	{"Member Days", "MEMBER", 10, monthDay{4, 16}, monthDay{4, 26}},
	{"Labour Day Deals", "DISCOUNT", 9, monthDay{4, 29}, monthDay{5, 5}},
	{"Mid-Year 618 Festival", "DISCOUNT", 16, monthDay{6, 5}, monthDay{6, 20}},
	{"Summer Clearance", "CLEARANCE", 25, monthDay{7, 20}, monthDay{8, 15}},
	{"Mid-Autumn Coupons", "COUPON", 8, monthDay{9, 5}, monthDay{9, 30}},
	{"Double 11 Festival", "DISCOUNT", 18, monthDay{11, 1}, monthDay{11, 12}},
	{"Year-End Clearance", "CLEARANCE", 15, monthDay{12, 10}, monthDay{12, 31}},
}

type promotion struct {
	name       string
	kind       string
	rate       int64 // hundredths of a per cent
	start, end time.Time
}

func newPromotions() []promotion {
	var promotions []promotion
	for year := firstDay.Year(); year <= lastDay.Year(); year++ {
		for _, c := range campaigns {
			promotions = append(promotions, promotion{
				name:  fmt.Sprintf("%s %d", c.name, year),
				kind:  c.kind,
				rate:  c.rate*100 + int64(year-firstDay.Year())*50,
				start: time.Date(year, c.first.month, c.first.day, 0, 0, 0, 0, time.UTC),
				end:   time.Date(year, c.last.month, c.last.day, 0, 0, 0, 0, time.UTC),
			})
		}
	}
	return promotions
}

// activePromotions returns for each day the position of the promotion that runs on it, or -1.
func activePromotions(days []day, promotions []promotion) []int {
	active := make([]int, len(days))
	for i, d := range days {
		active[i] = -1
		for j, p := range promotions {
			if !d.date.Before(p.start) && !d.date.After(p.end) {
				active[i] = j
			}
		}
	}
	return active
}

func (s *shop) promotionTable() Table {
	columns := []Column{
		integer("promotion_key"), text("promotion_name"), text("promotion_type"), cents("discount_rate"),
		date("start_date"), date("end_date"),
	}
	return table("dim_promotion", []string{"promotion_key"}, columns, s.promotions, func(row []any, i int, p *promotion) {
		row[0], row[1], row[2], row[3], row[4], row[5] = int64(i+1), p.name, p.kind, p.rate, p.start, p.end
	})
}
