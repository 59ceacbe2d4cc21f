package demo

const (
	productCount = 500
	// goneProducts were sold but have no row any more: withdrawn and erased.
	goneProducts = 10

	lowestPrice, highestPrice = 1000, 300000 // cents
)

type product struct {
	key         int64
	name        string
	category    int
	subCategory string
	brand       string
	price, cost int64 // cents
	popularity  int
}

// newProducts makes the products, their categories in turn, and after them the gone ones.
func newProducts() []product {
	s := newStream(productStream)
	products := make([]product, productCount+goneProducts)
	taken := map[string]bool{}
	for i := range products {
		p := newProduct(s, i%len(categories), i/len(categories))
		for taken[p.name] {
			p = newProduct(s, i%len(categories), i/len(categories))
		}
		taken[p.name] = true
		p.key = int64(i + 1)
		products[i] = p
	}
	return products
}

// newProduct makes the nth product of a category. Its key is not set.
func newProduct(s stream, kind, n int) product {
	c := &categories[kind]
	shelf := c.kinds[n%len(c.kinds)]
	it := shelf.items[n/len(c.kinds)%len(shelf.items)]
	brand := pickFrom(s, c.brands)
	price := niceprice(s.between(it.low*100, it.high*100))
	return product{
		name:        brand + " " + pickFrom(s, c.lines) + " " + it.name,
		category:    kind,
		subCategory: shelf.name,
		brand:       brand,
		price:       price,
		cost:        price * int64(s.between(c.cost[0], c.cost[1])) / 100,
		popularity:  popularity(s, price),
	}
}

// niceprice rounds to what stands on price tags: 1,299.00, 189.00, 24.90.
func niceprice(price int) int64 {
	switch {
	case price >= 50000:
		price = price/1000*1000 + 900
	case price >= 10000:
		price = price/500*500 + 400
	default:
		price = price/100*100 + 90
	}
	if price < lowestPrice+100 {
		price = lowestPrice
	}
	return int64(min(price, highestPrice))
}

// popularity is high for a few and low for most, and higher for what costs little.
func popularity(s stream, price int64) int {
	rank := s.between(1, 60)
	return 600_000 / (rank + 8) * 4000 / (4000 + int(price/100))
}

// priceIn is the price of a product in a year: the list price is the latest year's.
func (p *product) priceIn(year int) int64 {
	price := p.price * int64(100-3*(lastDay.Year()-year)) / 100 / 10 * 10
	return max(price, lowestPrice)
}

// shelves picks products: first a category by the season, then one of its products by popularity.
type shelves struct {
	byMonth    [12]weights
	products   [][]int // positions, by category
	popularity []weights
}

func newShelves(products []product) shelves {
	var sh shelves
	for month := range sh.byMonth {
		sh.byMonth[month] = weigh(len(categories), func(i int) int { return categories[i].monthly[month] })
	}
	sh.products = make([][]int, len(categories))
	for i, p := range products {
		sh.products[p.category] = append(sh.products[p.category], i)
	}
	for _, positions := range sh.products {
		sh.popularity = append(sh.popularity, weigh(len(positions), func(i int) int { return products[positions[i]].popularity }))
	}
	return sh
}

// pick returns a product's position; month is 0 to 11.
func (sh *shelves) pick(s stream, month int) int {
	c := sh.byMonth[month].pick(s)
	return sh.products[c][sh.popularity[c].pick(s)]
}

func (s *shop) categoryGroupTable() Table {
	columns := []Column{integer("group_key"), text("group_name")}
	return table("dim_category_group", []string{"group_key"}, columns, categoryGroups, func(row []any, i int, name *string) {
		row[0], row[1] = int64(i+1), *name
	})
}

func (s *shop) categoryTable() Table {
	columns := []Column{integer("category_key"), text("category_name"), integer("group_key")}
	return table("dim_category", []string{"category_key"}, columns, categories, func(row []any, i int, c *category) {
		row[0], row[1], row[2] = int64(i+1), c.name, int64(c.group+1)
	})
}

func (s *shop) productTable() Table {
	columns := []Column{
		integer("product_key"), text("product_name"), integer("category_key"), text("category_name"),
		text("sub_category_name"), text("brand"), cents("unit_price"), cents("unit_cost"),
	}
	known := s.products[:productCount]
	return table("dim_product", []string{"product_key"}, columns, known, func(row []any, _ int, p *product) {
		row[0], row[1], row[2], row[3] = p.key, p.name, int64(p.category+1), categories[p.category].name
		row[4], row[5], row[6], row[7] = p.subCategory, p.brand, p.price, p.cost
	})
}
