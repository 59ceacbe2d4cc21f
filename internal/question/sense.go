package question

import (
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// kind is what a run of words is taken for.
type kind uint8

const (
	unknownWord kind = iota
	harmless         // says nothing about the query
	mark             // a word of the grammar: by, top, except
	measure          // a measure of the model
	field            // an attribute or dimension
	member           // a value of a field
	entity           // the rows of the model: tickets, visits
	span             // a period
	dayName          // a day of the week
	test             // a comparison with a number: more than 5
)

// sense is one meaning of a run of tokens.
type sense struct {
	kind  kind
	from  int // tokens[from:to]
	to    int
	cost  int
	text  string          // as the question has it
	key   string          // as the vocabulary has it
	field *semantic.Field // of measure, field, member
	value query.Scalar    // of member
	vague bool            // a member whose word says little by itself: new, open
	mark  marker
	n     int // of a rank or a bare number
	span  *period
	test  *comparison
}

// marker is a word of the grammar.
type marker uint8

const (
	noMark marker = iota
	by
	per
	each
	which      // one
	whichMany  // some
	rankTop    // top n; n is 0 when it is not said
	rankBottom // bottom n
	most       // highest, largest
	least
	moreIn // most: never a size of one row
	fewest
	sum
	average
	maximum
	minimum
	median
	distinct
	count     // how many
	howMuch   // how much
	howMany   // either, as the thing asked for decides
	single    // one row of the model
	and       //
	or        //
	comma     //
	versus    //
	not       //
	notBehind // the same, behind what is left out
	descend   // highest first
	ascend    //
	sorted    // sorted by
	rankAll   // rank: all, the highest first
	list      // show, list
	number    // a bare number
	command   // to change data
	forecast  // the future
	reason    // why, advice
	destroyer // a command wherever it stands
	personal  // what belongs to a person

	share        // of the whole
	growth       // against an earlier period
	yearOnYear   //
	monthOnMonth //
	weekOnWeek   //
	running      // summed up along time
	sizeOfRow    // an amount, of whatever a row is
	often        // by the number of rows
	trend        // along time
	atPresent    // as things stand today

	also   // beside what was asked before
	turnTo // instead of what was asked before
	ofThem // within what was answered before
)

// comparison is an operator with one number, or two for an interval.
type comparison struct {
	op   query.Op
	a, b string
}

// The costs of meanings: the cheapest way to account for every token is tried first. A name of the model file is a
// weaker sign than a caption or synonym, and passing over a word that the model knows is weaker still.
const (
	costWord     = 10
	costMark     = 5
	costName     = 100
	costRoot     = 25 // of another form of the word
	costOnlyName = 60 // of a name that nothing else in the model has
	costShort    = 95 // of a name without what the model speaks of anyway
	costFound    = 20 // of a value that no dictionary lists
	costPassed   = 30
	costUnknown  = 10_000
)
