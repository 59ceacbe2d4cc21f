package question

import "strings"

// grammar is the closed list of words that are no one's vocabulary: phrases of each marker, and those that say
// nothing about a query. Each entry holds phrases separated by "|".
var grammar = []struct {
	mark    marker
	phrases string
}{
	{by, "by|broken down by|breakdown by|split by|grouped by|group by|divided by|according to|in terms of|across|按|按照|依|根据|分"},
	{per, "per"},
	{each, "each|every|for each|for every|in each|in every|of each|of every|by each|by every|per each|各|各个|各种|各自|每|每个|每一个|每种|每家|每位|每类|每款"},
	{which, "which|what|哪个|哪一个|哪|哪家|哪位|哪种|哪类|哪款"},
	{whichMany, "哪些|哪几个|哪几家"},
	{most, "highest|largest|biggest|greatest|best|最高|最大|最好"},
	{least, "lowest|smallest|worst|最低|最小|最差"},
	{moreIn, "most|the most|最多"},
	{fewest, "least|fewest|the least|the fewest|最少"},
	{sum, "total|sum|sum of|total of|overall|in total|altogether|combined|总|总共|一共|总和|总计|合计|总的|求和"},
	{average, "average|avg|mean|average of|on average|平均|平均值|均值"},
	{maximum, "maximum|max|maximum of|最大值|最高值"},
	{minimum, "minimum|min|minimum of|最小值|最低值"},
	{median, "median|median of|中位数"},
	{distinct, "distinct|unique|different|不同|不重复"},
	{count, "how many|number of|count of|count|the number of|total number of|total count of|how many of|个数|的个数|的数目"},
	{howMuch, "how much|how much of|how high|是多少"},
	{howMany, "多少|有多少|多少个|几个|有几个|多少家|多少位|多少名|多少人|多少种|多少笔|多少条|多少单|多少次"},
	{single, "single|individual|单笔|单个|一笔"},
	{and, "and|as well as|along with|together with|plus|&|和|与|及|以及|跟|还有"},
	{or, "or|或|或者|或是"},
	{comma, ","},
	{versus, "versus|vs|compared to|compared with|as compared to|against|对比|相比|比较"},
	{not, "not|except|except for|excluding|without|other than|apart from|but not|besides|non|no|除|除了|除去|不包括|不含|不是|非|排除|剔除"},
	{descend, "highest first|largest first|biggest first|best first|most first|descending|desc|in descending order|from highest to lowest|from high to low|high to low|从高到低|由高到低|从大到小|从多到少|降序|倒序"},
	{ascend, "lowest first|smallest first|worst first|fewest first|ascending|asc|in ascending order|from lowest to highest|from low to high|low to high|从低到高|由低到高|从小到大|从少到多|升序"},
	{sorted, "sorted by|sort by|ordered by|order by|ranked by|rank by|in order of|排序|排名|排行"},
	{list, "list|show|display|show me|give me|列出|列表|显示"},

	{destroyer, "delete|truncate|drop|insert|overwrite|erase|wipe|删除|删掉|清空|插入"},
	{command, "remove|update|alter|modify|change|set|create|edit|write|add|cancel|rename|move|send|修改|更新|新增|添加|改成|改为|写入|发送"},
	{forecast, "forecast|predict|prediction|projection|project|will|tomorrow|future|next week|next month|next quarter|next year|expect|预测|预计|明天|明年|下个月|下月|下周|下季度|下个季度|未来|将来"},
	{reason, "why|cause|explain|how come|recommend|recommendation|should|advise|advice|suggest|为什么|为何|怎么回事|怎么办|建议|应该"},
}

// nothing are the words and phrases that say nothing about a query.
var nothing = "the|a|an|of|in|for|to|from|at|on|with|within|during|over the|is|are|was|were|be|been|what is|what are|what|what was|what were|what's|" +
	"me|us|our|we|i|you|my|your|their|it|they|there|that|those|who|whose|do|does|did|done|have|has|had|having|get|got|" +
	"give|gave|given|tell|please|can|could|would|like|want|know|see|find|need|let|all|any|some|made|make|making|generate|generated|achieved|" +
	"placed|buy|bought|something|anything|also|just|only|ones|hello|hi|hey|thank|thanks|compare|comparison of|breakdown of|" +
	"figure|report|data|happened|come|came|out|go|went|overview of|as|i'd|let's|" +
	"的|了|吗|呢|啊|吧|是|有|在|我|我们|咱们|你|请|请问|帮|帮我|给|给我|看|看看|看一下|查|查一下|查询|查看|查下|统计|统计一下|告诉|告诉我|一下|情况|数据|分别|" +
	"共|里|中|内|期间|想|想知道|知道|要|需要|都|所有|全部|来自|的时候|以外|之外|外|分组|汇总|进行|购买|做|了多少|为|于|由|来"

// weak are adjectives of everyday speech. As the value of a field they count only beside what the field describes:
// new patients, and not new visits for those of new patients.
var weak = words("new|old|normal|regular|ordinary|open|closed|direct|other|none|high|low|medium|good|bad|big|small|standard|basic|general|first|last|single|total|active")

// sizes are what makes the size of a row out of its name: the ticket value of a ticket.
var sizes = []string{"amount", "value", "total", "金 额", "额", "总 额"}

// classifiers are measure words that may follow a Chinese number, and plain currency words.
var classifiers = words("个|件|笔|位|名|家|条|种|款|单|人|次|台|大|元|块|块 钱|元 钱|人 民 币|yuan|rmb|dollar|euro|usd|eur|percent|%")

var (
	marks       = markTable()
	meaningless = meaninglessTable()
	longestMark = longest(marks, meaningless)
)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for p := range strings.SplitSeq(list, "|") {
		set[phrase(tokenise(p))] = true
	}
	return set
}

func markTable() map[string][]marker {
	table := map[string][]marker{}
	for _, g := range grammar {
		for p := range strings.SplitSeq(g.phrases, "|") {
			key := phrase(tokenise(p))
			table[key] = append(table[key], g.mark)
		}
	}
	return table
}

func meaninglessTable() map[string][]marker {
	table := map[string][]marker{}
	for p := range words(nothing) {
		table[p] = nil
	}
	return table
}

func longest(tables ...map[string][]marker) int {
	n := 0
	for _, t := range tables {
		for p := range t {
			n = max(n, strings.Count(p, " ")+1)
		}
	}
	return n
}
