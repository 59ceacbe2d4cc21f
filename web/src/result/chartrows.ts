import { useEffect, useMemo } from "preact/hooks"
import { mostRows, type ChartRows } from "../chart/data"
import type { Row, Rows } from "../query/answer"
import { comeback } from "../server/connection"

/** useChartRows gathers what a chart is made of: where it wants all rows, as many as a chart holds are fetched first. late says that some were not in the first page. */
export function useChartRows(rows: Rows, all: boolean): { made: ChartRows; waiting: boolean; late: boolean } {
  const version = rows.version.value
  const failed = rows.failed.value
  const upTo = all ? Math.min(rows.length, mostRows) : 0
  useEffect(() => rows.need(0, upTo - 1), [rows, upTo])
  useEffect(() => {
    if (rows.failed.value) rows.retry()
  }, [comeback.value])
  return useMemo(() => {
    const found = all ? gathered(rows, upTo) : { data: rows.data(), whole: true }
    return {
      made: { data: found.data, others: rows.others(), groups: rows.groups, partial: all && found.data.length < rows.groups },
      waiting: !found.whole && !failed,
      late: all && rows.data().length < rows.groups,
    }
  }, [rows, all, all ? version : 0, failed])
}

/** gathered returns the rows that are here, up to a place; the gaps that are still to come make it less than whole. */
function gathered(rows: Rows, upTo: number): { data: Row[]; whole: boolean } {
  const data: Row[] = []
  let whole = true
  for (let i = 0; i < upTo; i++) {
    const row = rows.at(i)
    if (row === undefined) whole = false
    else if (row && rows.typeAt(i) === "data") data.push(row)
  }
  return { data, whole }
}
