// The whole result as a file: fetched page by page, turned into text as it comes, and cancellable at any time.
import { pageOf } from "../query/answer"
import type { Payload } from "../query/payload"
import { Exact } from "../server/exact"
import { Failure } from "../server/failure"

export type FileKind = "csv" | "json"

const pageRows = 5000

interface Job {
  model: string
  payload: Payload
  columns: string[]
  rows: number // how many there are
}

/** build fetches all rows and returns the file; progress is told after every page. */
export async function build(kind: FileKind, job: Job, signal: AbortSignal, progress: (done: number) => void): Promise<Blob> {
  const write = kind === "csv" ? csvLine : jsonLine
  const chunks: Blob[] = [new Blob([kind === "csv" ? "\ufeff" + job.columns.map(csvText).join(",") + "\r\n" : "["])]
  let size = pageRows
  for (let start = 0; start < job.rows; ) {
    const items = await page(job, start, size, signal).catch((error: unknown) => {
      if (size > 100 && tooMany(error)) return undefined
      throw error
    })
    if (!items) {
      size = Math.floor(size / 5)
      continue
    }
    if (items.length === 0) break
    chunks.push(new Blob(items.map((item, i) => write(job.columns, item, start + i === 0))))
    start += items.length
    progress(start)
  }
  if (kind === "json") chunks.push(new Blob(["\n]\n"]))
  return new Blob(chunks, { type: kind === "csv" ? "text/csv;charset=utf-8" : "application/json" })
}

function page(job: Job, start: number, size: number, signal: AbortSignal) {
  return pageOf(job.model, job.payload, start, Math.min(size, job.rows - start), signal)
}

/** tooMany says whether a server allows fewer rows a page. */
function tooMany(error: unknown): boolean {
  return error instanceof Failure && error.kind === "mistake" && /\blimit\b/.test(error.message)
}

function csvLine(columns: string[], item: Record<string, unknown>): string {
  return columns.map((c) => csvCell(item[c])).join(",") + "\r\n"
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (typeof value === "number" || typeof value === "boolean" || value instanceof Exact) return String(value)
  return csvText(typeof value === "string" ? value : JSON.stringify(value))
}

/** csvText quotes a text. One that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? "'" + text : text
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}

function jsonLine(columns: string[], item: Record<string, unknown>, first: boolean): string {
  const cells = columns.map((c) => `${JSON.stringify(c)}: ${jsonCell(item[c])}`)
  return `${first ? "" : ","}\n{${cells.join(", ")}}`
}

function jsonCell(value: unknown): string {
  return value instanceof Exact ? value.text : JSON.stringify(value ?? null)
}

/** save hands a file to the browser. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
