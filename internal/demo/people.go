package demo

// Names of people, by the sex that they are usually given to.
var (
	chineseSurnames = []string{
		"Wang", "Li", "Zhang", "Liu", "Chen", "Yang", "Zhao", "Huang", "Zhou", "Wu", "Xu", "Sun", "Hu", "Zhu", "Gao",
		"Lin", "He", "Guo", "Ma", "Luo", "Liang", "Song", "Zheng", "Xie", "Han", "Tang", "Feng", "Deng", "Cao", "Peng",
		"Zeng", "Xiao", "Tian", "Dong", "Pan", "Yuan", "Cai", "Jiang", "Yu", "Du",
	}
	chineseMen = []string{
		"Wei", "Qiang", "Lei", "Jun", "Yong", "Jie", "Tao", "Ming", "Chao", "Gang", "Haoran", "Zihao", "Yuxuan", "Jianguo",
		"Zhiqiang", "Wenbo", "Yifan", "Peng", "Bin", "Hao",
		"Junjie", "Mingze", "Tianyu", "Haoyu", "Zixuan", "Jiahao", "Xuesong", "Guangming", "Dawei", "Zhenhua", "Weidong", "Kai",
		"Shuai", "Liang", "Xiang", "Dong",
	}
	chineseWomen = []string{
		"Fang", "Na", "Xiuying", "Min", "Jing", "Li", "Yan", "Juan", "Xia", "Ping", "Xinyi", "Zihan", "Yutong", "Meiling",
		"Xiaoli", "Wenjing", "Siyu", "Lan", "Ting", "Hui",
		"Ruoxi", "Yuhan", "Mengqi", "Xuemei", "Yating", "Shanshan", "Qian", "Jiayi", "Lihua", "Chunyan", "Yue", "Xiaoyan",
		"Peipei", "Rong", "Yun", "Xue",
	}
	englishSurnames = []string{
		"Smith", "Johnson", "Brown", "Taylor", "Wilson", "Davies", "Evans", "Thomas", "Walker", "Wright", "Robinson",
		"Thompson", "Hughes", "Edwards", "Green", "Clarke", "Turner", "O'Brien", "Murphy", "Campbell",
		"Cooper", "Bennett", "Foster", "Howard", "Morgan", "Palmer", "Reynolds", "Stewart", "Watson", "Young",
	}
	englishMen = []string{
		"James", "Oliver", "William", "Henry", "Daniel", "Thomas", "George", "Samuel", "Edward", "Michael", "Adam", "Peter",
		"Jack", "Luke", "Martin", "Nathan", "Oscar", "Philip", "Robert", "Simon",
	}
	englishWomen = []string{
		"Emma", "Olivia", "Sophie", "Grace", "Hannah", "Alice", "Charlotte", "Lucy", "Emily", "Sarah", "Laura", "Rachel",
		"Amelia", "Clara", "Diana", "Eleanor", "Jessica", "Megan", "Nora", "Victoria",
	}
)

// personName returns a name, Chinese in the given percentage of cases: surname first, as it is written there.
func personName(s stream, male bool, chinesePercent int) string {
	if s.chance(chinesePercent) {
		given := chineseWomen
		if male {
			given = chineseMen
		}
		return pickFrom(s, chineseSurnames) + " " + pickFrom(s, given)
	}
	given := englishWomen
	if male {
		given = englishMen
	}
	return pickFrom(s, given) + " " + pickFrom(s, englishSurnames)
}
