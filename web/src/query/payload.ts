// The query payload as the page holds it, and what it says. A payload is never changed in place.
import type { Model } from "../server/models"

export type Scalar = string | number | boolean | null

export interface Condition {
  field: string
  op: string
  value?: unknown
}

/** A condition that the page shows but does not edit: logic, expressions. */
export type RawCondition = Record<string, unknown>

export interface Order {
  field: string
  order: "asc" | "desc"
}

export interface TimeWindow {
  field: string
  grain: string
  comparison: string
  range?: string | [string, string]
  targetMetrics?: string[]
}

export type Group = string | { field: string; agg?: string }

export interface Payload {
  columns?: string[]
  exColumns?: string[]
  slice?: (Condition | RawCondition)[]
  groupBy?: Group[]
  having?: (Condition | RawCondition)[]
  orderBy?: (string | Order | Record<string, unknown>)[]
  calculatedFields?: { name: string; expression: string; [key: string]: unknown }[]
  timeWindow?: TimeWindow
  topN?: { by: string; n: number; others?: boolean }
  withSubtotals?: boolean
  returnTotal?: boolean
  distinct?: boolean
  limit?: number
  start?: number
  page?: number
  pageSize?: number
}

/** A column's parts: `sum(x) as y` has a function, a field and an alias. */
export interface Column {
  text: string
  key: string // what the rows call it
  field: string // the field that it shows or computes with
  fn?: string
}

export function readColumn(text: string): Column {
  const aliased = /^(.*\S)\s+as\s+(\S+)$/is.exec(text)
  const expression = aliased?.[1] ?? text
  const called = /^(\w+)\((.*)\)$/s.exec(expression)
  const column: Column = { text, key: aliased?.[2] ?? text, field: called?.[2]?.trim() ?? expression }
  if (called?.[1]) column.fn = called[1].toLowerCase()
  return column
}

export function isCondition(c: Condition | RawCondition): c is Condition {
  return typeof c.field === "string" && typeof c.op === "string"
}

export function groupField(g: Group): string {
  return typeof g === "string" ? g : g.field
}

/** groupKeys are the fields of groupBy that make groups; entries with an aggregation only say how a measure is summed up. */
export function groupKeys(p: Payload): string[] {
  return (p.groupBy ?? []).filter((g) => typeof g === "string" || g.agg === undefined).map(groupField)
}

/** orders gives every spelling of orderBy one form. */
export function orders(p: Payload): Order[] {
  return (p.orderBy ?? []).map((o) => {
    if (typeof o === "string") {
      if (o.startsWith("-")) return { field: o.slice(1), order: "desc" }
      const [field = o, word = ""] = o.split(/\s+(?=asc$|desc$)/i)
      return { field, order: word.toLowerCase() === "desc" ? "desc" : "asc" }
    }
    const known = o as Record<string, unknown>
    const word = String(known.order ?? known.dir ?? known.direction ?? "asc").toLowerCase()
    return { field: String(known.field), order: word === "desc" ? "desc" : "asc" }
  })
}

const onlyAggregated = ["count", "count_distinct", "countd", "expression", "ratio"]

function aggregates(model: Model, column: Column): boolean {
  if (column.fn) return true
  const field = model.fields.find((f) => f.name === column.field)
  return field?.kind === "MEASURE" && onlyAggregated.includes(field.aggregation ?? "")
}

/** grouped says whether rows of the answer stand for groups. */
export function grouped(p: Payload, model: Model): boolean {
  if (p.timeWindow || (p.groupBy ?? []).length > 0) return true
  return (p.columns ?? []).some((c) => aggregates(model, readColumn(c)))
}

/** isMeasure says whether a column is a number of the answer rather than a key. */
export function isMeasure(p: Payload, model: Model, column: Column): boolean {
  if (column.fn) return true
  const field = model.fields.find((f) => f.name === column.field)
  if (field) return field.kind === "MEASURE"
  return (p.calculatedFields ?? []).some((c) => c.name === column.field) && !groupKeys(p).includes(column.field)
}

/** parts tells keys and measures of a payload apart, in order. */
export function parts(p: Payload, model: Model): { keys: Column[]; measures: Column[] } {
  const all = (p.columns ?? []).map(readColumn)
  return { keys: all.filter((c) => !isMeasure(p, model, c)), measures: all.filter((c) => isMeasure(p, model, c)) }
}

/** hiddenKeys are the fields that make groups without being columns. */
export function hiddenKeys(p: Payload): string[] {
  const shown = (p.columns ?? []).map((c) => readColumn(c))
  return shown.length === 0 ? [] : groupKeys(p).filter((k) => !shown.some((c) => !c.fn && (c.field === k || c.key === k)))
}

/** isGrain says whether a field's name is that of a period on the axis of time. */
export function isGrain(name: string): boolean {
  return /\$(year|yearMonth|yearQuarter|yearWeek|year_month|year_quarter|year_week|date)$/.test(name) || /^[^$]+\$(month|quarter|week|hour)$/.test(name)
}

/** tidy leaves out clauses that say nothing. */
export function tidy(p: Payload): Payload {
  return Object.fromEntries(
    Object.entries(p).filter(([, v]) => v !== undefined && v !== false && !(Array.isArray(v) && v.length === 0)),
  ) as Payload
}
