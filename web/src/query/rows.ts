// The rows behind a table: the first come with the answer, the others when somebody scrolls there.
import { signal } from "@preact/signals"
import { aborted } from "../server/failure"
import type { Answer, AnswerNote, Row } from "./answer"
import { largestPage, tooLarge, type Page } from "./pages"
import type { RowType } from "./subtotals"
import { rowsWithin, type Window } from "./window"

export interface ShownRow {
  type: RowType
  row: Row
  keys?: number[] | undefined // of a row over several groups: the columns that say of which
}

const pageRows = 500
const keptRows = 20_000

export type More = (start: number, limit: number, signal: AbortSignal) => Promise<Page>

/** Rows are those that an answer came with, then those that come by pages, then the row of all the rest. */
export class Rows {
  readonly columns: string[]
  readonly length: number // of everything that the table shows
  readonly groups: number // without subtotals and the rest
  /** Changes when further rows are there. */
  readonly version = signal(0)
  /** Set while rows could not be fetched. */
  readonly failed = signal(false)
  readonly notes = signal<AnswerNote[]>([])
  private readonly head: ShownRow[]
  private readonly tail: ShownRow[]
  private readonly start: number
  private readonly total: number
  private readonly more: More | undefined
  private readonly pages = new Map<number, Row[] | "asked">()
  private size = Math.min(pageRows, largestPage())
  private readonly lost = new Set<number>() // pages that did not arrive
  private readonly control = new AbortController()

  constructor(answer: Pick<Answer, "columns" | "rows" | "total" | "shown" | "notes">, window: Window, more?: More) {
    const at = answer.columns.indexOf("_rowType")
    this.columns = answer.columns.filter((_, i) => i !== at)
    const all: ShownRow[] = answer.shown ?? answer.rows.map((row) => ({ type: (at < 0 ? "data" : row[at]) as RowType, row: row.filter((_, i) => i !== at) }))
    const here = all.filter((r) => r.type === "data").length
    const rows = rowsWithin(window, answer.total)
    const complete = answer.shown !== undefined || here >= rows || !more
    this.more = complete ? undefined : more
    this.head = complete ? all : all.filter((r) => r.type === "data")
    this.tail = complete ? [] : all.filter((r) => r.type !== "data")
    this.groups = complete ? here : rows
    this.length = complete ? all.length : rows + this.tail.length
    this.start = window.start
    this.total = answer.total
    this.notes.value = answer.notes ?? []
  }

  /** at returns a row; null when it is there no more, undefined when it is not here yet. */
  at(i: number): Row | null | undefined {
    if (i < this.head.length) return this.head[i]?.row
    if (i >= this.groups) return this.tail[i - this.groups]?.row
    const page = this.pages.get(Math.floor(i / this.size))
    return Array.isArray(page) ? page[i % this.size] ?? null : undefined
  }

  private shownAt(i: number): ShownRow | undefined {
    return i < this.head.length ? this.head[i] : this.tail[i - this.groups]
  }

  typeAt(i: number): RowType {
    return this.shownAt(i)?.type ?? "data"
  }

  /** keysAt returns the columns that say which groups a row sums up. */
  keysAt(i: number): number[] {
    return this.shownAt(i)?.keys ?? []
  }

  /** data returns the rows that came with the answer and are groups or rows themselves. */
  data(): Row[] {
    return this.head.filter((r) => r.type === "data").map((r) => r.row)
  }

  /** others is the row of all the rest, where one was asked for. */
  others(): Row | undefined {
    return [...this.tail, ...this.head].find((r) => r.type === "others")?.row
  }

  /** need has the rows of a range fetched, both ends included. */
  need(from: number, to: number): void {
    if (!this.more) return
    const last = Math.min(to, this.groups - 1)
    for (let p = Math.floor(Math.max(from, 0) / this.size); p <= Math.floor(last / this.size); p++) {
      if (this.pages.has(p) || (p + 1) * this.size <= this.head.length) continue
      void this.fetch(p, this.more)
    }
  }

  /** retry asks again for what did not arrive. */
  retry(): void {
    const again = [...this.lost]
    this.lost.clear()
    this.failed.value = false
    if (this.more) for (const p of again) void this.fetch(p, this.more)
  }

  /** end stops what is on its way. */
  end(): void {
    this.control.abort()
  }

  private async fetch(p: number, more: More): Promise<void> {
    const { size } = this
    const asked = Math.min(size, this.groups - p * size)
    this.keep(p, "asked")
    try {
      const page = await more(this.start + p * size, asked, this.control.signal)
      if (size !== this.size) return // pages are shorter by now
      if (page.total !== this.total || page.items.length !== asked) this.note("changed")
      this.keep(p, page.items.map((item) => this.columns.map((c) => item[c])))
      this.lost.delete(p)
    } catch (error) {
      if (size !== this.size) return
      if (tooLarge(error, asked)) return this.shorten()
      this.pages.delete(p)
      if (!aborted(error)) this.lost.add(p)
    }
    this.failed.value = this.lost.size > 0
    this.version.value++
  }

  /** shorten begins anew with pages of the length that the server allows. */
  private shorten(): void {
    const { size } = this
    const wanted = [...this.lost, ...[...this.pages].flatMap(([p, page]) => (page === "asked" ? [p] : []))]
    this.size = Math.min(pageRows, largestPage())
    this.pages.clear()
    this.lost.clear()
    for (const p of wanted) this.need(p * size, (p + 1) * size - 1)
  }

  private keep(p: number, page: Row[] | "asked"): void {
    this.pages.delete(p)
    this.pages.set(p, page)
    if (this.pages.size * this.size > keptRows) this.pages.delete(this.pages.keys().next().value as number)
  }

  private note(note: AnswerNote): void {
    if (!this.notes.value.includes(note)) this.notes.value = [...this.notes.value, note]
  }
}
