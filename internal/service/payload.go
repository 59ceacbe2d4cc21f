package service

import "parlance/internal/query"

// payload returns a query as the JSON that a caller could send.
func payload(_ *query.Query) Raw { return Raw("{}") }
