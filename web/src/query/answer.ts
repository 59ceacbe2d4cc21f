// Asking for an answer: the first rows, and with subtotals all of them, since these stand among the groups.
import { callTool } from "../server/call"
import { Changed, largestPage, pageOf, pagesOf, tooLarge, type Item } from "./pages"
import type { Payload } from "./payload"
import { Rows, type ShownRow } from "./rows"
import { Extras, interleave, keysOf, withHidden, type Keys } from "./subtotals"
import { rowsWithin, unpaged, windowOf, type Window } from "./window"

export { Rows } from "./rows"
export type { RowType } from "./subtotals"

export interface SchemaColumn {
  name: string
  dataType: string
  caption: string
}

export interface Applied {
  mode?: string
  groupBy?: string[]
  filteredBefore?: string[]
  filteredAfter?: string[]
  timeRanges?: { field: string; from: string; to: string }[]
  defaults?: { orderBy?: string[]; aggregations?: Record<string, string> }
  access?: { rowsLimited?: boolean; masked?: string[]; [key: string]: unknown }
  [key: string]: unknown
}

export type Row = unknown[]

export interface Answer {
  columns: string[]
  rows: Row[]
  total: number
  totalData?: Record<string, unknown>
  schema: SchemaColumn[]
  pagination: { start: number; limit: number; returned: number; totalCount: number }
  truncated?: boolean
  warnings?: string[]
  applied: Applied
  /** All rows in the order in which they are shown, where that is not the order of rows. */
  shown?: ShownRow[]
  /** What the reader must know: subtotals that are left out, rows that became others while they were read. */
  notes?: AnswerNote[]
}

export type AnswerNote = "subtotals" | "unsettled" | "changed"

/** Rows of the first answer; more come by pages. */
export const firstRows = 200
const wholePage = 5000

/** The most groups that are read to put subtotals among them; of more, only files have the subtotals. */
export const mostSubtotalled = 20_000

/** ask runs a query and returns its answer with the first rows. */
export async function ask(model: string, payload: Payload, signal?: AbortSignal): Promise<Answer> {
  const answer = await first(model, payload, signal)
  if (payload.withSubtotals) return subtotalled(model, payload, answer, signal)
  if (payload.topN?.others && answer.truncated) return withOthers(model, payload, answer, signal)
  return answer
}

/** first asks for the first rows; what the page cannot make sense of is sent as it stands. */
async function first(model: string, payload: Payload, signal?: AbortSignal): Promise<Answer> {
  const window = windowOf(payload)
  for (;;) {
    const limit = Math.min(window?.limit ?? Infinity, firstRows, largestPage())
    const paged = window ? { ...unpaged(payload), ...(window.start > 0 && { start: window.start }), limit } : payload
    try {
      return await callTool<Answer>("analyst", "dataset.query_model", { model, payload: { ...paged, format: "compact" } }, signal)
    } catch (error) {
      if (!window || !tooLarge(error, limit)) throw error
    }
  }
}

/** shownWindow is where the rows of an answer begin and end. */
export function shownWindow(payload: Payload, answer: Pick<Answer, "pagination">): Window {
  return windowOf(payload) ?? { start: answer.pagination.start, limit: answer.pagination.limit }
}

function itemsOf(answer: Answer): Item[] {
  return answer.rows.map((row) => Object.fromEntries(answer.columns.map((c, i) => [c, row[i]])))
}

async function subtotalled(model: string, payload: Payload, answer: Answer, signal?: AbortSignal): Promise<Answer> {
  const window = shownWindow(payload, answer)
  const rows = rowsWithin(window, answer.total)
  const keys = keysOf(payload, answer.applied.groupBy)
  const here = itemsOf(answer)
  const items = here.filter((item) => item._rowType === "data")
  const extras = new Extras(keys.names)
  if (items.length === rows && !answer.truncated && keys.hidden.length === 0) {
    extras.add({ items, extras: here.filter((item) => item._rowType !== "data") })
    return { ...answer, shown: shownRows(answer, items, extras, keys) }
  }
  if (rows > mostSubtotalled) return { ...answer, rows: answer.rows.filter((_, i) => here[i]?._rowType === "data"), notes: ["subtotals"] }
  const all: Item[] = []
  try {
    for await (const page of pagesOf(model, withHidden(payload, keys), window, wholePage, { total: answer.total, signal })) {
      all.push(...page.items)
      extras.add(page)
    }
  } catch (error) {
    if (!(error instanceof Changed)) throw error
    return { ...answer, rows: answer.rows.filter((_, i) => here[i]?._rowType === "data"), notes: ["unsettled"] }
  }
  return { ...answer, shown: shownRows(answer, all, extras, keys) }
}

function shownRows(answer: Answer, items: Item[], extras: Extras, keys: Keys): ShownRow[] {
  const columns = answer.columns.filter((c) => c !== "_rowType")
  const total = answer.totalData !== undefined
  return interleave(items, extras.all(), keys.names)
    .filter((e) => e.type !== "total" || !total) // the table's foot has it
    .map(({ type, item, level }) => ({
      type,
      row: columns.map((c) => item[c]),
      keys: type === "data" ? undefined : columns.flatMap((c, i) => (keys.names.indexOf(c) >= 0 && keys.names.indexOf(c) < (level ?? 0) ? [i] : [])),
    }))
}

/** withOthers asks again for the row of all the rest where the first answer was cut before it. */
async function withOthers(model: string, payload: Payload, answer: Answer, signal?: AbortSignal): Promise<Answer> {
  const { extras } = await pageOf(model, payload, shownWindow(payload, answer).start, 1, { extras: true, signal })
  return { ...answer, rows: [...answer.rows, ...extras.map((item) => answer.columns.map((c) => item[c]))] }
}

/** rowsOf are all rows of an answer; those that are not here yet are fetched when they are needed. */
export function rowsOf(model: string, payload: Payload, answer: Answer): Rows {
  return new Rows(answer, shownWindow(payload, answer), (start, limit, signal) => pageOf(model, payload, start, limit, { signal }))
}
