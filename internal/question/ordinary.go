package question

import "strings"

// ordinary are everyday words that are never slips of the finger for another word: whoever asks by season does not mean
// the reason.
var ordinary = words(strings.Join([]string{
	"country|county|region|religion|area|state|district|village|continent|world|place|location|address|street|road|house|building|floor|room",
	"season|weather|summer|winter|spring|autumn|holiday|birthday|morning|evening|night|noon|century|decade|moment|minute|second|shift|schedule",
	"colour|color|size|weight|height|length|width|shape|quality|taste|style|design|model|version|material|sample|shade|flavour|flavor",
	"produce|producer|production|process|project|program|policy|practice|principle|price|prize|pride|private|public|present|percent|person|personal|personnel",
	"contact|contract|content|context|contest|control|council|counsel|counter|course|court|cover|credit|critic|culture|currency|curve|custom|costume",
	"employee|employer|staff|salary|wage|worker|job|career|boss|colleague|partner|supplier|vendor|dealer|agency|agent|company|firm|industry|market|marker",
	"reason|season|cause|clause|result|effect|impact|influence|problem|question|answer|idea|opinion|feeling|mood|happiness|satisfaction|sentiment|rating|review|score",
	"channel|chapter|character|charge|chart|cheque|choice|circle|citizen|claim|class|client|climate|clock|cloth|cloud|coach|coast|comment|common|complaint",
	"email|mail|letter|message|phone|telephone|password|account|number|member|letter|ladder|later|latter|leader|reader|lender|gender|vendor|sender|tender",
	"order|older|elder|border|folder|holder|store|story|score|shore|share|shape|shame|stock|stick|stack|stuff|state|stage|statue|status|station",
	"revenge|avenue|venue|profile|prophet|project|protest|quantity|quality|quarry|query|quarrel|return|reform|refuse|refund|remind|report|retail|retain|detail",
	"visit|visitor|view|click|session|section|traffic|campaign|champion|inventory|invention|industry|history|factory|category|territory|theory|victory",
	"astrological|astrology|zodiac|sign|salary|celery|poem|joke|story|song|recipe|capital|president|minister|election|football|movie|music|book",
	"distance|instance|substance|balance|budget|target|goal|forecast|trend|pattern|correlation|regression|probability|chance|risk|fraud|stress",
}, "|"))

// grammarWords are the single words that the grammar, numbers and dates are made of.
var grammarWords = grammarVocabulary()

func grammarVocabulary() map[string]bool {
	set := map[string]bool{}
	take := func(key string) {
		for w := range strings.SplitSeq(key, " ") {
			if len(w) > 2 {
				set[w] = true
			}
		}
	}
	for key := range marks {
		take(key)
	}
	for key := range meaningless {
		take(key)
	}
	for _, table := range []map[string]bool{classifiers} {
		for key := range table {
			take(key)
		}
	}
	for key := range comparisons {
		take(key)
	}
	for key := range afterNumber {
		take(key)
	}
	for _, m := range monthNames[1:] {
		set[m], set[m[:3]] = true, true
	}
	for _, d := range weekdayNames {
		set[d] = true
	}
	for w := range units {
		set[w] = true
	}
	for w := range numerals {
		set[w] = true
	}
	for w := range scales {
		set[w] = true
	}
	for w := range openings {
		take(w)
	}
	for w := range ordinals {
		set[w] = true
	}
	for w := range nearYears {
		take(w)
	}
	for _, w := range dateWords {
		set[w] = true
	}
	return set
}

// dateWords are read by the almanac alone.
var dateWords = []string{
	"today", "yesterday", "past", "previous", "current", "recent", "half", "between", "bottom", "quarter", "month", "week", "year", "beginning", "start", "date", "weekend", "weekday",
}
