package demo

import "fmt"

const (
	customerCount = 1000
	// goneCustomers have orders but no row any more: accounts that were closed and erased.
	goneCustomers = 12
)

// customerType is what a customer is to the shop.
type customerType struct {
	code   string
	count  int
	weight int     // how often such a customer orders
	levels weights // of memberLevels
}

var customerTypes = []customerType{
	{"VIP", 100, 48, weighed(70, 25, 5, 0)},
	{"NORMAL", 300, 20, weighed(8, 42, 35, 15)},
	{"NEW", 600, 8, weighed(0, 4, 26, 70)},
}

const vip = 0 // position in customerTypes

var (
	memberLevels    = []string{"GOLD", "SILVER", "BRONZE", "NONE"}
	ageGroups       = []string{"18-25", "26-35", "36-45", "46-55", "56+"}
	ageGroupWeights = weighed(18, 34, 26, 14, 8)
)

type customer struct {
	key         int64
	name        string
	kind        int // position in customerTypes
	gender      any // nil where it is not known
	ageGroup    string
	province    int
	city        string
	memberLevel string
	phone       string
	weight      int // how often this one orders
}

// newCustomers makes the customers and, after them, the gone ones.
func newCustomers() []customer {
	s := newStream(customerStream)
	customers := make([]customer, customerCount+goneCustomers)
	kinds := customerKinds(s)
	for i := range customers {
		kind := len(customerTypes) - 1
		if i < customerCount {
			kind = kinds[i]
		}
		customers[i] = newCustomer(s, int64(i+1), kind)
	}
	return customers
}

// customerKinds returns a type for each customer: exactly as many of each as the types say, in random order.
func customerKinds(s stream) []int {
	var kinds []int
	for kind, t := range customerTypes {
		for range t.count {
			kinds = append(kinds, kind)
		}
	}
	s.shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	return kinds
}

func newCustomer(s stream, key int64, kind int) customer {
	male := s.chance(46)
	var gender any = "FEMALE"
	if male {
		gender = "MALE"
	}
	if s.chance(5) {
		gender = nil
	}
	place := provinceWeights.pick(s)
	c := customer{
		key:         key,
		name:        personName(s, male, 72),
		kind:        kind,
		gender:      gender,
		ageGroup:    ageGroups[ageGroupWeights.pick(s)],
		province:    place,
		city:        pickFrom(s, provinces[place].cities),
		memberLevel: memberLevels[customerTypes[kind].levels.pick(s)],
		// No mobile number begins with 125, and 7919 shares no factor with 10,000: fictitious, and each its own.
		phone:  fmt.Sprintf("125-55%02d-%04d", s.below(100), key*7919%10000),
		weight: customerTypes[kind].weight * s.between(2, 18),
	}
	if kind != vip && s.chance(2) {
		c.weight = 0 // signed up and never bought
	}
	return c
}

func (s *shop) customerTable() Table {
	columns := []Column{
		integer("customer_key"), text("customer_name"), text("customer_type"), nullable(text("gender")), text("age_group"),
		text("province"), text("city"), text("member_level"), text("phone"),
	}
	known := s.customers[:customerCount]
	return table("dim_customer", []string{"customer_key"}, columns, known, func(row []any, _ int, c *customer) {
		row[0], row[1], row[2], row[3], row[4] = c.key, c.name, customerTypes[c.kind].code, c.gender, c.ageGroup
		row[5], row[6], row[7], row[8] = provinces[c.province].name, c.city, c.memberLevel, c.phone
	})
}
