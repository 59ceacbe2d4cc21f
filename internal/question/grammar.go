package question

import "strings"

// grammar is the closed list of words that are no one's vocabulary: phrases of each marker, and those that say
// nothing about a query. Each entry holds phrases separated by "|".
var grammar = []struct {
	mark    marker
	phrases string
}{
	{by, "by|broken down by|breakdown by|break down by|split by|split up by|grouped by|group by|divided by|segmented by|according to|in terms of|across|by the|as per|depending on|sliced by|" +
		"按|按照|依|依照|根据|分|以|按着"},
	{per, "per|for every single"},
	{each, "each|every|for each|for every|in each|in every|of each|of every|by each|by every|per each|各|各个|各种|各自|各家|各类|各大|每|每个|每一个|每种|每家|每位|每类|每款|每一|各项"},
	{which, "which|what|哪个|哪一个|哪|哪家|哪位|哪种|哪类|哪款"},
	{whichMany, "哪些|哪几个|哪几家|有哪些|都有哪些"},
	{most, "highest|largest|biggest|greatest|best|strongest|maximal|most expensive|longest|最长|最高|最大|最好|最强|最贵|最佳"},
	{least, "lowest|smallest|worst|weakest|minimal|poorest|cheapest|shortest|最短|最低|最小|最差|最弱|最便宜"},
	{moreIn, "most|the most|最多"},
	{fewest, "least|fewest|the least|the fewest|最少"},
	{sum, "total|sum|sum of|total of|overall|in total|altogether|combined|aggregate|grand total|grand total of|all together|total amount of|sum total of|" +
		"总|总共|一共|总和|总计|合计|总的|求和|总数|总额|共计|累计总"},
	{average, "average|avg|mean|average of|on average|averaged|typical|average amount of|平均|平均值|均值|平均数|的平均值"},
	{maximum, "maximum|max|maximum of|the maximum|最大值|最高值|最大的|峰值"},
	{minimum, "minimum|min|minimum of|the minimum|最小值|最低值"},
	{median, "median|median of|中位数|中位值"},
	{distinct, "distinct|unique|different|individual|separate|不同|不重复|去重|独立"},
	{count, "how many|number of|count of|count|the number of|total number of|the total number of|total count of|how many of|" +
		"个数|的个数|的数目|数目|的总数|的数量|数量|笔数|的笔数|次数|的次数|单数"},
	{howMuch, "how much|how much of|how high|how large|how big|how much money|how much in|是多少|多少钱|多大|是几|为多少|有多大|多高"},
	{howMany, "多少|有多少|多少个|几个|有几个|多少家|多少位|多少名|多少人|多少种|多少笔|多少条|多少单|多少次|多少件|几家|几位|几笔|几单|几种|有几家|有几位|有几种|有几笔|有几"},
	{single, "single|one|individual|单笔|单个|一笔|单次|单张"},
	{and, "and|as well as|along with|together with|plus|&|and also|and the|和|与|及|以及|跟|还有|同|并且|且|而且"},
	{or, "or|or else|or the|或|或者|或是|还是"},
	{comma, ","},
	{versus, "versus|vs|compared to|compared with|as compared to|against|as opposed to|relative to|v|对比|相比|比较|相较|vs|pk"},
	{not, "not|except|except for|excluding|exclude|without|other than|apart from|but not|but no|besides|non|no|not including|not counting|leaving out|aside from|all but|is not|are not|were not|" +
		"was not|isn't|aren't|weren't|wasn't|not been|have not been|has not been|haven't been|hasn't been|not be|outside of|outside|ignoring|that are not|which are not|not in|not from|but the|but those|but any|everything but|excl|excl.|" +
		"除|除了|除去|除开|不包括|不包含|不含|不是|非|排除|剔除|去掉|未|没有|没|不算|不计|扣除|不在|尚未|还没|还未"},
	{notBehind, "以外|之外|外"},
	{descend, "highest first|largest first|biggest first|best first|most first|descending|desc|in descending order|from highest to lowest|from high to low|high to low|largest to smallest|highest to lowest|" +
		"from largest to smallest|in decreasing order|decreasing|most to least|从高到低|由高到低|从大到小|由大到小|从多到少|降序|倒序|由多到少"},
	{ascend, "lowest first|smallest first|worst first|fewest first|least first|ascending|asc|in ascending order|from lowest to highest|from low to high|low to high|smallest to largest|lowest to highest|" +
		"from smallest to largest|in increasing order|increasing order|从低到高|由低到高|从小到大|由小到大|从少到多|升序|由少到多"},
	{rankAll, "rank|rank the|rank all|rank all the|a ranking of|ranking"},
	{sorted, "sorted by|sort by|ordered by|order by|ranked by|rank by|in order of|sorted|ranked|ranking of|ranking by|ordered|排序|排名|排行|排行榜|排列|名次"},
	{list, "list|show|display|show me|give me|give me a list of|a list of|list of|list all|show all|enumerate|列出|列表|显示|列一下|展示|罗列|清单|明细"},

	{share, "share|share of|the share of|percentage|percentage of|the percentage of|percent|percent of|% of|what % of|proportion|proportion of|the proportion of|fraction of|what fraction of|in percent|as a percentage|" +
		"as percentage|as percentages|in percentages|in percentage|as a share|as a share of the total|as a percentage of the total|percentage of total|percent of total|of total|of the total|share of total|share of the total|" +
		"contribution|contribution to|contribution of|contribute to|relative share|distribution of|what portion of|portion of|占比|占|比例|百分比|份额|所占比例|的占比|的比例|占多少|占总|百分之几|比重|贡献|贡献度|构成"},
	{growth, "quarter on quarter|quarter over quarter|qoq|季度环比|growth|growth of|growth rate|growth in|growth rate of|increase in|increase of|rate of growth|change in|change of|percent change|percentage change|percentage change in|percent change in|grow|grew|develop|development of|" +
		"change|increase|decrease|decrease in|decline in|增长|增长率|增速|增幅|变化|变化率|涨幅|增减|的增长"},
	{yearOnYear, "year over year|year on year|yoy|y o y|year to year|compared to the previous year|compared with the previous year|compared to the year before|compared to the prior year|versus the previous year|vs previous year|" +
		"versus prior year|vs prior year|against the previous year|同比|同比增长|同比增长率|同比变化|同比增速|与上年同期相比|和去年同期相比|与去年同期相比|较去年同期|比去年同期|去年同期对比|同比情况|年增长率|同比增幅"},
	{monthOnMonth, "month over month|month on month|mom|m o m|month to month|compared to the previous month|versus the previous month|vs previous month|compared with the previous month|环比|环比增长|环比增长率|环比变化|环比增速|月环比|环比情况|较上月|环比增幅"},
	{weekOnWeek, "week over week|week on week|wow|week to week|compared to the previous week|周环比"},
	{running, "cumulative|cumulated|running total|running total of|running sum|running sum of|accumulated|cumulatively|cumulative total|cumulative total of|累计|累积|累加"},

	{often, "common|frequent|often|popular|used|frequently|commonly|popularly|in demand|常见|常用|频繁|热门|受欢迎|多见"},
	{trend, "trend|trend of|trend in|trends|the trend of|over time|through time|development over time|evolution of|timeline of|走势|趋势|变动|变化趋势|的趋势|趋势图|变化情况"},
	{atPresent, "currently|current|now|right now|at the moment|at present|present|目前|当前|现在|眼下|现有"},

	{destroyer, "delete|truncate|drop|insert|overwrite|erase|wipe|purge|destroy|删除|删掉|清空|插入|抹掉|销毁"},
	{command, "remove|update|alter|modify|change|set|create|edit|write|add|cancel|rename|move|send|approve|assign|mark|email|call|book|buy|pay|transfer|reset|修改|更新|新增|添加|改成|改为|写入|发送|把|将|取消|设置|设为|转账|下单"},
	{forecast, "forecast|predict|prediction|predicted|projection|projected|project|will|going to|tomorrow|future|upcoming|next week|next month|next quarter|next year|expect|expected|outlook|" +
		"预测|预计|预估|预期|明天|后天|明年|后年|下个月|下月|下周|下星期|下季度|下个季度|下半年会|未来|将来|将会|会达到|能卖|会卖"},
	{reason, "why|cause|causes|explain|how come|recommend|recommendation|should|advise|advice|suggest|suggestion|what makes|how can we|how can i|how to|how do we|how do i|how should|what if|is it good|improve|" +
		"为什么|为何|为啥|怎么回事|怎么办|建议|应该|如何|怎样|怎么|原因是什么|原因分析|分析原因|导致"},
	{personal, "phone number|phone numbers|telephone number|mobile number|email|e mail|email address|home address|address|addresses|birthday|date of birth|password|passwords|salary|salaries|wage|bank account|id card|passport|" +
		"credit card number|social security number|home phone|电话|电话号码|手机号|手机号码|邮箱|邮件地址|住址|家庭地址|地址|生日|密码|工资|薪水|薪资|身份证|身份证号|银行账号|银行卡号"},

	{also, "also|too|additionally|in addition|as an extra|further|furthermore|on top|as well|add|并|也|再|另外|同时|加上|再加上|再按|也按"},
	{turnTo, "what about|how about|and what about|and how about|what of|and for|same for|the same for|same but|the same but|now|and now|then|instead|rather|change to|change it to|switch to|make it|make that|but for|but only|but|" +
		"only|just|just for|only for|ok|okay|换成|改成|改为|改看|那|那么|呢|只看|只要|只|仅|仅看|单看|换|同样|看下|再看|那就"},
	{ofThem, "of them|of these|of those|among them|among these|among those|from them|of which|in them|out of them|out of these|其中|里面|当中|它们|他们|这些|这里面|其中的|这几个"},
}

// nothing are the words and phrases that say nothing about a query.
var nothing = strings.Join([]string{
	"the|a|an|of|in|for|to|from|at|on|with|within|during|over the|is|are|was|were|be|been|being|what is|what are|what|what was|what were|what's|how is|how are|how was|how were|how do|how does|how did|where|",
	"me|us|our|we|i|you|my|your|their|its|it|they|them|there|that|who|whose|whom|do|does|did|done|have|has|had|having|get|got|gets|getting|",
	"give|gave|given|gives|tell|tells|please|pls|plz|kindly|can|could|would|may|might|like|want|wanted|wish|know|see|find|find out|need|let|look|look at|looking|looking for|check|pull|pull up|fetch|calculate|compute|work out|figure out|",
	"all|any|some|made|make|makes|making|generate|generated|generates|achieved|achieve|produce|produced|bring|bring in|brings|brings in|brought in|bring us|came in|came from|come from|comes from|coming from|",
	"placed|place|buy|bought|something|anything|things|stuff|ones|one|just|only|hello|hi|hey|dear|thank|thanks|thank you|cheers|ok|okay|so|well|um|uh|compare|comparing|comparison of|comparison between|a comparison of|breakdown of|break down|broken down|a breakdown of|breakdown|distributed|distribution by|spread|",
	"figure|figures|report|reports|data|statistic|statistics|stats|information|info|details|happened|happen|occurred|occur|took place|come|came|go|went|overview of|overview|an overview of|summary of|summary|as|i'd|let's|i'm|",
	"valued at|amounting to|with a|with an|having a|having an|that have|that has|that had|who have|who has|who had|which have|which has|that is|that are|that were|that was|which are|which were|who are|who were|where the|whose|",
	"via|through|using|by means of|belonging to|related to|regarding|concerning|about|in regards to|with respect to|in the|of the|for the|to the|on the|at the|by our|of our|in our|for our|across the|so far|to date|till now|until now|but only|but just|",
	"quickly|exactly|actually|really|roughly|approximately|about|basically|shop's|company's|ever|yet|already|then|per cent|aged|age of|year old|year olds|years old|of type|terms|respectively|side by side|and so on|etc|in order|",
	"的|了|吗|呢|啊|吧|呀|哦|是|有|在|我|我们|咱们|咱|你|您|他们|请|请问|帮|帮我|帮忙|给|给我|看|看看|看一下|看下|想看|我想看|查|查一下|查询|查看|查下|查查|统计|统计一下|统计下|告诉|告诉我|一下|情况|数据|分别|分别是|",
	"共|里|中|内|里面|期间|想|想知道|我想知道|知道|了解|我想了解|想了解|要|需要|都|所有|全部|整体|全|来自|的时候|分组|名下|类|汇总|进行|购买|买|买了|购买过|买过|过|做|做了|了多少|为|于|由|来|用|使用|通过|因|因为|由于|从|",
	"对|对于|关于|当中|至今|截至目前|到目前为止|截止目前|如何看|麻烦|谢谢|你好|您好|嗨|求|算|算一下|算算|计算|分析|分析一下|之间|排在|处于|产生|产生的|带来|带来的|贡献了|实现|实现的|得|出|出来|的是|就是|属于|这个|这一|拥有|有没有|",
	"当天|当日|那天|那一天|表现|结果|报表|占了|值|的值|是什么|什么|具体|大概|大约|左右|公司|我司|咱们的|我们的",
}, "")

// weak are adjectives of everyday speech. As the value of a field they count only beside what the field describes:
// new patients, and not new visits for those of new patients.
var weak = words("new|old|normal|regular|ordinary|open|closed|direct|other|none|high|low|medium|good|bad|big|small|standard|basic|general|first|last|single|total|active")

// sizes are what makes the size of a row out of its name: the ticket value of a ticket.
var sizes = []string{"amount", "value", "total", "金 额", "额", "总 额"}

// sizeWords are the same as a person says them alone: an amount over 500.
var sizeWords = words("amount|value|size|total|total amount|total value|worth|price|money|金额|总额|额|钱")

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
