// Cells as people read them: numbers and dates in the reader's locale. Text is never anything but text.
import { Exact, parse, write } from "./server/exact"
import { locale, t } from "./words"

/** What a column's cells are like. */
export interface Shape {
  dataType: string
  measure: boolean
  ratio?: boolean // 0.12 is shown as 12 %
}

const made = new Map<string, Intl.NumberFormat>()

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale.value + JSON.stringify(options)
  let format = made.get(key)
  if (!format) made.set(key, (format = new Intl.NumberFormat(locale.value, options)))
  return format
}

/** isNumeric says whether cells of a type are numbers, which stand to the right. */
export function isNumeric(dataType: string): boolean {
  return ["integer", "bigint", "decimal", "money", "percent", "double", "float", "number"].includes(dataType)
}

export function isTime(dataType: string): boolean {
  return dataType === "date" || dataType === "timestamp" || dataType === "datetime"
}

const mostDigits = 20 // behind the point, where a number is a name and no quantity

function optionsOf(shape: Shape, value: number): Intl.NumberFormatOptions {
  if (shape.ratio) return { style: "percent", maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: "exceptZero" }
  const small = Math.abs(value) < 0.005 && value !== 0
  switch (shape.dataType) {
    case "money":
    case "percent":
      if (!small) return { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      break
    case "integer":
    case "bigint":
      if (!Number.isInteger(value)) break
      return { maximumFractionDigits: 0, useGrouping: shape.measure }
  }
  if (!shape.measure) return { maximumFractionDigits: mostDigits, useGrouping: false }
  if (small) return { maximumSignificantDigits: 4, ...(Math.abs(value) < 1e-6 && { notation: "scientific" as const }) }
  return { maximumFractionDigits: 4 }
}

/** formatNumber writes a number; one that is not nought is never written as nought. */
export function formatNumber(value: number | Exact, shape: Shape): string {
  const text = numberFormat(optionsOf(shape, Number(value))).format(value instanceof Exact ? (value.text as unknown as number) : value)
  return shape.dataType === "percent" && !shape.ratio ? text + " %" : text
}

/** readNumber reads a number as a reader writes it, with all its digits: as formatNumber shows it, or plain. undefined is no number. */
export function readNumber(text: string, dataType: string): unknown {
  const plain = text.normalize("NFKC").replace(/[\s_]/g, "").replace(/^\u2212/, "-").replace(dataType === "percent" ? /%$/ : "", "")
  const [, sign = "", whole = "", part = "", power = ""] = /^([-+]?)(\d*)(?:\.(\d*))?(e[-+]?\d+)?$/i.exec(ungrouped(plain)) ?? []
  if (whole + part === "") return undefined
  return parse(`${sign === "-" ? "-" : ""}${whole.replace(/^0+(?=\d)/, "") || "0"}${part ? "." + part : ""}${power}`)
}

/** ungrouped takes out the commas that stand between groups of digits; where a comma is the reader's point, it becomes one. */
function ungrouped(text: string): string {
  const point = numberFormat({}).formatToParts(0.5).find((p) => p.type === "decimal")?.value
  if (point === ",") return text.replace(/^([-+]?\d*),(\d*)$/, "$1.$2")
  return /^[-+]?\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?$/.test(text) ? text.replaceAll(",", "") : text
}

/** count writes a number of things. */
export function count(n: number): string {
  return numberFormat({}).format(n)
}

/** compact writes a number for an axis: 12K, 1.2 万; finer shows more digits. */
export function compact(value: number, shape?: Shape, finer = 0): string {
  if (shape?.ratio) return numberFormat({ style: "percent", maximumFractionDigits: finer }).format(value)
  const digits = (Math.abs(value) < 10 ? 2 : 1) + finer
  const small = Math.abs(value) < 0.01 && value !== 0
  const text = numberFormat({ notation: "compact", ...(small ? { maximumSignificantDigits: 2 + finer } : { maximumFractionDigits: digits }) }).format(value)
  return shape?.dataType === "percent" ? text + " %" : text
}

export function formatDate(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (!year) return text
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (at.getUTCDate() !== Number(day)) return text // there is no such day
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeZone: "UTC" }).format(at)
}

function formatTimestamp(text: string): string {
  const [, date = "", time = ""] = /^(\d{4}-\d\d-\d\d)T(.*)$/.exec(text) ?? []
  return date ? `${formatDate(date)} ${time.replace(/\.0+(?=\D|$)/, "")}` : text
}

/** formatCell writes any cell; null is "". */
export function formatCell(value: unknown, shape: Shape): string {
  if (value === null || value === undefined) return ""
  if (typeof value === "boolean") return value ? t("filter.yes") : t("filter.no")
  if (typeof value === "number" || value instanceof Exact) return formatNumber(value, shape)
  if (typeof value !== "string") return write(value)
  if (shape.dataType === "date") return formatDate(value)
  if (isTime(shape.dataType)) return formatTimestamp(value)
  return value
}
