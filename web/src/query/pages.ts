// Pages of a query's rows. Their order is whole (the server appends the keys), so that pages never repeat or lose a row
// as long as the data stays what it is; every page tells how many rows there are, which shows when it does not.
import { callQuery } from "../server/call"
import { parse, parseDigits } from "../server/exact"
import { Failure } from "../server/failure"
import type { Payload } from "./payload"
import { rowsWithin, unpaged, usualMost, type Window } from "./window"

export type Item = Record<string, unknown>

export interface Page {
  items: Item[] // rows and groups themselves
  extras: Item[] // subtotals, the total, the rest
  total: number
}

let most = usualMost

/** largestPage is how many rows a page of this server may have, as far as it has said. */
export function largestPage(): number {
  return most
}

/** tooLarge says whether so many rows were refused for being more than a page may have, and remembers how many it may. */
export function tooLarge(error: unknown, asked: number): boolean {
  if (!(error instanceof Failure)) return false
  const [, allowed] = /\blimit is \d+; it must be at most (\d+)/.exec(error.message) ?? []
  if (!allowed || Number(allowed) < 1) return false
  most = Math.min(most, Number(allowed))
  return asked > most
}

export interface PageOptions {
  extras?: boolean // with the rows over several groups
  digits?: boolean // with numbers as they are written
  signal?: AbortSignal | undefined
}

/** pageOf asks for some rows of a query. */
export async function pageOf(model: string, payload: Payload, start: number, limit: number, { extras = false, digits = false, signal }: PageOptions): Promise<Page> {
  const param: Payload = { ...unpaged(payload) }
  delete param.returnTotal
  if (!extras) delete param.withSubtotals
  if (!extras && param.topN?.others !== undefined) {
    const { others: _no, ...top } = param.topN
    param.topN = top
  }
  const { items, total } = await callQuery<{ items: Item[]; total: number }>(`v2/${encodeURIComponent(model)}`, { start, limit, param }, signal, digits ? parseDigits : parse)
  const isData = (item: Item) => (item._rowType ?? "data") === "data"
  return { items: items.filter(isData), extras: items.filter((item) => !isData(item)), total: Number(total) }
}

/** Thrown when the rows became others while they were read. */
export class Changed extends Error {}

/**
 * pagesOf reads all rows of a window, of which the first page, or whoever asks, says how many there are. It throws Changed
 * rather than leave any out.
 */
export async function* pagesOf(model: string, payload: Payload, window: Window, size: number, { total, ...options }: PageOptions & { total?: number }): AsyncGenerator<Page> {
  let rows = total === undefined ? window.limit : rowsWithin(window, total)
  for (let done = 0; done < rows; ) {
    const asked = Math.min(size, most, rows - done)
    let page: Page
    try {
      page = await pageOf(model, payload, window.start + done, asked, { ...options, extras: true })
    } catch (error) {
      if (tooLarge(error, asked)) continue
      throw error
    }
    total ??= page.total
    rows = rowsWithin(window, total)
    if (page.total !== total || page.items.length !== Math.min(asked, rows - done)) throw new Changed()
    done += page.items.length
    yield page
  }
}
