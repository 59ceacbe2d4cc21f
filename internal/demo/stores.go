package demo

const storeCount = 50

type store struct {
	key         int64
	name        string
	kind        string
	province    int
	city        string
	managerName string
}

// newStores spreads the stores over the provinces by their weight, each province having at least one.
func newStores() []store {
	s := newStream(storeStream)
	stores := make([]store, storeCount)
	opened := map[string]int{} // by city
	for i := range stores {
		place := i
		if i >= len(provinces) {
			place = provinceWeights.pick(s)
		}
		city := pickFrom(s, provinces[place].cities)
		for opened[city] == len(quarters) {
			place = provinceWeights.pick(s)
			city = pickFrom(s, provinces[place].cities)
		}
		kind := "DIRECT"
		if s.chance(40) {
			kind = "FRANCHISE"
		}
		stores[i] = store{
			key:         int64(i + 1),
			name:        city + " " + quarters[opened[city]] + " Store",
			kind:        kind,
			province:    place,
			city:        city,
			managerName: personName(s, s.chance(50), 85),
		}
		opened[city]++
	}
	return stores
}

// storesByProvince returns the positions of each province's stores.
func storesByProvince(stores []store) [][]int {
	byProvince := make([][]int, len(provinces))
	for i, st := range stores {
		byProvince[st.province] = append(byProvince[st.province], i)
	}
	return byProvince
}

func (s *shop) storeTable() Table {
	columns := []Column{
		integer("store_key"), text("store_name"), text("store_type"), text("province"), text("city"), text("manager_name"),
	}
	return table("dim_store", []string{"store_key"}, columns, s.stores, func(row []any, _ int, st *store) {
		row[0], row[1], row[2], row[3], row[4], row[5] = st.key, st.name, st.kind, provinces[st.province].name, st.city, st.managerName
	})
}
