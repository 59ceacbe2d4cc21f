// Cells as people read them: numbers and dates in the reader's locale. Text is never anything but text.
import { Exact } from "./server/exact"
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

function optionsOf(shape: Shape): Intl.NumberFormatOptions {
  if (shape.ratio) return { style: "percent", maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: "exceptZero" }
  switch (shape.dataType) {
    case "money":
      return { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    case "percent":
      return { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    case "integer":
    case "bigint":
      return { maximumFractionDigits: 0, useGrouping: shape.measure }
  }
  return { maximumFractionDigits: 4, useGrouping: shape.measure }
}

export function formatNumber(value: number | Exact, shape: Shape): string {
  const text = numberFormat(optionsOf(shape)).format(value instanceof Exact ? (value.text as unknown as number) : value)
  return shape.dataType === "percent" && !shape.ratio ? text + " %" : text
}

/** count writes a number of things. */
export function count(n: number): string {
  return numberFormat({}).format(n)
}

/** compact writes a number for an axis: 12K, 1.2 万. */
export function compact(value: number, shape?: Shape): string {
  if (shape?.ratio) return numberFormat({ style: "percent", maximumFractionDigits: 0 }).format(value)
  const text = numberFormat({ notation: "compact", maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1 }).format(value)
  return shape?.dataType === "percent" ? text + " %" : text
}

export function formatDate(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (!year) return text
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeZone: "UTC" }).format(at)
}

function formatTimestamp(text: string): string {
  const [, date = "", time = ""] = /^(\d{4}-\d\d-\d\d)T(.*)$/.exec(text) ?? []
  return date ? `${formatDate(date)} ${time.replace(/\.\d+/, "")}` : text
}

/** formatCell writes any cell; null is "". */
export function formatCell(value: unknown, shape: Shape): string {
  if (value === null || value === undefined) return ""
  if (typeof value === "boolean") return value ? t("filter.yes") : t("filter.no")
  if (typeof value === "number" || value instanceof Exact) return formatNumber(value, shape)
  if (typeof value !== "string") return JSON.stringify(value)
  if (shape.dataType === "date") return formatDate(value)
  if (isTime(shape.dataType)) return formatTimestamp(value)
  return value
}
