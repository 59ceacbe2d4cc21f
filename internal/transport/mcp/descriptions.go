package mcp

// instructions returns the workflow that initialize hands to a model, under 2 KB.
func instructions(role Role) string {
	switch role {
	case Business:
		return askInstructions
	case Admin:
		return dataInstructions + "\n\nFor a question in plain words there is {ask}; it shows the query that the question became. " +
			"{query} takes showSql: true here."
	case Analyst:
	}
	return dataInstructions
}

const dataInstructions = `Parlance answers questions about business data from named models, in the business's own words. You write no SQL.

Workflow:
1. {list}: choose the model whose description fits; search narrows a long list.
2. {describe}: read its fields, and use their names exactly as listed.
3. {values}: look up names and codes before you filter by them; never guess a value.
4. {query}: ask, and let the database add up: total counts every matching row, returnTotal: true puts every measure over all of them into totalData. Never add up a page of rows yourself.
{explain} says in plain words what a query means.

Fields: an attribute is a plain name (orderStatus); a dimension has attributes behind a $ (customer$caption is its name, customer$id its key); a measure is a number with a default aggregation (salesAmount), or write one: "sum(salesAmount) as total".
Grouped: list the dimensions in columns and groupBy, the measures in columns. Detail: leave groupBy out.
A result has 100 rows at most unless limit says otherwise: look at pagination.hasMore and truncated before you conclude, and follow next or ask a narrower question.
An error names the path, what stood there, what is allowed and what is closest. If it has a patch, apply that JSON Patch to your arguments and call again; otherwise mend by closest. warnings and applied say what was assumed: tell the user what matters.`

const askInstructions = `Parlance answers questions about business data in plain words.

Call {ask} with the whole question, in English or Chinese: what to measure, by what, for which period or group.
Read type first: "result" has the rows, and understood, model and payload say what the question became, so check that they mean what the user asked; "clarify" asks back with choices, so put them to the user and answer with the number of one in the same session_id; "error" says why it cannot be answered and what can be asked.`

const listDescription = `Lists the models of the current namespace: name, caption, description, how many measures and dimensions each has, and which days its data covers. Start here; it is small. Then {describe} for the fields of the model that fits. Of many models a page is listed; search finds them by their names, descriptions, synonyms and fields, the most relevant first.

Example, the models about returns:
{"search":"returns"}

Trap: pick by description, not by name alone; two models may hold measures of the same name at another grain (orders and order lines).`

const metadataDescription = `Returns all models that you may access with the names of all their fields, an index from field name to kind, type and models, and the dictionaries of coded fields. Use it to find which model has a field; to choose a model {list} is smaller.

Example, it takes no arguments:
{}

Trap: it is large where there are many models; do not call it for each question.`

const describeDescription = `Describes one model: every field that can be queried with its kind (DIMENSION, ATTRIBUTE, MEASURE), type, caption and synonyms, how a measure is added up, dictionaries of codes, which days the data covers, some values of fields and example payloads for {query}. A field marked masked shows a mask in place of its values.

Example:
{"model":"FactSalesQueryModel"}

Trap: a coded field (one with a dictionary) is filtered by its code, COMPLETED, not by its label. sampleValues are some values; {values} finds the others. format "markdown" gives the same as a text to read.`

const queryDescription = `Runs one query on a model and returns {items, total, schema, pagination, applied, warnings?, totalData?}. payload is the query: columns, slice (filters, all of which must hold), groupBy, orderBy, having, calculatedFields, limit. Field names come from {describe}, values to filter by from {values}.

Example, sales and profit rate by category for completed orders of 2024, best first:
{"model":"FactSalesQueryModel","payload":{"columns":["product$categoryName","sum(salesAmount) as sales","profitRate"],"slice":[{"field":"orderStatus","op":"=","value":"COMPLETED"},{"field":"salesDate$caption","op":"[)","value":["2024-01-01","2025-01-01"]}],"groupBy":[{"field":"product$categoryName"}],"orderBy":[{"field":"sales","dir":"DESC"}],"limit":10,"returnTotal":true}}

Alternatives inside slice: {"$or":[{…},{…}]}. Intervals: [) includes the start and not the end.

Trap: total counts all matching rows (or groups), items is one page of them, 100 rows unless limit says otherwise. Never add up items; returnTotal: true puts the measures over all rows into totalData.

format "compact" returns columns and rows as arrays at half the tokens; mode "validate" checks a query without running it.`

const askDescription = `Answers a question about the business data in plain words, English or Chinese, and shows the structured query that it became: {"type":"result","understood":…,"model":…,"payload":…,"items":…,"total":…,"summary":…,"chart":…,"confidence":…,"session_id":…}. Name what to measure, by what and for which period: "top 5 customers by sales amount in 2024", "orders by province last month".

Example:
{"query":"sales amount by month in 2024"}

Follow up with the session_id of the answer: {"query":"and by month?","session_id":"q_…"}; after "clarify" the number of a choice picks it.

Trap: type is not always "result". "clarify" asks back with choices: put them to the user instead of choosing silently. "error" says why there is no answer. format "summary" leaves out rows and chart.`

const valuesDescription = `Lists the values that a field has in the rows you may see, the most frequent first, each with its label and how many rows have it. Use it before you filter by a name or code that you have not read in {describe}. A number or date of many values has its range and examples instead.

Example, the brands whose name has "lux":
{"model":"FactSalesQueryModel","field":"product$brand","search":"lux"}

Trap: filter by value, not by label, and use it exactly as it stands here; count is the number of rows of the model, not of customers, products or orders.`

const explainDescription = `Says in plain words what a query means, without its rows: each column, what is joined, which filters hold before and after grouping, what was taken by default, and which days the data covers. Use it to check a query before you report its figures, or to tell the user how they came about. It refuses what {query} refuses.

Example:
{"model":"FactSalesQueryModel","payload":{"columns":["product$categoryName","salesAmount"],"groupBy":[{"field":"product$categoryName"}],"having":[{"field":"salesAmount","op":">","value":1000}]}}

Trap: slice filters rows before they are added up, having filters groups afterwards; filteredBefore and filteredAfter show which is which.`
