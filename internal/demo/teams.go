package demo

// team is a node of the sales organisation.
type team struct {
	name        string
	parent      int64 // 0 for the root
	level       int64 // 1 for the root
	managerName string
	strength    int // how much it sells
}

// teams stand before their own teams; a team's id is its position plus one.
var teams = []team{
	{"Sales Headquarters", 0, 1, "Zhao Jianguo", 6},
	{"North Region", 1, 2, "Sun Meiling", 5},
	{"South Region", 1, 2, "Chen Zhiqiang", 6},
	{"Digital Commerce", 1, 2, "Sarah Wright", 7},
	{"Beijing Team", 2, 3, "Gao Wenbo", 11},
	{"Shandong Team", 2, 3, "Han Xiaoli", 9},
	{"Guangdong Team", 3, 3, "Liang Yifan", 14},
	{"Zhejiang Team", 3, 3, "Xie Wenjing", 12},
	{"Marketplace Team", 4, 3, "Daniel Clarke", 16},
}

// kinship says that team is ancestor itself or stands below it.
type kinship struct{ ancestor, team, distance int64 }

func teamClosure() []kinship {
	var closure []kinship
	for i := range teams {
		id := int64(i + 1)
		distance := int64(0)
		for ancestor := id; ancestor != 0; ancestor = teams[ancestor-1].parent {
			closure = append(closure, kinship{ancestor, id, distance})
			distance++
		}
	}
	return closure
}

func (s *shop) teamTable() Table {
	columns := []Column{
		integer("team_id"), text("team_name"), integer("parent_id"), integer("team_level"), text("manager_name"),
	}
	return table("dim_team", []string{"team_id"}, columns, teams, func(row []any, i int, t *team) {
		row[0], row[1], row[2], row[3], row[4] = int64(i+1), t.name, t.parent, t.level, t.managerName
	})
}

func (s *shop) teamClosureTable() Table {
	columns := []Column{integer("parent_id"), integer("team_id"), integer("distance")}
	key := []string{"parent_id", "team_id"}
	return table("team_closure", key, columns, teamClosure(), func(row []any, _ int, k *kinship) {
		row[0], row[1], row[2] = k.ancestor, k.team, k.distance
	})
}

// teamSales is what a team itself, without the teams below it, sold on a day.
type teamSales struct {
	team, day     int
	amount, count int64
}

func newTeamSales(days []day) []teamSales {
	s := newStream(teamSalesStream)
	var sales []teamSales
	for d := range days {
		for t := range teams {
			if s.chance(35) {
				continue // nothing sold
			}
			count := int64(1 + teams[t].strength*days[d].weight*s.between(4, 16)/8_000_000)
			amount := int64(0)
			for range count {
				amount += int64(s.between(900, 5100))*100 + int64(s.below(100))
			}
			sales = append(sales, teamSales{t, d, amount, count})
		}
	}
	return sales
}

func (s *shop) teamSalesTable() Table {
	columns := []Column{integer("sales_id"), integer("team_id"), integer("date_key"), cents("sales_amount"), integer("sales_count")}
	return table("fact_team_sales", []string{"sales_id"}, columns, s.teamSales, func(row []any, i int, t *teamSales) {
		row[0], row[1], row[2], row[3], row[4] = int64(i+1), int64(t.team+1), s.days[t.day].key, t.amount, t.count
	})
}
