package demo

// channel is a way by which orders come in.
type channel struct {
	name     string
	offline  bool
	platform string
	weight   int // how many orders come in by it
}

var channels = []channel{
	{"Official Website", false, "Web", 12},
	{"Mobile App", false, "App", 18},
	{"Mini Program Shop", false, "Mini Program", 12},
	{"Tmall Flagship", false, "Tmall", 17},
	{"JD Flagship", false, "JD", 12},
	{"Douyin Live Shop", false, "Douyin", 9},
	{"Retail Counter", true, "Point of Sale", 14},
	{"Mall Pop-up", true, "Point of Sale", 3},
	{"Telephone Sales", true, "Call Centre", 2},
	{"Corporate Sales", true, "Key Accounts", 1},
}

// Counters are busier at weekends.
var (
	weekdayChannels = weigh(len(channels), func(i int) int { return 2 * channels[i].weight })
	weekendChannels = weigh(len(channels), func(i int) int {
		if channels[i].offline {
			return 3 * channels[i].weight
		}
		return 2 * channels[i].weight
	})
)

func (s *shop) channelTable() Table {
	columns := []Column{integer("channel_key"), text("channel_name"), text("channel_type"), text("platform")}
	return table("dim_channel", []string{"channel_key"}, columns, channels, func(row []any, i int, c *channel) {
		row[0], row[1], row[2], row[3] = int64(i+1), c.name, "ONLINE", c.platform
		if c.offline {
			row[2] = "OFFLINE"
		}
	})
}
