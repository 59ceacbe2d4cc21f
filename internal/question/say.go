package question

import (
	"fmt"
	"strings"

	"parlance/internal/semantic"
)

// saying is what the reader says in one language.
type saying struct {
	noModels, tooLong, several, whichMeasure, whichOrder, oneGroup, howMany, twoPeriods, noLists string

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
			return fmt.Sprintf("An average per %s can mean two things. Ask for the average by %s, or for the total by %s.", g, g, g)
		},
		perhapsBy: func(f string) string { return fmt.Sprintf("Should the answer be split by %s?", f) },
		decline: func(m marker, offer string) string {
			switch m {
			case forecast:
				return "I tell what the data holds and do not look into the future. " + offer
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

		nothing: func(models []string) string { return "请提问，例如关于" + enumerate(models, "、") + "。" },
		notUnderstood: func(words []string, offer string) string {
			return "没有听懂" + enumerate(bracketed(words), "、") + "。" + offer
		},
		unclear:  func(word string) string { return "不确定“" + word + "”在这里的意思，请换个说法。" },
		noTime:   func(model string) string { return model + "没有日期，不能按时间查询。" },
		testWhat: func(m string) string { return "请说明按哪种分组比较" + m + "。" },
		averagePer: func(g string) string {
			return "“每" + g + "平均”有两种理解，请问按" + g + "的平均值，还是按" + g + "的总和？"
		},
		perhapsBy: func(f string) string { return "要按" + f + "拆分吗？" },
		decline: func(m marker, offer string) string {
			switch m {
			case forecast:
				return "我只回答已有的数据，不做预测。" + offer
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

// enumerate joins words with commas and a last connective.
func enumerate(words []string, last string) string {
	if len(words) < 2 || last == "、" {
		return strings.Join(words, last)
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + last + words[n]
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
const shown = 5

// offer says what can be asked: of the model that came nearest, or in general.
func offer(near *outcome, models []Asked, say saying) string {
	if near == nil {
		return say.about(captions(models))
	}
	var measures, fields []string
	for _, f := range near.grant.Fields() {
		switch {
		case f.Kind == semantic.MeasureKind && len(measures) < shown:
			measures = append(measures, f.Caption)
		case f.Kind != semantic.MeasureKind && !f.Derived && f.Role != semantic.ID && !near.ofTime(f) && len(fields) < shown:
			fields = append(fields, f.Caption)
		}
	}
	if len(fields) == 0 {
		return say.about(captions(models))
	}
	return say.offer(measures, fields)
}

func captions(models []Asked) []string {
	var list []string
	for _, m := range models {
		list = append(list, m.model.Caption)
	}
	return list[:min(len(list), 2*shown)]
}

// name returns what a field is called in the answer: its caption or, to a Chinese question, the words of the question.
func (d *draft) name(f *semantic.Field, text string) string {
	if d.lang == chinese && text != "" {
		return text
	}
	return f.Caption
}
