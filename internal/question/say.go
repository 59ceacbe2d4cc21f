package question

import (
	"fmt"
	"slices"

	"parlance/internal/semantic"
)

// saying is what the reader says in one language.
type saying struct {
	noModels, tooLong, several, whichMeasure, whichOrder, oneGroup, howMany, twoPeriods, noLists, shareOfWhat, whichShare, shareOf, running, growth, whichGrowth, howCounted, prior, difference, ratio, averageOf, separator, highestFirst, lowestFirst, firstRows, ofModel string

	nothing       func(models []string) string
	notUnderstood func(words []string, offer string) string
	unclear       func(word string) string
	noTime        func(model string) string
	testWhat      func(measure string) string
	averagePer    func(group string) string
	perhapsBy     func(field string) string
	decline       func(m marker, offer string) string
	offer         func(measures, fields []string) string
	about         func(models []string) string
}

var sayings = map[language]saying{
	english: {
		noModels:     "There is no data here that you may ask about.",
		tooLong:      "The question is too long; ask in one or two sentences.",
		several:      "The question can mean several things. Which of these is meant?",
		whichMeasure: "Which number do you want to see?",
		whichOrder:   "By which number should the groups be ranked?",
		oneGroup:     "A ranking works over one kind of group at a time. Over which one?",
		howMany:      "How many groups do you want to see?",
		twoPeriods:   "The question names several periods. Ask for one of them, or split the answer by month, quarter or year.",
		noLists:      "I answer with numbers, not with lists of single rows. Do you want to know how many there are?",

		shareOfWhat: "A share of what do you want to see? Name a part, or what to split by.",
		whichShare:  "Which of these shares do you mean?",
		shareOf:     "its share of the total in percent",
		running:     "running total of %s",
		growth:      "growth in percent over the one before",
		whichGrowth: "With which earlier period should it be compared?",
		howCounted:  "What should be counted?",
		averageOf:   "average %s of a %s",
		separator:   ", ", highestFirst: "highest %s first", lowestFirst: "lowest %s first", firstRows: "the first %d", ofModel: " (%s).",
		prior:      "%s before",
		difference: "change of %s",
		ratio:      "change of %s, relative",

		nothing: func(models []string) string {
			return "Ask a question about " + enumerate(models, " or ") + "."
		},
		notUnderstood: func(words []string, offer string) string {
			return "I did not understand " + enumerate(quoted(words), " and ") + ". " + offer
		},
		unclear: func(word string) string {
			return fmt.Sprintf("I am not sure what %q is to mean here. Please put it another way.", word)
		},
		noTime:   func(model string) string { return fmt.Sprintf("%s has no date to ask by.", model) },
		testWhat: func(m string) string { return fmt.Sprintf("For which group should %s be compared?", m) },
		averagePer: func(g string) string {
			return fmt.Sprintf("An average per %s can mean two things. Which is meant?", g)
		},
		perhapsBy: func(f string) string { return fmt.Sprintf("Should the answer be split by %s?", f) },
		decline: func(m marker, offer string) string {
			switch m {
			case forecast:
				return "I tell what the data holds and do not look into the future. " + offer
			case personal:
				return "I do not give out personal data. " + offer
			case reason:
				return "I tell numbers, not reasons or advice. " + offer
			}
			return "I only read data and change nothing. " + offer
		},
		offer: func(measures, fields []string) string {
			if len(measures) == 0 {
				return "You can ask how many there are by " + enumerate(fields, " or ") + "."
			}
			return "You can ask for " + enumerate(measures, " or ") + " by " + enumerate(fields, " or ") + "."
		},
		about: func(models []string) string { return "You can ask about " + enumerate(models, " or ") + "." },
	},
	chinese: {
		noModels:     "这里没有您可以查询的数据。",
		tooLong:      "问题太长，请用一两句话提问。",
		several:      "这个问题有几种理解，您指的是哪一种？",
		whichMeasure: "您想看哪个指标？",
		whichOrder:   "按哪个指标排名？",
		oneGroup:     "排名一次只能按一种分组，请说明按哪一种。",
		howMany:      "您想看多少个？",
		twoPeriods:   "问题里有几个时间段，请只问其中一个，或按月、季度、年拆分。",
		noLists:      "我用数字回答，不列出单条记录。您想知道有多少吗？",

		shareOfWhat: "您想看什么的占比？请说明哪一部分，或按什么拆分。",
		whichShare:  "您指的是哪一种占比？",
		shareOf:     "占总体的百分比",
		running:     "累计%s",
		growth:      "较前一期增长百分比",
		whichGrowth: "要与之前的哪个时期对比？",
		howCounted:  "您想数的是什么？",
		averageOf:   "平均%s（每个%s）",
		separator:   "，", highestFirst: "按%s从高到低", lowestFirst: "按%s从低到高", firstRows: "前%d条", ofModel: "（%s）。",
		prior:      "上期%s",
		difference: "%s变化",
		ratio:      "%s变化率",

		nothing: func(models []string) string { return "请提问，例如关于" + enumerate(models, "、") + "。" },
		notUnderstood: func(words []string, offer string) string {
			return "没有听懂" + enumerate(bracketed(words), "、") + "。" + offer
		},
		unclear:  func(word string) string { return "不确定“" + word + "”在这里的意思，请换个说法。" },
		noTime:   func(model string) string { return model + "没有日期，不能按时间查询。" },
		testWhat: func(m string) string { return "请说明按哪种分组比较" + m + "。" },
		averagePer: func(g string) string {
			return "每" + g + "的平均有两种理解，您指的是哪一种？"
		},
		perhapsBy: func(f string) string { return "要按" + f + "拆分吗？" },
		decline: func(m marker, offer string) string {
			switch m {
			case forecast:
				return "我只回答已有的数据，不做预测。" + offer
			case personal:
				return "我不提供个人信息。" + offer
			case reason:
				return "我只回答数字，不回答原因或建议。" + offer
			}
			return "我只读取数据，不做任何修改。" + offer
		},
		offer: func(measures, fields []string) string {
			if len(measures) == 0 {
				return "您可以按" + enumerate(fields, "、") + "查询数量。"
			}
			return "您可以按" + enumerate(fields, "、") + "查询" + enumerate(measures, "、") + "。"
		},
		about: func(models []string) string { return "您可以查询" + enumerate(models, "、") + "。" },
	},
}

func quoted(words []string) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = fmt.Sprintf("%q", w)
	}
	return list
}

func bracketed(words []string) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = "“" + w + "”"
	}
	return list
}

// shown bounds how many names a message offers.
const shown = 4

// offer says what can be asked: of the model that came nearest, or in general.
func offer(near *outcome, models []Asked, lang language) string {
	say := sayings[lang]
	if near == nil {
		return say.about(captions(models, lang))
	}
	var measures, fields []string
	for _, f := range near.grant.Fields() {
		switch {
		case f.Kind == semantic.MeasureKind && len(measures) < shown:
			measures = append(measures, lower(called(f, lang)))
		case f.Kind != semantic.MeasureKind && near.groupable(f) && len(fields) < shown:
			fields = append(fields, lower(called(f, lang)))
		}
	}
	if len(fields) == 0 {
		return say.about(captions(models, lang))
	}
	return say.offer(measures, fields)
}

// few is how many values a field may have to be worth splitting by.
const few = 60

// groupable reports whether a field is worth offering to split by: it is no number, no id and no time, and its values
// are known.
func (v *Vocabulary) groupable(f *semantic.Field) bool {
	if f.Derived || f.Tree || f.Role == semantic.ID || v.ofTime(f) || f.Type.Numeric() && f.Dictionary == nil {
		return false
	}
	at := slices.Index(v.values.fields, f)
	return f.Dictionary != nil || at >= 0 && v.values.counts[at] <= few
}

func captions(models []Asked, lang language) []string {
	var list []string
	for _, m := range models {
		if m.model.Multi == nil {
			list = append(list, lower(calledModel(m.model, lang)))
		}
	}
	return list[:min(len(list), 2*shown)]
}
