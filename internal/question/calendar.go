package question

import (
	"strings"

	"parlance/internal/semantic"
)

// grains are the everyday words for the periods that a date is cut to.
var grains = map[semantic.Grain]string{
	semantic.Year:    "year|yearly|annual|annually|年|每年|年度|年份|按年",
	semantic.Quarter: "quarter|quarterly|季度|每季度|每个季度|按季度",
	semantic.Month:   "month|monthly|月|每月|每个月|月份|按月",
	semantic.Week:    "week|weekly|周|每周|星期|按周",
	semantic.Day:     "day|daily|date|天|日|每天|每日|日期|按天|按日",
	semantic.Hour:    "hour|hourly|小时|每小时",
}

// addGrains gives the everyday words to the grains of the model's own time, where it is a plain date or timestamp. A
// calendar table brings its own words.
func (v *Vocabulary) addGrains() {
	if v.when == nil || v.when.Role != semantic.Plain {
		return
	}
	for _, f := range v.grant.Fields() {
		if f.Role == semantic.TimeGrain && f.Of == v.when {
			for text := range strings.SplitSeq(grains[f.Grain], "|") {
				v.add(text, sense{kind: field, field: f})
			}
		}
	}
}

// grainField returns the field that cuts the model's time to a period, or nil.
func (v *Vocabulary) grainField(g semantic.Grain) *semantic.Field {
	word, _, _ := strings.Cut(grains[g], "|")
	var best *sense
	for i, s := range v.phrases[word] {
		if s.kind == field && v.ofTime(s.field) && (best == nil || s.cost < best.cost) {
			best = &v.phrases[word][i]
		}
	}
	if best == nil {
		return nil
	}
	return best.field
}

// ofTime reports whether a field tells when: it is cut from the model's time or stands in its calendar.
func (v *Vocabulary) ofTime(f *semantic.Field) bool {
	if f.Type.Temporal() || f.Role == semantic.TimeGrain || f.Dimension != nil && f.Dimension.Date {
		return true
	}
	return v.when != nil && f.Dimension != nil && f.Dimension == v.when.Dimension
}
