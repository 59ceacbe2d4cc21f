package demo

// province is where customers live and stores stand.
type province struct {
	name   string
	weight int // how many people of the shop's live there
	cities []string
}

var provinces = []province{
	{"Guangdong", 18, []string{"Guangzhou", "Shenzhen", "Dongguan", "Foshan"}},
	{"Zhejiang", 13, []string{"Hangzhou", "Ningbo", "Wenzhou"}},
	{"Jiangsu", 12, []string{"Nanjing", "Suzhou", "Wuxi"}},
	{"Shanghai", 10, []string{"Shanghai"}},
	{"Beijing", 9, []string{"Beijing"}},
	{"Shandong", 8, []string{"Jinan", "Qingdao", "Yantai"}},
	{"Sichuan", 7, []string{"Chengdu", "Mianyang"}},
	{"Hubei", 5, []string{"Wuhan", "Yichang"}},
	{"Fujian", 5, []string{"Fuzhou", "Xiamen", "Quanzhou"}},
	{"Henan", 4, []string{"Zhengzhou", "Luoyang"}},
	{"Hunan", 3, []string{"Changsha", "Zhuzhou"}},
	{"Shaanxi", 3, []string{"Xi'an", "Xianyang"}},
	{"Liaoning", 2, []string{"Shenyang", "Dalian"}},
	{"Hebei", 2, []string{"Shijiazhuang", "Baoding"}},
	{"Anhui", 2, []string{"Hefei", "Wuhu"}},
}

var provinceWeights = weigh(len(provinces), func(i int) int { return provinces[i].weight })

// quarters are the parts of a city in which a store can stand.
var quarters = []string{"Central Plaza", "Riverside", "Railway Station", "Old Town", "Science Park", "Lakeside", "Times Square"}
