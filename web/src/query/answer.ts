// Asking for an answer, and the rows behind it: the first come with the answer, the others when somebody scrolls there.
import { signal } from "@preact/signals"
import { callQuery, callTool } from "../server/call"
import { aborted } from "../server/failure"
import type { Payload } from "./payload"

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
  warnings?: string[]
  applied: Applied
}

/** Rows of the first answer; more come by pages. */
export const firstRows = 200
const pageRows = 500
const keptPages = 40

/** ask runs a query and returns its answer with the first rows. */
export function ask(model: string, payload: Payload, signal?: AbortSignal): Promise<Answer> {
  const whole = payload.topN || payload.withSubtotals
  const limit = Math.min(payload.limit ?? firstRows, whole ? 1000 : firstRows)
  return callTool<Answer>("analyst", "dataset.query_model", { model, payload: { ...payload, limit, format: "compact" } }, signal)
}

/** pageOf asks for some rows of a query. */
export async function pageOf(model: string, payload: Payload, start: number, limit: number, signal?: AbortSignal): Promise<Record<string, unknown>[]> {
  const { limit: _limit, start: _start, ...param } = payload
  const body = { start, limit, param: { ...param, returnTotal: false, withSubtotals: false } }
  const data = await callQuery<{ items: Record<string, unknown>[] }>(`v2/${encodeURIComponent(model)}`, body, signal)
  return data.items.filter((item) => (item._rowType ?? "data") === "data")
}

export type RowType = "data" | "subtotal" | "total" | "others"

/** Rows are all rows of an answer; those that are not here yet are fetched when they are needed. */
export class Rows {
  readonly columns: string[]
  readonly length: number // of everything that the table shows
  readonly groups: number // without subtotals and the rest
  /** Changes when further rows are there. */
  readonly version = signal(0)
  readonly failed = signal(false)
  private readonly known: Row[]
  private readonly types: RowType[]
  private readonly pages = new Map<number, Row[] | "asked">()
  private readonly lost = new Set<number>() // pages that did not arrive
  private readonly more: ((start: number, limit: number, signal: AbortSignal) => Promise<Record<string, unknown>[]>) | undefined
  private readonly control = new AbortController()

  /** keys is how many of the first columns are group keys, limit the most rows that are asked for. */
  constructor(answer: Pick<Answer, "columns" | "rows" | "total">, keys: number, limit?: number, more?: Rows["more"]) {
    const at = answer.columns.indexOf("_rowType")
    const typed = answer.rows.map((row) => ({ type: (at < 0 ? "data" : row[at]) as RowType, row: row.filter((_, i) => i !== at) }))
    this.columns = answer.columns.filter((_, i) => i !== at)
    const shown = interleave(typed, keys)
    this.known = shown.map((r) => r.row)
    this.types = shown.map((r) => r.type)
    const extra = typed.filter((r) => r.type !== "data").length
    const data = Math.min(answer.total, limit ?? Infinity)
    const complete = typed.length - extra >= data || !more
    this.more = complete ? undefined : more
    this.length = complete ? shown.length : data
    this.groups = complete ? typed.length - extra : data
  }

  /** at returns a row, or undefined when it is not here yet. */
  at(i: number): Row | undefined {
    if (i < this.known.length) return this.known[i]
    const page = this.pages.get(Math.floor(i / pageRows))
    return Array.isArray(page) ? page[i % pageRows] : undefined
  }

  typeAt(i: number): RowType {
    return this.types[i] ?? "data"
  }

  /** data returns the rows that came with the answer and are groups or rows themselves. */
  data(): Row[] {
    return this.known.filter((_, i) => this.types[i] === "data")
  }

  /** others is the row of all the rest, where one was asked for. */
  others(): Row | undefined {
    return this.known[this.types.indexOf("others")]
  }

  /** need has the rows of a range fetched. */
  need(from: number, to: number): void {
    if (!this.more) return
    for (let p = Math.floor(Math.max(from, 0) / pageRows); p <= Math.floor(Math.min(to, this.length - 1) / pageRows); p++) {
      const start = p * pageRows
      if (this.pages.has(p) || start + pageRows <= this.known.length) continue
      void this.fetch(p)
    }
  }

  /** retry asks again for what did not arrive. */
  retry(): void {
    const again = [...this.lost]
    this.lost.clear()
    this.failed.value = false
    for (const p of again) void this.fetch(p)
  }

  /** end stops what is on its way. */
  end(): void {
    this.control.abort()
  }

  private async fetch(p: number): Promise<void> {
    this.pages.set(p, "asked")
    if (this.pages.size > keptPages) this.pages.delete(this.pages.keys().next().value as number)
    const start = p * pageRows
    try {
      const items = await this.more?.(start, Math.min(pageRows, this.length - start), this.control.signal)
      this.pages.set(p, (items ?? []).map((item) => this.columns.map((c) => item[c])))
      this.lost.delete(p)
    } catch (error) {
      this.pages.delete(p)
      if (!aborted(error)) this.lost.add(p)
    }
    this.failed.value = this.lost.size > 0
    this.version.value++
  }
}

interface Typed {
  type: RowType
  row: Row
}

/** interleave puts a subtotal behind the groups that it sums up where these stand together, and leaves the whole's total out. */
function interleave(rows: Typed[], keys: number): Typed[] {
  const shown = rows.filter((r) => r.type === "data")
  for (const sub of rows.filter((r) => r.type === "subtotal").reverse()) {
    const prefix = Math.max(1, sub.row.slice(0, keys).findLastIndex((v) => v !== null) + 1)
    const inside = shown.map((r) => r.type === "data" && sub.row.slice(0, prefix).every((v, i) => v === r.row[i]))
    const last = inside.lastIndexOf(true)
    shown.splice(last < 0 ? shown.length : last + 1, 0, sub)
  }
  return [...shown, ...rows.filter((r) => r.type === "others")]
}
