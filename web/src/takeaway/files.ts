// The whole result as a file: fetched page by page, turned into text as it comes, and cancellable at any time. A file has
// every row of the result or is not saved at all.
import { shownWindow, type Answer } from "../query/answer"
import { pagesOf, type Item } from "../query/pages"
import type { Payload } from "../query/payload"
import { Extras, keysOf, withHidden } from "../query/subtotals"
import { Exact, write } from "../server/exact"

export type FileKind = "csv" | "json"

const pageRows = 5000

export interface Job {
  model: string
  payload: Payload
  answer: Answer // whose rows are wanted
}

/** build fetches all rows and returns the file; progress is told after every page. It throws Changed when the rows do not stay the same. */
export async function build(kind: FileKind, { model, payload, answer }: Job, signal: AbortSignal, progress: (done: number) => void): Promise<Blob> {
  const columns = columnsOf(payload, answer)
  const keys = keysOf(payload, answer.applied.groupBy)
  const extras = new Extras(keys.names)
  const line = kind === "csv" ? csvLine : jsonLine
  const chunks = [new Blob([kind === "csv" ? "\ufeff" + columns.map(csvText).join(",") + "\r\n" : "["])]
  let done = 0
  const add = (items: Item[]) => chunks.push(new Blob(items.map((item, i) => line(columns, item, done + i === 0))))
  const asked = payload.withSubtotals ? withHidden(payload, keys) : payload
  for await (const page of pagesOf(model, asked, shownWindow(payload, answer), pageRows, { digits: true, signal })) {
    add(page.items)
    extras.add(page)
    progress((done += page.items.length))
  }
  add(extras.all().map((e) => e.item))
  if (kind === "json") chunks.push(new Blob(["\n]\n"]))
  return new Blob(chunks, { type: kind === "csv" ? "text/csv;charset=utf-8" : "application/json" })
}

/** columnsOf are the columns of a file: those of the answer, and where rows are of several types, what each is. */
function columnsOf(payload: Payload, answer: Answer): string[] {
  const columns = answer.columns.filter((c) => c !== "_rowType")
  return payload.withSubtotals || payload.topN?.others ? [...columns, "_rowType"] : columns
}

function csvLine(columns: string[], item: Item): string {
  return columns.map((c) => csvCell(item[c])).join(",") + "\r\n"
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (typeof value === "number" || typeof value === "boolean" || value instanceof Exact) return String(value)
  return csvText(typeof value === "string" ? value : write(value))
}

/** csvText quotes a text. One that a spreadsheet would run as a formula gets an apostrophe in front; a number is none. */
export function csvText(text: string): string {
  const safe = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? "'" + text : text
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}

function jsonLine(columns: string[], item: Item, first: boolean): string {
  return `${first ? "" : ","}\n{${columns.map((c) => `${write(c)}: ${write(item[c] ?? null)}`).join(", ")}}`
}

/** save hands a file to the browser. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
