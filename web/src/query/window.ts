// Which rows of an answer a payload asks for. The page reads them bit by bit, so that it says itself where they begin and end.
import type { Payload } from "./payload"

export interface Window {
  start: number
  limit: number // Infinity: all that there are
}

/** The most rows of a page, unless the server has said that it gives fewer. */
export const usualMost = 10_000

/** windowOf returns the rows that a payload names; undefined where only the server can tell. */
export function windowOf(p: Payload): Window | undefined {
  const [start, limit, page, pageSize] = [p.start, p.limit, p.page, p.pageSize].map((v) => v ?? undefined) // null says nothing
  const all = [start, limit, page, pageSize].filter((v) => v !== undefined)
  if (!all.every((v) => Number.isSafeInteger(v) && v >= 0) || page === 0) return undefined
  const length = limit ?? pageSize
  if ((length ?? 0) > usualMost) return undefined
  if (start !== undefined || page === undefined) return { start: start ?? 0, limit: length ?? Infinity }
  const first = length === undefined ? NaN : (page - 1) * length
  return length !== undefined && Number.isSafeInteger(first) ? { start: first, limit: length } : undefined
}

/** unpaged is a payload without what it says of pages, and of the form of rows. */
export function unpaged(p: Payload): Payload {
  const { start: _s, limit: _l, page: _p, pageSize: _z, format: _f, ...rest } = p as Payload & { format?: unknown }
  return rest
}

/** rowsWithin is how many of some rows stand in a window. */
export function rowsWithin(w: Window, total: number): number {
  return Math.max(0, Math.min(total - w.start, w.limit))
}
