package compute

// Agg is how many rows become one value. The same words stand in model files and in the query language.
type Agg string

// The aggregates. MedianLow and MedianHigh are the two middle values of a group, whose mean is its median.
const (
	Sum           Agg = "sum"
	Avg           Agg = "avg"
	Count         Agg = "count"
	CountDistinct Agg = "count_distinct"
	Min           Agg = "min"
	Max           Agg = "max"
	Median        Agg = "median"
	StddevPop     Agg = "stddev_pop"
	StddevSamp    Agg = "stddev_samp"
	VarPop        Agg = "var_pop"
	VarSamp       Agg = "var_samp"
	GroupConcat   Agg = "group_concat"

	MedianLow  Agg = "median_low"
	MedianHigh Agg = "median_high"
)

// Window is a window function: an aggregate's word, or one of its own.
type Window string

// The window functions that are no aggregates.
const (
	RowNumber   Window = "row_number"
	Rank        Window = "rank"
	DenseRank   Window = "dense_rank"
	PercentRank Window = "percent_rank"
	CumeDist    Window = "cume_dist"
	Ntile       Window = "ntile"
	Lag         Window = "lag"
	Lead        Window = "lead"
	FirstValue  Window = "first_value"
	LastValue   Window = "last_value"
)
