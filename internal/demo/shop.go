package demo

import (
	"fmt"
	"time"
)

// shop is all that the tables show, made once.
type shop struct {
	days       []day
	products   []product
	customers  []customer
	stores     []store
	promotions []promotion

	orders    []order
	lines     []line
	payments  []payment
	returns   []returned
	stocks    []stock
	teamSales []teamSales
}

func newShop() *shop {
	s := &shop{
		days:       newCalendar(),
		products:   newProducts(),
		customers:  newCustomers(),
		stores:     newStores(),
		promotions: newPromotions(),
	}
	s.takeOrders()
	s.fillOrders()
	s.takePayments()
	s.takeReturns()
	s.countStock()
	s.teamSales = newTeamSales(s.days)
	return s
}

// moment is a second since the first day's midnight.
type moment int64

const (
	minute    moment = 60
	hour             = 60 * minute
	wholeDay         = 24 * hour
	endOfData        = 1096*wholeDay - 1
)

func at(day int, second moment) moment { return moment(day)*wholeDay + second }

// day returns the position of the day on which the moment falls.
func (m moment) day() int { return int(m / wholeDay) }

func (m moment) time() time.Time { return firstDay.Add(time.Duration(m) * time.Second) }

// opening hours, and how busy each is.
var hourWeights = weighed(0, 0, 0, 0, 0, 0, 0, 1, 3, 6, 8, 8, 9, 7, 6, 6, 6, 7, 8, 10, 12, 11, 7, 3)

// clock returns a second of the day.
func clock(s stream) moment {
	return moment(hourWeights.pick(s))*hour + moment(s.below(int(hour)))
}

// dailyIDs numbers things by day: it is called with each thing's day, days never going back.
func dailyIDs(prefix string, days []day) func(d int) string {
	current, n := -1, 0
	return func(d int) string {
		if d != current {
			current, n = d, 0
		}
		n++
		return fmt.Sprintf("%s%d-%04d", prefix, days[d].key, n)
	}
}
